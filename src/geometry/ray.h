// Ray casts against built shapes, in the frame of the shape.
#pragma once

#include <optional>

#include "geometry/geometry_2d.h"
#include "geometry/geometry_3d.h"

namespace cairn {

// The first point where the ray meets the shape. The ray's translation must not be zero.
//
// Solids (planes, too, are solid half-spaces): a ray that starts inside hits at once, with fraction 0 and a
// normal against the ray. Meshes, height fields, segments and chains are surfaces with two sides, the normal
// turned towards where the ray comes from. Of the parts of a compound the first that is hit counts.
std::optional<RayHit2> ray_cast(const Geometry2& shape, const Ray2& ray);
std::optional<RayHit3> ray_cast(const Geometry3& shape, const Ray3& ray);

}  // namespace cairn
