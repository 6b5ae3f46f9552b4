// Questions to the broad phase, against a walk over all boxes.
#include <gtest/gtest.h>

#include "broadphase/boxes.h"

namespace cairn {
namespace {

using namespace boxes;

constexpr BroadPhase k_kinds[] = {BroadPhase::tree, BroadPhase::sweep_and_prune, BroadPhase::brute_force};

template <class D>
struct Scene {
  AnyBroadPhase<D> method;
  std::vector<Bounds<D>> boxes;
  Team team;
  static constexpr double k_spread = 44.0 / (D::k_linear * D::k_linear);  // as crowded in both dimensions

  Scene(BroadPhase kind, std::uint64_t seed, const typename D::Vec& origin) : method(kind) {
    Random random(seed);
    for (std::uint32_t i = 0; i < 600; ++i) {
      boxes.push_back(random_box<D>(random, origin, k_spread, 0.05, 4));
      if (i % 100 == 7) coordinate(boxes.back().hi, 0) = k_inf;
      method.insert(i, boxes.back(), i % 3 != 0);
    }
    std::vector<ProxyPair> found;
    if (seed % 2) method.find_pairs(team, found);  // else asked while much is new
    std::vector<std::uint32_t> some;
    std::vector<Bounds<D>> moved;
    for (std::uint32_t i = 0; i < 600; i += 5) {
      boxes[i] = random_box<D>(random, origin, k_spread, 0.05, 4);
      some.push_back(i);
      moved.push_back(boxes[i]);
    }
    method.update(team, some, moved);
    for (std::uint32_t i = 3; i < 600; i += 60) method.remove(i);
  }
  bool is_there(std::uint32_t i) const { return i % 60 != 3; }
};

template <class D>
void check_queries() {
  using Vec = typename D::Vec;
  for (const BroadPhase kind : k_kinds)
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Vec origin = all<Vec>(seed > 2 ? 1e6 : 0);
      const Scene<D> scene(kind, seed, origin);
      Random random(seed + 100);
      std::size_t hits = 0;
      for (int k = 0; k < 200; ++k) {
        Bounds<D> box = random_box<D>(random, origin, 1.2 * scene.k_spread, 0.05, 10);
        if (k % 7 == 0) box.hi = box.lo;
        if (k % 11 == 0) coordinate(box.lo, 1) = -k_inf;
        std::set<std::uint32_t> seen;
        scene.method.query(box, [&](std::uint32_t p) {
          EXPECT_TRUE(scene.is_there(p));
          EXPECT_TRUE(seen.insert(p).second) << "visited twice";
          return true;
        });
        for (std::uint32_t i = 0; i < scene.boxes.size(); ++i)
          if (scene.is_there(i) && meet(scene.boxes[i], box)) {
            ASSERT_TRUE(seen.count(i)) << i;
            ++hits;
          }
        // Ended by the first visit.
        int visits = 0;
        scene.method.query(box, [&](std::uint32_t) { return ++visits, false; });
        ASSERT_EQ(visits, seen.empty() ? 0 : 1);
      }
      EXPECT_GT(hits, 1000u);
    }
}
TEST(BroadPhaseQueries, visit_every_box_that_overlaps_in_2d) { check_queries<Dim2>(); }
TEST(BroadPhaseQueries, visit_every_box_that_overlaps_in_3d) { check_queries<Dim3>(); }

// Many at once find what each finds by itself, none of them twice.
template <class D>
void check_many_queries() {
  using Vec = typename D::Vec;
  QueryRoom<D> room;
  for (const BroadPhase kind : k_kinds)
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Scene<D> scene(kind, seed, all<Vec>(0));
      Random random(seed + 200);
      std::vector<Bounds<D>> questions;
      for (std::uint64_t k = 0; k < 60 * (seed - 1); ++k)
        questions.push_back(random_box<D>(random, all<Vec>(0), 1.2 * scene.k_spread, 0.05, 10));
      std::set<std::pair<std::uint32_t, std::uint32_t>> each, at_once;
      for (std::uint32_t i = 0; i < questions.size(); ++i)
        scene.method.query(questions[i], [&](std::uint32_t p) { return each.insert({i, p}).second; });
      scene.method.query_all(questions, room, [&](std::uint32_t i, std::uint32_t p) {
        EXPECT_TRUE(at_once.insert({i, p}).second) << "visited twice";
      });
      EXPECT_EQ(each, at_once);
      EXPECT_EQ(each.empty(), seed == 1);
    }
  const AnyBroadPhase<D> nothing;
  nothing.query_all(std::vector<Bounds<D>>(3), room, [](std::uint32_t, std::uint32_t) { FAIL(); });
}
TEST(BroadPhaseQueries, many_at_once_find_what_each_finds_in_2d) { check_many_queries<Dim2>(); }
TEST(BroadPhaseQueries, many_at_once_find_what_each_finds_in_3d) { check_many_queries<Dim3>(); }

