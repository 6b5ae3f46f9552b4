// Who meets whom, and what can be changed while the world runs.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

const WorldDef3 k_still{.gravity = {}};
constexpr double k_h = 1.0 / 60;

BodyDef3 ball_at(const Vec3& position, const ShapeOptions3& options = {}) {
  return {.position = position, .shapes = {{Sphere{.radius = 0.5}, options}}};
}
BodyDef3 fixed_ball_at(const Vec3& position, const ShapeOptions3& options = {}) {
  BodyDef3 def = ball_at(position, options);
  def.motion = Motion::fixed;
  return def;
}
std::size_t touching(World3& world) { return world.step(k_h).collision.touching; }

// Two balls that overlap, with these options: do they meet?
bool meet(const ShapeOptions3& a, const ShapeOptions3& b) {
  World3 world(k_still);
  world.create(ball_at({0, 0, 0}, a));
  world.create(ball_at({0.9, 0, 0}, b));
  return touching(world) == 1;
}

TEST(Filters, need_both_sides_to_agree) {
  EXPECT_TRUE(meet({}, {}));
  EXPECT_TRUE(meet({.filter = {.category = 2, .mask = 4}}, {.filter = {.category = 4, .mask = 2}}));
  EXPECT_FALSE(meet({.filter = {.category = 2, .mask = 4}}, {.filter = {.category = 4, .mask = 1}}));
  EXPECT_FALSE(meet({.filter = {.category = 2, .mask = 1}}, {.filter = {.category = 4, .mask = 2}}));
  const std::uint64_t last = std::uint64_t{1} << 63;
  EXPECT_TRUE(meet({.filter = {.category = last}}, {.filter = {.mask = last | 1}}));
  EXPECT_FALSE(meet({.filter = {.category = last}}, {.filter = {.mask = ~last}}));
}

TEST(Filters, give_way_to_groups) {
  EXPECT_FALSE(meet({.filter = {.group = -3}}, {.filter = {.group = -3}}));
  EXPECT_TRUE(meet({.filter = {.group = -3}}, {.filter = {.group = -4}}));
  EXPECT_TRUE(meet({.filter = {.mask = 0, .group = 3}}, {.filter = {.mask = 0, .group = 3}}));
  EXPECT_FALSE(meet({.filter = {.mask = 0, .group = 3}}, {.filter = {.mask = 0, .group = 4}}));
}

TEST(Filters, can_be_changed_at_run_time) {
  World3 world(k_still);
  const BodyId a = world.create(fixed_ball_at({0, 0, 0}));
  world.create(ball_at({0.9, 0, 0}));
  EXPECT_EQ(touching(world), 1u);
  world.set_filter({a, 0}, {.mask = 0});
  EXPECT_EQ(touching(world), 0u);
  EXPECT_EQ(world.shapes(a)[0].filter.mask, 0u);
  world.set_filter({a, 0}, {});
  EXPECT_EQ(touching(world), 1u);
  EXPECT_THROW(world.set_filter({a, 1}, {}), Error);
}

TEST(Filters, keep_the_memory_of_contacts_that_stay) {
  World3 world(k_still);
  const BodyId a = world.create(fixed_ball_at({0, 0, 0}));
  world.create(ball_at({0.9, 0, 0}));
  world.step(k_h);
  world.step(k_h);
  world.set_filter({a, 0}, {.category = 3});
  world.step(k_h);
  ASSERT_EQ(world.contacts().size(), 1u);
  EXPECT_EQ(world.contacts()[0].patches[0].points[0].age, 2u);
  EXPECT_TRUE(world.events().empty());
}

// Two whose boxes overlap and that are apart are not looked at until they have gone far enough to meet. However slowly, or by
// hand, the step that finds them near is the one in which they are.
TEST(Apart, is_noticed_to_be_over_in_the_step_in_which_it_is) {
  for (const double speed : {0.003, 0.05, 0.7}) {
    World3 world(k_still);
    world.create({.motion = Motion::fixed, .shapes = {{Box3{.half = {1, 1, 1}}}}});
    const BodyId cube = world.create({.position = {1.54, 0.1, 0.2},
                                      .velocity = {-speed, 0, 0},
                                      .shapes = {{Box3{.half = {0.5, 0.5, 0.5}}, {.sensor = true}}}});
    int apart = 0, near = 0;
    for (int i = 0; i < int(1.5 / (speed * k_h)) && near < 5; ++i) {
      const double gap = world.pose(cube).position.x - 1.5;
      const StepReport3& report = world.step(k_h);
      if (report.collision.pairs == 0) continue;
      EXPECT_EQ(report.collision.points > 0, gap <= 0.02) << gap << " m at " << speed << " m/s";
      apart += gap > 0.02;
      near += gap <= 0.02;
    }
    EXPECT_GT(apart, 0) << speed;
    EXPECT_EQ(near, 5) << speed;
  }
}

