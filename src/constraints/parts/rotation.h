// No turn at all between the two frames, in space.
//
// With the turn from a's frame to b's, q = q_a⁻¹ q_b = (w, v), w ≥ 0,
//
//    C_k = 2 v_k      J_k = [0, −g, 0, g],  g = w k + v × k in a's frame,  k = x, y, z      K = g·(I_a⁻¹ + I_b⁻¹) g
//
// because 2v̇ = wω + ω × v for ω = ω_b − ω_a in a's frame. |C| = 2 sin ½θ. Positive λ turns b by the right-hand rule.
#pragma once

#include "constraints/parts/part.h"

namespace cairn {

template <class T>
struct RotationRows {
  PartRow<Dim3, T> x, y, z;
};

template <class T>
CAIRN_INLINE RotationRows<T> rotation_rows(const JointPose<Dim3, T>& pose) {
  const Rot3T<T> turn = inverse(pose.frame_a) * pose.frame_b;
  const T sign = select(turn.w < T(0), T(-1), T(1));
  const T w = sign * turn.w, x = sign * turn.x, y = sign * turn.y, z = sign * turn.z;
  return {turning_row<Dim3, T>(pose.frame_a * Vec3T<T>{w, z, -y}, x + x),
          turning_row<Dim3, T>(pose.frame_a * Vec3T<T>{-z, w, x}, y + y),
          turning_row<Dim3, T>(pose.frame_a * Vec3T<T>{y, -x, w}, z + z)};
}

}  // namespace cairn
