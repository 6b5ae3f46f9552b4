// The accounts must close: every joule and every newton second has a cause.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

const Integrator k_integrators[] = {SemiImplicitEuler{}, ExplicitEuler{}, ImplicitEuler{}, VelocityVerlet{},
                                    Newmark{},           RungeKutta4{},   Conserving{}};

World3 busy_world(const Integrator& integrator) {
  World3 world({.method = {.integrator = integrator}, .accounting = Accounting::full});
  const BodyId crank = world.create({.motion = Motion::kinematic,
                                     .position = {0, 0, 3},
                                     .velocity = {0.1, 0, 0},
                                     .angular_velocity = {0, 2, 0}});
  const BodyId box = world.create(
      {.position = {1, 0, 2}, .angular_velocity = {1, 5, 2}, .shapes = {Box3{.half = {0.1, 0.2, 0.3}}}});
  const BodyId ball = world.create({.position = {2, 1, 2},
                                    .velocity = {0, -1, 0},
                                    .shapes = {Sphere{.radius = 0.2}},
                                    .gravity_scale = 0.5});
  const BodyId slider = world.create({.position = {0, 2, 2},
                                      .angular_velocity = {1, 2, 0},
                                      .shapes = {Box3{.half = {0.3, 0.1, 0.2}}},
                                      .locks = {.translation = {.x = true}, .rotation = {.z = true}}});
  const auto tie = [&](BodyId a, BodyId b, Vec3 at, Vec3 bt) {
    world.create(SpringDef3{
        .a = a, .b = b, .anchor_a = at, .anchor_b = bt, .stiffness = 800, .damping = 5, .rest_length = 0.6});
  };
  tie(crank, box, {0.5, 0, 0}, {0, 0.2, 0.3});
  tie(box, ball, {0.1, 0, -0.3}, {0, 0.2, 0});
  tie(ball, slider, {0, 0, 0.2}, {0.3, 0.1, 0});
  tie(slider, world.background(), {0, 0, 0}, {0, 2, 4});
  return world;
}

TEST(Accounting, explains_every_joule_and_newton_second) {
  for (const Integrator& integrator : k_integrators) {
    World3 world = busy_world(integrator);
    const std::vector<BodyId> bodies = world.bodies();
    const bool is_implicit_euler = std::holds_alternative<ImplicitEuler>(integrator);  // to its tolerance
    double energy = 0, explained = 0;
    double angular_error = 0;
    for (int i = 0; i < 200; ++i) {
      if (i % 20 == 5) world.apply_impulse(bodies[1], {1, 2, 3}, {0.1, 0, 2});
      if (i % 30 == 7) world.set_velocity(bodies[2], {{1, 0, 1}, {0, 3, 0}});
      world.apply_force(bodies[1], {3, std::sin(0.1 * i), 5}, {1, 0.1, 2});
      world.apply_torque(bodies[3], {0.5, 0.4, 1});
      const Momentum<Dim3> before = world.momentum();
      const StepReport3& step = world.step(0.004);
      ASSERT_EQ(step.status, StepStatus::good) << step.message;
      const Energy& e = step.energy;
      const double largest = std::max({std::abs(e.kinetic), std::abs(e.gravity), std::abs(e.spring)});
      EXPECT_LE(std::abs(e.unexplained), (is_implicit_euler ? 1e-11 : 1e-13) * largest) << integrator.index();
      explained += e.interventions + e.applied + e.drive + e.damping + e.discretisation;
      energy = e.total();
      EXPECT_LT(e.damping, 0);
      const double scale = length(step.momentum.linear) + length(step.momentum.linear_impulse) + 1;
      EXPECT_LE(length(step.momentum.linear - before.linear - step.momentum.linear_impulse), 1e-13 * scale)
          << integrator.index();
      angular_error = std::max(
          angular_error, length(step.momentum.angular - before.angular - step.momentum.angular_impulse));
    }
    EXPECT_NEAR(energy, explained, 1e-11 * std::abs(energy)) << integrator.index();
    // Exact where the scheme keeps L and takes its forces where it takes their arms; else of the scheme's order.
    const double allowed[] = {1e-11, 0.5, 0.5, 1e-11, 1e-2, 1e-5, 1e-10};
    EXPECT_LE(angular_error, allowed[integrator.index()]) << integrator.index();
  }
}

