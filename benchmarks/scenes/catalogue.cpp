#include "benchmarks/scenes/catalogue.h"

#include <cairn/error.h>

namespace cairn::bench {
namespace {

template <auto build>
AnyScene made(int size) {
  return build(size);
}

constexpr SceneInfo k_scenes[] = {
    {"pyramid3d", "square pyramid of unit cubes on 20 × 20, resting", "cubes along the base", 20, 300,
     made<pyramid3d>},
    {"wall3d", "triangular wall of 44 rows of unit cubes, resting", "rows", 44, 600, made<wall3d>},
    {"pile3d", "3000 spheres, boxes, capsules and hulls dropped into a pit", "layers of 100", 30, 600,
     made<pile3d>},
    {"ragdolls", "100 humanoids of 11 capsules and 10 joints dropped into a pit", "humanoids", 100, 600,
     made<ragdolls>},
    {"chain", "20 links of 1 kg and a cube of 1000 kg, released from horizontal", "links", 20, 600,
     made<chain>},
    {"chain_vert", "the same chain, hanging", "links", 20, 600, made<chain_vert>},
    {"stack20", "a stack of 20 cubes", "cubes", 20, 1500, made<stack20>},
    {"stack_mass", "9 cubes of 10 kg under one of 1000 kg", "light cubes", 9, 1500, made<stack_mass>},
    {"stack_mass_1000", "9 cubes of 10 kg under one of 10 000 kg", "light cubes", 9, 1500,
     made<stack_mass_1000>},
    {"large_pyramid", "2D: triangle of 100 rows of touching unit squares", "rows", 100, 500,
     made<large_pyramid>},
    {"many_pyramids", "2D: 20 × 20 pyramids on 10 unit squares each", "pyramids along an edge", 20, 200,
     made<many_pyramids>},
    {"joint_grid", "2D: 100 × 100 discs hinged to their neighbours, hung up by seven", "discs along an edge",
     100, 500, made<joint_grid>},
    {"tumbler", "2D: 45 × 45 small squares in a hollow square that turns", "squares along an edge", 45, 750,
     made<tumbler>},
    {"spinner", "2D: 6076 capsules, discs and squares stirred by a bar", "small bodies", 6076, 500,
     made<spinner>},
    {"smash", "2D: a heavy square shot into 120 × 80 small ones, no gravity", "columns", 120, 300,
     made<smash>},
};

}  // namespace

std::span<const SceneInfo> scenes() { return k_scenes; }

AnyScene make_scene(std::string_view name, const SceneOptions& options) {
  if (options.size < 0) throw Error("size", std::to_string(options.size), "must not be negative");
  if (options.steps < 0) throw Error("steps", std::to_string(options.steps), "must not be negative");
  for (const SceneInfo& info : k_scenes) {
    if (info.name != name) continue;
    AnyScene scene = info.make(options.size > 0 ? options.size : info.size);
    std::visit(
        [&](auto& s) {
          s.name = name;
          s.steps = options.steps > 0 ? options.steps : info.steps;
        },
        scene);
    return scene;
  }
  throw Error("scene", std::string(name), "is not one of those that `cairn bench` lists");
}
Scene2 make_scene_2d(std::string_view name, const SceneOptions& options) {
  return std::get<Scene2>(make_scene(name, options));
}
Scene3 make_scene_3d(std::string_view name, const SceneOptions& options) {
  return std::get<Scene3>(make_scene(name, options));
}

std::size_t add_ground(Scene2& scene, double half_width) {
  const std::size_t box = scene.add(Box2{.half = {half_width, 1}});
  return scene.add(Body<Dim2>{.motion = Motion::fixed, .pose = {{0, -1}}, .parts = {{box}}});
}
std::size_t add_ground(Scene3& scene, double half_width) {
  const std::size_t box = scene.add(Box3{.half = {half_width, half_width, 1}});
  return scene.add(Body<Dim3>{.motion = Motion::fixed, .pose = {{0, 0, -1}}, .parts = {{box}}});
}
std::size_t add_pit(Scene3& scene, double width, double height) {
  constexpr double k_wall =
      1;  // [m] half its thickness: bodies that are pushed in deep still come out inside
  const double out = 0.5 * width + k_wall, half = 0.5 * height;
  const std::size_t pit = add_ground(scene, 0.5 * width + 2 * k_wall);
  const std::size_t along_x = scene.add(Box3{.half = {0.5 * width + 2 * k_wall, k_wall, half}});
  const std::size_t along_y = scene.add(Box3{.half = {k_wall, 0.5 * width, half}});
  const double up = 1 + half;  // seen from the middle of the ground
  for (const double side : {-1.0, 1.0}) {
    scene.bodies[pit].parts.push_back({along_x, {{0, side * out, up}}});
    scene.bodies[pit].parts.push_back({along_y, {{side * out, 0, up}}});
  }
  return pit;
}

}  // namespace cairn::bench
