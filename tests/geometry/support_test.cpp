#include "geometry/support.h"

#include <gtest/gtest.h>

#include "geometry/shape_samples.h"

namespace cairn {
namespace {

using namespace samples;

// Where the way from the middle along `direction` leaves the solid, by bisection on what is inside.
template <class V>
V surface_point(const Solid<V>& solid, const V& direction) {
  double inside = 0, outside = 4 * solid.size;
  for (int i = 0; i < 60; ++i) {
    const double s = (inside + outside) / 2;
    (solid.outside_by(solid.middle + s * direction) <= 0 ? inside : outside) = s;
  }
  return solid.middle + inside * direction;
}

template <class V, class Geometry>
void expect_furthest(const Solid<V>& solid, const Geometry& built, const std::vector<V>& surface,
                     const V& d) {
  const V p = support(built, d);
  EXPECT_LE(solid.outside_by(p), 1e-14 * solid.size + 1e-15 * length(solid.middle)) << solid.name;
  double furthest = -1e300;
  for (const V& q : surface) furthest = std::max(furthest, dot(q - p, d) / length(d));
  EXPECT_LE(furthest, 1e-13 * solid.size) << solid.name;  // no surface point lies further
  EXPECT_GE(furthest, -0.15 * solid.size) << solid.name;  // nor is p far ahead of all
}

TEST(Support, is_furthest_of_all_surface_points) {
  Random random(1);
  for (int i = 0; i < 6; ++i) {
    const double size = power_of_ten(random, -3, 3);
    for (const Shape3& shape : convex_solids3(random, size)) {
      const Solid<Vec3> solid = solid_of(shape);
      std::vector<Vec3> surface;
      for (int k = 0; k < 2000; ++k) surface.push_back(surface_point(solid, unit3(random)));
      const Geometry3 built = build(shape);
      for (int k = 0; k < 200; ++k) {
        const double scale = power_of_ten(random, -9, 9);
        expect_furthest(solid, built, surface, Vec3{scale * unit3(random)});
      }
      for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}, Vec3{1, 1, 0}})
        expect_furthest(solid, built, surface, axis);
    }
    for (const Shape2& shape : convex_solids2(random, size)) {
      const Solid<Vec2> solid = solid_of(shape);
      std::vector<Vec2> surface;
      for (int k = 0; k < 500; ++k) surface.push_back(surface_point(solid, unit2(random)));
      const Geometry2 built = build(shape);
      for (int k = 0; k < 200; ++k) {
        const double scale = power_of_ten(random, -9, 9);
        expect_furthest(solid, built, surface, Vec2{scale * unit2(random)});
      }
      for (const Vec2 axis : {Vec2{1, 0}, Vec2{0, -1}, Vec2{0, 1}})
        expect_furthest(solid, built, surface, axis);
    }
  }
}

// The support of a smooth shape has its normal along the direction: true to round-off, unlike sampling.
TEST(Support, of_round_shapes_is_where_the_normal_points) {
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const double r = uniform(random, 0.2, 1), h = uniform(random, 0.2, 1);
    const Vec3 d = unit3(random);
    EXPECT_LE(length(support(Sphere{r}, d) - r * d), 1e-15);
    EXPECT_LE(length(support(Capsule3{r, h}, d) - r * d - Vec3{0, 0, d.z < 0 ? -h : h}), 1e-15);
    const Vec2 across = normalized(Vec2{d.x, d.y});
    EXPECT_LE(length(support(Cylinder{r, h}, d) - Vec3{r * across.x, r * across.y, d.z < 0 ? -h : h}), 1e-15);
    const Vec3 apex{0, 0, h}, rim{r * across.x, r * across.y, -h};
    EXPECT_LE(length(support(Cone{r, h}, d) - (dot(apex, d) > dot(rim, d) ? apex : rim)), 1e-15);
    const Vec2 e = unit2(random);
    EXPECT_LE(length(support(Circle{r}, e) - r * e), 1e-15);
    EXPECT_LE(length(support(Capsule2{r, h}, e) - r * e - Vec2{0, e.y < 0 ? -h : h}), 1e-15);
  }
}

