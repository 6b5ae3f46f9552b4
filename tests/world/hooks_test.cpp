// Hooks that throw: the step goes on without them, says so, and does so for any number of threads.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace cairn {
namespace {

constexpr double k_h = 1.0 / 60;

BodyDef2 ball_at(const Vec2& at) { return {.position = at, .shapes = {Circle{.radius = 0.5}}}; }
BodyDef3 ball_at(const Vec3& at) { return {.position = at, .shapes = {Sphere{.radius = 0.5}}}; }
BodyDef2 floor_of(Dim2) {
  return {.motion = Motion::fixed, .position = {0, -1}, .shapes = {Box2{.half = {50, 1}}}};
}
BodyDef3 floor_of(Dim3) {
  return {.motion = Motion::fixed, .position = {0, 0, -1}, .shapes = {Box3{.half = {50, 50, 1}}}};
}
Vec2 up(Dim2, double x, double height) { return {x, height}; }
Vec3 up(Dim3, double x, double height) { return {x, 0, height}; }

// A floor and twelve balls that fall on it and on each other, in the way of a fast one.
template <class D>
World<D> falling_balls(int threads) {
  WorldDef<D> def;
  def.threads = threads;
  World<D> world(def);
  world.create(floor_of(D{}));
  for (int i = 0; i < 12; ++i) world.create(ball_at(up(D{}, 0.8 * (i % 4), 0.55 + i / 4)));
  BodyDef<D> fast = ball_at(up(D{}, -20, 0.6));
  fast.velocity = up(D{}, 900, 0);
  world.create(fast);
  return world;
}

template <class D>
void goes_on_without_a_pair_filter_that_throws() {
  for (const int threads : {1, 2}) {
    World<D> world = falling_balls<D>(threads), plain = falling_balls<D>(threads);
    world.set_pair_filter([](ShapeRef, ShapeRef) -> bool { throw std::runtime_error("no idea"); });
    for (int i = 0; i < 30; ++i) {
      const StepReport<D>& step = world.step(k_h);
      plain.step(k_h);
      EXPECT_EQ(step.status == StepStatus::hook_failed, step.collision.hook_failures > 0);
      if (i == 0) {
        EXPECT_GT(step.collision.hook_failures, 4u);
        EXPECT_EQ(step.collision.hook_message, "no idea");
        EXPECT_NE(step.message.find("no idea"), std::string::npos) << step.message;
      }
      EXPECT_EQ(world.state_hash(), plain.state_hash()) << i;
      EXPECT_EQ(world.contacts().size(), plain.contacts().size());
      EXPECT_EQ(world.events().size(), plain.events().size());
    }
    world.set_pair_filter({});
    EXPECT_EQ(world.step(k_h).status, StepStatus::good);
  }
}
TEST(PairFilter, that_throws_lets_them_meet) {
  goes_on_without_a_pair_filter_that_throws<Dim2>();
  goes_on_without_a_pair_filter_that_throws<Dim3>();
}

// For every third contact it throws: those are kept as they are, and the others get what it says.
template <class D>
void throws_for_some(bool nonsense) {
  std::uint64_t hashes[2];
  std::size_t failures[2] = {};
  std::string messages[2];
  for (const int threads : {1, 2}) {
    World<D> world = falling_balls<D>(threads), silent = falling_balls<D>(threads);
    const Material ice{.static_friction = 0, .kinetic_friction = 0};
    const auto is_third = [](const Contact<D>& c) { return (c.a.body.index() + c.b.body.index()) % 3 == 0; };
    world.set_contact_hook([&](const Contact<D>& c) -> ContactDecision {
      if (!is_third(c)) return {.material = ice};
      if (nonsense) return {.keep = false, .material = Material{.kinetic_friction = -1}};
      throw std::runtime_error("lost my mind over " + std::to_string(c.b.body.index()));
    });
    silent.set_contact_hook([&](const Contact<D>& c) -> ContactDecision {
      if (is_third(c)) return {};
      return {.material = ice};
    });
    std::string& first = messages[threads - 1];
    for (int i = 0; i < 30; ++i) {
      const StepReport<D>& step = world.step(k_h);
      EXPECT_EQ(silent.step(k_h).status, StepStatus::good);
      failures[threads - 1] += step.collision.hook_failures;
      if (first.empty()) first = step.collision.hook_message;
      EXPECT_EQ(world.state_hash(), silent.state_hash()) << i;
    }
    EXPECT_GT(failures[threads - 1], 10u);
    EXPECT_NE(first.find(nonsense ? "kinetic_friction" : "lost my mind"), std::string::npos) << first;
    hashes[threads - 1] = world.state_hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(failures[0], failures[1]);
  EXPECT_EQ(messages[0], messages[1]);
}
TEST(ContactHook, that_throws_leaves_the_contact_as_it_is) {
  throws_for_some<Dim2>(false);
  throws_for_some<Dim3>(false);
}
TEST(ContactHook, with_a_material_that_cannot_be_leaves_the_contact_as_it_is) {
  throws_for_some<Dim2>(true);
  throws_for_some<Dim3>(true);
}

// Asked about an impact that a fast body would pass through, it throws: the body is held back, and the step says so.
TEST(ContactHook, that_throws_over_an_impact_does_not_let_the_body_through) {
  World3 world;
  world.create({.motion = Motion::fixed, .shapes = {Box3{.half = {0.01, 5, 5}}}});
  const BodyId shot =
      world.create({.position = {-10, 0, 0}, .velocity = {3000, 0, 0}, .shapes = {Sphere{.radius = 0.1}}});
  world.set_contact_hook([](const Contact3&) -> ContactDecision { throw 42; });
  const StepReport3& step = world.step(k_h);
  EXPECT_EQ(step.status, StepStatus::hook_failed);
  EXPECT_EQ(step.collision.held_back, 1u);
  EXPECT_GE(step.collision.hook_failures, 1u);
  EXPECT_EQ(step.collision.hook_message, "an unknown exception");
  EXPECT_LT(world.center(shot).x, 0);
}

// Memory that runs out in a hook is memory that runs out.
TEST(ContactHook, that_runs_out_of_memory_refuses_the_step) {
  World3 world = falling_balls<Dim3>(1), plain = falling_balls<Dim3>(1);
  const std::uint64_t before = world.state_hash();
  world.set_contact_hook([](const Contact3&) -> ContactDecision { throw std::bad_alloc(); });
  EXPECT_EQ(world.step(k_h).status, StepStatus::refused);
  EXPECT_EQ(world.state_hash(), before);
  EXPECT_TRUE(world.events().empty());
  world.set_contact_hook({});
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(world.step(k_h).status, StepStatus::good);
    plain.step(k_h);
    EXPECT_EQ(world.state_hash(), plain.state_hash()) << i;
    EXPECT_EQ(world.events().size(), plain.events().size()) << i;
  }
}

}  // namespace
}  // namespace cairn
