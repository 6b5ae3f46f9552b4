// The parts of every joint on lanes, as a kernel for each instruction set.
#pragma once

#include <cairn/instruction_set.h>

#include "constraints/joint_parts.h"

namespace cairn::parts_test {

// What a joint of one kind is made of is a function of these.
template <class D, class T>
struct Input {
  JointPose<D, T> pose{};
  JointParameters<D, T> parameters{};
};
// All its rows: those that hold, the axes, the cone. Those it does not have are zero.
template <class D, class T>
struct Output {
  PartRow<D, T> row[D::k_dof + k_most_axes + 1]{};
};

template <class D>
using OnDoubles = void (*)(JointKind kind, const Input<D, double> (&in)[4], Output<D, double> (&out)[4]);
template <class D>
using OnFloats = void (*)(JointKind kind, const Input<D, float> (&in)[8], Output<D, float> (&out)[8]);

struct Kernels {
  OnDoubles<Dim2> doubles_2d;
  OnDoubles<Dim3> doubles_3d;
  OnFloats<Dim2> floats_2d;
  OnFloats<Dim3> floats_3d;
};

template <class D, class T>
CAIRN_INLINE Output<D, T> rows_in(const JointParts<D, T>& parts) {
  Output<D, T> out;
  for (int i = 0; i < D::k_dof; ++i) out.row[i] = parts.hold[i];
  for (int i = 0; i < k_most_axes; ++i) out.row[D::k_dof + i] = parts.axis[i];
  out.row[D::k_dof + k_most_axes] = parts.cone;
  return out;
}

}  // namespace cairn::parts_test

#include "constraints/joint_parts_2d.h"
#include "constraints/joint_parts_3d.h"

namespace cairn::parts_test {

template <class T>
CAIRN_INLINE Output<Dim2, T> outputs(JointKind kind, const Input<Dim2, T>& in) {
  switch (kind) {
    case JointKind::distance:
      return rows_in(distance_parts(in.pose, in.parameters));
    case JointKind::hinge:
      return rows_in(hinge_parts(in.pose, in.parameters));
    case JointKind::slider:
      return rows_in(slider_parts(in.pose, in.parameters));
    case JointKind::fixed:
      return rows_in(fixed_parts(in.pose, in.parameters));
    case JointKind::point_on_line:
      return rows_in(point_on_line_parts(in.pose, in.parameters));
    case JointKind::gear:
      return rows_in(gear_parts(in.pose, in.parameters));
    case JointKind::rack:
      return rows_in(rack_parts(in.pose, in.parameters));
    default:
      return {};
  }
}
template <class T>
CAIRN_INLINE Output<Dim3, T> outputs(JointKind kind, const Input<Dim3, T>& in) {
  switch (kind) {
    case JointKind::distance:
      return rows_in(distance_parts(in.pose, in.parameters));
    case JointKind::ball:
      return rows_in(ball_parts(in.pose, in.parameters));
    case JointKind::hinge:
      return rows_in(hinge_parts(in.pose, in.parameters));
    case JointKind::slider:
      return rows_in(slider_parts(in.pose, in.parameters));
    case JointKind::cylindrical:
      return rows_in(cylindrical_parts(in.pose, in.parameters));
    case JointKind::universal:
      return rows_in(universal_parts(in.pose, in.parameters));
    case JointKind::fixed:
      return rows_in(fixed_parts(in.pose, in.parameters));
    case JointKind::planar:
      return rows_in(planar_parts(in.pose, in.parameters));
    case JointKind::point_on_line:
      return rows_in(point_on_line_parts(in.pose, in.parameters));
    case JointKind::gear:
      return rows_in(gear_parts(in.pose, in.parameters));
    case JointKind::rack:
      return rows_in(rack_parts(in.pose, in.parameters));
    case JointKind::hydraulic:
      return {};
  }
  return {};
}

}  // namespace cairn::parts_test
