// Which of n things hang together: disjoint sets. The smallest member stands for its set, so that the answer does
// not depend on the order of the questions.
#pragma once

#include <cstdint>
#include <vector>

namespace cairn {

class Islands {
 public:
  void reset(std::uint32_t count) {
    parent_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) parent_[i] = i;
  }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a), b = root(b);
    if (a < b)
      parent_[b] = a;
    else
      parent_[a] = b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace cairn
