#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "base/arena.h"
#include "base/bit_set.h"
#include "base/chunked.h"
#include "base/float_control.h"
#include "base/headed_list.h"
#include "base/inline_list.h"
#include "base/state_hash.h"
#include "base/timer.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace cairn {
namespace {

TEST(Arena, takes_aligned_memory_that_does_not_overlap) {
  Arena arena(256);
  std::vector<std::span<int>> spans;
  for (int i = 0; i < 100; ++i) spans.push_back(arena.take<int>(std::size_t(i), i));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(std::uintptr_t(spans[std::size_t(i)].data()) % k_cache_line, 0u);
    for (int v : spans[std::size_t(i)]) EXPECT_EQ(v, i);
  }
}

TEST(Arena, stops_allocating_once_it_has_seen_the_need) {
  Arena arena(128);
  const auto step = [&] {
    arena.reset();
    for (int i = 0; i < 50; ++i) arena.take<double>(100);
  };
  step();
  step();
  const std::size_t reserved = arena.bytes_reserved();
  EXPECT_EQ(arena.bytes_used(), 50u * 832);  // 800 bytes fill thirteen cache lines
  for (int i = 0; i < 10; ++i) step();
  EXPECT_EQ(arena.bytes_reserved(), reserved);
}

TEST(Chunked, keeps_its_elements_where_they_are) {
  Chunked<int, 4> list;
  std::vector<int*> places;
  for (int i = 0; i < 11; ++i) {
    int& element = list.emplace_back();
    EXPECT_EQ(element, 0);
    element = i;
    places.push_back(&element);
  }
  EXPECT_EQ(list.size(), 11u);
  EXPECT_EQ(list.capacity(), 12u);
  for (std::size_t i = 0; i < 11; ++i) EXPECT_EQ(&list[i], places[i]);
  Chunked<int, 4> copy = list;
  list[7] = 70;
  EXPECT_EQ(copy[7], 7);
  EXPECT_EQ(copy[10], 10);
  copy = list;
  EXPECT_EQ(copy[7], 70);
  const Chunked<int, 4> taken = std::move(copy);
  EXPECT_EQ(taken.size(), 11u);
  list.reserve(13);
  EXPECT_EQ(list.capacity(), 16u);
  EXPECT_EQ(list.size(), 11u);
}

TEST(InlineList, behaves_like_a_vector) {
  InlineList<int, 2> list;
  std::vector<int> expected;
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 3 * round; ++i) {
      list.push_back(10 * round + i);
      expected.push_back(10 * round + i);
    }
    EXPECT_EQ(std::vector<int>(list.begin(), list.end()), expected);
    EXPECT_EQ(list.size(), expected.size());
    const InlineList<int, 2> copy = list;
    EXPECT_EQ(std::vector<int>(copy.begin(), copy.end()), expected);
    list.clear();
    expected.clear();
    EXPECT_TRUE(list.empty());
  }
}

// Of every length onto every length, with and without memory of its own, onto itself too.
TEST(InlineList, is_copied_and_moved_with_all_that_it_holds) {
  using List = InlineList<int, 2>;
  const auto make = [](int size, int most) {  // once held `most`
    List list;
    for (int i = 0; i < most; ++i) list.push_back(-1);
    list.clear();
    for (int i = 0; i < size; ++i) list.push_back(10 * size + i);
    return list;
  };
  const auto expect = [](const List& list, int size) {
    ASSERT_EQ(list.size(), std::size_t(size));
    for (int i = 0; i < size; ++i) EXPECT_EQ(list[std::size_t(i)], 10 * size + i);
  };
  for (int from = 0; from < 5; ++from)
    for (int most_from : {0, 4})
      for (int to = 0; to < 5; ++to)
        for (int most_to : {0, 4}) {
          const List source = make(from, most_from);
          List copy = make(to, most_to), moved = make(to, most_to), gone = source;
          copy = source;
          expect(copy, from);
          expect(source, from);
          copy = *&copy;
          expect(copy, from);
          moved = std::move(gone);
          expect(moved, from);
          copy.push_back(7);
          EXPECT_EQ(copy.back(), 7);
          expect(source, from);
          List taken(std::move(moved));
          expect(taken, from);
          std::swap(taken, copy);
          expect(copy, from);
          EXPECT_EQ(taken.size(), std::size_t(from + 1));
        }
}

