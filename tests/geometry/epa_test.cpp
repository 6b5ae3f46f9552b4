#include "geometry/epa.h"

#include <gtest/gtest.h>

#include "geometry/core_pairs.h"

namespace cairn {
namespace {

using namespace samples;

Penetration<Dim3> penetration_of(const ConvexThing& a, const ConvexThing& b, const Pose3& pose) {
  const Nearest<Dim3> overlap = nearest(a.core, b.core, pose, {});
  EXPECT_TRUE(overlap.overlap);
  return penetration(a.core, b.core, pose, overlap);
}
Penetration<Dim3> penetration_of(const Shape3& a, const Shape3& b, const Pose3& pose) {
  return penetration_of(*thing_of(a), *thing_of(b), pose);
}

// ------------------------------------------------------------------------------------ closed forms

TEST(Epa, finds_the_depth_of_boxes) {
  const Box3 box{{1, 1, 1}};
  const Penetration<Dim3> faces = penetration_of(box, box, {{0.3, -0.2, 1.9}});
  EXPECT_NEAR(faces.depth, 0.1, 1e-15);
  EXPECT_LE(length(faces.normal - Vec3{0, 0, 1}), 1e-15);
  EXPECT_NEAR(faces.on_a.z, 1, 1e-15);
  EXPECT_LE(length(faces.on_b - (faces.on_a - Vec3{0, 0, 0.1})), 1e-14);
  // Turned by 45° about x and y: an edge against an edge, each √2 from its middle.
  const Rot3 about_x = Rot3::from_axis_angle({1, 0, 0}, k_pi / 4),
             about_y = Rot3::from_axis_angle({0, 1, 0}, k_pi / 4);
  const Penetration<Dim3> edges =
      penetration_of(box, box, {inverse(about_x) * Vec3{0.1, 0.1, 2.8}, inverse(about_x) * about_y});
  EXPECT_NEAR(edges.depth, 2 * std::sqrt(2) - 2.8, 1e-15);
  EXPECT_LE(length(about_x * edges.normal - Vec3{0, 0, 1}), 1e-14);
  EXPECT_LE(length(about_x * edges.on_a - Vec3{0.1, 0, std::sqrt(2)}), 1e-13);
  EXPECT_NEAR(penetration_of(box, box, {}).depth, 2, 1e-15);  // on top of each other
}

TEST(Epa, finds_the_depth_of_a_point_and_a_segment) {
  const Box3 box{{1, 2, 3}};
  const Penetration<Dim3> point = penetration_of(box, Sphere{0.5}, {{0.5, 1.75, 0}});
  EXPECT_NEAR(point.depth, 0.25, 1e-15);  // of the cores, without the radius
  EXPECT_LE(length(point.normal - Vec3{0, 1, 0}), 1e-15);
  EXPECT_LE(length(point.on_a - Vec3{0.5, 2, 0}), 1e-14);
  const Penetration<Dim3> segment = penetration_of(box, Capsule3{0.5, 1}, {{0.5, 0.25, 3.5}});
  EXPECT_NEAR(segment.depth, 0.5, 1e-15);
  EXPECT_LE(length(segment.normal - Vec3{0, 0, 1}) * length(segment.normal - Vec3{1, 0, 0}), 1e-15);
}

TEST(Epa, finds_the_depth_of_cylinders_and_cones) {
  const Cylinder cylinder{1, 2};
  EXPECT_NEAR(penetration_of(cylinder, Sphere{}, {{0.3, 0.4, 0}}).depth, 0.5, 1e-14);
  EXPECT_NEAR(penetration_of(cylinder, Sphere{}, {{0, 0, 0}}).depth, 1,
              1e-14);  // on the axis, every way is as good
  EXPECT_NEAR(penetration_of(cylinder, Sphere{}, {{0.3, 0.4, 1.75}}).depth, 0.25, 1e-14);
  EXPECT_NEAR(penetration_of(cylinder, cylinder, {{0.9, 1.2, 0.5}}).depth, 0.5, 1e-14);  // side by side
  EXPECT_NEAR(penetration_of(cylinder, cylinder, {}).depth, 2, 1e-14);                   // one and the same
  const Rot3 lying = Rot3::from_axis_angle({1, 0, 0}, k_pi / 2);
  EXPECT_NEAR(penetration_of(cylinder, cylinder, {{1.7, 0.2, 0.1}, lying}).depth, 0.3, 1e-14);  // crossing
  const Cone cone{1, 1};  // as in gjk_test.cpp
  const Vec3 normal = Vec3{2, 0, 1} / std::sqrt(5);
  const Penetration<Dim3> side = penetration_of(cone, Sphere{}, {Vec3{0.5, 0, 0} - 0.1 * normal});
  EXPECT_NEAR(side.depth, 0.1, 1e-14);
  EXPECT_LE(length(side.normal - normal), 1e-13);
  EXPECT_LE(length(side.on_a - Vec3{0.5, 0, 0}), 1e-13);
  // A cylinder that lies on a box, sunk in by 0.01: the side line, and the middle of it is as good as any.
  const Penetration<Dim3> lies = penetration_of(Box3{{3, 3, 1}}, cylinder, {{0, 0, 1.99}, lying});
  EXPECT_NEAR(lies.depth, 0.01, 1e-14);
  EXPECT_LE(length(lies.normal - Vec3{0, 0, 1}), 1e-12);
}

// -------------------------------------------------------------------------------------- optimality

// The edges of a thing that is not curved and not a large hull: all pairs of points, so also diagonals, which do no harm.
std::vector<Vec3> directions_of(const ConvexThing& thing) {
  std::vector<Vec3> result;
  for (std::size_t i = 0; i < thing.points.size(); ++i)
    for (std::size_t j = i + 1; j < thing.points.size(); ++j)
      result.push_back(thing.points[j] - thing.points[i]);
  return result;
}

// The largest separation over the normals of all planes that two of the directions span: those of all faces of both, and
// across all pairs of edges. (Separating axis theorem.)
double best_separation(const ConvexThing& a, const ConvexThing& b, const Pose3& pose) {
  std::vector<Vec3> directions = directions_of(a);
  for (const Vec3& d : directions_of(b)) directions.push_back(pose.rotation * d);
  double best = -1e300;
  for (std::size_t i = 0; i < directions.size(); ++i)
    for (std::size_t j = i + 1; j < directions.size(); ++j) {
      const Vec3 n = cross(directions[i], directions[j]);
      if (length(n) < 1e-9 * length(directions[i]) * length(directions[j])) continue;
      best = std::max({best, judged_separation(a, b, pose, normalized(n)),
                       judged_separation(a, b, pose, -normalized(n))});
    }
  return best;
}

// What any penetration must satisfy: the axis has the depth, the points are on it, and the shift parts the cores.
void expect_sound(const ConvexThing& a, const ConvexThing& b, const Pose3& pose,
                  const Penetration<Dim3>& found) {
  const double size = std::max(a.size, b.size);
  const std::string names = a.name + " " + b.name;
  EXPECT_NEAR(found.depth, -judged_separation(a, b, pose, found.normal), 1e-12 * size) << names;
  EXPECT_NEAR(length(found.normal), 1, 1e-15) << names;
  EXPECT_LE(length(found.on_a - found.on_b - found.depth * found.normal), 1e-5 * size) << names;
  const Pose3 parted{pose.position + (found.depth + 1e-6 * size) * found.normal, pose.rotation};
  const Nearest<Dim3> apart = nearest(a.core, b.core, parted, found.normal);
  EXPECT_FALSE(apart.overlap) << names;
  EXPECT_NEAR(apart.distance, 1e-6 * size, 1e-9 * size) << names;
}

TEST(Epa, is_optimal_for_polyhedra) {
  Random random(1);
  const ThingKind kinds[] = {ThingKind::point, ThingKind::segment, ThingKind::box, ThingKind::triangle,
                             ThingKind::hull};
  int overlaps = 0;
  for (int i = 0; i < 2500; ++i) {
    const double size = power_of_ten(random, -3, 3), thinnest = i % 3 ? 1 : 1e-4;
    auto make = [&](ThingKind kind) -> std::unique_ptr<ConvexThing> {
      if (kind != ThingKind::hull) return random_thing(random, kind, size, thinnest, 0);
      Hull hull{{}, 0};
      for (int k = 0; k < 5; ++k) hull.points.push_back(size * unit3(random));
      return thing_of(hull);
    };
    const auto a = make(kinds[i % 5]), b = make(kinds[i / 5 % 5]);
    const Pose3 pose{vector3(random, size * power_of_ten(random, -2, 0)), random_turn(random)};
    const Nearest<Dim3> overlap = nearest(a->core, b->core, pose, {});
    if (!overlap.overlap || (a->points.size() < 3 && b->points.size() < 3)) continue;
    ++overlaps;
    const Penetration<Dim3> found = penetration(a->core, b->core, pose, overlap);
    expect_sound(*a, *b, pose, found);
    EXPECT_LE(found.depth, -best_separation(*a, *b, pose) + 1e-11 * size) << a->name << " " << b->name;
  }
  EXPECT_GE(overlaps, 500);
}

// The largest separation near each of many axes, by looking around in ever smaller circles.
double sampled_separation(const ConvexThing& a, const ConvexThing& b, const Pose3& pose) {
  constexpr int k_axes = 600, k_best = 12;
  const auto separation = [&](const Vec3& n) { return separation_along(a.core, b.core, pose, n); };
  std::vector<std::pair<double, Vec3>> axes;
  for (int i = 0; i < k_axes; ++i) {
    const double z = 1 - (2 * i + 1.0) / k_axes, angle = 2.399963229728653 * i, r = std::sqrt(1 - z * z);
    const Vec3 n{r * std::cos(angle), r * std::sin(angle), z};
    axes.push_back({separation(n), n});
  }
  std::sort(axes.begin(), axes.end(), [](const auto& p, const auto& q) { return p.first > q.first; });
  double best = -1e300;
  for (int k = 0; k < k_best; ++k) {
    auto [value, n] = axes[k];
    for (double radius = 0.1; radius > 1e-9; radius /= 2)
      for (int turns = 0; turns < 16; ++turns) {
        const Vec3 u = perpendicular(n), v = cross(n, u);
        Vec3 next = n;
        for (int d = 0; d < 12; ++d) {
          const Vec3 m = normalized(n + radius * (std::cos(d * k_pi / 6) * u + std::sin(d * k_pi / 6) * v));
          if (const double there = separation(m); there > value) {
            value = there;
            next = m;
          }
        }
        if (next == n) break;
        n = next;
      }
    best = std::max(best, value);
  }
  return best;
}

int compare_curved(Random& random, int count, double tolerance) {
  int overlaps = 0;
  for (int i = 0; i < count; ++i) {
    const double size = power_of_ten(random, -3, 3), thinnest = i % 3 ? 1 : 1e-3;
    const auto kind = [&] { return ThingKind(int(uniform(random, 0, k_thing_kinds))); };
    auto a = random_thing(random, ThingKind(k_sharp_thing_kinds + i % 2), size, thinnest, 0);
    auto b = random_thing(random, kind(), size, thinnest, 0);
    if (i % 4 >= 2) std::swap(a, b);
    const Pose3 pose{a->core.middle - b->core.middle + vector3(random, size * power_of_ten(random, -3, 0)),
                     random_turn(random)};
    const Nearest<Dim3> overlap = nearest(a->core, b->core, pose, {});
    if (!overlap.overlap) continue;
    ++overlaps;
    const Penetration<Dim3> found = penetration(a->core, b->core, pose, overlap);
    expect_sound(*a, *b, pose, found);
    EXPECT_LE(found.depth, -sampled_separation(*a, *b, pose) + tolerance * size) << a->name << " " << b->name;
  }
  return overlaps;
}
TEST(Epa, is_optimal_for_cylinders_and_cones) {
  Random random(2);
  EXPECT_GE(compare_curved(random, 200, 1e-5), 100);
}
TEST(Epa, is_optimal_for_cylinders_and_cones_long) {
  Random random(3);
  EXPECT_GE(compare_curved(random, 8000, 1e-5), 4000);
}

TEST(Epa, takes_large_hulls) {
  Random random(4);
  Hull hull{{}, 0};
  for (const Vec3& v : ico_sphere(3).vertices) hull.points.push_back(v);
  const auto ball = thing_of(hull);  // 642 corners
  for (int i = 0; i < 50; ++i) {
    const Pose3 pose{vector3(random, 1), rotation3(random)};
    if (length(pose.position) > 1.9) continue;
    const Penetration<Dim3> found = penetration_of(*ball, *ball, pose);
    EXPECT_NEAR(found.depth, 2 - length(pose.position), 0.02);
    expect_sound(*ball, *ball, pose, found);
    EXPECT_LE(found.iterations, 140);
  }
}

// Cores without volume, or with 0 on the surface of their difference.
TEST(Epa, copes_with_flat_and_touching_cores) {
  const std::array<Vec3, 3> lower{Vec3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Core3 triangle = core_of_triangle(&lower);
  const auto overlap_of = [](const Core3& a, const Core3& b, const Pose3& pose) {
    const Nearest<Dim3> overlap = nearest(a, b, pose, {});
    return penetration(a, b, pose, overlap);
  };
  const Penetration<Dim3> coplanar = overlap_of(triangle, triangle, {{0.1, 0.1, 0}});
  EXPECT_NEAR(coplanar.depth, 0, 1e-15);
  EXPECT_NEAR(absolute(coplanar.normal.z), 1, 1e-15);
  const Capsule3 capsule{0.1, 1};
  const Core3 segment = core_of(Piece3(&capsule));
  const Penetration<Dim3> through =
      overlap_of(triangle, segment, {{0.25, 0.25, 0}});  // out by the nearest side
  EXPECT_NEAR(through.depth, 0.25, 1e-15);
  const Penetration<Dim3> along = overlap_of(segment, segment, {{0, 0, 0.5}});
  EXPECT_NEAR(along.depth, 0, 1e-15);
  EXPECT_NEAR(along.normal.z, 0, 1e-15);
  const Rot3 lying = Rot3::from_axis_angle({1, 0, 0}, k_pi / 2);
  const Penetration<Dim3> crossing = overlap_of(segment, segment, {{}, lying});
  EXPECT_NEAR(crossing.depth, 0, 1e-15);
  EXPECT_NEAR(absolute(crossing.normal.x), 1, 1e-15);
  const Core3 point{};
  EXPECT_NEAR(overlap_of(point, point, {}).depth, 0, 1e-15);
  EXPECT_NEAR(length(overlap_of(point, point, {}).normal), 1, 1e-15);
  const Box3 cube{{1, 1, 1}};
  const Core3 box = core_of(Piece3(&cube));
  for (const Vec3 at : {Vec3{0, 0, 2}, Vec3{0.5, 0.3, 2}, Vec3{0, 2, 2}, Vec3{2, 2, 2}}) {
    const Penetration<Dim3> touching = overlap_of(box, box, {at});
    EXPECT_NEAR(touching.depth, 0, 1e-14);
    EXPECT_NEAR(separation_along(box, box, {at}, touching.normal), 0, 1e-14);
  }
}

// ---------------------------------------------------------------------------------------- the plane

TEST(Epa, finds_the_depth_in_the_plane) {
  const auto depth_of = [](const Piece2& a, const Piece2& b, const Pose2& pose) {
    const Core2 core_a = core_of(a), core_b = core_of(b);
    return penetration(core_a, core_b, pose, nearest(core_a, core_b, pose, {}));
  };
  const Box2 box{{1, 1}};
  const Circle circle{0.5};
  const Segment segment{{-1, 0}, {1, 0}};
  const Penetration<Dim2> sides = depth_of(&box, &box, {{1.9, 0.5}});
  EXPECT_NEAR(sides.depth, 0.1, 1e-15);
  EXPECT_EQ(sides.normal, (Vec2{1, 0}));
  EXPECT_LE(length(sides.on_a - Vec2{1, 0.25}), 1e-14);  // the middle of what the sides share
  EXPECT_LE(length(sides.on_b - Vec2{0.9, 0.25}), 1e-14);
  const Penetration<Dim2> point = depth_of(&box, &circle, {{0.2, -0.7}});
  EXPECT_NEAR(point.depth, 0.3, 1e-15);
  EXPECT_EQ(point.normal, (Vec2{0, -1}));
  EXPECT_LE(length(point.on_a - Vec2{0.2, -1}), 1e-14);
  const Penetration<Dim2> crossing = depth_of(&segment, &segment, {{0, 0.8}, Rot2::from_angle(k_pi / 2)});
  EXPECT_NEAR(crossing.depth, 0.2, 1e-15);
  EXPECT_LE(length(crossing.normal - Vec2{0, 1}), 1e-15);
  EXPECT_NEAR(length(depth_of(&circle, &circle, {}).normal), 1, 1e-15);
}

TEST(Epa, is_optimal_in_the_plane) {
  Random random(5);
  int overlaps = 0;
  for (int i = 0; i < 4000; ++i) {
    const double size = power_of_ten(random, -3, 3);
    std::vector<Shape2> shapes = convex_solids2(random, size);
    shapes.push_back(Segment{vector2(random, size), vector2(random, size)});
    const Geometry2 a = build(shapes[i % 5]), b = build(shapes[i / 5 % 5]);
    const Core2 core_a = core_of(pieces_of(a)[0].piece), core_b = core_of(pieces_of(b)[0].piece);
    const Pose2 pose{vector2(random, size), i % 3 ? rotation2(random) : Rot2{}};
    const Nearest<Dim2> overlap = nearest(core_a, core_b, pose, {});
    if (!overlap.overlap) continue;
    ++overlaps;
    const Penetration<Dim2> found = penetration(core_a, core_b, pose, overlap);
    EXPECT_NEAR(found.depth, -separation_along(core_a, core_b, pose, found.normal), 1e-14 * size);
    EXPECT_LE(length(found.on_a - found.on_b - found.depth * found.normal), 1e-9 * size);
    double best = -1e300;  // over many angles: never better
    for (int k = 0; k < 720; ++k)
      best = std::max(best, separation_along(core_a, core_b, pose,
                                             Vec2{std::cos(k * k_pi / 360), std::sin(k * k_pi / 360)}));
    EXPECT_LE(found.depth, -best + 1e-13 * size);
    EXPECT_GE(found.depth, -best - 0.02 * size);
  }
  EXPECT_GE(overlaps, 1000);
}

}  // namespace
}  // namespace cairn