TEST(Support, climbs_to_the_top_of_large_hulls) {
  Random random(3);
  const Hull hull{ico_sphere(3).vertices};  // 642 points, all of them corners
  const Geometry3 built = build(hull);
  ASSERT_GT(std::get<Polyhedron>(built.form).vertices.size(), 100u);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 d = unit3(random), p = support(built, d);
    for (const Vec3& q : hull.points) EXPECT_LE(dot(q - p, d), 1e-14);
  }
}

// Where polyhedron.h warns that rounded heights might end a climb too soon: blades, and caps that are nearly flat,
// with faces merged and not. Looking through all vertices is the reference.
TEST(Support, climbs_blades_and_flat_caps_to_the_top) {
  Random random(4);
  int climbs = 0, climbed = 0;
  const auto expect_top = [&](const Hull& hull, const Rot3& turn) {
    const Geometry3 built = build(hull);
    const std::vector<Vec3>& vertices = std::get<Polyhedron>(built.form).vertices;
    climbed += vertices.size() >= 100;
    for (int k = 0; k < 300; ++k, ++climbs) {
      const double lean = k % 2 ? power_of_ten(random, -12, 0) : 1;  // mostly across the blade
      const Vec3 u = unit3(random), d = turn * normalized(Vec3{lean * u.x, lean * u.y, u.z});
      const Vec3 p = support(built, d);
      double highest = 0;
      for (const Vec3& v : vertices) highest = std::max(highest, dot(v - p, d));
      EXPECT_LE(highest, 1e-15);
    }
  };
  for (const double merge_tolerance : {1e-6, 0.0})
    for (const double thickness : {1e-3, 1e-6, 1e-8, 1e-9}) {
      const Rot3 turn = rotation3(random);
      Hull blade{{}, merge_tolerance}, cap{{{0, 0, -1}}, merge_tolerance};
      for (int i = 0; i < 300; ++i) {
        const Vec3 u = unit3(random);
        blade.points.push_back(turn * Vec3{u.x, u.y, thickness * u.z});
        cap.points.push_back({u.x, u.y, 1 - thickness * (u.x * u.x + u.y * u.y)});
      }
      expect_top(blade, turn);
      expect_top(cap, {});
    }
  EXPECT_EQ(climbs, 4800);
  EXPECT_GE(climbed, 10);  // of 16 hulls; the others are so flat that merging leaves few corners
}

TEST(Support, takes_any_length_of_direction) {
  for (const double scale : {1e-300, 1e-160, 1.0, 1e160, 1e300}) {
    EXPECT_LE(length(support(Sphere{2}, Vec3{0, 3 * scale, 4 * scale}) - Vec3{0, 1.2, 1.6}), 1e-15);
    EXPECT_EQ(support(Hull{octahedron_mesh().vertices}, Vec3{0, 3 * scale, 4 * scale}), (Vec3{0, 0, 1}));
    EXPECT_EQ(support(Segment{{-1, 0}, {2, 0}}, Vec2{scale, 0}), (Vec2{2, 0}));
  }
  for (const Shape3& shape : {Shape3(Sphere{}), Shape3(Capsule3{}), Shape3(Cylinder{}), Shape3(Cone{})})
    EXPECT_LE(solid_of(shape).outside_by(support(shape, Vec3{})), 0);  // a point of the shape, at least
}

TEST(Support, is_refused_where_there_is_none) {
  EXPECT_EQ(refusal([] {
              support(Plane{}, Vec3{1, 0, 0});
            }),
            "Plane: is not convex and bounded, so it has no support points");
  EXPECT_NE(refusal([] { support(tetrahedron_mesh(), Vec3{1, 0, 0}); }), "");
  EXPECT_NE(refusal([] { support(hills(3, 3, {1, 1}, 1), Vec3{1, 0, 0}); }), "");
  EXPECT_NE(refusal([] { support(Compound3{{{Sphere{}}}}, Vec3{1, 0, 0}); }), "");
  EXPECT_NE(refusal([] { support(Chain{{{0, 0}, {1, 0}}}, Vec2{1, 0}); }), "");
  EXPECT_NE(refusal([] { support(Compound2{{{Circle{}}}}, Vec2{1, 0}); }), "");
  EXPECT_EQ(refusal([] { support(Sphere{}, Vec3{1, INFINITY, 0}); }), "direction.y = inf: must be finite");
}

}  // namespace
}  // namespace cairn
