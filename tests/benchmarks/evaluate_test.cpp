#include "benchmarks/evaluate.h"

#include <gtest/gtest.h>

#include <limits>

#include "benchmarks/random.h"

namespace cairn::bench {
namespace {

// Two unit cubes, the second 10 m above the first unless it is put elsewhere.
Scene3 two_cubes() {
  Scene3 scene{.steps = 1,
               .yardsticks = {.penetration = true, .drift = true, .stands = true, .energy = true}};
  const std::size_t cube = scene.add(Box3{});
  scene.add(Body<Dim3>{.parts = {{cube}}});
  scene.add(Body<Dim3>{.pose = {{0, 0, 10}}, .parts = {{cube}}});
  return scene;
}
Quality after(const Scene3& scene, const std::vector<BodyState<Dim3>>& states) {
  Evaluator<Dim3> evaluator(scene);
  evaluator.observe(states);
  return evaluator.quality();
}

TEST(Evaluate, cubes_that_overlap_by_3_mm) {
  const Scene3 scene = two_cubes();
  const Pose3 where{{1000, -2000, 500}, Rot3::from_axis_angle({1, 2, 3}, 1)};  // far away and turned
  for (const Pose3& frame : {Pose3{}, where}) {
    std::vector<BodyState<Dim3>> states = start_of(scene);
    states[0].pose = frame;
    states[1].pose = frame * Pose3{{0.1, 0.997, 0.2}, Rot3::from_axis_angle({0, 1, 0}, 0.5)};
    const Quality quality = after(scene, states);
    EXPECT_NEAR(*quality.penetration_max, 0.003, 1e-12);
    EXPECT_NEAR(*quality.penetration_mean, 0.003, 1e-12);
  }
}

TEST(Evaluate, what_is_apart_does_not_count) {
  const Scene3 scene = two_cubes();
  std::vector<BodyState<Dim3>> states = start_of(scene);
  states[1].pose.position = {0, 0, 1 + 1e-9};
  EXPECT_EQ(*after(scene, states).penetration_max, 0);
  EXPECT_EQ(*after(scene, states).penetration_mean, 0);
}

TEST(Evaluate, round_shapes_with_their_radii) {
  Scene3 scene{.steps = 1, .yardsticks = {.penetration = true}};
  const std::size_t capsule = scene.add(Capsule3{.radius = 0.2, .half_length = 0.5});
  const std::size_t box = scene.add(Box3{});
  scene.add(Body<Dim3>{.parts = {{capsule}}});
  scene.add(Body<Dim3>{.pose = {{0.695, 0, 0}}, .parts = {{box}}});  // its side is 5 mm in the capsule
  EXPECT_NEAR(*after(scene, start_of(scene)).penetration_max, 0.005, 1e-12);
  scene.bodies[1].pose.position = {0.4, 0, 0};  // the capsule's axis is inside the box, by 0.1 m
  EXPECT_NEAR(*after(scene, start_of(scene)).penetration_max, 0.3, 1e-12);
}

TEST(Evaluate, squares_in_the_plane) {
  Scene2 scene{.steps = 1, .yardsticks = {.penetration = true}};
  const std::size_t square = scene.add(Box2{});
  scene.add(Body<Dim2>{.motion = Motion::fixed, .pose = {{0, -0.5}}, .parts = {{square}}});
  scene.add(
      Body<Dim2>{.pose = {{0, square_root(0.5) - 0.004}, Rot2::from_angle(k_pi / 4)}, .parts = {{square}}});
  Evaluator<Dim2> evaluator(scene);
  EXPECT_NEAR(evaluator.overlaps(start_of(scene)).deepest, 0.004, 1e-12);  // on its corner
}

// The candidates come from a sweep: against all pairs of spheres, whose depths are plain.
TEST(Evaluate, finds_all_overlaps_of_a_crowd) {
  Random random(7);
  Scene3 scene{.steps = 1};
  std::vector<double> radii;
  for (int i = 0; i < 300; ++i) {
    radii.push_back(random.uniform(0.1, 0.6));
    const std::size_t sphere = scene.add(Sphere{.radius = radii.back()});
    scene.add(Body<Dim3>{.pose = {random.vector(-3, 3)}, .parts = {{sphere}}});
  }
  std::size_t pairs = 0;
  double deepest = 0, sum = 0;
  for (std::size_t i = 0; i < radii.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 gap = scene.bodies[i].pose.position - scene.bodies[j].pose.position;
      const double depth = radii[i] + radii[j] - length(gap);
      if (depth <= 0) continue;
      ++pairs;
      sum += depth;
      deepest = std::max(deepest, depth);
    }
  ASSERT_GT(pairs, 100u);
  const Overlaps<Dim3> found = Evaluator<Dim3>(scene).overlaps(start_of(scene));
  EXPECT_EQ(found.pairs, pairs);
  EXPECT_NEAR(found.deepest, deepest, 1e-12);
  EXPECT_NEAR(found.sum, sum, 1e-9);
}

TEST(Evaluate, bodies_that_may_not_meet_do_not_count) {
  Scene3 scene = two_cubes();
  scene.bodies[1].pose.position = {0, 0, 0.9};
  EXPECT_EQ(Evaluator<Dim3>(scene).overlaps(start_of(scene)).pairs, 1u);
  for (Body<Dim3>& body : scene.bodies) body.group = 2;
  EXPECT_EQ(Evaluator<Dim3>(scene).overlaps(start_of(scene)).pairs, 0u);
  scene.bodies[0].group = 1;
  EXPECT_EQ(Evaluator<Dim3>(scene).overlaps(start_of(scene)).pairs, 1u);
  scene.joints.push_back({.a = 1, .b = 0});
  EXPECT_EQ(Evaluator<Dim3>(scene).overlaps(start_of(scene)).pairs, 0u);
  scene.collide_connected = true;
  EXPECT_EQ(Evaluator<Dim3>(scene).overlaps(start_of(scene)).pairs, 1u);
  for (Body<Dim3>& body : scene.bodies) body.motion = Motion::fixed;
  EXPECT_EQ(Evaluator<Dim3>(scene).overlaps(start_of(scene)).pairs, 0u);
}

TEST(Evaluate, penetration_in_the_last_steps_only) {
  Scene3 scene = two_cubes();
  scene.steps = 4;
  scene.yardsticks.penetration_steps = 2;
  Evaluator<Dim3> evaluator(scene);
  std::vector<BodyState<Dim3>> states = start_of(scene);
  for (const double depth : {0.5, 0.4, 0.03, 0.01}) {
    states[1].pose.position = {0, 0, 1 - depth};
    evaluator.observe(states);
  }
  EXPECT_NEAR(*evaluator.quality().penetration_max, 0.03, 1e-12);
  EXPECT_NEAR(*evaluator.quality().penetration_mean, 0.02, 1e-12);
}

TEST(Evaluate, a_hinge_pulled_apart_by_5_mm) {
  Scene3 scene = two_cubes();
  scene.bodies[0].pose.rotation = Rot3::from_axis_angle({1, 1, 0}, 0.7);
  scene.joints.push_back(
      {.kind = JointKind::hinge, .a = 0, .b = 1, .anchor = {0.3, 0.2, 4}, .axis = {0, 1, 0}});
  Evaluator<Dim3> evaluator(scene);
  std::vector<BodyState<Dim3>> states = start_of(scene);
  EXPECT_NEAR(evaluator.joint_error(states), 0, 1e-12);
  // Both turn about the anchor, each its own way, then b moves away by 5 mm, and back to 1 mm.
  const Vec3 anchor = scene.joints[0].anchor;
  for (std::size_t i = 0; i < 2; ++i) {
    const Rot3 turn = Rot3::from_axis_angle({0, 1, 0}, i == 0 ? 0.4 : -1.1);
    states[i].pose = {anchor + turn * (states[i].pose.position - anchor), turn * states[i].pose.rotation};
  }
  EXPECT_NEAR(evaluator.joint_error(states), 0, 1e-12);
  const Vec3 place = states[1].pose.position;
  states[1].pose.position = place + Vec3{0.003, 0, -0.004};
  evaluator.observe(states);
  states[1].pose.position = place + Vec3{0, 0.001, 0};
  evaluator.observe(states);
  EXPECT_NEAR(*evaluator.quality().joint_error_max, 0.005, 1e-12);
  EXPECT_NEAR(*evaluator.quality().joint_error_end, 0.001, 1e-12);
}

TEST(Evaluate, drift_is_horizontal_in_space_and_any_way_in_the_plane) {
  const Scene3 solid = two_cubes();
  std::vector<BodyState<Dim3>> states = start_of(solid);
  states[1].pose.position = states[1].pose.position + Vec3{0.03, 0.04, -0.2};
  EXPECT_NEAR(*after(solid, states).drift_max, 0.05, 1e-12);

  Scene2 flat{.steps = 1, .yardsticks = {.drift = true}};
  flat.add(Box2{});
  flat.add(Body<Dim2>{.parts = {{0}}});
  Evaluator<Dim2> evaluator(flat);
  evaluator.observe(std::vector<BodyState<Dim2>>{{{{0.03, -0.04}, {}}, {}}});
  EXPECT_NEAR(*evaluator.quality().drift_max, 0.05, 1e-12);
}

TEST(Evaluate, v_rms_of_dynamic_bodies) {
  Scene3 scene = two_cubes();
  scene.add(Body<Dim3>{.motion = Motion::kinematic, .pose = {{50, 0, 0}}, .parts = {{0}}});
  std::vector<BodyState<Dim3>> states = start_of(scene);
  states[0].velocity.linear = {3, 0, 0};
  states[1].velocity.linear = {0, 1, 0};
  states[1].velocity.angular = {9, 9, 9};
  states[2].velocity.linear = {0, 0, 100};
  EXPECT_NEAR(*after(scene, states).v_rms, square_root(5), 1e-12);
}

TEST(Evaluate, energy_of_motion_and_height) {
  const Scene3 scene = two_cubes();  // 1000 kg each, inertia 1000/6 kg·m²
  std::vector<BodyState<Dim3>> states = start_of(scene);
  Evaluator<Dim3> evaluator(scene);
  const double start = evaluator.energy(states);
  EXPECT_NEAR(start, 1000 * 9.81 * 10, 1e-6);
  states[0].velocity = {{0, 2, 0}, {0, 0, 3}};
  states[1].pose.position.z -= 0.1;
  const double gain = 0.5 * 1000 * 4 + 0.5 * 1000 / 6 * 9 - 1000 * 9.81 * 0.1;
  EXPECT_NEAR(evaluator.energy(states) - start, gain, 1e-6);
  evaluator.observe(states);
  evaluator.observe(start_of(scene));  // the highest counts, not the last
  EXPECT_NEAR(*evaluator.quality().energy_gain, gain, 1e-6);
  // 2000 kg falling through the diagonal of a box of 1 × 1 × 11 m.
  EXPECT_NEAR(*evaluator.quality().energy_gain_relative, gain / (2000 * 9.81 * square_root(123)), 1e-9);

  states = start_of(scene);
  states[1].pose.position.z -= 5;  // lower than the start: no gain
  EXPECT_EQ(*after(scene, states).energy_gain, 0);
}

// 30 cubes on the ground. Crushed by 3 % the highest is 0.9 m lower, and still they stand.
TEST(Evaluate, stands_as_long_as_every_body_keeps_its_place) {
  Scene3 scene{.steps = 1, .yardsticks = {.stands = true}};
  const std::size_t cube = scene.add(Box3{});
  scene.add(Body<Dim3>{.motion = Motion::fixed, .pose = {{0, 0, -0.5}}, .parts = {{cube}}});
  for (int i = 0; i < 30; ++i) scene.add(Body<Dim3>{.pose = {{0.01 * i, 0, i + 0.5}}, .parts = {{cube}}});
  EXPECT_TRUE(*after(scene, start_of(scene)).stands);

  std::vector<BodyState<Dim3>> states = start_of(scene);
  for (std::size_t i = 1; i < states.size(); ++i) states[i].pose.position.z *= 0.97;
  EXPECT_TRUE(*after(scene, states).stands);
  states.back().pose.position.z -= 0.6;  // one that has left its place
  EXPECT_FALSE(*after(scene, states).stands);

  for (const auto& [angle, stands] :
       {std::pair{0.5, true}, std::pair{0.5 * k_pi, false}}) {  // leaning, lying
    const Rot3 turn = Rot3::from_axis_angle({0, 1, 0}, angle);
    states = start_of(scene);
    for (std::size_t i = 1; i < states.size(); ++i) states[i].pose = Pose3{{}, turn} * states[i].pose;
    EXPECT_EQ(*after(scene, states).stands, stands) << angle;
  }
}

TEST(Evaluate, states_that_are_not_finite_are_told_and_not_judged) {
  const Scene3 scene = two_cubes();
  std::vector<BodyState<Dim3>> states = start_of(scene);
  states[1].velocity.angular.y = std::numeric_limits<double>::quiet_NaN();
  const Quality quality = after(scene, states);
  EXPECT_FALSE(quality.finite);
  EXPECT_FALSE(*quality.stands);
  EXPECT_FALSE(quality.penetration_max.has_value());
  EXPECT_FALSE(quality.v_rms.has_value());
}

TEST(Evaluate, what_is_not_asked_is_absent) {
  Scene3 scene = two_cubes();
  scene.yardsticks = {};
  const Quality quality = after(scene, start_of(scene));
  EXPECT_FALSE(quality.penetration_max || quality.penetration_mean || quality.joint_error_max ||
               quality.joint_error_end || quality.drift_max || quality.energy_gain || quality.stands);
  EXPECT_TRUE(quality.v_rms.has_value());
}

}  // namespace
}  // namespace cairn::bench
