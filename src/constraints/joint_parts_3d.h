// The joints of space, composed from parts.
#pragma once

#include "constraints/joint_parts.h"
#include "constraints/parts/axis.h"
#include "constraints/parts/cross.h"
#include "constraints/parts/distance.h"
#include "constraints/parts/gear.h"
#include "constraints/parts/rotation.h"
#include "constraints/parts/slide.h"
#include "constraints/parts/swing.h"
#include "constraints/parts/turn.h"

namespace cairn {

template <class T>
using Pose3T = JointPose<Dim3, T>;
template <class T>
using Parameters3T = JointParameters<Dim3, T>;
template <class T>
using Parts3T = JointParts<Dim3, T>;

// Three rows that keep two points together. Along world axes: their impulses are the force on b.
template <class T>
CAIRN_INLINE void hold_point(const Pose3T<T>& pose, Parts3T<T>& out) {
  out.hold[out.hold_count++] = slide_in_world(pose, {T(1), T(0), T(0)});
  out.hold[out.hold_count++] = slide_in_world(pose, {T(0), T(1), T(0)});
  out.hold[out.hold_count++] = slide_in_world(pose, {T(0), T(0), T(1)});
}
// Two rows that keep the point of b on the axis of a.
template <class T>
CAIRN_INLINE void hold_on_line(const Pose3T<T>& pose, const Mat3T<T>& a, Parts3T<T>& out) {
  out.hold[out.hold_count++] = slide_in_a(pose, a.c1);
  out.hold[out.hold_count++] = slide_in_a(pose, a.c2);
}
template <class T>
CAIRN_INLINE void hold_axis(const Pose3T<T>& pose, Parts3T<T>& out) {
  const AxisRows<T> rows = axis_rows(pose);
  out.hold[out.hold_count++] = rows.y;
  out.hold[out.hold_count++] = rows.z;
}
template <class T>
CAIRN_INLINE void hold_rotation(const Pose3T<T>& pose, Parts3T<T>& out) {
  const RotationRows<T> rows = rotation_rows(pose);
  out.hold[out.hold_count++] = rows.x;
  out.hold[out.hold_count++] = rows.y;
  out.hold[out.hold_count++] = rows.z;
}

// Of hydraulic cylinders too. The rod is the hold row, without limits, spring or drive.
template <class T>
CAIRN_INLINE Parts3T<T> distance_parts(const Pose3T<T>& pose, const Parameters3T<T>& p) {
  Parts3T<T> out;
  out.axis[out.axis_count++] = distance_row(pose);
  out.hold[out.hold_count++] = {out.axis[0].jacobian, out.axis[0].position - p.length};
  return out;
}
template <class T>
CAIRN_INLINE Parts3T<T> ball_parts(const Pose3T<T>& pose, const Parameters3T<T>& p) {
  Parts3T<T> out;
  hold_point(pose, out);
  const SwingRows<T> swing = swing_rows(pose);
  out.axis[out.axis_count++] = turn_row(pose, p.turns[0]);
  out.axis[out.axis_count++] = swing.y;
  out.axis[out.axis_count++] = swing.z;
  out.cone = swing.cone;
  return out;
}
template <class T>
CAIRN_INLINE Parts3T<T> hinge_parts(const Pose3T<T>& pose, const Parameters3T<T>& p) {
  Parts3T<T> out;
  hold_point(pose, out);
  hold_axis(pose, out);
  out.axis[out.axis_count++] = turn_row(pose, p.turns[0]);
  return out;
}
template <class T>
CAIRN_INLINE Parts3T<T> slider_parts(const Pose3T<T>& pose, const Parameters3T<T>&) {
  const Mat3T<T> a = matrix(pose.frame_a);
  Parts3T<T> out;
  hold_on_line(pose, a, out);
  hold_rotation(pose, out);
  out.axis[out.axis_count++] = slide_in_a(pose, a.c0);
  return out;
}
template <class T>
CAIRN_INLINE Parts3T<T> cylindrical_parts(const Pose3T<T>& pose, const Parameters3T<T>& p) {
  const Mat3T<T> a = matrix(pose.frame_a);
  Parts3T<T> out;
  hold_on_line(pose, a, out);
  hold_axis(pose, out);
  out.axis[out.axis_count++] = slide_in_a(pose, a.c0);
  out.axis[out.axis_count++] = turn_row(pose, p.turns[1]);
  return out;
}
template <class T>
CAIRN_INLINE Parts3T<T> universal_parts(const Pose3T<T>& pose, const Parameters3T<T>& p) {
  Parts3T<T> out;
  hold_point(pose, out);
  const CrossRows<T> rows = cross_rows(pose, p.turns[0], p.turns[1]);
  out.hold[out.hold_count++] = rows.hold;
  out.axis[out.axis_count++] = rows.turn_a;
  out.axis[out.axis_count++] = rows.turn_b;
  return out;
}
template <class T>
CAIRN_INLINE Parts3T<T> fixed_parts(const Pose3T<T>& pose, const Parameters3T<T>&) {
  Parts3T<T> out;
  hold_point(pose, out);
  hold_rotation(pose, out);
  return out;
}
template <class T>
CAIRN_INLINE Parts3T<T> planar_parts(const Pose3T<T>& pose, const Parameters3T<T>& p) {
  const Mat3T<T> a = matrix(pose.frame_a);
  Parts3T<T> out;
  out.hold[out.hold_count++] = slide_in_a(pose, a.c0);
  hold_axis(pose, out);
  out.axis[out.axis_count++] = slide_in_a(pose, a.c1);
  out.axis[out.axis_count++] = slide_in_a(pose, a.c2);
  out.axis[out.axis_count++] = turn_row(pose, p.turns[2]);
  return out;
}
template <class T>
CAIRN_INLINE Parts3T<T> point_on_line_parts(const Pose3T<T>& pose, const Parameters3T<T>&) {
  const Mat3T<T> a = matrix(pose.frame_a);
  Parts3T<T> out;
  hold_on_line(pose, a, out);
  out.axis[out.axis_count++] = slide_in_a(pose, a.c0);
  return out;
}
// The coordinates of a gear are the turns of a and b; that of a rack is the turn of the rack about the pinion.
template <class T>
CAIRN_INLINE Parts3T<T> gear_parts(const Pose3T<T>& pose, const Parameters3T<T>& p) {
  const GearTurns<Dim3, T> turns = gear_turns(pose, p.rest_a, p.rest_b, p.turns[0], p.turns[1]);
  Parts3T<T> out;
  out.hold[out.hold_count++] = gear_row(turns, p.ratio);
  out.axis[out.axis_count++] = turns.a;
  out.axis[out.axis_count++] = turns.b;
  return out;
}
template <class T>
CAIRN_INLINE Parts3T<T> rack_parts(const Pose3T<T>& pose, const Parameters3T<T>& p) {
  Parts3T<T> out;
  out.axis[out.axis_count++] = turn_row(pose, p.turns[0]);
  out.hold[out.hold_count++] = rack_row(pose, matrix(pose.frame_b).c1, p.ratio, out.axis[0]);
  return out;
}

}  // namespace cairn
