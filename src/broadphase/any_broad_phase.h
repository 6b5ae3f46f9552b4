// The broad phase of a world: whichever method was asked for, behind one interface (see BroadPhaseMethod).
//
// The choice is made once per call, not once per box or visit.
#pragma once

#include <utility>
#include <variant>

#include "broadphase/brute_force.h"
#include "broadphase/sweep_and_prune.h"
#include "broadphase/tree.h"

namespace cairn {

template <class D>
class AnyBroadPhase {
 public:
  explicit AnyBroadPhase(BroadPhase method = BroadPhase::tree) {
    if (method == BroadPhase::sweep_and_prune) method_.template emplace<SweepAndPrune<D>>();
    if (method == BroadPhase::brute_force) method_.template emplace<BruteForce<D>>();
  }

  void insert(std::uint32_t proxy, const Bounds<D>& box, bool mobile) {
    std::visit([&](auto& m) { m.insert(proxy, box, mobile); }, method_);
  }
  void remove(std::uint32_t proxy) {
    std::visit([&](auto& m) { m.remove(proxy); }, method_);
  }
  void set_mobile(std::uint32_t proxy, bool mobile) {
    std::visit([&](auto& m) { m.set_mobile(proxy, mobile); }, method_);
  }
  void update(Team& team, std::span<const std::uint32_t> proxies, std::span<const Bounds<D>> boxes) {
    std::visit([&](auto& m) { m.update(team, proxies, boxes); }, method_);
  }
  void find_pairs(Team& team, std::vector<ProxyPair>& out) {
    std::visit([&](auto& m) { m.find_pairs(team, out); }, method_);
  }
  bool overlaps(std::uint32_t a, std::uint32_t b) const {
    return std::visit([&](const auto& m) { return m.overlaps(a, b); }, method_);
  }
  template <class Visit>
  void query(const Bounds<D>& box, Visit&& visit) const {
    std::visit([&](const auto& m) { m.query(box, visit); }, method_);
  }
  template <class Visit>
  void query_all(std::span<const Bounds<D>> boxes, QueryRoom<D>& room, Visit&& visit) const {
    std::visit([&](const auto& m) { m.query_all(boxes, room, visit); }, method_);
  }
  template <class Visit>
  void cast(const Ray<D>& ray, const typename D::Vec& half, Visit&& visit) const {
    std::visit([&](const auto& m) { m.cast(ray, half, visit); }, method_);
  }
  std::size_t size() const {
    return std::visit([](const auto& m) { return m.size(); }, method_);
  }
  const FloatBox<D>& stored(std::uint32_t proxy) const {
    return std::visit([&](const auto& m) -> const FloatBox<D>& { return m.stored(proxy); }, method_);
  }
  bool validate() const {
    return std::visit([](const auto& m) { return m.validate(); }, method_);
  }

 private:
  std::variant<Tree<D>, SweepAndPrune<D>, BruteForce<D>> method_;
};

static_assert(BroadPhaseMethod<AnyBroadPhase<Dim2>, Dim2> && BroadPhaseMethod<AnyBroadPhase<Dim3>, Dim3>);

}  // namespace cairn
