#include "geometry/hull_2d.h"

#include <cairn/error.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "geometry/predicates.h"

namespace cairn {
namespace {

using Points = std::vector<Vec2>;

// A strictly convex cycle of input points that has all of them inside: exactly, and there is only one such
// cycle.
void expect_outline_of(const Points& outline, const Points& points) {
  ASSERT_GE(outline.size(), 3u);
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2 &a = outline[i], &b = outline[(i + 1) % outline.size()],
               &c = outline[(i + 2) % outline.size()];
    EXPECT_EQ(orient2d(a, b, c), 1);
    EXPECT_NE(std::find(points.begin(), points.end(), a), points.end());
    for (const Vec2& p : points) EXPECT_GE(orient2d(a, b, p), 0);
    EXPECT_TRUE(i == 0 || outline[0].x < a.x || (outline[0].x == a.x && outline[0].y < a.y));
  }
}

double area(const Points& outline) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < outline.size(); ++i)
    sum += cross(outline[i] - outline[0], outline[i + 1] - outline[0]);
  return sum / 2;
}

class Maker {
 public:
  explicit Maker(unsigned seed) : engine_(seed) {}
  double uniform() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  Points box(int n, double x = 1, double y = 1, const Vec2& offset = {}) {
    Points points;
    for (int i = 0; i < n; ++i) points.push_back(Vec2{x * uniform(), y * uniform()} + offset);
    return points;
  }
  Points shuffled(Points points) {
    std::shuffle(points.begin(), points.end(), engine_);
    return points;
  }
  Rot2 rotation() { return normalized(Rot2{uniform(), uniform()}); }

 private:
  std::mt19937_64 engine_;
};

TEST(Hull2, of_a_grid_is_its_four_corners) {
  Points points;
  for (int x = 0; x < 10; ++x)
    for (int y = 0; y < 20; ++y) points.push_back({1. * x, 1. * y});
  EXPECT_EQ(convex_outline(points), (Points{{0, 0}, {9, 0}, {9, 19}, {0, 19}}));
}

TEST(Hull2, is_the_outline_of_random_points) {
  Maker maker(1);
  for (int n : {3, 4, 5, 10, 100, 1000}) {
    for (double size : {1e-49, 1e-3, 1., 1e6, 1e49}) {
      const Points points = maker.box(n, size, size);
      expect_outline_of(convex_outline(points), points);
    }
    const Points thin = maker.box(n, 1, 1e-8), far = maker.box(n, 1, 1, {1e6, -1e6});
    expect_outline_of(convex_outline(thin), thin);
    expect_outline_of(convex_outline(far), far);
  }
}

TEST(Hull2, is_the_outline_of_points_on_small_grids) {
  Maker maker(2);
  int built = 0;
  for (int i = 0; i < 2000; ++i) {
    Points points;
    const int n = maker.integer(3, 12), m = maker.integer(1, 4);
    for (int k = 0; k < n; ++k) points.push_back({1. * maker.integer(0, m), 1. * maker.integer(0, m)});
    bool flat = true;
    for (const Vec2& a : points)
      for (const Vec2& b : points) flat &= orient2d(points[0], a, b) == 0;
    if (flat) {
      EXPECT_THROW(convex_outline(points), Error);
    } else {
      expect_outline_of(convex_outline(points), points);
      ++built;
    }
  }
  EXPECT_GT(built, 1500);
}

TEST(Hull2, is_right_to_the_last_bit_along_edges) {
  Maker maker(3);
  for (int i = 0; i < 100; ++i) {
    const Rot2 turn = maker.rotation();
    Points points;  // a turned square with points along its sides, rounded: some are just inside, some are
                    // corners
    for (int k = 0; k < 50; ++k) {
      const double t = maker.uniform();
      for (const Vec2& p : {Vec2{t, -1}, Vec2{1, t}, Vec2{t, 1}, Vec2{-1, t}}) points.push_back(turn * p);
    }
    for (const Vec2& p : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}}) points.push_back(turn * p);
    const Points outline = convex_outline(points);
    expect_outline_of(outline, points);
    EXPECT_NEAR(area(outline), 4, 1e-14);
  }
}

TEST(Hull2, depends_on_the_set_of_points_only) {
  Maker maker(4);
  for (int i = 0; i < 50; ++i) {
    Points points = maker.box(30);
    const Points outline = convex_outline(points);
    points.insert(points.end(), outline.begin(), outline.end());
    EXPECT_EQ(convex_outline(maker.shuffled(points)), outline);
  }
}

void expect_error(const Points& points, const std::string& text) {
  try {
    convex_outline(points);
    ADD_FAILURE() << "no error, but expected " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), text);
  }
}

TEST(Hull2, says_what_is_wrong_with_its_points) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error({{0, 0}, {1, 0}}, "Outline.points = 2 points: needs at least 3");
  expect_error({{0, 0}, {1, nan}, {1, 1}}, "Outline.points[1] = (1, nan) m: must be finite");
  expect_error({{0, 0}, {1, 0}, {1, 1e60}},
               "Outline.points[2] = (1, 1e+60) m: coordinates must be at most 1e+50 m, or volumes overflow");
  expect_error(Points(3, {1, 2}),
               "Outline.points = 3 points: all coincide at (1, 2) m; give the hull some extent");
  expect_error(
      {{0, 0}, {0, 1e-60}, {1e-60, 0}},
      "Outline.points = 3 points: the extent, 1e-60 m, must be at least 1e-50 m, or volumes underflow");
  expect_error(
      {{0, 0}, {1, 1}, {2, 2}, {3, 3}},
      "Outline.points = 4 points: all lie within 0 m of one line (extent 3 m); give the hull some thickness, "
      "at least 1e-10 of its extent");
  expect_error(
      {{0, 0}, {1, 0}, {0.5, 1e-12}},
      "Outline.points = 3 points: all lie within 1e-12 m of one line (extent 1 m); give the hull some "
      "thickness, at least 1e-10 of its extent");
}

TEST(Hull2, refuses_every_flat_cloud_and_builds_every_thicker_one) {
  Maker maker(5);
  for (int i = 0; i < 200; ++i) {
    const Rot2 turn = maker.rotation();
    Points flat = maker.box(50, 1, 1e-12), thick = maker.box(50, 1, 1e-9);
    for (Points* points : {&flat, &thick})
      for (Vec2& p : *points) p = turn * p;
    EXPECT_THROW(convex_outline(flat), Error);
    expect_outline_of(convex_outline(thick), thick);
  }
}

}  // namespace
}  // namespace cairn
