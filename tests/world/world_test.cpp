#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace cairn {
namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double k_inf = std::numeric_limits<double>::infinity();

// A world with a body or two in motion, and everything that could change when it should not.
struct Scene {
  World3 world;
  BodyId box, ball;
  ForceId spring;
  Scene() {
    box = world.create(
        {.name = "box", .velocity = {1, 0, 0}, .angular_velocity = {1, 2, 3}, .shapes = {Box3{}}});
    ball = world.create({.name = "ball", .position = {3, 0, 0}, .shapes = {Sphere{}}});
    spring = world.create(SpringDef3{.a = box, .b = ball, .stiffness = 10, .damping = 1, .rest_length = 2});
    world.step(0.01);
  }
};

// Bad input is refused with a message that has these words, and nothing in the world changes: it goes on
// exactly like one that never heard of it.
void expect_refusal(const std::function<void(Scene&)>& act, std::initializer_list<const char*> words) {
  Scene scene, untouched;
  try {
    act(scene);
    FAIL() << "not refused: " << *words.begin();
  } catch (const Error& e) {
    for (const char* word : words)
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what() << "\nlacks: " << word;
  }
  EXPECT_EQ(scene.world.bodies().size(), untouched.world.bodies().size());
  for (int i = 0; i < 3; ++i) {
    scene.world.step(0.01);
    untouched.world.step(0.01);
  }
  EXPECT_EQ(scene.world.state_hash(), untouched.world.state_hash());
  EXPECT_EQ(scene.world.energy().total(), untouched.world.energy().total());
}
void expect_body_refused(const BodyDef3& def, std::initializer_list<const char*> words) {
  expect_refusal([&](Scene& s) { s.world.create(def); }, words);
}

TEST(World, refuses_bodies_that_cannot_be) {
  expect_body_refused({.position = {0, k_nan, 0}, .shapes = {Sphere{}}},
                      {"BodyDef3.position.y", "nan m", "finite"});
  expect_body_refused({.velocity = {k_inf, 0, 0}, .shapes = {Sphere{}}}, {"BodyDef3.velocity.x", "inf m/s"});
  expect_body_refused({.rotation = {0.5, 0, 0, 0}, .shapes = {Sphere{}}},
                      {"BodyDef3.rotation", "0.5", "unit quaternion"});
  expect_body_refused({.shapes = {Sphere{}}, .mass = -1}, {"BodyDef3.mass", "-1 kg", "greater than 0"});
  expect_body_refused({.shapes = {Sphere{}}, .mass = k_nan}, {"BodyDef3.mass", "nan"});
  expect_body_refused({.shapes = {Box3{.half = {1, 0, 1}}}},
                      {"BodyDef3.shapes[0].shape.half.y", "0 m", "greater than 0"});
  expect_body_refused({.shapes = {Sphere{}, {Sphere{}, {.density = -5}}}},
                      {"BodyDef3.shapes[1].density", "-5 kg/m³"});
  expect_body_refused({.shapes = {Sphere{}}, .inertia_scale = 0}, {"BodyDef3.inertia_scale", "0"});
  expect_body_refused({.motion = Motion(7), .shapes = {Sphere{}}}, {"BodyDef3.motion", "7"});
  expect_body_refused({}, {"BodyDef3.mass", "needs mass"});
  expect_body_refused({.mass = 1}, {"BodyDef3.inertia", "must be given"});
  expect_body_refused({.shapes = {Plane{}}, .mass = 1},
                      {"BodyDef3.shapes[0].shape", "infinite", "fixed bodies"});
  expect_body_refused({.shapes = {HeightField{.heights = {0, 0, 0, 0}}}}, {"BodyDef3.mass", "needs mass"});
  expect_body_refused({.mass = 1, .inertia = Sym3{1, 1, 3}}, {"BodyDef3", "inertia", "3"});
  expect_body_refused({.mass = 1, .inertia = Sym3{1, 1, 1, 2}}, {"BodyDef3", "inertia"});
  expect_body_refused({.shapes = {Hull{.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}}},
                      {"BodyDef3.shapes[0].shape", "plane"});
}

