// How far, and which way, the axis of b has swung from that of a.
//
// The shortest turn that takes x_a to x_b is by θ = 2h about m = x_a × x_b/|x_a × x_b|.
//
// Cone          C = θ            J = [0, −m, 0, m]            K = m·(I_a⁻¹ + I_b⁻¹) m
//
// Components    C_k = θ m·k,  k = y_a, z_a: the rotation vector of the swing. With c_k = 2 sin h m·k and its
//               gradient g_k from axis.h, S = sin h and f = h/S:
//
//    C_k = f c_k      J = [0, −g, 0, g],  g = f g_k + κ c_k (c_y y_a + c_z z_a),  κ = (S − h cos h)/(4S³)
//
// because df/dh = (S − h cos h)/S², dh = ½ m·(ω_b − ω_a) dt and m = (c_y y_a + c_z z_a)/2S. κ → 1/12 as h → 0; its
// round-off grows as S⁻², which c² takes back. Where the axes are parallel the cone has no direction: m is then z_a,
// and its row rests.
#pragma once

#include "constraints/parts/arc.h"
#include "constraints/parts/axis.h"

namespace cairn {

inline constexpr double k_least_swing = 2e-6;  // [rad] that has a direction

template <class T>
struct SwingRows {
  PartRow<Dim3, T> y, z, cone;
};

template <class T>
CAIRN_INLINE SwingRows<T> swing_rows(const JointPose<Dim3, T>& pose) {
  const AxisRows<T> c = axis_rows(pose);
  const Mat3T<T> a = matrix(pose.frame_a);
  const Vec3T<T> x_b = x_axis(pose.frame_b);
  const T sine = T(0.5) * length(a.c0 - x_b), cosine = T(0.5) * length(a.c0 + x_b), h = arc(cosine, sine);
  const auto open = sine > T(0.5 * k_least_swing);
  const T safe = select(open, sine, T(1));
  const T f = select(open, h / safe, T(1));
  const T kappa = select(open, (safe - h * cosine) / (T(4) * safe * safe * safe), T(1. / 12));
  const Vec3T<T> twice = c.y.position * a.c1 + c.z.position * a.c2;  // 2S m
  const Vec3T<T> m = select(open, twice / (safe + safe), a.c2);
  const Vec3T<T> y = f * c.y.jacobian.angular_b + (kappa * c.y.position) * twice;
  const Vec3T<T> z = f * c.z.jacobian.angular_b + (kappa * c.z.position) * twice;
  return {turning_row<Dim3, T>(y, f * c.y.position), turning_row<Dim3, T>(z, f * c.z.position),
          turning_row<Dim3, T>(m, h + h)};
}

}  // namespace cairn
