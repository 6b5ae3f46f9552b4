// What a saved state takes, and that running out of memory while saving or going back changes nothing.
#include <gtest/gtest.h>

#include <limits>

#include "allocations.h"
#include "busy_world.h"

namespace cairn {
namespace {

// f with the n-th allocation failing. Did it?
template <class F>
bool fails_at(std::size_t n, F&& f) {
  allocations::allow(long(n));
  bool failed = false;
  try {
    f();
  } catch (const std::bad_alloc&) {
    failed = true;
  }
  allocations::allow(-1);
  return failed;
}
template <class F>
std::size_t bytes_of(F&& f) {
  allocations::allow(std::numeric_limits<long>::max());
  f();
  const std::size_t bytes = allocations::bytes_taken();
  allocations::allow(-1);
  return bytes;
}

void play(World3& world, int from, int steps) {
  for (int k = from; k < from + steps; ++k) busy::act(world, k), world.step(1.0 / 60);
}

TEST(SaveMemory, restoring_does_all_or_nothing) {
  World3 world;
  busy::build(world, 8);
  play(world, 0, 10);
  const WorldState3 old = world.save();
  play(world, 10, 10);
  const WorldState3 now = world.save();
  const busy::Print seen = busy::print_of(world);
  play(world, 20, 5);
  const busy::Print later = busy::print_of(world);

  std::size_t failures = 0;
  for (std::size_t n = 0;; n += 1 + n / 16) {
    world.restore(now);
    if (!fails_at(n, [&] { world.restore(old); })) break;
    ++failures;
    ASSERT_EQ(busy::print_of(world), seen) << n;
    play(world, 20, 5);
    ASSERT_EQ(busy::print_of(world), later) << n;
  }
  EXPECT_GT(failures, 30u);
  EXPECT_LT(world.time(), 0.2);  // the last one was restored

  failures = 0;
  world.restore(now);
  for (std::size_t n = 0; fails_at(n, [&] { world.save(); }); n += 1 + n / 16) ++failures;
  EXPECT_GT(failures, 30u);
  EXPECT_EQ(busy::print_of(world), seen);
}

// What was prepared so that it cannot fail is so after restoring too: joints that break and bodies that are set aside at
// the end of a step, when it is too late to refuse it.
TEST(SaveMemory, what_cannot_fail_cannot_fail_in_a_restored_world) {
  World2 world({.accounting = Accounting::full});  // which takes memory in every step
  for (int i = 0; i < 40; ++i) {
    const BodyId body = world.create({.position = {3. * i, 0}, .shapes = {Circle{}}});
    world.create(
        HingeDef2{.a = world.background(), .b = body, .frame = {.origin = {3. * i, 0}}, .break_force = 1e5});
  }
  world.step(1.0 / 60);
  EXPECT_EQ(world.joints().size(), 40u);
  const WorldState2 state = world.save();
  const auto breaks_with = [&](long allowed) {
    world.restore(state);
    world.step(1.0 / 60);
    for (const BodyId body : world.bodies()) world.apply_force(body, {0, -1e6});
    allocations::allow(allowed);
    const StepStatus status = world.step(1.0 / 60).status;  // noexcept: would end the program
    allocations::allow(-1);
    EXPECT_EQ(world.broken().size(), status == StepStatus::refused ? 0u : 40u);
    return status == StepStatus::good;
  };
  long needed = 0;
  while (!breaks_with(needed)) ++needed;
  EXPECT_GT(needed, 3);  // it was refused before
  EXPECT_LT(needed, 1000u);
}

TEST(SaveMemory, shapes_are_not_copied) {
  World3 world;
  const HeightField field{
      .columns = 300, .rows = 300, .spacing = {0.1, 0.1}, .heights = std::vector<double>(90000)};
  const BodyId ground = world.create({.motion = Motion::fixed, .shapes = {field}});
  world.step(1.0 / 60);
  EXPECT_LT(bytes_of([&] { world.save(); }), 20000u);
  const WorldState3 state = world.save();
  EXPECT_LT(bytes_of([&] { world.restore(state); }), 20000u);
  EXPECT_LT(bytes_of([&] { const WorldState3 copy = state; }), 20000u);
  EXPECT_GT(bytes_of([&] { world.set_user_data(ground, 1); }),
            90000 * sizeof(double));  // but when it differs
  EXPECT_LT(bytes_of([&] { world.set_user_data(ground, 2); }), 20000u);
}

}  // namespace
}  // namespace cairn
