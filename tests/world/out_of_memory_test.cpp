// Memory that runs out: every allocation of a step, of creating a body and of creating a joint fails once. The world
// stands as it did, and goes on as one that was never touched.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <functional>

#include "allocations.h"

namespace cairn {
namespace {

constexpr double k_h = 1.0 / 60;

// Runs f with room for n allocations. Was that enough?
template <class F>
bool enough(long n, F&& f) {
  allocations::allow(n);
  f();
  const bool was_enough = !allocations::ran_out();
  allocations::allow(-1);
  return was_enough;
}

Vec2 at(Dim2, double x, double up) { return {x, up}; }
Vec3 at(Dim3, double x, double up) { return {x, 0, up}; }
double turning(Dim2, int i) { return 0.5 * i; }
Vec3 turning(Dim3, int i) { return {1, 0.5 * i, 0}; }
Shape2 ground(Dim2) { return Box2{.half = {20, 1}}; }
Shape3 ground(Dim3) { return Box3{.half = {20, 20, 1}}; }
Shape2 cube(Dim2) { return Box2{.half = {0.3, 0.3}}; }
Shape3 cube(Dim3) { return Box3{.half = {0.3, 0.3, 0.3}}; }
Shape2 ball(Dim2) { return Circle{.radius = 0.1}; }
Shape3 ball(Dim3) { return Sphere{.radius = 0.1}; }
Shape2 many_points(Dim2) { return Polygon{.points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}}; }
Shape3 many_points(Dim3) { return Hull{.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
JointDef2 pin(BodyId a, BodyId b, const Vec2& at) {
  return HingeDef2{.a = a, .b = b, .frame = {.origin = at}};
}
JointDef3 pin(BodyId a, BodyId b, const Vec3& at) {
  return BallDef3{.a = a, .b = b, .frame = {.origin = at}};
}

// A pile that is still falling together, a chain that hangs, a spring, a fast ball on its way to the pile. Beside it
// boxes that sleep, and wake when another falls on them.
template <class D>
World<D> busy_world(Accounting accounting, int threads = 1, int sleepers = 0) {
  WorldDef<D> def;
  def.events.persist = true;
  def.accounting = accounting;
  def.threads = threads;
  if (sleepers > 0) def.sleep.mode = SleepMode::on;
  World<D> world(def);
  world.create({.motion = Motion::fixed, .position = at(D{}, 0, -1), .shapes = {ground(D{})}});
  for (int i = 0; i < 8; ++i)
    world.create({.position = at(D{}, 0.3 * (i % 2), 0.3 + 0.62 * i),
                  .angular_velocity = turning(D{}, i),
                  .shapes = {{cube(D{}), {.material = {.restitution = 0.4}}}}});
  BodyId last = world.background();
  for (int i = 0; i < 4; ++i) {
    const BodyId link = world.create({.position = at(D{}, 5 + 0.5 * i, 5), .shapes = {ball(D{})}, .mass = 1});
    world.create(pin(last, link, at(D{}, 4.75 + 0.5 * i, 5)));
    last = link;
  }
  world.create(SpringDef<D>{.a = world.background(), .b = last, .anchor_a = at(D{}, 6, 8), .stiffness = 20});
  world.create({.position = at(D{}, -4, 1), .velocity = at(D{}, 200, 0), .shapes = {ball(D{})}});
  for (int i = 0; i < sleepers; ++i) {
    world.create({.position = at(D{}, -19 + 0.7 * i, 0.3), .shapes = {cube(D{})}, .sleep = {.asleep = true}});
    if (i % 4 == 0) world.create({.position = at(D{}, -19 + 0.7 * i, 1.1), .shapes = {cube(D{})}});
  }
  return world;
}

template <class D>
void expect_same(const World<D>& a, const World<D>& b, long n) {
  ASSERT_EQ(a.state_hash(), b.state_hash()) << n;
  const std::vector<Contact<D>> x = a.contacts(), y = b.contacts();
  ASSERT_EQ(x.size(), y.size()) << n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].touching, y[i].touching) << n;
    ASSERT_EQ(x[i].patches.size(), y[i].patches.size()) << n;
    for (std::size_t p = 0; p < x[i].patches.size(); ++p) {
      ASSERT_EQ(x[i].patches[p].points.size(), y[i].patches[p].points.size()) << n;
      for (std::size_t k = 0; k < x[i].patches[p].points.size(); ++k) {
        EXPECT_EQ(x[i].patches[p].points[k].separation, y[i].patches[p].points[k].separation) << n;
        EXPECT_EQ(x[i].patches[p].points[k].impulse, y[i].patches[p].points[k].impulse) << n;
        EXPECT_EQ(x[i].patches[p].points[k].age, y[i].patches[p].points[k].age) << n;
      }
    }
  }
  ASSERT_EQ(a.events().size(), b.events().size()) << n;
  for (std::size_t i = 0; i < a.events().size(); ++i) {
    EXPECT_EQ(a.events()[i].kind, b.events()[i].kind) << n;
    EXPECT_EQ(a.events()[i].a.body.index(), b.events()[i].a.body.index()) << n;
    EXPECT_EQ(a.events()[i].depth, b.events()[i].depth) << n;
  }
}

