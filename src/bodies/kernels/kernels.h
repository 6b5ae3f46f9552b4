// The kernels on bodies: what the step does to many of them at once.
#pragma once

#include <cairn/instruction_set.h>

#include <cstddef>
#include <cstdint>

#include "bodies/state.h"

namespace cairn {

struct BodyKernels {
  // Moves the bodies `indices` (distinct, any order) freely for h [s]: position by velocity, rotation and
  // angular velocity by free_rotation.h. The indices point into `states` and `masses` alike, of which only the
  // inertia is read: bodies without locks. Returns how many of them turned too fast or had states so bad that their rotation
  // kept the energy but not the angular momentum.
  std::size_t (*drift)(BodyState<Dim3>* states, const BodyMass<Dim3>* masses, const uint32_t* indices,
                       std::size_t count, double h);
  // Likewise in the plane, of bodies that are not fixed. Those that turn by more than π/4 are left as they are: their indices
  // come first afterwards, and it returns how many they are.
  std::size_t (*drift_flat)(BodyState<Dim2>* states, uint32_t* indices, std::size_t count, double h);
};

// The set must be at most best_instruction_set().
const BodyKernels& body_kernels(InstructionSet set) noexcept;

}  // namespace cairn
