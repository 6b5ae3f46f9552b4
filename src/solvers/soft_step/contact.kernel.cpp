// The sweeps over packed contacts: lanes loaded, contact_rows.h, lanes stored.
#include "math/wide.h"
#include "solvers/soft_step/contact_rows.h"
#include "solvers/soft_step/kernels.h"
#include "solvers/soft_step/lane_bodies.h"

namespace cairn::CAIRN_SET {

namespace {

template <class Real>
CAIRN_INLINE TangentMass2<Lane<Real>> load_mass(const Real (&mass)[1][k_width], const Real (&slip)[k_width],
                                                int at) {
  return {load(mass[0], at), load(slip, at)};
}
template <class Real>
CAIRN_INLINE TangentMass3<Lane<Real>> load_mass(const Real (&mass)[3][k_width], const Real (&slip)[k_width],
                                                int at) {
  return {load(mass[0], at), load(mass[1], at), load(mass[2], at), load(slip, at)};
}
template <class Real>
CAIRN_INLINE void store_mass(Real (&mass)[1][k_width], int at, const TangentMass2<Lane<Real>>& value) {
  store(mass[0], at, value.mass);
}
template <class Real>
CAIRN_INLINE void store_mass(Real (&mass)[3][k_width], int at, const TangentMass3<Lane<Real>>& value) {
  store(mass[0], at, value.xx), store(mass[1], at, value.yy), store(mass[2], at, value.xy);
}

template <class D, class T>
struct Moved {
  VecOf<D, T> moved;
  RotOf<D, T> turned;
};
template <class Real>
CAIRN_INLINE Moved<Dim2, Lane<Real>> load_moved(const MovingBody<Dim2, Real>* moving,
                                                const Rows<Real>& rows) {
  const auto m = gather_records<4, 8>(moving->moved, rows);
  return {{m[0], m[1]}, {m[2], m[3]}};
}
template <class Real>
CAIRN_INLINE Moved<Dim3, Lane<Real>> load_moved(const MovingBody<Dim3, Real>* moving,
                                                const Rows<Real>& rows) {
  const auto m = gather_records<7, 16>(moving->moved, rows);
  return {{m[0], m[1], m[2]}, {m[3], m[4], m[5], m[6]}};
}

template <class D, class Real>
struct Sweep {
  using T = Lane<Real>;
  using Rows = cairn::CAIRN_SET::Rows<Real>;
  using Vec = VecOf<D, T>;
  using Group = ContactGroup<D, Real>;
  using Moving = MovingBody<D, Real>;
  using Inert = InertBody<D, Real>;
  using Body = LaneBody<D, T>;

  template <class F>
  CAIRN_INLINE static void for_parts(Group* groups, std::size_t count, const F& f) {
    for (Group* group = groups; group != groups + count; ++group)
      for (int at = 0; at < group->lanes; at += T::k_count) f(group, at);
  }

  // The axes of a patch.
  struct Frame {
    Vec n;
    decltype(tangents(Vec{}, Vec{})) t;
  };
  using Surface = typename decltype(Frame::t)::Value;  // a vector in it
  CAIRN_INLINE static Frame frame_of(const Group& group, int at) {
    const Vec n = load(group.normal, at);
    return {n, tangents(n, load(group.tangent, at))};
  }
  CAIRN_INLINE static void load_bodies(Body& a, Body& b, const Moving* moving, const Inert* inert,
                                       const Rows& rows_a, const Rows& rows_b) {
    load_inert(a, inert, rows_a), load_inert(b, inert, rows_b);
    load_velocity(a, moving, rows_a), load_velocity(b, moving, rows_b);
  }
  // An impulse on the patch as a whole, at its centre of friction.
  struct Push {
    T normal{0};
    Surface tilt{}, tangent{};
    T twist{0};
    CAIRN_INLINE void apply(const Group& group, int at, const Frame& f, Body& a, Body& b) const {
      const Vec impulse = normal * f.n + f.t.vector(tangent);
      const auto angular = f.t.turning(f.n, tilt, twist);
      a.pull(impulse, load(group.center_a, at), angular);
      b.push(impulse, load(group.center_b, at), angular);
    }
  };

