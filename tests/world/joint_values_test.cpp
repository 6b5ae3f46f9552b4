// What a world tells of its joints: where they are, how far their axes have gone, and that they broke.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include "world/data.h"

namespace cairn {
namespace {

constexpr double k_rounding = 8e-15;  // of sums of numbers of some metres

BodyDef2 lever(Dim2) {
  return {.position = {1, 2}, .rotation = rotation_of(0.4), .shapes = {Box2{.half = {0.5, 0.1}}}};
}
BodyDef3 lever(Dim3) {
  return {.position = {1, 2, 3},
          .rotation = rotation_of(Vec3{0.4, -0.3, 0.9}),
          .shapes = {Box3{.half = {0.5, 0.1, 0.2}}}};
}
// The same shapes and another one on a side.
std::vector<ShapeDef2> lopsided(Dim2) {
  return {Box2{.half = {0.5, 0.1}}, {Circle{.radius = 0.3}, {.position = {0.7, 0.2}}}};
}
std::vector<ShapeDef3> lopsided(Dim3) {
  return {Box3{.half = {0.5, 0.1, 0.2}}, {Sphere{.radius = 0.3}, {.position = {0.7, 0.2, -0.1}}}};
}
JointFrame2 some_frame(Dim2) { return {.origin = {1.3, 1.8}, .axis = {0.6, 0.8}}; }
JointFrame3 some_frame(Dim3) { return {.origin = {1.3, 1.8, 3.1}, .axis = {0.48, 0.6, 0.64}}; }
// Of length 1.
double turning_axis(const JointFrame2&) { return 1; }
Vec3 turning_axis(const JointFrame3& frame) { return frame.axis; }

template <class D>
void turn_about(World<D>& world, BodyId body, const typename D::Vec& point, const typename D::Rot& turn) {
  const Pose<D> pose = world.pose(body);
  world.set_pose(body, {point + turn * (pose.position - point), normalized(turn * pose.rotation)});
}
template <class D>
double distance(const typename D::Vec& p, const typename D::Vec& q) {
  return length(p - q);
}

// ------------------------------------------------------------------------------------------------- anchors

template <class D>
void check_anchors_stay() {
  World<D> world;
  const BodyId b = world.create(lever(D{}));
  const JointFrame<D> frame = some_frame(D{});
  const JointId from = world.create(HingeDef<D>{.a = world.background(), .b = b, .frame = frame});
  const JointId to = world.create(SliderDef<D>{.a = b, .b = world.background(), .frame = frame});
  const auto expect_in_place = [&](const char* when) {
    for (const JointId joint : {from, to}) {
      EXPECT_LT(distance<D>(world.anchors(joint).a, frame.origin), k_rounding) << when;
      EXPECT_LT(distance<D>(world.anchors(joint).b, frame.origin), k_rounding) << when;
      EXPECT_NEAR(world.coordinate(joint).position, 0, k_rounding) << when;
    }
  };
  expect_in_place("at first");
  const typename D::Vec center = world.center(b);
  world.set_shapes(b, lopsided(D{}));
  EXPECT_GT(distance<D>(world.center(b), center), 0.1);
  expect_in_place("another centre of mass");
  world.set_mass(b, 7);
  expect_in_place("another mass");
  world.set_motion(b, Motion::kinematic);  // whose centre of mass is its origin
  EXPECT_LT(distance<D>(world.center(b), center), k_rounding);
  expect_in_place("kinematic");
  world.set_motion(b, Motion::dynamic);
  expect_in_place("dynamic again");
}
TEST(JointAnchors, stay_where_they_are_when_the_centre_of_mass_moves) {
  check_anchors_stay<Dim2>();
  check_anchors_stay<Dim3>();
}

TEST(JointAnchors, show_how_far_a_joint_is_torn) {
  World3 world;
  const BodyId b = world.create(lever(Dim3{}));
  const JointId ball =
      world.create(BallDef3{.a = world.background(), .b = b, .frame = {.origin = {1, 2, 3.5}}});
  world.set_pose(b, {world.pose(b).position + Vec3{0.3, 0, -0.4}, world.pose(b).rotation});
  EXPECT_NEAR(distance<Dim3>(world.anchors(ball).b, {1.3, 2, 3.1}), 0, k_rounding);
  EXPECT_EQ(world.anchors(ball).a, (Vec3{1, 2, 3.5}));
}

// --------------------------------------------------------------------------------------------- coordinates

// b turns about the hinge in jumps of less than half a turn.
template <class D>
void check_hinge() {
  World<D> world;
  const BodyId a = world.create(lever(D{})), b = world.create(lever(D{}));
  const JointFrame<D> frame = some_frame(D{});
  const JointId hinge = world.create(HingeDef<D>{.a = a, .b = b, .frame = frame});
  double total = 0;
  for (const double jump : {0.7, 2.9, 3.0, 2.5, 3.1, -2.0, -3.1, -3.1, -3.1, -3.1, -3.1}) {
    total += jump;
    turn_about(world, b, frame.origin, rotation_of(jump * turning_axis(frame)));
    EXPECT_NEAR(world.coordinate(hinge).position, total, 1e-13);
  }
}
TEST(JointCoordinate, of_a_hinge_counts_turns_made_by_hand) {
  check_hinge<Dim2>();
  check_hinge<Dim3>();
}

template <class D>
void check_speeds() {
  World<D> world;
  const BodyId a = world.create(lever(D{})), b = world.create(lever(D{}));
  const JointFrame<D> frame = some_frame(D{});
  const JointId hinge = world.create(HingeDef<D>{.a = a, .b = b, .frame = frame});
  const JointId slider = world.create(SliderDef<D>{.a = a, .b = b, .frame = frame});
  const auto spin = turning_axis(frame);
  world.set_velocity(a, {.linear = frame.axis * 0.2, .angular = spin * 0.5});
  world.set_velocity(b, {.linear = frame.axis * 0.2, .angular = spin * 3.5});
  EXPECT_NEAR(world.coordinate(hinge).speed, 3, 1e-14);

  world.set_velocity(a, {.linear = frame.axis * 0.2});
  world.set_velocity(b, {.linear = frame.axis * -1.5});
  world.set_pose(b, {world.pose(b).position + frame.axis * 0.7, world.pose(b).rotation});
  EXPECT_NEAR(world.coordinate(slider).position, 0.7, 1e-14);
  EXPECT_NEAR(world.coordinate(slider).speed, -1.7, 1e-14);
}
TEST(JointCoordinate, has_the_speed_of_b_as_seen_from_a) {
  check_speeds<Dim2>();
  check_speeds<Dim3>();
}

TEST(JointCoordinate, of_several_axes_come_in_the_order_of_the_definition) {
  World3 world;
  const BodyId b = world.create(lever(Dim3{}));
  const JointFrame3 frame = some_frame(Dim3{});
  const JointId joint = world.create(CylindricalDef3{.a = world.background(), .b = b, .frame = frame});
  EXPECT_EQ(world.axis_count(joint), 2);
  turn_about(world, b, frame.origin, rotation_of(1.25 * frame.axis));
  world.set_pose(b, {world.pose(b).position + 0.3 * frame.axis, world.pose(b).rotation});
  EXPECT_NEAR(world.coordinate(joint, 0).position, 0.3, 1e-14);
  EXPECT_NEAR(world.coordinate(joint, 1).position, 1.25, 1e-14);
}

TEST(JointCoordinate, of_a_rod_is_its_length) {
  World2 world;
  const BodyId b = world.create({.shapes = {Circle{.radius = 0.1}}});
  const JointId rod =
      world.create(DistanceDef2{.a = world.background(), .b = b, .anchor_a = {3, 4}, .anchor_b = {0, 0}});
  world.set_velocity(b, {.linear = {-3, -4}});
  EXPECT_DOUBLE_EQ(world.coordinate(rod).position, 5);
  EXPECT_DOUBLE_EQ(world.coordinate(rod).speed, 5);
}

// ------------------------------------------------------------------------------------------------- changes

TEST(JointAxes, can_be_changed_and_read_while_the_definition_stays) {
  World3 world;
  const BodyId b = world.create(lever(Dim3{}));
  const AxisDef at_first{.limits = Limits{-1, 1}, .friction = 0.5};
  const JointId joint = world.create(UniversalDef3{.a = world.background(), .b = b, .turn_b = at_first});
  EXPECT_EQ(world.axis(joint, 0), AxisDef{});
  EXPECT_EQ(world.axis(joint, 1), at_first);
  const AxisDef motor{.drive = VelocityDrive{.speed = 2, .max_effort = 10}};
  world.set_axis(joint, 1, motor);
  EXPECT_EQ(world.axis(joint, 0), AxisDef{});
  EXPECT_EQ(world.axis(joint, 1), motor);
  EXPECT_EQ(std::get<UniversalDef3>(world.definition(joint)).turn_b, at_first);
}

TEST(Hydraulics, do_as_they_are_told) {
  World2 world;
  const BodyId b = world.create({.position = {0, 2}, .shapes = {Circle{.radius = 0.1}}});
  const JointId joint = world.create(HydraulicDef2{.a = world.background(),
                                                   .b = b,
                                                   .anchor_b = {0, 2},
                                                   .state = Hydraulic::contract,
                                                   .min_length = 1,
                                                   .max_length = 3});
  EXPECT_EQ(world.hydraulic(joint), Hydraulic::contract);
  for (const Hydraulic state : {Hydraulic::extend, Hydraulic::hold, Hydraulic::contract}) {
    world.set_hydraulic(joint, state);
    EXPECT_EQ(world.hydraulic(joint), state);
  }
  EXPECT_DOUBLE_EQ(world.coordinate(joint).position, 2);
}

// -------------------------------------------------------------------------------------------------- breaks

Wrench2 load_of(Dim2, double force, double torque) { return {{0.6 * force, -0.8 * force}, -torque}; }
Wrench3 load_of(Dim3, double force, double torque) {
  return {{0.48 * force, -0.6 * force, 0.64 * force}, {-0.8 * torque, 0, 0.6 * torque}};
}

template <class D>
BodyId add_lever(WorldData<D>& world) {
  Notes notes;
  const BodyId body = world.bodies.create(lever(D{}), notes);
  add_sleeper(world, body);
  return body;
}

// Reactions are put in by hand, as the solver would.
template <class D>
void check_breaks() {
  WorldData<D> world{WorldDef<D>{}};
  const BodyId a = add_lever(world), b = add_lever(world);
  const auto hinge = [&](double force, double torque) {
    return world.create(HingeDef<D>{.a = a, .b = b, .break_force = force, .break_torque = torque});
  };
  const JointId last_row = hinge(1, 1);
  const JointId strong = hinge(10, 5), weak = hinge(9.9, 5), stiff = hinge(10, 4.9),
                endless = hinge(1e300, 1e300);
  world.destroy(last_row);
  const JointId first_slot = hinge(9, 9);  // in the slot that became free, but in the last row
  ASSERT_EQ(first_slot.index(), 0u);
  ASSERT_EQ(world.joints.row(first_slot), 4u);

  break_overloaded(world);
  EXPECT_TRUE(world.broken.empty());
  const double slight =
      1e-12;  // [N] less than the ratings of the strong one, so that round-off does not decide
  for (JointMemory<D>& memory : world.joints.memory) memory.reaction = load_of(D{}, 10 - slight, 5 - slight);
  world.time = 3;
  break_overloaded(world);
  ASSERT_EQ(world.broken.size(), 3u);
  EXPECT_EQ(world.broken[0].joint, first_slot);
  EXPECT_EQ(world.broken[1].joint, weak);
  EXPECT_EQ(world.broken[2].joint, stiff);
  for (const JointBreak<D>& gone : world.broken) {
    EXPECT_TRUE(gone.a == a && gone.b == b && gone.time == 3);
    EXPECT_EQ(gone.load, load_of(D{}, 10 - slight, 5 - slight));
    EXPECT_FALSE(world.joints.contains(gone.joint));
  }
  EXPECT_TRUE(world.joints.contains(strong) && world.joints.contains(endless));
  EXPECT_TRUE(world.collisions.are_exempt(a, b));

  for (JointMemory<D>& memory : world.joints.memory) memory.reaction = load_of(D{}, 1e301, 0);
  break_overloaded(world);
  EXPECT_EQ(world.broken.size(), 2u);
  EXPECT_EQ(world.joints.row_count(), 0u);
  EXPECT_FALSE(world.collisions.are_exempt(a, b));
  break_overloaded(world);
  EXPECT_TRUE(world.broken.empty());
}
TEST(JointBreaks, are_recorded_in_the_order_of_slots_and_let_bodies_meet) {
  check_breaks<Dim2>();
  check_breaks<Dim3>();
}

TEST(JointBreaks, need_no_memory) {
  WorldData<Dim2> world{WorldDef2{}};
  const BodyId b = add_lever(world);
  for (int i = 0; i < 100; ++i) world.create(FixedDef2{.a = world.bodies.background(), .b = b});
  EXPECT_GE(world.broken.capacity(), 100u);
}

}  // namespace
}  // namespace cairn
