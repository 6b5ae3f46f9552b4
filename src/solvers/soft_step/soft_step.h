// The real-time solver. Its sweeps are in contact_rows.h, its joints in bonds.h; here is their order:
//
//   once a step      color and pack the constraints, effective masses
//   each substep     forces → warm start → sweep with bias → move → sweep without
//   once a step      restitution; impulses handed back
//
// Bodies stay doubles: each substep hands their velocities to the lanes and takes what has become of them. It goes through the bodies
// twice, before the first sweep and after it: velocities are taken as late as that, unless somebody asks for them. Threads share
// bodies, in blocks of rows, and contacts, color by color; joints are one thread's.
#pragma once

#include <cairn/solver.h>

#include <array>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/team.h"
#include "constraints/contact_block.h"
#include "forces/force_set.h"
#include "graph/coloring.h"
#include "solvers/soft_step/bonds.h"
#include "solvers/soft_step/kernels.h"
#include "solvers/soft_step/ledger.h"
#include "solvers/soft_step/rebound.h"

namespace cairn {

// What is to be solved: the constraints of one step, and the bodies they bind.
template <class D>
struct StepProblem {
  double t = 0, h = 0;
  int substeps = 0;  // the settings' own number, or more
  double touch = 0;  // [m] closer than this counts as touching
  Team& team;
  const ForceSet<D>& forces;
  std::span<const BodyMass<D>> masses;
  std::span<const std::uint32_t> rows;  // of the bodies to be moved, dynamic and kinematic
  std::span<const BodyState<D>> start;  // of all bodies, by row, when the step began
  std::span<BodyState<D>> states;       // likewise, as yet the same; those of `rows` are moved on
  std::span<const PatchRef> contacts;
  const PatchSource<D>& patches;  // of the contacts
  BondProblem<D> bonds;
  Ledger<D>* ledger = nullptr;  // none: no accounts
};

template <class D, class Real>
class SoftStepLanes {
 public:
  explicit SoftStepLanes(InstructionSet set)
      : patch_kernels_(patch_kernels<D, Real>(set)),
        kernels_(contact_kernels<D, Real>(set)),
        motion_(motion_kernels<D, Real>(set)),
        bonds_(set) {}
  void solve(const SoftStep& settings, StepProblem<D>& problem, SolveReport& report);
  // What the last solve found for its contacts goes to their patches, by all threads. The bodies' states were those `before` the
  // step, and will be those `after` it.
  void hand_back(Team& team, std::span<const PatchRef> contacts, const BodyState<D>* before,
                 const BodyState<D>* after) {
    for_groups(team, {0, groups_.size()}, [&](const Group* groups, std::size_t count) {
      PairPatch<D> nobodys{};
      nobodys.count = 1;
      PairPatch<D>* patches[2][k_width];  // of this group and the next
      const auto find = [&](const Group& group, PairPatch<D>** found) {
        for (int lane = 0; lane < k_width; ++lane) {
          if (lane >= group.lanes) {
            found[lane] = &nobodys;
            continue;
          }
          found[lane] = &patch_of<D>(contacts[contacts_of(group)[std::size_t(lane)]]);
        }
      };
      find(*groups, patches[0]);
      for (std::size_t i = 0; i < count; ++i) {
        PairPatch<D>** const soon = i + 1 < count ? patches[(i + 1) % 2] : nullptr;
        if (soon) find(groups[i + 1], soon);
        std::uint32_t rows[k_width] = {};
        for (int lane = 0; lane < groups[i].lanes; ++lane)
          rows[lane] = contacts[contacts_of(groups[i])[std::size_t(lane)]].a;
        patch_kernels_.hand_back(groups[i], patches[i % 2], soon, rows, before, after, h_);
      }
    });
  }
  // Likewise of joints (bonds.h).
  void remember_joints(std::span<JointMemory<D>> memory, std::span<std::uint8_t> swept) const noexcept {
    bonds_.remember(memory, swept);
  }
  // Of the colors of the last solve, of these contacts. solvers/soft_step/validate.cpp
  void find_faults(Faults& faults, std::span<const PatchRef> contacts,
                   std::span<const BodyMass<D>> masses) const;

 private:
  using Group = ContactGroup<D, Real>;
  struct Color {
    std::size_t first = 0, count = 0;
  };
  static constexpr std::size_t k_groups_a_block = 8, k_rows_a_block = 256;

