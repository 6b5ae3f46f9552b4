// How deep two overlapping cores are in each other: the shortest shift that parts them.
#pragma once

#include "geometry/gjk.h"

namespace cairn {

template <class D>
struct Penetration {
  double depth = 0;          // [m] of the cores; b shifted by depth·normal only touches a
  typename D::Vec normal{};  // unit, from a to b
  typename D::Vec on_a{};    // [m] the point of a that is deepest in b, a's frame
  typename D::Vec on_b{};    // [m] and that of b in a: on_a − depth·normal
  int iterations = 0;        // how many support points were asked for
};

// `overlap` is what nearest() found. depth = −separation_along(normal), the least over all normals: in the plane and for
// polyhedra to round-off, for cylinders and cones within 1e-5 of their size and mostly to round-off. Where the cores do
// not overlap after all, but by less than about 1e-9 of their size, the depth may be negative.
Penetration<Dim2> penetration(const Core2& a, const Core2& b, const Pose2& b_in_a,
                              const Nearest<Dim2>& overlap);
Penetration<Dim3> penetration(const Core3& a, const Core3& b, const Pose3& b_in_a,
                              const Nearest<Dim3>& overlap);

}  // namespace cairn
