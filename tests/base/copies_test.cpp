#include "base/copies.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/revision.h"
#include "base/shared.h"

namespace cairn {
namespace {

struct Mixed {
  std::vector<int> state{1};
  Uncopied<std::vector<int>> scratch{};
  Uncopied<std::function<int()>> hook{};
  Uncopied<const int*> tie{nullptr};
  Roomy<std::vector<int>> roomy{};
};
static_assert(std::is_nothrow_move_assignable_v<Mixed>);

TEST(Copies, leave_out_what_says_so) {
  const int here = 1, there = 2;
  Mixed a;
  a.state = {1, 2};
  a.scratch = {3, 4};
  a.hook = std::function<int()>([] { return 5; });
  Mixed b{.tie = Uncopied<const int*>(&there)};
  b.scratch = {6};
  b.hook = std::function<int()>([] { return 7; });
  Mixed copy = a;
  EXPECT_EQ(copy.state, a.state);
  EXPECT_TRUE(copy.scratch.empty());
  EXPECT_FALSE(copy.hook);
  b = std::move(copy);
  EXPECT_EQ(b.state, a.state);
  EXPECT_EQ(b.scratch, (std::vector<int>{6}));
  EXPECT_EQ(b.hook(), 7);
  EXPECT_EQ(&*b.tie, &there);
  Mixed tied{.tie = Uncopied<const int*>(&here)};
  tied = Mixed(b);
  EXPECT_EQ(&*tied.tie, &here);
}

TEST(Copies, have_as_much_room) {
  Roomy<std::vector<int>> list;
  list.reserve(100);
  list.push_back(7);
  const Roomy<std::vector<int>> copy = list, second = copy;
  EXPECT_GE(second.capacity(), 100u);
  EXPECT_EQ(second, (std::vector<int>{7}));
  Roomy<std::vector<int>> assigned;
  assigned = Roomy<std::vector<int>>(second);
  EXPECT_GE(assigned.capacity(), 100u);
}

// Whatever is put back over something, it is not what was there.
TEST(Revision, changes_with_every_assignment) {
  Revision now, other;
  EXPECT_NE(now.value(), 0u);
  std::vector<std::uint64_t> seen{now.value()};
  const Revision saved = now;
  now.change();
  seen.push_back(now.value());
  now = saved;
  seen.push_back(now.value());
  now = std::move(other);
  seen.push_back(now.value());
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_GT(seen[i], seen[i - 1]);
}

TEST(Shared, is_read_by_all_and_changed_by_each_for_itself) {
  Shared<std::string> a(std::string("one"));
  EXPECT_FALSE(Shared<std::string>());
  Shared<std::string> b = a;
  EXPECT_EQ(&*a, &*b);
  b.own() += "!";
  EXPECT_EQ(*a, "one");
  EXPECT_EQ(*b, "one!");
  const std::string* const alone = &*b;
  b.own() += "!";
  EXPECT_EQ(&*b, alone);  // nobody else reads it
  a = b;
  EXPECT_EQ(&*a, alone);
  b = {};
  EXPECT_EQ(a->size(), 5u);
  a.own().clear();
  EXPECT_EQ(&*a, alone);
  const Shared<std::string> moved = std::move(a);
  EXPECT_FALSE(a);
  EXPECT_EQ(&*moved, alone);
}

}  // namespace
}  // namespace cairn
