#include "solvers/soft_step/bonds.h"

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

constexpr double k_locked = 1e30;  // [kg] or [kg·m²] along axes that are locked
constexpr int k_rounds = 5;        // in which it must be clear which contacts hold
constexpr double k_slow = 1e-5;    // approach that is no matter, as a part of touching in a substep
constexpr double k_fade = 0.2;     // of a load, in a solve, where others can take it over

// The mass matrix of a body in world axes.
void add_mass(std::array<std::array<double, 3>, 3>& block, const BodyMass<Dim2>& mass,
              const BodyState<Dim2>&) {
  block[0][0] += mass.inverse_mass.x > 0 ? 1 / mass.inverse_mass.x : k_locked;
  block[1][1] += mass.inverse_mass.y > 0 ? 1 / mass.inverse_mass.y : k_locked;
  block[2][2] += mass.locked_rotation ? k_locked : mass.inertia;
}
void add_mass(std::array<std::array<double, 6>, 6>& block, const BodyMass<Dim3>& mass,
              const BodyState<Dim3>& state) {
  const double inverse[3] = {mass.inverse_mass.x, mass.inverse_mass.y, mass.inverse_mass.z};
  for (int i = 0; i < 3; ++i) block[i][i] += inverse[i] > 0 ? 1 / inverse[i] : k_locked;
  const Sym3 inertia = rotated(state.rotation, mass.inertia);
  const Axes3& locked = mass.locked_rotation;
  block[3][3] += locked.x ? k_locked : inertia.xx;
  block[4][4] += locked.y ? k_locked : inertia.yy;
  block[5][5] += locked.z ? k_locked : inertia.zz;
  if (!locked.x && !locked.y) block[3][4] += inertia.xy;
  if (!locked.x && !locked.z) block[3][5] += inertia.xz;
  if (!locked.y && !locked.z) block[4][5] += inertia.yz;
}

}  // namespace

template <class D>
void Bonds<D>::hand_back(double step, double substep) {
  for (const std::uint32_t j : order_) {
    JointMemory<D>& memory = problem_.found[j];
    memory.efforts = k_joint_slots;
    for (int s = 0; s < k_joint_slots; ++s) memory.effort[s] = impulses_[j][s] / substep;
    memory.reaction = {(1 / step) * totals_[j].force, (1 / step) * totals_[j].torque};
  }
  for (const Articulation& articulation : articulations_)
    for (std::uint32_t k = 0; k < articulation.joint_count; ++k)
      problem_.found[order_[articulation.first_joint + k]].swept =
          !articulation.is_tree && articulation.factor < 0;
  for_limbs([&](auto& limbs) { limbs.hand_back(step, substep); });
}

template <class D>
void Bonds<D>::remember(std::span<JointMemory<D>> memory, std::span<std::uint8_t> swept) const noexcept {
  for (const std::uint32_t j : order_) {
    memory[j].take(problem_.found[j]);
    swept[j] = memory[j].swept;
  }
  for_pins([&](const auto& pins) { pins.remember(memory, swept, step_, h_); });
}

// ---------------------------------------------------------------------------------------------- once a substep

// The spring and damper of a soft row, carried through the substep by implicit Euler (METHODS of the θ family,
// θ = 1): J v + γ λ + b = 0, γ = 1/(h(hk + c)), b = k C/(hk + c), for the mass 1/K.
template <class D>
void Bonds<D>::set_row(Row& row, const JointRow<D>& from, std::uint32_t joint, double h, double rate) {
  row.joint = joint;
  row.slot = from.slot;
  const JacobianT<D, double>& j = from.jacobian;
  row.j_a = column(j.linear_a, j.angular_a);
  row.j_b = column(j.linear_b, j.angular_b);
  row.lo = h * from.min_effort;
  row.hi = h * from.max_effort;
  if (from.role == RowRole::limit && from.position > 0) {
    row.draw_in = row.hold = from.position / h;  // it may go as far as the stop
  } else if (from.role == RowRole::drive || from.role == RowRole::friction) {
    row.draw_in = row.hold = -from.speed;
  } else {
    row.draw_in = rate * from.position - from.speed;
    row.hold = -from.speed;
  }
}

