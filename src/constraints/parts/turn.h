// Turns about the joint's axis.
//
// In the plane    C = θ, the angle from a's frame to b's        J = [0, −1, 0, 1]        Lund (23)
//                 K = I_a⁻¹ + I_b⁻¹
//
// In space the turn from a's frame to b's, q = q_a⁻¹ q_b = (w, v), is a twist about x followed by a swing:
//
//    C = θ = 2 atan2(v_x, w)
//
// With n = x and ω = ω_b − ω_a in a's frame, q̇ = ½ ω q: ẇ = −½ ω·v, v̇ = ½(wω + ω × v), so that
//
//    θ̇ = 2(w v̇·n − (v·n) ẇ)/(w² + v_x²) = ω·(w²n + w v × n + v_x v)/(w² + v_x²)
//    g = (1, (w v_z + v_x v_y)/m, (v_x v_z − w v_y)/m),  m = w² + v_x²      J = [0, −g, 0, g] in world axes
//    K = g·(I_a⁻¹ + I_b⁻¹) g
//
// exactly, whatever the swing; g is the axis itself where the axes are parallel. A swing by π has no twist (m = 0);
// there g grows without bound, so m is kept from vanishing. Positive λ turns b by the right-hand rule.
#pragma once

#include "constraints/parts/arc.h"
#include "constraints/parts/part.h"

namespace cairn {

template <class T>
CAIRN_INLINE PartRow<Dim2, T> turn_row(const JointPose<Dim2, T>& pose, const Turns<T>& turns) {
  return turning_row<Dim2, T>(T(1), continued(turn_of(inverse(pose.frame_a) * pose.frame_b), turns));
}

// The twist of a rotation about its x axis, and how it changes with the angular velocity, in the axes before it.
template <class T>
struct Twisting {
  T angle;
  Vec3T<T> gradient;
};
template <class T>
CAIRN_INLINE Twisting<T> twisting(const Rot3T<T>& q) {
  const T m = larger(q.w * q.w + q.x * q.x, T(1e-12));
  return {turn_of_half(q.w, q.x), {T(1), (q.w * q.z + q.x * q.y) / m, (q.x * q.z - q.w * q.y) / m}};
}

template <class T>
CAIRN_INLINE PartRow<Dim3, T> turn_row(const JointPose<Dim3, T>& pose, const Turns<T>& turns) {
  const Twisting<T> twist = twisting(inverse(pose.frame_a) * pose.frame_b);
  return turning_row<Dim3, T>(pose.frame_a * twist.gradient, continued(twist.angle, turns));
}

}  // namespace cairn
