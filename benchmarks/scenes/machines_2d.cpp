// Scenes of the plane in which something moves: joint_grid, tumbler, spinner and smash.
#include <algorithm>
#include <limits>

#include "benchmarks/scenes/catalogue.h"

namespace cairn::bench {
namespace {

constexpr Vec2 k_gravity{0, -10};  // [m/s²]

}  // namespace

Scene2 joint_grid(int side) {
  constexpr int k_group = 1, k_hung = 7;
  Scene2 scene{.gravity = k_gravity, .yardsticks = {.energy = true}};
  const std::size_t disc = scene.add(Circle{.radius = 0.4});
  const auto at = [&](int column, int row) { return std::size_t(row * side + column); };
  const int first = std::max(0, (side - k_hung) / 2);  // of the fixed ones
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column) {
      const bool fixed = row == 0 && column >= first && column < first + k_hung;
      const Vec2 position{double(column), -double(row)};
      scene.add(Body<Dim2>{.motion = fixed ? Motion::fixed : Motion::dynamic,
                           .pose = {position},
                           .parts = {{disc}},
                           .density = 1,
                           .group = k_group});
      const auto hinge = [&](std::size_t other, const Vec2& to_other) {
        scene.joints.push_back({.kind = JointKind::hinge,
                                .a = other,
                                .b = at(column, row),
                                .anchor = position + 0.5 * to_other});
      };
      if (row > 0) hinge(at(column, row - 1), {0, 1});
      if (column > 0) hinge(at(column - 1, row), {-1, 0});
    }
  return scene;
}

Scene2 tumbler(int side) {
  constexpr double k_pitch = 0.4;  // [m]
  // Inside 19 m wide for 45 squares, and as much room in proportion for others.
  const double inside = side * 19.0 / 45 / 2;
  Scene2 scene{.gravity = k_gravity, .yardsticks = {.penetration = true}};
  const std::size_t upright = scene.add(Box2{.half = {0.5, inside + 1}});
  const std::size_t level = scene.add(Box2{.half = {inside, 0.5}});
  const std::size_t square = scene.add(Box2{.half = {0.125, 0.125}});
  const std::size_t ground = scene.add(Body<Dim2>{.motion = Motion::fixed, .parts = {}});
  const double wall = inside + 0.5;
  const std::size_t drum = scene.add(Body<Dim2>{
      .parts = {{upright, {{-wall, 0}}}, {upright, {{wall, 0}}}, {level, {{0, -wall}}}, {level, {{0, wall}}}},
      .density = 50});
  scene.joints.push_back({.kind = JointKind::hinge,
                          .a = ground,
                          .b = drum,
                          .motor = Motor{.speed = 25 * k_pi / 180, .max_torque = 1e8}});
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      scene.add(Body<Dim2>{.pose = {k_pitch * Vec2{i - 0.5 * (side - 1), j - 0.5 * (side - 1)}},
                           .parts = {{square}},
                           .density = 1});
  return scene;
}

Scene2 spinner(int bodies) {
  constexpr double k_radius = 40, k_across = 0.86, k_up = 0.72;  // [m]
  constexpr int k_points = 360;
  constexpr Vec2 k_hub{0, -18.5};  // the bar just passes the bottom of the circle
  Scene2 scene{.gravity = k_gravity, .friction = 0.1, .restitution = 0.1};
  Chain circle{.points = {}, .loop = true};  // counter-clockwise: it pushes inwards
  for (int i = 0; i < k_points; ++i) {
    const portable::SinCos a = portable::sin_cos(2 * k_pi * i / k_points);
    circle.points.push_back({k_radius * a.cos, k_radius * a.sin});
  }
  const std::size_t basin = scene.add(circle);
  const std::size_t rod = scene.add(Box2{.half = {0.4, 20}});
  const std::size_t small[] = {scene.add(Capsule2{.radius = 0.25, .half_length = 0.25}),
                               scene.add(Circle{.radius = 0.35}), scene.add(Box2{.half = {0.35, 0.35}})};
  const std::size_t ground = scene.add(Body<Dim2>{.motion = Motion::fixed, .parts = {{basin}}});
  const Rot2 level = Rot2::from_angle(0.5 * k_pi);
  const std::size_t bar = scene.add(Body<Dim2>{.pose = {k_hub, level}, .parts = {{rod}}, .density = 1});
  scene.joints.push_back({.kind = JointKind::hinge,
                          .a = ground,
                          .b = bar,
                          .anchor = k_hub,
                          .motor = Motor{.speed = 5, .max_torque = std::numeric_limits<float>::max()}});
  // Row by row from the bottom, as wide as the circle is there, but not where the bar is. All lie on their
  // sides.
  int placed = 0;
  for (double y = -38; y < 38; y += k_up) {
    const double half = square_root(38.8 * 38.8 - y * y);
    for (double x = -half; x <= half && placed < bodies; x += k_across) {
      if (absolute(y - k_hub.y) < 0.8 && absolute(x) < 20.6) continue;
      scene.add(Body<Dim2>{.pose = {{x, y}, level}, .parts = {{small[placed % 3]}}, .density = 0.25});
      ++placed;
    }
  }
  return scene;
}

Scene2 smash(int columns) {
  constexpr double k_edge = 0.4;  // [m]
  const int rows = std::max(1, columns * 2 / 3);
  Scene2 scene{.gravity = {0, 0}, .yardsticks = {.penetration = true, .energy = true}};
  const std::size_t ball = scene.add(Box2{.half = {4, 4}});
  const std::size_t square = scene.add(Box2{.half = {k_edge / 2, k_edge / 2}});
  scene.add(Body<Dim2>{.pose = {{-20, 0}}, .velocity = {{40, 0}, 0}, .parts = {{ball}}, .density = 8});
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j)
      scene.add(Body<Dim2>{
          .pose = {k_edge * Vec2{double(i), j - 0.5 * (rows - 1)}}, .parts = {{square}}, .density = 1});
  return scene;
}

}  // namespace cairn::bench