// Limits of a tree that hardly turns stay as they are, but for how far away they are. False if it has been roused.
template <class D>
bool Bonds<D>::keep_rows(Articulation& articulation, double h, double rate) {
  const std::uint32_t first = std::exchange(articulation.first_stop, stops_.size());
  if (!is_still(articulation)) {  // add_up left them out
    for (const Stop<D>& stop : stops_.before().subspan(first, articulation.stop_count)) note(stop);
    return false;
  }
  first_row_.insert(first_row_.end(), articulation.joint_count, std::uint32_t(rows_.size()));
  stops_.keep(first, articulation.stop_count, states_, h, rate);
  return true;
}

template <class D>
typename Limbs<D>::Row Bonds<D>::row_of(const Stop<D>& stop) {
  typename Limbs<D>::Row row;
  row.j_a = column(typename D::Vec{}, -stop.turn);
  row.j_b = column(typename D::Vec{}, stop.turn);
  row.hold = stop.hold, row.softness = stop.softness, row.mass = stop.mass;
  row.impulse = stop.impulse;
  row.lo = 0;
  row.slot = stop.slot;
  return row;
}

// Of a joint of a tree, the limits that may be met. False if more than limits acts on its axes.
template <class D>
bool Bonds<D>::add_stops(Articulation& articulation, std::uint32_t joint, double h, double rate,
                         bool goes_on) {
  return articulation.single ? add_stops_of(single_limbs_, articulation, joint, h, rate, goes_on)
                             : add_stops_of(double_limbs_, articulation, joint, h, rate, goes_on);
}
template <class D>
template <class Set>
bool Bonds<D>::add_stops_of(const Set& limbs, Articulation& articulation, std::uint32_t joint, double h,
                            double rate, bool goes_on) {
  if (!limbs.only_limits(joint)) return false;
  const bool pushes = std::exchange(pushes_[joint], 0);
  if (!pushes && !limbs.is_near_limit(joint)) return true;
  const std::uint32_t a = problem_.rows_a[joint], b = problem_.rows_b[joint];
  limbs.for_limits(joint, impulses_[joint], [&](const AngleLimit<D>& limit) {
    if (limit.frequency > 0) articulation.keeps_rows = false;
    double& impulse = impulses_[joint][std::size_t(limit.slot)];
    const Stop<D> stop{.impulse = impulse, .joint = joint, .a = a, .b = b};
    if (!stops_.add(stop, limit, inverse_inertias_[a], inverse_inertias_[b], h, rate))
      impulse = 0;
    else if (goes_on)
      count(stops_.now().back(), -1);
  });
  return true;
}