  static void prepare(Group* groups, std::size_t count, const Inert* inert) {
    for_parts(groups, count, [&](Group* group, int at) CAIRN_INLINE_LAMBDA {
      Body a{}, b{};
      load_inert(a, inert, Rows::load(group->a + at));
      load_inert(b, inert, Rows::load(group->b + at));
      const Frame f = frame_of(*group, at);
      const Vec arm_a = load(group->center_a, at), arm_b = load(group->center_b, at);
      const Vec line_a = each_times(a.inverse_mass, f.n), line_b = each_times(b.inverse_mass, f.n);
      const T line = dot(f.n, line_a) + dot(f.n, line_b);
      AngOf<D, T> levers_a[Group::k_most_points], levers_b[Group::k_most_points];
      for (int k = 0; k < group->count; ++k) {
        typename Group::Point& point = group->points[k];
        const auto tilt = f.t.turning(f.n, load(point.tilt, at), T(0));
        levers_a[k] = cross(arm_a, f.n) + tilt, levers_b[k] = cross(arm_b, f.n) + tilt;
        const auto turn_a = a.inverse_inertia * levers_a[k], turn_b = b.inverse_inertia * levers_b[k];
        const auto yields = [&](int i) CAIRN_INLINE_LAMBDA {
          return line + inner(levers_a[i], turn_a) + inner(levers_b[i], turn_b);
        };
        const auto there = load(point.normal_mass, at) > T(0);
        store(point.normal_mass, at, select(there, inverse_or_zero(yields(k)), T(0)));
        for (int i = 0; i < k; ++i) store(group->coupling[k * (k - 1) / 2 + i], at, yields(i));
        store(point.slips, at, f.t.along(line_a + cross(turn_a, arm_a) + line_b + cross(turn_b, arm_b)));
        store(point.spins, at, f.t.spin_of(f.n, turn_a + turn_b));
      }
      const auto mass = tangent_mass(a, b, arm_a, arm_b, f.t);
      store_mass(group->tangent_mass, at, mass);
      store(group->slip_mass, at, mass.slip);
      store(group->twist_mass, at, spinning_mass(a, b, f.n));
      if (group->resists) store(group->rolling_mass, at, rolling_mass(a, b, f.n));
    });
  }

  static void warm_start(Group* groups, std::size_t count, Moving* moving, const Inert* inert, bool adds_up) {
    for_parts(groups, count, [&](Group* group, int at) CAIRN_INLINE_LAMBDA {
      if (adds_up) add_up_group(*group, at);
      const Rows rows_a = Rows::load(group->a + at), rows_b = Rows::load(group->b + at);
      Body a, b;
      load_bodies(a, b, moving, inert, rows_a, rows_b);
      const Frame f = frame_of(*group, at);
      Push push{.tangent = load(group->tangent_impulse, at), .twist = load(group->twist_impulse, at)};
      for (int k = 0; k < group->count; ++k) {
        const T impulse = load(group->points[k].normal_impulse, at);
        push.normal += impulse;
        push.tilt += impulse * load(group->points[k].tilt, at);
      }
      push.apply(*group, at, f, a, b);
      if (group->resists) {
        const auto impulse = load(group->turning_impulse, at);
        a.angular_velocity -= a.inverse_inertia * impulse;
        b.angular_velocity += b.inverse_inertia * impulse;
      }
      store_velocity(a, moving, rows_a), store_velocity(b, moving, rows_b);
    });
  }

  // How far apart the points are where the bodies are now.
  CAIRN_INLINE static void find_separations(Group& group, int at, const Frame& f, const Moving* moving,
                                            const Rows& rows_a, const Rows& rows_b) {
    const auto moved_a = load_moved(moving, rows_a), moved_b = load_moved(moving, rows_b);
    const Vec turned_a = turned_way(moved_a.turned, f.n), turned_b = turned_way(moved_b.turned, f.n);
    const T way = dot(f.n, moved_b.moved - moved_a.moved) +
                  (dot(turned_b, load(group.center_b, at) + load(group.rounding_b, at) * f.n) -
                   dot(turned_a, load(group.center_a, at) - load(group.rounding_a, at) * f.n));
    const Vec turned = turned_b - turned_a;
    const Surface tilt = tilt_at(f.t.along(turned));
    const T rise = dot(f.n, turned);
    for (int k = 0; k < group.count; ++k) {
      typename Group::Point& point = group.points[k];
      store(point.separation, at,
            load(group.rest[k].first_separation, at) +
                (way + (inner(tilt, load(point.tilt, at)) + rise * load(point.height, at))));
    }
  }

