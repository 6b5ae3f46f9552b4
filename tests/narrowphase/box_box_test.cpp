// Boxes on boxes: closed forms, full patches, and features that stay.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "narrowphase/solid_pairs.h"

namespace cairn {
namespace {

using namespace pairs;
using Names = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Names names_of(const Manifold<Dim3>& m) {
  Names names;
  for (std::size_t k = 0; k < std::size_t(m.count); ++k)
    names.insert({m.points[k].features.a, m.points[k].features.b});
  return names;
}
// The point nearest to (x, y).
const ManifoldPoint<Dim3>& point_at(const Manifold<Dim3>& m, double x, double y) {
  std::size_t best = 0;
  const auto distance = [&](std::size_t k) {
    return std::hypot(m.points[k].point.x - x, m.points[k].point.y - y);
  };
  for (std::size_t k = 1; k < std::size_t(m.count); ++k)
    if (distance(k) < distance(best)) best = k;
  return m.points[best];
}

TEST(BoxBox, that_stand_on_each_other_touch_in_four_corners) {
  const Box3 floor{{5, 5, 0.5}}, box{{0.5, 0.4, 0.3}};
  for (const double gap : {-1e-3, 0.0, 1e-3}) {
    const auto found = collide_fresh(&floor, &box, {{1, 2, 0.8 + gap}, {}}, 0.01);
    ASSERT_EQ(found.size(), 1u);
    const Manifold<Dim3>& m = found[0];
    EXPECT_EQ(m.normal, (Vec3{0, 0, 1}));
    ASSERT_EQ(m.count, 4);
    for (const double x : {0.5, 1.5})
      for (const double y : {1.6, 2.4}) {
        const ManifoldPoint<Dim3>& p = point_at(m, x, y);
        EXPECT_NEAR(length(p.point - Vec3{x, y, 0.5}), 0, 1e-14);
        EXPECT_NEAR(p.separation, gap, 1e-15);
        EXPECT_EQ(p.features.a, feature(FeatureKind::face, 5));
        EXPECT_EQ(p.features.b >> 30, 0u);  // the box's own corners
      }
  }
}

// With a turn of any size and sense, of the order of round-off or more, the four corners stay in sight and
// keep their names: the normal of either box's face or of two edges may be the better one.
TEST(BoxBox, keep_their_corners_while_the_reference_face_flips) {
  const Box3 lower{{1, 1, 1}}, upper{{0.5, 0.5, 0.5}};
  Random random(1);
  Names first;
  for (int t = 0; t < 500; ++t) {
    const double angle = t == 0 ? 0 : samples::power_of_ten(random, -17, -3);
    const Rot3 turn = Rot3::from_axis_angle(samples::unit3(random), angle);
    const auto found = collide_fresh(&lower, &upper, {{0.1, 0.2, 1.499}, turn}, 0.02);
    ASSERT_EQ(found.size(), 1u);
    ASSERT_EQ(found[0].count, 4) << angle;
    if (t == 0) first = names_of(found[0]);
    ASSERT_EQ(names_of(found[0]), first) << angle;
    ASSERT_GT(found[0].normal.z, 1 - 1e-5);
  }
}

TEST(BoxBox, keep_their_features_while_one_slides) {
  const Box3 lower{{1, 1, 1}}, upper{{0.5, 0.5, 0.5}};
  int changes = 0;
  Names last;
  for (int t = 0; t <= 400; ++t) {  // over the edge, which two corners cross
    const double x = 0.4 + 0.001 * t;
    const auto found = collide_fresh(&lower, &upper, {{x, 0.1 * x, 1.499}, {}}, 0.02);
    ASSERT_EQ(found[0].count, 4);
    if (t > 0) changes += names_of(found[0]) != last;
    last = names_of(found[0]);
    EXPECT_NEAR(point_at(found[0], 9, 9).point.x, std::min(1.0, x + 0.5), 1e-12);
  }
  EXPECT_EQ(changes, 1);
}

// A box that turns on another: an octagon most of the time, of which the same four points are kept for long.
TEST(BoxBox, keep_their_features_while_one_turns) {
  const Box3 box{{1, 1, 1}};
  int changes = 0;
  Names last;
  for (int t = 1; t < 890; ++t) {
    const Rot3 turn = Rot3::from_axis_angle({0, 0, 1}, 0.1 * t * k_pi / 180);
    const auto found = collide_fresh(&box, &box, {{0, 0, 1.999}, turn}, 0.02);
    ASSERT_EQ(found[0].count, 4);
    if (t > 1) changes += names_of(found[0]) != last;
    last = names_of(found[0]);
  }
  EXPECT_LE(changes, 4);
}

TEST(BoxBox, crossed_edges_touch_in_one_point) {
  const Box3 box{{1, 2, 1}};
  const double down = std::sqrt(2.0);  // from a middle to its edge
  const Rot3 on_edge = Rot3::from_axis_angle({0, 1, 0}, k_pi / 4);
  const Rot3 across = Rot3::from_axis_angle({0, 0, 1}, k_pi / 2) * on_edge;
  const Pose3 a{{}, on_edge}, b{{0.3, 0.2, 2 * down - 0.01}, across};
  const Pose3 pose = inverse(a) * b;
  const auto found = collide_fresh(&box, &box, pose, 0.02);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].count, 1);
  const ManifoldPoint<Dim3>& p = found[0].points[0];
  EXPECT_NEAR(p.separation, -0.01, 1e-14);
  EXPECT_NEAR(length(on_edge * found[0].normal - Vec3{0, 0, 1}), 0, 1e-14);
  EXPECT_NEAR(length(on_edge * p.point - Vec3{0, 0.2, down}), 0, 1e-14);
  EXPECT_EQ(p.features.a >> 30, 1u);
  EXPECT_EQ(p.features.b >> 30, 1u);
}

