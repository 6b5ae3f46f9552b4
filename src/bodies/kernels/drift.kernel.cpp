// Free flight of many bodies: lanes loaded from their records, bodies/free_rotation.h, lanes stored.
#include "bodies/free_rotation.h"
#include "bodies/state.h"
#include "math/portable_parts.h"
#include "math/wide.h"

namespace cairn::CAIRN_SET {

namespace {

using Real = Wide<double, k_lanes<double>>;
using Bodies = Indices<Real::k_count>;

// Returns a bit for each lane whose rotation failed.
CAIRN_INLINE uint32_t drift_lanes(BodyState<Dim3>* states, const BodyMass<Dim3>* masses, const Bodies& bodies,
                                  const Real& h) {
  constexpr int k_state = sizeof(BodyState<Dim3>) / sizeof(double), k_moved = 7, k_angular = 10;
  constexpr int k_mass = sizeof(BodyMass<Dim3>) / sizeof(double);
  double* const records = &states->position.x;
  const auto s = gather_records<k_state>(records, bodies);
  const auto i = gather_records<6, k_mass>(&masses->inertia.xx, bodies);

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

std::size_t drift(BodyState<Dim3>* states, const BodyMass<Dim3>* masses, const uint32_t* indices,
                  std::size_t count, double h) {
  constexpr std::size_t n = Real::k_count;
  std::size_t failed = 0;
  for (std::size_t first = 0; first < count; first += n) {
    const std::size_t left = count - first;
    const Bodies bodies =
        left < n ? Bodies::load_first(indices + first, left) : Bodies::load(indices + first);
    const uint32_t lanes = (1u << (left < n ? left : n)) - 1;
    failed += std::size_t(__builtin_popcount(lanes & drift_lanes(states, masses, bodies, h)));
  }
  return failed;
}

namespace {

// In the plane. Bits of bodies that turn too far for the short series, and are left as they were.
CAIRN_INLINE uint32_t drift_lanes(BodyState<Dim2>* states, const uint32_t* indices, std::size_t count,
                                  double h) {
  constexpr int k_state = sizeof(BodyState<Dim2>) / sizeof(double);
  const Bodies bodies = Bodies::load_first(indices, count);
  double* const records = &states->position.x;
  const auto s = gather_records<k_state>(records, bodies);
  const Real angle = Real(h) * s[6];
  const auto turn = portable::small_sin_cos(angle);
  const Rot2T<Real> rotation{s[2], s[3]};
  const Rot2T<Real> turned = normalized(Rot2T<Real>{turn.cos, turn.sin} * rotation);
  const auto turns = !(s[6] == Real(0));
  const auto near = absolute(angle) <= Real(portable::k_quarter_pi);
  const auto moved = [&](const Real& now, const Real& next)
                         CAIRN_INLINE_LAMBDA { return select(near, next, now); };
  scatter_records<4, k_state>(records, bodies,
                              Records<double, Real::k_count, 4>{moved(s[0], s[0] + Real(h) * s[4]),
                                                                moved(s[1], s[1] + Real(h) * s[5]),
                                                                moved(s[2], select(turns, turned.c, s[2])),
                                                                moved(s[3], select(turns, turned.s, s[3]))});
  return ~bits(near) & ((1u << count) - 1);
}

}  // namespace

std::size_t drift(BodyState<Dim2>* states, uint32_t* indices, std::size_t count, double h) {
  constexpr std::size_t n = Real::k_count;
  std::size_t left_over = 0;
  for (std::size_t first = 0; first < count; first += n) {
    const std::size_t here = count - first < n ? count - first : n;
    for (uint32_t far = drift_lanes(states, indices + first, here, h); far; far &= far - 1)
      indices[left_over++] = indices[first + std::size_t(__builtin_ctz(far))];
  }
  return left_over;
}

}  // namespace cairn::CAIRN_SET
