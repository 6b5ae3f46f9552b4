// Where to cut a solid so that the hulls of its pieces hold less that is not solid.
//
// One cut at a time, like Mamou & Ghorbel ("A simple and efficient approach for 3D mesh approximate convex
// decomposition", ICIP 2009) and Wei et al. ("Approximate convex decomposition for 3D meshes with collision-aware
// concavity and tree search", SIGGRAPH 2022). A cut is judged by the excess that it leaves: the volume of the hulls of
// all pieces less that of the pieces, both exact. A plane across a pipe halves nothing but the pipe: where no plane
// lessens the excess, the first is taken after which the next one will.
#pragma once

#include <optional>

#include "geometry/cut_solid.h"

namespace cairn {

// Lengths below which things count as the same [m].
struct CutScale {
  double on;     // vertices nearer to a plane than this are points of it
  double apart;  // parallel cuts nearer to each other than this are one
};

// [m³] of a solid and of its convex hull; both 0 for what is thinner than a few times `on`.
struct HullVolumes {
  double solid = 0, hull = 0;
  double excess() const { return larger(0, hull - solid); }
};
HullVolumes hull_volumes(const CutSolid& solid, double on);

// None where no plane leaves solid on both sides.
std::optional<CutPlane> choose_cut(const CutSolid& solid, const CutScale& scale);

}  // namespace cairn
