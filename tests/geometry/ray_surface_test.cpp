// Ray casts of surfaces: meshes, height fields, segments and chains. They may not leak.
#include <gtest/gtest.h>

#include "geometry/ray.h"
#include "geometry/ray_surface.h"
#include "geometry/shape_samples.h"

namespace cairn {
namespace {

using namespace samples;

// Every triangle by Cramer's rule in long double: another way than the one under test.
struct SlowHit {
  long double fraction = 2;
  Vec3 normal;
  bool doubtful = false;  // so near to an edge, to the ray's ends or to a second hit that rounding may decide
};
SlowHit slow_cast(const Mesh& mesh, const Ray3& ray, long double doubt) {
  using V = Vec3T<long double>;
  const auto wide = [](const Vec3& v) { return V{v.x, v.y, v.z}; };
  const V o = wide(ray.origin), d = wide(ray.translation);
  SlowHit first;
  for (const auto& [i, j, k] : mesh.triangles) {
    const V a = wide(mesh.vertices[i]), e = wide(mesh.vertices[j]) - a, f = wide(mesh.vertices[k]) - a;
    const V n = cross(e, f);
    const long double det = -dot(n, d);
    if (det == 0) continue;
    const V m = o - a, q = cross(m, d);
    const long double t = dot(n, m) / det, u = dot(f, q) / det, v = -dot(e, q) / det;
    const long double rim = std::min({u, v, 1 - u - v}), ends = std::min(t, 1 - t);
    if (rim < -doubt || ends < -doubt) continue;
    if (rim < doubt || ends < doubt) first.doubtful = true;
    if (t >= first.fraction) continue;
    first.fraction = t;
    first.normal =
        normalized(cross(mesh.vertices[j] - mesh.vertices[i], mesh.vertices[k] - mesh.vertices[i]));
  }
  return first;
}

void expect_like_slow(const Mesh& mesh, const Geometry3& built, const Ray3& ray, double noise, int& hits,
                      int& doubtful) {
  const SlowHit expected = slow_cast(mesh, ray, noise);
  doubtful += expected.doubtful;
  if (expected.doubtful) return;
  const auto hit = ray_cast(built, ray);
  ASSERT_EQ(hit.has_value(), expected.fraction <= 1);
  if (!hit) return;
  ++hits;
  const double steep = absolute(dot(expected.normal, normalized(ray.translation)));
  EXPECT_LE(absolute(double(hit->fraction - expected.fraction)) * steep, noise);
  EXPECT_LE(length(ray.origin + hit->fraction * ray.translation - hit->point),
            4 * noise * length(ray.translation));
  const bool faces_ray = dot(expected.normal, ray.translation) < 0;
  EXPECT_LE(length(hit->normal - (faces_ray ? 1.0 : -1.0) * expected.normal), 1e-12);
}

TEST(RaySurface, of_a_mesh_is_like_the_slow_one) {
  Random random(1);
  int hits = 0, doubtful = 0;
  for (int i = 0; i < 40; ++i) {
    const double size = power_of_ten(random, -3, 3), far = i % 4 == 3 ? 1e6 : i % 4;
    const Pose3 pose{far * size * unit3(random), rotation3(random)};
    Mesh mesh = star_mesh(2);
    for (Vec3& v : mesh.vertices) v = to_world(pose, v * size);
    const Geometry3 built = build(mesh);
    for (int k = 0; k < 400; ++k) {
      const Vec3 origin = pose.position + vector3(random, 3 * size),
                 target = pose.position + vector3(random, 1.2 * size);
      const Ray3 ray{origin, uniform(random, 0.2, 2) * (target - origin)};
      expect_like_slow(mesh, built, ray, far == 1e6 ? 1e-8 : 1e-13, hits, doubtful);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GE(hits, 6000);
  EXPECT_LE(doubtful, 5);
}

TEST(RaySurface, of_a_flat_sheet_has_two_sides) {
  const Geometry3 sheet = build(mesh_of(hills(5, 5, {1, 1}, 0)));
  for (const Vec3 at : {Vec3{0, 0, 0}, Vec3{4, 4, 0}, Vec3{4, 0, 0}, Vec3{2.3, 1.1, 0}, Vec3{0, 3.5, 0}})
    for (const double side : {1.0, -1.0}) {
      const auto hit = ray_cast(sheet, {at + Vec3{0, 0, 2 * side}, {0, 0, -8 * side}});
      ASSERT_TRUE(hit);
      EXPECT_EQ(hit->fraction, 0.25);
      EXPECT_EQ(hit->point, at);
      EXPECT_EQ(hit->normal, (Vec3{0, 0, side}));
    }
  EXPECT_FALSE(ray_cast(sheet, {{-1, 2, 0}, {6, 0, 0}}));  // edge-on there is nothing to hit
  EXPECT_FALSE(ray_cast(sheet, {{2, 2, 1}, {6, 0, 0}}));
}

// ------------------------------------------------------------------------------------------------ no leaks

TEST(RaySurface, sees_sides_exactly) {
  const double e = std::ldexp(1, -52);  // (1 + e)(1 − e) = 1 − e², which rounds to 1
  EXPECT_EQ(exact_cross({1 + e, 1, 0}, {1, 1 - e, 0}), -e * e);
  EXPECT_EQ(exact_cross({1, 1 - e, 0}, {1 + e, 1, 0}), e * e);
  EXPECT_EQ(exact_cross({2, 6, 0}, {1, 3, 0}), 0);
  EXPECT_EQ(exact_cross({2, 1, 0}, {1, 3, 0}), 5);
}

// From inside a closed surface every ray must meet it, wherever it is aimed: at corners, along edges,
// anywhere.
void expect_no_leak(const Mesh& mesh, const Vec3& inside, Random& random) {
  const Geometry3 built = build(mesh);
  const double reach = length(mesh.vertices[0] - inside) * 10;
  const auto meets = [&](const Vec3& target) {
    const Vec3 way = target - inside;
    return ray_cast(built, {inside, way * (reach / length(way))}).has_value();
  };
  int leaks = 0;
  for (const Vec3& v : mesh.vertices) leaks += !meets(v);
  for (const Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const Vec3 a = mesh.vertices[t[k]], b = mesh.vertices[t[(k + 1) % 3]];
      leaks += !meets(0.5 * (a + b));
      leaks += !meets(a + uniform(random, 0, 1) * (b - a));
      leaks += !meets(a + power_of_ten(random, -18, -12) * (b - a));
    }
  EXPECT_EQ(leaks, 0);
}

TEST(RaySurface, of_a_closed_mesh_never_leaks) {
  Random random(2);
  for (int i = 0; i < 6; ++i) {
    const double size = power_of_ten(random, -3, 3);
    const Vec3 far = i % 2 == 0 ? Vec3{} : 1e6 * size * unit3(random);
    for (const Mesh& shape : {ico_sphere(2), uv_sphere(8), prism_mesh(17, 1, 2), star_mesh(1),
                              box_mesh({1, 2, 3}), octahedron_mesh()}) {
      Mesh mesh = shape;
      const Rot3 turn = rotation3(random);
      for (Vec3& v : mesh.vertices) v = far + turn * (size * v);
      expect_no_leak(mesh, far + turn * (size * vector3(random, 0.2)), random);
    }
  }
}

// Rays that go exactly, not nearly, through edges and corners: everything is a small integer. A box cut into
// unit squares, each cut along one of its diagonals, and rays from inside through all half-integer points.
TEST(RaySurface, through_exact_edges_and_corners_never_leaks) {
  Random random(3);
  const int n = 4;
  Mesh mesh;
  const auto square = [&](const Vec3& o, const Vec3& u, const Vec3& v) {
    const auto k = std::uint32_t(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {o, o + u, o + u + v, o + v});
    if (random() % 2)
      mesh.triangles.insert(mesh.triangles.end(), {{k, k + 1, k + 2}, {k, k + 2, k + 3}});
    else
      mesh.triangles.insert(mesh.triangles.end(), {{k, k + 1, k + 3}, {k + 1, k + 2, k + 3}});
  };
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  for (int i = -n; i < n; ++i)
    for (int j = -n; j < n; ++j) {
      const double a = i, b = j, c = n;
      square({a, b, c}, x, y);
      square({a, b, -c}, y, x);
      square({c, a, b}, y, z);
      square({-c, a, b}, z, y);
      square({b, c, a}, z, x);
      square({b, -c, a}, x, z);
    }
  EXPECT_NEAR(mass_properties(Shape3(mesh), 1).mass, 8 * n * n * n, 1e-10);  // closed
  const Geometry3 built = build(mesh);
  int rays = 0, leaks = 0, wrong = 0;
  for (int i = -2 * n; i <= 2 * n; ++i)
    for (int j = -2 * n; j <= 2 * n; ++j)
      for (const Vec3 origin : {Vec3{}, Vec3{1, -1, 2}, Vec3{0.5, 3, -2}}) {
        const double a = 0.5 * i, b = 0.5 * j, c = n;
        for (const Vec3 target :
             {Vec3{a, b, c}, Vec3{a, b, -c}, Vec3{c, a, b}, Vec3{-c, a, b}, Vec3{b, c, a}, Vec3{b, -c, a}}) {
          ++rays;
          const auto hit = ray_cast(built, {origin, 2 * (target - origin)});
          leaks += !hit;
          wrong += hit && length(hit->point - target) > 1e-14;
          const auto back =
              ray_cast(built, {origin + 2 * (target - origin), -2 * (target - origin)});  // from outside
          leaks += !back;
          wrong += back && length(back->point - target) > 1e-14;
        }
      }
  EXPECT_GE(rays, 5000);
  EXPECT_EQ(leaks, 0);
  EXPECT_EQ(wrong, 0);
}

// ------------------------------------------------------------------------------------------- height fields

TEST(RaySurface, of_a_height_field_is_that_of_all_its_triangles) {
  Random random(4);
  int hits = 0, doubtful = 0;
  for (int i = 0; i < 30; ++i) {
    const double size = power_of_ten(random, -3, 3);
    const Vec2 spacing{size * uniform(random, 0.2, 2), size * uniform(random, 0.2, 2)};
    const std::uint32_t columns = 2 + random() % 12, rows = 2 + random() % 12;
    const HeightField field = hills(columns, rows, spacing, size * uniform(random, 0, 2));
    const Mesh mesh = mesh_of(field);
    const Geometry3 built = build(field);
    const Vec3 extent{(field.columns - 1) * spacing.x, (field.rows - 1) * spacing.y, 2 * size};
    const auto point = [&](double reach) {
      const Vec3 v = vector3(random, reach);
      return Vec3{(0.5 + v.x) * extent.x, (0.5 + v.y) * extent.y, v.z * extent.z};
    };
    for (int k = 0; k < 700; ++k) {
      const Vec3 origin = point(k % 2 ? 1 : 0.6), target = point(0.55);
      const Ray3 ray{origin, uniform(random, 0.2, 2) * (target - origin)};
      expect_like_slow(mesh, built, ray, 1e-12, hits, doubtful);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GE(hits, 6000);
  EXPECT_LE(doubtful, 20);
}

TEST(RaySurface, through_the_grid_lines_of_a_height_field_never_leaks) {
  const HeightField field = hills(9, 8, {0.5, 0.25}, 1);
  const Geometry3 built = build(field);
  const auto height = [&](double x, double y) {  // on samples, or halfway along an edge or diagonal
    const double i = x / 0.5, j = y / 0.25;
    const auto sample = [&](double a, double b) {
      return field.heights[std::size_t(b) * 9 + std::size_t(a)];
    };
    return (sample(std::floor(i), std::floor(j)) + sample(std::ceil(i), std::ceil(j))) / 2;
  };
  int leaks = 0, wrong = 0;
  Random random(5);
  for (int i = 0; i <= 16; ++i)
    for (int j = 0; j <= 14; ++j) {
      const Vec3 point{0.25 * i, 0.125 * j, height(0.25 * i, 0.125 * j)};
      for (const double side : {1.0, -1.0}) {
        const auto hit =
            ray_cast(built, {{point.x, point.y, 5 * side}, {0, 0, -10 * side}});  // straight down, or up
        leaks += !hit;
        if (!hit) continue;
        wrong += length(hit->point - point) > 1e-14;
        wrong += hit->normal.z * side <= 0;
      }
      for (int k = 0; k < 20; ++k) {  // steeper than any slope, so that only the rim can be missed
        if (i == 0 || j == 0 || i == 16 || j == 14) break;
        const Vec2 across = vector2(random, 0.05);
        const Vec3 way{across.x, across.y, -10};
        leaks += !ray_cast(built, {point - 0.5 * way, way});
      }
    }
  EXPECT_EQ(leaks, 0);
  EXPECT_EQ(wrong, 0);
}

TEST(RaySurface, along_the_grid_of_a_flat_field) {
  // A ridge across a flat field, met by rays that run exactly above grid lines and diagonals.
  HeightField field{101, 101, {1, 1}, std::vector<double>(101 * 101, 0.0)};
  for (int j = 0; j <= 100; ++j) field.heights[std::size_t(j) * 101 + 60] = 1;
  const Geometry3 built = build(field);
  for (const double y : {0.0, 50.0, 50.5, 100.0}) {
    const auto hit = ray_cast(built, {{0, y, 0.5}, {100, 0, 0}});
    ASSERT_TRUE(hit) << y;
    EXPECT_NEAR(hit->point.x, 59.5, 1e-12);
    const auto back = ray_cast(built, {{1e6, y, 0.5}, {-2e6, 0, 0}});
    ASSERT_TRUE(back) << y;
    EXPECT_NEAR(back->point.x, 60.5, 1e-12);
  }
  const auto diagonal = ray_cast(built, {{0, 0, 0.5}, {100, 100, 0}});
  ASSERT_TRUE(diagonal);
  EXPECT_NEAR(diagonal->point.y, 59.5, 1e-12);
  EXPECT_FALSE(ray_cast(built, {{0, 50, 1.001}, {100, 0, 0}}));
  EXPECT_FALSE(ray_cast(built, {{-1, -1, 5}, {0, 0, -10}}));
  EXPECT_TRUE(ray_cast(built, {{0, 0, 5}, {0, 0, -10}}));  // the very corner
}

// ------------------------------------------------------------------------------------- segments and chains

TEST(RaySurface, of_a_segment_is_two_sided) {
  Random random(6);
  int hits = 0;
  for (int i = 0; i < 20000; ++i) {
    const double size = power_of_ten(random, -3, 3);
    const Vec2 far = i % 2 ? Vec2{} : 1e4 * size * unit2(random);
    const Segment segment{far + vector2(random, size), far + vector2(random, size)};
    const Ray2 ray{far + vector2(random, 2 * size), vector2(random, 4 * size)};
    // o + t d = a + u (b − a), in long double
    using V = Vec2T<long double>;
    const V o{ray.origin.x, ray.origin.y}, d{ray.translation.x, ray.translation.y},
        a{segment.a.x, segment.a.y};
    const V e = V{segment.b.x, segment.b.y} - a;
    const long double det = cross(d, e), t = cross(a - o, e) / det, u = cross(a - o, d) / det;
    const long double margin = std::min({t, 1 - t, u, 1 - u});
    if (std::fabs(margin) < 1e-9) continue;
    const auto hit = ray_cast(build(segment), ray);
    ASSERT_EQ(hit.has_value(), margin > 0);
    if (!hit) continue;
    ++hits;
    const double slope = absolute(dot(hit->normal, normalized(ray.translation)));
    EXPECT_LE(absolute(double(hit->fraction - t)) * slope, i % 2 ? 1e-13 : 1e-10);
    EXPECT_LE(dot(hit->normal, ray.translation), 0);
    EXPECT_LE(absolute(dot(hit->normal, normalized(segment.b - segment.a))), 1e-14);
  }
  EXPECT_GE(hits, 1500);
}

TEST(RaySurface, end_on_to_a_segment) {
  const Segment segment{{1, 1}, {3, 1}};
  EXPECT_EQ(ray_cast(segment, {{0, 1}, {4, 0}})->fraction, 0.25);
  EXPECT_EQ(ray_cast(segment, {{5, 1}, {-4, 0}})->fraction, 0.5);
  EXPECT_EQ(ray_cast(segment, {{2, 1}, {4, 0}})->fraction, 0);
  EXPECT_EQ(ray_cast(segment, {{0, 1}, {4, 0}})->normal, (Vec2{-1, 0}));
  EXPECT_FALSE(ray_cast(segment, {{4, 1}, {4, 0}}));
  EXPECT_FALSE(ray_cast(segment, {{0, 1}, {0.5, 0}}));
  EXPECT_FALSE(ray_cast(segment, {{0, 1.5}, {4, 0}}));
}

TEST(RaySurface, of_a_loop_never_leaks) {
  Random random(7);
  int leaks = 0, rays = 0;
  for (int i = 0; i < 50; ++i) {
    const double size = power_of_ten(random, -3, 3);
    const Vec2 far = i % 2 ? Vec2{} : 1e6 * size * unit2(random);
    Chain chain{{}, true};
    for (int k = 0; k < 40; ++k) {
      const double angle = 2 * k_pi * k / 40, radius = size * uniform(random, 0.5, 2);
      chain.points.push_back(far + radius * Vec2{std::cos(angle), std::sin(angle)});
    }
    const Geometry2 built = build(chain);
    const Vec2 inside = far + vector2(random, 0.2 * size);
    const auto cast_at = [&](const Vec2& target) {
      ++rays;
      leaks += !ray_cast(built, {inside, 10 * (target - inside)});
    };
    for (int k = 0; k < 40; ++k) {
      const Vec2 a = chain.points[k], b = chain.points[(k + 1) % 40];
      cast_at(a);
      cast_at(a + uniform(random, 0, 1) * (b - a));
      cast_at(a + power_of_ten(random, -18, -12) * (b - a));
    }
  }
  EXPECT_EQ(rays, 6000);
  EXPECT_EQ(leaks, 0);
}

TEST(RaySurface, through_the_corners_of_a_chain) {
  const Chain chain{{{0, 1}, {1, 0}, {2, 1}, {3, 0}}};
  for (const Vec2& corner : chain.points)
    for (const double side : {1.0, -1.0}) {
      const auto hit = ray_cast(chain, {{corner.x, corner.y + 4 * side}, {0, -8 * side}});
      ASSERT_TRUE(hit);
      EXPECT_EQ(hit->point, corner);
      EXPECT_NEAR(hit->normal.y * side, std::sqrt(0.5), 1e-15);
    }
}

TEST(RaySurface, of_a_chain_is_its_first_segment_s) {
  const Chain ground{{{-2, 0}, {0, 0}, {1, 1}, {3, 1}}};
  const auto slope = ray_cast(ground, {{0.5, 3}, {0, -6}});
  ASSERT_TRUE(slope);
  EXPECT_LE(length(slope->point - Vec2{0.5, 0.5}), 1e-15);
  EXPECT_LE(length(slope->normal - normalized(Vec2{-1, 1})), 1e-15);
  const auto below = ray_cast(ground, {{0.5, -3}, {0, 6}});
  EXPECT_LE(length(below->normal - normalized(Vec2{1, -1})), 1e-15);
  const auto across = ray_cast(ground, {{-3, 0.5}, {10, 0}});
  EXPECT_LE(length(across->point - Vec2{0.5, 0.5}), 1e-15);
  EXPECT_FALSE(ray_cast(ground, {{-3, 0.5}, {0, 10}}));
}

}  // namespace
}  // namespace cairn