// A bar that turns on the spot, beside a wall.
TEST(Apart, is_noticed_to_be_over_by_who_only_turns) {
  World3 world(k_still);
  world.create({.motion = Motion::fixed, .shapes = {{Box3{.half = {1, 1, 1}}}}});
  const Vec3 spin{0, 0, 0.05};
  const BodyId bar = world.create({.position = {1.14, 0, 0},
                                   .angular_velocity = spin,
                                   .shapes = {{Box3{.half = {0.1, 0.5, 0.1}}, {.sensor = true}}}});
  int apart = 0, near = 0;
  for (int i = 0; i < 200; ++i) {
    const double angle = rotation_vector(world.pose(bar).rotation).z;
    const double gap = 0.14 - 0.1 * std::cos(angle) - 0.5 * std::sin(angle);
    const StepReport3& report = world.step(k_h);
    if (report.collision.pairs == 0) continue;  // boxes do not overlap yet
    EXPECT_EQ(report.collision.points > 0, gap <= 0.02) << gap << " m at " << angle << " rad";
    (gap > 0.02 ? apart : near) += 1;
  }
  EXPECT_GT(apart, 5);
  EXPECT_GT(near, 50);
}

TEST(Apart, is_over_for_who_is_put_elsewhere_or_restored) {
  World3 world(k_still);
  world.create({.motion = Motion::fixed, .shapes = {{Box3{.half = {1, 1, 1}}}}});
  const BodyId cube = world.create({.position = {1.53, 0, 0}, .shapes = {{Box3{.half = {0.5, 0.5, 0.5}}}}});
  const auto points = [&] { return world.step(k_h).collision.points; };
  EXPECT_EQ(points(), 0u);
  const WorldState3 apart = world.save();
  EXPECT_EQ(points(), 0u);
  world.set_pose(cube, {{1.51, 0, 0}, {}});
  EXPECT_EQ(points(), 4u);
  world.restore(apart);
  EXPECT_EQ(points(), 0u);
  world.set_pose(cube, {{1.51, 0, 0}, {}});
  const WorldState3 near = world.save();
  world.restore(apart);
  EXPECT_EQ(points(), 0u);
  world.restore(near);
  EXPECT_EQ(points(), 4u);
}

TEST(Exemptions, part_a_pair_for_as_long_as_they_hold) {
  World3 world(k_still);
  const BodyId a = world.create(ball_at({0, 0, 0})), b = world.create(ball_at({0.9, 0, 0}));
  world.create(ball_at({0, 0.9, 0}));
  EXPECT_EQ(touching(world), 2u);
  EXPECT_THROW(world.set_exempt(a, a, true), Error);
  world.set_exempt(b, a, true);
  world.set_exempt(a, b, true);
  EXPECT_TRUE(world.is_exempt(a, b) && world.is_exempt(b, a));
  EXPECT_EQ(touching(world), 1u);
  world.set_exempt(a, b, false);
  EXPECT_FALSE(world.is_exempt(a, b));
  EXPECT_EQ(touching(world), 2u);
  world.set_exempt(a, b, true);
  world.destroy(b);
  EXPECT_THROW(world.is_exempt(a, b), Error);
  world.create(ball_at({0.9, 0, 0}));  // in b's slot, but another body
  EXPECT_EQ(touching(world), 2u);
}

TEST(PairFilter, is_asked_once_for_pairs_that_may_meet) {
  World3 world(k_still);
  const BodyId a = world.create(fixed_ball_at({0, 0, 0}));
  const BodyId b = world.create(ball_at({0.9, 0, 0}));
  world.create(ball_at({-0.9, 0, 0}, {.filter = {.mask = 0}}));
  std::vector<std::pair<ShapeRef, ShapeRef>> asked;
  world.set_pair_filter([&](ShapeRef x, ShapeRef y) {
    asked.emplace_back(x, y);
    return false;
  });
  EXPECT_EQ(touching(world), 0u);
  EXPECT_EQ(touching(world), 0u);
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0], (std::pair{ShapeRef{a, 0}, ShapeRef{b, 0}}));
}

