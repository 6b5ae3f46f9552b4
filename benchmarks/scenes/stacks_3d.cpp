// Cubes that rest on each other: pyramid3d, wall3d, stack20 and the heavy cube on light ones.
#include "benchmarks/scenes/catalogue.h"

namespace cairn::bench {
namespace {

constexpr double k_pitch = 1.05;  // [m] from cube to cube along a row, so that only the rows touch each other
constexpr Yardsticks k_resting{.penetration = true, .drift = true, .stands = true, .energy = true};

Scene3 stack(int light, double light_mass, std::optional<double> heavy_mass) {
  constexpr double k_edge = 0.5;  // [m]
  Scene3 scene{.dt = 0.01, .yardsticks = k_resting};
  add_ground(scene, 20);
  const std::size_t cube = scene.add(Box3{.half = {k_edge / 2, k_edge / 2, k_edge / 2}});
  const double volume = k_edge * k_edge * k_edge;
  const int count = light + (heavy_mass ? 1 : 0);
  for (int i = 0; i < count; ++i)
    scene.add(Body<Dim3>{.pose = {{0, 0, (i + 0.5) * k_edge}},
                         .parts = {{cube}},
                         .density = (i < light ? light_mass : *heavy_mass) / volume});
  return scene;
}

}  // namespace

Scene3 pyramid3d(int base) {
  Scene3 scene{.yardsticks = k_resting};
  add_ground(scene, 2.0 * base + 20);
  const std::size_t cube = scene.add(Box3{});
  for (int layer = 0; layer < base; ++layer) {
    const int n = base - layer;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        scene.add(
            Body<Dim3>{.pose = {{(i - 0.5 * (n - 1)) * k_pitch, (j - 0.5 * (n - 1)) * k_pitch, layer + 0.5}},
                       .parts = {{cube}}});
  }
  return scene;
}

Scene3 wall3d(int rows) {
  Scene3 scene{.yardsticks = k_resting};
  add_ground(scene, 2.0 * rows + 20);
  const std::size_t cube = scene.add(Box3{});
  for (int row = 0; row < rows; ++row) {
    const int n = rows - row;
    for (int i = 0; i < n; ++i)
      scene.add(Body<Dim3>{.pose = {{(i - 0.5 * (n - 1)) * k_pitch, 0, row + 0.5}}, .parts = {{cube}}});
  }
  return scene;
}

Scene3 stack20(int cubes) { return stack(cubes, 125, std::nullopt); }
Scene3 stack_mass(int cubes) { return stack(cubes, 10, 1000); }
Scene3 stack_mass_1000(int cubes) { return stack(cubes, 10, 10000); }

}  // namespace cairn::bench
