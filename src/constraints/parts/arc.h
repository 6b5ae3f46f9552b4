// Angles of turns, on any scalar, without a table and without an `if`.
//
// The tangent of half an angle is a square root away: tan(α/2) = sin α/(1 + cos α), tan(β/2) = t/(1 + √(1 + t²)).
// Halved three times, an angle of at most ½π has a tangent of at most tan(π/16) = 0.199, where twelve terms of
// atan t = t − t³/3 + t⁵/5 − … err by less than 2⁻⁵³ of it. What remains are the roundings: 4 ulp at most.
#pragma once

#include "math/dim.h"

namespace cairn {

// The angle of (cosine, sine), times any positive factor, for cosine ≥ 0: from −½π to ½π. Of (0, 0) it is 0.
template <class T>
CAIRN_INLINE T arc(const T& cosine, const T& sine) {
  const T one(1);
  const T denominator = square_root(cosine * cosine + sine * sine) + cosine;
  const T half = select(denominator > T(0), sine / denominator, T(0));
  const T quarter = half / (one + square_root(one + half * half));
  const T t = quarter / (one + square_root(one + quarter * quarter)), tt = t * t;
  const T sum =
      T(1) -
      tt * (T(1. / 3) -
            tt * (T(1. / 5) -
                  tt * (T(1. / 7) -
                        tt * (T(1. / 9) -
                              tt * (T(1. / 11) -
                                    tt * (T(1. / 13) -
                                          tt * (T(1. / 15) -
                                                tt * (T(1. / 17) -
                                                      tt * (T(1. / 19) -
                                                            tt * (T(1. / 21) - tt * T(1. / 23)))))))))));
  return T(8) * (t * sum);
}

// The angle of a turn from the cosine and sine of its half, times any factor: from −π to π.
template <class T>
CAIRN_INLINE T turn_of_half(const T& half_cosine, const T& half_sine) {
  const T a = arc(absolute(half_cosine), select(half_cosine < T(0), -half_sine, half_sine));
  return a + a;
}

// The angle of a rotation of the plane: from −π to π.
template <class T>
CAIRN_INLINE T turn_of(const Rot2T<T>& r) {
  const T n = norm(r);
  const auto front = r.c >= T(0);  // then (1 + c, s) lies along the half angle, else (|s|, ±(1 − c)) does
  return turn_of_half(select(front, n + r.c, absolute(r.s)),
                      select(front, r.s, select(r.s < T(0), r.c - n, n - r.c)));
}

// How an angle is counted over several turns: where it was last, and what it is now up to whole turns.
template <class T>
struct Turns {
  T base{};  // [rad] a multiple of 2π
  T last{};  // [rad] from −π to π: base + last is where it was
};
// The value of `angle` (−π to π) nearest to where it was. Right as long as it has turned by less than π since.
template <class T>
CAIRN_INLINE T continued(const T& angle, const Turns<T>& turns) {
  const T pi(k_pi), turn(2 * k_pi), step = angle - turns.last;
  return angle + (turns.base + select(step > pi, -turn, select(step < -pi, turn, T(0))));
}

}  // namespace cairn
