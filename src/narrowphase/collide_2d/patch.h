// The patch of a contact: up to two pairs of points between the edges that face each other.
//
//   y  │      b   ╲______________          the lower side of b, height −H_b(x)
//   along n       ⋮            ⋮
//      │     _____⋮____________⋮___        the upper side of a, height H_a(x)
//      │       a  lo          hi
//      └──────────────────────────── x, along the tangent
//
// Both edges are seen along the normal n. Where the stretches of their cores along the tangent overlap, from lo to
// hi, each end gives a pair of points straight above each other: x on a at H_a(x), on b at −H_b(x), separation
// −H_b(x) − H_a(x) (clipping, Lund §3.1.1). The heights are those of the rounded edges, so the points lie on
// both surfaces. Whatever made the ends (a corner of a above b's edge, a corner of b above a's edge, or two corners
// one above the other) names them, so names do not depend on which edge gave the normal.
#pragma once

#include "narrowphase/collide_2d/outline.h"
#include "narrowphase/manifold.h"

namespace cairn::planar {

// A side of a piece that faces the other one: an edge or, where both corners are the same, a corner.
struct Side {
  Vec2 from{}, to{};  // core corners, counter-clockwise round the piece, in a's frame
  Vec2 normal{};      // unit, outward; of the edge
  double radius = 0;  // [m]
  std::uint32_t from_name = 0, to_name = 0, edge_name = 0;  // features
  bool is_edge = false;
};

// The edge of a piece that faces `outward` best, among those at its furthest corner that way, or that corner where
// they stand nearly end-on. `pose` is the frame of the piece in a's; `outward` is in a's frame.
Side facing_side(const Outline& outline, const Pose2& pose, const Vec2& outward);
// The same for a corner that is known to be the furthest.
Side side_at_corner(const Outline& outline, const Pose2& pose, int corner, const Vec2& outward);
// An edge whose number is known.
Side edge_side(const Outline& outline, const Pose2& pose, int edge);
Side corner_side(const Outline& outline, const Pose2& pose, int corner);

// The patch between two sides, first the point with the smallest separation; the other one is left out if its
// separation exceeds the margin. Where the sides do not overlap along the tangent it has one point, made in the
// middle of the gap between them, which `gap` [m] then tells.
struct Patch {
  Manifold<Dim2> manifold;
  double gap = 0;
};
Patch patch_between(const Side& a, const Side& b, const Vec2& n, double margin);

}  // namespace cairn::planar
