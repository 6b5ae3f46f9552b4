// From the many points that the triangles of one direction give to the few that matter.
#pragma once

#include <cairn/math.h>

#include <vector>

#include "narrowphase/manifold.h"

namespace cairn {

// Keeps the corners of the points' convex outline, seen along the normal n, and the deepest point: what lies inside or
// on a side (to within 1e-6 of the width) spans nothing that they do not. Of an outline with more than 48 corners
// those furthest out in 24 directions. Keeps the order.
void keep_outline(std::vector<ManifoldPoint<Dim3>>& points, const Vec3& n);

}  // namespace cairn
