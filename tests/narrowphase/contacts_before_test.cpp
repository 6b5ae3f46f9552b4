#include "narrowphase/contacts_before.h"

#include <gtest/gtest.h>

#include <bit>

#include "base/team.h"
#include "geometry/extent.h"

namespace cairn {
namespace {

constexpr double k_margin = 0.02, k_recycle = 1e-4;  // [m]

// All that can be seen of a contact, bit for bit.
std::vector<std::uint64_t> bits_of(const PairContact<Dim3>& c) {
  std::vector<std::uint64_t> bits;
  const auto add = [&](double x) { bits.push_back(std::bit_cast<std::uint64_t>(x)); };
  const auto add_vector = [&](const Vec3& v) { add(v.x), add(v.y), add(v.z); };
  for (const bool b : {c.sensor, c.touching, c.kept, c.found, c.recycled, c.has_own_material})
    bits.push_back(b);
  if (c.has_own_material) add(c.patches[0].material.static_friction);
  add(c.separation);
  add_vector(c.cache.axis);
  bits.push_back(c.cache.kind);
  if (!c.patches.empty()) add_vector(c.patches.head().found_at.position);
  bits.push_back(c.patches.size());
  for (const PairPatch<Dim3>& patch : c.patches) {
    add_vector(patch.normal);
    bits.push_back(std::uint64_t(patch.count));
    for (int k = 0; k < patch.count; ++k) {
      const PairPoint<Dim3>& point = patch.points[k];
      add_vector(point.anchor_a), add_vector(point.anchor_b), add_vector(point.impulse);
      add(point.separation), add(point.load);
      bits.push_back(point.age);
    }
  }
  return bits;
}

// Boxes that rest on each other, in 8 pairs: they are moved by little or much, or apart, or were apart and meet.
TEST(ContactsBefore, puts_back_every_bit) {
  const Box3 box{.half = {0.5, 0.4, 0.3}};
  const PieceOnBody<Dim3> piece{Piece3(&box), {}, outer_radius(Piece3(&box), {})};
  const double heights[][2] = {{0.6, 0.60001}, {0.6, 0.61}, {0.6, 0.7}, {0.7, 0.6},
                               {0.7, 0.71},    {0.59, 0.6}, {0.6, 0.6}, {0.6, 0.60002}};
  ContactList<Dim3> list;
  std::vector<ProxyPair> pairs;
  for (std::uint32_t i = 0; i < std::size(heights); ++i) pairs.push_back({2 * i, 2 * i + 1});
  list.add(pairs);
  const auto at = [](double height) { return Pose3{{0.1, 0.05, height}, rotation_of(Vec3{0, 0, 0.3})}; };
  for (std::size_t i = 0; i < list.size(); ++i) {
    update(list[i], piece, piece, at(heights[i][0]), {k_margin, k_recycle});
    for (PairPatch<Dim3>& patch : list[i].patches)
      for (int k = 0; k < patch.count; ++k)
        patch.points[k].load = 1 + k, patch.points[k].age = std::uint32_t(7 + k);
    list[i].touching = list[i].separation <= 0;
  }
  list[7].has_own_material = true;
  list[7].patches[0].material.static_friction = 0.3;
  list[7].kept = false;

  std::vector<std::vector<std::uint64_t>> expected;
  for (std::size_t i = 0; i < list.size(); ++i) expected.push_back(bits_of(list[i]));
  ContactsBefore<Dim3> before;
  for (int round = 0; round < 2; ++round) {
    before.begin(list.size());
    before.expect(list.size());
    int recycled = 0, afresh = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      PairContact<Dim3>& contact = list[i];
      if (can_recycle(contact, piece, piece, at(heights[i][1]), k_recycle)) {
        before.keep(i, std::uint32_t(i), contact);
        recycle(contact, at(heights[i][1]));
        ++recycled;
      } else {
        find_afresh(contact, before.keep_patches(i, std::uint32_t(i), contact), piece, piece,
                    at(heights[i][1]), k_margin);
        list.set_apart_until(i, 3);
        ++afresh;
      }
      contact.sensor = contact.touching = true;  // as the world and the hook might
      contact.kept = false;
      contact.has_own_material = !contact.patches.empty();
      if (contact.has_own_material) contact.patches[0].material = {};
      EXPECT_NE(bits_of(contact), expected[i]) << i;
    }
    EXPECT_EQ(recycled, 3);
    EXPECT_EQ(afresh, 5);
    before.put_all_back(list);
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(bits_of(list[i]), expected[i]) << i;
      EXPECT_LT(list.apart_until(i), 0) << "what may have been near is held to be apart";
    }
  }
}

