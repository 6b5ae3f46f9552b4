// Saving and going back: whatever is done to a world after a save, restored it goes on as it did the first time, bit by
// bit and in everything that can be seen.
#include <gtest/gtest.h>

#include "busy_world.h"

namespace cairn {
namespace {

using busy::Print;

constexpr double k_h = 1.0 / 60;

template <class D>
void advance(World<D>& world, int k) {
  busy::act(world, k);
  const StepReport<D>& report = world.step(k_h);
  ASSERT_NE(report.status, StepStatus::refused) << report.message;
}
template <class D>
WorldDef<D> settings(BroadPhase method = BroadPhase::tree, int threads = 1) {
  return {
      .broad_phase = method, .events = {.persist = true}, .threads = threads, .accounting = Accounting::full};
}

// A run of some steps, with what was seen after each, and the state before each.
template <class D>
struct Record {
  World<D> world;
  std::vector<WorldState<D>> states;
  std::vector<Print> seen;
  explicit Record(int steps, BroadPhase method = BroadPhase::tree) : world(settings<D>(method)) {
    busy::build(world);
    for (int k = 0; k < steps; ++k) {
      states.push_back(world.save());
      advance(world, k);
      seen.push_back(busy::print_of(world));
    }
  }
  // Is `other` at this step the same from here on?
  void expect_same_from(World<D>& other, int from, int steps) const {
    if (from > 0) {
      EXPECT_EQ(busy::print_of(other), seen[std::size_t(from) - 1]) << "when restored, at " << from;
    }
    for (int k = from; k < std::min(from + steps, int(seen.size())); ++k) {
      advance(other, k);
      const Print now = busy::print_of(other);
      ASSERT_EQ(now.words.size(), seen[std::size_t(k)].words.size()) << "from " << from << ", at " << k;
      ASSERT_EQ(now, seen[std::size_t(k)]) << "from " << from << ", at " << k;
    }
  }
};

// The test is worth something only if all this happens in it.
template <class D>
void expect_busy(Record<D>& run) {
  std::size_t broken = 0, held_back = 0, events = 0, touching = 0, recycled = 0;
  run.world.restore(run.states[0]);
  for (int k = 0; k < int(run.seen.size()); ++k) {
    advance(run.world, k);
    broken += run.world.broken().size();
    held_back += run.world.report().collision.held_back;
    events += run.world.events().size();
    touching = std::max(touching, run.world.report().collision.touching);
    recycled += run.world.report().collision.recycled;
  }
  EXPECT_GT(broken, 0u);
  EXPECT_GT(held_back, 0u);
  EXPECT_GT(events, 1000u);
  EXPECT_GT(touching, 30u);
  EXPECT_GT(recycled, 50u);
  EXPECT_GT(run.world.joints().size(), 4u);
}

template <class D>
void check_back_and_on() {
  Record<D> run(100);
  expect_busy(run);
  busy::Random random(3);
  for (int i = 0; i < 12; ++i) {
    const int from = int(random.below(run.states.size()));
    run.world.restore(run.states[std::size_t(from)]);
    run.expect_same_from(run.world, from, 12);
  }
  run.world.restore(run.states[0]);
  run.expect_same_from(run.world, 0, 100);
}
TEST(Save, goes_on_as_it_did_in_2d) { check_back_and_on<Dim2>(); }
TEST(Save, goes_on_as_it_did_in_3d) { check_back_and_on<Dim3>(); }

// The other world was never there: nothing that matters is left behind in threads or scratch.
template <class D>
void check_elsewhere() {
  const Record<D> run(60);
  for (const int threads : {1, 2}) {
    World<D> other(settings<D>(BroadPhase::tree, threads));
    for (const int from : {35, 10}) {
      other.restore(run.states[std::size_t(from)]);
      run.expect_same_from(other, from, 25);
    }
  }
  World<D> crowded(
      {.gravity = {}, .length_scale = 0.3, .broad_phase = BroadPhase::sweep_and_prune, .threads = 2});
  busy::build(crowded, 80);
  for (int k = 0; k < 10; ++k) advance(crowded, 100 + k);
  crowded.restore(run.states[20]);
  run.expect_same_from(crowded, 20, 20);
}
TEST(Save, can_be_restored_in_another_world) {
  check_elsewhere<Dim2>();
  check_elsewhere<Dim3>();
}

TEST(Save, works_with_every_broad_phase) {
  for (const BroadPhase method : {BroadPhase::sweep_and_prune, BroadPhase::brute_force}) {
    Record<Dim3> run(40, method);
    for (const int from : {30, 7, 18}) {
      run.world.restore(run.states[std::size_t(from)]);
      run.expect_same_from(run.world, from, 10);
    }
  }
}

TEST(Save, knows_of_what_is_pending) {
  World2 world;
  const BodyId body = world.create({.shapes = {Circle{}}});
  world.apply_force(body, {500, 0});
  world.apply_torque(body, 70);
  world.set_exempt(body, world.background(), true);
  const WorldState2 state = world.save();
  world.step(k_h);
  const std::uint64_t hash = world.state_hash();
  EXPECT_GT(world.velocity(body).linear.x, 0);
  world.set_exempt(body, world.background(), false);
  world.restore(state);
  EXPECT_EQ(world.time(), 0);
  EXPECT_EQ(world.velocity(body).linear.x, 0);
  EXPECT_TRUE(world.is_exempt(body, world.background()));
  world.step(k_h);
  EXPECT_EQ(world.state_hash(), hash);
}

// A step that was refused leaves pairs and boxes half way.
TEST(Save, goes_on_after_a_step_that_was_refused) {
  const auto play = [](bool saves) {
    World3 world(settings<Dim3>());
    busy::build(world);
    std::vector<Print> seen;
    for (int k = 0; k < 20; ++k) {
      if (k == 8) {
        world.set_contact_hook([](const Contact3&) -> ContactDecision { throw std::bad_alloc(); });
        EXPECT_EQ(world.step(k_h).status, StepStatus::refused);
        world.set_contact_hook({});
        if (saves) {
          const WorldState3 state = world.save();
          for (int i = 0; i < 3; ++i) advance(world, i);
          world.restore(state);
          EXPECT_EQ(world.report().status, StepStatus::refused);
        }
      }
      advance(world, k);
      seen.push_back(busy::print_of(world));
    }
    return seen;
  };
  EXPECT_EQ(play(true), play(false));
}

// ----------------------------------------------------------------------------------------- the state as a value

TEST(Save, is_a_value_that_needs_no_world) {
  WorldState3 kept, copy;
  EXPECT_TRUE(kept.empty());
  std::vector<Print> seen;
  {
    Record<Dim3> run(20);
    kept = run.states[12];
    copy = kept;
    seen = run.seen;
    EXPECT_EQ(kept.time(), run.states[12].time());
    EXPECT_NEAR(kept.time(), 12 * k_h, 1e-12);
  }
  WorldState3 moved = std::move(kept);
  World3 world;
  for (const WorldState3* state : {&moved, &copy}) {
    world.restore(*state);
    for (int k = 12; k < 20; ++k) {
      advance(world, k);
      ASSERT_EQ(busy::print_of(world), seen[std::size_t(k)]);
    }
  }
}

TEST(Save, does_not_follow_what_is_changed_later) {
  World3 world;
  const BodyId body = world.create(
      {.name = "before", .shapes = {{Box3{}, {.material = {.static_friction = 0.7}}}}, .user_data = 3});
  const JointId joint = world.create(HingeDef3{.a = world.background(), .b = body});
  const WorldState3 state = world.save();
  world.set_user_data(body, 4);
  world.set_material({body, 0}, {.static_friction = 0.1, .kinetic_friction = 0.1});
  world.set_filter({body, 0}, {.mask = 0});
  world.set_axis(joint, 0, {.friction = 5});
  world.set_gravity({});
  world.set_method({.integrator = RungeKutta4{}});
  const WorldState3 changed = world.save();
  world.set_shapes(body, {Sphere{}, Sphere{}});
  world.set_motion(body, Motion::kinematic);
  world.restore(changed);
  EXPECT_EQ(world.user_data(body), 4u);
  EXPECT_EQ(world.shapes(body).size(), 1u);
  EXPECT_EQ(world.motion(body), Motion::dynamic);
  EXPECT_EQ(world.axis(joint, 0).friction, 5);
  world.restore(state);
  EXPECT_EQ(world.user_data(body), 3u);
  EXPECT_EQ(world.name(body), "before");
  EXPECT_EQ(world.shapes(body)[0].material.static_friction, 0.7);
  EXPECT_EQ(world.shapes(body)[0].filter.mask, Filter{}.mask);
  EXPECT_EQ(world.axis(joint, 0).friction, 0);
  EXPECT_EQ(world.gravity().z, Dim3::k_gravity.z);
  EXPECT_TRUE(std::holds_alternative<SemiImplicitEuler>(world.method().integrator));
}

TEST(Save, refuses_a_state_of_no_world) {
  World2 world;
  const BodyId body = world.create({.shapes = {Circle{}}});
  try {
    world.restore({});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("save()"), std::string::npos) << e.what();
  }
  EXPECT_TRUE(world.contains(body));
  EXPECT_EQ(WorldState2{}.time(), 0);
}

TEST(Save, leaves_hooks_with_the_program) {
  const auto pile = [](World3& world) {
    world.create({.motion = Motion::fixed, .shapes = {Plane{}}});
    return world.create({.position = {0, 0, 0.45}, .shapes = {Sphere{}}});
  };
  int asked = 0, other_asked = 0;
  World3 world, other;
  const BodyId ball = pile(world);
  world.set_contact_hook([&](const Contact3&) { return ++asked, ContactDecision{}; });
  const WorldState3 state = world.save();
  other.set_contact_hook([&](const Contact3&) { return ++other_asked, ContactDecision{.keep = false}; });
  other.restore(state);
  other.step(k_h);
  EXPECT_EQ(other_asked, 1);
  EXPECT_EQ(asked, 0);
  EXPECT_LT(other.velocity(ball).linear.z, -0.1);  // falls through
  world.set_contact_hook({});
  world.restore(state);  // does not bring it back
  world.step(k_h);
  EXPECT_EQ(asked, 0);
  EXPECT_GT(world.velocity(ball).linear.z, -0.1);
}

// docs/guide/saving.md
TEST(Save, does_what_the_guide_shows) {
  World3 world;
  const BodyId ball = world.create({.shapes = {Sphere{.radius = 0.1}}});
  world.step(1.0 / 60);
  const double height = world.pose(ball).position.z;
  const WorldState3 before = world.save();
  world.apply_impulse(ball, {0, 0, 5});
  for (int i = 0; i < 60; ++i) world.step(1.0 / 60);
  const bool good = world.pose(ball).position.z > 1;
  if (!good) world.restore(before);  // as if it had never happened
  EXPECT_FALSE(good);
  EXPECT_EQ(world.pose(ball).position.z, height);

  World3 ahead({.threads = 1});
  ahead.restore(world.save());
  for (int i = 0; i < 300; ++i) ahead.step(1.0 / 60);
  const Vec3 later = ahead.pose(ball).position;
  for (int i = 0; i < 300; ++i) world.step(1.0 / 60);
  EXPECT_EQ(world.pose(ball).position, later);
}

// ------------------------------------------------------------------------------------------------------- ids

TEST(SaveIds, that_were_valid_are_so_again_and_later_ones_never) {
  World2 world;
  const auto ball = [&] { return world.create({.shapes = {Circle{}}}); };
  const auto hold = [&](BodyId body) { return world.create(HingeDef2{.a = world.background(), .b = body}); };
  const auto pull = [&](BodyId body) {
    return world.create(SpringDef2{.a = world.background(), .b = body, .stiffness = 1});
  };
  const BodyId a = ball(), gone = ball();
  const JointId joint_a = hold(a);
  const ForceId spring_a = pull(a);
  world.destroy(gone);  // its slot is free when the state is saved
  const WorldState2 state = world.save();

  std::vector<BodyId> later;
  std::vector<JointId> later_joints;
  std::vector<ForceId> later_springs;
  const auto make = [&] {
    for (int i = 0; i < 3; ++i) {
      later.push_back(ball());
      later_joints.push_back(hold(later.back()));
      later_springs.push_back(pull(later.back()));
    }
    world.destroy(a);  // and its slot is given to another one
    later.push_back(ball());
    later_joints.push_back(hold(later.back()));
    later_springs.push_back(pull(later.back()));
    EXPECT_EQ(later.back().index(), a.index());
  };
  std::vector<std::uint32_t> slots;
  for (int round = 0; round < 4; ++round) {
    world.restore(state);
    EXPECT_TRUE(world.contains(a) && world.contains(joint_a) && world.contains(spring_a));
    EXPECT_FALSE(world.contains(gone));
    for (const BodyId id : later) EXPECT_FALSE(world.contains(id));
    for (const JointId id : later_joints) EXPECT_FALSE(world.contains(id));
    for (const ForceId id : later_springs) EXPECT_FALSE(world.contains(id));
    const std::size_t before = later.size();
    make();
    for (std::size_t i = 0; i < later.size(); ++i) {
      EXPECT_EQ(world.contains(later[i]), i >= before);
      EXPECT_EQ(world.contains(later_joints[i]), i >= before);
      EXPECT_EQ(world.contains(later_springs[i]), i >= before);
      if (i >= before) {
        EXPECT_EQ(later[i].index(), later[i - before].index()) << "the slots are the same";
      }
    }
    EXPECT_FALSE(world.contains(a) || world.contains(joint_a) || world.contains(spring_a));
  }
}

TEST(SaveIds, of_a_state_are_valid_in_every_world_that_restores_it) {
  World2 world, other;
  const BodyId a = world.create({.name = "a", .shapes = {Circle{}}});
  const BodyId own = other.create({.name = "own", .shapes = {Circle{}}});
  EXPECT_FALSE(other.contains(a));
  other.restore(world.save());
  EXPECT_EQ(other.name(a), "a");
  EXPECT_EQ(other.background(), world.background());
  try {
    other.name(own);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("another world"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace cairn
