#include "bodies/free_rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bodies/drift.h"

namespace cairn {
namespace {

BodyMass<Dim3> mass_of(const Sym3& inertia, const Axes3& locked = {}) {
  return {.inverse_mass = {1, 1, 1},
          .mass = 1,
          .inertia = inertia,
          .inverse_inertia = inverse(inertia),
          .motion = Motion::dynamic,
          .locked_rotation = locked};
}
Vec3 random_vector(std::mt19937_64& random, double scale) {
  std::uniform_real_distribution<double> u(-scale, scale);
  return {u(random), u(random), u(random)};
}

// For any inertia, any spin and any step, however long.
TEST(FreeRotation, keeps_angular_momentum_and_energy) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-3, 3), part(0, 1);
  for (int i = 0; i < 2000; ++i) {
    const double a = std::pow(10, exponent(random)), b = std::pow(10, exponent(random));
    const Rot3 axes = rotation_of(random_vector(random, 3));
    const double c =
        absolute(a - b) + part(random) * (a + b - absolute(a - b));  // by the triangle inequality
    const BodyMass<Dim3> mass = mass_of(rotated(axes, Sym3{a, b, c}));
    BodyState<Dim3> s{.rotation = rotation_of(random_vector(random, 3)),
                      .angular_velocity = random_vector(random, i % 2 ? 1 : 30)};
    const Vec3 momentum = angular_momentum(mass, s);
    const double energy = kinetic_energy(mass, s);
    for (int step = 0; step < 20; ++step) drift(s, mass, 0.1);
    EXPECT_LE(length(angular_momentum(mass, s) - momentum), 1e-12 * length(momentum));
    EXPECT_NEAR(kinetic_energy(mass, s), energy, 1e-12 * energy);
  }
}

// A ball, and anything about a principal axis, turns by exactly h·|ω|.
TEST(FreeRotation, steady_spin_is_exact) {
  for (const double speed : {0.1, 3.0, 60.0}) {
    const auto turn = [&](const Sym3& inertia, const Vec3& w) {
      BodyState<Dim3> s{.angular_velocity = w};
      for (int i = 0; i < 60; ++i) drift(s, mass_of(inertia), 1. / 60);
      const Vec3 error = rotation_vector(s.rotation * inverse(rotation_of(w)));
      EXPECT_LE(length(error), 1e-13 * (1 + speed)) << speed;
      EXPECT_LE(length(s.angular_velocity - w), 1e-13 * speed);
    };
    turn({1, 1, 1}, normalized(Vec3{1, 2, 3}) * speed);
    turn({1, 2, 3}, {speed, 0, 0});
    turn({1, 2, 3}, {0, 0, speed});
  }
}

TEST(FreeRotation, with_two_axes_locked_turns_steadily_about_the_third) {
  const BodyMass<Dim3> mass = mass_of({1, 2, 3, 0.3, 0.2, 0.1}, {.x = true, .y = true});
  BodyState<Dim3> s{.angular_velocity = {0, 0, 2}};
  for (int i = 0; i < 100; ++i) drift(s, mass, 0.01);
  EXPECT_LE(length(rotation_vector(s.rotation) - Vec3{0, 0, 2}), 1e-13);
  EXPECT_LE(length(s.angular_velocity - Vec3{0, 0, 2}), 1e-14);
}

TEST(FreeRotation, with_one_axis_locked_keeps_the_free_momentum_and_bounds_the_energy) {
  const BodyMass<Dim3> mass = mass_of({1, 2, 2.5, 0.1, 0.2, 0.1}, {.z = true});
  const auto energy_error = [&](int steps) {
    BodyState<Dim3> s{.angular_velocity = {1, 2, 0}};
    const Vec3 momentum = angular_momentum(mass, s);
    const double energy = kinetic_energy(mass, s);
    double worst = 0;
    for (int i = 0; i < steps; ++i) {
      drift(s, mass, 20. / steps);
      worst = larger(worst, absolute(kinetic_energy(mass, s) - energy));
      EXPECT_EQ(s.angular_velocity.z, 0);
    }
    EXPECT_LE(length(angular_momentum(mass, s) - momentum), 1e-12);
    return worst;
  };
  EXPECT_NEAR(std::log2(energy_error(2000) / energy_error(4000)), 2, 0.1);
}

TEST(RestrictedInverse, lets_no_torque_turn_a_locked_axis_and_inverts_on_the_free_ones) {
  const Sym3 inertia{1, 2, 3, 0.3, -0.4, 0.5};
  for (int mask = 0; mask < 8; ++mask) {
    const Axes3 locked{bool(mask & 1), bool(mask & 2), bool(mask & 4)};
    const Sym3 m = restricted_inverse(inertia, locked);
    for (const Vec3& free : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      const Vec3 w = m * free;
      EXPECT_EQ(unlocked(w, locked), w);
      EXPECT_LE(length(unlocked(inertia * w, locked) - unlocked(free, locked)), 1e-15);
    }
  }
}

}  // namespace
}  // namespace cairn
