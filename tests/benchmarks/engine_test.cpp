// The adapters: each engine is given problems with plain answers, so that a wrong convention shows.
// Tolerances are those of engines in single precision that correct errors little by little.
#include "benchmarks/engine.h"

#include <gtest/gtest.h>

#include "benchmarks/scenes/catalogue.h"

namespace cairn::bench {
namespace {

template <class D>
std::vector<BodyState<D>> played(Engine<D>& engine, const Scene<D>& scene, int steps) {
  engine.build(scene);
  for (int i = 0; i < steps; ++i) engine.step();
  std::vector<BodyState<D>> states = start_of(scene);
  engine.read(states);
  return states;
}

class SolidEngine : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    engine_ = make_engine<Dim3>(GetParam(), 1);
    if (!engine_) GTEST_SKIP() << GetParam() << " is not installed";
  }
  std::unique_ptr<Engine<Dim3>> engine_;
};
class FlatEngine : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    engine_ = make_engine<Dim2>(GetParam(), 1);
    if (!engine_) GTEST_SKIP() << GetParam() << " is not installed";
  }
  std::unique_ptr<Engine<Dim2>> engine_;
};
INSTANTIATE_TEST_SUITE_P(Engines, SolidEngine, testing::Values("cairn", "bullet"),
                         [](const auto& info) { return std::string(info.param); });
INSTANTIATE_TEST_SUITE_P(Engines, FlatEngine, testing::Values("cairn", "box2d"),
                         [](const auto& info) { return std::string(info.param); });

// A body of each shape in the catalogue, dropped from 0.5 m, with the height at which its middle comes to
// rest.
TEST_P(SolidEngine, dropped_bodies_come_to_rest) {
  Scene3 scene;
  add_ground(scene, 20);
  const std::vector<std::pair<Shape3, double>> shapes{{Box3{.half = {0.5, 0.4, 0.3}}, 0.3},
                                                      {Sphere{.radius = 0.4}, 0.4},
                                                      {Hull{.points = {{1, 1, -0.2},
                                                                       {1, -1, -0.2},
                                                                       {-1, 1, -0.2},
                                                                       {-1, -1, -0.2},
                                                                       {0.5, 0.5, 0.2},
                                                                       {0.5, -0.5, 0.2},
                                                                       {-0.5, 0.5, 0.2},
                                                                       {-0.5, -0.5, 0.2}}},
                                                       0.2}};
  for (const auto& [shape, height] : shapes)
    scene.add(Body<Dim3>{.pose = {{4 * double(scene.bodies.size()), 0, height + 0.5}},
                         .parts = {{scene.add(shape)}}});
  const std::vector<BodyState<Dim3>> end = played(*engine_, scene, 180);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_NEAR(end[i + 1].pose.position.z, shapes[i].second, 0.05);  // hulls have a margin of 4 cm
    EXPECT_LT(length(end[i + 1].velocity.linear), 0.01);
  }
}

// A capsule lies along z of its frame: put upright it stands, for a while.
TEST_P(SolidEngine, capsules_stand_along_z) {
  Scene3 scene;
  add_ground(scene, 5);
  const std::size_t capsule = scene.add(Capsule3{.radius = 0.2, .half_length = 0.6});
  scene.add(Body<Dim3>{.pose = {{0, 0, 0.85}}, .parts = {{capsule}}});
  EXPECT_NEAR(played(*engine_, scene, 30)[1].pose.position.z, 0.8, 0.01);
}

// μ is the scene's: a box that slides at 5 m/s stops after v²/(2 μ g).
TEST_P(SolidEngine, friction_is_that_of_the_scene) {
  for (const double friction : {0.2, 0.6}) {
    Scene3 scene{.friction = friction};
    add_ground(scene, 50);
    const std::size_t slab = scene.add(Box3{.half = {1, 1, 0.1}});
    scene.add(Body<Dim3>{.pose = {{0, 0, 0.1}}, .velocity = {{5, 0, 0}, {}}, .parts = {{slab}}});
    const double way = 25 / (2 * friction * 9.81);
    EXPECT_NEAR(played(*engine_, scene, 240)[1].pose.position.x, way, 0.05 * way);
  }
}

TEST_P(SolidEngine, bodies_of_one_group_pass_through_each_other) {
  for (const int group : {0, 3}) {
    Scene3 scene{.gravity = {0, 0, 0}};
    const std::size_t ball = scene.add(Sphere{});
    scene.add(Body<Dim3>{.parts = {{ball}}, .group = 3});
    scene.add(
        Body<Dim3>{.pose = {{-3, 0, 0}}, .velocity = {{5, 0, 0}, {}}, .parts = {{ball}}, .group = group});
    const std::vector<BodyState<Dim3>> end = played(*engine_, scene, 60);
    if (group == 0)
      EXPECT_GT(end[0].pose.position.x, 0.1);
    else
      EXPECT_NEAR(end[1].pose.position.x, 2, 1e-3);
  }
}

