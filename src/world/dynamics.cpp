#include "world/dynamics.h"

#include <algorithm>

#include "constraints/sway.h"

namespace cairn {
namespace {

constexpr std::size_t k_a_block = 64;

// Turns of a joint are counted by comparing its angle with the one at the last count, which must be less than half a turn ago. Where
// nothing but the bodies turns it, and these slowly, one step of so many is enough.
constexpr std::int64_t k_steps_a_count = 8;
constexpr double k_far_turn = 1e-3;  // 1 − the cosine of the angle: 45 mrad
// A ball joint twists by up to ω/cos(swing/2): within this cone, twice as fast as its bodies turn. [rad]
constexpr double k_low_cone = 2;
bool has_turned_far(const Rot2& from, const Rot2& to) {
  return !(from.c * to.c + from.s * to.s > 1 - k_far_turn);
}
bool has_turned_far(const Rot3& from, const Rot3& to) {
  const double half = from.w * to.w + from.x * to.x + from.y * to.y + from.z * to.z;
  return !(2 * half * half - 1 > 1 - k_far_turn);
}

// How the surfaces of patches move, from the collisions.
template <class D>
class Patches final : public PatchSource<D> {
 public:
  Patches(const Collisions<D>& collisions, const BodyStore<D>& bodies)
      : PatchSource<D>(bodies.states.data()), collisions_(collisions) {}

 protected:
  typename D::Vec surface_velocity(const PatchRef& ref) const override {
    const ProxyPair& pair = collisions_.contacts().pair(ref.contact);
    return this->states()[ref.b].rotation * collisions_.proxy(pair.b).surface_velocity -
           this->states()[ref.a].rotation * collisions_.proxy(pair.a).surface_velocity;
  }

