// The narrow phase: from two pieces and where they are to the manifolds between them.
#pragma once

#include "geometry/piece.h"
#include "narrowphase/manifold.h"

namespace cairn {

// Fills `out` with every manifold between a and b that has a separation of at most `margin` ≥ 0, with the points
// whose own separation is at most `margin`. `b_in_a` is the pose of b's frame in a's. Any two pieces may meet,
// in any order, but planes, meshes, height fields and chains do not meet each other (out stays empty).
void collide(const Piece2& a, const Piece2& b, const Pose2& b_in_a, double margin, PairCache<Dim2>& cache,
             ManifoldList<Dim2>& out);
void collide(const Piece3& a, const Piece3& b, const Pose3& b_in_a, double margin, PairCache<Dim3>& cache,
             ManifoldList<Dim3>& out);

}  // namespace cairn
