// The sweeps over packed contacts: lanes loaded, contact_rows.h, lanes stored.
#include "math/wide.h"
#include "solvers/soft_step/contact_rows.h"
#include "solvers/soft_step/kernels.h"

namespace cairn::CAIRN_SET {

namespace {

template <class Real>
using Lane = Wide<Real, k_width>;
using Rows = Indices<k_width>;

template <class Real>
CAIRN_INLINE Lane<Real> load(const Real (&from)[k_width]) {
  return Lane<Real>::load_aligned(from);
}
template <class Real>
CAIRN_INLINE Vec2T<Lane<Real>> load(const Real (&from)[2][k_width]) {
  return {load(from[0]), load(from[1])};
}
template <class Real>
CAIRN_INLINE Vec3T<Lane<Real>> load(const Real (&from)[3][k_width]) {
  return {load(from[0]), load(from[1]), load(from[2])};
}
// Of tangents and angular quantities, which in 2D are an array of one.
template <class Real>
CAIRN_INLINE Lane<Real> load(const Real (&from)[1][k_width]) {
  return load(from[0]);
}
template <class Real>
CAIRN_INLINE void store(Real (&to)[k_width], const Lane<Real>& value) {
  value.store_aligned(to);
}
template <class Real>
CAIRN_INLINE void store(Real (&to)[1][k_width], const Lane<Real>& value) {
  store(to[0], value);
}
template <class Real>
CAIRN_INLINE void store(Real (&to)[2][k_width], const Vec2T<Lane<Real>>& value) {
  store(to[0], value.x), store(to[1], value.y);
}
template <class Real>
CAIRN_INLINE void store(Real (&to)[3][k_width], const Vec3T<Lane<Real>>& value) {
  store(to[0], value.x), store(to[1], value.y), store(to[2], value.z);
}
template <class Real>
CAIRN_INLINE TangentMass2<Lane<Real>> load_mass(const Real (&mass)[1][k_width], const Real (&slip)[k_width]) {
  return {load(mass[0]), load(slip)};
}
template <class Real>
CAIRN_INLINE TangentMass3<Lane<Real>> load_mass(const Real (&mass)[3][k_width], const Real (&slip)[k_width]) {
  return {load(mass[0]), load(mass[1]), load(mass[2]), load(slip)};
}
template <class Real>
CAIRN_INLINE void store_mass(Real (&mass)[1][k_width], const TangentMass2<Lane<Real>>& value) {
  store(mass[0], value.mass);
}
template <class Real>
CAIRN_INLINE void store_mass(Real (&mass)[3][k_width], const TangentMass3<Lane<Real>>& value) {
  store(mass[0], value.xx), store(mass[1], value.yy), store(mass[2], value.xy);
}

template <class Real>
CAIRN_INLINE void load_inert(LaneBody<Dim2, Lane<Real>>& body, const InertBody<Dim2, Real>* inert,
                             const Rows& rows) {
  const auto m = gather_records<3, 4>(inert->inverse_mass, rows);
  body.inverse_mass = {m[0], m[1]};
  body.inverse_inertia = m[2];
}
template <class Real>
CAIRN_INLINE void load_inert(LaneBody<Dim3, Lane<Real>>& body, const InertBody<Dim3, Real>* inert,
                             const Rows& rows) {
  const auto m = gather_records<9, 12>(inert->inverse_mass, rows);
  body.inverse_mass = {m[0], m[1], m[2]};
  body.inverse_inertia = {m[3], m[4], m[5], m[6], m[7], m[8]};
}
template <class Real>
CAIRN_INLINE void load_velocity(LaneBody<Dim2, Lane<Real>>& body, const MovingBody<Dim2, Real>* moving,
                                const Rows& rows) {
  const auto v = gather_records<3, 8>(moving->velocity, rows);
  body.velocity = {v[0], v[1]};
  body.angular_velocity = v[2];
}
template <class Real>
CAIRN_INLINE void load_velocity(LaneBody<Dim3, Lane<Real>>& body, const MovingBody<Dim3, Real>* moving,
                                const Rows& rows) {
  const auto v = gather_records<6, 16>(moving->velocity, rows);
  body.velocity = {v[0], v[1], v[2]};
  body.angular_velocity = {v[3], v[4], v[5]};
}
template <class Real>
CAIRN_INLINE void store_velocity(const LaneBody<Dim2, Lane<Real>>& body, MovingBody<Dim2, Real>* moving,
                                 const Rows& rows) {
  scatter_records<3, 8>(moving->velocity, rows,
                        Records<Real, k_width, 3>{body.velocity.x, body.velocity.y, body.angular_velocity});
}
template <class Real>
CAIRN_INLINE void store_velocity(const LaneBody<Dim3, Lane<Real>>& body, MovingBody<Dim3, Real>* moving,
                                 const Rows& rows) {
  const auto &v = body.velocity, &w = body.angular_velocity;
  scatter_records<6, 16>(moving->velocity, rows, Records<Real, k_width, 6>{v.x, v.y, v.z, w.x, w.y, w.z});
}
template <class D, class T>
struct Moved {
  VecOf<D, T> moved;
  RotOf<D, T> turned;
};
template <class Real>
CAIRN_INLINE Moved<Dim2, Lane<Real>> load_moved(const MovingBody<Dim2, Real>* moving, const Rows& rows) {
  const auto m = gather_records<4, 8>(moving->moved, rows);
  return {{m[0], m[1]}, {m[2], m[3]}};
}
template <class Real>
CAIRN_INLINE Moved<Dim3, Lane<Real>> load_moved(const MovingBody<Dim3, Real>* moving, const Rows& rows) {
  const auto m = gather_records<7, 16>(moving->moved, rows);
  return {{m[0], m[1], m[2]}, {m[3], m[4], m[5], m[6]}};
}

template <class D, class Real>
struct Sweep {
  using T = Lane<Real>;
  using Vec = VecOf<D, T>;
  using Group = ContactGroup<D, Real>;
  using Moving = MovingBody<D, Real>;
  using Inert = InertBody<D, Real>;
  using Body = LaneBody<D, T>;

