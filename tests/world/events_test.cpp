// What a world tells about contacts.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

namespace cairn {
namespace {

constexpr double k_h = 0.01;

std::vector<EventKind> kinds(const World3& world) {
  std::vector<EventKind> list;
  for (const ContactEvent3& e : world.events()) list.push_back(e.kind);
  return list;
}

// A kinematic ball that flies along x through one at the origin that cannot move: they meet, and nothing pushes them
// apart. They overlap while |x| < 1: from step 51 to step 250 or so.
struct FlyThrough {
  explicit FlyThrough(WorldDef3 def = {}, ShapeOptions3 options = {}) : world(prepared(def)) {
    target = world.create({.shapes = {{Sphere{.radius = 0.5}, options}},
                           .locks = {.translation = {true, true, true}, .rotation = {true, true, true}}});
    ball = world.create({.motion = Motion::kinematic,
                         .position = {-1.505, 0, 0},
                         .velocity = {1, 0, 0},
                         .shapes = {Sphere{.radius = 0.5}}});
  }
  static WorldDef3 prepared(WorldDef3 def) {
    def.gravity = {};
    return def;
  }
  void run_to(double x) {
    while (world.center(ball).x < x) {
      world.step(k_h);
      for (const ContactEvent3& e : world.events()) all.push_back(e);
    }
  }
  World3 world;
  BodyId target, ball;
  std::vector<ContactEvent3> all;
};

TEST(Events, tell_when_contacts_begin_and_end) {
  FlyThrough scene;
  scene.run_to(2);
  ASSERT_EQ(scene.all.size(), 2u);
  const ContactEvent3 &begin = scene.all[0], &end = scene.all[1];
  EXPECT_EQ(begin.kind, EventKind::begin);
  EXPECT_EQ(begin.a, (ShapeRef{scene.target, 0}));
  EXPECT_EQ(begin.b, (ShapeRef{scene.ball, 0}));
  EXPECT_NEAR(begin.time, 0.51, 1e-9);  // at x = −0.995, the first place closer than 1
  EXPECT_NEAR(begin.depth, 0.005, 1e-9);
  EXPECT_NEAR(begin.normal.x, -1, 1e-12);
  EXPECT_NEAR(begin.point.x, -0.4975, 1e-9);
  EXPECT_EQ(begin.velocity_a, Vec3{});
  EXPECT_EQ(begin.velocity_b, (Vec3{1, 0, 0}));
  EXPECT_EQ(begin.impulse, 0);
  EXPECT_EQ(end.kind, EventKind::end);
  EXPECT_NEAR(end.time, 2.51, 1e-9);
  EXPECT_NEAR(end.depth, 0.005, 1e-9);  // as they last touched, at x = 0.995
  EXPECT_NEAR(end.point.x, 0.4975, 1e-9);
  EXPECT_EQ(end.velocity_b, (Vec3{1, 0, 0}));
}

TEST(Events, tell_what_persists_only_if_asked) {
  FlyThrough scene({.events = {.persist = true}});
  scene.run_to(2);
  std::size_t persisting = 0;
  for (const ContactEvent3& e : scene.all) persisting += e.kind == EventKind::persist;
  EXPECT_EQ(persisting, 199u);
  EXPECT_EQ(scene.all.size(), 201u);
}

TEST(Events, call_fast_contacts_hits) {
  for (const double limit : {0.99, 1.01}) {
    FlyThrough scene({.events = {.hit_speed = limit}});
    scene.run_to(2);
    std::size_t hits = 0;
    for (const ContactEvent3& e : scene.all) hits += e.kind == EventKind::hit;
    EXPECT_EQ(hits, limit < 1 ? 1u : 0u);
  }
}

TEST(Events, of_sensors_are_their_own) {
  FlyThrough scene({}, {.sensor = true});
  scene.run_to(2);
  ASSERT_EQ(scene.all.size(), 2u);
  EXPECT_EQ(scene.all[0].kind, EventKind::sensor_begin);
  EXPECT_NEAR(scene.all[0].time, 0.51, 1e-9);
  EXPECT_EQ(scene.all[1].kind, EventKind::sensor_end);
  EXPECT_TRUE(scene.world.contacts().empty());
}

TEST(Events, of_sensors_notice_what_cannot_be_pushed) {
  World3 world({.gravity = {}});
  world.create({.motion = Motion::fixed, .shapes = {{Box3{}, {.sensor = true}}}});
  world.create({.motion = Motion::kinematic, .shapes = {Sphere{}}});
  world.create({.motion = Motion::fixed, .shapes = {Sphere{}}});  // never moves: no news
  world.create(
      {.motion = Motion::dynamic, .shapes = {{Sphere{}, {.sensor = true}}}});  // sensors ignore each other
  world.step(k_h);
  std::size_t of_the_box = 0;
  for (const ContactEvent3& e : world.events()) of_the_box += e.a.body.index() == 1;
  EXPECT_EQ(of_the_box, 1u);
}

TEST(Events, end_with_a_body_that_is_destroyed_or_jumps) {
  for (const bool destroy : {true, false}) {
    FlyThrough scene;
    scene.run_to(0);
    if (destroy)
      scene.world.destroy(scene.ball);
    else
      scene.world.set_pose(scene.ball, {{50, 0, 0}, {}});
    scene.world.step(k_h);
    EXPECT_EQ(kinds(scene.world), std::vector{EventKind::end});
    EXPECT_EQ(scene.world.events()[0].b.body, scene.ball);
    scene.world.step(k_h);
    EXPECT_TRUE(scene.world.events().empty());
  }
}

TEST(Events, tell_a_body_from_one_that_takes_its_place) {
  FlyThrough scene;
  scene.run_to(0);
  const Vec3 place = scene.world.center(scene.ball);
  scene.world.destroy(scene.ball);
  const BodyId other =
      scene.world.create({.motion = Motion::kinematic, .position = place, .shapes = {Sphere{.radius = 0.5}}});
  EXPECT_EQ(other.index(), scene.ball.index());
  scene.world.step(k_h);
  ASSERT_EQ(scene.world.events().size(), 2u);
  for (const ContactEvent3& e : scene.world.events())
    EXPECT_EQ(e.b.body, e.kind == EventKind::end ? scene.ball : other);
  scene.world.step(k_h);
  EXPECT_TRUE(scene.world.events().empty());
}

TEST(Events, tell_of_strong_contacts_in_every_step) {
  World3 world({.events = {.hit_impulse = 1}});
  world.create({.motion = Motion::fixed, .shapes = {Box3{.half = {5, 5, 0.5}}}});
  world.create({.position = {0, 0, 1}, .shapes = {Box3{}}, .mass = 100});
  for (int i = 0; i < 50; ++i) world.step(k_h);
  EXPECT_EQ(kinds(world), std::vector{EventKind::hit});
}

TEST(Events, of_a_compound_are_those_of_the_whole) {
  World3 world({.gravity = {}, .events = {.persist = true}});
  world.create({.shapes = {Box3{.half = {10, 10, 1}}},
                .locks = {.translation = {true, true, true}, .rotation = {true, true, true}}});
  Compound3 row;
  for (int i = 0; i < 5; ++i) row.parts.push_back({Sphere{.radius = 0.5}, {1.2 * i, 0, 0.01 * i}, {}});
  const BodyId body = world.create({.motion = Motion::kinematic,
                                    .position = {0, 0, 1.495},
                                    .velocity = {0, 0, -1},
                                    .shapes = {row, Sphere{}}});
  std::vector<ContactEvent3> all;
  for (int i = 0; i < 10; ++i) {
    world.step(k_h);
    all.insert(all.end(), world.events().begin(), world.events().end());
  }
  EXPECT_GE(world.report().collision.touching, 5u);
  std::size_t begins = 0;
  for (const ContactEvent3& e : all) begins += e.kind == EventKind::begin;
  EXPECT_EQ(begins, 2u);  // of the compound and of the sphere
  EXPECT_EQ(world.events().size(), 2u);
  for (const ContactEvent3& e : world.events()) EXPECT_EQ(e.b.body, body);
  EXPECT_NEAR(world.events()[0].depth, 0.005 + 0.09, 1e-9);  // the deepest part's
}

}  // namespace
}  // namespace cairn
