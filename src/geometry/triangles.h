// The triangles of meshes and height fields near a place.
#pragma once

#include <cairn/math.h>

#include <array>
#include <vector>

#include "geometry/geometry_3d.h"

namespace cairn {

struct PlacedTriangle {
  std::uint32_t index = 0;        // in TriangleMesh::triangles; of a height field 2·cell + {0, 1}
  std::array<Vec3, 3> corners{};  // counter-clockwise seen from outside
};

// Fills `out` with the triangles whose boxes overlap `box` (in the surface's frame), in ascending order.
void triangles_in(const TriangleMesh& mesh, const Bounds3& box, std::vector<PlacedTriangle>& out);
void triangles_in(const HeightGrid& grid, const Bounds3& box, std::vector<PlacedTriangle>& out);

}  // namespace cairn
