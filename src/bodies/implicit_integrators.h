// The integrators that take forces at states still to be found: implicit Euler, Newmark, the conserving
// midpoint.
//
// All three look for a velocity u = (v, ω) per body with
//
//   r(u) = inertial(u) − g·h·wrench(trial(u)) = 0
//
// and differ only in what `trial` and `inertial` mean; each scheme below is those few lines. Newton's method
// solves for all bodies at once: its matrix has a block per body for inertia, and the forces' derivatives,
// chained through ∂(place)/∂u ≈ place_gain and ∂(velocity)/∂u = 1. Where a force model has no derivatives the
// inertia alone remains and Newton becomes a fixed-point iteration, which converges while h·ω < 1 or so. The
// matrix only steers: what is solved is r itself, so approximations in it cost iterations, not accuracy.
#pragma once

#include "bodies/free_rotation.h"
#include "bodies/integration.h"
#include "math/block_system.h"

namespace cairn {

// Inertia seen from the world, as a matrix: a Mat3 in 3D, a number in 2D.
CAIRN_INLINE Mat3 inertia_matrix(const BodyMass<Dim3>& mass, const Rot3& q) {
  return matrix(rotated(q, mass.inertia));
}
CAIRN_INLINE double inertia_matrix(const BodyMass<Dim2>& mass, const Rot2&) { return mass.inertia; }
CAIRN_INLINE double cross_matrix(double) { return 0; }
CAIRN_INLINE double element(double m, int, int) { return m; }
CAIRN_INLINE double element(const Mat3& m, int row, int column) {
  const Vec3& c = column == 0 ? m.c0 : column == 1 ? m.c1 : m.c2;
  return row == 0 ? c.x : row == 1 ? c.y : c.z;
}
// ∂(I(q) y)/∂(turn of q), y fixed in the world: I turns with the body.
template <class M, class Ang>
CAIRN_INLINE M turning_of_inertia(const M& inertia, const Ang& y) {
  return inertia * cross_matrix(y) - cross_matrix(inertia * y);
}

// What a scheme says about one body: r and the matrix of its rotation; that of its translation is r.mass · 1.
template <class D>
struct InertialPart {
  Twist<D> residual;
  double mass;
  decltype(inertia_matrix(BodyMass<D>{}, typename D::Rot{})) rotation;
};

// u = (v⁺, ω⁺). Momentum form: I(q⁺)ω⁺ − I(q)ω = hτ⁺ with q⁺ = exp(hω⁺) q, so that the angular momentum of a
// free body is kept; its energy falls.
template <class D>
struct ImplicitEulerScheme {
  double h;
  double time_fraction() const { return 1; }
  double force_gain() const { return 1; }
  double place_gain() const { return h; }

  BodyState<D> trial(std::size_t, const BodyMass<D>&, const BodyState<D>& s, const Twist<D>& u) const {
    return {s.position + h * u.linear, turned(s.rotation, u.angular, h), u.linear, u.angular};
  }
  InertialPart<D> inertial(std::size_t, const BodyMass<D>& mass, const BodyState<D>& s,
                           const BodyState<D>& trial, const Twist<D>& u) const {
    const auto inertia = inertia_matrix(mass, trial.rotation);
    const auto before = inertia_matrix(mass, s.rotation) * s.angular_velocity;
    return {{mass.mass * (u.linear - s.velocity), inertia * u.angular - before},
            mass.mass,
            inertia + h * turning_of_inertia(inertia, u.angular)};
  }
  BodyState<D> finish(std::size_t, const BodyMass<D>&, const BodyState<D>&, const BodyState<D>& trial,
                      const Twist<D>&, const Wrench<D>&) const {
    return trial;
  }
};

// u = (v⁺, ω⁺), which fixes the new acceleration a⁺ = (u − uₙ − h(1 − γ)aₙ)/(γh) and with it the new place,
// after Simo and Vu-Quoc 1988 in world axes: θ = hω + h²((½ − β)αₙ + βα⁺), q⁺ = exp(θ) q.
template <class D>
struct NewmarkScheme {
  double h, beta, gamma;
  std::vector<Twist<D>> start{};  // uₙ + h(1 − γ)aₙ
  std::vector<Twist<D>> base{};   // hu + h²(½ − β)aₙ
  double time_fraction() const { return 1; }
  double force_gain() const { return gamma; }
  double place_gain() const { return h * beta / gamma; }
  void begin(std::size_t i, const BodyMass<D>& mass, const BodyState<D>& s, const Wrench<D>& w) {
    const Twist<D> a = acceleration(mass, s, w);
    const double k = h * (1 - gamma), l = h * h * (0.5 - beta);
    start[i] = {s.velocity + k * a.linear, s.angular_velocity + k * a.angular};
    base[i] = {h * s.velocity + l * a.linear, h * s.angular_velocity + l * a.angular};
  }

