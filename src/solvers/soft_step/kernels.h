// The sweeps over packed contacts, and what hands bodies to them.
//
// Groups of one color share no moving body: any order, any thread.
#pragma once

#include <cairn/instruction_set.h>

#include <cstddef>

#include "constraints/contact_block.h"
#include "solvers/soft_step/lanes.h"

namespace cairn {

template <class D, class Real>
struct ContactKernels {
  using Group = ContactGroup<D, Real>;
  using Moving = MovingBody<D, Real>;
  using Inert = InertBody<D, Real>;

  // The effective masses.
  void (*prepare)(Group* groups, std::size_t count, const Inert* inert);
  // Applies the impulses of the last substep again. Before, it `adds_up`: for the last substep that nobody did it for.
  void (*warm_start)(Group* groups, std::size_t count, Moving* moving, const Inert* inert, bool adds_up);
  // One sweep.
  void (*solve)(Group* groups, std::size_t count, Moving* moving, const Inert* inert,
                const SweepSettings& settings);
  // Adds this substep's impulses to the totals.
  void (*add_up)(Group* groups, std::size_t count);
  // Newton's law where the bodies met fast enough, with no more energy than the impact took.
  void (*bounce)(Group* groups, std::size_t count, Moving* moving, const Inert* inert,
                 const SweepSettings& settings);
};

// As many as a kernel takes at once, in the widest set.
inline constexpr int k_most_patches_at_once = 8;
template <class D, class Real>
struct PatchKernels {
  // Puts the patches into the first lanes of the group, as many as it has, with the bodies at these states, by row. Views up to
  // the next multiple of k_most_patches_at_once must be there, of anything that is finite. Records of bodies, flags and sums are
  // others' business. Impulses start from their loads in a substep of h.
  void (*fill)(ContactGroup<D, Real>& group, const PatchView<D>* views, const BodyState<D>* states, double h);
  // Gives back what was found for them in a step, of which h was the last substep: likewise there must be patches up to the next
  // multiple. What goes on with the bodies is kept in a's axes as they were `before`; what is told, as they are `after`.
  void (*hand_back)(const ContactGroup<D, Real>& group, PairPatch<D>* const* patches,
                    const std::uint32_t* rows_a, const BodyState<D>* before, const BodyState<D>* after,
                    double h);
};

template <class D, class Real>
struct MotionKernels {
  // Of the bodies `rows` (distinct, any order), none with locked rotation: how far they are from where they were at the
  // `start`, their velocities as they are now, and what has become of their inertia. What velocities the lanes were `given` is kept beside.
  void (*load)(const BodyState<D>* start, const BodyState<D>* now, const BodyMass<D>* masses,
               const std::uint32_t* rows, std::size_t count, MovingBody<D, Real>* moving,
               InertBody<D, Real>* inert, GivenVelocity<D, Real>* given);
  // What the lanes did to the velocities of these bodies since.
  void (*take)(const MovingBody<D, Real>* moving, const std::uint32_t* rows, std::size_t count,
               GivenVelocity<D, Real>* given, BodyState<D>* now);
};

// The set must be at most best_instruction_set().
template <class D, class Real>
const MotionKernels<D, Real>& motion_kernels(InstructionSet set) noexcept;
template <class D, class Real>
const PatchKernels<D, Real>& patch_kernels(InstructionSet set) noexcept;
template <class D, class Real>
const ContactKernels<D, Real>& contact_kernels(InstructionSet set) noexcept;

}  // namespace cairn