TEST(World, refuses_materials_that_cannot_be) {
  const auto with = [](const Material& m) { return BodyDef3{.shapes = {{Sphere{}, {.material = m}}}}; };
  expect_body_refused(with({.static_friction = -0.1}),
                      {"shapes[0].material.static_friction", "-0.1", "at least 0"});
  expect_body_refused(with({.static_friction = 0.3, .kinetic_friction = 0.5}),
                      {"shapes[0].material.kinetic_friction", "0.5", "at most static_friction", "0.3"});
  expect_body_refused(with({.restitution = 1.5}), {"shapes[0].material.restitution", "1.5", "from 0 to 1"});
  expect_body_refused(with({.rolling_resistance = k_nan}), {"rolling_resistance", "nan m"});
  expect_body_refused(with({.friction_combine = Combine(9)}), {"friction_combine", "9"});
}

TEST(World, refuses_stale_and_foreign_ids) {
  expect_refusal(
      [](Scene& s) {
        World3 other;
        const BodyId foreign = other.create({.shapes = {Sphere{}}});
        s.world.pose(foreign);
      },
      {"BodyId", "another world"});
  expect_refusal([](Scene& s) { s.world.apply_force(BodyId{}, {1, 0, 0}); }, {"BodyId", "null"});
  expect_refusal([](Scene& s) { s.world.destroy(s.world.background()); }, {"background"});
  Scene scene;
  scene.world.destroy(scene.ball);
  EXPECT_FALSE(scene.world.contains(scene.ball));
  EXPECT_FALSE(scene.world.contains(scene.spring));  // it held the ball
  EXPECT_THROW(scene.world.velocity(scene.ball), Error);
  EXPECT_THROW(scene.world.destroy(scene.ball), Error);
  EXPECT_THROW(scene.world.destroy(scene.spring), Error);
  EXPECT_EQ(scene.world.step(0.01).status, StepStatus::good);
}

TEST(World, refuses_bad_springs_edits_and_settings) {
  expect_refusal([](Scene& s) { s.world.create(SpringDef3{.a = s.box, .b = s.box}); },
                 {"SpringDef3.b", "two different"});
  expect_refusal([](Scene& s) { s.world.create(SpringDef3{.a = s.box}); }, {"SpringDef3.b", "null"});
  expect_refusal([](Scene& s) { s.world.create(SpringDef3{.a = s.box, .b = s.ball, .stiffness = -1}); },
                 {"SpringDef3.stiffness", "-1 N/m"});
  expect_refusal([](Scene& s) { s.world.apply_force(s.box, {k_nan, 0, 0}); }, {"force.x", "nan N"});
  expect_refusal(
      [](Scene& s) {
        s.world.apply_impulse(s.box, {1, 0, 0}, {0, k_inf, 0});
      },
      {"point.y", "inf m"});
  expect_refusal([](Scene& s) { s.world.set_velocity(s.world.background(), {}); }, {"fixed"});
  expect_refusal([](Scene& s) { s.world.set_pose(s.box, {{k_nan, 0, 0}, {}}); }, {"pose.position.x"});
  expect_refusal([](Scene& s) { s.world.set_gravity({0, 0, k_nan}); }, {"gravity.z"});
  expect_refusal([](Scene& s) { s.world.set_method({.integrator = Newmark{.gamma = 0.2}}); },
                 {"gamma", "0.2"});
  EXPECT_THROW(World3({.length_scale = 0}), Error);
  EXPECT_THROW(World3({.threads = 0}), Error);
}