template <class D>
void Bonds<D>::prepare(std::span<const BodyState<D>> states, std::span<const BodyMass<D>> masses, double t,
                       double h, double rate, const SweptSoftness& swept, bool goes_on) {
  rows_.clear();
  first_row_.clear();
  stops_.begin_substep();
  states_ = states;
  masses_ = masses;
  for (const Articulation& articulation : articulations_) {
    const bool has_rows = articulation.joint_count > 0 || articulation.block_count > 0;
    if (articulation.is_tree || !has_rows) continue;  // limbs and pins find their own
    for (std::uint32_t i = articulation.first_node; i < articulation.first_node + articulation.node_count;
         ++i)
      inverse_inertias_[bodies_[i]] = inverse_inertia(masses[bodies_[i]], states[bodies_[i]].rotation);
  }
  for_limbs([&](auto& limbs) { limbs.prepare(states, masses, h, rate, goes_on, inverse_inertias_); });
  swept_ = swept;
  for_pins([&](auto& pins) { pins.prepare(states, swept.rate); });
  JointRows<D> list;
  for (Articulation& articulation : articulations_) {
    if (goes_on && articulation.keeps_rows && keep_rows(articulation, h, rate)) continue;
    articulation.keeps_rows = articulation.is_tree && is_still(articulation);
    articulation.first_stop = stops_.size();
    for (std::uint32_t k = 0; k < articulation.joint_count; ++k) {
      const std::uint32_t j = order_[articulation.first_joint + k];
      first_row_.push_back(std::uint32_t(rows_.size()));
      if (articulation.is_tree && add_stops(articulation, j, h, rate, goes_on)) continue;
      articulation.keeps_rows = false;
      const std::uint32_t a = problem_.rows_a[j], b = problem_.rows_b[j];
      const JointPose<D, double> pose = pose_of(problem_.joints[j], states[a], states[b]);
      arms_a_[j] = pose.arm_a, arms_b_[j] = pose.arm_b;
      rows_of(problem_.joints[j], pose, t, list);
      for (const JointRow<D>& from : list) {
        if (articulation.is_tree && from.role == RowRole::hold) continue;
        if (!from.active) {
          impulses_[j][from.slot] = 0;
          continue;
        }
        Row& row = rows_.emplace_back();
        set_row(row, from, j, h, rate);
        row.v_a = yield(a, from.jacobian.linear_a, from.jacobian.angular_a);
        row.v_b = yield(b, from.jacobian.linear_b, from.jacobian.angular_b);
        const double k_row = dot<N>(row.j_a, row.v_a) + dot<N>(row.j_b, row.v_b);
        if (!(k_row > 0)) {  // nothing that it could move
          impulses_[j][from.slot] = 0;
          rows_.pop_back();
          continue;
        }
        const bool spring = from.frequency > 0 && !(from.role == RowRole::limit && from.position > 0);
        if (spring) {
          const double omega = 2 * k_pi * from.frequency, stiffness = omega * omega / k_row;
          const double damping = 2 * from.damping_ratio * omega / k_row;
          row.softness = 1 / (h * (h * stiffness + damping));
          row.draw_in = row.hold = stiffness * from.position / (h * stiffness + damping) - from.speed;
        }
        row.mass = 1 / (k_row + row.softness);
        row.gamma = spring ? row.softness : k_rigid * k_row;
        row.direct = articulation.factor >= 0 && from.role == RowRole::hold;
        if (!row.direct && !spring && from.role == RowRole::hold) {
          row.draw_in = swept.rate * from.position - from.speed;
          row.give = swept.give, row.leak = swept.leak;
        }
        row.impulse = clamp(impulses_[j][from.slot], row.lo, row.hi);
        if (goes_on) count(row, -1);
      }
    }
    articulation.stop_count = stops_.size() - articulation.first_stop;
  }
  first_row_.push_back(std::uint32_t(rows_.size()));
  for (Articulation& articulation : articulations_)
    if (articulation.factor >= 0 && articulation.block_count == 0 && !factorise(articulation))
      give_up(articulation);
  flies_ = untouched_;
  for (const Articulation& articulation : articulations_) {
    if (articulation.node_count == 0 || !flies_[bodies_[articulation.first_node]])
      continue;  // none of them does
    const auto first = rows_.begin() + first_row_[articulation.first_joint],
               last = rows_.begin() + first_row_[articulation.first_joint + articulation.joint_count];
    const bool solved = articulation.is_tree || articulation.factor >= 0;
    if (solved && !articulation.taut && !articulation.stop_count &&
        std::all_of(first, last, [](const Row& row) { return row.direct; }))
      continue;
    for (std::uint32_t i = 0; i < articulation.node_count; ++i)
      flies_[bodies_[articulation.first_node + i]] = 0;
  }
}

// M⁻¹ times a wrench.
template <class D>
typename Bonds<D>::Column Bonds<D>::yield(std::uint32_t row, const typename D::Vec& linear,
                                          const typename D::Ang& angular) const {
  return column(scaled(masses_[row].inverse_mass, linear), inverse_inertias_[row] * angular);
}

// The masses and the joints' rows that hold.
template <class D>
void Bonds<D>::assemble(const Articulation& articulation) {
  BlockCholesky<N>& factor = factor_of(articulation);
  factor.clear();
  for (std::uint32_t i = 0; i < articulation.node_count; ++i) {
    const std::uint32_t row = bodies_[articulation.first_node + i];
    add_mass(factor.diagonal(int(i)), masses_[row], states_[row]);
  }
  for (std::uint32_t k = 0; k < articulation.joint_count; ++k) {
    const std::uint32_t j = order_[articulation.first_joint + k];
    for (std::uint32_t r = first_row_[articulation.first_joint + k];
         r < first_row_[articulation.first_joint + k + 1]; ++r)
      if (rows_[r].direct)
        add_row(factor, rows_[r].j_a, rows_[r].j_b, rows_[r].gamma, node_of_[problem_.rows_a[j]],
                node_of_[problem_.rows_b[j]], slots_[j]);
  }
}

