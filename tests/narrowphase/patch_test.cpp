// Facing features, clipping and the reduction to four points.
#include "narrowphase/collide_3d/patch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "narrowphase/solid_pairs.h"

namespace cairn {
namespace {

using namespace pairs;
using samples::uniform;
using Point = ManifoldPoint<Dim3>;

constexpr std::uint32_t vertex(std::size_t i) { return feature(FeatureKind::vertex, i); }

// ---------------------------------------------------------------------------------- facing

TEST(Facing, of_a_box_is_a_face_an_edge_or_a_corner) {
  const Box3 box{{1, 2, 3}};
  Facing f;
  for (const double sign : {-1.0, 1.0}) {
    face_towards(&box, {}, normalized(Vec3{0.05, -0.02, sign}), k_wide, f);
    ASSERT_EQ(f.count, 4);
    EXPECT_EQ(f.normal, (Vec3{0, 0, sign}));
    double area = 0;  // counter-clockwise about the normal
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(f.corners[k].z, 3 * sign);
      area += 0.5 * dot(cross(f.corners[k], f.corners[(k + 1) % 4]), f.normal);
    }
    EXPECT_DOUBLE_EQ(area, 8);
  }
  face_towards(&box, {}, normalized(Vec3{1, 0.05, -1}), k_wide, f);
  ASSERT_EQ(f.count, 2);
  EXPECT_EQ(f.corners[0], (Vec3{1, -2, -3}));
  EXPECT_EQ(f.corners[1], (Vec3{1, 2, -3}));
  face_towards(&box, {}, normalized(Vec3{1, 1, -1}), k_wide, f);
  ASSERT_EQ(f.count, 1);
  EXPECT_EQ(f.corners[0], (Vec3{1, 2, -3}));
}

// Every edge of the box has one name, whichever face or corner it is seen from, and no two have the same.
TEST(Facing, of_a_box_names_each_edge_once) {
  const Box3 box{{1, 2, 3}};
  std::set<std::pair<std::uint32_t, std::set<std::uint32_t>>> seen;
  Facing f;
  for (const Vec3& n :
       {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
    face_towards(&box, {}, n, k_wide, f);
    for (std::size_t k = 0; k < 4; ++k)
      seen.insert({f.side_names[k], {f.corner_names[k], f.corner_names[(k + 1) % 4]}});
  }
  for (double x : {-1.0, 1.0})
    for (double y : {-1.0, 1.0})
      for (const Vec3& n : {Vec3{x, y, 0}, Vec3{0, x, y}, Vec3{y, 0, x}}) {
        face_towards(&box, {}, normalized(n), k_wide, f);
        ASSERT_EQ(f.count, 2);
        seen.insert({f.name, {f.corner_names[0], f.corner_names[1]}});
      }
  EXPECT_EQ(seen.size(), 12u);
}

// What a piece shows lies on its surface, and the point furthest along n is on it.
TEST(Facing, lies_on_the_surface_at_the_support) {
  Random random(3);
  for (int kind = 0; kind < k_kinds; ++kind)
    for (int t = 0; t < 300; ++t) {
      const Built a(random_solid(random, kind, 1));
      const Pose3 pose{samples::vector3(random, 2), samples::rotation3(random)};
      Vec3 n = samples::unit3(random);
      if (t % 3 == 0)
        n = normalized(pose.rotation * Vec3{0, 0, t % 2 ? 1.0 : -1.0} + samples::vector3(random, 0.05));
      Facing f;
      face_towards(a.piece, pose, n, k_wide, f);
      ASSERT_GE(f.count, 1);
      double highest = -1e300;
      for (std::size_t k = 0; k < std::size_t(f.count); ++k) {
        const Vec3 local = to_local(pose, f.corners[k]);
        ASSERT_NEAR(outside_by(a.piece, local), 0, 1e-14) << kind;
        highest = std::max(highest, dot(n, f.corners[k]));
      }
      const Sphere dot_like{1e-300};
      const double support = -separation_along(&dot_like, a.piece, pose, -n);
      // A ring of points on a rim, or the line on a round side, comes close.
      const double slack = kind >= 2 && kind <= 4 && f.count > 1 ? 0.1 * a.size : 1e-14;
      ASSERT_NEAR(highest, support, slack) << kind << " " << f.count;
    }
}

TEST(Facing, of_a_large_face_keeps_its_outline) {
  Hull prism;
  for (int k = 0; k < 200; ++k) {  // a rounded end and two far corners
    const double angle = k_pi * k / 199;
    for (const double z : {-1.0, 1.0}) prism.points.push_back({-std::sin(angle), std::cos(angle), z});
  }
  for (const double z : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) prism.points.push_back({5, y, z});
  const Built built(prism);
  Facing f;
  face_towards(built.piece, {}, {0, 0, 1}, k_wide, f);
  ASSERT_GT(f.count, 10);
  ASSERT_LE(f.count, Facing::k_most_corners);
  double area = 0;
  for (std::size_t k = 0; k < std::size_t(f.count); ++k)
    area += 0.5 * dot(cross(f.corners[k], f.corners[(k + 1) % std::size_t(f.count)]), f.normal);
  EXPECT_GT(area, 0.995 * (10 + k_pi / 2));
}

// ---------------------------------------------------------------------------------- clipping

Facing square(const Vec3& middle, double half, const Vec3& normal, std::size_t first_name) {
  Facing f;
  f.normal = normal;
  f.name = feature(FeatureKind::face, first_name);
  const Vec3 u = perpendicular(normal), v = cross(normal, u);
  const double s[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (std::size_t k = 0; k < 4; ++k)
    f.add(middle + half * (s[k][0] * u + s[k][1] * v), vertex(first_name + k),
          feature(FeatureKind::edge, first_name + k));
  return f;
}

// Polygons turned by 45°: eight crossings, each named by two edges.
TEST(Clip, of_two_squares_is_an_octagon) {
  const Facing a = square({}, 1, {0, 0, 1}, 0);
  Facing b = square({0, 0, 0.25}, 1, {0, 0, -1}, 10);
  const Rot3 turn = Rot3::from_axis_angle({0, 0, 1}, k_pi / 4);
  for (std::size_t k = 0; k < 4; ++k) b.corners[k] = turn * b.corners[k];
  PatchPoints out;
  clip(a, b, ClipFrame({}, {0, 0, 1}, 1), 1, out);
  ASSERT_EQ(out.count, 8);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_NEAR(out.points[k].separation, 0.25, 1e-15);
    EXPECT_NEAR(std::max(std::abs(out.points[k].point.x), std::abs(out.points[k].point.y)), 1, 1e-15);
    EXPECT_EQ(out.points[k].features.a >> 30, 1u);
    EXPECT_EQ(out.points[k].features.b >> 30, 1u);
  }
}

// The corners of a small polygon over a large one are its own, from whichever side one looks.
TEST(Clip, of_a_square_in_a_square_is_the_small_one) {
  const Facing large = square({}, 2, {0, 0, 1}, 0), small = square({0.3, 0.2, 0.1}, 0.5, {0, 0, -1}, 10);
  PatchPoints out;
  clip(large, small, ClipFrame({}, {0, 0, 1}, 1), 1, out);
  ASSERT_EQ(out.count, 4);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(out.points[k].features.a, large.name);
    EXPECT_EQ(out.points[k].features.b >> 30, 0u);
  }
  PatchPoints back;
  clip(small, large, ClipFrame({}, {0, 0, -1}, 1), 1, back);
  ASSERT_EQ(back.count, 4);
  std::set<std::uint32_t> names;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(back.points[k].features.b, large.name);
    names.insert(back.points[k].features.a);
  }
  EXPECT_EQ(names, (std::set<std::uint32_t>{vertex(10), vertex(11), vertex(12), vertex(13)}));
}