TEST(World, refuses_a_step_that_makes_no_sense_without_throwing) {
  Scene scene;
  const std::uint64_t before = scene.world.state_hash();
  for (double h : {0.0, -0.1, k_nan, k_inf}) {
    const StepReport3& step = scene.world.step(h);
    EXPECT_EQ(step.status, StepStatus::refused);
    EXPECT_NE(step.message.find("must be greater than 0"), std::string::npos);
  }
  EXPECT_EQ(scene.world.state_hash(), before);
  EXPECT_EQ(scene.world.step(0.01).status, StepStatus::good);
}

const Integrator k_integrators[] = {SemiImplicitEuler{}, ExplicitEuler{}, ImplicitEuler{}, VelocityVerlet{},
                                    Newmark{},           RungeKutta4{},   Conserving{}};

TEST(World, sets_a_body_aside_that_becomes_non_finite) {
  for (const Integrator& integrator : k_integrators) {
    World3 world(
        {.gravity = {0, -1, 0}, .method = {.integrator = integrator}, .accounting = Accounting::full});
    const BodyId rocket = world.create({.velocity = {1, 0, 0}, .shapes = {Sphere{}}});
    const BodyId other = world.create({.position = {0, 5, 0}, .velocity = {1, 0, 0}, .shapes = {Sphere{}}});
    world.apply_force(rocket, {1e308, 0, 0});
    world.apply_force(rocket, {1e308, 0, 0});
    const StepReport3& step = world.step(1);
    EXPECT_EQ(step.status, StepStatus::set_aside) << integrator.index();
    ASSERT_EQ(step.set_aside.size(), 1u) << integrator.index();
    EXPECT_EQ(step.set_aside[0], rocket);
    EXPECT_TRUE(world.is_set_aside(rocket));
    EXPECT_EQ(world.mass(rocket).mass, 0);
    EXPECT_EQ(world.pose(rocket).position, Vec3{});
    EXPECT_EQ(step.energy.total(), world.energy().total());
    EXPECT_EQ(world.step(1).status, StepStatus::good);  // the rest of the world goes on
    EXPECT_NEAR(world.report().energy.interventions, 0, 1e-10);
    EXPECT_NEAR(world.pose(other).position.x, 2, 1e-14);
    EXPECT_NEAR(world.velocity(other).linear.y, -2, 1e-14);
  }
}

TEST(World, leaves_fixed_bodies_alone_to_the_last_bit) {
  for (const Integrator& integrator : k_integrators) {
    World3 world({.method = {.integrator = integrator}});
    for (int i = 0; i < 200; ++i)
      world.create({.motion = Motion::fixed, .rotation = rotation_of(Vec3{0.1 * i, 1, 0.03 * i})});
    const auto poses = [&] {
      std::vector<Pose3> all;
      for (BodyId body : world.bodies()) all.push_back(world.pose(body));
      return all;
    };
    const std::vector<Pose3> before = poses();
    for (int i = 0; i < 5; ++i) world.step(0.01);
    EXPECT_EQ(poses(), before) << integrator.index();
  }
}

TEST(World, says_when_a_body_turns_too_far_in_a_step) {
  World3 world({.gravity = {}});
  const BodyId top =
      world.create({.angular_velocity = {0, 0, 10}, .shapes = {Box3{.half = {0.1, 0.2, 0.3}}}});
  EXPECT_EQ(world.step(1).status, StepStatus::good);
  world.set_velocity(top, {{}, {1e4, 1e4, 1e4}});
  EXPECT_EQ(world.step(1).status, StepStatus::not_converged);
  EXPECT_EQ(world.report().integration.unresolved, 1);
}

TEST(World, refuses_what_would_overflow) {
  expect_refusal(
      [](Scene& s) {
        s.world.apply_impulse(s.box, {1e308, 0, 0}, {1e200, 1e200, 0});
      },
      {"impulse", "1e+308"});
  expect_body_refused({.mass = 1e-310, .locks = {.rotation = {true, true, true}}},
                      {"BodyDef3.mass", "inverted"});
}

