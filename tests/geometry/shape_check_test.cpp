#include <gtest/gtest.h>

#include "geometry/geometry_2d.h"
#include "geometry/geometry_3d.h"
#include "geometry/shape_samples.h"

namespace cairn {
namespace {

using namespace samples;

std::string text(const Shape3& shape) {
  return refusal([&] { build(shape); });
}
std::string text(const Shape2& shape) {
  return refusal([&] { build(shape); });
}

TEST(ShapeCheck, hull) {
  EXPECT_EQ(text(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}),
            "Hull.points = 3 points: must be at least 4 points that do not lie in one plane");
  EXPECT_EQ(text(Hull{{{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}}),
            "Hull.points[2].y = nan m: must be finite");
  const Hull flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 3, 0}}};
  EXPECT_TRUE(text(flat).starts_with("Hull.points = 5 points: ")) << text(flat);
  EXPECT_TRUE(
      text(Compound3{{{Sphere{}}, {flat}}}).starts_with("Compound3.parts[1].shape.points = 5 points: "))
      << text(Compound3{{{Sphere{}}, {flat}}});
  EXPECT_EQ(text(Hull{octahedron_mesh().vertices, 0.2}), "Hull.merge_tolerance = 0.2: must be from 0 to 0.1");
}

TEST(ShapeCheck, plane) {
  EXPECT_EQ(text(Plane{{0, 0, 0}, 1}),
            "Plane.normal = (0, 0, 0): must not be zero: it points out of the solid half-space");
  EXPECT_LE(length(std::get<Plane>(build(Plane{{0, 3e-300, 4e-300}, 1}).form).normal - Vec3{0, 0.6, 0.8}),
            1e-16);
}

TEST(ShapeCheck, mesh) {
  EXPECT_EQ(text(Mesh{{{0, 0, 0}}, {}}), "Mesh.triangles = []: must have at least one triangle");
  EXPECT_EQ(
      text(Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 1, 3}}}),
      "Mesh.triangles[1] = (0, 1, 3): names a vertex that does not exist: there are 3, numbered from 0");
  EXPECT_EQ(text(Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 1}}}),
            "Mesh.triangles[0] = (0, 1, 1): must have three different corners");
  EXPECT_EQ(text(Mesh{{{0, 0, 0}, {0, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}),
            "Mesh.triangles = 1 triangles: must have one with three corners at different places");
  EXPECT_EQ(text(Mesh{{{0, 0, 0}, {1, INFINITY, 0}, {0, 1, 0}}, {{0, 1, 2}}}),
            "Mesh.vertices[1].y = inf m: must be finite");
}

TEST(ShapeCheck, height_field) {
  EXPECT_EQ(text(HeightField{3, 2, {1, 1}, {0, 0, 0, 0, 0}}),
            "HeightField.heights = 5 heights: must be columns × rows = 3 × 2 = 6 heights, row after row");
  EXPECT_EQ(text(HeightField{1, 2, {1, 1}, {0, 0}}), "HeightField.columns = 1: must be from 2 to 65536");
  EXPECT_EQ(text(HeightField{2, 2, {1, 0}, {0, 0, 0, 0}}),
            "HeightField.spacing.y = 0 m: must be greater than 0 and finite");
}

TEST(ShapeCheck, segment_and_chain) {
  EXPECT_EQ(text(Segment{{1, 2}, {1, 2}}),
            "Segment.b = (1, 2) m: must differ from a: the segment has no length");
  EXPECT_EQ(text(Chain{{{0, 0}}}), "Chain.points = 1 point: must be at least 2 points");
  EXPECT_EQ(text(Chain{{{0, 0}, {1, 0}}, true}),
            "Chain.points = 2 points: must be at least 3 points for a loop");
  EXPECT_EQ(text(Chain{{{0, 0}, {1, 0}, {1, 0}, {2, 0}}}),
            "Chain.points[1] = (1, 0) m: must differ from the next point: the segment has no length");
  EXPECT_EQ(
      text(Chain{{{0, 0}, {1, 0}, {1, 1}, {0, 0}}, true}),
      "Chain.points[3] = (0, 0) m: must differ from the first point, to which a loop returns by itself");
  EXPECT_EQ(text(Chain{{{0, 0}, {1, 0}, {1, 1}, {0, 0}}, false}), "");
}

TEST(ShapeCheck, compounds) {
  EXPECT_EQ(text(Compound3{}), "Compound3.parts = []: must have at least one part");
  EXPECT_EQ(text(Compound2{}), "Compound2.parts = []: must have at least one part");
  EXPECT_EQ(text(Compound3{{{Sphere{}}, {Sphere{-1}}}}),
            "Compound3.parts[1].shape.radius = -1 m: must be greater than 0 and finite");
  EXPECT_EQ(text(Compound2{{{Circle{}, {}, {1, 1}}}}).substr(0, 28), "Compound2.parts[0].rotation ");
  Shape3 deep = Sphere{};
  Shape2 flat = Circle{};
  for (int depth = 1; depth <= 17; ++depth) {
    deep = Compound3{{{deep}}};
    flat = Compound2{{{flat}}};
    EXPECT_EQ(text(deep).empty(), depth <= 16);
    EXPECT_EQ(text(flat).empty(), depth <= 16);
  }
  EXPECT_EQ(
      text(deep),
      "Compound3.parts = 1 part: holds compounds nested more than 16 deep; list the parts in one compound");
}

// ------------------------------------------------------------------------------------------------ polygons

TEST(ShapeCheck, polygon_refusals) {
  EXPECT_EQ(text(Polygon{{{0, 0}, {1, 0}}}), "Polygon.points = 2 points: must be at least 3 corners");
  EXPECT_EQ(text(Polygon{{{0, 0}, {1, 0}, {NAN, 1}}}), "Polygon.points[2].x = nan m: must be finite");
  EXPECT_EQ(text(Polygon{{{0, 0}, {1, 3}, {2, 6}, {3, 9}}}),
            "Polygon.points = 4 points: lie on one line; the outline must enclose an area");
  EXPECT_EQ(text(Polygon{{{1, 1}, {1, 1}, {1, 1}}}),
            "Polygon.points = 3 points: lie on one line; the outline must enclose an area");
  const std::string remedy =
      " m: makes the outline concave; make it a compound with convex_decomposition(points), or list the "
      "corners in "
      "order if it crosses itself";
  EXPECT_EQ(text(Polygon{{{0, 0}, {4, 0}, {4, 4}, {3, 1}}}), "Polygon.points[3] = (3, 1)" + remedy);
  EXPECT_EQ(text(Polygon{{{3, 1}, {4, 4}, {4, 0}, {0, 0}}}),
            "Polygon.points[0] = (3, 1)" + remedy);                                // clockwise
  EXPECT_NE(text(Polygon{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}), "");                  // a bow tie
  EXPECT_NE(text(Polygon{{{0, 0}, {2, 0}, {1, 0}, {1, 1}}}), "");                  // a spike along an edge
  EXPECT_NE(text(Polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 0}, {1, 1}}}), "");  // twice round
  Polygon star;
  for (int k = 0; k < 5; ++k) star.points.push_back({std::cos(0.8 * k_pi * k), std::sin(0.8 * k_pi * k)});
  EXPECT_EQ(text(star),
            "Polygon.points = 5 points: cross themselves: the outline goes round 2 times; list the corners "
            "in order "
            "around it");
}

