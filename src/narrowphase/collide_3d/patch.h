// Contact patches: from a direction to a manifold, whatever found the direction.
//
//   n ──► features that face n ──► clipped against each other along n ──► four points
//         (facing.h)               (clip.h)                              (reduce.h)
//
// The patch is as full for an axis that is a pair of edges' as for a face's: a box that stands on another has
// its four points though rounding or a slight turn made the axis of two edges the better one.
#pragma once

#include "narrowphase/collide_3d/clip.h"
#include "narrowphase/collide_3d/reduce.h"

namespace cairn {

// The direction in which two pieces are furthest apart, in a's frame.
struct ContactAxis {
  Vec3 normal{};          // unit, from a to b
  double separation = 0;  // [m] of the pieces along the normal
  // Is it the best one for certain, or as good as it gets? Otherwise the patch confirms it or not.
  bool is_final = false;
  // A point of a's surface, from which b's surface is `separation` away along the normal. Where it is not
  // known, the patch finds it; for planes it is known.
  bool has_witness = false;
  Vec3 on_a{};
};

// The manifold of two convex pieces, or a plane and a convex piece, along an axis. `size` is that of the
// pieces together. Where no point of a is opposite to one of b at the axis's separation, the axis is not the
// best one: then nothing is written and false returned, unless it is final.
bool make_patch(const Piece3& a, const Piece3& b, const Pose3& b_in_a, const ContactAxis& axis, double margin,
                double size, Manifold<Dim3>& out);

}  // namespace cairn
