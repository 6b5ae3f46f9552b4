// What a joint is made of, on any scalar: the rows that hold, and the coordinates of the axes it leaves free.
//
// joint_parts_2d.h and joint_parts_3d.h have one function for each kind of joint, composed from parts/. What limits,
// springs, drives and frictions make of the coordinates is the same for all (constraints/joints.h).
#pragma once

#include "constraints/parts/arc.h"
#include "constraints/parts/part.h"

namespace cairn {

enum class JointKind : std::uint8_t {
  distance,
  ball,
  hinge,
  slider,
  cylindrical,
  universal,
  fixed,
  planar,
  point_on_line,
  gear,
  rack,
  hydraulic,
};

inline constexpr int k_most_axes = 3;

// What a joint knows beside its pose. Most joints need only the turns of their angles.
template <class D, class T>
struct JointParameters {
  T length{};                      // [m] of a rod
  T ratio{};                       // of a gear; of a rack the radius [m]
  RotOf<D, T> rest_a{}, rest_b{};  // of a gear: the frames at rest
  Turns<T> turns[k_most_axes]{};   // of the axes that turn; of a gear those of a and b
};

template <class D, class T>
struct JointParts {
  PartRow<D, T> hold[D::k_dof]{};  // C = 0
  int hold_count = 0;
  PartRow<D, T> axis[k_most_axes]{};  // [m] or [rad] from the rest pose; of distances the length itself
  int axis_count = 0;
  PartRow<D, T> cone{};  // [rad] of a ball joint: how far its axis has swung
};

}  // namespace cairn
