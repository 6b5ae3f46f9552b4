// Concave meshes as compounds of hulls: how many, how near, and a ball in a cup.
#include "geometry/decomposition_3d.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/concave_meshes.h"
#include "geometry/gjk.h"
#include "geometry/shape_samples.h"

namespace cairn {
namespace {

using namespace samples;

double volume_of(const Shape3& shape) { return mass_properties(shape, 1).mass; }
double extent_of(const Mesh& mesh) {
  const Bounds3 box = bounds(Shape3{mesh}, {});
  const Vec3 size = box.hi - box.lo;
  return std::max({size.x, size.y, size.z});
}
ConvexParts parts_of(const Mesh& mesh, const DecompositionOptions& options = {}) {
  const Shape3 shape = mesh;
  return convex_parts(std::get<TriangleMesh>(build(shape).form), options, root_path(shape));
}
std::vector<Polyhedron> hulls_of(const Compound3& compound) {
  std::vector<Polyhedron> hulls;
  const Geometry3 geometry = build(Shape3{compound});
  for (const Part3& part : std::get<PartList3>(geometry.form).parts)
    hulls.push_back(std::get<Polyhedron>(part.shape));
  return hulls;
}
// 0 for points inside.
double distance_from(const Polyhedron& hull, const Vec3& point) {
  return nearest(core_of(Piece3{&hull}), {.kind = CoreKind::point, .middle = point}, {}, {}).distance;
}
double distance_from(const std::vector<Polyhedron>& hulls, const Vec3& point) {
  double least = std::numeric_limits<double>::infinity();
  for (const Polyhedron& hull : hulls) least = std::min(least, distance_from(hull, point));
  return least;
}

Mesh l_mesh() {
  return cubes(2, 1, 2, [](int x, int, int z) { return x == 0 || z == 0; });
}
Mesh frame_mesh() {  // a square hole
  return cubes(3, 3, 1, [](int x, int y, int) { return x != 1 || y != 1; });
}
Mesh hollow_mesh() {
  return cubes(3, 3, 3, [](int x, int y, int z) { return x != 1 || y != 1 || z != 1; });
}

// The promise of shape.h, by points at random: in the box of the mesh, and in the parts (weights that favour few of the
// corners reach the edges and the middles of faces).
void expect_close(const Mesh& mesh, const DecompositionOptions& options, int samples) {
  Random random(7);
  const std::vector<Polyhedron> hulls = hulls_of(convex_decomposition(mesh, options));
  const double tolerance = options.tolerance * extent_of(mesh);
  const Bounds3 box = bounds(Shape3{mesh}, {});
  int inside = 0;
  for (int k = 0; k < samples; ++k) {
    const Vec3 u{uniform(random, 0, 1), uniform(random, 0, 1), uniform(random, 0, 1)};
    const Vec3 p = box.lo + scaled(u, box.hi - box.lo);
    if (!slow_distance(mesh, p).is_inside) continue;
    ++inside;
    ASSERT_LE(distance_from(hulls, p), 0.101 * tolerance);
  }
  ASSERT_GT(inside, samples / 100);
  for (int k = 0; k < samples; ++k) {
    const Polyhedron& hull = hulls[std::size_t(k) % hulls.size()];
    Vec3 p;
    double sum = 0;
    for (const Vec3& v : hull.vertices) {
      const double weight = power_of_ten(random, -4, 0);
      p += weight * (v - box.lo);
      sum += weight;
    }
    p = box.lo + p / sum;
    const SlowDistance off = slow_distance(mesh, p);
    ASSERT_TRUE(off.is_inside || off.to_surface <= 1.0001 * tolerance) << off.to_surface / tolerance;
  }
}

TEST(Decomposition3, leaves_convex_meshes_whole) {
  for (const Mesh& mesh : {box_mesh({1, 2, 3}), tetrahedron_mesh(), ico_sphere(2), prism_mesh(24, 1, 0.01)}) {
    const Compound3 compound = convex_decomposition(mesh);
    ASSERT_EQ(compound.parts.size(), 1u);
    EXPECT_EQ(compound.parts[0].position, Vec3{});
    EXPECT_NEAR(volume_of(compound), volume_of(mesh), 0.02 * volume_of(mesh));
  }
  EXPECT_NEAR(volume_of(convex_decomposition(box_mesh({1, 2, 3}))), 48, 1e-12);
}

TEST(Decomposition3, is_exact_for_blocks) {
  struct Case {
    Mesh mesh;
    std::size_t most;
  };
  Random random(3);
  const Case cases[] = {{l_mesh(), 2},
                        {frame_mesh(), 4},
                        {hollow_mesh(), 6},
                        {cubes(3, 1, 2, [](int x, int, int z) { return x != 1 || z == 0; }), 3},
                        {joined(box_mesh({1, 1, 1}), transformed({{9, 0, 0}, {}}, box_mesh({1, 1, 1}))), 2},
                        {cubes(8, 2, 8, [](int x, int, int z) { return z <= x; }), 8},
                        {transformed({{3, 2, 1}, rotation3(random)}, l_mesh()), 2},
                        {transformed({{3, 2, 1}, rotation3(random)}, frame_mesh()), 8}};
  for (const Case& c : cases) {
    const Compound3 compound = convex_decomposition(c.mesh);
    EXPECT_LE(compound.parts.size(), c.most);
    EXPECT_NEAR(volume_of(compound), volume_of(c.mesh), 1e-6 * volume_of(c.mesh));
    expect_close(c.mesh, {.tolerance = 0.001}, 500);
  }
}

// A hole through it, turned so that no axis fits.
TEST(Decomposition3, stays_close_to_a_ring) {
  Random random(4);
  const Mesh ring = transformed({{1, 2, 3}, rotation3(random)}, torus(1, 0.3, 16, 8));
  EXPECT_LE(convex_decomposition(ring, {.tolerance = 0.05}).parts.size(), 10u);
  expect_close(ring, {.tolerance = 0.05}, 1000);
}

TEST(Decomposition3, stays_close_to_round_meshes_long) {
  Random random(4);
  expect_close(transformed({{1, 2, 3}, rotation3(random)}, torus(1, 0.3, 24, 12)), {}, 3000);
  expect_close(transformed({{0, 0, 1}, rotation3(random)}, cup(1, 0.9, 2, 0.1)), {}, 3000);
  expect_close(star_mesh(2), {.max_parts = 200}, 3000);
  EXPECT_LE(parts_of(torus(1, 0.3, 32, 16)).list.size(), 14u);
  EXPECT_LE(parts_of(torus(1, 0.1, 48, 12)).list.size(), 18u);
}

// The parts of pieces cut apart do not overlap, those of joined ones hardly.
TEST(Decomposition3, parts_hardly_overlap) {
  for (const Mesh& mesh : {cup(1, 0.9, 2, 0.1), torus(1, 0.3, 16, 8), frame_mesh()}) {
    const std::vector<Polyhedron> hulls = hulls_of(convex_decomposition(mesh));
    const double depth = 0.5 * 0.02 * extent_of(mesh);
    Random random(5);
    for (const Polyhedron& hull : hulls)
      for (int k = 0; k < 200; ++k) {
        Vec3 p;
        double sum = 0;
        for (const Vec3& v : hull.vertices) {
          const double weight = power_of_ten(random, -2, 0);
          p += weight * v;
          sum += weight;
        }
        p = p / sum;
        const auto depth_in = [&](const Polyhedron& h) {
          double out = -std::numeric_limits<double>::infinity();
          for (const FacePlane& plane : h.planes) out = std::max(out, plane.distance(p));
          return -out;
        };
        if (depth_in(hull) < depth) continue;
        for (const Polyhedron& other : hulls) ASSERT_TRUE(&other == &hull || depth_in(other) < depth);
      }
  }
}

// A cup of 24 sides: corners on the radii 1 and 0.9, two high, the bottom 0.1 thick. The walls reach into the cup by no
// more than the tolerance, 0.04.
TEST(Decomposition3, a_ball_goes_into_a_cup) {
  const double outer = 1, inner = 0.9, height = 2, bottom = 0.1, tolerance = 0.02 * height;
  const Mesh mesh = cup(outer, inner, height, bottom);
  const Compound3 compound = convex_decomposition(mesh);
  const std::vector<Polyhedron> hulls = hulls_of(compound);
  EXPECT_LE(hulls.size(), 20u);
  EXPECT_LE(volume_of(compound) - volume_of(mesh), 0.1 * volume_of(mesh));
  const double apothem = portable::cos(k_pi / 24);  // the sides are that much nearer than the corners
  const auto gap = [&](double radius, const Vec3& center) { return distance_from(hulls, center) - radius; };

  // A ball as wide as the cup, less the tolerance: it goes down along the axis and touches nothing but the bottom.
  const double snug = inner * apothem - tolerance;
  for (double z = height + 1; z >= bottom + tolerance + snug; z -= 0.01)
    ASSERT_GE(gap(snug, {0, 0, z}), 0) << z;
  // A small one gets to the bottom: it is where it was, to the tolerance.
  for (const double x : {0., 0.3, 0.6}) {
    const Vec3 low{x, 0, bottom + 0.1};
    EXPECT_NEAR(gap(0.1, low), 0, 0.1 * tolerance);
    EXPECT_LT(gap(0.1, low - Vec3{0, 0, tolerance}), 0);
  }
  // Walls, from inside and outside, all around and at each height: in sight of the sides and the corners.
  for (int k = 0; k < 96; ++k) {
    const portable::SinCos a = portable::sin_cos(2 * k_pi * k / 96);
    const Vec3 out{a.cos, a.sin, 0};
    for (const double z : {0.3, 1.0, 1.7}) {
      const Vec3 at{0, 0, z};
      const double from_inside = gap(0, at + (inner * apothem - 2 * tolerance) * out);
      EXPECT_GE(from_inside, tolerance * 0.999);
      EXPECT_LE(from_inside, 2 * tolerance + inner * (1 - apothem) + 0.1 * tolerance);
      const double from_outside = gap(0.25, at + (outer + 0.25) * out);
      EXPECT_GE(from_outside, -1e-9);  // no part stands out of the hull of the cup
      EXPECT_LE(from_outside, outer * (1 - apothem) + 0.1 * tolerance);
    }
  }
}

TEST(Decomposition3, is_the_same_at_any_size_and_each_time) {
  const Mesh mesh = cup(1, 0.9, 1, 0.1, 12);
  const ConvexParts first = parts_of(mesh);
  for (const double scale : {1., 0x1p-10, 0x1p10}) {  // of two, so that nothing is rounded differently
    Mesh other = mesh;
    for (Vec3& v : other.vertices) v *= scale;
    const ConvexParts parts = parts_of(other);
    ASSERT_EQ(parts.list.size(), first.list.size());
    for (std::size_t k = 0; k < parts.list.size(); ++k) {
      ASSERT_EQ(parts.list[k].corners.size(), first.list[k].corners.size());
      for (std::size_t v = 0; v < parts.list[k].corners.size(); ++v)
        ASSERT_EQ(parts.list[k].corners[v], scale * first.list[k].corners[v]);
    }
  }
  // Far from the origin coordinates have fewer digits, but what comes out is as near.
  expect_close(transformed({{1e5, -2e5, 3e5}, {}}, mesh), {}, 500);
}

TEST(Decomposition3, makes_no_more_parts_than_allowed) {
  const Mesh star = star_mesh(1);
  for (const int most : {1, 2, 5}) {
    const ConvexParts parts = parts_of(star, {.max_parts = most});
    EXPECT_LE(parts.list.size(), std::size_t(most));
    EXPECT_GT(std::count_if(parts.list.begin(), parts.list.end(), [](const auto& p) { return !p.is_close; }),
              0);
  }
  // More separate shells than parts: some parts hold several.
  Mesh crowd;
  for (int k = 0; k < 27; ++k)
    crowd =
        joined(crowd, transformed({{4. * (k % 3), 4. * (k / 3 % 3), 4. * (k / 9)}, {}}, box_mesh({1, 1, 1})));
  EXPECT_EQ(parts_of(crowd).list.size(), 27u);
  const Compound3 few = convex_decomposition(crowd, {.max_parts = 10});
  EXPECT_LE(few.parts.size(), 10u);
  const std::vector<Polyhedron> hulls = hulls_of(few);
  for (const Vec3& v : crowd.vertices) EXPECT_LE(distance_from(hulls, v), 1e-3);
}

TEST(Decomposition3, says_which_parts_are_close) {
  const ConvexParts parts = parts_of(star_mesh(1), {.max_parts = 200});
  EXPECT_TRUE(std::all_of(parts.list.begin(), parts.list.end(), [](const auto& p) { return p.is_close; }));
  EXPECT_NEAR(parts.volume, volume_of(convex_decomposition(star_mesh(1), {.max_parts = 200})), 1e-9);
}

TEST(Decomposition3, refuses_what_has_no_inside) {
  Mesh open = box_mesh({1, 1, 1});
  open.triangles.pop_back();
  EXPECT_NE(refusal([&] { convex_decomposition(open); }).find("open"), std::string::npos);
  Mesh inverted = box_mesh({1, 1, 1});
  for (Triangle& t : inverted.triangles) std::swap(t[0], t[1]);
  EXPECT_NE(refusal([&] { convex_decomposition(inverted); }).find("inside out"), std::string::npos);
  const Mesh half = joined(box_mesh({2, 2, 2}), transformed({{9, 0, 0}, {}}, inverted));
  EXPECT_NE(refusal([&] { convex_decomposition(half); }).find("a shell of 12 triangles"), std::string::npos);
  const Mesh sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
                   {{0, 1, 3}, {0, 3, 2}, {0, 3, 1}, {0, 2, 3}}};
  EXPECT_NE(refusal([&] { convex_decomposition(sheet); }).find("no volume"), std::string::npos);
  const Mesh box = box_mesh({1, 1, 1});
  EXPECT_NE(refusal([&] { convex_decomposition(box, {.tolerance = 0}); }).find("tolerance"),
            std::string::npos);
  EXPECT_NE(refusal([&] { convex_decomposition(box, {.tolerance = NAN}); }).find("tolerance"),
            std::string::npos);
  EXPECT_NE(refusal([&] { convex_decomposition(box, {.max_parts = 0}); }).find("max_parts"),
            std::string::npos);
}

// Two boxes that run through each other are one mesh with two shells.
TEST(Decomposition3, takes_shells_that_overlap) {
  const Mesh cross = joined(box_mesh({3, 1, 1}), box_mesh({1, 3, 1.5}));
  EXPECT_EQ(parts_of(cross).list.size(), 2u);
  // And triangles without area, and corners given twice.
  Mesh loose = l_mesh();
  Mesh copy;
  for (const Triangle& t : loose.triangles) {
    const auto n = std::uint32_t(copy.vertices.size());
    for (const std::uint32_t v : t) copy.vertices.push_back(loose.vertices[v]);
    copy.triangles.push_back({n, n + 1, n + 2});
  }
  EXPECT_EQ(parts_of(copy).list.size(), 2u);
}

TEST(Decomposition3, takes_large_meshes_long) {
  const ConvexParts ring = parts_of(torus(1, 0.3, 160, 80));  // 25 600 triangles
  EXPECT_LE(ring.list.size(), 14u);
  EXPECT_TRUE(std::all_of(ring.list.begin(), ring.list.end(), [](const auto& p) { return p.is_close; }));
  const ConvexParts star = parts_of(star_mesh(5));  // 20 480
  EXPECT_LE(star.list.size(), 64u);
  const double volume = volume_of(star_mesh(5));
  EXPECT_NEAR(star.volume, volume, 0.05 * volume);
}

// Cubes at random: creases of all kinds, shells that touch along edges and in corners.
TEST(Decomposition3, takes_random_blocks_long) {
  Random random(9);
  for (int round = 0; round < 30; ++round) {
    bool is_solid[64];
    for (bool& b : is_solid) b = uniform(random, 0, 1) < 0.6;
    const Mesh mesh = cubes(4, 4, 4, [&](int x, int y, int z) { return is_solid[x + 4 * y + 16 * z]; });
    const ConvexParts parts = parts_of(mesh);
    for (const ConvexPart& part : parts.list) EXPECT_TRUE(part.is_close);
    EXPECT_NEAR(parts.volume, volume_of(mesh), 0.01 * volume_of(mesh));
    if (round % 5 == 0) expect_close(mesh, {}, 1000);
  }
}

}  // namespace
}  // namespace cairn
