// How pairs are found does not show in the results: trees keep pairs for long, brute force only while their boxes overlap.
#include <gtest/gtest.h>

#include "busy_world.h"

namespace cairn {
namespace {

template <class D>
void expect_same_with_every_broad_phase() {
  const auto play = [](BroadPhase broad_phase) {
    World<D> world({.broad_phase = broad_phase});
    busy::build(world);
    std::vector<std::uint64_t> hashes;
    for (int k = 0; k < 120; ++k) {
      busy::act(world, k);
      world.step(1. / 60);
      hashes.push_back(world.state_hash());
    }
    return hashes;
  };
  const std::vector<std::uint64_t> tree = play(BroadPhase::tree);
  for (const BroadPhase other : {BroadPhase::sweep_and_prune, BroadPhase::brute_force}) {
    const std::vector<std::uint64_t> hashes = play(other);
    for (std::size_t k = 0; k < tree.size(); ++k)
      ASSERT_EQ(hashes[k], tree[k]) << "broad phase " << int(other) << ", step " << k;
  }
}
TEST(BroadPhases, give_the_same_bits_in_2d) { expect_same_with_every_broad_phase<Dim2>(); }
TEST(BroadPhases, give_the_same_bits_in_3d) { expect_same_with_every_broad_phase<Dim3>(); }

}  // namespace
}  // namespace cairn
