// Every integrator against its theory: the observed order of convergence, for free rotation and with forces.
#include <cairn/integrator.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bodies/explicit_integrators.h"
#include "bodies/implicit_integrators.h"
#include "forces/force_set.h"

namespace cairn {
namespace {

struct NoForces {
  template <class States, class Wrenches>
  void add_wrenches(const States&, double, const Wrenches&) const {}
};
static_assert(ForceModel<NoForces, Dim3> && !DifferentiableForceModel<NoForces, Dim3>);

// The same forces with their derivatives hidden: implicit schemes must then iterate without them.
template <class D>
struct WithoutDerivatives {
  const ForceSet<D>& forces;
  void add_wrenches(std::span<const BodyState<D>> states, double t, std::span<Wrench<D>> wrenches) const {
    forces.add_wrenches(states, t, wrenches);
  }
};

template <class D, class F>
std::vector<BodyState<D>> run(const Integrator& integrator, const F& forces, std::vector<BodyState<D>> states,
                              std::span<const BodyMass<D>> masses, double time, int steps) {
  Team team(1);
  Integration<D> in{.team = team};
  in.masses = masses;
  in.h = time / steps;
  for (int i = 0; i < steps; ++i) {
    in.states = states;
    in.t = i * in.h;
    std::visit([&](const auto& method) { integrate(method, forces, in); }, integrator);
    EXPECT_TRUE(in.report.converged) << in.report.residual;
    states.assign(in.next.begin(), in.next.end());
  }
  return states;
}

template <class D>
double distance(const BodyState<D>& a, const BodyState<D>& b) {
  const auto turn = rotation_vector(a.rotation * inverse(b.rotation));
  const auto velocity = a.velocity - b.velocity;
  const auto angular = a.angular_velocity - b.angular_velocity;
  const auto place = a.position - b.position;
  return square_root(dot(place, place) + dot(turn, turn) + dot(velocity, velocity) + dot(angular, angular));
}

// log₂ of the ratio of the errors at h and h/2.
template <class D, class F>
double observed_order(const Integrator& integrator, const F& forces, const std::vector<BodyState<D>>& start,
                      std::span<const BodyMass<D>> masses, int steps) {
  const auto exact = run<D>(RungeKutta4{}, forces, start, masses, 1, 6000);
  double error[2] = {};
  for (int k = 0; k < 2; ++k) {
    const auto end = run<D>(integrator, forces, start, masses, 1, steps << k);
    for (std::size_t i = 0; i < end.size(); ++i) error[k] += distance(end[i], exact[i]);
  }
  return std::log2(error[0] / error[1]);
}

BodyMass<Dim3> mass_3d(double mass, const Sym3& inertia) {
  return {.inverse_mass = {1 / mass, 1 / mass, 1 / mass},
          .mass = mass,
          .inertia = inertia,
          .inverse_inertia = inverse(inertia),
          .motion = Motion::dynamic};
}

struct Case {
  const char* name;
  Integrator integrator;
  double free_order, forced_order;
  int steps;  // enough to be where the leading term of the error rules
};
const Case k_cases[] = {
    {"semi-implicit Euler", SemiImplicitEuler{}, 2, 1, 2000},
    {"explicit Euler", ExplicitEuler{}, 1, 1, 2000},
    {"implicit Euler", ImplicitEuler{}, 1, 1, 2000},
    {"velocity Verlet", VelocityVerlet{}, 2, 2, 200},
    {"Newmark", Newmark{}, 2, 2, 200},
    {"Newmark with damping", Newmark{.beta = 0.36, .gamma = 0.7}, 1, 1, 2000},
    {"Runge-Kutta", RungeKutta4{}, 4, 4, 100},
    {"conserving", Conserving{}, 2, 2, 200},
};

TEST(Integrators, converge_at_their_order_in_free_rotation) {
  const BodyMass<Dim3> mass = mass_3d(1, {1, 2, 3, 0.1, -0.2, 0.05});
  const std::vector<BodyState<Dim3>> start{
      {.rotation = rotation_of(Vec3{0.3, 1, -0.5}), .angular_velocity = {2, 3, -1}}};
  for (const Case& c : k_cases)
    EXPECT_NEAR(observed_order<Dim3>(c.integrator, NoForces{}, start, {&mass, 1}, c.steps), c.free_order, 0.1)
        << c.name;
}

// Two bodies, tied to each other and to a fixed point by damped springs at off-centre anchors, falling:
// places, rotations and velocities all depend on each other.
template <class D>
struct Tied {
  std::vector<BodyMass<D>> masses;
  std::vector<BodyState<D>> start;
  std::vector<Spring<D>> springs;
  ForceSet<D> forces() const { return {D::k_gravity, masses, springs, {}}; }
};
Tied<Dim3> tied_3d() {
  return {
      {{}, mass_3d(1, {0.3, 0.2, 0.4, 0.02}), mass_3d(2, {0.5, 0.9, 0.6, 0, 0.1})},
      {{},
       {.position = {1, 0, 0}, .velocity = {0, 1, 0}, .angular_velocity = {1, 2, 0.5}},
       {.position = {1.5, 1, -1}, .rotation = rotation_of(Vec3{1, 0, 1}), .angular_velocity = {0, -1, 2}}},
      {{0, 1, {0, 0, 0.2}, {0.1, 0.3, 0}, 30, 0.5, 0.7, 1e-12},
       {1, 2, {-0.2, 0, 0.3}, {0, 0.2, 0.2}, 40, 0.8, 0.5, 1e-12}}};
}
Tied<Dim2> tied_2d() {
  const auto mass = [](double m, double i) {
    return BodyMass<Dim2>{.inverse_mass = {1 / m, 1 / m},
                          .mass = m,
                          .inertia = i,
                          .inverse_inertia = 1 / i,
                          .motion = Motion::dynamic};
  };
  return {
      {{}, mass(1, 0.3), mass(2, 0.5)},
      {{},
       {.position = {1, 0}, .velocity = {0, 1}, .angular_velocity = 2},
       {.position = {1.5, 1}, .rotation = Rot2::from_angle(1), .angular_velocity = -1}},
      {{0, 1, {0, 0.2}, {0.1, 0.3}, 30, 0.5, 0.7, 1e-12}, {1, 2, {-0.2, 0}, {0, 0.2}, 40, 0.8, 0.5, 1e-12}}};
}

template <class D>
void check_forced_order(const Tied<D>& tied) {
  for (const Case& c : k_cases)
    EXPECT_NEAR(observed_order<D>(c.integrator, tied.forces(), tied.start, std::span(tied.masses), c.steps),
                c.forced_order, 0.1)
        << c.name;
}
TEST(Integrators, converge_at_their_order_with_forces_in_3d) { check_forced_order(tied_3d()); }
TEST(Integrators, converge_at_their_order_with_forces_in_2d) { check_forced_order(tied_2d()); }

// Derivatives steer Newton's method; they must not change what it finds.
TEST(Integrators, find_the_same_without_derivatives) {
  const Tied<Dim3> tied = tied_3d();
  const ForceSet<Dim3> forces = tied.forces();
  for (const Integrator& integrator :
       {Integrator{ImplicitEuler{}}, Integrator{Newmark{}}, Integrator{Conserving{}}}) {
    const auto with = run<Dim3>(integrator, forces, tied.start, std::span(tied.masses), 1, 100);
    const auto without =
        run<Dim3>(integrator, WithoutDerivatives<Dim3>{forces}, tied.start, std::span(tied.masses), 1, 100);
    for (std::size_t i = 0; i < with.size(); ++i) EXPECT_LE(distance(with[i], without[i]), 1e-9);
  }
}

// Implicit Euler and the trapezoidal rule stay bounded at a step far beyond the explicit limit h·ω = 2.
TEST(Integrators, implicit_ones_are_stable_at_any_step) {
  Tied<Dim3> tied = tied_3d();
  for (Spring<Dim3>& s : tied.springs) s.stiffness = 1e6, s.rest_length = 0, s.anchor_a = s.anchor_b = {};
  for (const Integrator& integrator :
       {Integrator{ImplicitEuler{}}, Integrator{Newmark{}}, Integrator{Conserving{}}}) {
    const auto end = run<Dim3>(integrator, tied.forces(), tied.start, std::span(tied.masses), 10, 200);
    for (const BodyState<Dim3>& s : end) EXPECT_LT(length(s.position), 10);
  }
}

TEST(Integrators, carry_kinematic_bodies_as_their_velocity_says) {
  const BodyMass<Dim3> mass{.motion = Motion::kinematic};
  const std::vector<BodyState<Dim3>> start{{.velocity = {1, 2, 3}, .angular_velocity = {0.3, -0.2, 0.5}}};
  for (const Case& c : k_cases) {
    const BodyState<Dim3> end = run<Dim3>(c.integrator, NoForces{}, start, {&mass, 1}, 2, 10)[0];
    EXPECT_LE(length(end.position - Vec3{2, 4, 6}), 1e-14) << c.name;
    EXPECT_LE(length(rotation_vector(end.rotation) - Vec3{0.6, -0.4, 1}), 1e-14) << c.name;
    EXPECT_EQ(end.angular_velocity, start[0].angular_velocity) << c.name;
  }
}

}  // namespace
}  // namespace cairn
