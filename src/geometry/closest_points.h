// The closest points of two pieces, and whether a point is inside one.
#pragma once

#include "geometry/piece.h"

namespace cairn {

template <class D>
struct ClosestPoints {
  double distance = 0;     // [m] of the surfaces; 0 where the pieces overlap or touch
  typename D::Vec on_a{};  // [m] a's frame; where the pieces overlap, a point of both
  typename D::Vec on_b{};  // [m] a's frame
  typename D::Vec
      normal{};  // unit, from a to b; where the pieces overlap, b shifted along it is parted from a
};

// `b_in_a` is the pose of b's frame in a's. At least one of the two is_convex(). Planes are solid; meshes, height fields,
// segments and chains are surfaces, with nothing inside.
ClosestPoints<Dim2> closest_points(const Piece2& a, const Piece2& b, const Pose2& b_in_a);
ClosestPoints<Dim3> closest_points(const Piece3& a, const Piece3& b, const Pose3& b_in_a);

// Is the point, in the piece's frame, inside or on the surface? Never of segments, chains, height fields and meshes
// that are open. (Of a mesh, points on its surface may be either.)
bool contains(const Piece2& piece, const Vec2& point);
bool contains(const Piece3& piece, const Vec3& point);

}  // namespace cairn
