// How a body turns when nothing acts on it, over a step: energy and angular momentum stay what they are.
//
// In body axes, with Π = Iω, Euler's equations are Π̇ = Π × ω. The implicit midpoint rule, ω̄ = ½(ω + ω⁺), is
//
//    (1)   Π⁺ − Π = −k ω̄ × Iω̄
//
// Energy: ω̄·(1) is ½(ω⁺ + ω)·I(ω⁺ − ω) = ½ω⁺·Iω⁺ − ½ω·Iω = 0, exactly and for any k.
// Momentum: turn the body by R⁺ = R cay(kω̄), where cay(u) = (1 − [u/2]×)⁻¹(1 + [u/2]×). As Iω̄ = ½(Π + Π⁺),
// (1) reads (1 + [kω̄/2]×) Π⁺ = (1 − [kω̄/2]×) Π, which is cay(kω̄) Π⁺ = Π: R⁺Π⁺ = RΠ in the world.
//
// (The rule with k = h and its two invariants: Simo & Wong 1991, Int. J. Numer. Meth. Eng. 31; Austin,
// Krishnaprasad & Wang 1993, J. Comput. Phys. 107.) But cay(hω) turns by 2 atan(h|ω|/2), 7 % less than h|ω| at
// 1 rad a step. As any k conserves, we take the one that makes steady spins exact,
//
//    (2)   k = 2 tan(½hν)/ν,      ν = ω·Π/|Π|
//
// since ν = |ω| for a ball and for anything about a principal axis. ν is twice the energy over the momentum, an
// invariant: k never changes in free flight, the rule stays symmetric in time, and as k = h + O(h³) of second order.
//
// ω⁺ = 2ω̄ − ω makes (1) an equation for d = ω̄ − ω,
//
//    (3)   g(d) = Id + (k/2) ω̄ × Iω̄ = 0,      g′(d) = I + (k/2)([ω̄]× I − [Iω̄]×)
//
// solved by Newton's method from d = 0. As g is quadratic, a step δ = −g′⁻¹g leaves exactly
// g(d + δ) = (k/2) δ × Iδ: it tells without a further evaluation how far it got. It takes 2 steps up to
// h|ω| = 0.01, 3 up to 0.3 and at most 5 at 1 (10⁵ bodies, inertia ratios up to 10⁶). From 3 rad on 2–6 % of
// them fail to converge, with a line search more. Therefore a body that turns by more than k_most_turn in a
// step goes through it in 2, 4, … parts, each of which conserves.
//
// If Newton fails all the same (more than k_most_parts · k_most_turn in a step; inertia that no body can
// have; NaN) ω stays fixed in the body: this conserves energy and |Π|, and only the direction of Π is lost.
//
// The state is in world axes. Taking ω to the body and back in each step errs always to the same side when a
// body spins steadily: a sphere lost 2·10⁻¹⁶ of its energy per step. So only the change d goes through R.
// With a = kω̄/2, all in world axes, and as cay leaves ω̄ alone, ω⁺ = 2ω̄ − cay(2a) ω is
//
//    (4)   ω⁺ = ω + 2d − 2/(1 + a²) (a × ω + a × (a × ω)),      a × ω = (k/2) d × ω,      R⁺ = cay(2a) R
//
// where all that is added to ω is proportional to d. (10⁵ steps of 0.01 rad: the energy of spheres is off by
// 2·10⁻¹⁵, before 4·10⁻¹¹; of other bodies by 6·10⁻¹⁴, before 5·10⁻¹³.)
#pragma once

#include "math/lane.h"

