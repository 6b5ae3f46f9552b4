#include "solvers/soft_step/ledger.h"

#include "bodies/damping.h"
#include "bodies/drift.h"

namespace cairn {
namespace {

constexpr std::size_t k_contacts_a_block = 64;

constexpr ForceClass k_classes[] = {ForceClass::gravity, ForceClass::elastic, ForceClass::damper,
                                    ForceClass::applied};

// A turning about the normal: there is none in 2D.
double about(const Vec2&, double) { return 0; }
Vec3 about(const Vec3& normal, double turning) { return turning * normal; }

Vec2 linear(const std::array<double, 3>& column) { return {column[0], column[1]}; }
double angular(const std::array<double, 3>& column) { return column[2]; }
Vec3 linear(const std::array<double, 6>& column) { return {column[0], column[1], column[2]}; }
Vec3 angular(const std::array<double, 6>& column) { return {column[3], column[4], column[5]}; }

template <class D>
PatchImpulse<D> difference(const PatchImpulse<D>& now, const PatchImpulse<D>& before) {
  PatchImpulse<D> change;
  for (std::size_t k = 0; k < now.normal.size(); ++k) change.normal[k] = now.normal[k] - before.normal[k];
  change.friction = now.friction - before.friction;
  change.twist = now.twist - before.twist;
  change.turning = now.turning - before.turning;
  return change;
}

}  // namespace

template <class D>
void Ledger<D>::begin_step(std::size_t bodies, bool keeps_works) {
  keeps_works_ = keeps_works;
  moved_.assign(bodies, 0);
  works_ = {};
  total_ = {};
  joint_residual_ = free_speed_ = 0;
}

template <class D>
void Ledger<D>::begin(Team& team, const ForceSet<D>& forces, std::span<const std::uint32_t> rows,
                      std::span<const BodyState<D>> states, std::span<const PatchRef> contacts,
                      const PatchSource<D>& patches, double h) {
  forces_ = &forces;
  rows_ = rows;
  states_ = states;
  contacts_.resize(contacts.size());
  team.for_blocks(contacts.size(), k_contacts_a_block, [&](const Block& block) {
    for (std::size_t i = block.begin; i < block.end; ++i) contacts_[i] = patches.block_of(contacts[i]);
  });
  h_ = h;
  worst_ = {};
  start_.assign(states.begin(), states.end());
  if (!keeps_works_) return;
  std::vector<std::uint8_t> here(states.size(), 0);
  for (const std::uint32_t row : rows)
    if (forces.masses[row].motion == Motion::dynamic) here[row] = moved_[row] = 1;
  springs_.clear();
  for (const Spring<D>& spring : forces.springs)
    if (here[spring.a] || here[spring.b]) springs_.push_back(spring);
  patch_impulses_.assign(contacts.size(), {});
  before_ = start_;
}

template <class D>
void Ledger<D>::keep_states() {
  for (const std::uint32_t row : rows_) before_[row] = states_[row];
}

// The work of an impulse on a body at its centre of mass, between the last moment and now.
template <class D>
double Ledger<D>::give(std::uint32_t row, const Vec& impulse, const Ang& angular) {
  const BodyMass<D>& mass = forces_->masses[row];
  if (mass.motion == Motion::fixed) return 0;
  const BodyState<D>&s = before_[row], &n = states_[row];
  const double work =
      0.5 * (dot(s.velocity + n.velocity, impulse) + dot(s.angular_velocity + n.angular_velocity, angular));
  if (mass.motion == Motion::kinematic) {
    works_.drive -= work;
    return work;
  }
  const Vec felt = mass.mass * scaled(mass.inverse_mass, impulse);
  works_.linear_impulse += felt;
  works_.angular_impulse += cross(n.position, felt) + unlocked(angular, mass.locked_rotation);
  return work;
}

// Likewise. Trees that hardly turn keep their inertia for a whole step: what that does is the discretisation's.
template <class D>
double Ledger<D>::give_by_joint(const Bonds<D>& bonds, std::uint32_t row, const Vec& impulse,
                                const Ang& angular) {
  const Ang felt = bonds.felt(row, angular);
  const double excess =
      0.5 * dot(before_[row].angular_velocity + states_[row].angular_velocity, felt - angular);
  works_.discretisation += excess;
  return give(row, impulse, felt) - excess;
}

// ---------------------------------------------------------------------------------------------------- forces

template <class D>
void Ledger<D>::before_kick(double t) {
  ForceSet<D> forces = *forces_;
  forces.springs = springs_;
  for (const ForceClass which : k_classes) {
    std::vector<Wrench<D>>& wrenches = wrenches_[int(which)];
    wrenches.assign(states_.size(), {});
    forces.add_wrenches(which, states_, t, wrenches);
  }
  for (const std::uint32_t row : rows_) {
    const BodyMass<D>& mass = forces_->masses[row];
    if (!is_damped(mass)) continue;
    Wrench<D> all;
    for (const std::vector<Wrench<D>>& wrenches : wrenches_) all += wrenches[row];
    wrenches_[int(ForceClass::damper)][row] += damping(mass, states_[row], all, h_);
  }
  keep_states();
}

template <class D>
void Ledger<D>::after_kick(std::span<const std::uint32_t> in_halves) {
  std::vector<Wrench<D>>& weights = wrenches_[int(ForceClass::gravity)];
  for (const std::uint32_t row : in_halves) weights[row].force *= 0.5;
  double work[4] = {};
  for (const ForceClass which : k_classes) {
    const bool on_all = which == ForceClass::elastic || which == ForceClass::damper;
    for (const std::uint32_t row : rows_) {
      if (!on_all && forces_->masses[row].motion != Motion::dynamic) continue;
      const Wrench<D>& wrench = wrenches_[int(which)][row];
      work[int(which)] += give(row, h_ * wrench.force, h_ * wrench.torque);
    }
  }
  conservative_ = work[int(ForceClass::gravity)] + work[int(ForceClass::elastic)];
  works_.damping += work[int(ForceClass::damper)];
  works_.applied += work[int(ForceClass::applied)];
  keep_states();
}

// ----------------------------------------------------------------------------------------------- constraints

template <class D>
double Ledger<D>::work_of_normals(const ContactBlock<D>& block, const PatchImpulse<D>& impulse) {
  double work = 0;
  for (int k = 0; k < block.count; ++k) {
    const Vec push = impulse.normal[k] * block.normal;
    work += give(block.a, -push, -cross(block.points[k].arm_a, push)) +
            give(block.b, push, cross(block.points[k].arm_b, push));
  }
  return work;
}

template <class D>
double Ledger<D>::work_of_friction(const ContactBlock<D>& block, const PatchImpulse<D>& impulse) {
  const Vec center = center_of_friction(block),
            center_b = center + (block.points[0].arm_b - block.points[0].arm_a);
  const Ang turning = about(block.normal, impulse.twist) + impulse.turning;
  const double by_surface = dot(impulse.friction, block.surface.velocity);
  works_.drive -= by_surface;
  return by_surface + give(block.a, -impulse.friction, -cross(center, impulse.friction) - turning) +
         give(block.b, impulse.friction, cross(center_b, impulse.friction) + turning);
}

template <class D>
void Ledger<D>::after_drawing_in(std::span<const PatchImpulse<D>> impulses, const Bonds<D>& bonds) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    works_.contact += work_of_normals(contacts_[i], impulses[i]);
    works_.friction += work_of_friction(contacts_[i], impulses[i]);
    patch_impulses_[i] = impulses[i];
  }
  bonds.for_each_row([&](std::uint32_t a, std::uint32_t b, const auto& row) {
    const double work =
        give_by_joint(bonds, a, row.impulse * linear(row.j_a), row.impulse * angular(row.j_a)) +
        give_by_joint(bonds, b, row.impulse * linear(row.j_b), row.impulse * angular(row.j_b));
    const bool on_axis = row.slot >= k_first_axis_slot;
    const AxisSlot what = AxisSlot((row.slot - k_first_axis_slot) % k_slots_an_axis);
    (on_axis && what == AxisSlot::drive      ? works_.drive
     : on_axis && what == AxisSlot::friction ? works_.joint_friction
                                             : works_.joint) += work;
  });
  keep_states();
}