 private:
  const Collisions<D>& collisions_;
};

}  // namespace

// Each contact fills the places that its patches may need; then they move up over those that were left. Left out is what is too
// far away to be met in this step: of a heap, a fifth of all.
template <class D>
void Dynamics<D>::choose_patches(Team& team, const Collisions<D>& collisions, const BodyStore<D>& bodies) {
  const std::span<const typename Collisions<D>::Finding> findings = collisions.findings();
  near_.clear();
  std::uint32_t patches = 0;
  for (std::uint32_t i = 0; i < findings.size(); ++i) {
    if (findings[i].points == 0 || !findings[i].binds) continue;
    near_.push_back({i, patches});
    patches += findings[i].patches;
  }
  patches_.resize(patches);
  fates_.assign(patches, Fate::none);
  const auto choose = [&](const Near& near) {
    const typename Collisions<D>::Finding& finding = findings[near.finding];
    const std::uint32_t a = bodies.row_of_slot[finding.slot_a], b = bodies.row_of_slot[finding.slot_b];
    if (a >= bodies.awake_rows() || b >= bodies.awake_rows()) return;
    const bool a_moves = bodies.masses[a].motion == Motion::dynamic,
               b_moves = bodies.masses[b].motion == Motion::dynamic;
    if (finding.plain) {
      patches_[near.first] = {finding.patch, finding.contact, a,      b, std::uint8_t(finding.points),
                              false,         a_moves,         b_moves};
      fates_[near.first] = finding.is_met ? Fate::solved : Fate::passes;
      return;
    }
    const PairContact<D>& contact = collisions.contacts()[finding.contact];
    const bool conveys = bodies.states[b].rotation * collisions.proxy(contact.pair.b).surface_velocity !=
                         bodies.states[a].rotation * collisions.proxy(contact.pair.a).surface_velocity;
    for (std::uint32_t p = 0; p < contact.patches.size(); ++p) {
      PairPatch<D>& patch = finding.patch[p];
      patches_[near.first + p] = {&patch,  finding.contact, a,      b, std::uint8_t(patch.count),
                                  conveys, a_moves,         b_moves};
      fates_[near.first + p] =
          collisions.is_met(patch, bodies.states[a], bodies.states[b]) ? Fate::solved : Fate::passes;
    }
  };
  team.for_blocks(near_.size(), k_a_block, [&](const Block& block) {
    for (const Near& near : std::span(near_).subspan(block.begin, block.end - block.begin)) choose(near);
  });
  passing_.clear();
  std::size_t count = 0;
  for (std::size_t i = 0; i < patches; ++i) {
    if (fates_[i] == Fate::passes) passing_.push_back({patches_[i].a, patches_[i].b});
    if (fates_[i] == Fate::solved) patches_[count++] = patches_[i];
  }
  patches_.resize(count);
}

// As a rule they are those of the step before.
template <class D>
void Dynamics<D>::take_joints(const BodyStore<D>& bodies, const JointStore<D>& joints) {
  const BondRevision now{joints.revision(), bodies.revision()};
  if (now.is_same(revision_)) return;
  revision_ = {};  // until it is done, should memory run out
  joints_.clear();
  found_.resize(joints.row_count());
  turns_with_bodies_.resize(joints.row_count());
  swept_.resize(joints.row_count());
  has_turned_.resize(bodies.awake_rows());
  joint_islands_.reset(bodies.awake_rows());
  joint_rows_a_.resize(joints.row_count());
  joint_rows_b_.resize(joints.row_count());
  for (std::uint32_t j = 0; j < joints.row_count(); ++j) {
    const std::uint32_t a = bodies.row(joints.records[j].a), b = bodies.row(joints.records[j].b);
    if (a >= bodies.awake_rows() || b >= bodies.awake_rows()) continue;
    joints_.push_back(j);
    joint_rows_a_[j] = a;
    joint_rows_b_[j] = b;
    const JointRecord<D>& joint = joints.records[j];
    turns_with_bodies_[j] =
        joint.kind == JointKind::hinge || (joint.cone < k_low_cone && !(joint.cone_softness.frequency > 0));
    swept_[j] = joints.memory[j].swept;
    if (bodies.masses[a].motion == Motion::dynamic && bodies.masses[b].motion == Motion::dynamic)
      joint_islands_.join(a, b);
  }
  revision_ = now;
}

// Everything that hangs together with a body in contact: through contacts, and through springs.
template <class D>
void Dynamics<D>::find_bound_rows(const BodyStore<D>& bodies, const ForceSet<D>& forces) {
  const bool by_joints = patches_.empty() && forces.springs.empty();
  if (by_joints && bound_.is_same(revision_)) return;
  bound_ = {};
  const std::uint32_t count = bodies.awake_rows();
  islands_ = joint_islands_;
  is_bound_.assign(count, 0);
  rows_.clear();
  const auto moves = [&](std::uint32_t row) { return bodies.masses[row].motion == Motion::dynamic; };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (moves(a) && moves(b)) islands_.join(a, b);
  };
  for (const PatchRef& patch : patches_)
    if (patch.a_moves && patch.b_moves) islands_.join(patch.a, patch.b);
  for (const Spring<D>& spring : forces.springs) join(spring.a, spring.b);
  const auto bind = [&](std::uint32_t row) {
    if (moves(row)) is_bound_[islands_.root(row)] = 1;
  };
  for (const PatchRef& patch : patches_) is_bound_[islands_.root(patch.mover())] = 1;
  for (const std::uint32_t j : joints_) bind(joint_rows_a_[j]), bind(joint_rows_b_[j]);
  for (std::uint32_t row = 0; row < count; ++row) {
    const bool bound = moves(row) && is_bound_[islands_.root(row)];
    is_bound_[row] = bound;  // the root of a set is its first row
    if (bound || bodies.masses[row].motion == Motion::kinematic) rows_.push_back(row);
  }
  if (by_joints) bound_ = revision_;
}

