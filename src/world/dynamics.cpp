#include "world/dynamics.h"

#include <algorithm>

#include "base/prefetch.h"
#include "constraints/sway.h"

namespace cairn {
namespace {

// Contacts are visited in the order of their ids, but lie in memory as they came: so many ahead, they are asked for.
constexpr std::size_t k_soon = 4;
constexpr std::size_t k_a_block = 64;

}  // namespace

// Each contact fills the places that its patches may need; then blocks move up over those that were left.
template <class D>
void Dynamics<D>::assemble(Team& team, const Collisions<D>& collisions, const BodyStore<D>& bodies,
                           double gravity, double h) {
  near_.clear();
  std::uint32_t patches = 0;
  collisions.for_near([&](std::uint32_t contact, std::uint32_t count) {
    near_.push_back({contact, patches});
    patches += count;
  });
  blocks_.resize(patches);
  sources_.resize(patches);
  fates_.assign(patches, Fate::none);
  team.for_blocks(near_.size(), k_a_block, [&](const Block& block) {
    for (std::size_t next = block.begin; next < block.end; ++next) {
      if (next + k_soon < near_.size()) prefetch(collisions.contacts()[near_[next + k_soon].contact]);
      assemble(near_[next], collisions, bodies, gravity, h);
    }
  });
  passing_.clear();
  std::size_t count = 0;
  for (std::size_t i = 0; i < patches; ++i) {
    if (fates_[i] == Fate::passes) passing_.push_back({sources_[i].a, sources_[i].b});
    if (fates_[i] != Fate::solved) continue;
    if (count < i) blocks_[count] = blocks_[i], sources_[count] = sources_[i];
    ++count;
  }
  blocks_.resize(count);
  sources_.resize(count);
}

template <class D>
void Dynamics<D>::assemble(const Near& near, const Collisions<D>& collisions, const BodyStore<D>& bodies,
                           double gravity, double h) {
  using Vec = typename D::Vec;
  const PairContact<D>& contact = collisions.contacts()[near.contact];
  if (!Collisions<D>::binds(contact)) return;
  const Proxy<D>&a = collisions.proxy(contact.pair.a), &b = collisions.proxy(contact.pair.b);
  const Material material = collisions.material_of(contact);
  const std::uint32_t row_a = bodies.row_of_slot[a.body.index()], row_b = bodies.row_of_slot[b.body.index()];
  if (row_a >= bodies.awake_rows() || row_b >= bodies.awake_rows()) return;
  const BodyState<D>&s = bodies.states[row_a], &t = bodies.states[row_b];
  const Vec a_to_b = t.position - s.position;
  for (std::uint32_t p = 0; p < contact.patches.size(); ++p) {
    const PairPatch<D>& patch = contact.patches[p];
    sources_[near.first + p] = {near.contact, p, row_a, row_b};
    ContactBlock<D>& block = blocks_[near.first + p];
    block = {};
    block.a = row_a;
    block.b = row_b;
    block.surface_velocity = t.rotation * b.surface_velocity - s.rotation * a.surface_velocity;
    block.restitution = material.restitution;
    block.rolling = material.rolling_resistance;
    block.spinning = material.spinning_resistance;
    block.normal = s.rotation * patch.normal;
    block.friction_coefficient = patch.stuck ? material.static_friction : material.kinetic_friction;
    block.friction = s.rotation * patch.friction;
    block.twist = patch.twist;
    block.torque = s.rotation * patch.torque;
    block.count = patch.count;
    for (int k = 0; k < patch.count; ++k) {
      const PairPoint<D>& from = patch.points[k];
      const Vec on_a = s.rotation * from.anchor_a, on_b = a_to_b + t.rotation * from.anchor_b;
      typename ContactBlock<D>::Point& point = block.points[k];
      point.arm_a = 0.5 * (on_a + on_b);
      point.arm_b = point.arm_a - a_to_b;
      point.core_a = point.arm_a - a.rounding * block.normal;
      point.core_b = point.arm_b + b.rounding * block.normal;
      point.separation = from.separation;
      point.load = from.load;
      point.approach = dot(block.normal, t.velocity + cross(t.angular_velocity, point.arm_b) -
                                             (s.velocity + cross(s.angular_velocity, point.arm_a)));
    }
    // Not what is too far away to be met in this step: of a heap, a fifth of all.
    const auto matters = [&](const typename ContactBlock<D>::Point& point) {
      return point.load > 0 || point.separation < collisions.near() + closes_by(point.approach, h, gravity);
    };
    const auto pushed = [](const PairPoint<D>& point) { return !(point.impulse == Vec{}); };
    const bool passes = !patch.stuck &&
                        std::none_of(block.points.begin(), block.points.begin() + block.count, matters) &&
                        std::none_of(patch.points.begin(), patch.points.begin() + patch.count, pushed);
    fates_[near.first + p] = passes ? Fate::passes : Fate::solved;
  }
}

template <class D>
void Dynamics<D>::take_joints(const BodyStore<D>& bodies, const JointStore<D>& joints) {
  joints_.clear();
  memory_.resize(joints.row_count());
  joint_rows_a_.resize(joints.row_count());
  joint_rows_b_.resize(joints.row_count());
  for (std::uint32_t j = 0; j < joints.row_count(); ++j) {
    const std::uint32_t a = bodies.row(joints.records[j].a), b = bodies.row(joints.records[j].b);
    if (a >= bodies.awake_rows() || b >= bodies.awake_rows()) continue;
    joints_.push_back(j);
    memory_[j] = joints.memory[j];
    joint_rows_a_[j] = a;
    joint_rows_b_[j] = b;
  }
}

// Everything that hangs together with a body in contact: through contacts, and through springs.
template <class D>
void Dynamics<D>::find_bound_rows(const BodyStore<D>& bodies, const ForceSet<D>& forces) {
  const std::uint32_t count = bodies.awake_rows();
  islands_.reset(count);
  is_bound_.assign(count, 0);
  rows_.clear();
  const auto moves = [&](std::uint32_t row) { return bodies.masses[row].motion == Motion::dynamic; };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (moves(a) && moves(b)) islands_.join(a, b);
  };
  for (const Source& source : sources_) join(source.a, source.b);
  for (const Spring<D>& spring : forces.springs) join(spring.a, spring.b);
  for (const std::uint32_t j : joints_) join(joint_rows_a_[j], joint_rows_b_[j]);
  const auto bind = [&](std::uint32_t row) {
    if (moves(row)) is_bound_[islands_.root(row)] = 1;
  };
  for (const Source& source : sources_) bind(source.a), bind(source.b);
  for (const std::uint32_t j : joints_) bind(joint_rows_a_[j]), bind(joint_rows_b_[j]);
  for (std::uint32_t row = 0; row < count; ++row) {
    const bool bound = moves(row) && is_bound_[islands_.root(row)];
    is_bound_[row] = bound;  // the root of a set is its first row
    if (bound || bodies.masses[row].motion == Motion::kinematic) rows_.push_back(row);
  }
}

