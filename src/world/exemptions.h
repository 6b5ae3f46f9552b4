// Pairs of bodies that do not meet, whatever their shapes' filters say.
//
// Counted, because several joints may part a pair. What the user asked for is in a list of its own, so that neither
// undoes the other.
#pragma once

#include <cairn/id.h>

#include <algorithm>
#include <vector>

namespace cairn {

class Exemptions {
 public:
  bool contains(BodyId a, BodyId b) const {
    const auto it = find(a, b);
    return it != entries_.end() && it->same(a, b);
  }
  void add(BodyId a, BodyId b) {
    const auto it = find(a, b);
    if (it != entries_.end() && it->same(a, b))
      ++entries_[std::size_t(it - entries_.begin())].count;
    else
      entries_.insert(it, {std::min(a, b), std::max(a, b), 1});
  }
  void remove(BodyId a, BodyId b) {
    const auto it = find(a, b);
    if (it == entries_.end() || !it->same(a, b)) return;
    if (--entries_[std::size_t(it - entries_.begin())].count == 0) entries_.erase(it);
  }
  void remove_all_of(BodyId body) {
    std::erase_if(entries_, [&](const Entry& e) { return e.a == body || e.b == body; });
  }

  struct Entry {
    BodyId a, b;  // a < b
    std::uint32_t count;
    bool same(BodyId x, BodyId y) const { return a == std::min(x, y) && b == std::max(x, y); }
  };
  const std::vector<Entry>& entries() const { return entries_; }  // sorted

 private:
  std::vector<Entry>::const_iterator find(BodyId a, BodyId b) const {
    const std::pair key{std::min(a, b), std::max(a, b)};
    return std::lower_bound(entries_.begin(), entries_.end(), key, [](const Entry& e, const auto& k) {
      return std::pair{e.a, e.b} < k;
    });
  }

  std::vector<Entry> entries_;  // sorted
};

}  // namespace cairn
