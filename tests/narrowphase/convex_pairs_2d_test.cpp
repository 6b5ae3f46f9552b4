// Every pair of convex pieces of the plane against the slow reference.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>
#include <tuple>

#include "narrowphase/collide_2d/axis.h"
#include "narrowphase/slow_planar.h"

namespace cairn {
namespace {

using namespace planar_test;

std::string text(const Shape2& shape) {
  std::ostringstream out;
  out.precision(17);
  const Body body = body_of(shape, {});
  out << root_path(shape).text() << " radius " << double(body.radius);
  for (const Point& p : body.corners) out << " (" << double(p.x) << ", " << double(p.y) << ")";
  return out.str();
}
std::string text(const Pair& pair) {
  std::ostringstream out;
  out.precision(17);
  out << text(pair.a) << "\n"
      << text(pair.b) << "\nat " << pair.b_in_a.position.x << ", " << pair.b_in_a.position.y << " turned "
      << pair.b_in_a.rotation.c << ", " << pair.b_in_a.rotation.s;
  return out.str();
}

// What is wrong with the manifolds of a pair; empty if nothing is. `most` keeps the largest relative error seen.
std::string defect(const Pair& pair, const ManifoldList<Dim2>& list, double margin, double& most) {
  const Body a = body_of(pair.a, {}), b = body_of(pair.b, pair.b_in_a);
  const Optimum best = optimum(a, b);
  const double size = double(std::max(size_of(a), size_of(b)));
  if (list.empty()) return best.separation > margin - 1e-9 * size ? "" : "missed";
  if (list.size() != 1) return "more than one manifold";
  const Manifold<Dim2>& m = list[0];
  if (m.count < 1 || m.count > 2) return "count";
  if (!(std::abs(length(m.normal) - 1) < 1e-12)) return "normal's length";
  const auto is_off = [&](Real error) {
    most = std::max(most, double(std::abs(error)) / size);
    return !(std::abs(error) <= 1e-10 * size);
  };
  const Point n = wide(m.normal);
  if (is_off(separation_along(a, b, n) - best.separation)) return "normal is not the best";
  if (is_off(m.points[0].separation - best.separation)) return "first separation is not the best";
  for (int i = 0; i < m.count; ++i) {
    const Point on_a = wide(m.points[i].point), on_b = on_a + Real(m.points[i].separation) * n;
    if (is_off(off_surface(a, on_a))) return "point is not on a";
    if (is_off(off_surface(b, on_b))) return "point is not on b";
    if (i > 0 && m.points[i].separation > margin) return "beyond the margin";
    if (m.points[i].separation < m.points[0].separation) return "first is not the deepest";
  }
  if (m.count == 2 && m.points[0].features == m.points[1].features) return "equal features";
  return "";
}

// Runs pairs of all kinds; returns the largest error found, relative to the size.
double run(int rounds, std::uint64_t seed) {
  Random random(seed);
  double most = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < k_kinds * k_kinds; ++i) {
      const Pair pair = random_pair(random, i / k_kinds, i % k_kinds);
      const double size = double(std::max(size_of(body_of(pair.a, {})), size_of(body_of(pair.b, {}))));
      const double margin = below(random, 2) ? 0.05 * size : 0;
      const Built a(pair.a), b(pair.b);
      PairCache<Dim2> cache;
      ManifoldList<Dim2> out, again, swapped;
      collide(a.piece(), b.piece(), pair.b_in_a, margin, cache, out);
      const std::string wrong = defect(pair, out, margin, most);
      EXPECT_EQ(wrong, "") << text(pair) << " margin " << margin;
      collide(a.piece(), b.piece(), pair.b_in_a, margin, cache, again);
      EXPECT_EQ(out.size(), again.size()) << text(pair);
      PairCache<Dim2> fresh;
      collide(b.piece(), a.piece(), inverse(pair.b_in_a), margin, fresh, swapped);
      if (out.size() != swapped.size()) {  // only at the margin itself
        const double separation = out.empty() ? swapped[0].points[0].separation : out[0].points[0].separation;
        EXPECT_NEAR(separation, margin, 1e-9 * size) << text(pair);
      } else if (!out.empty()) {
        EXPECT_NEAR(out[0].points[0].separation, swapped[0].points[0].separation, 1e-10 * size) << text(pair);
      }
      if (testing::Test::HasFailure()) return most;
    }
  }
  return most;
}

TEST(ConvexPairs2, agree_with_the_slow_reference) { RecordProperty("error", std::to_string(run(400, 1))); }
TEST(ConvexPairs2, agree_with_the_slow_reference_long) { std::printf("error %.3g\n", run(10000, 2)); }

// The reference itself: two independent ways to the distance.
TEST(ConvexPairs2, reference_agrees_with_itself) {
  Random random(3);
  int disjoint = 0;
  for (int i = 0; i < 5000; ++i) {
    const Pair pair = random_pair(random, i % k_kinds, i / k_kinds % k_kinds);
    const Body a = body_of(pair.a, {}), b = body_of(pair.b, pair.b_in_a);
    const Real separation = optimum(a, b).separation + a.radius + b.radius;
    const Real size = std::max(size_of(a), size_of(b));
    if (separation <= 1e-12 * size) continue;
    ++disjoint;
    EXPECT_NEAR(double(separation), double(core_distance(a, b)), double(1e-15 * size)) << text(pair);
  }
  EXPECT_GT(disjoint, 1000);
}

// Boxes have a shorter way to their best axis; it gives the bits of the other. Some stand square to each other or touch exactly,
// where axes and corners are equally good.
TEST(ConvexPairs2, boxes_find_the_axis_that_polygons_find) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::uniform_int_distribution<int> whole(-2, 2);
  int separated = 0, corners = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    const bool neat = trial % 4 == 0;
    const auto half = [&] { return neat ? 0.5 * (3 + whole(random)) : 0.6 + 0.5 * unit(random); };
    const Box2 boxes[2] = {{.half = {half(), half()}}, {.half = {half(), half()}}};
    planar::OutlineStore stores[2];
    planar::Outline outlines[2];
    for (const int k : {0, 1}) outlines[k] = planar::outline_of(Piece2(&boxes[k]), stores[k]);
    const Pose2 pose = neat ? Pose2{{double(whole(random)), double(whole(random))},
                                    Rot2::from_angle(k_pi / 4 * whole(random))}
                            : Pose2{{2 * unit(random), 2 * unit(random)}, Rot2::from_angle(4 * unit(random))};
    const double limit = trial % 3 == 0 ? 1e9 : 0.02;
    const planar::Axis quick = planar::best_axis({outlines[0], outlines[1], pose}, limit);
    for (planar::Outline& outline : outlines) {
      ASSERT_TRUE(outline.box_half);
      outline.box_half = nullptr;
    }
    const planar::Axis slow = planar::best_axis({outlines[0], outlines[1], pose}, limit);
    ASSERT_EQ(quick.separation, slow.separation);
    ASSERT_EQ(quick.normal, slow.normal);
    ASSERT_EQ(std::tie(quick.a_edge, quick.b_edge, quick.a_corner, quick.b_corner),
              std::tie(slow.a_edge, slow.b_edge, slow.a_corner, slow.b_corner));
    separated += quick.separation > limit;
    corners += quick.a_corner >= 0;
  }
  EXPECT_GT(separated, 10000);
  EXPECT_GT(corners, 5000);
}

}  // namespace
}  // namespace cairn