  static void prepare(Group* groups, std::size_t count, const Inert* inert, const SweepSettings& settings) {
    const double omega = settings.frequency, a1 = 2 * settings.damping_ratio + settings.h * omega,
                 a2 = settings.h * omega * a1;
    const T rate(Real(omega / a1)), give(Real(a2 / (1 + a2))), leak(Real(1 / (1 + a2)));
    for (Group* group = groups; group != groups + count; ++group) {
      Body a{}, b{};
      load_inert(a, inert, Rows::load(group->a));
      load_inert(b, inert, Rows::load(group->b));
      const Vec n = load(group->normal);
      const auto t = tangents(n, load(group->tangent));
      for (int k = 0; k < group->count; ++k) {
        typename Group::Point& point = group->points[k];
        const Vec arm_a = load(point.arm_a), arm_b = load(point.arm_b);
        const auto there = load(point.normal_mass) > T(0);
        const T mass = inverse_or_zero(a.yields(n, n, arm_a) + b.yields(n, n, arm_b));
        store(point.normal_mass, select(there, mass, T(0)));
        store(point.rate, rate);
        store(point.give, give);
        store(point.leak, leak);
      }
      const auto mass = tangent_mass(a, b, load(group->center_a), load(group->center_b), t);
      store_mass(group->tangent_mass, mass);
      store(group->slip_mass, mass.slip);
      store(group->twist_mass, spinning_mass(a, b, n));
      store(group->rolling_mass, rolling_mass(a, b, n));
      store(group->spinning_mass, spinning_mass(a, b, n));
    }
  }

  static void warm_start(const Group* groups, std::size_t count, Moving* moving, const Inert* inert) {
    for (const Group* group = groups; group != groups + count; ++group) {
      const Rows rows_a = Rows::load(group->a), rows_b = Rows::load(group->b);
      Body a, b;
      load_inert(a, inert, rows_a), load_inert(b, inert, rows_b);
      load_velocity(a, moving, rows_a), load_velocity(b, moving, rows_b);
      const Vec n = load(group->normal);
      const auto t = tangents(n, load(group->tangent));
      for (int k = 0; k < group->count; ++k) {
        const typename Group::Point& point = group->points[k];
        const Vec impulse = load(point.normal_impulse) * n;
        a.pull(impulse, load(point.arm_a));
        b.push(impulse, load(point.arm_b));
      }
      const Vec impulse = t.vector(load(group->tangent_impulse));
      a.pull(impulse, load(group->center_a));
      b.push(impulse, load(group->center_b));
      twist(a, b, n, load(group->twist_impulse));
      if (group->resists) {
        const auto impulse = load(group->turning_impulse);
        a.angular_velocity -= a.inverse_inertia * impulse;
        b.angular_velocity += b.inverse_inertia * impulse;
      }
      store_velocity(a, moving, rows_a), store_velocity(b, moving, rows_b);
    }
  }

