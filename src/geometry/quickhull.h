// Quickhull (Barber, Dobkin & Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", ACM TOMS 22, 1996) on
// exact signs. Rounding decides here only which point comes next, never what is inside: the surface is at
// every moment the true boundary of the hull of the points taken so far, cut into triangles.
#pragma once

#include <cairn/math.h>

#include <array>
#include <span>

#include "geometry/facet_mesh.h"

namespace cairn {

// Four points spread far apart, to start from; and how flat the cloud is.
struct Simplex {
  std::array<int, 4> vertices;
  double width = 0;      // [m] the furthest any point lies from a line through two far ones
  double thickness = 0;  // [m] how far they extend across a plane through three far ones: a few least widths
};
Simplex find_simplex(std::span<const Vec3> points);

// The exact hull of distinct points, which must not lie in one plane: its true facets, whatever their number
// of corners, and as vertices its true corners only.
FacetMesh exact_hull(std::span<const Vec3> points);

}  // namespace cairn
