#include "geometry/hull_3d.h"

#include <cairn/error.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "geometry/clouds.h"
#include "geometry/polyhedron_check.h"
#include "geometry/qhull_oracle.h"

namespace cairn {
namespace {

using test::area;
using test::CloudMaker;
using test::grid;
using test::prism;
using test::transformed;
using test::volume;
using Points = std::vector<Vec3>;

// Builds, checks everything that a polyhedron promises, and returns it.
Polyhedron valid_hull(const Points& points, double merge_tolerance = 1e-6) {
  Polyhedron hull = build_hull(points, {merge_tolerance});
  EXPECT_EQ(test::defect_of(hull, points), "");
  return hull;
}

struct Counts {
  std::size_t vertices, edges, faces;
  bool operator==(const Counts&) const = default;
};
Counts counts(const Polyhedron& hull) { return {hull.vertices.size(), hull.edges.size(), hull.face_count()}; }
std::ostream& operator<<(std::ostream& out, const Counts& c) {
  return out << "V " << c.vertices << " E " << c.edges << " F " << c.faces;
}
constexpr Counts k_box{8, 12, 6};

void expect_identical(const Polyhedron& a, const Polyhedron& b) {
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.face_begin, b.face_begin);
  EXPECT_EQ(a.face_vertices, b.face_vertices);
  EXPECT_EQ(a.face_edges, b.face_edges);
  EXPECT_EQ(a.neighbours, b.neighbours);
  EXPECT_EQ(a.exact.vertices, b.exact.vertices);
  EXPECT_EQ(a.exact.triangles, b.exact.triangles);
  ASSERT_EQ(a.face_count(), b.face_count());
  for (std::size_t f = 0; f < a.face_count(); ++f) {
    EXPECT_EQ(a.planes[f].normal, b.planes[f].normal);
    EXPECT_EQ(a.planes[f].offset, b.planes[f].offset);
  }
}

// -------------------------------------------------------------------------------------------- known solids

TEST(Hull3, of_four_points_is_a_tetrahedron) {
  const Polyhedron hull = valid_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  EXPECT_EQ(counts(hull), (Counts{4, 6, 4}));
  EXPECT_NEAR(volume(hull.exact), 1. / 6, 1e-16);
  EXPECT_NEAR(area(hull.exact), 1.5 + std::sqrt(0.75), 1e-15);
}

TEST(Hull3, of_a_grid_is_a_box_with_square_faces) {
  const Polyhedron hull = valid_hull(transformed(grid(5, 6, 7), {1, 1, 1}, {-2, 3, 0}));
  EXPECT_EQ(counts(hull), k_box);
  EXPECT_EQ(volume(hull.exact), 4 * 5 * 6);
  EXPECT_EQ(area(hull.exact), 2 * (4 * 5 + 5 * 6 + 6 * 4));
  EXPECT_EQ(hull.exact.vertices.size(), 8u);
  for (std::size_t f = 0; f < 6; ++f) {
    EXPECT_EQ(hull.face(f).size(), 4u);
    const Vec3 n = absolute(hull.planes[f].normal);
    EXPECT_EQ(n.x + n.y + n.z, 1);  // exactly along an axis
  }
  for (std::size_t v = 0; v < 8; ++v) EXPECT_EQ(hull.neighbours_of(v).size(), 3u);
  // The face at the top: its corners counter-clockwise, from the lowest on.
  for (std::size_t f = 0; f < 6; ++f) {
    if (hull.planes[f].normal.z != 1) continue;
    EXPECT_EQ(hull.planes[f].offset, 6);
    const Vec3 corners[4] = {{-2, 3, 6}, {2, 3, 6}, {2, 8, 6}, {-2, 8, 6}};
    for (int k = 0; k < 4; ++k) EXPECT_EQ(hull.vertices[hull.face(f)[k]], corners[k]);
  }
}

TEST(Hull3, of_a_turned_dodecahedron_has_twelve_pentagons) {
  const double g = (1 + std::sqrt(5)) / 2;
  Points points;
  for (double x : {-1., 1.})
    for (double y : {-1., 1.}) {
      for (double z : {-1., 1.}) points.push_back({x, y, z});
      points.push_back({0, x / g, y * g});
      points.push_back({x / g, y * g, 0});
      points.push_back({x * g, 0, y / g});
    }
  CloudMaker maker(1);
  for (int i = 0; i < 20; ++i) {
    const Polyhedron hull = valid_hull(maker.rotated(points));
    EXPECT_EQ(counts(hull), (Counts{20, 30, 12}));
    for (std::size_t f = 0; f < hull.face_count(); ++f) EXPECT_EQ(hull.face(f).size(), 5u);
    EXPECT_NEAR(volume(hull.exact), (15 + 7 * std::sqrt(5)) / 4 * std::pow(2 / g, 3), 1e-13);  // edges 2/g
  }
}

TEST(Hull3, of_prisms_keeps_caps_whole) {
  CloudMaker maker(2);
  for (int n : {3, 4, 7, 30, 300}) {
    for (bool turned : {false, true}) {
      const Polyhedron hull = valid_hull(turned ? maker.rotated(prism(n)) : prism(n));
      const std::size_t m = static_cast<std::size_t>(n);
      EXPECT_EQ(counts(hull), (Counts{2 * m, 3 * m, m + 2}));
      EXPECT_NEAR(volume(hull.exact), n * std::sin(2 * k_pi / n), 1e-12);
    }
  }
}

// --------------------------------------------------------------------------------- against another program

void expect_like_qhull(const Points& points, const Vec3& offset = {}) {
  // qhull gets them at the origin, where it is most accurate; the differences are exact.
  const Points shifted = transformed(points, {1, 1, 1}, offset);
  const Points back = transformed(shifted, {1, 1, 1}, -offset);
  const test::QhullResult expected = test::qhull(back);
  const Polyhedron hull = valid_hull(shifted);
  EXPECT_NEAR(volume(hull.exact) / expected.volume, 1, 1e-10);
  EXPECT_NEAR(area(hull.exact) / expected.area, 1, 1e-10);
  EXPECT_EQ(transformed(hull.exact.vertices, {1, 1, 1}, -offset), expected.vertices);
  EXPECT_LE(hull.vertices.size(), hull.exact.vertices.size());
}

TEST(Hull3, agrees_with_qhull_on_random_clouds) {
  CloudMaker maker(3);
  for (int n : {10, 30, 100, 1000, 10000}) {
    SCOPED_TRACE(n);
    expect_like_qhull(maker.ball(n));
    expect_like_qhull(maker.sphere(n));
    expect_like_qhull(maker.gaussian_cloud(n));
    expect_like_qhull(maker.box(n));
  }
}

TEST(Hull3, agrees_with_qhull_at_every_size_and_place) {
  CloudMaker maker(4);
  for (double size : {1e-3, 1., 1e3, 1e6}) {
    SCOPED_TRACE(size);
    expect_like_qhull(transformed(maker.ball(500), {size, size, size}, {}));
    expect_like_qhull(transformed(maker.sphere(300), {size, 0.3 * size, 2 * size}, {}));
    if (size <= 1e3) expect_like_qhull(transformed(maker.box(300), {size, size, size}, {}), {1e6, -1e6, 1e6});
  }
}

TEST(Hull3, agrees_with_qhull_on_many_small_clouds) {
  CloudMaker maker(5);
  for (int i = 0; i < 300; ++i) expect_like_qhull(maker.ball(maker.integer(5, 40)));
}

// ---------------------------------------------------------------------------------------- degenerate input

TEST(Hull3, ignores_points_on_faces_and_edges) {
  CloudMaker maker(6);
  for (int n : {10, 100, 1000, 10000}) {
    const Polyhedron hull = valid_hull(maker.on_cube(n));
    EXPECT_EQ(counts(hull), k_box);
    EXPECT_EQ(hull.exact.vertices.size(), 8u);
    EXPECT_EQ(volume(hull.exact), 8);
    EXPECT_EQ(counts(valid_hull(maker.rotated(maker.on_cube(n)))), k_box);
  }
}

TEST(Hull3, merges_what_rounding_and_noise_have_folded) {
  CloudMaker maker(7);
  // From an ulp, through single precision (6e-8), to the tolerance.
  for (double noise : {1e-16, 1e-15, 1e-13, 1e-11, 1e-9, 1e-8, 6e-8, 2e-7, 4e-7}) {
    for (int n : {4, 30, 300, 2000}) {
      SCOPED_TRACE(noise);
      EXPECT_EQ(counts(valid_hull(maker.disturbed(maker.on_cube(n), noise))), k_box);
      const Polyhedron hull = valid_hull(maker.rotated(maker.disturbed(maker.on_cube(n), noise)));
      EXPECT_EQ(counts(hull), k_box);
      EXPECT_NEAR(volume(hull.exact), 8, 30 * noise + 1e-14);
    }
  }
  EXPECT_GT(valid_hull(maker.disturbed(maker.on_cube(300), 1e-5)).face_count(),
            6u);  // that is its true shape
}

TEST(Hull3, merges_through_single_precision) {
  CloudMaker maker(8);
  for (int i = 0; i < 30; ++i) {
    Points points = maker.rotated(i % 2 ? prism(12) : maker.on_cube(200));
    for (Vec3& p : points) p = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    EXPECT_EQ(counts(valid_hull(points)), (i % 2 ? Counts{24, 36, 14} : k_box));
  }
}

TEST(Hull3, flattens_a_bump_in_the_middle_of_a_face) {
  // Two by two, the four facets around the bump make no convex face: only all together.
  Points points = transformed(grid(2, 2, 2), {2, 2, 2}, {-1, -1, -1});
  points.push_back({0.2, 0.3, 1 + 1e-7});
  const Polyhedron hull = valid_hull(points);
  EXPECT_EQ(counts(hull), k_box);
  EXPECT_EQ(hull.exact.vertices.size(), 9u);
  EXPECT_NEAR(volume(hull.exact), 8 + 4e-7 / 3, 1e-14);  // the mass is that of the exact hull
  EXPECT_EQ(counts(valid_hull(points, 1e-9)), (Counts{9, 16, 9}));
}

TEST(Hull3, straightens_nearly_collinear_edges) {
  CloudMaker maker(9);
  for (double noise : {0., 1e-16, 1e-14, 1e-10, 1e-8, 1e-7}) {
    Points points;  // a triangular prism with a hundred points along each edge
    for (double z : {0., 1.})
      for (int k = 0; k < 100; ++k) {
        const double t = k / 100.;
        points.push_back({t, 0, z});
        points.push_back({1 - t, t, z});
        points.push_back({0, 1 - t, z});
      }
    const Polyhedron hull = valid_hull(maker.rotated(maker.disturbed(points, noise)));
    EXPECT_EQ(counts(hull), (Counts{6, 9, 5})) << noise;
  }
}

TEST(Hull3, keeps_the_shape_of_plates_and_needles) {
  CloudMaker maker(10);
  for (double thin : {1e-2, 1e-4, 1e-6, 1e-8, 5e-10}) {
    SCOPED_TRACE(thin);
    for (const Vec3& shape : {Vec3{1, 1, thin}, Vec3{1, thin, thin}, Vec3{1, std::sqrt(thin), thin}}) {
      const Points points = transformed(maker.on_cube(500), shape, {});
      EXPECT_EQ(counts(valid_hull(points)), k_box);
      const Polyhedron hull = valid_hull(maker.rotated(points));
      EXPECT_EQ(counts(hull), k_box);
      EXPECT_NEAR(volume(hull.exact) / (8 * shape.x * shape.y * shape.z), 1, 1e-14 / thin);
      EXPECT_LE(hull.merge_distance, 1e-2 * thin);
      valid_hull(maker.rotated(transformed(maker.ball(500), shape, {})));
    }
  }
}

TEST(Hull3, does_not_round_off_blades) {
  CloudMaker maker(11);
  for (double angle : {1e-1, 1e-3, 1e-5}) {  // of the edge along x, at y = 0
    Points points;
    for (int k = 0; k < 100; ++k)
      for (double side : {-1., 0., 1.}) {
        const double y = side == 0 ? 0 : maker.uniform(0, 1);
        points.push_back({maker.uniform(), y, 0.5 * angle * y * side});
      }
    for (double x : {-1., 1.}) {
      points.push_back({x, 0, 0});
      for (double side : {-1., 1.}) points.push_back({x, 1, 0.5 * angle * side});
    }
    EXPECT_EQ(counts(valid_hull(points)), (Counts{6, 9, 5}));
    EXPECT_EQ(counts(valid_hull(maker.rotated(points))), (Counts{6, 9, 5}));
    EXPECT_EQ(counts(valid_hull(maker.disturbed(points, 1e-4 * angle * angle), 1e-3)), (Counts{6, 9, 5}));
  }
}

TEST(Hull3, does_not_cut_notched_blades_back) {
  // A corner that stands out in front of the edge is near the planes of both sides and far from the edge.
  Points points;
  for (double x : {-1., 1.}) {
    points.push_back({x, 0, 0});
    for (double side : {-1., 1.}) points.push_back({x, 1, 0.1 * side});
  }
  points.push_back({0, -3e-4, 0});  // 1.5 merge distances
  EXPECT_EQ(counts(valid_hull(points, 1e-4)), (Counts{6, 9, 5}));
  points.push_back({0, -15e-4, 0});
  EXPECT_EQ(valid_hull(points, 1e-4).vertices.size(), 7u);

  for (unsigned seed = 0; seed < 3000;
       ++seed) {  // tiny facets behind the edge, which are near both sides too
    CloudMaker maker(seed);
    const double angle = std::pow(10., maker.uniform(-2, -1.6)), tiny = 1e-4;
    Points notched;
    for (double x : {-1., 1.}) {
      notched.push_back({x, 0, 0});
      for (double side : {-1., 1.}) notched.push_back({x, 1, 0.5 * angle * side});
    }
    for (int k = maker.integer(1, 5); k > 0; --k) {
      const double x = maker.uniform();
      notched.push_back({x, -8 * tiny * maker.uniform(0, 1) * (1 - x * x), 0.5 * tiny * maker.uniform()});
    }
    for (int k = maker.integer(0, 6); k > 0; --k) {
      const double x = maker.uniform(), y = maker.uniform(0, 1) * tiny / angle;
      notched.push_back({x, y, -0.5 * angle * y - 0.5 * tiny * maker.uniform(0, 1) * (1 - x * x)});
    }
    valid_hull(notched, tiny / 2);
  }
}

TEST(Hull3, welds_clusters) {
  CloudMaker maker(12);
  for (double radius : {1e-16, 1e-14, 1e-12, 1e-10, 1e-8, 1e-7}) {
    Points points;  // eight corners, each fifty times, almost
    for (const Vec3& corner : grid(2, 2, 2))
      for (int k = 0; k < 50; ++k) points.push_back(corner + radius * maker.direction());
    EXPECT_EQ(counts(valid_hull(points)), k_box) << radius;
    EXPECT_EQ(counts(valid_hull(maker.rotated(points))), k_box) << radius;
  }
  for (double radius : {1e-5, 1e-3, 1e-1}) {  // large enough to be shapes
    Points points;
    for (const Vec3& corner : grid(2, 2, 2))
      for (int k = 0; k < 50; ++k) points.push_back(corner + radius * maker.direction());
    EXPECT_GT(valid_hull(points).vertices.size(), 30u);
  }
}

TEST(Hull3, depends_on_the_set_of_points_only) {
  CloudMaker maker(13);
  for (const Points& points : {maker.ball(200), maker.on_cube(200), maker.rotated(maker.on_cube(200)),
                               maker.disturbed(maker.on_cube(200), 1e-6), grid(4, 4, 4)}) {
    const Polyhedron hull = valid_hull(points);
    for (int i = 0; i < 5; ++i) {
      Points again = points;
      for (int k = 0; k < 50; ++k) again.push_back(points[static_cast<std::size_t>(k)]);  // some twice
      expect_identical(hull, build_hull(maker.shuffled(again)));
    }
  }
  Points zeros = grid(2, 2, 2);
  for (Vec3& p : zeros) p = {p.x == 0 ? -0. : p.x, p.y, p.z};
  expect_identical(build_hull(grid(2, 2, 2)), build_hull(zeros));
  for (const Vec3& p : build_hull(zeros).vertices) EXPECT_FALSE(std::signbit(p.x));
}

TEST(Hull3, turns_with_its_points) {
  CloudMaker maker(14);
  for (const Points& points : {maker.ball(100), maker.on_cube(100), prism(9), grid(3, 4, 5)}) {
    const Polyhedron hull = valid_hull(points);
    for (int i = 0; i < 20; ++i) {
      const Polyhedron turned = valid_hull(maker.rotated(points));
      EXPECT_EQ(counts(turned), counts(hull));
      EXPECT_NEAR(volume(turned.exact) / volume(hull.exact), 1, 1e-14);
      EXPECT_NEAR(area(turned.exact) / area(hull.exact), 1, 1e-14);
    }
  }
}

TEST(Hull3, is_the_same_at_every_size_and_place) {
  CloudMaker maker(15);
  const Points cube = maker.rotated(maker.on_cube(200));
  for (double size : {1e-49, 1e-30, 1e-3, 1e6, 1e30, 1e49}) {
    const Polyhedron hull = valid_hull(transformed(cube, {size, size, size}, {}));
    EXPECT_EQ(counts(hull), k_box) << size;
    EXPECT_NEAR(volume(hull.exact) / (8 * size * size * size), 1, 1e-14) << size;
  }
  for (double size : {1e-3, 1., 1e6}) {
    const Points far = transformed(cube, {size, size, size}, {1e6, 1e6, 1e6});
    const double noise = 1e-9 / size;  // ten ulps of 1e6
    const Polyhedron hull = valid_hull(far, 1e-6 + noise);
    EXPECT_EQ(counts(hull), k_box) << size;
    EXPECT_NEAR(volume(hull.exact) / (8 * size * size * size), 1, 1e-14 + noise) << size;
  }
  // Coordinates that underflow beside others that do not.
  Points points = maker.ball(50);
  for (std::size_t i = 0; i < points.size(); i += 2) points[i].x = 5e-324 * static_cast<double>(i);
  for (const Vec3& p : valid_hull(points).vertices) EXPECT_TRUE(p.x == 0 || absolute(p.x) > 1e-130);
}

TEST(Hull3, survives_wide_tolerances) {
  CloudMaker maker(16);
  for (double tolerance : {0., 1e-15, 1e-9, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}) {
    SCOPED_TRACE(tolerance);
    valid_hull(maker.sphere(1000), tolerance);
    valid_hull(maker.ball(1000), tolerance);
    valid_hull(maker.gaussian_cloud(1000), tolerance);
    valid_hull(maker.rotated(prism(200)), tolerance);
    EXPECT_EQ(counts(valid_hull(maker.rotated(grid(4, 4, 4)), tolerance)), k_box);
    valid_hull(maker.disturbed(maker.on_cube(500), 0.3 * tolerance), tolerance);
    valid_hull(maker.disturbed(maker.on_cube(500), 3 * tolerance), tolerance);
  }
}

TEST(Hull3, survives_wide_tolerances_on_rough_bodies) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    CloudMaker maker(seed);
    const int n = maker.integer(20, 400);
    Points points = seed % 3 == 0   ? maker.sphere(n)
                    : seed % 3 == 1 ? maker.on_cube(n)
                                    : maker.gaussian_cloud(3 * n);
    if (seed % 3 == 1) points = maker.disturbed(points, std::pow(10., maker.uniform(-5, -2)));
    points = transformed(points, {1, 1, maker.uniform(0.05, 1)}, {});
    valid_hull(points, std::pow(10., maker.uniform(-5, -2)));
  }
}

