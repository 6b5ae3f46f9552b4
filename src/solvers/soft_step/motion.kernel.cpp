// Between the bodies' doubles and the records that the sweeps read and write.
//
// Bodies go in lanes, and each of them once: all that happens to it between two sweeps is done while it is in registers.
// Records of the plane have four numbers where three would do: those are gathered and scattered at once.
#include "bodies/kernels/drift_lanes.h"
#include "solvers/soft_step/kernels.h"

namespace cairn::CAIRN_SET {

namespace {

using T = DriftLane;
using Rows = Indices<T::k_count>;

template <class Real>
using Narrow = Wide<Real, T::k_count>;
CAIRN_INLINE void narrow(const T& from, Narrow<float>& to) { to = to_float(from); }
CAIRN_INLINE void narrow(const T& from, Narrow<double>& to) { to = from; }
CAIRN_INLINE T widened(const Narrow<float>& x) { return to_double(x); }
CAIRN_INLINE T widened(const Narrow<double>& x) { return x; }

// f(bodies, a bit for each lane that has one of its own)
template <class F>
CAIRN_INLINE void for_lanes(const std::uint32_t* rows, std::size_t count, const F& f) {
  constexpr std::size_t n = T::k_count;
  for (std::size_t first = 0; first < count; first += n) {
    const std::size_t left = count - first;
    f(left < n ? Rows::load_first(rows + first, left) : Rows::load(rows + first),
      left < n ? (1u << left) - 1 : ~0u);
  }
}

// Velocities come last in a state and first in a MovingBody, where they are an even number.
template <class D>
constexpr int k_velocity = k_state_numbers<D> - D::k_dof;
template <class D>
constexpr int k_given = D::k_dof + D::k_dof % 2;
template <class D, class Real>
constexpr int k_moving = sizeof(MovingBody<D, Real>) / sizeof(Real);

// What lanes leave alone stays what it was, to the last bit: floats were given these velocities, rounded.
template <class D, class Real>
CAIRN_INLINE void take_lanes(const MotionPass<D, Real>& pass, const Rows& bodies, T* velocity) {
  const auto now = gather_records<k_given<D>, k_moving<D, Real>>(pass.moving->velocity, bodies);
  unroll<D::k_dof>([&](int k) CAIRN_INLINE_LAMBDA {
    Narrow<Real> given;
    narrow(velocity[k], given);
    velocity[k] += widened(now[k]) - widened(given);
  });
}
template <class D, class Real>
CAIRN_INLINE void give_lanes(const MotionPass<D, Real>& pass, const Rows& bodies, const T* velocity) {
  Records<Real, T::k_count, k_given<D>> given{};
  unroll<D::k_dof>([&](int k) CAIRN_INLINE_LAMBDA { narrow(velocity[k], given.field[k]); });
  scatter_records<k_given<D>, k_moving<D, Real>>(pass.moving->velocity, bodies, given);
}

// Velocities, and how far the bodies are from the start. True where they have turned far.
template <class Real>
CAIRN_INLINE T::Mask load_lanes(const MotionPass<Dim2, Real>& pass, const Rows& bodies,
                                const StateLanes<Dim2>& n) {
  const auto s = gather_records<4, k_state_numbers<Dim2>>(&pass.start->position.x, bodies);
  const Rot2T<T> turned = Rot2T<T>{n[2], n[3]} * inverse(Rot2T<T>{s[2], s[3]});
  const T all[8] = {n[4], n[5], n[6], T(0), n[0] - s[0], n[1] - s[1], turned.c - T(1), turned.s};
  Records<Real, T::k_count, 8> body;
  unroll<8>([&](int k) CAIRN_INLINE_LAMBDA { narrow(all[k], body.field[k]); });
  scatter_records<8>(pass.moving->velocity, bodies, body);
  const T sine = widened(body[7]);
  return sine * sine > T(k_turned_far * k_turned_far);
}
template <class Real>
CAIRN_INLINE T::Mask load_lanes(const MotionPass<Dim3, Real>& pass, const Rows& bodies,
                                const StateLanes<Dim3>& n) {
  const auto s = gather_records<7, k_state_numbers<Dim3>>(&pass.start->position.x, bodies);
  const auto i = gather_records<6, k_mass_numbers<Dim3>>(&pass.masses->inverse_inertia.xx, bodies);
  const Rot3T<T> rotation{n[3], n[4], n[5], n[6]};
  const Rot3T<T> turned = rotation * inverse(Rot3T<T>{s[3], s[4], s[5], s[6]});
  const Sym3T<T> inertia = rotated(rotation, Sym3T<T>{i[0], i[1], i[2], i[3], i[4], i[5]});
  const T all[13] = {n[7],     n[8],        n[9],        n[10],       n[11],
                     n[12],    n[0] - s[0], n[1] - s[1], n[2] - s[2], turned.w - T(1),
                     turned.x, turned.y,    turned.z};
  const T inverse_inertia[6] = {inertia.xx, inertia.yy, inertia.zz, inertia.xy, inertia.xz, inertia.yz};
  Records<Real, T::k_count, 13> body;
  Records<Real, T::k_count, 6> turns;
  unroll<13>([&](int k) CAIRN_INLINE_LAMBDA { narrow(all[k], body.field[k]); });
  unroll<6>([&](int k) CAIRN_INLINE_LAMBDA { narrow(inverse_inertia[k], turns.field[k]); });
  scatter_records<13, k_moving<Dim3, Real>>(pass.moving->velocity, bodies, body);
  scatter_records<6, sizeof(*pass.inert) / sizeof(Real)>(pass.inert->inverse_inertia, bodies, turns);
  const T x = widened(body[10]), y = widened(body[11]), z = widened(body[12]);
  return x * x + y * y + z * z > T(k_turned_far * k_turned_far);
}

// True where a body stays where it is: the kernel cannot move it.
template <class Real>
CAIRN_INLINE T::Mask fly(const MotionPass<Dim2, Real>& pass, const Rows&, StateLanes<Dim2>& state) {
  return drift_lanes(state, pass.h);
}
template <class Real>
CAIRN_INLINE T::Mask fly(const MotionPass<Dim3, Real>& pass, const Rows& bodies, StateLanes<Dim3>& state) {
  drift_lanes(state, pass.masses, bodies, pass.h);
  return T(0) > T(0);
}

template <class D, class Real>
struct Motion {
  using Pass = MotionPass<D, Real>;

