// Squares that rest on each other: large_pyramid and many_pyramids.
#include "benchmarks/scenes/catalogue.h"

namespace cairn::bench {
namespace {

constexpr Vec2 k_gravity{0, -10};  // [m/s²] as in the scenes' first home
constexpr Yardsticks k_resting{.penetration = true, .drift = true, .stands = true, .energy = true};

// Rows of touching squares; the lowest has its middle above `foot`.
void add_pyramid(Scene2& scene, std::size_t square, int rows, const Vec2& foot) {
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < rows - row; ++i)
      scene.add(Body<Dim2>{
          .pose = {foot + Vec2{i - 0.5 * (rows - row - 1), row + 0.5}}, .parts = {{square}}, .density = 1});
}

}  // namespace

Scene2 large_pyramid(int rows) {
  Scene2 scene{.gravity = k_gravity, .yardsticks = k_resting};
  add_ground(scene, 2.0 * rows + 20);
  const std::size_t square = scene.add(Box2{});
  add_pyramid(scene, square, rows, {0, 0});
  return scene;
}

Scene2 many_pyramids(int rows) {
  constexpr int k_base = 10;
  constexpr double k_across = k_base + 1, k_up = k_base + 2;  // [m] from pyramid to pyramid
  Scene2 scene{.gravity = k_gravity, .yardsticks = k_resting};
  const std::size_t floor = scene.add(Box2{.half = {0.5 * rows * k_across + 5, 0.5}});
  const std::size_t square = scene.add(Box2{});
  const std::size_t ground = scene.add(Body<Dim2>{.motion = Motion::fixed, .parts = {}});
  for (int row = 0; row < rows; ++row) {
    scene.bodies[ground].parts.push_back({floor, {{0, row * k_up - 0.5}}});
    for (int i = 0; i < rows; ++i)
      add_pyramid(scene, square, k_base, {(i - 0.5 * (rows - 1)) * k_across, row * k_up});
  }
  return scene;
}

}  // namespace cairn::bench
