// What is cleaned while shapes are built, and what is said about it.
#include "geometry/mesh_clean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "geometry/mass.h"
#include "geometry/mesh_topology.h"
#include "geometry/piece.h"
#include "geometry/shape_samples.h"

namespace cairn {
namespace {

using namespace samples;
using Texts = std::vector<std::string>;

TriangleMesh built_mesh(const Mesh& mesh) { return std::get<TriangleMesh>(build(mesh).form); }
template <class S>
Texts notes_of(const S& shape) {
  Notes notes;
  build(shape, root_path(shape), notes);
  return notes.texts;
}
double volume(const Mesh& mesh) { return mass_properties(Shape3(mesh), 1).mass; }

// ------------------------------------------------------------------------------------------------- cleaning

TEST(MeshClean, says_nothing_about_a_clean_mesh) {
  EXPECT_EQ(notes_of(box_mesh({1, 2, 3})), Texts{});
  EXPECT_EQ(notes_of(star_mesh(2)), Texts{});
  EXPECT_EQ(notes_of(uv_sphere(20)), Texts{});
}

TEST(MeshClean, welds_loose_triangles) {
  const Mesh mesh = ico_sphere(1);
  Mesh loose;
  for (const Triangle& t : mesh.triangles) {
    const auto n = std::uint32_t(loose.vertices.size());
    for (const std::uint32_t v : t) loose.vertices.push_back(mesh.vertices[v]);
    loose.triangles.push_back({n, n + 1, n + 2});
  }
  EXPECT_EQ(notes_of(loose),
            Texts{"Mesh.vertices: 198 of 240 are at the place of others and were welded to them"});
  EXPECT_EQ(built_mesh(loose).vertices.size(), 42u);
  EXPECT_TRUE(built_mesh(loose).closed);
}

TEST(MeshClean, welds_what_rounding_put_apart) {
  for (const double shift : {0.0, 0.3, 1e3}) {  // also across the walls of the welder's cells
    Random random(7);
    Mesh loose;
    const Mesh mesh = samples::transformed({{shift, -shift, shift}, rotation3(random)}, star_mesh(2));
    for (const Triangle& t : mesh.triangles) {
      const auto n = std::uint32_t(loose.vertices.size());
      for (const std::uint32_t v : t) {
        const Vec3 p = mesh.vertices[v], ulp = (shift + 1) * vector3(random, 2e-16);
        loose.vertices.push_back(p + ulp);
      }
      loose.triangles.push_back({n, n + 1, n + 2});
    }
    const TriangleMesh built = built_mesh(loose);
    EXPECT_EQ(built.vertices.size(), mesh.vertices.size());
    EXPECT_TRUE(built.closed);
  }
  // On the walls of the welder's cells, which go through 0.
  const Mesh octahedron = octahedron_mesh();
  Mesh loose;
  for (const Triangle& t : octahedron.triangles) {
    const auto n = std::uint32_t(loose.vertices.size());
    const double side = n % 2 ? 1e-16 : -1e-16;
    for (const std::uint32_t v : t)
      loose.vertices.push_back(octahedron.vertices[v] + Vec3{side, -side, side});
    loose.triangles.push_back({n, n + 1, n + 2});
  }
  EXPECT_EQ(built_mesh(loose).vertices.size(), 6u);
  EXPECT_TRUE(built_mesh(loose).closed);
  Mesh two = joined(tetrahedron_mesh(), tetrahedron_mesh());  // near, but not at one place
  for (std::size_t v = 4; v < 8; ++v) two.vertices[v].x += 1e-13;
  EXPECT_EQ(built_mesh(two).vertices.size(), 8u);
}

TEST(MeshClean, leaves_out_unused_vertices_and_repeated_triangles) {
  Mesh mesh = tetrahedron_mesh();
  mesh.vertices.push_back({9, 9, 9});
  mesh.triangles.push_back({3, 0, 1});  // turned, but the same as (0, 1, 3)
  EXPECT_EQ(notes_of(mesh), (Texts{"Mesh.vertices: 1 of 5 belong to no triangle and were left out",
                                   "Mesh.triangles: 1 of 5 repeat others and were left out"}));
  const TriangleMesh built = built_mesh(mesh);
  EXPECT_EQ(built.vertices.size(), 4u);
  EXPECT_EQ(built.triangles.size(), 4u);
  EXPECT_TRUE(built.closed);
  const Mesh sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};  // front and back
  EXPECT_EQ(notes_of(sheet), Texts{});
  EXPECT_EQ(built_mesh(sheet).triangles.size(), 2u);
}

// A face of a box with a corner in the middle of a side: exporters close the gap with a triangle without area.
TEST(MeshClean, keeps_the_surface_whole_around_triangles_without_area) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    Random random(8);
    Mesh mesh = box_mesh({1, 1, 1});
    // Corner 8 lies on the edge between corners 4 and 6 of triangle (0, 4, 6), and on that of (4, 5, 7), (4, 7, 6).
    mesh.vertices.push_back({-1, 0, 1});
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      if (mesh.triangles[t] == Triangle{0, 4, 6}) {
        mesh.triangles[t] = {0, 4, 8};
        mesh.triangles.push_back({0, 8, 6});
        mesh.triangles.push_back({4, 6, 8});  // without area
        break;
      }
    const Pose3 pose{size * vector3(random, 1), rotation3(random)};
    for (Vec3& v : mesh.vertices) v = to_world(pose, size * v);
    EXPECT_EQ(notes_of(mesh), Texts{"Mesh.triangles: 1 of 14 have no area and were left out"});
    const TriangleMesh built = built_mesh(mesh);
    EXPECT_TRUE(built.closed);
    EXPECT_EQ(built.triangles.size(), 14u);  // the neighbour is two now
    EXPECT_NEAR(volume(mesh), 8 * size * size * size, 1e-13 * size * size * size);
    for (const TriangleRims& rims : built.rims)
      for (int k = 0; k < 3; ++k)
        EXPECT_TRUE(rims.kind(k) == EdgeKind::flat || rims.kind(k) == EdgeKind::convex);
  }
}

