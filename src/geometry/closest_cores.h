// The closest points of two cores with their radii: what the pieces of both dimensions have in common.
#pragma once

#include "geometry/closest_points.h"
#include "geometry/epa.h"

namespace cairn {

template <class D>
ClosestPoints<D> closest_points(const Core<D>& a, const Core<D>& b, const Pose<D>& b_in_a,
                                const typename D::Vec& guess) {
  const Nearest<D> found = nearest(a, b, b_in_a, guess);
  if (found.overlap) return {0, found.on_a, found.on_a, penetration(a, b, b_in_a, found).normal};
  const double gap = found.distance - a.radius - b.radius;
  if (gap > 0)
    return {gap, found.on_a + a.radius * found.normal, found.on_b - b.radius * found.normal, found.normal};
  // Both radii reach the point that divides the way between the cores as the radii are to each other.
  const auto point = found.on_a + (found.distance * (a.radius / (a.radius + b.radius))) * found.normal;
  return {0, point, point, found.normal};
}

// Of the pose b in a: what was found with a and b the other way round, in b's frame.
template <class D>
ClosestPoints<D> swapped(const ClosestPoints<D>& found, const Pose<D>& b_in_a) {
  return {found.distance, to_world(b_in_a, found.on_b), to_world(b_in_a, found.on_a),
          -(b_in_a.rotation * found.normal)};
}

}  // namespace cairn
