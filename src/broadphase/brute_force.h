// Every box against every other: no structure, hence nothing that could be wrong. The reference for the other
// methods, and the fastest for a handful of bodies. Boxes are stored as they are, rounded outwards.
#pragma once

#include "broadphase/proxy_table.h"

namespace cairn {

template <class D>
class BruteForce {
 public:
  void insert(std::uint32_t proxy, const Bounds<D>& box, bool mobile);
  void remove(std::uint32_t proxy) { table_.remove(proxy); }
  void set_mobile(std::uint32_t proxy, bool mobile) { table_.set_mobile(proxy, mobile); }
  void update(Team& team, std::span<const std::uint32_t> proxies, std::span<const Bounds<D>> boxes);
  void find_pairs(Team& team, std::vector<ProxyPair>& out);
  bool overlaps(std::uint32_t a, std::uint32_t b) const { return overlap(table_.box(a), table_.box(b)); }
  std::size_t size() const { return table_.size(); }
  bool validate() const { return true; }
  const FloatBox<D>& stored(std::uint32_t proxy) const { return table_.box(proxy); }

  template <class Visit>
  void query(const Bounds<D>& box, Visit&& visit) const {
    const FloatBox<D> question = rounded_inwards(box);
    for (std::uint32_t p = 0; p < table_.numbers(); ++p)
      if (table_.present(p) && overlap(table_.box(p), question) && !visit(p)) return;
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
    for (std::uint32_t p = 0; p < table_.numbers() && most > 0; ++p) {
      if (!table_.present(p)) continue;
      const double fraction = prepared.enters(table_.box(p), most);
      if (fraction <= most) most = visit(p, fraction);
    }
  }

 private:
  ProxyTable<D> table_;
  Uncopied<std::vector<std::uint32_t>> present_;  // during find_pairs
  Uncopied<PairList> pairs_;
};

extern template class BruteForce<Dim2>;
extern template class BruteForce<Dim3>;
static_assert(BroadPhaseMethod<BruteForce<Dim2>, Dim2> && BroadPhaseMethod<BruteForce<Dim3>, Dim3>);

}  // namespace cairn