// Jᵀ Γ⁻¹ J
template <class D>
void Bonds<D>::add_row(BlockCholesky<N>& factor, const Column& j_a, const Column& j_b, double gamma,
                       std::uint32_t a, std::uint32_t b, BlockSlot slot) {
  const double weight = 1 / gamma;
  const auto add_square = [&](std::uint32_t node, const Column& j) {
    if (node == k_nobody) return;
    auto& block = factor.diagonal(int(node));
    for (int p = 0; p < N; ++p)
      for (int q = p; q < N; ++q) block[p][q] += weight * j[p] * j[q];
  };
  add_square(a, j_a);
  add_square(b, j_b);
  if (a == k_nobody || b == k_nobody) return;
  auto& block = factor.off_diagonal(slot.slot);
  const Column &rows = slot.transposed ? j_b : j_a, &columns = slot.transposed ? j_a : j_b;
  for (int p = 0; p < N; ++p)
    for (int q = 0; q < N; ++q) block[p][q] += weight * rows[p] * columns[q];
}

template <class D>
bool Bonds<D>::factorise(const Articulation& articulation) {
  assemble(articulation);
  return factor_of(articulation).factorise();
}

// Not finite: the rows are swept, and whatever is wrong will show.
template <class D>
void Bonds<D>::give_up(Articulation& articulation) {
  articulation.factor = -1;
  for (std::uint32_t i = 0; i < articulation.node_count; ++i)
    corrections_[bodies_[articulation.first_node + i]] = {};
  for (std::uint32_t r = first_row_[articulation.first_joint];
       r < first_row_[articulation.first_joint + articulation.joint_count]; ++r)
    rows_[r].direct = false;
}

// ---------------------------------------------------------------------------------------------------- sweeps

template <class D>
template <class Real>
void Bonds<D>::warm_start(MovingBody<D, Real>* moving) {
  free_velocities_.clear();
  for (Articulation& articulation : articulations_) {
    if (!articulation.block_count) continue;
    articulation.energy = kinetic(articulation, moving);
    articulation.first_free = std::uint32_t(free_velocities_.size());
    for (std::uint32_t i = 0; i < articulation.node_count; ++i)
      free_velocities_.push_back(velocity(moving[bodies_[articulation.first_node + i]]));
  }
  for (const Row& row : rows_) {
    add(moving[problem_.rows_a[row.joint]], row.v_a, row.impulse);
    add(moving[problem_.rows_b[row.joint]], row.v_b, row.impulse);
  }
  stops_.warm_start(moving);
  for_limbs([&](auto& limbs) { limbs.warm_start(moving); });
  pins_of(moving).warm_start(moving);
}

template <class D>
template <class Real>
void Bonds<D>::sweep(MovingBody<D, Real>* moving, bool draws_in) {
  pins_of(moving).sweep(moving, draws_in ? PinSweep{swept_.give, swept_.leak, true} : PinSweep{});
  for (Row& row : rows_) {
    if (row.direct) continue;
    MovingBody<D, Real>&a = moving[problem_.rows_a[row.joint]], &b = moving[problem_.rows_b[row.joint]];
    const double speed = dot<N>(row.j_a, velocity(a)) + dot<N>(row.j_b, velocity(b));
    const double wanted = speed + (draws_in ? row.draw_in : row.hold) + row.softness * row.impulse;
    const double give = draws_in ? row.give : 1, leak = draws_in ? row.leak : 0;
    const double impulse = clamp(row.impulse - give * row.mass * wanted - leak * row.impulse, row.lo, row.hi);
    if (impulse == row.impulse) continue;  // as with most limits
    add(a, row.v_a, impulse - row.impulse);
    add(b, row.v_b, impulse - row.impulse);
    row.impulse = impulse;
  }
  stops_.sweep(moving, draws_in);
}

