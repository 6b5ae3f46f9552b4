// What the portable elementary functions share: bits, pairs of doubles, polynomials.
//
// Why the results are the same everywhere. The code uses only operations that IEEE 754 rounds correctly
// (+ − × ÷ √) and integers, in the order the text gives: -ffp-contract=off forbids fusing, and neither
// compiler reorders without -ffast-math. No C library function is called. Rounding is to nearest and
// denormals are on; a step sets both. Every NaN that leaves is k_nan: processors disagree on the bits of a
// new one.
//
// How they are accurate. Whatever decides the last bit is carried as an unevaluated sum hi + lo, and the last
// operation is one addition large + small whose small part is itself rounded: ½ ulp and a little more.
//
// The polynomials come from Sollya's fpminimax, fitted to the function with its leading part fixed, e.g.
//   fpminimax(sin(x), [|3,5,7,9,11,13|], [|D...|], [2^-20; pi/4 + 2^-20], floating, relative, x);
// the error given beside each is its relative distance from the function, measured with dirtyinfnorm.
#pragma once

#include <cairn/math.h>

#include <bit>
#include <cfloat>
#include <cstddef>
#include <cstdint>

static_assert(FLT_EVAL_METHOD == 0, "intermediate results must be rounded to double");

namespace cairn::portable {

inline constexpr double k_infinity = __builtin_inf();
inline constexpr double k_nan = std::bit_cast<double>(std::uint64_t{0x7ff8000000000000});

// Below 2⁻²⁷ an odd function with f(x) = x + O(x³) rounds to x, and its x³ would underflow at last.
inline constexpr double k_tiny = 0x1p-27;

// 1.5 · 2⁵²: adding it rounds to the nearest integer, ties to even, and leaves that in the lowest bits.
inline constexpr double k_rounder = 0x1.8p52;

CAIRN_INLINE std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
CAIRN_INLINE bool is_negative(double x) { return bits(x) >> 63 != 0; }  // also of −0

// |magnitude| with the sign of `sign`.
CAIRN_INLINE double with_sign(double magnitude, double sign) {
  constexpr std::uint64_t k_sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>((bits(magnitude) & ~k_sign) | (bits(sign) & k_sign));
}

// 2^k for −1022 ≤ k ≤ 1023.
CAIRN_INLINE double power_of_two(int k) { return std::bit_cast<double>(std::uint64_t(k + 1023) << 52); }

// x without its lower 27 bits. What is left has 26, and the rest 27: products of one with the other are
// exact.
CAIRN_INLINE double upper_half(double x) { return std::bit_cast<double>(bits(x) & 0xfffffffff8000000); }

// The number hi + lo, where lo is small beside hi.
struct Pair {
  double hi, lo;
};

inline constexpr Pair k_pi_pair = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
inline constexpr Pair k_half_pi_pair = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// a + b without error, for |a| ≥ |b| or wherever a + b itself is exact.
CAIRN_INLINE Pair sum(double a, double b) {
  const double s = a + b;
  return {s, (a - s) + b};
}

// a · b to about 106 bits.
CAIRN_INLINE Pair product(double a, double b) {
  const double a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1;
  const double p = a * b;
  return {p, (((a1 * b1 - p) + a1 * b2) + a2 * b1) + a2 * b2};
}

// n / d to about 77 bits, with 26 of them in hi. Long division with a digit of 26 bits: the remainder
// n.hi − q·d.hi is exact, as q times either half of d.hi is, and the differences cancel.
CAIRN_INLINE Pair quotient(Pair n, Pair d) {
  const double reciprocal = 1 / d.hi;
  const double q = upper_half(n.hi * reciprocal);
  const double d1 = upper_half(d.hi), d2 = d.hi - d1;
  const double remainder = ((n.hi - q * d1) - q * d2) + (n.lo - q * d.lo);
  return {q, remainder * reciprocal};
}

// c[0] + c[1] z + c[2] z² + …, by pairs (Estrin): half the waiting of Horner's rule.
template <class C, class T, std::size_t N>
CAIRN_INLINE T polynomial(const C (&c)[N], const T& z) {
  if constexpr (N == 1) {
    return T(c[0]);
  } else {
    T pairs[(N + 1) / 2];
    for (std::size_t i = 0; i < N / 2; ++i) pairs[i] = T(c[2 * i]) + T(c[2 * i + 1]) * z;
    if constexpr (N % 2 == 1) pairs[N / 2] = T(c[N - 1]);
    return polynomial(pairs, z * z);
  }
}

constexpr double k_quarter_pi = 0x1.921fb54442d18p-1;
// Tables have internal linkage: kernels leave no symbols that others might take.
// sin r = r + r³ S(r²) on |r| ≤ π/4, relative error 2⁻⁵⁷·⁹.
constexpr double k_sine[] = {-0.1666666666666663,    0.0083333333333219239,   -0.00019841269829464969,
                             2.7557313585030056e-06, -2.5050742814224341e-08, 1.5895975029828002e-10};
// cos r = 1 − r²/2 + r⁴ C(r²) on |r| ≤ π/4, relative error 2⁻⁶³·⁹.
constexpr double k_cosine[] = {0.041666666666666595,    -0.0013888888888873348, 2.4801587289008097e-05,
                               -2.7557314219059267e-07, 2.0875705689505815e-09, -1.1358764866516342e-11};

// What portable::sin_cos gives for |x| ≤ π/4, to the last bit but for the sign of 0, on lanes too.
template <class T>
struct SmallSinCos {
  T sin, cos;
};
template <class T>
CAIRN_INLINE SmallSinCos<T> small_sin_cos(const T& x) {
  const T z = x * x, half = T(0.5) * z, near = T(1) - half;
  return {x + (x * z) * polynomial(k_sine, z),
          near + (((T(1) - near) - half) + (z * z) * polynomial(k_cosine, z))};
}

}  // namespace cairn::portable
