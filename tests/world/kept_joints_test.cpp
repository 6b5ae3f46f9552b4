// What a step keeps for the next of joints that do not change is what a fresh world would find: nets that are changed in every way
// there is, step after step, beside worlds that begin with the state of each step.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace cairn {
namespace {

constexpr double k_h = 1. / 60;
constexpr std::size_t k_side = 20;  // too large to be solved at once

template <class D>
struct Knot;
template <>
struct Knot<Dim2> {
  static Vec2 place(double x, double y) { return {x, y}; }
  static Shape2 shape(double size) { return Circle{.radius = size}; }
  static HingeDef2 pin(BodyId a, BodyId b, const Vec2& at) {
    return {.a = a, .b = b, .frame = {.origin = at}};
  }
};
template <>
struct Knot<Dim3> {
  static Vec3 place(double x, double y) { return {x, 0.1 * y, y}; }
  static Shape3 shape(double size) { return Sphere{.radius = size}; }
  static BallDef3 pin(BodyId a, BodyId b, const Vec3& at) {
    return {.a = a, .b = b, .frame = {.origin = at}};
  }
};

template <class D>
struct Net {
  World<D> world{WorldDef<D>{}};
  std::vector<BodyId> knots;
  std::vector<JointId> pins;

  Net() {
    for (std::size_t i = 0; i < k_side * k_side; ++i) {
      const double x = double(i % k_side), y = -double(i / k_side);
      knots.push_back(world.create({.motion = i < k_side ? Motion::fixed : Motion::dynamic,
                                    .position = Knot<D>::place(x, y),
                                    .shapes = {Knot<D>::shape(0.3)}}));
      if (i >= k_side) pins.push_back(pin(i - k_side, i));
      if (i >= k_side && i % k_side > 0) pins.push_back(pin(i - 1, i));
    }
  }
  JointId pin(std::size_t a, std::size_t b, double break_force = k_unlimited) {
    auto def = Knot<D>::pin(knots[a], knots[b], 0.5 * (world.center(knots[a]) + world.center(knots[b])));
    def.break_force = break_force;
    return world.create(def);
  }
  // The same step, made by this world and by one that knows nothing but its state.
  void step() {
    World<D> fresh{WorldDef<D>{}};
    fresh.restore(world.save());
    EXPECT_NE(world.step(k_h).status, StepStatus::refused);
    fresh.step(k_h);
    EXPECT_EQ(world.state_hash(), fresh.state_hash());
    for (const JointId joint : world.joints()) EXPECT_EQ(world.reaction(joint), fresh.reaction(joint));
  }
  template <class F>
  void after(const char* what, F&& change) {
    SCOPED_TRACE(what);
    change();
    const std::uint64_t before = world.state_hash();
    for (int i = 0; i < 3; ++i) step();
    EXPECT_NE(world.state_hash(), before);
  }
};

template <class D>
void check_changes() {
  Net<D> net;
  World<D>& world = net.world;
  const auto knot = [&](std::size_t column, std::size_t row) { return net.knots[row * k_side + column]; };
  net.after("nothing", [] {});
  const WorldState<D> early = world.save();
  net.after("set_axis",
            [&] { world.set_axis(net.pins[30], 0, {.limits = Limits{.min = -0.01, .max = 0.01}}); });
  net.after("back", [&] { world.set_axis(net.pins[30], 0, {}); });
  net.after("destroy", [&] { world.destroy(net.pins[100]); });
  net.after("create", [&] { net.pin(5 * k_side + 5, 9 * k_side + 9); });
  net.after("set_mass", [&] { world.set_mass(knot(3, 3), 150); });
  net.after("set_locks", [&] {
    Locks<D> locks;
    locks.translation.x = true;
    world.set_locks(knot(4, 4), locks);
  });
  net.after("set_motion", [&] { world.set_motion(knot(10, 10), Motion::fixed); });
  net.after("set_shapes", [&] {
    ShapeDef<D> shape{Knot<D>::shape(0.3)};
    shape.position = Knot<D>::place(0.1, 0.05);
    world.set_shapes(knot(12, 12), {shape});
  });
  net.after("set_pose", [&] {
    Pose<D> pose = world.pose(knot(7, 7));
    pose.position.x += 0.01;
    world.set_pose(knot(7, 7), pose);
  });
  net.after("a body more",
            [&] { world.create({.position = Knot<D>::place(100, 0), .shapes = {Knot<D>::shape(0.3)}}); });
  net.after("a body less", [&] { world.destroy(knot(15, 15)); });
  net.after("asleep", [&] {
    world.put_to_sleep(knot(2, 2));
    world.wake(knot(2, 2));
  });
  net.after("early", [&] { world.restore(early); });
  net.after("and destroy again", [&] { world.destroy(net.pins[99]); });
}
TEST(KeptJoints, are_what_a_fresh_world_finds) {
  check_changes<Dim2>();
  check_changes<Dim3>();
}

// A ball that is there from the beginning falls past the net, grazes a knot and is gone: nothing is created or changed that would
// have joints looked for again.
template <class D>
void check_touch() {
  Net<D> net;
  net.world.create({.position = Knot<D>::place(double(k_side - 1) + 0.58, 1.5),
                    .velocity = Knot<D>::place(0, -10),
                    .shapes = {Knot<D>::shape(0.3)}});
  std::vector<bool> touched;
  for (int i = 0; i < 20; ++i) {
    net.step();
    touched.push_back(net.world.report().collision.touching > 0);
  }
  EXPECT_FALSE(touched.front() || touched[3]);
  EXPECT_NE(std::find(touched.begin(), touched.end(), true), touched.end());
  EXPECT_FALSE(touched.back());
}
TEST(KeptJoints, are_looked_for_again_while_something_touches) {
  check_touch<Dim2>();
  check_touch<Dim3>();
}

// One that breaks is gone from the net in the next step.
template <class D>
void check_break() {
  Net<D> net;
  for (int i = 0; i < 3; ++i) net.step();
  net.pin(5 * k_side + 5, 6 * k_side + 5, 50);  // which hangs on it
  net.pin(8 * k_side + 8, 9 * k_side + 9);      // which gets its row
  int steps = 0;
  while (net.world.broken().empty() && steps++ < 60) net.step();
  EXPECT_EQ(net.world.broken().size(), 1u);
  for (int i = 0; i < 3; ++i) net.step();
  EXPECT_EQ(net.world.joints().size(), net.pins.size() + 1);
}
TEST(KeptJoints, break) {
  check_break<Dim2>();
  check_break<Dim3>();
}

// Turns are counted now and then while bodies turn slowly, and in every step if they do not.
template <class D>
void check_turns(const typename D::Ang& unit) {
  WorldDef<D> def;
  def.gravity = {};
  World<D> world(def);
  const BodyId a = world.create({.shapes = {Knot<D>::shape(0.5)}}),
               b = world.create({.shapes = {Knot<D>::shape(0.5)}});
  world.set_exempt(a, b, true);
  const JointId hinge = world.create(HingeDef<D>{.a = a, .b = b});
  double angle = 0;
  for (const double speed : {2.5, -2.5, 0.3, 50., -90., 1., 0.}) {  // [rad/s]
    world.set_velocity(a, {{}, -speed * unit});
    world.set_velocity(b, {{}, speed * unit});
    for (int i = 0; i < 150; ++i) {
      world.step(k_h);
      angle += 2 * speed * k_h;
      ASSERT_NEAR(world.coordinate(hinge, 0).position, angle, 1e-3 + 1e-5 * absolute(angle))
          << speed << ", " << i;
    }
  }
}
TEST(KeptJoints, count_their_turns) {
  check_turns<Dim2>(1);
  check_turns<Dim3>({0, 0, 1});
}

}  // namespace
}  // namespace cairn