// What the change of velocity x_ brings along a row.
template <class D>
double Bonds<D>::change_of_speed(const Column& j_a, const Column& j_b, std::uint32_t a,
                                 std::uint32_t b) const {
  double sum = 0;
  for (int i = 0; i < N; ++i) {
    if (a != k_nobody) sum += x_[a * N + i] * j_a[i];
    if (b != k_nobody) sum += x_[b * N + i] * j_b[i];
  }
  return sum;
}
template <class D>
void Bonds<D>::add_push(const Column& j_a, const Column& j_b, std::uint32_t a, std::uint32_t b, double push) {
  for (int i = 0; i < N; ++i) {
    if (a != k_nobody) x_[a * N + i] += push * j_a[i];
    if (b != k_nobody) x_[b * N + i] += push * j_b[i];
  }
}

template <class D>
template <class Real>
void Bonds<D>::solve(MovingBody<D, Real>* moving, bool draws_in, bool last,
                     std::span<const ContactPlace<D, Real>> places, const ContactTimes<D>& times) {
  const double slow = k_slow * times.touch / times.h;
  for_limbs([&](auto& limbs) {
    if (draws_in)
      limbs.solve_and_draw_in(moving, times.push_speed, corrections_);
    else
      limbs.solve(moving, last);
  });
  for (Articulation& articulation : articulations_) {
    if (articulation.is_tree || articulation.factor < 0) continue;
    if (draws_in)
      for (std::uint32_t i = 0; i < articulation.node_count; ++i)
        corrections_[bodies_[articulation.first_node + i]] = {};
    contact_rows_.clear();
    for (std::uint32_t k = 0; k < articulation.block_count; ++k)
      add_contact(articulation, k, places[block_order_[articulation.first_block + k]], times, moving, slow);
    if (articulation.block_count == 0) {
      solve_once(articulation, moving);
      if (draws_in) draw_in(articulation, moving, times);
      continue;
    }
    save(articulation, moving);
    bool good = false;
    for (int round = 0; round < k_rounds && !good; ++round) {
      assemble(articulation);
      for (const ContactRow& row : contact_rows_)
        if (row.active)
          add_row(factor_of(articulation), row.j_a, row.j_b, row.gamma, node_of_[row.a], node_of_[row.b],
                  row.slot);
      if (!factor_of(articulation).factorise()) break;
      solve_once(articulation, moving);
      good = settles(moving, places, slow);
    }
    if (good && !gains_energy(articulation, moving)) {
      put_in_lanes(places);
      if (draws_in) draw_in(articulation, moving, times);
      continue;
    }
    // The contacts are changing too much: the joints alone.
    restore(articulation, moving);
    contact_rows_.clear();
    if (articulation.joint_count == 0) continue;
    if (!factorise(articulation)) {
      give_up(articulation);
      continue;
    }
    solve_once(articulation, moving);
    if (draws_in) draw_in(articulation, moving, times);
  }
}

// Draws errors of position in, and those to come from arms that turn. Joints alone do that by their impulses, so that momentum
// stays as it is; the relaxing sweeps take back what is too much. (By way of the positions alone, arms that turn lost
// θ²/2 of their spin in each substep.) Contacts would see those velocities as impacts; taut chains gain energy by them
// when they snap, and limbs that are thrown about at 400 rad/s or torn open, too: there, it is for the way of one substep
// only, and nobody's load.
template <class D>
template <class Real>
void Bonds<D>::draw_in(const Articulation& articulation, MovingBody<D, Real>* moving,
                       const ContactTimes<D>& times) {
  x_.assign(std::size_t(articulation.node_count) * N, 0);
  const auto first = rows_.begin() + first_row_[articulation.first_joint],
             last = rows_.begin() + first_row_[articulation.first_joint + articulation.joint_count];
  double widest = 0;
  for (auto row = first; row != last; ++row) {
    if (!row->direct) continue;
    row->error = row->draw_in - row->hold;
    widest = larger(widest, absolute(row->error));
    row->error += turning(*row, moving, times.h);
    add_push(row->j_a, row->j_b, node_of_[problem_.rows_a[row->joint]], node_of_[problem_.rows_b[row->joint]],
             -row->error / row->gamma);
  }
  for (const ContactRow& row : contact_rows_)
    if (row.active) add_push(row.j_a, row.j_b, node_of_[row.a], node_of_[row.b], -row.bias / row.gamma);
  factor_of(articulation).solve(x_);
  // Where rows are nearly parallel and disagree, the way out may be far: no faster than overlap may go away.
  double fastest = 0;
  for (std::uint32_t i = 0; i < articulation.node_count; ++i)
    for (int p = 0; p < D::k_linear; ++p) fastest = larger(fastest, absolute(x_[i * N + p]));
  const double part = fastest > times.push_speed ? times.push_speed / fastest : 1;
  bool lost = articulation.taut || !contact_rows_.empty() || widest > times.push_speed;
  for (std::uint32_t i = 0; i < articulation.node_count && !lost; ++i) {
    const auto spin = twist_of(velocity(moving[bodies_[articulation.first_node + i]])).angular;
    lost = h_ * h_ * dot(spin, spin) > k_far * k_far;
  }
  if (!lost) {
    for (auto row = first; row != last; ++row) {
      if (!row->direct) continue;
      const std::uint32_t a = problem_.rows_a[row->joint], b = problem_.rows_b[row->joint];
      const double change =
          -part * (row->error + change_of_speed(row->j_a, row->j_b, node_of_[a], node_of_[b])) / row->gamma;
      row->impulse += change;
      add(moving[a], row->v_a, change);
      add(moving[b], row->v_b, change);
    }
  } else {
    for (std::uint32_t i = 0; i < articulation.node_count; ++i)
      for (int p = 0; p < N; ++p)
        corrections_[bodies_[articulation.first_node + i]][p] = part * x_[i * N + p];
  }
}