// One of many kinds of nasty clouds: small grids, clusters, blades, noise, flattened, far away, in any
// mixture.
Points nasty_cloud(CloudMaker& maker) {
  Points points;
  const int n = maker.integer(4, 60);
  switch (maker.integer(0, 8)) {
    case 0: {
      const int m = maker.integer(1, 3);
      const auto coordinate = [&] { return 1. * maker.integer(0, m); };
      points = maker.make(n, [&] { return Vec3{coordinate(), coordinate(), coordinate()}; });
      break;
    }
    case 1:
      points = maker.on_cube(n);
      break;
    case 2:
      points = maker.sphere(n);
      break;
    case 3:
      points = maker.ball(n);
      break;
    case 4:
      points = prism(maker.integer(3, 30));
      break;
    case 5: {
      const int nx = maker.integer(2, 4), ny = maker.integer(2, 4), nz = maker.integer(2, 4);
      points = grid(nx, ny, nz);
      break;
    }
    case 6:
      for (int c = 0; c < 5; ++c) {
        const Vec3 centre = maker.direction();
        const double radius = std::pow(10., maker.uniform(-17, -1));
        for (int i = 0; i < n / 4 + 1; ++i) points.push_back(centre + radius * maker.direction());
      }
      break;
    case 7:
      points = maker.make(n, [&] {
        const double t = maker.uniform();
        return Vec3{t, 1e-3 * t * t, t * t * t};
      });
      break;
    case 8: {
      const double angle = std::pow(10., maker.uniform(-6, 0));
      points = maker.make(n, [&] {
        const double y = maker.uniform(0, 1);
        return Vec3{maker.uniform(), y, angle * y * maker.integer(-1, 1)};
      });
      break;
    }
  }
  if (maker.integer(0, 1)) points = maker.rotated(points);
  if (maker.integer(0, 1)) points = maker.disturbed(points, std::pow(10., maker.uniform(-17, -4)));
  if (maker.integer(0, 2) == 0) {
    const double size = std::pow(10., maker.uniform(-9, 9));
    points = transformed(points, {size, size, size}, {});
  }
  if (maker.integer(0, 2) == 0) {
    points = transformed(points,
                         {std::pow(10., maker.uniform(-9, 0)), std::pow(10., maker.uniform(-9, 0)), 1}, {});
    if (maker.integer(0, 1)) points = maker.rotated(points);
  }
  if (maker.integer(0, 4) == 0) points = transformed(points, {1, 1, 1}, {1e6, -1e5, 3});
  return points;
}

