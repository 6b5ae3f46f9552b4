// Free flight of many bodies: lanes loaded from their records, bodies/free_rotation.h, lanes stored.
#include "bodies/free_rotation.h"
#include "bodies/state.h"
#include "math/wide.h"

namespace cairn::CAIRN_SET {

namespace {

using Real = Wide<double, k_lanes<double>>;
using Bodies = Indices<Real::k_count>;

// Returns a bit for each lane whose rotation failed.
CAIRN_INLINE uint32_t drift_lanes(BodyState<Dim3>* states, const Sym3* inertia, const Bodies& bodies,
                                  const Real& h) {
  constexpr int k_state = sizeof(BodyState<Dim3>) / sizeof(double), k_moved = 7, k_angular = 10;
  double* const records = &states->position.x;
  const auto s = gather_records<k_state>(records, bodies);
  const auto i = gather_records<6>(&inertia->xx, bodies);

  Vec3T<Real> position{s[0], s[1], s[2]};
  Rot3T<Real> rotation{s[3], s[4], s[5], s[6]};
  const Vec3T<Real> velocity{s[7], s[8], s[9]};
  Vec3T<Real> angular_velocity{s[10], s[11], s[12]};

  position += h * velocity;
  const auto failed = rotate_freely({i[0], i[1], i[2], i[3], i[4], i[5]}, h, rotation, angular_velocity);

  const Records<double, Real::k_count, k_moved> moved{position.x, position.y, position.z, rotation.w,
                                                      rotation.x, rotation.y, rotation.z};
  const Records<double, Real::k_count, 3> turning{angular_velocity.x, angular_velocity.y, angular_velocity.z};
  scatter_records<k_moved, k_state>(records, bodies, moved);
  scatter_records<3, k_state>(records + k_angular, bodies, turning);
  return bits(failed);
}

}  // namespace

std::size_t drift(BodyState<Dim3>* states, const Sym3* inertia, const uint32_t* indices, std::size_t count,
                  double h) {
  constexpr std::size_t n = Real::k_count;
  std::size_t failed = 0;
  for (std::size_t first = 0; first < count; first += n) {
    const std::size_t left = count - first;
    const Bodies bodies =
        left < n ? Bodies::load_first(indices + first, left) : Bodies::load(indices + first);
    const uint32_t lanes = (1u << (left < n ? left : n)) - 1;
    failed += std::size_t(__builtin_popcount(lanes & drift_lanes(states, inertia, bodies, h)));
  }
  return failed;
}

}  // namespace cairn::CAIRN_SET
