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
  static constexpr int k_inertia = D::k_angular * (D::k_angular + 1) / 2;  // of a symmetric matrix

  // What is read in every sweep.
  Lanes arm_a[k_linear], arm_b[k_linear];     // [m] now
  Lanes mass[k_linear * (k_linear + 1) / 2];  // K⁻¹: xx, yy, xy; in space xx, yy, zz, xy, xz, yz
  Lanes bias[k_linear];                       // [m/s] that draws errors in
  // Of the bodies. (Gathering them by body in every sweep took a sixth longer.)
  Lanes inverse_mass_a, inverse_mass_b;
  Lanes inverse_inertia_a[k_inertia], inverse_inertia_b[k_inertia];  // xx, yy, zz, xy, xz, yz
  Lanes impulse[k_linear];                                           // [N·s] of this substep, on b
  std::uint32_t a[k_width], b[k_width];                              // records of the bodies
  int lanes = 0;                      // that have a pin: the first; those behind repeat the last
  alignas(64) Lanes total[k_linear];  // [N·s] of all substeps so far
  alignas(64) double anchor_a[k_linear][k_width], anchor_b[k_linear][k_width];  // [m] body axes
  std::uint32_t joint[k_width];
};

// A body of a pin, none of whose axes is locked.
template <class D>
struct PinBody;
template <>
struct PinBody<Dim2> {
  double inverse_mass, inverse_inertia;
};
template <>
struct PinBody<Dim3> {
  double inverse_mass;
  Sym3 inverse_inertia;  // body axes
};

struct PinSweep {
  double give = 1, leak = 0;
  bool draws_in = false;
};

template <class D, class Real>
struct PinKernels {
  using Group = PinGroup<D, Real>;
  // Arms, masses and bias, with the bodies where they are. Errors go away at `rate` [1/s].
  void (*prepare)(Group* groups, std::size_t count, const BodyState<D>* states, const PinBody<D>* bodies,
                  double rate);
  void (*warm_start)(const Group* groups, std::size_t count, MovingBody<D, Real>* moving);
  void (*solve)(Group* groups, std::size_t count, MovingBody<D, Real>* moving, const PinSweep& sweep);
  void (*add_up)(Group* groups, std::size_t count);  // impulses to totals
};

// The set must be at most best_instruction_set().
template <class D, class Real>
const PinKernels<D, Real>& pin_kernels(InstructionSet set) noexcept;

}  // namespace cairn
