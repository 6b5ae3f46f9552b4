#include "base/id_pool.h"

#include <gtest/gtest.h>

#include "base/world_number.h"

namespace cairn {
namespace {

using Pool = IdPool<BodyTag>;

std::string message(const Pool& pool, BodyId id) {
  try {
    pool.index_of(id, "BodyId");
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(Id, packs_index_generation_and_world) {
  const BodyId id(0xabcdef1, 0x123456, 0x789);
  EXPECT_EQ(id.index(), 0xabcdef1u);
  EXPECT_EQ(id.generation(), 0x123456u);
  EXPECT_EQ(id.world(), 0x789u);
  EXPECT_EQ(BodyId::from_bits(id.bits()), id);
  EXPECT_FALSE(BodyId{});
}

TEST(IdPool, tells_stale_foreign_and_null_ids_apart) {
  Pool pool(7), other(8);
  const BodyId a = pool.create();
  EXPECT_EQ(pool.index_of(a, "BodyId"), 0u);
  pool.destroy(a);
  EXPECT_NE(message(pool, a).find("no longer exists"), std::string::npos);
  EXPECT_NE(message(pool, other.create()).find("another world"), std::string::npos);
  EXPECT_NE(message(pool, {}).find("null id"), std::string::npos);
  EXPECT_NE(message(pool, BodyId(1000, 1, 7)), "");
}

TEST(IdPool, reuses_slots_with_a_new_generation) {
  Pool pool(1);
  const BodyId a = pool.create();
  pool.create();
  pool.destroy(a);
  const BodyId b = pool.create();
  EXPECT_EQ(b.index(), a.index());
  EXPECT_EQ(b.generation(), a.generation() + 1);
  EXPECT_FALSE(pool.contains(a));
  EXPECT_TRUE(pool.contains(b));
  EXPECT_EQ(pool.at(b.index()), b);
  EXPECT_EQ(pool.live_count(), 2u);
}

TEST(IdPool, retires_a_slot_whose_generations_are_spent) {
  Pool pool(1, 3);
  std::vector<BodyId> seen;
  for (int i = 0; i < 10; ++i) {
    seen.push_back(pool.create());
    pool.destroy(seen.back());
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_FALSE(pool.contains(seen[i]));
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(seen[i], seen[j]);
  }
  EXPECT_EQ(pool.slot_count(), 4u);  // three tenants a slot, ten tenants
}

TEST(Id, sorts_by_slot_whatever_the_generation) {
  EXPECT_LT(BodyId(1, 9, 1), BodyId(2, 1, 1));
  EXPECT_LT(BodyId(2, 1, 1), BodyId(2, 2, 1));
}

// Put back, a pool has the ids it had then and hands out the same slots, but no id twice.
TEST(IdPool, never_hands_out_an_id_again_when_put_back) {
  Pool pool(1);
  const BodyId kept = pool.create(), gone = pool.create();
  pool.destroy(gone);
  const Pool then = pool;
  std::vector<BodyId> seen;
  for (int round = 0; round < 5; ++round) {
    std::vector<BodyId> now{pool.create(), pool.create(), pool.create()};
    pool.destroy(kept);
    now.push_back(pool.create());
    for (const BodyId id : now) {
      EXPECT_TRUE(pool.contains(id));
      for (const BodyId old : seen) EXPECT_NE(id, old);
    }
    EXPECT_EQ(now[0].index(), gone.index());
    EXPECT_EQ(now[1].index(), 2u);
    EXPECT_EQ(now[3].index(), kept.index());
    seen.insert(seen.end(), now.begin(), now.end());
    pool = Pool(then);
    EXPECT_TRUE(pool.contains(kept));
    EXPECT_FALSE(pool.contains(gone));
    EXPECT_EQ(pool.live_count(), 1u);
    for (const BodyId id : seen) EXPECT_FALSE(pool.contains(id));
    Faults faults;
    pool.find_faults(faults, "things");
    EXPECT_TRUE(faults.empty());
  }
}

TEST(IdPool, goes_round_slots_that_were_spent_before_it_was_put_back) {
  Pool pool(1, 3);
  pool.destroy(pool.create());
  const Pool then = pool;  // slot 0 is free, after one tenant of three
  std::vector<BodyId> seen;
  for (int i = 0; i < 20; ++i) {
    seen.push_back(pool.create());
    for (std::size_t k = 0; k + 1 < seen.size(); ++k) EXPECT_NE(seen.back(), seen[k]);
    EXPECT_TRUE(pool.contains(seen.back()));
    Faults faults;
    pool.find_faults(faults, "things");
    EXPECT_TRUE(faults.empty()) << faults.texts()[0];
    pool = Pool(then);
  }
}

TEST(WorldNumber, is_in_use_until_its_last_copy_is_gone) {
  auto first = std::make_unique<WorldNumber>();
  const std::uint32_t n = first->value();
  auto copy = std::make_unique<WorldNumber>(*first);
  EXPECT_EQ(copy->value(), n);
  first.reset();
  const auto is_handed_out = [&] {
    for (int i = 0; i < 4096; ++i)
      if (WorldNumber().value() == n) return true;
    return false;
  };
  EXPECT_FALSE(is_handed_out());
  *copy = WorldNumber();
  EXPECT_NE(copy->value(), n);
  EXPECT_TRUE(is_handed_out());
}

TEST(WorldNumber, is_unique_among_the_living_and_comes_back_late) {
  std::uint32_t first;
  {
    const WorldNumber a, b;
    first = a.value();
    EXPECT_NE(a.value(), b.value());
    EXPECT_GT(a.value(), 0u);
  }
  const WorldNumber c;
  EXPECT_NE(c.value(), first);
  std::vector<std::unique_ptr<WorldNumber>> all;
  for (int i = 0; i < 4094; ++i) all.push_back(std::make_unique<WorldNumber>());
  EXPECT_THROW(WorldNumber{}, Error);
  all.pop_back();
  EXPECT_NO_THROW(WorldNumber{});
}

}  // namespace
}  // namespace cairn
