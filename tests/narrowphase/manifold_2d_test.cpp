// Contacts of the plane with answers known in closed form.
#include <gtest/gtest.h>

#include <algorithm>

#include "narrowphase/slow_planar.h"

namespace cairn {
namespace {

using planar_test::Built;
using planar_test::manifolds;

Pose2 at(double x, double y, double angle = 0) { return {{x, y}, Rot2::from_angle(angle)}; }

void expect_near(const Vec2& got, const Vec2& expected, double tolerance = 1e-14) {
  EXPECT_NEAR(got.x, expected.x, tolerance);
  EXPECT_NEAR(got.y, expected.y, tolerance);
}

constexpr std::uint32_t vertex(std::size_t i) { return feature(FeatureKind::vertex, i); }
constexpr std::uint32_t edge(std::size_t i) { return feature(FeatureKind::edge, i); }
constexpr std::uint32_t surface() { return feature(FeatureKind::surface, 0); }

std::vector<Features> names(const Manifold<Dim2>& m) {
  std::vector<Features> list;
  for (int i = 0; i < m.count; ++i) list.push_back(m.points[i].features);
  std::sort(list.begin(), list.end());
  return list;
}

TEST(Manifold2, circles_meet_on_the_line_of_centres) {
  const auto list = manifolds(Circle{2}, Circle{1}, at(3, 4, 1), 5);
  ASSERT_EQ(list.size(), 1u);
  expect_near(list[0].normal, {0.6, 0.8});
  EXPECT_EQ(list[0].count, 1);
  EXPECT_NEAR(list[0].points[0].separation, 2, 1e-15);
  expect_near(list[0].points[0].point, {1.2, 1.6});
  EXPECT_TRUE(manifolds(Circle{2}, Circle{1}, at(3, 4), 1.999).empty());
  const auto concentric = manifolds(Circle{2}, Circle{1}, at(0, 0), 0);
  ASSERT_EQ(concentric.size(), 1u);
  EXPECT_EQ(length(concentric[0].normal), 1);
  EXPECT_EQ(concentric[0].points[0].separation, -3);
}

TEST(Manifold2, circle_in_each_region_of_a_box) {
  const Box2 box{{2, 1}};
  const auto above = manifolds(box, Circle{0.5}, at(1, 1.4), 0);
  ASSERT_EQ(above.size(), 1u);
  expect_near(above[0].normal, {0, 1});
  expect_near(above[0].points[0].point, {1, 1});
  EXPECT_NEAR(above[0].points[0].separation, -0.1, 1e-15);
  EXPECT_EQ(above[0].points[0].features, (Features{edge(2), surface()}));
  const auto corner = manifolds(box, Circle{0.5}, at(2.3, 1.4), 0.1);
  ASSERT_EQ(corner.size(), 1u);
  expect_near(corner[0].normal, {0.6, 0.8});
  expect_near(corner[0].points[0].point, {2, 1});
  EXPECT_NEAR(corner[0].points[0].separation, 0, 1e-15);
  EXPECT_EQ(corner[0].points[0].features, (Features{vertex(2), surface()}));
  const auto inside = manifolds(box, Circle{0.5}, at(1.8, 0.1), 0);  // the way out is to the right
  ASSERT_EQ(inside.size(), 1u);
  expect_near(inside[0].normal, {1, 0});
  expect_near(inside[0].points[0].point, {2, 0.1});
  EXPECT_NEAR(inside[0].points[0].separation, -0.7, 1e-15);
  const auto turned = manifolds(Circle{0.5}, box, at(0, -1.4, 0), 0);  // the circle as a
  ASSERT_EQ(turned.size(), 1u);
  expect_near(turned[0].normal, {0, -1});
  expect_near(turned[0].points[0].point, {0, -0.5});
  EXPECT_NEAR(turned[0].points[0].separation, -0.1, 1e-15);
}

TEST(Manifold2, circle_and_capsule) {
  const Capsule2 capsule{0.5, 1};
  const auto flank = manifolds(capsule, Circle{0.25}, at(0.8, 0.3), 0.1);
  ASSERT_EQ(flank.size(), 1u);
  expect_near(flank[0].normal, {1, 0});
  expect_near(flank[0].points[0].point, {0.5, 0.3});
  EXPECT_NEAR(flank[0].points[0].separation, 0.05, 1e-15);
  const auto end = manifolds(capsule, Circle{0.25}, at(0.3, 1.4), 0);
  ASSERT_EQ(end.size(), 1u);
  expect_near(end[0].normal, {0.6, 0.8});
  EXPECT_NEAR(end[0].points[0].separation, -0.25, 1e-15);
  EXPECT_EQ(end[0].points[0].features, (Features{vertex(1), surface()}));
}

TEST(Manifold2, resting_box_has_two_points) {
  const Box2 ground{{10, 1}}, box{{0.5, 0.5}};
  for (const double depth : {-0.01, 0.0, 0.01}) {
    const auto list = manifolds(ground, box, at(3, 1.5 - depth), 0.02);
    ASSERT_EQ(list.size(), 1u);
    const Manifold<Dim2>& m = list[0];
    expect_near(m.normal, {0, 1});
    ASSERT_EQ(m.count, 2);
    const double first = m.points[0].point.x;
    expect_near(m.points[0].point, {first, 1});
    expect_near(m.points[1].point, {6 - first, 1});
    EXPECT_NEAR(absolute(first - 3), 0.5, 1e-14);
    EXPECT_NEAR(m.points[0].separation, -depth, 1e-14);
    EXPECT_NEAR(m.points[1].separation, -depth, 1e-14);
    EXPECT_EQ(names(m), (std::vector<Features>{{edge(2), vertex(0)}, {edge(2), vertex(1)}}));
  }
}

// A box that hangs over the end of another: one point is a corner of a, the other one of b.
TEST(Manifold2, overhanging_box_is_clipped) {
  const auto list = manifolds(Box2{{1, 1}}, Box2{{1, 1}}, at(0.75, 2), 0.01);
  ASSERT_EQ(list.size(), 1u);
  ASSERT_EQ(list[0].count, 2);
  EXPECT_EQ(names(list[0]), (std::vector<Features>{{vertex(2), edge(0)}, {edge(2), vertex(0)}}));
  EXPECT_NEAR(absolute(list[0].points[0].point.x - list[0].points[1].point.x), 1.25, 1e-14);
}

TEST(Manifold2, capsules_side_by_side_have_two_points) {
  const auto list = manifolds(Capsule2{0.5, 2}, Capsule2{0.25, 1}, at(0.7, 0.5), 0.1);
  ASSERT_EQ(list.size(), 1u);
  ASSERT_EQ(list[0].count, 2);
  expect_near(list[0].normal, {1, 0});
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(list[0].points[i].separation, -0.05, 1e-15);
    EXPECT_NEAR(list[0].points[i].point.x, 0.5, 1e-15);
    EXPECT_NEAR(absolute(list[0].points[i].point.y - 0.5), 1, 1e-14);
  }
  const auto crossed = manifolds(Capsule2{0.5, 2}, Capsule2{0.25, 1}, at(0, 0, k_pi / 2), 0);
  ASSERT_EQ(crossed.size(), 1u);  // out sideways, by the shorter one's length
  EXPECT_NEAR(crossed[0].points[0].separation, -1.75, 1e-14);
  EXPECT_NEAR(absolute(crossed[0].normal.x), 1, 1e-14);
}

TEST(Manifold2, segments_that_cross_or_touch_have_a_sane_normal) {
  const Segment wall{{-1, 0}, {1, 0}};
  const auto crossed = manifolds(wall, Segment{{0, -0.1}, {0, 1}}, at(0.25, 0), 0);
  ASSERT_EQ(crossed.size(), 1u);
  expect_near(crossed[0].normal, {0, 1});
  EXPECT_NEAR(crossed[0].points[0].separation, -0.1, 1e-15);
  const auto end_on = manifolds(wall, wall, at(2.5, 0), 1);
  ASSERT_EQ(end_on.size(), 1u);
  expect_near(end_on[0].normal, {1, 0});
  EXPECT_NEAR(end_on[0].points[0].separation, 0.5, 1e-15);
  expect_near(end_on[0].points[0].point, {1, 0});
  const auto same = manifolds(wall, wall, at(0, 0), 0);
  ASSERT_EQ(same.size(), 1u);
  EXPECT_EQ(same[0].points[0].separation, 0);
  EXPECT_EQ(absolute(same[0].normal.y), 1);
  const auto tee = manifolds(wall, Segment{{0, 0}, {0, 1}}, at(0, 0), 0);
  ASSERT_EQ(tee.size(), 1u);
  EXPECT_EQ(tee[0].points[0].separation, 0);
  EXPECT_EQ(tee[0].normal, (Vec2{0, 1}));
  EXPECT_TRUE(manifolds(wall, Segment{{0, 0.01}, {0, 1}}, at(0, 0), 0.005).empty());
}

// Segments on one line, apart: the gap is along the line, though across it they are not apart at all.
TEST(Manifold2, segments_on_one_line_are_apart_along_it) {
  const Segment a{{-0.00095770129174213244, 0.00020126978794042421},
                  {4.2298708257867523e-05, 0.00020126978794042421}};
  const Segment b{{0.49127486674321819, -0.093000028529206372}, {-0.49127486674321819, 0.093000028529206372}};
  const Pose2 pose{{0.67739528115046377, 0.00020126978794043809}, {0.98254973348643648, 0.18600005705841277}};
  EXPECT_TRUE(manifolds(a, b, pose, 1e-6).empty());
  EXPECT_TRUE(manifolds(b, a, inverse(pose), 1e-6).empty());
  const auto list = manifolds(a, b, pose, 1);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].points[0].separation, 0.1773529824422059, 1e-15);
  expect_near(list[0].normal, {1, 0});
}

