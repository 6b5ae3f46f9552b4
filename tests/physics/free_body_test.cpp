// The asymmetric free body: the flip about the intermediate axis, against the closed form.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

// Complete elliptic integral of the first kind K(m), by the arithmetic–geometric mean.
double elliptic_k(double m) {
  double a = 1, b = std::sqrt(1 - m);
  for (int i = 0; i < 10; ++i) {  // converges quadratically
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return k_pi / (2 * a);
}

// Landau and Lifshitz, Mechanics §37: the period of ω in the body's frame, I₁ < I₂ < I₃. Where L² > 2E·I₂ it
// is T = 4K(m) √(I₁I₂I₃ / ((I₃ − I₂)(L² − 2E·I₁))), m = (I₂ − I₁)(2E·I₃ − L²) / ((I₃ − I₂)(L² − 2E·I₁)); else
// with the indices 1 and 3 exchanged.
double period(Vec3 inertia, const Vec3& w) {
  const double energy2 = inertia.x * w.x * w.x + inertia.y * w.y * w.y + inertia.z * w.z * w.z;
  const double l2 =
      std::pow(inertia.x * w.x, 2) + std::pow(inertia.y * w.y, 2) + std::pow(inertia.z * w.z, 2);
  if (l2 < energy2 * inertia.y) std::swap(inertia.x, inertia.z);
  const double q = (inertia.z - inertia.y) * (l2 - energy2 * inertia.x);
  const double m = (inertia.y - inertia.x) * (energy2 * inertia.z - l2) / q;
  return 4 * elliptic_k(m) * std::sqrt(inertia.x * inertia.y * inertia.z / q);
}

struct FreeBody {
  World3 world;
  BodyId body;
  FreeBody(const Integrator& integrator, const Vec3& w)
      : world({.gravity = {}, .method = {.integrator = integrator}}),
        body(world.create({.rotation = rotation_of(Vec3{0.3, -0.7, 0.2}),
                           .angular_velocity = rotation_of(Vec3{0.3, -0.7, 0.2}) * w,
                           .mass = 1,
                           .center = Vec3{},
                           .inertia = Sym3{1, 2, 3}})) {}
  Vec3 body_rate() const { return inverse(world.pose(body).rotation) * world.velocity(body).angular; }
};

// Time between every second sign change of the intermediate component, located by a cubic through four
// samples.
double measured_period(FreeBody& free, double h, int periods) {
  std::vector<double> crossings;
  double y[4] = {};
  for (long n = 0; crossings.size() < std::size_t(2 * periods + 1); ++n) {
    y[0] = y[1], y[1] = y[2], y[2] = y[3], y[3] = free.body_rate().y;
    if (n >= 3 && (y[1] < 0) != (y[2] < 0)) {
      double lo = 0, hi = 1;  // between samples n−2 and n−1
      const auto cubic = [&](double s) {
        return -s * (s - 1) * (s - 2) / 6 * y[0] + (s + 1) * (s - 1) * (s - 2) / 2 * y[1] -
               (s + 1) * s * (s - 2) / 2 * y[2] + (s + 1) * s * (s - 1) / 6 * y[3];
      };
      for (int k = 0; k < 60; ++k) {
        const double mid = 0.5 * (lo + hi);
        ((cubic(mid) < 0) == (cubic(lo) < 0) ? lo : hi) = mid;
      }
      crossings.push_back((double(n - 2) + lo) * h);
    }
    free.world.step(h);
  }
  return (crossings.back() - crossings.front()) / periods;
}

TEST(FreeBody, flips_with_the_period_of_the_elliptic_integral) {
  int which = 0;
  for (const Vec3& w : {Vec3{0.02, 0.9, 0.01}, Vec3{0.5, 0.6, 0.3}, Vec3{0.1, 0.2, 0.9}}) {
    FreeBody free(Conserving{}, w);
    const double exact = period({1, 2, 3}, w);
    const double measured = measured_period(free, 1e-3, 2);
    EXPECT_NEAR(measured / exact, 1, 1e-6);
    RecordProperty("relative_error_" + std::to_string(++which), to_text(measured / exact - 1));
  }
}

// The default integrator drifts by the same map when no force acts, and keeps the same things.
TEST(FreeBody, keeps_momentum_and_energy_over_a_hundred_thousand_steps) {
  for (const auto& [integrator, name] : {std::pair{Integrator{Conserving{}}, "conserving_"},
                                         std::pair{Integrator{SemiImplicitEuler{}}, "semi_implicit_"}}) {
    FreeBody free(integrator, {0.02, 0.9, 0.01});
    const Vec3 momentum = free.world.momentum().angular;
    const double energy = free.world.energy().kinetic;
    double worst_momentum = 0, worst_energy = 0;
    for (int i = 0; i < 100000; ++i) {
      const StepReport3& step = free.world.step(1e-3);
      ASSERT_EQ(step.status, StepStatus::good) << step.message;
      worst_momentum = std::max(worst_momentum, length(step.momentum.angular - momentum) / length(momentum));
      worst_energy = std::max(worst_energy, std::abs(step.energy.kinetic / energy - 1));
    }
    EXPECT_LT(worst_momentum, 1e-12);
    EXPECT_LT(worst_energy, 1e-9);
    RecordProperty(std::string(name) + "momentum_drift", to_text(worst_momentum));
    RecordProperty(std::string(name) + "energy_drift", to_text(worst_energy));
  }
}

// Long steps: up to 2 rad a step for the implicit scheme, any for the drift of the explicit ones.
TEST(FreeBody, keeps_momentum_and_energy_at_long_steps) {
  for (const auto& [integrator, longest] :
       {std::pair{Integrator{Conserving{}}, 2.0}, std::pair{Integrator{SemiImplicitEuler{}}, 30.0}})
    for (double turn : {0.5, 1.0, 2.0, 30.0}) {
      if (turn > longest) continue;
      FreeBody free(integrator, normalized(Vec3{0.5, 0.6, 0.3}) * turn);
      const Vec3 momentum = free.world.momentum().angular;
      const double energy = free.world.energy().kinetic;
      for (int i = 0; i < 600; ++i) ASSERT_EQ(free.world.step(1).status, StepStatus::good) << turn;
      EXPECT_LE(length(free.world.momentum().angular - momentum), 1e-12 * length(momentum)) << turn;
      EXPECT_NEAR(free.world.energy().kinetic, energy, 1e-12 * energy) << turn;
    }
}

// Each body is judged by its own error: one that is far away or fast does not spoil the others.
TEST(FreeBody, is_not_disturbed_by_others_far_away) {
  for (const Integrator& integrator : {Integrator{ImplicitEuler{}}, Integrator{Conserving{}}}) {
    FreeBody free(integrator, {0.5, 0.6, 0.3});
    const Vec3 momentum = free.world.momentum().angular;
    const BodyId far =
        free.world.create({.position = {1e8, 0, 0}, .velocity = {1e6, 0, 0}, .shapes = {Sphere{}}});
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(free.world.step(1e-3).status, StepStatus::good);
    free.world.destroy(far);
    EXPECT_LE(length(free.world.momentum().angular - momentum), 1e-11 * length(momentum))
        << integrator.index();
  }
}

// Gyroscopic terms are right in all integrators: none strays from the reference by more than its order
// allows.
TEST(FreeBody, turns_the_same_way_in_every_integrator) {
  const Vec3 w{0.5, 0.6, 0.3};
  const auto rate_after = [&](const Integrator& integrator) {
    FreeBody free(integrator, w);
    for (int i = 0; i < 2000; ++i) free.world.step(1e-3);
    return free.body_rate();
  };
  const Vec3 exact = rate_after(RungeKutta4{});
  EXPECT_GT(length(exact - w), 0.1);  // it does tumble
  for (const Integrator& integrator : {Integrator{SemiImplicitEuler{}}, Integrator{VelocityVerlet{}},
                                       Integrator{Newmark{}}, Integrator{Conserving{}}})
    EXPECT_LE(length(rate_after(integrator) - exact), 1e-6);
  for (const Integrator& integrator : {Integrator{ExplicitEuler{}}, Integrator{ImplicitEuler{}}})
    EXPECT_LE(length(rate_after(integrator) - exact), 2e-3);
}

// A free body's own rotation does not move its centre, and its spin does not change its fall.
TEST(FreeBody, falls_like_any_other) {
  FreeBody free(SemiImplicitEuler{}, {3, 2, 1});
  free.world.set_gravity({0, 0, -9.81});
  for (int i = 0; i < 100; ++i) free.world.step(0.01);
  EXPECT_NEAR(free.world.center(free.body).z, -0.5 * 9.81 * 1 * 1.01, 1e-12);
  EXPECT_EQ(free.world.center(free.body).x, 0);
}

}  // namespace
}  // namespace cairn
