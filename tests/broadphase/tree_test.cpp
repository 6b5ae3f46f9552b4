// The tree under what trees suffer from: equal boxes, sorted boxes, boxes that wander.
#include "broadphase/tree.h"

#include <gtest/gtest.h>

#include <numeric>

#include "broadphase/boxes.h"

namespace cairn {
namespace {

using namespace boxes;

template <class D>
FloatBox<D> cube(const typename D::Vec& center, double half = 0.5) {
  return rounded_outwards(box_around<D>(center, all<typename D::Vec>(half)));
}

TEST(BoxTree, of_equal_boxes_is_not_high) {
  Team team;
  BoxTree<Dim3> tree;
  for (std::uint32_t i = 0; i < 1000; ++i) tree.insert(i, cube<Dim3>({1, 2, 3}));
  EXPECT_TRUE(tree.validate());
  EXPECT_LE(tree.height(), 12 + 2 * 10);
  for (std::uint32_t i = 0; i < 1000; ++i) tree.set_box(i, cube<Dim3>({4, 5, 6}));
  tree.mend(team);
  EXPECT_TRUE(tree.validate());
  EXPECT_LE(tree.height(), 12);
  std::size_t visits = 0;
  tree.query(cube<Dim3>({4, 5, 6}), [&](std::uint32_t) { return ++visits, true; });
  EXPECT_EQ(visits, 1000u);
}

TEST(BoxTree, of_boxes_that_come_in_a_row_is_not_high) {
  BoxTree<Dim2> tree;
  for (std::uint32_t i = 0; i < 20000; ++i) tree.insert(i, cube<Dim2>({2.0 * i, 0}));
  EXPECT_TRUE(tree.validate());
  EXPECT_LE(tree.height(), 12 + 2 * 15);
  for (std::uint32_t i = 0; i < 19990; ++i) tree.remove(i);
  EXPECT_TRUE(tree.validate());
  EXPECT_EQ(tree.size(), 10u);
}

// Each box ten times as far as the one before: splitting in space takes one box off at a time.
TEST(BoxTree, of_boxes_at_growing_distances_is_not_too_high) {
  Team team;
  BoxTree<Dim2> tree;
  std::uint32_t n = 0;
  for (double x = 1e-15; x < 1e14; x *= 1.05) tree.insert(n++, cube<Dim2>({x, 0}, 0.01 * x));
  ASSERT_GT(n, 1000u);
  EXPECT_TRUE(tree.validate());
  for (int round = 0; round < 5; ++round) {
    std::uint32_t i = 0;
    for (double x = 1e-15; x < 1e14; x *= 1.05) tree.set_box(i++, cube<Dim2>({x * (round + 1), 0}, 0.01 * x));
    tree.mend(team);
    EXPECT_TRUE(tree.validate());
    EXPECT_LE(tree.height(), BoxTree<Dim2>::k_most_height);
  }
}

// Each twice as far as the one before, over all sizes there are: halving space takes off one at a time, so that the
// tree must halve their number at last.
TEST(BoxTree, of_points_at_doubling_distances_is_not_too_high) {
  Team team;
  BoxTree<Dim2> tree;
  std::uint32_t n = 0;
  for (double x = 1e-29; x < 1e14; x *= 2) tree.insert(n++, cube<Dim2>({x, 0}, 0));
  ASSERT_GT(n, 140u);
  EXPECT_TRUE(tree.validate());
  n = 0;
  for (double x = 1e-29; x < 1e14; x *= 2) tree.set_box(n++, cube<Dim2>({1.5 * x, 0}, 0));
  tree.mend(team);  // its cost has grown by half: all of it is built anew
  EXPECT_TRUE(tree.validate());
  EXPECT_LE(tree.height(), 50);
}

// After hundreds of steps the tree is as good as one that was built just now.
template <class D>
void check_that_wandering_does_no_harm(std::size_t n, double share, double speed) {
  using Vec = typename D::Vec;
  Random random(7);
  Team team;
  BoxTree<D> tree;
  const double side = std::pow(4.0 * double(n), 1.0 / D::k_linear);
  std::vector<Vec> centers(n), velocities(n);
  const auto build = [&](BoxTree<D>& made) {
    for (std::uint32_t i = 0; i < n; ++i) made.insert(i, cube<D>(centers[i]));
    made.mend(team);
  };
  for (std::size_t i = 0; i < n; ++i) {
    centers[i] = random.vector<Vec>(0, side);
    velocities[i] = random.vector<Vec>(-speed, speed);
  }
  build(tree);
  for (int step = 0; step < 300; ++step) {
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!random.chance(share)) continue;
      centers[i] += velocities[i];
      for (std::size_t k = 0; k < D::k_linear; ++k)
        if (const double x = coordinate(centers[i], k); x < 0 || x > side) coordinate(velocities[i], k) *= -1;
      tree.set_box(i, cube<D>(centers[i]));
    }
    tree.mend(team);
    if (step % 50 == 0) {
      ASSERT_TRUE(tree.validate());
    }
  }
  BoxTree<D> fresh;
  build(fresh);
  EXPECT_LE(tree.cost(), 1.25 * fresh.cost());
  EXPECT_LE(tree.height(), 2 * fresh.height());
}
TEST(BoxTree, does_not_decay_when_all_boxes_move) { check_that_wandering_does_no_harm<Dim3>(1500, 1, 0.2); }
TEST(BoxTree, does_not_decay_when_few_boxes_move) { check_that_wandering_does_no_harm<Dim3>(3000, 0.02, 3); }
TEST(BoxTree, does_not_decay_in_the_plane) { check_that_wandering_does_no_harm<Dim2>(1500, 0.3, 0.5); }