// End to end on one line, touching: no corner further along the line may stand for the one that touches.
TEST(Manifold2, a_segment_and_a_capsule_end_to_end) {
  const Segment a{{-0.53580736310312416, -0.67230368260160867}, {-0.6296758855524911, -0.74058656294762626}};
  const Capsule2 b{0.20775349078795743, 0.35887464061536012};
  const Pose2 pose{{-0.24559435274750263, -0.46119372002965475}, {-0.58825544822550002, 0.8086751681812766}};
  const auto list = manifolds(a, b, pose, 0);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].points[0].separation, -b.radius, 1e-15);
}

// A corner straight behind the nearest one, as seen from a: it separates as well, but the points would not meet.
TEST(Manifold2, a_capsule_end_on_meets_with_its_near_end) {
  const Box2 a{{0.070032391847722128, 0.5}};
  const Capsule2 b{266.40864368436377, 0.26640864368436379};
  const Pose2 pose{{100.58267435173994, -247.50709506889604}, {-0.92624747951690722, -0.37691591461302953}};
  const auto list = manifolds(a, b, pose, 0);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].points[0].separation, -0.00053871991593776314, 1e-12);
  expect_near(list[0].points[0].point, {a.half.x, -a.half.y}, 1e-12);
  expect_near(list[0].normal, {0.3769113117474302, -0.92624935253787433}, 1e-14);
}

