// The hot part of a body: where it is and how it moves. Everything else about a body is read less often.
#pragma once

#include <cairn/math.h>

namespace cairn {

// Bytes in three and in two dimensions:
template <class D>
struct BodyState {
  typename D::Vec position;          // 24  16  [m] of the centre of mass
  typename D::Rot rotation;          // 32  16  body axes to world axes
  typename D::Vec velocity;          // 24  16  [m/s] of the centre of mass, world axes
  typename D::Ang angular_velocity;  // 24   8  [rad/s] world axes
};
// Kernels read a state as an array of doubles: no padding, in this order.
static_assert(sizeof(BodyState<Dim3>) == 104 && alignof(BodyState<Dim3>) == alignof(double));
static_assert(sizeof(BodyState<Dim2>) == 56 && alignof(BodyState<Dim2>) == alignof(double));

}  // namespace cairn