// Bodies sway where joints pull at them. That is stiffness from geometry, which no solver of velocities sees: if ω times the
// substep is much above 1, the swinging grows. So an island takes more substeps until it is not, in powers of two, and by
// the reactions of the step before. Nets that are swept give way instead. A body that turns far in a substep is not followed
// by its joints: its spin counts twice.
constexpr double k_most_turn_a_substep = 0.9;  // [rad] of ωh

template <class D>
void Dynamics<D>::choose_substeps(const SoftStep& settings, const BodyStore<D>& bodies,
                                  const JointStore<D>& joints, double h) {
  const std::uint32_t count = bodies.awake_rows();
  stiffness_.assign(count, 0);
  is_turning_.assign(count, 0);
  class_of_row_.assign(count, -1);
  const auto add = [&](std::uint32_t row, const typename D::Vec& anchor, double pull) {
    if (bodies.masses[row].motion != Motion::dynamic || !(length_squared(anchor) > 0)) return;
    stiffness_[row] += pull * sway(bodies.masses[row], anchor);
    is_turning_[row] = 1;
  };
  for (const std::uint32_t j : joints_) {
    if (swept_[j]) continue;
    const double pull = length(joints.memory[j].reaction.force);
    add(joint_rows_a_[j], joints.records[j].anchor_a, pull);
    add(joint_rows_b_[j], joints.records[j].anchor_b, pull);
  }
  for (const std::uint32_t row : rows_) {
    if (!is_bound_[row]) continue;
    int which = 0;
    if (is_turning_[row]) {
      const double spin = 4 * length_squared(bodies.states[row].angular_velocity);
      const double wanted = h * square_root(larger(stiffness_[row], spin)) / k_most_turn_a_substep;
      while (which + 1 < k_classes && settings.substeps << which < wanted) ++which;
    }
    int& island = class_of_row_[islands_.root(row)];
    if (which > island) island = which;
  }
  for (const std::uint32_t row : rows_) {
    if (!is_bound_[row]) continue;
    class_of_row_[row] = class_of_row_[islands_.root(row)];
    occurs_[std::size_t(class_of_row_[row])] = true;
  }
}

template <class D>
template <class Real>
void Dynamics<D>::solve_class(int which, Solvers<Real>& solvers, const SoftStep& settings,
                              StepProblem<D>& problem, SolveReport& report) {
  std::unique_ptr<SoftStepLanes<D, Real>>& solver = solvers[std::size_t(which)];
  if (!solver) solver = std::make_unique<SoftStepLanes<D, Real>>(set_);
  solver->solve(settings, problem, report);
}

