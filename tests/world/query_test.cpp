// Questions to a world, against going through all its shapes.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cairn {
namespace {

Rot3 random_rotation(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return normalized(Rot3{normal(random), normal(random), normal(random), normal(random)});
}

// Shapes of all kinds scattered in a cube of 20 m around `origin`, and a floor.
struct Scatter {
  explicit Scatter(BroadPhase method, Vec3 origin = {}, int count = 200)
      : world({.gravity = {}, .broad_phase = method}) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> place(-10, 10), size(0.2, 1);
    for (int i = 0; i < count; ++i) {
      const double s = size(random);
      Shape3 shape;
      switch (i % 6) {
        case 0:
          shape = Sphere{.radius = s};
          break;
        case 1:
          shape = Box3{.half = {s, 0.5 * s, 0.7 * s}};
          break;
        case 2:
          shape = Capsule3{.radius = 0.3 * s, .half_length = s};
          break;
        case 3:
          shape = Cylinder{.radius = s, .half_height = 0.4 * s};
          break;
        case 4:
          shape = Cone{.radius = s, .half_height = s};
          break;
        default:
          shape = Compound3{
              .parts = {{Sphere{.radius = 0.4 * s}, {s, 0, 0}, {}}, {Box3{.half = {s, 0.2, 0.2}}, {}, {}}}};
      }
      const Vec3 p{place(random), place(random), place(random)};
      shapes.push_back(shape);
      poses.push_back({origin + p, random_rotation(random)});
      ids.push_back(world.create(
          {.motion = i % 3 ? Motion::dynamic : Motion::fixed,
           .position = poses.back().position,
           .rotation = poses.back().rotation,
           .shapes = {{shape, {.filter = {.category = i % 2 ? 2u : 1u}, .sensor = i % 11 == 0}}}}));
    }
    ids.push_back(
        world.create({.motion = Motion::fixed, .position = origin, .shapes = {Plane{.offset = -12}}}));
    shapes.push_back(Plane{.offset = -12});
    poses.push_back({origin, {}});
  }
  bool asked(std::size_t i) const { return i + 1 == ids.size() || i % 11 != 0; }
  World3 world;
  std::vector<Shape3> shapes;
  std::vector<Pose3> poses;
  std::vector<BodyId> ids;
};

TEST(RayQueries, find_what_a_search_of_all_shapes_finds) {
  for (const BroadPhase method : {BroadPhase::tree, BroadPhase::sweep_and_prune, BroadPhase::brute_force})
    for (const Vec3 origin : {Vec3{}, Vec3{1e6, -1e6, 1e6}}) {
      const Scatter scene(method, origin);
      std::mt19937_64 random(3);
      std::uniform_real_distribution<double> place(-12, 12);
      int found = 0;
      for (int k = 0; k < 300; ++k) {
        const Vec3 from{place(random), place(random), place(random)},
            to{place(random), place(random), place(random)};
        const Ray3 ray{origin + from, to - from};
        std::vector<std::pair<double, BodyId>> expected;
        for (std::size_t i = 0; i < scene.ids.size(); ++i) {
          if (!scene.asked(i)) continue;
          const Pose3& pose = scene.poses[i];
          const Ray3 local{to_local(pose, ray.origin), inverse(pose.rotation) * ray.translation};
          if (const auto hit = ray_cast(scene.shapes[i], local))
            expected.emplace_back(hit->fraction, scene.ids[i]);
        }
        std::sort(expected.begin(), expected.end());
        const auto all = scene.world.ray_cast_all(ray);
        ASSERT_EQ(all.size(), expected.size());
        const auto first = scene.world.ray_cast(ray);
        ASSERT_EQ(first.has_value(), !expected.empty());
        for (std::size_t i = 0; i < all.size(); ++i) {
          EXPECT_NEAR(all[i].fraction, expected[i].first, 1e-9);
          EXPECT_EQ(all[i].shape.body, expected[i].second);
        }
        if (!first) continue;
        ++found;
        EXPECT_EQ(first->shape.body, all[0].shape.body);
        EXPECT_EQ(first->fraction, all[0].fraction);
        EXPECT_LT(length(first->point - (ray.origin + first->fraction * ray.translation)), 1e-8);
      }
      EXPECT_GT(found, 50);
    }
}

