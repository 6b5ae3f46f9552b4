// A solid with fewer vertices, to try cuts on.
#pragma once

#include "geometry/cut_solid.h"

namespace cairn {

// Vertices in the same cell of a grid become the first of them (Rossignac & Borrel, "Multi-resolution 3D approximations
// for rendering complex scenes", 1993). Edges and faces that lose their corners go; as both faces at an edge see the
// same, the surface stays closed. `cells` is how many cells the longest side of the box has.
CutSolid coarsened(const CutSolid& solid, int cells);

}  // namespace cairn
