#include "solvers/soft_step/limbs.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/kernel.h"

namespace cairn {

CAIRN_EACH_SET(extern const LimbKernels<Dim2, float> k_limbs_2f;
               extern const LimbKernels<Dim2, double> k_limbs_2d;
               extern const LimbKernels<Dim3, float> k_limbs_3f;
               extern const LimbKernels<Dim3, double> k_limbs_3d;)
template <>
const LimbKernels<Dim2, float>& limb_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_limbs_2f);
}
template <>
const LimbKernels<Dim2, double>& limb_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_limbs_2d);
}
template <>
const LimbKernels<Dim3, float>& limb_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_limbs_3f);
}
template <>
const LimbKernels<Dim3, double>& limb_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_limbs_3d);
}

namespace {

constexpr double k_locked = 1e30;  // [kg] or [kg·m²] along axes that are locked

template <class T>
void store(T (&to)[2][k_limbs], int lane, const Vec2& v) {
  to[0][lane] = T(v.x), to[1][lane] = T(v.y);
}
template <class T>
void store(T (&to)[3][k_limbs], int lane, const Vec3& v) {
  to[0][lane] = T(v.x), to[1][lane] = T(v.y), to[2][lane] = T(v.z);
}
void store(double (&to)[2][k_limbs], int lane, const Rot2& r) { to[0][lane] = r.c, to[1][lane] = r.s; }
void store(double (&to)[4][k_limbs], int lane, const Rot3& r) {
  to[0][lane] = r.w, to[1][lane] = r.x, to[2][lane] = r.y, to[3][lane] = r.z;
}
template <class T>
Vec2 vector(const T (&from)[2][k_limbs], int lane) {
  return {double(from[0][lane]), double(from[1][lane])};
}
template <class T>
Vec3 vector(const T (&from)[3][k_limbs], int lane) {
  return {double(from[0][lane]), double(from[1][lane]), double(from[2][lane])};
}
template <class T>
double vector(const T (&from)[1][k_limbs], int lane) {
  return double(from[0][lane]);
}

// The masses of a body with locked axes. Along free ones it has its own.
bool is_locked(const BodyMass<Dim2>& mass) {
  return mass.locked_rotation || !(mass.inverse_mass.x > 0) || !(mass.inverse_mass.y > 0);
}
bool is_locked(const BodyMass<Dim3>& mass) {
  return any(mass.locked_rotation) || !(mass.inverse_mass.x > 0) || !(mass.inverse_mass.y > 0) ||
         !(mass.inverse_mass.z > 0);
}
template <class T>
void lock(LimbBody<Dim2, T>& body, const BodyMass<Dim2>& mass, const BodyState<Dim2>& state) {
  body.inverse_inertia[0] = T(inverse_inertia(mass, state.rotation));
  if (!(mass.inverse_mass.x > 0)) body.mass[0] = T(k_locked);
  if (!(mass.inverse_mass.y > 0)) body.mass[3] = T(k_locked);
  if (mass.locked_rotation) body.mass[5] = T(k_locked);
}
template <class T>
void lock(LimbBody<Dim3, T>& body, const BodyMass<Dim3>& mass, const BodyState<Dim3>& state) {
  const Sym3 yield = inverse_inertia(mass, state.rotation);
  const double six[6] = {yield.xx, yield.yy, yield.zz, yield.xy, yield.xz, yield.yz};
  for (int i = 0; i < 6; ++i) body.inverse_inertia[i] = T(six[i]);
  T* const a = body.mass;  // rows of 6, 5, 4, 3, 2, 1
  if (!(mass.inverse_mass.x > 0)) a[0] = T(k_locked);
  if (!(mass.inverse_mass.y > 0)) a[6] = T(k_locked);
  if (!(mass.inverse_mass.z > 0)) a[11] = T(k_locked);
  const Axes3& locked = mass.locked_rotation;
  if (locked.x) a[15] = T(k_locked), a[16] = a[17] = 0;
  if (locked.y) a[18] = T(k_locked), a[16] = a[19] = 0;
  if (locked.z) a[20] = T(k_locked), a[17] = a[19] = 0;
}
template <class T>
void read_inertia(const T (&from)[1], double& to) {
  to = double(from[0]);
}
template <class T>
void read_inertia(const T (&from)[6], Sym3& to) {
  to = {double(from[0]), double(from[1]), double(from[2]), double(from[3]), double(from[4]), double(from[5])};
}

// M⁻¹ times the force on a body.
template <class T>
void set_start(LimbBody<Dim2, T>& body) {
  for (int i = 0; i < 2; ++i) body.start[i] = body.inverse_mass[i] * body.force[i];
  body.start[2] = body.inverse_inertia[0] * body.force[2];
}
template <class T>
void set_start(LimbBody<Dim3, T>& body) {
  for (int i = 0; i < 3; ++i) body.start[i] = body.inverse_mass[i] * body.force[i];
  const T* const i = body.inverse_inertia;
  const Vec3T<T> turn =
      Sym3T<T>{i[0], i[1], i[2], i[3], i[4], i[5]} * Vec3T<T>{body.force[3], body.force[4], body.force[5]};
  body.start[3] = turn.x, body.start[4] = turn.y, body.start[5] = turn.z;
}

int rows_that_hold(Dim2, JointKind kind) {
  return kind == JointKind::fixed ? 3 : kind == JointKind::hinge || kind == JointKind::slider ? 2 : 1;
}
int rows_that_hold(Dim3, JointKind kind) {
  switch (kind) {
    case JointKind::fixed:
      return 6;
    case JointKind::hinge:
    case JointKind::slider:
      return 5;
    case JointKind::cylindrical:
    case JointKind::universal:
      return 4;
    case JointKind::ball:
    case JointKind::planar:
      return 3;
    case JointKind::point_on_line:
      return 2;
    default:
      return 1;
  }
}

// All that is in lanes of T from here to there, of one of them.
template <class T, class Group>
void take_lanes(const Group& from, std::size_t first, std::size_t last, int lane, Group& to) {
  const T* const source = reinterpret_cast<const T*>(&from);
  T* const target = reinterpret_cast<T*>(&to);
  for (std::size_t i = first / sizeof(T) + std::size_t(lane); i < last / sizeof(T); i += k_limbs)
    target[i] = source[i];
}
// All that is in lanes, of one of them. Of the errors of position, as much is left as the group says.
template <class D, class T>
void take_lane(const LimbGroup<D, T>& from, int lane, LimbGroup<D, T>& to) {
  using Group = LimbGroup<D, T>;
  take_lanes<T>(from, 0, offsetof(Group, anchor_a), lane, to);
  take_lanes<double>(from, offsetof(Group, anchor_a), offsetof(Group, row_a), lane, to);
  for (int r = 0; r < to.row_count; ++r) to.rows[r].bias[lane] /= T(to.left);
}

}  // namespace

