#include "forces/spring.h"

#include <gtest/gtest.h>

#include <random>

#include "forces/force_set.h"

namespace cairn {
namespace {

// States of two bodies, with degree of freedom k of body `which` moved by e: the place if `place`, else the
// velocity.
template <class D>
std::vector<BodyState<D>> moved(std::vector<BodyState<D>> states, std::size_t which, std::size_t k,
                                bool place, double e) {
  DofVector<D> unit{};
  unit[k] = e;
  const Twist<D> t = twist(unit);
  BodyState<D>& s = states[which];
  if (place) {
    s.position += t.linear;
    s.rotation = normalized(rotation_of(t.angular) * s.rotation);
  } else {
    s.velocity += t.linear;
    s.angular_velocity += t.angular;
  }
  return states;
}

template <class D>
DofVector<D> wrench_on(const Spring<D>& spring, const std::vector<BodyState<D>>& states, std::size_t i) {
  std::vector<Wrench<D>> wrenches(states.size());
  spring.add_wrench(states, wrenches, 1, 1);
  return dofs(wrenches[i].force, wrenches[i].torque);
}

template <class D>
void check_derivatives(const Spring<D>& spring, const std::vector<BodyState<D>>& states) {
  std::vector<ForceDerivative<D>> derivatives;
  spring.add_derivatives(states, derivatives);
  ASSERT_EQ(derivatives.size(), 4u);
  const double e = 1e-6;
  for (const ForceDerivative<D>& d : derivatives)
    for (std::size_t k = 0; k < D::k_dof; ++k)
      for (const bool place : {true, false}) {
        const auto plus = wrench_on(spring, moved(states, d.column, k, place, e), d.row);
        const auto minus = wrench_on(spring, moved(states, d.column, k, place, -e), d.row);
        for (std::size_t r = 0; r < D::k_dof; ++r) {
          const double by_difference = (plus[r] - minus[r]) / (2 * e);
          EXPECT_NEAR((place ? d.by_place : d.by_velocity)[r][k], by_difference,
                      1e-6 * (1 + absolute(by_difference)))
              << "wrench " << r << " on " << d.row << " by " << (place ? "place " : "velocity ") << k
              << " of " << d.column;
        }
      }
}

Spring<Dim3> spring_3d(double rest) { return {0, 1, {0.1, 0.2, -0.3}, {-0.2, 0.1, 0.4}, 50, 3, rest, 1e-12}; }
const std::vector<BodyState<Dim3>> k_states_3d{{.position = {0, 1, 0},
                                                .rotation = rotation_of(Vec3{1, 2, 0}),
                                                .velocity = {1, 0, 2},
                                                .angular_velocity = {0.5, 1, -2}},
                                               {.position = {1, 2, 2},
                                                .rotation = rotation_of(Vec3{0, 1, -1}),
                                                .velocity = {0, -1, 0},
                                                .angular_velocity = {2, -1, 0.3}}};

TEST(Spring, derivatives_agree_with_finite_differences) {
  check_derivatives(spring_3d(0.7), k_states_3d);
  check_derivatives(spring_3d(0), k_states_3d);
  const std::vector<BodyState<Dim2>> states{
      {.position = {0, 1}, .rotation = Rot2::from_angle(1), .velocity = {1, 0}, .angular_velocity = 0.5},
      {.position = {1, 2}, .rotation = Rot2::from_angle(-2), .velocity = {0, -1}, .angular_velocity = 2}};
  check_derivatives(Spring<Dim2>{0, 1, {0.1, 0.2}, {-0.2, 0.1}, 50, 3, 0.7, 1e-12}, states);
}

TEST(Spring, elastic_force_is_the_slope_of_its_energy) {
  Spring<Dim3> spring = spring_3d(0.7);
  spring.damping = 0;
  for (std::size_t which : {0u, 1u}) {
    const auto wrench = wrench_on(spring, k_states_3d, which);
    for (std::size_t k = 0; k < 6; ++k) {
      const double e = 1e-6;
      const double slope = (spring.energy(moved(k_states_3d, which, k, true, e)) -
                            spring.energy(moved(k_states_3d, which, k, true, -e))) /
                           (2 * e);
      EXPECT_NEAR(wrench[k], -slope, 1e-7 * (1 + absolute(slope)));
    }
  }
}

TEST(Spring, acts_and_reacts) {
  std::vector<Wrench<Dim3>> w(2);
  spring_3d(0.7).add_wrench(k_states_3d, w, 1, 1);
  EXPECT_LE(length(w[0].force + w[1].force), 1e-14);
  Vec3 moment{};
  for (int i = 0; i < 2; ++i) moment += w[i].torque + cross(k_states_3d[i].position, w[i].force);
  EXPECT_LE(length(moment), 1e-13);
}

TEST(Spring, has_no_direction_when_its_ends_meet) {
  const std::vector<BodyState<Dim3>> states{{}, {.velocity = {1, 0, 0}}};
  std::vector<Wrench<Dim3>> w(2);
  Spring<Dim3>{0, 1, {}, {}, 50, 3, 0.5, 1e-12}.add_wrench(states, w, 1, 1);
  EXPECT_EQ(w[1].force, Vec3{});
}

}  // namespace
}  // namespace cairn