TEST(BoxBox, a_corner_on_a_face_touches_in_one_point) {
  const Box3 floor{{3, 3, 1}}, cube{{1, 1, 1}};
  const Vec3 diagonal = normalized(Vec3{1, 1, 1});
  const Rot3 on_corner = Rot3::from_axis_angle(cross(diagonal, Vec3{0, 0, 1}), std::acos(diagonal.z));
  for (const double gap : {0.005, -0.02}) {
    const auto found = collide_fresh(&floor, &cube, {{0.5, -0.5, 1 + std::sqrt(3.0) + gap}, on_corner}, 0.01);
    ASSERT_EQ(found.size(), 1u);
    ASSERT_EQ(found[0].count, 1);
    EXPECT_NEAR(found[0].points[0].separation, gap, 1e-14);
    EXPECT_NEAR(length(found[0].points[0].point - Vec3{0.5, -0.5, 1}), 0, 1e-14);
    EXPECT_EQ(found[0].points[0].features,
              (Features{feature(FeatureKind::face, 5), feature(FeatureKind::vertex, 0)}));
  }
}

// Apart, the direction may be that of two corners: no axis of faces or edges.
TEST(BoxBox, apart_are_as_far_as_their_nearest_points) {
  const Box3 box{{1, 1, 1}};
  const auto found = collide_fresh(&box, &box, {{2.3, 2.4, 2.5}, {}}, 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].points[0].separation, std::sqrt(0.09 + 0.16 + 0.25), 1e-14);
  EXPECT_NEAR(length(found[0].normal - normalized(Vec3{0.3, 0.4, 0.5})), 0, 1e-14);
  EXPECT_TRUE(collide_fresh(&box, &box, {{2.3, 2.4, 2.5}, {}}, 0.7).empty());
}

// Tilted by less than the margin shows, both edges are in the patch; by more, only the lower one.
TEST(BoxBox, tilted_touch_with_what_is_near) {
  const Box3 floor{{5, 5, 1}}, box{{1, 1, 1}};
  for (const double tilt : {0.004, 0.02}) {
    const Rot3 turn = Rot3::from_axis_angle({0, 1, 0}, tilt);
    const auto found = collide_fresh(&floor, &box, placed_along(&floor, &box, turn, {0, 0, 1}, -1e-3), 0.01);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, tilt < 0.005 ? 4 : 2);
    EXPECT_NEAR(found[0].points[0].separation, -1e-3, 1e-14);
  }
}

TEST(BoxBox, thin_slabs_lie_flat) {
  const Box3 slab{{1, 1, 1e-4}}, card{{0.5, 0.3, 1e-4}};
  Random random(2);
  for (int t = 0; t < 200; ++t) {
    const Rot3 yaw = Rot3::from_axis_angle({0, 0, 1}, samples::uniform(random, 0, 6));
    const Rot3 turn = yaw * Rot3::from_axis_angle(samples::unit3(random), 1e-7);
    const Pose3 pose{{0.1, 0.2, 1.99e-4}, turn};
    const auto found = collide_fresh(&slab, &card, pose, 1e-5);
    ASSERT_EQ(defect_of(&slab, &card, pose, 1e-5, 2, found), "");
    ASSERT_GT(found[0].normal.z, 0.999);
    ASSERT_EQ(found[0].count, 4);
  }
}

TEST(BoxBox, in_the_same_place_leave_by_the_shortest_way) {
  const Box3 box{{3, 1, 2}};
  const auto found = collide_fresh(&box, &box, {}, 0.1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].points[0].separation, -2, 1e-15);
  EXPECT_NEAR(std::abs(found[0].normal.y), 1, 1e-15);
  EXPECT_EQ(found[0].count, 4);
}

// What was remembered changes nothing but the time it takes.
TEST(BoxBox, remembered_axes_do_not_change_the_result) {
  Random random(3);
  const Box3 a{{1, 0.5, 0.7}}, b{{0.4, 0.8, 0.6}};
  PairCache<Dim3> cache;
  ManifoldList<Dim3> out;
  int apart = 0;
  Vec3 velocity = samples::vector3(random, 0.05);
  Pose3 pose{{2, 0, 0}, {}};
  for (int t = 0; t < 3000; ++t) {
    if (t % 20 == 0) velocity = samples::vector3(random, 0.05) - 0.02 * pose.position;
    pose.position += velocity;
    pose.rotation = normalized(Rot3::from_axis_angle(samples::unit3(random), 0.03) * pose.rotation);
    collide(&a, &b, pose, 0.05, cache, out);
    const auto fresh = collide_fresh(&a, &b, pose, 0.05);
    ASSERT_EQ(out.size(), fresh.size());
    apart += out.empty();
    if (out.empty()) {
      ASSERT_GT(separation_along(&a, &b, pose, cache.axis), 0.05);
      continue;
    }
    ASSERT_NEAR(out[0].points[0].separation, fresh[0].points[0].separation, 1e-12);
    ASSERT_EQ(names_of(out[0]), names_of(fresh[0]));
  }
  EXPECT_GT(apart, 200);
  EXPECT_LT(apart, 2500);
}

}  // namespace
}  // namespace cairn