// A rod on a ball joint, released from horizontal.
TEST_P(SolidEngine, a_pendulum_keeps_its_joint) {
  Scene3 scene{.steps = 600, .yardsticks = {.energy = true}};
  const std::size_t rod = scene.add(Box3{.half = {0.05, 0.5, 0.05}});
  scene.add(Body<Dim3>{
      .motion = Motion::fixed, .pose = {{1, 2, 3}, Rot3::from_axis_angle({1, 1, 1}, 1)}, .parts = {}});
  scene.add(Body<Dim3>{.pose = {{1, 2.5, 3}}, .parts = {{rod}}});
  scene.joints.push_back({.kind = JointKind::ball, .a = 0, .b = 1, .anchor = {1, 2, 3}});
  engine_->build(scene);
  Evaluator<Dim3> evaluator(scene);
  std::vector<BodyState<Dim3>> states = start_of(scene);
  double lowest = 3;
  for (int i = 0; i < 600; ++i) {
    engine_->step();
    engine_->read(states);
    evaluator.observe(states);
    lowest = std::min(lowest, states[1].pose.position.z);
    EXPECT_EQ(states[0].pose, scene.bodies[0].pose);
  }
  EXPECT_LT(*evaluator.quality().joint_error_max, 0.02);
  EXPECT_NEAR(lowest, 2.5, 0.02);  // it swings, and through the bottom
}

// A rod lies along +x and hangs on a hinge about y at its end: gravity turns it by a positive angle about +y.
Scene3 rod_on_hinge(const Vec3& axis) {
  Scene3 scene;
  const std::size_t rod = scene.add(Box3{.half = {0.5, 0.05, 0.05}});
  scene.add(Body<Dim3>{.motion = Motion::fixed, .parts = {}});
  scene.add(Body<Dim3>{.pose = {{0.5, 0, 0}}, .parts = {{rod}}});
  scene.joints.push_back({.kind = JointKind::hinge, .a = 0, .b = 1, .axis = axis});
  return scene;
}
double angle_about_y(const BodyState<Dim3>& state) { return rotation_vector(state.pose.rotation).y; }

// The lower and the upper limit are each where they should be, whichever way the axis points and whoever is
// a.
TEST_P(SolidEngine, hinge_limits_are_angles_of_b_against_a) {
  for (const bool swapped : {false, true})
    for (const double side : {1.0, -1.0}) {
      Scene3 scene = rod_on_hinge({0, side, 0});
      const double way = swapped ? -side : side;  // in which the angle grows as the rod falls
      if (swapped) std::swap(scene.joints[0].a, scene.joints[0].b);
      scene.joints[0].limits = way > 0 ? AngleLimits{-0.1, 0.6} : AngleLimits{-0.6, 0.1};
      EXPECT_NEAR(angle_about_y(played(*engine_, scene, 300)[1]), 0.6, 0.05);
    }
}

TEST_P(SolidEngine, hinge_motors_turn_b_against_a) {
  for (const double side : {1.0, -1.0}) {
    Scene3 scene = rod_on_hinge({0, side, 0});
    scene.gravity = {0, 0, 0};
    scene.joints[0].motor = Motor{.speed = 2, .max_torque = 1e5};
    EXPECT_NEAR(played(*engine_, scene, 30)[1].velocity.angular.y, 2 * side, 0.05);
  }
}
// A torque that is too weak to lift the rod does not; one that is strong enough does.
TEST_P(SolidEngine, hinge_motors_are_as_strong_as_they_should_be) {
  for (const double share : {0.5, 2.0}) {
    Scene3 scene = rod_on_hinge({0, -1, 0});
    const double weight = masses(scene)[1].mass * 9.81;  // [N] with an arm of 0.5 m
    scene.joints[0].motor = Motor{.speed = 1, .max_torque = share * weight * 0.5};
    const double angle = -angle_about_y(played(*engine_, scene, 20)[1]);
    EXPECT_EQ(angle > 0, share > 1) << angle;
  }
}

