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