TEST(MeshClean, mends_rows_of_triangles_without_area) {
  // A strip whose upper side has corners that its lower side has not, closed by a fan without area.
  Mesh mesh{{{0, 0, 0}, {4, 0, 0}, {2, -1, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {2, 1, 0}},
            {{0, 2, 1}, {0, 3, 6}, {3, 4, 6}, {4, 5, 6}, {5, 1, 6}, {0, 1, 5}, {0, 5, 4}, {0, 4, 3}}};
  const TriangleMesh built = built_mesh(mesh);
  EXPECT_EQ(built.triangles.size(), 8u);
  int open = 0;
  for (const TriangleRims& rims : built.rims)
    for (int k = 0; k < 3; ++k) open += rims.kind(k) == EdgeKind::open;
  EXPECT_EQ(open, 4);  // only the outer ones
  for (const std::uint32_t region : built.regions) EXPECT_EQ(region, 0u);
  EXPECT_EQ(notes_of(mesh)[0], "Mesh.triangles: 3 of 8 have no area and were left out");
}

TEST(MeshClean, drops_triangles_without_area_at_a_rim) {
  const Mesh mesh{{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 0, 0}}, {{0, 1, 2}, {0, 3, 1}}};
  EXPECT_EQ(built_mesh(mesh).triangles.size(), 2u);  // the rim now has the corner
  const Mesh alone{{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {5, 0, 0}, {6, 0, 0}, {7, 0, 0}},
                   {{0, 1, 2}, {3, 4, 5}}};
  EXPECT_EQ(built_mesh(alone).triangles.size(), 1u);
  EXPECT_EQ(built_mesh(alone).vertices.size(), 3u);
}

TEST(MeshClean, keeps_slivers) {
  const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-12, 0}}, {{0, 1, 2}}};
  EXPECT_EQ(built_mesh(mesh).triangles.size(), 1u);
}

