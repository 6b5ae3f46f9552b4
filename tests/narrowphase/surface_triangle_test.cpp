// What contacts know of the surroundings of a triangle, and which directions they allow.
#include "narrowphase/collide_3d/surface_triangle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "narrowphase/collide_3d/surface_axis.h"
#include "narrowphase/collide_3d/surface_patch.h"
#include "narrowphase/collide_3d/surface_side.h"
#include "narrowphase/surface_samples.h"

namespace cairn {
namespace {

using namespace surfaces;

constexpr Bounds3 k_everywhere{{-1e9, -1e9, -1e9}, {1e9, 1e9, 1e9}};

std::vector<SurfaceTriangle> all_of(const auto& surface) {
  std::vector<PlacedTriangle> scratch;
  std::vector<SurfaceTriangle> triangles;
  surface.gather(k_everywhere, scratch, triangles);
  return triangles;
}
TriangleMesh built_mesh(const Mesh& mesh) { return std::get<TriangleMesh>(build(mesh).form); }

// The height field works out on the fly what the mesh stores: inside the border they must agree.
TEST(SurfaceTriangle, of_a_height_field_is_that_of_the_same_mesh) {
  Random random(1);
  const HeightField field = bumps(7, 6, {0.5, 0.3}, 0.2, random);
  const HeightGrid grid = std::get<HeightGrid>(build(field).form);
  Mesh mesh = mesh_like(field);
  close_below(mesh, field, 60);
  const TriangleMesh closed = built_mesh(mesh);
  const GridSurface on_grid(grid);
  const MeshSurface on_mesh(closed);
  const auto a = all_of(on_grid), b = all_of(on_mesh);
  ASSERT_EQ(a.size(), 60u);
  int compared = 0;
  std::vector<Spoke> spokes_a, spokes_b;
  for (std::size_t t = 0; t < a.size(); ++t) {
    EXPECT_EQ(a[t].index, t);
    EXPECT_EQ(b[t].index, t);
    EXPECT_EQ(a[t].corners, b[t].corners);
    EXPECT_LE(length(a[t].normal - b[t].normal), 1e-14);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto &e = a[t].edges[k], &f = b[t].edges[k];
      if (e.kind == EdgeKind::open) {
        EXPECT_GE(f.neighbour, 60u);  // the skirt
        continue;
      }
      ++compared;
      EXPECT_EQ(e.kind, f.kind);
      EXPECT_EQ(e.neighbour, f.neighbour);
      EXPECT_EQ(e.name, f.name);
      EXPECT_LE(length(e.along - f.along), 1e-14);
      EXPECT_LE(length(e.across - f.across), 1e-14);
      EXPECT_LE(length(e.across - a[e.neighbour].normal), 1e-14);
      const bool is_inside = a[t].corners[k].x > 0.1 && a[t].corners[k].x < 2.9 && a[t].corners[k].y > 0.1 &&
                             a[t].corners[k].y < 1.4;
      if (!is_inside) continue;
      EXPECT_EQ(a[t].bears[k], b[t].bears[k]);
      on_grid.spokes(a[t], k, spokes_a);
      on_mesh.spokes(b[t], k, spokes_b);
      ASSERT_EQ(spokes_a.size(), 6u);
      ASSERT_EQ(spokes_b.size(), 6u);
      for (const Spoke& s : spokes_a)
        EXPECT_TRUE(std::any_of(spokes_b.begin(), spokes_b.end(), [&](const Spoke& r) {
          return length(s.first - r.first) + length(s.second - r.second) < 1e-14;
        }));
    }
  }
  EXPECT_EQ(compared, 60 * 3 - 22);  // every inner edge from both sides
}

TEST(SurfaceTriangle, names_an_edge_the_same_from_both_sides) {
  Random random(2);
  Mesh mesh = flat_floor(6, 1, 0.2, random);
  const TriangleMesh floor = built_mesh(mesh);
  const HeightGrid grid = std::get<HeightGrid>(build(bumps(7, 6, {0.5, 0.3}, 0.2, random)).form);
  for (const auto& triangles : {all_of(MeshSurface(floor)), all_of(GridSurface(grid))}) {
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> ends;
    std::map<std::uint32_t, int> uses;
    for (const SurfaceTriangle& t : triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto these = std::minmax(t.vertices[k], t.vertices[(k + 1) % 3]);
        const auto [place, is_new] = ends.try_emplace(t.edges[k].name, these.first, these.second);
        EXPECT_EQ(place->second, (std::pair{these.first, these.second}));
        ++uses[t.edges[k].name];
      }
    for (const SurfaceTriangle& t : triangles)
      for (const auto& e : t.edges) EXPECT_EQ(uses[e.name], e.kind == EdgeKind::open ? 1 : 2);
  }
}

// A direction out of a tip, and the same spokes seen as a pit.
TEST(SurfaceAxis, allows_the_directions_of_a_tip) {
  std::vector<Spoke> tip, pit;
  const Vec3 feet[4] = {{1, 0, -1}, {0, 1, -1}, {-1, 0, -1}, {0, -1, -1}};
  for (int k = 0; k < 4; ++k) {
    const Vec3 a = normalized(feet[k]), b = normalized(feet[(k + 1) % 4]);
    tip.push_back({a, b});
    const Vec3 up{1, 1, -1};
    pit.push_back({scaled(a, up), scaled(b, up)});
  }
  EXPECT_TRUE(is_in_cone({0, 0, 1}, tip, true));
  EXPECT_TRUE(is_in_cone(normalized(Vec3{0.9, 0, 1}), tip, true));
  EXPECT_FALSE(is_in_cone(normalized(Vec3{1.1, 0, 1}), tip, true));
  EXPECT_FALSE(is_in_cone({0, 0, -1}, tip, true));
  EXPECT_FALSE(is_in_cone({0, 0, 1}, pit, true));
  EXPECT_FALSE(is_in_cone({0, 0, -1}, pit, true));  // into the ground
  EXPECT_TRUE(is_in_cone({0, 0, -1}, pit, false));  // a sheet has a back
}

TEST(SurfaceAxis, allows_the_arc_of_an_edge) {
  // A roof along y with slopes of 45°; triangle 0 lies to the left.
  const Mesh roof{{{0, 0, 0}, {0, 1, 0}, {-1, 0, -1}, {1, 0, -1}}, {{0, 1, 2}, {1, 0, 3}}};
  for (const double turn : {1.0, -1.0}) {  // a roof, a valley
    Mesh mesh = roof;
    for (Vec3& v : mesh.vertices) v.z *= turn;
    const TriangleMesh built = built_mesh(mesh);
    const SurfaceTriangle left = all_of(MeshSurface(built))[0];
    ASSERT_EQ(left.edges[0].kind, turn > 0 ? EdgeKind::convex : EdgeKind::concave);
    for (const double angle : {-1.0, -0.7, 0.0, 0.7, 1.0}) {
      const portable::SinCos at = portable::sin_cos(angle);
      const bool inside = absolute(angle) < 0.25 * k_pi;
      const Vec3 n{at.sin, 0, at.cos};
      EXPECT_EQ(is_in_arc(n, left, 0, true), inside && turn > 0) << angle;
      EXPECT_EQ(is_in_arc(n, left, 0, false), inside && turn > 0) << angle;
      EXPECT_FALSE(is_in_arc(-n, left, 0, true));
      EXPECT_EQ(is_in_arc(-n, left, 0, false), inside && turn < 0) << angle;
    }
  }
}

TEST(SurfaceSide, of_stairs_and_folds) {
  // Two steps as a sheet: treads at z = 0 and 1, the riser between them at x = 1.
  const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 1}, {1, 1, 1}, {2, 0, 1}, {2, 1, 1}},
                  {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}, {4, 6, 7}, {4, 7, 5}}};
  for (const bool twisted : {false, true}) {
    Mesh given = mesh;
    if (twisted)  // the riser faces the other way than the treads
      for (const std::size_t t : {2, 3}) std::swap(given.triangles[t][1], given.triangles[t][2]);
    const TriangleMesh built = built_mesh(given);
    for (std::uint32_t t = 0; t < 6; ++t) {
      const bool backward = twisted && (t == 2 || t == 3);
      EXPECT_EQ(is_behind(built, t, {0.9, 0.5, 0.5}), backward) << t;  // below the upper tread's plane
      EXPECT_EQ(is_behind(built, t, {1.1, 0.5, 0.5}), !backward) << t;
      EXPECT_EQ(is_behind(built, t, {1.5, 0.5, 1.2}), backward) << t;
      EXPECT_EQ(is_behind(built, t, {0.5, 0.5, -0.2}), !backward) << t;
    }
  }
}

TEST(SurfacePatch, keeps_the_corners_of_the_outline_and_the_deepest_point) {
  std::vector<ManifoldPoint<Dim3>> points;
  for (int j = 0; j <= 4; ++j)
    for (int i = 0; i <= 4; ++i)
      points.push_back(
          {{0.5 * i, 0.25 * j, 7}, i == 1 && j == 2 ? -0.2 : -0.1, {std::uint32_t(5 * j + i), 0}});
  keep_outline(points, {0, 0, 1});
  ASSERT_EQ(points.size(), 5u);
  const std::uint32_t expected[] = {0, 4, 11, 20, 24};  // in their order
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(points[k].features.a, expected[k]);

  points.clear();
  for (int k = 0; k < 300; ++k) {
    const portable::SinCos at = portable::sin_cos(2 * k_pi * k / 300);
    points.push_back({{at.cos, at.sin, 0}, 0.001 * k, {std::uint32_t(k), 0}});
  }
  keep_outline(points, {0, 0, 1});
  EXPECT_GE(points.size(), 20u);
  EXPECT_LE(points.size(), 25u);
  EXPECT_EQ(points[0].features.a, 0u);
}

}  // namespace
}  // namespace cairn
