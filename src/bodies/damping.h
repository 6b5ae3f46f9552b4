// What a wrench does to a body in a short time, and the body's own damping.
//
// Damping takes momentum away in proportion, ṗ = F − c p, from mv with c = linear_damping and from Iω with
// angular_damping. The integrators that ask forces at given states treat it as a force, −c p. The kick–drift schemes and
// the substeps of the solver carry it through their kicks exactly: while F and the pose stay,
//
//    p⁺ = e⁻ᶻ p + φ h F,      z = ch,      φ = (1 − e⁻ᶻ)/z
//
// which is stable for any c and h, and as the flow of the kick composes like it, leaves those schemes their order. (An
// explicit force would explode from ch = 2 on; v/(1 + ch), as other engines have it, is of first order and halves the
// damping at ch = 1.) In the accounts it is a force like others: its mean over the kick,
//
//    W = (p⁺ − p)/h − F = −(1 − e⁻ᶻ)/h p − (1 − φ) F       → −c p for h → 0
#pragma once

#include "bodies/state.h"

namespace cairn {

template <class D>
CAIRN_INLINE bool is_damped(const BodyMass<D>& mass) {
  return mass.linear_damping > 0 || mass.angular_damping > 0;
}

// The two numbers of W.
struct Decay {
  double rate;  // [1/s] (1 − e⁻ᶻ)/h
  double held;  // 1 − φ
};
inline Decay decay(double c, double h) {
  const double z = c * h;
  if (z > 0.5) {
    const double lost = 1 - portable::exp(-z);
    return {lost / h, 1 - lost / z};
  }
  double held = 0;  // z/2! − z²/3! + …, to the last bit
  for (int n = 15; n >= 2; --n) held = z / n * (1 - held);
  return {c * (1 - held), held};
}

// The wrench of its damping: the mean over a kick of h under the wrench w, at an unchanged pose.
template <class D>
Wrench<D> damping(const BodyMass<D>& mass, const BodyState<D>& s, const Wrench<D>& w, double h) {
  const Decay linear = decay(mass.linear_damping, h), angular = decay(mass.angular_damping, h);
  return {-((linear.rate * mass.mass) * s.velocity + linear.held * w.force),
          -(angular.rate * angular_momentum(mass, s) + angular.held * w.torque)};
}

// v += h·F/m, ω += h·I⁻¹τ: what a wrench does in a time h, at an unchanged pose.
template <class D>
CAIRN_INLINE void push(BodyState<D>& s, const BodyMass<D>& mass, const Wrench<D>& w, double h) {
  s.velocity += h * scaled(mass.inverse_mass, w.force);
  if (!(w.torque == typename D::Ang{}))
    s.angular_velocity += inverse_inertia(mass, s.rotation) * (h * w.torque);
}
// The same with the body's damping.
template <class D>
CAIRN_INLINE void kick(BodyState<D>& s, const BodyMass<D>& mass, const Wrench<D>& w, double h) {
  if (is_damped(mass)) [[unlikely]] {
    Wrench<D> all = w;
    all += damping(mass, s, w, h);
    push(s, mass, all, h);
  } else {
    push(s, mass, w, h);
  }
}

}  // namespace cairn
