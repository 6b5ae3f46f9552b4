// On which side of a sheet is a point?
#pragma once

#include "geometry/geometry_3d.h"

namespace cairn {

// Is the point behind the mesh, seen from this triangle? From the triangle the search goes to the neighbour that is
// nearer to the point, and so on to a place that is nearest to it as far as one can see. There the normal decides; on
// an edge or corner, the mean of the normals (Bærentzen & Aanæs 2005). The plane of the triangle alone would not do: a
// box in the corner of a step is behind the plane of the tread above it, but not behind the stairs.
bool is_behind(const TriangleMesh& mesh, std::uint32_t triangle, const Vec3& point);

}  // namespace cairn
