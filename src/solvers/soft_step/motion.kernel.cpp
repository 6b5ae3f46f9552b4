// Between the bodies' doubles and the records that the sweeps read and write.
//
// Bodies go in lanes. Records of the plane have four numbers where three would do: those are gathered and scattered at once.
#include "math/wide.h"
#include "solvers/soft_step/kernels.h"

namespace cairn::CAIRN_SET {

namespace {

using T = Wide<double, k_lanes<double>>;
using Rows = Indices<T::k_count>;

template <class Real>
using Narrow = Wide<Real, T::k_count>;
CAIRN_INLINE void narrow(const T& from, Narrow<float>& to) { to = to_float(from); }
CAIRN_INLINE void narrow(const T& from, Narrow<double>& to) { to = from; }
CAIRN_INLINE T widened(const Narrow<float>& x) { return to_double(x); }
CAIRN_INLINE T widened(const Narrow<double>& x) { return x; }

template <class F>
CAIRN_INLINE void for_lanes(const std::uint32_t* rows, std::size_t count, const F& f) {
  constexpr std::size_t n = T::k_count;
  for (std::size_t first = 0; first < count; first += n) {
    const std::size_t left = count - first;
    f(left < n ? Rows::load_first(rows + first, left) : Rows::load(rows + first));
  }
}

template <class D, class Real>
struct Motion;

template <class Real>
struct Motion<Dim2, Real> {
  using State = BodyState<Dim2>;
  static constexpr int k_state = sizeof(State) / sizeof(double), k_velocity = 4;
  static constexpr int k_moving = sizeof(MovingBody<Dim2, Real>) / sizeof(Real);
  using Velocity = Records<Real, T::k_count, 4>;  // the last is nothing

  // Inertias of the plane do not turn: they are what they were.
  static void load(const State* start, const State* now, const BodyMass<Dim2>*, const std::uint32_t* rows,
                   std::size_t count, MovingBody<Dim2, Real>* moving, InertBody<Dim2, Real>*,
                   GivenVelocity<Dim2, Real>* given) {
    for_lanes(rows, count, [&](const Rows& bodies) CAIRN_INLINE_LAMBDA {
      const auto s = gather_records<k_velocity, k_state>(&start->position.x, bodies);
      const auto n = gather_records<k_state>(&now->position.x, bodies);
      const Rot2T<T> turned = Rot2T<T>{n[2], n[3]} * inverse(Rot2T<T>{s[2], s[3]});
      const T all[k_moving] = {n[4], n[5], n[6], T(0), n[0] - s[0], n[1] - s[1], turned.c - T(1), turned.s};
      Records<Real, T::k_count, k_moving> body;
      Velocity velocity;
      unroll<k_moving>([&](int k) CAIRN_INLINE_LAMBDA { narrow(all[k], body.field[k]); });
      unroll<4>([&](int k) CAIRN_INLINE_LAMBDA { velocity.field[k] = body.field[k]; });
      scatter_records<k_moving>(moving->velocity, bodies, body);
      scatter_records<4>(given->velocity, bodies, velocity);
    });
  }

  // What float lanes leave alone stays what it was, to the last bit.
  static void take(const MovingBody<Dim2, Real>* moving, const std::uint32_t* rows, std::size_t count,
                   GivenVelocity<Dim2, Real>* given, State* now) {
    for_lanes(rows, count, [&](const Rows& bodies) CAIRN_INLINE_LAMBDA {
      const Velocity after = gather_records<4, k_moving>(moving->velocity, bodies);
      const Velocity before = gather_records<4>(given->velocity, bodies);
      auto state = gather_records<3, k_state>(&now->velocity.x, bodies);
      unroll<3>([&](int k) CAIRN_INLINE_LAMBDA { state.field[k] += widened(after[k]) - widened(before[k]); });
      scatter_records<3, k_state>(&now->velocity.x, bodies, state);
      scatter_records<4>(given->velocity, bodies, after);
    });
  }
};

template <class Real>
struct Motion<Dim3, Real> {
  using State = BodyState<Dim3>;
  static constexpr int k_state = sizeof(State) / sizeof(double), k_velocity = 7;
  static constexpr int k_mass = sizeof(BodyMass<Dim3>) / sizeof(double);
  using Velocity = Records<Real, T::k_count, 6>;

