// The direction along which two convex pieces are furthest apart or, where they overlap, along which the shortest
// shift parts them.
//
// Write separation(n) = min over b of n·x − max over a of n·x for a unit vector n. It is the distance between
// two lines at right angles to n with a on one side and b on the other. Its maximum over all n is the distance of
// the pieces, or minus the depth of their overlap; the n there is the normal of a contact.
//
// - Overlapping cores: on an arc of directions with the same two supporting corners the separation is |w| cos φ,
//   which where negative has no maximum inside the arc: the best n is the normal of an edge of a or the reverse of
//   one of b (the separating axis theorem; Lund §3.1.1, Ericson §5.2.1).
// - Disjoint cores: where it is positive the separation has a single hill (it is a concave function of a vector n
//   divided by |n|), so the best direction is the best edge normal or lies on one of the arcs next to that. There
//   both supporting corners are ends of the edge or of the other piece's edge that faces it, and n points from
//   corner to corner.
#pragma once

#include "narrowphase/collide_2d/outline.h"

namespace cairn::planar {

struct OutlinePair {
  Outline a, b;
  Pose2 b_in_a, a_in_b;

  OutlinePair(const Outline& first, const Outline& second, const Pose2& second_in_first)
      : a(first), b(second), b_in_a(second_in_first), a_in_b(inverse(second_in_first)) {}
};

struct Axis {
  Vec2 normal{};                     // unit, from a to b, in a's frame
  double separation = 0;             // [m] of the cores along it
  int a_edge = -1, b_edge = -1;      // what made it: an edge of one of them,
  int a_corner = -1, b_corner = -1;  // or a corner of each
};

// Of the cores, along the unit vector n of a's frame.
double separation_of_cores(const OutlinePair& pair, const Vec2& n);

// The best axis of the cores, to some 1e-12 of the edges' lengths: of equally good ones that of a's edge with the
// lowest number. Returns early, with an axis that shows it, when the separation exceeds `limit`. Neither core
// may be a point.
Axis best_axis(const OutlinePair& pair, double limit);

// The same for a point against a core that is not a point; the normal goes from the outline to the point.
struct PointAxis {
  Vec2 normal{};
  double separation = 0;       // [m] of the core from the point
  int corner = -1, edge = -1;  // the nearest feature: one of them
};
PointAxis best_axis(const Outline& outline, const Vec2& point);

// How much less an axis from corner to corner may separate than an edge's and still be taken, where no corner is
// straight above the edge. Near the best direction the separation falls with the square of the angle: round-off
// in it hides angles of 1e-8, and along an edge's normal the points would stand that far beside each other. Not
// where the corners nearly touch: a direction between them is then worth less than the edge's. `size` is the largest
// number that goes into the separation.
CAIRN_INLINE double corner_allowance(double edge_separation, double size) {
  return edge_separation > 1e-10 * size ? 1e-14 * size : 0;
}

}  // namespace cairn::planar