// More of them than are kept in one piece of memory, by several threads: first those that were never found, then as they were.
TEST(ContactsBefore, puts_back_many_and_what_was_never_found) {
  const Box3 box{.half = {0.5, 0.4, 0.3}};
  const PieceOnBody<Dim3> piece{Piece3(&box), {}, outer_radius(Piece3(&box), {})};
  ContactList<Dim3> list;
  std::vector<ProxyPair> pairs;
  for (std::uint32_t i = 0; i < 500; ++i) pairs.push_back({2 * i, 2 * i + 1});
  list.add(pairs);
  Team team(3);
  ContactsBefore<Dim3> before;
  for (const double height : {0.59, 0.6, 0.58}) {
    std::vector<std::vector<std::uint64_t>> bits;
    for (std::size_t i = 0; i < list.size(); ++i) bits.push_back(bits_of(list[i]));
    const auto find_all = [&] {
      before.begin(list.size());
      before.expect(list.size());
      team.for_blocks(list.size(), 8, [&](const Block& block) {
        for (std::size_t i = block.begin; i < block.end; ++i)
          find_afresh(list[i], before.keep_patches(i, std::uint32_t(i), list[i]), piece, piece,
                      {{0.1, 1e-4 * double(i), height}, rotation_of(Vec3{0, 0, 0.3})}, k_margin);
      });
    };
    find_all();
    EXPECT_NE(bits_of(list[77]), bits[77]);
    before.put_all_back(list);
    for (std::size_t i = 0; i < list.size(); ++i) {
      ASSERT_EQ(bits_of(list[i]), bits[i]) << i;
      ASSERT_EQ(list[i].pair, pairs[i]);
    }
    find_all();
    before.forget();
  }
}

// Memory for patches of contacts that are found afresh stays for steps that need as much again, and goes if for long none does.
TEST(ContactsBefore, gives_memory_back_that_is_not_needed_for_long) {
  const Box3 box{.half = {0.5, 0.4, 0.3}};
  const PieceOnBody<Dim3> piece{Piece3(&box), {}, outer_radius(Piece3(&box), {})};
  ContactList<Dim3> list;
  std::vector<ProxyPair> pairs;
  for (std::uint32_t i = 0; i < 1000; ++i) pairs.push_back({2 * i, 2 * i + 1});
  list.add(pairs);
  ContactsBefore<Dim3> before;
  const auto step = [&](std::uint32_t afresh) {
    before.begin(list.size());
    before.expect(afresh);
    for (std::uint32_t i = 0; i < afresh; ++i)
      find_afresh(list[i], before.keep_patches(i, i, list[i]), piece, piece, {{0.1, 0, 0.59}, {}}, k_margin);
    before.forget();
  };
  step(1000), step(1000);
  EXPECT_EQ(before.places_with_memory(), 1000u);
  for (int i = 0; i < 40; ++i) step(300);
  EXPECT_EQ(before.places_with_memory(), 1000u);
  for (int i = 0; i < 1000; ++i) step(300);
  EXPECT_EQ(before.places_with_memory(), 375u);
  step(1000);
  EXPECT_EQ(before.places_with_memory(), 1000u);
  for (const std::size_t i : {0u, 500u, 999u}) EXPECT_EQ(list[i].patches.size(), 1u);
}

TEST(ContactsBefore, keeps_nothing_of_a_step_that_stands) {
  ContactList<Dim3> list;
  list.add(std::vector<ProxyPair>{{0, 1}});
  ContactsBefore<Dim3> before;
  before.begin(1);
  before.expect(1);
  before.keep_patches(0, 0, list[0]);
  list[0].separation = 5;
  before.forget();
  before.put_all_back(list);
  EXPECT_EQ(list[0].separation, 5);
}

}  // namespace
}  // namespace cairn
