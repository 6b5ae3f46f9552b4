// The sweeps over pins: lanes loaded, the formulas of pins.h, lanes stored.
#include "solvers/soft_step/lane_bodies.h"
#include "solvers/soft_step/pin_lanes.h"

namespace cairn::CAIRN_SET {
namespace {

// Bodies where they are, in doubles.
using W = Wide<double, k_lanes<double>>;
using WideRows = Indices<W::k_count>;

CAIRN_INLINE void read_pose(const BodyState<Dim2>* states, const WideRows& rows, Vec2T<W>& position,
                            Rot2T<W>& rotation) {
  const auto s = gather_records<4, sizeof(*states) / sizeof(double)>(&states->position.x, rows);
  position = {s[0], s[1]}, rotation = {s[2], s[3]};
}
CAIRN_INLINE void read_pose(const BodyState<Dim3>* states, const WideRows& rows, Vec3T<W>& position,
                            Rot3T<W>& rotation) {
  const auto s = gather_records<7, sizeof(*states) / sizeof(double)>(&states->position.x, rows);
  position = {s[0], s[1], s[2]}, rotation = {s[3], s[4], s[5], s[6]};
}
CAIRN_INLINE void read_mass(const PinBody<Dim2>* bodies, const Rot2T<W>&, const WideRows& rows,
                            LaneBody<Dim2, W>& body) {
  const auto m = gather_records<2>(&bodies->inverse_mass, rows);
  body.inverse_mass = {m[0], m[0]};
  body.inverse_inertia = m[1];
}
CAIRN_INLINE void read_mass(const PinBody<Dim3>* bodies, const Rot3T<W>& rotation, const WideRows& rows,
                            LaneBody<Dim3, W>& body) {
  const auto m = gather_records<7>(&bodies->inverse_mass, rows);
  body.inverse_mass = {m[0], m[0], m[0]};
  body.inverse_inertia = rotated(rotation, Sym3T<W>{m[1], m[2], m[3], m[4], m[5], m[6]});
}

// K⁻¹ of a point, which no axis that is locked makes singular.
template <class T>
struct PointMass2 {
  T xx, yy, xy;
  CAIRN_INLINE Vec2T<T> operator*(const Vec2T<T>& v) const {
    return {xx * v.x + xy * v.y, xy * v.x + yy * v.y};
  }
};
CAIRN_INLINE PointMass2<W> point_mass(const LaneBody<Dim2, W>& a, const LaneBody<Dim2, W>& b,
                                      const Vec2T<W>& arm_a, const Vec2T<W>& arm_b) {
  const Vec2T<W> x{W(1), W(0)}, y{W(0), W(1)};
  const W xx = a.yields(x, x, arm_a) + b.yields(x, x, arm_b);
  const W yy = a.yields(y, y, arm_a) + b.yields(y, y, arm_b);
  const W xy = a.yields(x, y, arm_a) + b.yields(x, y, arm_b);
  const W det = W(1) / (xx * yy - xy * xy);
  return {yy * det, xx * det, -xy * det};
}
CAIRN_INLINE Sym3T<W> point_mass(const LaneBody<Dim3, W>& a, const LaneBody<Dim3, W>& b,
                                 const Vec3T<W>& arm_a, const Vec3T<W>& arm_b) {
  const Vec3T<W> x{W(1), W(0), W(0)}, y{W(0), W(1), W(0)}, z{W(0), W(0), W(1)};
  const auto k = [&](const Vec3T<W>& u, const Vec3T<W>& w)
                     CAIRN_INLINE_LAMBDA { return a.yields(u, w, arm_a) + b.yields(u, w, arm_b); };
  return inverse(Sym3T<W>{k(x, x), k(y, y), k(z, z), k(x, y), k(x, z), k(y, z)});
}

CAIRN_INLINE void narrow(const W& from, float* to) { to_float(from).store(to); }
CAIRN_INLINE void narrow(const W& from, double* to) { from.store(to); }
template <class Real>
CAIRN_INLINE void narrow(const Vec2T<W>& v, Real (&to)[2][k_width], int at) {
  narrow(v.x, to[0] + at), narrow(v.y, to[1] + at);
}
template <class Real>
CAIRN_INLINE void narrow(const Vec3T<W>& v, Real (&to)[3][k_width], int at) {
  narrow(v.x, to[0] + at), narrow(v.y, to[1] + at), narrow(v.z, to[2] + at);
}
template <class Real>
CAIRN_INLINE void narrow(const PointMass2<W>& m, Real (&to)[3][k_width], int at) {
  narrow(m.xx, to[0] + at), narrow(m.yy, to[1] + at), narrow(m.xy, to[2] + at);
}
template <class Real>
CAIRN_INLINE void narrow(const W& m, Real (&to)[1][k_width], int at) {
  narrow(m, to[0] + at);
}
template <class Real>
CAIRN_INLINE void narrow(const Sym3T<W>& m, Real (&to)[6][k_width], int at) {
  const W six[6] = {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz};
  for (int i = 0; i < 6; ++i) narrow(six[i], to[i] + at);
}
template <class Real>
CAIRN_INLINE Lane<Real> load_matrix(const Real (&from)[1][k_width], int at) {
  return load(from[0], at);
}
template <class Real>
CAIRN_INLINE PointMass2<Lane<Real>> load_matrix(const Real (&from)[3][k_width], int at) {
  return {load(from[0], at), load(from[1], at), load(from[2], at)};
}
template <class Real>
CAIRN_INLINE Sym3T<Lane<Real>> load_matrix(const Real (&from)[6][k_width], int at) {
  return {load(from[0], at), load(from[1], at), load(from[2], at),
          load(from[3], at), load(from[4], at), load(from[5], at)};
}
// No translation of theirs is locked: masses are the same along all axes.
template <class T>
CAIRN_INLINE void set_mass(LaneBody<Dim2, T>& body, const T& inverse) {
  body.inverse_mass = {inverse, inverse};
}
template <class T>
CAIRN_INLINE void set_mass(LaneBody<Dim3, T>& body, const T& inverse) {
  body.inverse_mass = {inverse, inverse, inverse};
}
CAIRN_INLINE Vec2T<W> load_wide(const double (&from)[2][k_width], int at) {
  return {W::load(from[0] + at), W::load(from[1] + at)};
}
CAIRN_INLINE Vec3T<W> load_wide(const double (&from)[3][k_width], int at) {
  return {W::load(from[0] + at), W::load(from[1] + at), W::load(from[2] + at)};
}

template <class D, class Real>
struct Pin {
  using T = Lane<Real>;
  using Group = PinGroup<D, Real>;
  using Moving = MovingBody<D, Real>;

