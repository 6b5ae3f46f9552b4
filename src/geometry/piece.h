// A piece: what collisions treat as one. Every shape that is not a compound is a piece, a compound is many.
//
// A Piece only points at the built shape, which must outlive it.
#pragma once

#include <variant>
#include <vector>

#include "geometry/geometry_2d.h"
#include "geometry/geometry_3d.h"

namespace cairn {

using Piece2 = std::variant<const Circle*, const Box2*, const Capsule2*, const ConvexPolygon*, const Segment*,
                            const PolyLine*>;
using Piece3 = std::variant<const Sphere*, const Box3*, const Capsule3*, const Cylinder*, const Cone*,
                            const Polyhedron*, const Plane*, const TriangleMesh*, const HeightGrid*>;

template <class D>
struct PieceOf;
template <>
struct PieceOf<Dim2> {
  using type = Piece2;
  using Geometry = Geometry2;
  using Ball = Circle;
};
template <>
struct PieceOf<Dim3> {
  using type = Piece3;
  using Geometry = Geometry3;
  using Ball = Sphere;
};
template <class D>
using Piece = typename PieceOf<D>::type;
template <class D>
using Geometry = typename PieceOf<D>::Geometry;

template <class D>
struct PlacedPiece {
  Pose<D> pose;  // in the shape's frame
  Piece<D> piece;
};

// In the order of the parts.
std::vector<PlacedPiece<Dim2>> pieces_of(const Geometry2& shape);
std::vector<PlacedPiece<Dim3>> pieces_of(const Geometry3& shape);

// Bounded and convex? (Not planes, meshes, height fields and chains.)
bool is_convex(const Piece2& piece);
bool is_convex(const Piece3& piece);

// Tight in any pose; a plane reaches to infinity as bounds.h says.
Bounds2 bounds(const Piece2& piece, const Pose2& pose);
Bounds3 bounds(const Piece3& piece, const Pose3& pose);

// In the frame of the piece; the ray's translation must not be zero. As in ray.h.
std::optional<RayHit2> ray_cast(const Piece2& piece, const Ray2& ray);
std::optional<RayHit3> ray_cast(const Piece3& piece, const Ray3& ray);

}  // namespace cairn
