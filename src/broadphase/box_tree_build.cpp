// Building the tree, or the part of it that has changed: from the top, splitting the items in two.
#include <algorithm>
#include <tuple>

#include "broadphase/box_tree.h"

namespace cairn {
namespace {

// Many items are split where the surface heuristic says: least Σ surface × leaves over both sides (MacDonald and
// Booth 1990), at one of a few planes (Wald 2007). Few items are split in the middle, which is 20 % cheaper in all
// and costs searches 2 %.
constexpr int k_bins = 8;
constexpr std::uint32_t k_few = 32;
// Deeper than this the items are halved by number, so that no arrangement of boxes makes a tree too high.
constexpr std::uint32_t k_deep = 40;

// Where the centres of the items are along the axis on which they differ most; all coordinates are doubled.
template <class D>
struct Spread {
  std::size_t axis = 0;
  float lo = 0, hi = 0;

  explicit Spread(std::span<const TreeNode<D>> items) {
    constexpr std::size_t n = FloatBox<D>::k_axes;
    std::array<float, n> least, most;
    least.fill(std::numeric_limits<float>::max());
    most.fill(-std::numeric_limits<float>::max());
    for (const TreeNode<D>& item : items)
      for (std::size_t i = 0; i < n; ++i) {
        const float c = item.box.lo[i] + item.box.hi[i];
        least[i] = c < least[i] ? c : least[i];
        most[i] = most[i] < c ? c : most[i];
      }
    for (std::size_t i = 1; i < n; ++i)
      if (most[i] - least[i] > most[axis] - least[axis]) axis = i;
    lo = least[axis];
    hi = most[axis];
  }
  float center(const TreeNode<D>& item) const { return item.box.lo[axis] + item.box.hi[axis]; }
};

template <class D>
class Bins {
 public:
  Bins(const Spread<D>& spread, std::span<const TreeNode<D>> items)
      : spread_(spread), scale_(k_bins / (spread.hi - spread.lo)) {
    for (const TreeNode<D>& item : items) bins_[std::size_t(of(item))].add(item.box, item.count);
  }
  int of(const TreeNode<D>& item) const {
    return std::min(k_bins - 1, int((spread_.center(item) - spread_.lo) * scale_));
  }
  // The last bin of the left side.
  int best() const {
    float right_cost[k_bins];
    Bin right, left;
    for (int b = k_bins - 1; b > 0; --b) {
      right.add(bins_[b].box, bins_[b].leaves);
      right_cost[b] = right.cost();
    }
    int best = 0;
    float least = std::numeric_limits<float>::max();
    for (int b = 0; b < k_bins - 1; ++b) {
      left.add(bins_[b].box, bins_[b].leaves);
      const float cost = left.cost() + right_cost[b + 1];
      if (cost < least) least = cost, best = b;
    }
    return best;
  }

