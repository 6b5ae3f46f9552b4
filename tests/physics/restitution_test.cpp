// Impacts never give back more than they took.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cairn {
namespace {

constexpr double k_h = 1.0 / 60;
constexpr Precision k_precisions[] = {Precision::double_lanes, Precision::single_lanes};

// What may be gained, as a part of the energy in play: round-off of the lanes.
double allowed(Precision precision) { return precision == Precision::double_lanes ? 1e-9 : 1e-5; }

double random(std::mt19937& bits, double lo, double hi) { return lo + (hi - lo) * (bits() * 0x1p-32); }
Vec3 random_vector(std::mt19937& bits, double size) {
  const double x = random(bits, -size, size), y = random(bits, -size, size), z = random(bits, -size, size);
  return {x, y, z};
}
Rot3 random_rotation(std::mt19937& bits) { return rotation_of(random_vector(bits, 3)); }

template <class D>
WorldDef<D> world_def(Precision precision, bool gravity) {
  WorldDef<D> def;
  if (!gravity) def.gravity = {};
  def.method.solver = SoftStep{.precision = precision};
  def.accounting = Accounting::full;
  return def;
}

// Steps, and returns the most that the bounces of a step gave back beyond what its contacts took, as a part of the kinetic
// energy. What the solver gains where it draws in the overlap of a body that turns into the floor is not the bounce's.
template <class D>
double largest_gain(World<D>& world, int steps) {
  double gain = 0, scale = world.energy().kinetic;
  for (int i = 0; i < steps; ++i) {
    const Energy& e = world.step(k_h).energy;
    EXPECT_NE(world.report().status, StepStatus::set_aside) << i;
    scale = std::max(scale, e.kinetic);
    const double taken = -(e.contact + e.friction + e.relaxation);
    gain = std::max(gain, e.impact - std::max(taken, 0.));
  }
  return gain / scale;
}
// The most that the whole energy ever is above that of the start.
template <class D>
double largest_rise(World<D>& world, int steps) {
  const double start = world.energy().total(), scale = world.energy().kinetic;
  double gain = 0;
  for (int i = 0; i < steps; ++i) gain = std::max(gain, world.step(k_h).energy.total() - start);
  return gain / scale;
}

ShapeDef3 random_shape(std::mt19937& bits, const Material& material) {
  const int kind = int(bits() % 3);
  if (kind == 0) return {Sphere{.radius = random(bits, 0.1, 0.5)}, {.material = material}};
  if (kind == 1) {
    const double thin = random(bits, 0.03, 0.1);
    return {Box3{.half = {thin, thin, random(bits, 0.3, 1)}}, {.material = material}};
  }
  const double x = random(bits, 0.1, 0.5), y = random(bits, 0.1, 0.5), z = random(bits, 0.1, 0.5);
  return {Box3{.half = {x, y, z}}, {.material = material}};
}
Material random_material(std::mt19937& bits) {
  const double mu = random(bits, 0, 1);
  const double e = bits() % 3 ? random(bits, 0, 1) : 1;
  return {.static_friction = mu, .kinetic_friction = mu, .restitution = e};
}

// 500 worlds that `fill(world, bits, material)` fills.
template <class Fill>
void expect_no_gain(unsigned seed, Precision precision, bool gravity, Fill&& fill) {
  std::mt19937 bits(seed);
  double worst = 0;
  int bad = 0;
  for (int i = 0; i < 500; ++i) {
    World3 world(world_def<Dim3>(precision, gravity));
    const Material material = random_material(bits);
    fill(world, bits, material);
    const double gain = largest_gain(world, 30);
    worst = std::max(worst, gain);
    bad += gain > allowed(precision);
  }
  EXPECT_LE(worst, allowed(precision))
      << name_of(precision) << (gravity ? " with gravity" : "") << ", " << bad;
}

// A spinning body thrown on the floor.
TEST(Restitution, of_random_bodies_on_a_floor_never_gains) {
  for (const Precision precision : k_precisions)
    for (const bool gravity : {false, true})
      expect_no_gain(7, precision, gravity, [](World3& world, std::mt19937& bits, const Material& material) {
        world.create({.motion = Motion::fixed,
                      .position = {0, 0, -1},
                      .shapes = {{Box3{.half = {30, 30, 1}}, {.material = material}}}});
        const Rot3 rotation = random_rotation(bits);
        const Vec3 velocity = random_vector(bits, 4), spin = random_vector(bits, 15);
        world.create({.position = {0, 0, 1.3},
                      .rotation = rotation,
                      .velocity = {velocity.x, velocity.y, -6},
                      .angular_velocity = spin,
                      .shapes = {random_shape(bits, material)}});
      });
}

// Two that meet in the air.
TEST(Restitution, of_random_bodies_that_meet_never_gains) {
  for (const Precision precision : k_precisions)
    expect_no_gain(11, precision, false, [](World3& world, std::mt19937& bits, const Material& material) {
      for (int k = 0; k < 2; ++k) {
        const Rot3 rotation = random_rotation(bits);
        const Vec3 aside = random_vector(bits, 0.2), spin = random_vector(bits, 15);
        const Vec3 at{k == 0 ? -1.7 : 1.7, 0, 0};
        world.create({.position = at + aside,
                      .rotation = rotation,
                      .velocity = -3 * at,
                      .angular_velocity = spin,
                      .shapes = {random_shape(bits, material)}});
      }
    });
}

// Five balls in a row that touch, hit by a sixth.
TEST(Restitution, of_a_cradle_never_gains) {
  for (const Precision precision : k_precisions)
    for (const double e : {0.3, 0.7, 1.0}) {
      World2 world(world_def<Dim2>(precision, false));
      const ShapeDef2 ball{Circle{.radius = 0.1},
                           {.material = {.static_friction = 0, .kinetic_friction = 0, .restitution = e}}};
      for (int i = 0; i < 5; ++i) world.create({.position = {0.2 * i, 0}, .shapes = {ball}});
      world.create({.position = {-0.5, 0}, .velocity = {4, 0}, .shapes = {ball}});
      const double momentum = world.momentum().linear.x;
      EXPECT_LE(largest_rise(world, 60), allowed(precision)) << e << ", " << name_of(precision);
      EXPECT_NEAR(world.momentum().linear.x, momentum, allowed(precision) * momentum);
    }
}

// Balls of all kinds, thrown at each other and on the floor: nothing of them is drawn in, so that the whole energy counts.
TEST(Restitution, of_random_balls_never_raises_the_energy) {
  for (const Precision precision : k_precisions) {
    std::mt19937 bits(5);
    double worst = 0;
    for (int i = 0; i < 200; ++i) {
      World3 world(world_def<Dim3>(precision, false));  // falling bodies that are held back would gain height
      const Material material = random_material(bits);
      world.create({.motion = Motion::fixed,
                    .position = {0, 0, -1},
                    .shapes = {{Box3{.half = {30, 30, 1}}, {.material = material}}}});
      for (int k = 0; k < 3; ++k) {
        const Vec3 velocity = random_vector(bits, 4), spin = random_vector(bits, 20);
        world.create({.position = {k - 1., 0, 1},
                      .velocity = {velocity.x + 3 * (1 - k), velocity.y, -5},
                      .angular_velocity = spin,
                      .shapes = {{Sphere{.radius = random(bits, 0.1, 0.4)}, {.material = material}}}});
      }
      worst = std::max(worst, largest_rise(world, 40));
    }
    EXPECT_LE(worst, allowed(precision)) << name_of(precision);
  }
}

// A rod that falls flat on both ends, or nearly: Newton's law at one end after the other would gain.
TEST(Restitution, of_a_rod_on_both_ends_is_clamped) {
  for (const Precision precision : k_precisions)
    for (const double tilt : {0.0, 0.003, 0.01, 0.03}) {
      World2 world(world_def<Dim2>(precision, false));
      const Material material{.static_friction = 0, .kinetic_friction = 0, .restitution = 1};
      world.create({.motion = Motion::fixed,
                    .position = {0, -1},
                    .shapes = {{Box2{.half = {9, 1}}, {.material = material}}}});
      world.create({.position = {0, 0.3},
                    .rotation = rotation_of(tilt),
                    .velocity = {0, -5},
                    .shapes = {{Box2{.half = {1, 0.05}}, {.material = material}}}});
      EXPECT_LE(largest_rise(world, 6), allowed(precision)) << tilt << ", " << name_of(precision);
      const double back = world.energy().kinetic / (0.5 * world.mass(world.bodies()[1]).mass * 25);
      EXPECT_GT(back, 0.9) << tilt;  // and yet it bounces
    }
}

// A box dropped on two edges at once.
TEST(Restitution, of_a_box_on_two_edges_never_gains) {
  for (const Precision precision : k_precisions)
    for (const double e : {0.3, 0.7, 1.0})
      for (const double mu : {0.0, 0.5, 1.0}) {
        World2 world(world_def<Dim2>(precision, true));
        const Material material{.static_friction = mu, .kinetic_friction = mu, .restitution = e};
        for (const double x : {-0.6, 0.6})
          world.create({.motion = Motion::fixed,
                        .position = {x, 0},
                        .shapes = {{Box2{.half = {0.2, 0.5}}, {.material = material}}}});
        world.create({.position = {0.05, 0.9},
                      .velocity = {0.3, -5},
                      .angular_velocity = 0.5,
                      .shapes = {{Box2{.half = {0.6, 0.1}}, {.material = material}}}});
        EXPECT_LE(largest_gain(world, 60), allowed(precision))
            << e << ", " << mu << ", " << name_of(precision);
      }
}

}  // namespace
}  // namespace cairn
