// All scenes by name. They are those of which figures of other engines are known: the same numbers of bodies,
// sizes, masses and friction.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "benchmarks/scenes/scene.h"

namespace cairn::bench {

struct SceneOptions {
  int size = 0;   // of the scene, in its own unit (SceneInfo::unit); 0: as large as it usually is
  int steps = 0;  // 0: as many as usual
};
using AnyScene = std::variant<Scene2, Scene3>;

struct SceneInfo {
  std::string_view name;
  std::string_view description;
  std::string_view unit;  // of the size
  int size;               // usual
  int steps;              // usual
  AnyScene (*make)(int size);
};
std::span<const SceneInfo> scenes();
// Throws cairn::Error for a name that is not there and for a size or number of steps below 0.
AnyScene make_scene(std::string_view name, const SceneOptions& options = {});
Scene2 make_scene_2d(std::string_view name, const SceneOptions& options = {});  // for names of 2D scenes
Scene3 make_scene_3d(std::string_view name, const SceneOptions& options = {});

// Their builders. `steps` and `name` are filled in by make_scene.
Scene3 pyramid3d(int base);         // cubes along an edge of the lowest layer
Scene3 wall3d(int rows);            // of cubes
Scene3 pile3d(int layers);          // of 100 bodies
Scene3 ragdolls(int humanoids);     //
Scene3 chain(int links);            // light ones
Scene3 chain_vert(int links);       //
Scene3 stack20(int cubes);          //
Scene3 stack_mass(int cubes);       // light ones; 100 : 1
Scene3 stack_mass_1000(int cubes);  // 1000 : 1
Scene2 large_pyramid(int rows);     // of squares
Scene2 many_pyramids(int rows);     // of as many pyramids
Scene2 joint_grid(int side);        // discs along an edge
Scene2 tumbler(int side);           // squares along an edge
Scene2 spinner(int bodies);         // beside the bar
Scene2 smash(int columns);          // of squares; two thirds as many rows

// A fixed box whose top is at height 0, and walls around a square pit of the given width and height on it.
std::size_t add_ground(Scene2& scene, double half_width);
std::size_t add_ground(Scene3& scene, double half_width);
std::size_t add_pit(Scene3& scene, double width, double height);
// The shapes that humanoids share, and a humanoid of them that stands with its soles at the pose and looks along its x.
std::size_t add_humanoid_shapes(Scene3& scene);
void add_humanoid(Scene3& scene, std::size_t first_shape, const Pose3& pose);

}  // namespace cairn::bench
