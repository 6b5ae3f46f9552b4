#include "constraints/residual.h"

namespace cairn {
namespace {

// tr(J M⁻¹ Jᵀ) of a point at `arm`, one body's part: Σ_d (r×d)·A(r×d) = |r|² tr A − r·A r, A = I⁻¹.
double trace(const BodyMass<Dim2>& mass, double inverse, const Vec2& arm) {
  return mass.inverse_mass.x + mass.inverse_mass.y + inverse * dot(arm, arm);
}
double trace(const BodyMass<Dim3>& mass, const Sym3& inverse, const Vec3& arm) {
  return mass.inverse_mass.x + mass.inverse_mass.y + mass.inverse_mass.z +
         dot(arm, arm) * (inverse.xx + inverse.yy + inverse.zz) - dot(arm, inverse * arm);
}

// The direction in which a point turns about the normal, times its distance from the axis.
Vec2 around(const Vec2&, const Vec2&) { return {}; }
Vec3 around(const Vec3& normal, const Vec3& arm) { return cross(normal, arm); }

template <class D>
typename D::Vec velocity_at(const ContactBlock<D>& block, int k, std::span<const BodyState<D>> states) {
  const BodyState<D>&a = states[block.a], &b = states[block.b];
  return b.velocity + cross(b.angular_velocity, block.points[k].arm_b) -
         (a.velocity + cross(a.angular_velocity, block.points[k].arm_a));
}

// The part of a vector in the surface.
template <class Vec>
Vec tangential(const Vec& v, const Vec& normal) {
  return v - dot(v, normal) * normal;
}

template <class Vec>
struct Split {  // along the normal and in the surface
  double normal = 0;
  Vec tangent{};
};
// The nearest point of |tangent| ≤ μ·normal.
template <class Vec>
Split<Vec> onto_cone(const Split<Vec>& x, double mu) {
  const double size = length(x.tangent);
  if (size <= mu * x.normal) return x;
  if (mu * size <= -x.normal) return {};
  const double normal = (x.normal + mu * size) / (1 + mu * mu);
  return {normal, (mu * normal / size) * x.tangent};
}

}  // namespace

template <class D>
void add_residual(const ContactBlock<D>& block, const PatchImpulse<D>& impulse,
                  std::span<const BodyState<D>> states, std::span<const BodyMass<D>> masses,
                  std::span<const double> gaps, double h, ContactResidual& sum) {
  using Vec = typename D::Vec;
  const Vec& n = block.normal;
  const Vec center = center_of_friction(block), surface = tangential(block.surface.velocity, n);
  const double mu = block.surface.friction_coefficient;
  const auto inverse_a = inverse_inertia(masses[block.a], states[block.a].rotation);
  const auto inverse_b = inverse_inertia(masses[block.b], states[block.b].rotation);
  double load = 0, lever = 0;
  for (int k = 0; k < block.count; ++k) {
    load += impulse.normal[k];
    lever += impulse.normal[k] * length(block.points[k].arm_a - center);
  }
  for (int k = 0; k < block.count; ++k) {
    const typename ContactBlock<D>::Point& point = block.points[k];
    const double w =
        (trace(masses[block.a], inverse_a, point.arm_a) + trace(masses[block.b], inverse_b, point.arm_b)) /
        D::k_linear;
    if (!(w > 0)) continue;
    const Vec velocity = velocity_at(block, k, states);
    const double u_n = dot(velocity, n) + (gaps[k] > 0 ? gaps[k] / h : 0);
    const Vec u_t = tangential(velocity, n) + surface;

    Split<Vec> lambda{impulse.normal[k], {}};
    if (load > 0) lambda.tangent = (lambda.normal / load) * impulse.friction;
    const Vec turn = around(n, point.arm_a - center);
    if (const double r = length(turn); lever > 0 && r > 0)
      lambda.tangent += (impulse.twist * lambda.normal / (lever * r)) * turn;

    const Split<Vec> wanted =
        onto_cone<Vec>({lambda.normal - (u_n + mu * length(u_t)) / w, lambda.tangent - (1 / w) * u_t}, mu);
    const double off_n = w * (lambda.normal - wanted.normal);
    const double squared = off_n * off_n + w * w * length_squared(lambda.tangent - wanted.tangent);
    sum.max = larger(sum.max, square_root(squared));
    sum.sum_squares += squared;
    ++sum.points;
    sum.signorini = larger(sum.signorini, w * absolute(lambda.normal - larger(lambda.normal - u_n / w, 0.0)));
    sum.cone = larger(sum.cone, w * (length(lambda.tangent) - mu * lambda.normal));
  }
}

template <class D>
double contact_speed(const ContactBlock<D>& block, std::span<const BodyState<D>> states) {
  double fastest = 0;
  const typename D::Vec surface = tangential(block.surface.velocity, block.normal);
  for (int k = 0; k < block.count; ++k)
    fastest = larger(fastest, length(velocity_at(block, k, states) + surface));
  return fastest;
}

#define CAIRN_RESIDUAL_IN(D)                                                                                \
  template void add_residual(const ContactBlock<D>&, const PatchImpulse<D>&, std::span<const BodyState<D>>, \
                             std::span<const BodyMass<D>>, std::span<const double>, double,                 \
                             ContactResidual&);                                                             \
  template double contact_speed(const ContactBlock<D>&, std::span<const BodyState<D>>);
CAIRN_RESIDUAL_IN(Dim2)
CAIRN_RESIDUAL_IN(Dim3)
#undef CAIRN_RESIDUAL_IN

}  // namespace cairn
