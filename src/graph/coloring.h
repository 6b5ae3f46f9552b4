// Colors for constraints so that no two of a color touch the same body: greedy, in the order given, so that a color
// depends on nothing but the constraints before it on the same bodies.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace cairn {

class Coloring {
 public:
  // The last color takes what has no other: its constraints may share bodies.
  static constexpr int k_overflow = 63;

  void reset(std::uint32_t bodies) { taken_.assign(bodies, 0); }
  // Bodies that do not move (`moves_a`, `moves_b`) may be shared.
  int color(std::uint32_t a, bool moves_a, std::uint32_t b, bool moves_b) {
    const std::uint64_t taken = (moves_a ? taken_[a] : 0) | (moves_b ? taken_[b] : 0);
    const int color = std::countr_one(taken);
    if (color >= k_overflow) return k_overflow;
    if (moves_a) taken_[a] |= std::uint64_t{1} << color;
    if (moves_b) taken_[b] |= std::uint64_t{1} << color;
    return color;
  }

 private:
  std::vector<std::uint64_t> taken_;  // by body: its constraints' colors
};

}  // namespace cairn
