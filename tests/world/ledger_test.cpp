// The accounts of bodies that touch and are joined: every joule has a cause, and the causes have the right sign and size.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace cairn {
namespace {

constexpr double k_h = 1.0 / 60, k_g = 9.81;
constexpr Precision k_precisions[] = {Precision::double_lanes, Precision::single_lanes};

template <class D>
World<D> empty_world(Precision precision, SoftStep solver = {}) {
  solver.precision = precision;
  WorldDef<D> def;
  def.method.solver = solver;
  def.accounting = Accounting::full;
  return World<D>(def);
}
double allowed(Precision precision) { return precision == Precision::double_lanes ? 1e-9 : 1e-5; }

double largest_cause(const Energy& e) {
  double largest = e.kinetic;
  for (const double x : {e.applied, e.drive, e.damping, e.contact, e.friction, e.impact, e.joint,
                         e.joint_friction, e.relaxation, e.stabilisation, e.discretisation})
    largest = std::max(largest, std::abs(x));
  return largest;
}

// Steps a world, checks that each step's account closes, and returns the causes of all steps together. Stricter than
// "of the largest term": potential energies, which depend on where the origin is, count with their round-off only.
template <class D>
Energy run(World<D>& world, int steps, Precision precision, const std::function<void(int)>& before = {}) {
  Energy sum;
  double start = 0;
  for (int i = 0; i < steps; ++i) {
    if (before) before(i);
    const Energy from = world.energy();
    if (i == 0) start = from.total();
    const StepReport<D>& step = world.step(k_h);
    EXPECT_EQ(step.status, StepStatus::good) << step.message;
    const Energy& e = step.energy;
    const double bound =
        allowed(precision) * std::max(largest_cause(e), from.kinetic) +
        1e-13 * (std::abs(e.gravity) + std::abs(e.spring) + std::abs(from.gravity) + std::abs(from.spring));
    EXPECT_LE(std::abs(e.unexplained), bound) << "step " << i << ", " << name_of(precision);
    // Not only does the report say so.
    EXPECT_NEAR(e.total() - from.total(), e.causes() + e.continuous + e.unexplained,
                1e-12 * (std::abs(e.gravity) + std::abs(e.spring) + largest_cause(e) + 1));
    sum.applied += e.applied;
    sum.drive += e.drive;
    sum.damping += e.damping;
    sum.contact += e.contact;
    sum.friction += e.friction;
    sum.impact += e.impact;
    sum.joint += e.joint;
    sum.joint_friction += e.joint_friction;
    sum.relaxation += e.relaxation;
    sum.stabilisation += e.stabilisation;
    sum.discretisation += e.discretisation;
    sum.continuous += e.continuous;
    if (std::abs(e.unexplained) > bound) break;  // once is enough
  }
  EXPECT_NEAR(world.energy().total() - start, sum.causes() + sum.continuous,
              steps * 2 * allowed(precision) * std::max(largest_cause(sum), 1.0));
  return sum;
}

const Material k_plain{.static_friction = 0.4, .kinetic_friction = 0.4};
const Material k_bouncy{.static_friction = 0.4, .kinetic_friction = 0.4, .restitution = 0.8};

BodyId floor_of(World2& world, const Material& material = k_plain, const Vec2& surface_velocity = {}) {
  return world.create(
      {.motion = Motion::fixed,
       .position = {0, -0.5},
       .shapes = {{Box2{.half = {100, 0.5}}, {.material = material, .surface_velocity = surface_velocity}}}});
}
BodyId floor_of(World3& world, const Material& material = k_plain, const Vec3& surface_velocity = {}) {
  return world.create({.motion = Motion::fixed,
                       .position = {0, 0, -0.5},
                       .shapes = {{Box3{.half = {100, 100, 0.5}},
                                   {.material = material, .surface_velocity = surface_velocity}}}});
}

// -------------------------------------------------------------------------------------------------- contacts

template <class D>
void check_bounce(World<D> world, BodyId ball, double mass, Precision precision) {
  double fastest = 0;
  const Energy sum = run(world, 60, precision,
                         [&](int) { fastest = std::max(fastest, length(world.velocity(ball).linear)); });
  // Newton: of ½mv² at the impact, e² is left. (v is that of the last step before: 1 % slower.)
  EXPECT_GT(sum.impact, 0);
  EXPECT_LT(sum.contact, 0);
  const double at_impact = 0.5 * mass * fastest * fastest;
  EXPECT_NEAR(sum.contact + sum.impact + sum.relaxation + sum.stabilisation, -(1 - 0.64) * at_impact,
              0.05 * at_impact);
}
TEST(Ledger, knows_what_a_bounce_loses) {
  for (const Precision precision : k_precisions) {
    World2 flat = empty_world<Dim2>(precision);
    floor_of(flat, k_bouncy);
    const BodyId disc = flat.create(
        {.position = {0, 2}, .shapes = {{Circle{.radius = 0.5}, {.material = k_bouncy}}}, .mass = 3});
    check_bounce(std::move(flat), disc, 3, precision);
    World3 world = empty_world<Dim3>(precision);
    floor_of(world, k_bouncy);
    const BodyId ball = world.create(
        {.position = {0, 0, 2}, .shapes = {{Sphere{.radius = 0.5}, {.material = k_bouncy}}}, .mass = 3});
    check_bounce(std::move(world), ball, 3, precision);
  }
}

// It slides d = v²/(2μg), and friction takes μmg·d on the way.
template <class D>
void check_slide(World<D> world, BodyId block, double mass, Precision precision) {
  const auto start = world.pose(block).position;
  const Energy sum = run(world, 90, precision);
  const double way = length(world.pose(block).position - start);
  EXPECT_NEAR(way, 9 / (2 * 0.4 * k_g), 0.02);
  EXPECT_NEAR(sum.friction, -0.4 * mass * k_g * way, 0.02 * 0.4 * mass * k_g * way);
  EXPECT_EQ(sum.drive, 0);
  EXPECT_EQ(sum.joint, 0);
  EXPECT_LT(world.report().residual.max, precision == Precision::double_lanes ? 1e-6 : 1e-4);
}
TEST(Ledger, knows_the_friction_of_a_sliding_block) {
  for (const Precision precision : k_precisions) {
    World2 flat = empty_world<Dim2>(precision);
    floor_of(flat);
    const BodyId square = flat.create({.position = {0, 0.25},
                                       .velocity = {3, 0},
                                       .shapes = {{Box2{.half = {0.5, 0.25}}, {.material = k_plain}}},
                                       .mass = 5});
    check_slide(std::move(flat), square, 5, precision);
    World3 world = empty_world<Dim3>(precision);
    floor_of(world);
    const BodyId box = world.create({.position = {0, 0, 0.25},
                                     .velocity = {1.8, 2.4, 0},
                                     .shapes = {{Box3{.half = {0.5, 0.5, 0.25}}, {.material = k_plain}}},
                                     .mass = 5});
    check_slide(std::move(world), box, 5, precision);
  }
}

// A box laid on a belt: when it has the belt's speed it has ½mv², friction has lost as much again, and the belt has
// paid for both.
template <class D>
void check_conveyor(World<D> world, double mass, Precision precision) {
  const Energy sum = run(world, 60, precision);
  const double half = 0.5 * mass * 4;
  EXPECT_NEAR(world.energy().kinetic, half, 0.01 * half);
  EXPECT_NEAR(sum.friction, -half,
              0.04 * half);  // the first sweep of a substep slips a little less than the mean
  EXPECT_NEAR(sum.drive, 2 * half, 0.04 * half);
}
TEST(Ledger, lets_a_conveyor_pay) {
  for (const Precision precision : k_precisions) {
    World2 flat = empty_world<Dim2>(precision);
    floor_of(flat, k_plain, {2, 0});
    flat.create(
        {.position = {0, 0.25}, .shapes = {{Box2{.half = {0.5, 0.25}}, {.material = k_plain}}}, .mass = 5});
    check_conveyor(std::move(flat), 5, precision);
    World3 world = empty_world<Dim3>(precision);
    floor_of(world, k_plain, {1.2, 1.6, 0});
    world.create({.position = {0, 0, 0.25},
                  .shapes = {{Box3{.half = {0.5, 0.5, 0.25}}, {.material = k_plain}}},
                  .mass = 5});
    check_conveyor(std::move(world), 5, precision);
  }
}

// A lift: the load's weight times the way.
TEST(Ledger, lets_a_kinematic_platform_pay) {
  for (const Precision precision : k_precisions) {
    World3 world = empty_world<Dim3>(precision);
    world.create({.motion = Motion::kinematic,
                  .position = {0, 0, -0.1},
                  .velocity = {0.3, 0, 1},
                  .angular_velocity = {0, 0, 0.2},
                  .shapes = {Box3{.half = {2, 2, 0.1}}}});
    const BodyId load = world.create({.position = {0.2, 0, 0.5}, .shapes = {Box3{}}, .mass = 7});
    run(world, 20, precision);
    const double from = world.pose(load).position.z;
    const Energy sum = run(world, 60, precision);
    const double lifted = 7 * k_g * (world.pose(load).position.z - from);
    EXPECT_NEAR(lifted, 7 * k_g, 0.1);
    EXPECT_NEAR(sum.drive, lifted, 0.02 * lifted);
  }
}

template <class D>
void check_pile(World<D> world, Precision precision) {
  const Energy sum = run(world, 240, precision);
  EXPECT_LT(sum.friction, 0);
  EXPECT_LT(sum.contact + sum.impact + sum.relaxation, 0);
  EXPECT_EQ(sum.joint, 0);
}
TEST(Ledger, closes_in_piles_of_mixed_bodies) {
  const Material rolling{.restitution = 0.3, .rolling_resistance = 0.02, .spinning_resistance = 0.01};
  for (const Precision precision : k_precisions) {
    World2 flat = empty_world<Dim2>(precision);
    World3 world = empty_world<Dim3>(precision);
    floor_of(flat);
    floor_of(world);
    for (int i = 0; i < 20; ++i) {
      const double x = 0.15 * std::sin(1.7 * i), y = 0.15 * std::cos(2.3 * i), z = 0.6 + 0.55 * i;
      const double density = i % 4 == 3 ? 4000 : 500;
      BodyDef2 f{.position = {x, z}, .angular_velocity = std::sin(3.1 * i)};
      BodyDef3 b{.position = {x, y, z}, .angular_velocity = {std::sin(3.1 * i), 1, std::cos(0.7 * i)}};
      if (i % 3 == 0) {
        f.shapes = {{Circle{.radius = 0.25}, {.density = density, .material = rolling}}};
        b.shapes = {{Sphere{.radius = 0.25}, {.density = density, .material = rolling}}};
      } else if (i % 3 == 1) {
        f.shapes = {{Box2{.half = {0.4, 0.2}}, {.density = density}}};
        b.shapes = {{Box3{.half = {0.4, 0.3, 0.2}}, {.density = density}}};
      } else {
        f.shapes = {{Capsule2{.radius = 0.2, .half_length = 0.2}, {.density = density}}};
        b.shapes = {{Capsule3{.radius = 0.2, .half_length = 0.2}, {.density = density}}};
      }
      flat.create(f);
      world.create(b);
    }
    check_pile(std::move(flat), precision);
    check_pile(std::move(world), precision);
  }
}

// With locks, a free body keeps only a part of its angular momentum, and its energy to the order of the drift.
TEST(Ledger, closes_for_bodies_with_locks) {
  for (const Precision precision : k_precisions) {
    World3 world = empty_world<Dim3>(precision);
    floor_of(world);
    world.create({.position = {0, 0, 1},
                  .rotation = rotation_of(Vec3{0.3, 0.4, 0.2}),
                  .velocity = {1, 0, 0},
                  .angular_velocity = {0, 3, 2},
                  .shapes = {Box3{.half = {0.4, 0.3, 0.2}}},
                  .locks = {.translation = {.y = true}, .rotation = {.x = true}}});
    world.create({.position = {0.2, 0.1, 2.5},
                  .angular_velocity = {1, 2, 3},
                  .shapes = {Box3{.half = {0.3, 0.2, 0.2}}}});
    const Energy sum = run(world, 120, precision);
    EXPECT_LT(sum.friction, 0);
  }
}

// ---------------------------------------------------------------------------------------------------- joints

TEST(Ledger, closes_for_pendulums) {
  for (const Precision precision : k_precisions) {
    World2 flat = empty_world<Dim2>(precision);
    const BodyId bob = flat.create({.position = {1, 0}, .shapes = {Box2{.half = {1, 0.1}}}, .mass = 2});
    flat.create(HingeDef2{.a = flat.background(), .b = bob});
    run(flat, 240, precision);
    World3 world = empty_world<Dim3>(precision);
    BodyId last = world.background();
    for (int i = 0; i < 3; ++i) {
      const BodyId next = world.create({.position = {i + 0.5, 0, 0},
                                        .velocity = {0, 0.5 * i, 0},
                                        .mass = 1 + i * 10.,
                                        .inertia = (1 + i * 10.) * Sym3{0.01, 0.08, 0.09, 0, 0, 0}});
      world.create(BallDef3{.a = last, .b = next, .frame = {.origin = {double(i), 0, 0}}});
      last = next;
    }
    const Energy sum = run(world, 240, precision);
    EXPECT_EQ(sum.friction, 0);
    EXPECT_NE(sum.joint, 0);
  }
}

// The drive pays for the height that the weight gains, and for friction in the joint.
TEST(Ledger, lets_a_motor_pay_for_the_weight_it_lifts) {
  for (const Precision precision : k_precisions) {
    World2 flat = empty_world<Dim2>(precision);
    const BodyId arm = flat.create({.position = {1, 0}, .shapes = {Box2{.half = {1, 0.1}}}, .mass = 2});
    flat.create(
        HingeDef2{.a = flat.background(), .b = arm, .friction = 3, .drive = VelocityDrive{.speed = {0.5}}});
    const Energy plane = run(flat, 120, precision);
    const double raised = 2 * k_g * flat.center(arm).y;
    EXPECT_NEAR(flat.center(arm).y, std::sin(1), 0.01);
    EXPECT_NEAR(plane.joint_friction, -3.0, 0.1);               // 3 N·m through 1 rad
    const double swing = 0.5 * (4 / 3. + 0.01 / 3) * 2 * 0.25;  // ½Iω² about the hinge
    EXPECT_NEAR(plane.drive, raised + 3 + swing, 0.02 * raised);

    World3 world = empty_world<Dim3>(precision);
    const BodyId lever =
        world.create({.position = {1, 0, 0}, .shapes = {Box3{.half = {1, 0.1, 0.1}}}, .mass = 2});
    world.create(HingeDef3{.a = world.background(),
                           .b = lever,
                           .frame = {.axis = {0, -1, 0}},
                           .friction = 3,
                           .drive = VelocityDrive{.speed = {0.5}}});
    const Energy space = run(world, 120, precision);
    EXPECT_NEAR(space.drive, raised + 3 + swing, 0.02 * raised);
    EXPECT_NEAR(space.joint_friction, -3.0, 0.1);
  }
}

TEST(Ledger, closes_for_chains_with_limits_that_hit_the_floor) {
  for (const Precision precision : k_precisions) {
    World2 flat = empty_world<Dim2>(precision);
    World3 world = empty_world<Dim3>(precision);
    floor_of(flat);
    floor_of(world);
    BodyId last_2 = flat.background(), last_3 = world.background();
    for (int i = 0; i < 8; ++i) {
      const double x = 0.5 + i, high = 5;
      const BodyId two =
          flat.create({.position = {x, high}, .shapes = {Box2{.half = {0.45, 0.1}}}, .mass = 1. + i % 3});
      flat.create(HingeDef2{.a = last_2,
                            .b = two,
                            .frame = {.origin = {double(i), high}},
                            .limits = Limits{-0.5, 0.5},
                            .friction = 0.2});
      const BodyId three = world.create(
          {.position = {x, 0, high}, .shapes = {Box3{.half = {0.45, 0.1, 0.15}}}, .mass = 1. + i % 3});
      if (i % 2)
        world.create(HingeDef3{.a = last_3,
                               .b = three,
                               .frame = {.origin = {double(i), 0, high}, .axis = {0, 1, 0}},
                               .limits = Limits{-0.5, 0.5},
                               .spring = Softness{.frequency = 1}});
      else
        world.create(BallDef3{.a = last_3,
                              .b = three,
                              .frame = {.origin = {double(i), 0, high}, .axis = {1, 0, 0}},
                              .cone = 0.6});
      last_2 = two, last_3 = three;
    }
    const Energy sum = run(flat, 240, precision);
    EXPECT_LT(sum.joint_friction, 0);
    run(world, 240, precision);
  }
}

// ---------------------------------------------------------------------------------------------------- forces

// Some bodies are the solver's, some the integrator's, and springs hang on both; a hand drags a box on the floor.
TEST(Ledger, closes_where_solver_and_integrator_share_the_world) {
  for (const Precision precision : k_precisions) {
    World3 world = empty_world<Dim3>(precision);
    floor_of(world);
    const BodyId hand =
        world.create({.motion = Motion::kinematic, .position = {2, 0, 1}, .velocity = {0.7, 0, 0}});
    const auto tie = [&](BodyId a, BodyId b, double rest) {
      world.create(SpringDef3{.a = a, .b = b, .stiffness = 200, .damping = 4, .rest_length = rest});
    };
    const BodyId dragged = world.create({.position = {0, 0, 0.5}, .shapes = {Box3{}}, .mass = 8});
    const BodyId hanging = world.create(
        {.position = {2, 0, 10}, .angular_velocity = {3, 5, 1}, .shapes = {Box3{.half = {0.3, 0.1, 0.2}}}});
    const BodyId below = world.create({.position = {2, 0.5, 9}, .shapes = {Sphere{.radius = 0.1}}});
    tie(hand, dragged, 1);
    tie(hand, hanging, 8);
    tie(hanging, below, 1);
    world.create({.position = {30, 0, 5}, .velocity = {1, 0, 0}, .shapes = {Sphere{}}});  // lands later
    const Energy sum = run(world, 180, precision, [&](int i) {
      world.apply_force(dragged, {0, std::sin(0.1 * i), 3});
      world.apply_torque(hanging, {0, 0.5, 0});
    });
    EXPECT_NE(sum.drive, 0);
    EXPECT_LT(sum.damping, 0);
    EXPECT_LT(sum.friction, 0);
  }
}

TEST(Ledger, knows_the_impulses_of_floor_and_joints) {
  World3 world = empty_world<Dim3>(Precision::double_lanes);
  floor_of(world);
  world.create({.position = {0, 0, 0.6}, .velocity = {1, 0, 0}, .shapes = {Box3{}}, .mass = 8});
  const BodyId bob = world.create({.position = {5, 0, 3}, .shapes = {Sphere{}}, .mass = 2});
  world.create(BallDef3{.a = world.background(), .b = bob, .frame = {.origin = {4, 0, 4}}});
  for (int i = 0; i < 60; ++i) {
    const Momentum<Dim3> before = world.momentum(), &after = world.step(k_h).momentum;
    EXPECT_LE(length(after.linear - before.linear - after.linear_impulse), 1e-11) << i;
  }
}

// Whoever keeps accounts only looks.
TEST(Ledger, changes_nothing) {
  std::vector<std::uint64_t> hashes;
  for (const auto& [level, name] : EnumNames<Accounting>::table) {
    World3 world({.accounting = level});
    floor_of(world, k_bouncy);
    BodyId last{};
    for (int i = 0; i < 6; ++i) {
      const BodyId next = world.create({.position = {0.1 * i, 0, 0.6 + 1.1 * i}, .shapes = {Box3{}}});
      if (i % 2) world.create(BallDef3{.a = last, .b = next, .frame = {.origin = {0.1 * i, 0, 1.1 * i}}});
      last = next;
    }
    for (int i = 0; i < 90; ++i) world.step(k_h);
    hashes.push_back(world.state_hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

// -------------------------------------------------------------------------------------------------- residual

TEST(Residual, goes_to_zero_for_a_box_at_rest) {
  World3 world = empty_world<Dim3>(Precision::double_lanes);
  floor_of(world);
  world.create({.position = {0, 0, 0.501}, .shapes = {Box3{}}, .mass = 8});
  for (int i = 0; i < 120; ++i) world.step(k_h);
  const Residual& r = world.report().residual;
  EXPECT_EQ(r.points, 4u);
  EXPECT_LT(r.max, 1e-9);
  EXPECT_NEAR(r.free_speed, k_g * k_h / 8, 1e-6);  // what gravity brings in a substep
  EXPECT_LE(r.rms, r.max);
}

TEST(Residual, falls_with_more_sweeps_in_a_big_pyramid) {
  double after[2] = {};
  for (const int sweeps : {1, 10}) {
    World2 world = empty_world<Dim2>(Precision::double_lanes, {.relaxing_sweeps = sweeps});
    floor_of(world);
    constexpr int k_base = 34;  // 595 boxes: too many to be solved directly
    for (int row = 0; row < k_base; ++row)
      for (int i = 0; i < k_base - row; ++i)
        world.create({.position = {0.55 * (2 * i + row), 0.5 + row}, .shapes = {Box2{.half = {0.5, 0.5}}}});
    for (int i = 0; i < 30; ++i) world.step(k_h);
    after[sweeps == 10] = world.report().residual.rms;
    EXPECT_GT(world.report().residual.relative_max, 0);
  }
  EXPECT_GT(after[0], 2 * after[1]);
}

TEST(Residual, is_there_when_it_is_asked_for) {
  for (const auto& [level, name] : EnumNames<Accounting>::table) {
    World3 world({.accounting = level});
    floor_of(world);
    world.create({.position = {0, 0, 0.49}, .shapes = {Box3{}}});
    const StepReport3& step = world.step(k_h);
    EXPECT_EQ(step.residual.points, level == Accounting::none ? 0u : 4u) << name;
    EXPECT_EQ(step.energy.contact != 0, level == Accounting::full) << name;
  }
}

// In a heap that is too dear to be factorised, trees of joints that turn slowly keep their inertia for a whole step.
TEST(Ledger, closes_for_a_heap_of_limbs_that_hardly_turn) {
  for (const Precision precision : k_precisions) {
    World3 world = empty_world<Dim3>(precision);
    floor_of(world);
    for (int layer = 0; layer < 8; ++layer)
      for (int chain = 0; chain < 4; ++chain) {
        BodyId last{};
        for (int i = 0; i < 4; ++i) {
          const double along = 0.42 * i - 0.63, across = 0.4 * chain - 0.6, up = 0.1 + 0.25 * layer;
          const bool turned = layer % 2 == 1;
          const Vec3 place = turned ? Vec3{across, along, up} : Vec3{along, across, up};
          const Vec3 half = turned ? Vec3{0.06, 0.19, 0.08} : Vec3{0.19, 0.06, 0.08};
          const BodyId limb =
              world.create({.position = place, .shapes = {{Box3{.half = half}, {.material = k_plain}}}});
          if (last)
            world.create(BallDef3{
                .a = last, .b = limb, .frame = {.origin = 0.5 * (place + world.pose(last).position)}});
          last = limb;
        }
      }
    run(world, 90, precision);
  }
}

}  // namespace
}  // namespace cairn
