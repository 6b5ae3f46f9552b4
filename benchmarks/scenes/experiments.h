// The machines and figures of the documents' experiments (Lund fig. 1.1, DigiPen), in a world of Cairn's or as a scene:
// for tests now, and for whoever wants to look at them.
#pragma once

#include <cairn/world.h>

#include "benchmarks/scenes/scene.h"

namespace cairn::bench {

// Lund's truck, in 2D: wheels on point-on-line joints with springs, which leave them free to turn; a bed on a hinge at
// the rear that a hydraulic cylinder tips; crates in the bed. It looks along +x. Lund gives no figures: it is 5 m long and
// weighs 6 t, wheels have a radius of 0.5 m.
struct Truck {
  BodyId chassis{}, bed{};
  std::vector<BodyId> wheels{}, crates{};
  std::vector<JointId> axles{};
  JointId hinge{}, cylinder{};
};
Truck add_truck(World2& world, const Vec2& ground);  // where its middle stands on the ground
// Drives it: torques on the wheels, and the opposite on the chassis, towards a speed. Before each step.
void drive(World2& world, const Truck& truck, double speed, double max_torque);  // [m/s], [N·m] of each wheel

// Lund's humanoid at the top of stairs of so many steps, falling forwards.
Scene3 humanoid_on_stairs(int steps);

// DigiPen's limbs: boxes, balls and cones on ball joints, lying on the ground.
struct Limbs {
  std::vector<BodyId> bodies{};
  std::vector<JointId> joints{};
};
Limbs add_limbs(World3& world, const Vec3& middle);

}  // namespace cairn::bench