  static void load(const State* start, const State* now, const BodyMass<Dim3>* masses,
                   const std::uint32_t* rows, std::size_t count, MovingBody<Dim3, Real>* moving,
                   InertBody<Dim3, Real>* inert, GivenVelocity<Dim3, Real>* given) {
    for_lanes(rows, count, [&](const Rows& bodies) CAIRN_INLINE_LAMBDA {
      const auto s = gather_records<k_velocity, k_state>(&start->position.x, bodies);
      const auto n = gather_records<k_state>(&now->position.x, bodies);
      const auto i = gather_records<6, k_mass>(&masses->inverse_inertia.xx, bodies);
      const Rot3T<T> rotation{n[3], n[4], n[5], n[6]};
      const Rot3T<T> turned = rotation * inverse(Rot3T<T>{s[3], s[4], s[5], s[6]});
      const Sym3T<T> inertia = rotated(rotation, Sym3T<T>{i[0], i[1], i[2], i[3], i[4], i[5]});
      const T moved[7] = {n[0] - s[0], n[1] - s[1], n[2] - s[2], turned.w - T(1),
                          turned.x,    turned.y,    turned.z};
      const T inverse_inertia[6] = {inertia.xx, inertia.yy, inertia.zz, inertia.xy, inertia.xz, inertia.yz};
      Records<Real, T::k_count, 13> all;
      Velocity velocity, turns;
      unroll<6>([&](int k) CAIRN_INLINE_LAMBDA {
        narrow(n[k_velocity + k], all.field[k]);
        velocity.field[k] = all.field[k];
        narrow(inverse_inertia[k], turns.field[k]);
      });
      unroll<7>([&](int k) CAIRN_INLINE_LAMBDA { narrow(moved[k], all.field[6 + k]); });
      scatter_records<13, sizeof(*moving) / sizeof(Real)>(moving->velocity, bodies, all);
      scatter_records<6>(given->velocity, bodies, velocity);
      scatter_records<6, sizeof(*inert) / sizeof(Real)>(inert->inverse_inertia, bodies, turns);
    });
  }

  static void take(const MovingBody<Dim3, Real>* moving, const std::uint32_t* rows, std::size_t count,
                   GivenVelocity<Dim3, Real>* given, State* now) {
    for_lanes(rows, count, [&](const Rows& bodies) CAIRN_INLINE_LAMBDA {
      const Velocity after = gather_records<6, sizeof(*moving) / sizeof(Real)>(moving->velocity, bodies);
      const Velocity before = gather_records<6>(given->velocity, bodies);
      auto state = gather_records<6, k_state>(&now->velocity.x, bodies);
      unroll<6>([&](int k) CAIRN_INLINE_LAMBDA { state.field[k] += widened(after[k]) - widened(before[k]); });
      scatter_records<6, k_state>(&now->velocity.x, bodies, state);
      scatter_records<6>(given->velocity, bodies, after);
    });
  }
};

template <class D, class Real>
constexpr MotionKernels<D, Real> k_kernels{.load = Motion<D, Real>::load, .take = Motion<D, Real>::take};

}  // namespace

extern const MotionKernels<Dim2, float> k_motion_2f;
extern const MotionKernels<Dim2, double> k_motion_2d;
extern const MotionKernels<Dim3, float> k_motion_3f;
extern const MotionKernels<Dim3, double> k_motion_3d;
constinit const MotionKernels<Dim2, float> k_motion_2f = k_kernels<Dim2, float>;
constinit const MotionKernels<Dim2, double> k_motion_2d = k_kernels<Dim2, double>;
constinit const MotionKernels<Dim3, float> k_motion_3f = k_kernels<Dim3, float>;
constinit const MotionKernels<Dim3, double> k_motion_3d = k_kernels<Dim3, double>;

}  // namespace cairn::CAIRN_SET