template <class D>
void Ledger<D>::before_relaxing(const Bonds<D>& bonds) {
  row_impulses_.clear();
  bonds.for_each_row(
      [&](std::uint32_t, std::uint32_t, const auto& row) { row_impulses_.push_back(row.impulse); });
  keep_states();
}

template <class D>
void Ledger<D>::after_relaxing(std::span<const PatchImpulse<D>> impulses, const Bonds<D>& bonds) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const PatchImpulse<D> change = difference(impulses[i], patch_impulses_[i]);
    works_.relaxation += work_of_normals(contacts_[i], change) + work_of_friction(contacts_[i], change);
    patch_impulses_[i] = impulses[i];
  }
  std::size_t next = 0;
  bonds.for_each_row([&](std::uint32_t a, std::uint32_t b, const auto& row) {
    const double change = row.impulse - row_impulses_[next++];
    works_.relaxation += give_by_joint(bonds, a, change * linear(row.j_a), change * angular(row.j_a)) +
                         give_by_joint(bonds, b, change * linear(row.j_b), change * angular(row.j_b));
  });
  keep_states();
}

template <class D>
void Ledger<D>::after_bounce(std::span<const PatchImpulse<D>> impulses) {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    works_.impact += work_of_normals(contacts_[i], difference(impulses[i], patch_impulses_[i]));
}

// ---------------------------------------------------------------------------------------------------- motion

// Of these bodies, and the springs that pull at them. [J]
template <class D>
double Ledger<D>::potential(std::span<const BodyState<D>> states) const {
  double sum = 0;
  for (const std::uint32_t row : rows_) {
    const BodyMass<D>& mass = forces_->masses[row];  // from where the step began: less round-off
    sum -=
        mass.mass * mass.gravity_scale * dot(forces_->gravity, states[row].position - start_[row].position);
  }
  for (const Spring<D>& spring : springs_) sum += spring.energy(states);
  return sum;
}

