// The sweep over one patch of contact (constraints/contact_block.h), on any scalar T.
//
//   for each point:
//     normal    λ ← max(0, λ − (u + b)/K)         b = s/h while there is a gap s: it may close, not more; else 0
//               λ ← max(0, λ − leak λ − give (u + b)/K)     where they overlap and are drawn in: a spring and damper of
//                                                 frequency ω and ratio ζ for the mass 1/K, by implicit Euler:
//                                                 a₁ = 2ζ + hω, a₂ = hω a₁, give = a₂/(1 + a₂), leak = 1/(1 + a₂),
//                                                 b = s ω/a₁, bounded by the push speed
//   for the patch:
//     friction  λ_T ← λ_T − K_tt⁻¹ u_T           if that stays within the disc of radius μλ: it sticks
//                     Π(λ_T − u_T / κ)            else it slips; κ is K_tt's largest eigenvalue. An isotropic step, so
//                                                 that the friction it settles on opposes the sliding
//
// All rows of a patch see of its two bodies only how b moves against a at the centre of friction c, and act on it only as a
// whole. In the axes of the patch, normal n and tangents t, with U the velocity there and ω the turning:
//
//    u_i = U_n + e_i·ω_t,    e_i = r_i×n,    r_i from c to the point
//
// So a sweep takes U and ω from the bodies once, carries the effect of each impulse on the rows behind it by the K between
// them (`coupling`, `slips`, `spins`), and gives the bodies the sum of all impulses once. With four points that is a
// third of the arithmetic of going back to the bodies after each.
//
// At rest a point is sunk in by F K/ω². What other frequencies, ratios and numbers of sweeps do: docs/decisions/performance.md.
#pragma once

#include "math/dim.h"

namespace cairn {

template <class D, class T>
struct LaneBody {
  VecOf<D, T> velocity, inverse_mass;
  AngOf<D, T> angular_velocity;
  InertiaOf<D, T> inverse_inertia;

