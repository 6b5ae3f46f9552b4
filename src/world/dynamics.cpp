#include "world/dynamics.h"

namespace cairn {

template <class D>
void Dynamics<D>::assemble(const Collisions<D>& collisions, const BodyStore<D>& bodies) {
  using Vec = typename D::Vec;
  blocks_.clear();
  sources_.clear();
  const ContactList<D>& contacts = collisions.contacts();
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    const PairContact<D>& contact = contacts[i];
    if (contact.sensor || !contact.kept || contact.patches.empty()) continue;
    const Proxy<D>&a = collisions.proxy(contact.pair.a), &b = collisions.proxy(contact.pair.b);
    const Material material = collisions.material_of(contact);
    ContactBlock<D> block;
    block.a = bodies.row_of_slot[a.body.index()];
    block.b = bodies.row_of_slot[b.body.index()];
    const BodyState<D>&s = bodies.states[block.a], &t = bodies.states[block.b];
    const Vec a_to_b = t.position - s.position;
    block.surface_velocity = t.rotation * b.surface_velocity - s.rotation * a.surface_velocity;
    block.restitution = material.restitution;
    block.rolling = material.rolling_resistance;
    block.spinning = material.spinning_resistance;
    for (std::uint32_t p = 0; p < contact.patches.size(); ++p) {
      const PairPatch<D>& patch = contact.patches[p];
      block.normal = s.rotation * patch.normal;
      block.friction_coefficient = patch.stuck ? material.static_friction : material.kinetic_friction;
      block.friction = s.rotation * patch.friction;
      block.twist = patch.twist;
      block.torque = s.rotation * patch.torque;
      block.count = patch.count;
      for (int k = 0; k < patch.count; ++k) {
        const PairPoint<D>& from = patch.points[k];
        const Vec on_a = s.rotation * from.anchor_a, on_b = a_to_b + t.rotation * from.anchor_b;
        typename ContactBlock<D>::Point point;
        point.arm_a = 0.5 * (on_a + on_b);
        point.arm_b = point.arm_a - a_to_b;
        point.separation = from.separation;
        point.approach = dot(block.normal, t.velocity + cross(t.angular_velocity, point.arm_b) -
                                               (s.velocity + cross(s.angular_velocity, point.arm_a)));
        point.load = from.load;
        block.points[k] = point;
      }
      blocks_.push_back(block);
      sources_.push_back({i, p});
    }
  }
}

// Everything that hangs together with a body in contact: through contacts, and through springs.
template <class D>
void Dynamics<D>::find_bound_rows(const BodyStore<D>& bodies, const ForceSet<D>& forces) {
  const std::uint32_t count = bodies.row_count();
  islands_.reset(count);
  is_bound_.assign(count, 0);
  rows_.clear();
  const auto moves = [&](std::uint32_t row) { return bodies.masses[row].motion == Motion::dynamic; };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (moves(a) && moves(b)) islands_.join(a, b);
  };
  for (const ContactBlock<D>& block : blocks_) join(block.a, block.b);
  for (const Spring<D>& spring : forces.springs) join(spring.a, spring.b);
  for (std::size_t j = 0; j < memory_.size(); ++j) join(joint_rows_a_[j], joint_rows_b_[j]);
  const auto bind = [&](std::uint32_t row) {
    if (moves(row)) is_bound_[islands_.root(row)] = 1;
  };
  for (const ContactBlock<D>& block : blocks_) bind(block.a), bind(block.b);
  for (std::size_t j = 0; j < memory_.size(); ++j) bind(joint_rows_a_[j]), bind(joint_rows_b_[j]);
  for (std::uint32_t row = 0; row < count; ++row) {
    const bool bound = moves(row) && is_bound_[islands_.root(row)];
    is_bound_[row] = bound;  // the root of a set is its first row
    if (bound || bodies.masses[row].motion == Motion::kinematic) rows_.push_back(row);
  }
}

template <class D>
void Dynamics<D>::solve(const WorldDef<D>& def, Team& team, const BodyKernels& kernels,
                        const Collisions<D>& collisions, const BodyStore<D>& bodies,
                        const JointStore<D>& joints, const ForceSet<D>& forces, double t, double h,
                        std::span<BodyState<D>> next, SolveReport& report) {
  ledger_.begin_step(bodies.row_count(), def.accounting == Accounting::full);
  assemble(collisions, bodies);
  memory_ = joints.memory;
  joint_rows_a_.clear();
  joint_rows_b_.clear();
  for (const JointRecord<D>& joint : joints.records) {
    joint_rows_a_.push_back(bodies.row(joint.a));
    joint_rows_b_.push_back(bodies.row(joint.b));
  }
  if (blocks_.empty() && memory_.empty()) return;
  find_bound_rows(bodies, forces);
  for (const std::uint32_t row : rows_) next[row] = bodies.states[row];
  StepProblem<D> problem{t,
                         h,
                         k_touch * def.length_scale,
                         forces,
                         bodies.masses,
                         rows_,
                         next,
                         blocks_,
                         {joints.records, memory_, joint_rows_a_, joint_rows_b_},
                         def.accounting == Accounting::none ? nullptr : &ledger_};
  const SoftStep& settings = std::get<SoftStep>(def.method.solver);
  if (settings.precision == Precision::single_lanes)
    single_.solve(settings, problem, team, kernels, report);
  else
    double_.solve(settings, problem, team, kernels, report);
}

template <class D>
void Dynamics<D>::remember(std::span<const BodyState<D>> next, Collisions<D>& collisions,
                           JointStore<D>& joints) noexcept {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    PairContact<D>& contact = collisions.contacts()[sources_[i].contact];
    PairPatch<D>& patch = contact.patches[sources_[i].patch];
    const ContactBlock<D>& block = blocks_[i];
    const typename D::Rot to_a = inverse(collisions.state_of(collisions.proxy(contact.pair.a)).rotation);
    patch.friction = to_a * block.friction;
    patch.twist = block.twist;
    patch.torque = to_a * block.torque;
    patch.stuck = block.stuck;
    double sum = 0;
    for (int k = 0; k < patch.count; ++k) sum += block.points[k].impulse;
    for (int k = 0; k < patch.count; ++k) {
      const double share = sum > 0 ? block.points[k].impulse / sum : 1. / patch.count;
      patch.points[k].load = block.points[k].load;
      patch.points[k].impulse =
          to_a * (block.points[k].impulse * block.normal + share * block.friction_impulse);
    }
  }
  blocks_.clear();
  for (std::size_t j = 0; j < memory_.size(); ++j) {
    JointRecord<D>& joint = joints.records[j];
    joints.memory[j] = memory_[j];
    track(joint, pose_of(joint, next[joint_rows_a_[j]], next[joint_rows_b_[j]]));
  }
  memory_.clear();
}

template class Dynamics<Dim2>;
template class Dynamics<Dim3>;

}  // namespace cairn