// Conservative forces should do the work by which their potential falls in the motion that follows; what they did more or
// less is the discretisation's doing, and so is the turning of the inertia (world/accounting.cpp). A free body keeps
// its angular momentum. Corrections c, which are added for the motion only, change it by (I − I⁺)c.
template <class D>
void Ledger<D>::after_motion(const Bonds<D>& bonds) {
  double turning = 0;
  bool corrected = false;
  for (const std::uint32_t row : rows_) {
    const BodyMass<D>& mass = forces_->masses[row];
    if (mass.motion != Motion::dynamic) continue;
    BodyState<D> s = before_[row], n = states_[row];
    turning += 0.5 * (dot(n.angular_velocity, angular_momentum(mass, s)) -
                      dot(s.angular_velocity, angular_momentum(mass, n)));
    const std::array<double, D::k_dof>& correction = bonds.correction(row);
    if (correction == std::array<double, D::k_dof>{}) continue;
    corrected = true;
    const Ang mean = 0.5 * (s.angular_velocity + n.angular_velocity);
    s.angular_velocity = n.angular_velocity = angular(correction);
    works_.stabilisation += dot(mean, angular_momentum(mass, s) - angular_momentum(mass, n));
  }
  const double before = potential(before_), now = potential(states_);
  double without = now;
  if (corrected) {
    trial_ = before_;
    for (const std::uint32_t row : rows_) drift(trial_[row], forces_->masses[row], h_);
    without = potential(trial_);
  }
  works_.stabilisation += now - without;
  works_.discretisation += conservative_ + (without - before) + turning;
  keep_states();
}

template <class D>
void Ledger<D>::after_late_kick(std::span<const std::uint32_t> in_halves) {
  const std::vector<Wrench<D>>& weights = wrenches_[int(ForceClass::gravity)];
  for (const std::uint32_t row : in_halves) works_.discretisation += give(row, h_ * weights[row].force, {});
}

// -------------------------------------------------------------------------------------------------- residual

template <class D>
void Ledger<D>::note_free_speed() {
  for (const ContactBlock<D>& block : contacts_)
    free_speed_ = larger(free_speed_, contact_speed(block, states_));
}

template <class D>
void Ledger<D>::judge(std::span<const PatchImpulse<D>> impulses, const Bonds<D>& bonds) {
  ContactResidual here;
  std::array<double, ContactBlock<D>::k_most_points> gaps;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactBlock<D>& block = contacts_[i];
    const BodyState<D>&a = start_[block.a], &b = start_[block.b];
    const BodyState<D>&now_a = states_[block.a], &now_b = states_[block.b];
    const Vec moved = (now_b.position - b.position) - (now_a.position - a.position);
    const auto turn_a = now_a.rotation * inverse(a.rotation), turn_b = now_b.rotation * inverse(b.rotation);
    for (int k = 0; k < block.count; ++k) {
      const typename ContactBlock<D>::Point& point = block.points[k];
      const Vec way = moved + (turn_b * point.arm_b - point.arm_b) - (turn_a * point.arm_a - point.arm_a);
      gaps[k] = point.separation + dot(block.normal, way);
    }
    add_residual<D>(block, impulses[i], states_, forces_->masses, gaps, h_, here);
  }
  worst_.max = larger(worst_.max, here.max);
  worst_.sum_squares = larger(worst_.sum_squares, here.sum_squares);
  worst_.points = here.points;
  worst_.signorini = larger(worst_.signorini, here.signorini);
  worst_.cone = larger(worst_.cone, here.cone);

  bonds.for_each_row([&](std::uint32_t a, std::uint32_t b, const auto& row) {
    const BodyState<D>&s = states_[a], &t = states_[b];
    const double speed = dot(linear(row.j_a), s.velocity) + dot(angular(row.j_a), s.angular_velocity) +
                         dot(linear(row.j_b), t.velocity) + dot(angular(row.j_b), t.angular_velocity) +
                         row.hold + row.softness * row.impulse;
    joint_residual_ = larger(joint_residual_, row_residual(speed, row.impulse, row.lo, row.hi, row.mass));
  });
}

template <class D>
void Ledger<D>::end() {
  total_.max = larger(total_.max, worst_.max);
  total_.sum_squares += worst_.sum_squares;
  total_.points += worst_.points;
  total_.signorini = larger(total_.signorini, worst_.signorini);
  total_.cone = larger(total_.cone, worst_.cone);
}

template <class D>
Residual Ledger<D>::residual() const {
  Residual r;
  r.points = total_.points;
  r.max = total_.max;
  r.rms = total_.points ? square_root(total_.sum_squares / double(total_.points)) : 0;
  r.free_speed = free_speed_;
  r.relative_max = free_speed_ > 0 ? r.max / free_speed_ : 0;
  r.relative_rms = free_speed_ > 0 ? r.rms / free_speed_ : 0;
  r.signorini = total_.signorini;
  r.cone = total_.cone;
  r.joint = joint_residual_;
  return r;
}

template class Ledger<Dim2>;
template class Ledger<Dim3>;

}  // namespace cairn
