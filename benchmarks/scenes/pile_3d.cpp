// pile3d: bodies of four kinds, turned any way, dropped on a grid into a pit.
#include "benchmarks/random.h"
#include "benchmarks/scenes/catalogue.h"

namespace cairn::bench {
namespace {

// 16 points around the centre of mass of their hull, along its principal axes.
Hull random_hull(Random& random) {
  Hull hull;
  for (int i = 0; i < 16; ++i) {
    const Vec3 direction = random.direction();
    hull.points.push_back(random.uniform(0.22, 0.30) * direction);
  }
  const MassProperties3 mass = mass_properties(hull, 1);
  const Rot3 turn = inverse(principal(mass.inertia).axes);
  for (Vec3& point : hull.points) point = turn * (point - mass.center);
  return hull;
}

}  // namespace

Scene3 pile3d(int layers) {
  constexpr int k_side = 10;                              // bodies along an edge of a layer
  constexpr double k_pitch = 0.88, k_layer_pitch = 0.86;  // [m] the largest body is 0.85 m across
  Scene3 scene{
      .friction = 0.5,
      .yardsticks = {.penetration = true, .penetration_steps = 60, .energy = true},
  };
  add_pit(scene, 9, layers * k_layer_pitch + 5);
  const std::size_t sphere = scene.add(Sphere{.radius = 0.25});
  const std::size_t box = scene.add(Box3{.half = {0.25, 0.2, 0.28}});
  const std::size_t capsule = scene.add(Capsule3{.radius = 0.15, .half_length = 0.17});
  Random random;
  for (int layer = 0; layer < layers; ++layer)
    for (int i = 0; i < k_side; ++i)
      for (int j = 0; j < k_side; ++j) {
        const int kind = (layer + k_side * i + j) % 4;
        const std::size_t shape = kind == 0   ? sphere
                                  : kind == 1 ? box
                                  : kind == 2 ? capsule
                                              : scene.add(random_hull(random));
        const Vec3 position{(i - 0.5 * (k_side - 1)) * k_pitch, (j - 0.5 * (k_side - 1)) * k_pitch,
                            0.5 + layer * k_layer_pitch};
        scene.add(Body<Dim3>{.pose = {position, random.rotation()}, .parts = {{shape}}});
      }
  return scene;
}

}  // namespace cairn::bench