template <class D, class T>
bool Limbs<D, T>::takes(const JointRecord<D>& joint) {
  if (joint.kind == JointKind::distance) return joint.rod;
  return joint.kind != JointKind::gear && joint.kind != JointKind::rack && joint.kind != JointKind::hydraulic;
}

template <class D, class T>
bool Limbs<D, T>::is_for_floats(const BodyMass<D>& mass) {
  return !is_locked(mass);
}

// ------------------------------------------------------------------------------------------------ once a step

template <class D, class T>
void Limbs<D, T>::begin_step(std::uint32_t bodies, std::uint32_t joints) {
  limbs_.clear();
  trees_.clear();
  any_still_ = any_moving_ = knows_starts_ = false;
  groups_.clear();
  bodies_.clear();
  rows_.clear();
  body_of_.assign(bodies, k_nobody);
  places_.resize(joints);
  only_limits_.assign(joints, 0);
}

template <class D, class T>
std::uint32_t Limbs<D, T>::add_tree(std::span<const Limb> limbs, bool taut, bool still) {
  trees_.push_back({std::uint32_t(limbs_.size()) + 1, std::uint32_t(limbs.size()), taut, still});
  limbs_.insert(limbs_.end(), limbs.begin(), limbs.end());
  return std::uint32_t(trees_.size() - 1);
}

