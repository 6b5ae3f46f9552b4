// Slots whose generations are spent, in a world that went back to a time when they were not: what is created next comes
// several slots behind the last one.
#include <gtest/gtest.h>

#include "private_members.h"
#include "world/validate.h"

namespace cairn {

namespace rob {
CAIRN_OPEN(JointIds, Joints, ids_, IdPool<JointTag>)
CAIRN_OPEN(NewestForces, IdPool<ForceTag>, newest_, std::vector<std::uint32_t>)
CAIRN_OPEN(NewestJoints, IdPool<JointTag>, newest_, std::vector<std::uint32_t>)
}  // namespace rob

namespace {

constexpr std::uint32_t k_last = (1u << BodyId::k_generation_bits) - 1;
constexpr std::uint32_t k_spent = 20;  // slots

// As if all slots up to k_spent, but those that are in use, had had all the tenants they can have.
void spend(std::vector<std::uint32_t>& newest, std::size_t in_use) {
  newest.resize(k_spent, k_last);
  std::fill(newest.begin() + std::ptrdiff_t(in_use), newest.end(), k_last);
}
void spend(World3& world) {
  WorldData<Dim3>& data = data_of(world);
  spend(ids_of(data).*way_to(rob::Newest{}), world.bodies().size() + 1);
  spend(data.joints.*way_to(rob::JointIds{}).*way_to(rob::NewestJoints{}), world.joints().size());
  spend(data.force_ids.*way_to(rob::NewestForces{}), 0);
}

void expect_sound(World3& world) {
  const Faults faults = faults_of(data_of(world));
  EXPECT_TRUE(faults.empty()) << faults.texts()[0];
}

TEST(SpentSlots, are_passed_over_in_a_world_that_went_back) {
  World3 world({.sleep = {.mode = SleepMode::on}});
  const BodyId first = world.create({.position = {0, 0, 5}, .shapes = {Sphere{}}});
  const JointId hinge = world.create(BallDef3{.a = world.background(), .b = first});
  const WorldState3 then = world.save();
  spend(world);
  world.restore(then);

  std::vector<BodyId> bodies;
  for (std::uint32_t i = 0; i < 12; ++i) {
    bodies.push_back(
        world.create({.position = {3. * i, 9, 5}, .shapes = {Sphere{}}, .sleep = {.asleep = i % 2 == 0}}));
    EXPECT_EQ(bodies.back().index(), k_spent + i);
    EXPECT_EQ(world.is_asleep(bodies.back()), i % 2 == 0);
    EXPECT_NEAR(world.center(bodies.back()).x, 3. * i, 1e-12);
    const JointId joint = world.create(BallDef3{.a = first, .b = bodies.back()});
    EXPECT_EQ(joint.index(), k_spent + i);
    EXPECT_EQ(world.joints(bodies.back()), std::vector{joint});
    const ForceId spring = world.create(SpringDef3{.a = first, .b = bodies.back(), .stiffness = 1});
    EXPECT_TRUE(world.contains(spring));
    expect_sound(world);
  }
  EXPECT_TRUE(world.contains(first) && world.contains(hinge));
  // All can wake at once without memory to say so.
  for (const BodyId body : bodies) world.put_to_sleep(body);
  world.set_gravity({0, 0, -1});
  EXPECT_EQ(world.step(1.0 / 60).status, StepStatus::good) << world.report().message;
  expect_sound(world);
}

// Slots that were free then and have been spent since.
TEST(SpentSlots, are_no_longer_free_in_a_world_that_went_back) {
  World3 world;
  std::vector<BodyId> gone;
  for (int i = 0; i < 4; ++i) gone.push_back(world.create({.shapes = {Sphere{}}}));
  const BodyId kept = world.create({.position = {9, 0, 0}, .shapes = {Sphere{}}});
  for (const BodyId body : gone) world.destroy(body);
  const WorldState3 then = world.save();
  std::vector<std::uint32_t>& newest = ids_of(data_of(world)).*way_to(rob::Newest{});
  for (const BodyId body : gone)
    if (body.index() != 2) newest[body.index()] = k_last;
  world.restore(then);
  EXPECT_EQ(world.create({.shapes = {Sphere{}}}).index(), 2u);
  EXPECT_EQ(world.create({.position = {3, 0, 0}, .shapes = {Sphere{}}}).index(), kept.index() + 1);
  EXPECT_TRUE(world.contains(kept));
  expect_sound(world);
}

}  // namespace
}  // namespace cairn
