// What impacts take, so that bounces give back no more.
//
// Newton's law asks each point to part with e times the speed of its approach. Where several points meet at once, where
// friction turns a body round, or a fast body turns during the step, that may be more energy than the impact took: a
// rod that falls on both ends gained up to 39 % in a step, a spinning one 20 times its energy. So the work of each patch
// that is going to bounce is followed through the substeps, between the moments at which the ledger looks
// (solvers/soft_step/ledger.h): Δλ·½J(v⁻ + v⁺), which in sum is exact in any order of sweeps, directly solved or
// not. What its normals took, less what friction brought in, is all that its bounce may do.
//
// One ball never notices: it is asked to give back e² of what was taken.
#pragma once

#include <span>
#include <vector>

#include "constraints/residual.h"

namespace cairn {

template <class D>
class Rebounds {
 public:
  // Once a step: of these contacts, which have restitution, those that meet fast enough to bounce.
  void begin(std::span<const std::uint32_t> bouncy, std::span<const PatchRef> contacts,
             const PatchSource<D>& patches, double resting_speed);
  std::span<const std::uint32_t> contacts() const { return which_; }  // in ascending order
  // Before constraints act: `fresh` if their impulses start from nothing.
  void before(std::span<const BodyState<D>> states, bool fresh);
  // After they have acted: contacts()[k] now has this impulse.
  void after(std::size_t k, const PatchImpulse<D>& impulse, std::span<const BodyState<D>> states);
  double taken(std::size_t k) const;  // [J] by contacts()[k] so far; at least 0

 private:
  using Vec = typename D::Vec;
  using Ang = typename D::Ang;
  struct Patch {
    ContactBlock<D> block;
    Twist<D> a{}, b{};  // velocities of its bodies before
    PatchImpulse<D> impulse{};
    double normals = 0, friction = 0;  // [J] work
  };

  std::vector<std::uint32_t> which_;
  std::vector<Patch> patches_;
};

extern template class Rebounds<Dim2>;
extern template class Rebounds<Dim3>;

}  // namespace cairn