  CAIRN_INLINE VecOf<D, T> velocity_at(const VecOf<D, T>& arm) const {
    return velocity + cross(angular_velocity, arm);
  }
  CAIRN_INLINE void push(const VecOf<D, T>& impulse, const VecOf<D, T>& arm) {
    velocity += each_times(inverse_mass, impulse);
    angular_velocity += inverse_inertia * cross(arm, impulse);
  }
  CAIRN_INLINE void pull(const VecOf<D, T>& impulse, const VecOf<D, T>& arm) {
    velocity -= each_times(inverse_mass, impulse);
    angular_velocity -= inverse_inertia * cross(arm, impulse);
  }
  // With an angular impulse besides.
  CAIRN_INLINE void push(const VecOf<D, T>& impulse, const VecOf<D, T>& arm, const AngOf<D, T>& angular) {
    velocity += each_times(inverse_mass, impulse);
    angular_velocity += inverse_inertia * (cross(arm, impulse) + angular);
  }
  CAIRN_INLINE void pull(const VecOf<D, T>& impulse, const VecOf<D, T>& arm, const AngOf<D, T>& angular) {
    velocity -= each_times(inverse_mass, impulse);
    angular_velocity -= inverse_inertia * (cross(arm, impulse) + angular);
  }
  // How much a unit impulse along u changes the speed along w, both at `arm`.
  CAIRN_INLINE T yields(const VecOf<D, T>& u, const VecOf<D, T>& w, const VecOf<D, T>& arm) const {
    return dot(w, each_times(inverse_mass, u)) + dot(cross(arm, w), inverse_inertia * cross(arm, u));
  }
};

// 1/x; 0 where nothing moves.
template <class T>
CAIRN_INLINE T inverse_or_zero(const T& x) {
  const auto moves = x > T(0);
  return select(moves, T(1) / select(moves, x, T(1)), T(0));
}

// An impulse λ where K = 1/mass and the speed is u does the work λu + ½Kλ². The largest λ whose work is at most `work`.
template <class T>
CAIRN_INLINE T most_push(const T& mass, const T& speed, const T& work) {
  return square_root(mass * (mass * speed * speed + work + work)) - mass * speed;
}
template <class T>
CAIRN_INLINE T work_of_push(const T& mass, const T& speed, const T& push) {
  return push * (speed + T(0.5) * push * inverse_or_zero(mass));
}

// The directions in the surface, and vectors of them.
template <class T>
struct Tangents2 {
  Vec2T<T> t;
  using Value = T;
  CAIRN_INLINE Value along(const Vec2T<T>& v) const { return dot(t, v); }
  CAIRN_INLINE Vec2T<T> vector(const Value& v) const { return v * t; }
  // Turning is all tilting.
  CAIRN_INLINE Value tilt_of(const T& turning) const { return turning; }
  CAIRN_INLINE T spin_of(const Vec2T<T>&, const T&) const { return T(0); }
  CAIRN_INLINE T turning(const Vec2T<T>&, const Value& tilt, const T&) const { return tilt; }
};
template <class T>
struct Tangents3 {
  Vec3T<T> t, s;
  using Value = Vec2T<T>;
  CAIRN_INLINE Value along(const Vec3T<T>& v) const { return {dot(t, v), dot(s, v)}; }
  CAIRN_INLINE Vec3T<T> vector(const Value& v) const { return v.x * t + v.y * s; }
  // Turning is tilting, about the tangents, and spinning, about the normal n.
  CAIRN_INLINE Value tilt_of(const Vec3T<T>& turning) const { return along(turning); }
  CAIRN_INLINE T spin_of(const Vec3T<T>& n, const Vec3T<T>& turning) const { return dot(n, turning); }
  CAIRN_INLINE Vec3T<T> turning(const Vec3T<T>& n, const Value& tilt, const T& spin) const {
    return vector(tilt) + spin * n;
  }
};
template <class T>
CAIRN_INLINE Tangents2<T> tangents(const Vec2T<T>& normal, const Vec2T<T>&) {
  return {{-normal.y, normal.x}};
}
template <class T>
CAIRN_INLINE Tangents3<T> tangents(const Vec3T<T>& normal, const Vec3T<T>& tangent) {
  return {tangent, cross(normal, tangent)};
}

// K_tt⁻¹ and 1/κ.
template <class T>
struct TangentMass2 {
  T mass, slip;
  CAIRN_INLINE T operator*(const T& u) const { return mass * u; }
};
template <class T>
struct TangentMass3 {
  T xx, yy, xy, slip;
  CAIRN_INLINE Vec2T<T> operator*(const Vec2T<T>& u) const {
    return {xx * u.x + xy * u.y, xy * u.x + yy * u.y};
  }
};
template <class T>
CAIRN_INLINE TangentMass2<T> tangent_mass(const LaneBody<Dim2, T>& a, const LaneBody<Dim2, T>& b,
                                          const Vec2T<T>& arm_a, const Vec2T<T>& arm_b,
                                          const Tangents2<T>& t) {
  const T mass = inverse_or_zero(a.yields(t.t, t.t, arm_a) + b.yields(t.t, t.t, arm_b));
  return {mass, mass};
}
template <class T>
CAIRN_INLINE TangentMass3<T> tangent_mass(const LaneBody<Dim3, T>& a, const LaneBody<Dim3, T>& b,
                                          const Vec3T<T>& arm_a, const Vec3T<T>& arm_b,
                                          const Tangents3<T>& t) {
  const T xx = a.yields(t.t, t.t, arm_a) + b.yields(t.t, t.t, arm_b);
  const T yy = a.yields(t.s, t.s, arm_a) + b.yields(t.s, t.s, arm_b);
  const T xy = a.yields(t.t, t.s, arm_a) + b.yields(t.t, t.s, arm_b);
  const T half = T(0.5) * (xx - yy);
  const T largest = T(0.5) * (xx + yy) + square_root(half * half + xy * xy);
  const T det = inverse_or_zero(xx * yy - xy * xy);
  return {yy * det, xx * det, -xy * det, inverse_or_zero(largest)};
}

// The nearest point of the disc of this radius.
template <class T>
CAIRN_INLINE T onto_disc(const T& v, const T& radius) {
  return clamp(v, -radius, radius);
}
template <class T>
CAIRN_INLINE Vec2T<T> onto_disc(const Vec2T<T>& v, const T& radius) {
  const T size = length(v);
  const T factor = select(size > radius, radius / select(size > T(0), size, T(1)), T(1));
  return factor * v;
}
// Of force and torque together.
template <class T>
CAIRN_INLINE T size_of(const T& v, const T&) {
  return absolute(v);
}
template <class T>
CAIRN_INLINE T size_of(const Vec2T<T>& v, const T& w) {
  return square_root(dot(v, v) + w * w);
}
// r×n of a place r in the surface, both along the tangents: the speed at r along the normal is that of the centre and
// inner(tilt, turning). And back.
template <class T>
CAIRN_INLINE T tilt_at(const T& place) {
  return -place;
}
template <class T>
CAIRN_INLINE Vec2T<T> tilt_at(const Vec2T<T>& place) {
  return {place.y, -place.x};
}
template <class T>
CAIRN_INLINE T place_of(const T& tilt) {
  return -tilt;
}
template <class T>
CAIRN_INLINE Vec2T<T> place_of(const Vec2T<T>& tilt) {
  return {-tilt.y, tilt.x};
}
template <class T>
CAIRN_INLINE T inner(const T& a, const T& b) {
  return a * b;
}
template <class T>
CAIRN_INLINE T inner(const Vec2T<T>& a, const Vec2T<T>& b) {
  return dot(a, b);
}
template <class T>
CAIRN_INLINE T inner(const Vec3T<T>& a, const Vec3T<T>& b) {
  return dot(a, b);
}
template <class M, class T>
CAIRN_INLINE Vec2T<T> choose(const M& m, const Vec2T<T>& a, const Vec2T<T>& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y)};
}
template <class M, class T>
CAIRN_INLINE Vec3T<T> choose(const M& m, const Vec3T<T>& a, const Vec3T<T>& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
template <class M, class T>
CAIRN_INLINE T choose(const M& m, const T& a, const T& b) {
  return select(m, a, b);
}

// How far a body's points have moved since the step began, along a direction n: `moved` and inner(turned, arm).
// With R the turning, n·(Rr − r) = (Rᵀn − n)·r.
template <class T>
CAIRN_INLINE Vec2T<T> turned_way(const Rot2T<T>& turned, const Vec2T<T>& n) {
  return {turned.c * n.x + turned.s * n.y, turned.c * n.y - turned.s * n.x};
}
template <class T>
CAIRN_INLINE Vec3T<T> turned_way(const Rot3T<T>& turned, const Vec3T<T>& n) {
  // q⁻¹ = 1 + (w, −u):  q⁻¹ n q − n = 2(1 + w) n×u + 2 u×(u×n)
  const Vec3T<T> u{turned.x, turned.y, turned.z};
  const Vec3T<T> t = cross(n, u) + cross(n, u);
  return t + turned.w * t - cross(u, t);
}

// Resistance to rolling and spinning: λ ← Π(λ − m·ω), where ω is the turning of b against a.
template <class T>
CAIRN_INLINE T resist(const T& impulse, const Vec2T<T>&, const T& turning, const T& rolling_mass, const T&,
                      const T& rolling_bound, const T&) {
  return onto_disc(impulse - rolling_mass * turning, rolling_bound);
}
template <class T>
CAIRN_INLINE Vec3T<T> resist(const Vec3T<T>& impulse, const Vec3T<T>& normal, const Vec3T<T>& turning,
                             const T& rolling_mass, const T& spinning_mass, const T& rolling_bound,
                             const T& spinning_bound) {
  const T spin = dot(normal, turning), old_spin = dot(normal, impulse);
  const Vec3T<T> wanted = (impulse - old_spin * normal) - rolling_mass * (turning - spin * normal);
  const T size = length(wanted);
  const T factor = select(size > rolling_bound, rolling_bound / select(size > T(0), size, T(1)), T(1));
  return factor * wanted + clamp(old_spin - spinning_mass * spin, -spinning_bound, spinning_bound) * normal;
}
template <class T>
CAIRN_INLINE T rolling_mass(const LaneBody<Dim2, T>& a, const LaneBody<Dim2, T>& b, const Vec2T<T>&) {
  return inverse_or_zero(a.inverse_inertia + b.inverse_inertia);
}
template <class T>
CAIRN_INLINE T spinning_mass(const LaneBody<Dim2, T>&, const LaneBody<Dim2, T>&, const Vec2T<T>&) {
  return T(0);
}
template <class T>
CAIRN_INLINE T spinning_mass(const LaneBody<Dim3, T>& a, const LaneBody<Dim3, T>& b, const Vec3T<T>& n) {
  return inverse_or_zero(dot(n, (a.inverse_inertia + b.inverse_inertia) * n));
}
// 1/(trace of the part in the surface), which is at least its largest eigenvalue.
template <class T>
CAIRN_INLINE T rolling_mass(const LaneBody<Dim3, T>& a, const LaneBody<Dim3, T>& b, const Vec3T<T>& n) {
  const Sym3T<T> k = a.inverse_inertia + b.inverse_inertia;
  return inverse_or_zero(k.xx + k.yy + k.zz - dot(n, k * n));
}

}  // namespace cairn