  BodyState<D> trial(std::size_t i, const BodyMass<D>&, const BodyState<D>& s, const Twist<D>& u) const {
    return {
        s.position + base[i].linear + place_gain() * (u.linear - start[i].linear),
        normalized(rotation_of(base[i].angular + place_gain() * (u.angular - start[i].angular)) * s.rotation),
        u.linear, u.angular};
  }
  InertialPart<D> inertial(std::size_t i, const BodyMass<D>& mass, const BodyState<D>&,
                           const BodyState<D>& trial, const Twist<D>& u) const {
    const auto inertia = inertia_matrix(mass, trial.rotation);
    const auto gain = u.angular - start[i].angular;
    const auto momentum = inertia * u.angular;
    return {
        {mass.mass * (u.linear - start[i].linear), inertia * gain + (gamma * h) * cross(u.angular, momentum)},
        mass.mass,
        inertia + (gamma * h) * (cross_matrix(u.angular) * inertia - cross_matrix(momentum)) +
            place_gain() * turning_of_inertia(inertia, gain)};
  }
  BodyState<D> finish(std::size_t, const BodyMass<D>&, const BodyState<D>&, const BodyState<D>& trial,
                      const Twist<D>&, const Wrench<D>&) const {
    return trial;
  }
};

// How the conserving scheme turns a body with the mean angular velocity ω̄: by cay(kω̄), with the k of
// bodies/free_rotation.h. The plane has no gyroscopic terms and turns exactly, and so do bodies with locks.
CAIRN_INLINE Rot2 midpoint_turn(const BodyMass<Dim2>&, const BodyState<Dim2>&, double mean, double h) {
  return rotation_of(h * mean);
}
CAIRN_INLINE Rot3 midpoint_turn(const BodyMass<Dim3>& mass, const BodyState<Dim3>& s, const Vec3& mean,
                                double h) {
  if (any(mass.locked_rotation)) return rotation_of(h * mean);
  return cayley(rotation_gain(angular_momentum(mass, s), s.angular_velocity, h) * mean);
}
// ∂(turn)/∂ω̄ of it, as a turn in the world: with v = kω̄, δθ = (k/(1 + ¼v²)) (1 + ½[v]×) δω̄.
CAIRN_INLINE double midpoint_turn_gain(const BodyMass<Dim2>&, const BodyState<Dim2>&, double, double h) {
  return h;
}
CAIRN_INLINE Mat3 midpoint_turn_gain(const BodyMass<Dim3>& mass, const BodyState<Dim3>& s, const Vec3& mean,
                                     double h) {
  const double k = rotation_gain(angular_momentum(mass, s), s.angular_velocity, h);
  const Vec3 v = k * mean;
  return (k / (1 + 0.25 * dot(v, v))) * (Mat3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} + 0.5 * cross_matrix(v));
}
// ω⁺ = 2ω̄ − turn·ω, which is R⁺(2ω̄ − ω) in the body's frame, as a small change of ω: see free_rotation.h.
CAIRN_INLINE double midpoint_after(const Rot2&, double before, double mean) {
  return before + 2 * (mean - before);
}
CAIRN_INLINE Vec3 midpoint_after(const Rot3& turn, const Vec3& before, const Vec3& mean) {
  return before + (2 * (mean - before) - change_by(turn, before));
}

// u = (v̄, ω̄), the mean velocities; forces at the middle. 2m(v̄ − v) = hF̄, and for the rotation the world's
// angular momentum after the step, R⁺I(2ω̄ − ω) in the body's frame, minus before, is hτ̄ (equation (1) of
// bodies/free_rotation.h with a torque). With locked axes: 2(I(q̄)ω̄ − I(q)ω) = hτ̄ about the free ones.
template <class D>
struct ConservingScheme {
  double h;
  double time_fraction() const { return 0.5; }
  double force_gain() const { return 1; }
  double place_gain() const { return 0.5 * h; }

