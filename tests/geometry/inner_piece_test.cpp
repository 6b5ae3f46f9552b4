#include "geometry/inner_piece.h"

#include <gtest/gtest.h>

#include "geometry/extent.h"

namespace cairn {
namespace {

double smallest(const Vec2& v) { return smaller(v.x, v.y); }
double smallest(const Vec3& v) { return smaller(v.x, smaller(v.y, v.z)); }

// Every point of what is inside lies in the outer piece, by at least a part of its thickness: seen from all around, the
// outer one reaches further.
template <class D, class Inner>
void expect_inside(const Piece<D>& piece, const Pose<D>& pose, const Inner& inner, double least) {
  const Bounds<D> box = bounds(piece, pose), small = bounds(inner.piece(), pose * inner.pose);
  for (const auto& gap : {small.lo - box.lo, box.hi - small.hi})
    EXPECT_GE(smallest(gap), least * inner_radius(piece));
}

TEST(InnerPiece, lies_inside) {
  const Shape3 shapes[] = {Sphere{.radius = 0.3},
                           Box3{.half = {0.5, 0.2, 0.1}},
                           Capsule3{.radius = 0.1, .half_length = 0.4},
                           Cylinder{.radius = 0.2, .half_height = 0.4},
                           Cone{.radius = 0.3, .half_height = 0.4},
                           Hull{.points = {{1, 1, 1}, {2, 1, 1}, {1, 2.5, 1}, {1, 1, 3}}}};
  for (const Shape3& shape : shapes) {
    const Geometry3 geometry = build(shape);
    const Piece3 piece = pieces_of(geometry)[0].piece;
    for (const Inside which : {Inside::inset, Inside::middle})
      for (int i = 0; i < 20; ++i) {
        const Pose3 pose{{}, rotation_of(Vec3{0.3 * i, 0.7 * i, -0.2 * i})};
        const InnerPiece3 inner(piece, which);
        ASSERT_TRUE(inner.has());
        expect_inside<Dim3>(piece, pose, inner, 0.1);
      }
    EXPECT_GT(inner_radius(InnerPiece3(piece, Inside::middle).piece()), 0.2 * inner_radius(piece));
  }
}
TEST(InnerPiece, lies_inside_in_the_plane) {
  const Shape2 shapes[] = {Circle{.radius = 0.3}, Box2{.half = {0.5, 0.2}},
                           Capsule2{.radius = 0.1, .half_length = 0.4},
                           Polygon{.points = {{1, 1}, {2, 1}, {1, 2.5}}}};
  for (const Shape2& shape : shapes) {
    const Geometry2 geometry = build(shape);
    const Piece2 piece = pieces_of(geometry)[0].piece;
    for (const Inside which : {Inside::inset, Inside::middle})
      for (int i = 0; i < 20; ++i)
        expect_inside<Dim2>(piece, {{}, Rot2::from_angle(0.3 * i)}, InnerPiece2(piece, which), 0.1);
  }
}
TEST(InnerPiece, loses_half_the_thickness) {
  const Box3 box{.half = {0.5, 0.2, 0.1}};
  const InnerPiece3 inner(Piece3{&box}, Inside::inset);
  const Vec3 half = std::get<const Box3*>(inner.piece())->half;
  EXPECT_NEAR(length(half - Vec3{0.45, 0.15, 0.05}), 0, 1e-15);
}
TEST(InnerPiece, is_not_there_for_what_has_no_inside) {
  const Plane plane;
  const Segment segment;
  EXPECT_FALSE(InnerPiece3(Piece3{&plane}, Inside::inset).has());
  EXPECT_FALSE(InnerPiece2(Piece2{&segment}, Inside::middle).has());
}

}  // namespace
}  // namespace cairn
