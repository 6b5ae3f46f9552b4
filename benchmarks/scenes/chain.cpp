// chain, chain_vert: light links that carry a heavy cube, held at the other end. Nothing collides: only
// joints are asked.
#include "benchmarks/scenes/catalogue.h"

namespace cairn::bench {
namespace {

// `along` is the unit vector from the fixed end to the cube; `turn` takes the links' long axis, y, there.
Scene3 make_chain(int links, const Vec3& along, const Rot3& turn) {
  constexpr double k_length = 0.5, k_cube = 1;  // [m]
  constexpr int k_group = 1;
  Scene3 scene{.yardsticks = {.energy = true}};
  const std::size_t link = scene.add(Box3{.half = {0.05, k_length / 2, 0.05}});
  const std::size_t cube = scene.add(Box3{.half = {k_cube / 2, k_cube / 2, k_cube / 2}});
  std::size_t last = scene.add(Body<Dim3>{.motion = Motion::fixed, .parts = {}, .group = k_group});
  const auto hang = [&](const Body<Dim3>& body, double at) {
    const std::size_t next = scene.add(body);
    scene.joints.push_back({.kind = JointKind::ball, .a = last, .b = next, .anchor = at * along});
    last = next;
  };
  for (int i = 0; i < links; ++i)
    hang({.pose = {(i + 0.5) * k_length * along, turn},
          .parts = {{link}},
          .density = 1 / (0.1 * 0.1 * k_length),
          .group = k_group},
         i * k_length);
  const double end = links * k_length;
  hang({.pose = {(end + 0.5 * k_cube) * along, turn},
        .parts = {{cube}},
        .density = 1000 / (k_cube * k_cube * k_cube),
        .group = k_group},
       end);
  return scene;
}

}  // namespace

Scene3 chain(int links) { return make_chain(links, {0, 1, 0}, {}); }
Scene3 chain_vert(int links) {
  return make_chain(links, {0, 0, -1}, Rot3::from_axis_angle({1, 0, 0}, -0.5 * k_pi));
}

}  // namespace cairn::bench
