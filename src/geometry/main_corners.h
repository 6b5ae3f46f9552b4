// The corners of a convex hull that matter.
#pragma once

#include <cairn/math.h>

#include <span>
#include <vector>

namespace cairn {

// Some of the points, such that no point lies outside of the hull of these by more than `within` [m]. The points must
// have a hull (hull_3d.h).
std::vector<Vec3> main_corners(std::span<const Vec3> points, double within);

}  // namespace cairn
