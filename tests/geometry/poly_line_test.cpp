// The built form of chains: faces, their tree, and rays through it.
#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/geometry_2d.h"
#include "geometry/ray.h"
#include "geometry/shape_samples.h"

namespace cairn {
namespace {

using samples::Random;
using samples::uniform;
using samples::vector2;

PolyLine built(const Chain& chain) { return std::get<PolyLine>(build(chain).form); }

// A walk that wanders, with straight stretches cut into segments.
Chain wandering(Random& random, int bends, bool loop) {
  Chain chain{{{0, 0}}, loop};
  for (int i = 0; i < bends; ++i) {
    const Vec2 from = chain.points.back(), way = vector2(random, 1);
    const int pieces = 1 + i % 5;
    for (int k = 1; k <= pieces; ++k) chain.points.push_back(from + way * (double(k) / pieces));
  }
  return chain;
}

TEST(RunTree2, finds_the_same_as_looking_at_all) {
  Random random(1);
  for (const int n : {0, 1, 2, 3, 4, 5, 16, 17, 63, 64, 65, 1000, 10000}) {
    std::vector<Bounds2> boxes;
    Vec2 at;
    for (int i = 0; i < n; ++i) {
      const Vec2 next = at + vector2(random, 1);
      boxes.push_back({smaller(at, next), larger(at, next)});
      at = next;
    }
    const RunTree2 tree(boxes);
    for (int i = 0; i < 50; ++i) {
      const Vec2 middle = n ? boxes[std::size_t(i * 37 % n)].lo : Vec2{},
                 half{uniform(random, 0, 3), uniform(random, 0, 3)};
      const Bounds2 query{middle - half, middle + half};
      std::vector<std::size_t> found, expected;
      tree.query(query, [&](std::size_t k) { found.push_back(k); });
      for (std::size_t k = 0; k < boxes.size(); ++k)
        if (boxes[k].lo.x <= query.hi.x && query.lo.x <= boxes[k].hi.x && boxes[k].lo.y <= query.hi.y &&
            query.lo.y <= boxes[k].hi.y)
          expected.push_back(k);
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(PolyLine, straight_runs_are_faces) {
  Random random(2);
  for (const double angle : {0.0, 0.4, 2.0, -1.0}) {
    Chain chain;
    const Rot2 turn = Rot2::from_angle(angle);
    for (int i = 0; i <= 1000; ++i)
      chain.points.push_back(turn * Vec2{0.1 * i, i > 600 ? 0.1 * (i - 600) : 0});
    const PolyLine line = built(chain);
    ASSERT_EQ(line.faces.size(), 2u);
    EXPECT_EQ(line.faces[0].first, 0u);
    EXPECT_EQ(line.faces[0].to, 600u);
    EXPECT_EQ(line.faces[1].first, 600u);
    EXPECT_EQ(line.faces[1].count, 400u);
    EXPECT_LE(length(line.faces[0].normal - turn * Vec2{0, 1}), 1e-15);
  }
}

TEST(PolyLine, bends_are_kept_however_slight) {
  Chain circle{{}, true};
  for (int i = 0; i < 100000; ++i) {
    const auto [sine, cosine] = portable::sin_cos(-2 * k_pi * i / 100000);
    circle.points.push_back({cosine, sine});
  }
  const PolyLine line = built(circle);
  EXPECT_EQ(line.faces.size(), 100000u);
  EXPECT_EQ(built(Chain{{{0, 0}, {1, 0}, {2, 1e-9}}}).faces.size(), 2u);
  EXPECT_EQ(built(Chain{{{0, 0}, {2, 0}, {1, 0}}}).faces.size(), 2u);  // there and back
}

TEST(PolyLine, a_loop_may_begin_inside_a_run) {
  std::vector<Vec2> square;
  const Vec2 corners[] = {{0, 0}, {0, 3}, {3, 3}, {3, 0}};
  for (int side = 0; side < 4; ++side)
    for (int k = 0; k < 3; ++k)
      square.push_back(corners[side] + (corners[(side + 1) % 4] - corners[side]) * (k / 3.));
  for (int shift = 0; shift < 12; ++shift) {
    const PolyLine line = built(Chain{square, true});
    ASSERT_EQ(line.faces.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(line.faces[i].count, 3u);
      EXPECT_EQ(line.faces[i].b, line.faces[(i + 1) % 4].a);
      EXPECT_EQ(line.faces[i].a, square[line.faces[i].first]);
      EXPECT_EQ(line.faces[i].b, square[line.faces[i].to]);
    }
    std::rotate(square.begin(), square.begin() + 1, square.end());
  }
}

TEST(PolyLine, rays_through_the_tree_meet_the_first_segment) {
  Random random(3);
  int hits = 0;
  for (int round = 0; round < 20; ++round) {
    const Chain chain = wandering(random, 100, round % 2);
    const Geometry2 whole = build(chain);
    const std::size_t n = chain.points.size();
    for (int i = 0; i < 50; ++i) {
      const Vec2 origin = vector2(random, 15);
      const Vec2 target = vector2(random, 5);  // not at a corner, which round-off may miss
      const Ray2 ray{origin, uniform(random, 0.5, 3) * (target - origin)};
      double first = 2;
      for (std::size_t k = 0; k + (chain.loop ? 0 : 1) < n; ++k)
        if (const auto hit = ray_cast(build(Segment{chain.points[k], chain.points[(k + 1) % n]}), ray))
          first = std::min(first, hit->fraction);
      const auto hit = ray_cast(whole, ray);
      ASSERT_EQ(hit.has_value(), first <= 1);
      if (!hit) continue;
      ++hits;
      EXPECT_NEAR(hit->fraction, first, 1e-12);
    }
  }
  EXPECT_GT(hits, 500);
}

}  // namespace
}  // namespace cairn
