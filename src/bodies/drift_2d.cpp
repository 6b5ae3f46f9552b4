#include "bodies/drift.h"

#include <algorithm>

namespace cairn {

bool drift(BodyState<Dim2>& state, const BodyMass<Dim2>& mass, double h) {
  if (mass.motion == Motion::fixed) return true;
  state.position += h * state.velocity;
  if (state.angular_velocity != 0) state.rotation = turned(state.rotation, state.angular_velocity, h);
  return true;
}

namespace {

// Changes the list of those that move.
void drift_mobile(std::span<BodyState<Dim2>> states, std::span<const BodyMass<Dim2>> masses,
                  std::span<std::uint32_t> mobile, double h, const BodyKernels& kernels) {
  const std::size_t left = kernels.drift_flat(states.data(), mobile.data(), mobile.size(), h);
  for (const std::uint32_t far : mobile.first(left)) drift(states[far], masses[far], h);
}

}  // namespace

std::size_t drift(std::span<BodyState<Dim2>> states, std::span<const BodyMass<Dim2>> masses,
                  std::span<const std::uint32_t> rows, double h, Team& team, const BodyKernels& kernels) {
  team.for_blocks(rows.size(), k_bodies_a_block, [&](const Block& block) {
    std::uint32_t mobile[k_bodies_a_block];
    std::copy(rows.begin() + block.begin, rows.begin() + block.end, mobile);
    drift_mobile(states, masses, std::span(mobile, block.end - block.begin), h, kernels);
  });
  return 0;
}

std::size_t drift(std::span<BodyState<Dim2>> states, std::span<const BodyMass<Dim2>> masses, double h,
                  Team& team, const BodyKernels& kernels) {
  team.for_blocks(states.size(), k_bodies_a_block, [&](const Block& block) {
    std::uint32_t mobile[k_bodies_a_block];
    std::size_t count = 0;
    for (std::size_t row = block.begin; row < block.end; ++row)
      if (masses[row].motion != Motion::fixed) mobile[count++] = std::uint32_t(row);
    drift_mobile(states, masses, std::span(mobile, count), h, kernels);
  });
  return 0;
}

}  // namespace cairn