  void pack(const StepProblem<D>& problem, double h, SolveReport& report);
  void find_records(const StepProblem<D>& problem);
  void copy_kinematic();
  void look_at(Group& group, const StepProblem<D>& problem, PatchView<D>* views);
  void sort_rows(const StepProblem<D>& problem);
  void begin(StepProblem<D>& problem, double t, bool first);
  void find_kicks(const StepProblem<D>& problem, double t);
  void fall(StepProblem<D>& problem, std::uint32_t row, double time);
  MotionPass<D, Real> pass_over(StepProblem<D>& problem, double h);
  void take_velocities(StepProblem<D>& problem);
  void move(StepProblem<D>& problem, double h);
  void correct(BodyState<D>& state, std::uint32_t row, double sign) const;
  void load_velocity(const BodyState<D>& state, std::uint32_t row);
  bool load_turned(const StepProblem<D>& problem, std::uint32_t row);
  void prepare_turned(const StepProblem<D>& problem);
  void bounce(StepProblem<D>& problem, const SweepSettings& settings);
  std::span<const PatchImpulse<D>> read_impulses(const StepProblem<D>& problem);
  PatchImpulse<D> impulse_of(const StepProblem<D>& problem, std::size_t contact) const;
  void begin_rebounds(const StepProblem<D>& problem, double resting_speed);
  void follow_rebounds(const StepProblem<D>& problem);
  // f(rows) of each block, by all threads.
  template <class F>
  static void for_rows(Team& team, std::span<const std::uint32_t> rows, F&& f) {
    team.for_blocks(rows.size(), k_rows_a_block,
                    [&](const Block& block) { f(rows.subspan(block.begin, block.end - block.begin)); });
  }
  // f(groups, count), color by color. Groups of one color share no body: any thread, in any order.
  template <class F>
  void for_colors(Team& team, F&& f) {
    for (int c = 0; c < Coloring::k_overflow; ++c) for_groups(team, colors_[c], f);
    const Color& last = colors_[Coloring::k_overflow];  // these may share bodies: one after another
    if (last.count) f(groups_.data() + last.first, last.count);
  }
  template <class F>
  void for_groups(Team& team, const Color& color, F&& f) {
    team.for_blocks(color.count, k_groups_a_block, [&](const Block& block) {
      f(groups_.data() + color.first + block.begin, block.end - block.begin);
    });
  }

  // Which contacts a group has, by lane.
  std::span<const std::uint32_t> contacts_of(const Group& group) const {
    return std::span(contact_of_).subspan(std::size_t(&group - groups_.data()) * k_width, k_width);
  }

  double h_ = 0;  // [s] of a substep
  const PatchKernels<D, Real>& patch_kernels_;
  const ContactKernels<D, Real>& kernels_;
  const MotionKernels<D, Real>& motion_;
  Coloring coloring_;
  // Records of bodies: by row; then for each group one that rests, for lanes without a contact and for whatever is fixed; then
  // one of its own for each contact of a kinematic body. So no two groups of a color write to the same, though they may touch the
  // same ground.
  Array<MovingBody<D, Real>> moving_;
  Array<InertBody<D, Real>> inert_;       // likewise
  std::vector<std::uint8_t> turned_far_;  // likewise: in this step?
  bool some_turned_far_ = false;
  struct Copy {
    std::uint32_t row, record;
  };
  std::vector<Copy> copies_;                        // of kinematic bodies
  std::vector<std::uint32_t> record_a_, record_b_;  // by contact
  // Of the problem's rows: those that lanes can move and the others; and those for which a kick is more than a change of velocity
  // that stays the same.
  std::vector<std::uint32_t> free_rows_, other_rows_, kicked_alone_;
  std::vector<typename D::Vec> kicks_;  // [m/s] by row
  bool taken_ = true;                   // have the states the velocities that lanes have?
  Array<Group> groups_;
  std::array<Color, Coloring::k_overflow + 1> colors_;
  std::vector<std::uint8_t> color_of_;         // by contact
  std::vector<ContactPlace<D, Real>> places_;  // by contact
  std::vector<std::uint32_t> contact_of_;      // by group and lane; k_nobody: none
  std::vector<Wrench<D>> wrenches_;
  std::vector<std::uint32_t> flying_;            // rows that fly in this substep
  std::vector<PatchImpulse<D>> patch_impulses_;  // for the ledger
  Bonds<D> bonds_;
  Rebounds<D> rebounds_;
  std::vector<std::uint32_t> bouncy_;           // contacts with restitution
  Array<MovingBody<D, Real>> before_bouncing_;  // moving_
};

extern template class SoftStepLanes<Dim2, float>;
extern template class SoftStepLanes<Dim2, double>;
extern template class SoftStepLanes<Dim3, float>;
extern template class SoftStepLanes<Dim3, double>;

}  // namespace cairn
