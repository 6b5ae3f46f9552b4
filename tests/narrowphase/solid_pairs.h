// Pairs of solids for the tests of the 3D narrow phase, with slow answers to compare with.
#pragma once

#include <cairn/shape.h>

#include <string>
#include <vector>

#include "geometry/piece.h"
#include "geometry/shape_samples.h"
#include "narrowphase/collide.h"

namespace cairn::pairs {

using samples::Random;

// A shape with its built form, which must stay where it is.
struct Built {
  Geometry3 geometry;
  Piece3 piece;
  double size = 0;  // [m] about its radius
  explicit Built(const Shape3& shape);
  Built(const Built&) = delete;
  Built& operator=(const Built&) = delete;
};

Hull box_hull(const Vec3& half);
Hull random_hull(Random& random, std::size_t points, double size);  // in a ball, squeezed along z by up to 5
Hull tetrahedron(Random& random, double size);

// The kinds in turn: 0 sphere, 1 box, 2 capsule, 3 cylinder, 4 cone, 5 hull; of about this size, any
// proportions to 1 : 5.
inline constexpr int k_kinds = 6;
Shape3 random_solid(Random& random, int kind, double size);
bool is_curved(const Piece3& piece);  // cylinder or cone

// The convex function that is 0 on the surface and negative inside, with a gradient of at most 1.
double outside_by(const Piece3& piece, const Vec3& p);
// The corners of a box or hull.
std::vector<Vec3> corners_of(const Piece3& piece);

// min over b of n·x − max over a of n·x, n a unit vector in a's frame.
double separation_along(const Piece3& a, const Piece3& b, const Pose3& b_in_a, const Vec3& n);
// The greatest separation of two boxes or hulls, by trying all axes and all pairs of features.
double greatest_separation(const Piece3& a, const Piece3& b, const Pose3& b_in_a);
// How much separation random steps away from n can win, of decreasing length.
double climb_from(const Piece3& a, const Piece3& b, const Pose3& b_in_a, const Vec3& n, Random& random);

// A pose of b that has it `separation` from a along the direction n, some of its points straight opposite.
Pose3 placed_along(const Piece3& a, const Piece3& b, const Rot3& rotation, const Vec3& n, double separation);

// What is wrong with the manifold of two convex pieces or a plane and one; empty if all is as manifold.h
// says. The lengths are checked to `tolerance` × the sizes together.
std::string defect_of(const Piece3& a, const Piece3& b, const Pose3& b_in_a, double margin, double size,
                      const ManifoldList<Dim3>& manifolds, double tolerance = 1e-9);

// collide with an empty cache.
ManifoldList<Dim3> collide_fresh(const Piece3& a, const Piece3& b, const Pose3& b_in_a, double margin);

std::string text(const Pose3& pose);

}  // namespace cairn::pairs