// A body that trembles is stored once, one that flies once in a few steps, one that leaps every time.
TEST(Tree, stores_boxes_again_only_when_they_leave) {
  const auto stores = [](double speed, int steps) {
    Team team;
    Tree<Dim3> tree;
    std::vector<ProxyPair> found;
    Random random(3);
    const std::uint32_t proxy = 0;
    Vec3 center{10, 10, 10};
    tree.insert(0, box_around<Dim3>(center, all<Vec3>(0.5)), true);
    int stored = 0;
    for (int i = 0; i < steps; ++i) {
      center += speed < 0 ? random.vector<Vec3>(-1e-3, 1e-3) : Vec3{speed, 0, 0};
      const FloatBox<Dim3> before = tree.stored(0);
      const Bounds3 box = box_around<Dim3>(center, all<Vec3>(0.5));
      tree.update(team, {&proxy, 1}, {&box, 1});
      EXPECT_TRUE(contains(tree.stored(0), box));
      stored += !(tree.stored(0) == before);
      EXPECT_LT(half_surface(tree.stored(0)), 1.5f * 3.0f);
    }
    return stored;
  };
  EXPECT_LE(stores(-1, 200), 2);
  EXPECT_LE(stores(0.05, 200), 90);
  EXPECT_EQ(stores(2, 200), 200);
}

// Insertion one by one makes a worse tree than building; the first search makes up for it.
TEST(Tree, is_built_well_after_many_insertions) {
  Team team;
  Tree<Dim3> tree;
  Random random(8);
  std::vector<ProxyPair> found;
  for (std::uint32_t i = 0; i < 3000; ++i) tree.insert(i, random_box<Dim3>(random, {}, 12, 0.3, 0.7), true);
  const double before = tree.boxes(true).cost();
  tree.find_pairs(team, found);
  EXPECT_LT(tree.boxes(true).cost(), 0.85 * before);
}

// A shape that has become smaller gets a smaller box, although it never left the old one.
TEST(Tree, lets_boxes_shrink) {
  Team team;
  Tree<Dim2> tree;
  tree.insert(0, {{-10, -10}, {10, 10}}, true);
  const std::uint32_t proxy = 0;
  const Bounds2 box{{-1, -1}, {1, 1}};
  tree.update(team, {&proxy, 1}, {&box, 1});
  EXPECT_LT(half_surface(tree.stored(0)), 5.f);
}

// What is fixed has no margin.
TEST(Tree, keeps_fixed_boxes_as_they_are) {
  Tree<Dim2> tree;
  tree.insert(0, {{-1, -2}, {1, 2}}, false);
  EXPECT_TRUE(tree.stored(0) == rounded_outwards(Bounds2{{-1, -2}, {1, 2}}));
  tree.insert(1, {{-1, -2}, {1, 2}}, true);
  EXPECT_GT(half_surface(tree.stored(1)), half_surface(tree.stored(0)));
}

}  // namespace
}  // namespace cairn
