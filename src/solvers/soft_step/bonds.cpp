#include "solvers/soft_step/bonds.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr double k_rigid = 1e-6;  // Γ of rigid rows, as a part of K
constexpr double k_locked = 1e30;  // [kg] or [kg·m²] along axes that are locked

template <int N>
double dot(const std::array<double, N>& a, const std::array<double, N>& b) {
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += a[i] * b[i];
  return sum;
}

std::array<double, 3> column(const Vec2& linear, double angular) { return {linear.x, linear.y, angular}; }
std::array<double, 6> column(const Vec3& linear, const Vec3& angular) {
  return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}

template <class D, int N = D::k_dof>
std::array<double, N> yield(const BodyMass<D>& mass, const BodyState<D>& state, const typename D::Vec& linear,
                            const typename D::Ang& angular) {
  return column(scaled(mass.inverse_mass, linear), inverse_inertia(mass, state.rotation) * angular);
}

// The mass matrix of a body in world axes.
void add_mass(std::array<std::array<double, 3>, 3>& block, const BodyMass<Dim2>& mass, const BodyState<Dim2>&) {
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

// ------------------------------------------------------------------------------------------------ once a step

template <class D>
void Bonds<D>::begin_step(const BondProblem<D>& problem, std::span<const BodyMass<D>> masses,
                          std::uint32_t count, double h) {
  problem_ = problem;
  const std::uint32_t joints = std::uint32_t(problem.joints.size());
  const auto moves = [&](std::uint32_t row) { return masses[row].motion == Motion::dynamic; };
  const auto anchor = [&](std::uint32_t joint) {
    return moves(problem.rows_a[joint]) ? problem.rows_a[joint] : problem.rows_b[joint];
  };
  islands_.reset(count);
  for (std::uint32_t j = 0; j < joints; ++j)
    if (moves(problem.rows_a[j]) && moves(problem.rows_b[j]))
      islands_.join(problem.rows_a[j], problem.rows_b[j]);

  order_.resize(joints);
  for (std::uint32_t j = 0; j < joints; ++j) order_[j] = j;
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return islands_.root(anchor(a)) < islands_.root(anchor(b));
  });

  impulses_.resize(joints);
  totals_.assign(joints, {});
  arms_b_.resize(joints);
  slots_.resize(joints);
  for (std::uint32_t j = 0; j < joints; ++j)
    for (int s = 0; s < k_joint_slots; ++s) impulses_[j][s] = h * problem.memory[j].effort[s];

  articulations_.clear();
  bodies_.clear();
  node_of_.assign(count, k_nobody);
  std::size_t factors = 0;
  std::vector<std::pair<int, int>> edges;
  std::vector<std::uint32_t> edge_joints;
  for (std::uint32_t first = 0; first < joints;) {
    Articulation articulation{.first_joint = first, .first_node = std::uint32_t(bodies_.size())};
    const std::uint32_t root = islands_.root(anchor(order_[first]));
    const auto node = [&](std::uint32_t row) {
      if (node_of_[row] == k_nobody) {
        node_of_[row] = articulation.node_count++;
        bodies_.push_back(row);
      }
      return int(node_of_[row]);
    };
    edges.clear();
    edge_joints.clear();
    for (; first < joints && islands_.root(anchor(order_[first])) == root; ++first) {
      const std::uint32_t j = order_[first], a = problem.rows_a[j], b = problem.rows_b[j];
      ++articulation.joint_count;
      if (moves(a)) node(a);
      if (moves(b)) node(b);
      if (!moves(a) || !moves(b)) continue;
      edges.push_back({node(a), node(b)});
      edge_joints.push_back(j);
    }
    const std::int64_t most = 12 * std::int64_t(articulation.node_count) + 200;
    BlockStructure structure = BlockStructure::analyse(int(articulation.node_count), edges, most);
    if (structure.complete()) {
      for (std::size_t e = 0; e < edges.size(); ++e) slots_[edge_joints[e]] = structure.slot_of_edge(int(e));
      articulation.factor = int(factors++);
      if (factors_.size() < factors) factors_.emplace_back();
      factors_[articulation.factor] = BlockCholesky<N>(std::move(structure));
    }
    articulations_.push_back(articulation);
  }
}