// Known values: semi-implicit Euler loses ½m(gh)² a step in free fall.
TEST(Accounting, puts_the_loss_of_free_fall_under_discretisation) {
  World3 world({.accounting = Accounting::full});
  world.create({.position = {0, 0, 100}, .shapes = {Sphere{}}, .mass = 2});
  for (int i = 0; i < 10; ++i) {
    const Energy& e = world.step(0.1).energy;
    EXPECT_NEAR(e.discretisation, -0.5 * 2 * std::pow(9.81 * 0.1, 2), 1e-11);
    EXPECT_EQ(e.applied, 0);
    if (i > 0) {
      EXPECT_NEAR(e.interventions, 0, 1e-11);
    }
  }
}

TEST(Accounting, knows_the_work_of_a_force_and_of_a_damper) {
  World2 world({.gravity = {}, .accounting = Accounting::full});
  const BodyId cart = world.create({.velocity = {1, 0}, .shapes = {Box2{}}, .mass = 2});
  world.create(SpringDef2{.a = world.background(), .b = cart, .anchor_a = {-5, 0}, .damping = 3});
  double damped = 0, applied = 0;
  for (int i = 0; i < 5000; ++i) {
    world.apply_force(cart, {6, 0});
    const Energy& e = world.step(0.001).energy;
    damped += e.damping;
    applied += e.applied;
  }
  // terminal speed 6 N / 3 N·s/m = 2 m/s; work of the force = 6 N × distance
  EXPECT_NEAR(world.velocity(cart).linear.x, 2 - std::exp(-1.5 * 5), 1e-4);
  EXPECT_NEAR(applied, 6 * world.pose(cart).position.x, 1e-2);
  EXPECT_NEAR(world.energy().kinetic - 1, applied + damped, 1e-9);
  EXPECT_LT(damped, 0);
}

// A kinematic body that stretches a spring from 1 m to 3 m against a fixed one does the work ½k(2² − 0²).
TEST(Accounting, knows_the_work_of_a_kinematic_body) {
  World3 world({.gravity = {}, .accounting = Accounting::full});
  const BodyId hand =
      world.create({.motion = Motion::kinematic, .position = {1, 0, 0}, .velocity = {1, 0, 0}});
  world.create(SpringDef3{.a = world.background(), .b = hand, .stiffness = 50, .rest_length = 1});
  double drive = 0, discretisation = 0;
  for (int i = 0; i < 2000; ++i) {
    const Energy& e = world.step(0.001).energy;
    drive += e.drive;
    discretisation += e.discretisation;
    EXPECT_NEAR(e.unexplained, 0, 1e-12);
  }
  EXPECT_NEAR(drive, 100, 0.1);  // the force is taken at the start of each step
  EXPECT_NEAR(drive + discretisation, 100, 1e-9);
}

TEST(Accounting, calls_what_happens_between_steps_an_intervention) {
  World3 world({.gravity = {}, .accounting = Accounting::full});
  const BodyId ball = world.create({.velocity = {2, 0, 0}, .shapes = {Sphere{}}, .mass = 3});
  EXPECT_NEAR(world.step(0.1).energy.interventions, 6, 1e-12);  // it was created
  EXPECT_NEAR(world.step(0.1).energy.interventions, 0, 1e-12);
  world.apply_impulse(ball, {3, 0, 0});
  EXPECT_NEAR(world.step(0.1).energy.interventions, 0.5 * 3 * (9 - 4), 1e-12);
  world.destroy(ball);
  EXPECT_NEAR(world.step(0.1).energy.interventions, -13.5, 1e-12);
}

TEST(Accounting, does_as_much_as_it_is_asked) {
  for (const auto& [level, name] : EnumNames<Accounting>::table) {
    World3 world({.accounting = level});
    world.create({.velocity = {1, 0, 0}, .shapes = {Sphere{}}});
    const StepReport3& step = world.step(0.1);
    EXPECT_EQ(step.energy.kinetic > 0, level != Accounting::none) << name;
    EXPECT_EQ(step.energy.discretisation != 0, level == Accounting::full) << name;
  }
}

}  // namespace
}  // namespace cairn
