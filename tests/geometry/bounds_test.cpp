#include "geometry/bounds.h"

#include <gtest/gtest.h>

#include <limits>

#include "geometry/shape_samples.h"
#include "geometry/support.h"

namespace cairn {
namespace {

using namespace samples;

constexpr double k_inf = std::numeric_limits<double>::infinity();

// Tight on every side: a support point lies on it.
TEST(Bounds, of_convex_shapes_touch_their_support_points) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const double size = power_of_ten(random, -3, 3);
    for (const Shape3& shape : convex_solids3(random, size)) {
      const Geometry3 built = build(shape);
      const Pose3 pose{vector3(random, 2 * size), i == 0 ? Rot3{} : rotation3(random)};
      const Bounds3 box = bounds(built, pose);
      const auto reach = [&](const Vec3& axis) {
        return dot(to_world(pose, support(built, inverse(pose.rotation) * axis)), axis);
      };
      const Vec3 hi{reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})};
      const Vec3 lo{-reach({-1, 0, 0}), -reach({0, -1, 0}), -reach({0, 0, -1})};
      EXPECT_LE(length(box.hi - hi) + length(box.lo - lo), 1e-14 * size) << solid_of(shape).name;
    }
    for (const Shape2& shape : convex_solids2(random, size)) {
      const Geometry2 built = build(shape);
      const Pose2 pose{vector2(random, 2 * size), i == 0 ? Rot2{} : rotation2(random)};
      const Bounds2 box = bounds(built, pose);
      const auto reach = [&](const Vec2& axis) {
        return dot(to_world(pose, support(built, inverse(pose.rotation) * axis)), axis);
      };
      const Vec2 hi{reach({1, 0}), reach({0, 1})}, lo{-reach({-1, 0}), -reach({0, -1})};
      EXPECT_LE(length(box.hi - hi) + length(box.lo - lo), 1e-14 * size) << solid_of(shape).name;
    }
  }
}

// By a way that has nothing in common with bounds and support: walk the surface.
TEST(Bounds, of_round_shapes_hold_their_surface_tightly) {
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const double r = uniform(random, 0.2, 1), h = uniform(random, 0.2, 1);
    const Pose3 pose{vector3(random, 1), rotation3(random)};
    const auto expect_tight = [&](const Shape3& shape, std::initializer_list<Vec2> profile) {
      Vec3 lo{k_inf, k_inf, k_inf}, hi = -lo;
      for (const Vec2& p : profile)
        for (int k = 0; k < 20000; ++k) {
          const double angle = 2 * k_pi * k / 20000;
          const Vec3 q = to_world(pose, Vec3{p.x * std::cos(angle), p.x * std::sin(angle), p.y});
          lo = smaller(lo, q);
          hi = larger(hi, q);
        }
      const Bounds3 box = bounds(shape, pose);
      EXPECT_LE(length(box.hi - hi) + length(box.lo - lo), 1e-7);
    };
    expect_tight(Cylinder{r, h}, {{r, h}, {r, -h}});
    expect_tight(Cone{r, h}, {{0, h}, {r, -h}});
  }
}

TEST(Bounds, of_surfaces_and_compounds_are_those_of_their_points) {
  Random random(3);
  const Mesh mesh = star_mesh(2);
  const HeightField field = hills(9, 7, {0.5, 0.25}, 1);
  const Chain chain{{{0, 0}, {1, 2}, {4, 1}}};
  for (int i = 0; i < 50; ++i) {
    const Pose3 pose{vector3(random, 3), rotation3(random)}, part{vector3(random, 3), rotation3(random)};
    const auto around = [&](const std::vector<Vec3>& points, const Pose3& at) {
      Bounds3 box{{k_inf, k_inf, k_inf}, {-k_inf, -k_inf, -k_inf}};
      for (const Vec3& p : points) {
        box.lo = smaller(box.lo, to_world(at, p));
        box.hi = larger(box.hi, to_world(at, p));
      }
      return box;
    };
    const auto expect_same = [](const Bounds3& a, const Bounds3& b) {
      EXPECT_LE(length(a.lo - b.lo) + length(a.hi - b.hi), 2e-14);
    };
    const Bounds3 of_mesh = around(mesh.vertices, pose),
                  of_field = around(mesh_of(field).vertices, pose * part);
    expect_same(bounds(mesh, pose), of_mesh);
    expect_same(bounds(field, pose * part), of_field);
    expect_same(bounds(Compound3{{{mesh}, {field, part.position, part.rotation}}}, pose),
                {smaller(of_mesh.lo, of_field.lo), larger(of_mesh.hi, of_field.hi)});
    const Pose2 pose2{vector2(random, 3), rotation2(random)};
    const Bounds2 box = bounds(chain, pose2);
    Vec2 lo{k_inf, k_inf}, hi = -lo;
    for (const Vec2& p : chain.points) {
      lo = smaller(lo, to_world(pose2, p));
      hi = larger(hi, to_world(pose2, p));
    }
    EXPECT_LE(length(box.lo - lo) + length(box.hi - hi), 1e-14);
    const Bounds2 of_parts =
        bounds(Compound2{{{chain}, {Segment{{0, 0}, {1, 2}}}}}, pose2);  // the second adds nothing
    EXPECT_EQ(of_parts.lo, box.lo);
    EXPECT_EQ(of_parts.hi, box.hi);
  }
}

TEST(Bounds, of_a_plane_end_only_along_its_normal) {
  const Bounds3 ground = bounds(Plane{{0, 0, 2}, 3}, Pose3{{10, 20, 30}, {}});
  EXPECT_EQ(ground.hi, (Vec3{k_inf, k_inf, 33}));
  EXPECT_EQ(ground.lo, (Vec3{-k_inf, -k_inf, -k_inf}));
  const Bounds3 wall = bounds(Plane{{-1, 0, 0}, 3}, Pose3{});
  EXPECT_EQ(wall.lo, (Vec3{-3, -k_inf, -k_inf}));
  EXPECT_EQ(wall.hi, (Vec3{k_inf, k_inf, k_inf}));
  const Bounds3 side = bounds(Plane{{0, 1, 0}, 2}, Pose3{{0, 1, 0}, {}});
  EXPECT_EQ(side.hi, (Vec3{k_inf, 3, k_inf}));
  const Bounds3 slope = bounds(Plane{{0, 1e-9, 1}, 0}, Pose3{});
  EXPECT_EQ(slope.hi, (Vec3{k_inf, k_inf, k_inf}));
}

TEST(Bounds, refuse_poses_that_are_none) {
  EXPECT_EQ(refusal([] {
              bounds(Sphere{}, Pose3{{}, {2, 0, 0, 0}});
            }),
            "pose.rotation = a rotation of length 2: must be a unit quaternion, such as "
            "Rot3::from_axis_angle gives");
  EXPECT_EQ(refusal([] {
              bounds(Circle{}, Pose2{{NAN, 0}, {}});
            }),
            "pose.position.x = nan m: must be finite");
}

}  // namespace
}  // namespace cairn
