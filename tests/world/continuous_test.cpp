// Fast bodies in a world.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <random>

namespace cairn {
namespace {

constexpr double k_h = 1.0 / 60;

Rot3 random_rotation(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return normalized(Rot3{normal(random), normal(random), normal(random), normal(random)});
}

TEST(Continuous, stops_bullets_of_every_kind_at_a_thin_wall) {
  const Shape3 bullets[] = {Sphere{.radius = 0.01},
                            Box3{.half = {0.01, 0.02, 0.05}},
                            Capsule3{.radius = 0.005, .half_length = 0.05},
                            Cylinder{.radius = 0.01, .half_height = 0.03},
                            Cone{.radius = 0.02, .half_height = 0.03},
                            Hull{.points = {{0, 0, 0}, {0.03, 0, 0}, {0, 0.04, 0}, {0, 0, 0.05}}}};
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> unit(-1, 1);
  Mesh sheet;
  sheet.vertices = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  for (const Shape3& wall : {Shape3{Box3{.half = {5, 5, 0.0005}}}, Shape3{sheet}})
    for (const Shape3& bullet : bullets)
      for (const double speed : {1e1, 1e2, 1e3, 1e4, 1e5}) {
        World3 world({.gravity = {}});
        world.create({.motion = Motion::fixed, .shapes = {wall}});
        const Vec3 from{unit(random), unit(random), 1 + 0.3 * unit(random)};
        const BodyId body =
            world.create({.position = from,
                          .rotation = random_rotation(random),
                          .velocity = {0.3 * speed * unit(random), 0.3 * speed * unit(random), -speed},
                          .angular_velocity = {200 * unit(random), 200 * unit(random), 200 * unit(random)},
                          .shapes = {bullet}});
        for (int i = 0; i < 30; ++i) {
          world.step(k_h);
          const Vec3 p = world.center(body);
          if (absolute(p.x) > 5 || absolute(p.y) > 5) break;  // flew past the wall's rim
          ASSERT_GT(p.z, 0) << "speed " << speed << " step " << i;
        }
      }
}

TEST(Continuous, does_not_touch_the_slow) {
  World3 world({.gravity = {}});
  world.create({.motion = Motion::fixed, .shapes = {Box3{.half = {5, 5, 0.0005}}}});
  const BodyId ball =
      world.create({.position = {0, 0, 1.01}, .velocity = {0, 0, -20}, .shapes = {Sphere{.radius = 1}}});
  const StepReport3& report = world.step(k_h);
  EXPECT_EQ(report.collision.fast, 0u);
  EXPECT_NEAR(world.center(ball).z, 1.0005, 1e-4);  // the contact stopped it
}

TEST(Continuous, lets_the_fast_slide_along_what_they_touch) {
  World3 world({.gravity = {}});
  world.create({.motion = Motion::fixed, .shapes = {Plane{}}});
  const BodyId puck = world.create({.position = {0, 0, 0.05},
                                    .velocity = {300, 0, 0},
                                    .shapes = {Cylinder{.radius = 0.2, .half_height = 0.05}}});
  for (int i = 0; i < 10; ++i) world.step(k_h);
  EXPECT_EQ(world.report().collision.fast, 1u);
  EXPECT_NEAR(world.center(puck).x, 50, 1e-9);
}

// A floor of many triangles and, at x = 20, a thin wall: all one mesh.
Mesh floor_and_wall() {
  Mesh mesh;
  for (int i = 0; i <= 20; ++i)
    for (const double y : {-2.0, 2.0}) mesh.vertices.push_back({double(2 * i), y, 0});
  for (std::uint32_t i = 0; i < 20; ++i) {
    mesh.triangles.push_back({2 * i, 2 * i + 2, 2 * i + 3});
    mesh.triangles.push_back({2 * i, 2 * i + 3, 2 * i + 1});
  }
  mesh.vertices.insert(mesh.vertices.end(), {{20, -2, 2}, {20, 2, 2}});
  mesh.triangles.push_back({20, 42, 43});
  mesh.triangles.push_back({20, 43, 21});
  return mesh;
}

TEST(Continuous, sees_the_wall_beyond_the_floor_it_slides_on) {
  World3 world({.gravity = {}});
  world.create({.motion = Motion::fixed, .shapes = {floor_and_wall()}});
  const BodyId puck = world.create({.position = {1, 0, 0.05},
                                    .velocity = {300, 0, 0},
                                    .angular_velocity = {0, 0, 30},
                                    .shapes = {Cylinder{.radius = 0.2, .half_height = 0.05}}});
  for (int i = 0; i < 3; ++i) world.step(k_h);
  EXPECT_NEAR(world.center(puck).x, 16, 1e-9);  // over seams without stumbling
  double furthest = 0;
  for (int i = 0; i < 20; ++i) {
    world.step(k_h);
    furthest = larger(furthest, world.center(puck).x);
  }
  EXPECT_NEAR(furthest, 19.8, 2e-3);
}

TEST(Continuous, lets_what_comes_from_behind_through_one_sided_ground) {
  World3 world({.gravity = {}});
  world.create(
      {.motion = Motion::fixed,
       .shapes = {HeightField{.columns = 2, .rows = 2, .spacing = {4, 4}, .heights = {0, 0, 0, 0}}}});
  const BodyId up =
      world.create({.position = {1, 2, -1}, .velocity = {0, 0, 200}, .shapes = {Sphere{.radius = 0.05}}});
  const BodyId down =
      world.create({.position = {3, 2, 1}, .velocity = {0, 0, -200}, .shapes = {Sphere{.radius = 0.05}}});
  world.step(k_h);
  EXPECT_NEAR(world.center(up).z, -1 + 200 * k_h, 1e-9);
  EXPECT_NEAR(world.center(down).z, 0.05, 1e-3);
}

TEST(Continuous, bullets_meet_bullets) {
  World3 world({.gravity = {}});
  const BodyId a =
      world.create({.position = {-1, 0, 0}, .velocity = {1000, 0, 0}, .shapes = {Sphere{.radius = 0.01}}});
  const BodyId b = world.create(
      {.position = {1, 0.005, 0}, .velocity = {-3000, 0, 0}, .shapes = {Sphere{.radius = 0.01}}});
  // Passes the place where the two have stopped.
  const BodyId c =
      world.create({.position = {-0.5, -2, 0}, .velocity = {0, 3000, 0}, .shapes = {Sphere{.radius = 0.01}}});
  world.step(1e-3);
  EXPECT_EQ(world.report().collision.held_back, 3u);
  EXPECT_NEAR(world.center(a).x, -0.51, 2e-2);
  EXPECT_GT(world.center(b).x, world.center(a).x);
  EXPECT_LT(length(world.center(a) - world.center(b)), 0.021);
  EXPECT_LT(world.center(c).y, 0);
  EXPECT_LT(length(world.center(a) - world.center(c)), 0.04);
}

TEST(Continuous, asks_the_hook) {
  for (const bool keep : {true, false}) {
    World3 world({.gravity = {}});
    world.create({.motion = Motion::fixed, .shapes = {Box3{.half = {5, 5, 0.0005}}}});
    const BodyId ball =
        world.create({.position = {0, 0, 1}, .velocity = {0, 0, -200}, .shapes = {Sphere{.radius = 0.01}}});
    world.set_contact_hook([&](const Contact3& contact) -> ContactDecision {
      EXPECT_EQ(contact.patches.size(), 1u);
      EXPECT_NEAR(contact.patches[0].normal.z, 1, 1e-9);
      EXPECT_NEAR(contact.patches[0].points[0].point.z, 0.0005, 1e-3);
      return {.keep = keep};
    });
    world.step(k_h);
    EXPECT_EQ(world.center(ball).z > 0, keep);
  }
}

TEST(Continuous, can_be_switched_off_and_filtered) {
  for (const bool off : {true, false}) {
    World3 world({.gravity = {}, .continuous = !off});
    world.create({.motion = Motion::fixed, .shapes = {{Box3{.half = {5, 5, 0.0005}}, {.sensor = !off}}}});
    const BodyId ball =
        world.create({.position = {0, 0, 1}, .velocity = {0, 0, -200}, .shapes = {Sphere{.radius = 0.01}}});
    world.step(k_h);
    EXPECT_NEAR(world.center(ball).z, 1 - 200 * k_h, 1e-12);
  }
}

TEST(Continuous, has_its_own_column_in_the_accounts) {
  World3 world({.accounting = Accounting::full});
  world.create({.motion = Motion::fixed, .shapes = {Box3{.half = {5, 5, 0.0005}}}});
  const BodyId rod = world.create({.position = {0, 0, 1},
                                   .velocity = {0, 0, -200},
                                   .angular_velocity = {30, 5, 0},
                                   .shapes = {Box3{.half = {0.01, 0.02, 0.1}}}});
  const StepReport3& report = world.step(k_h);
  ASSERT_EQ(report.collision.held_back, 1u);
  const double fell_less = world.center(rod).z - (1 - 200 * k_h - 9.81 * k_h * k_h);
  EXPECT_GT(fell_less, 1);
  EXPECT_NEAR(report.energy.continuous, 9.81 * world.mass(rod).mass * fell_less,
              0.05 * report.energy.continuous);
  EXPECT_NEAR(report.energy.unexplained, 0, 1e-10);
  EXPECT_NEAR(report.energy.total(), world.energy().total(), 1e-9);
  world.step(k_h);
  EXPECT_NEAR(world.report().energy.interventions, 0, 1e-9);
}

TEST(Continuous, is_the_same_in_the_plane) {
  World2 world({.gravity = {}});
  world.create({.motion = Motion::fixed, .shapes = {Segment{.a = {0, -5}, .b = {0, 5}}}});
  world.create({.motion = Motion::fixed, .shapes = {Chain{.points = {{3, -5}, {3, 0}, {3, 5}}}}});
  const Shape2 bullets[] = {
      Circle{.radius = 0.01},
      Box2{.half = {0.02, 0.01}},
      Capsule2{.radius = 0.01, .half_length = 0.05},
      Polygon{.points = {{0, 0}, {0.03, 0}, {0, 0.04}}},
  };
  std::vector<BodyId> ids;
  for (int i = 0; i < 4; ++i)
    ids.push_back(world.create({.position = {1.0 + 0.1 * i, i - 2.0},
                                .velocity = {i % 2 ? 4000.0 : -4000.0, 10},
                                .angular_velocity = 500,
                                .shapes = {bullets[i]}}));
  for (int i = 0; i < 30; ++i) world.step(k_h);
  for (const BodyId id : ids) {
    EXPECT_GT(world.center(id).x, 0);
    EXPECT_LT(world.center(id).x, 3);
  }
}

TEST(Continuous, does_not_depend_on_threads_or_on_the_broad_phase) {
  std::uint64_t expected = 0;
  for (const BroadPhase method : {BroadPhase::tree, BroadPhase::sweep_and_prune, BroadPhase::brute_force})
    for (const int threads : {1, 2, 3}) {
      World3 world({.gravity = {}, .broad_phase = method, .threads = threads});
      std::mt19937_64 random(1);
      std::uniform_real_distribution<double> unit(-1, 1);
      world.create({.motion = Motion::fixed, .shapes = {Box3{.half = {5, 5, 0.01}}}});
      for (int i = 0; i < 100; ++i)
        world.create({.position = {3 * unit(random), 3 * unit(random), 3 * unit(random)},
                      .velocity = {100 * unit(random), 100 * unit(random), 100 * unit(random)},
                      .shapes = {Box3{.half = {0.1, 0.05, 0.02}}}});
      std::size_t held_back = 0;
      for (int i = 0; i < 5; ++i) held_back += world.step(k_h).collision.held_back;
      EXPECT_GT(held_back, 10u);
      if (expected == 0) expected = world.state_hash();
      EXPECT_EQ(world.state_hash(), expected);
    }
}

}  // namespace
}  // namespace cairn
