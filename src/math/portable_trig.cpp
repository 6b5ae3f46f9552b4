// Sine, cosine and tangent with the same bits everywhere.
//
//   x  ──reduce──►  r = hi + lo, |r| ≤ π/4, and the quadrant  ──two polynomials──►  sin r, cos r  ──►  result
//
// |x| ≤ π/4 needs no reduction. Up to 2¹⁹ the multiple of π/2 is subtracted in three parts (Cody and Waite).
// Beyond, or when that subtraction cancels, integers take over (Payne and Hanek): exact for every double.
#include "math/portable_parts.h"

namespace cairn::portable {
namespace {

// x = (quadrant + 4j)·π/2 + r for some integer j; only the lowest two bits of `quadrant` count.
struct Reduced {
  Pair r;
  std::uint64_t quadrant;
};

// sin r and cos r as unevaluated sums.
struct SinCosParts {
  Pair sin, cos;
};

constexpr double k_two_over_pi = 0.6366197723675814;

// π/2 in parts that end at 2⁻³² and 2⁻⁶⁶, so that an integer below 2¹⁹ times either is exact, and the rest.
constexpr double k_half_pi_parts[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
constexpr double k_moderate = 0x1p19;  // |x| below this: the parts serve
constexpr double k_cancelled = 0x1p-30;

// 64 zeros and then the bits of 2/π.
constexpr std::uint64_t k_two_over_pi_bits[20] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

// For finite |x| > ½. With |x| = m·2^e, the bits of 2/π above weight 2^(1−e) add multiples of 4 to the
// quadrant and are skipped; the next 192 times m, modulo 4, give the quadrant and the fraction of it to 126
// bits. The double nearest to a multiple of π/2, 6381956970095103·2⁷⁹⁷, leaves a fraction of 2⁻⁶¹·⁵ (by
// continued fractions for every e), so that at least 64 bits are good.
[[gnu::noinline, gnu::cold]] Reduced reduce_by_integers(double x) {
  const int e = static_cast<int>(bits(x) >> 52 & 0x7ff) - 1075;
  const std::uint64_t m = (bits(x) & 0xfffffffffffff) | std::uint64_t{1} << 52;

  const int first = e + 62;  // place in the table of the bit of weight 2^(1−e)
  const auto window = [&](int i) {
    const std::uint64_t* w = k_two_over_pi_bits + first / 64 + i;
    return static_cast<std::uint64_t>(((UInt128{w[0]} << 64) | w[1]) >> (64 - first % 64));
  };
  const UInt128 lower = UInt128{m} * window(1) + (UInt128{m} * window(2) >> 64);
  const UInt128 turns = (UInt128{m * window(0)} << 64) + lower;  // |x|·2/π modulo 4, in units of 2⁻¹²⁶

  std::uint64_t quadrant = (static_cast<std::uint64_t>(turns >> 125) + 1) >> 1;  // to the nearest
  const Int128 fraction = static_cast<Int128>(turns - (UInt128{quadrant} << 126));
  const bool negative = (fraction < 0) != is_negative(x);

  UInt128 f = static_cast<UInt128>(fraction < 0 ? -fraction : fraction);
  const std::uint64_t top = static_cast<std::uint64_t>(f >> 64);
  const int shift =
      top != 0 ? std::countl_zero(top) : 64 + std::countl_zero(static_cast<std::uint64_t>(f) | 1);
  f <<= shift;
  const double unit = power_of_two(-51 - shift) * (negative ? -1 : 1);
  const double hi = static_cast<double>(static_cast<std::int64_t>(f >> 75)) * unit;
  const double lo =
      static_cast<double>(static_cast<std::int64_t>(f >> 22 & 0x1fffffffffffff)) * 0x1p-53 * unit;

  const Pair r = product(hi, k_half_pi_pair.hi);
  if (is_negative(x)) quadrant = -quadrant;
  return {sum(r.hi, r.lo + (hi * k_half_pi_pair.lo + lo * k_half_pi_pair.hi)), quadrant};
}

// For finite x.
CAIRN_INLINE Reduced reduce(double x) {
  const double magnitude = absolute(x);
  if (magnitude <= k_quarter_pi) return {{x, 0}, 0};
  if (magnitude < k_moderate) {
    const double rounded = x * k_two_over_pi + k_rounder;
    const double n = rounded - k_rounder;
    // Two exact differences: a fits a double, and so does b.hi + b.lo (either a is the larger, or both end at
    // 2⁻⁶⁶ and begin below 2⁻¹⁴). The third part is good to 2⁻¹⁰⁰: enough unless r is tiny, as it is for the
    // doubles nearest to kπ/2.
    const double a = x - n * k_half_pi_parts[0];
    const Pair b = sum(a, -(n * k_half_pi_parts[1]));
    const Pair r = sum(b.hi, b.lo - n * k_half_pi_parts[2]);
    if (absolute(r.hi) > k_cancelled) return {r, bits(rounded)};
  }
  return reduce_by_integers(x);
}

// r.lo enters to first order: sin(hi + lo) = sin hi + lo cos hi, cos(hi + lo) = cos hi − lo sin hi.
CAIRN_INLINE SinCosParts sin_cos_parts(Pair r) {
  const double z = r.hi * r.hi;
  const double half = 0.5 * z;
  const Pair c = sum(1, -half);
  return {{r.hi, (r.hi * z) * polynomial(k_sine, z) + r.lo * c.hi},
          {c.hi, c.lo + ((z * z) * polynomial(k_cosine, z) - r.hi * r.lo)}};
}

CAIRN_INLINE double value(Pair p) { return p.hi + p.lo; }

// `x` negated if bit 1 of `quadrant` is set.
CAIRN_INLINE double signed_by(std::uint64_t quadrant, double x) {
  return std::bit_cast<double>(bits(x) ^ (quadrant & 2) << 62);
}

// A quarter turn makes cosine of sine and −sine of cosine. Both are computed even for sin(x) alone: the
// second polynomial runs beside the first, and a branch on the quadrant was 10 % slower on mixed angles.
CAIRN_INLINE SinCos finite_sin_cos(double x) {
  const Reduced reduced = reduce(x);
  const SinCosParts parts = sin_cos_parts(reduced.r);
  const double s = value(parts.sin), c = value(parts.cos);
  const bool odd = reduced.quadrant & 1;
  return {signed_by(reduced.quadrant, odd ? c : s), signed_by(reduced.quadrant + 1, odd ? s : c)};
}

}  // namespace

SinCos sin_cos(double x) noexcept {
  if (absolute(x) < k_tiny) return {x, 1};
  if (!is_finite(x)) return {k_nan, k_nan};
  return finite_sin_cos(x);
}

double sin(double x) noexcept {
  if (absolute(x) < k_tiny) return x;
  if (!is_finite(x)) return k_nan;
  return finite_sin_cos(x).sin;
}

double cos(double x) noexcept {
  if (absolute(x) < k_tiny) return 1;
  if (!is_finite(x)) return k_nan;
  return finite_sin_cos(x).cos;
}

// Needs no polynomial of its own: tan r = sin r / cos r, and a quarter turn on −cos r / sin r, with the low
// parts of both carried through the division. The cosine also gets back what r² lost to rounding, up to ¼
// ulp: 1.04 ulp at most instead of 1.14. sin_cos leaves it, being at 0.9 either way, and saves 1 ns.
double tan(double x) noexcept {
  if (absolute(x) < k_tiny) return x;
  if (!is_finite(x)) return k_nan;
  const Reduced reduced = reduce(x);
  const SinCosParts parts = sin_cos_parts(reduced.r);
  const double square_error = product(reduced.r.hi, reduced.r.hi).lo;
  const Pair s = sum(parts.sin.hi, parts.sin.lo), c = sum(parts.cos.hi, parts.cos.lo - 0.5 * square_error);
  const bool odd = reduced.quadrant & 1;
  const double t = value(quotient(odd ? c : s, odd ? s : c));
  return odd ? -t : t;
}

}  // namespace cairn::portable