template <class D>
void Dynamics<D>::solve(const WorldDef<D>& def, Team& team, const Collisions<D>& collisions,
                        const BodyStore<D>& bodies, const JointStore<D>& joints, const ForceSet<D>& forces,
                        double t, double h, std::span<BodyState<D>> next, SolveReport& report) {
  ledger_.begin_step(bodies.awake_rows(), def.accounting == Accounting::full);
  choose_patches(team, collisions, bodies);
  take_joints(bodies, joints);
  occurs_.fill(false);
  if (patches_.empty() && joints_.empty()) return;
  const SoftStep& settings = std::get<SoftStep>(def.method.solver);
  precision_ = settings.precision;
  find_bound_rows(bodies, forces);
  choose_substeps(settings, bodies, joints, h);

  // Class by class; within each the order stays.
  const auto class_of = [&](std::uint32_t a, std::uint32_t b) {
    return std::max(class_of_row_[a], class_of_row_[b]);
  };
  if (std::count(occurs_.begin(), occurs_.end(), true) > 1) {
    other_patches_.clear();
    for (int which = 0; which < k_classes; ++which)
      if (occurs_[std::size_t(which)])
        for (const PatchRef& patch : patches_)
          if (class_of(patch.a, patch.b) == which) other_patches_.push_back(patch);
    patches_.swap(other_patches_);
  }
  kinematic_.clear();
  for (const std::uint32_t row : rows_)
    if (!is_bound_[row]) kinematic_.push_back(next[row]);
  idle_.clear();
  for (const std::uint32_t j : joints_)
    if (class_of(joint_rows_a_[j], joint_rows_b_[j]) < 0) idle_.push_back(j);
  const Patches<D> source(collisions, bodies);
  std::size_t patch = 0;
  for (int which = 0; which < k_classes; ++which) {
    if (!occurs_[std::size_t(which)]) continue;
    class_rows_.clear();
    for (const std::uint32_t row : rows_) {
      if (is_bound_[row] && class_of_row_[row] != which) continue;
      class_rows_.push_back(row);
      next[row] = bodies.states[row];
    }
    class_joints_.clear();
    for (const std::uint32_t j : joints_)
      if (class_of(joint_rows_a_[j], joint_rows_b_[j]) == which) class_joints_.push_back(j);
    const std::size_t first = first_patch_[std::size_t(which)] = patch;
    while (patch < patches_.size() && class_of(patches_[patch].a, patches_[patch].b) == which) ++patch;
    StepProblem<D> problem{
        t,
        h,
        settings.substeps << which,
        k_touch * def.length_scale,
        team,
        forces,
        forces.masses,
        class_rows_,
        bodies.states,
        next,
        std::span(patches_).subspan(first, patch - first),
        source,
        {joints.records, joints.memory, found_, joint_rows_a_, joint_rows_b_, class_joints_,
         class_joints_.size() == joints_.size() ? revision_ : BondRevision{}},
        def.accounting == Accounting::none ? nullptr : &ledger_};
    if (settings.precision == Precision::single_lanes)
      solve_class(which, single_, settings, problem, report);
    else
      solve_class(which, double_, settings, problem, report);
  }
  auto kinematic = kinematic_.begin();
  for (const std::uint32_t row : rows_)
    if (!is_bound_[row]) next[row] = *kinematic++;
}

template <class D>
void Dynamics<D>::remember(Team& team, const BodyStore<D>& bodies, std::span<const BodyState<D>> next,
                           std::int64_t steps, JointStore<D>& joints) noexcept {
  const auto remember_class = [&](auto& solver, std::size_t first) {
    solver.hand_back(team, std::span(patches_).subspan(first), bodies.states.data(), next.data());
    solver.remember_joints(joints.memory, swept_);
  };
  for (std::size_t which = 0; which < k_classes; ++which) {
    if (!occurs_[which]) continue;
    if (precision_ == Precision::single_lanes)
      remember_class(*single_[which], first_patch_[which]);
    else
      remember_class(*double_[which], first_patch_[which]);
  }
  if (joints_.empty()) return;
  for (const std::uint32_t j : idle_) {
    joints.memory[j].take({});
    swept_[j] = false;
  }
  count_turns(team, bodies, next, steps, joints);
}

template <class D>
void Dynamics<D>::count_turns(Team& team, const BodyStore<D>& bodies, std::span<const BodyState<D>> next,
                              std::int64_t steps, JointStore<D>& joints) noexcept {
  for (std::size_t row = 0; row < next.size(); ++row)
    has_turned_[row] = has_turned_far(bodies.states[row].rotation, next[row].rotation);
  team.for_blocks(joints_.size(), k_a_block, [&](const Block& block) {
    for (const std::uint32_t j : std::span(joints_).subspan(block.begin, block.end - block.begin)) {
      const std::uint32_t a = joint_rows_a_[j], b = joint_rows_b_[j];
      const bool its_turn = (joints.id_of_row[j].index() + steps) % k_steps_a_count == 0;  // each has its own
      if (turns_with_bodies_[j] && !its_turn && !has_turned_[a] && !has_turned_[b]) continue;
      JointRecord<D>& joint = joints.records[j];
      track(joint, pose_of(joint, next[a], next[b]));
    }
  });
}

template class Dynamics<Dim2>;
template class Dynamics<Dim3>;

}  // namespace cairn