// A rod along +x in a cone about +x: it falls until it leans on it. And a cone about −x, with b the other way
// round.
TEST_P(SolidEngine, cones_let_the_axis_lean_so_far) {
  for (const double side : {1.0, -1.0}) {
    Scene3 scene = rod_on_hinge({side, 0, 0});
    scene.bodies[1].pose.position.x = 0.5 * side;
    scene.joints[0].kind = JointKind::cone_twist;
    scene.joints[0].cone = 0.5;
    scene.joints[0].twist = 0.3;
    const std::vector<BodyState<Dim3>> end = played(*engine_, scene, 600);
    const Vec3 out = end[1].pose.rotation * Vec3{side, 0, 0};
    EXPECT_NEAR(portable::acos(out.x * side), 0.5, 0.1);
    EXPECT_LT(out.z, 0);
  }
}
// Twist: about its own axis, the rod turns no further than that limit.
TEST_P(SolidEngine, cones_let_the_axis_turn_so_far) {
  Scene3 scene = rod_on_hinge({1, 0, 0});
  scene.gravity = {0, 0, 0};
  scene.bodies[1].velocity.angular = {0.5, 0, 0};
  scene.joints[0].kind = JointKind::cone_twist;
  scene.joints[0].cone = 0.5;
  scene.joints[0].twist = 0.3;
  engine_->build(scene);
  std::vector<BodyState<Dim3>> states = start_of(scene);
  double furthest = 0;
  for (int i = 0; i < 120; ++i) {
    engine_->step();
    engine_->read(states);
    furthest = std::max(furthest, rotation_vector(states[1].pose.rotation).x);
  }
  EXPECT_NEAR(furthest, 0.3, 0.05);
}

TEST_P(SolidEngine, built_again_it_starts_again) {
  const Scene3 scene = make_scene_3d("ragdolls", {.size = 2});
  const std::vector<BodyState<Dim3>> first = played(*engine_, scene, 0);
  for (std::size_t i = 0; i < first.size(); ++i)
    EXPECT_LT(length(first[i].pose.position - scene.bodies[i].pose.position), 1e-5);
  played(*engine_, scene, 40);
  EXPECT_EQ(played(*engine_, scene, 0)[5].pose, first[5].pose);
}

TEST_P(FlatEngine, dropped_bodies_come_to_rest) {
  Scene2 scene;
  add_ground(scene, 50);
  const std::vector<std::pair<Shape2, double>> shapes{{Box2{.half = {0.5, 0.3}}, 0.3},
                                                      {Circle{.radius = 0.4}, 0.4},
                                                      {Capsule2{.radius = 0.2, .half_length = 0.3}, 0.5}};
  for (const auto& [shape, height] : shapes)
    scene.add(
        Body<Dim2>{.pose = {{3 * double(scene.bodies.size()), height + 0.5}}, .parts = {{scene.add(shape)}}});
  const std::vector<BodyState<Dim2>> end = played(*engine_, scene, 90);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_NEAR(end[i + 1].pose.position.y, shapes[i].second, 0.02);
    EXPECT_LT(length(end[i + 1].velocity.linear), 0.01);
  }
}

// A capsule's two discs and its box do not count twice.
TEST_P(FlatEngine, capsules_have_the_mass_of_the_scene) {
  Scene2 scene{.gravity = {0, 0}};
  const std::size_t capsule = scene.add(Capsule2{.radius = 0.25, .half_length = 0.25});
  const std::size_t disc = scene.add(Circle{.radius = 0.25});
  scene.restitution = 1;
  scene.add(Body<Dim2>{.parts = {{capsule}}, .density = 1});
  // A disc of the same mass: a central blow, and all its speed is handed over.
  const double density = (0.25 + k_pi / 16) / (k_pi / 16);
  scene.add(Body<Dim2>{.pose = {{0, 2}}, .velocity = {{0, -3}, 0}, .parts = {{disc}}, .density = density});
  const std::vector<BodyState<Dim2>> end = played(*engine_, scene, 60);
  EXPECT_NEAR(end[0].velocity.linear.y, -3, 1e-3);
  EXPECT_NEAR(end[1].velocity.linear.y, 0, 1e-3);
}

TEST_P(FlatEngine, friction_is_that_of_the_scene) {
  for (const double friction : {0.2, 0.6}) {
    Scene2 scene{.friction = friction};
    add_ground(scene, 50);
    const std::size_t slab = scene.add(Box2{.half = {1, 0.1}});
    scene.add(Body<Dim2>{.pose = {{0, 0.1}}, .velocity = {{5, 0}, 0}, .parts = {{slab}}});
    const double way = 25 / (2 * friction * 9.81);
    EXPECT_NEAR(played(*engine_, scene, 240)[1].pose.position.x, way, 0.05 * way);
  }
}

TEST_P(FlatEngine, bodies_of_one_group_pass_through_each_other) {
  for (const int group : {0, 3}) {
    Scene2 scene{.gravity = {0, 0}};
    const std::size_t disc = scene.add(Circle{});
    scene.add(Body<Dim2>{.parts = {{disc}}, .group = 3});
    scene.add(Body<Dim2>{.pose = {{-3, 0}}, .velocity = {{5, 0}, 0}, .parts = {{disc}}, .group = group});
    const std::vector<BodyState<Dim2>> end = played(*engine_, scene, 60);
    if (group == 0)
      EXPECT_GT(end[0].pose.position.x, 0.1);
    else
      EXPECT_NEAR(end[1].pose.position.x, 2, 1e-3);
  }
}