  static void prepare(Group* groups, std::size_t count, const BodyState<D>* states, const PinBody<D>* bodies,
                      double rate) {
    for (Group* group = groups; group != groups + count; ++group)
      for (int at = 0; at < k_width; at += W::k_count) {  // those that repeat the last one, too
        const WideRows rows_a = WideRows::load(group->a + at), rows_b = WideRows::load(group->b + at);
        VecOf<D, W> position_a, position_b;
        RotOf<D, W> rotation_a, rotation_b;
        read_pose(states, rows_a, position_a, rotation_a);
        read_pose(states, rows_b, position_b, rotation_b);
        const VecOf<D, W> arm_a = rotation_a * load_wide(group->anchor_a, at),
                          arm_b = rotation_b * load_wide(group->anchor_b, at);
        const VecOf<D, W> gap = (position_b - position_a) + (arm_b - arm_a);
        LaneBody<D, W> a{}, b{};
        read_mass(bodies, rotation_a, rows_a, a);
        read_mass(bodies, rotation_b, rows_b, b);
        narrow(arm_a, group->arm_a, at);
        narrow(arm_b, group->arm_b, at);
        narrow(point_mass(a, b, arm_a, arm_b), group->mass, at);
        narrow(W(rate) * gap, group->bias, at);
        narrow(a.inverse_mass.x, group->inverse_mass_a + at);
        narrow(b.inverse_mass.x, group->inverse_mass_b + at);
        narrow(a.inverse_inertia, group->inverse_inertia_a, at);
        narrow(b.inverse_inertia, group->inverse_inertia_b, at);
      }
  }

