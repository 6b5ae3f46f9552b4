// A tree of boxes over things that do not move: the triangles of a mesh.
//
// Built once from the boxes of the items: split at the median of the box centres along the longest side of
// their spread, halves equal to one item. So the depth is log2(n), whatever the input, and nothing is left to
// chance: equal centres are split by item number. A split by surface area (Goldsmith & Salmon 1987) makes
// rays somewhat cheaper on uneven meshes but has no such bound.
//
//   nodes, in depth-first order         items: each node owns a run of them
//   ┌───┬───┬───┬───┬───┐
//   │ 0 │ 1 │ 2 │ 3 │ 4 │  …            the first child of node k is k + 1, the second is nodes[k].second
//   └───┴───┴───┴───┴───┘
//
// Boxes are floats relative to the middle of all, rounded outwards: never smaller than what they hold.
#pragma once

#include <cairn/shape.h>

#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

class StaticTree {
 public:
  struct Node {
    float lo[3], hi[3];    // [m] relative to the origin
    std::uint32_t second;  // the second child, or the first item of a leaf
    std::uint32_t count;   // items of a leaf; 0 for an inner node
  };
  static_assert(sizeof(Node) == 32);
  static constexpr std::uint32_t k_leaf_items = 4;
  static constexpr int k_deepest = 32;  // 2^32 items make no more levels

  StaticTree() = default;
  explicit StaticTree(std::span<const Bounds3> boxes);

  const Vec3& origin() const { return origin_; }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const std::uint32_t> items() const { return items_; }

  // visit(item) for every item in a leaf whose box overlaps `box`, in the tree's order: more than those whose own
  // boxes do.
  template <class Visit>
  void query(const Bounds3& box, Visit visit) const;

 private:
  Vec3 origin_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> items_;
};

// The float at or below x, and at or above x.
float rounded_down(double x);
float rounded_up(double x);

template <class Visit>
void StaticTree::query(const Bounds3& box, Visit visit) const {
  if (nodes_.empty()) return;
  const Vec3 lo = box.lo - origin_, hi = box.hi - origin_;
  const float l[3] = {rounded_down(lo.x), rounded_down(lo.y), rounded_down(lo.z)};
  const float h[3] = {rounded_up(hi.x), rounded_up(hi.y), rounded_up(hi.z)};
  std::uint32_t stack[k_deepest];
  int size = 0;
  for (std::uint32_t k = 0;;) {
    const Node& node = nodes_[k];
    const bool meets = node.lo[0] <= h[0] && node.lo[1] <= h[1] && node.lo[2] <= h[2] && node.hi[0] >= l[0] &&
                       node.hi[1] >= l[1] && node.hi[2] >= l[2];
    if (meets && node.count == 0) {
      stack[size++] = node.second;
      ++k;
      continue;
    }
    if (meets)
      for (std::uint32_t i = 0; i < node.count; ++i) visit(items_[node.second + i]);
    if (size == 0) return;
    k = stack[--size];
  }
}

}  // namespace cairn
