// Bodies with damping of their own, against v(t) = v₀ e⁻ᶜᵗ.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

const Integrator k_integrators[] = {SemiImplicitEuler{}, ExplicitEuler{}, ImplicitEuler{}, VelocityVerlet{},
                                    Newmark{},           RungeKutta4{},   Conserving{}};
constexpr int k_order[] = {1, 1, 1, 2, 2, 4, 2};
constexpr double k_g = 9.81;

// How far a ball that starts with 3 m/s along x and falls is from where and how fast it should be after 1 s:
// v = v₀ e⁻ᶜᵗ, or g/c (1 − e⁻ᶜᵗ) down; x is the integral.
struct Errors {
  double place, speed;
};
Errors fall(const Integrator& integrator, double c, double h) {
  World3 world({.method = {.integrator = integrator}});
  const BodyId ball = world.create({.velocity = {3, 0, 0}, .shapes = {Sphere{}}, .linear_damping = c});
  for (int i = 0; i < std::lround(1 / h); ++i) world.step(h);
  const double e = std::exp(-c), lost = (1 - e) / c;
  const Vec3 speed{3 * e, 0, -k_g * lost}, place{3 * lost, 0, -k_g * (1 - lost) / c};
  return {length(world.center(ball) - place), length(world.velocity(ball).linear - speed)};
}

TEST(Damping, has_the_order_of_the_integrator) {
  for (const Integrator& integrator : k_integrators) {
    const Errors coarse = fall(integrator, 2, 1. / 32), fine = fall(integrator, 2, 1. / 64);
    const int order = k_order[integrator.index()];
    EXPECT_NEAR(std::log2(coarse.place / fine.place), order, 0.1) << integrator.index();
    if (integrator.index() == 0 || integrator.index() == 3) {  // kicks are exact
      EXPECT_LT(std::max(coarse.speed, fine.speed), 1e-13);
    } else {
      EXPECT_NEAR(std::log2(coarse.speed / fine.speed), order, 0.1) << integrator.index();
    }
  }
}

// e⁻ᶜᵗ is nearly 0 after one step; only the explicit integrators cannot know that.
TEST(Damping, never_reverses_a_kick_however_strong_it_is) {
  for (const double c : {1e3, 1e6}) {
    for (const Integrator& integrator :
         {Integrator{SemiImplicitEuler{}}, Integrator{VelocityVerlet{}}, Integrator{ImplicitEuler{}}}) {
      World3 world({.method = {.integrator = integrator}});
      const BodyId ball = world.create({.velocity = {3, 0, 0},
                                        .angular_velocity = {1, 2, 3},
                                        .shapes = {Box3{.half = {0.1, 0.2, 0.3}}},
                                        .linear_damping = c,
                                        .angular_damping = c});
      for (int i = 0; i < 5; ++i) EXPECT_EQ(world.step(1. / 60).status, StepStatus::good);
      const Twist3 v = world.velocity(ball);
      EXPECT_NEAR(v.linear.z, -k_g / c, 1e-6 * k_g / c) << c << ", " << integrator.index();
      EXPECT_LT(std::abs(v.linear.x), 1e-5) << c << ", " << integrator.index();
      EXPECT_LT(length(v.angular), 1e-5) << c << ", " << integrator.index();
    }
    // The trapezoidal rules turn it round, but it never grows.
    for (const Integrator& integrator : {Integrator{Newmark{}}, Integrator{Conserving{}}}) {
      World3 world({.gravity = {}, .method = {.integrator = integrator}});
      const BodyId ball = world.create({.velocity = {3, 0, 0}, .shapes = {Sphere{}}, .linear_damping = c});
      double before = 3;
      for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(world.step(1. / 60).status, StepStatus::good) << world.report().message;
        EXPECT_LT(length(world.velocity(ball).linear), before) << c << ", " << integrator.index();
        before = length(world.velocity(ball).linear);
      }
    }
  }
}

// L(t) = L₀ e⁻ᶜᵗ for any body, in its direction; a kick scheme has it exactly.
TEST(Damping, takes_angular_momentum_and_keeps_its_direction) {
  for (const Integrator& integrator : k_integrators) {
    const bool kicks = integrator.index() == 0 || integrator.index() == 3;
    World3 world({.gravity = {}, .method = {.integrator = integrator}});
    const BodyId rod = world.create(
        {.angular_velocity = {1, 2, 0.5}, .shapes = {Box3{.half = {0.1, 0.2, 0.5}}}, .angular_damping = 1.5});
    const Vec3 start = world.momentum().angular;
    for (int i = 0; i < 500; ++i) world.step(1. / 500);
    EXPECT_LT(length(world.momentum().angular - std::exp(-1.5) * start),
              (kicks ? 1e-13 : 1e-2) * length(start))
        << integrator.index();
    EXPECT_EQ(world.velocity(rod).linear, Vec3{});
  }
}

