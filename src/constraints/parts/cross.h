// The cross of a Cardan joint: one arm is x_a, the other y_b.
//
// Any turn from a's frame to b's is R_x(α) R_z(γ) R_y(β): y_b = (−sin γ, cos γ cos α, cos γ sin α) in a's frame, and
// x_a = (cos γ cos β, −sin γ, cos γ sin β) in b's. The cross demands γ = 0 and leaves α and β:
//
//    C = sin γ = −x_a·y_b                  g = x_a × y_b
//    α = atan2(z_a·y_b, y_a·y_b)           g = y_b × (r z_a − p y_a)/(r² + p²),  p, r the two arguments
//    β = atan2(x_a·z_b, x_a·x_b)           g = (r z_b − p x_b) × x_a/(r² + p²)
//    J = [0, −g, 0, g]                     K = g·(I_a⁻¹ + I_b⁻¹) g
//
// by (1) of part.h. Positive λ turns b by the right-hand rule: about z, about x_a, about y_b.
#pragma once

#include "constraints/parts/arc.h"
#include "constraints/parts/part.h"

namespace cairn {

template <class T>
struct CrossRows {
  PartRow<Dim3, T> hold, turn_a, turn_b;
};

template <class T>
CAIRN_INLINE CrossRows<T> cross_rows(const JointPose<Dim3, T>& pose, const Turns<T>& turns_a,
                                     const Turns<T>& turns_b) {
  const Mat3T<T> a = matrix(pose.frame_a), b = matrix(pose.frame_b);
  const T ra = dot(a.c1, b.c1), pa = dot(a.c2, b.c1), rb = dot(a.c0, b.c0), pb = dot(a.c0, b.c2);
  const T least(1e-12);
  const Vec3T<T> alpha = cross(b.c1, ra * a.c2 - pa * a.c1) / larger(ra * ra + pa * pa, least);
  const Vec3T<T> beta = cross(rb * b.c2 - pb * b.c0, a.c0) / larger(rb * rb + pb * pb, least);
  return {turning_row<Dim3, T>(cross(a.c0, b.c1), -dot(a.c0, b.c1)),
          turning_row<Dim3, T>(alpha, continued(turn_of(Rot2T<T>{ra, pa}), turns_a)),
          turning_row<Dim3, T>(beta, continued(turn_of(Rot2T<T>{rb, pb}), turns_b))};
}

}  // namespace cairn
