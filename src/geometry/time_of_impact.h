// When two moving pieces come together: continuous collision, and casts of shapes (without turning).
#pragma once

#include <functional>

#include "geometry/piece.h"
#include "geometry/sweep.h"

namespace cairn {

enum class ImpactStatus {
  separated,  // never closer than half the target; time = 1
  hit,        // the pieces come as close as the target at `time` > 0, or it is not certain that they do not
  touching_at_start,  // they are that close at time 0, or overlap
};

template <class D>
struct Impact {
  ImpactStatus status = ImpactStatus::separated;
  double time = 1;           // of the sweep, in [0, 1]; before it the pieces do not touch
  typename D::Vec normal{};  // unit, world axes, from a to b, at `time`
  typename D::Vec
      point{};          // [m] on a's surface, from the centre of a's body where it is at `time`, world axes
  double distance = 0;  // [m] then; b's surface is at point + distance·normal; 0 where the pieces overlap
  int iterations = 0;   // how many distances were computed
};

// Does an impact count? Asked for each impact on a convex piece or plane, or on an element of a surface, that would be
// the first; where the answer is no the search goes on to other elements.
template <class D>
using ImpactJudge = std::function<bool(const Impact<D>&)>;

// The pieces stand in the frames of their bodies, whose origins are the centres of mass (the sweeps move these). At
// least one of the two is_convex(). `target` > 0 [m] is a small length, at least about 1e-10 of the size of the pieces:
// the search ends when the distance is at most 1.25 × target, so a hit leaves a gap and nothing ever overlaps.
// Planes may move, but do not turn; a plane is solid, while meshes, height fields and chains are surfaces with two
// sides.
//
// Only differences of positions enter: far from the origin the answer is that at the origin. `counts`, if given, says
// which impacts count.
Impact<Dim2> time_of_impact(const Piece2& a, const Pose2& a_in_body, const Sweep<Dim2>& sweep_a,
                            const Piece2& b, const Pose2& b_in_body, const Sweep<Dim2>& sweep_b,
                            double target, const ImpactJudge<Dim2>& counts = {});
Impact<Dim3> time_of_impact(const Piece3& a, const Pose3& a_in_body, const Sweep<Dim3>& sweep_a,
                            const Piece3& b, const Pose3& b_in_body, const Sweep<Dim3>& sweep_b,
                            double target, const ImpactJudge<Dim3>& counts = {});

}  // namespace cairn
