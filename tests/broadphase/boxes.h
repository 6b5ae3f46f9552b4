// Random boxes and a slow, independent broad phase, for the tests of this folder.
#pragma once

#include <cairn/shape.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "broadphase/any_broad_phase.h"

namespace cairn::boxes {

inline constexpr double k_inf = std::numeric_limits<double>::infinity();

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double lo, double hi) { return lo + (hi - lo) * double(engine_() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t n) { return std::size_t(engine_() % n); }
  bool chance(double p) { return uniform(0, 1) < p; }
  template <class V>
  V vector(double lo, double hi) {
    V v;
    fill(v, lo, hi);
    return v;
  }

 private:
  void fill(Vec2& v, double lo, double hi) { v = {uniform(lo, hi), uniform(lo, hi)}; }
  void fill(Vec3& v, double lo, double hi) { v = {uniform(lo, hi), uniform(lo, hi), uniform(lo, hi)}; }
  std::mt19937_64 engine_;
};

inline double& coordinate(Vec2& v, std::size_t i) { return i == 0 ? v.x : v.y; }
inline double& coordinate(Vec3& v, std::size_t i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

template <class D>
Bounds<D> box_around(const typename D::Vec& center, const typename D::Vec& half) {
  return {center - half, center + half};
}
template <class D>
Bounds<D> random_box(Random& random, const typename D::Vec& origin, double spread, double least,
                     double most) {
  const double size = std::exp(random.uniform(std::log(least), std::log(most)));
  const auto center = origin + random.vector<typename D::Vec>(-spread, spread);
  return box_around<D>(center, random.vector<typename D::Vec>(0.1 * size, size));
}
// All coordinates the same.
inline void fill_vector(Vec2& v, double x) { v = {x, x}; }
inline void fill_vector(Vec3& v, double x) { v = {x, x, x}; }
template <class V>
V all(double x) {
  V v;
  fill_vector(v, x);
  return v;
}

inline bool meet(const Bounds2& a, const Bounds2& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y;
}
inline bool meet(const Bounds3& a, const Bounds3& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y && a.lo.z <= b.hi.z &&
         b.lo.z <= a.hi.z;
}

// What a world knows: boxes of doubles, and the pairs it would keep.
template <class D>
class Model {
 public:
  struct Thing {
    Bounds<D> box;
    bool mobile = true;
    bool touched = true;  // since the last search
  };
  std::vector<std::optional<Thing>> things;

  bool counts(const ProxyPair& pair) const {
    return things[pair.a] && things[pair.b] && (things[pair.a]->mobile || things[pair.b]->mobile);
  }
  // Every pair that meets, in doubles.
  std::set<ProxyPair> exact() const {
    std::set<ProxyPair> pairs;
    for (std::uint32_t a = 0; a < things.size(); ++a)
      for (std::uint32_t b = a + 1; b < things.size(); ++b)
        if (counts({a, b}) && meet(things[a]->box, things[b]->box)) pairs.insert({a, b});
    return pairs;
  }
};

// Keeps the pairs as a world does, of the reports and `overlaps` alone.
template <class M, class D>
class Keeper {
 public:
  M method;
  std::vector<ProxyPair> found;
  std::set<ProxyPair> kept;

  Keeper() = default;
  explicit Keeper(BroadPhase kind) : method(kind) {}

  // What is wrong with the report, or nothing.
  std::string search(Team& team, const Model<D>& model) {
    method.find_pairs(team, found);
    if (!std::is_sorted(found.begin(), found.end())) return "not sorted";
    if (std::adjacent_find(found.begin(), found.end()) != found.end()) return "a pair twice";
    for (const ProxyPair& pair : found) {
      if (pair.a >= pair.b) return "a pair the wrong way round";
      if (!model.counts(pair)) return "a pair of which none is mobile, or one is gone";
      if (!method.overlaps(pair.a, pair.b)) return "a pair that does not overlap";
      if (!model.things[pair.a]->touched && !model.things[pair.b]->touched)
        return "a pair that did not change";
      kept.insert(pair);
    }
    std::erase_if(kept, [&](const ProxyPair& p) { return !model.counts(p) || !method.overlaps(p.a, p.b); });
    return "";
  }
  // Those of the kept pairs that meet in doubles.
  std::set<ProxyPair> exact(const Model<D>& model) const {
    std::set<ProxyPair> pairs;
    for (const ProxyPair& p : kept)
      if (meet(model.things[p.a]->box, model.things[p.b]->box)) pairs.insert(p);
    return pairs;
  }
};

}  // namespace cairn::boxes