TEST(Motion, of_two_that_cannot_be_pushed_is_no_contact) {
  World3 world(k_still);
  const BodyId a = world.create(fixed_ball_at({0, 0, 0}));
  BodyDef3 def = ball_at({0.9, 0, 0});
  def.motion = Motion::kinematic;
  const BodyId b = world.create(def);
  EXPECT_EQ(touching(world), 0u);
  world.set_motion(b, Motion::dynamic);
  EXPECT_EQ(touching(world), 1u);
  EXPECT_GT(world.mass(b).mass, 0);
  world.set_motion(b, Motion::fixed);
  EXPECT_EQ(touching(world), 0u);
  world.set_motion(a, Motion::dynamic);
  EXPECT_EQ(touching(world), 1u);
  EXPECT_EQ(world.report().collision.pairs, 1u);
}

TEST(Motion, change_that_makes_no_sense_changes_nothing) {
  World3 world(k_still);
  const BodyId ground = world.create({.motion = Motion::fixed, .shapes = {Plane{}}});
  world.create(ball_at({0, 0, 0.45}));
  EXPECT_EQ(touching(world), 1u);
  const std::uint64_t before = world.state_hash();
  EXPECT_THROW(world.set_motion(ground, Motion::dynamic), Error);
  EXPECT_THROW(world.set_shapes(ground, {Sphere{.radius = -1}}), Error);
  EXPECT_EQ(world.state_hash(), before);
  EXPECT_EQ(touching(world), 1u);
}

TEST(Shapes, can_be_changed_at_run_time) {
  World3 world(k_still);
  world.create({.motion = Motion::fixed, .shapes = {Plane{}}});
  const BodyId body =
      world.create({.position = {0, 0, 1}, .angular_velocity = {0, 0, 2}, .shapes = {Sphere{.radius = 0.5}}});
  EXPECT_EQ(touching(world), 0u);
  world.set_shapes(body, {{Box3{.half = {0.5, 0.5, 1}}, {.position = {1, 0, 0}}}});
  EXPECT_NEAR(world.mass(body).mass, 2000, 1e-9);
  EXPECT_NEAR(length(world.center(body) - world.pose(body).position), 1, 1e-12);
  EXPECT_NEAR(length(world.velocity(body).linear), 2, 1e-12);  // the frame turns on as before
  EXPECT_EQ(touching(world), 1u);
  EXPECT_EQ(world.contacts(body).size(), 1u);
  EXPECT_EQ(world.contacts(body)[0].patches[0].points.size(), 4u);
}

TEST(Teleport, is_noticed_at_once) {
  World3 world(k_still);
  world.create(fixed_ball_at({0, 0, 0}));
  const BodyId b = world.create(ball_at({100, 0, 0}));
  EXPECT_EQ(touching(world), 0u);
  world.set_pose(b, {{0, 0.9, 0}, {}});
  ASSERT_TRUE(world.ray_cast(Ray3{{0, 3, 0}, {0, -4, 0}}));
  EXPECT_EQ(world.ray_cast(Ray3{{0, 3, 0}, {0, -4, 0}})->shape.body, b);
  EXPECT_EQ(touching(world), 1u);
  world.set_pose(b, {{-200, 0, 0}, {}});
  EXPECT_EQ(touching(world), 0u);
  EXPECT_EQ(world.report().collision.pairs, 0u);
}

TEST(MoveTo, arrives_exactly_and_moves_its_points_on_the_way) {
  World3 world({.gravity = {0, 0, -9.81}});
  const BodyId body =
      world.create({.motion = Motion::kinematic, .shapes = {Box3{}}, .center = Vec3{0.3, 0, 0}});
  const Pose3 pose{{1, 2, 3}, Rot3::from_axis_angle({1, -2, 0.5}, 1.1)};
  world.move_to(body, pose, k_h);
  const Twist3 v = world.velocity(body);
  const Vec3 corner{0.5, 0.5, 0.5};
  EXPECT_LT(
      length(world.velocity_at(body, corner) - (v.linear + cross(v.angular, corner - world.center(body)))),
      1e-12);
  world.step(k_h);
  EXPECT_LT(length(world.pose(body).position - pose.position), 1e-14);
  EXPECT_LT(length(world.pose(body).rotation * corner - pose.rotation * corner), 1e-14);
  EXPECT_THROW(world.move_to(body, pose, 0), Error);
  const BodyId free = world.create(ball_at({9, 0, 0}));
  EXPECT_THROW(world.move_to(free, pose, k_h), Error);
}

