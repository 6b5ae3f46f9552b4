// Support points of built shapes that are convex and bounded.
#pragma once

#include "geometry/geometry_2d.h"
#include "geometry/geometry_3d.h"

namespace cairn {

bool has_support(const Geometry2& shape);
bool has_support(const Geometry3& shape);

// A point of the shape that lies furthest along `direction`, which may have any length; for the zero vector
// any point of the shape. The shape must be one that `has_support`.
Vec2 support(const Geometry2& shape, const Vec2& direction);
Vec3 support(const Geometry3& shape, const Vec3& direction);

}  // namespace cairn
