// What slides without friction on flat ground of many elements keeps its speed and its heading: no edge inside a
// surface is felt.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include "benchmarks/random.h"

namespace cairn {
namespace {

using bench::Random;

constexpr double k_h = 1.0 / 60;  // [s]
constexpr int k_steps = 400;
constexpr Material k_smooth{.static_friction = 0, .kinetic_friction = 0};

// Level ground of n × n cells from (0, 0) to (n, n), whose triangles are all different.
Mesh irregular_floor(int n) {
  Random random(7);
  Mesh mesh;
  const auto at = [&](int i, int j) { return std::uint32_t(j * (n + 1) + i); };
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      const double x = i + random.uniform(-0.3, 0.3), y = j + random.uniform(-0.3, 0.3);
      mesh.vertices.push_back({x, y, 0});
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const std::uint32_t a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
      if (random.uniform(0, 1) < 0.5)
        mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
      else
        mesh.triangles.insert(mesh.triangles.end(), {{a, b, d}, {b, c, d}});
    }
  return mesh;
}
HeightField level_field(std::uint32_t n) {
  return {.columns = n + 1,
          .rows = n + 1,
          .spacing = {1, 1},
          .heights = std::vector<double>((n + 1) * (n + 1), 0.0)};
}

struct Slider {
  const char* name;
  Shape3 shape;
  Rot3 rotation;
  double height;  // [m] of its centre when it lies on the ground
};
std::vector<Slider> sliders() {
  Hull frustum;  // wider at the bottom
  for (int i = 0; i < 7; ++i)
    for (const bool top : {false, true}) {
      const double r = top ? 0.2 : 0.4;
      frustum.points.push_back(
          {r * portable::cos(2 * k_pi * i / 7), r * portable::sin(2 * k_pi * i / 7), top ? 0.3 : 0.0});
    }
  const double center = mass_properties(frustum, 1).center.z;
  return {{"box", Box3{.half = {0.4, 0.3, 0.2}}, rotation_of(Vec3{0, 0, 0.3}), 0.2},
          {"sphere", Sphere{.radius = 0.3}, {}, 0.3},
          {"capsule", Capsule3{.radius = 0.2, .half_length = 0.4}, rotation_of(Vec3{0.5 * k_pi, 0, 0}), 0.2},
          {"hull", frustum, rotation_of(Vec3{0, 0, 0.1}), center}};
}

// The largest change of the velocity along the ground, as a part of it, over all steps; with everything, also gravity,
// turned by `turn`.
double worst_change(const Shape3& floor, const Slider& slider, const Vec3& velocity, const Rot3& turn,
                    Precision precision) {
  World3 world({.gravity = turn * Vec3{0, 0, -9.81}, .method = {.solver = SoftStep{.precision = precision}}});
  world.create({.motion = Motion::fixed, .rotation = turn, .shapes = {{floor, {.material = k_smooth}}}});
  const BodyId body = world.create({.rotation = turn * slider.rotation,
                                    .velocity = turn * velocity,
                                    .shapes = {{slider.shape, {.material = k_smooth}}}});
  const Vec3 center = world.center(body);
  world.set_pose(body, {turn * Vec3{3.3, 4.4, slider.height} - center, turn * slider.rotation});
  double worst = 0;
  for (int i = 0; i < k_steps; ++i) {
    world.step(k_h);
    const Vec3 v = inverse(turn) * world.velocity(body).linear;
    worst = larger(worst, length(Vec3{v.x, v.y, 0} - velocity) / length(velocity));
  }
  EXPECT_NEAR((inverse(turn) * world.center(body)).z, slider.height, 1e-3);  // it has not left the ground
  return worst;
}

void check_sliders(const Shape3& floor, const Vec3& turn, Precision precision, double bound) {
  double worst = 0;
  for (const Slider& slider : sliders())
    for (const Vec3& velocity : {Vec3{5, 0, 0}, Vec3{4.1, 2.7, 0}, Vec3{0.3, 0.5, 0}}) {
      const double change = worst_change(floor, slider, velocity, rotation_of(turn), precision);
      EXPECT_LT(change, bound) << slider.name << " at " << length(velocity) << " m/s";
      worst = larger(worst, change);
    }
  std::printf("worst %.2g\n", worst);
}
constexpr Vec3 k_askew{0.3, -0.5, 0.9};

TEST(Sliding, over_an_irregular_mesh_keeps_speed_and_heading) {
  check_sliders(irregular_floor(45), {}, Precision::single_lanes, 1e-6);
}
TEST(Sliding, over_a_height_field_keeps_speed_and_heading) {
  check_sliders(level_field(45), {}, Precision::single_lanes, 1e-6);
}
// On ground along no axis every push has a component along it that is only as small as the numbers of the lanes are fine.
TEST(Sliding, over_ground_that_stands_askew) {
  for (const Shape3& floor : {Shape3{irregular_floor(45)}, Shape3{level_field(45)}}) {
    check_sliders(floor, k_askew, Precision::double_lanes, 1e-6);
    check_sliders(floor, k_askew, Precision::single_lanes, 3e-4);  // 3200 substeps with floats
  }
}

TEST(Sliding, over_a_chain_keeps_the_speed) {
  Random random(3);
  Chain chain;
  for (double x = -5; x < 50; x += random.uniform(0.1, 1)) chain.points.push_back({x, 0});
  const std::pair<Shape2, double> shapes[] = {
      {Box2{.half = {0.4, 0.2}}, 0.2},
      {Circle{.radius = 0.3}, 0.3},
      {Capsule2{.radius = 0.2, .half_length = 0.4}, 0.6},
      {Polygon{.points = {{-0.5, -0.25}, {0.5, -0.25}, {0.25, 0.25}, {-0.25, 0.25}}}, 0.25}};
  for (const auto& [shape, height] : shapes)
    for (const double speed : {0.5, 5.0}) {
      World2 world;
      world.create({.motion = Motion::fixed, .shapes = {{chain, {.material = k_smooth}}}});
      const BodyId body = world.create(
          {.position = {0, height}, .velocity = {speed, 0}, .shapes = {{shape, {.material = k_smooth}}}});
      double worst = 0;
      for (int i = 0; i < k_steps; ++i) {
        world.step(k_h);
        worst = larger(worst, absolute(world.velocity(body).linear.x - speed) / speed);
      }
      EXPECT_LT(worst, 1e-6) << shape.index();
    }
}

}  // namespace
}  // namespace cairn