// The place of a body among bodies_, which it gets if it has none.
template <class D, class T>
std::uint32_t Limbs<D, T>::body_of(std::uint32_t row) {
  if (body_of_[row] == k_nobody) {
    body_of_[row] = std::uint32_t(bodies_.size());
    bodies_.push_back({});
    rows_.push_back(row);
  }
  return body_of_[row];
}

template <class D, class T>
void Limbs<D, T>::pack(const BondProblem<D>& problem, double h, double step) {
  if (limbs_.empty()) return;
  problem_ = problem;
  h_ = h;
  step_ = step;
  bodies_.push_back({});
  rows_.push_back(k_nobody);
  for (const Limb& limb : limbs_) body_of(limb.row);
  group();
}

template <class D, class T>
void Limbs<D, T>::group() {
  groups_.clear();
  any_still_ = any_moving_ = false;
  for (const Tree& tree : trees_) (tree.still ? any_still_ : any_moving_) = true;
  const auto kind_of = [&](const Limb& limb) {
    return limb.joint == k_nobody ? -1 : int(problem_.joints[limb.joint].kind);
  };
  order_.resize(limbs_.size());
  tree_of_.resize(limbs_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
  for (std::uint32_t t = 0; t < trees_.size(); ++t)
    std::fill_n(tree_of_.begin() + trees_[t].first - 1, trees_[t].count, t);
  const auto is_still = [&](std::uint32_t i) { return trees_[tree_of_[i]].still; };
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t k) {
    const Limb &x = limbs_[i], &y = limbs_[k];
    if (x.height != y.height) return x.height < y.height;
    if (is_still(i) != is_still(k)) return is_still(k);
    return kind_of(x) != kind_of(y) ? kind_of(x) < kind_of(y) : i < k;
  });
  for (std::size_t first = 0, last; first < order_.size(); first = last) {
    const Limb& head = limbs_[order_[first]];
    for (last = first;
         last < order_.size() && last < first + k_limbs && limbs_[order_[last]].height == head.height &&
         is_still(order_[last]) == is_still(order_[first]) && kind_of(limbs_[order_[last]]) == kind_of(head);)
      ++last;
    groups_.emplace_back();
    Group& group = groups_.back();
    group.count = int(last - first);
    group.still = is_still(order_[first]);
    if (head.joint != k_nobody) {
      group.kind = problem_.joints[head.joint].kind;
      group.row_count = rows_that_hold(D{}, group.kind);
      group.row_count += !Group::has_rows(group.row_count);
    }
    for (int lane = 0; lane < k_limbs; ++lane) {
      const std::uint32_t limb = order_[lane < group.count ? first + lane : first];
      put_in_lane(group, lane, limbs_[limb]);
      group.tree[lane] = tree_of_[limb];
      if (lane >= group.count) group.own[lane] = group.parent[lane] = 0;
      if (lane < group.count && head.joint != k_nobody)
        places_[group.joint[lane]] = {std::uint32_t(groups_.size() - 1), std::uint32_t(lane)};
    }
  }
}