// Just outside both sides of a sharp corner is far outside the polygon.
TEST(Clip, beyond_a_sharp_corner_is_nothing) {
  Facing blade;
  blade.normal = {0, 0, 1};
  blade.name = feature(FeatureKind::face, 0);
  blade.add({-1, -1e-4, 0}, vertex(0), feature(FeatureKind::edge, 0));
  blade.add({0, 0, 0}, vertex(1), feature(FeatureKind::edge, 1));
  blade.add({-1, 1e-4, 0}, vertex(2), feature(FeatureKind::edge, 2));
  for (const double beyond : {-1e-7, 5e-7}) {  // 5e-11 outside both sides
    Facing line;
    line.name = feature(FeatureKind::edge, 7);
    line.add({beyond, -1, 0.1}, vertex(8), line.name);
    line.add({beyond, 1, 0.1}, vertex(9), line.name);
    PatchPoints out;
    clip(blade, line, ClipFrame({}, {0, 0, 1}, 1), 1, out);
    EXPECT_EQ(out.count > 0, beyond < 0);
    PatchPoints squares;
    clip(blade, square({beyond + 1, 0, 0.1}, 1, {0, 0, -1}, 10), ClipFrame({}, {0, 0, 1}, 1), 1, squares);
    EXPECT_EQ(squares.count > 0, beyond < 0);
  }
}