// A box that rocks and slides on another keeps the names of its points, whichever box gives the normal.
TEST(Manifold2, features_stay_while_the_reference_changes) {
  const Box2 ground{{10, 1}}, box{{0.5, 0.5}};
  const std::vector<Features> expected{{edge(2), vertex(0)}, {edge(2), vertex(1)}};
  std::vector<Features> mirrored;
  for (const Features& f : expected) mirrored.push_back({f.b, f.a});
  std::sort(mirrored.begin(), mirrored.end());
  for (int i = -200; i <= 200; ++i) {
    const Pose2 pose = at(0.01 * i, 1.499, 1e-5 * i);
    const auto list = manifolds(ground, box, pose, 0.02),
               swapped = manifolds(box, ground, inverse(pose), 0.02);
    ASSERT_EQ(list.size(), 1u);
    ASSERT_EQ(swapped.size(), 1u);
    EXPECT_EQ(names(list[0]), expected) << i;
    EXPECT_EQ(names(swapped[0]), mirrored) << i;
  }
}

// Boxes of one width, stacked with round-off: corners above corners, always under one name.
TEST(Manifold2, features_stay_in_an_aligned_stack) {
  const Box2 box{{0.5, 0.5}};
  const std::vector<Features> expected{{vertex(2), vertex(1)}, {vertex(3), vertex(0)}};
  for (int i = -50; i <= 50; ++i) {
    const auto list = manifolds(box, box, at(1e-12 * i, 0.9999, 1e-13 * (i % 7)), 0.02);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(names(list[0]), expected) << i;
  }
}

