#include "bodies/drift.h"
#include "bodies/free_rotation.h"

namespace cairn {
namespace {

// With locked axes the momentum about the free ones, ℓ = P Iω, is what a free body keeps: ω = P(PᵀI(q)P)⁻¹Pᵀ
// ℓ. The midpoint rule q⁺ = exp(hω̄) q, ω̄ = ω(q̄, ℓ), q̄ = exp(½hω̄) q keeps ℓ exactly and the energy to second
// order; with two axes locked the inertia about the third does not change and the motion is exact.
void rotate_freely_with_locks(BodyState<Dim3>& state, const BodyMass<Dim3>& mass, double h) {
  const Vec3 momentum = angular_momentum(mass, state);
  Vec3 mean = state.angular_velocity;
  constexpr int k_most_iterations = 60;  // a contraction by about h|ω|/2, at most ½
  for (int i = 0; i < k_most_iterations; ++i) {
    const Vec3 before = mean;
    mean = inverse_inertia(mass, turned(state.rotation, mean, 0.5 * h)) * momentum;
    if (length_squared(mean - before) <= 1e-32 * length_squared(mean)) break;
  }
  state.rotation = turned(state.rotation, mean, h);
  state.angular_velocity = inverse_inertia(mass, state.rotation) * momentum;
}

}  // namespace

void drift(BodyState<Dim3>& state, const BodyMass<Dim3>& mass, double h) {
  state.position += h * state.velocity;
  const double turn = h * length(state.angular_velocity);
  if (turn == 0) return;
  if (mass.motion != Motion::dynamic) {
    state.rotation = turned(state.rotation, state.angular_velocity, h);
    return;
  }
  constexpr int k_most_parts = 1000;  // beyond a thousand radians a step nothing is resolved anyway
  double left = h;
  for (int i = 1; left > 0; ++i) {
    const double longest = k_longest_turn / length(state.angular_velocity);
    const double part = i == k_most_parts ? left : smaller(left, longest);
    if (any(mass.locked_rotation))
      rotate_freely_with_locks(state, mass, part);
    else
      rotate_freely(state.rotation, state.angular_velocity, mass.inertia, part);
    left -= part;
  }
}

}  // namespace cairn
