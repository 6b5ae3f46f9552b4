// The broad phase of bounding-volume trees: one for what is mobile and one for what is not.
//
//   update:      box still inside the stored one? ──yes──► nothing
//                      │ no
//                      ▼
//                store it larger (a margin, and some way ahead) ──► its leaf ──► mend the tree
//   find_pairs:  few stored anew: each asks both trees; many: the tree meets itself, node against node
//
// Stored boxes of mobile proxies are larger than the boxes given, by
//
//   margin  k_margin × smallest extent + k_long × mean extent, on each side
//   ahead   k_ahead × the way it went in an update since its box was stored last, on the sides that it moves to; none
//           if that is more than k_reach × mean extent, for what leaps leaves its box anyway
//
// so that a body that trembles needs no update and one that flies needs one every few steps. Larger boxes also meet
// more: the figures behind the numbers are in docs/decisions/0005-broad-phase.md.
#pragma once

#include "broadphase/box_tree.h"
#include "broadphase/proxy_table.h"

namespace cairn {

template <class D>
class Tree {
 public:
  void insert(std::uint32_t proxy, const Bounds<D>& box, bool mobile);
  void remove(std::uint32_t proxy);
  void set_mobile(std::uint32_t proxy, bool mobile);
  void update(Team& team, std::span<const std::uint32_t> proxies, std::span<const Bounds<D>> boxes);
  void find_pairs(Team& team, std::vector<ProxyPair>& out);
  bool overlaps(std::uint32_t a, std::uint32_t b) const { return overlap(table_.box(a), table_.box(b)); }
  std::size_t size() const { return table_.size(); }
  bool validate() const;
  const BoxTree<D>& boxes(bool mobile) const { return trees_[mobile]; }
  const FloatBox<D>& stored(std::uint32_t proxy) const { return table_.box(proxy); }

  template <class Visit>
  void query(const Bounds<D>& box, Visit&& visit) const {
    const FloatBox<D> question = rounded_inwards(box);
    for (const std::uint32_t p : table_.unbounded())
      if (overlap(table_.box(p), question) && !visit(p)) return;
    if (trees_[1].query(question, visit)) trees_[0].query(question, visit);
  }
  template <class Visit>
  void query_all(std::span<const Bounds<D>> boxes, QueryRoom<D>& room, Visit&& visit) const {
    room.boxes.clear();
    for (const Bounds<D>& box : boxes) room.boxes.push_back(rounded_inwards(box));
    for (const std::uint32_t p : table_.unbounded())
      for (std::uint32_t i = 0; i < boxes.size(); ++i)
        if (overlap(table_.box(p), room.boxes[i])) visit(i, p);
    for (const BoxTree<D>& tree : trees_) tree.query_all(room.boxes, room.asking, visit);
  }
  template <class Visit>
  void cast(const Ray<D>& ray, const typename D::Vec& half, Visit&& visit) const {
    const BoxRay<D> prepared(ray, half);
    double most = 1;
    for (const std::uint32_t p : table_.unbounded()) {
      const double fraction = prepared.enters(table_.box(p), most);
      if (fraction <= most) most = visit(p, fraction);
      if (!(most > 0)) return;
    }
    trees_[1].cast(prepared, most, visit);
    trees_[0].cast(prepared, most, visit);
  }

 private:
  struct Motion {                           // when a box was stored
    std::array<float, D::k_linear> center;  // [m] of the box given
    std::uint32_t update;                   // the number of that update
  };
  struct
      Meeting {  // node a of the mobile tree with node b of one of the trees; with itself if it is the same
    std::uint32_t a, b;
    bool with_mobile;
  };

  FloatBox<D> enlarged(std::uint32_t proxy, const Bounds<D>& box, bool mobile) const;
  void note_motion(std::uint32_t proxy, const Bounds<D>& box);
  void search_each(Team& team);
  void search_trees(Team& team);
  void meet(const Meeting& meeting, PairList::Writer& found) const;
  template <class Next>
  void open(const Meeting& meeting, PairList::Writer& found, const Next& next) const;

  ProxyTable<D> table_;
  BoxTree<D> trees_[2];  // not mobile, mobile
  Array<Motion> motion_;
  std::uint32_t updates_ = 0;
  Uncopied<PairList> pairs_;
  Uncopied<std::vector<Meeting>> meetings_;  // in find_pairs
};

extern template class Tree<Dim2>;
extern template class Tree<Dim3>;
static_assert(BroadPhaseMethod<Tree<Dim2>, Dim2> && BroadPhaseMethod<Tree<Dim3>, Dim3>);

}  // namespace cairn
