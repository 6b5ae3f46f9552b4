// What the parts of joints have in common.
//
// A part is one formula: how far two bodies are from where a row wants them, C, and how that changes, J with
// Ċ = J v (constraints/row.h). It is written once, as a template on its scalar T: with doubles it gives the rows of
// the reference problem, with the lanes of math/wide.h those of the kernels. Joints (constraints/joint_parts_2d.h,
// joint_parts_3d.h) are composed from parts.
//
// The effective mass of a row, K = J M⁻¹ Jᵀ, is for all of them
//
//    K = l_a·m_a⁻¹ l_a + g_a·I_a⁻¹ g_a + l_b·m_b⁻¹ l_b + g_b·I_b⁻¹ g_b
//
// with l and g the linear and angular blocks; each part says what this comes to.
//
// Two derivatives do most of the work. For a direction e fixed in a and a direction f fixed in b,
//
//    (1)   d/dt (e·f) = (ω_a × e)·f + e·(ω_b × f) = (ω_b − ω_a)·(f × e)
//
// and for gap = p_b + r_b − p_a − r_a, d/dt gap = v_b + ω_b × r_b − v_a − ω_a × r_a.
#pragma once

#include "constraints/row.h"

namespace cairn {

// Where the two halves of a joint are, all in world axes. The frames are the joint's own, one fixed in each body,
// equal at rest; their x axis is the joint's axis.
template <class D, class T>
struct JointPose {
  VecOf<D, T> arm_a{}, arm_b{};      // [m] from the centres of mass to the anchors
  VecOf<D, T> gap{};                 // [m] from a's anchor to b's
  RotOf<D, T> frame_a{}, frame_b{};  // joint axes to world axes
};

template <class D, class T>
struct PartRow {
  JacobianT<D, T> jacobian{};
  T position{};  // [m] or [rad] C
};

// A row of the relative turn: Ċ = g·(ω_b − ω_a).
template <class D, class T>
CAIRN_INLINE PartRow<D, T> turning_row(const AngOf<D, T>& g, const T& position) {
  return {{{}, -g, {}, g}, position};
}

// The axes of a frame.
template <class T>
CAIRN_INLINE Vec2T<T> x_axis(const Rot2T<T>& r) {
  return {r.c, r.s};
}
template <class T>
CAIRN_INLINE Vec2T<T> y_axis(const Rot2T<T>& r) {
  return {-r.s, r.c};
}
template <class T>
CAIRN_INLINE Vec3T<T> x_axis(const Rot3T<T>& r) {
  return matrix(r).c0;
}

}  // namespace cairn