// Bodies sway where joints pull at them. That is stiffness from geometry, which no solver of velocities sees: if ω times the
// substep is much above 1, the swinging grows. So an island takes more substeps until it is not, in powers of two, and by
// the reactions of the step before. Nets that are swept give way instead. A body that turns far in a substep is not followed
// by its joints: its spin counts twice.
constexpr double k_most_turn_a_substep = 0.9;  // [rad] of ωh
constexpr int k_most_doublings = 4;

template <class D>
void Dynamics<D>::choose_substeps(const SoftStep& settings, const BodyStore<D>& bodies,
                                  const JointStore<D>& joints, double h) {
  const std::uint32_t count = bodies.awake_rows();
  stiffness_.assign(count, 0);
  is_turning_.assign(count, 0);
  const auto add = [&](std::uint32_t row, const typename D::Vec& anchor, double pull) {
    if (bodies.masses[row].motion != Motion::dynamic || !(length_squared(anchor) > 0)) return;
    stiffness_[row] += pull * sway(bodies.masses[row], anchor);
    is_turning_[row] = 1;
  };
  for (const std::uint32_t j : joints_) {
    if (memory_[j].swept) continue;
    const double pull = length(memory_[j].reaction.force);
    add(joint_rows_a_[j], joints.records[j].anchor_a, pull);
    add(joint_rows_b_[j], joints.records[j].anchor_b, pull);
  }
  substeps_.assign(count, 0);
  for (const std::uint32_t row : rows_) {
    if (!is_bound_[row]) continue;
    const double spin = is_turning_[row] ? 4 * length_squared(bodies.states[row].angular_velocity) : 0;
    const double wanted = h * square_root(larger(stiffness_[row], spin)) / k_most_turn_a_substep;
    int substeps = settings.substeps;
    for (int k = 0; k < k_most_doublings && substeps < wanted; ++k) substeps *= 2;
    int& island = substeps_[islands_.root(row)];
    if (substeps > island) island = substeps;
  }
  classes_.clear();
  for (const std::uint32_t row : rows_) {
    if (!is_bound_[row]) continue;
    substeps_[row] = substeps_[islands_.root(row)];
    const auto at = std::lower_bound(classes_.begin(), classes_.end(), substeps_[row]);
    if (at == classes_.end() || *at != substeps_[row]) classes_.insert(at, substeps_[row]);
  }
}

