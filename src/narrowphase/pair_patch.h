// A patch of contact between two bodies, as it lasts from step to step: what is fixed to the bodies, and what the solver remembers.
//
// Doubles that are read or written together stand together: the solver's lanes gather and scatter them as they are.
#pragma once

#include <cairn/material.h>

#include <array>
#include <cstdint>

#include "narrowphase/manifold.h"

namespace cairn {

template <class D>
struct PairPoint {
  typename D::Vec anchor_a{};  // [m] on a's surface, from a's centre of mass, in a's axes
  typename D::Vec anchor_b{};  // on b's, likewise
  double separation = 0;       // [m] along the normal, now
  // What the solver remembers.
  double load = 0;            // [N] along the normal at the end of the last step: where it starts
  typename D::Vec impulse{};  // [N·s] on b in the last step, in a's axes
  Features features{};
  std::uint32_t age = 0;  // steps since the point appeared
};

template <class D>
struct PairPatch {
  typename D::Vec normal{};  // unit, from a to b, in a's axes
  // What the solver remembers of the last step's end, on b, in a's axes.
  typename D::Vec friction{};  // [N]
  double twist = 0;            // [N·m] of friction about the normal
  typename D::Ang torque{};    // [N·m] against rolling and spinning
  // What its surfaces are like, written by the world when it does not know yet (PairContact::knows_surfaces).
  double rounding_a = 0, rounding_b = 0;  // [m] of the arms, what does not turn with the bodies
  Material material{};                    // of both together
  bool stuck = false;                     // did friction hold?
  std::uint32_t element = 0;
  int count = 0;
  std::array<PairPoint<D>, Manifold<D>::k_most_points> points{};  // the deepest first, when found afresh
};

// Did it push, or hold by friction, in the last step?
template <class D>
bool was_loaded(const PairPatch<D>& patch) {
  for (int k = 0; k < patch.count; ++k)
    if (patch.points[k].load > 0 || !(patch.points[k].impulse == typename D::Vec{})) return true;
  return patch.stuck;
}

}  // namespace cairn