  BodyState<D> trial(std::size_t, const BodyMass<D>&, const BodyState<D>& s, const Twist<D>& u) const {
    return {s.position + (0.5 * h) * u.linear, turned(s.rotation, u.angular, 0.5 * h), u.linear, u.angular};
  }
  InertialPart<D> inertial(std::size_t, const BodyMass<D>& mass, const BodyState<D>& s,
                           const BodyState<D>& trial, const Twist<D>& u) const {
    const auto before = inertia_matrix(mass, s.rotation) * s.angular_velocity;
    const auto linear = (2 * mass.mass) * (u.linear - s.velocity);
    if (any(mass.locked_rotation)) {
      const auto inertia = inertia_matrix(mass, trial.rotation);
      return {{linear, 2 * (inertia * u.angular - before)},
              2 * mass.mass,
              2.0 * (inertia + (0.5 * h) * turning_of_inertia(inertia, u.angular))};
    }
    const auto turn = midpoint_turn(mass, s, u.angular, h);
    const auto inertia = inertia_matrix(mass, s.rotation);
    const auto after = turn * (2 * (inertia * u.angular) - before);
    return {{linear, after - before},
            2 * mass.mass,
            turned_columns(turn, 2.0 * inertia) -
                cross_matrix(after) * midpoint_turn_gain(mass, s, u.angular, h)};
  }
  BodyState<D> finish(std::size_t, const BodyMass<D>& mass, const BodyState<D>& s, const BodyState<D>&,
                      const Twist<D>& u, const Wrench<D>& w) const {
    const auto turn = midpoint_turn(mass, s, u.angular, h);
    const auto rotation = normalized(turn * s.rotation);
    const auto angular = any(mass.locked_rotation)
                             ? inverse_inertia(mass, rotation) * (angular_momentum(mass, s) + h * w.torque)
                             : midpoint_after(turn, s.angular_velocity, u.angular);
    return {s.position + h * u.linear, rotation, s.velocity + h * scaled(mass.inverse_mass, w.force),
            angular};
  }
  static Mat3 turned_columns(const Rot3& r, const Mat3& m) { return {r * m.c0, r * m.c1, r * m.c2}; }
  static double turned_columns(const Rot2&, double m) { return m; }
};

// 1 for every degree of freedom that a force can change.
CAIRN_INLINE DofVector<Dim2> free_dofs(const BodyMass<Dim2>& m) {
  return {double(m.inverse_mass.x > 0), double(m.inverse_mass.y > 0),
          double(m.motion == Motion::dynamic && !m.locked_rotation)};
}
CAIRN_INLINE DofVector<Dim3> free_dofs(const BodyMass<Dim3>& m) {
  const bool dynamic = m.motion == Motion::dynamic;
  return {double(m.inverse_mass.x > 0),
          double(m.inverse_mass.y > 0),
          double(m.inverse_mass.z > 0),
          double(dynamic && !m.locked_rotation.x),
          double(dynamic && !m.locked_rotation.y),
          double(dynamic && !m.locked_rotation.z)};
}