TEST(RayQueries, in_a_list_are_answered_as_one_by_one) {
  const Scatter scene(BroadPhase::tree);
  std::vector<Ray3> rays;
  for (int i = 0; i < 1000; ++i) rays.push_back({{-15, 0.02 * i - 10, 0.013 * i - 6}, {30, 0.01 * i, 0}});
  const auto hits = scene.world.ray_cast(std::span<const Ray3>(rays));
  ASSERT_EQ(hits.size(), rays.size());
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const auto one = scene.world.ray_cast(rays[i]);
    ASSERT_EQ(one.has_value(), hits[i].has_value());
    if (one) {
      EXPECT_EQ(one->shape, hits[i]->shape);
      EXPECT_EQ(one->point, hits[i]->point);
    }
  }
}

TEST(Queries, respect_filters) {
  World3 world;
  const BodyId a = world.create({.shapes = {{Sphere{}, {.filter = {.category = 1}}}}});
  const BodyId b = world.create({.position = {3, 0, 0}, .shapes = {{Sphere{}, {.filter = {.category = 2}}}}});
  const BodyId c =
      world.create({.position = {6, 0, 0}, .shapes = {{Sphere{}, {.filter = {.mask = 8}, .sensor = true}}}});
  const Ray3 ray{{-2, 0, 0}, {10, 0, 0}};
  EXPECT_EQ(world.ray_cast(ray)->shape.body, a);
  EXPECT_EQ(world.ray_cast(ray, {.mask = 2})->shape.body, b);
  EXPECT_EQ(world.ray_cast(ray, {.ignore = a})->shape.body, b);
  EXPECT_EQ(world.ray_cast_all(ray).size(), 2u);
  EXPECT_EQ(world.ray_cast_all(ray, {.sensors = true}).size(), 3u);
  EXPECT_EQ(world.ray_cast_all(ray, {.category = 4, .sensors = true}).size(), 2u);
  EXPECT_EQ(world.overlapping(Bounds3{{-10, -1, -1}, {10, 1, 1}}, {.mask = 1}),
            (std::vector<ShapeRef>{{a, 0}}));
  EXPECT_EQ(world.containing({6, 0, 0}, {.sensors = true}), (std::vector<ShapeRef>{{c, 0}}));
  EXPECT_TRUE(world.containing({6, 0, 0}).empty());
  EXPECT_FALSE(world.closest({6, 0, 0}, 2));
  EXPECT_FALSE(world.shape_cast(Sphere{.radius = 0.1}, {{-2, 0, 0}, {}}, {1, 0, 0}));
  EXPECT_EQ(world.shape_cast(Sphere{.radius = 0.1}, {{-2, 0, 0}, {}}, {9, 0, 0}, {.mask = 2})->shape.body, b);
}

TEST(Queries, refuse_nonsense) {
  const World3 world;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(world.ray_cast(Ray3{{}, {}}), Error);
  EXPECT_THROW(world.ray_cast(Ray3{{nan, 0, 0}, {1, 0, 0}}), Error);
  EXPECT_THROW(world.shape_cast(Sphere{}, {}, {}), Error);
  EXPECT_THROW(world.shape_cast(Sphere{.radius = -1}, {}, {1, 0, 0}), Error);
  EXPECT_THROW(world.shape_cast(Plane{}, {}, {1, 0, 0}), Error);
  EXPECT_THROW(world.containing({0, nan, 0}), Error);
  EXPECT_THROW(world.closest({}, -1), Error);
  EXPECT_THROW(world.closest(world.background(), BodyId{}), Error);
}

