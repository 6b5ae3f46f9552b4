// Free fall and the harmonic oscillator of the Delft document: §6-1-1, §6-3-1 and appendix B.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

constexpr double k_g = 9.81;

// Height fallen after t seconds, minus the exact one.
double fall_error(const Integrator& integrator, double t, double h) {
  World3 world({.method = {.integrator = integrator}});
  const BodyId ball = world.create({.shapes = {Sphere{}}});
  for (int i = 0; i < std::lround(t / h); ++i) world.step(h);
  return world.pose(ball).position.z + 0.5 * k_g * t * t;
}

TEST(FreeFall, is_off_by_half_g_t_h) {
  const double h = 0.1;
  for (double t : {1.0, 10.0}) {
    EXPECT_NEAR(fall_error(SemiImplicitEuler{}, t, h), -0.5 * k_g * t * h, 1e-10);  // too far
    EXPECT_NEAR(fall_error(ImplicitEuler{}, t, h), -0.5 * k_g * t * h, 1e-10);
    EXPECT_NEAR(fall_error(ExplicitEuler{}, t, h), 0.5 * k_g * t * h, 1e-10);  // not far enough
    for (const Integrator& exact : {Integrator{VelocityVerlet{}}, Integrator{Newmark{}},
                                    Integrator{RungeKutta4{}}, Integrator{Conserving{}}})
      EXPECT_NEAR(fall_error(exact, t, h), 0, 1e-10);
  }
}

// A unit mass on a spring of 1 N/m without rest length, pulled out by 1 m: ω = 1 rad/s.
struct Oscillator {
  World2 world;
  BodyId mass;
  explicit Oscillator(const Integrator& integrator)
      : world({.gravity = {}, .method = {.integrator = integrator}}),
        mass(world.create({.position = {1, 0}, .mass = 1, .locks = {.rotation = true}})) {
    world.create(SpringDef2{.a = world.background(), .b = mass, .stiffness = 1});
  }
  double x() const { return world.center(mass).x; }
};

double amplitude(const Integrator& integrator, double h, double time) {
  Oscillator o(integrator);
  double largest = 0;
  for (int i = 0; i < time / h; ++i) {
    o.world.step(h);
    largest = std::max(largest, std::abs(o.x()));
  }
  return largest;
}

constexpr double k_many_periods = 1100 * 2 * k_pi;

// h < 1/ω: a little too large and no more. 1/ω < h < 2/ω: beats far above, but bounded. h ≥ 2/ω: grows for
// ever.
TEST(Oscillator, semi_implicit_euler_has_three_regimes) {
  const auto theory = [](double h) { return 1 / std::sqrt(1 - h * h / 4); };
  for (double h : {0.1, 0.5, 0.9, 1.3, 1.9}) {
    const double a = amplitude(SemiImplicitEuler{}, h, k_many_periods);
    EXPECT_LE(a, theory(h) * (1 + 1e-9)) << h;
    EXPECT_GE(a, theory(h) * (1 - 1e-3)) << h;
  }
  EXPECT_LT(theory(0.1) - 1, 0.0013);  // O(h²) in the first regime
  EXPECT_GT(amplitude(SemiImplicitEuler{}, 1.9, k_many_periods), 3);
  EXPECT_GT(amplitude(SemiImplicitEuler{}, 2.0, k_many_periods), 1000);  // linearly
  EXPECT_GT(amplitude(SemiImplicitEuler{}, 2.01, 400), 1e8);             // exponentially
}

// The frequency is (2/h) asin(ωh/2), so the motion is cos(Ωt + φ) for ever: compare the phase after a
// thousand periods.
TEST(Oscillator, semi_implicit_euler_has_the_frequency_of_the_theory) {
  for (double h : {0.1, 0.5, 1.5}) {
    Oscillator o(SemiImplicitEuler{});
    const double numeric = 2 / h * std::asin(h / 2);
    const long steps = std::lround(k_many_periods / h);
    for (long i = 0; i < steps; ++i) o.world.step(h);
    // With x₀ = 1, v₀ = 0 the exact solution of the scheme's recurrence xₙ₊₁ − 2xₙ + xₙ₋₁ = −h²xₙ, x₁ = 1 − h² is
    // xₙ = cos((n + ½)Ωh)/cos(½Ωh).
    const double n = double(steps);
    EXPECT_NEAR(o.x(), std::cos((n + 0.5) * numeric * h) / std::cos(0.5 * numeric * h), 1e-9) << h;
  }
}

TEST(Oscillator, explicit_euler_grows_and_implicit_euler_decays_as_theory_says) {
  const double h = 0.1;
  const int steps = 200;
  const auto energy_after = [&](const Integrator& integrator) {
    Oscillator o(integrator);
    for (int i = 0; i < steps; ++i) o.world.step(h);
    return o.world.energy().total();
  };
  EXPECT_NEAR(energy_after(ExplicitEuler{}) / (0.5 * std::pow(1 + h * h, steps)), 1, 1e-10);
  EXPECT_NEAR(energy_after(ImplicitEuler{}) / (0.5 * std::pow(1 + h * h, -steps)), 1, 1e-10);
}

// The trapezoidal rule and the midpoint rule keep the energy of a linear oscillator at any step.
TEST(Oscillator, newmark_and_conserving_keep_the_energy_at_any_step) {
  for (const Integrator& integrator : {Integrator{Newmark{}}, Integrator{Conserving{}}})
    for (double h : {0.1, 1.0, 10.0}) {
      Oscillator o(integrator);
      for (int i = 0; i < 1000; ++i) o.world.step(h);
      EXPECT_NEAR(o.world.energy().total(), 0.5, 1e-10) << h;
    }
}

}  // namespace
}  // namespace cairn
