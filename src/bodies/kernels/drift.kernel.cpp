// Free flight of many bodies: lanes loaded from their records, drift_lanes.h, lanes stored.
#include "bodies/kernels/drift_lanes.h"

namespace cairn::CAIRN_SET {

namespace {

using Bodies = Indices<DriftLane::k_count>;
constexpr std::size_t k_at_once = DriftLane::k_count;

}  // namespace

std::size_t drift(BodyState<Dim3>* states, const BodyMass<Dim3>* masses, const uint32_t* indices,
                  std::size_t count, double h) {
  std::size_t failed = 0;
  for (std::size_t first = 0; first < count; first += k_at_once) {
    const std::size_t left = count - first;
    const Bodies bodies =
        left < k_at_once ? Bodies::load_first(indices + first, left) : Bodies::load(indices + first);
    const uint32_t lanes = (1u << (left < k_at_once ? left : k_at_once)) - 1;
    StateLanes<Dim3> state = gather_records<k_state_numbers<Dim3>>(&states->position.x, bodies);
    failed += std::size_t(__builtin_popcount(lanes & bits(drift_lanes(state, masses, bodies, h))));
    scatter_records<k_state_numbers<Dim3>>(&states->position.x, bodies, state);
  }
  return failed;
}

std::size_t drift(BodyState<Dim2>* states, uint32_t* indices, std::size_t count, double h) {
  std::size_t left_over = 0;
  for (std::size_t first = 0; first < count; first += k_at_once) {
    const std::size_t here = count - first < k_at_once ? count - first : k_at_once;
    const Bodies bodies = Bodies::load_first(indices + first, here);
    StateLanes<Dim2> state = gather_records<k_state_numbers<Dim2>>(&states->position.x, bodies);
    uint32_t far = bits(drift_lanes(state, h)) & ((1u << here) - 1);
    scatter_records<k_state_numbers<Dim2>>(&states->position.x, bodies, state);
    for (; far; far &= far - 1) indices[left_over++] = indices[first + std::size_t(__builtin_ctz(far))];
  }
  return left_over;
}

}  // namespace cairn::CAIRN_SET
