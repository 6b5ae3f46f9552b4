// Free flight: the map itself against closed forms and its invariants, then the kernels of every instruction
// set against the map in doubles, bit for bit.
#include "bodies/drift.h"
#include "bodies/free_rotation.h"
#include "bodies/kernels/kernels.h"
#include "instruction_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace cairn {
namespace {

using State = BodyState<Dim3>;

struct Body {
  State state;
  Sym3 inertia;
};

double energy(const Body& b) {
  const Vec3 omega = inverse(b.state.rotation) * b.state.angular_velocity;
  return 0.5 * dot(omega, b.inertia * omega);
}
Vec3 momentum(const Body& b) {
  return b.state.rotation * (b.inertia * (inverse(b.state.rotation) * b.state.angular_velocity));
}

// One body by the map in doubles. True if its Newton iteration failed.
bool drift_reference(Body& b, double h) {
  b.state.position += h * b.state.velocity;
  return rotate_freely(b.inertia, h, b.state.rotation, b.state.angular_velocity);
}

class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  double between(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random_); }
  Vec3 vector(double size) {
    return normalized(Vec3{normal_(random_), normal_(random_), normal_(random_)}) * size;
  }
  Rot3 rotation() {
    return normalized(Rot3{normal_(random_), normal_(random_), normal_(random_), normal_(random_)});
  }

  // Inertia of a body whose second moments along its axes span up to `ratio`, any axes.
  Sym3 inertia(double ratio) {
    const auto moment = [&] { return std::pow(ratio, -between(0, 1)); };
    const double x = moment(), y = moment(), z = moment();
    return rotated(rotation(), Sym3{y + z, x + z, x + y});
  }
  Body body(const Sym3& inertia, double speed) {
    return {{vector(10), rotation(), vector(3), vector(speed)}, inertia};
  }
  // A bit of everything, for steps of 1/60 s.
  Body any_body(int kind) {
    const double h = 1.0 / 60;
    switch (kind % 12) {
      case 0:
        return body(inertia(10), 5);
      case 1:
        return body(inertia(1e6), 20);
      case 2:
        return body(Sym3{0.4, 0.4, 0.4}, 7);  // a sphere
      case 3:
        return body(inertia(10), 0);  // at rest
      case 4:
        return body(inertia(10), 1e-200);  // squares vanish
      case 5:
        return body(inertia(100), 1e-9);
      case 6:
        return body(inertia(100), 1 / h);  // as far as one part of a step goes
      case 7:
        return body(inertia(100), between(1, 60) / h);  // in parts
      case 8:
        return body(inertia(100), 1e5 / h);  // too fast for Newton
      case 9:
        return body(1e-9 * inertia(1000), 30);  // a grain
      case 10:
        return body(1e12 * inertia(1000), 0.1);  // a ship
      default:
        return body(Sym3{1e-6, 1, 2, 1e-4, 0, 0}, 50);  // no body has such inertia
    }
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

// ------------------------------------------------------------------------------------------------- the map

TEST(FreeRotation, conserves_energy_and_momentum_to_round_off) {
  Maker make(1);
  for (double turn : {1e-9, 0.01, 0.3, 1.0, 3.0, 30.0})
    for (double ratio : {1.0, 10.0, 1e6})
      for (int i = 0; i < 20; ++i) {
        const double h = 0.01;
        Body b = make.body(make.inertia(ratio), turn / h);
        const double e = energy(b);
        const Vec3 l = momentum(b);
        for (int step = 0; step < 200; ++step)
          ASSERT_FALSE(drift_reference(b, h)) << turn << " rad, ratio " << ratio;
        // A unit in the last place of ω for every part of a step, which the energy feels twice, and the
        // thinner a rod the more: as much as |ω||Π| exceeds ω·Π.
        const double condition = length(b.state.angular_velocity) * length(l) / (2 * e);
        const double round_off = 200 * larger(1, turn) * 0x1p-51 * condition;
        EXPECT_NEAR(energy(b) / e, 1, round_off) << turn << " rad, ratio " << ratio;
        EXPECT_LE(length(momentum(b) - l), round_off * length(l)) << turn << " rad, ratio " << ratio;
        EXPECT_NEAR(norm(b.state.rotation), 1, 4e-16);
      }
}

// Errors that always go to the same side grow with the number of steps, and a sphere makes the same ones for
// ever: going to body axes and back each step cost it 4e-11 here.
TEST(FreeRotation, sphere_spins_on_for_ever) {
  Maker make(8);
  Body b = make.body(Sym3{0.4, 0.4, 0.4}, 0.6);
  const Vec3 omega = b.state.angular_velocity;
  for (int step = 0; step < 100000; ++step) drift_reference(b, 1.0 / 60);
  EXPECT_LE(length(b.state.angular_velocity - omega), 1e-15);
}

// Without torque a symmetric top's ω turns about its momentum L, at the rate |L|/I₁.
double error_of_symmetric_top(int steps) {
  const double time = 2, h = time / steps;
  Body top{{}, Sym3{2, 2, 0.7}};
  top.state.angular_velocity = {0.5, 0.2, 1.5};
  const Vec3 omega = top.state.angular_velocity, l = momentum(top), axis = normalized(l);
  for (int i = 0; i < steps; ++i) drift_reference(top, h);
  const double angle = length(l) / 2 * time;
  const Vec3 along = dot(omega, axis) * axis, across = omega - along;
  const Vec3 exact = along + std::cos(angle) * across + std::sin(angle) * cross(axis, across);
  return length(top.state.angular_velocity - exact);
}

TEST(FreeRotation, symmetric_top_precesses_with_second_order) {
  double coarse = error_of_symmetric_top(50);
  EXPECT_LT(coarse, 2e-3);
  for (int steps = 100; steps <= 800; steps *= 2) {
    const double fine = error_of_symmetric_top(steps);
    EXPECT_NEAR(coarse / fine, 4, 0.05) << steps << " steps";
    coarse = fine;
  }
}

TEST(FreeRotation, is_reversible) {
  Maker make(2);
  for (int i = 0; i < 100; ++i) {
    const Body before = make.body(make.inertia(10), 10);
    Body b = before;
    drift_reference(b, 0.02);
    drift_reference(b, -0.02);
    EXPECT_LE(length(b.state.angular_velocity - before.state.angular_velocity), 1e-13);
    EXPECT_LE(length(b.state.position - before.state.position), 1e-14);
    EXPECT_LE(length(b.state.rotation * Vec3{1, 2, 3} - before.state.rotation * Vec3{1, 2, 3}), 1e-14);
  }
}

TEST(FreeRotation, keeps_energy_when_it_has_to_give_up) {
  Maker make(3);
  int failures = 0;
  for (int i = 0; i < 200; ++i) {
    Body b = make.body(make.inertia(100), i % 2 ? 1e7 : 1e12);
    const double e = energy(b), l = length(momentum(b));
    failures += drift_reference(b, 0.01);
    EXPECT_NEAR(energy(b) / e, 1, 1e-9);
    EXPECT_NEAR(length(momentum(b)) / l, 1, 1e-9);
    EXPECT_NEAR(norm(b.state.rotation), 1, 4e-16);
  }
  EXPECT_GT(failures, 0);
}

// --------------------------------------------------------------------------------------------- the kernels

class Drift : public EverySet {};
CAIRN_TEST_EVERY_SET(Drift);

void expect_same_bits(const State& a, const State& b, const char* what, int body) {
  EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << what << ", body " << body;
}

TEST_P(Drift, is_the_map_of_doubles_bit_for_bit) {
  const auto drift = body_kernels(GetParam()).drift;
  Maker make(4);
  const double h = 1.0 / 60;
  for (std::size_t count = 0; count <= 40; ++count) {
    // Arrays of just the bodies: the address sanitizer sees any access beyond.
    std::vector<State> states(count);
    std::vector<BodyMass<Dim3>> masses(count);
    std::vector<uint32_t> indices(count);
    std::vector<Body> expected(count);
    for (std::size_t i = 0; i < count; ++i) {
      expected[i] = make.any_body(int(7 * i + count));
      states[i] = expected[i].state, masses[i].inertia = expected[i].inertia,
      indices[i] = uint32_t(count - 1 - i);
    }
    for (int step = 0; step < 5; ++step) {
      std::size_t failed = 0;
      for (Body& b : expected) failed += drift_reference(b, h);
      EXPECT_EQ(drift(states.data(), masses.data(), indices.data(), count, h), failed);
      for (std::size_t i = 0; i < count; ++i) expect_same_bits(states[i], expected[i].state, "state", int(i));
    }
  }
}

TEST_P(Drift, does_not_depend_on_neighbours) {
  const auto drift = body_kernels(GetParam()).drift;
  Maker make(5);
  const double h = 1.0 / 60;
  // Each body once with quick company and once alone.
  std::vector<State> together, alone;
  std::vector<BodyMass<Dim3>> masses;
  std::vector<uint32_t> indices;
  for (int i = 0; i < 96; ++i) {
    const Body b = make.any_body(i);
    together.push_back(b.state), masses.push_back({.inertia = b.inertia}), indices.push_back(uint32_t(i));
  }
  alone = together;
  const std::size_t failed = drift(together.data(), masses.data(), indices.data(), indices.size(), h);
  std::size_t failed_alone = 0;
  for (const uint32_t& i : indices) failed_alone += drift(alone.data(), masses.data(), &i, 1, h);
  EXPECT_EQ(failed, failed_alone);
  for (std::size_t i = 0; i < together.size(); ++i) expect_same_bits(together[i], alone[i], "state", int(i));
}

TEST_P(Drift, leaves_bodies_alone_that_are_not_in_the_list) {
  const auto drift = body_kernels(GetParam()).drift;
  Maker make(6);
  std::vector<State> states;
  std::vector<BodyMass<Dim3>> masses;
  std::vector<uint32_t> indices;
  for (int i = 0; i < 101; ++i) {
    const Body b = make.body(make.inertia(10), 3);
    states.push_back(b.state), masses.push_back({.inertia = b.inertia});
    if (i % 3 == 1) indices.push_back(uint32_t(i));
  }
  const std::vector<State> before = states;
  EXPECT_EQ(drift(states.data(), masses.data(), indices.data(), indices.size(), 0.01), 0u);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const bool moved = std::memcmp(&states[i], &before[i], sizeof(State)) != 0;
    EXPECT_EQ(moved, i % 3 == 1) << "body " << i;
  }
}