TEST(MeshClean, refuses_what_has_no_surface_at_all) {
  const auto text = [](const Mesh& mesh) { return refusal([&] { build(mesh); }); };
  EXPECT_EQ(text({{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, {{0, 1, 2}}}),
            "Mesh.triangles = 1 triangles: must have one with an area: the corners of each lie on a line");
  EXPECT_EQ(text({{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{0, 1, 2}}}),
            "Mesh.triangles = 1 triangles: must have one with three corners at different places");
  EXPECT_EQ(text({{{0, 0, 0}, {1, NAN, 0}, {0, 1, 0}}, {{0, 1, 2}}}),
            "Mesh.vertices[1].y = nan m: must be finite");
}

TEST(MeshClean, says_where_a_surface_is_open_or_tangled) {
  Mesh open = tetrahedron_mesh();
  open.triangles.pop_back();
  EXPECT_EQ(notes_of(open),
            Texts{"Mesh.triangles: the surface is open at 3 edges, such as the one from (0, 1, 0) to "
                  "(1, 0, 0); it counts as a sheet with two sides"});
  EXPECT_FALSE(built_mesh(open).closed);
  Mesh twisted = tetrahedron_mesh();
  std::swap(twisted.triangles[3][0], twisted.triangles[3][1]);
  EXPECT_EQ(notes_of(twisted),
            Texts{"Mesh.triangles: two triangles face opposite ways at 3 edges, such as the one from "
                  "(0, 1, 0) to (1, 0, 0); it counts as a sheet with two sides"});
  Mesh fin = tetrahedron_mesh();
  fin.vertices.push_back({2, 2, 2});
  fin.triangles.push_back({0, 1, 4});
  EXPECT_EQ(notes_of(fin).size(), 2u);
  EXPECT_EQ(
      notes_of(fin)[1],
      "Mesh.triangles: more than two triangles meet at 1 edge, such as the one from (0, 0, 0) to (1, 0, 0)");
  Notes notes;
  const Shape3 compound = Compound3{{{Sphere{}}, {open}}};
  build(compound, root_path(compound), notes);
  EXPECT_EQ(notes.texts.size(), 1u);
  EXPECT_TRUE(
      notes.texts[0].starts_with("Compound3.parts[1].shape.triangles: the surface is open at 3 edges"));
}

TEST(ShapeClean, says_which_corners_of_hulls_and_polygons_were_left_out) {
  Hull hull{box_mesh({1, 1, 1}).vertices};
  hull.points.push_back({0, 0, 0});
  hull.points.push_back(hull.points[0]);
  EXPECT_EQ(notes_of(hull), Texts{});  // inside, or the same: no matter
  hull.points.push_back({1 + 1e-8, 1 + 1e-8, 1});
  hull.points.push_back({1, 1 + 2e-8, 1 + 1e-8});
  const Texts merged = notes_of(hull);
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_TRUE(merged[0].starts_with("Hull.points: "));
  EXPECT_TRUE(merged[0].ends_with(" corners stand out by less than 2e-06 m and were left out")) << merged[0];

  const Texts thin = notes_of(Hull{box_mesh({1, 1, 1e-8}).vertices});
  ASSERT_EQ(thin.size(), 1u);
  EXPECT_TRUE(
      thin[0].starts_with("Hull.merge_tolerance: of 2e-06 m is more than the hull is thick; faces within "));
  EXPECT_EQ(notes_of(Hull{box_mesh({1, 1, 1e-3}).vertices}), Texts{});

  EXPECT_EQ(notes_of(Polygon{{{0, 0}, {1, 0}, {1, 1}}}), Texts{});
  EXPECT_EQ(
      notes_of(Polygon{{{0, 0}, {0.5, 0}, {1, 0}, {1, 1}, {1, 1}}}),
      Texts{
          "Polygon.points: 2 of 5 repeat a corner or lie on the line of their neighbours and were left out"});
  EXPECT_EQ(notes_of(HeightField{2, 2, {1, 1}, {0, 0, 0, 0}}), Texts{});
}

// ----------------------------------------------------------------------------------------------- topology

TEST(MeshTopology, finds_neighbours_and_kinds_of_edges) {
  const TriangleMesh box = built_mesh(box_mesh({1, 2, 3}));
  EXPECT_TRUE(box.closed);
  int flat = 0, convex = 0;
  for (std::uint32_t t = 0; t < 12; ++t) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t other = box.neighbours[t][k];
      ASSERT_LT(other, 12u);
      EXPECT_LT(corner_of(box.triangles[other], box.triangles[t][k]), 3);
      EXPECT_LT(corner_of(box.triangles[other], box.triangles[t][(k + 1) % 3]), 3);
      const double c = dot(box.normals[t], normal_across(box, t, k));
      EXPECT_EQ(box.rims[t].kind(k), c > 0.5 ? EdgeKind::flat : EdgeKind::convex);
      EXPECT_TRUE(box.rims[t].may_bear(k));
      EXPECT_FALSE(box.rims[t].is_crowded(k));
      flat += box.rims[t].kind(k) == EdgeKind::flat;
      convex += box.rims[t].kind(k) == EdgeKind::convex;
    }
    EXPECT_EQ(box.regions[t], t / 2 * 2);
  }
  EXPECT_EQ(flat, 12);
  EXPECT_EQ(convex, 24);

  Mesh room = box_mesh({1, 2, 3});  // seen from inside
  for (Triangle& t : room.triangles) std::swap(t[1], t[2]);
  for (const TriangleRims& rims : built_mesh(room).rims)
    for (int k = 0; k < 3; ++k) {
      EXPECT_NE(rims.kind(k), EdgeKind::convex);
      EXPECT_FALSE(rims.may_bear(k));
    }
}

