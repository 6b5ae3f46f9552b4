#include "base/team.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace cairn {
namespace {

TEST(Team, visits_every_index_once_whatever_the_threads) {
  for (int threads : {1, 2, 3, 8}) {
    Team team(threads);
    EXPECT_EQ(team.threads(), threads);
    for (std::size_t n : {0, 1, 7, 64, 1000}) {
      std::vector<int> visits(n, 0);
      team.for_blocks(n, 16, [&](const Block& block) {
        EXPECT_EQ(block.begin, block.index * 16);
        for (std::size_t i = block.begin; i < block.end; ++i) ++visits[i];
      });
      EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), std::ptrdiff_t(n));
    }
  }
}

// Floating-point addition is not associative: a sum whose order followed the threads would differ in its last
// bits.
TEST(Team, sums_to_the_same_bits_on_any_number_of_threads) {
  std::vector<double> values(100000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 / double(1 + (i * 7919) % 100003);
  const auto sum = [&](int threads) {
    Team team(threads);
    return team.reduce(
        values.size(), 97, 0.0,
        [&](const Block& b) {
          return std::accumulate(values.begin() + std::ptrdiff_t(b.begin),
                                 values.begin() + std::ptrdiff_t(b.end), 0.0);
        },
        [](double a, double b) { return a + b; });
  };
  const double one = sum(1);
  for (int threads : {2, 3, 8})
    for (int repeat = 0; repeat < 20; ++repeat) EXPECT_EQ(sum(threads), one);
}

TEST(Team, survives_many_short_jobs) {
  Team team(4);
  std::vector<int> sums(8, 0);
  for (int round = 0; round < 20000; ++round)
    team.for_blocks(sums.size(), 1, [&](const Block& b) { ++sums[b.begin]; });
  for (int s : sums) EXPECT_EQ(s, 20000);
}

TEST(Team, rethrows_the_exception_of_the_lowest_block) {
  Team team(3);
  for (int repeat = 0; repeat < 50; ++repeat) {
    try {
      team.for_blocks(100, 1, [](const Block& b) {
        if (b.index == 40 || b.index == 41 || b.index == 99)
          throw std::runtime_error(std::to_string(b.index));
      });
      FAIL();
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "40");
    }
    int runs = 0;  // the team is still of use
    team.for_blocks(1, 1, [&](const Block&) { ++runs; });
    EXPECT_EQ(runs, 1);
  }
}

}  // namespace
}  // namespace cairn