namespace cairn {

inline constexpr double k_most_turn = 1;       // [rad] h|ω| of a part
inline constexpr double k_most_parts = 64;     // a power of two
inline constexpr int k_most_newton_steps = 8;  // per part

// tan(x)/x of x², by Lambert's continued fraction; the error is below 3e-16 for |x| ≤ ½, below 1e-11 for |x| ≤ 1.
template <class T>
CAIRN_INLINE T tan_over_x(const T& xx) {
  return (T(135135) - xx * (T(17325) - xx * (T(378) - xx))) /
         (T(135135) - xx * (T(62370) - xx * (T(3150) - xx * T(28))));
}

// k of (2), for momentum and angular velocity in the same axes. Beyond a turn of 2 rad it stays behind, well before
// the tangent's pole at π.
template <class T>
CAIRN_INLINE T rotation_gain(const Vec3T<T>& momentum, const Vec3T<T>& omega, const T& h) {
  const T square = length_squared(momentum), product = dot(omega, momentum);
  const T rate = select(square > T(0), product * product / square, T(0));  // ν²
  return h * tan_over_x(smaller(T(0.25) * h * h * rate, T(1)));
}

// d of (3) in body axes in the `active` lanes, 0 in the others and where Newton fails: those stay active.
template <class T>
CAIRN_INLINE Vec3T<T> midpoint_change(const Sym3T<T>& inertia, const Vec3T<T>& omega, const T& k,
                                      MaskOf<T>& active) {
  const T half = T(0.5) * k;
  const Mat3T<T> I = matrix(inertia);
  const T tolerance = T(0x1p-104) * length_squared(inertia * omega);  // (2⁻⁵²|Π|)²
  Vec3T<T> d{};
  for (int i = 0; i < k_most_newton_steps; ++i) {
    const Vec3T<T> mean = omega + d, p = inertia * mean;
    const Vec3T<T> g = inertia * d + half * cross(mean, p);
    const Mat3T<T> mean_cross_I{cross(mean, I.c0), cross(mean, I.c1), cross(mean, I.c2)};
    const Mat3T<T> J = I + half * (mean_cross_I - cross_matrix(p));
    // J⁻¹g by Cramer's rule with one division for three; the next step mends the last bit.
    const Vec3T<T> c12 = cross(J.c1, J.c2), c20 = cross(J.c2, J.c0), c01 = cross(J.c0, J.c1);
    const T scale = T(1) / dot(J.c0, c12);
    const Vec3T<T> step{scale * dot(c12, g), scale * dot(c20, g), scale * dot(c01, g)};
    d = select(active, d - step, d);
    active = active & !(length_squared(half * cross(step, inertia * step)) <= tolerance);
    if (!any(active)) return d;
  }
  return select(active, Vec3T<T>{}, d);
}

// Advances rotation and angular velocity (world axes) by h; inertia in body axes. True where the rotation is not
// resolved: Newton failed, or a part still turns by more than k_most_turn.
template <class T>
CAIRN_INLINE MaskOf<T> rotate_freely(const Sym3T<T>& inertia, const T& h, Rot3T<T>& rotation,
                                     Vec3T<T>& angular_velocity) {
  // In how many equal parts. They are powers of two, so that the length of a part and the count-down are
  // exact.
  T parts(1), part = h;
  const T speed_squared = length_squared(angular_velocity);
  for (double n = 1; n < k_most_parts; n *= 2) {
    const MaskOf<T> too_far = part * part * speed_squared > T(k_most_turn * k_most_turn);
    if (!any(too_far)) break;
    parts = select(too_far, parts + parts, parts);
    part = select(too_far, T(0.5) * part, part);
  }

  const Vec3T<T> start = inverse(rotation) * angular_velocity;
  const T k = rotation_gain(inertia * start, start, part), half = T(0.5) * k;
  MaskOf<T> active = parts > T(0), failed = part * part * speed_squared > T(k_most_turn * k_most_turn);
  do {
    const Vec3T<T> omega = angular_velocity;
    MaskOf<T> not_converged = active;
    const Vec3T<T> d = rotation * midpoint_change(inertia, inverse(rotation) * omega, k, not_converged);
    const Vec3T<T> a = half * (omega + d), a_cross_omega = half * cross(d, omega);
    const Vec3T<T> turned = T(2) / (T(1) + dot(a, a)) * (a_cross_omega + cross(a, a_cross_omega));
    angular_velocity = select(active, omega + (d + d - turned), omega);
    // Normalised after the product instead of before it: the norm then never drifts.
    rotation = select(active, normalized(Rot3T<T>{T(1), a.x, a.y, a.z} * rotation), rotation);
    failed = failed | not_converged;
    parts -= T(1);
    active = parts > T(0);
  } while (any(active));
  return failed;
}

// R v − v, as small as the turn: adding it to v loses nothing, where forming R v would round it as a whole.
CAIRN_INLINE Vec3 change_by(const Rot3& r, const Vec3& v) {
  const Vec3 u{r.x, r.y, r.z};
  const Vec3 t = 2 * cross(u, v);
  return r.w * t + cross(u, t);
}

}  // namespace cairn
