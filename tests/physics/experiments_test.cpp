// The experiments of Lund and DigiPen that are machines or figures: a truck, a humanoid on stairs, limbs that are dragged.
#include <gtest/gtest.h>

#include "benchmarks/engine.h"
#include "benchmarks/scenes/experiments.h"

namespace cairn::bench {
namespace {

constexpr double k_h = 1.0 / 60;  // [s]
constexpr double k_degree = k_pi / 180;

// ---------------------------------------------------------------------------------------------------- Lund's truck

struct Trip {
  World2 world;
  Truck truck;
  double wheel_error = 0;  // [m] the furthest that a wheel was off its line
  double lean = 0;         // [rad] the most that the chassis leaned

  Trip() {
    world.create({.motion = Motion::fixed, .position = {0, -1}, .shapes = {Box2{.half = {500, 1}}}});
    for (int i = 0; i < 5; ++i)  // bumps of 8 cm on the way
      world.create({.motion = Motion::fixed,
                    .position = {20.0 + 4 * i, 0},
                    .rotation = Rot2::from_angle(0.25 * k_pi),
                    .shapes = {Box2{.half = {0.057, 0.057}}}});
    truck = add_truck(world, {0, 0});
  }
  void step(double speed) {
    drive(world, truck, speed, 1500);
    world.step(k_h);
    ASSERT_EQ(world.report().status, StepStatus::good);
    for (const JointId axle : truck.axles) {
      const JointAnchors2 ends = world.anchors(axle);
      const Vec2 apart = inverse(world.pose(truck.chassis).rotation) * (ends.b - ends.a);
      wheel_error = larger(wheel_error, absolute(apart.x));
    }
    lean = larger(lean, absolute(rotation_vector(world.pose(truck.chassis).rotation)));
  }
  void play(double seconds, double speed) {
    for (int i = 0; i < int(seconds / k_h + 0.5); ++i) step(speed);
  }
  double bed_angle() const { return world.coordinate(truck.hinge).position; }
  int crates_in_bed() const {
    int count = 0;
    for (const BodyId crate : truck.crates) {
      const Vec2 p = to_local(world.pose(truck.bed), world.center(crate));
      count += p.x > 0 && p.x < 3.4 && p.y > 0 && p.y < 1.5;
    }
    return count;
  }
};

TEST(LundTruck, drives_over_bumps_and_tips_its_bed) {
  Trip trip;
  trip.play(1, 0);
  EXPECT_EQ(trip.crates_in_bed(), 4);
  trip.play(14, 6);
  EXPECT_NEAR(trip.world.velocity(trip.truck.chassis).linear.x, 6, 0.1);
  EXPECT_GT(trip.world.center(trip.truck.chassis).x, 45);
  trip.play(4, 0);
  EXPECT_NEAR(trip.world.velocity(trip.truck.chassis).linear.x, 0, 0.05);
  EXPECT_EQ(trip.crates_in_bed(), 4);
  EXPECT_NEAR(trip.bed_angle(), 0, 0.01);
  std::printf("truck: at x = %.1f m, wheels off their lines by %.2g mm, chassis leaned %.3f rad\n",
              trip.world.center(trip.truck.chassis).x, 1e3 * trip.wheel_error, trip.lean);

  trip.world.set_hydraulic(trip.truck.cylinder, Hydraulic::extend);
  double force = 0, speed = 0;
  for (int i = 0; i < 600; ++i) {
    trip.step(0);
    force = larger(force, length(trip.world.reaction(trip.truck.cylinder).force));
    speed = larger(speed, trip.world.coordinate(trip.truck.cylinder).speed);
  }
  EXPECT_LT(force, 2e5);
  EXPECT_LT(speed, 0.4 * 1.01);
  EXPECT_NEAR(trip.bed_angle(), 1.0, 0.01);
  EXPECT_EQ(trip.crates_in_bed(), 0);
  EXPECT_NEAR(trip.world.velocity(trip.truck.chassis).linear.x, 0, 0.05);
  std::printf("truck: bed at %.4f rad, cylinder's force up to %.3g N, %d crates left\n", trip.bed_angle(),
              force, trip.crates_in_bed());

  trip.world.set_hydraulic(trip.truck.cylinder, Hydraulic::contract);
  trip.play(8, 0);
  EXPECT_NEAR(trip.bed_angle(), 0, 0.01);
  EXPECT_LT(trip.lean, 0.15);
  EXPECT_LT(trip.wheel_error, 5e-3);
  std::printf("truck: bed back at %.4f rad, wheels off by %.2g mm at most\n", trip.bed_angle(),
              1e3 * trip.wheel_error);
}

// ------------------------------------------------------------------------------------------------- Lund's humanoid

// By how much a joint is past its limits, told from the poses of its bodies alone. [rad]
double past_limit(const Scene3& scene, const Joint<Dim3>& joint, std::span<const BodyState<Dim3>> states) {
  const Rot3 start_a = scene.bodies[joint.a].pose.rotation, start_b = scene.bodies[joint.b].pose.rotation;
  // How b has turned against a since the start, in the world's axes of the start.
  const Rot3 a = states[joint.a].pose.rotation * inverse(start_a),
             b = states[joint.b].pose.rotation * inverse(start_b);
  Rot3 turn = inverse(a) * b;
  if (turn.w < 0) turn = {-turn.w, -turn.x, -turn.y, -turn.z};
  // The part of it about the joint's axis.
  const double twist = 2 * portable::atan2(dot(joint.axis, Vec3{turn.x, turn.y, turn.z}), turn.w);
  if (joint.kind == JointKind::hinge) return larger(joint.limits->lo - twist, twist - joint.limits->hi);
  const double lean =
      portable::atan2(length(cross(joint.axis, turn * joint.axis)), dot(joint.axis, turn * joint.axis));
  return larger(lean - joint.cone, absolute(twist) - joint.twist);
}

TEST(LundHumanoid, falls_down_stairs_and_comes_to_rest_within_its_limits) {
  const Scene3 scene = humanoid_on_stairs(12);
  const std::unique_ptr<Engine<Dim3>> engine = make_engine<Dim3>("cairn", 1);
  engine->build(scene);
  std::vector<BodyState<Dim3>> states = start_of(scene);
  double on_the_way = 0, at_rest = -1e9, speed = 0, error = 0;
  for (int i = 0; i < 2400; ++i) {
    engine->step();
    engine->read(states);
    for (const Joint<Dim3>& joint : scene.joints) {
      on_the_way = larger(on_the_way, past_limit(scene, joint, states));
      if (i >= 2340) at_rest = larger(at_rest, past_limit(scene, joint, states));
      const auto end = [&](std::size_t body) {
        return to_world(states[body].pose, to_local(scene.bodies[body].pose, joint.anchor));
      };
      error = larger(error, length(end(joint.a) - end(joint.b)));
    }
    if (i < 2340) continue;
    for (const BodyState<Dim3>& state : states) speed = larger(speed, length(state.velocity.linear));
  }
  std::printf(
      "humanoid: past its limits by %.3f° on the way, %.3f° in the last second, in which it is no faster "
      "than "
      "%.2g m/s; joints open by %.2g mm at most; it lies at x = %.2f m, z = %.2f m\n",
      on_the_way / k_degree, at_rest / k_degree, speed, 1e3 * error, states[1].pose.position.x,
      states[1].pose.position.z);
  EXPECT_LT(at_rest, 1 * k_degree);
  EXPECT_LT(speed, 0.005);  // an arm that hangs over a step swings for half a minute
  EXPECT_LT(error, 0.02);
  EXPECT_GT(states[1].pose.position.x, 1);  // down the stairs, not on the landing
}

// -------------------------------------------------------------------------------------------------- DigiPen's limbs

// A hand on a spring throws the limbs about: in circles, jumping from one side to the other, up and down.
void drag_limbs(double stiffness, double damping, double reach, double frequency, double most_open) {
  SCOPED_TRACE(testing::Message() << stiffness << " N/m, " << reach << " m at " << frequency << " Hz");
  World3 world({.accounting = Accounting::full});
  world.create({.motion = Motion::fixed, .shapes = {Plane{}}});
  const Limbs limbs = add_limbs(world, {0, 0, 0.01});
  for (int i = 0; i < 60; ++i) world.step(k_h);
  const BodyId hand = world.create({.motion = Motion::kinematic, .position = {1.8, 0.2, 0.2}});
  world.create(SpringDef3{.a = hand, .b = limbs.bodies.back(), .stiffness = stiffness, .damping = damping});
  world.step(k_h);
  const double start = world.energy().total();
  double brought = 0, lifted = 0, error = 0, above = 0, most = 0;
  for (int i = 0; i < 600; ++i) {
    const double phase = 2 * k_pi * frequency * i * k_h;
    const double jump = i / 40 % 2 ? 1 : -1;
    const Vec3 to{reach * portable::cos(phase), jump * reach, 1.5 + reach * portable::sin(1.7 * phase)};
    world.move_to(hand, {to, {}}, k_h);
    const StepReport3& report = world.step(k_h);
    ASSERT_NE(report.status, StepStatus::set_aside);
    brought += report.energy.drive;
    lifted += report.energy.continuous;
    const double now = report.energy.total();
    most = larger(most, now);
    // What the hand does while limbs are held back is in the second column.
    above = larger(above, now - (start + brought + lifted));
    for (const JointId joint : limbs.joints) {
      const JointAnchors3 ends = world.anchors(joint);
      error = larger(error, length(ends.a - ends.b));
    }
  }
  std::printf(
      "limbs: %g N/m, %g m at %g Hz: the hand brought %.3g J, most energy %.3g J, held back %.3g J, above "
      "what was brought by "
      "%.2g J, joints open by %.2g mm at most\n",
      stiffness, reach, frequency, brought, most, lifted, above, 1e3 * error);
  EXPECT_LE(above, 0.01 * (brought + lifted));
  EXPECT_LT(error, most_open);
  // Let go, they only lose energy, and are whole. (What slides at 150 m/s does so for half a minute.)
  world.destroy(hand);
  double last = world.energy().total();
  for (int i = 0; i < 1200; ++i) {
    const Energy& now = world.step(k_h).energy;
    EXPECT_LE(now.total() - now.continuous, last + 1e-4 * most) << i;
    last = now.total();
  }
  for (const JointId joint : limbs.joints) {
    const JointAnchors3 ends = world.anchors(joint);
    EXPECT_LT(length(ends.a - ends.b), 2e-3);
  }
  std::printf("limbs: let go, %.2g J are left after 20 s\n", world.energy().kinetic);
}
TEST(DigipenLimbs, do_not_explode_when_dragged) { drag_limbs(2000, 50, 1, 1, 0.15); }
// The hand jumps by 4 and 6 m in a step, up to 360 m/s. Joints open by up to 0.2 m, and close again.
TEST(DigipenLimbs, do_not_explode_when_dragged_violently) {
  drag_limbs(2000, 0, 2, 2, 0.25);
  drag_limbs(20000, 100, 3, 3, 0.25);
}

}  // namespace
}  // namespace cairn::bench