TEST(World, has_a_background_that_everything_accepts) {
  World3 world;
  const BodyId ground = world.background();
  const BodyId ball = world.create({.shapes = {Sphere{}}});
  EXPECT_NO_THROW(world.create(SpringDef3{.a = ground, .b = ball, .stiffness = 1}));
  EXPECT_NO_THROW(world.apply_force(ground, {1, 0, 0}));
  EXPECT_NO_THROW(world.apply_torque(ground, {1, 0, 0}));
  EXPECT_NO_THROW(world.apply_impulse(ground, {1, 0, 0}));
  for (int i = 0; i < 10; ++i) world.step(0.1);
  EXPECT_EQ(world.pose(ground), Pose3{});
  EXPECT_EQ(world.velocity(ground), Twist3{});
  EXPECT_TRUE(world.shapes(ground).empty());
}

TEST(World, applies_forces_and_impulses_at_points) {
  World3 world({.gravity = {}});
  const auto make = [&] {
    return world.create({.shapes = {{Box3{.half = {0.5, 0.5, 0.5}}, {.filter = {.mask = 0}}}}, .mass = 2});
  };
  const BodyId forced = make(), pushed = make(), twisted = make(), spun = make();
  const Vec3 point{0.5, 0, 0}, push{0, 3, 0};
  world.apply_force(forced, push / 0.1, point);
  world.apply_impulse(pushed, push, point);
  world.apply_torque(twisted, cross(point, push) / 0.1);
  world.apply_angular_impulse(spun, cross(point, push));
  EXPECT_EQ(world.velocity(pushed).linear, (Vec3{0, 1.5, 0}));
  EXPECT_NEAR(world.velocity(pushed).angular.z, 1.5 / (2. / 6), 1e-14);
  EXPECT_NEAR(world.velocity_at(pushed, point).y, 1.5 + 4.5 * 0.5, 1e-14);
  world.step(0.1);
  EXPECT_LE(length(world.velocity(forced).linear - world.velocity(pushed).linear), 1e-15);
  EXPECT_LE(length(world.velocity(forced).angular - world.velocity(pushed).angular), 1e-14);
  EXPECT_LE(length(world.velocity(twisted).angular - world.velocity(spun).angular), 1e-14);
  const Twist3 after = world.velocity(forced);
  world.step(0.1);  // a force acts for one step
  EXPECT_EQ(world.velocity(forced).linear, after.linear);
}

TEST(World, respects_locks) {
  World3 world;
  const BodyId body =
      world.create({.velocity = {1, 1, 1},
                    .angular_velocity = {1, 1, 1},
                    .shapes = {Box3{.half = {1, 0.3, 0.2}}},
                    .locks = {.translation = {.y = true}, .rotation = {.x = true, .z = true}}});
  EXPECT_EQ(world.velocity(body).linear, (Vec3{1, 0, 1}));
  EXPECT_EQ(world.velocity(body).angular, (Vec3{0, 1, 0}));
  for (int i = 0; i < 50; ++i) {
    world.apply_force(body, {1, 500, 3}, {0.3, 0.2, 0.1});
    world.apply_impulse(body, {0.1, 5, 0.2}, {1, 1, 1});
    world.step(0.02);
    EXPECT_EQ(world.pose(body).position.y, 0);
    EXPECT_EQ(world.velocity(body).angular.x, 0);
    EXPECT_EQ(world.velocity(body).angular.z, 0);
  }
  EXPECT_NE(world.velocity(body).angular.y, 1);
}

