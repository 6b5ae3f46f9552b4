// Chance that is the same everywhere and every time: SplitMix64 of Steele, Lea and Flood (2014).
#pragma once

#include <cairn/math.h>

#include <cstdint>

namespace cairn::bench {

class Random {
 public:
  explicit Random(std::uint64_t seed = 1) : state_(seed) {}
  double uniform(double lo, double hi) {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return lo + (hi - lo) * double((z ^ z >> 31) >> 11) * 0x1p-53;
  }
  Vec3 vector(double lo, double hi) {  // braces, so that every compiler draws x, y, z in this order
    return Vec3{uniform(lo, hi), uniform(lo, hi), uniform(lo, hi)};
  }
  Vec3 direction() {  // unit, all alike
    for (;;) {
      const Vec3 v = vector(-1, 1);
      const double r = length(v);
      if (r > 0.01 && r < 1) return v / r;
    }
  }
  Rot3 rotation() {  // all alike: four numbers in the unit ball, scaled to its surface
    for (;;) {
      const Rot3 q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      const double r = norm(q);
      if (r > 0.01 && r < 1) return normalized(q);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace cairn::bench