// A valid polyhedron or an error, whatever comes. Returns how many were polyhedra.
int build_nasty_clouds(unsigned first_seed, int count) {
  int built = 0;
  for (unsigned seed = first_seed; seed < first_seed + static_cast<unsigned>(count); ++seed) {
    CloudMaker maker(seed);
    const Points points = nasty_cloud(maker);
    const double tolerance = maker.integer(0, 2) ? 1e-6 : std::pow(10., maker.uniform(-16, -1));
    try {
      const Polyhedron hull = build_hull(points, {tolerance});
      EXPECT_EQ(test::defect_of(hull, points), "") << "seed " << seed;
      ++built;
    } catch (const Error& error) {
      EXPECT_EQ(error.field(), "Hull.points") << "seed " << seed;
    }
  }
  return built;
}

TEST(Hull3, is_valid_on_nasty_clouds) { EXPECT_GT(build_nasty_clouds(0, 4000), 3600); }
TEST(Hull3, is_valid_on_nasty_clouds_long) { EXPECT_GT(build_nasty_clouds(1000000, 100000), 90000); }

// -------------------------------------------------------------------------------------------------- errors

void expect_error(const Points& points, const std::string& text, double merge_tolerance = 1e-6) {
  try {
    build_hull(points, {merge_tolerance});
    ADD_FAILURE() << "no error, but expected " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), text);
  }
}