TEST(ContactHook, may_drop_a_contact_and_change_its_material) {
  World3 world(k_still);
  world.create({.motion = Motion::fixed, .shapes = {Box3{.half = {2, 2, 0.1}}}});
  const BodyId ball = world.create(ball_at({0, 0, 0.55}));
  world.set_velocity(ball, {{0, 0, 1}, {}});
  // A platform that holds only what does not rise.
  int asked = 0;
  world.set_contact_hook([&](const Contact3& contact) -> ContactDecision {
    ++asked;
    EXPECT_EQ(contact.b.body, ball);
    EXPECT_NEAR(contact.patches[0].normal.z, 1, 1e-12);
    if (world.velocity(contact.b.body).linear.z > 0) return {.keep = false};
    return {.material = Material{.static_friction = 0, .kinetic_friction = 0}};
  });
  EXPECT_EQ(touching(world), 0u);
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(world.contacts().empty());
  EXPECT_TRUE(world.events().empty());
  world.set_pose(ball, {{0, 0, 0.55}, {}});
  world.set_velocity(ball, {});
  EXPECT_EQ(touching(world), 1u);
  ASSERT_EQ(world.contacts().size(), 1u);
  EXPECT_EQ(world.contacts()[0].material.kinetic_friction, 0);
  world.set_contact_hook({});
  world.step(k_h);
  EXPECT_EQ(world.contacts()[0].material.kinetic_friction, 0.6);
}

// Boxes that lie on a floor, where gravity pulls at them sideways.
struct PulledBoxes {
  static constexpr double k_pull = 3;  // [m/s²] friction holds against twice as much
  PulledBoxes() : world({.gravity = {k_pull, 0, -10}}) {
    floor = world.create({.motion = Motion::fixed, .shapes = {Box3{.half = {9, 9, 0.5}}}});
    for (const double y : {0., 3.})
      boxes.push_back(world.create({.position = {0, y, 1}, .shapes = {Box3{}}}));
    for (int i = 0; i < 60; ++i) world.step(k_h);
    EXPECT_EQ(world.report().collision.recycled, 2u);
  }
  double speed(std::size_t box) { return world.velocity(boxes[box]).linear.x; }
  World3 world;
  BodyId floor;
  std::vector<BodyId> boxes;
};
constexpr Material k_ice{.static_friction = 0, .kinetic_friction = 0};

TEST(Materials, change_for_contacts_that_are_kept) {
  PulledBoxes scene;
  EXPECT_NEAR(scene.speed(0), 0, 1e-3);
  scene.world.set_material({scene.boxes[0], 0}, k_ice);
  scene.world.step(k_h);
  EXPECT_EQ(scene.world.report().collision.recycled, 2u);
  EXPECT_NEAR(scene.speed(0), PulledBoxes::k_pull * k_h, 1e-3);
  EXPECT_NEAR(scene.speed(1), 0, 1e-3);
  scene.world.set_material({scene.boxes[0], 0}, {});
  scene.world.step(k_h), scene.world.step(k_h);
  EXPECT_NEAR(scene.speed(0), 0, 1e-3);
}

TEST(Materials, of_the_hook_last_for_one_step) {
  for (const bool refused : {false, true}) {
    PulledBoxes scene;
    scene.world.set_contact_hook([&](const Contact3& contact) -> ContactDecision {
      if (contact.b.body == scene.boxes[0]) return {.material = k_ice};
      if (refused) throw std::bad_alloc();
      return {};
    });
    const double h = 0.001;  // in which it hardly moves: the contact is kept
    scene.world.step(h);
    EXPECT_EQ(scene.world.report().status, refused ? StepStatus::refused : StepStatus::good);
    EXPECT_NEAR(scene.speed(0), refused ? 0 : PulledBoxes::k_pull * h, 5e-4);
    scene.world.set_contact_hook({});
    scene.world.step(k_h);
    EXPECT_EQ(scene.world.report().collision.recycled, 2u);
    EXPECT_NEAR(scene.speed(0), 0, 5e-4);
  }
}

// Two bodies that meet, and that nothing pushes apart: one goes its way, the other cannot move.
const Locks3 k_locked{.translation = {true, true, true}, .rotation = {true, true, true}};

