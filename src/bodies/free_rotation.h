// Free rotation of a rigid body over a step h: no torque acts, only its own inertia.
//
// With body-frame angular velocity ω and momentum Π = Iω, Euler's equations are Π̇ = Π × ω. The midpoint rule
//
//   Π⁺ − Π = k Π̄ × ω̄,   Π̄ = ½(Π + Π⁺) = Iω̄,   ω̄ = ½(ω + ω⁺)                                             (1)
//
// is, read as (1 + ½k[ω̄]×) Π⁺ = (1 − ½k[ω̄]×) Π, the Cayley rotation Π⁺ = cay(−kω̄) Π. Turning the body by
// R⁺ = R cay(kω̄) therefore keeps the world's angular momentum, R⁺Π⁺ = RΠ; and the energy too, because
// ½Π⁺·ω⁺ − ½Π·ω = ω̄·(Π⁺ − Π) = 0. Both hold for *any* k (Austin, Krishnaprasad and Wang 1993 have k = h).
//
// That freedom is worth using: cay(hω) turns by 2 atan(h|ω|/2), not by h|ω|, which is 7 % too little for a
// wheel that turns 1 rad a step. With
//
//   k = 2 tan(½hν)/ν,   ν = ω·Π/|Π| (2)
//
// a body that spins steadily (a ball, or anything about a principal axis: ν = |ω|) turns exactly by h|ω|. ν
// is itself an invariant, twice the energy over the momentum, so k never changes in free flight and the
// scheme stays time-symmetric, hence of second order: k = h + O(h³).
//
// (1) is solved for ω̄ by Newton's method: g(ω̄) = I(ω̄ − ω) + ½k ω̄ × Iω̄ = 0.
#pragma once

#include <cairn/math.h>

namespace cairn {

// Longest turn in one application of (1); a step that turns further is divided evenly. At 1 rad the Cayley
// map is far from its limit of π and Newton converges from ω in three or four iterations.
inline constexpr double k_longest_turn = 1;

// tan(x)/x for x² ≤ ½, by Lambert's continued fraction to x⁶; the error is below 2e-16 for |x| ≤ ½.
template <class T>
CAIRN_INLINE T tan_over_x(const T& xx) {
  return (T(135135) - xx * (T(17325) - xx * (T(378) - xx))) /
         (T(135135) - xx * (T(62370) - xx * (T(3150) - xx * T(28))));
}

// The k of (2). Beyond a turn of 2 rad it stays behind, well before the tangent's pole at π.
CAIRN_INLINE double rotation_gain(const Vec3& momentum, const Vec3& angular_velocity, double h) {
  const double mm = dot(momentum, momentum);
  if (mm == 0) return h;
  const double wm = dot(angular_velocity, momentum);
  return h * tan_over_x(smaller(0.25 * h * h * (wm * wm / mm), 1.0));
}

// R v − v, as small as the turn: adding it to v loses nothing, where forming R v would round it as a whole.
template <class T>
CAIRN_INLINE Vec3T<T> change_by(const Rot3T<T>& r, const Vec3T<T>& v) {
  const Vec3T<T> u{r.x, r.y, r.z};
  const Vec3T<T> t = cross(u, v) + cross(u, v);
  return r.w * t + cross(u, t);
}

// Advances rotation and angular velocity (world axes) by h, h·|ω| ≤ k_longest_turn.
CAIRN_INLINE void rotate_freely(Rot3& rotation, Vec3& angular_velocity, const Sym3& inertia, double h) {
  const Vec3 w = inverse(rotation) * angular_velocity;
  const double k = rotation_gain(inertia * w, w, h);
  Vec3 change{};  // ω̄ − ω
  for (int i = 0; i < 8; ++i) {
    const Vec3 mean = w + change, momentum = inertia * mean;
    const Vec3 g = inertia * change + (0.5 * k) * cross(mean, momentum);
    const Mat3 jacobian =
        matrix(inertia) + (0.5 * k) * (cross_matrix(mean) * matrix(inertia) - cross_matrix(momentum));
    const Vec3 correction = solve(jacobian, g);
    change -= correction;
    if (dot(correction, correction) <= 1e-32 * dot(mean, mean)) break;
  }
  const Vec3 mean_change = rotation * change;
  const Rot3 turn = cayley(k * (angular_velocity + mean_change));
  rotation = normalized(turn * rotation);
  angular_velocity += 2 * mean_change - change_by(turn, angular_velocity);
}

}  // namespace cairn