// Lets the memory of a step run out after 0, 1, 2, … allocations, of many not `every` one. Returns how often the step was refused.
template <class D>
long refusals(const std::function<World<D>()>& make, int steps, bool every = false) {
  long n = 0, failures = 0;
  for (bool done = false; !done; n += every ? 1 : 1 + n / 8) {
    World<D> world = make(), untouched = make();
    for (int i = 0; i < steps; ++i) world.step(k_h), untouched.step(k_h);
    const auto made = world.report().step;
    done = enough(n, [&] { world.step(k_h); });
    // std::stable_sort tries for memory and does without.
    if (!done && world.report().status == StepStatus::refused) {
      ++failures;
      EXPECT_EQ(world.report().step, made);
      EXPECT_EQ(world.time(), untouched.time());
      expect_same(world, untouched, n);
      EXPECT_EQ(world.step(k_h).status, StepStatus::good) << world.report().message;
    }
    untouched.step(k_h);
    expect_same(world, untouched, n);
    for (int i = 0; i < 10; ++i) world.step(k_h), untouched.step(k_h);
    expect_same(world, untouched, n);
    if (testing::Test::HasFailure())
      ADD_FAILURE() << "after " << steps << " steps, with " << n << " allocations";
    if (testing::Test::HasFailure()) break;
  }
  return failures;
}

TEST(OutOfMemory, in_a_step_leaves_the_previous_state) {
  const auto make = [] { return busy_world<Dim3>(Accounting::full); };
  for (const int steps : {0, 1, 12, 40}) EXPECT_GT(refusals<Dim3>(make, steps), steps == 0 ? 20 : 3) << steps;
}
TEST(OutOfMemory, in_a_step_leaves_the_previous_state_in_the_plane) {
  const auto make = [] { return busy_world<Dim2>(Accounting::full); };
  for (const int steps : {0, 12}) EXPECT_GT(refusals<Dim2>(make, steps), steps == 0 ? 20 : 3) << steps;
}
// Also while bodies wake, which stay awake: at 0.2 s boxes fall on those that sleep.
TEST(OutOfMemory, in_a_step_leaves_who_sleeps_as_if_it_had_not_been_tried) {
  const auto make = [] {
    return busy_world<Dim2>(Accounting::full, 1, 50);
  };  // which takes memory in every step
  for (const int steps : {0, 11, 12}) EXPECT_GT(refusals<Dim2>(make, steps), steps == 0 ? 20 : 3) << steps;
}
TEST(OutOfMemory, on_any_thread_leaves_the_previous_state) {
  const auto make = [] { return busy_world<Dim3>(Accounting::cheap, 2, 50); };
  EXPECT_GT(refusals<Dim3>(make, 0), 20);
}

// Two balls on a rod, thrown at a wall: what they foresaw before a step that is refused is what they foresee when it is repeated,
// also in the one in which they strike. (A fresh world needs memory everywhere.)
template <class D>
void check_flail(int flown) {
  const auto make = [=] {
    World<D> world({.gravity = {}, .accounting = Accounting::full});
    world.create({.motion = Motion::fixed, .position = at(D{}, 4.7, 0), .shapes = {cube(D{})}});
    const auto thrown = [&](double x) {
      return world.create({.position = at(D{}, x, 0.05), .velocity = at(D{}, 60, 0), .shapes = {ball(D{})}});
    };
    const BodyId a = thrown(0), b = thrown(0.5);
    world.create(pin(a, b, at(D{}, 0.25, 0.05)));
    for (int i = 0; i < flown; ++i) world.step(k_h);
    World<D> fresh({.accounting = Accounting::full});
    fresh.restore(world.save());
    return fresh;
  };
  EXPECT_GT(refusals<D>(make, 0, true), 20) << flown;
}
TEST(OutOfMemory, in_a_step_leaves_what_was_foreseen) {
  for (const int flown : {2, 3, 4}) check_flail<Dim2>(flown), check_flail<Dim3>(flown);
}

template <class D>
void check_creation() {
  for (long n = 0;; ++n) {
    World<D> world = busy_world<D>(Accounting::cheap), untouched = busy_world<D>(Accounting::cheap);
    for (int i = 0; i < 5; ++i) world.step(k_h), untouched.step(k_h);
    const std::size_t bodies = world.bodies().size(), joints = world.joints().size();
    const BodyDef<D> def{.name = "a name that is too long to be stored in place, so that it needs memory",
                         .position = at(D{}, 9, 9),
                         .shapes = {many_points(D{}), ball(D{})}};
    BodyId body;
    const bool done = enough(n, [&] {
      try {
        body = world.create(def);
        world.create(pin(world.background(), body, at(D{}, 9, 9)));
      } catch (const std::bad_alloc&) {
      }
    });
    EXPECT_EQ(world.joints().size(), joints + done) << n;
    if (done) break;
    EXPECT_LE(world.bodies().size(), bodies + 1) << n;
    if (body) world.destroy(body);
    EXPECT_EQ(world.bodies().size(), bodies) << n;
    for (int i = 0; i < 5; ++i) world.step(k_h), untouched.step(k_h);
    expect_same(world, untouched, n);
    if (testing::Test::HasFailure()) FAIL() << n;
  }
}
TEST(OutOfMemory, when_something_is_created_changes_nothing) {
  check_creation<Dim2>();
  check_creation<Dim3>();
}

}  // namespace
}  // namespace cairn
