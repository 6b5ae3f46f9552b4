// The distance of two anchors.
//
//    C = |gap|      J = [−u, −r_a × u, u, r_b × u],  u = gap/|gap|      Lund (17), (18)
//    K = m_a⁻¹ + m_b⁻¹ + (r_a × u)·I_a⁻¹(r_a × u) + (r_b × u)·I_b⁻¹(r_b × u)
//
// Positive λ pushes the bodies apart. Where the anchors meet there is no direction: u is then the x axis of a's
// frame. A rod of no length is refused at creation; a rope may pass there, slack.
#pragma once

#include "constraints/parts/part.h"

namespace cairn {

template <class T>
CAIRN_INLINE Vec2T<T> direction_or(const Vec2T<T>& gap, const T& distance, const Vec2T<T>& otherwise) {
  const auto there = distance > T(0);
  const T d = select(there, distance, T(1));
  return {select(there, gap.x / d, otherwise.x), select(there, gap.y / d, otherwise.y)};
}
template <class T>
CAIRN_INLINE Vec3T<T> direction_or(const Vec3T<T>& gap, const T& distance, const Vec3T<T>& otherwise) {
  const auto there = distance > T(0);
  return select(there, gap / select(there, distance, T(1)), otherwise);
}

template <class D, class T>
CAIRN_INLINE PartRow<D, T> distance_row(const JointPose<D, T>& pose) {
  const T d = length(pose.gap);
  const VecOf<D, T> u = direction_or(pose.gap, d, x_axis(pose.frame_a));
  return {{-u, -cross(pose.arm_a, u), u, cross(pose.arm_b, u)}, d};
}

}  // namespace cairn
