// The energy ledger of the real-time solver: what did which work, and how well its problem was solved.
//
// An impulse λ along J that changes velocities from v⁻ to v⁺, together with whatever others, does the work λ·½J(v⁻ + v⁺);
// the works of all add up to the change of kinetic energy exactly, in any order of sweeps. So it is enough to look at
// the velocities and impulses at five moments of each substep:
//
//   before the kick ──► after ──► drawn in ──► moved ──► relaxed         and once a step: bounced
//                  forces    Σ λ        potential,   Σ Δλ                                Σ Δλ
//                            by kind    inertia
//
// A kinematic body is held to its path by somebody, who does the opposite of the work that is done on it: `drive`. So
// does what moves the surface of a conveyor. Friction is left with what the sliding surfaces lose.
//
// Nothing is found as a remainder: the world compares the sum with the change of energy.
#pragma once

#include <cairn/solver.h>

#include <span>
#include <vector>

#include "base/team.h"
#include "constraints/residual.h"
#include "forces/force_set.h"
#include "solvers/soft_step/bonds.h"

namespace cairn {

// What each cause brought to the bodies that the solver moved. [J]
template <class D>
struct Works {
  double applied = 0, drive = 0, damping = 0, discretisation = 0;
  double contact = 0, friction = 0, impact = 0;
  double joint = 0, joint_friction = 0;
  double relaxation = 0, stabilisation = 0;
  typename D::Vec linear_impulse{};   // [N·s] on dynamic bodies
  typename D::Ang angular_impulse{};  // [N·m·s] about the origin
};

template <class D>
class Ledger {
 public:
  // Once a step. Without works, only the residual of the last substep is kept.
  void begin_step(std::size_t bodies, bool keeps_works);
  bool keeps_works() const { return keeps_works_; }
  bool has_moved(std::size_t row) const { return moved_[row]; }  // did the solver move this body?
  const Works<D>& works() const { return works_; }
  Residual residual() const;

  // By the solver, any number of times a step, each for other bodies. `states` are those of all bodies, by row; they stay
  // where they are until `end`.
  void begin(Team& team, const ForceSet<D>& forces, std::span<const std::uint32_t> rows,
             std::span<const BodyState<D>> states, std::span<const PatchRef> contacts,
             const PatchSource<D>& patches, double h);
  void before_kick(double t);
  // Of these rows, gravity gives half now and half in the late kick.
  void after_kick(std::span<const std::uint32_t> in_halves);
  void note_free_speed();  // for the residual, after the kick
  void after_drawing_in(std::span<const PatchImpulse<D>> impulses, const Bonds<D>& bonds);
  void after_motion(const Bonds<D>& bonds);
  void after_late_kick(std::span<const std::uint32_t> in_halves);
  void before_relaxing(const Bonds<D>& bonds);
  void after_relaxing(std::span<const PatchImpulse<D>> impulses, const Bonds<D>& bonds);
  void judge(std::span<const PatchImpulse<D>> impulses, const Bonds<D>& bonds);  // after relaxing
  void after_bounce(std::span<const PatchImpulse<D>> impulses);
  void end();

 private:
  using Vec = typename D::Vec;
  using Ang = typename D::Ang;

  void keep_states();
  double give(std::uint32_t row, const Vec& impulse, const Ang& angular);
  double give_by_joint(const Bonds<D>& bonds, std::uint32_t row, const Vec& impulse, const Ang& angular);
  double work_of_normals(const ContactBlock<D>& block, const PatchImpulse<D>& impulse);
  double work_of_friction(const ContactBlock<D>& block, const PatchImpulse<D>& impulse);
  double potential(std::span<const BodyState<D>> states) const;

  // of the step
  bool keeps_works_ = false;
  std::vector<std::uint8_t> moved_;  // by row
  Works<D> works_;
  ContactResidual total_;
  double joint_residual_ = 0, free_speed_ = 0;

  // of the solver's call
  const ForceSet<D>* forces_ = nullptr;
  std::span<const std::uint32_t> rows_;
  std::span<const BodyState<D>> states_;
  std::vector<ContactBlock<D>> contacts_;
  double h_ = 0;                    // [s] of a substep
  std::vector<Spring<D>> springs_;  // that pull at these bodies
  std::vector<BodyState<D>> start_;
  ContactResidual worst_;  // of its substeps; sum_squares is that of the substep where it is largest

  // of the substep
  std::vector<BodyState<D>> before_;             // the last moment
  std::vector<BodyState<D>> trial_;              // moved without corrections
  std::vector<Wrench<D>> wrenches_[4];           // by class of force
  double conservative_ = 0;                      // [J] work of gravity and springs in the first kick
  std::vector<PatchImpulse<D>> patch_impulses_;  // at the last moment
  std::vector<double> row_impulses_;             // of the bonds, before relaxing
};

extern template class Ledger<Dim2>;
extern template class Ledger<Dim3>;

}  // namespace cairn
