// A binary tree of boxes that stays good while they move.
//
// Two children share a cache line, so that a search that opens a node reads one line and knows both:
//
//     pair k:  | node 2k: box, child, count | node 2k+1: box, child, count |   64 bytes in 3D
//
// The child of a leaf is its proxy, that of any other node the pair of its children; the count is the number of leaves
// below. The root is node 0, and node 1 is never used.
//
// Boxes that move are written into their leaves; `mend` then makes the boxes above them right again from below
// (refit). That keeps the tree correct, not good. Its cost, the sum of the surfaces of all inner nodes (Goldsmith and
// Salmon 1987), shows how far it has decayed; when that passes a bound, the nodes that have changed since they were
// built are taken out and built anew, and the untouched subtrees between them are kept as they are:
//
//          o                    o                o  changed since it was built: taken out
//        o   A      ──►       o   o              A, B, C  untouched subtrees: items of the new part,
//      o   B                 A b C B             weighted by their leaves
//     b  C                                       b  a leaf that moved
//
// With every box on the move that is a whole build; with one, a dozen nodes on its way to the root.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/array.h"
#include "base/assert.h"
#include "base/copies.h"
#include "base/team.h"
#include "broadphase/float_box.h"

namespace cairn {

template <class D>
struct TreeNode {
  FloatBox<D> box;
  std::uint32_t child = 0;  // the proxy of a leaf; else the pair of the children
  std::uint32_t count = 0;  // leaves below, 1 for a leaf
  bool is_leaf() const { return count == 1; }
};
static_assert(sizeof(TreeNode<Dim3>) == 32 && sizeof(TreeNode<Dim2>) == 24);

template <class D>
class BoxTree {
 public:
  using Node = TreeNode<D>;
  static constexpr int k_most_height = 100;  // of the root: more is built anew

  std::size_t size() const { return root().count; }
  int height() const { return root().count < 2 ? 0 : links_[root().child].height; }
  double cost() const { return cost_; }
  const Node& root() const { return nodes_[0]; }
  const Node& node(std::uint32_t i) const { return nodes_[i]; }

  void insert(std::uint32_t proxy, const FloatBox<D>& box);
  void remove(std::uint32_t proxy);
  // The tree is right again after `mend`.
  void set_box(std::uint32_t proxy, const FloatBox<D>& box) {
    const std::uint32_t leaf = leaf_of_[proxy];
    nodes_[leaf].box = box;
    for (std::uint32_t k = leaf / 2; k != 0 && !links_[k].dirty; k = links_[k].parent / 2)
      links_[k].dirty = true, make_stale(k);
  }
  void mend(Team& team);

  // visit(proxy) -> bool (go on?) for the leaves that overlap `box`. False if a visit ended it.
  template <class Visit>
  bool query(const FloatBox<D>& box, Visit&& visit) const;
  // The same for many boxes: visit(index of the box, proxy). Each node is read once, for all that reach it, and tested
  // without a branch: about half the time of one box after the other (900 boxes that meet 11 leaves each, among 2000).
  template <class Visit>
  void query_all(std::span<const FloatBox<D>> boxes, std::vector<std::uint32_t>& asking, Visit&& visit) const;
  // As BroadPhaseMethod's cast, nearer boxes first where that is cheap to know; `most` is the fraction so far.
  template <class Visit>
  void cast(const BoxRay<D>& ray, double& most, Visit&& visit) const;

  bool validate() const;

 private:
  struct Link {                // of a pair
    std::uint32_t parent = 0;  // the node that these are the children of
    std::uint8_t height = 0;   // of that node above its deepest leaf
    bool dirty = false;        // is its box to be made anew?
    bool stale = false;        // has something below changed since it was built?
  };
  struct Range {  // items [begin, end) that become the subtree of `node`
    std::uint32_t begin, end;
    std::uint32_t
        slot;  // it takes slots_[slot, slot + end − begin − 1): parents first, then left, then right
    std::uint32_t node, depth;
    std::uint32_t size() const { return end - begin; }
  };

  // Of those at [begin, end) of `asking`, all that overlap node i go on to what is below it. They are listed from `end` on.
  template <class Visit>
  void ask(std::uint32_t i, std::span<const FloatBox<D>> boxes, std::vector<std::uint32_t>& asking,
           std::size_t begin, std::size_t end, const Visit& visit) const;
  void make_stale(std::uint32_t k) {
    stale_ += !links_[k].stale;
    links_[k].stale = true;
  }
  std::uint32_t take_pair();
  void place(std::uint32_t i, const Node& node);  // and tells its children, or the leaf's proxy
  void join(std::uint32_t i);                     // box, count and height of a node from its children
  void refit(std::uint32_t i);
  void mend_path(std::uint32_t i);
  std::uint32_t best_sibling(const FloatBox<D>& box) const;
  void rebuild(Team& team, bool whole);
  void collect(bool whole);
  std::uint32_t split(const Range& range);
  void open(const Range& range, Range& left, Range& right);
  double build(const Range& range);