// Of every length onto every length, with and without memory left from before, onto itself too.
TEST(HeadedList, is_copied_and_moved_with_all_that_it_holds) {
  using List = HeadedList<double, int>;
  const auto make = [](int size, int most) {  // once held `most`
    List list;
    for (int i = 0; i < most; ++i) list.push_back(-1);
    list.clear();
    for (int i = 0; i < size; ++i) list.push_back(10 * size + i);
    if (size > 0) list.head() = 0.5 + size;
    return list;
  };
  const auto expect = [](const List& list, int size) {
    ASSERT_EQ(list.size(), std::size_t(size));
    EXPECT_EQ(list.end() - list.begin(), size);
    for (int i = 0; i < size; ++i) EXPECT_EQ(list[std::size_t(i)], 10 * size + i);
    if (size > 0) {
      EXPECT_EQ(list.head(), 0.5 + size);
    }
  };
  for (int from = 0; from < 5; ++from)
    for (int most_from : {0, 7})
      for (int to = 0; to < 5; ++to)
        for (int most_to : {0, 7}) {
          const List source = make(from, most_from);
          List copy = make(to, most_to), moved = make(to, most_to), gone = source;
          copy = source;
          expect(copy, from);
          expect(source, from);
          copy = *&copy;
          expect(copy, from);
          moved = std::move(gone);
          expect(moved, from);
          expect(gone, 0);
          if (from > 0) {
            copy.push_back(copy[0]);
            EXPECT_EQ(copy[std::size_t(from)], 10 * from);
            EXPECT_EQ(copy.head(), 0.5 + from);
          }
          expect(source, from);
          List taken(std::move(moved));
          expect(taken, from);
          taken.swap(copy);
          expect(copy, from);
        }
}

TEST(HeadedList, keeps_its_memory_until_it_is_given_back) {
  HeadedList<double, int> list;
  EXPECT_EQ(list.capacity(), 0u);
  EXPECT_EQ(list.begin(), list.end());
  for (int i = 0; i < 3; ++i) list.push_back(i);
  EXPECT_EQ(list.capacity(), 4u);
  const int* const there = list.begin();
  list.clear();
  const HeadedList<double, int> none;
  list = none;
  list.push_back(5);
  EXPECT_EQ(list.begin(), there);
  list = {};
  EXPECT_EQ(list.capacity(), 0u);
}

TEST(BitSet, behaves_like_a_set) {
  BitSet bits(300);
  std::set<std::size_t> model;
  for (std::size_t i = 0; i < 1000; ++i) {
    const std::size_t k = i * i * 31 % 300;
    if (i % 3) {
      bits.insert(k), model.insert(k);
    } else {
      bits.erase(k), model.erase(k);
    }
  }
  std::vector<std::size_t> seen;
  bits.for_each([&](std::size_t i) { seen.push_back(i); });
  EXPECT_EQ(seen, std::vector<std::size_t>(model.begin(), model.end()));
  EXPECT_EQ(bits.count(), model.size());
  bits.resize(65);
  bits.resize(300);
  for (std::size_t i = 65; i < 300; ++i) EXPECT_FALSE(bits.contains(i));
}

TEST(StateHash, sees_order_sign_of_zero_and_every_bit) {
  const auto hash = [](auto... v) {
    StateHash h;
    (h.add(v), ...);
    return h.value();
  };
  EXPECT_EQ(hash(1.0, 2.0), hash(1.0, 2.0));
  EXPECT_NE(hash(1.0, 2.0), hash(2.0, 1.0));
  EXPECT_NE(hash(0.0), hash(-0.0));
  EXPECT_NE(hash(0.0), hash(0.0, 0.0));
  std::set<std::uint64_t> all;
  for (int bit = 0; bit < 64; ++bit) all.insert(hash(std::uint64_t{1} << bit, std::uint64_t{42}));
  EXPECT_EQ(all.size(), 64u);
}

TEST(Stopwatch, does_not_go_backwards) {
  Stopwatch watch;
  EXPECT_GE(watch.lap(), 0);
  EXPECT_GE(watch.seconds(), 0);
}

#if defined(__x86_64__)
TEST(FloatControl, keeps_denormals_and_restores_what_the_host_had) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
  {
    const FloatControl control;
    volatile double tiny = 1e-308;
    EXPECT_GT(tiny / 1024, 0);
  }
  EXPECT_EQ(_mm_getcsr() & 0x8040, 0x8040u);
  _mm_setcsr(before);
}
#endif

}  // namespace
}  // namespace cairn
