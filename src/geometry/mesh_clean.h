// From the mesh as its author gave it to one that the rest of the engine can trust.
#pragma once

#include "geometry/geometry_3d.h"

namespace cairn {

// Vertices, triangles and box of the built mesh; the rest is connect()'s. Says in `notes` what was cleaned:
//
//   vertices at one place         are welded. Files of loose triangles repeat a corner for each triangle. "One
//                                 place" is the round-off of the coordinates: 16 ulp of the largest.
//   vertices of no triangle       are left out
//   triangles without an area     (two corners at one place, or all three on one line, to the same round-off)
//                                 are left out, so that the surface does not tear where it was whole: the
//                                 neighbour at the longest side is split at the corner that lies on it
//   triangles given twice         are left out; the same three corners the other way round are the back of a
//                                 sheet and stay
//
// Throws cairn::Error where nothing is left.
TriangleMesh cleaned(const Mesh& shape, const Path& path, Notes& notes);

}  // namespace cairn
