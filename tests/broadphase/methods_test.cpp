// All methods against a model in doubles, over long random histories.
#include <gtest/gtest.h>

#include "broadphase/boxes.h"

namespace cairn {
namespace {

using namespace boxes;

struct History {
  double origin = 0;              // [m] each coordinate of the place where it happens
  double spread = 10;             // [m]
  double least = 0.01, most = 3;  // [m] sizes
  std::size_t proxies = 120;
  int steps = 250;
  double infinite = 0.02;  // how often a new box is infinite on some side
};

template <class D>
class Player {
 public:
  using Vec = typename D::Vec;
  Player(const History& history, std::uint64_t seed) : history_(history), random_(seed) {
    model_.things.resize(history.proxies);
    for (std::uint32_t p = 0; p < history.proxies; p += 2) insert(p);
  }

  void play(int threads) {
    Team team(threads);
    for (int step = 0; step < history_.steps; ++step) {
      come_and_go();
      move(team, step);
      SCOPED_TRACE(step);
      ASSERT_EQ(tree_.search(team, model_), "");
      ASSERT_EQ(sweep_.search(team, model_), "");
      ASSERT_EQ(brute_.search(team, model_), "");
      ASSERT_TRUE(tree_.method.validate());
      ASSERT_TRUE(sweep_.method.validate());
      ASSERT_EQ(sweep_.found, brute_.found);
      const std::set<ProxyPair> exact = model_.exact();
      ASSERT_EQ(tree_.exact(model_), exact);
      ASSERT_EQ(sweep_.exact(model_), exact);
      ASSERT_EQ(brute_.exact(model_), exact);
      pairs_ += exact.size();
      for (auto& thing : model_.things)
        if (thing) thing->touched = false;
    }
    EXPECT_GT(pairs_, std::size_t(history_.steps)) << "a history in which nothing meets proves nothing";
  }

 private:
  Bounds<D> new_box() {
    Bounds<D> box =
        random_box<D>(random_, all<Vec>(history_.origin), history_.spread, history_.least, history_.most);
    if (random_.chance(0.05)) box.hi = box.lo;
    if (random_.chance(history_.infinite)) coordinate(box.lo, random_.below(D::k_linear)) = -k_inf;
    if (random_.chance(history_.infinite)) coordinate(box.hi, random_.below(D::k_linear)) = k_inf;
    return box;
  }

  void insert(std::uint32_t p) {
    auto& thing = model_.things[p];
    thing = {new_box(), random_.chance(0.7), true};
    each([&](auto& keeper) { keeper.method.insert(p, thing->box, thing->mobile); });
  }

  void come_and_go() {
    for (int k = 0; k < 6; ++k) {
      const std::uint32_t p = std::uint32_t(random_.below(model_.things.size()));
      auto& thing = model_.things[p];
      if (!thing) {
        insert(p);
      } else if (random_.chance(0.3)) {
        thing.reset();
        each([&](auto& keeper) { keeper.method.remove(p); });
      } else if (random_.chance(0.3)) {
        thing->mobile = !thing->mobile;
        thing->touched = true;
        each([&](auto& keeper) { keeper.method.set_mobile(p, thing->mobile); });
      }
    }
  }

  // Sometimes everything moves, sometimes nothing; a little, far, or to become another size.
  void move(Team& team, int step) {
    std::vector<std::uint32_t> proxies;
    std::vector<Bounds<D>> boxes;
    const double share = step % 5 == 0 ? 1 : step % 5 == 1 ? 0.02 : random_.uniform(0, 0.6);
    for (std::uint32_t p = 0; p < model_.things.size(); ++p) {
      auto& thing = model_.things[p];
      if (!thing || !random_.chance(share)) continue;
      if (random_.chance(0.1)) {
        thing->box = new_box();
      } else {
        const Vec direction = random_.vector<Vec>(-1, 1);
        const Vec way = direction * (random_.uniform(0, 0.3) * history_.least);
        thing->box = {thing->box.lo + way, thing->box.hi + way};
      }
      thing->touched = true;
      proxies.push_back(p);
      boxes.push_back(thing->box);
    }
    each([&](auto& keeper) { keeper.method.update(team, proxies, boxes); });
  }

  template <class F>
  void each(const F& f) {
    f(tree_), f(sweep_), f(brute_);
  }

  History history_;
  Random random_;
  Model<D> model_;
  Keeper<Tree<D>, D> tree_;
  Keeper<SweepAndPrune<D>, D> sweep_;
  Keeper<AnyBroadPhase<D>, D> brute_{BroadPhase::brute_force};
  std::size_t pairs_ = 0;
};

void play(const History& history, int threads = 1) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    Player<Dim2>(history, seed).play(threads);
    Player<Dim3>(history, seed).play(threads);
  }
}