  // Friction.
  template <class Tangents, class Slip>
  CAIRN_INLINE static void rub(Group& group, Body& a, Body& b, const Vec& n, const Tangents& t,
                               const Slip& conveyor, const T& load_sum, const T& radius) {
    const Vec arm_a = load(group.center_a), arm_b = load(group.center_b);
    const auto mass = load_mass(group.tangent_mass, group.slip_mass);
    const auto slip = t.along(b.velocity_at(arm_b) - a.velocity_at(arm_a)) + conveyor;
    const T spin = spin_about(n, a, b), bound = load(group.friction) * load_sum;
    const auto old = load(group.tangent_impulse);
    const T old_twist = load(group.twist_impulse), twist_mass = load(group.twist_mass);
    const auto sticking = old - mass * slip;
    const T sticking_twist = old_twist - twist_mass * spin;
    const T per_radius = inverse_or_zero(radius);
    const auto sticks = size_of(sticking, sticking_twist * per_radius) <= bound;
    // One step for both, so that force and torque oppose sliding and spinning in proportion.
    const T round = twist_mass * per_radius * per_radius;
    const T step = select(round > T(0), smaller(mass.slip, round), mass.slip);
    const auto sliding = old - step * slip;
    const T spinning = old_twist * per_radius - step * radius * spin;
    const T size = size_of(sliding, spinning);
    const T factor = select(size > bound, bound / select(size > T(0), size, T(1)), T(1));
    const auto impulse = choose(sticks, sticking, factor * sliding);
    const T twisting =
        select(radius > T(0), select(sticks, sticking_twist, factor * spinning * radius), T(0));
    store(group.tangent_impulse, impulse);
    store(group.twist_impulse, twisting);
    store(group.sticks, select(sticks & (load_sum > T(0)), T(1), T(0)));
    const Vec change = t.vector(impulse - old);
    a.pull(change, arm_a);
    b.push(change, arm_b);
    twist(a, b, n, twisting - old_twist);
  }

  static void solve(Group* groups, std::size_t count, Moving* moving, const Inert* inert,
                    const SweepSettings& settings) {
    const T per_h(Real(1 / settings.h)), draws(Real(settings.draws_in)), push(Real(-settings.push_speed)),
        zero(0);
    for (Group* group = groups; group != groups + count; ++group) {
      const Rows rows_a = Rows::load(group->a), rows_b = Rows::load(group->b);
      Body a, b;
      load_inert(a, inert, rows_a), load_inert(b, inert, rows_b);
      load_velocity(a, moving, rows_a), load_velocity(b, moving, rows_b);
      const auto moved_a = load_moved(moving, rows_a), moved_b = load_moved(moving, rows_b);
      const Vec n = load(group->normal);
      const auto t = tangents(n, load(group->tangent));
      const auto conveyor = t.along(load(group->surface_velocity));

      for (int k = 0; k < group->count; ++k) {
        typename Group::Point& point = group->points[k];
        const Vec arm_a = load(point.arm_a), arm_b = load(point.arm_b);
        const T separation =
            load(point.separation) + dot(n, way_of(moved_b.moved, moved_b.turned, load(point.core_b)) -
                                                way_of(moved_a.moved, moved_a.turned, load(point.core_a)));
        const auto gap = separation > zero;
        const T bias = select(gap, separation * per_h, draws * larger(separation * load(point.rate), push));
        const T give = select(gap, T(1), T(1) + draws * (load(point.give) - T(1)));
        const T leak = select(gap, zero, draws * load(point.leak));
        const T speed = dot(n, b.velocity_at(arm_b) - a.velocity_at(arm_a));
        const T old = load(point.normal_impulse);
        const T impulse = larger(old - give * load(point.normal_mass) * (speed + bias) - leak * old, zero);
        store(point.normal_impulse, impulse);
        const Vec change = (impulse - old) * n;
        a.pull(change, arm_a);
        b.push(change, arm_b);
      }
      T load_sum(0), lever_sum(0);
      for (int k = 0; k < group->count; ++k) {
        const T normal = load(group->points[k].normal_impulse);
        load_sum += normal;
        lever_sum += normal * load(group->points[k].lever);
      }
      rub(*group, a, b, n, t, conveyor, load_sum, lever_sum * inverse_or_zero(load_sum));
      if (group->resists) {
        const auto old = load(group->turning_impulse);
        const auto impulse = resist(old, n, b.angular_velocity - a.angular_velocity,
                                    load(group->rolling_mass), load(group->spinning_mass),
                                    load(group->rolling) * load_sum, load(group->spinning) * load_sum);
        store(group->turning_impulse, impulse);
        a.angular_velocity -= a.inverse_inertia * (impulse - old);
        b.angular_velocity += b.inverse_inertia * (impulse - old);
      }
      store_velocity(a, moving, rows_a), store_velocity(b, moving, rows_b);
    }
  }