 private:
  struct Bin {
    FloatBox<D> box = nothing();
    std::uint32_t leaves = 0;
    void add(const FloatBox<D>& more, std::uint32_t count) {
      box = merged(box, more);
      leaves += count;
    }
    float cost() const { return leaves == 0 ? 0 : half_surface(box) * float(leaves); }
  };
  static FloatBox<D> nothing() {
    FloatBox<D> box;
    box.lo.fill(std::numeric_limits<float>::max());
    box.hi.fill(-std::numeric_limits<float>::max());
    return box;
  }
  const Spread<D>& spread_;
  float scale_;
  Bin bins_[k_bins];
};

// Those for which `left` holds come first. Returns how many they are.
template <class D, class Left>
std::uint32_t parted(std::span<TreeNode<D>> items, const Left& left) {
  std::size_t n = 0;
  for (TreeNode<D>& item : items) {  // always a swap, never a branch
    const TreeNode<D> moved = item;
    item = items[n];
    items[n] = moved;
    n += left(moved);
  }
  return std::uint32_t(n);
}

constexpr std::size_t k_most_tasks = 1024;  // in which a tree is built; usually some hundred at most

}  // namespace

// Orders the items of a range so that its left side comes first, and returns where the right side begins.
template <class D>
std::uint32_t BoxTree<D>::split(const Range& range) {
  const std::uint32_t n = range.size(), half = n / 2;
  if (n == 2) return range.begin + 1;
  const std::span<Node> items(items_.data() + range.begin, n);
  const Spread<D> spread(items);
  if (!(spread.hi - spread.lo > 1e-30f)) return range.begin + half;  // all in one place
  if (range.depth > k_deep) {
    const auto key = [&](const Node& item) {
      return std::tuple(spread.center(item), item.count, item.child);
    };
    std::nth_element(items.begin(), items.begin() + half, items.end(),
                     [&](const Node& a, const Node& b) { return key(a) < key(b); });
    return range.begin + half;
  }
  std::uint32_t left;
  if (n < k_few) {
    const float middle = 0.5f * (spread.lo + spread.hi);
    left = parted(items, [&](const Node& item) { return spread.center(item) < middle; });
  } else {
    const Bins<D> bins(spread, items);
    const int best = bins.best();
    left = parted(items, [&](const Node& item) { return bins.of(item) <= best; });
  }
  return range.begin + (left == 0 || left == n ? half : left);
}

// Takes the changed nodes out: what hangs below them goes to items_, their pairs to slots_.
template <class D>
void BoxTree<D>::collect(bool whole) {
  items_.clear();
  slots_.clear();
  std::uint32_t stack[256];  // heights are bytes
  int depth = 0;
  stack[depth++] = root().child;
  while (depth > 0) {
    const std::uint32_t k = stack[--depth];
    slots_.push_back(k);
    for (std::uint32_t c = 2 * k; c < 2 * k + 2; ++c) {
      const Node& node = nodes_[c];
      if (node.is_leaf() || !(whole || links_[node.child].stale))
        items_.push_back(node);
      else
        stack[depth++] = node.child;
    }
  }
}

// Builds the changed part anew, or everything: then the pairs lie in the order of a walk.
template <class D>
void BoxTree<D>::rebuild(Team& team, bool whole) {
  CAIRN_ASSERT(size() > 1);
  whole = whole || 2 * stale_ > size();
  if (!whole && !links_[root().child].stale) return;
  collect(whole);
  tasks_.reserve(k_most_tasks), top_.reserve(k_most_tasks), task_costs_.reserve(k_most_tasks);
  // From here on nothing is allocated: a tree half built would be none.
  if (whole) {
    cost_ = 0;
    free_.clear();
    links_.resize(items_.size());
    nodes_.resize(2 * items_.size());
    for (std::uint32_t i = 0; i < slots_.size(); ++i) slots_[i] = i + 1;
  } else {
    for (const std::uint32_t k : slots_) cost_ -= double(half_surface(nodes_[links_[k].parent].box));
  }
  stale_ = inserted_ = 0;

  // The top here, until there are enough subtrees for every thread; how many does not depend on the threads.
  const std::uint32_t n = std::uint32_t(items_.size());
  const std::uint32_t task_size = std::max<std::uint32_t>(512, n / 64);
  tasks_.assign(1, Range{0, n, 0, 0, 0});
  top_.clear();
  for (std::size_t t = 0; t < tasks_.size() && tasks_.size() < k_most_tasks;) {
    if (tasks_[t].size() <= task_size) {
      ++t;
      continue;
    }
    Range left, right;
    top_.push_back(tasks_[t].node);
    open(tasks_[t], left, right);
    tasks_[t] = left;
    tasks_.push_back(right);
  }
  task_costs_.assign(tasks_.size(), 0);
  team.for_blocks(tasks_.size(), 1,
                  [&](const Block& block) { task_costs_[block.index] = build(tasks_[block.index]); });
  for (const double cost : task_costs_) cost_ += cost;
  for (std::size_t t = top_.size(); t-- > 0;) {
    join(top_[t]);
    cost_ += double(half_surface(nodes_[top_[t]].box));
  }
  built_cost_ = cost_ / double(size());
  if (height() > k_most_height - 1) rebuild(team, true);
}

// Splits the range and makes the pair of its children.
template <class D>
void BoxTree<D>::open(const Range& range, Range& left, Range& right) {
  const std::uint32_t middle = split(range), k = slots_[range.slot];
  nodes_[range.node].child = k;
  links_[k] = {.parent = range.node};
  left = {range.begin, middle, range.slot + 1, 2 * k, range.depth + 1};
  right = {middle, range.end, range.slot + left.size(), 2 * k + 1, range.depth + 1};
}

// Returns the cost of the subtree.
template <class D>
double BoxTree<D>::build(const Range& range) {
  if (range.size() == 1) {
    place(range.node, items_[range.begin]);
    return 0;
  }
  Range left, right;
  open(range, left, right);
  const double cost = build(left) + build(right);
  join(range.node);
  return cost + double(half_surface(nodes_[range.node].box));
}

// The header says that the class is made elsewhere, in box_tree.cpp; these members it could not make.
template std::uint32_t BoxTree<Dim2>::split(const Range&);
template void BoxTree<Dim2>::collect(bool);
template void BoxTree<Dim2>::open(const Range&, Range&, Range&);
template double BoxTree<Dim2>::build(const Range&);
template void BoxTree<Dim2>::rebuild(Team&, bool);
template std::uint32_t BoxTree<Dim3>::split(const Range&);
template void BoxTree<Dim3>::collect(bool);
template void BoxTree<Dim3>::open(const Range&, Range&, Range&);
template double BoxTree<Dim3>::build(const Range&);
template void BoxTree<Dim3>::rebuild(Team&, bool);

}  // namespace cairn
