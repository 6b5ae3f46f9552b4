// The broad phase: which boxes overlap.
//
//   proxies ──► set boxes ──► stored boxes (as large or larger) ──► new pairs ──► the world's contacts
//
// A proxy is a number that the caller chooses: small and dense, for it indexes arrays. Its box is stored as it
// is or made larger, so that a proxy that moves a little needs no update. One contract, three methods:
//
//   Tree            bounding-volume trees, one for what moves and one for what does not; the default
//   SweepAndPrune   intervals kept sorted along an axis (Lund §3.2, Baraff 1992)
//   BruteForce      every box against every other: the reference
#pragma once

#include <cairn/broad_phase.h>
#include <cairn/shape.h>

#include <compare>
#include <concepts>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "base/team.h"
#include "broadphase/float_box.h"

namespace cairn {

struct ProxyPair {
  std::uint32_t a = 0, b = 0;  // a < b
  friend constexpr auto operator<=>(const ProxyPair&, const ProxyPair&) = default;
};

// What every method of the broad phase can do. `M` holds proxies with boxes; boxes may be infinite on any side.
//
//   insert(proxy, box, mobile)  a proxy that is not there yet; pairs of two that are not mobile are never reported
//   remove(proxy)
//   set_mobile(proxy, mobile)   counts as storing its box anew
//   update(team, proxies, boxes)  new boxes for some proxies, each at most once, boxes[i] for proxies[i]
//   find_pairs(team, out)       the pairs of stored boxes that overlap, at least one of them mobile, of which at
//                               least one was stored since the last call: sorted, each once. The same for any team.
//   overlaps(a, b)              do the stored boxes overlap?
//   query(box, visit)           visit(proxy) -> bool (go on?) for every stored box that overlaps `box`
//   query_all(boxes, room, visit)  the same for many boxes at once: visit(index of the box, proxy)
//   cast(ray, half, visit)      visit(proxy, fraction) -> double (the new largest fraction; 0 stops) for the stored
//                               boxes, made larger by `half` on each side, that the ray meets within the fraction
//                               so far; `fraction` is where the ray meets the box
//   size()                      how many proxies
//   validate()                  is what it holds consistent? Slow: for tests
//
// Boxes that touch overlap. The order of visits is the same in every run, and differs between methods. Questions
// may be asked from several threads at once while nobody changes anything.
struct VisitAnything {  // stands for the callables of query and cast in the concept
  bool operator()(std::uint32_t) const { return true; }
  void operator()(std::uint32_t, std::uint32_t) const {}
  double operator()(std::uint32_t, double) const { return 1; }
};
// Room for query_all, which is kept from question to question.
template <class D>
struct QueryRoom {
  std::vector<FloatBox<D>> boxes;
  std::vector<std::uint32_t> asking;
};
template <class M, class D>
concept BroadPhaseMethod = requires(M m, const M c, Team& team, std::uint32_t proxy, const Bounds<D>& box,
                                    bool mobile, const Ray<D>& ray, const typename D::Vec& half,
                                    std::span<const std::uint32_t> proxies, std::span<const Bounds<D>> boxes,
                                    std::vector<ProxyPair>& out, QueryRoom<D>& room, VisitAnything visit) {
  m.insert(proxy, box, mobile);
  m.remove(proxy);
  m.set_mobile(proxy, mobile);
  m.update(team, proxies, boxes);
  m.find_pairs(team, out);
  c.query(box, visit);
  c.query_all(boxes, room, visit);
  c.cast(ray, half, visit);
  { c.overlaps(proxy, proxy) } -> std::same_as<bool>;
  { c.size() } -> std::same_as<std::size_t>;
  { c.validate() } -> std::same_as<bool>;
};

}  // namespace cairn
