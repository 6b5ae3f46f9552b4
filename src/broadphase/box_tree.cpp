#include "broadphase/box_tree.h"

#include <algorithm>
#include <bit>

namespace cairn {
namespace {

// Built anew when the cost per leaf is this much more than when it was last built. Measured with 10⁵ boxes that all
// move by 5 to 10 % of their size: see docs/decisions/0005-broad-phase.md.
constexpr double k_decay = 1.2;

}  // namespace

template <class D>
std::uint32_t BoxTree<D>::take_pair() {
  if (!free_.empty()) {
    const std::uint32_t k = free_.back();
    free_.pop_back();
    return k;
  }
  const std::uint32_t k = std::uint32_t(links_.size());
  make_room(links_);
  nodes_.reserve(2 * links_.capacity());
  if (free_.capacity() < links_.capacity()) free_.reserve(links_.capacity());  // so that remove cannot fail
  links_.push_back({});
  nodes_.resize(2 * links_.size());
  return k;
}

template <class D>
void BoxTree<D>::place(std::uint32_t i, const Node& node) {
  nodes_[i] = node;
  if (node.is_leaf())
    leaf_of_[node.child] = i;
  else
    links_[node.child].parent = i;
}

template <class D>
void BoxTree<D>::join(std::uint32_t i) {
  Node& node = nodes_[i];
  const Node& left = nodes_[2 * std::size_t(node.child)];
  const Node& right = nodes_[2 * std::size_t(node.child) + 1];
  node.box = merged(left.box, right.box);
  node.count = left.count + right.count;
  const int left_height = left.is_leaf() ? 0 : links_[left.child].height;
  const int right_height = right.is_leaf() ? 0 : links_[right.child].height;
  links_[node.child].height = std::uint8_t(1 + std::max(left_height, right_height));
}

// From the node to the root, after an insertion or removal below it.
template <class D>
void BoxTree<D>::mend_path(std::uint32_t i) {
  for (;; i = links_[i / 2].parent) {
    cost_ -= double(half_surface(nodes_[i].box));
    join(i);
    cost_ += double(half_surface(nodes_[i].box));
    make_stale(nodes_[i].child);
    if (i == 0) return;
  }
}

// Greedy descent: at each node, is it cheaper to pair the box with the node or to pass it on to a child? (Omohundro
// 1989, Catto 2019.) Going down makes the node's box larger, which every node below pays for too. Among equals
// the lighter child is taken, so that equal boxes make a balanced tree.
template <class D>
std::uint32_t BoxTree<D>::best_sibling(const FloatBox<D>& box) const {
  std::uint32_t i = 0;
  while (!nodes_[i].is_leaf()) {
    const Node& node = nodes_[i];
    const double surface = double(half_surface(node.box));
    const double both = double(half_surface(merged(node.box, box)));
    const double inherited = both - surface;
    double costs[2];
    for (std::uint32_t side = 0; side < 2; ++side) {
      const Node& child = nodes_[2 * std::size_t(node.child) + side];
      const double with = double(half_surface(merged(child.box, box)));
      costs[side] = inherited + (child.is_leaf() ? with : with - double(half_surface(child.box)));
    }
    if (both < costs[0] && both < costs[1]) break;
    const bool lighter =
        nodes_[2 * std::size_t(node.child) + 1].count < nodes_[2 * std::size_t(node.child)].count;
    i = 2 * node.child + (costs[1] < costs[0] || (costs[1] == costs[0] && lighter));
  }
  return i;
}

template <class D>
void BoxTree<D>::insert(std::uint32_t proxy, const FloatBox<D>& box) {
  if (proxy >= leaf_of_.size())
    leaf_of_.resize(std::max(std::size_t(proxy) + 1, leaf_of_.size() + leaf_of_.size() / 2));
  const Node leaf{box, proxy, 1};
  if (size() == 0) return place(0, leaf);
  const std::uint32_t sibling = best_sibling(box);
  const std::uint32_t k = take_pair();
  links_[k] = {.parent = sibling};
  const Node old = nodes_[sibling];
  place(2 * k, old);
  place(2 * k + 1, leaf);
  nodes_[sibling] = {old.box, k, 2};
  ++inserted_;
  cost_ += double(half_surface(old.box));  // mend_path takes it off again
  mend_path(sibling);
  // Boxes that come sorted along a line make a chain of a tree. Building the chain anew is cheap, since little
  // else has changed.
  if (height() > 12 + 2 * int(std::bit_width(size()))) {
    Team alone(1);
    rebuild(alone, false);
  }
}

template <class D>
void BoxTree<D>::remove(std::uint32_t proxy) {
  const std::uint32_t leaf = leaf_of_[proxy];
  CAIRN_ASSERT(nodes_[leaf].is_leaf() && nodes_[leaf].child == proxy);
  if (leaf == 0) {
    nodes_[0] = {};
    return;
  }
  const std::uint32_t k = leaf / 2, parent = links_[k].parent;
  CAIRN_ASSERT(!links_[k].dirty);
  cost_ -= double(half_surface(nodes_[parent].box));
  place(parent, nodes_[leaf ^ 1]);
  stale_ -= links_[k].stale;
  links_[k] = {};
  free_.push_back(k);
  if (parent != 0) mend_path(links_[parent / 2].parent);
}

// Makes the boxes of the nodes above changed leaves anew, from below.
template <class D>
void BoxTree<D>::refit(std::uint32_t i) {
  const std::uint32_t k = nodes_[i].child;
  for (std::uint32_t c = 2 * k; c < 2 * k + 2; ++c)
    if (!nodes_[c].is_leaf() && links_[nodes_[c].child].dirty) refit(c);
  cost_ -= double(half_surface(nodes_[i].box));
  join(i);
  cost_ += double(half_surface(nodes_[i].box));
  links_[k].dirty = false;
}

template <class D>
void BoxTree<D>::mend(Team& team) {
  if (size() < 2) return;
  if (links_[root().child].dirty) refit(0);
  if (8 * inserted_ > size() || !(cost_ <= k_decay * built_cost_ * double(size()))) rebuild(team, false);
}

template <class D>
bool BoxTree<D>::validate() const {
  std::size_t pairs = 0, leaves = 0, stale = 0;
  double cost = 0;
  if (size() == 0) return true;
  std::vector<std::uint32_t> stack{0};
  while (!stack.empty()) {
    const std::uint32_t i = stack.back();
    stack.pop_back();
    const Node& node = nodes_[i];
    if (node.is_leaf()) {
      ++leaves;
      if (leaf_of_[node.child] != i) return false;
      continue;
    }
    ++pairs;
    const Link& link = links_[node.child];
    const Node &left = nodes_[2 * std::size_t(node.child)], &right = nodes_[2 * std::size_t(node.child) + 1];
    const int left_height = left.is_leaf() ? 0 : links_[left.child].height;
    const int right_height = right.is_leaf() ? 0 : links_[right.child].height;
    if (link.parent != i || link.dirty || node.count != left.count + right.count) return false;
    if (!(node.box == merged(left.box, right.box))) return false;
    if (link.height != 1 + std::max(left_height, right_height) || link.height > k_most_height) return false;
    if (i != 0 && link.stale && !links_[i / 2].stale) return false;
    cost += double(half_surface(node.box));
    stale += link.stale;
    stack.push_back(2 * node.child);
    stack.push_back(2 * node.child + 1);
  }
  return leaves == size() && pairs == leaves - 1 && pairs + free_.size() + 1 == links_.size() &&
         stale == stale_ && absolute(cost - cost_) <= 1e-6 * (cost + 1e-30);
}

template class BoxTree<Dim2>;
template class BoxTree<Dim3>;

}  // namespace cairn
