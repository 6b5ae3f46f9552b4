// Who hangs together with whom: sets of numbers that are joined (Tarjan 1975, with path halving).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cairn {

class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) {
    for (std::size_t i = 0; i < n; ++i) parent_[i] = std::uint32_t(i);
  }
  // The lowest number in the group of i.
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace cairn