TEST(Contacts, remember_their_points) {
  World3 world(k_still);
  world.create({.shapes = {Box3{.half = {2, 2, 0.5}}}, .locks = k_locked});
  const BodyId box = world.create({.motion = Motion::kinematic,
                                   .position = {0.3, 0.2, 0.999},
                                   .velocity = {0.06, 0.03, 0},
                                   .shapes = {Box3{}}});
  for (std::uint32_t k = 0; k < 100; ++k) {
    world.step(k_h);
    const std::vector<Contact3> contacts = world.contacts(box);
    ASSERT_EQ(contacts.size(), 1u);
    ASSERT_EQ(contacts[0].patches.size(), 1u);
    ASSERT_EQ(contacts[0].patches[0].points.size(), 4u);
    for (const auto& p : contacts[0].patches[0].points) {
      EXPECT_EQ(p.age, k);
      EXPECT_NEAR(p.separation, -0.001, 1e-12);
    }
  }
}

TEST(Contacts, are_recycled_while_the_bodies_hardly_move) {
  World3 world(k_still);
  world.create({.shapes = {Box3{.half = {2, 2, 0.5}}}, .locks = k_locked});
  const BodyId box =
      world.create({.motion = Motion::kinematic, .position = {0, 0, 0.999}, .shapes = {Box3{}}});
  world.step(k_h);
  EXPECT_EQ(world.report().collision.recycled, 0u);
  world.step(k_h);
  EXPECT_EQ(world.report().collision.recycled, 1u);
  world.set_velocity(box, {{0, 0, 1e-4}, {1e-4, 0, 0}});
  world.step(k_h);
  world.step(k_h);
  EXPECT_EQ(world.report().collision.recycled, 1u);
  const auto points = world.contacts(box)[0].patches[0].points;
  for (const auto& p : points) {  // their separations follow the motion all the same
    const double lift = (1e-4 + 1e-4 * p.point.y) * k_h;
    EXPECT_NEAR(p.separation, -0.001 + lift, 1e-11);
  }
  world.set_velocity(box, {{0, 0, 1}, {}});
  world.step(k_h);
  world.step(k_h);
  EXPECT_EQ(world.report().collision.recycled, 0u);
}

TEST(Contacts, are_found_afresh_after_a_leap) {
  World3 world(k_still);
  world.create({.shapes = {Box3{.half = {2, 2, 0.5}}}, .locks = k_locked});
  const BodyId box =
      world.create({.motion = Motion::kinematic, .position = {0, 0, 0.999}, .shapes = {Box3{}}});
  const auto recycled_at = [&](double x) {
    world.set_pose(box, {{x, 0, 0.999}, {}});
    world.step(k_h);
    return world.report().collision.recycled;
  };
  world.step(k_h);
  EXPECT_EQ(recycled_at(1e-6), 1u);
  EXPECT_EQ(recycled_at(1e-3), 0u);
  EXPECT_EQ(recycled_at(1e-3), 1u);
  EXPECT_EQ(recycled_at(0), 0u);
}

TEST(Contacts, of_bodies_set_aside_are_gone) {
  World3 world(k_still);
  world.create(fixed_ball_at({0, 0, 0}));
  const BodyId b = world.create(ball_at({0.9, 0, 0}));
  EXPECT_EQ(touching(world), 1u);
  world.apply_force(b, {1e308, 0, 0});
  world.apply_force(b, {1e308, 0, 0});
  EXPECT_EQ(world.step(k_h).status, StepStatus::set_aside);
  EXPECT_EQ(touching(world), 0u);
  EXPECT_EQ(world.report().collision.pairs, 0u);
}

// It went into the step with contacts, whose impulses the step hands back by their place in the list.
TEST(SetAside, of_a_body_in_contact_leaves_the_contacts_of_others) {
  World3 world;
  world.create({.motion = Motion::fixed, .position = {0, 0, -1}, .shapes = {Box3{.half = {50, 50, 1}}}});
  std::vector<BodyId> balls;
  for (int i = 0; i < 5; ++i) balls.push_back(world.create(ball_at({2. * i, 0, 0.5})));
  for (int i = 0; i < 10; ++i) world.step(k_h);
  world.apply_force(balls[1], {1e308, 0, 0});
  world.apply_force(balls[1], {1e308, 0, 0});
  EXPECT_EQ(world.step(k_h).status, StepStatus::set_aside);
  EXPECT_TRUE(world.is_set_aside(balls[1]));
  EXPECT_EQ(world.contacts().size(), 4u);
  for (const Contact3& contact : world.contacts()) {
    ASSERT_EQ(contact.patches.size(), 1u);
    EXPECT_NEAR(contact.patches[0].points[0].impulse.z, world.mass(balls[0]).mass * 9.81 * k_h, 1);
  }
}

}  // namespace
}  // namespace cairn
