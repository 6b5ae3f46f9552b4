#include "geometry/time_of_impact.h"

#include <gtest/gtest.h>

#include "geometry/closest_points.h"
#include "geometry/core_pairs.h"
#include "geometry/gjk.h"

namespace cairn {
namespace {

using namespace samples;
using Sweep2 = Sweep<Dim2>;
using Sweep3 = Sweep<Dim3>;

Impact<Dim3> impact_of(const Shape3& a, const Sweep3& sweep_a, const Shape3& b, const Sweep3& sweep_b,
                       double target) {
  const Geometry3 built_a = build(a), built_b = build(b);
  return time_of_impact(pieces_of(built_a)[0].piece, {}, sweep_a, pieces_of(built_b)[0].piece, {}, sweep_b,
                        target);
}
Impact<Dim2> impact_of(const Shape2& a, const Sweep2& sweep_a, const Shape2& b, const Sweep2& sweep_b,
                       double target) {
  const Geometry2 built_a = build(a), built_b = build(b);
  return time_of_impact(pieces_of(built_a)[0].piece, {}, sweep_a, pieces_of(built_b)[0].piece, {}, sweep_b,
                        target);
}

// Hit when the gap that was closed at a constant speed is between 0 and 1.25 × target.
template <class D>
void expect_hit_after(const Impact<D>& impact, double gap, double speed, double target) {
  EXPECT_EQ(impact.status, ImpactStatus::hit);
  EXPECT_LT(impact.time, gap / speed);
  EXPECT_GE(impact.time, (gap - 1.25 * target) / speed - 1e-12);
  EXPECT_GT(impact.distance, 0);
  EXPECT_LE(impact.distance, 1.25 * target);
}

// ------------------------------------------------------------------------------------ closed forms

TEST(TimeOfImpact, of_pieces_that_do_not_turn) {
  const double target = 1e-4;
  const Sweep3 still{}, right{{-5, 0.1, 0.2}, {}, {20, 0, 0}, {}};
  const Impact<Dim3> ball = impact_of(Sphere{0.5}, right, Box3{{1, 1, 1}}, still, target);
  expect_hit_after(ball, 3.5, 20, target);
  EXPECT_LE(length(ball.normal - Vec3{1, 0, 0}), 1e-12);
  EXPECT_LE(length(ball.point - Vec3{0.5, 0, 0}), 1e-12);  // on its surface, from its centre
  expect_hit_after(impact_of(Box3{{1, 1, 1}}, right, Box3{{1, 1, 1}}, still, target), 3, 20, target);
  expect_hit_after(impact_of(Cylinder{1, 1}, right, Plane{{-1, 0, 0}, 0}, still, target), 4, 20, target);
  const Sweep3 left{{5, 0, 0}, {}, {-10, 0, 0}, {}};  // both move
  expect_hit_after(impact_of(Cylinder{1, 1}, left, Sphere{0.5}, right, target),
                   10 - std::sqrt(1.5 * 1.5 - 0.01), 30, 1.01 * target);
  EXPECT_EQ(impact_of(Sphere{0.5}, right, Sphere{0.5}, {{0, 2, 0}}, target).status, ImpactStatus::separated);
  EXPECT_EQ(impact_of(Sphere{0.5}, right, Box3{{1, 1, 1}}, {{20, 0, 0}}, target).status,
            ImpactStatus::separated);
}

TEST(TimeOfImpact, reports_the_surface_that_was_hit_either_way_round) {
  const Sweep3 still{}, down{{0.3, 0.4, 5}, {}, {0, 0, -10}, {}};
  const Impact<Dim3> first = impact_of(Sphere{0.5}, down, Plane{{0, 0, 1}, 1}, still, 1e-3);
  const Impact<Dim3> second = impact_of(Plane{{0, 0, 1}, 1}, still, Sphere{0.5}, down, 1e-3);
  EXPECT_EQ(first.time, second.time);
  EXPECT_LE(length(first.normal - Vec3{0, 0, -1}), 1e-15);
  EXPECT_LE(length(second.normal - Vec3{0, 0, 1}), 1e-15);
  EXPECT_LE(length(first.point - Vec3{0, 0, -0.5}), 1e-14);
  EXPECT_LE(length(second.point - Vec3{0.3, 0.4, 1}), 1e-14);
}

// A rod that turns about its middle reaches a ball at a known angle.
TEST(TimeOfImpact, of_a_rod_that_turns) {
  const double target = 1e-5, reach = 1.5, radius = 0.1;
  for (const double turn : {2.0, 20.0, 1000.0}) {
    const Sweep3 turning{{}, Rot3::from_axis_angle({0, 1, 0}, k_pi / 2), {}, {0, 0, turn}};  // along x, to y
    const Impact<Dim3> impact =
        impact_of(Capsule3{radius, 2}, turning, Sphere{radius}, {{0, reach, 0}}, target);
    const double angle = k_pi / 2 - std::asin(2 * radius / reach);
    EXPECT_EQ(impact.status, ImpactStatus::hit);
    EXPECT_NEAR(impact.time * turn, angle, 1e-4);
    EXPECT_LT(impact.time * turn, angle);
    EXPECT_LE(impact.iterations, 20);
    const Impact<Dim2> flat =
        impact_of(Capsule2{radius, 2}, Sweep2{{}, Rot2::from_angle(-k_pi / 2), {}, turn}, Circle{radius},
                  {{0, reach}}, target);
    EXPECT_NEAR(flat.time * turn, angle, 1e-4);
    EXPECT_LT(flat.time * turn, angle);
  }
}

// A rod that turns once and meets a small surface after a quarter: the boxes around it at the start, half-way and at the end
// do not show it.
// And the other way round, a surface that turns and meets a ball.
TEST(TimeOfImpact, of_surfaces_met_on_the_way_round) {
  const double target = 1e-5, radius = 0.1, reach = 1.5;
  const double angle = k_pi / 2 - std::asin((radius + 0.01) / reach);  // about, for a post of ±0.01
  const Mesh post = transformed({{0, reach, 0}}, box_mesh({0.01, 0.01, 0.5}));
  const Sweep3 turning{{}, Rot3::from_axis_angle({0, 1, 0}, k_pi / 2), {}, {0, 0, 2 * k_pi}};
  const Impact<Dim3> rod = impact_of(Capsule3{radius, 2}, turning, post, {}, target);
  EXPECT_EQ(rod.status, ImpactStatus::hit);
  EXPECT_NEAR(rod.time * 2 * k_pi, angle, 0.01);
  const Chain fence{{{-0.01, reach}, {0.01, reach}}};
  const Impact<Dim2> flat = impact_of(
      Capsule2{radius, 2}, Sweep2{{}, Rot2::from_angle(-k_pi / 2), {}, 2 * k_pi}, fence, {}, target);
  EXPECT_EQ(flat.status, ImpactStatus::hit);
  EXPECT_NEAR(flat.time * 2 * k_pi, angle, 0.01);
  for (double after = 0.2; after < 6; after += 0.1) {  // [rad] the ball stands this far round from the post
    const Vec3 ball{reach * std::sin(after), reach * std::cos(after), 0};
    const Impact<Dim3> carousel =
        impact_of(Sphere{radius}, {ball}, post, {{}, {}, {}, {0, 0, -2 * k_pi}}, target);
    EXPECT_EQ(carousel.status, ImpactStatus::hit);
    EXPECT_NEAR(carousel.time * 2 * k_pi, after - (k_pi / 2 - angle), 0.01);
  }
  EXPECT_EQ(impact_of(Sphere{radius}, {{reach, 0, 0}}, post, {{}, {}, {}, {0, 0, k_pi}}, target).status,
            ImpactStatus::separated);
}

TEST(TimeOfImpact, is_not_misled_by_spin) {
  const double target = 1e-4;
  const Vec3 slide{50, 0, 0};
  const Box3 wall{{100, 100, 0.5}};
  const auto near_wall = [&](const Shape3& shape, double gap, const Vec3& turn) {
    return impact_of(shape, {{0, 0, 0.5 + gap}, {}, slide, turn}, wall, {}, target);
  };
  // A wheel that slides along and spins about its own axis, lying and upright.
  EXPECT_EQ(near_wall(Cylinder{1, 0.2}, 0.201, {0, 0, 1000}).status, ImpactStatus::separated);
  EXPECT_LE(near_wall(Cylinder{1, 0.2}, 0.201, {0, 0, 1000}).iterations, 3);
  EXPECT_EQ(near_wall(Sphere{1}, 1.001, {300, 400, 1000}).status, ImpactStatus::separated);
  EXPECT_LE(near_wall(Sphere{1}, 1.001, {300, 400, 1000}).iterations, 3);
  // A cube whose corners reach √3 and, about x, √2.
  EXPECT_EQ(near_wall(Box3{{1, 1, 1}}, 1.8, {300, 400, 1000}).status, ImpactStatus::separated);
  EXPECT_EQ(near_wall(Box3{{1, 1, 1}}, 1.42, {1000, 0, 0}).status, ImpactStatus::separated);
  EXPECT_LE(near_wall(Box3{{1, 1, 1}}, 1.42, {1000, 0, 0}).iterations, 3);
  const Impact<Dim3> hit = near_wall(Box3{{1, 1, 1}}, 1.41, {1000, 0, 0});
  EXPECT_EQ(hit.status, ImpactStatus::hit);
  EXPECT_NEAR(hit.time * 1000, std::asin(1.41 / std::sqrt(2)) - k_pi / 4, 0.01);
}

TEST(TimeOfImpact, says_when_pieces_touch_at_the_start) {
  const double target = 1e-3;
  const Sweep3 up{{0, 0, 1.0005}, {}, {0, 0, 1}, {}}, free{{0, 0, 1.002}, {}, {0, 0, 1}, {}};
  EXPECT_EQ(impact_of(Sphere{1}, up, Plane{}, {}, target).status, ImpactStatus::touching_at_start);
  EXPECT_EQ(impact_of(Sphere{1}, free, Plane{}, {}, target).status, ImpactStatus::separated);
  const Impact<Dim3> deep = impact_of(Box3{{1, 1, 1}}, {{0, 0, 1.7}}, Box3{{1, 1, 1}}, {}, target);
  EXPECT_EQ(deep.status, ImpactStatus::touching_at_start);
  EXPECT_EQ(deep.time, 0);
  EXPECT_EQ(deep.distance, 0);
  EXPECT_LE(length(deep.normal - Vec3{0, 0, -1}), 1e-12);
}

TEST(TimeOfImpact, passes_by_what_it_does_not_come_near) {
  const double target = 1e-3;
  const Sweep3 past{{-50, 0, 0}, {}, {100, 0, 0}, {}};
  EXPECT_EQ(impact_of(Sphere{1}, past, Sphere{1}, {{0, 2.002, 0}}, target).status, ImpactStatus::separated);
  EXPECT_EQ(impact_of(Sphere{1}, past, Sphere{1}, {{0, 1.9999, 0}}, target).status, ImpactStatus::hit);
  EXPECT_EQ(impact_of(Box3{{1, 1, 1}}, past, Box3{{1, 1, 1}}, {{0, 2.002, 0}}, target).status,
            ImpactStatus::separated);
  EXPECT_LE(impact_of(Box3{{1, 1, 1}}, past, Box3{{1, 1, 1}}, {{0, 2.002, 0}}, target).iterations, 30);
}

// A cast of a small ball is a ray cast, but for its radius.
TEST(TimeOfImpact, of_a_speck_is_a_ray_cast) {
  Random random(1);
  const double radius = 1e-7, target = 1e-7;
  int hits = 0;
  for (int i = 0; i < 600; ++i) {
    std::vector<Shape3> shapes = convex_solids3(random, 1);
    shapes.push_back(star_mesh(2));
    shapes.push_back(hills(6, 6, {0.5, 0.5}, 0.3));
    shapes.push_back(Plane{unit3(random), 0.1});
    const Geometry3 built = build(shapes[i % shapes.size()]);
    const Piece3 piece = pieces_of(built)[0].piece;
    const Ray3 ray{3 * unit3(random), {}};
    const Ray3 aimed{ray.origin, 1.5 * (vector3(random, 0.8) - ray.origin)};
    const auto expected = ray_cast(piece, aimed);
    const Sphere speck{radius};
    const Impact<Dim3> impact = time_of_impact(&speck, {}, Sweep3{aimed.origin, {}, aimed.translation, {}},
                                               piece, {}, Sweep3{}, target);
    if (expected && expected->fraction > 0) {
      ++hits;
      ASSERT_NE(impact.status, ImpactStatus::separated);
      EXPECT_LE(impact.time, expected->fraction);
    }
    if (impact.status == ImpactStatus::hit && !expected) {
      EXPECT_LE(impact.distance, 1.25 * target);  // just past an edge
    }
    if (!expected || impact.status != ImpactStatus::hit) continue;
    const double slope = absolute(dot(expected->normal, normalized(aimed.translation)));
    if (slope > 0.1) {
      EXPECT_NEAR(impact.time, expected->fraction, 1e-5);
    }
  }
  EXPECT_GE(hits, 200);
}

// Positions that are multiples of 2⁻²⁰ m have the same differences at the origin and 10⁵ m away.
TEST(TimeOfImpact, is_the_same_far_from_the_origin) {
  Random random(2);
  const auto on_grid = [](const Vec3& v) {
    const auto round = [](double x) { return std::ldexp(std::round(std::ldexp(x, 20)), -20); };
    return Vec3{round(v.x), round(v.y), round(v.z)};
  };
  const Vec3 far{131072, -262144, 65536};
  const Mesh mesh = box_mesh({2, 2, 0.5});
  int hits = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<Shape3> others = convex_solids3(random, 1);
    others.push_back(mesh);
    const Shape3 a = convex_solids3(random, 1)[i % 6], b = others[i % 7];
    const Vec3 from = on_grid(4 * unit3(random));
    Sweep3 sweep_a{from, rotation3(random), vector3(random, 1) - 1.2 * from, vector3(random, 3)};
    Sweep3 sweep_b{on_grid(vector3(random, 1)), rotation3(random), vector3(random, 1), vector3(random, 3)};
    const Impact<Dim3> near = impact_of(a, sweep_a, b, sweep_b, 1e-4);
    sweep_a.from += far;
    sweep_b.from += far;
    const Impact<Dim3> away = impact_of(a, sweep_a, b, sweep_b, 1e-4);
    EXPECT_EQ(near.status, away.status);
    EXPECT_EQ(near.time, away.time);
    EXPECT_EQ(near.point, away.point);
    EXPECT_EQ(near.normal, away.normal);
    hits += near.status == ImpactStatus::hit;
  }
  EXPECT_GE(hits, 50);
}

TEST(TimeOfImpact, on_chains_in_the_plane) {
  Chain ground;
  for (int i = 0; i <= 100; ++i) ground.points.push_back({i - 50.0, i % 2 ? 0.5 : 0.0});
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const Shape2 shape = convex_solids2(random, 0.3)[i % 4];
    const double spin = i % 3 ? uniform(random, -30, 30) : 0;
    const Sweep2 down{
        {uniform(random, -40, 40), 3}, rotation2(random), {uniform(random, -5, 5), -1000}, spin};
    const Impact<Dim2> impact = impact_of(shape, down, ground, {}, 1e-4);
    EXPECT_EQ(impact.status, ImpactStatus::hit);
    EXPECT_LT(impact.time, 0.003);  // where its centre is through
    EXPECT_LE(impact.distance, 1.25e-4);
    const Geometry2 built = build(shape), built_ground = build(ground);
    const ClosestPoints<Dim2> then = closest_points(
        pieces_of(built)[0].piece, pieces_of(built_ground)[0].piece, inverse(down.at(impact.time)));
    EXPECT_NEAR(then.distance, impact.distance, 1e-9);
  }
}

}  // namespace
}  // namespace cairn
