#include <gtest/gtest.h>

#include "constraints/all_joints.h"

namespace cairn {
namespace {

// What building the joint says, or nothing if it is built.
template <class D>
std::string complaint(const JointDef<D>& def, const BodyStore<D>& bodies) {
  try {
    build_joint(def, bodies);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

class JointRefusals : public testing::Test {
 protected:
  Dice dice{1};
  TwoBodies<Dim3> two{dice};
  TwoBodies<Dim2> flat{dice};
  BodyId a = two.a, b = two.b;

  std::string of(const JointDef3& def) { return complaint<Dim3>(def, two.bodies); }
  std::string of(const JointDef2& def) { return complaint<Dim2>(def, flat.bodies); }
};

TEST_F(JointRefusals, bodies_that_cannot_be_joined) {
  EXPECT_EQ(of(HingeDef3{.a = a, .b = a}),
            "HingeDef3.b = the same body as a: must be another body: a joint between a body and itself holds "
            "nothing");
  EXPECT_EQ(of(HingeDef3{.a = a}),
            "BodyId = the null id: must name something that was created in this world");
  Notes notes;
  const BodyId wall = two.bodies.create({.motion = Motion::fixed}, notes);
  const BodyId lift = two.bodies.create({.motion = Motion::kinematic}, notes);
  EXPECT_EQ(of(SliderDef3{.a = wall, .b = lift}),
            "SliderDef3 = a joint between two bodies that are not dynamic: has nothing to move; make a or b "
            "dynamic");
  EXPECT_EQ(of(SliderDef3{.a = two.bodies.background(), .b = a}), "");
  two.bodies.destroy(wall);
  EXPECT_NE(of(HingeDef3{.a = wall, .b = a}).find("no longer exists"), std::string::npos);
}

TEST_F(JointRefusals, frames_without_direction) {
  EXPECT_EQ(of(HingeDef3{.a = a, .b = b, .frame = {.axis = {0, 0, 0}}}),
            "HingeDef3.frame.axis = (0, 0, 0): must have a direction: any length but zero");
  EXPECT_EQ(of(SliderDef2{.a = flat.a, .b = flat.b, .frame = {.axis = {0, 0}}}),
            "SliderDef2.frame.axis = (0, 0): must have a direction: any length but zero");
  EXPECT_EQ(of(UniversalDef3{.a = a, .b = b, .frame = {.axis = {0, 0, 1}, .second = Vec3{0, 0, -2}}}),
            "UniversalDef3.frame.second = (0, 0, -2): must not be parallel to axis, which is (0, 0, 1)");
  EXPECT_EQ(
      of(RackDef3{.a = a, .b = b}),
      "RackDef3.frame.second = not given: must be the direction of the rack; frame.axis is the pinion's");
  EXPECT_EQ(of(GearDef3{.a = a, .b = b, .axis_b = {}}),
            "GearDef3.axis_b = (0, 0, 0): must have a direction: any length but zero");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(of(FixedDef3{.a = a, .b = b, .frame = {.origin = {0, nan, 0}}}),
            "FixedDef3.frame.origin.y = nan m: must be finite");
}

TEST_F(JointRefusals, axes_that_make_no_sense) {
  EXPECT_EQ(of(HingeDef3{.a = a, .b = b, .limits = Limits{1, -1}}),
            "HingeDef3.limits.min = 1: must be at most max, which is -1");
  EXPECT_EQ(of(CylindricalDef3{.a = a, .b = b, .turn = {.friction = -2}}),
            "CylindricalDef3.turn.friction = -2 N or N·m: must be at least 0 and finite");
  EXPECT_EQ(of(HingeDef3{.a = a, .b = b, .drive = VelocityDrive{.speed = 1, .max_effort = -400}}),
            "HingeDef3.drive.max_effort = -400 N or N·m: must be at least 0");
  EXPECT_EQ(of(HingeDef3{.a = a, .b = b, .drive = ServoDrive{.frequency = 0}}),
            "HingeDef3.drive.frequency = 0 Hz: must be greater than 0 and finite");
  EXPECT_EQ(of(HingeDef2{.a = flat.a, .b = flat.b, .drive = RheonomicDrive{.target = SineTerm{.period = 0}}}),
            "HingeDef2.drive.target.terms[0].period = 0 s: must be greater than 0 and finite");
  EXPECT_EQ(of(HingeDef3{.a = a, .b = b, .break_force = -1}),
            "HingeDef3.break_force = -1 N: must be at least 0");
  EXPECT_EQ(of(BallDef3{.a = a, .b = b, .cone = 4}).substr(0, 23), "BallDef3.cone = 4 rad: ");
}

TEST_F(JointRefusals, lengths_and_ratios_of_nothing) {
  const std::string remedy = "must be greater than 0; to keep two points together use a hinge or ball";
  EXPECT_EQ(of(DistanceDef3{.a = a, .b = b}), "DistanceDef3.length = 0 m: " + remedy);
  EXPECT_EQ(of(DistanceDef3{.a = a, .b = b, .spring = Softness{.frequency = 1}}),
            "DistanceDef3.length = 0 m: " + remedy);
  EXPECT_EQ(of(DistanceDef3{.a = a, .b = b, .limits = Limits{0, 0}}),
            "DistanceDef3.limits.max = 0 m: " + remedy);
  EXPECT_EQ(of(DistanceDef3{.a = a, .b = b, .limits = Limits{0, 1}}), "");  // a slack rope
  EXPECT_EQ(of(GearDef2{.a = flat.a, .b = flat.b, .ratio = 0}),
            "GearDef2.ratio = 0: must not be 0: teeth of b over teeth of a");
  EXPECT_EQ(of(RackDef2{.a = flat.a, .b = flat.b, .radius = 0}),
            "RackDef2.radius = 0 m: must not be 0: the radius of the pinion");
  EXPECT_EQ(of(HydraulicDef3{.a = a, .b = b, .anchor_b = {1, 0, 0}, .min_length = 2, .max_length = 1}),
            "HydraulicDef3.min_length = 2 m: must be at most max_length, which is 1 m");
  EXPECT_EQ(of(HydraulicDef3{.a = a, .b = b, .anchor_b = {3, 0, 0}, .min_length = 1, .max_length = 2}),
            "HydraulicDef3.anchor_b = at a distance of 3 m from anchor_a: must be from min_length, 1 m, to "
            "max_length, 2 m");
  EXPECT_EQ(of(HydraulicDef3{.a = a, .b = b, .anchor_b = {0.5, 0, 0}, .min_length = 1}).empty(), false);
  EXPECT_EQ(of(HydraulicDef3{.a = a, .b = b}).empty(), false);
}

TEST_F(JointRefusals, commands_to_what_is_no_cylinder) {
  JointRecord<Dim3> hinge = build_joint<Dim3>(HingeDef3{.a = a, .b = b}, two.bodies);
  EXPECT_THROW(set_state(hinge, two.pose(hinge), Hydraulic::extend), Error);
}

}  // namespace
}  // namespace cairn
