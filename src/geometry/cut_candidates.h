// Planes worth trying as cuts of a solid that is not convex.
#pragma once

#include "geometry/cut_solid.h"

namespace cairn {

struct CutCandidate {
  CutPlane plane;
  bool is_slanted = false;  // between the faces of an edge rather than along one of them
};

// Along the faces at edges that bend inwards, and between them; through the centroid across the principal axes; and
// slices across the coordinate axes. Planes of one direction that lie closer together than `apart` [m] are tried once.
std::vector<CutCandidate> cut_candidates(const CutSolid& solid, double apart);

}  // namespace cairn
