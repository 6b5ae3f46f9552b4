// Free flight of one body for a time h: no force acts on it.
//
// Dynamic bodies keep their momentum, their angular momentum and their energy (bodies/free_rotation.h);
// kinematic bodies keep their velocities; fixed bodies stay.
#pragma once

#include <span>

#include "base/team.h"
#include "bodies/kernels/kernels.h"
#include "bodies/state.h"

namespace cairn {

// False if the body turns too far in h for its rotation to be resolved; its energy is kept all the same.
bool drift(BodyState<Dim2>& state, const BodyMass<Dim2>& mass, double h);
bool drift(BodyState<Dim3>& state, const BodyMass<Dim3>& mass, double h);

// All of them: `states` and `masses` by row, on the team, with the kernels where there are some. Returns how many
// turn too far.
std::size_t drift(std::span<BodyState<Dim2>> states, std::span<const BodyMass<Dim2>> masses, double h,
                  Team& team, const BodyKernels& kernels);
std::size_t drift(std::span<BodyState<Dim3>> states, std::span<const BodyMass<Dim3>> masses, double h,
                  Team& team, const BodyKernels& kernels);

// The rotation after turning at a constant angular velocity for a time h.
template <class Rot, class Ang>
CAIRN_INLINE Rot turned(const Rot& rotation, const Ang& angular_velocity, double h) {
  return normalized(rotation_of(h * angular_velocity) * rotation);
}

}  // namespace cairn
