// Turns coupled to turns, and turns to slides.
//
// Gear    C = θ_a + ρ θ_b, each the turn of a body about its own axis since its rest pose, against the world
//         J = [0, g_a, 0, ρ g_b]      K = g_a·I_a⁻¹ g_a + ρ² g_b·I_b⁻¹ g_b
//         g = 1 in the plane; in space the twist of turn.h about an axis fixed in the world
//
// Rack    C = u·gap + R θ, u fixed in b, θ the turn of b relative to the pinion a (so −θ is the pinion's)
//         J = J of slide_in_b + R · J of turn_row      K = l·m⁻¹l + g·I⁻¹g of both bodies, no simpler
//
// Positive λ turns a and (for ρ > 0) b by the right-hand rule; it pushes the rack along u.
#pragma once

#include "constraints/parts/slide.h"
#include "constraints/parts/turn.h"

namespace cairn {

// The turns of a and b against the world, each about its axis.
template <class D, class T>
struct GearTurns {
  PartRow<D, T> a, b;
};
template <class T>
CAIRN_INLINE GearTurns<Dim2, T> gear_turns(const JointPose<Dim2, T>& pose, const Rot2T<T>& rest_a,
                                           const Rot2T<T>& rest_b, const Turns<T>& turns_a,
                                           const Turns<T>& turns_b) {
  return {{{{}, T(1), {}, {}}, continued(turn_of(inverse(rest_a) * pose.frame_a), turns_a)},
          {{{}, {}, {}, T(1)}, continued(turn_of(inverse(rest_b) * pose.frame_b), turns_b)}};
}
template <class T>
CAIRN_INLINE GearTurns<Dim3, T> gear_turns(const JointPose<Dim3, T>& pose, const Rot3T<T>& rest_a,
                                           const Rot3T<T>& rest_b, const Turns<T>& turns_a,
                                           const Turns<T>& turns_b) {
  const Twisting<T> a = twisting(inverse(rest_a) * pose.frame_a),
                    b = twisting(inverse(rest_b) * pose.frame_b);
  return {{{{}, rest_a * a.gradient, {}, {}}, continued(a.angle, turns_a)},
          {{{}, {}, {}, rest_b * b.gradient}, continued(b.angle, turns_b)}};
}
template <class D, class T>
CAIRN_INLINE PartRow<D, T> gear_row(const GearTurns<D, T>& turns, const T& ratio) {
  return {{{}, turns.a.jacobian.angular_a, {}, ratio * turns.b.jacobian.angular_b},
          turns.a.position + ratio * turns.b.position};
}

template <class D, class T>
CAIRN_INLINE PartRow<D, T> rack_row(const JointPose<D, T>& pose, const VecOf<D, T>& u, const T& radius,
                                    const PartRow<D, T>& turned) {
  PartRow<D, T> row = slide_in_b(pose, u);
  row.jacobian.angular_a += radius * turned.jacobian.angular_a;
  row.jacobian.angular_b += radius * turned.jacobian.angular_b;
  row.position += radius * turned.position;
  return row;
}

}  // namespace cairn
