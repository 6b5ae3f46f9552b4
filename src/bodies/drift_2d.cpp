#include "bodies/drift.h"

namespace cairn {

bool drift(BodyState<Dim2>& state, const BodyMass<Dim2>& mass, double h) {
  if (mass.motion == Motion::fixed) return true;
  state.position += h * state.velocity;
  if (state.angular_velocity != 0) state.rotation = turned(state.rotation, state.angular_velocity, h);
  return true;
}

std::size_t drift(std::span<BodyState<Dim2>> states, std::span<const BodyMass<Dim2>> masses,
                  std::span<const std::uint32_t> rows, double h, Team& team, const BodyKernels&) {
  team.for_blocks(rows.size(), k_bodies_a_block, [&](const Block& block) {
    for (const std::uint32_t row : rows.subspan(block.begin, block.end - block.begin))
      drift(states[row], masses[row], h);
  });
  return 0;
}

std::size_t drift(std::span<BodyState<Dim2>> states, std::span<const BodyMass<Dim2>> masses, double h,
                  Team& team, const BodyKernels&) {
  team.for_blocks(states.size(), k_bodies_a_block, [&](const Block& block) {
    for (std::size_t i = block.begin; i < block.end; ++i) drift(states[i], masses[i], h);
  });
  return 0;
}

}  // namespace cairn