// The same area as by counting random points, for random polygons.
TEST(Clip, of_random_polygons_has_the_area_of_their_intersection) {
  Random random(5);
  for (int t = 0; t < 200; ++t) {
    Facing shapes[2];
    for (int side = 0; side < 2; ++side) {
      const int corners = 3 + int(random() % 8);
      const Vec3 middle{uniform(random, -0.5, 0.5), uniform(random, -0.5, 0.5), double(side)};
      const double begin = uniform(random, 0, 6);
      shapes[side].normal = {0, 0, side ? -1.0 : 1.0};
      shapes[side].name = feature(FeatureKind::face, 0);
      for (int k = 0; k < corners; ++k) {
        const double angle = begin + (side ? -1 : 1) * 2 * k_pi * (k + uniform(random, 0, 0.8)) / corners;
        shapes[side].add(middle + Vec3{std::cos(angle), std::sin(angle), 0}, vertex(std::size_t(k)),
                         feature(FeatureKind::edge, std::size_t(k)));
      }
    }
    PatchPoints out;
    clip(shapes[0], shapes[1], ClipFrame({}, {0, 0, 1}, 1), 2, out);
    double area = 0;
    std::set<std::pair<std::uint32_t, std::uint32_t>> names;
    for (std::size_t k = 0; k < std::size_t(out.count); ++k) {
      area -= 0.5 * cross(out.points[k].point, out.points[(k + 1) % std::size_t(out.count)].point).z;
      names.insert({out.points[k].features.a, out.points[k].features.b});
    }
    EXPECT_EQ(names.size(), std::size_t(out.count));
    const auto inside = [](const Facing& f, const Vec3& p) {
      for (std::size_t k = 0; k < std::size_t(f.count); ++k)
        if (dot(cross(f.corners[(k + 1) % std::size_t(f.count)] - f.corners[k], p - f.corners[k]), f.normal) <
            0)
          return false;
      return true;
    };
    int hits = 0;
    constexpr int k_side = 60;
    for (int i = 0; i < k_side; ++i)
      for (int j = 0; j < k_side; ++j) {
        const Vec3 p{-1.5 + 3.0 * (i + 0.5) / k_side, -1.5 + 3.0 * (j + 0.5) / k_side, 0};
        hits += inside(shapes[0], p) && inside(shapes[1], p);
      }
    EXPECT_NEAR(area, hits * 9.0 / (k_side * k_side), 0.1) << t;
  }
}

