// What integrators ask of forces: (states, t) → wrenches, at any trial states, and derivatives if there are
// any.
//
// Bodies are numbered as in the arrays of states; wrenches act at the centres of mass, in world axes. In
// derivatives a body's degrees of freedom are its linear then its angular ones; turning by δθ means
// q → exp(δθ) q.
#pragma once

#include <array>
#include <concepts>
#include <span>
#include <vector>

#include "bodies/state.h"

namespace cairn {

template <class D>
using DofVector = std::array<double, D::k_dof>;
template <class D>
using DofBlock = std::array<DofVector<D>, D::k_dof>;  // rows

// ∂(wrench on body `row`)/∂(place of body `column`) and /∂(velocity of body `column`).
template <class D>
struct ForceDerivative {
  std::uint32_t row, column;
  DofBlock<D> by_place, by_velocity;
};

template <class F, class D>
concept ForceModel = requires(const F& f, std::span<const BodyState<D>> states, double t,
                              std::span<Wrench<D>> wrenches) {
  f.add_wrenches(states, t, wrenches);
};

template <class F, class D>
concept DifferentiableForceModel = ForceModel<F, D> &&
    requires(const F& f, std::span<const BodyState<D>> states, double t,
             std::vector<ForceDerivative<D>>& derivatives) {
  f.add_derivatives(states, t, derivatives);
};

// Degrees of freedom as plain numbers, and back.
CAIRN_INLINE DofVector<Dim2> dofs(const Vec2& linear, double angular) {
  return {linear.x, linear.y, angular};
}
CAIRN_INLINE DofVector<Dim3> dofs(const Vec3& linear, const Vec3& angular) {
  return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}
CAIRN_INLINE Twist<Dim2> twist(const DofVector<Dim2>& d) { return {{d[0], d[1]}, d[2]}; }
CAIRN_INLINE Twist<Dim3> twist(const DofVector<Dim3>& d) { return {{d[0], d[1], d[2]}, {d[3], d[4], d[5]}}; }

}  // namespace cairn
