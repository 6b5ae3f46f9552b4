// The integrators that need forces only at states they already know.
//
// Gyroscopic terms: the kick–drift schemes keep the angular momentum of a free body by construction
// (bodies/drift.h); explicit Euler and Runge–Kutta integrate ω̇ = I⁻¹(τ − ω × Iω) as it stands.
#pragma once

#include "bodies/integration.h"

namespace cairn {

// Kick, then drift: x⁺ = x + h·v⁺ (Delft B-5). Torque-free rotation is of second order, all else of first.
template <class D, ForceModel<D> F>
void integrate(const SemiImplicitEuler&, const F& forces, Integration<D>& in) {
  in.evaluate(forces, in.states, in.t, in.wrenches);
  in.keep_stage(1, in.t, in.states);
  in.next.assign(in.states.begin(), in.states.end());
  in.for_each_body([&](std::size_t i) { in.kick(i, in.h); });
  in.drift_all(in.h);
  in.keeps_angular_momentum = true;
}

// Everything from the old state (Delft B-2).
template <class D, ForceModel<D> F>
void integrate(const ExplicitEuler&, const F& forces, Integration<D>& in) {
  in.evaluate(forces, in.states, in.t, in.wrenches);
  in.keep_stage(1, in.t, in.states);
  in.next.resize(in.size());
  in.for_each_body([&](std::size_t i) {
    const BodyState<D>& s = in.states[i];
    in.next[i] = s;
    if (in.masses[i].motion == Motion::fixed) return;
    const Twist<D> a = acceleration(in.masses[i], s, in.damped(i, s, 0));
    in.next[i] = {s.position + in.h * s.velocity, turned(s.rotation, s.angular_velocity, in.h),
                  s.velocity + in.h * a.linear, s.angular_velocity + in.h * a.angular};
  });
}

// Half a kick, a drift, half a kick. Forces that depend on velocity see, in the second kick, the velocity
// that the first kick's wrench predicts: its error is of second order, which keeps the scheme's.
template <class D, ForceModel<D> F>
void integrate(const VelocityVerlet&, const F& forces, Integration<D>& in) {
  in.evaluate(forces, in.states, in.t, in.wrenches);
  in.keep_stage(0.5, in.t, in.states);
  in.next.assign(in.states.begin(), in.states.end());
  in.trial.resize(in.size());
  in.for_each_body([&](std::size_t i) { in.kick(i, 0.5 * in.h); });
  in.drift_all(in.h);
  in.for_each_body([&](std::size_t i) {
    in.trial[i] = in.next[i];
    kick(in.trial[i], in.masses[i], in.wrenches[i], 0.5 * in.h);
  });
  in.evaluate(forces, in.trial, in.t + in.h, in.wrenches);
  in.keep_stage(0.5, in.t + in.h, in.trial);
  in.for_each_body([&](std::size_t i) { in.kick(i, 0.5 * in.h); });
  in.keeps_angular_momentum = true;
}

// Runge–Kutta–Munthe-Kaas: rotations are followed by a vector θ with q = exp(θ) qₙ, so that stages add up in
// a flat space. θ̇ = ω − ½ θ × ω + 1/12 θ × (θ × ω) + O(θ⁴), enough for fourth order.
template <class D, ForceModel<D> F>
void integrate(const RungeKutta4&, const F& forces, Integration<D>& in) {
  using Ang = typename D::Ang;
  struct Rate {
    Twist<D> place;  // (ẋ, θ̇)
    Twist<D> velocity;
  };
  constexpr double k_fraction[4] = {0, 0.5, 0.5, 1};  // of the step at which the stage stands
  constexpr double k_weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  std::vector<Rate> rate(in.size()), sum(in.size());
  in.trial.resize(in.size());
  in.next.resize(in.size());
  std::vector<Ang> turn(in.size());
  const auto move = [&](std::size_t i, const Rate& r, double h, BodyState<D>& to) {
    const BodyState<D>& s = in.states[i];
    to = s;
    if (in.masses[i].motion == Motion::fixed) return;
    turn[i] = h * r.place.angular;
    to = {s.position + h * r.place.linear, normalized(rotation_of(turn[i]) * s.rotation),
          s.velocity + h * r.velocity.linear, s.angular_velocity + h * r.velocity.angular};
  };
  for (int k = 0; k < 4; ++k) {
    const double time = in.t + k_fraction[k] * in.h;
    in.for_each_body([&](std::size_t i) { move(i, rate[i], k_fraction[k] * in.h, in.trial[i]); });
    in.evaluate(forces, in.trial, time, in.wrenches);
    in.keep_stage(k_weight[k], time, in.trial);
    in.for_each_body([&](std::size_t i) {
      const BodyState<D>& s = in.trial[i];
      const Ang w = s.angular_velocity, tw = cross(turn[i], w);
      rate[i] = {{s.velocity, w - 0.5 * tw + (1. / 12) * cross(turn[i], tw)},
                 acceleration(in.masses[i], s, in.damped(i, s, 0))};
      sum[i].place.linear += k_weight[k] * rate[i].place.linear;
      sum[i].place.angular += k_weight[k] * rate[i].place.angular;
      sum[i].velocity.linear += k_weight[k] * rate[i].velocity.linear;
      sum[i].velocity.angular += k_weight[k] * rate[i].velocity.angular;
    });
  }
  in.for_each_body([&](std::size_t i) { move(i, sum[i], in.h, in.next[i]); });
}

}  // namespace cairn