TEST(Damping, acts_on_the_centre_of_mass_in_the_plane_as_in_space) {
  // A body whose frame is half a metre beside its centre of mass.
  World2 plane({.gravity = {}});
  World3 space({.gravity = {}});
  const BodyId a = plane.create({.velocity = {2, 1},
                                 .angular_velocity = 3,
                                 .shapes = {{Box2{.half = {0.2, 0.1}}, {.position = {0.5, 0}}}},
                                 .linear_damping = 0.7,
                                 .angular_damping = 0.3});
  const BodyId b = space.create({.velocity = {2, 1, 0},
                                 .angular_velocity = {0, 0, 3},
                                 .shapes = {{Box3{.half = {0.2, 0.1, 0.3}}, {.position = {0.5, 0, 0}}}},
                                 .locks = k_planar,
                                 .linear_damping = 0.7,
                                 .angular_damping = 0.3});
  for (int i = 0; i < 100; ++i) plane.step(0.01), space.step(0.01);
  EXPECT_NEAR(plane.velocity(a).linear.x, 2 * std::exp(-0.7), 1e-14);
  EXPECT_NEAR(plane.velocity(a).linear.y, 1 * std::exp(-0.7), 1e-14);
  EXPECT_NEAR(plane.velocity(a).angular, 3 * std::exp(-0.3), 1e-14);
  EXPECT_NEAR(space.velocity(b).linear.x, 2 * std::exp(-0.7), 1e-14);
  EXPECT_NEAR(space.velocity(b).linear.y, 1 * std::exp(-0.7), 1e-14);
  EXPECT_NEAR(space.velocity(b).angular.z, 3 * std::exp(-0.3), 1e-14);
}

// One axis of rotation locked: what is left of the angular momentum falls as it should.
TEST(Damping, leaves_locked_axes_alone) {
  for (const Integrator& integrator : k_integrators) {
    World3 world({.gravity = {}, .method = {.integrator = integrator}, .accounting = Accounting::full});
    const BodyId body = world.create({.velocity = {1, 2, 0},
                                      .angular_velocity = {2, 1, 0},
                                      .shapes = {Box3{.half = {0.1, 0.2, 0.3}}},
                                      .locks = {.translation = {.z = true}, .rotation = {.z = true}},
                                      .linear_damping = 1,
                                      .angular_damping = 2});
    const Momentum<Dim3> start = world.momentum();
    double largest = 0;
    for (int i = 0; i < 1000; ++i) {
      const StepReport3& step = world.step(0.001);
      largest = std::max(largest, std::abs(step.energy.unexplained));
    }
    EXPECT_LT(largest, 1e-12 * world.mass(body).mass) << integrator.index();
    const Momentum<Dim3> end = world.momentum();
    EXPECT_LT(length(end.linear - std::exp(-1.) * start.linear), 2e-3 * length(start.linear));
    EXPECT_LT(std::abs(end.angular.x - std::exp(-2.) * start.angular.x) +
                  std::abs(end.angular.y - std::exp(-2.) * start.angular.y),
              5e-3 * length(start.angular))
        << integrator.index();
    EXPECT_EQ(world.velocity(body).linear.z, 0);
    EXPECT_EQ(world.velocity(body).angular.z, 0);
  }
}

// With springs, forces, gravity and turning: every joule and newton second has its cause.
TEST(Damping, is_in_the_accounts_of_every_integrator) {
  for (const Integrator& integrator : k_integrators) {
    World3 world({.method = {.integrator = integrator}, .accounting = Accounting::full});
    const BodyId box = world.create({.position = {1, 0, 2},
                                     .angular_velocity = {1, 5, 2},
                                     .shapes = {Box3{.half = {0.1, 0.2, 0.3}}},
                                     .linear_damping = 0.8,
                                     .angular_damping = 2});
    const BodyId ball = world.create({.position = {2, 1, 2}, .shapes = {Sphere{.radius = 0.2}}});
    world.create(SpringDef3{.a = box,
                            .b = ball,
                            .anchor_a = {0.1, 0, 0},
                            .anchor_b = {0, 0, 0.2},
                            .stiffness = 800,
                            .damping = 5,
                            .rest_length = 1});
    double damped = 0;
    for (int i = 0; i < 300; ++i) {
      world.apply_force(box, {3, 1, 5}, {1, 0.1, 2});
      const Momentum<Dim3> before = world.momentum();
      const StepReport3& step = world.step(0.004);
      ASSERT_EQ(step.status, StepStatus::good) << step.message;
      const Energy& e = step.energy;
      const double largest = std::max({std::abs(e.kinetic), std::abs(e.gravity), std::abs(e.spring)});
      EXPECT_LE(std::abs(e.unexplained), (integrator.index() == 2 ? 1e-11 : 1e-13) * largest)
          << integrator.index();
      EXPECT_LE(length(step.momentum.linear - before.linear - step.momentum.linear_impulse),
                1e-13 * (length(step.momentum.linear) + length(step.momentum.linear_impulse) + 1))
          << integrator.index();
      if (integrator.index() == 0 || integrator.index() == 3) {
        EXPECT_LE(length(step.momentum.angular - before.angular - step.momentum.angular_impulse),
                  1e-12 * (length(step.momentum.angular) + 1))
            << integrator.index();
      }
      damped += e.damping;
    }
    EXPECT_LT(damped, 0);
  }
}

