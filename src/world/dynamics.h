// From contacts to motion: who is bound to whom, the constraints, and the solver that moves the bound bodies.
//
// Bodies that nothing touches or joins are none of its business: the integrator has moved them.
#pragma once

#include <cairn/world.h>

#include <array>
#include <memory>

#include "constraints/joint_store.h"
#include "graph/islands.h"
#include "solvers/soft_step/soft_step.h"
#include "world/collisions.h"

namespace cairn {

template <class D>
class Dynamics {
 public:
  explicit Dynamics(InstructionSet set) : set_(set) {}

  // `next` has the integrator's answer for all bodies; those that are bound get the solver's.
  void solve(const WorldDef<D>& def, Team& team, const Collisions<D>& collisions, const BodyStore<D>& bodies,
             const JointStore<D>& joints, const ForceSet<D>& forces, double t, double h,
             std::span<BodyState<D>> next, SolveReport& report);
  // Between solve and remember: are the islands what hangs together? world/validate.cpp
  void find_faults(Faults& faults, const BodyStore<D>& bodies, const ForceSet<D>& forces) const;
  // What the last solve did, if the world keeps accounts.
  const Ledger<D>& ledger() const { return ledger_; }
  // What it solved, until the next time.
  std::span<const PatchRef> contacts() const { return patches_; }
  // Bodies that are near each other, by row, but too far away to meet in this step.
  std::span<const std::pair<std::uint32_t, std::uint32_t>> passing() const { return passing_; }
  // Keeps the impulses with the contacts and joints, for the next step and for whoever asks. `next` are the states that the bodies
  // are about to have, after so many steps of the world.
  void remember(Team& team, const BodyStore<D>& bodies, std::span<const BodyState<D>> next,
                std::int64_t steps, JointStore<D>& joints) noexcept;

 private:
  // A contact that binds, by its place among what was found, and the place of its first patch.
  struct Near {
    std::uint32_t finding, first;
  };
  // What becomes of a patch: nothing, if its bodies do not push each other; or they pass each other in this step.
  enum class Fate : std::uint8_t { none, passes, solved };
  void choose_patches(Team& team, const Collisions<D>& collisions, const BodyStore<D>& bodies);
  void take_joints(const BodyStore<D>& bodies, const JointStore<D>& joints);
  void count_turns(Team& team, const BodyStore<D>& bodies, std::span<const BodyState<D>> next,
                   std::int64_t steps, JointStore<D>& joints) noexcept;
  void find_bound_rows(const BodyStore<D>& bodies, const ForceSet<D>& forces);
  void choose_substeps(const SoftStep& settings, const BodyStore<D>& bodies, const JointStore<D>& joints,
                       double h);
  // Islands are solved class by class, by how many substeps they take: as many as the settings tell (0), or doubled as often as
  // taut joints need it (1, …). A class has a solver of its own, which knows its structure from the last step. (With one for
  // all, each analysed anew what the one before had just forgotten, and took memory for it.)
  static constexpr int k_classes = 5;
  template <class Real>
  using Solvers = std::array<std::unique_ptr<SoftStepLanes<D, Real>>, k_classes>;
  template <class Real>
  void solve_class(int which, Solvers<Real>& solvers, const SoftStep& settings, StepProblem<D>& problem,
                   SolveReport& report);

  Islands islands_, joint_islands_;  // by all that binds, by joints alone
  std::vector<PatchRef> patches_;    // that are solved, class by class, in the order of contacts
  std::vector<std::pair<std::uint32_t, std::uint32_t>> passing_;
  std::vector<Near> near_;   // scratch
  std::vector<Fate> fates_;  // scratch: of patches_
  BondRevision revision_;    // for which joints were taken: joints_, their bodies, islands and turns
  std::vector<std::uint32_t> joints_;                       // the rows of those that are awake
  std::vector<std::uint32_t> idle_;                         // of them: between bodies of which none moves
  std::vector<std::uint32_t> joint_rows_a_, joint_rows_b_;  // the bodies of each that is
  std::vector<std::uint8_t> turns_with_bodies_;       // by joint: can it turn by no more than its bodies?
  std::vector<std::uint8_t> has_turned_;              // scratch, by row: far, in this step?
  std::vector<std::uint8_t> swept_;                   // by joint, as its memory has it
  BondRevision bound_;                                // for which rows_ were found, if joints alone bind
  std::vector<JointMemory<D>> found_;                 // of each joint that is awake
  std::vector<std::uint32_t> rows_;                   // of bodies that are bound
  std::vector<std::uint8_t> is_bound_;                // by row
  std::vector<int> class_of_row_;                     // of its island; −1 if it is not bound
  std::vector<double> stiffness_;                     // by row, scratch
  std::vector<std::uint8_t> is_turning_;              // by row, scratch: has it a joint off its centre?
  std::array<bool, k_classes> occurs_{};              // is there an island of this class?
  std::array<std::size_t, k_classes> first_patch_{};  // of the class, in patches_
  Precision precision_ = Precision::single_lanes;     // of the last solve
  std::vector<std::uint32_t> class_rows_, class_joints_;
  std::vector<PatchRef> other_patches_;  // scratch: patches_ in another order
  std::vector<BodyState<D>> kinematic_;  // scratch: states of the kinematic bodies among rows_
  Ledger<D> ledger_;
  InstructionSet set_;
  Solvers<float> single_;
  Solvers<double> double_;
};

extern template class Dynamics<Dim2>;
extern template class Dynamics<Dim3>;

}  // namespace cairn