template <class D>
void Dynamics<D>::solve(const WorldDef<D>& def, Team& team, const BodyKernels& kernels,
                        const Collisions<D>& collisions, const BodyStore<D>& bodies,
                        const JointStore<D>& joints, const ForceSet<D>& forces, double t, double h,
                        std::span<BodyState<D>> next, SolveReport& report) {
  ledger_.begin_step(bodies.awake_rows(), def.accounting == Accounting::full);
  assemble(team, collisions, bodies, length(forces.gravity), h);
  take_joints(bodies, joints);
  if (blocks_.empty() && joints_.empty()) return;
  const SoftStep& settings = std::get<SoftStep>(def.method.solver);
  find_bound_rows(bodies, forces);
  choose_substeps(settings, bodies, joints, h);

  // Class by class; within each the order stays.
  const auto class_of = [&](std::uint32_t a, std::uint32_t b) {
    return std::max(substeps_[a], substeps_[b]);
  };
  if (classes_.size() > 1) {
    order_.resize(blocks_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t k) {
      const int x = class_of(sources_[i].a, sources_[i].b), y = class_of(sources_[k].a, sources_[k].b);
      return x != y ? x < y : i < k;
    });
    other_blocks_.clear();
    other_sources_.clear();
    for (const std::uint32_t i : order_) {
      other_blocks_.push_back(blocks_[i]);
      other_sources_.push_back(sources_[i]);
    }
    blocks_.swap(other_blocks_);
    sources_.swap(other_sources_);
  }
  kinematic_.clear();
  for (const std::uint32_t row : rows_)
    if (!is_bound_[row]) kinematic_.push_back(next[row]);
  for (const std::uint32_t j : joints_)  // between bodies of which none moves
    if (class_of(joint_rows_a_[j], joint_rows_b_[j]) == 0) memory_[j] = {};
  std::size_t block = 0;
  for (const int substeps : classes_) {
    class_rows_.clear();
    for (const std::uint32_t row : rows_) {
      if (is_bound_[row] && substeps_[row] != substeps) continue;
      class_rows_.push_back(row);
      next[row] = bodies.states[row];
    }
    class_joints_.clear();
    for (const std::uint32_t j : joints_)
      if (class_of(joint_rows_a_[j], joint_rows_b_[j]) == substeps) class_joints_.push_back(j);
    const std::size_t first = block;
    while (block < blocks_.size() && class_of(blocks_[block].a, blocks_[block].b) == substeps) ++block;
    StepProblem<D> problem{t,
                           h,
                           substeps,
                           k_touch * def.length_scale,
                           team,
                           forces,
                           forces.masses,
                           class_rows_,
                           next,
                           std::span(blocks_).subspan(first, block - first),
                           {joints.records, memory_, joint_rows_a_, joint_rows_b_, class_joints_},
                           def.accounting == Accounting::none ? nullptr : &ledger_};
    if (settings.precision == Precision::single_lanes)
      single_.solve(settings, problem, kernels, report);
    else
      double_.solve(settings, problem, kernels, report);
  }
  auto kinematic = kinematic_.begin();
  for (const std::uint32_t row : rows_)
    if (!is_bound_[row]) next[row] = *kinematic++;
}

template <class D>
void Dynamics<D>::remember(Team& team, std::span<const BodyState<D>> next, Collisions<D>& collisions,
                           JointStore<D>& joints) noexcept {
  const auto remember_block = [&](std::size_t i) {
    PairContact<D>& contact = collisions.contacts()[sources_[i].contact];
    PairPatch<D>& patch = contact.patches[sources_[i].patch];
    const ContactBlock<D>& block = blocks_[i];
    // What goes on with the bodies is kept in their axes as they were; what is told, as they will be.
    const typename D::Rot to_a = inverse(collisions.state_of(collisions.proxy(contact.pair.a)).rotation);
    const typename D::Rot told = inverse(next[block.a].rotation);
    patch.friction = to_a * block.friction;
    patch.twist = block.twist;
    patch.torque = to_a * block.torque;
    patch.stuck = block.stuck;
    const typename D::Vec normal = told * block.normal, friction = told * block.friction_impulse;
    double sum = 0;
    for (int k = 0; k < patch.count; ++k) sum += block.points[k].impulse;
    for (int k = 0; k < patch.count; ++k) {
      const double share = sum > 0 ? block.points[k].impulse / sum : 1. / patch.count;
      patch.points[k].load = block.points[k].load;
      patch.points[k].impulse = block.points[k].impulse * normal + share * friction;
    }
  };
  team.for_blocks(blocks_.size(), k_a_block, [&](const Block& block) {
    for (std::size_t i = block.begin; i < block.end; ++i) {
      if (i + k_soon < blocks_.size()) prefetch(collisions.contacts()[sources_[i + k_soon].contact]);
      remember_block(i);
    }
  });
  team.for_blocks(joints_.size(), k_a_block, [&](const Block& block) {
    for (const std::uint32_t j : std::span(joints_).subspan(block.begin, block.end - block.begin)) {
      JointRecord<D>& joint = joints.records[j];
      joints.memory[j] = memory_[j];
      track(joint, pose_of(joint, next[joint_rows_a_[j]], next[joint_rows_b_[j]]));
    }
  });
  joints_.clear();
}

template class Dynamics<Dim2>;
template class Dynamics<Dim3>;

}  // namespace cairn
