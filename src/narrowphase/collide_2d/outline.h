// A convex piece of the plane as its collisions see it: a core (a point, a segment or a convex polygon) and a
// radius around it.
//
//   Circle                a point with a radius            count 1
//   Capsule2, Segment     a segment, radius ≥ 0            count 2
//   Box2, ConvexPolygon   a polygon, radius 0              count ≥ 3
//
// Growing both pieces by their radii lowers the separation along every direction by the same amount, so the
// best direction is that of the cores. A segment counts as a polygon of two corners with two edges, there and
// back: it has two sides.
#pragma once

#include <cairn/math.h>

#include <array>

#include "geometry/piece.h"

namespace cairn::planar {

// Points at the piece's own arrays or at an OutlineStore, which must outlive it.
struct Outline {
  const Vec2* points = nullptr;   // corners, counter-clockwise, in the frame of the piece
  const Vec2* normals = nullptr;  // unit, outward; normals[i] belongs to the edge from points[i] to the next
  int count = 0;
  double radius = 0;               // [m]
  const Vec2* box_half = nullptr;  // [m] of a box: half its edges

  int next(int i) const { return i + 1 < count ? i + 1 : 0; }
  int previous(int i) const { return i > 0 ? i - 1 : count - 1; }
};

// Corners of the pieces that have no arrays of their own.
struct OutlineStore {
  std::array<Vec2, 4> points, normals;
};

// Of every piece but a chain, which gives an outline without corners.
Outline outline_of(const Piece2& piece, OutlineStore& store);

// A corner that lies furthest along `direction`.
inline int furthest_corner(const Outline& outline, const Vec2& direction) {
  int best = 0;
  double best_along = dot(outline.points[0], direction);
  for (int i = 1; i < outline.count; ++i)
    if (const double along = dot(outline.points[i], direction); along > best_along) {
      best_along = along;
      best = i;
    }
  return best;
}

// The mean of the corners.
Vec2 middle_of(const Outline& outline);

}  // namespace cairn::planar
