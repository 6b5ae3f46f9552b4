// How fast a body sways about a point that is pulled.
#pragma once

#include "bodies/state.h"

namespace cairn {

// A body that a force F pulls at by an arm r swings with ω² = F r/I about directions across the arm: a link of a taut chain,
// with two such ends, with 12 F/(m l). Here is r/I [1/(kg·m)], of a body that moves, the arm in its own axes; 0 for others.
inline double sway(const BodyMass<Dim2>& mass, const Vec2& arm) { return length(arm) * mass.inverse_inertia; }
inline double sway(const BodyMass<Dim3>& mass, const Vec3& arm) {
  const double r = length(arm);
  if (!(r > 0)) return 0;
  const Vec3 u = perpendicular((1 / r) * arm), v = cross((1 / r) * arm, u);
  return r * larger(dot(u, mass.inverse_inertia * u), dot(v, mass.inverse_inertia * v));
}

}  // namespace cairn