TEST(BroadPhase, methods_agree_with_a_model_at_the_origin) { play({}); }
TEST(BroadPhase, methods_agree_with_a_model_a_thousand_kilometres_away) { play({.origin = 1e6}); }
TEST(BroadPhase, methods_agree_with_a_model_of_many_sizes) {
  play({.spread = 100, .least = 1e-4, .most = 100});
}
TEST(BroadPhase, methods_agree_with_a_model_of_millimetres) {
  play({.origin = -1e3, .spread = 0.02, .least = 1e-3, .most = 5e-3});
}
TEST(BroadPhase, methods_agree_with_a_model_beyond_the_range_of_single_precision) {
  play({.spread = 1e31, .least = 1e30, .most = 3e30, .proxies = 60, .steps = 100});
  play({.spread = 1e41, .least = 1e40, .most = 3e40, .proxies = 60, .steps = 100});
}
TEST(BroadPhase, methods_agree_with_a_model_where_much_is_infinite) {
  play({.proxies = 60, .steps = 100, .infinite = 0.3});
}
TEST(BroadPhase, methods_agree_with_a_model_on_three_threads) { play({.proxies = 200, .steps = 60}, 3); }
TEST(BroadPhase, methods_agree_with_a_model_of_many_proxies_long) {
  play({.spread = 40, .least = 0.5, .most = 3, .proxies = 1200, .steps = 40}, 2);
}

TEST(BroadPhase, holds_a_plane_against_everything_that_reaches_it) {
  for (const BroadPhase kind : {BroadPhase::tree, BroadPhase::sweep_and_prune, BroadPhase::brute_force}) {
    Team team;
    std::vector<ProxyPair> found;
    AnyBroadPhase<Dim3> method(kind);
    method.insert(0, {{-k_inf, -k_inf, -k_inf}, {k_inf, k_inf, 0}}, false);
    for (std::uint32_t i = 1; i <= 10; ++i)
      method.insert(i, {{10.0 * i, 0, i % 2 ? -0.1 : 3}, {10.0 * i + 1, 1, 4}}, true);
    method.find_pairs(team, found);
    EXPECT_EQ(found, (std::vector<ProxyPair>{{0, 1}, {0, 3}, {0, 5}, {0, 7}, {0, 9}}));
    method.find_pairs(team, found);
    EXPECT_TRUE(found.empty());
  }
}

// A box that is no box must not take the broad phase with it.
TEST(BroadPhase, takes_boxes_of_nan_for_infinite_ones) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const BroadPhase kind : {BroadPhase::tree, BroadPhase::sweep_and_prune, BroadPhase::brute_force}) {
    Team team;
    std::vector<ProxyPair> found;
    AnyBroadPhase<Dim2> method(kind);
    method.insert(0, {{0, 0}, {1, 1}}, true);
    method.insert(1, {{5, 5}, {6, 6}}, true);
    method.insert(2, {{nan, nan}, {nan, nan}}, true);
    method.find_pairs(team, found);
    EXPECT_EQ(found, (std::vector<ProxyPair>{{0, 2}, {1, 2}}));
    EXPECT_TRUE(method.validate());
    method.remove(2);
    EXPECT_EQ(method.size(), 2u);
  }
}

TEST(BroadPhase, reports_again_what_is_stored_again) {
  for (const BroadPhase kind : {BroadPhase::tree, BroadPhase::sweep_and_prune, BroadPhase::brute_force}) {
    Team team;
    std::vector<ProxyPair> found;
    AnyBroadPhase<Dim2> method(kind);
    method.insert(0, {{0, 0}, {2, 2}}, false);
    method.insert(1, {{1, 1}, {3, 3}}, false);
    method.find_pairs(team, found);
    EXPECT_TRUE(found.empty()) << "neither is mobile";
    method.set_mobile(0, true);
    method.find_pairs(team, found);
    EXPECT_EQ(found, (std::vector<ProxyPair>{{0, 1}}));
    method.remove(1);
    method.insert(1, {{2, 2}, {3, 3}}, false);
    method.find_pairs(team, found);
    EXPECT_EQ(found, (std::vector<ProxyPair>{{0, 1}})) << "touching counts";
    method.remove(1);
    method.insert(1, {{1, 1}, {3, 3}}, false);
    method.remove(1);
    method.find_pairs(team, found);
    EXPECT_TRUE(found.empty()) << "it is gone";
  }
}

}  // namespace
}  // namespace cairn
