// The examples of docs/guide/joints.md: they compile, run, and stand there as they stand here.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace cairn {
namespace {

TEST(JointGuide, wheel_with_a_motor) {
  World3 world;
  const Rot3 upright = rotation_of(Vec3{k_pi / 2, 0, 0});  // cylinders lie along z: now along -y
  const BodyId wheel = world.create(
      {.position = {0, 0, 2}, .rotation = upright, .shapes = {Cylinder{.radius = 0.3, .half_height = 0.1}}});
  const JointId axle = world.create(HingeDef3{.a = world.background(),
                                              .b = wheel,
                                              .frame = {.origin = {0, 0, 2}, .axis = {0, 1, 0}},
                                              .drive = VelocityDrive{.speed = 10, .max_effort = 50}});
  for (int i = 0; i < 120; ++i) world.step(1.0 / 60);
  const double speed = world.coordinate(axle).speed;  // [rad/s]
  EXPECT_TRUE(is_finite(speed));
  world.set_axis(axle, 0, {.drive = VelocityDrive{.speed = -10, .max_effort = 50}});  // backwards
  world.set_axis(axle, 0, {.friction = 2});                                           // runs out
  EXPECT_EQ(world.axis(axle, 0).friction, 2);
}

TEST(JointGuide, drawer_with_stops) {
  World3 world;
  const BodyId cabinet = world.create({.motion = Motion::fixed, .shapes = {Box3{.half = {0.3, 0.3, 0.3}}}});
  const BodyId drawer =
      world.create({.shapes = {Box3{.half = {0.25, 0.25, 0.1}}}, .mass = 4, .gravity_scale = 0});
  const JointId rail = world.create(SliderDef3{
      .a = cabinet, .b = drawer, .frame = {.axis = {1, 0, 0}}, .limits = Limits{0, 0.4}, .friction = 5});
  world.apply_impulse(drawer, {8, 0, 0});
  world.step(1.0 / 60);
  const double open = world.coordinate(rail).position;  // [m] from 0 to 0.4
  EXPECT_GT(open, 0);
  EXPECT_LT(open, 0.4);
}

TEST(JointGuide, arm_that_follows) {
  World3 world;
  const BodyId arm = world.create({.position = {0.5, 0, 1}, .shapes = {Box3{.half = {0.5, 0.05, 0.05}}}});
  const JointId shoulder = world.create(HingeDef3{
      .a = world.background(),
      .b = arm,
      .frame = {.origin = {0, 0, 1}, .axis = {0, -1, 0}},
      .drive =
          ServoDrive{.target = SineTerm{.amplitude = 0.5, .period = 2}, .frequency = 5, .max_effort = 900}});
  world.step(1.0 / 60);
  const double angle = world.coordinate(shoulder).position;  // [rad] upwards, as the axis points to -y
  EXPECT_TRUE(is_finite(angle));
}

TEST(JointGuide, hydraulic_cylinder) {
  World3 world;
  const BodyId boom = world.create({.position = {2, 0, 1}, .shapes = {Box3{.half = {2, 0.1, 0.1}}}});
  world.create(
      HingeDef3{.a = world.background(), .b = boom, .frame = {.origin = {0, 0, 1}, .axis = {0, -1, 0}}});
  const JointId cylinder = world.create(HydraulicDef3{.a = world.background(),
                                                      .b = boom,
                                                      .anchor_a = {1, 0, 0},
                                                      .anchor_b = {1.5, 0, 0.9},
                                                      .max_force = 2e5,
                                                      .max_speed = 0.2,
                                                      .min_length = 0.8,
                                                      .max_length = 1.4});
  world.set_hydraulic(cylinder, Hydraulic::extend);
  for (int i = 0; i < 60; ++i) world.step(1.0 / 60);
  world.set_hydraulic(cylinder, Hydraulic::hold);
  const double length_now = world.coordinate(cylinder).position;  // [m]
  EXPECT_EQ(world.hydraulic(cylinder), Hydraulic::hold);
  EXPECT_GT(length_now, 0);
}

TEST(JointGuide, link_that_breaks) {
  World3 world;
  const BodyId lamp = world.create({.position = {0, 0, 2}, .shapes = {Sphere{.radius = 0.1}}, .mass = 3});
  const JointId wire = world.create(DistanceDef3{.a = world.background(),
                                                 .b = lamp,
                                                 .anchor_a = {0, 0, 3},
                                                 .anchor_b = {0, 0, 2.1},
                                                 .break_force = 100,
                                                 .name = "wire"});
  world.apply_force(lamp, {0, 0, -1000});
  world.step(1.0 / 60);
  for (const JointBreak3& gone : world.broken())
    std::printf("joint %u broke at %g N\n", gone.joint.index(), length(gone.load.force));
  const bool hangs = world.contains(wire);
  EXPECT_EQ(hangs, world.broken().empty());
}

TEST(JointGuide, load) {
  World3 world;
  const BodyId sign =
      world.create({.position = {1, 0, 5}, .shapes = {Box3{.half = {0.5, 0.02, 0.3}}}, .mass = 20});
  const JointId bracket =
      world.create(FixedDef3{.a = world.background(), .b = sign, .frame = {.origin = {0, 0, 5}}});
  world.step(1.0 / 60);
  const Wrench3 load = world.reaction(bracket);  // on the sign: 196 N upwards, and -196 N·m about y
  EXPECT_TRUE(is_finite(load.force) && is_finite(load.torque));
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}
// What the formatter may change does not count.
std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

TEST(JointGuide, shows_what_is_compiled_here) {
  const std::filesystem::path here(__FILE__);
  const std::string test = without_blanks(text_of(here));
  const std::string guide = text_of(here.parent_path().parent_path().parent_path() / "docs/guide/joints.md");
  const std::string open = "```cpp\n", close = "```\n";
  int examples = 0;
  for (std::size_t at = guide.find(open); at != std::string::npos; at = guide.find(open, at)) {
    const std::size_t begin = at + open.size(), end = guide.find(close, begin);
    ASSERT_NE(end, std::string::npos);
    const std::string example = guide.substr(begin, end - begin);
    EXPECT_NE(test.find(without_blanks(example)), std::string::npos) << "not here:\n" << example;
    at = end;
    ++examples;
  }
  EXPECT_EQ(examples, 7);
}

}  // namespace
}  // namespace cairn