template <class D, class Scheme>
class ImplicitSolve {
 public:
  ImplicitSolve(Scheme& scheme, Integration<D>& in)
      : scheme_(scheme),
        in_(in),
        u_(in.size()),
        free_(in.size()),
        inertial_(in.size()),
        system_(D::k_dof),
        speed_(in.size()),
        lost_(in.size()) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      u_[i] = {in.states[i].velocity, in.states[i].angular_velocity};
      free_[i] = free_dofs(in.masses[i]);
    }
  }

  // Newton's correction is the estimate of the velocities' error. Each body is judged by its own: it need not be
  // smaller than the tolerance asks, nor than what would move the body by less than the round-off of its coordinates.
  template <ForceModel<D> F>
  void run(const F& forces, double tolerance, int iterations) {
    IntegrationReport& report = in_.report;
    report = {.converged = false};
    double residual = evaluate(forces);
    while (find_correction(forces)) {
      const double excess = judge_correction(tolerance);  // how many times too large, in the worst body
      report.converged = excess <= 1;
      if (report.converged) correct(1);  // the smallest correction is for free
      if (report.converged || report.iterations == iterations) break;
      ++report.iterations;
      if (apply_correction(forces, residual)) continue;
      report.converged = excess <= k_stagnation;
      break;
    }
    in_.next.resize(in_.size());
    in_.for_each_body([&](std::size_t i) {
      const BodyMass<D>& mass = in_.masses[i];
      in_.next[i] = in_.states[i];
      if (mass.motion != Motion::dynamic) {
        drift(in_.next[i], mass, in_.h);
      } else if (lost_[i]) {
        in_.next[i].position *= std::numeric_limits<double>::quiet_NaN();
      } else {
        in_.trial[i] = scheme_.trial(i, mass, in_.states[i], u_[i]);
        in_.next[i] = scheme_.finish(i, mass, in_.states[i], in_.trial[i], u_[i], in_.wrenches[i]);
      }
    });
  }

 private:
  static constexpr std::size_t k_dof = D::k_dof;
  // Where no step improves on u, round-off is all that is left, if the error is that near to what was asked.
  static constexpr double k_stagnation = 1000;

  // Trial states, wrenches and residuals at u. Returns the largest velocity error |M⁻¹r|. A body whose forces are
  // not finite is lost: it drops out, so that the others go on, and the world will set it aside.
  template <class F>
  double evaluate(const F& forces) {
    in_.trial.resize(in_.size());
    in_.for_each_body(
        [&](std::size_t i) { in_.trial[i] = scheme_.trial(i, in_.masses[i], in_.states[i], u_[i]); });
    in_.evaluate(forces, in_.trial, in_.t + scheme_.time_fraction() * in_.h, in_.wrenches);
    residual_.assign(in_.size() * k_dof, 0);
    double largest = 0;
    const double gh = scheme_.force_gain() * in_.h;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      const BodyMass<D>& mass = in_.masses[i];
      if (mass.motion != Motion::dynamic || lost_[i]) continue;
      inertial_[i] = scheme_.inertial(i, mass, in_.states[i], in_.trial[i], u_[i]);
      if (is_damped(mass)) add_damping(i, mass, gh);
      const Twist<D>& r = inertial_[i].residual;
      const Wrench<D>& w = in_.wrenches[i];
      DofVector<D> left = dofs(r.linear - gh * w.force, r.angular - gh * w.torque);
      for (std::size_t k = 0; k < k_dof; ++k) left[k] = free_[i][k] ? left[k] : 0;
      const Twist<D> error = twist(left);
      const double linear = length(scaled(mass.inverse_mass, error.linear));
      const double angular = length(inverse_inertia(mass, in_.trial[i].rotation) * error.angular);
      if (!is_finite(linear) || !is_finite(angular)) {
        lost_[i] = true;
        free_[i] = {};
        u_[i] = {in_.states[i].velocity, in_.states[i].angular_velocity};
        inertial_[i] = {};
        continue;
      }
      std::copy(left.begin(), left.end(), residual_.begin() + std::ptrdiff_t(k_dof * i));
      largest = larger(largest, larger(linear, angular));
      speed_[i] = larger(length(u_[i].linear) + gh * length(scaled(mass.inverse_mass, w.force)),
                         length(u_[i].angular));
    }
    return largest;
  }

  // A force like others, and its derivatives.
  void add_damping(std::size_t i, const BodyMass<D>& mass, double gh) {
    const BodyState<D>& s = in_.trial[i];
    in_.wrenches[i] += damping(mass, s, in_.wrenches[i], 0);
    const auto inertia = inertia_matrix(mass, s.rotation);
    inertial_[i].mass += gh * mass.linear_damping * mass.mass;
    inertial_[i].rotation =
        inertial_[i].rotation +
        (gh * mass.angular_damping) *
            (inertia + scheme_.place_gain() * turning_of_inertia(inertia, s.angular_velocity));
  }

  template <class F>
  bool find_correction(const F& forces) {
    system_.reset(in_.size());
    for (std::size_t i = 0; i < in_.size(); ++i) {
      DofBlock<D> block{};
      for (std::size_t k = 0; k < k_dof; ++k) {
        if (!free_[i][k]) {
          block[k][k] = 1;
        } else if (k < D::k_linear) {
          block[k][k] = inertial_[i].mass;
        } else {
          for (std::size_t l = D::k_linear; l < k_dof; ++l)
            if (free_[i][l])
              block[k][l] = element(inertial_[i].rotation, int(k) - D::k_linear, int(l) - D::k_linear);
        }
      }
      system_.add(i, i, {block[0].data(), k_dof * k_dof});
    }
    if constexpr (DifferentiableForceModel<F, D>) add_force_derivatives(forces);
    correction_.resize(residual_.size());
    return system_.solve(residual_, correction_);
  }

  template <class F>
  void add_force_derivatives(const F& forces) {
    derivatives_.clear();
    forces.add_derivatives(in_.trial, in_.t + scheme_.time_fraction() * in_.h, derivatives_);
    const double gh = scheme_.force_gain() * in_.h;
    for (const ForceDerivative<D>& d : derivatives_) {
      if (lost_[d.row] || lost_[d.column]) continue;
      DofBlock<D> block;
      for (std::size_t k = 0; k < k_dof; ++k)
        for (std::size_t l = 0; l < k_dof; ++l)
          block[k][l] = -gh * (scheme_.place_gain() * d.by_place[k][l] + d.by_velocity[k][l]) *
                        free_[d.row][k] * free_[d.column][l];
      system_.add(d.row, d.column, {block[0].data(), k_dof * k_dof});
    }
  }

  Twist<D> correction_of(std::size_t i) const {
    DofVector<D> d;
    std::copy_n(correction_.begin() + std::ptrdiff_t(k_dof * i), k_dof, d.begin());
    return twist(d);
  }

  // Reports the largest correction; returns by how much the worst one exceeds what its body is allowed.
  double judge_correction(double tolerance) {
    constexpr double k_round_off = 4 * std::numeric_limits<double>::epsilon();
    double excess = 0;
    in_.report.residual = 0;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      const Twist<D> c = correction_of(i);
      const double linear = length(c.linear), angular = length(c.angular);
      if (linear == 0 && angular == 0) continue;
      if (!is_finite(linear + angular)) return std::numeric_limits<double>::infinity();
      const double allowed = tolerance * speed_[i];
      excess = larger(excess, linear / (allowed + k_round_off * length(in_.trial[i].position) / in_.h));
      excess = larger(excess, angular / (allowed + k_round_off / in_.h));
      in_.report.residual = larger(in_.report.residual, larger(linear, angular));
    }
    return excess;
  }

  void correct(double part) {
    for (std::size_t i = 0; i < in_.size(); ++i) {
      const Twist<D> c = correction_of(i);
      u_[i].linear -= part * c.linear;
      u_[i].angular -= part * c.angular;
    }
  }

  // Steps back while a full Newton step would make things worse. False when no step makes them better: then
  // round-off is all that is left, and u stays.
  template <class F>
  bool apply_correction(const F& forces, double& residual) {
    const std::vector<Twist<D>> before = u_;
    for (double part = 1; part > 1e-3; part *= 0.5) {
      u_ = before;
      correct(part);
      const double now = evaluate(forces);
      if (now < residual) {
        residual = now;
        return true;
      }
    }
    u_ = before;
    residual = evaluate(forces);
    return false;
  }

  Scheme& scheme_;
  Integration<D>& in_;
  std::vector<Twist<D>> u_;
  std::vector<DofVector<D>> free_;
  std::vector<InertialPart<D>> inertial_;
  std::vector<double> residual_, correction_;
  std::vector<ForceDerivative<D>> derivatives_;
  BlockSystem system_;
  std::vector<double> speed_;        // [m/s, rad/s] of each body, to which the tolerance is relative
  std::vector<unsigned char> lost_;  // bodies that are not finite
};