TEST(Manifold2, a_cached_axis_changes_nothing) {
  const Built a(Box2{{1, 1}}), b(Polygon{{{-1, -1}, {1.5, -0.5}, {0, 1}}});
  PairCache<Dim2> cache;
  ManifoldList<Dim2> warm, fresh;
  int touching = 0;
  for (int i = 0; i < 8000; ++i) {  // flies through, turning
    const Pose2 pose = at(4 - 0.001 * i, 0.3, 0.0015 * i);
    PairCache<Dim2> empty;
    collide(a.piece(), b.piece(), pose, 0.05, cache, warm);
    collide(a.piece(), b.piece(), pose, 0.05, empty, fresh);
    ASSERT_EQ(warm.size(), fresh.size()) << i;
    if (warm.empty()) continue;
    ++touching;
    EXPECT_EQ(warm[0].normal, fresh[0].normal);
    EXPECT_EQ(warm[0].points[0].separation, fresh[0].points[0].separation);
  }
  EXPECT_GT(touching, 1000);
  EXPECT_LT(touching, 7000);
}

// So short and so far away that, placed, both its ends are one point. Found by fuzzing: the separation was not a number.
TEST(Manifold2, a_segment_shorter_than_the_rounding_of_its_place) {
  const Box2 box{{2968.75, 0.0296875}};
  const Segment segment{{-1.749999999999998, -1.75}, {-1.7500000000000109, -1.75}};
  const Pose2 pose{{-5072.0391206393861, -871.11773361010728}, {-0.70710678118654757, -0.70710678118654757}};
  const Vec2 corner{-2968.75, -0.0296875}, away = to_world(pose, segment.a) - corner;
  const auto list = manifolds(box, segment, pose, 3000);
  ASSERT_EQ(list.size(), 1u);
  expect_near(list[0].normal, normalized(away), 1e-12);
  for (int i = 0; i < list[0].count; ++i) {
    EXPECT_NEAR(list[0].points[i].separation, length(away), 1e-9);
    expect_near(list[0].points[i].point, corner, 1e-9);
  }
}

// Many corners: the supporting corner is found by walking.
TEST(Manifold2, polygons_with_many_corners) {
  std::vector<Vec2> points;
  for (int i = 0; i < 1000; ++i) {
    const auto [sine, cosine] = portable::sin_cos(2 * k_pi * i / 1000);
    points.push_back({3 * cosine, 2 * sine});
  }
  const Polygon ellipse{points};
  const planar_test::Body a = planar_test::body_of(ellipse, {});
  planar_test::Random random(5);
  const Built built(ellipse);
  for (int i = 0; i < 30; ++i) {
    const double x = planar_test::uniform(random, -6, 6), y = planar_test::uniform(random, -4, 4);
    const Pose2 pose = at(x, y, planar_test::uniform(random, -3, 3));
    PairCache<Dim2> cache;
    ManifoldList<Dim2> list;
    collide(built.piece(), built.piece(), pose, 10, cache, list);
    ASSERT_EQ(list.size(), 1u);
    const planar_test::Body b = planar_test::body_of(ellipse, pose);
    const double claimed = double(planar_test::separation_along(a, b, planar_test::wide(list[0].normal)));
    EXPECT_NEAR(claimed, list[0].points[0].separation, 1e-13);
    // No edge normal of either is better.
    double best = -1e9;
    for (std::size_t k = 0; k < 1000; ++k) {
      const Vec2 n = std::get<ConvexPolygon>(built.geometry.form).normals[k], m = -(pose.rotation * n);
      best = std::max({best, double(planar_test::separation_along(a, b, planar_test::wide(n))),
                       double(planar_test::separation_along(a, b, planar_test::wide(m)))});
    }
    EXPECT_GT(claimed, best - 1e-11);
  }
}

}  // namespace
}  // namespace cairn
