// Sweep and prune: boxes sorted by where they begin along an axis; only those whose intervals overlap there can meet
// (Lund §3.2 and §4.4, after Baraff 1992; DigiPen's "sweep and sort" is the same with one axis).
//
//   along the axis   |--a--|            the sweep at a meets b, whose interval begins before a's ends, and not c
//                        |---b---|
//                                 |-c-|
//
// From one step to the next the order hardly changes, and insertion sort mends it in time proportional to the disorder.
// Lund §5.3 reports the dip: when many bodies move at once the lists are in disarray, and insertion sort becomes
// quadratic. So the moves are counted, and beyond a bound the list is sorted afresh, by radix sort, in linear time.
// The sweep itself does not depend on how much has moved.
//
// One axis is sorted, the one along which the boxes are spread most. Keeping all of them sorted, as Baraff does, needs
// no sweep, but each swap costs, and a body that moves by a tenth of its size among 10⁵ swaps places with hundreds of
// others, on each axis. Instead the sweep is cut into strips along a second axis, as wide as a few boxes (after the
// segmented lists of Tracy, Buss and Woods 2009, whom Lund names):
//
//   second axis   strip 2 |  [b]   [c]     a box is listed in every strip that it touches; a pair is reported in the
//                 strip 1 | [a][b]         later of the two strips in which its boxes begin
#pragma once

#include "broadphase/proxy_table.h"

namespace cairn {

template <class D>
class SweepAndPrune {
 public:
  void insert(std::uint32_t proxy, const Bounds<D>& box, bool mobile);
  void remove(std::uint32_t proxy);
  void set_mobile(std::uint32_t proxy, bool mobile) { table_.set_mobile(proxy, mobile); }
  void update(Team& team, std::span<const std::uint32_t> proxies, std::span<const Bounds<D>> boxes);
  void find_pairs(Team& team, std::vector<ProxyPair>& out);
  bool overlaps(std::uint32_t a, std::uint32_t b) const { return overlap(table_.box(a), table_.box(b)); }
  std::size_t size() const { return table_.size(); }
  bool validate() const;
  const FloatBox<D>& stored(std::uint32_t proxy) const { return table_.box(proxy); }
  std::size_t fresh_sorts() const { return fresh_sorts_; }
  std::size_t axis() const { return axis_; }

  template <class Visit>
  void query(const Bounds<D>& box, Visit&& visit) const {
    const FloatBox<D> question = rounded_inwards(box);
    for (const std::uint32_t p : table_.unbounded())
      if (overlap(table_.box(p), question) && !visit(p)) return;
    for_each_between(question.lo[axis_], question.hi[axis_],
                     [&](std::uint32_t p) { return !overlap(table_.box(p), question) || visit(p); });
  }
  template <class Visit>
  void query_all(std::span<const Bounds<D>> boxes, QueryRoom<D>&, Visit&& visit) const {
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
      query(boxes[i], [&](std::uint32_t p) { return visit(i, p), true; });
  }
  template <class Visit>
  void cast(const Ray<D>& ray, const typename D::Vec& half, Visit&& visit) const {
    const BoxRay<D> prepared(ray, half);
    double most = 1;
    const auto consider = [&](std::uint32_t p) {
      const double fraction = prepared.enters(table_.box(p), most);
      if (fraction <= most) most = visit(p, fraction);
      return most > 0;
    };
    for (const std::uint32_t p : table_.unbounded())
      if (!consider(p)) return;
    const typename D::Vec end = ray.origin + ray.translation;
    const FloatBox<D> reach =
        rounded_outwards(Bounds<D>{smaller(ray.origin, end) - half, larger(ray.origin, end) + half});
    for_each_between(reach.lo[axis_], reach.hi[axis_], consider);
  }

 private:
  struct Start {  // of an interval
    float at;     // [m] along the axis
    std::uint32_t proxy;
  };
  struct Entry {  // of a strip
    FloatBox<D> box;
    std::uint32_t proxy;
    std::uint32_t first_strip : 30, mobile : 1, changed : 1;
  };

  // visit(proxy) -> bool (go on?) for those whose intervals may overlap [lo, hi] along the axis.
  template <class Visit>
  void for_each_between(float lo, float hi, const Visit& visit) const;
  bool is_live(std::size_t i) const { return position_[starts_[i].proxy] == i; }

  void sort();
  bool sort_by_insertion();
  void sort_afresh();
  void choose_axis();
  void make_strips();
  void sweep(Team& team);
  void sweep_from(std::size_t i, std::size_t end, std::uint32_t strip, PairList::Writer& found) const;
  void search_each(Team& team);

  ProxyTable<D> table_;
  std::vector<Start> starts_;  // the first sorted_ are in order; with gaps where proxies were removed
  std::vector<std::uint32_t> position_;  // of a proxy in starts_; k_nowhere if it is not there
  static constexpr std::uint32_t k_nowhere = ~0u;
  std::size_t sorted_ = 0;
  std::size_t axis_ = 0, second_axis_ = 1;
  float widest_ = 0;  // [m] along the axis, of all boxes, or more
  bool in_order_ = true;
  std::size_t fresh_sorts_ = 0;

  // In find_pairs.
  Uncopied<std::vector<Start>> scratch_;
  Uncopied<Array<Entry>> entries_;
  Uncopied<std::vector<std::uint32_t>> strip_ends_, first_, last_;
  Uncopied<PairList> pairs_;
};

template <class D>
template <class Visit>
void SweepAndPrune<D>::for_each_between(float lo, float hi, const Visit& visit) const {
  // The sum is rounded; one float further down nothing can be missed.
  const float from = rounded_down(double(lo) - double(widest_));
  std::size_t begin = 0;
  for (std::size_t step = std::bit_floor(sorted_); step > 0; step /= 2)
    if (begin + step <= sorted_ && starts_[begin + step - 1].at < from) begin += step;
  for (std::size_t i = begin; i < sorted_ && starts_[i].at <= hi; ++i)
    if (is_live(i) && !visit(starts_[i].proxy)) return;
  for (std::size_t i = sorted_; i < starts_.size(); ++i)
    if (is_live(i) && !visit(starts_[i].proxy)) return;
}

extern template class SweepAndPrune<Dim2>;
extern template class SweepAndPrune<Dim3>;
static_assert(BroadPhaseMethod<SweepAndPrune<Dim2>, Dim2> && BroadPhaseMethod<SweepAndPrune<Dim3>, Dim3>);

}  // namespace cairn
