#include "bodies/drift.h"

namespace cairn {

bool drift(BodyState<Dim2>& state, const BodyMass<Dim2>& mass, double h) {
  if (mass.motion == Motion::fixed) return true;
  state.position += h * state.velocity;
  if (state.angular_velocity != 0) state.rotation = turned(state.rotation, state.angular_velocity, h);
  return true;
}

namespace {

// drift of the bodies row(begin) … row(end − 1).
template <class Row>
void drift_block(std::span<BodyState<Dim2>> states, std::span<const BodyMass<Dim2>> masses,
                 const Block& block, double h, const BodyKernels& kernels, Row&& row) {
  std::uint32_t mobile[k_bodies_a_block];
  std::size_t count = 0;
  for (std::size_t i = block.begin; i < block.end; ++i)
    if (masses[row(i)].motion != Motion::fixed) mobile[count++] = row(i);
  const std::size_t left = kernels.drift_flat(states.data(), mobile, count, h);
  for (const std::uint32_t far : std::span(mobile, left)) drift(states[far], masses[far], h);
}

}  // namespace

std::size_t drift(std::span<BodyState<Dim2>> states, std::span<const BodyMass<Dim2>> masses,
                  std::span<const std::uint32_t> rows, double h, Team& team, const BodyKernels& kernels) {
  team.for_blocks(rows.size(), k_bodies_a_block, [&](const Block& block) {
    drift_block(states, masses, block, h, kernels, [&](std::size_t i) { return rows[i]; });
  });
  return 0;
}

std::size_t drift(std::span<BodyState<Dim2>> states, std::span<const BodyMass<Dim2>> masses, double h,
                  Team& team, const BodyKernels& kernels) {
  team.for_blocks(states.size(), k_bodies_a_block, [&](const Block& block) {
    drift_block(states, masses, block, h, kernels, [](std::size_t i) { return std::uint32_t(i); });
  });
  return 0;
}

}  // namespace cairn