// What arms that turn add to the speed of a row.
template <class D>
template <class Real>
double Bonds<D>::turning(const Row& row, const MovingBody<D, Real>* moving, double h) const {
  const JointRecord<D>& joint = problem_.joints[row.joint];
  if (row.softness > 0 || (!joint.rod && (row.slot >= D::k_linear || !holds_point(joint.kind)))) return 0;
  const Twist<D> a = twist_of(velocity(moving[problem_.rows_a[row.joint]])),
                 b = twist_of(velocity(moving[problem_.rows_b[row.joint]]));
  const typename D::Vec &arm_a = arms_a_[row.joint], &arm_b = arms_b_[row.joint];
  const typename D::Vec off = off_tangent(b.angular, arm_b, h) - off_tangent(a.angular, arm_a, h);
  const typename D::Vec along = twist_of(row.j_b).linear;
  if (!joint.rod) return dot(along, off);
  const typename D::Vec speed = (b.linear + cross(b.angular, arm_b)) - (a.linear + cross(a.angular, arm_a));
  return off_tangent_of_rod(along, joint.parameters.length, speed, off, h);
}

template <class D>
template <class Real>
void Bonds<D>::save(const Articulation& articulation, const MovingBody<D, Real>* moving) {
  saved_.clear();
  for (std::uint32_t i = 0; i < articulation.node_count; ++i)
    for (const double v : velocity(moving[bodies_[articulation.first_node + i]])) saved_.push_back(v);
  for (std::uint32_t r = first_row_[articulation.first_joint];
       r < first_row_[articulation.first_joint + articulation.joint_count]; ++r)
    saved_.push_back(rows_[r].impulse);
}
template <class D>
template <class Real>
void Bonds<D>::restore(const Articulation& articulation, MovingBody<D, Real>* moving) {
  const double* from = saved_.data();
  for (std::uint32_t i = 0; i < articulation.node_count; ++i, from += N)
    set_velocity(moving[bodies_[articulation.first_node + i]], from);
  for (std::uint32_t r = first_row_[articulation.first_joint];
       r < first_row_[articulation.first_joint + articulation.joint_count]; ++r)
    rows_[r].impulse = *from++;
}

