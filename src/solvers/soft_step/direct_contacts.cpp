// Contacts among the joints: which of them hold in a direct solve, and that nothing is gained by it.
#include "solvers/soft_step/bonds.h"

namespace cairn {
namespace {

constexpr double k_least_yield = 1e-3;  // of a row, as a part of the bodies' 1/m
constexpr double k_slack = 1.01;        // by which friction that was let go may be above its bound
constexpr double k_round_off = 1e-5;    // of energies, with float lanes
constexpr double k_loose = 0.8;         // of its bound, below which such friction sticks after all
constexpr double k_same_load = 0.9;     // a load that has not changed by more is taken as it was

double inverse_or_zero(double x) { return x > 0 ? 1 / x : 0; }

// About which friction twists: nothing in the plane.
std::array<double, 0> twists_of(const Vec2&) { return {}; }
std::array<Vec3, 1> twists_of(const Vec3& normal) { return {normal}; }
std::array<Vec2, 1> tangents_of(const Vec2& normal) { return {perpendicular(normal)}; }
std::array<Vec3, 2> tangents_of(const Vec3& normal) {
  const Vec3 t = perpendicular(normal);
  return {t, cross(normal, t)};
}

template <class D>
typename D::Vec way_of(const BodyState<D>& start, const BodyState<D>& now, const typename D::Vec& arm) {
  return (now.position - start.position) + (now.rotation * (inverse(start.rotation) * arm) - arm);
}

}  // namespace

template <class D>
template <class Real>
double Bonds<D>::kinetic(const Articulation& articulation, const MovingBody<D, Real>* moving) const {
  double sum = 0;
  for (std::uint32_t i = 0; i < articulation.node_count; ++i) {
    const std::uint32_t row = bodies_[articulation.first_node + i];
    BodyState<D> state = states_[row];
    const Twist<D> v = twist_of(velocity(moving[row]));
    state.velocity = v.linear, state.angular_velocity = v.angular;
    sum += kinetic_energy(masses_[row], state);
  }
  return sum;
}

// The rows of a contact as it stands after a sweep: of points that touch, and of friction. Those that press, hardly move or
// stick are active.
template <class D>
template <class Real>
void Bonds<D>::add_contact(const Articulation& articulation, std::uint32_t k,
                           const ContactPlace<D, Real>& place, const ContactTimes<D>& times,
                           const MovingBody<D, Real>* moving, double slow) {
  using Vec = typename D::Vec;
  const std::uint32_t index = block_order_[articulation.first_block + k];
  const ContactBlock<D>& block = blocks_[articulation.first_block + k];
  const ContactGroup<D, Real>& group = *place.group;
  const BodyState<D>&a = times.now[block.a], &b = times.now[block.b];
  ContactRow row;
  row.a = block.a, row.b = block.b, row.block = index;
  row.slot = block_slots_[articulation.first_block + k];
  // Rows that can hardly move anything, as where a body is locked, are left to the sweeps.
  const double least =
      k_least_yield * (inverse_or_zero(masses_[block.a].mass) + inverse_or_zero(masses_[block.b].mass));
  const auto add = [&](double impulse, int point) {
    const double k = dot<N>(row.j_a, row.v_a) + dot<N>(row.j_b, row.v_b);
    if (!(k > 0) || (point > -3 && k < least)) return false;
    row.gamma = k_rigid * k;
    row.impulse = impulse, row.point = point;
    contact_rows_.push_back(row);
    return true;
  };
  const auto add_row_at = [&](const Vec& direction, const Vec& arm_a, const Vec& arm_b, double hold,
                              double bias, double impulse, int point) {
    const auto turn_a = cross(arm_a, direction), turn_b = cross(arm_b, direction);
    row.j_a = column(-direction, -turn_a);
    row.j_b = column(direction, turn_b);
    row.v_a = yield(block.a, -direction, -turn_a);
    row.v_b = yield(block.b, direction, turn_b);
    row.hold = hold, row.bias = bias;
    return add(impulse, point);
  };
  bool touches = false;
  for (int p = 0; p < block.count; ++p) {
    const double impulse = group.points[p].normal_impulse[place.lane];
    const typename ContactBlock<D>::Point& point = block.points[p];
    const double separation =
        point.separation +
        dot(block.normal,
            way_of(times.start[block.b], b, point.arm_b + block.surface.rounding_b * block.normal) -
                way_of(times.start[block.a], a, point.arm_a - block.surface.rounding_a * block.normal));
    if (separation > times.touch) continue;  // about to: the sweeps see to that
    const double bias = separation < 0 ? larger(separation * times.rate, -times.push_speed) : 0;
    if (!add_row_at(block.normal, point.arm_a, point.arm_b, 0, bias, impulse, p)) continue;
    ContactRow& added = contact_rows_.back();
    added.active = impulse > 0 || speed(moving, added.j_a, added.j_b, added.a, added.b) < slow;
    touches = true;
  }
  if (!touches) return;
  row.active = group.sticks[place.lane] > 0;
  const Vec center = center_of_friction(block),
            center_b = center + (block.points[0].arm_b - block.points[0].arm_a);
  const auto tangents = tangents_of(block.normal);
  for (int t = 0; t < int(tangents.size()); ++t)
    add_row_at(tangents[t], center, center_b, dot(tangents[t], block.surface.velocity), 0,
               group.tangent_impulse[t][place.lane], -1 - t);
  if (block.count < 2) return;
  for (const typename D::Ang& axis : twists_of(block.normal)) {
    row.j_a = column(Vec{}, -axis);
    row.j_b = column(Vec{}, axis);
    row.v_a = yield(block.a, Vec{}, -axis);
    row.v_b = yield(block.b, Vec{}, axis);
    row.hold = row.bias = 0;
    add(group.twist_impulse[place.lane], -3);
  }
}

// What pulls or slips is let go, with an impulse within its bounds; what comes near again is taken up. True if nothing
// had to be.
template <class D>
template <class Real>
bool Bonds<D>::settles(MovingBody<D, Real>* moving, std::span<const ContactPlace<D, Real>> places,
                       double slow) {
  bool settled = true;
  const auto let_go = [&](ContactRow& row, double impulse) {
    add(moving[row.a], row.v_a, impulse - row.impulse);
    add(moving[row.b], row.v_b, impulse - row.impulse);
    row.impulse = impulse;
    row.active = settled = false;
    row.let_go = true;
  };
  for (std::size_t first = 0, last; first < contact_rows_.size(); first = last) {
    const std::uint32_t block = contact_rows_[first].block;
    for (last = first; last < contact_rows_.size() && contact_rows_[last].block == block;) ++last;
    const ContactGroup<D, Real>& group = *places[block].group;
    const int lane = places[block].lane;
    for (std::size_t r = first; r < last; ++r) {
      ContactRow& row = contact_rows_[r];
      if (row.point < 0) continue;
      if (row.active && row.impulse < 0) {
        let_go(row, 0);
      } else if (!row.active && speed(moving, row.j_a, row.j_b, row.a, row.b) < -slow) {
        row.active = true;
        settled = false;
      }
    }
    double load = 0, lever = 0, size = 0;
    for (int p = 0; p < group.count; ++p) {
      double impulse = group.points[p].normal_impulse[lane];
      for (std::size_t r = first; r < last; ++r)
        if (contact_rows_[r].point == p) impulse = contact_rows_[r].impulse;
      load += impulse;
      lever += impulse * group.points[p].lever[lane];
    }
    const double radius = load > 0 ? lever / load : 0, bound = group.friction[lane] * load;
    double power = 0;  // of friction; positive if it drives what it should hold
    for (std::size_t r = first; r < last; ++r) {
      const ContactRow& row = contact_rows_[r];
      if (row.point >= 0) continue;
      const double part = row.point == -3 ? (radius > 0 ? row.impulse / radius : 0) : row.impulse;
      size += part * part;
      if (!row.active) power += row.impulse * (speed(moving, row.j_a, row.j_b, row.a, row.b) + row.hold);
    }
    size = square_root(size);
    for (std::size_t r = first; r < last; ++r) {
      ContactRow& row = contact_rows_[r];
      if (row.point >= 0) continue;
      const double most = row.active ? bound : k_slack * bound;
      if (most < size) {
        let_go(row, row.impulse * (bound / size));
      } else if (!row.active && bound > 0 && (power > 0 || size < (row.let_go ? k_loose : 1) * bound)) {
        row.active = true;
        settled = false;
      }
    }
  }
  return settled;
}

// Contacts and joints take energy away, but for what moving supports, surfaces and targets bring in: the work that a row
// with J v = −b does on bodies that move freely. More than that comes from impulses that are not where they should be,
// as of friction that is at its bound and does not oppose the sliding.
template <class D>
template <class Real>
bool Bonds<D>::gains_energy(const Articulation& articulation, const MovingBody<D, Real>* moving) const {
  const auto supported = [&](std::uint32_t row, const Column& j) {
    return node_of_[row] == k_nobody ? dot<N>(j, velocity(moving[row])) : 0;
  };
  double given = 0;
  for (std::uint32_t r = first_row_[articulation.first_joint];
       r < first_row_[articulation.first_joint + articulation.joint_count]; ++r) {
    const Row& row = rows_[r];
    given += absolute(row.impulse * (row.hold + supported(problem_.rows_a[row.joint], row.j_a) +
                                     supported(problem_.rows_b[row.joint], row.j_b)));
  }
  for (const ContactRow& row : contact_rows_)
    given -= row.impulse * (row.hold + supported(row.a, row.j_a) + supported(row.b, row.j_b));
  return !(kinetic(articulation, moving) <= (1 + k_round_off) * articulation.energy + given);
}

template <class D>
template <class Real>
void Bonds<D>::put_in_lanes(std::span<const ContactPlace<D, Real>> places) const {
  for (std::size_t r = 0; r < contact_rows_.size(); ++r) {
    const ContactRow& row = contact_rows_[r];
    ContactGroup<D, Real>& group = *places[row.block].group;
    const int lane = places[row.block].lane;
    if (row.point < 0) {  // sticks if all friction of the patch does
      const bool first = contact_rows_[r - 1].point >= 0;
      group.sticks[lane] = Real(row.active && (first || group.sticks[lane] > 0));
    }
    Real& impulse = row.point >= 0    ? group.points[row.point].normal_impulse[lane]
                    : row.point == -3 ? group.twist_impulse[lane]
                                      : group.tangent_impulse[-1 - row.point][lane];
    impulse = Real(row.impulse);
  }
}

template <class D>
template <class Real>
bool Bonds<D>::is_driven(const Articulation& articulation, const MovingBody<D, Real>* moving) const {
  const auto moves = [&](std::uint32_t row) {
    return node_of_[row] == k_nobody && velocity(moving[row]) != Column{};
  };
  for (std::uint32_t r = first_row_[articulation.first_joint];
       r < first_row_[articulation.first_joint + articulation.joint_count]; ++r) {
    const Row& row = rows_[r];
    if (row.hold != 0 || moves(problem_.rows_a[row.joint]) || moves(problem_.rows_b[row.joint])) return true;
  }
  for (std::uint32_t k = 0; k < articulation.block_count; ++k) {
    const ContactBlock<D>& block = blocks_[articulation.first_block + k];
    if (!(block.surface.velocity == typename D::Vec{}) || moves(block.a) || moves(block.b)) return true;
  }
  return false;
}

// After an impact the impulses of the last substep are not those of this one, and would throw the bodies apart. They are
// taken as far as they slow the bodies down: with Δ what they do to the velocities v, the energy of v + sΔ is least at
// s = −Δ·M v/(Δ·M Δ). At rest that is 1. (Not where supports move or joints drive: they may well bring energy in.)
template <class D>
template <class Real>
void Bonds<D>::temper(MovingBody<D, Real>* moving, std::span<const ContactPlace<D, Real>> places) {
  for (const Articulation& articulation : articulations_) {
    if (!articulation.block_count || is_driven(articulation, moving)) continue;
    double along = 0, square = 0;
    for (std::uint32_t i = 0; i < articulation.node_count; ++i) {
      const std::uint32_t row = bodies_[articulation.first_node + i];
      const Column before = free_velocities_[articulation.first_free + i];
      BodyState<D> state = states_[row];
      Column change = velocity(moving[row]);
      for (int k = 0; k < N; ++k) change[k] -= before[k];
      const auto energy_of = [&](const Column& v) {
        const Twist<D> twist = twist_of(v);
        state.velocity = twist.linear, state.angular_velocity = twist.angular;
        return kinetic_energy(masses_[row], state);
      };
      const double own = energy_of(change);
      square += 2 * own;
      along += energy_of(velocity(moving[row])) - own - energy_of(before);
    }
    const double scale = square > 0 ? clamp(-along / square, 0., 1.) : 1;
    if (scale > k_same_load) continue;
    for (std::uint32_t i = 0; i < articulation.node_count; ++i) {
      MovingBody<D, Real>& body = moving[bodies_[articulation.first_node + i]];
      Column v = free_velocities_[articulation.first_free + i];
      const Column now = velocity(body);
      for (int k = 0; k < N; ++k) v[k] += scale * (now[k] - v[k]);
      set_velocity(body, v.data());
    }
    for (std::uint32_t r = first_row_[articulation.first_joint];
         r < first_row_[articulation.first_joint + articulation.joint_count]; ++r)
      rows_[r].impulse *= scale;
    for (std::uint32_t k = 0; k < articulation.block_count; ++k) {
      ContactGroup<D, Real>& group = *places[block_order_[articulation.first_block + k]].group;
      const int lane = places[block_order_[articulation.first_block + k]].lane;
      const auto reduce = [&](Real& impulse) { impulse = Real(scale * impulse); };
      for (int p = 0; p < group.count; ++p) reduce(group.points[p].normal_impulse[lane]);
      for (auto& impulse : group.tangent_impulse) reduce(impulse[lane]);
      for (auto& impulse : group.turning_impulse) reduce(impulse[lane]);
      reduce(group.twist_impulse[lane]);
    }
  }
}

#define CAIRN_DIRECT_CONTACTS_ON(D, Real)                                                                \
  template double Bonds<D>::kinetic(const Articulation&, const MovingBody<D, Real>*) const;              \
  template bool Bonds<D>::is_driven(const Articulation&, const MovingBody<D, Real>*) const;              \
  template void Bonds<D>::temper(MovingBody<D, Real>*, std::span<const ContactPlace<D, Real>>);          \
  template void Bonds<D>::add_contact(const Articulation&, std::uint32_t, const ContactPlace<D, Real>&,  \
                                      const ContactTimes<D>&, const MovingBody<D, Real>*, double);       \
  template bool Bonds<D>::settles(MovingBody<D, Real>*, std::span<const ContactPlace<D, Real>>, double); \
  template bool Bonds<D>::gains_energy(const Articulation&, const MovingBody<D, Real>*) const;           \
  template void Bonds<D>::put_in_lanes(std::span<const ContactPlace<D, Real>>) const;
CAIRN_DIRECT_CONTACTS_ON(Dim2, float)
CAIRN_DIRECT_CONTACTS_ON(Dim2, double)
CAIRN_DIRECT_CONTACTS_ON(Dim3, float)
CAIRN_DIRECT_CONTACTS_ON(Dim3, double)
#undef CAIRN_DIRECT_CONTACTS_ON

}  // namespace cairn
