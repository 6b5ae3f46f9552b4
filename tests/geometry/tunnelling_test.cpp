// The time of impact never misses: random sweeps of every convex kind, spinning, at 10 to 10⁵ m/s, against 1 mm walls,
// meshes, height fields and moving thin bodies.
//
// What proves that nothing touched before: at many times on the way, and around the time the sweep was aimed at, an axis
// separates the two as judged by core_pairs.h, which shares nothing with the library.
#include <gtest/gtest.h>

#include "geometry/closest_points.h"
#include "geometry/core_pairs.h"
#include "geometry/gjk.h"
#include "geometry/time_of_impact.h"

namespace cairn {
namespace {

using namespace samples;
using Sweep3 = Sweep<Dim3>;

constexpr double k_step = 1.0 / 60;  // [s]

struct Tally {
  int sweeps = 0, hits = 0, iterations = 0, most_iterations = 0, unsure = 0;
  void add(const Impact<Dim3>& impact) {
    ++sweeps;
    hits += impact.status == ImpactStatus::hit;
    iterations += impact.iterations;
    most_iterations = std::max(most_iterations, impact.iterations);
  }
  void expect_few_iterations() const {
    EXPECT_GE(hits, sweeps / 5);
    EXPECT_LE(iterations, 15 * sweeps);  // 11 to 13 on average, depending on the samples
    EXPECT_LE(unsure, sweeps / 1000);    // two rotors that turn hundreds of times close to each other
    print();
  }
  void print() const {
    std::printf("%d sweeps, %d hits, %.2f iterations, at most %d, %d unsure\n", sweeps, hits,
                double(iterations) / sweeps, most_iterations, unsure);
  }
};

// One of each kind in turn, with the origin inside.
std::unique_ptr<ConvexThing> random_solid(Random& random, int i, double size) {
  const ThingKind kinds[] = {ThingKind::point, ThingKind::segment, ThingKind::box, ThingKind::cylinder,
                             ThingKind::cone};
  if (i % 6 < 5) return random_thing(random, kinds[i % 6], size, i % 5 ? 1 : 0.1, 0);
  Hull hull;
  const Vec3 extent = scaled(vector3(random, size), {1, 1, i % 5 ? 1 : 0.1});
  for (int k = 0; k < 6; ++k) {
    hull.points.push_back(scaled(extent, unit3(random)));
    hull.points.push_back(-hull.points.back());
  }
  auto thing = thing_of(hull);
  thing->size = size;
  return thing;
}
Vec3 random_spin(Random& random) {  // [rad] in the step
  if (uniform(random, 0, 1) < 0.2) return {};
  const double angle = power_of_ten(random, -2, 3);
  return angle * unit3(random);
}

// Apart from each other at time t?
void expect_apart(const ConvexThing& a, const Sweep3& sweep_a, const ConvexThing& b, const Sweep3& sweep_b,
                  double t) {
  const Pose3 pose_a = sweep_a.at(t);
  Pose3 pose_b = sweep_b.at(t);
  pose_b.position = (sweep_b.from - sweep_a.from) + t * (sweep_b.translation - sweep_a.translation);
  const Pose3 b_in_a{inverse(pose_a.rotation) * pose_b.position, inverse(pose_a.rotation) * pose_b.rotation};
  const Vec3 axis = nearest(a.core, b.core, b_in_a, {}).normal;
  EXPECT_GT(judged_separation(a, b, b_in_a, axis) - a.radius - b.radius, 0)
      << a.name << " " << b.name << " at " << t;
}

// One sweep of a, aimed so that its centre is at `aim`, in b's frame, at the time `when`.
void try_pair(Random& random, const ConvexThing& a, const ConvexThing& b, const Sweep3& sweep_b,
              const Vec3& aim, double when, double speed, Tally& tally) {
  const double target = 1e-4 * a.size, way = speed * k_step;
  Sweep3 sweep_a{{}, rotation3(random), way * unit3(random) + sweep_b.translation, random_spin(random)};
  sweep_a.from = to_world(sweep_b.at(when), aim) - when * sweep_a.translation;
  const Impact<Dim3> impact = time_of_impact(a.piece, {}, sweep_a, b.piece, {}, sweep_b, target);
  if (impact.status == ImpactStatus::touching_at_start) return;
  tally.add(impact);
  if (impact.status == ImpactStatus::hit) {
    EXPECT_GT(impact.distance, 0.4 * target);
    tally.unsure += impact.distance > 1.25 * target;  // a time reached safely, but not an impact
    expect_apart(a, sweep_a, b, sweep_b, impact.time);
  }
  const double around = 2 * (a.size + 0.001) / way;
  for (int k = 0; k < 6; ++k) {
    const double t = k == 0   ? when
                     : k == 1 ? impact.time * (1 - power_of_ten(random, -9, -1))
                     : k < 4  ? when + uniform(random, -around, around)
                              : uniform(random, 0, 1);
    if (t > 0 && t <= impact.time) expect_apart(a, sweep_a, b, sweep_b, t);
  }
}

// Until `count` sweeps count: those that begin in touch, about a quarter, do not.
void shoot_at_walls_and_thin_bodies(int seed, int count, Tally& tally) {
  Random random(seed);
  for (int i = 0; tally.sweeps < count && i < 2 * count; ++i) {
    const double size = power_of_ten(random, -2, 0.5), wide = size * uniform(random, 1, 8);
    const auto a = random_solid(random, i, size);
    const double thin = 0.0005;
    const Shape3 walls[] = {Box3{{wide, wide, thin}}, Cylinder{wide, thin}, Capsule3{thin, wide},
                            Box3{{wide, thin, thin}}};
    const auto b = thing_of(walls[i % 4]);
    Sweep3 sweep_b{vector3(random, 1), rotation3(random), {}, {}};
    if (i % 3 > 0) {
      const double way = power_of_ten(random, -1, 3);
      sweep_b.translation = way * unit3(random);
      sweep_b.turn = random_spin(random);
    }
    const Vec3 inside{wide * uniform(random, -1, 1), i % 4 < 2 ? wide * uniform(random, -1, 1) : 0.0, 0};
    const Vec3 along_axis{0, 0, wide * uniform(random, -1, 1)};
    Vec3 aim = i % 4 == 2 ? along_axis : inside;
    if (i % 7 > 4) aim += 1.5 * size * vector3(random, 1);  // past it
    const double when = uniform(random, 0.02, 1.1), speed = power_of_ten(random, 1, 5);
    try_pair(random, *a, *b, sweep_b, aim, when, speed, tally);
  }
  ASSERT_EQ(tally.sweeps, count);
}

TEST(Tunnelling, not_through_walls_and_thin_bodies) {
  Tally tally;
  shoot_at_walls_and_thin_bodies(1, 3000, tally);
  tally.expect_few_iterations();
}
TEST(Tunnelling, not_through_walls_and_thin_bodies_long) {
  Tally tally;
  shoot_at_walls_and_thin_bodies(2, 100000, tally);
  tally.expect_few_iterations();
}

// Heights of the triangles of a field, as shape.h describes them.
double height_at(const HeightField& f, double x, double y) {
  const double u = x / f.spacing.x, v = y / f.spacing.y;
  const auto i = std::size_t(std::clamp(std::floor(u), 0.0, f.columns - 2.0));
  const auto j = std::size_t(std::clamp(std::floor(v), 0.0, f.rows - 2.0));
  const double s = u - double(i), t = v - double(j);
  const auto h = [&](std::size_t p, std::size_t q) { return f.heights[q * f.columns + p]; };
  if (s >= t) return h(i, j) + s * (h(i + 1, j) - h(i, j)) + t * (h(i + 1, j + 1) - h(i + 1, j));
  return h(i, j) + t * (h(i, j + 1) - h(i, j)) + s * (h(i + 1, j + 1) - h(i, j + 1));
}

// Down on hills, as a height field and as a mesh, sometimes moving: the centre, which is inside, must not get below them,
// nor any corner of a piece that is all points.
void drop_on_hills(int seed, int count, Tally& tally) {
  Random random(seed);
  const HeightField field = hills(40, 40, {0.5, 0.5}, 0.4);
  const Geometry3 grid = build(field), mesh = build(mesh_of(field));
  const Piece3 surfaces[] = {pieces_of(grid)[0].piece, pieces_of(mesh)[0].piece};
  for (int i = 0; tally.sweeps < count && i < 2 * count; ++i) {
    const double size = power_of_ten(random, -2, 0), target = 1e-4 * size;
    const auto a = random_solid(random, i, size);
    const double way = power_of_ten(random, 1, 5) * k_step;
    const Vec3 down = normalized(Vec3{uniform(random, -2, 2), uniform(random, -2, 2), -1});
    const Sweep3 ground{vector3(random, 10), rotation3(random), i % 3 ? Vec3{} : vector3(random, 3), {}};
    Sweep3 sweep{{}, rotation3(random), {}, random_spin(random)};
    const double when = uniform(random, 0.05, 1), x = uniform(random, 4, 15), y = uniform(random, 4, 15);
    const Vec3 through{x, y, height_at(field, x, y)};
    const Vec3 from = through - when * way * down;  // in the ground's frame
    sweep.from = ground.from + ground.rotation * from;
    sweep.translation = ground.rotation * (way * down) + ground.translation;
    const Impact<Dim3> impact = time_of_impact(a->piece, {}, sweep, surfaces[i % 2], {}, ground, target);
    if (impact.status == ImpactStatus::touching_at_start) continue;
    tally.add(impact);
    if (from.x < 0 || from.x > 19 || from.y < 0 || from.y > 19) continue;  // comes in from beside
    if (from.z < height_at(field, from.x, from.y)) continue;               // or from below a hill
    ASSERT_EQ(impact.status, ImpactStatus::hit) << a->name;
    EXPECT_LT(impact.time, when) << a->name;
    EXPECT_GT(impact.distance, 0.4 * target);
    EXPECT_LE(impact.distance, 1.25 * target);
    const auto lowest_at = [&](double t) {  // of the corners above the ground
      const Rot3 rotation = inverse(ground.rotation) * sweep.at(t).rotation;
      double lowest = 1e300;
      for (const Vec3& corner : a->points) {
        const Vec3 p = from + t * way * down + rotation * corner;
        if (p.x > 0 && p.y > 0 && p.x < 19 && p.y < 19)
          lowest = std::min(lowest, p.z - height_at(field, p.x, p.y));
      }
      return lowest;
    };
    if (lowest_at(0) < 0) continue;  // comes from below a hill
    EXPECT_GT(lowest_at(impact.time), 0) << a->name;
    for (int k = 0; k < 2; ++k) EXPECT_GT(lowest_at(impact.time * uniform(random, 0, 1)), 0) << a->name;
  }
  ASSERT_EQ(tally.sweeps, count);
}

TEST(Tunnelling, not_through_meshes_and_height_fields) {
  Tally tally;
  drop_on_hills(1, 300, tally);
  EXPECT_GE(tally.hits, 100);
  tally.print();
}
TEST(Tunnelling, not_through_meshes_and_height_fields_long) {
  Tally tally;
  drop_on_hills(2, 20000, tally);
  EXPECT_GE(tally.hits, 5000);
  tally.print();
}

}  // namespace
}  // namespace cairn
