#include "solvers/soft_step/stops.h"

namespace cairn {
namespace {

template <class Real>
double spin_of(const MovingBody<Dim2, Real>& body) {
  return double(body.velocity[2]);
}
template <class Real>
Vec3 spin_of(const MovingBody<Dim3, Real>& body) {
  return {double(body.velocity[3]), double(body.velocity[4]), double(body.velocity[5])};
}
template <class Real>
void add_spin(MovingBody<Dim2, Real>& body, double change) {
  body.velocity[2] += Real(change);
}
template <class Real>
void add_spin(MovingBody<Dim3, Real>& body, const Vec3& change) {
  body.velocity[3] += Real(change.x), body.velocity[4] += Real(change.y), body.velocity[5] += Real(change.z);
}
template <class D, class Real>
void push(const Stop<D>& stop, double impulse, MovingBody<D, Real>* moving) {
  add_spin(moving[stop.a], -impulse * stop.yield_a);
  add_spin(moving[stop.b], impulse * stop.yield_b);
}

}  // namespace

template <class D>
bool Stops<D>::add(Stop<D> stop, const AngleLimit<D>& limit, const typename D::Inertia& inverse_inertia_a,
                   const typename D::Inertia& inverse_inertia_b, double h, double rate) {
  stop.turn = limit.turn;
  stop.slot = limit.slot;
  stop.yield_a = inverse_inertia_a * limit.turn;
  stop.yield_b = inverse_inertia_b * limit.turn;
  const double k = dot(stop.turn, stop.yield_a) + dot(stop.turn, stop.yield_b);
  if (!(k > 0)) return false;
  stop.place(limit.position, h, rate);
  if (limit.frequency > 0 && !(limit.position > 0)) {  // a spring and damper, by implicit Euler (bonds.cpp)
    const double omega = 2 * k_pi * limit.frequency, stiffness = omega * omega / k;
    const double push = h * stiffness + 2 * limit.damping_ratio * omega / k;
    stop.softness = 1 / (h * push);
    stop.draw_in = stop.hold = stiffness * limit.position / push;
  }
  stop.mass = 1 / (k + stop.softness);
  stop.impulse = larger(stop.impulse, 0.);
  now_.push_back(stop);
  return true;
}

template <class D>
void Stops<D>::keep(std::uint32_t first, std::uint32_t count, std::span<const BodyState<D>> states, double h,
                    double rate) {
  for (const Stop<D>& old : std::span(before_).subspan(first, count)) {
    Stop<D>& stop = now_.emplace_back(old);
    const auto speed = states[stop.b].angular_velocity - states[stop.a].angular_velocity;
    stop.place(stop.position + h * dot(stop.turn, speed), h, rate);
  }
}

template <class D>
template <class Real>
void Stops<D>::warm_start(MovingBody<D, Real>* moving) const {
  for (const Stop<D>& stop : now_)
    if (stop.impulse > 0) push(stop, stop.impulse, moving);
}

template <class D>
template <class Real>
void Stops<D>::sweep(MovingBody<D, Real>* moving, bool draws_in) {
  for (Stop<D>& stop : now_) {
    const double speed = dot(stop.turn, spin_of(moving[stop.b]) - spin_of(moving[stop.a]));
    const double wanted = speed + (draws_in ? stop.draw_in : stop.hold) + stop.softness * stop.impulse;
    const double impulse = larger(stop.impulse - stop.mass * wanted, 0.);
    if (impulse == stop.impulse) continue;  // as with most
    push(stop, impulse - stop.impulse, moving);
    stop.impulse = impulse;
  }
}

template class Stops<Dim2>;
template class Stops<Dim3>;
#define CAIRN_STOPS_ON(D, Real)                                   \
  template void Stops<D>::warm_start(MovingBody<D, Real>*) const; \
  template void Stops<D>::sweep(MovingBody<D, Real>*, bool);
CAIRN_STOPS_ON(Dim2, float)
CAIRN_STOPS_ON(Dim2, double)
CAIRN_STOPS_ON(Dim3, float)
CAIRN_STOPS_ON(Dim3, double)
#undef CAIRN_STOPS_ON

}  // namespace cairn