TEST(MeshTopology, tells_flat_from_folded) {
  for (const double angle : {-1e-2, -2e-6, -1e-8, 0.0, 1e-8, 2e-6, 1e-2, 3.0}) {
    const double s = std::sin(angle), c = std::cos(angle);
    // A roof along y, whose right half falls by the angle.
    const Mesh roof{{{0, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {c, 0, -s}}, {{0, 1, 2}, {1, 0, 3}}};
    const TriangleMesh built = built_mesh(roof);
    const EdgeKind expected = absolute(angle) < 1e-6 ? EdgeKind::flat
                              : angle > 0            ? EdgeKind::convex
                                                     : EdgeKind::concave;
    EXPECT_EQ(built.rims[0].kind(0), expected) << angle;
    EXPECT_EQ(built.rims[1].kind(0), expected) << angle;
    EXPECT_EQ(built.rims[0].kind(1), EdgeKind::open);
    EXPECT_EQ(built.regions[1], expected == EdgeKind::flat ? 0u : 1u);
  }
}

TEST(MeshTopology, trusts_no_sliver) {
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    // Two large halves of a square, and between them a sliver, in any plane.
    const double thin = power_of_ten(random, -12, -3);
    Mesh mesh{{{-50, -50, 0}, {50, -50, 0}, {50, 50, 0}, {-50, 50, 0}, {thin, -thin, 0}},
              {{0, 1, 4}, {4, 1, 2}, {0, 4, 2}, {0, 2, 3}}};
    const Pose3 pose{vector3(random, 50), rotation3(random)};
    for (Vec3& v : mesh.vertices) v = to_world(pose, v);
    const TriangleMesh built = built_mesh(mesh);
    const Vec3 up = pose.rotation * Vec3{0, 0, 1};
    for (std::size_t t = 0; t < built.triangles.size(); ++t) {
      EXPECT_LE(length(built.normals[t] - up), 1e-7) << thin;
      EXPECT_EQ(built.regions[t], 0u);
    }
  }
}

TEST(MeshTopology, walks_around_vertices) {
  const TriangleMesh mesh = built_mesh(star_mesh(1));
  const TriangleMesh sheet = built_mesh(mesh_of(hills(5, 4, {1, 1}, 0.3)));
  for (const TriangleMesh* m : {&mesh, &sheet}) {
    std::vector<std::size_t> uses(m->vertices.size());
    for (const Triangle& t : m->triangles)
      for (const std::uint32_t v : t) ++uses[v];
    for (std::uint32_t t = 0; t < m->triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) {
        std::vector<std::uint32_t> seen;
        visit_fan(*m, t, k, [&](std::uint32_t u, int c) {
          EXPECT_EQ(m->triangles[u][c], m->triangles[t][k]);
          seen.push_back(u);
        });
        EXPECT_EQ(seen.size(), uses[m->triangles[t][k]]);
        std::sort(seen.begin(), seen.end());
        EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
      }
  }
}

TEST(MeshTopology, of_crowded_edges_is_what_is_seen_from_the_front) {
  // A floor of two halves with a wall on the seam: from the floor's front the wall comes first.
  const Mesh mesh{{{0, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 0, 1}},
                  {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}};
  const TriangleMesh built = built_mesh(mesh);
  EXPECT_EQ(built.neighbours[0][0], 2u);
  EXPECT_EQ(built.neighbours[1][0], 2u);
  EXPECT_EQ(built.rims[0].kind(0), EdgeKind::concave);
  EXPECT_EQ(built.rims[1].kind(0), EdgeKind::concave);
  EXPECT_TRUE(built.rims[0].is_crowded(0));
  // Below, the wall is behind the floor: the halves see each other.
  Mesh below = mesh;
  below.vertices[4].z = -1;
  const TriangleMesh under = built_mesh(below);
  EXPECT_EQ(under.neighbours[0][0], 1u);
  EXPECT_EQ(under.rims[0].kind(0), EdgeKind::flat);
}

}  // namespace
}  // namespace cairn