template <class D, class T>
void Limbs<D, T>::put_in_lane(Group& group, int lane, const Limb& limb) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  group.own[lane] = body_of(limb.row);
  group.parent[lane] = 0;
  group.joint[lane] = limb.joint;
  if (limb.joint == k_nobody) return;
  const JointRecord<D>& joint = problem_.joints[limb.joint];
  group.row_a[lane] = problem_.rows_a[limb.joint];
  group.row_b[lane] = problem_.rows_b[limb.joint];
  const bool own_is_b = group.row_b[lane] == limb.row;
  group.own_is_b[lane] = own_is_b;
  group.parent[lane] = body_of(own_is_b ? group.row_a[lane] : group.row_b[lane]);
  store(group.anchor_a, lane, joint.anchor_a);
  store(group.anchor_b, lane, joint.anchor_b);
  store(group.frame_a, lane, joint.frame_a);
  store(group.frame_b, lane, joint.frame_b);
  group.exact_length[lane] = joint.parameters.length;
  group.length[lane] = T(joint.parameters.length);
  store(group.total_force, lane, typename D::Vec{});
  for (auto& torque : group.total_torque) torque[lane] = 0;
  group.frequency[lane] = T(joint.softness.frequency);
  group.damping_ratio[lane] = T(joint.softness.damping_ratio);
  for (int r = 0; r < group.row_count; ++r)
    group.rows[r].impulse[lane] = T(h_ * problem_.memory[limb.joint].effort[r]);
  bool more = false, limited = joint.cone < k_unlimited;
  const auto set_limits = [&](int i, double min, double max) {
    group.min[i][lane] = min, group.max[i][lane] = max;
  };
  set_limits(k_most_axes, -infinite, limited ? joint.cone : infinite);
  for (int i = 0; i < k_most_axes; ++i) {
    const AxisDef& axis = joint.axes[i];
    const bool there = i < joint.axis_count, limits = there && axis.limits;
    more = more || (there && (axis.spring || axis.friction > 0 || (limits && !joint.angular[i]) ||
                              !std::holds_alternative<NoDrive>(axis.drive)));
    limited = limited || limits;
    group.turn_base[i][lane] = joint.parameters.turns[i].base;
    group.turn_last[i][lane] = joint.parameters.turns[i].last;
    set_limits(i, limits ? axis.limits->min : -infinite, limits ? axis.limits->max : infinite);
  }
  group.limited = group.limited || (limited && !more);
  only_limits_[limb.joint] = !more;
}

template <class D, class T>
void Limbs<D, T>::hand_back(double step, double substep) {
  for (const Group& group : groups_)
    for (int lane = 0; lane < group.count; ++lane) {
      if (group.joint[lane] == k_nobody) continue;
      JointMemory<D>& memory = problem_.found[group.joint[lane]];
      for (int r = 0; r < group.row_count; ++r)
        memory.effort[r] = double(group.rows[r].impulse[lane]) / substep;
      memory.reaction.force += (1 / step) * vector(group.total_force, lane);
      memory.reaction.torque += (1 / step) * vector(group.total_torque, lane);
    }
}

// ---------------------------------------------------------------------------------------------- once a substep

template <class D, class T>
void Limbs<D, T>::prepare(std::span<const BodyState<D>> states, std::span<const BodyMass<D>> masses, double h,
                          double rate, bool goes_on, std::span<typename D::Inertia> inverse_inertias) {
  if (groups_.empty()) return;
  prepare_groups(states, masses, h, rate, goes_on, inverse_inertias);
  if (!goes_on && rouse_torn()) prepare_groups(states, masses, h, rate, goes_on, inverse_inertias);
  if (goes_on) add_up(-1, false);
}

// Trees that are open so far that they are not drawn in by impulses are not still. Says if there was any.
template <class D, class T>
bool Limbs<D, T>::rouse_torn() {
  bool any = false;
  for (Tree& tree : trees_)
    if (tree.still && tree.widest > problem_.push_speed) tree.still = false, any = true;
  if (any) group();
  return any;
}