// ---------------------------------------------------------------------------------- reduction

double hull_area(std::vector<Vec3> points) {
  std::vector<Vec2> flat;
  for (const Vec3& p : points) flat.push_back({p.x, p.y});
  const std::vector<Vec2> outline = convex_outline(flat);
  double area = 0;
  for (std::size_t k = 0; k < outline.size(); ++k)
    area += 0.5 * cross(outline[k], outline[(k + 1) % outline.size()]);
  return area;
}
std::vector<Point> random_patch(Random& random, std::size_t count, double depth) {
  std::vector<Point> patch;
  const double stretch = uniform(random, 0.05, 1), begin = uniform(random, 0, 6);
  for (std::size_t k = 0; k < count; ++k) {
    const double angle = begin + 2 * k_pi * (double(k) + uniform(random, 0, 0.9)) / double(count);
    patch.push_back(
        {{std::cos(angle), stretch * std::sin(angle), 0}, uniform(random, -depth, 0), {vertex(k), 0}});
  }
  return patch;
}

// The largest area of any four of the points.
double best_area(const std::vector<Vec3>& p) {
  double best = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k)
        for (std::size_t l = 0; l < k; ++l) best = std::max(best, hull_area({p[i], p[j], p[k], p[l]}));
  return best;
}

TEST(Reduce, keeps_the_deepest_and_most_of_the_area) {
  Random random(7);
  for (int t = 0; t < 500; ++t) {
    std::vector<Point> patch = random_patch(random, 5 + random() % 6, t % 2 ? 0.0 : 0.01);
    double deepest = 1;
    std::vector<Vec3> all, kept;
    for (const Point& p : patch) deepest = std::min(deepest, p.separation), all.push_back(p.point);
    ASSERT_EQ(reduce(patch, {0, 0, 1}, 1e-9), 4);
    ASSERT_EQ(patch[0].separation, deepest);
    for (std::size_t k = 0; k < 4; ++k) kept.push_back(patch[k].point);
    ASSERT_GT(hull_area(kept), 0.45 * hull_area(all));
    ASSERT_GT(hull_area(kept), 0.65 * best_area(all));
  }
}

// Depths that differ by the noise of a solver do not change which points are kept, but for the deepest.
TEST(Reduce, of_a_symmetric_patch_does_not_flip) {
  Random random(8);
  std::set<std::uint32_t> first;
  int moved = 0;
  for (int t = 0; t < 200; ++t) {
    std::vector<Point> patch;
    for (std::size_t k = 0; k < 8; ++k) {
      const double angle = 2 * k_pi * double(k) / 8;
      const Vec3 noise = samples::vector3(random, 1e-5);
      const double depth = k == 0 ? -2e-5 : uniform(random, -1e-5, 1e-5);
      patch.push_back({Vec3{std::cos(angle), std::sin(angle), 0} + noise, depth, {vertex(k), 0}});
    }
    std::shuffle(patch.begin(), patch.end(), random);
    ASSERT_EQ(reduce(patch, {0, 0, 1}, 1e-9), 4);
    std::set<std::uint32_t> names;
    for (std::size_t k = 0; k < 4; ++k) names.insert(patch[k].features.a);
    if (t == 0) first = names;
    moved += names != first;
  }
  EXPECT_EQ(moved, 0);
}

TEST(Reduce, drops_what_repeats) {
  std::vector<Point> patch = {
      {{0, 0, 0}, -1, {1, 1}}, {{1, 0, 0}, -2, {2, 1}}, {{1, 1e-12, 0}, -3, {3, 1}}, {{2, 0, 0}, 0, {1, 1}}};
  ASSERT_EQ(reduce(patch, {0, 0, 1}, 1e-9), 2);
  EXPECT_EQ(patch[0].separation, -3);
  EXPECT_EQ(patch[1].separation, -1);
}

}  // namespace
}  // namespace cairn