template <class D>
template <class Real>
void Bonds<D>::solve_once(const Articulation& articulation, MovingBody<D, Real>* moving) {
  const std::uint32_t first = first_row_[articulation.first_joint],
                      last = first_row_[articulation.first_joint + articulation.joint_count];
  const auto nodes = [&](const Row& row) {
    return std::pair{node_of_[problem_.rows_a[row.joint]], node_of_[problem_.rows_b[row.joint]]};
  };
  // Loads that hold each other, and nothing else, fade.
  for (ContactRow& row : contact_rows_) {
    if (!row.active) continue;
    add(moving[row.a], row.v_a, -k_fade * row.impulse);
    add(moving[row.b], row.v_b, -k_fade * row.impulse);
    row.impulse -= k_fade * row.impulse;
  }
  x_.assign(std::size_t(articulation.node_count) * N, 0);
  for (std::uint32_t r = first; r < last; ++r) {
    Row& row = rows_[r];
    if (!row.direct) continue;
    row.error = speed(moving, row.j_a, row.j_b, problem_.rows_a[row.joint], problem_.rows_b[row.joint]) +
                row.hold + row.softness * row.impulse;
    const auto [a, b] = nodes(row);
    add_push(row.j_a, row.j_b, a, b, -row.error / row.gamma);
  }
  for (ContactRow& row : contact_rows_) {
    if (!row.active) continue;
    row.error = speed(moving, row.j_a, row.j_b, row.a, row.b) + row.hold;
    add_push(row.j_a, row.j_b, node_of_[row.a], node_of_[row.b], -row.error / row.gamma);
  }
  factor_of(articulation).solve(x_);
  for (std::uint32_t r = first; r < last; ++r) {
    Row& row = rows_[r];
    if (!row.direct) continue;
    const auto [a, b] = nodes(row);
    const double change = -(row.error + change_of_speed(row.j_a, row.j_b, a, b)) / row.gamma;
    row.impulse += change;
    add(moving[problem_.rows_a[row.joint]], row.v_a, change);
    add(moving[problem_.rows_b[row.joint]], row.v_b, change);
  }
  for (ContactRow& row : contact_rows_) {
    if (!row.active) continue;
    const double change =
        -(row.error + change_of_speed(row.j_a, row.j_b, node_of_[row.a], node_of_[row.b])) / row.gamma;
    row.impulse += change;
    add(moving[row.a], row.v_a, change);
    add(moving[row.b], row.v_b, change);
  }
}

// ---------------------------------------------------------------------------------------------------- totals

template <class D>
void Bonds<D>::count(const Row& row, double sign) {
  const double impulse = sign * row.impulse;
  const Twist<D> unit = twist_of(row.j_b);
  const typename D::Vec force = impulse * unit.linear;
  const typename D::Ang torque = impulse * unit.angular;
  totals_[row.joint] += {force, torque - cross(arms_b_[row.joint], force)};
}

template <class D>
void Bonds<D>::note(const Row& row) {
  impulses_[row.joint][row.slot] = row.impulse;
  pushes_[row.joint] |= row.impulse != 0;
  count(row, 1);
}

template <class D>
void Bonds<D>::count(const Stop<D>& stop, double sign) {
  totals_[stop.joint].torque += sign * stop.impulse * stop.turn;
}
template <class D>
void Bonds<D>::note(const Stop<D>& stop) {
  impulses_[stop.joint][std::size_t(stop.slot)] = stop.impulse;
  pushes_[stop.joint] |= stop.impulse != 0;
  count(stop, 1);
}

// Rows that are kept do not change in a substep: they count once.
template <class D>
void Bonds<D>::add_up(bool relaxed) {
  for (const Articulation& articulation : articulations_) {
    if (articulation.keeps_rows && !relaxed) continue;
    for (std::uint32_t r = first_row_[articulation.first_joint];
         r < first_row_[articulation.first_joint + articulation.joint_count]; ++r)
      note(rows_[r]);
    for (const Stop<D>& stop : stops_.now().subspan(articulation.first_stop, articulation.stop_count))
      note(stop);
  }
  for_limbs([&](auto& limbs) { limbs.add_up(relaxed); });
  if (relaxed) for_pins([](auto& pins) { pins.add_up(); });
}

template class Bonds<Dim2>;
template class Bonds<Dim3>;
#define CAIRN_BONDS_ON(D, Real)                                                                           \
  template void Bonds<D>::warm_start(MovingBody<D, Real>*);                                               \
  template void Bonds<D>::sweep(MovingBody<D, Real>*, bool);                                              \
  template void Bonds<D>::solve(MovingBody<D, Real>*, bool, bool, std::span<const ContactPlace<D, Real>>, \
                                const ContactTimes<D>&);
CAIRN_BONDS_ON(Dim2, float)
CAIRN_BONDS_ON(Dim2, double)
CAIRN_BONDS_ON(Dim3, float)
CAIRN_BONDS_ON(Dim3, double)
#undef CAIRN_BONDS_ON

}  // namespace cairn
