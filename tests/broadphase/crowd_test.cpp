// Thousands of boxes: threads, memory, and the dip of sweep-and-prune.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <numeric>

#include "broadphase/boxes.h"

namespace {
std::size_t allocations = 0;  // of this program; threads are not started while it counts
}
// Not inlined, or g++ takes the mismatch of new and free for a mistake.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* p = std::malloc(bytes ? bytes : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  ++allocations;
  const std::size_t step = std::size_t(alignment);
  if (void* p = std::aligned_alloc(step, (bytes + step - 1) / step * step)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace cairn {
namespace {

using namespace boxes;

constexpr BroadPhase k_kinds[] = {BroadPhase::tree, BroadPhase::sweep_and_prune, BroadPhase::brute_force};

// Boxes of about 1 m that each meet a few others, on a floor of fixed ones.
template <class D>
class Crowd {
 public:
  using Vec = typename D::Vec;
  std::vector<std::uint32_t> proxies;
  std::vector<Bounds<D>> boxes;
  double side;

  Crowd(std::size_t n, std::uint64_t seed)
      : side(std::pow(0.5 * double(n), 1.0 / D::k_linear)), random_(seed) {
    for (std::uint32_t i = 0; i < n; ++i) {
      proxies.push_back(i);
      boxes.push_back(random_box<D>(random_, all<Vec>(side / 2), side / 2, 0.3, 0.7));
      velocities_.push_back(random_.vector<Vec>(-1, 1));
    }
  }
  void insert(AnyBroadPhase<D>& method) const {
    for (const std::uint32_t i : proxies) method.insert(i, boxes[i], i % 8 != 0);
  }
  void move(double way) {
    for (const std::uint32_t i : proxies) {
      for (std::size_t k = 0; k < D::k_linear; ++k)
        if (const double x = coordinate(boxes[i].lo, k); x < 0 || x > side)
          coordinate(velocities_[i], k) = std::copysign(coordinate(velocities_[i], k), side / 2 - x);
      boxes[i].lo += way * velocities_[i];
      boxes[i].hi += way * velocities_[i];
    }
  }
  void shuffle() {
    for (const std::uint32_t i : proxies)
      boxes[i] = random_box<D>(random_, all<Vec>(side / 2), side / 2, 0.3, 0.7);
  }

 private:
  std::vector<Vec> velocities_;
  Random random_;
};

template <class D>
void check_threads(BroadPhase kind, std::size_t n) {
  std::vector<std::vector<ProxyPair>> history[4];
  int run = 0;
  for (const int threads : {1, 2, 3, 8}) {
    Team team(threads);
    AnyBroadPhase<D> method(kind);
    Crowd<D> crowd(n, 11);
    crowd.insert(method);
    for (const double way : {0.0, 0.02, 0.05, 0.1, 0.1, 1.0, -1.0, 0.1}) {
      if (way < 0)
        crowd.shuffle();
      else
        crowd.move(way);
      method.update(team, crowd.proxies, crowd.boxes);
      history[run].emplace_back();
      method.find_pairs(team, history[run].back());
      // Some more of the order that threads could disturb: that of visits.
      history[run].emplace_back();
      method.query(crowd.boxes[5], [&](std::uint32_t p) {
        return history[run].back().push_back({p, p}), true;
      });
    }
    ASSERT_TRUE(method.validate());
    ++run;
  }
  std::size_t pairs = 0;
  for (const auto& found : history[0]) pairs += found.size();
  EXPECT_GT(pairs, 5 * n);
  for (int k = 1; k < 4; ++k) EXPECT_TRUE(history[k] == history[0]);
}
TEST(Crowd, is_the_same_for_any_number_of_threads_in_the_tree) {
  check_threads<Dim3>(BroadPhase::tree, 6000);
  check_threads<Dim2>(BroadPhase::tree, 3000);
}
TEST(Crowd, is_the_same_for_any_number_of_threads_in_sweep_and_prune) {
  check_threads<Dim3>(BroadPhase::sweep_and_prune, 6000);
  check_threads<Dim2>(BroadPhase::sweep_and_prune, 3000);
}
TEST(Crowd, is_the_same_for_any_number_of_threads_by_brute_force) {
  check_threads<Dim3>(BroadPhase::brute_force, 600);
}

TEST(Crowd, needs_no_memory_in_a_steady_state) {
  for (const BroadPhase kind : k_kinds) {
    Team team;
    AnyBroadPhase<Dim3> method(kind);
    Crowd<Dim3> crowd(kind == BroadPhase::brute_force ? 200 : 1000, 5);
    crowd.insert(method);
    std::vector<ProxyPair> found;
    const auto run = [&](int steps) {
      for (int i = 0; i < steps; ++i) {
        crowd.move(i % 40 == 0 ? 0.5 : 0.05);
        method.update(team, crowd.proxies, crowd.boxes);
        method.find_pairs(team, found);
      }
    };
    run(300);
    const std::size_t before = allocations;
    run(40);
    EXPECT_EQ(allocations, before);
  }
}

// Lund §5.3: insertion sort pays for disorder, up to n²/4 moves. Here it may only pay when little has changed.
TEST(SweepAndPrune, sorts_afresh_only_in_disorder) {
  Team team;
  Crowd<Dim3> crowd(5000, 9);
  SweepAndPrune<Dim3> sweep;
  for (const std::uint32_t i : crowd.proxies) sweep.insert(i, crowd.boxes[i], true);
  std::vector<ProxyPair> found;
  sweep.find_pairs(team, found);
  EXPECT_EQ(sweep.fresh_sorts(), 1u);
  for (int i = 0; i < 10; ++i) {
    crowd.move(0.0005);
    sweep.update(team, crowd.proxies, crowd.boxes);
  }
  EXPECT_EQ(sweep.fresh_sorts(), 1u);
  crowd.shuffle();
  sweep.update(team, crowd.proxies, crowd.boxes);
  EXPECT_EQ(sweep.fresh_sorts(), 2u);
  EXPECT_TRUE(sweep.validate());
}

// A row along each axis in turn: the sweep must find the axis along which there is something to sort.
TEST(SweepAndPrune, sweeps_along_the_axis_of_most_spread) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Team team;
    SweepAndPrune<Dim3> sweep;
    Random random(1);
    for (std::uint32_t i = 0; i < 2000; ++i) {
      Vec3 center = random.vector<Vec3>(-1, 1);
      coordinate(center, axis) = random.uniform(0, 1000);
      sweep.insert(i, box_around<Dim3>(center, all<Vec3>(0.1)), true);
    }
    std::vector<ProxyPair> found;
    sweep.find_pairs(team, found);
    EXPECT_EQ(sweep.axis(), axis);
    EXPECT_TRUE(sweep.validate());
  }
}

}  // namespace
}  // namespace cairn
