#include "benchmarks/scenes/experiments.h"

#include "benchmarks/scenes/catalogue.h"

namespace cairn::bench {
namespace {

constexpr double k_wheel = 0.5;  // [m] radius

}  // namespace

Truck add_truck(World2& world, const Vec2& ground) {
  Truck truck;
  const Material tyre{.static_friction = 0.9, .kinetic_friction = 0.9},
      wood{.static_friction = 0.3, .kinetic_friction = 0.3};
  const double deck = 1.0;  // [m] height of the chassis
  truck.chassis =
      world.create({.name = "chassis",
                    .position = ground + Vec2{0, deck},
                    .shapes = {{Box2{.half = {2.5, 0.15}}, {.density = 1500}},
                               {Box2{.half = {0.6, 0.7}}, {.position = {1.9, 0.85}, .density = 600}}}});
  for (const double x : {-1.6, -0.4, 1.8}) {
    const Vec2 at = ground + Vec2{x, k_wheel};
    truck.wheels.push_back(
        world.create({.name = "wheel",
                      .position = at,
                      .shapes = {{Circle{.radius = k_wheel}, {.density = 300, .material = tyre}}}}));
    truck.axles.push_back(
        world.create(PointOnLineDef2{.a = truck.chassis,
                                     .b = truck.wheels.back(),
                                     .frame = {.origin = at, .axis = {0, 1}},
                                     .limits = Limits{-0.2, 0.25},
                                     .spring = Softness{.frequency = 4, .damping_ratio = 0.5}}));
  }
  // A floor and a wall towards the cab; open at the rear, where the hinge is.
  const Vec2 rear = ground + Vec2{-2.4, deck + 0.25};
  truck.bed = world.create(
      {.name = "bed",
       .position = rear,
       .shapes = {
           {Box2{.half = {1.7, 0.05}}, {.position = {1.7, 0}, .density = 800, .material = wood}},
           {Box2{.half = {0.05, 0.4}}, {.position = {3.35, 0.45}, .density = 800, .material = wood}}}});
  // Its stops are the cylinder's, at 0 and 1 rad: oil that is not given back and a stop of the hinge would fight.
  truck.hinge = world.create(HingeDef2{.a = truck.chassis, .b = truck.bed, .frame = {.origin = rear}});
  truck.cylinder = world.create(
      HydraulicDef2{.a = truck.chassis,
                    .b = truck.bed,
                    .anchor_a = rear + Vec2{1.6, -0.3},
                    .anchor_b = rear + Vec2{2.0, 0},
                    .max_force = 2e5,
                    .max_speed = 0.4,
                    .min_length = 0.5,
                    .max_length = length(Vec2{2 * portable::cos(1) - 1.6, 2 * portable::sin(1) + 0.3})});
  for (int i = 0; i < 4; ++i)
    truck.crates.push_back(
        world.create({.name = "crate",
                      .position = rear + Vec2{0.75 + 0.6 * i, 0.05 + 0.25},
                      .shapes = {{Box2{.half = {0.25, 0.25}}, {.density = 400, .material = wood}}}}));
  return truck;
}

void drive(World2& world, const Truck& truck, double speed, double max_torque) {
  constexpr double k_gain = 5e3;  // [N·m·s]
  for (const BodyId wheel : truck.wheels) {
    const double wanted = -speed / k_wheel;  // [rad/s] of a wheel that rolls along +x
    const double torque = clamp(k_gain * (wanted - world.velocity(wheel).angular), -max_torque, max_torque);
    world.apply_torque(wheel, torque);
    world.apply_torque(truck.chassis, -torque);
  }
}

Scene3 humanoid_on_stairs(int steps) {
  constexpr double k_rise = 0.18, k_tread = 0.28;  // [m]
  Scene3 scene{.friction = 0.5};
  Body<Dim3> stairs{.motion = Motion::fixed};
  const auto add_block = [&](double from, double to, double top) {  // along x, from the depth up to `top`
    const double bottom = -1;
    const std::size_t box = scene.add(Box3{.half = {0.5 * (to - from), 5, 0.5 * (top - bottom)}});
    stairs.parts.push_back({box, {{0.5 * (from + to), 0, 0.5 * (top + bottom)}}});
  };
  const double top = k_rise * steps;
  add_block(-3, 0, top);
  for (int i = 1; i < steps; ++i) add_block((i - 1) * k_tread, i * k_tread, top - i * k_rise);
  add_block((steps - 1) * k_tread, (steps - 1) * k_tread + 8, 0);
  scene.add(stairs);
  const std::size_t shapes = add_humanoid_shapes(scene);
  const std::size_t first = scene.bodies.size();
  add_humanoid(scene, shapes, {{-0.15, 0, top + 0.01}, rotation_of(Vec3{0, 0.15, 0.1})});
  for (std::size_t i = first; i < scene.bodies.size(); ++i) {  // turning forwards about its soles
    scene.bodies[i].velocity.linear = {1.2 * (scene.bodies[i].pose.position.z - top), 0, 0};
    scene.bodies[i].angular_damping = 2;  // or a head that hangs over a step would swing for ever
  }
  scene.name = "humanoid_on_stairs";
  return scene;
}

Limbs add_limbs(World3& world, const Vec3& middle) {
  Limbs limbs;
  const auto add = [&](const Shape3& shape, const Vec3& at, const Vec3& turn) {
    limbs.bodies.push_back(world.create(
        {.position = middle + at, .rotation = rotation_of(turn), .shapes = {{shape, {.density = 500}}}}));
    return limbs.bodies.back();
  };
  const auto join = [&](BodyId a, BodyId b, const Vec3& at) {
    limbs.joints.push_back(world.create(BallDef3{.a = a, .b = b, .frame = {.origin = middle + at}}));
  };
  const BodyId trunk = add(Box3{.half = {0.5, 0.3, 0.2}}, {0, 0, 0.2}, {});
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) {
      const BodyId upper = add(Box3{.half = {0.3, 0.1, 0.1}}, {x * 0.85, y * 0.2, 0.2}, {});
      const BodyId knee = add(Sphere{.radius = 0.15}, {x * 1.35, y * 0.2, 0.2}, {});
      const BodyId foot =
          add(Cone{.radius = 0.15, .half_height = 0.25}, {x * 1.8, y * 0.2, 0.2}, {0, x * 0.5 * k_pi, 0});
      join(trunk, upper, {x * 0.52, y * 0.2, 0.2});
      join(upper, knee, {x * 1.17, y * 0.2, 0.2});
      join(knee, foot, {x * 1.52, y * 0.2, 0.2});
    }
  return limbs;
}

}  // namespace cairn::bench
