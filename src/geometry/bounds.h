// The smallest axis-aligned boxes around built shapes.
#pragma once

#include "geometry/geometry_2d.h"
#include "geometry/geometry_3d.h"

namespace cairn {

// Tight for every shape in every pose, to round-off. A plane reaches to infinity, except along an axis that
// its normal is exactly parallel to.
Bounds2 bounds(const Geometry2& shape, const Pose2& pose);
Bounds3 bounds(const Geometry3& shape, const Pose3& pose);

}  // namespace cairn
