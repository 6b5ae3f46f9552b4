// Free flight in lanes, for kernels: states are arrays of their numbers, in the order of BodyState.
#pragma once

#include "bodies/free_rotation.h"
#include "bodies/state.h"
#include "math/portable_parts.h"
#include "math/wide.h"

namespace cairn::CAIRN_SET {
namespace {

using DriftLane = Wide<double, k_lanes<double>>;
template <class D>
inline constexpr int k_state_numbers = sizeof(BodyState<D>) / sizeof(double);
template <class D>
using StateLanes = Records<double, DriftLane::k_count, k_state_numbers<D>>;
template <class D>
inline constexpr int k_mass_numbers = sizeof(BodyMass<D>) / sizeof(double);

// Bodies without locks. True where the rotation is not resolved.
CAIRN_INLINE DriftLane::Mask drift_lanes(StateLanes<Dim3>& state, const BodyMass<Dim3>* masses,
                                         const Indices<DriftLane::k_count>& bodies, const DriftLane& h) {
  auto& s = state.field;
  const auto i = gather_records<6, k_mass_numbers<Dim3>>(&masses->inertia.xx, bodies);
  Rot3T<DriftLane> rotation{s[3], s[4], s[5], s[6]};
  Vec3T<DriftLane> turning{s[10], s[11], s[12]};
  unroll<3>([&](int k) CAIRN_INLINE_LAMBDA { s[k] += h * s[7 + k]; });
  const auto failed = rotate_freely({i[0], i[1], i[2], i[3], i[4], i[5]}, h, rotation, turning);
  s[3] = rotation.w, s[4] = rotation.x, s[5] = rotation.y, s[6] = rotation.z;
  s[10] = turning.x, s[11] = turning.y, s[12] = turning.z;
  return failed;
}

// In the plane. True where a body turns too far for the short series, and is left where it was.
CAIRN_INLINE DriftLane::Mask drift_lanes(StateLanes<Dim2>& state, const DriftLane& h) {
  auto& s = state.field;
  const DriftLane angle = h * s[6];
  const auto turn = portable::small_sin_cos(angle);
  const Rot2T<DriftLane> turned =
      normalized(Rot2T<DriftLane>{turn.cos, turn.sin} * Rot2T<DriftLane>{s[2], s[3]});
  const auto near = absolute(angle) <= DriftLane(portable::k_quarter_pi);
  const auto turns = near & !(s[6] == DriftLane(0));
  s[0] = select(near, s[0] + h * s[4], s[0]);
  s[1] = select(near, s[1] + h * s[5], s[1]);
  s[2] = select(turns, turned.c, s[2]);
  s[3] = select(turns, turned.s, s[3]);
  return !near;
}

}  // namespace
}  // namespace cairn::CAIRN_SET
