#include <cairn/material.h>

#include <algorithm>

namespace cairn {
namespace {

double combine(Combine rule, double a, double b) {
  switch (rule) {
    case Combine::average:
      return 0.5 * (a + b);
    case Combine::geometric_mean:
      return square_root(a * b);
    case Combine::minimum:
      return smaller(a, b);
    case Combine::product:
      return a * b;
    case Combine::maximum:
      return larger(a, b);
  }
  __builtin_unreachable();
}

}  // namespace

Material combine(const Material& a, const Material& b) {
  const Combine friction = std::max(a.friction_combine, b.friction_combine);
  const Combine restitution = std::max(a.restitution_combine, b.restitution_combine);
  return {.static_friction = combine(friction, a.static_friction, b.static_friction),
          .kinetic_friction = combine(friction, a.kinetic_friction, b.kinetic_friction),
          .restitution = combine(restitution, a.restitution, b.restitution),
          .rolling_resistance = combine(friction, a.rolling_resistance, b.rolling_resistance),
          .spinning_resistance = combine(friction, a.spinning_resistance, b.spinning_resistance),
          .friction_combine = friction,
          .restitution_combine = restitution};
}

void Fields<Material>::check(const Material& m, const Path& path) {
  if (m.kinetic_friction > m.static_friction)
    detail::refuse(path / "kinetic_friction", to_text(m.kinetic_friction),
                   "must be at most static_friction, which is " + to_text(m.static_friction));
}

}  // namespace cairn
