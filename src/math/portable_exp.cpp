// The exponential and the natural logarithm with the same bits everywhere.
#include "math/portable_parts.h"

namespace cairn::portable {
namespace {

// ln 2 in two parts; the first ends at 2⁻⁴², so that an integer below 2¹¹ times it is exact.
constexpr Pair k_ln2 = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};
constexpr double k_one_over_ln2 = 1.4426950408889634;

// e^r = 1 + r + r² E(r) on |r| ≤ ln 2 / 2, relative error 2⁻⁵⁷·⁹.
constexpr double k_exponential[] = {0.50000000000000111,    0.16666666666666424,    0.041666666666527075,
                                    0.0083333333334870557,  0.0013888888944301315,  0.00019841269522432375,
                                    2.4801492499671889e-05, 2.7557572353167996e-06, 2.7630437253462537e-07,
                                    2.5004458821521109e-08};
// ln((1 + s)/(1 − s)) = 2s + s³ L(s²) on |s| ≤ 3 − 2√2, relative error 2⁻⁵⁹·⁵.
constexpr double k_logarithm[] = {0.6666666666666734,  0.39999999999417063, 0.28571428741887983,
                                  0.22222198622096068, 0.1818356188375313,  0.15314110871436523,
                                  0.14795365146499864};

// (hi + lo)·2ᵏ for k < −1021, rounded only once although it may be denormal: a multiple of u = 2⁻¹⁰⁷⁴. In
// units of 2ᵏ throughout: adding the least normal number, 2⁵² u, makes u the last place, and taking it away
// again is exact.
double scaled_to_denormal(double hi, double lo, int k) {
  const double least_normal = power_of_two(-1022 - k);
  const Pair lifted = sum(least_normal, hi);
  const double rounded = hi < least_normal ? (lifted.hi + (lifted.lo + lo)) - least_normal : hi + lo;
  return rounded * power_of_two(k + 60) * 0x1p-60;  // 2ᵏ may itself be denormal
}

}  // namespace

// e^x = 2^k e^r with k the integer next to x / ln 2.
double exp(double x) noexcept {
  if (!(x > -746 && x < 710)) return x > 0 ? k_infinity : x < 0 ? 0 : k_nan;

  const double rounded = x * k_one_over_ln2 + k_rounder;
  const double n = rounded - k_rounder;
  const int k = static_cast<int>(n);
  const Pair r = sum(x - n * k_ln2.hi, -(n * k_ln2.lo));  // x − n ln2.hi is exact
  const Pair s = sum(1, r.hi);
  const double rest = s.lo + (s.hi * r.lo + (r.hi * r.hi) * polynomial(k_exponential, r.hi));

  if (k == 1024) return (s.hi + rest) * 0x1p1023 * 2;  // may still be finite
  if (k >= -1021) return (s.hi + rest) * power_of_two(k);
  return scaled_to_denormal(s.hi, rest, k);
}

// ln x = k ln 2 + ln m with m in [√½, √2), and ln m = 2 artanh s, s = (m − 1)/(m + 1).
double log(double x) noexcept {
  int k = 0;
  if (x < DBL_MIN) {
    if (x == 0) return -k_infinity;
    if (x < 0) return k_nan;
    x *= 0x1p54;
    k = -54;
  }
  if (!is_finite(x)) return x > 0 ? k_infinity : k_nan;

  // Subtracting √½ as an integer makes the exponent field count from there.
  constexpr std::uint64_t k_root_of_half = 0x3fe6a09e667f3bcd;
  const std::int64_t exponent = static_cast<std::int64_t>(bits(x) - k_root_of_half) >> 52;
  const double m = std::bit_cast<double>(bits(x) - (static_cast<std::uint64_t>(exponent) << 52));
  k += static_cast<int>(exponent);

  const double sum_hi = m + 1;
  const Pair s = quotient({m - 1, 0}, {sum_hi, m - (sum_hi - 1)});
  const double whole = s.hi + s.lo;
  const double z = whole * whole;
  const Pair leading = sum(k * k_ln2.hi, 2 * s.hi);
  return leading.hi + (leading.lo + (k * k_ln2.lo + (2 * s.lo + (whole * z) * polynomial(k_logarithm, z))));
}

}  // namespace cairn::portable