  static void take(const Pass& pass, const std::uint32_t* rows, std::size_t count) {
    for_lanes(rows, count, [&](const Rows& bodies, std::uint32_t) CAIRN_INLINE_LAMBDA {
      auto v = gather_records<D::k_dof, k_state_numbers<D>>(&pass.states->velocity.x, bodies);
      take_lanes(pass, bodies, v.field);
      scatter_records<D::k_dof, k_state_numbers<D>>(&pass.states->velocity.x, bodies, v);
    });
  }

  static void kick(const Pass& pass, const std::uint32_t* rows, std::size_t count) {
    for_lanes(rows, count, [&](const Rows& bodies, std::uint32_t) CAIRN_INLINE_LAMBDA {
      auto v = gather_records<D::k_dof, k_state_numbers<D>>(&pass.states->velocity.x, bodies);
      if (pass.takes) take_lanes(pass, bodies, v.field);
      const auto kick = gather_records<D::k_linear>(&pass.kicks->x, bodies);
      unroll<D::k_linear>([&](int k) CAIRN_INLINE_LAMBDA { v.field[k] += kick[k]; });
      scatter_records<D::k_dof, k_state_numbers<D>>(&pass.states->velocity.x, bodies, v);
      give_lanes(pass, bodies, v.field);
    });
  }

  static Moved move(const Pass& pass, const std::uint32_t* rows, std::size_t count, std::uint32_t* left) {
    Moved moved;
    for_lanes(rows, count, [&](const Rows& bodies, std::uint32_t lanes) CAIRN_INLINE_LAMBDA {
      StateLanes<D> state = gather_records<k_state_numbers<D>>(&pass.states->position.x, bodies);
      T* const v = state.field + k_velocity<D>;
      if (pass.takes) take_lanes(pass, bodies, v);
      if (pass.h > 0) {
        Records<double, T::k_count, D::k_dof> correction;
        if (pass.corrections) {
          correction = gather_records<D::k_dof>(pass.corrections, bodies);
          unroll<D::k_dof>([&](int k) CAIRN_INLINE_LAMBDA { v[k] += correction[k]; });
        }
        const T::Mask stays = fly(pass, bodies, state);
        if (pass.corrections)
          unroll<D::k_dof>([&](int k)
                               CAIRN_INLINE_LAMBDA { v[k] = select(stays, v[k], v[k] - correction[k]); });
        scatter_records<k_state_numbers<D>>(&pass.states->position.x, bodies, state);
        for (std::uint32_t far = bits(stays) & lanes; far; far &= far - 1)
          left[moved.left++] = bodies.at[__builtin_ctz(far)];
      }
      if (!pass.start) {
        give_lanes(pass, bodies, v);
        return;
      }
      for (std::uint32_t far = bits(load_lanes(pass, bodies, state)); far; far &= far - 1) {
        pass.turned_far[bodies.at[__builtin_ctz(far)]] = 1;
        moved.turned_far = true;
      }
    });
    return moved;
  }
};

template <class D, class Real>
constexpr MotionKernels<D, Real> k_kernels{
    .take = Motion<D, Real>::take, .kick = Motion<D, Real>::kick, .move = Motion<D, Real>::move};

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