TEST(World, takes_mass_from_shapes_or_from_the_user) {
  World3 world;
  const BodyId box =
      world.create({.shapes = {{Box3{.half = {0.5, 0.5, 0.5}}, {.position = {1, 0, 0}, .density = 12}}}});
  EXPECT_NEAR(world.mass(box).mass, 12, 1e-14);
  EXPECT_LE(length(world.mass(box).center - Vec3{1, 0, 0}), 1e-15);
  EXPECT_NEAR(world.mass(box).inertia.xx, 2, 1e-14);
  EXPECT_LE(length(world.center(box) - Vec3{1, 0, 0}), 1e-15);
  const BodyId heavy = world.create({.shapes = {Box3{}}, .mass = 6, .inertia_scale = 3});
  EXPECT_NEAR(world.mass(heavy).inertia.zz, 3, 1e-14);
  const BodyId given = world.create({.mass = 2, .center = Vec3{0, 0, 1}, .inertia = Sym3{1, 2, 2.5}});
  EXPECT_EQ(world.mass(given).center, (Vec3{0, 0, 1}));
  EXPECT_EQ(world.mass(given).inertia, (Sym3{1, 2, 2.5}));
  const BodyId point = world.create({.mass = 1, .locks = {.rotation = {true, true, true}}});
  EXPECT_EQ(world.mass(point).mass, 1);
}

TEST(World, reuses_slots_without_confusing_bodies) {
  World2 world({.gravity = {}});
  std::vector<BodyId> live;
  for (int round = 0; round < 50; ++round) {
    live.push_back(world.create({.position = {double(round), 0},
                                 .velocity = {0, double(round)},
                                 .shapes = {Circle{.radius = 0.25}}}));
    if (round % 3 == 2) {
      world.destroy(live[live.size() / 2]);
      live.erase(live.begin() + std::ptrdiff_t(live.size() / 2));
    }
    world.step(0.1);
    for (BodyId id : live) EXPECT_EQ(world.pose(id).position.x, world.velocity(id).linear.y);
  }
  EXPECT_EQ(world.bodies().size(), live.size());
}

TEST(World, gives_the_same_bits_on_any_number_of_threads) {
  const auto hash = [](const Integrator& integrator, int threads) {
    World3 world({.method = {.integrator = integrator}, .threads = threads});
    BodyId last{};
    for (int i = 0; i < 600; ++i) {
      const double x = i;
      const BodyId id = world.create({.position = {x, 0, 0},
                                      .velocity = {0, std::fmod(x, 7), 0},
                                      .angular_velocity = {std::fmod(x, 5), 1, std::fmod(x, 3)},
                                      .shapes = {Box3{.half = {0.1, 0.2, 0.3}}}});
      if (last && i % 2)
        world.create(SpringDef3{.a = last, .b = id, .anchor_a = {0.1, 0, 0}, .stiffness = 100});
      last = id;
    }
    for (int i = 0; i < 5; ++i) world.step(0.01);
    return world.state_hash();
  };
  for (const Integrator& integrator : k_integrators) {
    const std::uint64_t one = hash(integrator, 1);
    for (int threads : {2, 3, 8}) EXPECT_EQ(hash(integrator, threads), one) << integrator.index();
  }
}

TEST(World, gives_the_same_bits_with_every_instruction_set) {
  const auto hash = [](InstructionSet set) {
    World3 world({.instruction_set = set});
    for (int i = 0; i < 300; ++i)
      world.create({.position = {8.0 * i, 0, 0},
                    .angular_velocity = {std::fmod(i, 5), 0.1 * i, std::fmod(i, 3)},
                    .shapes = {Box3{.half = {0.1, 0.2, 0.3 + 0.01 * i}}},
                    .locks = {.rotation = {.x = i % 7 == 0}}});
    for (int i = 0; i < 50; ++i) world.step(0.01);
    return world.state_hash();
  };
  const std::uint64_t scalar = hash(InstructionSet::scalar);
  for (const auto& [set, name] : EnumNames<InstructionSet>::table) {
    if (set <= best_instruction_set())
      EXPECT_EQ(hash(set), scalar) << name;
    else
      EXPECT_THROW(hash(set), Error) << name;
  }
}

TEST(World, moves_with_its_contents) {
  World3 world;
  const BodyId ball = world.create({.shapes = {Sphere{}}});
  World3 other = std::move(world);
  other.step(0.1);
  EXPECT_LT(other.pose(ball).position.z, 0);
}

}  // namespace
}  // namespace cairn
