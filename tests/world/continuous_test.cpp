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

double norm_of(double spin) { return absolute(spin); }
double norm_of(const Vec3& spin) { return length(spin); }

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

// As far from the middle as a thing reaches, and in any moving frame: the centres keep their distance all the way.
TEST(Continuous, stops_bullets_at_the_tips_of_rods) {
  for (const double at : {-1.99, -1.2, 0., 1.5, 1.99})
    for (const double carried : {0., 40.}) {
      World3 world({.gravity = {}});
      const Vec3 drift{0, carried, 0};
      world.create(
          {.motion = Motion::kinematic, .velocity = drift, .shapes = {{Box3{.half = {2, 0.05, 0.05}}}}});
      const BodyId bullet = world.create({.position = {at, 0, 3},
                                          .velocity = Vec3{0, 0, -300} + drift,
                                          .shapes = {{Sphere{.radius = 0.05}}}});
      EXPECT_EQ(world.step(k_h).collision.held_back, 1u) << at;
      EXPECT_NEAR(world.pose(bullet).position.z, 0.1, 0.001) << at << " m from the middle";
    }
}

// What is held back at a wall turns as it would have without the wall, seen from itself: no spin is lost, and none of its
// energy. (What friction does to it comes with the contact, in the next step.)
template <class D>
void check_spin(const Shape<D>& wall, const Shape<D>& shape, const typename D::Vec& velocity,
                const typename D::Ang& spin) {
  BodyId bodies[2];
  World<D> worlds[2] = {World<D>({.gravity = {}}), World<D>({.gravity = {}})};
  for (const int k : {0, 1}) {
    if (k == 0) worlds[0].create({.motion = Motion::fixed, .shapes = {wall}});
    bodies[k] = worlds[k].create(
        {.position = -0.02 * velocity, .velocity = velocity, .angular_velocity = spin, .shapes = {shape}});
    worlds[k].step(k_h);
    worlds[k].step(k_h);
  }
  ASSERT_EQ(worlds[0].report().collision.held_back, 1u);
  ASSERT_GT(length(worlds[0].center(bodies[0]) - worlds[1].center(bodies[1])), 0.1);
  const auto own_spin = [&](int k) {
    return inverse(worlds[k].pose(bodies[k]).rotation) * worlds[k].velocity(bodies[k]).angular;
  };
  EXPECT_LT(norm_of(own_spin(0) - own_spin(1)), 1e-12 * norm_of(spin));
  EXPECT_EQ(worlds[0].velocity(bodies[0]).linear, worlds[1].velocity(bodies[1]).linear);
}
TEST(Continuous, takes_no_spin_from_what_it_holds_back) {
  check_spin<Dim2>(Box2{.half = {0.01, 5}}, Circle{.radius = 0.1}, {300, 0}, 40);
  check_spin<Dim2>(Box2{.half = {0.01, 5}}, Box2{.half = {0.1, 0.02}}, {300, 20}, -90);
  const Box3 wall{.half = {0.01, 5, 5}};
  check_spin<Dim3>(wall, Sphere{.radius = 0.1}, {300, 0, 0}, {3, -20, 40});
  check_spin<Dim3>(wall, Box3{.half = {0.1, 0.05, 0.02}}, {300, 9, 0}, {30, -20, 40});
  check_spin<Dim3>(wall, Cylinder{.radius = 0.1, .half_height = 0.02}, {900, 0, 30}, {0, 60, 1});
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

// Boxes that fly in a row at 100 m/s, each a little faster than the one before it: they meet as slowly as they would in a frame that
// flies with them, and nobody stays behind.
TEST(Continuous, does_not_stop_those_that_move_along_together) {
  World3 world({.gravity = {}});
  std::vector<BodyId> row;
  double momentum = 0;
  for (int i = 0; i < 10; ++i) {
    const double speed = 100 - 2.4 * i;
    momentum += speed;
    row.push_back(world.create({.position = {0.23 * i, 0, 0},
                                .velocity = {speed, 0, 0},
                                .shapes = {Box3{.half = {0.1, 0.1, 0.1}}},
                                .mass = 1}));
  }
  double start = 0;
  for (const BodyId box : row) start += world.center(box).x;
  bool met = false;
  for (int k = 1; k <= 30; ++k) {
    const StepReport3& report = world.step(k_h);
    EXPECT_EQ(report.collision.held_back, 0u);
    met |= report.collision.touching > 0;
    double sum = 0;
    for (const BodyId box : row) sum += world.center(box).x;
    EXPECT_NEAR(sum - start, momentum * k * k_h, 1e-3) << k;
  }
  EXPECT_TRUE(met);
}

// The same in a frame that turns: a square comes to the wall of a large wheel, whose rim moves at 23 m/s and it with it.
TEST(Continuous, does_not_stop_what_turns_along_with_a_wheel) {
  constexpr double k_rate = 2.5, k_rim = 9.5, k_half = 0.125;  // [rad/s], [m]
  World2 world({.gravity = {}});
  const BodyId wheel = world.create({.motion = Motion::kinematic,
                                     .angular_velocity = k_rate,
                                     .shapes = {{Box2{.half = {0.5, 10}}, {.position = {k_rim + 0.5, 0}}}}});
  const double from = k_rim - k_half - 0.05;
  const BodyId square = world.create({.position = {from, 0},
                                      .velocity = {1, k_rate * from},
                                      .angular_velocity = k_rate,
                                      .shapes = {Box2{.half = {k_half, k_half}}}});
  bool met = false;
  for (int i = 0; i < 30; ++i) {
    const StepReport2& report = world.step(k_h);
    EXPECT_EQ(report.collision.fast, 1u);
    EXPECT_EQ(report.collision.held_back, 0u) << i;
    met |= report.collision.touching > 0;
    const Vec2 seen = inverse(world.pose(wheel).rotation) * world.center(square);
    EXPECT_LT(seen.x, k_rim - k_half + 0.02) << i;
  }
  EXPECT_TRUE(met);
}

// A drum of thin walls that turns this way or that, and fast things in it: whatever is known of who passes whom without a
// distance, none of them gets out in the step in which it comes to a wall.
TEST(Continuous, keeps_the_fast_in_a_drum_that_turns) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::size_t held_back = 0;
  for (int trial = 0; trial < 400; ++trial) {
    World2 world({.gravity = {}});
    const BodyId drum = world.create({.motion = Motion::kinematic,
                                      .rotation = Rot2::from_angle(3 * unit(random)),
                                      .velocity = {10 * unit(random), 10 * unit(random)},
                                      .angular_velocity = 20 * unit(random),
                                      .shapes = {{Box2{.half = {0.01, 1}}, {.position = {-1, 0}}},
                                                 {Box2{.half = {0.01, 1}}, {.position = {1, 0}}},
                                                 {Box2{.half = {1, 0.01}}, {.position = {0, -1}}},
                                                 {Box2{.half = {1, 0.01}}, {.position = {0, 1}}}}});
    const BodyId square = world.create({.position = {0.6 * unit(random), 0.6 * unit(random)},
                                        .velocity = {300 * unit(random), 300 * unit(random)},
                                        .angular_velocity = 50 * unit(random),
                                        .shapes = {Box2{.half = {0.02, 0.03}}}});
    held_back += world.step(k_h).collision.held_back;
    const Vec2 seen = to_local(world.pose(drum), world.center(square));
    ASSERT_LT(larger(absolute(seen.x), absolute(seen.y)), 1) << "trial " << trial;
  }
  EXPECT_GT(held_back, 300u);
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
  world.step(k_h);
  EXPECT_NEAR(world.center(puck).x, 19.8, 2e-3);
  for (int i = 0; i < 20; ++i) {  // it rubs against the wall and rolls up on it
    world.step(k_h);
    EXPECT_LT(world.center(puck).x, 20 - 0.05);
  }
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

// Its spin goes round with the rod where that is put back, so that its energy stays: seen in the world as before, the
// spin of a rod could have up to 200 times the energy, as its inertias are.
TEST(Continuous, keeps_the_energy_of_what_it_holds_back) {
  World3 world({.gravity = {}, .accounting = Accounting::full});
  world.create({.motion = Motion::fixed, .shapes = {Box3{.half = {5, 5, 0.0005}}}});
  world.create({.position = {0, 0, 1},
                .velocity = {0, 0, -100},
                .angular_velocity = {30, 50, 70},
                .shapes = {Box3{.half = {0.005, 0.005, 0.1}}}});
  const double before = world.energy().kinetic;
  ASSERT_EQ(world.step(k_h).collision.held_back, 1u);
  EXPECT_NEAR(world.report().energy.kinetic, before, 1e-9 * before);
  EXPECT_NEAR(world.report().energy.unexplained, 0, 1e-9 * before);
}

// What meets a kinematic plate goes on with it, and stays on its side.
TEST(Continuous, carries_along_what_stops_at_a_kinematic_plate) {
  World3 world({.gravity = {}});
  const BodyId plate = world.create({.motion = Motion::kinematic,
                                     .velocity = {5, 0, 80},
                                     .angular_velocity = {0, 1, 0},
                                     .shapes = {Box3{.half = {5, 5, 0.0005}}}});
  const BodyId ball =
      world.create({.position = {0, 0, 1}, .velocity = {0, 0, -100}, .shapes = {Sphere{.radius = 0.01}}});
  for (int i = 0; i < 10; ++i) {
    world.step(k_h);
    const double height = to_local(world.pose(plate), world.center(ball)).z;
    EXPECT_GT(height, 0.01) << "step " << i;
    EXPECT_LT(height, 0.012) << "step " << i;
  }
}

// ------------------------------------------------------------------------------------------------ articulations

// Two cubes on a hinge, or a chain of five, shot at a thin wall.
void shoot_chain(double speed, int links, bool sheet) {
  SCOPED_TRACE(testing::Message() << speed << " m/s, " << links << " links, " << (sheet ? "sheet" : "box"));
  World3 world({.accounting = Accounting::full});
  Mesh mesh;
  mesh.vertices = {{-50, -50, 0}, {50, -50, 0}, {50, 50, 0}, {-50, 50, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  world.create(
      {.motion = Motion::fixed, .shapes = {sheet ? Shape3{mesh} : Shape3{Box3{.half = {50, 50, 0.0005}}}}});
  std::vector<BodyId> bodies;
  std::vector<JointId> joints;
  for (int i = 0; i < links; ++i) {
    const Vec3 at{0.04 * i, 0.01 * i, 0.5 + 0.1 * i};
    bodies.push_back(world.create({.position = at,
                                   .velocity = {0.2 * speed, 0, -speed},
                                   .angular_velocity = {3, -2, 1},
                                   .shapes = {Box3{.half = {0.02, 0.02, 0.02}}}}));
    if (i > 0)
      joints.push_back(
          world.create(BallDef3{.a = bodies[std::size_t(i) - 1],
                                .b = bodies.back(),
                                .frame = {.origin = at - 0.5 * Vec3{0.04, 0.01, 0.1}, .axis = {0, 1, 0}}}));
  }
  const double start = world.energy().total();
  std::size_t held_back = 0;
  double not_fallen = 0, torn = 0;
  for (int i = 0; i < 60; ++i) {
    const StepReport3& report = world.step(k_h);
    held_back += report.collision.held_back;
    not_fallen += report.energy.continuous;
    EXPECT_NEAR(report.energy.unexplained, 0, 1e-5 * start) << "step " << i;
    EXPECT_LE(report.energy.total() - not_fallen, 1.001 * start) << "step " << i;
    for (const BodyId body : bodies) {
      const Vec3 p = world.center(body);
      ASSERT_TRUE(p.z > 0 || absolute(p.x) > 50 || absolute(p.y) > 50) << "step " << i << " z " << p.z;
    }
    for (const JointId joint : joints) {
      const JointAnchors3 ends = world.anchors(joint);
      torn = larger(torn, length(ends.a - ends.b));
    }
  }
  // In the step of the blow they turn by 2 rad a substep at 100 m/s, and joints open by up to 165 mm; faster ones turn so far
  // that the solver loses them, held back or not.
  if (speed <= 100) {
    EXPECT_LT(torn, speed <= 30 ? 0.03 : 0.2);
  }
  EXPECT_GT(held_back, 0u);
}
TEST(Continuous, articulations_stop_together) {
  for (const double speed : {30.0, 100.0, 1000.0, 10000.0})
    for (const int links : {2, 5})
      for (const bool sheet : {false, true}) shoot_chain(speed, links, sheet);
}

// Limbs that come down at 15 m/s, turning: the ground stops each of them where it is met. Few are whipped down so much faster
// that they have to be held back, all together, in the air. (When nothing was foreseen that happened 374 times, and they
// came apart by 25 mm.)
TEST(Continuous, articulations_see_the_ground_coming) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  double torn = 0, deepest = 0;
  std::size_t held_back = 0;
  for (int seed = 0; seed < 20; ++seed) {
    World3 world;
    world.create({.motion = Motion::fixed, .shapes = {Plane{}}});
    std::vector<BodyId> limbs;
    std::vector<JointId> joints;
    const Vec3 spin = 10 * Vec3{unit(random), unit(random), unit(random)};
    const Vec3 middle{0, 0, 1.2 + 0.2 * unit(random)}, velocity{unit(random), unit(random), -15};
    for (int i = 0; i < 5; ++i) {
      const Vec3 from_middle{0.34 * (i - 2), 0, 0};
      limbs.push_back(world.create({.position = middle + from_middle,
                                    .rotation = rotation_of(Vec3{0, k_pi / 2, 0}),
                                    .velocity = velocity + cross(spin, from_middle),
                                    .angular_velocity = spin,
                                    .shapes = {Capsule3{.radius = 0.05, .half_length = 0.12}}}));
      if (i > 0)
        joints.push_back(
            world.create(BallDef3{.a = limbs[std::size_t(i) - 1],
                                  .b = limbs.back(),
                                  .frame = {.origin = middle + from_middle - Vec3{0.17, 0, 0}}}));
    }
    for (int i = 0; i < 90; ++i) {
      held_back += world.step(k_h).collision.held_back;
      for (const JointId joint : joints) {
        const JointAnchors3 ends = world.anchors(joint);
        torn = larger(torn, length(ends.a - ends.b));
      }
      for (const BodyId limb : limbs)
        for (const double end : {-0.12, 0.12})
          deepest = larger(deepest, 0.05 - to_world(world.pose(limb), Vec3{0, 0, end}).z);
    }
  }
  std::printf("limbs on the ground: torn %.2g mm, deepest %.2g mm, held back %zu times\n", 1e3 * torn,
              1e3 * deepest, held_back);
  EXPECT_LT(torn, 0.02);
  EXPECT_LT(deepest, 0.04);
  EXPECT_LT(held_back, 50u);
}

// What hangs on a fast body goes no further than it, however slow.
TEST(Continuous, takes_the_slow_along_with_the_fast) {
  World3 world({.gravity = {}});
  world.create({.motion = Motion::fixed, .position = {0, 0, 0}, .shapes = {Box3{.half = {0.0005, 5, 5}}}});
  const BodyId bullet =
      world.create({.position = {1, 0, 0}, .velocity = {-200, 0, 0}, .shapes = {Sphere{.radius = 0.01}}});
  const BodyId anvil =
      world.create({.position = {1, 0, 3}, .velocity = {0, 0, 0.6}, .shapes = {Sphere{.radius = 0.5}}});
  world.create(DistanceDef3{
      .a = bullet, .b = anvil, .anchor_a = {1, 0, 0}, .anchor_b = {1, 0, 3}, .limits = Limits{0, 10}});
  world.step(k_h);
  EXPECT_EQ(world.report().collision.fast, 1u);
  const double share = (1 - world.center(bullet).x) / (200 * k_h);
  EXPECT_NEAR(share, 0.99 / (200 * k_h), 1e-3);
  EXPECT_NEAR(world.center(anvil).z, 3 + share * 0.6 * k_h, 1e-6);
}

// It is fast at its ends and meets something in every step: what gives way does not hold it back.
TEST(Continuous, does_not_hold_a_driven_bar_back_at_what_it_stirs) {
  World2 world({.gravity = {}});
  const BodyId bar = world.create({.shapes = {Box2{.half = {8, 0.1}}}});
  const JointId hinge = world.create(
      HingeDef2{.a = world.background(), .b = bar, .drive = VelocityDrive{.speed = 5, .max_effort = 1e9}});
  for (int i = 0; i < 400; ++i) {
    const Vec2 at{0.7 * (i % 20) - 6.65, 0.7 * (i / 20) - 6.65};
    if (absolute(at.y) > 0.5) world.create({.position = at, .shapes = {Circle{.radius = 0.1}}});
  }
  for (int i = 0; i < 60; ++i) world.step(k_h);
  EXPECT_NEAR(world.coordinate(hinge).position, 5, 0.25);
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
  for (int i = 0; i < 30; ++i) {
    world.step(k_h);
    std::erase_if(ids, [&](BodyId id) { return absolute(world.center(id).y) > 5; });  // went around
    for (const BodyId id : ids) {
      EXPECT_GT(world.center(id).x, 0);
      EXPECT_LT(world.center(id).x, 3);
    }
    if (i < 2) {
      EXPECT_EQ(ids.size(), 4u) << "step " << i;
    }
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
