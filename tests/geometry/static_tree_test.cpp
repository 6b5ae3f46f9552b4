// The tree over the triangles of a mesh: the same answers as asking every triangle, at logarithmic cost.
#include "geometry/static_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/ray.h"
#include "geometry/ray_surface.h"
#include "geometry/shape_samples.h"
#include "geometry/triangles.h"

namespace cairn {
namespace {

using namespace samples;

bool overlap(const Bounds3& a, const Bounds3& b) {
  return a.lo.x <= b.hi.x && a.lo.y <= b.hi.y && a.lo.z <= b.hi.z && a.hi.x >= b.lo.x && a.hi.y >= b.lo.y &&
         a.hi.z >= b.lo.z;
}
Bounds3 box_of(const std::array<Vec3, 3>& t) {
  return {smaller(t[0], smaller(t[1], t[2])), larger(t[0], larger(t[1], t[2]))};
}
std::array<Vec3, 3> corners_of(const TriangleMesh& mesh, std::size_t t) {
  const auto [i, j, k] = mesh.triangles[t];
  return {mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]};
}
TriangleMesh built_mesh(const Mesh& mesh) { return std::get<TriangleMesh>(build(mesh).form); }

int depth_of(const StaticTree& tree, std::uint32_t node = 0) {
  const StaticTree::Node& n = tree.nodes()[node];
  return n.count > 0 ? 1 : 1 + std::max(depth_of(tree, node + 1), depth_of(tree, n.second));
}

TEST(StaticTree, rounds_outwards) {
  Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const double part = uniform(random, -1, 1), x = part * power_of_ten(random, -60, 60);
    EXPECT_LE(double(rounded_down(x)), x);
    EXPECT_GE(double(rounded_up(x)), x);
    const bool is_normal = absolute(x) < 1e38 && absolute(x) > 1e-37;
    EXPECT_TRUE(!is_normal || double(rounded_up(x)) - double(rounded_down(x)) <= 2.4e-7 * absolute(x));
  }
  EXPECT_EQ(rounded_down(0.5), 0.5f);
  EXPECT_EQ(rounded_down(INFINITY), std::numeric_limits<float>::infinity());
  EXPECT_EQ(rounded_down(-INFINITY), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(rounded_up(1e300), std::numeric_limits<float>::infinity());
  EXPECT_EQ(rounded_down(1e300), std::numeric_limits<float>::max());
}

TEST(StaticTree, holds_every_item_once_in_boxes_that_contain_it) {
  Random random(2);
  for (const int n : {0, 1, 4, 5, 17, 1000}) {
    std::vector<Bounds3> boxes;
    for (int i = 0; i < n; ++i) {
      const Vec3 at = Vec3{1e5, 0, -1e5} + vector3(random, 10), half{0.3, 1e-7, 0.1};
      boxes.push_back({at - half, at + half});
    }
    const StaticTree tree(boxes);
    std::vector<std::uint32_t> items(tree.items().begin(), tree.items().end());
    std::sort(items.begin(), items.end());
    ASSERT_EQ(items.size(), std::size_t(n));
    for (int i = 0; i < n; ++i) EXPECT_EQ(items[i], std::uint32_t(i));
    for (const auto& node : tree.nodes())
      for (std::uint32_t i = 0; i < node.count; ++i) {
        const Bounds3& b = boxes[tree.items()[node.second + i]];
        EXPECT_LE(node.lo[0], b.lo.x - tree.origin().x);
        EXPECT_LE(node.lo[1], b.lo.y - tree.origin().y);
        EXPECT_GE(node.hi[2], b.hi.z - tree.origin().z);
      }
  }
}

TEST(StaticTree, is_shallow_whatever_the_input) {
  const std::vector<Bounds3> same(100000, {{1, 2, 3}, {4, 5, 6}});
  EXPECT_LE(depth_of(StaticTree(same)), 17);
  std::vector<Bounds3> ever_finer;  // each ten times nearer to the origin
  for (int i = 0; i < 600; ++i) {
    const double x = std::pow(10, -0.5 * i);
    ever_finer.push_back({{x, 0, 0}, {x, x, x}});
  }
  EXPECT_LE(depth_of(StaticTree(ever_finer)), 9);
}

TEST(StaticTree, finds_the_triangles_in_a_box_like_asking_all) {
  Random random(3);
  std::size_t found = 0;
  for (const double far : {0.0, 1e6}) {
    const TriangleMesh mesh =
        built_mesh(samples::transformed({far * unit3(random), rotation3(random)}, star_mesh(3)));
    std::vector<PlacedTriangle> out;
    for (int i = 0; i < 300; ++i) {
      const Vec3 at = mesh.box.lo + vector3(random, 2),
                 half = absolute(vector3(random, power_of_ten(random, -3, 0.5)));
      const Bounds3 box{at - half, at + half};
      triangles_in(mesh, box, out);
      std::size_t next = 0;
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        if (!overlap(box, box_of(corners_of(mesh, t)))) continue;
        ASSERT_LT(next, out.size());
        EXPECT_EQ(out[next].index, t);
        EXPECT_EQ(out[next++].corners, corners_of(mesh, t));
      }
      EXPECT_EQ(next, out.size());
      found += next;
    }
    const double inf = INFINITY;
    triangles_in(mesh, {{-inf, -inf, -inf}, {inf, inf, inf}}, out);
    EXPECT_EQ(out.size(), mesh.triangles.size());
  }
  EXPECT_GT(found, 1000u);
}

