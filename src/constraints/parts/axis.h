// Two axes stay parallel: the x axes of the two frames.
//
// The shortest turn that takes x_a to x_b is by the angle θ about x_a × x_b. With D = |x_a + x_b| = 2 cos ½θ,
//
//    C_y = 2 y_a·(x_a × x_b)/D = −2 z_a·x_b/D      C_z = 2 z_a·(x_a × x_b)/D = 2 y_a·x_b/D      |C| = 2 sin ½θ
//
// which grows all the way to θ = π. (The plain products z_a·x_b, y_a·x_b are sin θ: past a quarter turn they would
// draw the axis to the wrong end.) By (1) of part.h, and with dD = x_a·x_b's derivative over D,
//
//    J_y = [0, −g, 0, g],  g = (2/D) z_a × x_b − (C_y/D²) x_b × x_a
//    J_z = [0, −g, 0, g],  g = (2/D) x_b × y_a − (C_z/D²) x_b × x_a
//    K = g·(I_a⁻¹ + I_b⁻¹) g
//
// At rest g is y and z. Positive λ turns b by the right-hand rule about it.
#pragma once

#include "constraints/parts/part.h"

namespace cairn {

template <class T>
struct AxisRows {
  PartRow<Dim3, T> y, z;
};

template <class T>
CAIRN_INLINE AxisRows<T> axis_rows(const JointPose<Dim3, T>& pose) {
  const Mat3T<T> a = matrix(pose.frame_a);
  const Vec3T<T> x_b = x_axis(pose.frame_b);
  const T square = larger(length_squared(a.c0 + x_b), T(1e-12)), scale = T(2) / square_root(square);
  const T y = -(scale * dot(a.c2, x_b)), z = scale * dot(a.c1, x_b);
  const Vec3T<T> opening = cross(x_b, a.c0);
  return {turning_row<Dim3, T>(scale * cross(a.c2, x_b) - (y / square) * opening, y),
          turning_row<Dim3, T>(scale * cross(x_b, a.c1) - (z / square) * opening, z)};
}

}  // namespace cairn
