// A convex piece on a chain: held by the faces it touches, each along a direction that the surface there can have,
// and never by the joints between them ("ghost collisions").
//
//         n₁  ╲ arc ╱ n₂                A face may push along its own normal and, at a convex corner, along the
//       ────────●                       arc of directions between the normals on both sides, for there the
//         face 1 ╲ face 2    n₃         surface turns. At a concave corner it has its own normal only: what comes
//                 ╲          ↑          from the other side meets the neighbour first. A free end may push along
//          solid   ●──────────────      the quarter turn from its normal to the direction it points to.
//                    face 3
//
// Segments on one line are one face (PolyLine), so on flat ground no joint is felt at all.
//
// One-sided: the chain is solid on its right. A piece is held by a face only if its middle (the mean of its corners)
// lies outside the line through the contact at right angles to the normal, or no deeper in it than the margin: what
// is mostly on the right is let through.
#pragma once

#include "narrowphase/collide_2d/outline.h"
#include "narrowphase/manifold.h"

namespace cairn::planar {

// Appends one manifold for each face that holds the piece, in the frame of the PIECE, with the normal from the
// chain to the piece and `point` on the chain; features.a is the chain's: its points and, for a face, the first of
// its segments, which is also the manifold's element. `box` holds the piece and the margin, in the chain's frame.
void collide_chain(const PolyLine& chain, const Bounds2& box, const Outline& piece,
                   const Pose2& piece_in_chain, double margin, ManifoldList<Dim2>& out);

}  // namespace cairn::planar
