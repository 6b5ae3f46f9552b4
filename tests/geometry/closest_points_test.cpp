#include "geometry/closest_points.h"

#include <gtest/gtest.h>

#include "geometry/core_pairs.h"
#include "geometry/gjk.h"

namespace cairn {
namespace {

using namespace samples;

struct Built {
  Geometry3 shape;
  Piece3 piece;
  explicit Built(const Shape3& s) : shape(build(s)), piece(pieces_of(shape)[0].piece) {}
};
struct Built2 {
  Geometry2 shape;
  Piece2 piece;
  explicit Built2(const Shape2& s) : shape(build(s)), piece(pieces_of(shape)[0].piece) {}
};

TEST(ClosestPoints, of_round_pieces_count_their_radii) {
  const Built ball(Sphere{1}), capsule(Capsule3{0.5, 2}), box(Box3{{1, 1, 1}});
  const ClosestPoints<Dim3> balls = closest_points(ball.piece, ball.piece, {{0, 3, 4}});
  EXPECT_NEAR(balls.distance, 3, 1e-15);
  EXPECT_LE(length(balls.on_a - Vec3{0, 0.6, 0.8}), 1e-15);
  EXPECT_LE(length(balls.on_b - Vec3{0, 2.4, 3.2}), 1e-15);
  const ClosestPoints<Dim3> side = closest_points(capsule.piece, box.piece, {{3, 0, 0.5}});
  EXPECT_NEAR(side.distance, 1.5, 1e-15);
  EXPECT_LE(length(side.normal - Vec3{1, 0, 0}), 1e-15);
  EXPECT_NEAR(side.on_a.x, 0.5, 1e-15);
  EXPECT_NEAR(side.on_b.x, 2, 1e-15);
}

TEST(ClosestPoints, of_overlapping_pieces_are_one_point_of_both) {
  Random random(1);
  int overlaps = 0;
  for (int i = 0; i < 1500; ++i) {
    const auto shapes = convex_solids3(random, 1);
    const Shape3 &a = shapes[i % 6], &b = shapes[i / 6 % 6];
    const Solid<Vec3> solid_a = solid_of(a), solid_b = solid_of(b);
    const Pose3 pose{vector3(random, 1.2), rotation3(random)};
    const ClosestPoints<Dim3> found = closest_points(Built(a).piece, Built(b).piece, pose);
    EXPECT_NEAR(length(found.normal), 1, 1e-14);
    EXPECT_LE(solid_a.outside_by(found.on_a), 1e-12);
    EXPECT_LE(solid_b.outside_by(to_local(pose, found.on_b)), 1e-12);
    EXPECT_NEAR(length(found.on_a - found.on_b), found.distance, 1e-10);
    overlaps += found.distance == 0;
  }
  EXPECT_GE(overlaps, 500);
}

TEST(ClosestPoints, of_a_plane_are_where_the_piece_is_deepest) {
  const Built plane(Plane{{0, 0, 2}, 1}), box(Box3{{1, 1, 1}}), ball(Sphere{0.5});
  const Rot3 on_edge = Rot3::from_axis_angle({1, 0, 0}, k_pi / 4);
  const ClosestPoints<Dim3> edge = closest_points(plane.piece, box.piece, {{5, 6, 7}, on_edge});
  EXPECT_NEAR(edge.distance, 6 - std::sqrt(2), 1e-14);
  EXPECT_LE(length(edge.normal - Vec3{0, 0, 1}), 1e-15);
  EXPECT_NEAR(edge.on_a.z, 1, 1e-14);
  const ClosestPoints<Dim3> other_way = closest_points(ball.piece, plane.piece, {{0, 0, -3}});
  EXPECT_NEAR(other_way.distance, 1.5, 1e-15);
  EXPECT_LE(length(other_way.normal - Vec3{0, 0, -1}), 1e-15);
  EXPECT_LE(length(other_way.on_a - Vec3{0, 0, -0.5}), 1e-15);
  EXPECT_EQ(closest_points(plane.piece, ball.piece, {{0, 0, -100}}).distance, 0);
}

// Every triangle by itself, however far.
double distance_of_all(const Mesh& mesh, const Core3& core, const Pose3& pose) {
  double least = 1e300;
  for (const auto& [i, j, k] : mesh.triangles) {
    const std::array<Vec3, 3> corners{mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]};
    const Nearest<Dim3> found = nearest(core_of_triangle(&corners), core, pose, {});
    least = std::min(least, std::max(0.0, found.distance - core.radius));
  }
  return least;
}

TEST(ClosestPoints, of_surfaces_are_those_of_their_nearest_triangle) {
  Random random(2);
  const Mesh star = star_mesh(2);
  const HeightField field = hills(12, 10, {0.5, 0.4}, 0.3);
  const Built mesh(star), grid(field);
  const Mesh triangles = mesh_of(field);
  int apart = 0;
  for (int i = 0; i < 240; ++i) {
    const Built solid(convex_solids3(random, power_of_ten(random, -2, 0))[i % 6]);
    const bool on_mesh = i % 2;
    const Pose3 pose{vector3(random, power_of_ten(random, 0, 1.5)), rotation3(random)};
    const Piece3 surface = on_mesh ? mesh.piece : grid.piece;
    const ClosestPoints<Dim3> found = closest_points(surface, solid.piece, pose);
    EXPECT_NEAR(found.distance, distance_of_all(on_mesh ? star : triangles, core_of(solid.piece), pose),
                1e-12);
    const ClosestPoints<Dim3> swapped = closest_points(solid.piece, surface, inverse(pose));
    EXPECT_NEAR(swapped.distance, found.distance, 1e-12);
    if (found.distance == 0) continue;
    ++apart;
    EXPECT_LE(length(found.on_b - found.on_a - found.distance * found.normal), 1e-8 * (1 + found.distance));
    EXPECT_LE(length(swapped.on_b - swapped.on_a - found.distance * swapped.normal),
              1e-8 * (1 + found.distance));
  }
  EXPECT_GE(apart, 150);
}

TEST(ClosestPoints, in_the_plane) {
  const Built2 circle(Circle{1}), box(Box2{{1, 1}}), segment(Segment{{0, 0}, {10, 0}});
  const Built2 chain(Chain{{{0, 0}, {4, 0}, {4, 4}, {8, 4}}});
  const ClosestPoints<Dim2> found = closest_points(box.piece, circle.piece, {{4, 5}});
  EXPECT_NEAR(found.distance, 4, 1e-15);
  EXPECT_LE(length(found.normal - Vec2{0.6, 0.8}), 1e-15);
  EXPECT_LE(length(found.on_a - Vec2{1, 1}), 1e-15);
  EXPECT_NEAR(closest_points(segment.piece, circle.piece, {{5, -3}}).distance, 2, 1e-15);
  const ClosestPoints<Dim2> corner = closest_points(chain.piece, circle.piece, {{2, 6}});
  EXPECT_NEAR(corner.distance, 2 * std::sqrt(2) - 1, 1e-15);
  EXPECT_LE(length(corner.on_a - Vec2{4, 4}), 1e-15);
  const ClosestPoints<Dim2> wall = closest_points(circle.piece, chain.piece, {{-2.5, -2}});
  EXPECT_NEAR(wall.distance, 0.5, 1e-15);  // the upright part, at x = 4 − 2.5
  EXPECT_LE(length(wall.normal - Vec2{1, 0}), 1e-15);
  EXPECT_EQ(closest_points(chain.piece, circle.piece, {{3.5, 2}}).distance, 0);
}

TEST(Contains, what_the_equations_of_solids_say) {
  Random random(3);
  int inside = 0, all = 0;
  for (int i = 0; i < 200; ++i) {
    for (const Shape3& shape : convex_solids3(random, 1)) {
      const Solid<Vec3> solid = solid_of(shape);
      const Built built(shape);
      for (int k = 0; k < 5; ++k, ++all) {
        const Vec3 p = solid.middle + vector3(random, 1.2);
        if (absolute(solid.outside_by(p)) < 1e-9) continue;
        EXPECT_EQ(contains(built.piece, p), solid.outside_by(p) < 0) << solid.name;
        inside += contains(built.piece, p);
      }
    }
    for (const Shape2& shape : convex_solids2(random, 1)) {
      const Solid<Vec2> solid = solid_of(shape);
      const Built2 built(shape);
      for (int k = 0; k < 5; ++k) {
        const Vec2 p = solid.middle + vector2(random, 1.2);
        if (absolute(solid.outside_by(p)) < 1e-9) continue;
        EXPECT_EQ(contains(built.piece, p), solid.outside_by(p) < 0) << solid.name;
      }
    }
  }
  EXPECT_GE(inside, all / 10);
  EXPECT_LE(inside, all / 2);
}

TEST(Contains, points_of_planes_and_closed_meshes_only) {
  const Built plane(Plane{{0, 0, 1}, 2}), box(box_mesh({1, 2, 3})), grid(hills(3, 3, {1, 1}, 0.1));
  EXPECT_TRUE(contains(plane.piece, {100, 0, 1.9}));
  EXPECT_FALSE(contains(plane.piece, {100, 0, 2.1}));
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = scaled(vector3(random, 2), {1, 2, 3});
    EXPECT_EQ(contains(box.piece, p), absolute(p.x) < 1 && absolute(p.y) < 2 && absolute(p.z) < 3);
  }
  EXPECT_TRUE(contains(box.piece, {0, 0, 0}));  // in the planes of many triangles' edges
  Mesh open = box_mesh({1, 2, 3});
  open.triangles.pop_back();
  EXPECT_FALSE(contains(Built(open).piece, {0, 0, 0}));
  EXPECT_FALSE(contains(grid.piece, {1, 1, -5}));
  EXPECT_FALSE(contains(Built2(Segment{{-1, 0}, {1, 0}}).piece, {0, 0}));
  EXPECT_FALSE(contains(Built2(Chain{{{-1, 0}, {1, 0}}}).piece, {0, 0}));
}

}  // namespace
}  // namespace cairn