template <class D, class T>
void Limbs<D, T>::prepare_groups(std::span<const BodyState<D>> states, std::span<const BodyMass<D>> masses,
                                 double h, double rate, bool goes_on,
                                 std::span<typename D::Inertia> inverse_inertias) {
  bodies_[0] = {};
  for (int i = 0, next = 0; i < N; next += N - i, ++i) bodies_[0].mass[next] = 1;
  for (Tree& tree : trees_) {
    tree.widest = 0;
    if (goes_on && tree.still) {
      for (std::uint32_t i = tree.first; i < tree.first + tree.count && !tree.roused; ++i) {
        const auto& spin = states[rows_[i]].angular_velocity;
        tree.roused = step_ * step_ * dot(spin, spin) > k_roused * k_roused;
      }
      if (!tree.roused) continue;
    }
    kernels_.set_masses(bodies_.data() + tree.first, tree.count, rows_.data() + tree.first, states.data(),
                        masses.data());
    for (std::uint32_t i = tree.first; i < tree.first + tree.count; ++i) {
      if (is_locked(masses[rows_[i]])) lock(bodies_[i], masses[rows_[i]], states[rows_[i]]);
      read_inertia(bodies_[i].inverse_inertia, inverse_inertias[rows_[i]]);
    }
  }
  for (Group& group : groups_) {
    if (goes_on && group.still) {
      group.left *= 1 - h * rate;
      prepare_again(group, states, h, rate);
    } else {
      kernels_.prepare(&group, 1, states.data(), bodies_.data(), {h, rate});
      kernels_.factorise(&group, 1, bodies_.data());
      for (int lane = 0; lane < group.count; ++lane)
        for (int r = 0; r < group.row_count; ++r) {
          double& widest = trees_[group.tree[lane]].widest;
          widest = larger(widest, double(absolute(group.rows[r].bias[lane])));
        }
    }
  }
}

// The lanes of trees that were roused; the others have nothing to do with them.
template <class D, class T>
void Limbs<D, T>::prepare_again(Group& group, std::span<const BodyState<D>> states, double h, double rate) {
  std::uint32_t roused = 0;
  for (int lane = 0; lane < group.count; ++lane)
    roused |= std::uint32_t(trees_[group.tree[lane]].roused) << lane;
  group.roused = roused;
  if (!roused) return;
  Group fresh = group;
  kernels_.add_up(&fresh, 1, 1);  // with the old rows, which add_up left out
  kernels_.prepare(&fresh, 1, states.data(), bodies_.data(), {h, rate});
  kernels_.factorise(&fresh, 1, bodies_.data());
  kernels_.add_up(&fresh, 1, -1);
  for (int lane = 0; lane < group.count; ++lane)
    if (roused >> lane & 1) take_lane(fresh, lane, group);
  for (int i = 0; i < Group::k_coordinates; ++i) {
    group.near_min[i] = (group.near_min[i] & ~roused) | (fresh.near_min[i] & roused);
    group.near_max[i] = (group.near_max[i] & ~roused) | (fresh.near_max[i] & roused);
  }
  group.near = (group.near & ~roused) | (fresh.near & roused);
}

template <class D, class T>
template <class Real>
void Limbs<D, T>::load(const MovingBody<D, Real>* moving, std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i)
    for (int k = 0; k < N; ++k) {
      bodies_[i].velocity[k] = T(moving[rows_[i]].velocity[k]);
      bodies_[i].force[k] = 0;
    }
}

// Rows of still trees stay: what their impulses do is known from what has been done with them.
template <class D, class T>
template <class Real>
void Limbs<D, T>::warm_start(MovingBody<D, Real>* moving) {
  if (groups_.empty()) return;
  load(moving, 1, bodies_.size() - 1);
  for (const Group& group : groups_)
    if (!knows_starts_ || !group.still || group.roused) kernels_.push(&group, 1, bodies_.data());
  for (std::uint32_t t = 0; t < trees_.size(); ++t) {
    const bool knows = knows_starts_ && is_still(t);
    for (std::uint32_t i = trees_[t].first; i < trees_[t].first + trees_[t].count; ++i) {
      Body& body = bodies_[i];
      if (!knows) set_start(body);
      for (int k = 0; k < N; ++k) moving[rows_[i]].velocity[k] = Real(body.velocity[k] + body.start[k]);
    }
  }
  knows_starts_ = true;
}

template <class D, class T>
template <class Real>
void Limbs<D, T>::solve(MovingBody<D, Real>* moving, const LimbPass& pass) {
  for (const Tree& tree : trees_)
    if (tree.still == pass.still) load(moving, tree.first, tree.count);
  load(moving, limbs_.size() + 1, bodies_.size() - limbs_.size() - 1);  // what does not move
  kernels_.solve(groups_.data(), groups_.size(), bodies_.data(), pass);
}