// A shape cast stops where a bisection over overlaps says that it does.
TEST(ShapeCast, stops_where_shapes_begin_to_overlap) {
  for (const BroadPhase method : {BroadPhase::tree, BroadPhase::sweep_and_prune, BroadPhase::brute_force}) {
    const Scatter scene(method, {}, 60);
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> place(-11, 11);
    int found = 0;
    for (int k = 0; k < 200; ++k) {
      const Vec3 from{place(random), place(random), place(random)},
          to{place(random), place(random), place(random)};
      const Pose3 pose{from, random_rotation(random)};
      const Shape3 shape =
          k % 2 ? Shape3{Box3{.half = {0.3, 0.2, 0.1}}} : Shape3{Capsule3{.radius = 0.1, .half_length = 0.2}};
      if (!scene.world.overlapping(shape, pose).empty()) continue;
      const auto at = [&](double t) {
        return scene.world.overlapping(shape, {from + t * (to - from), pose.rotation});
      };
      const auto hit = scene.world.shape_cast(shape, pose, to - from);
      const double end = hit ? hit->fraction : 1;
      for (int i = 0; i < 40; ++i) EXPECT_TRUE(at(end * i / 40).empty()) << "overlaps before the hit";
      if (!hit) {
        EXPECT_TRUE(at(1).empty());
        continue;
      }
      ++found;
      const double a_little = 5e-4 / length(to - from);
      const std::vector<ShapeRef> met = at(end + a_little);
      EXPECT_TRUE(std::find(met.begin(), met.end(), hit->shape) != met.end() || end + a_little > 1)
          << k << ": no overlap half a millimetre after the hit";
      EXPECT_LT(dot(hit->normal, to - from), 1e-6 * length(to - from));
    }
    EXPECT_GT(found, 10);
  }
}

TEST(Queries, of_overlap_and_containment) {
  World3 world;
  const BodyId box = world.create({.shapes = {Box3{.half = {1, 1, 1}}}});
  const BodyId two = world.create(
      {.position = {5, 0, 0},
       .shapes = {Sphere{.radius = 1},
                  Compound3{.parts = {{Sphere{.radius = 1}, {0.5, 0, 0}, {}}, {Box3{}, {0.5, 0, 0}, {}}}}}});
  EXPECT_EQ(world.containing({0.9, 0.9, 0.9}), (std::vector<ShapeRef>{{box, 0}}));
  EXPECT_TRUE(world.containing({1.01, 0, 0}).empty());
  EXPECT_EQ(world.containing({5.2, 0, 0}), (std::vector<ShapeRef>{{two, 0}, {two, 1}}));
  EXPECT_EQ(world.overlapping(Sphere{.radius = 0.5}, {{1.4, 0, 0}, {}}), (std::vector<ShapeRef>{{box, 0}}));
  EXPECT_TRUE(world.overlapping(Sphere{.radius = 0.5}, {{1.4, 1.4, 0}, {}}).empty());
  EXPECT_EQ(world.overlapping(Box3{.half = {4, 0.1, 0.1}}, {{2, 0, 0}, {}}).size(), 3u);
}

TEST(Queries, of_the_closest) {
  World3 world;
  const BodyId box = world.create({.shapes = {Box3{.half = {1, 1, 1}}}});
  const BodyId ball = world.create({.position = {4, 0, 0}, .shapes = {Sphere{.radius = 0.5}}});
  const BodyId bare = world.create({.position = {0, 9, 0}, .mass = 1.0, .inertia = Sym3{1, 1, 1}});
  const auto near = world.closest({2, 0, 0}, 10);
  ASSERT_TRUE(near);
  EXPECT_EQ(near->b.body, box);
  EXPECT_NEAR(near->distance, 1, 1e-12);
  EXPECT_LT(length(near->point_b - Vec3{1, 0, 0}), 1e-9);
  EXPECT_FALSE(world.closest({2, 0, 0}, 0.9));
  EXPECT_EQ(world.closest({0.2, 0, 0}, 10)->distance, 0);
  const auto gap = world.closest(box, ball);
  ASSERT_TRUE(gap);
  EXPECT_NEAR(gap->distance, 2.5, 1e-12);
  EXPECT_LT(length(gap->point_a - Vec3{1, 0, 0}), 1e-9);
  EXPECT_LT(length(gap->point_b - Vec3{3.5, 0, 0}), 1e-9);
  EXPECT_NEAR(world.closest(ball, box)->point_a.x, 3.5, 1e-9);
  EXPECT_FALSE(world.closest(box, bare));
}

}  // namespace
}  // namespace cairn