// Of the stage kept last, for the accounts.
template <class D>
void note_damping(Integration<D>& in) {
  if (in.keep_stages) in.for_each_body([&](std::size_t i) { in.damped(i, in.trial[i], 0); });
}

template <class D, ForceModel<D> F>
void integrate(const ImplicitEuler& settings, const F& forces, Integration<D>& in) {
  ImplicitEulerScheme<D> scheme{in.h};
  ImplicitSolve<D, ImplicitEulerScheme<D>>(scheme, in).run(forces, settings.tolerance, settings.iterations);
  in.keeps_angular_momentum = true;
  in.keep_stage(1, in.t + in.h, in.trial);
  note_damping(in);
}

template <class D, ForceModel<D> F>
void integrate(const Conserving& settings, const F& forces, Integration<D>& in) {
  ConservingScheme<D> scheme{in.h};
  ImplicitSolve<D, ConservingScheme<D>>(scheme, in).run(forces, settings.tolerance, settings.iterations);
  in.keeps_angular_momentum = true;
  in.keep_stage(1, in.t + 0.5 * in.h, in.trial);
  note_damping(in);
}

template <class D, ForceModel<D> F>
void integrate(const Newmark& settings, const F& forces, Integration<D>& in) {
  NewmarkScheme<D> scheme{in.h, settings.beta, settings.gamma};
  scheme.start.resize(in.size());
  scheme.base.resize(in.size());
  in.evaluate(forces, in.states, in.t, in.wrenches);
  in.keep_stage(1 - settings.gamma, in.t, in.states);
  in.for_each_body(
      [&](std::size_t i) { scheme.begin(i, in.masses[i], in.states[i], in.damped(i, in.states[i], 0)); });
  ImplicitSolve<D, NewmarkScheme<D>>(scheme, in).run(forces, settings.tolerance, settings.iterations);
  in.keep_stage(settings.gamma, in.t + in.h, in.trial);
  note_damping(in);
}

}  // namespace cairn
