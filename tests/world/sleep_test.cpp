// Who falls asleep, what sleep is like, and everything that wakes.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "world/sleep_scenes.h"

namespace cairn {
namespace {

template <class D>
class Sleep : public testing::Test {};
using Dimensions = testing::Types<Dim2, Dim3>;
TYPED_TEST_SUITE(Sleep, Dimensions);

// ------------------------------------------------------------------------------------------------ falling asleep

TYPED_TEST(Sleep, is_off_unless_asked_for) {
  Tower<TypeParam> tower(1, WorldDef<TypeParam>{});
  EXPECT_FALSE(tower.fall_asleep(3));
  EXPECT_FALSE(tower.world.put_to_sleep(tower.boxes[0]));
  EXPECT_EQ(tower.world.report().sleep.awake, 0u);
}

TYPED_TEST(Sleep, comes_after_the_time_and_not_before) {
  Tower<TypeParam> tower(3);
  int steps = 0;
  while (tower.asleep() < 3 && steps < 500) {
    ++steps;
    tower.world.step(k_h);
    // As a whole.
    EXPECT_TRUE(tower.asleep() == 0 || tower.asleep() == 3);
  }
  EXPECT_GE(steps, 50);  // 0.5 s
  EXPECT_LT(steps, 100);
  const auto& report = tower.world.report();
  EXPECT_EQ(report.sleep.fell_asleep, tower.boxes);
  EXPECT_EQ(report.sleep.asleep, 3u);
  EXPECT_EQ(report.sleep.awake, 0u);
  EXPECT_EQ(report.sleep.islands, 0u);
  for (const BodyId box : tower.boxes) EXPECT_EQ(tower.world.velocity(box), Twist<TypeParam>{});
  tower.world.step(k_h);
  EXPECT_TRUE(report.sleep.fell_asleep.empty());
  EXPECT_EQ(report.sleep.asleep, 3u);
}

TYPED_TEST(Sleep, keeps_poses_to_the_last_bit_and_does_no_work) {
  Tower<TypeParam> tower(5);
  ASSERT_TRUE(tower.fall_asleep());
  std::vector<Pose<TypeParam>> poses;
  for (const BodyId box : tower.boxes) poses.push_back(tower.world.pose(box));
  for (int i = 0; i < 200; ++i) {
    const auto& report = tower.world.step(k_h);
    EXPECT_EQ(report.status, StepStatus::good);
    EXPECT_EQ(report.solve.bodies, 0u);
    EXPECT_EQ(report.solve.contacts, 0u);
    EXPECT_EQ(report.collision.pairs, 0u);
    EXPECT_EQ(report.sleep.asleep, 5u);
    EXPECT_TRUE(tower.world.events().empty());
  }
  for (std::size_t i = 0; i < poses.size(); ++i) EXPECT_EQ(tower.world.pose(tower.boxes[i]), poses[i]);
}

// What a contact last bore is still told: each box carries those above.
TYPED_TEST(Sleep, keeps_the_forces_of_contacts) {
  Tower<TypeParam> tower(4);
  ASSERT_TRUE(tower.fall_asleep());
  for (int i = 0; i < 10; ++i) tower.world.step(k_h);
  ASSERT_EQ(tower.world.contacts().size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    typename TypeParam::Vec sum{};
    for (const auto& contact : tower.world.contacts(tower.boxes[i]))
      for (const auto& patch : contact.patches)
        for (const auto& point : patch.points)
          sum += contact.b.body == tower.boxes[i] ? point.impulse : -point.impulse;
    EXPECT_NEAR(length(sum - up(TypeParam{}, 10 * k_g * k_h)), 0, 0.01 * 10 * k_g * k_h) << i;
  }
}

TYPED_TEST(Sleep, goes_by_the_thresholds_of_each_body) {
  // Without gravity bodies drift at a constant speed.
  WorldDef<TypeParam> def = sleeping_world<TypeParam>();
  def.gravity = {};
  def.sleep.linear_speed = 0.1;
  def.sleep.angular_speed = 0.2;
  World<TypeParam> world(def);
  const typename TypeParam::Ang turn = spin(TypeParam{}, 0.15);
  int place = 0;
  const auto body = [&](double speed, const typename TypeParam::Ang& angular, const BodySleep& sleep) {
    return world.create({.position = up(TypeParam{}, 5 * place++),
                         .velocity = up(TypeParam{}, speed),
                         .angular_velocity = angular,
                         .shapes = {ball(TypeParam{})},
                         .sleep = sleep});
  };
  const BodyId slow = body(0.09, turn, {}), fast = body(0.11, {}, {}),
               lazy = body(0.11, {}, {.linear_speed = 0.12}),
               wakeful = body(0.09, {}, {.linear_speed = 0.05}),
               turning = body(0, turn, {.angular_speed = 0.1}), never = body(0, {}, {.allowed = false}),
               late = body(0, {}, {.time = 2}), early = body(0, {}, {.time = 0.1});
  for (int i = 0; i < 15; ++i) world.step(k_h);
  EXPECT_FALSE(world.is_asleep(slow));
  EXPECT_TRUE(world.is_asleep(early));
  for (int i = 0; i < 85; ++i) world.step(k_h);
  EXPECT_TRUE(world.is_asleep(slow));
  EXPECT_FALSE(world.is_asleep(fast));
  EXPECT_TRUE(world.is_asleep(lazy));
  EXPECT_FALSE(world.is_asleep(wakeful));
  EXPECT_FALSE(world.is_asleep(turning));
  EXPECT_FALSE(world.is_asleep(never));
  EXPECT_FALSE(world.is_asleep(late));
  EXPECT_EQ(world.report().sleep.islands, 5u);
  EXPECT_EQ(world.report().sleep.awake, 5u);
  for (int i = 0; i < 105; ++i) world.step(k_h);
  EXPECT_TRUE(world.is_asleep(late));
  EXPECT_FALSE(world.put_to_sleep(never));
  world.wake(late);
  EXPECT_FALSE(world.is_asleep(late));
  EXPECT_TRUE(world.put_to_sleep(late));
  EXPECT_TRUE(world.is_asleep(late));
}

// At the ends of its swing a body is slow again and again, but never for long.
TYPED_TEST(Sleep, needs_rest_without_a_break) {
  World<TypeParam> world(sleeping_world<TypeParam>());
  const double omega = 2 * k_pi, speed = 0.1;  // below 0.05 m/s for a third of each period of 1 s
  const BodyId body = world.create(
      {.velocity = up(TypeParam{}, speed), .shapes = {ball(TypeParam{})}, .mass = 1, .gravity_scale = 0});
  world.create(SpringDef<TypeParam>{.a = world.background(),
                                    .b = body,
                                    .anchor_a = up(TypeParam{}, -3),
                                    .stiffness = omega * omega,
                                    .rest_length = 3});
  for (int i = 0; i < 1000; ++i) {
    world.step(k_h);
    ASSERT_FALSE(world.is_asleep(body)) << i;
  }
}

TYPED_TEST(Sleep, needs_the_whole_island) {
  Tower<TypeParam> tower(3);
  const BodyId top = tower.world.create({.position = up(TypeParam{}, 3.5),
                                         .shapes = {cube(TypeParam{})},
                                         .mass = 10,
                                         .sleep = {.allowed = false}});
  EXPECT_FALSE(tower.fall_asleep(2));
  EXPECT_EQ(tower.world.report().sleep.islands, 1u);
  EXPECT_FALSE(tower.world.put_to_sleep(tower.boxes[0]));
  tower.world.destroy(top);
  EXPECT_TRUE(tower.fall_asleep(2));
}

TYPED_TEST(Sleep, may_be_there_from_the_beginning) {
  World<TypeParam> world(sleeping_world<TypeParam>());
  const BodyId hovering = world.create(
      {.position = up(TypeParam{}, 5), .shapes = {ball(TypeParam{})}, .sleep = {.asleep = true}});
  EXPECT_TRUE(world.is_asleep(hovering));
  for (int i = 0; i < 20; ++i) world.step(k_h);
  EXPECT_EQ(world.center(hovering), up(TypeParam{}, 5));
  world.wake(hovering);
  world.step(k_h);
  EXPECT_LT(height(world.velocity(hovering).linear), 0);
  EXPECT_EQ(world.report().sleep.woke, std::vector{hovering});
  BodyDef<TypeParam> contradiction{
      .velocity = up(TypeParam{}, 1), .shapes = {ball(TypeParam{})}, .sleep = {.asleep = true}};
  EXPECT_THROW(world.create(contradiction), Error);
  contradiction = {.shapes = {ball(TypeParam{})}, .sleep = {.allowed = false, .asleep = true}};
  EXPECT_THROW(world.create(contradiction), Error);
}

// A tower created asleep, on a floor that came with it, stands until it is touched.
TYPED_TEST(Sleep, holds_a_tower_that_began_asleep) {
  World<TypeParam> world(sleeping_world<TypeParam>());
  world.create({.motion = Motion::fixed, .position = up(TypeParam{}, -0.5), .shapes = {slab(TypeParam{})}});
  std::vector<BodyId> boxes;
  for (int i = 0; i < 4; ++i)
    boxes.push_back(world.create({.position = up(TypeParam{}, 0.5 + i),
                                  .shapes = {cube(TypeParam{})},
                                  .mass = 10,
                                  .sleep = {.asleep = true}}));
  for (int i = 0; i < 5; ++i) world.step(k_h);
  EXPECT_EQ(world.report().sleep.asleep, 4u);
  EXPECT_EQ(world.report().collision.pairs, 0u);
  world.apply_impulse(boxes[0], up(TypeParam{}, 0.1));
  world.step(k_h);
  EXPECT_EQ(world.report().sleep.woke, boxes);  // one wakes the next, all in one step
  EXPECT_EQ(world.report().solve.bodies, 4u);
}

// ------------------------------------------------------------------------------------------------------- waking

// Every way to disturb the middle of a tower of three, or what it stands on.
TYPED_TEST(Sleep, ends_when_anything_is_done_to_the_island) {
  using D = TypeParam;
  struct Cause {
    const char* name;
    std::function<void(Tower<D>&)> act;
  };
  const typename D::Ang turn = spin(D{}, 1);
  const Cause causes[] = {
      {"wake", [](Tower<D>& t) { t.world.wake(t.boxes[1]); }},
      {"force", [](Tower<D>& t) { t.world.apply_force(t.boxes[1], up(D{}, 1)); }},
      {"force at a point", [](Tower<D>& t) { t.world.apply_force(t.boxes[1], up(D{}, 1), up(D{}, 1)); }},
      {"torque", [&](Tower<D>& t) { t.world.apply_torque(t.boxes[1], turn); }},
      {"impulse", [](Tower<D>& t) { t.world.apply_impulse(t.boxes[1], up(D{}, 1)); }},
      {"angular impulse", [&](Tower<D>& t) { t.world.apply_angular_impulse(t.boxes[1], turn); }},
      {"velocity",
       [](Tower<D>& t) {
         t.world.set_velocity(t.boxes[1], {up(D{}, 0.1), {}});
       }},
      {"pose", [](Tower<D>& t) { t.world.set_pose(t.boxes[1], t.world.pose(t.boxes[1])); }},
      {"shapes", [](Tower<D>& t) { t.world.set_shapes(t.boxes[1], {cube(D{})}); }},
      {"mass", [](Tower<D>& t) { t.world.set_mass(t.boxes[1], 20); }},
      {"locks", [](Tower<D>& t) { t.world.set_locks(t.boxes[1], {.translation = {.x = true}}); }},
      {"motion", [](Tower<D>& t) { t.world.set_motion(t.boxes[0], Motion::kinematic); }},
      {"gravity scale", [](Tower<D>& t) { t.world.set_gravity_scale(t.boxes[1], 2); }},
      {"filter",
       [](Tower<D>& t) {
         t.world.set_filter({t.boxes[1], 0}, {});
       }},
      {"material",
       [](Tower<D>& t) {
         t.world.set_material({t.boxes[1], 0}, {});
       }},
      {"exemption", [](Tower<D>& t) { t.world.set_exempt(t.boxes[1], t.floor, true); }},
      {"gravity", [](Tower<D>& t) { t.world.set_gravity(up(D{}, -1)); }},
      {"hook", [](Tower<D>& t) { t.world.set_contact_hook({}); }},
      {"spring",
       [](Tower<D>& t) { t.world.create(SpringDef<D>{.a = t.world.background(), .b = t.boxes[1]}); }},
      {"joint", [](Tower<D>& t) { t.world.create(FixedDef<D>{.a = t.boxes[1], .b = t.world.background()}); }},
      {"floor destroyed", [](Tower<D>& t) { t.world.destroy(t.floor); }},
      {"floor moved",
       [](Tower<D>& t) {
         t.world.set_pose(t.floor, {up(D{}, -0.6), {}});
       }},
      {"floor's shapes", [](Tower<D>& t) { t.world.set_shapes(t.floor, {slab(D{})}); }},
      {"floor's filter",
       [](Tower<D>& t) {
         t.world.set_filter({t.floor, 0}, {.category = 0});
       }},
      {"floor's material",
       [](Tower<D>& t) {
         t.world.set_material({t.floor, 0}, {});
       }},
      {"floor set in motion", [](Tower<D>& t) { t.world.set_motion(t.floor, Motion::kinematic); }},
      {"settings", [](Tower<D>& t) { t.world.set_sleep_settings({.mode = SleepMode::on}); }},
  };
  for (const Cause& cause : causes) {
    Tower<D> tower(3);
    ASSERT_TRUE(tower.fall_asleep()) << cause.name;
    cause.act(tower);
    const auto& report = tower.world.step(k_h);
    EXPECT_EQ(tower.asleep(), 0u) << cause.name;
    EXPECT_EQ(report.sleep.asleep, 0u) << cause.name;
    EXPECT_EQ(report.sleep.woke, tower.boxes) << cause.name;
    EXPECT_GE(report.solve.bodies + report.sleep.islands, 2u) << cause.name;
    EXPECT_EQ(report.status, StepStatus::good) << cause.name;
  }
  // And what does not.
  Tower<D> tower(3);
  ASSERT_TRUE(tower.fall_asleep());
  tower.world.set_user_data(tower.boxes[1], 7);
  tower.world.set_gravity(tower.world.gravity());
  tower.world.step(k_h);
  EXPECT_EQ(tower.asleep(), 3u);
}

// What stood on it falls.
TYPED_TEST(Sleep, ends_when_the_support_goes) {
  Tower<TypeParam> tower(4);
  ASSERT_TRUE(tower.fall_asleep());
  const BodyId top = tower.boxes.back();
  const double before = height(tower.world.center(top));
  tower.world.destroy(tower.boxes[0]);
  for (int i = 0; i < 100; ++i) tower.world.step(k_h);
  EXPECT_NEAR(height(tower.world.center(top)), before - 1, 0.02);
}

TYPED_TEST(Sleep, of_a_whole_tower_ends_in_the_step_that_finds_a_ball_on_it) {
  Tower<TypeParam> tower(5);
  ASSERT_TRUE(tower.fall_asleep());
  const BodyId falling =
      tower.world.create({.position = up(TypeParam{}, 6), .shapes = {ball(TypeParam{})}, .mass = 5});
  int steps = 0;
  for (; steps < 200 && tower.asleep() == 5; ++steps) {
    for (const auto& contact : tower.world.contacts(falling)) EXPECT_TRUE(contact.patches.empty());
    tower.world.step(k_h);
  }
  EXPECT_EQ(tower.asleep(), 0u);
  EXPECT_NEAR(steps * k_h, std::sqrt(2 * 0.5 / k_g), 0.03);
  EXPECT_EQ(tower.world.report().sleep.woke, tower.boxes);
  EXPECT_EQ(tower.world.report().sleep.islands, 1u);
  EXPECT_EQ(tower.world.contacts(falling).size(), 1u);
}

// A shot that would be through the box in one step is held back where it meets it, and wakes it in the next.
TYPED_TEST(Sleep, stops_a_shot) {
  Tower<TypeParam> tower(1);
  ASSERT_TRUE(tower.fall_asleep());
  typename TypeParam::Vec from = up(TypeParam{}, 0.5), speed{};
  from.x = -2.5, speed.x = 600;
  const BodyId shot =
      tower.world.create({.position = from, .velocity = speed, .shapes = {ball(TypeParam{})}, .mass = 0.01});
  tower.world.step(k_h);
  EXPECT_EQ(tower.world.report().collision.held_back, 1u);
  EXPECT_NEAR(tower.world.center(shot).x, -1, 0.01);
  EXPECT_EQ(tower.asleep(), 1u);
  tower.world.step(k_h);
  EXPECT_EQ(tower.asleep(), 0u);
  EXPECT_LT(tower.world.velocity(shot).linear.x, 10);
}

// A body that passes close by, or a sensor, disturbs nobody.
TYPED_TEST(Sleep, is_not_ended_by_what_does_not_touch) {
  Tower<TypeParam> tower(1);
  ASSERT_TRUE(tower.fall_asleep());
  const BodyId passing = tower.world.create({.motion = Motion::kinematic,
                                             .position = up(TypeParam{}, 1.6),
                                             .velocity = {3, 0},
                                             .shapes = {ball(TypeParam{})}});
  tower.world.create({.position = up(TypeParam{}, 1.2),
                      .shapes = {{ball(TypeParam{}), {.sensor = true}}},
                      .mass = 1,
                      .gravity_scale = 0,
                      .sleep = {.allowed = false}});
  bool begun = false;
  for (int i = 0; i < 50; ++i) {
    tower.world.step(k_h);
    for (const auto& e : tower.world.events())
      begun |= e.kind == EventKind::sensor_begin && e.a.body == tower.boxes[0];
  }
  EXPECT_TRUE(begun);  // the sensor tells of a body that sleeps
  EXPECT_EQ(tower.asleep(), 1u);
  // But one that comes lower does.
  tower.world.set_pose(passing, {up(TypeParam{}, 1.45), {}});
  tower.world.step(k_h);
  EXPECT_EQ(tower.asleep(), 0u);
}

// Fast articulations foresee what they come to: what they only pass by sleeps on, what they come to wakes before.
TYPED_TEST(Sleep, is_not_ended_by_what_flies_past) {
  using D = TypeParam;
  for (const double sinking : {0., 40.}) {
    Tower<D> tower(1);
    ASSERT_TRUE(tower.fall_asleep());
    const auto thrown = [&](double x) {
      return tower.world.create({.position = up(D{}, 1.8) + sideways(D{}, x),
                                 .velocity = sideways(D{}, 40) - up(D{}, sinking),
                                 .shapes = {ball(D{})},
                                 .mass = 1,
                                 .gravity_scale = 0});
    };
    const BodyId a = thrown(-1.3), b = thrown(-0.3);
    tower.world.create(
        DistanceDef<D>{.a = a, .b = b, .anchor_a = tower.world.center(a), .anchor_b = tower.world.center(b)});
    for (int i = 0; i < 5; ++i) tower.world.step(k_h);
    EXPECT_EQ(tower.asleep(), sinking > 0 ? 0u : 1u);
    EXPECT_GT(height(tower.world.center(b)), 1.4);  // it did not go through
  }
}

TYPED_TEST(Sleep, is_kept_away_by_a_platform_that_moves) {
  Tower<TypeParam> tower(2, sleeping_world<TypeParam>(), Motion::kinematic);
  World<TypeParam>& world = tower.world;
  ASSERT_TRUE(tower.fall_asleep());
  world.set_velocity(tower.floor, {});  // as it had
  world.move_to(tower.floor, world.pose(tower.floor), k_h);
  world.step(k_h);
  EXPECT_EQ(tower.asleep(), 2u);
  world.set_velocity(tower.floor, {up(TypeParam{}, 0.01), {}});  // slower than the threshold
  world.step(k_h);
  EXPECT_EQ(tower.asleep(), 0u);
  for (int i = 0; i < 200; ++i) {
    world.step(k_h);
    ASSERT_EQ(tower.asleep(), 0u);
  }
  EXPECT_NEAR(length(world.center(tower.boxes[0])), 0.52, 0.002);
  EXPECT_FALSE(world.put_to_sleep(tower.boxes[0]));
  world.set_velocity(tower.floor, {});
  EXPECT_TRUE(tower.fall_asleep(2));
}

// Whichever of the two was created first.
TYPED_TEST(Sleep, is_kept_away_by_a_platform_that_came_later) {
  World<TypeParam> world(sleeping_world<TypeParam>());
  const BodyId box =
      world.create({.position = up(TypeParam{}, 0.5), .shapes = {cube(TypeParam{})}, .mass = 10});
  const BodyId platform = world.create({.motion = Motion::kinematic,
                                        .position = up(TypeParam{}, -0.5),
                                        .velocity = up(TypeParam{}, 0.01),
                                        .shapes = {slab(TypeParam{})}});
  for (int i = 0; i < 100; ++i) world.step(k_h);
  EXPECT_FALSE(world.is_asleep(box));
  world.set_velocity(platform, {});
  for (int i = 0; i < 100; ++i) world.step(k_h);
  EXPECT_TRUE(world.is_asleep(box));
}

// A wall that is put somewhere else by hand wakes whom it touches there, and nobody else.
TYPED_TEST(Sleep, ends_where_a_wall_is_put) {
  Tower<TypeParam> tower(1);
  typename TypeParam::Vec far = up(TypeParam{}, 0.5), near = far, touching = far;
  far.x = 5, near.x = 1.05, touching.x = 0.99;
  const BodyId wall =
      tower.world.create({.motion = Motion::fixed, .position = far, .shapes = {cube(TypeParam{})}});
  ASSERT_TRUE(tower.fall_asleep());
  tower.world.set_pose(wall, {near, {}});
  tower.world.step(k_h);
  tower.world.step(k_h);
  EXPECT_EQ(tower.asleep(), 1u);
  tower.world.set_pose(wall, {touching, {}});
  tower.world.step(k_h);
  EXPECT_EQ(tower.asleep(), 0u);
  for (int i = 0; i < 20; ++i) tower.world.step(k_h);
  EXPECT_LT(tower.world.center(tower.boxes[0]).x, -0.002);  // it was pushed out
}

TYPED_TEST(Sleep, is_kept_away_by_a_belt_that_moves) {
  World<TypeParam> world(sleeping_world<TypeParam>());
  typename TypeParam::Vec along{};
  along.x = 0.02;
  world.create({.motion = Motion::fixed,
                .position = up(TypeParam{}, -0.5),
                .shapes = {{slab(TypeParam{}), {.surface_velocity = along}}}});
  const BodyId box = world.create({.position = up(TypeParam{}, 0.5), .shapes = {cube(TypeParam{})}});
  for (int i = 0; i < 300; ++i) world.step(k_h);
  EXPECT_FALSE(world.is_asleep(box));
  EXPECT_NEAR(world.center(box).x, 0.06, 0.002);
}

// ------------------------------------------------------------------------------------------- joints and springs

// Ten links of a chain that hangs from the background.
template <class D>
struct Chain {
  explicit Chain(WorldDef<D> def = sleeping_world<D>()) : world(def) {
    BodyId last = world.background();
    for (int i = 0; i < 10; ++i) {
      links.push_back(world.create({.position = up(D{}, -0.5 - i), .shapes = {ball(D{})}, .mass = 1}));
      joints.push_back(
          world.create(HingeDef<D>{.a = last, .b = links.back(), .frame = {.origin = up(D{}, -i)}}));
      last = links.back();
    }
  }
  bool step_until_asleep(int steps) {
    for (int i = 0; i < steps && !world.is_asleep(links[0]); ++i) world.step(k_h);
    return world.is_asleep(links[0]) && world.is_asleep(links.back());
  }
  World<D> world;
  std::vector<BodyId> links;
  std::vector<JointId> joints;
};

TYPED_TEST(Sleep, comes_to_a_chain_that_hangs_and_keeps_its_loads) {
  Chain<TypeParam> chain;
  ASSERT_TRUE(chain.step_until_asleep(200));
  for (int i = 0; i < 10; ++i) chain.world.step(k_h);
  EXPECT_EQ(chain.world.report().solve.joints, 0u);
  for (int i = 0; i < 10; ++i)
    EXPECT_NEAR(
        length(chain.world.reaction(chain.joints[std::size_t(i)]).force - up(TypeParam{}, (10 - i) * k_g)), 0,
        0.1);
}

TYPED_TEST(Sleep, of_a_chain_ends_with_a_change_of_a_joint) {
  using D = TypeParam;
  const std::pair<const char*, std::function<void(Chain<D>&)>> causes[] = {
      {"destroyed", [](Chain<D>& c) { c.world.destroy(c.joints[5]); }},
      {"axis", [](Chain<D>& c) { c.world.set_axis(c.joints[5], 0, {.friction = 1}); }},
      {"impulse", [](Chain<D>& c) { c.world.apply_impulse(c.links[9], up(D{}, 1)); }},
      {"body destroyed", [](Chain<D>& c) { c.world.destroy(c.links[5]); }},
  };
  for (const auto& [name, act] : causes) {
    Chain<D> chain;
    ASSERT_TRUE(chain.step_until_asleep(200)) << name;
    act(chain);
    chain.world.step(k_h);
    EXPECT_EQ(chain.world.report().sleep.asleep, 0u) << name;
  }
}

TYPED_TEST(Sleep, of_bodies_ends_when_their_joint_breaks) {
  Tower<TypeParam> tower(1);
  World<TypeParam>& world = tower.world;
  const BodyId hanging =
      world.create({.position = up(TypeParam{}, 5), .shapes = {ball(TypeParam{})}, .mass = 1});
  const JointId joint =
      world.create(FixedDef<TypeParam>{.a = world.background(), .b = hanging, .break_force = 15});
  for (int i = 0; i < 100; ++i) world.step(k_h);
  ASSERT_TRUE(world.is_asleep(hanging));
  const BodyId load =
      world.create({.position = up(TypeParam{}, 6.1), .shapes = {ball(TypeParam{})}, .mass = 1});
  for (int i = 0; i < 40; ++i) world.step(k_h);
  EXPECT_FALSE(world.contains(joint));
  EXPECT_LT(length(world.center(hanging)), 4.9);
  EXPECT_FALSE(world.is_asleep(hanging));
  EXPECT_FALSE(world.is_asleep(load));
  EXPECT_TRUE(world.is_asleep(tower.boxes[0]));
}

TYPED_TEST(Sleep, is_kept_away_by_drives_that_do_not_hold_still) {
  using D = TypeParam;
  const auto sleeps = [](const Drive& drive) {
    World<D> world(sleeping_world<D>());
    const BodyId wheel = world.create({.shapes = {ball(D{})}, .mass = 1});
    world.create(HingeDef<D>{.a = world.background(), .b = wheel, .drive = drive});
    for (int i = 0; i < 100; ++i) world.step(k_h);
    EXPECT_EQ(world.is_asleep(wheel), world.put_to_sleep(wheel));
    return world.is_asleep(wheel);
  };
  EXPECT_TRUE(sleeps(NoDrive{}));
  EXPECT_TRUE(sleeps(VelocityDrive{.speed = 0}));
  EXPECT_TRUE(sleeps(ServoDrive{.target = 0}));
  EXPECT_FALSE(sleeps(VelocityDrive{.speed = 0.01}));
  EXPECT_FALSE(sleeps(ServoDrive{.target = SineTerm{.amplitude = 1e-3, .period = 10}}));
  EXPECT_FALSE(sleeps(RheonomicDrive{.target = RampTerm{.rate = 1, .start = 3}}));  // will move later
}

// A cylinder too weak to move its load. What it presses with might change at any time, so only `hold` lets it sleep; and
// a new order wakes.
TYPED_TEST(Sleep, is_kept_away_by_cylinders_that_do_not_hold) {
  using D = TypeParam;
  Tower<D> tower(1);
  const typename D::Vec middle = tower.world.center(tower.boxes[0]), aside = sideways(D{}, 3);
  const JointId cylinder = tower.world.create(HydraulicDef<D>{.a = tower.world.background(),
                                                              .b = tower.boxes[0],
                                                              .anchor_a = middle + aside,
                                                              .anchor_b = middle,
                                                              .max_force = 0.1 * 10 * k_g});
  ASSERT_TRUE(tower.fall_asleep());
  for (const Hydraulic order : {Hydraulic::extend, Hydraulic::contract}) {
    SCOPED_TRACE(int(order));
    tower.world.set_hydraulic(cylinder, order);
    EXPECT_FALSE(tower.world.is_asleep(tower.boxes[0]));
    EXPECT_FALSE(tower.fall_asleep(2));
    EXPECT_FALSE(tower.world.put_to_sleep(tower.boxes[0]));
    EXPECT_LT(length(tower.world.velocity(tower.boxes[0]).linear), 1e-3);  // although it is at rest
    EXPECT_LT(length(tower.world.center(tower.boxes[0]) - middle), 1e-3);
    tower.world.set_hydraulic(cylinder, Hydraulic::hold);
    EXPECT_TRUE(tower.fall_asleep(1));
  }
}

TYPED_TEST(Sleep, binds_bodies_on_a_spring_together) {
  World<TypeParam> world(sleeping_world<TypeParam>());
  const BodyId anchor = world.create({.motion = Motion::kinematic, .position = up(TypeParam{}, 4)});
  const BodyId a = world.create({.shapes = {ball(TypeParam{})}, .mass = 1}),
               b = world.create({.position = up(TypeParam{}, -3), .shapes = {ball(TypeParam{})}, .mass = 1});
  const ForceId upper = world.create(SpringDef<TypeParam>{
      .a = anchor, .b = a, .stiffness = 1000, .damping = 50, .rest_length = 4 - 2 * k_g / 1000});
  world.create(
      SpringDef<TypeParam>{.a = a, .b = b, .stiffness = 1000, .damping = 50, .rest_length = 3 - k_g / 1000});
  const auto fall_asleep = [&] {
    for (int i = 0; i < 300 && !world.is_asleep(a); ++i) world.step(k_h);
    return world.is_asleep(a) && world.is_asleep(b);
  };
  ASSERT_TRUE(fall_asleep());
  const Energy asleep = world.energy();
  EXPECT_NEAR(asleep.spring, 0.5 * 1000 * (4 + 1) * (k_g / 1000) * (k_g / 1000), 1e-4);
  EXPECT_NEAR(world.step(k_h).energy.spring, asleep.spring, 1e-12);
  EXPECT_NEAR(world.report().energy.gravity, asleep.gravity, 1e-12);
  world.set_velocity(anchor, {up(TypeParam{}, 0.01), {}});
  world.step(k_h);
  EXPECT_EQ(world.report().sleep.woke, (std::vector{a, b}));
  for (int i = 0; i < 100; ++i) world.step(k_h);
  EXPECT_FALSE(world.is_asleep(a) || world.is_asleep(b));
  world.set_velocity(anchor, {});
  ASSERT_TRUE(fall_asleep());
  world.destroy(upper);
  world.step(k_h);
  EXPECT_EQ(world.report().sleep.woke, (std::vector{a, b}));
}

// ------------------------------------------------------------------------------------------------------ accounts

// Closes in every step: on falling asleep, asleep, on being put to sleep and woken, and with a ball that wakes all.
template <class D>
void expect_closed(World<D>& world, Energy& before, Momentum<D>& momentum) {
  const StepReport<D>& step = world.step(k_h);
  const Energy& e = step.energy;
  const double scale = std::abs(e.gravity) + std::abs(before.gravity) + std::abs(e.spring) + 1;
  EXPECT_LE(std::abs(e.unexplained), 1e-9 * (e.kinetic + before.kinetic) + 1e-13 * scale);
  EXPECT_NEAR(e.total() - before.total(),
              e.interventions + e.causes() + e.continuous + e.sleep + e.unexplained, 1e-12 * scale);
  EXPECT_NEAR(e.total(), world.energy().total(), 1e-12 * scale);
  EXPECT_LE(e.sleep, 1e-12);
  EXPECT_NEAR(length(step.momentum.linear - momentum.linear - step.momentum.linear_impulse), 0, 1e-8);
  before = e;
  momentum = step.momentum;
}

TYPED_TEST(Sleep, has_a_column_in_the_accounts) {
  WorldDef<TypeParam> def = sleeping_world<TypeParam>();
  def.method.solver = SoftStep{.precision = Precision::double_lanes};
  def.sleep.time = 0.3;
  def.sleep.linear_speed = def.sleep.angular_speed = 0.2;
  Tower<TypeParam> tower(3, def);
  World<TypeParam>& world = tower.world;
  // It sways when it falls asleep: that energy is lost, and told.
  world.create({.position = up(TypeParam{}, 30), .shapes = {ball(TypeParam{})}, .mass = 1});
  Energy before;
  world.step(k_h);
  before = world.report().energy;
  Momentum<TypeParam> momentum = world.report().momentum;
  double lost = 0;
  int fell = 0, woke = 0;
  for (int i = 0; i < 400; ++i) {
    expect_closed(world, before, momentum);
    lost += world.report().energy.sleep;
    fell += world.report().sleep.fell_asleep.size() >= 3;
    woke += world.report().sleep.woke.size() >= 3;
  }
  EXPECT_EQ(fell, 2);
  EXPECT_EQ(woke, 1);
  EXPECT_LT(lost, 0);
}

TYPED_TEST(Sleep, takes_exactly_the_kinetic_energy) {
  WorldDef<TypeParam> def = sleeping_world<TypeParam>();
  def.gravity = {};
  def.sleep.linear_speed = 1;
  World<TypeParam> world(def);
  const BodyId body =
      world.create({.velocity = up(TypeParam{}, 0.5), .shapes = {ball(TypeParam{})}, .mass = 3});
  for (int i = 0; i < 49; ++i) EXPECT_EQ(world.step(k_h).energy.sleep, 0);
  while (!world.is_asleep(body)) world.step(k_h);
  EXPECT_NEAR(world.report().energy.sleep, -0.5 * 3 * 0.25, 1e-12);
  EXPECT_EQ(world.report().energy.kinetic, 0);
  EXPECT_NEAR(length(world.report().momentum.linear_impulse - up(TypeParam{}, -1.5)), 0, 1e-12);
  // By hand it is an intervention.
  world.set_velocity(body, {up(TypeParam{}, 2), {}});
  world.step(k_h);
  EXPECT_TRUE(world.put_to_sleep(body));
  EXPECT_EQ(world.velocity(body), Twist<TypeParam>{});
  EXPECT_NEAR(world.step(k_h).energy.interventions, -0.5 * 3 * 4, 1e-9);
}

// ------------------------------------------------------------------------------------------------------- freezing

TYPED_TEST(Sleep, may_freeze_positions_only) {
  Tower<TypeParam> tower(3, sleeping_world<TypeParam>(SleepMode::freeze));
  World<TypeParam>& world = tower.world;
  ASSERT_TRUE(tower.fall_asleep());
  std::vector<Pose<TypeParam>> poses;
  for (const BodyId box : tower.boxes) poses.push_back(world.pose(box));
  Energy before = world.report().energy;
  for (int i = 0; i < 200; ++i) {
    const auto& report = world.step(k_h);
    EXPECT_EQ(report.solve.bodies, 3u);  // they are solved for all the same
    EXPECT_EQ(report.sleep.asleep, 3u);
    const Energy& e = report.energy;
    EXPECT_NEAR(e.total() - before.total(), e.causes() + e.continuous + e.sleep + e.unexplained, 1e-9);
    before = e;
  }
  for (std::size_t i = 0; i < poses.size(); ++i) EXPECT_EQ(world.pose(tower.boxes[i]), poses[i]);

  // A push that keeps it slow does not move it; a threshold that is broken sets it free at once, and it alone.
  world.apply_impulse(tower.boxes[2], up(TypeParam{}, 10 * 0.12));  // of which gravity takes 0.098 m/s
  world.step(k_h);
  EXPECT_TRUE(world.is_asleep(tower.boxes[2]));
  EXPECT_EQ(world.pose(tower.boxes[2]), poses[2]);
  EXPECT_GT(height(world.velocity(tower.boxes[2]).linear), 0.01);
  world.apply_impulse(tower.boxes[2], up(TypeParam{}, 10 * 0.2));
  world.step(k_h);
  EXPECT_FALSE(world.is_asleep(tower.boxes[2]));
  EXPECT_TRUE(world.is_asleep(tower.boxes[0]));
  EXPECT_EQ(world.report().sleep.woke, std::vector{tower.boxes[2]});
  EXPECT_TRUE(tower.fall_asleep(2));
  world.wake(tower.boxes[1]);
  EXPECT_FALSE(world.is_asleep(tower.boxes[1]));
  EXPECT_TRUE(world.put_to_sleep(tower.boxes[1]));
  EXPECT_EQ(tower.asleep(), 3u);
  world.set_sleep_settings({});
  EXPECT_EQ(tower.asleep(), 0u);
}

// A body whose support goes is frozen only until it has gathered the speed.
TYPED_TEST(Sleep, as_frozen_ends_by_speed_alone) {
  WorldDef<TypeParam> def = sleeping_world<TypeParam>(SleepMode::freeze);
  def.sleep.linear_speed = 0.35;  // reached in four steps of free fall, not in three
  Tower<TypeParam> tower(1, def);
  ASSERT_TRUE(tower.fall_asleep());
  const auto place = tower.world.center(tower.boxes[0]);
  tower.world.destroy(tower.floor);
  for (int i = 0; i < 3; ++i) {
    tower.world.step(k_h);
    EXPECT_EQ(tower.world.center(tower.boxes[0]), place);
    EXPECT_NEAR(length(tower.world.velocity(tower.boxes[0]).linear), (i + 1) * k_g * k_h, 1e-3);
  }
  tower.world.step(k_h);
  EXPECT_FALSE(tower.asleep());
  EXPECT_LT(height(tower.world.center(tower.boxes[0])), height(place));
}

// ---------------------------------------------------------------------------------------------------------- events

TYPED_TEST(Sleep, tells_of_contacts_as_if_nobody_slept) {
  WorldDef<TypeParam> def = sleeping_world<TypeParam>();
  def.events.persist = true;
  Tower<TypeParam> tower(2, def);
  World<TypeParam>& world = tower.world;
  int begins = 0, ends = 0, persists = 0;
  const auto count = [&] {
    begins = ends = persists = 0;
    for (const auto& e : world.events()) {
      begins += e.kind == EventKind::begin;
      ends += e.kind == EventKind::end;
      persists += e.kind == EventKind::persist;
    }
  };
  ASSERT_TRUE(tower.fall_asleep());
  world.step(k_h);
  count();
  EXPECT_EQ(begins + ends + persists, 0);  // nothing happens to what sleeps
  world.wake(tower.boxes[0]);
  world.step(k_h);
  count();
  EXPECT_EQ(begins + ends, 0);
  EXPECT_EQ(persists, 2);
  ASSERT_TRUE(tower.fall_asleep());
  world.step(k_h);
  world.destroy(tower.boxes[1]);
  world.step(k_h);
  count();
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(begins, 0);
  EXPECT_EQ(persists, 1);
}

TYPED_TEST(Sleep, settings_are_checked) {
  World<TypeParam> world;
  EXPECT_THROW(world.set_sleep_settings({.linear_speed = -1}), Error);
  EXPECT_THROW(world.set_sleep_settings({.time = -1}), Error);
  EXPECT_THROW(world.create(BodyDef<TypeParam>{.shapes = {ball(TypeParam{})}, .sleep = {.time = -1.}}),
               Error);
  world.set_sleep_settings({.mode = SleepMode::on, .time = 0.1});
  EXPECT_EQ(world.sleep_settings().time, 0.1);
  EXPECT_THROW(world.wake(BodyId{}), Error);
  EXPECT_THROW(world.put_to_sleep(BodyId{}), Error);
  EXPECT_THROW(world.is_asleep(BodyId{}), Error);
}

}  // namespace
}  // namespace cairn
