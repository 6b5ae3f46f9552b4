#include "bodies/drift.h"
#include "bodies/free_rotation.h"

namespace cairn {
namespace {

// With locked axes the momentum about the free ones, ℓ = P Iω, is what a free body keeps: ω = P(PᵀI(q)P)⁻¹Pᵀ
// ℓ. The midpoint rule q⁺ = exp(hω̄) q, ω̄ = ω(q̄, ℓ), q̄ = exp(½hω̄) q keeps ℓ exactly and the energy to second
// order; with two axes locked the inertia about the third does not change and the motion is exact.
void rotate_part_with_locks(BodyState<Dim3>& state, const BodyMass<Dim3>& mass, double h) {
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

// False if that takes too many parts.
bool rotate_freely_with_locks(BodyState<Dim3>& state, const BodyMass<Dim3>& mass, double h) {
  const double wanted = __builtin_ceil(h * length(state.angular_velocity) / k_most_turn);
  const double parts = smaller(wanted, k_most_parts);
  for (int i = 0; i < parts; ++i) rotate_part_with_locks(state, mass, h / parts);
  return wanted <= k_most_parts;
}

}  // namespace

bool drift(BodyState<Dim3>& state, const BodyMass<Dim3>& mass, double h) {
  if (mass.motion == Motion::fixed) return true;
  state.position += h * state.velocity;
  if (mass.motion == Motion::kinematic) {
    state.rotation = turned(state.rotation, state.angular_velocity, h);
    return true;
  }
  if (any(mass.locked_rotation)) return rotate_freely_with_locks(state, mass, h);
  return !rotate_freely(mass.inertia, h, state.rotation, state.angular_velocity);
}

std::size_t drift(std::span<BodyState<Dim3>> states, std::span<const BodyMass<Dim3>> masses, double h,
                  Team& team, const BodyKernels& kernels) {
  std::atomic<std::size_t> failed = 0;
  team.for_blocks(states.size(), k_bodies_a_block, [&](const Block& block) {
    std::uint32_t free[k_bodies_a_block];
    std::size_t count = 0, here = 0;
    for (std::size_t row = block.begin; row < block.end; ++row) {
      if (masses[row].motion == Motion::dynamic && !any(masses[row].locked_rotation))
        free[count++] = std::uint32_t(row);
      else
        here += !drift(states[row], masses[row], h);
    }
    if (here += kernels.drift(states.data(), masses.data(), free, count, h)) failed += here;
  });
  return failed;
}

}  // namespace cairn
