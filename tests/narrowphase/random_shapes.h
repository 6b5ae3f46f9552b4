// Shapes of all sizes and proportions, for tests and fuzzers.
#pragma once

#include <deque>
#include <random>
#include <vector>

#include "narrowphase/reference_2d.h"
#include "narrowphase/reference_3d.h"

namespace cairn::test {

// The same numbers everywhere: the standard fixes the engine but not the distributions.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  double uniform(double lo, double hi) { return lo + (hi - lo) * (double(engine_() >> 11) * 0x1p-53); }
  std::size_t below(std::size_t n) { return std::size_t(engine_() % n); }
  bool chance(double p) { return uniform(0, 1) < p; }
  double power_of_ten(double lo, double hi) { return std::pow(10., uniform(lo, hi)); }
  double sign() { return chance(0.5) ? 1 : -1; }
  double signed_power_of_ten(double lo, double hi) {
    const double way = sign();
    return way * power_of_ten(lo, hi);
  }

  Vec2 unit2() {
    const double angle = uniform(-k_pi, k_pi);
    return {std::cos(angle), std::sin(angle)};
  }
  Vec3 unit3() {
    const Vec2 around = unit2();
    const double z = uniform(-1, 1), r = std::sqrt(1 - z * z);
    return {r * around.x, r * around.y, z};
  }
  Rot2 rotation2() {
    const Vec2 u = unit2();
    return normalized(Rot2{u.x, u.y});
  }
  Rot3 rotation3() {  // Shoemake 1992
    const double u = uniform(0, 1);
    const Vec2 p = unit2(), q = unit2();
    const double r = std::sqrt(1 - u), s = std::sqrt(u);
    return normalized(Rot3{r * p.x, r * p.y, s * q.x, s * q.y});
  }

 private:
  std::mt19937_64 engine_;
};

enum class Kind2 { circle, box, capsule, polygon, segment };
enum class Kind3 { sphere, box, capsule, cylinder, cone, hull, plane };
inline constexpr int k_kinds2 = 5, k_kinds3 = 7;
const char* name_of(Kind2 kind);
const char* name_of(Kind3 kind);

// A shape of about this size; with some chance a plate or a needle, up to a thousand times longer than thick.
Shape2 random_shape(Kind2 kind, double size, Dice& dice);
Shape3 random_shape(Kind3 kind, double size, Dice& dice);

// A built shape with the reference's view of it.
struct Sample2 {
  Geometry2 geometry;
  Piece2 piece;
  Body2 body;
};
struct Sample3 {
  Geometry3 geometry;
  Piece3 piece;
  Body3 body;
};
// Many of one kind: of sizes between 1 mm and 1 km, these included. A deque, for pieces point into it.
std::deque<Sample2> samples_of(Kind2 kind, int count, Dice& dice);
std::deque<Sample3> samples_of(Kind3 kind, int count, Dice& dice);

}  // namespace cairn::test
