// What pins (pins.h) are in lanes, and what kernels do with them.
#pragma once

#include <cairn/instruction_set.h>

#include <cstddef>
#include <cstdint>

#include "solvers/soft_step/lanes.h"

namespace cairn {

// Pins of one color, which share no moving body.
template <class D, class Real>
struct alignas(64) PinGroup {
  using Lanes = Real[k_width];
  static constexpr int k_linear = D::k_linear;

  // What is read in every sweep.
  Lanes arm_a[k_linear], arm_b[k_linear];     // [m] now
  Lanes mass[k_linear * (k_linear + 1) / 2];  // K⁻¹: xx, yy, xy; in space xx, yy, zz, xy, xz, yz
  Lanes bias[k_linear];                       // [m/s] that draws errors in
  Lanes impulse[k_linear];                    // [N·s] of this substep, on b
  std::uint32_t a[k_width], b[k_width];       // records of the bodies
  int lanes = 0;                              // that have a pin: the first; those behind repeat the last
  alignas(64) Lanes total[k_linear];          // [N·s] of all substeps so far
  alignas(64) double anchor_a[k_linear][k_width], anchor_b[k_linear][k_width];  // [m] body axes
  std::uint32_t joint[k_width];
};

struct PinSweep {
  double give = 1, leak = 0;
  bool draws_in = false;
};

template <class D, class Real>
struct PinKernels {
  using Group = PinGroup<D, Real>;
  // Arms, K and bias, with the bodies where they are. Errors go away at `rate` [1/s].
  void (*prepare)(Group* groups, std::size_t count, const BodyState<D>* states, const BodyMass<D>* masses,
                  const typename D::Inertia* inverse_inertias, double rate);
  void (*warm_start)(const Group* groups, std::size_t count, MovingBody<D, Real>* moving,
                     const InertBody<D, Real>* inert);
  void (*solve)(Group* groups, std::size_t count, MovingBody<D, Real>* moving,
                const InertBody<D, Real>* inert, const PinSweep& sweep);
  void (*add_up)(Group* groups, std::size_t count);  // impulses to totals
};

// The set must be at most best_instruction_set().
template <class D, class Real>
const PinKernels<D, Real>& pin_kernels(InstructionSet set) noexcept;

}  // namespace cairn
