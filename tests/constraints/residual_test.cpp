// The residual on problems whose answer is known: one mass on a floor.
#include "constraints/residual.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

constexpr double k_mass = 2, k_mu = 0.5, k_h = 0.01;

// A point mass (it cannot turn) on a fixed floor, with a normal along z: W = 1/m in every direction.
struct Problem {
  BodyState<Dim3> states[2]{};
  BodyMass<Dim3> masses[2]{};
  ContactBlock<Dim3> block{};
  PatchImpulse<Dim3> impulse{};
  double gaps[4]{};

  Problem() {
    masses[1].mass = k_mass;
    masses[1].inverse_mass = {1 / k_mass, 1 / k_mass, 1 / k_mass};
    masses[1].motion = Motion::dynamic;
    block.a = 0, block.b = 1, block.count = 1;
    block.normal = {0, 0, 1};
    block.surface.friction_coefficient = k_mu;
  }
  ContactResidual residual() const {
    ContactResidual sum;
    add_residual<Dim3>(block, impulse, states, masses, gaps, k_h, sum);
    return sum;
  }
};

TEST(ContactResidual, is_zero_for_rest_sliding_flight_and_a_gap_that_closes) {
  Problem rest;
  rest.impulse.normal[0] = 3;
  rest.impulse.friction = {0.6, -0.8, 0};  // within the cone: 1 < 1.5
  EXPECT_EQ(rest.residual().max, 0);
  EXPECT_EQ(rest.residual().points, 1u);

  Problem slides;
  slides.states[1].velocity = {3, 4, 0};
  slides.impulse.normal[0] = 2;
  slides.impulse.friction = {-0.6, -0.8, 0};  // μ λ_N, against it
  EXPECT_NEAR(slides.residual().max, 0, 1e-15);

  Problem flies;
  flies.states[1].velocity = {3, 4, 1};
  EXPECT_EQ(flies.residual().max, 0);

  Problem falls;
  falls.gaps[0] = 0.02;
  falls.states[1].velocity = {1, 0, -1.5};
  EXPECT_EQ(falls.residual().max, 0);
}

TEST(ContactResidual, has_the_size_of_the_velocity_that_is_wrong) {
  Problem sinks;  // nothing stops it
  sinks.states[1].velocity = {0, 0, -0.3};
  EXPECT_NEAR(sinks.residual().max, 0.3, 1e-15);
  EXPECT_NEAR(sinks.residual().signorini, 0.3, 1e-15);
  EXPECT_NEAR(sinks.residual().sum_squares, 0.09, 1e-15);

  Problem creeps;  // it should stick: well within the cone it is off by just its velocity
  creeps.states[1].velocity = {0.03, 0.04, 0};
  creeps.impulse.normal[0] = 10;
  // Off along the surface by 0.05, and by μ·0.05 along the normal.
  EXPECT_NEAR(creeps.residual().max, 0.05 * std::sqrt(1 + k_mu * k_mu), 1e-15);
  EXPECT_EQ(creeps.residual().signorini, 0);

  Problem pulled;  // friction of 2 with a bound of ½·2 = 1
  pulled.impulse.normal[0] = 2;
  pulled.impulse.friction = {2, 0, 0};
  EXPECT_NEAR(pulled.residual().cone, (2 - 1) / k_mass, 1e-15);
  // The distance of (2, 2) from the line λ_T = μ λ_N.
  EXPECT_NEAR(pulled.residual().max, 1 / std::sqrt(1 + k_mu * k_mu) / k_mass, 1e-15);

  Problem sticky;  // it leaves, but something still presses
  sticky.impulse.normal[0] = 0.1;
  sticky.states[1].velocity = {0, 0, 5};
  EXPECT_NEAR(sticky.residual().signorini, 0.1 / k_mass, 1e-15);
}

TEST(ContactResidual, counts_the_surface_of_a_conveyor) {
  Problem rides;
  rides.block.surface.velocity = {-1, 0, 0};  // of b against a: the floor runs along +x
  rides.states[1].velocity = {1, 0, 0};
  rides.impulse.normal[0] = 1;
  EXPECT_EQ(rides.residual().max, 0);
  rides.states[1].velocity = {};
  EXPECT_GT(rides.residual().max, 0.1);
  EXPECT_NEAR(contact_speed<Dim3>(rides.block, rides.states), 1, 1e-15);
}

// Four corners under a plate that spins: the twist, shared, is just the friction of each corner.
TEST(ContactResidual, shares_force_and_twist_among_the_points) {
  Problem spins;
  spins.masses[1].inertia = {1, 1, 1, 0, 0, 0};
  spins.masses[1].inverse_inertia = {1, 1, 1, 0, 0, 0};
  spins.block.count = 4;
  const Vec3 corners[] = {{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}};
  for (int k = 0; k < 4; ++k) {
    spins.block.points[k].arm_a = spins.block.points[k].arm_b = corners[k];
    spins.impulse.normal[k] = 3;
  }
  spins.states[1].angular_velocity = {0, 0, 0.7};
  spins.impulse.twist = -k_mu * 12 * std::sqrt(2.0);
  EXPECT_NEAR(spins.residual().max, 0, 1e-14);
  EXPECT_EQ(spins.residual().points, 4u);
  spins.impulse.twist *= 0.9;
  EXPECT_GT(spins.residual().max, 0.01);

  spins.states[1] = {};
  spins.states[1].velocity = {2, 0, 0};
  spins.impulse.twist = 0;
  spins.impulse.friction = {-k_mu * 12, 0, 0};
  EXPECT_NEAR(spins.residual().max, 0, 1e-14);
}

TEST(RowResidual, respects_bounds) {
  EXPECT_NEAR(row_residual(0.3, 7, -1e300, 1e300, 0.25), 0.3, 1e-12);  // held: its speed
  EXPECT_EQ(row_residual(0.3, 0, 0, 1e300, 0.25), 0);                  // a stop that is left
  EXPECT_NEAR(row_residual(-0.3, 0, 0, 1e300, 0.25), 0.3, 1e-15);      // a stop that is run over
  EXPECT_EQ(row_residual(-0.3, 2, -2, 2, 0.25), 0);                    // a motor at its limit
}

}  // namespace
}  // namespace cairn
