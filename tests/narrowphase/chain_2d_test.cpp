// Pieces on chains: held by the faces, never by the joints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "narrowphase/slow_planar.h"

namespace cairn {
namespace {

using namespace planar_test;

Pose2 at(double x, double y, double angle = 0) { return {{x, y}, Rot2::from_angle(angle)}; }

// A built chain to ask again and again.
struct Ground {
  Built built;
  explicit Ground(const Chain& chain) : built(chain) {}
  ManifoldList<Dim2> meets(const Built& piece, const Pose2& pose, double margin) const {
    PairCache<Dim2> cache;
    ManifoldList<Dim2> out;
    collide(built.piece(), piece.piece(), pose, margin, cache, out);
    return out;
  }
  ManifoldList<Dim2> meets(const Shape2& piece, const Pose2& pose, double margin) const {
    return meets(Built(piece), pose, margin);
  }
};

Chain flat_chain(int segments, double length, Random* random) {
  Chain chain;
  double x = -length / 2;
  for (int i = 0; i <= segments; ++i) {
    chain.points.push_back({x, 0});
    x += length / segments * (random ? uniform(*random, 0.2, 1.8) : 1);
  }
  return chain;
}

const std::vector<Shape2> k_sliders = {Circle{0.3}, Box2{{0.7, 0.2}}, Capsule2{0.2, 0.5},
                                       Polygon{{{-0.5, -0.3}, {0.6, -0.3}, {0.1, 0.6}}},
                                       Segment{{-0.5, 0}, {0.5, 0.1}}};

// Anywhere on flat ground of a thousand segments a piece meets what it meets on one segment.
void slide(const Chain& chain, const Rot2& turn, double tolerance) {
  Random random(7);
  Chain turned = chain;
  for (Vec2& p : turned.points) p = turn * p;
  const Ground ground(turned), one(Chain{{turned.points.front(), turned.points.back()}});
  const Vec2 up = turn * Vec2{0, 1};
  int met = 0;
  for (const Shape2& shape : k_sliders) {
    const Built piece(shape);
    for (int i = 0; i < 2000; ++i) {
      const double angle = i % 3 == 0 ? 0 : i % 3 == 1 ? k_pi / 2 : uniform(random, -k_pi, k_pi);
      const double x = uniform(random, -40, 40), y = uniform(random, -0.1, 0.9);
      const Pose2 local = at(x, y, angle);
      const Pose2 pose{turn * local.position, turn * local.rotation};
      const auto list = ground.meets(piece, pose, 0.1), expected = one.meets(piece, pose, 0.1);
      ASSERT_EQ(list.size(), expected.size());
      if (list.empty()) continue;
      ++met;
      ASSERT_EQ(list.size(), 1u);
      EXPECT_LE(length(list[0].normal - up), tolerance);
      ASSERT_EQ(list[0].count, expected[0].count);
      for (int k = 0; k < list[0].count; ++k) {
        EXPECT_NEAR(list[0].points[k].separation, expected[0].points[k].separation, tolerance);
        EXPECT_LE(length(list[0].points[k].point - expected[0].points[k].point), tolerance);
        EXPECT_EQ(list[0].points[k].features.b, expected[0].points[k].features.b);
      }
    }
  }
  EXPECT_GT(met, 4000);
}

TEST(Chain2, flat_ground_has_no_joints) { slide(flat_chain(1000, 100, nullptr), {}, 1e-15); }
TEST(Chain2, turned_ground_has_no_joints) {
  for (const double angle : {0.3, 1.0, 2.5, -1.2})
    slide(flat_chain(1000, 100, nullptr), Rot2::from_angle(angle), 1e-12);
}
TEST(Chain2, uneven_segments_have_no_joints) {
  Random random(8);
  slide(flat_chain(1000, 100, &random), Rot2::from_angle(0.7), 1e-12);
}

TEST(Chain2, a_resting_box_has_two_points) {
  const Ground ground(flat_chain(1000, 100, nullptr));
  const Built box(Box2{{0.5, 0.25}});
  for (int i = 0; i < 1000; ++i) {
    const auto list = ground.meets(box, at(-20 + 0.04 * i, 0.249), 0.02);
    ASSERT_EQ(list.size(), 1u);
    ASSERT_EQ(list[0].count, 2);
    EXPECT_NEAR(absolute(list[0].points[0].point.x - list[0].points[1].point.x), 1, 1e-12);
    EXPECT_EQ(list[0].element, 0u);
    EXPECT_EQ(list[0].points[0].features.a, feature(FeatureKind::edge, 0));
  }
}

// ------------------------------------------------------------------------------------------ bends

// Ground from left to right with bends both ways, here and there flat.
Chain hills(Random& random, int segments, double steepest) {
  Chain chain{{{0, 0}}, false};
  double slope = 0;
  for (int i = 0; i < segments; ++i) {
    if (below(random, 4)) slope = uniform(random, -steepest, steepest);
    const double run = uniform(random, 0.05, 1.5);
    chain.points.push_back(chain.points.back() + Vec2{run, slope * run});
  }
  return chain;
}

// Is n a normal that segment `s` may push along? Between its own normal and that of its neighbour at each convex
// corner, on the shorter way round; a free end adds a quarter turn.
double off_allowed(const Chain& chain, std::uint32_t s, const Vec2& n) {
  const std::size_t count = chain.points.size();
  const auto normal = [&](std::size_t i) {
    return perpendicular(normalized(chain.points[(i + 1) % count] - chain.points[i]));
  };
  // Segments on one line count as one.
  std::size_t last = s;
  while (last + 2 < count && absolute(cross(normal(last + 1), normal(s))) < 1e-13) ++last;
  const Vec2 own = normal(s);
  const Vec2 before = s > 0 ? normal(s - 1) : perpendicular(own);
  const Vec2 after = last + 2 < count ? normal(last + 1) : -perpendicular(own);
  const auto angle = [&](const Vec2& v) { return std::atan2(cross(own, v), dot(own, v)); };
  const double lo = std::min(0.0, angle(after)), hi = std::max(0.0, angle(before)), given = angle(n);
  return std::max({0.0, lo - given, given - hi});
}

Real distance_to_chain(const Chain& chain, const Body& body) {
  Real least = INFINITY;
  for (std::size_t i = 0; i + 1 < chain.points.size(); ++i)
    least = std::min(least,
                     optimum(Body{{wide(chain.points[i]), wide(chain.points[i + 1])}, 0}, body).separation);
  return least;
}

double height_at(const Chain& chain, double x) {
  for (std::size_t i = 0; i + 1 < chain.points.size(); ++i) {
    const Vec2 p = chain.points[i], q = chain.points[i + 1];
    if (x >= p.x && x <= q.x) return p.y + (q.y - p.y) * (x - p.x) / (q.x - p.x);
  }
  return -INFINITY;
}

struct Tally {
  int met = 0, overlapping = 0, several = 0;
};

void check_on_hills(const Chain& chain, const Ground& ground, const Shape2& shape, const Pose2& pose,
                    double margin, Tally& tally) {
  const auto list = ground.meets(shape, pose, margin);
  const Body body = body_of(shape, pose);
  const Real distance = distance_to_chain(chain, body);
  Real least = INFINITY;
  for (const Manifold<Dim2>& m : list) {
    EXPECT_LE(off_allowed(chain, m.element, m.normal), 1e-9);
    for (int k = 0; k < m.count; ++k) {
      const Point on_chain = wide(m.points[k].point);
      const Point on_piece = on_chain + Real(m.points[k].separation) * wide(m.normal);
      EXPECT_NEAR(double(on_chain.y), height_at(chain, double(on_chain.x)), 1e-10);
      EXPECT_LE(off_surface(body, on_piece), 1e-10);
      EXPECT_LE(m.points[k].separation, margin);
      least = std::min<Real>(least, m.points[k].separation);
    }
    for (const Manifold<Dim2>& other : list) EXPECT_TRUE(&other == &m || other.element != m.element);
  }
  if (distance > 1e-9 && distance < margin - 1e-9) {
    ASSERT_FALSE(list.empty());
    EXPECT_NEAR(double(least), double(distance), 1e-10);
  }
  EXPECT_TRUE(distance <= margin + 1e-9 || list.empty());
  if (distance <= 0 && distance > -0.02) {
    EXPECT_FALSE(list.empty());
    EXPECT_LE(least, 1e-10);
    ++tally.overlapping;
  }
  tally.met += !list.empty();
  tally.several += list.size() > 1;
}

// The distance is found whenever the piece is above the ground, along a normal that the ground has there.
void walk_the_hills(double steepest, int rounds) {
  Random random(11);
  Tally tally;
  for (int round = 0; round < rounds; ++round) {
    const Chain chain = hills(random, 30, steepest);
    const Ground ground(chain);
    for (int i = 0; i < 60; ++i) {
      const Shape2 shape = below(random, 2) ? k_sliders[std::size_t(below(random, 5))]
                                            : random_shape(random, below(random, 5), 0.8);
      const double x = uniform(random, 2, chain.points.back().x - 2);
      Pose2 pose = at(x, 0, uniform(random, -k_pi, k_pi));
      // From high above down to near the ground: bisect the height at which it is `gap` away.
      const double gap = below(random, 3) == 0 ? uniform(random, -0.01, 0) : uniform(random, 0, 0.12);
      double lo = -60, hi = 60;
      for (int k = 0; k < 40; ++k) {
        pose.position.y = (lo + hi) / 2;
        const Real distance = distance_to_chain(chain, body_of(shape, pose));
        const Body body = body_of(shape, pose);
        Real mean_x = 0, mean_y = 0;
        for (const Point& p : body.corners) mean_x += p.x / Real(body.corners.size());
        for (const Point& p : body.corners) mean_y += p.y / Real(body.corners.size());
        const bool above = mean_y > height_at(chain, double(mean_x));
        (above && distance > gap ? hi : lo) = pose.position.y;
      }
      pose.position.y = hi;
      check_on_hills(chain, ground, shape, pose, 0.1, tally);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(tally.met, 20 * rounds);
  EXPECT_GT(tally.overlapping, 2 * rounds);
  EXPECT_GT(tally.several, 2 * rounds);
}

TEST(Chain2, gentle_hills) { walk_the_hills(0.2, 4); }
TEST(Chain2, steep_hills) { walk_the_hills(3, 4); }
TEST(Chain2, hills_long) {
  walk_the_hills(0.01, 20);
  walk_the_hills(1, 20);
  walk_the_hills(10, 20);
}

TEST(Chain2, a_circle_turns_smoothly_round_a_convex_corner) {
  const Ground ridge(Chain{{{-2, -2}, {0, 0}, {2, -2}}});
  for (int i = -44; i <= 44; ++i) {
    const Vec2 n = Rot2::from_angle(i * k_pi / 180) * Vec2{0, 1};
    const auto list = ridge.meets(Circle{0.5}, {0.49 * n, {}}, 0);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_LE(length(list[0].normal - n), 1e-14);
    EXPECT_NEAR(list[0].points[0].separation, -0.01, 5e-14);
    EXPECT_EQ(list[0].points[0].features.a, feature(FeatureKind::vertex, 1));
  }
}

TEST(Chain2, a_valley_holds_on_both_sides) {
  const Ground valley(Chain{{{-2, 2}, {0, 0}, {2, 2}}});
  const double r = 0.5, root = std::sqrt(0.5);
  const auto list = valley.meets(Circle{r}, at(0, r / root - 0.01), 0);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_LE(length(list[0].normal - Vec2{root, root}), 1e-15);
  EXPECT_LE(length(list[1].normal - Vec2{-root, root}), 1e-15);
  EXPECT_EQ(list[0].element, 0u);
  EXPECT_EQ(list[1].element, 1u);
}

// A box on a cliff's edge, however it hangs over: the cliff's face does not push it.
TEST(Chain2, a_cliff_does_not_push_what_stands_on_it) {
  const Ground cliff(Chain{{{-10, 0}, {0, 0}, {0, -5}, {10, -5}}});
  for (int i = -9; i <= 9; ++i) {
    const auto list = cliff.meets(Box2{{0.5, 0.5}}, at(0.05 * i, 0.495), 0.02);
    ASSERT_EQ(list.size(), 1u) << i;
    EXPECT_EQ(list[0].normal, (Vec2{0, 1}));
    EXPECT_EQ(list[0].count, 2);
    EXPECT_EQ(list[0].element, 0u);
  }
  const auto beside = cliff.meets(Box2{{0.5, 0.5}}, at(0.495, -0.3), 0.02);  // higher than the cliff
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_EQ(beside[0].normal, (Vec2{1, 0}));
  EXPECT_EQ(beside[0].count, 2);
  EXPECT_EQ(beside[0].element, 1u);
}

// Corners that fall away below a box that lies flat: near enough to count, but they may only push straight up.
TEST(Chain2, corners_that_fall_away_do_not_push_aside) {
  const Ground ground(Chain{{{-5, 0}, {0, 0}, {0.3, -0.02}, {1.5, -0.5}, {5, -3}}});
  for (int i = -40; i <= 20; ++i) {
    const auto list = ground.meets(Box2{{0.5, 0.25}}, at(0.01 * i, 0.25), 0.1);
    ASSERT_FALSE(list.empty());
    EXPECT_EQ(list[0].element, 0u);
    for (const Manifold<Dim2>& m : list) EXPECT_EQ(m.normal, (Vec2{0, 1})) << i << " on " << m.element;
  }
}

// What two faces share is reported once: the corner of a ridge under a box that lies on neither of its sides.
TEST(Chain2, a_shared_corner_is_one_point) {
  const Ground ridge(Chain{{{-2, -0.02}, {0, 0}, {2, -0.02}}});
  const auto list = ridge.meets(Box2{{1, 0.25}}, at(0, 0.25), 0.1);
  ASSERT_EQ(list.size(), 2u);  // the corner and one end, and the other end
  EXPECT_EQ(list[0].count + list[1].count, 3);
  for (const Manifold<Dim2>& m : list) EXPECT_EQ(m.normal, (Vec2{0, 1}));
}

TEST(Chain2, a_box_rocks_on_a_convex_corner) {
  const Ground ridge(Chain{{{-2, -1}, {0, 0}, {2, -1}}});
  for (int i = -20; i <= 20; ++i) {
    const double angle = 0.02 * i;
    const Pose2 tilt = at(0, 0, angle);
    const auto list = ridge.meets(Box2{{1, 0.25}}, {tilt.rotation * Vec2{0.1, 0.245}, tilt.rotation}, 0.02);
    ASSERT_FALSE(list.empty());
    EXPECT_LE(length(list[0].normal - tilt.rotation * Vec2{0, 1}), 1e-14) << i;
    EXPECT_NEAR(list[0].points[0].separation, -0.005, 1e-14);
    EXPECT_LE(length(list[0].points[0].point), 1e-14);
  }
}

TEST(Chain2, is_solid_on_one_side_only) {
  const Ground ground(Chain{{{-5, 0}, {5, 0}}});
  const Box2 box{{0.5, 0.5}};
  EXPECT_EQ(ground.meets(box, at(0, 0.1), 0.02).size(), 1u);
  EXPECT_TRUE(ground.meets(box, at(0, -0.1), 0.02).empty());
  EXPECT_TRUE(ground.meets(box, at(0, -0.501), 0.02).empty());
  EXPECT_EQ(Ground(Chain{{{5, 0}, {-5, 0}}}).meets(box, at(0, -0.1), 0.02).size(), 1u);
  EXPECT_TRUE(ground.meets(box, at(5.6, 0), 0.02).empty());  // past the end
  EXPECT_EQ(ground.meets(box, at(5.51, 0.1), 0.02).size(), 1u);
}

TEST(Chain2, loops_are_islands_and_basins) {
  std::vector<Vec2> square;
  for (const Vec2& corner : {Vec2{0, 0}, Vec2{0, 4}, Vec2{4, 4}, Vec2{4, 0}})
    for (int k = 0; k < 4; ++k) square.push_back(corner);
  for (std::size_t i = 0; i < 16; ++i) {  // four segments a side
    const Vec2 p = square[i], q = square[(i / 4 * 4 + 4) % 16];
    square[i] = p + (q - p) * (double(i % 4) / 4);
  }
  std::rotate(square.begin(), square.begin() + 2, square.end());  // begins inside a side
  const Ground island(Chain{square, true});
  const Box2 box{{0.3, 0.3}};
  const Vec2 sides[] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
  for (const Vec2& out : sides) {
    const auto list = island.meets(box, {Vec2{2, 2} + 2.295 * out, {}}, 0.02);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_LE(length(list[0].normal - out), 1e-15);
    EXPECT_EQ(list[0].count, 2);
    EXPECT_TRUE(island.meets(box, {Vec2{2, 2} + 1.705 * out, {}}, 0.02).empty());
  }
  std::reverse(square.begin(), square.end());
  const Ground basin(Chain{square, true});
  for (const Vec2& out : sides) {
    const auto list = basin.meets(box, {Vec2{2, 2} + 1.705 * out, {}}, 0.02);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_LE(length(list[0].normal + out), 1e-15);
    EXPECT_EQ(list[0].count, 2);
  }
  EXPECT_EQ(basin.meets(box, at(0.295, 0.295), 0.02).size(), 2u);  // in its corner
}

TEST(Chain2, the_order_of_the_pieces_does_not_matter) {
  Random random(13);
  const Chain chain = hills(random, 40, 1);
  const Built ground(chain);
  int met = 0;
  for (int i = 0; i < 2000; ++i) {
    const Built piece(k_sliders[std::size_t(below(random, 5))]);
    const double x = uniform(random, 1, 25), above = uniform(random, 0, 0.6);
    const Pose2 pose = at(x, height_at(chain, x) + above, uniform(random, -3, 3));
    PairCache<Dim2> cache;
    ManifoldList<Dim2> one, other;
    collide(ground.piece(), piece.piece(), pose, 0.05, cache, one);
    collide(piece.piece(), ground.piece(), inverse(pose), 0.05, cache, other);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t m = 0; m < one.size(); ++m) {
      ++met;
      ASSERT_EQ(one[m].count, other[m].count);
      EXPECT_LE(length(one[m].normal + pose.rotation * other[m].normal), 1e-12);
      for (int k = 0; k < one[m].count; ++k) {
        const ManifoldPoint<Dim2>&p = one[m].points[k], &q = other[m].points[k];
        EXPECT_NEAR(p.separation, q.separation, 1e-12);
        EXPECT_LE(length(p.point + p.separation * one[m].normal - to_world(pose, q.point)), 1e-12);
        EXPECT_EQ(p.features, (Features{q.features.b, q.features.a}));
      }
    }
  }
  EXPECT_GT(met, 300);
}

TEST(Chain2, chains_do_not_meet_each_other) {
  const Chain chain{{{-1, 0}, {1, 0}}};
  EXPECT_TRUE(manifolds(chain, chain, at(0, 0), 1).empty());
}

}  // namespace
}  // namespace cairn