TEST(Hull3, says_what_is_wrong_with_its_points) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  expect_error({}, "Hull.points = 0 points: needs at least 4");
  expect_error({{0, 0, 0}}, "Hull.points = 1 point: needs at least 4");
  expect_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "Hull.points = 3 points: needs at least 4");
  expect_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, nan, 1}},
               "Hull.points[3] = (0, nan, 1) m: must be finite");
  expect_error({{0, 0, 0}, {1, -inf, 0}, {0, 1, 0}, {0, 0, 1}},
               "Hull.points[1] = (1, -inf, 0) m: must be finite");
  expect_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -2e50}},
               "Hull.points[3] = (0, 0, -2e+50) m: coordinates must be at most 1e+50 m, or volumes overflow");
  expect_error(Points(5, {1, 2, 3}),
               "Hull.points = 5 points: all coincide at (1, 2, 3) m; give the hull some extent");
  expect_error(transformed(grid(2, 2, 2), {1e-51, 1e-51, 1e-51}, {}),
               "Hull.points = 8 points: the extent, 1e-51 m, must be at least 1e-50 m, or volumes underflow");
  expect_error(
      grid(12, 1, 1),
      "Hull.points = 12 points: all lie within 0 m of one line (extent 11 m); give the hull some thickness, "
      "at least 1e-10 of its extent");
  expect_error(
      grid(3, 4, 1),
      "Hull.points = 12 points: all lie within 0 m of one plane (extent 3 m); give the hull some thickness, "
      "at least 1e-10 of its extent");
  expect_error(transformed(grid(2, 2, 2), {1, 1, 3e-17}, {}),
               "Hull.points = 8 points: all lie within 3e-17 m of one plane (extent 1 m); give the hull some "
               "thickness, at least 1e-10 of its extent");
  expect_error(grid(2, 2, 2), "HullSettings.merge_tolerance = -1: must be from 0 to 0.1", -1);
  expect_error(grid(2, 2, 2), "HullSettings.merge_tolerance = nan: must be from 0 to 0.1", nan);
}

