// Convex parts that together are nearly the solid inside a mesh.
#pragma once

#include <vector>

#include "geometry/geometry_3d.h"

namespace cairn {

struct ConvexPart {
  std::vector<Vec3> corners;  // [m] of its hull
  bool is_close = false;      // no point of the hull is further from the mesh than the tolerance
};
struct ConvexParts {
  std::vector<ConvexPart> list;
  double volume = 0;  // [m³] of all; that of the mesh is mass_properties'
};

// The mesh must be closed (closed_surface.h) and the options in their ranges. Throws cairn::Error where a shell of the
// mesh is inside out, and where there is no inside.
ConvexParts convex_parts(const TriangleMesh& mesh, const DecompositionOptions& options, const Path& path);

}  // namespace cairn
