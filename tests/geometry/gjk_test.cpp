#include "geometry/gjk.h"

#include <gtest/gtest.h>

#include "geometry/core_pairs.h"

namespace cairn {
namespace {

using namespace samples;

// ------------------------------------------------------------------------------------------- cores

TEST(Core, furthest_point_is_the_one_of_all_generators) {
  Random random(1);
  for (int i = 0; i < 400; ++i) {
    const auto thing = random_thing(random, ThingKind(i % k_thing_kinds), 1, 1e-3, 0);
    std::uint32_t id = 0;
    for (int k = 0; k < 20; ++k) {
      const Vec3 d = random_direction(random), p = support(thing->core, d, id);
      EXPECT_NEAR(dot(p, d), double(thing->reach(real(d))), 1e-15) << thing->name;
    }
    EXPECT_EQ(thing->core.radius, thing->radius);
  }
}

TEST(Core, numbers_its_generators) {
  const Box3 box{{1, 2, 3}};
  const Cylinder cylinder{1, 2};
  const Cone cone{1, 2};
  const Capsule3 capsule{1, 2};
  std::uint32_t id = 0;
  EXPECT_EQ(support(core_of(Piece3(&box)), Vec3{1, -1, 1}, id), (Vec3{1, -2, 3}));
  EXPECT_EQ(id, 5u);
  EXPECT_EQ(support(core_of(Piece3(&cylinder)), Vec3{0, 1, 0.1}, id), (Vec3{0, 1, 2}));
  EXPECT_EQ(id, 1u);
  EXPECT_EQ(support(core_of(Piece3(&cone)), Vec3{0, 1, 0.1}, id), (Vec3{0, 1, -2}));
  EXPECT_EQ(id, 0u);
  EXPECT_EQ(support(core_of(Piece3(&cone)), Vec3{0, 1, 0.3}, id), (Vec3{0, 0, 2}));
  EXPECT_EQ(id, 1u);
  EXPECT_EQ(support(core_of(Piece3(&capsule)), Vec3{0, 1, -0.1}, id), (Vec3{0, 0, -2}));
  EXPECT_EQ(id, 0u);
  const Box2 box2{{1, 2}};
  EXPECT_EQ(support(core_of(Piece2(&box2)), Vec2{-1, 1}, id), (Vec2{-1, 2}));
  EXPECT_EQ(id, 2u);
}

// ---------------------------------------------------------------------------------- closed forms

Nearest<Dim3> nearest_of(const Shape3& a, const Shape3& b, const Pose3& b_in_a) {
  const auto p = thing_of(a), q = thing_of(b);
  return nearest(p->core, q->core, b_in_a, {});
}

TEST(Gjk, finds_the_distance_of_points_segments_and_boxes) {
  const Nearest<Dim3> points = nearest_of(Sphere{1}, Sphere{2}, {{3, 4, 12}});
  EXPECT_FALSE(points.overlap);
  EXPECT_NEAR(points.distance, 13, 1e-14);
  EXPECT_LE(length(points.normal - Vec3{3, 4, 12} / 13), 1e-15);
  EXPECT_LE(length(points.on_b - Vec3{3, 4, 12}), 1e-14);

  const Rot3 lying = Rot3::from_axis_angle({1, 0, 0}, k_pi / 2);
  const Nearest<Dim3> crossing = nearest_of(Capsule3{0.1, 1}, Capsule3{0.1, 1}, {{2, 0.3, 0.4}, lying});
  EXPECT_NEAR(crossing.distance, 2, 1e-15);
  EXPECT_LE(length(crossing.on_a - Vec3{0, 0, 0.4}), 1e-14);
  EXPECT_LE(length(crossing.on_b - Vec3{2, 0, 0.4}), 1e-14);

  const Nearest<Dim3> faces = nearest_of(Box3{{1, 1, 1}}, Box3{{1, 1, 1}}, {{0.3, 0.2, 2.5}});
  EXPECT_NEAR(faces.distance, 0.5, 1e-15);
  EXPECT_LE(length(faces.normal - Vec3{0, 0, 1}), 1e-15);
  const Nearest<Dim3> edges = nearest_of(Box3{{1, 1, 1}}, Box3{{1, 1, 1}}, {{0.3, 5, 6}});
  EXPECT_NEAR(edges.distance, 5, 1e-14);
  EXPECT_LE(length(edges.normal - Vec3{0, 0.6, 0.8}), 1e-15);
  const Nearest<Dim3> corners = nearest_of(Box3{{1, 1, 1}}, Box3{{1, 1, 1}}, {{5, 6, 14}});
  EXPECT_NEAR(corners.distance, 13, 1e-14);
  EXPECT_LE(length(corners.on_a - Vec3{1, 1, 1}), 1e-14);
  EXPECT_LE(length(corners.on_b - Vec3{4, 5, 13}), 1e-14);
}

TEST(Gjk, finds_the_distance_of_cylinders_and_cones) {
  const Cylinder cylinder{1, 2};
  EXPECT_NEAR(nearest_of(cylinder, Sphere{}, {{3, 4, 1}}).distance, 4, 1e-14);      // side
  EXPECT_NEAR(nearest_of(cylinder, Sphere{}, {{0.3, 0.4, 3}}).distance, 1, 1e-14);  // cap
  EXPECT_NEAR(nearest_of(cylinder, Sphere{}, {{2.4, 3.2, 6}}).distance, 5, 1e-14);  // rim
  const Rot3 lying = Rot3::from_axis_angle({1, 0, 0}, k_pi / 2);
  EXPECT_NEAR(nearest_of(cylinder, cylinder, {{5, 0.5, 0.5}, lying}).distance, 3, 1e-14);  // sides that cross
  EXPECT_NEAR(nearest_of(cylinder, cylinder, {{1.2, 0.7, 5}}).distance, 1, 1e-14);         // caps
  EXPECT_NEAR(nearest_of(cylinder, cylinder, {{4, 3, 8}}).distance, 5, 1e-14);             // rims, (3, 4)
  // The side of a cone that is as wide as high slopes by 2 : 1; (2, 1)/√5 is its normal.
  const Cone cone{1, 1};
  const Vec3 normal = Vec3{2, 0, 1} / std::sqrt(5), on_side{0.5, 0, 0};
  const Nearest<Dim3> side = nearest_of(cone, Sphere{}, {on_side + 3 * normal});
  EXPECT_NEAR(side.distance, 3, 1e-14);
  EXPECT_LE(length(side.normal - normal), 1e-14);
  EXPECT_LE(length(side.on_a - on_side), 1e-14);
  EXPECT_NEAR(nearest_of(cone, Sphere{}, {{0, 1, 4}}).distance, std::sqrt(10), 1e-14);  // apex
  EXPECT_NEAR(nearest_of(cone, Sphere{}, {{0.3, 0.4, -3}}).distance, 2, 1e-14);         // base
}

// -------------------------------------------------------------------------------------- optimality

// Two points of the cores at the distance d, and an axis that separates them by d, prove each other optimal. The points
// are checked by the solids' own equations, the axis by the judge.
void expect_optimal(const ConvexThing& a, const ConvexThing& b, const Pose3& pose, const Nearest<Dim3>& found,
                    double tolerance) {
  const double size = std::max(a.size, b.size);
  const double separation = judged_separation(a, b, pose, found.normal);
  ASSERT_FALSE(found.overlap) << a.name << " " << b.name << " separated by " << separation / size;
  EXPECT_NEAR(length(found.normal), 1, 1e-15);
  EXPECT_NEAR(found.distance, separation, tolerance * size);
  EXPECT_LE(length(found.on_b - found.on_a) - separation, tolerance * size) << a.name << " " << b.name;
  const auto outside = [](const ConvexThing& thing, const Vec3& p) {
    if (thing.name == "triangle" || thing.radius > 0 || thing.points.size() > 20) return 0.0;
    return solid_of(thing.shape).outside_by(p);
  };
  EXPECT_LE(outside(a, found.on_a), 1e-11 * size) << a.name;
  EXPECT_LE(outside(b, to_local(pose, found.on_b)), 1e-11 * size) << b.name;
}

struct Pair {
  std::unique_ptr<ConvexThing> a, b;
  Pose3 pose;
};
// Both of random kinds, at a distance of about `gap` times their size, found by shifting b along the axis of nearest().
Pair random_pair(Random& random, int i, double gap) {
  const double size = power_of_ten(random, -3, 3), thinnest = uniform(random, 0, 1) < 0.3 ? 1e-4 : 1;
  const double far = uniform(random, 0, 1) < 0.2 ? 1000 * size : 0;
  const double size_b = size * (uniform(random, 0, 1) < 0.2 ? power_of_ten(random, -2, 2) : 1);
  Pair pair{random_thing(random, ThingKind(i % k_thing_kinds), size, thinnest, far),
            random_thing(random, ThingKind(i / k_thing_kinds % k_thing_kinds), size_b, thinnest, far),
            {}};
  const double largest = std::max(size, size_b);
  pair.pose.rotation = random_turn(random);
  pair.pose.position =
      pair.a->core.middle - pair.pose.rotation * pair.b->core.middle + 6 * largest * random_direction(random);
  for (int k = 0; k < 2; ++k) {
    const Nearest<Dim3> found = nearest(pair.a->core, pair.b->core, pair.pose, {});
    pair.pose.position -= (found.distance - gap * largest) * found.normal;
  }
  return pair;
}

TEST(Gjk, is_optimal_for_every_pair_of_kinds) {
  Random random(2);
  for (int i = 0; i < 1280; ++i) {
    const Pair p = random_pair(random, i, power_of_ten(random, -10, 0.5));
    const Vec3 guess = i % 2 ? Vec3{} : vector3(random, 1);
    expect_optimal(*p.a, *p.b, p.pose, nearest(p.a->core, p.b->core, p.pose, guess), 1e-9);
  }
}
TEST(Gjk, is_optimal_for_every_pair_of_kinds_long) {
  Random random(3);
  int most = 0, sharp_most = 0;
  double sharp_worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const Pair p = random_pair(random, i, power_of_ten(random, -10, 0.5));
    const Nearest<Dim3> found = nearest(p.a->core, p.b->core, p.pose, {});
    expect_optimal(*p.a, *p.b, p.pose, found, 1e-9);
    most = std::max(most, found.iterations);
    if (p.a->core.is_curved() || p.b->core.is_curved()) continue;
    sharp_most = std::max(sharp_most, found.iterations);
    const double size = std::max(p.a->size, p.b->size);
    sharp_worst =
        std::max(sharp_worst, (found.distance - judged_separation(*p.a, *p.b, p.pose, found.normal)) / size);
  }
  EXPECT_LE(sharp_worst, 1e-12);
  EXPECT_LE(sharp_most, 40);
  EXPECT_LE(most, 250);
}

// --------------------------------------------------------------------------------------- overlaps

TEST(Gjk, finds_a_common_point_of_cores_that_overlap) {
  Random random(4);
  int overlaps = 0;
  for (int i = 0; i < 2000; ++i) {
    const double size = power_of_ten(random, -3, 3);
    const auto kind = [&] { return ThingKind(int(uniform(random, 2, k_thing_kinds))); };
    const auto a = random_thing(random, kind(), size, 1, 0), b = random_thing(random, kind(), size, 1, 0);
    const Pose3 pose{vector3(random, 0.5 * size), random_turn(random)};
    const Nearest<Dim3> found = nearest(a->core, b->core, pose, {});
    if (!found.overlap) {
      expect_optimal(*a, *b, pose, found, 1e-9);
      continue;
    }
    ++overlaps;
    EXPECT_EQ(found.distance, 0);
    EXPECT_LE(length(found.on_a - found.on_b), 1e-12 * size);
    if (a->name != "triangle" && a->points.size() < 20) {
      EXPECT_LE(solid_of(a->shape).outside_by(found.on_a), 1e-12 * size);
    }
    if (b->name != "triangle" && b->points.size() < 20) {
      EXPECT_LE(solid_of(b->shape).outside_by(to_local(pose, found.on_b)), 1e-12 * size);
    }
  }
  EXPECT_GE(overlaps, 1000);
}

TEST(Gjk, ends_for_degenerate_cores) {
  const auto point = thing_of(Sphere{1}), box = thing_of(Box3{});
  const Core3 needle{.kind = CoreKind::segment};  // of no length
  EXPECT_TRUE(nearest(point->core, point->core, {}, {}).overlap);
  EXPECT_TRUE(nearest(needle, needle, {}, {}).overlap);
  EXPECT_TRUE(nearest(box->core, box->core, {}, {}).overlap);
  EXPECT_NEAR(nearest(needle, box->core, {{0, 3, 0}}, {}).distance, 2.5, 1e-15);
  const std::array<Vec3, 3> flat{Vec3{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
      speck{Vec3{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  EXPECT_NEAR(nearest(core_of_triangle(&flat), point->core, {{1.5, 2, 0}}, {}).distance, 2, 1e-15);
  EXPECT_NEAR(nearest(core_of_triangle(&speck), box->core, {}, {}).distance, std::sqrt(0.75), 1e-15);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_LE(nearest(box->core, box->core, {{nan, 0, 0}}, {}).iterations, 200);
}

TEST(Gjk, tells_touching_from_apart) {
  const auto box = thing_of(Box3{{1, 1, 1}});
  for (const Vec3 at : {Vec3{0.3, 0.4, 2}, Vec3{0, 2, 2}, Vec3{2, 2, 2}, Vec3{0, 0, 2}}) {
    const Nearest<Dim3> touching = nearest(box->core, box->core, {at}, {});
    EXPECT_LE(touching.distance, 1e-15);
    const Nearest<Dim3> apart = nearest(box->core, box->core, {at + Vec3{0, 0, 1e-12}}, {});
    EXPECT_FALSE(apart.overlap);
    EXPECT_NEAR(apart.distance, 1e-12, 1e-15);
    EXPECT_TRUE(nearest(box->core, box->core, {at - Vec3{1e-9, 1e-9, 1e-9}}, {}).overlap);
  }
}

// ---------------------------------------------------------------------------------------- the plane

double reach_of(const Core2& core, const std::vector<Vec2>& points, const Vec2& n) {
  double most = -1e300;
  for (const Vec2& p : points) most = std::max(most, dot(n, p - core.middle));
  return most;
}

TEST(Gjk, is_optimal_in_the_plane) {
  Random random(5);
  int apart = 0, overlaps = 0;
  for (int i = 0; i < 20000; ++i) {
    const double size = power_of_ten(random, -3, 3);
    std::vector<Shape2> shapes = convex_solids2(random, size);
    shapes.push_back(Segment{vector2(random, size), vector2(random, size)});
    const auto corners = [](const Shape2& shape) -> std::vector<Vec2> {
      if (const auto* b = std::get_if<Box2>(&shape))
        return {b->half, -b->half, {b->half.x, -b->half.y}, {-b->half.x, b->half.y}};
      if (const auto* c = std::get_if<Capsule2>(&shape)) return {{0, c->half_length}, {0, -c->half_length}};
      if (const auto* p = std::get_if<Polygon>(&shape)) return p->points;
      if (const auto* s = std::get_if<Segment>(&shape)) return {s->a, s->b};
      return {{}};
    };
    const Shape2 &a = shapes[i % 5], &b = shapes[i / 5 % 5];
    const Geometry2 built_a = build(a), built_b = build(b);
    const Core2 core_a = core_of(pieces_of(built_a)[0].piece), core_b = core_of(pieces_of(built_b)[0].piece);
    Pose2 pose{vector2(random, 2 * size), uniform(random, 0, 1) < 0.5 ? rotation2(random) : Rot2{}};
    Nearest<Dim2> found = nearest(core_a, core_b, pose, {});
    if (!found.overlap) {  // as close as that, and again
      pose.position -= (found.distance - size * power_of_ten(random, -10, 0)) * found.normal;
      found = nearest(core_a, core_b, pose, i % 2 ? found.normal : Vec2{});
    }
    if (found.overlap) {
      ++overlaps;
      EXPECT_LE(length(found.on_a - found.on_b), 1e-12 * size);
      continue;
    }
    ++apart;
    const Vec2 n = found.normal, in_b = inverse(pose.rotation) * n;
    const double separation = dot(n, pose.position + pose.rotation * core_b.middle - core_a.middle) -
                              reach_of(core_a, corners(a), n) - reach_of(core_b, corners(b), -in_b);
    EXPECT_NEAR(found.distance, separation, 1e-14 * size);
    EXPECT_NEAR(separation_along(core_a, core_b, pose, n), separation, 1e-14 * size);
    EXPECT_LE(length(found.on_b - found.on_a) - separation, 1e-13 * size);
    EXPECT_LE(found.iterations, 30);
  }
  EXPECT_GE(apart, 8000);
  EXPECT_GE(overlaps, 2000);
}

}  // namespace
}  // namespace cairn