TEST(Hull3, refuses_every_flat_cloud_and_builds_every_thicker_one) {
  CloudMaker maker(17);
  for (int i = 0; i < 100; ++i) {
    const int n = maker.integer(4, 100);
    const Points line = maker.rotated(transformed(maker.box(n), {1, 1e-12, 1e-12}, {}));
    const Points plane = maker.rotated(transformed(maker.box(n), {1, 1, 1e-12}, {}));
    const Points strip = maker.rotated(transformed(maker.box(n), {1, 1e-6, 1e-12}, {}));
    for (const Points* points : {&line, &plane, &strip}) {
      try {
        build_hull(*points);
        ADD_FAILURE() << "built a flat hull";
      } catch (const Error& error) {
        const bool is_line = error.remedy().find("of one line") != std::string::npos;
        EXPECT_EQ(is_line, points == &line) << error.what();
      }
    }
    valid_hull(maker.rotated(transformed(maker.on_cube(n), {1, 1, 1e-9}, {})));
    valid_hull(maker.rotated(transformed(maker.on_cube(n), {1, 1e-9, 1e-9}, {})));
  }
}

// --------------------------------------------------------------------------------------------- the checker

TEST(PolyhedronCheck, finds_what_is_broken) {
  const Points points = grid(3, 3, 3);
  const Polyhedron good = build_hull(points);
  ASSERT_EQ(test::defect_of(good, points), "");
  const auto expect_defect = [&](auto&& damage) {
    Polyhedron bad = good;
    damage(bad);
    EXPECT_NE(test::defect_of(bad, points), "");
  };
  expect_defect([](Polyhedron& h) { std::swap(h.face_vertices[1], h.face_vertices[2]); });
  expect_defect([](Polyhedron& h) { std::swap(h.face_edges[1], h.face_edges[2]); });
  expect_defect([](Polyhedron& h) { std::swap(h.edges[3].faces[0], h.edges[3].faces[1]); });
  expect_defect([](Polyhedron& h) { h.edges.pop_back(); });
  expect_defect([](Polyhedron& h) { h.planes[2].offset -= 1e-5; });
  expect_defect([](Polyhedron& h) { h.planes[2].normal = normalized(Vec3{1, 1, 1}); });
  expect_defect([](Polyhedron& h) { h.vertices[3] += Vec3{1e-5, 1e-5, 1e-5}; });
  expect_defect([](Polyhedron& h) { h.neighbours[0] = h.neighbours[1]; });
  expect_defect([](Polyhedron& h) { std::swap(h.exact.triangles[0][0], h.exact.triangles[0][1]); });
  expect_defect([](Polyhedron& h) { h.exact.vertices[0] = {0.5, 0.5, 0.5}; });
  Points more = points;
  more.push_back({2.1, 1, 1});
  EXPECT_NE(test::defect_of(good, more), "");
}

// --------------------------------------------------------------------------------------------------- speed

#ifdef NDEBUG
TEST(Hull3, takes_a_fraction_of_a_second_for_ten_thousand_points) {
  CloudMaker maker(18);
  for (const Points& points : {maker.sphere(10000), maker.ball(10000), maker.rotated(maker.on_cube(10000)),
                               maker.rotated(prism(5000))}) {
    const std::clock_t start = std::clock();
    build_hull(points);
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 0.5);
  }
}
#endif

}  // namespace
}  // namespace cairn
