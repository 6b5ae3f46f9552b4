// What the step reads and writes of each body, apart from everything that is only looked up.
//
//   hot    BodyState   written by every step                     3D 104 bytes, 2D 56
//   warm   BodyMass    read by every step, changed by the user   3D 160 bytes, 2D 72
//   cold   BodyRecord  (bodies/store.h) names, shapes, frames: never touched by a step
#pragma once

#include <cairn/body.h>

#include "math/lane.h"

namespace cairn {

// Loops over bodies run in blocks of this many: some microseconds of work each.
inline constexpr std::size_t k_bodies_a_block = 256;

template <class D>
struct BodyState {
  typename D::Vec position{};          // [m] of the centre of mass
  typename D::Rot rotation{};          // body axes to world axes
  typename D::Vec velocity{};          // [m/s] of the centre of mass
  typename D::Ang angular_velocity{};  // [rad/s] world axes
};
static_assert(sizeof(BodyState<Dim3>) == 104 && sizeof(BodyState<Dim2>) == 56);

template <class D>
struct BodyMass {
  typename D::Vec inverse_mass{};         // [1/kg] along each world axis; 0 where locked or not dynamic
  double mass = 0;                        // [kg]; 0 unless dynamic
  typename D::Inertia inertia{};          // [kg·m²] about the centre of mass, body axes; 0 unless dynamic
  typename D::Inertia inverse_inertia{};  // its inverse, as if no rotation were locked
  double gravity_scale = 1;
  double linear_damping = 0, angular_damping = 0;  // [1/s]; 0 unless dynamic
  Motion motion = Motion::fixed;
  typename D::AngularAxes locked_rotation{};
  bool operator==(const BodyMass&) const = default;
};
static_assert(sizeof(BodyMass<Dim3>) == 160 && sizeof(BodyMass<Dim2>) == 72);

template <class D>
bool is_finite(const BodyState<D>& s) {
  return is_finite(s.position) && is_finite(s.rotation) && is_finite(s.velocity) &&
         is_finite(s.angular_velocity);
}

template <class D>
bool is_at_rest(const BodyState<D>& s) {
  return s.velocity == typename D::Vec{} && s.angular_velocity == typename D::Ang{};
}

// The components along axes that are not locked.
CAIRN_INLINE constexpr Vec2 unlocked(const Vec2& v, const Axes2& locked) {
  return {locked.x ? 0 : v.x, locked.y ? 0 : v.y};
}
CAIRN_INLINE constexpr Vec3 unlocked(const Vec3& v, const Axes3& locked) {
  return {locked.x ? 0 : v.x, locked.y ? 0 : v.y, locked.z ? 0 : v.z};
}
CAIRN_INLINE constexpr double unlocked(double v, bool locked) { return locked ? 0 : v; }
CAIRN_INLINE constexpr bool any(const Axes3& locked) { return locked.x || locked.y || locked.z; }

// The inverse of an inertia restricted to the free axes: with P the projection onto them, P(PᵀIP)⁻¹Pᵀ. Not
// the same as zeroing rows of I⁻¹, which would let a torque about a free axis turn the body about a locked
// one.
CAIRN_INLINE constexpr double restricted_inverse(double inertia, bool locked) {
  return locked ? 0 : 1 / inertia;
}
Sym3 restricted_inverse(const Sym3& inertia, const Axes3& locked);

// [1/(kg·m²)] world axes, locks respected; 0 unless dynamic.
CAIRN_INLINE double inverse_inertia(const BodyMass<Dim2>& mass, const Rot2&) {
  return mass.locked_rotation ? 0 : mass.inverse_inertia;
}
CAIRN_INLINE Sym3 inverse_inertia(const BodyMass<Dim3>& mass, const Rot3& rotation) {
  if (any(mass.locked_rotation) && mass.motion == Motion::dynamic) [[unlikely]]
    return restricted_inverse(rotated(rotation, mass.inertia), mass.locked_rotation);
  return rotated(rotation, mass.inverse_inertia);
}

// [kg·m²/s] I·ω in world axes. Of a body with locks, only the components about free axes are its own: the
// rest belongs to whatever holds it.
template <class D>
CAIRN_INLINE auto angular_momentum(const BodyMass<D>& mass, const BodyState<D>& s) {
  return unlocked(s.rotation * (mass.inertia * (inverse(s.rotation) * s.angular_velocity)),
                  mass.locked_rotation);
}

// [J]
template <class D>
double kinetic_energy(const BodyMass<D>& mass, const BodyState<D>& s) {
  return 0.5 * (mass.mass * dot(s.velocity, s.velocity) + dot(s.angular_velocity, angular_momentum(mass, s)));
}

// (v̇, ω̇) under a wrench at the centre of mass: ω̇ = I⁻¹(τ − ω × Iω), restricted to the free axes.
template <class D>
Twist<D> acceleration(const BodyMass<D>& mass, const BodyState<D>& s, const Wrench<D>& w) {
  const auto momentum = s.rotation * (mass.inertia * (inverse(s.rotation) * s.angular_velocity));
  return {scaled(mass.inverse_mass, w.force),
          inverse_inertia(mass, s.rotation) * (w.torque - cross(s.angular_velocity, momentum))};
}

}  // namespace cairn