  // Friction, of a patch that slides and spins like this. To `push` it adds what it changes.
  CAIRN_INLINE static void rub(Group& group, int at, const Surface& slip, const T& spin, const T& load_sum,
                               const T& lever_sum, Push& push) {
    const auto mass = load_mass(group.tangent_mass, group.slip_mass, at);
    const T radius = lever_sum * inverse_or_zero(load_sum), per_radius = inverse_or_zero(radius);
    const T bound = load(group.friction, at) * load_sum;
    const Surface old = load(group.tangent_impulse, at);
    const T old_twist = load(group.twist_impulse, at), twist_mass = load(group.twist_mass, at);
    const Surface sticking = old - mass * slip;
    const T sticking_twist = old_twist - twist_mass * spin;
    const auto sticks = size_of(sticking, sticking_twist * per_radius) <= bound;
    Surface impulse = sticking;
    T twisting = sticking_twist;
    if (!all(sticks)) {  // of what rests, all do
      // One step for both, so that force and torque oppose sliding and spinning in proportion.
      const T round = twist_mass * per_radius * per_radius;
      const T step = select(round > T(0), smaller(mass.slip, round), mass.slip);
      const Surface sliding = old - step * slip;
      const T spinning = old_twist * per_radius - step * radius * spin;
      const T size = size_of(sliding, spinning);
      const T factor = select(size > bound, bound / select(size > T(0), size, T(1)), T(1));
      impulse = choose(sticks, sticking, factor * sliding);
      twisting = select(sticks, sticking_twist, factor * spinning * radius);
    }
    twisting = select(radius > T(0), twisting, T(0));
    store(group.tangent_impulse, at, impulse);
    store(group.twist_impulse, at, twisting);
    store(group.sticks, at, select(sticks & (load_sum > T(0)), T(1), T(0)));
    push.tangent = impulse - old;
    push.twist = twisting - old_twist;
  }

  // Of a sweep that relaxes, for all contacts: a gap may close, and no more.
  struct Relaxing {
    T per_h;
    explicit Relaxing(const SweepSettings& settings) : per_h(Real(1 / settings.h)) {}
    CAIRN_INLINE T normal_impulse(const T& old, const T& mass, const T& speed, const T& separation) const {
      return larger(old - mass * (speed + larger(separation, T(0)) * per_h), T(0));
    }
  };
  // Of one that draws in.
  struct DrawingIn {
    T per_h, rate, push, give, leak;
    explicit DrawingIn(const SweepSettings& settings) : per_h(Real(1 / settings.h)) {
      const double omega = settings.frequency, a1 = 2 * settings.damping_ratio + settings.h * omega,
                   a2 = settings.h * omega * a1;
      rate = T(Real(omega / a1)), push = T(Real(-settings.push_speed));
      give = T(Real(a2 / (1 + a2))), leak = T(Real(1 / (1 + a2)));
    }
    CAIRN_INLINE T normal_impulse(const T& old, const T& mass, const T& speed, const T& separation) const {
      const auto gap = separation > T(0);
      const T bias = larger(separation * select(gap, per_h, rate), push);
      const T gives = select(gap, T(1), give), leaks = select(gap, T(0), leak);
      return larger(old - gives * mass * (speed + bias) - leaks * old, T(0));
    }
  };

  // The velocities of the bodies at the centre of friction, against each other and along the patch's axes, are all that its
  // rows see of them: they are kept up to date with every impulse, the bodies only once.
  template <int Count, class Rule>
  CAIRN_INLINE static void solve_group(Group& group, int at, Moving* moving, const Inert* inert,
                                       const Rule& rule, bool has_moved) {
    const Rows rows_a = Rows::load(group.a + at), rows_b = Rows::load(group.b + at);
    const Frame f = frame_of(group, at);
    if (has_moved) find_separations(group, at, f, moving, rows_a, rows_b);
    Body a, b;
    load_velocity(a, moving, rows_a), load_velocity(b, moving, rows_b);
    const Vec velocity = b.velocity_at(load(group.center_b, at)) - a.velocity_at(load(group.center_a, at));
    const auto turning = b.angular_velocity - a.angular_velocity;
    const T closing = dot(f.n, velocity);
    Surface slip = f.t.along(velocity);
    if (group.conveys) slip += load(group.conveyor, at);
    const Surface tilting = f.t.tilt_of(turning);
    T spin = f.t.spin_of(f.n, turning);

    Push push;
    T changes[Count], load_sum(0), lever_sum(0);
    unroll<Count>([&](int k) CAIRN_INLINE_LAMBDA {
      typename Group::Point& point = group.points[k];
      const Surface tilt = load(point.tilt, at);
      T speed = closing + inner(tilt, tilting);
      for (int i = 0; i < k; ++i) speed += load(group.coupling[k * (k - 1) / 2 + i], at) * changes[i];
      const T old = load(point.normal_impulse, at);
      const T impulse =
          rule.normal_impulse(old, load(point.normal_mass, at), speed, load(point.separation, at));
      store(point.normal_impulse, at, impulse);
      const T change = changes[k] = impulse - old;
      push.normal += change;
      push.tilt += change * tilt;
      slip += change * load(point.slips, at);
      spin += change * load(point.spins, at);
      load_sum += impulse;
      lever_sum += impulse * load(point.lever, at);
    });
    rub(group, at, slip, spin, load_sum, lever_sum, push);
    load_inert(a, inert, rows_a), load_inert(b, inert, rows_b);  // as late as that: registers are few
    push.apply(group, at, f, a, b);
    if (group.resists) {
      const auto old = load(group.turning_impulse, at);
      const auto impulse = resist(old, f.n, b.angular_velocity - a.angular_velocity,
                                  load(group.rolling_mass, at), load(group.twist_mass, at),
                                  load(group.rolling, at) * load_sum, load(group.spinning, at) * load_sum);
      store(group.turning_impulse, at, impulse);
      a.angular_velocity -= a.inverse_inertia * (impulse - old);
      b.angular_velocity += b.inverse_inertia * (impulse - old);
    }
    store_velocity(a, moving, rows_a), store_velocity(b, moving, rows_b);
  }