  Array<Node> nodes_ = Array<Node>(2);
  std::vector<Link> links_ = std::vector<Link>(1);
  Roomy<std::vector<std::uint32_t>> free_;  // pairs
  std::vector<std::uint32_t> leaf_of_;      // the node of a proxy
  double cost_ = 0;                         // the sum of the half surfaces of all inner nodes
  double built_cost_ = 0;                   // per leaf, when last built
  std::size_t stale_ = 0;                   // pairs
  std::size_t inserted_ = 0;                // since last built

  // Used by `rebuild` only.
  Uncopied<Array<Node>> items_;
  Uncopied<std::vector<std::uint32_t>> slots_;  // pairs to build of
  Uncopied<std::vector<Range>> tasks_;
  Uncopied<std::vector<double>> task_costs_;
  Uncopied<std::vector<std::uint32_t>> top_;  // inner nodes above the tasks, parents first
};

template <class D>
template <class Visit>
bool BoxTree<D>::query(const FloatBox<D>& box, Visit&& visit) const {
  if (root().count < 2) return root().count == 0 || !overlap(root().box, box) || visit(root().child);
  std::uint32_t stack[k_most_height + 2];
  int depth = 0;
  stack[depth++] = root().child;
  while (depth > 0) {
    const Node* const pair = &nodes_[2 * std::size_t(stack[--depth])];
    for (int side = 0; side < 2; ++side) {
      const Node& node = pair[side];
      if (!overlap(node.box, box)) continue;
      if (!node.is_leaf())
        stack[depth++] = node.child;
      else if (!visit(node.child))
        return false;
    }
  }
  return true;
}

template <class D>
template <class Visit>
void BoxTree<D>::query_all(std::span<const FloatBox<D>> boxes, std::vector<std::uint32_t>& asking,
                           Visit&& visit) const {
  if (root().count == 0) return;
  asking.resize(std::max(asking.size(), boxes.size()));
  for (std::uint32_t i = 0; i < boxes.size(); ++i) asking[i] = i;
  ask(0, boxes, asking, 0, boxes.size(), visit);
}

template <class D>
template <class Visit>
void BoxTree<D>::ask(std::uint32_t i, std::span<const FloatBox<D>> boxes, std::vector<std::uint32_t>& asking,
                     std::size_t begin, std::size_t end, const Visit& visit) const {
  const Node& node = nodes_[i];
  if (asking.size() < end + (end - begin)) asking.resize(2 * end);
  std::size_t last = end;
  for (std::size_t k = begin; k < end; ++k) {
    const std::uint32_t box = asking[k];
    asking[last] = box;
    last += overlap(node.box, boxes[box]);
  }
  if (node.is_leaf()) {
    for (std::size_t k = end; k < last; ++k) visit(asking[k], node.child);
  } else if (last > end) {
    ask(2 * node.child, boxes, asking, end, last, visit);
    ask(2 * node.child + 1, boxes, asking, end, last, visit);
  }
}

template <class D>
template <class Visit>
void BoxTree<D>::cast(const BoxRay<D>& ray, double& most, Visit&& visit) const {
  struct Entry {
    std::uint32_t node;
    double fraction;
  };
  Entry stack[2 * k_most_height + 2];
  int depth = 0;
  const auto push = [&](std::uint32_t i) {
    const double fraction = ray.enters(nodes_[i].box, most);
    if (fraction <= most) stack[depth++] = {i, fraction};
  };
  if (root().count > 0) push(0);
  while (depth > 0 && most > 0) {
    const Entry entry = stack[--depth];
    if (entry.fraction > most) continue;
    const Node& node = nodes_[entry.node];
    if (node.is_leaf()) {
      most = visit(node.child, entry.fraction);
      continue;
    }
    const int before = depth;
    push(2 * node.child);
    push(2 * node.child + 1);
    if (depth == before + 2 && stack[before].fraction < stack[before + 1].fraction)
      std::swap(stack[before], stack[before + 1]);
  }
}

extern template class BoxTree<Dim2>;
extern template class BoxTree<Dim3>;

}  // namespace cairn