  static void add_up(Group* groups, std::size_t count) {
    for (Group* group = groups; group != groups + count; ++group) {
      for (int k = 0; k < group->count; ++k) {
        typename Group::Point& point = group->points[k];
        store(point.total_normal_impulse, load(point.total_normal_impulse) + load(point.normal_impulse));
      }
      store(group->total_tangent_impulse, load(group->total_tangent_impulse) + load(group->tangent_impulse));
    }
  }

  static void bounce(Group* groups, std::size_t count, Moving* moving, const Inert* inert,
                     const SweepSettings& settings) {
    const T resting(Real(-settings.resting_speed)), zero(0);
    for (Group* group = groups; group != groups + count; ++group) {
      if (!group->bounces) continue;
      const Rows rows_a = Rows::load(group->a), rows_b = Rows::load(group->b);
      Body a, b;
      load_inert(a, inert, rows_a), load_inert(b, inert, rows_b);
      load_velocity(a, moving, rows_a), load_velocity(b, moving, rows_b);
      const Vec n = load(group->normal);
      const T restitution = load(group->restitution);
      T left = load(group->taken);
      for (int k = 0; k < group->count; ++k) {
        typename Group::Point& point = group->points[k];
        const Vec arm_a = load(point.arm_a), arm_b = load(point.arm_b);
        const T approach = load(point.approach), total = load(point.total_normal_impulse);
        const T wanted = -restitution * approach;
        const T speed = dot(n, b.velocity_at(arm_b) - a.velocity_at(arm_a));
        const auto meets = (approach < resting) & (total > zero) & (restitution > zero);
        // Of the bodies as they have turned: that of the step's start may be wrong by a factor for a spinning rod.
        const T mass = inverse_or_zero(a.yields(n, n, arm_a) + b.yields(n, n, arm_b));
        const T asked = larger(mass * (wanted - speed), -load(point.normal_impulse));
        const T change = select(meets, smaller(asked, most_push(mass, speed, left)), zero);
        left = larger(left - work_of_push(mass, speed, change), zero);
        store(point.normal_impulse, load(point.normal_impulse) + change);
        store(point.total_normal_impulse, total + change);
        a.pull(change * n, arm_a);
        b.push(change * n, arm_b);
      }
      store(group->taken, left);
      store_velocity(a, moving, rows_a), store_velocity(b, moving, rows_b);
    }
  }
};

template <class D, class Real>
constexpr ContactKernels<D, Real> k_kernels{.prepare = Sweep<D, Real>::prepare,
                                            .warm_start = Sweep<D, Real>::warm_start,
                                            .solve = Sweep<D, Real>::solve,
                                            .add_up = Sweep<D, Real>::add_up,
                                            .bounce = Sweep<D, Real>::bounce};

}  // namespace

extern const ContactKernels<Dim2, float> k_contacts_2f;
extern const ContactKernels<Dim2, double> k_contacts_2d;
extern const ContactKernels<Dim3, float> k_contacts_3f;
extern const ContactKernels<Dim3, double> k_contacts_3d;
constinit const ContactKernels<Dim2, float> k_contacts_2f = k_kernels<Dim2, float>;
constinit const ContactKernels<Dim2, double> k_contacts_2d = k_kernels<Dim2, double>;
constinit const ContactKernels<Dim3, float> k_contacts_3f = k_kernels<Dim3, float>;
constinit const ContactKernels<Dim3, double> k_contacts_3d = k_kernels<Dim3, double>;

}  // namespace cairn::CAIRN_SET
