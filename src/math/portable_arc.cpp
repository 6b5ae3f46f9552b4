// Arc sine, arc cosine and arc tangent with the same bits everywhere.
//
// Each is reduced to a small argument u plus a known angle; the last operation adds the two, with the low
// parts of both:  angle = offset ± (u + u³ P(u²)).
#include "math/portable_parts.h"

namespace cairn::portable {
namespace {

// atan u = u + u³ A(u²) on |u| ≤ 1/4, relative error 2⁻⁵⁷·⁵.
constexpr double k_arc_tangent[] = {-0.33333333333332538,  0.19999999999585813,   -0.14285714211910874,
                                    0.11111104739465183,   -0.090906039069548306, 0.076837473900768116,
                                    -0.065259970855503807, 0.046086146202859786};
// asin u = u + u³ B(u²) on |u| ≤ 1/2, relative error 2⁻⁵⁹·⁹.
constexpr double k_arc_sine[] = {0.1666666666666676,    0.074999999999708675, 0.044642857174559368,
                                 0.03038194270993964,   0.022372214933961024, 0.017351612884648794,
                                 0.013980810970578617,  0.011398984899576326, 0.010779871807771596,
                                 0.0037077637996379927, 0.021704324816513087, -0.020994857781697154,
                                 0.032626111008729954};

// u³ P(u²), the part of an odd function beyond u.
template <std::size_t N>
CAIRN_INLINE double beyond(const double (&p)[N], double u) {
  const double z = u * u;
  return (u * z) * polynomial(p, z);
}

// offset + u, for |u.hi| ≤ |offset.hi| or offset = 0.
CAIRN_INLINE double add(Pair offset, Pair u) {
  const Pair s = sum(offset.hi, u.hi);
  return s.hi + (s.lo + (offset.lo + u.lo));
}
CAIRN_INLINE Pair negated(Pair u) { return {-u.hi, -u.lo}; }

// --------------------------------------------------------------------------------------------- arc tangent

// atan c, π/2 − atan c, π − atan c and π/2 + atan c, for c = 0, 1/2, 1.
constexpr Pair k_offsets[4][3] = {
    {{0, 0}, {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56}, {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}},
    {k_half_pi_pair,
     {0x1.1b6e192ebbe44p+0, 0x1.b1b466a88828ep-54},
     {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}},
    {k_pi_pair, {0x1.56c6e7397f5aep+1, 0x1.660b64ece6f4bp-53}, {0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54}},
    {k_half_pi_pair,
     {0x1.0468a8ace4df6p+1, 0x1.0620bf7406affp-55},
     {0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54}},
};

// The angle of (x, y), or of (−x, y) if `behind`, for x, y ≥ 0, not both zero and not both infinite.
//
// With t = a/b ≤ 1 the smaller over the larger, atan t = atan c + atan u where
//   u = (t − c)/(1 + t c) = (a − c b)/(b + c a),
// one division. The c next to t keeps |u| ≤ 1/4, and being 0, 1/2 or 1 makes c a and c b exact; a − c b is
// exact too, as its terms are within a factor of two of each other.
CAIRN_INLINE double angle_of(double y, double x, bool behind) {
  const bool steep = y > x;
  const double a = steep ? x : y, b = steep ? y : x;
  int nearest = 0;
  Pair u;
  if (a < 0x1p-30 * b) {
    u = {a / b, 0};  // u³/3 is beyond the last bit, and u may be denormal: rounded once
  } else {
    nearest = (a > 0.25 * b) + (a > 0.75 * b);
    const double c = 0.5 * nearest;
    u = quotient({a - c * b, 0}, sum(b, c * a));
    u.lo += beyond(k_arc_tangent, u.hi + u.lo);
  }
  return add(k_offsets[2 * behind + steep][nearest], steep != behind ? negated(u) : u);
}

// ------------------------------------------------------------------------------------------------ arc sine

// acos x = 2 asin √((1 − x)/2), for ½ ≤ x ≤ 1. The root's low part is from its upper half's remainder.
CAIRN_INLINE Pair arc_cosine_near_one(double x) {
  const double z = 0.5 * (1 - x);  // exact
  if (z == 0) return {0, 0};
  const double root = square_root(z);
  const double hi = upper_half(root);
  const double lo = (z - hi * hi) / (root + hi);
  return {2 * hi, 2 * (lo + beyond(k_arc_sine, root))};
}

}  // namespace

double atan(double x) noexcept {
  const double magnitude = absolute(x);
  if (magnitude < k_tiny) return x;
  if (magnitude <= 0.25) return x + beyond(k_arc_tangent, x);
  if (x != x) return k_nan;
  return with_sign(angle_of(magnitude, 1, false), x);
}

double atan2(double y, double x) noexcept {
  if (x != x || y != y) return k_nan;
  if (!is_finite(x) || !is_finite(y)) {  // along an axis or a diagonal
    const double one_if_infinite_x = is_finite(x) ? 0 : 1, one_if_infinite_y = is_finite(y) ? 0 : 1;
    x = with_sign(one_if_infinite_x, x);
    y = with_sign(one_if_infinite_y, y);
  }
  const bool behind = is_negative(x);
  if (y == 0) return behind ? with_sign(k_pi_pair.hi, y) : y;

  double u = absolute(x), v = absolute(y);
  const double larger_one = larger(u, v);
  // Keep products in range. What scaling down takes from the smaller one could not be seen in the angle.
  if (larger_one > 0x1p900) u *= 0x1p-600, v *= 0x1p-600;
  if (larger_one < 0x1p-900) u *= 0x1p600, v *= 0x1p600;
  return with_sign(angle_of(v, u, behind), y);
}

double asin(double x) noexcept {
  const double magnitude = absolute(x);
  if (magnitude < k_tiny) return x;
  if (magnitude <= 0.5) return x + beyond(k_arc_sine, x);
  if (!(magnitude <= 1)) return k_nan;
  return with_sign(add(k_half_pi_pair, negated(arc_cosine_near_one(magnitude))), x);
}

double acos(double x) noexcept {
  const double magnitude = absolute(x);
  if (magnitude <= 0.5) return add(k_half_pi_pair, negated({x, beyond(k_arc_sine, x)}));
  if (!(magnitude <= 1)) return k_nan;
  const Pair angle = arc_cosine_near_one(magnitude);
  return x < 0 ? add(k_pi_pair, negated(angle)) : angle.hi + angle.lo;
}

}  // namespace cairn::portable