  static void solve(Group* groups, std::size_t count, Moving* moving, const Inert* inert,
                    const SweepSettings& settings) {
    const auto sweep = [&](const auto& rule) CAIRN_INLINE_LAMBDA {
      for_parts(groups, count, [&](Group* group, int at) CAIRN_INLINE_LAMBDA {
        unroll<Group::k_most_points>([&]<int K>(Constant<K>) CAIRN_INLINE_LAMBDA {
          if (group->count == K + 1) solve_group<K + 1>(*group, at, moving, inert, rule, settings.has_moved);
        });
      });
    };
    if (settings.draws_in)
      sweep(DrawingIn(settings));
    else
      sweep(Relaxing(settings));
  }

  CAIRN_INLINE static void add_up_group(Group& group, int at) {
    for (int k = 0; k < group.count; ++k) {
      typename Group::PointRest& rest = group.rest[k];
      store(rest.total_normal_impulse, at,
            load(rest.total_normal_impulse, at) + load(group.points[k].normal_impulse, at));
    }
    store(group.total_tangent_impulse, at,
          load(group.total_tangent_impulse, at) + load(group.tangent_impulse, at));
  }
  static void add_up(Group* groups, std::size_t count) {
    for_parts(groups, count, [&](Group* group, int at) CAIRN_INLINE_LAMBDA { add_up_group(*group, at); });
  }

  static void bounce(Group* groups, std::size_t count, Moving* moving, const Inert* inert,
                     const SweepSettings& settings) {
    const T resting(Real(-settings.resting_speed)), zero(0);
    for_parts(groups, count, [&](Group* group, int at) CAIRN_INLINE_LAMBDA {
      if (!group->bounces) return;
      const Rows rows_a = Rows::load(group->a + at), rows_b = Rows::load(group->b + at);
      Body a, b;
      load_bodies(a, b, moving, inert, rows_a, rows_b);
      const Frame f = frame_of(*group, at);
      const Vec n = f.n;
      const T restitution = load(group->restitution, at);
      T left = load(group->taken, at);
      for (int k = 0; k < group->count; ++k) {
        typename Group::Point& point = group->points[k];
        typename Group::PointRest& rest = group->rest[k];
        const Vec place = f.t.vector(place_of(load(point.tilt, at))) + load(point.height, at) * n;
        const Vec arm_a = load(group->center_a, at) + place, arm_b = load(group->center_b, at) + place;
        const T approach = load(rest.approach, at), total = load(rest.total_normal_impulse, at);
        const T wanted = -restitution * approach;
        const T speed = dot(n, b.velocity_at(arm_b) - a.velocity_at(arm_a));
        const auto meets = (approach < resting) & (total > zero) & (restitution > zero);
        // Of the bodies as they have turned: that of the step's start may be wrong by a factor for a spinning rod.
        const T mass = inverse_or_zero(a.yields(n, n, arm_a) + b.yields(n, n, arm_b));
        const T asked =
            smaller(mass * (wanted - speed), most_push(mass, speed, left));  // may be below 0 by rounding
        const T change = select(meets, larger(asked, -load(point.normal_impulse, at)), zero);
        left = larger(left - work_of_push(mass, speed, change), zero);
        store(point.normal_impulse, at, load(point.normal_impulse, at) + change);
        store(rest.total_normal_impulse, at, total + change);
        a.pull(change * n, arm_a);
        b.push(change * n, arm_b);
      }
      store(group->taken, at, left);
      store_velocity(a, moving, rows_a), store_velocity(b, moving, rows_b);
    });
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