TEST(StaticTree, height_fields_find_the_triangles_in_a_box_like_asking_all) {
  Random random(4);
  std::size_t found = 0;
  const HeightField field = hills(23, 17, {0.3, 0.7}, 1);
  const HeightGrid grid = std::get<HeightGrid>(build(field).form);
  const Mesh mesh = mesh_of(field);
  std::vector<PlacedTriangle> out;
  const auto expect_all = [&](const Bounds3& box) {
    triangles_in(grid, box, out);
    std::size_t next = 0;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto [i, j, k] = mesh.triangles[t];
      const std::array<Vec3, 3> corners{mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]};
      if (!overlap(box, box_of(corners))) continue;
      ASSERT_LT(next, out.size());
      EXPECT_EQ(out[next].index, t);
      EXPECT_EQ(out[next++].corners, corners);
    }
    EXPECT_EQ(next, out.size());
    found += next;
  };
  for (int i = 0; i < 500; ++i) {
    const Vec3 at{uniform(random, -1, 8), uniform(random, -1, 13), uniform(random, -1.5, 1.5)},
        half = absolute(vector3(random, power_of_ten(random, -3, 1)));
    expect_all({at - half, at + half});
  }
  for (int i = 0; i < 23; ++i) {  // edges of the box on the lines of the grid
    const Vec3 at = grid.sample(i, i % 17);
    expect_all({at, at});
    expect_all({at, at + Vec3{0.3, 0.7, 1}});
  }
  expect_all({{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}});
  EXPECT_GT(found, 1000u);
}

// What cast_surface did before there was a tree.
std::optional<RayHit3> slow_cast(const TriangleMesh& mesh, const Ray3& ray) {
  const Vec3 half = 0.5 * (mesh.box.hi - mesh.box.lo), middle = mesh.box.lo + half;
  const Line3 line = line_of(ray, middle);
  const View view(line);
  double first_s = k_infinity;
  Vec3 normal;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [a, b, c] = corners_of(mesh, t);
    const auto s = view.meet(view.look(a), view.look(b), view.look(c));
    if (!s || *s >= first_s) continue;
    first_s = *s;
    normal = cross(b - a, c - a);
  }
  if (first_s == k_infinity) return std::nullopt;
  return hit_surface(line, first_s, normal);
}

void expect_same_hits(const TriangleMesh& mesh, Random& random, int rays, int& hits) {
  const Vec3 size = mesh.box.hi - mesh.box.lo, middle = mesh.box.lo + 0.5 * size;
  for (int i = 0; i < rays; ++i) {
    const Vec3 origin = middle + scaled(size, vector3(random, 1.5));
    Vec3 target = middle + scaled(size, vector3(random, 0.6));
    const auto t = corners_of(mesh, random() % mesh.triangles.size());
    if (i % 4 == 1) target = t[0];                 // at a corner
    if (i % 4 == 2) target = 0.5 * (t[0] + t[1]);  // at an edge
    const Ray3 ray{origin, (i % 3 == 0 ? 1 : 3) * (target - origin)};
    const auto expected = slow_cast(mesh, ray), hit = cast_surface(mesh, ray);
    ASSERT_EQ(hit.has_value(), expected.has_value());
    if (!hit) continue;
    ++hits;
    EXPECT_EQ(hit->fraction, expected->fraction);
    EXPECT_EQ(hit->point, expected->point);
    EXPECT_EQ(hit->normal, expected->normal);
  }
}

TEST(StaticTree, rays_hit_what_they_hit_without_it) {
  Random random(5);
  int hits = 0;
  for (int i = 0; i < 12; ++i) {
    const double size = power_of_ten(random, -3, 3), far = i % 3 == 2 ? 1e6 : i % 3;
    const Pose3 pose{far * size * unit3(random), i % 2 ? rotation3(random) : Rot3{}};
    Mesh mesh = i < 4   ? star_mesh(2)
                : i < 8 ? mesh_of(hills(20, 20, {0.1, 0.1}, 0.1 * (i % 2)))
                        : box_mesh({1, 0.2, 3});
    for (Vec3& v : mesh.vertices) v = to_world(pose, size * v);
    expect_same_hits(built_mesh(mesh), random, 400, hits);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(hits, 2000);
}

// Counted rather than timed: how many triangles lie in the leaves that small boxes meet.
TEST(StaticTree, asks_few_triangles_of_many) {
  const TriangleMesh mesh = built_mesh(mesh_of(hills(225, 225, {1, 1}, 0.5)));  // 10⁵ triangles
  ASSERT_GE(mesh.triangles.size(), 100000u);
  EXPECT_LE(depth_of(mesh.tree), 17);
  Random random(6);
  std::size_t asked = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 at{uniform(random, 0, 224), uniform(random, 0, 224), 0};
    mesh.tree.query({at - Vec3{0.2, 0.2, 2}, at + Vec3{0.2, 0.2, 2}}, [&](std::uint32_t) { ++asked; });
  }
  EXPECT_LE(asked, 1000u * 30);
  EXPECT_GE(asked, 1000u * 2);
}

}  // namespace
}  // namespace cairn
