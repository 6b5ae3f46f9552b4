// How far apart two flat convex pieces are, found slowly: what the narrow phase is measured against.
//
// A piece is a core (a point, a segment or a polygon) with a radius around it. The separation along a unit n is
//
//   f(n) = min{n·x : x in b} − max{n·x : x in a},
//
// and the separation of the pieces is its maximum over n: their distance where they are apart, less than zero
// and the shortest way out where they overlap. Radii only subtract.
//
// Apart, it is the least distance of a corner of one core to an edge of the other. Overlapping, the way out leads
// to the nearest edge of the set of differences {y − x}, a polygon whose edges are those of the cores: every edge
// normal is tried. Nothing is pruned, and no code is shared with the engine.
#pragma once

#include <vector>

#include "geometry/piece.h"
#include "narrowphase/real.h"

namespace cairn::test {

struct Body2 {
  std::vector<Real2> corners;  // of the core, counter-clockwise
  Real radius = 0;
  Real extent = 0;  // the largest distance of two of its points, at most

  bool flat() const { return corners.size() < 3; }
};

Body2 body_of(const Piece2& piece);  // convex, in its own frame
Body2 placed(const Body2& body, const Pose2& pose);

Real support(const Body2& body, const Real2& n);                        // max n·x
Real signed_distance(const Body2& body, const Real2& x);                // to the surface, < 0 inside
Real separation_along(const Body2& a, const Body2& b, const Real2& n);  // f, of a unit n

struct Separation2 {
  Real value = 0;
  Real2 normal{};  // f(normal) is the value or, where cores touch without overlap, less
};
Separation2 separation(const Body2& a, const Body2& b);

}  // namespace cairn::test
