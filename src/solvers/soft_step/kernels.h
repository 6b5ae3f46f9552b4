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
  // the next multiple of k_most_patches_at_once must be there, of anything that is finite. Says whether any resists or bounces;
  // records of bodies, other flags and sums are others' business. Impulses start from their loads in a substep of h.
  // Patches of another group that will be wanted `soon` are asked for on the way, a few at a time: a processor waits for so
  // many lines at once and no more. As many as k_width; null: none.
  void (*fill)(ContactGroup<D, Real>& group, const PatchView<D>* views, const PatchView<D>* soon,
               const BodyState<D>* states, double h);
  // Gives back what was found for them in a step, of which h was the last substep: likewise there must be patches up to the next
  // multiple. What goes on with the bodies is kept in a's axes as they were `before`; what is told, as they are `after`.
  // Points that are not there get no load.
  void (*hand_back)(const ContactGroup<D, Real>& group, PairPatch<D>* const* patches,
                    PairPatch<D>* const* soon, const std::uint32_t* rows_a, const BodyState<D>* before,
                    const BodyState<D>* after, double h);
};

// What a pass over bodies reads and writes, by row.
template <class D, class Real>
struct MotionPass {
  BodyState<D>* states;
  const BodyMass<D>* masses;
  const BodyState<D>* start;     // of the step; none: nobody asks how far they are from it
  const typename D::Vec* kicks;  // [m/s] what forces do to velocities
  const double* corrections;     // D::k_dof each: velocities for the way of the substep only; may be none
  MovingBody<D, Real>* moving;
  InertBody<D, Real>* inert;
  std::uint8_t* turned_far;
  double h;    // [s] 0: they stay where they are
  bool takes;  // before anything else: what the lanes did to velocities since they were handed over
};
struct Moved {
  std::size_t left = 0;     // how many bodies are left to be moved by somebody else
  bool turned_far = false;  // since the step began: has one of the others? They are marked.
};
inline constexpr double k_turned_far = 0.05;  // sine of half the angle (in the plane: of the angle)

// Of the bodies `rows`: distinct, any order.
template <class D, class Real>
struct MotionKernels {
  using Pass = MotionPass<D, Real>;

  // Takes, and nothing else.
  void (*take)(const Pass& pass, const std::uint32_t* rows, std::size_t count);
  // Kicks them, and hands their velocities to the lanes.
  void (*kick)(const Pass& pass, const std::uint32_t* rows, std::size_t count);
  // Moves them freely, with their corrections, and hands them to the lanes: velocities, how far they are from the start, and what
  // has become of their inertia. In space, dynamic bodies without locks; in the plane, those that turn by more than π/4 are `left`
  // where they are, with velocities that are taken and corrected.
  Moved (*move)(const Pass& pass, const std::uint32_t* rows, std::size_t count, std::uint32_t* left);
};

// The set must be at most best_instruction_set().
template <class D, class Real>
const MotionKernels<D, Real>& motion_kernels(InstructionSet set) noexcept;
template <class D, class Real>
const PatchKernels<D, Real>& patch_kernels(InstructionSet set) noexcept;
template <class D, class Real>
const ContactKernels<D, Real>& contact_kernels(InstructionSet set) noexcept;

}  // namespace cairn
