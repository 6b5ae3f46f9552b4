// Cylinders and cones against everything: closed forms and full patches.
#include <gtest/gtest.h>

#include <algorithm>

#include "narrowphase/solid_pairs.h"

namespace cairn {
namespace {

using namespace pairs;

Manifold<Dim3> touch(const Piece3& a, const Piece3& b, const Pose3& pose, double size, double margin = 0.05) {
  const auto found = collide_fresh(a, b, pose, margin);
  EXPECT_EQ(defect_of(a, b, pose, margin, size, found), "") << text(pose);
  return found.empty() ? Manifold<Dim3>{} : found[0];
}
Rot3 turn(const Vec3& axis, double angle) { return Rot3::from_axis_angle(axis, angle); }
Rot3 lying() { return turn({0, 1, 0}, k_pi / 2); }  // z becomes x

double lowest(const Manifold<Dim3>& m, double Vec3::*coordinate) {
  double least = 1e300;
  for (std::size_t k = 0; k < std::size_t(m.count); ++k)
    least = std::min(least, m.points[k].point.*coordinate);
  return least;
}
double highest(const Manifold<Dim3>& m, double Vec3::*coordinate) {
  double most = -1e300;
  for (std::size_t k = 0; k < std::size_t(m.count); ++k) most = std::max(most, m.points[k].point.*coordinate);
  return most;
}

TEST(Cylinder, stands_on_a_box_with_four_points_of_its_rim) {
  const Box3 floor{{3, 3, 1}};
  const Cylinder cylinder{0.5, 0.8};
  for (const double gap : {-1e-2, -1e-6, 0.0, 1e-3})
    for (const double angle : {0.0, 0.3, 1.0}) {
      const Manifold<Dim3> m = touch(&floor, &cylinder, {{0.5, 1, 1.8 + gap}, turn({0, 0, 1}, angle)}, 3);
      ASSERT_EQ(m.count, 4);
      EXPECT_EQ(m.normal, (Vec3{0, 0, 1}));
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(m.points[k].separation, gap, 1e-14);
        EXPECT_NEAR(std::hypot(m.points[k].point.x - 0.5, m.points[k].point.y - 1), 0.5, 1e-14);
      }
      EXPECT_LT(lowest(m, &Vec3::x), 0.2);
      EXPECT_GT(highest(m, &Vec3::x), 0.8);
      EXPECT_LT(lowest(m, &Vec3::y), 0.7);
      EXPECT_GT(highest(m, &Vec3::y), 1.3);
    }
}

// Tilted by little: the lowest point of the rim is exactly in the patch, the others hold the rest.
TEST(Cylinder, that_rocks_keeps_its_lowest_point_and_its_patch) {
  const Box3 floor{{3, 3, 1}};
  const Cylinder cylinder{0.5, 0.8};
  for (int t = 0; t < 300; ++t) {
    Random random(std::uint64_t(t) + 1);
    const double tilt = samples::power_of_ten(random, -12, -2);
    const Vec3 about = samples::unit3(random);
    const Rot3 rotation = turn({about.x, about.y, 0}, tilt);
    const Pose3 pose = placed_along(&floor, &cylinder, rotation, {0, 0, 1}, -1e-3);
    const Manifold<Dim3> m = touch(&floor, &cylinder, pose, 3);
    ASSERT_EQ(m.count, 4) << tilt;
    ASSERT_NEAR(m.points[0].separation, -1e-3,
                3e-5);  // the flat end's normal may be the better one, by little
    ASSERT_GT(highest(m, &Vec3::x) - lowest(m, &Vec3::x), 0.6) << tilt;
    ASSERT_GT(highest(m, &Vec3::y) - lowest(m, &Vec3::y), 0.6) << tilt;
  }
}

TEST(Cylinder, lies_on_a_box_with_two_points) {
  const Box3 floor{{3, 3, 1}};
  const Cylinder cylinder{0.5, 0.8};
  for (const double gap : {-1e-2, 0.0, 1e-3}) {
    const Manifold<Dim3> m = touch(&floor, &cylinder, {{0.5, 1, 1.5 + gap}, lying()}, 3);
    ASSERT_EQ(m.count, 2);
    EXPECT_NEAR(length(m.normal - Vec3{0, 0, 1}), 0, 1e-14);
    EXPECT_NEAR(lowest(m, &Vec3::x), -0.3, 1e-14);
    EXPECT_NEAR(highest(m, &Vec3::x), 1.3, 1e-14);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(m.points[k].separation, gap, 1e-14);
  }
}

TEST(Cylinder, leans_on_a_point_of_its_rim) {
  const Box3 floor{{3, 3, 1}};
  const Cylinder cylinder{0.5, 0.8};
  const Manifold<Dim3> m =
      touch(&floor, &cylinder, placed_along(&floor, &cylinder, turn({0, 1, 0}, 0.5), {0, 0, 1}, -0.01), 3);
  ASSERT_EQ(m.count, 1);
  EXPECT_NEAR(m.points[0].separation, -0.01, 1e-12);
  EXPECT_NEAR(length(m.normal - Vec3{0, 0, 1}), 0, 1e-7);
}

TEST(Cylinder, on_a_cylinder_stands_lies_and_crosses) {
  const Cylinder wide{1, 0.5}, thin{0.4, 0.6};
  const Manifold<Dim3> stands = touch(&wide, &thin, {{0.2, 0.1, 1.09}, turn({0, 0, 1}, 0.2)}, 2);
  ASSERT_EQ(stands.count, 4);
  EXPECT_EQ(stands.normal, (Vec3{0, 0, 1}));
  const Manifold<Dim3> over = touch(&wide, &thin, {{1.2, 0, 1.09}, {}}, 2);  // half over the rim
  EXPECT_EQ(over.normal, (Vec3{0, 0, 1}));
  EXPECT_GE(over.count, 3);
  const Manifold<Dim3> beside = touch(&wide, &thin, {{1.39, 0, 0.3}, {}}, 2);
  ASSERT_EQ(beside.count, 2);
  EXPECT_NEAR(lowest(beside, &Vec3::z), -0.3, 1e-12);
  EXPECT_NEAR(highest(beside, &Vec3::z), 0.5, 1e-12);
  const Manifold<Dim3> crossed = touch(&wide, &thin, {{0.1, 1.39, 0.1}, lying()}, 2);
  ASSERT_EQ(crossed.count, 1);
  EXPECT_NEAR(crossed.points[0].separation, -0.01, 1e-12);
  EXPECT_NEAR(length(crossed.normal - Vec3{0, 1, 0}), 0, 1e-7);
}

// The rims overlap where neither ring of points reaches: the place of contact is found all the same.
TEST(Cylinder, rims_that_overlap_by_little_touch_between_the_centres) {
  const Cylinder cylinder{1, 0.5};
  for (const double overlap : {1e-2, 1e-4, 1e-6}) {
    const Vec3 away = normalized(Vec3{1, std::tan(k_pi / 12), 0});
    const Manifold<Dim3> m =
        touch(&cylinder, &cylinder, {(2 - overlap) * away + Vec3{0, 0, 1 - 1e-9}, {}}, 3);
    ASSERT_GE(m.count, 1);
    EXPECT_NEAR(m.normal.z, 1, 1e-15);
    EXPECT_NEAR(length(m.points[0].point - (away + Vec3{0, 0, 0.5})), 0, 2 * std::sqrt(overlap));
  }
}

TEST(Cylinder, lies_along_an_edge_with_two_points) {
  const Box3 rail{{1, 0.2, 0.2}};
  const Cylinder cylinder{0.5, 0.8};
  const Pose3 on_edge{{}, turn({1, 0, 0}, k_pi / 4)};
  const Pose3 above{{0.1, 0, 0.2 * std::sqrt(2.0) + 0.49}, lying()};
  const Pose3 pose = inverse(on_edge) * above;
  const Manifold<Dim3> m = touch(&rail, &cylinder, pose, 2);
  ASSERT_EQ(m.count, 2);
  EXPECT_NEAR(m.points[0].separation, -0.01, 1e-12);
  EXPECT_NEAR(lowest(m, &Vec3::x), -0.7, 1e-9);
  EXPECT_NEAR(highest(m, &Vec3::x), 0.9, 1e-9);
}

TEST(Cylinder, meets_a_sphere_in_each_of_its_regions) {
  const Sphere ball{0.5};
  const Cylinder cylinder{1, 2};
  struct Case {
    Vec3 at, normal;
    double separation;
  };
  const Case cases[] = {{{0.3, 0.4, 2.4}, {0, 0, 1}, -0.1},  {{0.6 * 1.4, 0.8 * 1.4, 1}, {0.6, 0.8, 0}, -0.1},
                        {{1.3, 0, -2.4}, {0.6, 0, -0.8}, 0}, {{0.9, 0, 0.5}, {1, 0, 0}, -0.6},
                        {{0.1, 0, -1.9}, {0, 0, -1}, -0.6},  {{0, 0, 0}, {1, 0, 0}, -1.5}};
  for (const Case& c : cases) {
    const Manifold<Dim3> m = touch(&cylinder, &ball, {c.at, {}}, 3);
    EXPECT_NEAR(length(m.normal - c.normal), 0, 1e-14);
    EXPECT_NEAR(m.points[0].separation, c.separation, 1e-14);
  }
}

TEST(Cone, meets_a_sphere_in_each_of_its_regions) {
  const Sphere ball{0.5};
  const Cone cone{1.5, 1};  // slant 2.5: the side's normal is (0.8, 0.6)
  struct Case {
    Vec3 at, normal;
    double separation;
  };
  const Case cases[] = {
      {{0, 0, 1.4}, {0, 0, 1}, -0.1},       {{0.75 + 0.8 * 0.4, 0, 0.6 * 0.4}, {0.8, 0, 0.6}, -0.1},
      {{0.4, 0.3, -1.4}, {0, 0, -1}, -0.1}, {{1.8, 0, -1.4}, {0.6, 0, -0.8}, 0},
      {{0.1, 0, -0.95}, {0, 0, -1}, -0.55}, {{0.75 - 0.8 * 0.1, 0, -0.6 * 0.1}, {0.8, 0, 0.6}, -0.6}};
  for (const Case& c : cases) {
    const Manifold<Dim3> m = touch(&cone, &ball, {c.at, {}}, 3);
    EXPECT_NEAR(length(m.normal - c.normal), 0, 1e-14) << c.separation;
    EXPECT_NEAR(m.points[0].separation, c.separation, 1e-14);
  }
}

TEST(Cone, on_a_box_stands_on_its_base_its_side_or_its_apex) {
  const Box3 floor{{3, 3, 1}};
  const Cone cone{0.5, 0.5};
  const Manifold<Dim3> base = touch(&floor, &cone, {{0.2, 0.1, 1.49}, {}}, 2);
  ASSERT_EQ(base.count, 4);
  EXPECT_EQ(base.normal, (Vec3{0, 0, 1}));
  const Rot3 on_side = turn({0, 1, 0}, k_pi / 2 + std::atan(0.5));
  const Manifold<Dim3> side = touch(&floor, &cone, placed_along(&floor, &cone, on_side, {0, 0, 1}, -0.01), 2);
  ASSERT_EQ(side.count, 2);
  EXPECT_NEAR(length(side.points[0].point - side.points[1].point), std::sqrt(1.25), 1e-6);
  const Manifold<Dim3> apex = touch(&floor, &cone, {{0.2, 0.1, 1.49}, turn({1, 0, 0}, k_pi)}, 2);
  ASSERT_EQ(apex.count, 1);
  EXPECT_NEAR(apex.points[0].separation, -0.01, 1e-12);
}

TEST(Cylinder, deep_inside_a_box_leaves_by_the_shortest_way) {
  const Box3 box{{2, 3, 4}};
  const Cylinder cylinder{0.5, 1};
  const Manifold<Dim3> m = touch(&box, &cylinder, {{0.3, 0, 0}, {}}, 5);
  EXPECT_NEAR(m.points[0].separation, -2.2, 1e-12);
  EXPECT_EQ(m.normal, (Vec3{1, 0, 0}));
  EXPECT_EQ(m.count, 2);
  const Manifold<Dim3> same = touch(&cylinder, &cylinder, {}, 2);
  EXPECT_NEAR(same.points[0].separation, -1, 1e-9);
}

// Axes that coincide, and apex on apex: directions that the general search does not see.
TEST(Cylinder, on_the_axis_of_a_capsule_leaves_across_it) {
  const Cylinder cylinder{1e-3, 6e-4};
  const Capsule3 capsule{0.5, 0.19};
  for (const Rot3& rotation : {Rot3{}, turn({0, 1, 0}, k_pi)}) {
    const Manifold<Dim3> m = touch(&cylinder, &capsule, {{}, rotation}, 0.7);
    EXPECT_NEAR(m.points[0].separation, -0.501, 1e-12);
    EXPECT_NEAR(m.normal.z, 0, 1e-12);
  }
}
TEST(Cone, apex_on_apex_touches_there) {
  const Cone sharp{3, 3}, flat{3.5, 0.0036};
  for (const bool flipped : {false, true}) {
    const Cone &a = flipped ? flat : sharp, &b = flipped ? sharp : flat;
    const Manifold<Dim3> m = touch(&a, &b, {{0, 0, 3.0036}, turn({0.94, 0.34, 0}, k_pi)}, 12);
    EXPECT_EQ(m.count, 1);
    EXPECT_NEAR(m.points[0].separation, 0, 1e-12);
    EXPECT_NEAR(length(m.points[0].point - Vec3{0, 0, a.half_height}), 0, 1e-9);
  }
}

}  // namespace
}  // namespace cairn
