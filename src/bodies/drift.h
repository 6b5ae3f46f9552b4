// Free flight of one body for a time h: no force acts on it.
//
// Dynamic bodies keep their momentum, their angular momentum and their energy (bodies/free_rotation.h);
// kinematic bodies keep their velocities; fixed bodies stay.
#pragma once

#include "bodies/state.h"

namespace cairn {

void drift(BodyState<Dim2>& state, const BodyMass<Dim2>& mass, double h);
void drift(BodyState<Dim3>& state, const BodyMass<Dim3>& mass, double h);

// The rotation after turning at a constant angular velocity for a time h.
template <class Rot, class Ang>
CAIRN_INLINE Rot turned(const Rot& rotation, const Ang& angular_velocity, double h) {
  return normalized(rotation_of(h * angular_velocity) * rotation);
}

}  // namespace cairn
