// A step in which nothing new happens takes no memory: everything it needs is there from the steps before.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include "allocations.h"

namespace cairn {
namespace {

template <class D>
struct Things;
template <>
struct Things<Dim2> {
  static Shape2 ground() { return Box2{.half = {40, 1}}; }
  static Shape2 box() { return Box2{.half = {0.3, 0.2}}; }
  static Shape2 ball() { return Circle{.radius = 0.2}; }
  static Vec2 at(double x, double up) { return {x, up}; }
};
template <>
struct Things<Dim3> {
  static Shape3 ground() { return Box3{.half = {40, 40, 1}}; }
  static Shape3 box() { return Box3{.half = {0.3, 0.25, 0.2}}; }
  static Shape3 ball() { return Sphere{.radius = 0.2}; }
  static Vec3 at(double x, double up) { return {x, 0, up}; }
};

// A wall, chains that lie and swing, balls that roll and one that is fast.
template <class D>
World<D> lively_world(const WorldDef<D>& def) {
  using T = Things<D>;
  World<D> world(def);
  world.create({.motion = Motion::fixed, .position = T::at(0, -1), .shapes = {T::ground()}});
  for (int i = 0; i < 10; ++i)
    for (int k = 0; k < 6; ++k)
      world.create({.position = T::at(0.7 * i + 0.35 * (k % 2), 0.2 + 0.4 * k), .shapes = {T::box()}});
  for (int chain = 0; chain < 3; ++chain) {
    BodyId last = chain == 0 ? world.background() : BodyId{};
    for (int i = 0; i < 6; ++i) {
      const double x = -20 + 0.7 * i, up = chain == 0 ? 8 : 0.2 + chain;
      const BodyId link = world.create({.position = T::at(x, up), .shapes = {T::box()}});
      if (last)
        world.create(HingeDef<D>{.a = last,
                                 .b = link,
                                 .frame = {.origin = T::at(x - 0.35, up)},
                                 .limits = Limits{.min = -1, .max = 1}});
      last = link;
    }
  }
  for (int i = 0; i < 4; ++i)
    world.create(
        {.position = T::at(10 + i, 0.2), .velocity = T::at(1, 0) - T::at(0, 0), .shapes = {T::ball()}});
  world.create({.position = T::at(-35, 30), .velocity = T::at(60, 0) - T::at(0, 0), .shapes = {T::ball()}});
  return world;
}

template <class D>
class Steady : public testing::Test {};
using Dimensions = testing::Types<Dim2, Dim3>;
TYPED_TEST_SUITE(Steady, Dimensions);

// What steps after a while take, on 1 and 2 threads; `prepare` adds to a lively world, and `check` sees the report of the last.
template <class D, class Prepare, class Check>
void expect_no_memory_taken(Prepare&& prepare, Check&& check) {
#ifdef CAIRN_VALIDATE
  GTEST_SKIP() << "proving invariants takes memory";
#endif
  for (const int threads : {1, 2}) {
    WorldDef<D> def;
    def.threads = threads;
    World<D> world = lively_world<D>(def);
    prepare(world);
    for (int i = 0; i < 240; ++i) world.step(1.0 / 60);
    allocations::allow(1'000'000);
    for (int i = 0; i < 30; ++i) world.step(1.0 / 60);
    const std::size_t taken = allocations::bytes_taken();
    allocations::allow(-1);
    EXPECT_EQ(taken, 0u) << threads << " threads";
    check(world.report());
  }
}

TYPED_TEST(Steady, steps_take_no_memory) {
  expect_no_memory_taken<TypeParam>([](World<TypeParam>&) {}, [](const StepReport<TypeParam>&) {});
}

// A light chain that carries a heavy thing takes more substeps than the wall beside it.
TYPED_TEST(Steady, steps_take_no_memory_if_islands_take_different_substeps) {
  using T = Things<TypeParam>;
  expect_no_memory_taken<TypeParam>(
      [](World<TypeParam>& world) {
        BodyId last = world.background();
        for (int i = 0; i < 6; ++i) {
          const double up = 12 - 0.4 * i;
          const BodyId link =
              world.create({.position = T::at(25, up), .shapes = {T::ball()}, .mass = i < 5 ? 1. : 1000.});
          world.create(HingeDef<TypeParam>{.a = last, .b = link, .frame = {.origin = T::at(25, up + 0.2)}});
          last = link;
        }
      },
      [](const StepReport<TypeParam>& report) { EXPECT_GT(report.solve.substeps, SoftStep{}.substeps); });
}

}  // namespace
}  // namespace cairn
