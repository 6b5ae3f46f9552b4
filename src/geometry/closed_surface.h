// Do the triangles of a mesh bound a solid?
//
// They do where every edge is run through as often one way as the other: then the surface has no rim, and the
// signed volume inside does not depend on the point it is measured from. Several shells are fine, and so are
// shells that touch along an edge (two triangles each way).
#pragma once

#include "geometry/geometry_3d.h"

namespace cairn {

bool is_closed(const TriangleMesh& mesh);

// Throws cairn::Error, naming an edge, where they do not.
void check_closed(const TriangleMesh& mesh, const Path& path);

}  // namespace cairn