template <class D, class T>
template <class Real>
void Limbs<D, T>::hand_over(const Tree& tree, MovingBody<D, Real>* moving) {
  for (std::uint32_t i = tree.first; i < tree.first + tree.count; ++i) {
    Body& body = bodies_[i];
    for (int k = 0; k < N; ++k) {
      moving[rows_[i]].velocity[k] = Real(body.velocity[k] + body.change[k]);
      body.start[k] += body.change[k];
    }
  }
}

template <class D, class T>
template <class Real>
void Limbs<D, T>::solve(MovingBody<D, Real>* moving, bool last) {
  for (const bool still : {false, true}) {
    if (still ? !last || !any_still_ : !any_moving_) continue;
    solve(moving, LimbPass{.still = still});
    for (const Tree& tree : trees_)
      if (tree.still == still) hand_over(tree, moving);
  }
}

template <class D, class T>
template <class Real>
void Limbs<D, T>::solve_and_draw_in(MovingBody<D, Real>* moving, double most, std::span<Column> corrections) {
  if (any_still_) {
    solve(moving, LimbPass{.still = true, .draws_in = true, .h = h_, .most = most});
    for (const Tree& tree : trees_)
      if (tree.still) hand_over(tree, moving);
  }
  if (!any_moving_) return;
  solve(moving, LimbPass{});
  for (const Tree& tree : trees_) {
    if (tree.still) continue;
    bool lost = tree.taut || tree.widest > most;
    for (Body& body : bodies_of(tree)) {
      T square = 0;
      for (int k = 0; k < N; ++k) {
        body.velocity[k] += body.change[k];
        body.force[k] = 0;
        if (k >= D::k_linear) square += body.velocity[k] * body.velocity[k];
      }
      if (h_ * h_ * double(square) > k_far * k_far) lost = true;
    }
    for (Body& body : bodies_of(tree)) body.lost = lost;
  }
  const LimbPass pass{.holds = false, .draws_in = true, .h = h_, .most = most};
  kernels_.solve(groups_.data(), groups_.size(), bodies_.data(), pass);
  for (const Tree& tree : trees_) {
    if (tree.still) continue;
    const bool lost = bodies_[tree.first].lost > 0;
    T fastest = 0;
    for (const Body& body : bodies_of(tree))
      for (int k = 0; k < D::k_linear; ++k) fastest = larger(fastest, absolute(body.change[k]));
    const double part = double(fastest) > most ? most / double(fastest) : 1;
    for (std::uint32_t i = tree.first; i < tree.first + tree.count; ++i)
      for (int k = 0; k < N; ++k) {
        corrections[rows_[i]][k] = lost ? part * double(bodies_[i].change[k]) : 0;
        if (lost) bodies_[i].change[k] = 0;
      }
    hand_over(tree, moving);
  }
}

// What still trees push counts once a substep, as their rows do not change in it.
template <class D, class T>
void Limbs<D, T>::add_up(double sign, bool still_too) {
  for (Group& group : groups_)
    if (still_too || !group.still) kernels_.add_up(&group, 1, sign);
}

template class Limbs<Dim2, float>;
template class Limbs<Dim2, double>;
template class Limbs<Dim3, float>;
template class Limbs<Dim3, double>;
#define CAIRN_LIMBS_ON(D, T, Real)                              \
  template void Limbs<D, T>::warm_start(MovingBody<D, Real>*);  \
  template void Limbs<D, T>::solve(MovingBody<D, Real>*, bool); \
  template void Limbs<D, T>::solve_and_draw_in(MovingBody<D, Real>*, double, std::span<Column>);
CAIRN_LIMBS_ON(Dim2, float, float)
CAIRN_LIMBS_ON(Dim2, float, double)
CAIRN_LIMBS_ON(Dim2, double, float)
CAIRN_LIMBS_ON(Dim2, double, double)
CAIRN_LIMBS_ON(Dim3, float, float)
CAIRN_LIMBS_ON(Dim3, float, double)
CAIRN_LIMBS_ON(Dim3, double, float)
CAIRN_LIMBS_ON(Dim3, double, double)
#undef CAIRN_LIMBS_ON

}  // namespace cairn
