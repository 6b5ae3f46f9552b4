// A static tree of boxes over things that stand in a row, neighbours near each other: the faces of a chain.
//
// Four in a row make a node, four nodes in a row a node of the next level, up to a single root. Nothing is sorted:
// the row itself is the order, so building is linear and queries find items in ascending order.
#pragma once

#include <cairn/shape.h>

#include <span>
#include <vector>

namespace cairn {

class RunTree2 {
 public:
  RunTree2() = default;
  explicit RunTree2(std::span<const Bounds2> boxes);

  // visit(item) for every item whose box overlaps `box`, in ascending order.
  template <class Visit>
  void query(const Bounds2& box, Visit visit) const {
    query_if([&](const Bounds2& node) { return overlap(node, box); }, visit);
  }
  // The same for the boxes of which `wanted(box)` is true; it must hold for a box if it holds for one inside it.
  template <class Wanted, class Visit>
  void query_if(Wanted wanted, Visit visit) const {
    if (!starts_.empty()) query_node(starts_.size() - 1, 0, wanted, visit);
  }

 private:
  static constexpr std::size_t k_fan = 4;

  static bool overlap(const Bounds2& p, const Bounds2& q) {
    return p.lo.x <= q.hi.x && q.lo.x <= p.hi.x && p.lo.y <= q.hi.y && q.lo.y <= p.hi.y;
  }
  std::size_t level_end(std::size_t level) const {
    return level + 1 < starts_.size() ? starts_[level + 1] : boxes_.size();
  }

  template <class Wanted, class Visit>
  void query_node(std::size_t level, std::size_t index, const Wanted& wanted, Visit& visit) const {
    if (!wanted(boxes_[starts_[level] + index])) return;
    if (level == 0) {
      visit(index);
      return;
    }
    const std::size_t below = level_end(level - 1) - starts_[level - 1];
    for (std::size_t child = k_fan * index; child < k_fan * (index + 1) && child < below; ++child)
      query_node(level - 1, child, wanted, visit);
  }

  std::vector<Bounds2> boxes_;       // level after level: first the items', last the root's
  std::vector<std::size_t> starts_;  // of the levels in boxes_
};

}  // namespace cairn
