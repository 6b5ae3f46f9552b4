#include "narrowphase/contact_list.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace cairn {
namespace {

// Against a std::map, over many random changes: order, identity and memory of the contacts.
TEST(ContactList, keeps_its_contacts_in_the_order_of_pairs) {
  ContactList<Dim3> list;
  std::map<ProxyPair, double> expected;
  std::mt19937 random(3);
  double stamp = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<ProxyPair> pairs;
    for (int k = 0; k < int(random() % 30); ++k) {
      const std::uint32_t a = random() % 40, b = a + 1 + random() % 20;
      pairs.push_back({a, b});
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    list.leave_new(pairs);
    for (const ProxyPair& pair : pairs) ASSERT_FALSE(expected.contains(pair));
    list.add(pairs);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (!expected.contains(list[i].pair)) {
        EXPECT_TRUE(list[i].patches.empty() && list[i].separation == 0)
            << "a new contact remembers an old one";
        expected[list[i].pair] = list[i].separation = ++stamp;
        list[i].patches.push_back({});
      }
    const std::uint32_t victim = random() % 40;
    const auto unwanted = [&](const ProxyPair& pair) {
      return pair.a == victim || (pair.a + pair.b) % 7 == 0;
    };
    list.remove_if([&](const PairContact<Dim3>& contact) { return unwanted(contact.pair); });
    std::erase_if(expected, [&](const auto& entry) { return unwanted(entry.first); });
    ASSERT_EQ(list.size(), expected.size());
    std::size_t i = 0;
    for (const auto& [pair, value] : expected) {
      ASSERT_EQ(list[i].pair, pair);
      ASSERT_EQ(list[i].separation, value);
      ++i;
    }
  }
  EXPECT_GT(stamp, 1000);
}

}  // namespace
}  // namespace cairn
