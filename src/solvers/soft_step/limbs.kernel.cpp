// Trees of bodies solved from the leaves to the roots and back: the formulas of limbs.h in lanes.
#include "constraints/joint_parts_2d.h"
#include "constraints/joint_parts_3d.h"
#include "math/wide.h"
#include "solvers/soft_step/limb_lanes.h"

namespace cairn::CAIRN_SET {
namespace {

template <class T>
using WideOf = Wide<T, k_limbs>;
using Exact = WideOf<double>;
using Bodies = Indices<k_limbs>;
template <class T>
using LanesOf = T[k_limbs];

constexpr double k_near = 0.05;     // [rad] a limit that is further away than this,
constexpr double k_near_steps = 4;  // and than its speed goes in so many substeps, is left alone

template <class T>
CAIRN_INLINE WideOf<T> load(const T (&p)[k_limbs]) {
  return WideOf<T>::load_aligned(p);
}
template <class T>
CAIRN_INLINE void store(T (&p)[k_limbs], const WideOf<T>& x) {
  x.store_aligned(p);
}
template <class T>
CAIRN_INLINE Vec2T<WideOf<T>> load_vector(const LanesOf<T> (&p)[2]) {
  return {load(p[0]), load(p[1])};
}
template <class T>
CAIRN_INLINE Vec3T<WideOf<T>> load_vector(const LanesOf<T> (&p)[3]) {
  return {load(p[0]), load(p[1]), load(p[2])};
}
CAIRN_INLINE Rot2T<Exact> load_rotation(const LanesOf<double> (&p)[2]) { return {load(p[0]), load(p[1])}; }
CAIRN_INLINE Rot3T<Exact> load_rotation(const LanesOf<double> (&p)[4]) {
  return {load(p[0]), load(p[1]), load(p[2]), load(p[3])};
}
template <class T>
CAIRN_INLINE void store_vector(LanesOf<T> (&p)[2], const Vec2T<WideOf<T>>& v) {
  store(p[0], v.x), store(p[1], v.y);
}
template <class T>
CAIRN_INLINE void store_vector(LanesOf<T> (&p)[3], const Vec3T<WideOf<T>>& v) {
  store(p[0], v.x), store(p[1], v.y), store(p[2], v.z);
}
CAIRN_INLINE void store_turn(LanesOf<double> (&p)[1], const Exact& v) { store(p[0], v); }
CAIRN_INLINE void store_turn(LanesOf<double> (&p)[3], const Vec3T<Exact>& v) { store_vector<double>(p, v); }

template <class Condition, class W>
CAIRN_INLINE Vec2T<W> select(const Condition& condition, const Vec2T<W>& a, const Vec2T<W>& b) {
  return {select(condition, a.x, b.x), select(condition, a.y, b.y)};
}

// What was found in doubles, in lanes of T.
template <class T>
struct Rounded {
  CAIRN_INLINE static Exact of(const Exact& x) { return x; }
};
template <>
struct Rounded<float> {
  CAIRN_INLINE static WideOf<float> of(const Exact& x) { return to_float(x); }
};
template <class T>
CAIRN_INLINE WideOf<T> rounded(const Exact& x) {
  return Rounded<T>::of(x);
}
template <class T>
CAIRN_INLINE Vec2T<WideOf<T>> rounded(const Vec2T<Exact>& v) {
  return {rounded<T>(v.x), rounded<T>(v.y)};
}
template <class T>
CAIRN_INLINE Vec3T<WideOf<T>> rounded(const Vec3T<Exact>& v) {
  return {rounded<T>(v.x), rounded<T>(v.y), rounded<T>(v.z)};
}
template <class T, int K>
CAIRN_INLINE Records<T, k_limbs, K> rounded(const Records<double, k_limbs, K>& x) {
  Records<T, k_limbs, K> out;
  unroll<K>([&](int i) CAIRN_INLINE_LAMBDA { out.field[i] = rounded<T>(x.field[i]); });
  return out;
}

// ------------------------------------------------------------------------------- small systems, packed

// Where (i, j), i ≤ j, is in a triangle of order K.
template <int K>
CAIRN_INLINE constexpr int at(int i, int j) {
  return i * K - i * (i - 1) / 2 + (j - i);
}
// Uᵀ D U = a, in its place: 1/D on the diagonal, U beside it.
template <int K, class W>
CAIRN_INLINE void factorise_triangle(W* a) {
  unroll<K>([&]<int k>(Constant<k>) CAIRN_INLINE_LAMBDA {
    const W reciprocal = W(1) / a[at<K>(k, k)];
    a[at<K>(k, k)] = reciprocal;
    unroll<K>([&]<int r>(Constant<r>) CAIRN_INLINE_LAMBDA {
      if constexpr (r > k) {
        const W factor = a[at<K>(k, r)] * reciprocal;
        unroll<K>([&]<int c>(Constant<c>) CAIRN_INLINE_LAMBDA {
          if constexpr (c >= r) a[at<K>(r, c)] -= factor * a[at<K>(k, c)];
        });
        a[at<K>(k, r)] = factor;
      }
    });
  });
}
// x ← U⁻ᵀ x
template <int K, class T>
CAIRN_INLINE void solve_lower(const LanesOf<T>* u, WideOf<T>* x) {
  unroll<K>([&]<int k>(Constant<k>) CAIRN_INLINE_LAMBDA {
    unroll<K>([&]<int c>(Constant<c>) CAIRN_INLINE_LAMBDA {
      if constexpr (c > k) x[c] -= load(u[at<K>(k, c)]) * x[k];
    });
  });
}
template <int K, class T>
CAIRN_INLINE void solve_upper(const LanesOf<T>* u, WideOf<T>* x) {
  unroll<K>([&]<int k>(Constant<k>) CAIRN_INLINE_LAMBDA { x[k] *= load(u[at<K>(k, k)]); });
  unroll<K>([&]<int back>(Constant<back>) CAIRN_INLINE_LAMBDA {
    constexpr int c = K - 1 - back;
    unroll<K>([&]<int r>(Constant<r>) CAIRN_INLINE_LAMBDA {
      if constexpr (r < c) x[r] -= load(u[at<K>(r, c)]) * x[c];
    });
  });
}
template <int K, class T>
CAIRN_INLINE void solve_triangle(const LanesOf<T>* u, WideOf<T>* x) {
  solve_lower<K, T>(u, x);
  solve_upper<K, T>(u, x);
}
template <int K, class T>
CAIRN_INLINE WideOf<T> dot_of(const LanesOf<T>* a, const WideOf<T>* b) {
  WideOf<T> sum = load(a[0]) * b[0];
  unroll<K>([&]<int i>(Constant<i>) CAIRN_INLINE_LAMBDA {
    if constexpr (i > 0) sum += load(a[i]) * b[i];
  });
  return sum;
}

// ------------------------------------------------------------------------------------------------ joints

template <class W>
CAIRN_INLINE void set_column(W (&out)[3], const Vec2T<W>& linear, const W& angular) {
  out[0] = linear.x, out[1] = linear.y, out[2] = angular;
}
template <class W>
CAIRN_INLINE void set_column(W (&out)[6], const Vec3T<W>& linear, const Vec3T<W>& angular) {
  out[0] = linear.x, out[1] = linear.y, out[2] = linear.z;
  out[3] = angular.x, out[4] = angular.y, out[5] = angular.z;
}
// The parts of one kind of joint, all of them or only what holds. Out of line: inlined where they are used, they took
// minutes to compile.
template <class D, class F>
CAIRN_INLINE void take_parts(const F& parts_of, const JointPose<D, Exact>& pose,
                             const JointParameters<D, Exact>& p, bool all, JointParts<D, Exact>& out) {
  const JointParts<D, Exact> parts = parts_of(pose, p);
  out.hold_count = parts.hold_count;
  out.axis_count = parts.axis_count;
  for (int i = 0; i < parts.hold_count; ++i) out.hold[i] = parts.hold[i];
  if (!all) return;
  for (int i = 0; i < parts.axis_count; ++i) out.axis[i] = parts.axis[i];
  out.cone = parts.cone;
}
#define CAIRN_PARTS_IN_LANES(D, kind)                                                                       \
  [[gnu::noinline]] void kind##_in_lanes(const JointPose<D, Exact>& pose,                                   \
                                         const JointParameters<D, Exact>& p, bool all,                      \
                                         JointParts<D, Exact>& out) {                                       \
    take_parts([](const auto&... x) CAIRN_INLINE_LAMBDA { return kind##_parts(x...); }, pose, p, all, out); \
  }
CAIRN_PARTS_IN_LANES(Dim2, distance)
CAIRN_PARTS_IN_LANES(Dim2, hinge)
CAIRN_PARTS_IN_LANES(Dim2, slider)
CAIRN_PARTS_IN_LANES(Dim2, fixed)
CAIRN_PARTS_IN_LANES(Dim2, point_on_line)
CAIRN_PARTS_IN_LANES(Dim3, distance)
CAIRN_PARTS_IN_LANES(Dim3, ball)
CAIRN_PARTS_IN_LANES(Dim3, hinge)
CAIRN_PARTS_IN_LANES(Dim3, slider)
CAIRN_PARTS_IN_LANES(Dim3, cylindrical)
CAIRN_PARTS_IN_LANES(Dim3, universal)
CAIRN_PARTS_IN_LANES(Dim3, fixed)
CAIRN_PARTS_IN_LANES(Dim3, planar)
CAIRN_PARTS_IN_LANES(Dim3, point_on_line)
#undef CAIRN_PARTS_IN_LANES

// Of the kinds that Limbs::takes.
CAIRN_INLINE void parts_in_lanes(JointKind kind, const JointPose<Dim2, Exact>& pose,
                                 const JointParameters<Dim2, Exact>& p, bool all,
                                 JointParts<Dim2, Exact>& out) {
  switch (kind) {
    case JointKind::hinge:
      return hinge_in_lanes(pose, p, all, out);
    case JointKind::slider:
      return slider_in_lanes(pose, p, all, out);
    case JointKind::fixed:
      return fixed_in_lanes(pose, p, all, out);
    case JointKind::point_on_line:
      return point_on_line_in_lanes(pose, p, all, out);
    default:
      return distance_in_lanes(pose, p, all, out);
  }
}
CAIRN_INLINE void parts_in_lanes(JointKind kind, const JointPose<Dim3, Exact>& pose,
                                 const JointParameters<Dim3, Exact>& p, bool all,
                                 JointParts<Dim3, Exact>& out) {
  switch (kind) {
    case JointKind::ball:
      return ball_in_lanes(pose, p, all, out);
    case JointKind::hinge:
      return hinge_in_lanes(pose, p, all, out);
    case JointKind::slider:
      return slider_in_lanes(pose, p, all, out);
    case JointKind::cylindrical:
      return cylindrical_in_lanes(pose, p, all, out);
    case JointKind::universal:
      return universal_in_lanes(pose, p, all, out);
    case JointKind::fixed:
      return fixed_in_lanes(pose, p, all, out);
    case JointKind::planar:
      return planar_in_lanes(pose, p, all, out);
    case JointKind::point_on_line:
      return point_on_line_in_lanes(pose, p, all, out);
    default:
      return distance_in_lanes(pose, p, all, out);
  }
}

CAIRN_INLINE void read_state(const Records<double, k_limbs, 7>& s, Vec2T<Exact>& position,
                             Rot2T<Exact>& rotation, Exact& angular_velocity) {
  position = {s[0], s[1]}, rotation = {s[2], s[3]}, angular_velocity = s[6];
}
CAIRN_INLINE void read_state(const Records<double, k_limbs, 13>& s, Vec3T<Exact>& position,
                             Rot3T<Exact>& rotation, Vec3T<Exact>& angular_velocity) {
  position = {s[0], s[1], s[2]}, rotation = {s[3], s[4], s[5], s[6]};
  angular_velocity = {s[10], s[11], s[12]};
}
// M⁻¹ j for a column j: j·M⁻¹ j.
template <class T, class W = WideOf<T>>
CAIRN_INLINE W yield_of(const Records<T, k_limbs, 3>& m, const W (&j)[3]) {
  return m[0] * j[0] * j[0] + m[1] * j[1] * j[1] + m[2] * j[2] * j[2];
}
template <class T, class W = WideOf<T>>
CAIRN_INLINE W yield_of(const Records<T, k_limbs, 9>& m, const W (&j)[6]) {
  const Sym3T<W> inverse_inertia{m[3], m[4], m[5], m[6], m[7], m[8]};
  const Vec3T<W> turn{j[3], j[4], j[5]};
  return m[0] * j[0] * j[0] + m[1] * j[1] * j[1] + m[2] * j[2] * j[2] + dot(turn, inverse_inertia * turn);
}

template <class W>
CAIRN_INLINE void components_of(const Vec2T<W>& v, W* out) {
  out[0] = v.x, out[1] = v.y;
}
template <class W>
CAIRN_INLINE void components_of(const Vec3T<W>& v, W* out) {
  out[0] = v.x, out[1] = v.y, out[2] = v.z;
}
// The first fields of a column, and the others.
template <class D>
struct Parts;
template <>
struct Parts<Dim2> {
  template <class W, class C>
  CAIRN_INLINE static Vec2T<W> linear(const C& c) {
    return {c[0], c[1]};
  }
  template <class W, class C>
  CAIRN_INLINE static W angular(const C& c) {
    return c[2];
  }
};
template <>
struct Parts<Dim3> {
  template <class W, class C>
  CAIRN_INLINE static Vec3T<W> linear(const C& c) {
    return {c[0], c[1], c[2]};
  }
  template <class W, class C>
  CAIRN_INLINE static Vec3T<W> angular(const C& c) {
    return {c[3], c[4], c[5]};
  }
};

// M⁻¹ and M in world axes.
template <class T>
CAIRN_INLINE void set_masses_of(LimbBody<Dim2, T>* bodies, const Bodies& own, const Bodies& rows,
                                const BodyState<Dim2>*, const BodyMass<Dim2>* masses) {
  constexpr int k_mass = sizeof(BodyMass<Dim2>) / sizeof(double);
  constexpr int k_stride = sizeof(LimbBody<Dim2, T>) / sizeof(T);
  const auto m = gather_records<5, k_mass>(&masses->inverse_mass.x, rows);  // 1/m twice, m, I, 1/I
  const Exact zero(0);
  scatter_records<3, k_stride>(bodies->inverse_mass, own,
                               rounded<T>(Records<double, k_limbs, 3>{m[0], m[1], m[4]}));
  scatter_records<6, k_stride>(bodies->mass, own,
                               rounded<T>(Records<double, k_limbs, 6>{m[2], zero, zero, m[2], zero, m[3]}));
}
template <class T>
CAIRN_INLINE void set_masses_of(LimbBody<Dim3, T>* bodies, const Bodies& own, const Bodies& rows,
                                const BodyState<Dim3>* states, const BodyMass<Dim3>* masses) {
  constexpr int k_state = sizeof(BodyState<Dim3>) / sizeof(double);
  constexpr int k_mass = sizeof(BodyMass<Dim3>) / sizeof(double);
  constexpr int k_stride = sizeof(LimbBody<Dim3, T>) / sizeof(T);
  const auto q = gather_records<4, k_state>(&states->rotation.w, rows);
  const auto m = gather_records<16, k_mass>(&masses->inverse_mass.x, rows);  // 1/m three times, m, I, I⁻¹
  const Rot3T<Exact> rotation{q[0], q[1], q[2], q[3]};
  const Sym3T<Exact> i = rotated(rotation, Sym3T<Exact>{m[4], m[5], m[6], m[7], m[8], m[9]});
  const Sym3T<Exact> r = rotated(rotation, Sym3T<Exact>{m[10], m[11], m[12], m[13], m[14], m[15]});
  const Exact zero(0);
  scatter_records<9, k_stride>(
      bodies->inverse_mass, own,
      rounded<T>(Records<double, k_limbs, 9>{m[0], m[1], m[2], r.xx, r.yy, r.zz, r.xy, r.xz, r.yz}));
  scatter_records<21, k_stride>(
      bodies->mass, own, rounded<T>(Records<double, k_limbs, 21>{m[3], zero, zero, zero, zero, zero, m[3],
                                                                 zero, zero, zero, zero, m[3], zero, zero,
                                                                 zero, i.xx, i.xy, i.xz, i.yy, i.yz, i.zz}));
}

template <class D, class T>
struct Limb {
  static constexpr int N = D::k_dof;
  using W = WideOf<T>;
  using Lanes = LanesOf<T>;
  using Group = LimbGroup<D, T>;
  using Body = LimbBody<D, T>;
  static constexpr int k_stride = sizeof(Body) / sizeof(T);
  static constexpr int k_column = Body::k_column;
  using Column = Records<T, k_limbs, k_column>;

  template <class C>
  CAIRN_INLINE static VecOf<D, W> linear_of(const C& c) {
    return Parts<D>::template linear<W>(c);
  }
  template <class C>
  CAIRN_INLINE static AngOf<D, W> angular_of(const C& c) {
    return Parts<D>::template angular<W>(c);
  }
  CAIRN_INLINE static void clear(Column& c) {
    unroll<k_column>([&](int i) CAIRN_INLINE_LAMBDA { c.field[i] = W(0); });
  }

  // Lane after lane, so that limbs of one parent add up in order.
  template <int K>
  CAIRN_INLINE static void add_records(T* base, const Bodies& which, const Records<T, k_limbs, K>& what) {
    alignas(64) T lanes[k_limbs][K];
    Bodies all;
    for (int i = 0; i < k_limbs; ++i) all.at[i] = uint32_t(i);
    scatter_records<K>(&lanes[0][0], all, what);
    for (int i = 0; i < k_limbs; ++i) {
      T* const to = base + std::size_t{which.at[i]} * k_stride;
      for (int k = 0; k < K; ++k) to[k] += lanes[i][k];
    }
  }

  // ----------------------------------------------------------------------------------------------- prepare

  static void set_masses(Body* bodies, std::size_t count, const uint32_t* rows, const BodyState<D>* states,
                         const BodyMass<D>* masses) {
    for (std::size_t first = 0; first < count; first += k_limbs) {
      const std::size_t left = count - first < k_limbs ? count - first : k_limbs;
      Bodies own;
      for (std::size_t i = 0; i < k_limbs; ++i) own.at[i] = uint32_t(first + (i < left ? i : left - 1));
      set_masses_of(bodies, own, Bodies::load_first(rows + first, left), states, masses);
    }
  }

  static void prepare_group(Group& group, const BodyState<D>* states, const Body* bodies,
                            const LimbTimes& times) {
    constexpr int k_state = sizeof(BodyState<D>) / sizeof(double);
    VecOf<D, Exact> position_a, position_b;
    RotOf<D, Exact> rotation_a, rotation_b;
    AngOf<D, Exact> spin_a, spin_b;
    const double* const records = &states->position.x;
    read_state(gather_records<k_state>(records, Bodies::load(group.row_a)), position_a, rotation_a, spin_a);
    read_state(gather_records<k_state>(records, Bodies::load(group.row_b)), position_b, rotation_b, spin_b);
    JointPose<D, Exact> pose;
    pose.arm_a = rotation_a * load_vector<double>(group.anchor_a);
    pose.arm_b = rotation_b * load_vector<double>(group.anchor_b);
    pose.gap = (position_b - position_a) + (pose.arm_b - pose.arm_a);
    pose.frame_a = rotation_a * load_rotation(group.frame_a);
    pose.frame_b = rotation_b * load_rotation(group.frame_b);
    store_vector<T>(group.arm_a, rounded<T>(pose.arm_a));
    store_vector<T>(group.arm_b, rounded<T>(pose.arm_b));
    JointParameters<D, Exact> parameters;
    parameters.length = load(group.exact_length);
    for (int i = 0; i < k_most_axes; ++i)
      parameters.turns[i] = {load(group.turn_base[i]), load(group.turn_last[i])};

    JointParts<D, Exact> parts;
    parts_in_lanes(group.kind, pose, parameters, group.limited, parts);
    set_rows(group, parts, bodies, times);
    group.near = 0;
    if (!group.limited) return;
    const auto look = [&](int i, const PartRow<D, Exact>& part) CAIRN_INLINE_LAMBDA {
      const Exact reach = Exact(k_near) + Exact(k_near_steps * times.h) *
                                              absolute(dot(part.jacobian.angular_b, spin_b - spin_a));
      store(group.coordinate[i], part.position);
      store_turn(group.turn[i], part.jacobian.angular_b);
      group.near_min[i] = bits(!(part.position - load(group.min[i]) > reach));
      group.near_max[i] = bits(!(load(group.max[i]) - part.position > reach));
      group.near |= group.near_min[i] | group.near_max[i];
    };
    for (int i = 0; i < parts.axis_count; ++i) look(i, parts.axis[i]);
    if (group.kind == JointKind::ball) look(k_most_axes, parts.cone);
  }
  // J, Γ and b of the rows that hold (bonds.h).
  CAIRN_INLINE static void set_rows(Group& group, const JointParts<D, Exact>& parts, const Body* bodies,
                                    const LimbTimes& times) {
    constexpr int k_inverse = D::k_linear + (N == 6 ? 6 : 1);
    const auto own = gather_records<k_inverse, k_stride>(bodies->inverse_mass, Bodies::load(group.own));
    const auto parent = gather_records<k_inverse, k_stride>(bodies->inverse_mass, Bodies::load(group.parent));
    const auto own_is_b = load(group.own_is_b) > W(0);
    const W h = W(T(times.h)), zero(0), rate = W(T(times.rate)), rigid = W(T(k_rigid));
    const W omega = W(T(2 * k_pi)) * load(group.frequency),
            damping = W(2) * load(group.damping_ratio) * omega;
    const auto springs = omega > zero;
    // Some kinds have a row less than there is room for: it asks nothing.
    for (int r = 0; r < group.row_count; ++r) {
      typename Group::Row& row = group.rows[r];
      const JacobianT<D, Exact>& jacobian = parts.hold[r].jacobian;
      W j_a[N], j_b[N], j_own[N], j_parent[N];
      set_column(j_a, rounded<T>(jacobian.linear_a), rounded<T>(jacobian.angular_a));
      set_column(j_b, rounded<T>(jacobian.linear_b), rounded<T>(jacobian.angular_b));
      unroll<N>([&](int i) CAIRN_INLINE_LAMBDA {
        j_own[i] = select(own_is_b, j_b[i], j_a[i]);
        j_parent[i] = select(own_is_b, j_a[i], j_b[i]);
      });
      const W k = yield_of(own, j_own) + yield_of(parent, j_parent);
      const auto there = k > zero;  // else there is nothing that it could move
      const W safe = select(there, k, W(1));
      // A spring and damper through the substep by implicit Euler: J v + γ λ + b = 0, γ = 1/(h(hk + c)), b = k C/(hk + c).
      const W stiffness = omega * omega / safe, push = h * stiffness + damping / safe;
      const W soft = select(springs, W(1) / (h * select(springs, push, W(1))), zero);
      const W position = rounded<T>(parts.hold[r].position);
      unroll<N>([&](int i) CAIRN_INLINE_LAMBDA {
        store(row.own[i], select(there, j_own[i], zero));
        store(row.parent[i], select(there, j_parent[i], zero));
      });
      store(row.softness, soft);
      store(row.mass, W(1) / (safe + soft));
      store(row.gamma, select(springs, soft, rigid * safe));
      store(row.hold, select(there & springs, stiffness * position / select(springs, push, W(1)), zero));
      store(row.bias, select(springs | !there, zero, rate * position));
      store(row.impulse, select(there, load(row.impulse), zero));
    }
  }
  static void prepare(Group* groups, std::size_t count, const BodyState<D>* states, const Body* bodies,
                      const LimbTimes& times) {
    for (Group* group = groups; group != groups + count; ++group)
      if (group->row_count > 0) prepare_group(*group, states, bodies, times);
  }

  // --------------------------------------------------------------------------------------------- factorise

  template <int R>
  static void factorise_group(Group& group, Body* bodies) {
    const Bodies own = Bodies::load(group.own);
    const auto mass = gather_records<Group::k_triangle, k_stride>(bodies->mass, own);
    W a[Group::k_triangle];
    unroll<Group::k_triangle>([&](int i) CAIRN_INLINE_LAMBDA { a[i] = mass[i]; });
    factorise_triangle<N>(a);
    unroll<Group::k_triangle>([&](int i) CAIRN_INLINE_LAMBDA { store(group.factor[i], a[i]); });
    if constexpr (R > 0) {
      W s[R * (R + 1) / 2];
      unroll<R>([&]<int r>(Constant<r>) CAIRN_INLINE_LAMBDA {
        W y[N];
        unroll<N>([&](int i) CAIRN_INLINE_LAMBDA { y[i] = load(group.rows[r].own[i]); });
        solve_triangle<N, T>(group.factor, y);
        unroll<N>([&](int i) CAIRN_INLINE_LAMBDA { store(group.rows[r].yield[i], y[i]); });
        unroll<R>([&]<int q>(Constant<q>) CAIRN_INLINE_LAMBDA {
          if constexpr (q <= r) s[at<R>(q, r)] = dot_of<N, T>(group.rows[q].own, y);
        });
        s[at<R>(r, r)] += load(group.rows[r].gamma);
      });
      factorise_triangle<R>(s);
      unroll<R*(R + 1) / 2>([&](int i) CAIRN_INLINE_LAMBDA { store(group.row_factor[i], s[i]); });
      // P = J_pᵀ S⁻¹ J_p = Zᵀ D⁻¹ Z, Z = U⁻ᵀ J_p
      W z[N][R];
      unroll<N>([&]<int i>(Constant<i>) CAIRN_INLINE_LAMBDA {
        unroll<R>([&](int r) CAIRN_INLINE_LAMBDA { z[i][r] = load(group.rows[r].parent[i]); });
        solve_lower<R, T>(group.row_factor, z[i]);
      });
      Records<T, k_limbs, Group::k_triangle> p;
      unroll<N>([&]<int i>(Constant<i>) CAIRN_INLINE_LAMBDA {
        W scaled[R];
        unroll<R>([&](int r) CAIRN_INLINE_LAMBDA { scaled[r] = z[i][r] * s[at<R>(r, r)]; });
        unroll<N>([&]<int j>(Constant<j>) CAIRN_INLINE_LAMBDA {
          if constexpr (j >= i) {
            W sum = scaled[0] * z[j][0];
            unroll<R>([&]<int r>(Constant<r>) CAIRN_INLINE_LAMBDA {
              if constexpr (r > 0) sum += scaled[r] * z[j][r];
            });
            p.field[at<N>(i, j)] = sum;
          }
        });
      });
      add_records(bodies->mass, Bodies::load(group.parent), p);
    }
  }

  // ------------------------------------------------------------------------------------------------- solve

  CAIRN_INLINE static VecOf<D, W> own_linear(const typename Group::Row& row) {
    W j[N];
    unroll<N>([&](int i) CAIRN_INLINE_LAMBDA { j[i] = load(row.own[i]); });
    return linear_of(j);
  }
  // How fast the ends of arms that turn will part, beyond J v.
  template <int R>
  CAIRN_INLINE static void add_turning(const Group& group, const Column& v, const Column& v_parent, T h,
                                       W* error) {
    const auto own_is_b = load(group.own_is_b) > W(0);
    const VecOf<D, W> arm_a = load_vector<T>(group.arm_a), arm_b = load_vector<T>(group.arm_b);
    const VecOf<D, W> arm = select(own_is_b, arm_b, arm_a), arm_parent = select(own_is_b, arm_a, arm_b);
    const VecOf<D, W> off =
        off_tangent(angular_of(v), arm, W(h)) - off_tangent(angular_of(v_parent), arm_parent, W(h));
    W gap[N];
    if constexpr (R == 1) {  // a rod; of J, n or −n is the linear part
      const VecOf<D, W> speed = (linear_of(v) + cross(angular_of(v), arm)) -
                                (linear_of(v_parent) + cross(angular_of(v_parent), arm_parent));
      gap[0] = off_tangent_of_rod(own_linear(group.rows[0]), load(group.length), speed, off, W(h));
    } else {
      components_of(select(own_is_b, off, -off), gap);
    }
    unroll<(R < D::k_linear ? R : D::k_linear)>([&](int r) CAIRN_INLINE_LAMBDA {
      error[r] += select(load(group.rows[r].softness) > W(0), W(0), gap[r]);
    });
  }
  // y = S⁻¹ (e + Yᵀ f); −J_pᵀ y to the parent.
  template <int R>
  static void go_in(Group& group, Body* bodies, const LimbPass& pass) {
    if constexpr (R > 0) {
      const Bodies own = Bodies::load(group.own), parent = Bodies::load(group.parent);
      const Column f = gather_records<k_column, k_stride>(bodies->force, own);
      const Column v = gather_records<k_column, k_stride>(bodies->velocity, own),
                   v_parent = gather_records<k_column, k_stride>(bodies->velocity, parent);
      W y[R];
      unroll<R>([&](int r) CAIRN_INLINE_LAMBDA {
        const typename Group::Row& row = group.rows[r];
        y[r] = W(0);
        if (pass.holds)
          y[r] = (dot_of<N, T>(row.own, v.field) + dot_of<N, T>(row.parent, v_parent.field)) +
                 load(row.hold) + load(row.softness) * load(row.impulse);
        if (pass.draws_in)
          y[r] += smaller(larger(W(T(group.left)) * load(row.bias), W(-T(pass.most))), W(T(pass.most)));
      });
      if (pass.draws_in && !group.still &&
          (R == 1 ? group.kind == JointKind::distance : holds_point(group.kind)))
        add_turning<R>(group, v, v_parent, T(pass.h), y);
      unroll<R>([&](int r) CAIRN_INLINE_LAMBDA { y[r] += dot_of<N, T>(group.rows[r].yield, f.field); });
      solve_triangle<R, T>(group.row_factor, y);
      Column out;
      clear(out);
      unroll<R>([&](int r) CAIRN_INLINE_LAMBDA {
        store(group.rows[r].answer, y[r]);
        unroll<N>([&](int i) CAIRN_INLINE_LAMBDA { out.field[i] -= load(group.rows[r].parent[i]) * y[r]; });
      });
      add_records(bodies->force, parent, out);
    }
  }
  // Δλ = −y − S⁻¹ J_p Δv_p,  Δv = A⁻¹ (f + Jᵀ Δλ)
  template <int R>
  static void go_out(Group& group, Body* bodies, const LimbPass& pass) {
    const Bodies own = Bodies::load(group.own);
    Column f = gather_records<k_column, k_stride>(bodies->force, own);
    if constexpr (R > 0) {
      const Column dv = gather_records<k_column, k_stride>(bodies->change, Bodies::load(group.parent));
      auto lost = W(0) > W(0);
      if (!pass.holds) lost = gather_records<1, k_stride>(&bodies->lost, own)[0] > W(0);
      W t[R];
      unroll<R>([&](int r) CAIRN_INLINE_LAMBDA { t[r] = dot_of<N, T>(group.rows[r].parent, dv.field); });
      solve_triangle<R, T>(group.row_factor, t);
      unroll<R>([&](int r) CAIRN_INLINE_LAMBDA {
        typename Group::Row& row = group.rows[r];
        const W change = -(load(row.answer) + t[r]);
        store(row.impulse, load(row.impulse) + select(lost, W(0), change));
        unroll<N>([&](int i) CAIRN_INLINE_LAMBDA { f.field[i] += load(row.own[i]) * change; });
      });
    }
    solve_triangle<N, T>(group.factor, f.field);
    scatter_records<k_column, k_stride>(bodies->change, own, f);
  }

  // f.operator()<R>() for the number of rows.
  template <class F>
  CAIRN_INLINE static void with_rows(int rows, F&& f) {
    unroll<N + 1>([&]<int R>(Constant<R>) CAIRN_INLINE_LAMBDA {
      if constexpr (Group::has_rows(R))
        if (rows == R) f.template operator()<R>();
    });
  }
  static void factorise(Group* groups, std::size_t count, Body* bodies) {
    for (std::size_t g = 0; g < count; ++g)
      with_rows(groups[g].row_count, [&]<int R>() { factorise_group<R>(groups[g], bodies); });
  }
  static void solve(Group* groups, std::size_t count, Body* bodies, const LimbPass& pass) {
    for (Group* group = groups; group != groups + count; ++group)
      if (group->still == pass.still)
        with_rows(group->row_count, [&]<int R>() { go_in<R>(*group, bodies, pass); });
    for (Group* group = groups + count; group-- != groups;)
      if (group->still == pass.still)
        with_rows(group->row_count, [&]<int R>() { go_out<R>(*group, bodies, pass); });
  }

  // ------------------------------------------------------------------------------------------------ totals

  // Jᵀ λ
  CAIRN_INLINE static void add_pushes(const Group& group, Column& own, Column& parent) {
    clear(own), clear(parent);
    for (int r = 0; r < group.row_count; ++r) {
      const W impulse = load(group.rows[r].impulse);
      unroll<N>([&](int i) CAIRN_INLINE_LAMBDA {
        own.field[i] += impulse * load(group.rows[r].own[i]);
        parent.field[i] += impulse * load(group.rows[r].parent[i]);
      });
    }
  }
  static void push(const Group* groups, std::size_t count, Body* bodies) {
    for (const Group* group = groups; group != groups + count; ++group) {
      if (group->row_count == 0) continue;
      Column own, parent;
      add_pushes(*group, own, parent);
      add_records(bodies->force, Bodies::load(group->own), own);
      add_records(bodies->force, Bodies::load(group->parent), parent);
    }
  }
  static void add_up(Group* groups, std::size_t count, double sign) {
    for (Group* group = groups; group != groups + count; ++group) {
      if (group->row_count == 0) continue;
      Column own, parent;
      add_pushes(*group, own, parent);
      const auto own_is_b = load(group->own_is_b) > W(0);
      const W factor = W(T(sign));
      unroll<N>([&](int i) CAIRN_INLINE_LAMBDA {
        own.field[i] = factor * select(own_is_b, own.field[i], parent.field[i]);
      });
      const auto force = linear_of(own);
      const auto torque = angular_of(own) - cross(load_vector<T>(group->arm_b), force);
      store_vector<T>(group->total_force, load_vector<T>(group->total_force) + force);
      add_torque(group->total_torque, torque);
    }
  }
  CAIRN_INLINE static void add_torque(Lanes (&to)[1], const W& torque) { store(to[0], load(to[0]) + torque); }
  CAIRN_INLINE static void add_torque(Lanes (&to)[3], const Vec3T<W>& torque) {
    store_vector<T>(to, load_vector<T>(to) + torque);
  }
};

template <class D, class T>
constexpr LimbKernels<D, T> k_kernels{.set_masses = Limb<D, T>::set_masses,
                                      .prepare = Limb<D, T>::prepare,
                                      .factorise = Limb<D, T>::factorise,
                                      .add_up = Limb<D, T>::add_up,
                                      .push = Limb<D, T>::push,
                                      .solve = Limb<D, T>::solve};

}  // namespace

extern const LimbKernels<Dim2, float> k_limbs_2f;
extern const LimbKernels<Dim2, double> k_limbs_2d;
extern const LimbKernels<Dim3, float> k_limbs_3f;
extern const LimbKernels<Dim3, double> k_limbs_3d;
constinit const LimbKernels<Dim2, float> k_limbs_2f = k_kernels<Dim2, float>;
constinit const LimbKernels<Dim2, double> k_limbs_2d = k_kernels<Dim2, double>;
constinit const LimbKernels<Dim3, float> k_limbs_3f = k_kernels<Dim3, float>;
constinit const LimbKernels<Dim3, double> k_limbs_3d = k_kernels<Dim3, double>;

}  // namespace cairn::CAIRN_SET