std::vector<Vec2> corners(const Polygon& polygon) {
  return std::get<ConvexPolygon>(build(polygon).form).points;
}

TEST(ShapeCheck, polygon_is_cleaned_and_turned) {
  const std::vector<Vec2> square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_EQ(corners({square}), square);
  EXPECT_EQ(corners({{{0, 1}, {1, 1}, {1, 0}, {0, 0}}}), square);
  EXPECT_EQ(
      corners({{{0, 0}, {0, 0}, {0.5, 0}, {1, 0}, {1, 1}, {1, 1}, {0.25, 1}, {0, 1}, {0, 0.5}, {0, 0}}}),
      square);
  EXPECT_EQ(corners({{{0.5, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}, {0.25, 0}}}).size(),
            4u);  // a seam on an edge
  // a third of the way along an edge is off it by round-off, to either side
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Vec2 a = vector2(random, 1), b = a + unit2(random), c = b + 0.5 * perpendicular(b - a);
    EXPECT_EQ(corners({{a, a + (b - a) / 3, a + 2 * (b - a) / 3, b, c, c + (a - c) * 0.7}}).size(), 3u);
  }
}

TEST(ShapeCheck, polygon_with_many_corners_keeps_them) {
  Random random(2);
  for (const int n : {3, 10, 1000, 20000}) {
    Polygon polygon;
    for (int k = 0; k < n; ++k)
      polygon.points.push_back({3 + std::cos(2 * k_pi * k / n), 4 + 2 * std::sin(2 * k_pi * k / n)});
    const ConvexPolygon built = std::get<ConvexPolygon>(build(polygon).form);
    ASSERT_EQ(built.points.size(), std::size_t(n));
    for (int k = 0; k < n; ++k) {
      const Vec2 edge = built.points[(k + 1) % n] - built.points[k];
      EXPECT_NEAR(length(built.normals[k]), 1, 1e-15);
      EXPECT_LE(absolute(dot(built.normals[k], edge)), 1e-15 * length(edge));
      EXPECT_LT(dot(built.normals[k], Vec2{3, 4} - built.points[k]), 0);
    }
  }
}

// --------------------------------------------------------------------------------------------- built forms

TEST(Build, welds_meshes_and_drops_what_is_unused) {
  Mesh mesh = tetrahedron_mesh();
  mesh.vertices.push_back({9, 9, 9});     // unused
  mesh.vertices.push_back({-0.0, 1, 0});  // at vertex 2
  mesh.triangles[3] = {1, 5, 3};
  mesh.triangles.push_back({2, 5, 0});  // collapses
  const TriangleMesh built = std::get<TriangleMesh>(build(mesh).form);
  EXPECT_EQ(built.vertices.size(), 4u);
  EXPECT_EQ(built.triangles.size(), 4u);
  EXPECT_EQ(built.box.lo, (Vec3{0, 0, 0}));
  EXPECT_EQ(built.box.hi, (Vec3{1, 1, 1}));
  EXPECT_NEAR(mass_properties(Shape3(mesh), 1).mass, 1.0 / 6, 1e-15);  // still closed
}

TEST(Build, flattens_compounds) {
  Random random(3);
  const Pose3 a{vector3(random, 1), rotation3(random)}, b{vector3(random, 1), rotation3(random)};
  const Compound3 inner{{{Sphere{}}, {Cone{}, b.position, b.rotation}}};
  const Compound3 outer{{{Box3{}}, {inner, a.position, a.rotation}}};
  const PartList3 built = std::get<PartList3>(build(outer).form);
  ASSERT_EQ(built.parts.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<Cone>(built.parts[2].shape));
  EXPECT_EQ(built.parts[2].place, "parts[1].shape.parts[1].shape");
  EXPECT_LE(length(built.parts[2].pose.position - (a * b).position), 1e-15);
  EXPECT_LE(length(built.parts[2].pose.rotation * Vec3{1, 2, 3} - (a * b).rotation * Vec3{1, 2, 3}), 1e-14);
}

}  // namespace
}  // namespace cairn
