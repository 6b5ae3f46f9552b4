#include "bodies/drift.h"

namespace cairn {

bool drift(BodyState<Dim2>& state, const BodyMass<Dim2>& mass, double h) {
  if (mass.motion == Motion::fixed) return true;
  state.position += h * state.velocity;
  if (state.angular_velocity != 0) state.rotation = turned(state.rotation, state.angular_velocity, h);
  return true;
}

std::size_t drift(std::span<BodyState<Dim2>> states, std::span<const BodyMass<Dim2>> masses, double h,
                  Team& team, const BodyKernels& kernels) {
  team.for_blocks(states.size(), k_bodies_a_block, [&](const Block& block) {
    std::uint32_t mobile[k_bodies_a_block];
    std::size_t count = 0;
    for (std::size_t row = block.begin; row < block.end; ++row)
      if (masses[row].motion != Motion::fixed) mobile[count++] = std::uint32_t(row);
    const std::size_t left = kernels.drift_flat(states.data(), mobile, count, h);
    for (const std::uint32_t far : std::span(mobile, left)) drift(states[far], masses[far], h);
  });
  return 0;
}

}  // namespace cairn
