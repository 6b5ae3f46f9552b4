// The kernels on bodies: what the step does to many of them at once.
#pragma once

#include "base/cpu.h"
#include "bodies/state.h"

#include <cstddef>
#include <cstdint>

namespace cairn {

struct BodyKernels {
  // Moves the bodies `indices` (distinct, any order) freely for h [s]: position by velocity, rotation and
  // angular velocity by free_rotation.h. `inertia` [kg·m²] is in body axes, and like `states` an array that
  // the indices point into. Returns how many of them turned too fast or had states so bad that their rotation
  // kept the energy but not the angular momentum.
  std::size_t (*drift)(BodyState<Dim3>* states, const Sym3* inertia, const uint32_t* indices,
                       std::size_t count, double h);
};

// The set must be at most best_instruction_set().
const BodyKernels& body_kernels(InstructionSet set) noexcept;

}  // namespace cairn
