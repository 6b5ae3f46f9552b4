// Is the reference itself right? Closed forms, and searches that know nothing of features.
#include <gtest/gtest.h>

#include <algorithm>

#include "narrowphase/random_shapes.h"
#include "narrowphase/reference_2d.h"
#include "narrowphase/reference_3d.h"

namespace cairn::test {
namespace {

// The best f found by climbing over directions from many starts. Never more than the separation.
Real climbed(const Body3& a, const Body3& b, const Real3& start, Dice& dice) {
  Real best = -1e30L;
  for (int i = 0; i < 12; ++i) {
    const Real3 anywhere = unit(real(dice.unit3()));
    Real3 n = i < 4 ? unit(start + Real(dice.power_of_ten(-3, 0)) * anywhere) : anywhere;
    Real f = separation_along(a, b, n), step = 0.2L;
    for (int move = 0; move < 300 && step > 1e-9L; ++move) {
      const Real3 u = across(n), v = cross(n, u);
      const double turn = dice.uniform(0, 6);
      bool better = false;
      for (int k = 0; k < 8 && !better; ++k) {
        const double angle = turn + k_pi * k / 4;
        const Real3 m = unit(n + step * (Real(std::cos(angle)) * u + Real(std::sin(angle)) * v));
        const Real g = separation_along(a, b, m);
        if (g > f) f = g, n = m, better = true;
      }
      if (!better) step /= 2;
    }
    best = std::max(best, f);
  }
  return best;
}

// The highest f of all angles: samples, then golden section about the best ones.
Real climbed(const Body2& a, const Body2& b) {
  const auto at = [&](double angle) {
    return separation_along(a, b, unit(Real2{Real(std::cos(angle)), Real(std::sin(angle))}));
  };
  constexpr int k_samples = 4000;
  const double step = 2 * k_pi / k_samples;
  Real best = -1e30L;
  int top = 0;
  for (int i = 0; i < k_samples; ++i)
    if (at(i * step) > best) best = at(i * step), top = i;
  double lo = (top - 1) * step, hi = (top + 1) * step;
  for (int k = 0; k < 80; ++k) {
    const double x = lo + (hi - lo) * 0.382, y = lo + (hi - lo) * 0.618;
    (at(x) > at(y) ? hi : lo) = at(x) > at(y) ? y : x;
  }
  return std::max(best, at(lo));
}

struct Placed3 {
  Geometry3 shape;
  Body3 body;
  Placed3(Kind3 kind, Dice& dice) : shape(build(random_shape(kind, 1, dice))) {
    body = body_of(pieces_of(shape)[0].piece);
  }
};

TEST(Reference, knows_the_separation_of_boxes_and_spheres) {
  const Box3 box{{1, 2, 3}};
  const Sphere ball{0.5};
  const Body3 a = body_of(&box), b = body_of(&ball);
  const auto at = [&](const Vec3& p) { return double(separation(a, placed(b, {p, {}})).value); };
  EXPECT_DOUBLE_EQ(at({3, 0, 0}), 1.5);
  EXPECT_DOUBLE_EQ(at({4, 6, 0}), 4.5);
  EXPECT_DOUBLE_EQ(at({0.75, 0.5, 0}), -0.75);
  EXPECT_DOUBLE_EQ(at({0, 0, 0}), -1.5);
  const auto boxes = [&](const Vec3& p) { return double(separation(a, placed(a, {p, {}})).value); };
  EXPECT_DOUBLE_EQ(boxes({5, 0, 0}), 3);
  EXPECT_DOUBLE_EQ(boxes({5, 8, 0}), 5);
  EXPECT_DOUBLE_EQ(boxes({1, 3.5, 0}), -0.5);
}

TEST(Reference, knows_the_separation_of_cylinders_and_cones) {
  const Cylinder cylinder{1, 2};
  const Cone cone{1, 2};
  const Body3 a = body_of(&cylinder), c = body_of(&cone);
  const auto expect = [](const Body3& x, const Body3& y, const Vec3& p, const Rot3& r, double value) {
    EXPECT_NEAR(double(separation(x, placed(y, {p, r})).value), value, 1e-15);
  };
  const Rot3 quarter = Rot3::from_axis_angle({1, 0, 0}, k_pi / 2), half{0, 1, 0, 0};
  expect(a, a, {3, 0, 0}, quarter, 1);                    // sides crossed
  expect(a, a, {1.5, 0, 0}, quarter, -0.5);               // and through each other
  expect(a, a, {0, 0, 5}, {}, 1);                         // disc over disc
  expect(a, a, {5, 0, 8}, {}, 5);                         // rim to rim
  expect(c, c, {0, 0, 4.5}, {}, 0.5);                     // an apex under a disc
  expect(c, c, {3, 0, 0}, half, 2 * 4 / std::sqrt(17.));  // beside, upside down: parallel sides
}

// Between two angles where supports change there can be two humps; the higher one was once overlooked.
TEST(Reference, finds_the_higher_of_two_humps) {
  const Cylinder cylinder{0.5, 0.5};
  const Box3 plate{{0.5, 0.5, 5e-4}};
  const Pose3 pose{{0.34463088510741324, 0.049241301088730649, -0.30896643392853596},
                   {-0.16304940235699336, -0.98437606076137785, 0.063395077281152123, -0.019993188026330024}};
  const Body3 a = body_of(&cylinder), b = placed(body_of(&plate), pose);
  EXPECT_NEAR(double(separation(a, b).value), -0.34861709577116148, 1e-15);
}

TEST(Reference, knows_the_separation_in_the_plane) {
  const Box2 box{{1, 2}};
  const Circle ball{0.5};
  const Segment wall{{-1, 0}, {1, 0}};
  const Body2 a = body_of(&box), b = body_of(&ball), w = body_of(&wall);
  const auto expect = [](const Body2& x, const Body2& y, const Vec2& p, double angle, double value) {
    EXPECT_NEAR(double(separation(x, placed(y, {p, Rot2::from_angle(angle)})).value), value, 1e-15);
  };
  expect(a, b, {4, 6}, 0, 4.5);
  expect(a, b, {0, 0}, 0, -1.5);
  expect(b, b, {0, 0}, 0, -1);
  expect(w, w, {3, 0}, 0, 1);          // on one line, apart
  expect(w, w, {1, 0}, 0, 0);          // and overlapping
  expect(w, w, {0, 0}, k_pi / 2, -1);  // a cross
  expect(w, w, {0, 0.75}, k_pi / 2, -0.25);
  expect(w, w, {0, 1.5}, k_pi / 2, 0.5);  // a T, apart
  expect(w, b, {0.5, 0}, 0, -0.5);
}

// Two ways that share nothing: features against climbing, for every pair of kinds, apart and overlapping.
TEST(Reference, is_never_beaten_by_climbing) {
  Dice dice(1);
  for (int i = 0; i < k_kinds3 * k_kinds3; ++i)
    for (int k = 0; k < 10; ++k) {
      const Kind3 kind_a = Kind3(i / k_kinds3), kind_b = Kind3(i % k_kinds3);
      if (kind_a > kind_b || kind_b == Kind3::plane) continue;
      const Placed3 a(kind_a, dice), own(kind_b, dice);
      const double reach = double(a.body.extent + own.body.extent) / 2;
      const double distance = dice.uniform(0, 1.3) * reach;
      Body3 b = placed(own.body, {distance * dice.unit3(), dice.rotation3()});
      Separation3 s = separation(a.body, b);
      if (s.value > 0 && dice.chance(0.7)) {  // rather a shallow overlap
        b = placed(b, {rounded(-(s.value + Real(dice.power_of_ten(-4, -1))) * s.normal), {}});
        s = separation(a.body, b);
      }
      SCOPED_TRACE(std::string(name_of(kind_a)) + " and " + name_of(kind_b) + " number " + std::to_string(k));
      EXPECT_LE(double(climbed(a.body, b, s.normal, dice) - s.value), 1e-15);
      EXPECT_LE(double(s.upper - s.lower), 1e-12);
      EXPECT_NEAR(double(separation_along(a.body, b, s.normal)), double(s.lower), 1e-15);
    }
}

TEST(Reference, is_the_highest_of_all_angles_in_the_plane) {
  Dice dice(2);
  for (int i = 0; i < k_kinds2 * k_kinds2; ++i)
    for (int k = 0; k < 6; ++k) {
      const Geometry2 shape_a = build(random_shape(Kind2(i / k_kinds2), 1, dice));
      const Geometry2 shape_b = build(random_shape(Kind2(i % k_kinds2), 1, dice));
      const Body2 a = body_of(pieces_of(shape_a)[0].piece), own = body_of(pieces_of(shape_b)[0].piece);
      const double reach = double(a.extent + own.extent) / 2;
      const double distance = dice.uniform(0, 1.3) * reach;
      const Body2 b = placed(own, {distance * dice.unit2(), dice.rotation2()});
      EXPECT_NEAR(double(climbed(a, b)), double(separation(a, b).value), 2e-6)
          << name_of(Kind2(i / k_kinds2)) << ' ' << name_of(Kind2(i % k_kinds2));
    }
}

// A point moved off the surface along a direction of support is that far away.
TEST(Reference, measures_distances_to_surfaces) {
  Dice dice(3);
  for (int kind = 0; kind < k_kinds3; ++kind)
    for (int k = 0; k < 30; ++k) {
      const Placed3 own(Kind3(kind), dice);
      const Body3 body = placed(own.body, {dice.unit3(), dice.rotation3()});
      if (Kind3(kind) == Kind3::plane) {
        EXPECT_NEAR(double(signed_distance(body, (body.half + 3) * body.axis)), 3, 1e-15);
        continue;
      }
      // The distance to a point is the separation from a tiny ball's centre.
      const Sphere speck{1e-9};
      const double distance = dice.uniform(0, 2);
      const Vec3 at = distance * dice.unit3() + rounded(body.centre);
      const Real s = separation(body, placed(body_of(&speck), {at, {}})).value + 1e-9L;
      EXPECT_NEAR(double(signed_distance(body, real(at))), double(s), 1e-14) << name_of(Kind3(kind));
    }
}

}  // namespace
}  // namespace cairn::test
