// Is this manifold what manifold.h and collide.h promise? Tests and fuzzers ask; no test framework is needed.
#pragma once

#include <cmath>
#include <string>

#include "narrowphase/manifold.h"
#include "narrowphase/random_pairs.h"

namespace cairn::test {

// The first promise broken that needs no other opinion, or nothing: numbers finite, a unit normal, as many points as
// there may be, the first one deepest, none beyond the margin by more than the rounding, no two with the same features.
template <class D>
std::string defect_of(const Manifold<D>& manifold, double margin, double rounding) {
  if (manifold.count < 1 || manifold.count > Manifold<D>::k_most_points)
    return "has " + std::to_string(manifold.count) + " points";
  if (!is_finite(manifold.normal)) return "normal is not finite";
  if (!(std::abs(length(manifold.normal) - 1) < 1e-12)) return "normal has not unit length";
  for (int i = 0; i < manifold.count; ++i) {
    const ManifoldPoint<D>& point = manifold.points[std::size_t(i)];
    const std::string name = "point " + std::to_string(i);
    if (!is_finite(point.point) || !is_finite(point.separation)) return name + " is not finite";
    if (point.separation > margin + rounding)
      return name + " is beyond the margin: " + std::to_string(point.separation);
    if (point.separation < manifold.points[0].separation) return name + " is deeper than the first";
    for (int j = 0; j < i; ++j)
      if (manifold.points[std::size_t(j)].features == point.features)
        return name + " has the features of another";
  }
  return {};
}

// The manifold that would be found with a and b exchanged, back in a's frame: `swapped` is in b's.
template <class D>
Manifold<D> exchanged(const Manifold<D>& swapped, const Pose<D>& b_in_a) {
  Manifold<D> manifold = swapped;
  manifold.normal = -(b_in_a.rotation * swapped.normal);
  for (int i = 0; i < swapped.count; ++i) {
    const ManifoldPoint<D>& point = swapped.points[std::size_t(i)];
    manifold.points[std::size_t(i)].point = to_world(b_in_a, point.point + point.separation * swapped.normal);
    manifold.points[std::size_t(i)].features = {point.features.b, point.features.a};
  }
  return manifold;
}

struct Allowed {
  double rounding = 0;  // [m] of coordinates
  double optimum = 0;   // [m] from the reference's separation
  double surface = 0;   // [m] of points from the surfaces
};
// 1e-9 of the size, where cylinders and cones overlap 1e-5 of it; and the rounding of coordinates.
Allowed allowed(const Pair2& pair);
Allowed allowed(const Pair3& pair);

// The first promise that the manifolds of this pair break, measured against the reference; or nothing.
std::string defect_of(const Pair2& pair, const ManifoldList<Dim2>& list);
std::string defect_of(const Pair3& pair, const ManifoldList<Dim3>& list);

}  // namespace cairn::test
