// A smaller piece inside a piece, half its thickness under the surface: what of a body that touches another must not
// go through it.
#pragma once

#include "geometry/piece.h"

namespace cairn {

enum class Inside {
  inset,  // boxes, balls, capsules and cylinders lose half their inner_radius on every side; cones, hulls and
          // polygons shrink to three quarters, towards a point inside
  middle,  // a ball in the middle of these, of half their inner_radius at most
};

// Surfaces, planes and segments have nothing inside: `has` is false.
class InnerPiece2 {
 public:
  InnerPiece2(const Piece2& piece, Inside which);
  bool has() const { return !std::holds_alternative<std::monostate>(shape_); }
  Piece2 piece() const;  // valid while this is
  Pose2 pose{};          // in the frame of the outer piece

 private:
  std::variant<std::monostate, Circle, Box2, Capsule2, ConvexPolygon> shape_;
};
class InnerPiece3 {
 public:
  InnerPiece3(const Piece3& piece, Inside which);
  bool has() const { return !std::holds_alternative<std::monostate>(shape_); }
  Piece3 piece() const;
  Pose3 pose{};

 private:
  std::variant<std::monostate, Sphere, Box3, Capsule3, Cylinder, Cone, Polyhedron> shape_;
};

template <class D>
struct InnerPieceOf;
template <>
struct InnerPieceOf<Dim2> {
  using type = InnerPiece2;
};
template <>
struct InnerPieceOf<Dim3> {
  using type = InnerPiece3;
};

}  // namespace cairn