// The stored boxes of sweep-and-prune and brute force are the same, so their answers are too; those of the tree are
// larger, but not by much.
TEST(BroadPhaseQueries, visit_little_else) {
  const Scene<Dim3> brute(BroadPhase::brute_force, 1, {}), sweep(BroadPhase::sweep_and_prune, 1, {}),
      tree(BroadPhase::tree, 1, {});
  Random random(5);
  std::size_t counts[3] = {};
  for (int k = 0; k < 300; ++k) {
    const Bounds3 box = random_box<Dim3>(random, {}, 5, 0.5, 3);
    std::set<std::uint32_t> seen[3];
    int i = 0;
    for (const Scene<Dim3>* scene : {&brute, &sweep, &tree}) {
      scene->method.query(box, [&](std::uint32_t p) { return seen[i].insert(p).second; });
      counts[i] += seen[i].size();
      ++i;
    }
    ASSERT_EQ(seen[0], seen[1]);
  }
  EXPECT_LT(double(counts[2]), 1.2 * double(counts[0]));
}

template <class D>
void check_casts() {
  using Vec = typename D::Vec;
  for (const BroadPhase kind : k_kinds)
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Vec origin = all<Vec>(seed > 2 ? 1e6 : 0);
      const Scene<D> scene(kind, seed, origin);
      Random random(seed + 200);
      std::size_t hits = 0;
      for (int k = 0; k < 100; ++k) {
        Ray<D> ray{origin + 1.2 * random.vector<Vec>(-scene.k_spread, scene.k_spread),
                   2 * random.vector<Vec>(-scene.k_spread, scene.k_spread)};
        if (k % 5 == 0) coordinate(ray.translation, random.below(D::k_linear)) = 0;
        const Vec half = k % 2 ? Vec{} : random.vector<Vec>(0, 2);
        // All of them.
        std::set<std::uint32_t> seen;
        scene.method.cast(ray, half, [&](std::uint32_t p, double fraction) {
          EXPECT_TRUE(fraction >= 0 && fraction <= 1);
          EXPECT_TRUE(seen.insert(p).second) << "visited twice";
          return 1.0;
        });
        double nearest = k_inf;
        for (std::uint32_t i = 0; i < scene.boxes.size(); ++i) {
          if (!scene.is_there(i)) continue;
          const Bounds<D>& box = scene.boxes[i];
          // Walk along the ray: slow, and it has nothing to do with slabs.
          bool met = false;
          for (int s = 0; s <= 200 && !met; ++s) {
            const Vec point = ray.origin + ray.translation * (s / 200.0);
            met = meet(box, Bounds<D>{point - half, point + half});
            if (met && s / 200.0 < nearest) nearest = s / 200.0;
          }
          if (met) {
            ASSERT_TRUE(seen.count(i)) << i;
            ++hits;
          }
        }
        // Closest hit: every visit shortens the ray.
        double most = 1;
        scene.method.cast(ray, half, [&](std::uint32_t, double fraction) {
          EXPECT_LE(fraction, most);
          return most = smaller(most, fraction);
        });
        ASSERT_LE(most, nearest + 1e-9);
        // Stopped by the first visit.
        int visits = 0;
        scene.method.cast(ray, half, [&](std::uint32_t, double) { return ++visits, 0.0; });
        ASSERT_EQ(visits, seen.empty() ? 0 : 1);
      }
      EXPECT_GT(hits, 1000u);
    }
}
TEST(BroadPhaseQueries, casts_reach_every_box_on_the_way_in_2d) { check_casts<Dim2>(); }
TEST(BroadPhaseQueries, casts_reach_every_box_on_the_way_in_3d) { check_casts<Dim3>(); }

TEST(BroadPhaseQueries, find_nothing_where_there_is_nothing) {
  for (const BroadPhase kind : k_kinds) {
    AnyBroadPhase<Dim3> method(kind);
    const auto fail = [](auto...) {
      ADD_FAILURE();
      return 1.0;
    };
    const auto fail_box = [](std::uint32_t) { return ADD_FAILURE(), true; };
    method.query({{-1, -1, -1}, {1, 1, 1}}, fail_box);
    method.cast({{}, {1, 0, 0}}, {}, fail);
    method.insert(3, {{5, 5, 5}, {6, 6, 6}}, true);
    method.query({{-1, -1, -1}, {1, 1, 1}}, fail_box);
    method.cast({{}, {1, 0, 0}}, {}, fail);
    int visits = 0;
    method.query({{5.5, 5.5, 5.5}, {9, 9, 9}}, [&](std::uint32_t p) { return visits += p == 3, true; });
    method.cast({{}, {6, 6, 6}}, {}, [&](std::uint32_t p, double) { return visits += p == 3, 1.0; });
    EXPECT_EQ(visits, 2);
    method.remove(3);
    EXPECT_EQ(method.size(), 0u);
    method.query({{5.5, 5.5, 5.5}, {9, 9, 9}}, fail_box);
  }
}

}  // namespace
}  // namespace cairn
