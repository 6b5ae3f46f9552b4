// The sweeps over packed contacts. Groups of one color share no moving body: any order, any thread.
#pragma once

#include <cairn/instruction_set.h>

#include <cstddef>

#include "solvers/soft_step/lanes.h"

namespace cairn {

template <class D, class Real>
struct ContactKernels {
  using Group = ContactGroup<D, Real>;
  using Moving = MovingBody<D, Real>;
  using Inert = InertBody<D, Real>;

  // The effective masses.
  void (*prepare)(Group* groups, std::size_t count, const Inert* inert, const SweepSettings& settings);
  // Applies the impulses of the last substep again.
  void (*warm_start)(const Group* groups, std::size_t count, Moving* moving, const Inert* inert);
  // One sweep. With a rate, overlap is drawn in; without, only approach is stopped.
  void (*solve)(Group* groups, std::size_t count, Moving* moving, const Inert* inert,
                const SweepSettings& settings);
  // Adds this substep's impulses to the totals.
  void (*add_up)(Group* groups, std::size_t count);
  // Newton's law where the bodies met fast enough, with no more energy than the impact took.
  void (*bounce)(Group* groups, std::size_t count, Moving* moving, const Inert* inert,
                 const SweepSettings& settings);
};

// The set must be at most best_instruction_set().
template <class D, class Real>
const ContactKernels<D, Real>& contact_kernels(InstructionSet set) noexcept;

}  // namespace cairn
