// The joints of the plane, composed from parts.
#pragma once

#include "constraints/joint_parts.h"
#include "constraints/parts/distance.h"
#include "constraints/parts/gear.h"
#include "constraints/parts/slide.h"
#include "constraints/parts/turn.h"

namespace cairn {

template <class T>
using Pose2T = JointPose<Dim2, T>;
template <class T>
using Parameters2T = JointParameters<Dim2, T>;
template <class T>
using Parts2T = JointParts<Dim2, T>;

// Of hydraulic cylinders too. The rod is the hold row, without limits, spring or drive.
template <class T>
CAIRN_INLINE Parts2T<T> distance_parts(const Pose2T<T>& pose, const Parameters2T<T>& p) {
  const PartRow<Dim2, T> row = distance_row(pose);
  return {{{row.jacobian, row.position - p.length}}, 1, {row}, 1, {}};
}
template <class T>
CAIRN_INLINE Parts2T<T> hinge_parts(const Pose2T<T>& pose, const Parameters2T<T>& p) {
  return {{slide_in_world(pose, {T(1), T(0)}), slide_in_world(pose, {T(0), T(1)})},
          2,
          {turn_row(pose, p.turns[0])},
          1,
          {}};
}
template <class T>
CAIRN_INLINE Parts2T<T> slider_parts(const Pose2T<T>& pose, const Parameters2T<T>&) {
  return {{slide_in_a(pose, y_axis(pose.frame_a)), turn_row(pose, Turns<T>{})},
          2,
          {slide_in_a(pose, x_axis(pose.frame_a))},
          1,
          {}};
}
template <class T>
CAIRN_INLINE Parts2T<T> fixed_parts(const Pose2T<T>& pose, const Parameters2T<T>&) {
  return {
      {slide_in_world(pose, {T(1), T(0)}), slide_in_world(pose, {T(0), T(1)}), turn_row(pose, Turns<T>{})},
      3,
      {},
      0,
      {}};
}
template <class T>
CAIRN_INLINE Parts2T<T> point_on_line_parts(const Pose2T<T>& pose, const Parameters2T<T>&) {
  return {{slide_in_a(pose, y_axis(pose.frame_a))}, 1, {slide_in_a(pose, x_axis(pose.frame_a))}, 1, {}};
}
// The coordinates of a gear are the turns of a and b; that of a rack is the turn of the rack about the pinion.
template <class T>
CAIRN_INLINE Parts2T<T> gear_parts(const Pose2T<T>& pose, const Parameters2T<T>& p) {
  const GearTurns<Dim2, T> turns = gear_turns(pose, p.rest_a, p.rest_b, p.turns[0], p.turns[1]);
  return {{gear_row(turns, p.ratio)}, 1, {turns.a, turns.b}, 2, {}};
}
template <class T>
CAIRN_INLINE Parts2T<T> rack_parts(const Pose2T<T>& pose, const Parameters2T<T>& p) {
  const PartRow<Dim2, T> turned = turn_row(pose, p.turns[0]);
  return {{rack_row(pose, x_axis(pose.frame_b), p.ratio, turned)}, 1, {turned}, 1, {}};
}

}  // namespace cairn
