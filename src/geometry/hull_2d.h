// The convex hull of points in the plane.
#pragma once

#include <cairn/math.h>

#include <span>
#include <vector>

namespace cairn {

// The corners of the hull, counter-clockwise from the lexicographically lowest. They are input points, and
// exactly strictly convex: no three lie on one line. Depends on the set of points only. Throws Error where
// there is no hull with an area: see point_cloud.h for the limits.
std::vector<Vec2> convex_outline(std::span<const Vec2> points);

}  // namespace cairn