TEST_P(Drift, counts_bodies_that_are_not_finite) {
  const auto drift = body_kernels(GetParam()).drift;
  Maker make(7);
  std::vector<State> states;
  std::vector<BodyMass<Dim3>> masses;
  std::vector<uint32_t> indices;
  for (int i = 0; i < 21; ++i) {
    Body b = make.body(make.inertia(10), 3);
    if (i % 10 == 4) b.state.angular_velocity.y = std::numeric_limits<double>::quiet_NaN();
    states.push_back(b.state), masses.push_back({.inertia = b.inertia}), indices.push_back(uint32_t(i));
  }
  EXPECT_EQ(drift(states.data(), masses.data(), indices.data(), indices.size(), 0.01), 2u);
  for (std::size_t i = 0; i < states.size(); ++i) {
    EXPECT_TRUE(is_finite(states[i].position)) << "body " << i;
    EXPECT_EQ(is_finite(states[i].angular_velocity), i % 10 != 4) << "body " << i;
  }
}

// In the plane: what one body alone does, bit for bit; what turns far is named and left.
TEST_P(Drift, in_the_plane_is_that_of_one_body) {
  Maker make(8);
  constexpr double h = 1. / 480;
  const BodyMass<Dim2> mass{.motion = Motion::dynamic};
  for (const std::size_t count : {1u, 3u, 4u, 7u, 64u}) {
    std::vector<BodyState<Dim2>> states;
    std::vector<uint32_t> indices;
    for (std::size_t i = 0; i < count; ++i) {
      const double speeds[] = {0,
                               make.between(-1, 1),
                               make.between(-300, 300),
                               make.between(-2000, 2000),
                               1e-9,
                               std::numeric_limits<double>::quiet_NaN()};
      states.push_back({{make.between(-9, 9), make.between(-9, 9)},
                        Rot2::from_angle(make.between(-3, 3)),
                        {make.between(-9, 9), make.between(-9, 9)},
                        speeds[(i + count) % std::size(speeds)]});
      indices.push_back(uint32_t(i));
    }
    const std::vector<BodyState<Dim2>> before = states;
    const std::size_t left = body_kernels(GetParam()).drift_flat(states.data(), indices.data(), count, h);
    std::size_t far = 0;
    for (std::size_t i = 0; i < count; ++i) {
      BodyState<Dim2> alone = before[i];
      if (std::abs(h * alone.angular_velocity) <= k_pi / 4)
        drift(alone, mass, h);
      else
        EXPECT_EQ(indices[far++], i);
      EXPECT_EQ(std::memcmp(&states[i], &alone, sizeof alone), 0) << "body " << i << " of " << count;
    }
    EXPECT_EQ(left, far);
  }
}

}  // namespace
}  // namespace cairn
