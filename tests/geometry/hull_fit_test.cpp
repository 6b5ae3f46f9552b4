// Distances from meshes, whether a hull keeps near one, which hulls can be one, and which corners matter.
#include "geometry/hull_fit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/concave_meshes.h"
#include "geometry/gjk.h"
#include "geometry/hull_3d.h"
#include "geometry/main_corners.h"
#include "geometry/part_merge.h"
#include "geometry/shape_samples.h"

namespace cairn {
namespace {

using namespace samples;

TriangleMesh built(const Mesh& mesh) { return std::get<TriangleMesh>(build(Shape3{mesh}).form); }

TEST(MeshDistance, is_that_of_the_slow_search) {
  Random random(1);
  for (const Mesh& shape : {star_mesh(3), torus(1, 0.3, 24, 12), cup(1, 0.8, 1, 0.1), box_mesh({1, 1, 1})}) {
    const TriangleMesh mesh = built(shape);
    const MeshDistance distance(mesh);
    for (int k = 0; k < 300; ++k) {
      const Vec3 p = vector3(random, k % 2 ? 1.2 : 5);
      const SlowDistance slow = slow_distance(shape, p);
      ASSERT_NEAR(distance.to_surface(p), slow.to_surface, 1e-14);
      ASSERT_EQ(distance.is_inside(p), slow.is_inside);
    }
  }
}

// Upward rays through corners and along edges and faces.
TEST(MeshDistance, knows_the_inside_where_rays_meet_edges) {
  const auto is_solid = [](int x, int y, int z) {
    return std::min({x, y, z}) >= 0 && (x + 2 * y + 3 * z) % 4 != 0;
  };
  const TriangleMesh mesh = built(cubes(4, 4, 4, is_solid));
  const MeshDistance distance(mesh);
  int inner = 0, outer = 0;
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 8; ++y)
      for (int z = 0; z < 4; ++z) {
        int around = 0;  // of the four cubes that meet here, or twice two, or four times one
        for (const int i : {(x - 1) >> 1, x >> 1})
          for (const int j : {(y - 1) >> 1, y >> 1}) around += is_solid(i, j, z);
        if (around != 0 && around != 4) continue;  // a point of the surface
        ASSERT_EQ(distance.is_inside({0.5 * x, 0.5 * y, z + 0.5}), around == 4);
        ++(around == 4 ? inner : outer);
      }
  EXPECT_GT(inner, 50);
  EXPECT_GT(outer, 20);
  const TriangleMesh ball = built(octahedron_mesh());
  const MeshDistance of_ball(ball);
  EXPECT_TRUE(of_ball.is_inside({0, 0, 0}));  // straight up is a corner
  EXPECT_TRUE(of_ball.is_inside({0.25, 0, -0.5}));
  EXPECT_FALSE(of_ball.is_inside({0, 0, -2}));
  EXPECT_FALSE(of_ball.is_inside({1, 0, 0.5}));
}

Polyhedron box_hull(const Vec3& half) { return build_hull(box_mesh(half).vertices); }

TEST(HullFit, knows_how_far_a_hull_stands_off) {
  const TriangleMesh mesh = built(box_mesh({1, 1, 1}));
  HullFit fit(mesh, 0.1);
  EXPECT_TRUE(fit.is_within(box_hull({1, 1, 1})));
  EXPECT_TRUE(fit.is_within(box_hull({0.5, 0.2, 0.9})));  // inside is never too far
  EXPECT_TRUE(fit.is_within(box_hull({1.08, 1, 1})));
  EXPECT_FALSE(fit.is_within(box_hull({1.11, 1, 1})));
  EXPECT_TRUE(fit.is_within(box_hull({1.05, 1.05, 1.02})));   // corners at 0.073
  EXPECT_FALSE(fit.is_within(box_hull({1.06, 1.06, 1.06})));  // corners at 0.104
  // A needle of a hull that reaches out by more: cubes around its tip meet all its planes without meeting it.
  const auto needle = [](double tip) {
    return build_hull(std::vector<Vec3>{{0, -0.01, -0.01}, {0, 0.01, -0.01}, {0, 0, 0.02}, {tip, 0, 0}});
  };
  EXPECT_TRUE(fit.is_within(needle(1.08)));
  EXPECT_FALSE(fit.is_within(needle(1.11)));
}

// What its surface does not show: a void, and a pocket with a mouth narrower than the tolerance.
TEST(HullFit, looks_inside) {
  const TriangleMesh hollow =
      built(cubes(3, 3, 3, [](int x, int y, int z) { return x != 1 || y != 1 || z != 1; }));
  EXPECT_FALSE(HullFit(hollow, 0.4).is_within(build_hull(hollow.vertices)));
  EXPECT_TRUE(
      HullFit(hollow, 0.6).is_within(build_hull(hollow.vertices)));  // the middle is 0.5 from the surface
  const TriangleMesh bottle =
      built(lathe({{0, 0}, {1, 0}, {1, 2}, {0.05, 2}, {0.05, 1.9}, {0.9, 1.9}, {0.9, 0.1}, {0, 0.1}}, 16));
  EXPECT_FALSE(HullFit(bottle, 0.1).is_within(build_hull(bottle.vertices)));
  EXPECT_TRUE(HullFit(bottle, 1).is_within(build_hull(bottle.vertices)));
}

// Four blocks side by side, of which two touch along an edge.
TEST(MergeParts, keep_out_of_others) {
  const TriangleMesh mesh = built(cubes(2, 2, 1, [](int, int, int) { return true; }));
  const auto block = [](double x, double y) {
    std::vector<Vec3> corners = box_mesh({0.5, 0.5, 0.5}).vertices;
    for (Vec3& v : corners) v += Vec3{x + 0.5, y + 0.5, 0.5};
    return build_hull(corners);
  };
  HullFit fit(mesh, 0.04);
  std::vector<Polyhedron> hulls{block(0, 0), block(1, 1)};
  std::vector<char> may_merge{1, 1};
  merge_parts(hulls, may_merge, fit, 0.01);  // into a prism over the other two
  EXPECT_EQ(hulls.size(), 1u);
  EXPECT_NEAR(volume_of(hulls[0].exact), 3, 1e-12);
  hulls = {block(0, 0), block(1, 1), block(1, 0)};
  may_merge = {1, 1, 0};
  merge_parts(hulls, may_merge, fit, 0.01);
  EXPECT_EQ(hulls.size(), 3u);
  may_merge = {1, 1, 1};
  hulls.push_back(block(0, 1));
  may_merge.push_back(1);
  merge_parts(hulls, may_merge, fit, 0.01);  // what adds nothing comes first
  ASSERT_EQ(hulls.size(), 1u);
  EXPECT_EQ(may_merge.size(), 1u);
  EXPECT_NEAR(volume_of(hulls[0].exact), 4, 1e-12);
}

TEST(MainCorners, are_as_few_as_allowed_and_none_is_far) {
  const std::vector<Vec3> ball = ico_sphere(3).vertices;
  std::size_t last = ball.size() + 1;
  for (const double within : {0.001, 0.01, 0.03, 0.1}) {
    const std::vector<Vec3> some = main_corners(ball, within);
    EXPECT_LT(some.size(), last);
    last = some.size();
    const Polyhedron hull = build_hull(some);
    for (const Vec3& v : ball)
      for (const FacePlane& plane : hull.planes) ASSERT_LE(plane.distance(v), within + 1e-5);
  }
  EXPECT_LT(last, 80u);
  EXPECT_EQ(main_corners(box_mesh({1, 2, 3}).vertices, 0.1).size(), 8u);
}

// Beyond the sharp rim of a lens a point is near all planes and yet far away.
TEST(MainCorners, keep_a_sharp_rim) {
  std::vector<Vec3> lens{{0, 0, -0.01}, {0, 0, 0.01}};
  for (int k = 0; k < 64; ++k) {
    const portable::SinCos a = portable::sin_cos(2 * k_pi * k / 64);
    lens.push_back({a.cos, a.sin, 0});
  }
  const std::vector<Vec3> some = main_corners(lens, 0.05);
  EXPECT_LT(some.size(), 30u);
  const Polyhedron hull = build_hull(some);
  for (const Vec3& v : lens) {
    const Core3 point{.kind = CoreKind::point, .middle = v};
    EXPECT_LE(nearest(core_of(Piece3{&hull}), point, {}, {}).distance, 0.0501);
  }
}

}  // namespace
}  // namespace cairn