  // f(group, first lane, velocity of b's end against a's) is the impulse to be applied. Bodies that do not move, which pins share, are
  // left as they are even by one that is not finite.
  template <class G, class F>
  CAIRN_INLINE static void for_parts(G* groups, std::size_t count, Moving* moving, const F& f) {
    for (G* group = groups; group != groups + count; ++group)
      for (int at = 0; at < group->lanes; at += T::k_count) {
        const auto rows_a = Rows<Real>::load(group->a + at), rows_b = Rows<Real>::load(group->b + at);
        LaneBody<D, T> a, b;
        set_mass(a, load(group->inverse_mass_a, at)), set_mass(b, load(group->inverse_mass_b, at));
        a.inverse_inertia = load_matrix(group->inverse_inertia_a, at);
        b.inverse_inertia = load_matrix(group->inverse_inertia_b, at);
        load_velocity(a, moving, rows_a), load_velocity(b, moving, rows_b);
        const VecOf<D, T> arm_a = load(group->arm_a, at), arm_b = load(group->arm_b, at);
        const VecOf<D, T> push = f(*group, at, b.velocity_at(arm_b) - a.velocity_at(arm_a));
        const VecOf<D, T> none{};
        a.pull(choose(a.inverse_mass.x > T(0), push, none), arm_a);
        b.push(choose(b.inverse_mass.x > T(0), push, none), arm_b);
        store_velocity(a, moving, rows_a), store_velocity(b, moving, rows_b);
      }
  }

  static void warm_start(const Group* groups, std::size_t count, Moving* moving) {
    for_parts(groups, count, moving, [&](const Group& group, int at, const VecOf<D, T>&) CAIRN_INLINE_LAMBDA {
      return load(group.impulse, at);
    });
  }

  static void solve(Group* groups, std::size_t count, Moving* moving, const PinSweep& sweep) {
    const T give(Real(sweep.give)), leak(Real(sweep.leak)), draws_in(sweep.draws_in ? Real(1) : Real(0));
    for_parts(groups, count, moving,
              [&](Group& group, int at, const VecOf<D, T>& velocity) CAIRN_INLINE_LAMBDA {
                const VecOf<D, T> old = load(group.impulse, at);
                const VecOf<D, T> wanted = velocity + draws_in * load(group.bias, at);
                const VecOf<D, T> change = -(give * (load_matrix(group.mass, at) * wanted)) - leak * old;
                store(group.impulse, at, old + change);
                return change;
              });
  }

  static void add_up(Group* groups, std::size_t count) {
    for (Group* group = groups; group != groups + count; ++group)
      for (int at = 0; at < group->lanes; at += T::k_count)
        store(group->total, at, load(group->total, at) + load(group->impulse, at));
  }
};

template <class D, class Real>
constexpr PinKernels<D, Real> k_kernels{.prepare = Pin<D, Real>::prepare,
                                        .warm_start = Pin<D, Real>::warm_start,
                                        .solve = Pin<D, Real>::solve,
                                        .add_up = Pin<D, Real>::add_up};

}  // namespace

extern const PinKernels<Dim2, float> k_pins_2f;
extern const PinKernels<Dim2, double> k_pins_2d;
extern const PinKernels<Dim3, float> k_pins_3f;
extern const PinKernels<Dim3, double> k_pins_3d;
constinit const PinKernels<Dim2, float> k_pins_2f = k_kernels<Dim2, float>;
constinit const PinKernels<Dim2, double> k_pins_2d = k_kernels<Dim2, double>;
constinit const PinKernels<Dim3, float> k_pins_3f = k_kernels<Dim3, float>;
constinit const PinKernels<Dim3, double> k_pins_3d = k_kernels<Dim3, double>;

}  // namespace cairn::CAIRN_SET
