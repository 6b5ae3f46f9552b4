// Ray casts of solids, against a slow reference that knows only what is inside: along a line the distance
// from a convex solid is a convex function; find its minimum, then where it goes through zero.
#include <gtest/gtest.h>

#include "geometry/ray.h"
#include "geometry/shape_samples.h"

namespace cairn {
namespace {

using namespace samples;

struct Meeting {
  enum { misses, grazes, starts_inside, enters } kind;
  double fraction;
};
// `noise`: how far off the function may be, in metres.
template <class D>
Meeting slow_cast(const Solid<typename D::Vec>& solid, const Ray<D>& ray, double noise) {
  const auto f = [&](double t) { return solid.outside_by(ray.origin + t * ray.translation); };
  if (absolute(f(0)) <= noise) return {Meeting::grazes, 0};
  if (f(0) < 0) return {Meeting::starts_inside, 0};
  double a = 0, b = 1;
  for (int i = 0; i < 80; ++i) {  // ternary search
    const double c = a + (b - a) * 0.45, d = a + (b - a) * 0.55;
    const double fc = f(c), fd = f(d);
    if (fc < -noise || fd < -noise) {  // inside already: the way in lies before
      b = fc < -noise ? c : d;
      break;
    }
    (fc < fd ? b : a) = fc < fd ? d : c;
  }
  if (f(b) >= -noise) return {f(b) > noise ? Meeting::misses : Meeting::grazes, 0};
  double outside = 0, inside = b;
  for (int i = 0; i < 100; ++i) {
    const double t = (outside + inside) / 2;
    (f(t) > 0 ? outside : inside) = t;
  }
  return {Meeting::enters, inside};
}

struct Count {
  int rays = 0, hits = 0, grazing = 0;
};

// Casts and compares. `noise` is the tolerance, in metres.
template <class D, class Geometry>
void expect_like_slow(const Solid<typename D::Vec>& solid, const Geometry& built, const Ray<D>& ray,
                      double noise, Count& count) {
  const Meeting expected = slow_cast(solid, ray, noise);
  const auto hit = ray_cast(built, ray);
  ++count.rays;
  if (expected.kind == Meeting::grazes) {
    ++count.grazing;
    return;
  }
  ASSERT_EQ(hit.has_value(), expected.kind != Meeting::misses) << solid.name;
  if (!hit) return;
  ++count.hits;
  const auto way = normalized(ray.translation);
  EXPECT_NEAR(length(hit->normal), 1, 1e-14) << solid.name;
  if (expected.kind == Meeting::starts_inside) {
    EXPECT_EQ(hit->fraction, 0) << solid.name;
    EXPECT_EQ(hit->point, ray.origin) << solid.name;
    EXPECT_LE(length(hit->normal + way), 1e-15) << solid.name;
    return;
  }
  EXPECT_LE(absolute(solid.outside_by(hit->point)), noise) << solid.name;
  const double slope =
      -dot(hit->normal, way);  // how steeply the ray goes in: flat rays are hard to tell apart
  EXPECT_GE(slope, 0) << solid.name;
  EXPECT_LE(absolute(hit->fraction - expected.fraction) * length(ray.translation) * slope, 4 * noise)
      << solid.name;
  EXPECT_LE(length(ray.origin + hit->fraction * ray.translation - hit->point),
            4 * noise + 1e-15 * length(ray.origin));
  // Along the normal the distance grows by one per metre.
  const double step = 1e-3 * solid.size;
  EXPECT_NEAR(solid.outside_by(hit->point + step * hit->normal), step, 4 * noise + 1e-9 * step) << solid.name;
}

// A ray that has something to do with the solid: from `distance` radii away, aimed at it or inside it.
template <class D, class Vector, class Unit>
Ray<D> some_ray(Random& random, const Solid<typename D::Vec>& solid, double distance, Vector vector,
                Unit unit) {
  const auto origin = solid.middle + distance * solid.size * unit(random);
  const auto target = solid.middle + vector(random, 1.2 * solid.size);
  return {origin, uniform(random, 0.2, 2) * (target - origin)};
}

TEST(RaySolid, is_like_the_slow_one_in_space) {
  Random random(1);
  Count count;
  for (int i = 0; i < 250; ++i) {
    const double size = power_of_ten(random, -3, 3);
    for (const Shape3& shape : convex_solids3(random, size)) {
      const Solid<Vec3> solid = solid_of(shape);
      const Geometry3 built = build(shape);
      for (int k = 0; k < 60; ++k) {
        const double distance = k % 4 == 0 ? uniform(random, 0, 1) : uniform(random, 1, 5);
        expect_like_slow(solid, built, some_ray<Dim3>(random, solid, distance, vector3, unit3), 4e-14 * size,
                         count);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_EQ(count.rays, 90000);
  EXPECT_GE(count.hits, 30000);
  EXPECT_LE(count.grazing, 20);
}

TEST(RaySolid, is_like_the_slow_one_in_the_plane) {
  Random random(2);
  Count count;
  for (int i = 0; i < 250; ++i) {
    const double size = power_of_ten(random, -3, 3);
    for (const Shape2& shape : convex_solids2(random, size)) {
      const Solid<Vec2> solid = solid_of(shape);
      const Geometry2 built = build(shape);
      for (int k = 0; k < 60; ++k) {
        const double distance = k % 4 == 0 ? uniform(random, 0, 1) : uniform(random, 1, 5);
        expect_like_slow(solid, built, some_ray<Dim2>(random, solid, distance, vector2, unit2), 4e-14 * size,
                         count);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_EQ(count.rays, 60000);
  EXPECT_GE(count.hits, 20000);
  EXPECT_LE(count.grazing, 20);
}

TEST(RaySolid, comes_from_far_away) {
  Random random(3);
  Count count;
  for (int i = 0; i < 50; ++i) {
    const double size = power_of_ten(random, -3, 3), distance = power_of_ten(random, 2, 7);
    for (const Shape3& shape : convex_solids3(random, size)) {
      const Solid<Vec3> solid = solid_of(shape);
      const Geometry3 built = build(shape);
      for (int k = 0; k < 20; ++k) {  // the reference, too, is only as good as the ray's own points
        const Ray3 ray = some_ray<Dim3>(random, solid, distance, vector3, unit3);
        expect_like_slow(solid, built, ray, 1e-15 * distance * size, count);
        if (HasFatalFailure()) return;
      }
    }
    for (const Shape2& shape : convex_solids2(random, size)) {
      const Solid<Vec2> solid = solid_of(shape);
      const Geometry2 built = build(shape);
      for (int k = 0; k < 20; ++k) {
        const Ray2 ray = some_ray<Dim2>(random, solid, distance, vector2, unit2);
        expect_like_slow(solid, built, ray, 1e-15 * distance * size, count);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GE(count.hits, 2000);
}

TEST(RaySolid, meets_shapes_that_are_far_from_the_origin) {
  Random random(4);
  Count count;
  for (int i = 0; i < 50; ++i) {
    const double size = power_of_ten(random, -3, 3), distance = 1e6 * size;
    Shape3 hull = convex_solids3(random, size).back();
    for (Vec3& p : std::get<Hull>(hull).points) p += distance * Vec3{1, -0.5, 0.3};
    Shape2 polygon = convex_solids2(random, size).back();
    for (Vec2& p : std::get<Polygon>(polygon).points) p += distance * Vec2{1, -0.5};
    const Solid<Vec3> solid3 = solid_of(hull);
    const Solid<Vec2> solid2 = solid_of(polygon);
    const Geometry3 built3 = build(hull);
    const Geometry2 built2 = build(polygon);
    for (int k = 0; k < 50; ++k) {
      expect_like_slow(solid3, built3, some_ray<Dim3>(random, solid3, 3, vector3, unit3), 2e-15 * distance,
                       count);
      expect_like_slow(solid2, built2, some_ray<Dim2>(random, solid2, 3, vector2, unit2), 2e-15 * distance,
                       count);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GE(count.hits, 1000);
}

// Directions with zeros and nearly zeros, on all sides, edges and corners: divisions by zero
// would spoil these.
TEST(RaySolid, is_right_for_rays_along_the_axes) {
  Random random(5);
  Count count;
  const double components[] = {-1, 0, 1, 1e-17, -1e-9, 1e-160};
  const double starts[] = {-2, -0.75, -0.25, 0, 0.25, 0.6, 3};
  const std::vector<Shape3> shapes3{Sphere{1},
                                    Box3{{1, 0.5, 0.7}},
                                    Capsule3{0.5, 0.5},
                                    Cylinder{0.7, 0.5},
                                    Cone{0.7, 0.5},
                                    Cone{1, 0.5},
                                    Hull{octahedron_mesh().vertices}};
  for (const Shape3& shape : shapes3) {
    const Solid<Vec3> solid = solid_of(shape);
    const Geometry3 built = build(shape);
    for (const double dx : components)
      for (const double dy : components)
        for (const double dz : components) {
          if (std::max({absolute(dx), absolute(dy), absolute(dz)}) < 1) continue;
          for (int k = 0; k < 20; ++k) {
            const Vec3 origin{starts[random() % 7], starts[random() % 7], starts[random() % 7]};
            expect_like_slow(solid, built, Ray3{origin, Vec3{dx, dy, dz} * 5.0}, 4e-15, count);
            if (HasFatalFailure()) return;
          }
        }
  }
  const std::vector<Shape2> shapes2{Circle{1}, Box2{{1, 0.5}}, Capsule2{0.5, 0.5},
                                    Polygon{{{-1, 0}, {1, -1}, {0, 1}}}};
  for (const Shape2& shape : shapes2) {
    const Solid<Vec2> solid = solid_of(shape);
    const Geometry2 built = build(shape);
    for (const double dx : components)
      for (const double dy : components) {
        if (std::max(absolute(dx), absolute(dy)) < 1) continue;
        for (const double x : starts)
          for (const double y : starts) {
            expect_like_slow(solid, built, Ray2{{x, y}, Vec2{dx, dy} * 5.0}, 4e-15, count);
            if (HasFatalFailure()) return;
          }
      }
  }
  EXPECT_GE(count.hits, 2000);
}

// The cone's equation changes its nature where a ray is parallel to the side.
TEST(RaySolid, along_the_side_of_a_cone) {
  Random random(6);
  Count count;
  const Cone cone{0.6, 0.4};
  const Solid<Vec3> solid = solid_of(cone);
  const Geometry3 built = build(cone);
  for (int i = 0; i < 5000; ++i) {
    const Vec2 around = unit2(random);
    const double sign = i % 2 == 0 ? 0 : uniform(random, -1, 1),
                 tilt = i % 2 == 0 ? 0 : sign * power_of_ten(random, -17, -6);
    const Vec3 side{around.x * cone.radius * (1 + tilt), around.y * cone.radius * (1 + tilt),
                    -2 * cone.half_height};
    const Vec3 through = vector3(random, 0.7);
    const Ray3 down{through - 4 * side, 8 * side}, up{through + 4 * side, -8 * side};
    expect_like_slow(solid, built, down, 1e-14, count);
    expect_like_slow(solid, built, up, 1e-14, count);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(count.hits, 2000);
  // through the apex, from above: the very tip
  const auto tip = ray_cast(built, {{0, 0, 2}, {0, 0, -4}});
  ASSERT_TRUE(tip);
  EXPECT_LE(length(tip->point - Vec3{0, 0, 0.4}), 1e-16);
  EXPECT_EQ(tip->normal, (Vec3{0, 0, 1}));
  EXPECT_FALSE(ray_cast(built, {{0.1, 0, 2}, {0, 0, -1.1}}));  // ends before it arrives
}

TEST(RaySolid, meets_planes) {
  Random random(7);
  for (int i = 0; i < 5000; ++i) {
    const Vec3 n = unit3(random);
    const double offset = uniform(random, -5, 5);
    const Geometry3 plane = build(Plane{power_of_ten(random, -3, 3) * n, offset});
    const Ray3 ray{vector3(random, 10), vector3(random, 20)};
    const double begin = dot(n, ray.origin) - offset, end = dot(n, ray.origin + ray.translation) - offset;
    const auto hit = ray_cast(plane, ray);
    if (begin <= 0) {
      ASSERT_TRUE(hit);
      EXPECT_EQ(hit->fraction, 0);
      EXPECT_LE(length(hit->normal + normalized(ray.translation)), 1e-15);
    } else if (end > 0) {
      EXPECT_FALSE(hit);
    } else {
      ASSERT_TRUE(hit);
      EXPECT_NEAR(hit->fraction, begin / (begin - end), 1e-13);
      EXPECT_NEAR(dot(n, hit->point), offset, 1e-13);
      EXPECT_LE(length(hit->normal - n), 1e-15);
    }
  }
  EXPECT_FALSE(ray_cast(Plane{}, {{0, 0, 1}, {5, 3, 0}}));  // along it, above
  EXPECT_EQ(ray_cast(Plane{}, {{0, 0, -1}, {5, 3, 0}})->fraction, 0);
  EXPECT_EQ(ray_cast(Plane{}, {{0, 0, 1}, {0, 0, -1}})->fraction, 1);  // just reaches it
}

TEST(RaySolid, of_a_compound_is_that_of_its_first_part) {
  Random random(8);
  for (int i = 0; i < 300; ++i) {
    Compound3 compound, inner;
    std::vector<CompoundPart3> placed;
    const Vec3 far = i % 3 == 0 ? vector3(random, 1e5) : Vec3{};
    const Pose3 outer{vector3(random, 2), rotation3(random)};
    int k = 0;
    for (const Shape3& shape : convex_solids3(random, 1)) {
      const Pose3 pose{vector3(random, 3), rotation3(random)};
      (++k % 2 ? inner : compound).parts.push_back({shape, pose.position, pose.rotation});
      const Pose3 at = Pose3{far, {}} * (k % 2 ? outer * pose : pose);
      placed.push_back({shape, at.position, at.rotation});
    }
    for (CompoundPart3& part : compound.parts) part.position += far;
    compound.parts.push_back({inner, far + outer.position, outer.rotation});
    const Geometry3 built = build(compound);
    for (int r = 0; r < 30; ++r) {
      const Ray3 ray{far + vector3(random, 8), vector3(random, 16)};
      double first = 2;
      for (const CompoundPart3& part : placed) {
        const Pose3 pose{part.position, part.rotation};
        const Ray3 local{to_local(pose, ray.origin), inverse(pose.rotation) * ray.translation};
        if (const auto hit = ray_cast(build(part.shape), local)) first = std::min(first, hit->fraction);
      }
      const auto hit = ray_cast(built, ray);
      ASSERT_EQ(hit.has_value(), first <= 1);
      if (!hit) continue;
      EXPECT_NEAR(hit->fraction, first, i % 3 == 0 ? 1e-8 : 1e-12);
      EXPECT_LE(length(hit->point - ray.origin - hit->fraction * ray.translation), i % 3 == 0 ? 1e-9 : 1e-13);
      EXPECT_NEAR(length(hit->normal), 1, 1e-14);
      EXPECT_LE(dot(hit->normal, ray.translation), 0);
    }
  }
}

TEST(RaySolid, of_a_compound_in_the_plane) {
  // A box beside a disc in a compound of its own, turned by a quarter and moved: the disc stands at (−2, 1).
  const Rot2 quarter{0, 1};
  const Compound2 compound{
      {{Box2{{0.5, 0.25}}, {3, 1}, quarter}, {Compound2{{{Circle{1}, {0, 2}}}}, {0, 1}, quarter}}};
  const auto from_left = ray_cast(compound, {{-5, 1}, {10, 0}});
  ASSERT_TRUE(from_left);
  EXPECT_NEAR(from_left->fraction, 0.2, 1e-15);
  EXPECT_LE(length(from_left->normal - Vec2{-1, 0}), 1e-15);
  const auto from_right = ray_cast(compound, {{5, 1.4}, {-10, 0}});
  ASSERT_TRUE(from_right);
  EXPECT_LE(length(from_right->point - Vec2{3.25, 1.4}), 1e-15);
  EXPECT_LE(length(from_right->normal - Vec2{1, 0}), 1e-15);
  EXPECT_EQ(ray_cast(compound, {{3, 1}, {-10, 0}})->fraction, 0);
  EXPECT_FALSE(ray_cast(compound, {{0, -5}, {0, 10}}));
}

TEST(RaySolid, refuses_rays_that_are_none) {
  EXPECT_EQ(refusal([] {
              ray_cast(Sphere{}, {{1, 2, 3}, {0, 0, 0}});
            }),
            "Ray.translation = (0, 0, 0) m: must not be zero");
  EXPECT_EQ(refusal([] { ray_cast(Circle{}, {{NAN, 2}, {0, 1}}); }), "Ray.origin.x = nan m: must be finite");
  EXPECT_EQ(refusal([] {
              ray_cast(Sphere{0}, {{1, 2, 3}, {1, 0, 0}});
            }),
            "Sphere.radius = 0 m: must be greater than 0 and finite");
  // tiny and huge ones are rays
  EXPECT_NEAR(ray_cast(Sphere{1}, {{3, 0, 0}, {-1e200, 0, 0}})->fraction, 2e-200, 1e-214);
  EXPECT_FALSE(ray_cast(Sphere{1}, {{3, 0, 0}, {-1e-200, 0, 0}}));
  EXPECT_EQ(ray_cast(Sphere{1}, {{0, 0, 0}, {-1e-200, 0, 0}})->fraction, 0);
}

}  // namespace
}  // namespace cairn
