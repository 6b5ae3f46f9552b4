#include "bodies/drift.h"

namespace cairn {

void drift(BodyState<Dim2>& state, const BodyMass<Dim2>&, double h) {
  state.position += h * state.velocity;
  if (state.angular_velocity != 0) state.rotation = turned(state.rotation, state.angular_velocity, h);
}

void drift(std::span<BodyState<Dim2>> states, std::span<const BodyMass<Dim2>> masses, double h, Team& team,
           const BodyKernels&) {
  team.for_blocks(states.size(), k_bodies_a_block, [&](const Block& block) {
    for (std::size_t i = block.begin; i < block.end; ++i) drift(states[i], masses[i], h);
  });
}

}  // namespace cairn
