// Translations: one component of the gap between two anchors.
//
//    C = u·gap
//
//    u fixed in the world    J = [−u,  −r_a × u,          u,  r_b × u        ]     Lund (20), a row of it
//    u fixed in a            J = [−u,  −(r_a + gap) × u,  u,  r_b × u        ]     Lund (22) as it should read
//    u fixed in b            J = [−u,  −r_a × u,          u,  (r_b − gap) × u]
//    K = m_a⁻¹ + m_b⁻¹ + g_a·I_a⁻¹ g_a + g_b·I_b⁻¹ g_b      (|u| = 1)
//
// For u fixed in a, d/dt(u·gap) has (ω_a × u)·gap = −ω_a·(gap × u) more; without it a body that slides far from its
// anchor feels no lever arm. Positive λ pushes b along u.
#pragma once

#include "constraints/parts/part.h"

namespace cairn {

template <class D, class T>
CAIRN_INLINE PartRow<D, T> slide_in_world(const JointPose<D, T>& pose, const VecOf<D, T>& u) {
  return {{-u, -cross(pose.arm_a, u), u, cross(pose.arm_b, u)}, dot(u, pose.gap)};
}
template <class D, class T>
CAIRN_INLINE PartRow<D, T> slide_in_a(const JointPose<D, T>& pose, const VecOf<D, T>& u) {
  return {{-u, -cross(pose.arm_a + pose.gap, u), u, cross(pose.arm_b, u)}, dot(u, pose.gap)};
}
template <class D, class T>
CAIRN_INLINE PartRow<D, T> slide_in_b(const JointPose<D, T>& pose, const VecOf<D, T>& u) {
  return {{-u, -cross(pose.arm_a, u), u, cross(pose.arm_b - pose.gap, u)}, dot(u, pose.gap)};
}

}  // namespace cairn
