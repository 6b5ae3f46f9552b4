// The linear spring–damper between two points.
//
//   d = p_b − p_a, l = |d|, n = d/l, tension T = k(l − l₀) + c·n·ḋ, force on b: F = −T n, on a: −F.
//
//   δF = −n (k n·δd + c(n·δḋ + ḋ·δn)) − T δn,   δn = (δd − n(n·δd))/l
//   with p = x + r:  δd = δ(x + r)_b − δ(x + r)_a,  δr = δθ × r,  δḋ likewise from v + ω × r.
//
// Where the ends meet the direction is unknown: below `shortest` the damper rests, and so does the spring if
// it has a rest length; without one it pulls by k·d, which needs no direction.
#pragma once

#include "bodies/force_model.h"

namespace cairn {

template <class D>
struct Spring {
  using Vec = typename D::Vec;
  std::uint32_t a, b;         // rows in the arrays of states
  Vec anchor_a, anchor_b;     // [m] from the centres of mass, body axes
  double stiffness, damping;  // [N/m], [N·s/m]
  double rest_length;         // [m]
  double shortest;            // [m] length below which there is no direction

  // Adds the wrench of the elastic part, the damper, or both (gains 0 or 1).
  void add_wrench(std::span<const BodyState<D>> states, std::span<Wrench<D>> wrenches, double elastic,
                  double damper) const {
    const Geometry g(*this, states);
    const Vec force = g.force(elastic * stiffness, damper * damping, rest_length, shortest);  // on b
    wrenches[b] += {force, cross(g.r_b, force)};
    wrenches[a] += {-force, -cross(g.r_a, force)};
  }

  double energy(std::span<const BodyState<D>> states) const {
    const double stretch = Geometry(*this, states).length_now - rest_length;
    return 0.5 * stiffness * stretch * stretch;
  }

  void add_derivatives(std::span<const BodyState<D>> states, std::vector<ForceDerivative<D>>& out) const {
    const Geometry g(*this, states);
    for (const auto& [column, sign] : {std::pair{a, -1.0}, std::pair{b, 1.0}}) {
      const Vec r = sign * (column == a ? g.r_a : g.r_b);
      const auto w = states[column].angular_velocity;
      ForceDerivative<D> on_a{a, column, {}, {}}, on_b{b, column, {}, {}};
      for (std::size_t k = 0; k < D::k_dof; ++k) {
        DofVector<D> unit{};
        unit[k] = 1;
        const Twist<D> e = twist(unit);
        const Vec turn_r = cross(e.angular, r);  // ±δr
        const Vec by_place = change(g, sign * e.linear + turn_r, cross(w, turn_r));
        const Vec by_velocity = change(g, Vec{}, sign * e.linear + turn_r);
        const Vec force = g.force(stiffness, damping, rest_length, shortest);
        // the arm turns too
        const auto arm_a = column == a ? cross(cross(e.angular, g.r_a), force) : decltype(cross(r, r)){};
        const auto arm_b = column == b ? cross(cross(e.angular, g.r_b), force) : decltype(cross(r, r)){};
        put(on_b.by_place, k, by_place, arm_b + cross(g.r_b, by_place));
        put(on_a.by_place, k, -by_place, -arm_a - cross(g.r_a, by_place));
        put(on_b.by_velocity, k, by_velocity, cross(g.r_b, by_velocity));
        put(on_a.by_velocity, k, -by_velocity, -cross(g.r_a, by_velocity));
      }
      out.push_back(on_a);
      out.push_back(on_b);
    }
  }

 private:
  struct Geometry {
    Vec r_a, r_b, d, rate, n;
    double length_now;
    Geometry(const Spring& s, std::span<const BodyState<D>> states) {
      const BodyState<D>&a = states[s.a], &b = states[s.b];
      r_a = a.rotation * s.anchor_a;
      r_b = b.rotation * s.anchor_b;
      d = (b.position - a.position) + (r_b - r_a);
      rate = b.velocity + cross(b.angular_velocity, r_b) - a.velocity - cross(a.angular_velocity, r_a);
      length_now = length(d);
      n = length_now > s.shortest ? d / length_now : Vec{};
    }
    Vec force(double k, double c, double rest, double shortest) const {
      const Vec elastic = rest == 0 ? k * d : (k * (length_now - rest)) * n;
      return -(elastic + (length_now > shortest ? c * dot(n, rate) : 0.0) * n);
    }
  };

  // δF for changes of d and of its rate.
  Vec change(const Geometry& g, const Vec& dd, const Vec& drate) const {
    if (!(g.length_now > shortest)) return rest_length == 0 ? -stiffness * dd : Vec{};
    const Vec dn = (dd - dot(g.n, dd) * g.n) / g.length_now;
    const double tension = stiffness * (g.length_now - rest_length) + damping * dot(g.n, g.rate);
    const double dtension = stiffness * dot(g.n, dd) + damping * (dot(g.n, drate) + dot(g.rate, dn));
    return -(dtension * g.n + tension * dn);
  }
  static void put(DofBlock<D>& block, std::size_t column, const Vec& force, const typename D::Ang& torque) {
    const DofVector<D> all = dofs(force, torque);
    for (std::size_t k = 0; k < D::k_dof; ++k) block[k][column] = all[k];
  }
};

}  // namespace cairn