template <class D>
void Bonds<D>::hand_back(double step, double substep) {
  for (std::uint32_t j = 0; j < problem_.joints.size(); ++j) {
    JointMemory<D>& memory = problem_.memory[j];
    for (int s = 0; s < k_joint_slots; ++s) memory.effort[s] = impulses_[j][s] / substep;
    memory.reaction = {(1 / step) * totals_[j].force, (1 / step) * totals_[j].torque};
  }
}

// ---------------------------------------------------------------------------------------------- once a substep

// The spring and damper of a soft row, carried through the substep by implicit Euler (METHODS of the θ family,
// θ = 1): J v + γ λ + b = 0, γ = 1/(h(hk + c)), b = k C/(hk + c), for the mass 1/K.
template <class D>
typename Bonds<D>::Row Bonds<D>::make_row(const JointRow<D>& from, std::uint32_t joint, double h,
                                          double rate) const {
  Row row;
  row.joint = joint;
  row.slot = from.slot;
  const JacobianT<D, double>& j = from.jacobian;
  row.j_a = column(j.linear_a, j.angular_a);
  row.j_b = column(j.linear_b, j.angular_b);
  row.lo = h * from.min_effort;
  row.hi = h * from.max_effort;
  const bool stops = from.role == RowRole::limit;
  if (stops && from.position > 0) {
    row.draw_in = row.hold = from.position / h;  // it may go as far as the stop
  } else if (from.role == RowRole::drive || from.role == RowRole::friction) {
    row.draw_in = row.hold = -from.speed;
  } else {
    row.draw_in = rate * from.position - from.speed;
    row.hold = -from.speed;
  }
  return row;
}

template <class D>
void Bonds<D>::prepare(std::span<const BodyState<D>> states, std::span<const BodyMass<D>> masses, double t,
                       double h, double rate, bool goes_on) {
  rows_.clear();
  first_row_.clear();
  JointRows<D> list;
  for (const Articulation& articulation : articulations_) {
    for (std::uint32_t k = 0; k < articulation.joint_count; ++k) {
      const std::uint32_t j = order_[articulation.first_joint + k];
      const std::uint32_t a = problem_.rows_a[j], b = problem_.rows_b[j];
      const JointPose<D, double> pose = pose_of(problem_.joints[j], states[a], states[b]);
      arms_b_[j] = pose.arm_b;
      rows_of(problem_.joints[j], pose, t, list);
      first_row_.push_back(std::uint32_t(rows_.size()));
      for (const JointRow<D>& from : list) {
        if (!from.active) {
          impulses_[j][from.slot] = 0;
          continue;
        }
        Row row = make_row(from, j, h, rate);
        row.v_a = yield(masses[a], states[a], from.jacobian.linear_a, from.jacobian.angular_a);
        row.v_b = yield(masses[b], states[b], from.jacobian.linear_b, from.jacobian.angular_b);
        const double k_row = dot<N>(row.j_a, row.v_a) + dot<N>(row.j_b, row.v_b);
        if (!(k_row > 0)) continue;  // nothing that it could move
        const bool spring = from.frequency > 0 && !(from.role == RowRole::limit && from.position > 0);
        if (spring) {
          const double omega = 2 * k_pi * from.frequency, stiffness = omega * omega / k_row;
          const double damping = 2 * from.damping_ratio * omega / k_row;
          row.softness = 1 / (h * (h * stiffness + damping));
          row.draw_in = row.hold = stiffness * from.position / (h * stiffness + damping) - from.speed;
        }
        row.mass = 1 / (k_row + row.softness);
        row.gamma = spring ? row.softness : k_rigid * k_row;
        row.direct = articulation.factor >= 0 && (from.role == RowRole::hold);
        row.impulse = clamp(impulses_[j][from.slot], row.lo, row.hi);
        rows_.push_back(row);
        if (goes_on) count(row, -1);
      }
    }
  }
  first_row_.push_back(std::uint32_t(rows_.size()));
  for (Articulation& articulation : articulations_)
    if (articulation.factor >= 0) factorise(articulation, states, masses);
}

