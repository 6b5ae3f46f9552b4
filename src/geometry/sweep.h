// How a body moves through a step: its centre of mass along a straight line, turning at a constant rate.
#pragma once

#include <cairn/math.h>

namespace cairn {

template <class D>
struct Sweep {
  typename D::Vec from{};         // [m] of the centre at t = 0
  typename D::Rot rotation{};     // at t = 0
  typename D::Vec translation{};  // [m] of the centre from t = 0 to t = 1
  typename D::Ang turn{};         // [rad] rotation vector, world axes, from t = 0 to t = 1; may exceed 2π

  Pose<D> at(double t) const {
    return {from + t * translation, normalized(rotation_of(t * turn) * rotation)};
  }
};

}  // namespace cairn