TEST_P(FlatEngine, a_pendulum_keeps_its_joint) {
  Scene2 scene{.steps = 600};
  const std::size_t rod = scene.add(Box2{.half = {0.5, 0.05}});
  scene.add(Body<Dim2>{.motion = Motion::fixed, .pose = {{1, 2}, Rot2::from_angle(1)}, .parts = {}});
  scene.add(Body<Dim2>{.pose = {{1.5, 2}}, .parts = {{rod}}});
  scene.joints.push_back({.kind = JointKind::hinge, .a = 0, .b = 1, .anchor = {1, 2}});
  engine_->build(scene);
  Evaluator<Dim2> evaluator(scene);
  std::vector<BodyState<Dim2>> states = start_of(scene);
  double lowest = 2;
  for (int i = 0; i < 600; ++i) {
    engine_->step();
    engine_->read(states);
    evaluator.observe(states);
    lowest = std::min(lowest, states[1].pose.position.y);
  }
  EXPECT_LT(*evaluator.quality().joint_error_max, 0.02);
  EXPECT_NEAR(lowest, 1.5, 0.02);
}

TEST_P(FlatEngine, hinges_drive_and_limit_b_against_a) {
  Scene2 scene{.gravity = {0, 0}};
  const std::size_t rod = scene.add(Box2{.half = {0.5, 0.05}});
  scene.add(Body<Dim2>{.motion = Motion::fixed, .parts = {}});
  scene.add(Body<Dim2>{.pose = {{0.5, 0}}, .parts = {{rod}}});
  scene.joints.push_back(
      {.kind = JointKind::hinge, .a = 0, .b = 1, .motor = Motor{.speed = 2, .max_torque = 1e5}});
  EXPECT_NEAR(played(*engine_, scene, 10)[1].velocity.angular, 2, 0.01);
  scene.joints[0].limits = {-0.2, 0.5};
  EXPECT_NEAR(played(*engine_, scene, 120)[1].pose.rotation.angle(), 0.5, 0.05);
  std::swap(scene.joints[0].a, scene.joints[0].b);
  EXPECT_NEAR(played(*engine_, scene, 120)[1].pose.rotation.angle(), -0.5, 0.05);
}

// The basin of the spinner holds what is in it.
TEST_P(FlatEngine, chains_push_to_the_left) {
  const Scene2 scene = make_scene_2d("spinner", {.size = 60});
  for (const BodyState<Dim2>& state : played(*engine_, scene, 200))
    EXPECT_LT(length(state.pose.position), 40.5);
}

// n steps of the default integrator, semi-implicit Euler: v = g h n, z = g h² n (n + 1)/2.
TEST(CairnEngine, falls_as_it_should) {
  Scene3 scene{.dt = 0.01};
  const std::size_t box = scene.add(Box3{.half = {0.1, 0.2, 0.3}});
  const Pose3 start{{1, 2, 30}, Rot3::from_axis_angle({1, 2, 3}, 1)};
  scene.add(Body<Dim3>{.motion = Motion::fixed, .pose = {{5, 0, 0}}, .parts = {{box}}});
  scene.add(Body<Dim3>{.pose = start, .velocity = {{0.5, 0, 0}, {}}, .parts = {{box}}, .density = 700});
  const std::unique_ptr<Engine<Dim3>> engine = make_engine<Dim3>("cairn", 1);
  const std::vector<BodyState<Dim3>> first = played(*engine, scene, 0), end = played(*engine, scene, 20);
  EXPECT_EQ(first[1].pose, start);
  EXPECT_EQ(end[0].pose, scene.bodies[0].pose);
  EXPECT_NEAR(end[1].pose.position.z, 30 - 9.81 * 1e-4 * 210, 1e-12);
  EXPECT_NEAR(end[1].pose.position.x, 1.1, 1e-12);
  EXPECT_NEAR(end[1].velocity.linear.z, -9.81 * 0.2, 1e-12);
}

TEST(Engines, know_which_scenes_they_play) {
  for (const EngineInfo& info : engines()) {
    EXPECT_EQ(make_engine<Dim2>(info.name, 1) != nullptr, info.in_2d && info.installed) << info.name;
    EXPECT_EQ(make_engine<Dim3>(info.name, 1) != nullptr, info.in_3d && info.installed) << info.name;
  }
  EXPECT_EQ(make_engine<Dim3>("ode", 1), nullptr);
}

}  // namespace
}  // namespace cairn::bench