template <class D>
void Bonds<D>::factorise(Articulation& articulation, std::span<const BodyState<D>> states,
                         std::span<const BodyMass<D>> masses) {
  BlockCholesky<N>& factor = factors_[articulation.factor];
  using Block = typename BlockCholesky<N>::Block;
  factor.clear();
  for (std::uint32_t i = 0; i < articulation.node_count; ++i) {
    const std::uint32_t row = bodies_[articulation.first_node + i];
    add_mass(factor.diagonal(int(i)), masses[row], states[row]);
  }
  for (std::uint32_t k = 0; k < articulation.joint_count; ++k) {
    const std::uint32_t j = order_[articulation.first_joint + k];
    const std::uint32_t a = node_of_[problem_.rows_a[j]], b = node_of_[problem_.rows_b[j]];
    Block both{};
    for (std::uint32_t r = first_row_[articulation.first_joint + k];
         r < first_row_[articulation.first_joint + k + 1]; ++r) {
      const Row& row = rows_[r];
      if (!row.direct) continue;
      const double weight = 1 / row.gamma;
      for (int p = 0; p < N; ++p) {
        const double wa = weight * row.j_a[p], wb = weight * row.j_b[p];
        if (a != k_nobody)
          for (int q = p; q < N; ++q) factor.diagonal(int(a))[p][q] += wa * row.j_a[q];
        if (b != k_nobody)
          for (int q = p; q < N; ++q) factor.diagonal(int(b))[p][q] += wb * row.j_b[q];
        for (int q = 0; q < N; ++q) both[p][q] += wa * row.j_b[q];
      }
    }
    if (a != k_nobody && b != k_nobody) factor.add(slots_[j], both);
  }
  if (factor.factorise()) return;
  articulation.factor = -1;  // not finite: the rows are swept, and whatever is wrong will show
  for (std::uint32_t k = 0; k < articulation.joint_count; ++k)
    for (std::uint32_t r = first_row_[articulation.first_joint + k];
         r < first_row_[articulation.first_joint + k + 1]; ++r)
      rows_[r].direct = false;
}

// ---------------------------------------------------------------------------------------------------- sweeps

template <class D>
template <class Real>
typename Bonds<D>::Column Bonds<D>::velocity(const MovingBody<D, Real>& body) {
  Column v;
  for (int i = 0; i < D::k_linear; ++i) v[i] = body.velocity[i];
  if constexpr (D::k_angular == 1)
    v[2] = body.angular_velocity;
  else
    for (int i = 0; i < 3; ++i) v[3 + i] = body.angular_velocity[i];
  return v;
}
template <class D>
template <class Real>
void Bonds<D>::add(MovingBody<D, Real>& body, const Column& change, double factor) {
  for (int i = 0; i < D::k_linear; ++i) body.velocity[i] += Real(factor * change[i]);
  if constexpr (D::k_angular == 1)
    body.angular_velocity += Real(factor * change[2]);
  else
    for (int i = 0; i < 3; ++i) body.angular_velocity[i] += Real(factor * change[3 + i]);
}

template <class D>
template <class Real>
void Bonds<D>::warm_start(MovingBody<D, Real>* moving) const {
  for (const Row& row : rows_) {
    add(moving[problem_.rows_a[row.joint]], row.v_a, row.impulse);
    add(moving[problem_.rows_b[row.joint]], row.v_b, row.impulse);
  }
}

