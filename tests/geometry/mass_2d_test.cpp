#include <gtest/gtest.h>

#include "geometry/mass.h"
#include "geometry/shape_samples.h"

namespace cairn {
namespace {

using namespace samples;

void expect_near(const MassProperties2& a, const MassProperties2& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LE(length(a.center - b.center), tolerance * std::sqrt(b.inertia / b.mass));
  EXPECT_NEAR(a.inertia, b.inertia, tolerance * b.inertia);
}

TEST(Mass2, of_the_textbook) {
  expect_near(mass_properties(Circle{2}, 3), {12 * k_pi, {}, 24 * k_pi}, 1e-15);
  expect_near(mass_properties(Box2{{1, 2}}, 3), {24, {}, 24 * 5.0 / 3}, 1e-15);
  const Polygon triangle{{{0, 0}, {3, 0}, {0, 3}}};  // I = m (a² + b²)/18
  expect_near(mass_properties(triangle, 2), {9, {1, 1}, 9.0}, 1e-15);
  const Polygon clockwise{{{0, 3}, {3, 0}, {0, 0}}};
  expect_near(mass_properties(clockwise, 2), {9, {1, 1}, 9.0}, 1e-15);
}

TEST(Mass2, of_a_capsule_is_the_sum_of_its_slices) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const double r = power_of_ten(random, -1, 1), h = power_of_ten(random, -1, 1);
    // Slices across y; on the ends y = h + r sin t makes their width 2 r cos t smooth.
    const auto over_ends = [&](auto f) {
      return 2 * integral(0, k_pi / 2, 20, [&](double t) {
               return f(h + r * std::sin(t), 2 * r * std::cos(t)) * r * std::cos(t);
             });
    };
    const double area = 4 * r * h + over_ends([](double, double width) { return width; });
    const double moment = 4 * r * h * (r * r + h * h) / 3 + over_ends([](double y, double width) {
                            return width * width * width / 12 + width * y * y;
                          });
    expect_near(mass_properties(Capsule2{r, h}, 1), {area, {}, moment}, 1e-13);
  }
}

TEST(Mass2, of_polygons_is_exact) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const double size = power_of_ten(random, -3, 3);
    const Box2 box{{size * uniform(random, 0.1, 1), size * uniform(random, 0.1, 1)}};
    const Pose2 pose{vector2(random, 3 * size), rotation2(random)};
    Polygon polygon;
    for (const Vec2 corner : {Vec2{1, 1}, Vec2{-1, 1}, Vec2{-1, -1}, Vec2{1, -1}})
      polygon.points.push_back(to_world(pose, Vec2{corner.x * box.half.x, corner.y * box.half.y}));
    expect_near(mass_properties(polygon, 3), transformed(pose, mass_properties(box, 3)), 1e-12);
  }
  // a regular polygon with circumradius 1: A = n/2 sin(2π/n), I = A (2 + cos(2π/n))/6,
  // which tends to the circle's
  double coarse = 0.5 - (2 + std::cos(k_pi / 4)) / 6;  // of n = 8
  for (int n = 16; n <= 128; n *= 2) {
    Polygon polygon;
    for (int k = 0; k < n; ++k)
      polygon.points.push_back({std::cos(2 * k_pi * k / n), std::sin(2 * k_pi * k / n)});
    const double area = 0.5 * n * std::sin(2 * k_pi / n);
    expect_near(mass_properties(polygon, 1), {area, {}, area * (2 + std::cos(2 * k_pi / n)) / 6}, 1e-13);
    const double error = 0.5 - mass_properties(polygon, 1).inertia / area;
    EXPECT_NEAR(std::log2(coarse / error), 2, 0.1);
    coarse = error;
  }
}

TEST(Mass2, keeps_its_digits_far_from_the_origin) {
  const Vec2 far{1048576, -2097152};
  Polygon near{{{0, 0}, {1, 0}, {1.5, 0.5}, {0.5, 1}}}, moved;
  for (const Vec2& p : near.points) moved.points.push_back(p + far);
  const MassProperties2 a = mass_properties(near, 1), b = mass_properties(moved, 1);
  EXPECT_NEAR(b.mass, a.mass, 1e-14);
  EXPECT_LE(length(b.center - far - a.center), 1e-9);
  EXPECT_NEAR(b.inertia, a.inertia, 1e-13);
}

TEST(Mass2, of_a_box_in_parts_is_the_box_s) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Vec2 half{uniform(random, 0.5, 1), uniform(random, 0.5, 1)};
    const double cut = uniform(random, -0.4, 0.4);
    const Pose2 pose{vector2(random, 3), rotation2(random)};
    const auto part = [&](double from, double to) {
      const Pose2 at = pose * Pose2{{(from + to) / 2, 0}, {}};
      return CompoundPart2{Box2{{(to - from) / 2, half.y}}, at.position, at.rotation};
    };
    const Compound2 parts{{{Compound2{{part(-half.x, cut)}}}, part(cut, half.x)}};
    expect_near(mass_properties(parts, 5), transformed(pose, mass_properties(Box2{half}, 5)), 1e-13);
  }
}

TEST(Mass2, refuses_what_has_no_area) {
  EXPECT_EQ(
      refusal([] { mass_properties(Segment{}, 1); }),
      "Segment: a segment has no area, hence no mass; use a Box2 or a Capsule2, or give the body its mass");
  EXPECT_EQ(refusal([] {
              mass_properties(Compound2{{{Circle{}}, {Chain{{{0, 0}, {1, 0}}}}}}, 1);
            }),
            "Compound2.parts[1].shape: a chain has no area, hence no mass; use Polygons, or give the body "
            "its mass");
  EXPECT_EQ(refusal([] { mass_properties(Circle{}, NAN); }),
            "density = nan kg/m²: must be at least 0 and finite");
  EXPECT_TRUE(has_volume(Shape2(Compound2{{{Circle{}}, {Box2{}}}})));
  EXPECT_FALSE(has_volume(Shape2(Compound2{{{Circle{}}, {Segment{}}}})));
  EXPECT_FALSE(has_volume(Shape2(Chain{{{0, 0}, {1, 0}}})));
}

TEST(Mass2, checks_what_a_user_gives) {
  const Path path{nullptr, "mass", -1};
  const auto text = [&](const MassProperties2& m) {
    return refusal([&] { check_mass_properties(m, path); });
  };
  EXPECT_EQ(text({1, {}, 1}), "");
  EXPECT_EQ(text({-1, {}, 1}), "mass.mass = -1 kg: must be greater than 0 and finite");
  EXPECT_EQ(text({1, {}, 0}), "mass.inertia = 0 kg·m²: must be greater than 0 and finite");
}

}  // namespace
}  // namespace cairn