// What the solver moves is damped in its substeps: a joint and a floor leave free what they leave free.
TEST(Damping, of_bodies_that_touch_or_are_joined_is_the_same) {
  for (const Precision precision : {Precision::double_lanes, Precision::single_lanes}) {
    const double tolerance = precision == Precision::double_lanes ? 1e-9 : 1e-5;
    World3 world({.method = {.solver = SoftStep{.precision = precision}}, .accounting = Accounting::full});
    // A wheel on an axle.
    const BodyId wheel = world.create({.position = {0, 0, 5},
                                       .angular_velocity = {0, 4, 0},
                                       .shapes = {Sphere{.radius = 0.5}},
                                       .angular_damping = 0.5});
    world.create(
        HingeDef3{.a = world.background(), .b = wheel, .frame = {.origin = {0, 0, 5}, .axis = {0, 1, 0}}});
    // A block on ice.
    world.create({.motion = Motion::fixed, .position = {0, 0, -1}, .shapes = {Box3{.half = {9, 9, 1}}}});
    const Material ice{.static_friction = 0, .kinetic_friction = 0};
    const BodyId block = world.create({.position = {3, 0, 0.25},
                                       .velocity = {2, 0, 0},
                                       .shapes = {{Box3{.half = {0.25, 0.25, 0.25}}, {.material = ice}}},
                                       .linear_damping = 0.8});
    for (int i = 0; i < 60; ++i) {
      const Energy& e = world.step(1. / 60).energy;
      EXPECT_LE(std::abs(e.unexplained), tolerance * e.kinetic) << name_of(precision);
      EXPECT_LT(e.damping, 0);
    }
    EXPECT_NEAR(world.velocity(wheel).angular.y, 4 * std::exp(-0.5), 4 * tolerance) << name_of(precision);
    EXPECT_NEAR(world.velocity(block).linear.x, 2 * std::exp(-0.8), 2 * tolerance) << name_of(precision);
  }
}

TEST(Damping, can_be_changed_and_is_checked) {
  World2 world({.gravity = {}});
  const BodyId body = world.create({.velocity = {1, 0}, .angular_velocity = 1, .shapes = {Circle{}}});
  EXPECT_EQ(world.linear_damping(body), 0);
  EXPECT_EQ(world.angular_damping(body), 0);
  world.step(1);
  EXPECT_EQ(world.velocity(body).linear.x, 1);
  world.set_linear_damping(body, 2);
  world.set_angular_damping(body, 3);
  EXPECT_EQ(world.linear_damping(body), 2);
  EXPECT_EQ(world.angular_damping(body), 3);
  world.step(1);
  EXPECT_NEAR(world.velocity(body).linear.x, std::exp(-2), 1e-15);
  EXPECT_NEAR(world.velocity(body).angular, std::exp(-3), 1e-15);
  EXPECT_THROW(world.set_linear_damping(body, -1), Error);
  EXPECT_THROW(world.set_angular_damping(body, NAN), Error);
  const BodyDef2 wrong{.shapes = {Circle{}}, .linear_damping = -0.1};
  EXPECT_THROW(world.create(wrong), Error);
  EXPECT_EQ(world.linear_damping(body), 2);
  // Impulses are not damped: they take no time.
  world.set_velocity(body, {});
  world.apply_impulse(body, {world.mass(body).mass, 0});
  EXPECT_NEAR(world.velocity(body).linear.x, 1, 1e-15);
}

// To round-off of the velocity before.
TEST(Damping, is_exact_for_any_ratio_of_rate_and_step) {
  for (const double c : {1e-9, 1e-3, 0.3, 0.499, 0.501, 1., 7., 40., 1e20, 1e300}) {
    World2 world({.gravity = {0, -1}});
    const BodyId body = world.create({.velocity = {1, 0}, .shapes = {Circle{}}, .linear_damping = c});
    world.step(1);
    EXPECT_NEAR(world.velocity(body).linear.x, std::exp(-c), 3e-16) << c;
    EXPECT_NEAR(world.velocity(body).linear.y, std::expm1(-c) / c, 3e-16) << c;
  }
}

}  // namespace
}  // namespace cairn