template <class D>
template <class Real>
void Bonds<D>::sweep(MovingBody<D, Real>* moving, bool draws_in) {
  for (Row& row : rows_) {
    if (row.direct) continue;
    MovingBody<D, Real>&a = moving[problem_.rows_a[row.joint]], &b = moving[problem_.rows_b[row.joint]];
    const double speed = dot<N>(row.j_a, velocity(a)) + dot<N>(row.j_b, velocity(b));
    const double wanted = speed + (draws_in ? row.draw_in : row.hold) + row.softness * row.impulse;
    const double impulse = clamp(row.impulse - row.mass * wanted, row.lo, row.hi);
    add(a, row.v_a, impulse - row.impulse);
    add(b, row.v_b, impulse - row.impulse);
    row.impulse = impulse;
  }
}

template <class D>
template <class Real>
void Bonds<D>::solve(MovingBody<D, Real>* moving, bool draws_in) {
  for (const Articulation& articulation : articulations_) {
    if (articulation.factor < 0) continue;
    x_.assign(std::size_t(articulation.node_count) * N, 0);
    const auto for_rows = [&](auto&& f) {
      for (std::uint32_t r = first_row_[articulation.first_joint];
           r < first_row_[articulation.first_joint + articulation.joint_count]; ++r)
        if (rows_[r].direct) f(rows_[r]);
    };
    const auto error = [&](const Row& row) {
      return dot<N>(row.j_a, velocity(moving[problem_.rows_a[row.joint]])) +
             dot<N>(row.j_b, velocity(moving[problem_.rows_b[row.joint]])) +
             (draws_in ? row.draw_in : row.hold) + row.softness * row.impulse;
    };
    for_rows([&](Row& row) {
      const double push = -error(row) / row.gamma;
      const std::uint32_t a = node_of_[problem_.rows_a[row.joint]], b = node_of_[problem_.rows_b[row.joint]];
      for (int i = 0; i < N; ++i) {
        if (a != k_nobody) x_[a * N + i] += push * row.j_a[i];
        if (b != k_nobody) x_[b * N + i] += push * row.j_b[i];
      }
    });
    factors_[articulation.factor].solve(x_);
    for_rows([&](Row& row) {
      double after = error(row);
      const std::uint32_t a = node_of_[problem_.rows_a[row.joint]], b = node_of_[problem_.rows_b[row.joint]];
      for (int i = 0; i < N; ++i) {
        if (a != k_nobody) after += x_[a * N + i] * row.j_a[i];
        if (b != k_nobody) after += x_[b * N + i] * row.j_b[i];
      }
      row.impulse -= after / row.gamma;
    });
    for (std::uint32_t i = 0; i < articulation.node_count; ++i) {
      Column change;
      for (int p = 0; p < N; ++p) change[p] = x_[i * N + p];
      add(moving[bodies_[articulation.first_node + i]], change, 1);
    }
  }
}

template <class D>
void Bonds<D>::count(const Row& row, double sign) {
  const double impulse = sign * row.impulse;
  typename D::Vec force;
  typename D::Ang torque;
  if constexpr (D::k_angular == 1) {
    force = {impulse * row.j_b[0], impulse * row.j_b[1]};
    torque = impulse * row.j_b[2];
  } else {
    force = {impulse * row.j_b[0], impulse * row.j_b[1], impulse * row.j_b[2]};
    torque = {impulse * row.j_b[3], impulse * row.j_b[4], impulse * row.j_b[5]};
  }
  totals_[row.joint] += {force, torque - cross(arms_b_[row.joint], force)};
}

template <class D>
void Bonds<D>::add_up() {
  for (const Row& row : rows_) {
    impulses_[row.joint][row.slot] = row.impulse;
    count(row, 1);
  }
}

template class Bonds<Dim2>;
template class Bonds<Dim3>;
#define CAIRN_BONDS_ON(D, Real)                                              \
  template void Bonds<D>::warm_start(MovingBody<D, Real>*) const;            \
  template void Bonds<D>::sweep(MovingBody<D, Real>*, bool);                 \
  template void Bonds<D>::solve(MovingBody<D, Real>*, bool);
CAIRN_BONDS_ON(Dim2, float)
CAIRN_BONDS_ON(Dim2, double)
CAIRN_BONDS_ON(Dim3, float)
CAIRN_BONDS_ON(Dim3, double)
#undef CAIRN_BONDS_ON

}  // namespace cairn
