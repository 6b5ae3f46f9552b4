// What the real-time solver keeps in lanes.
//
// Bodies are small records of Real (float or double), gathered into lanes and scattered back; contacts of one
// color, which share no moving body, are packed k_width to a group. Everything is relative: velocities, and how far
// the bodies have moved since the step began.
#pragma once

#include <cstdint>

#include "bodies/state.h"

namespace cairn {

inline constexpr int k_width = 8;  // contacts to a group, in every instruction set

// What the sweeps read and write.
template <class D, class Real>
struct MovingBody;
template <class Real>
struct MovingBody<Dim2, Real> {
  Real velocity[3];          // linear, then angular
  Real moved[2], turned[2];  // since the step began: a way, and a rotation (cos − 1, sin)
  Real unused;
};
template <class Real>
struct MovingBody<Dim3, Real> {
  Real velocity[6];          // linear, then angular
  Real moved[3], turned[4];  // a way, and a quaternion (w − 1, x, y, z)
  Real unused[3];
};
static_assert(sizeof(MovingBody<Dim3, float>) == 64 && sizeof(MovingBody<Dim2, float>) == 32);

// What they only read; changes with the rotation, once a substep.
template <class D, class Real>
struct InertBody;
template <class Real>
struct InertBody<Dim2, Real> {
  Real inverse_mass[2], inverse_inertia, unused;
};
template <class Real>
struct InertBody<Dim3, Real> {
  Real inverse_mass[3], inverse_inertia[6], unused[3];
};

template <class D, class Real>
struct alignas(64) ContactGroup {
  using Lanes = Real[k_width];
  static constexpr int k_most_points = 2 * (D::k_linear - 1);
  static constexpr int k_tangents = D::k_linear - 1;

  struct Point {
    Lanes arm_a[D::k_linear], arm_b[D::k_linear];
    Lanes core_a[D::k_linear], core_b[D::k_linear];  // what of them turns with the bodies
    Lanes separation;                                // when the step begins
    Lanes approach;
    Lanes lever;                 // distance from the centre of friction
    Lanes normal_mass;           // 1/K of the normal; 0 in lanes without this point
    Lanes rate, give, leak;      // of its softness: contact_rows.h
    Lanes normal_impulse;        // of this substep
    Lanes total_normal_impulse;  // of all so far
  };

  // Lanes first: they need their alignment.
  Lanes normal[D::k_linear], tangent[D::k_linear];
  Lanes surface_velocity[D::k_linear];
  Lanes restitution;
  Lanes taken;                                         // [J] by the impact: what a bounce may give back
  Lanes friction;                                      // μ
  Lanes center_a[D::k_linear], center_b[D::k_linear];  // arms to the centre of friction
  Lanes tangent_mass[2 * k_tangents - 1];              // (K_tt)⁻¹ there: in 3D xx, yy, xy
  Lanes slip_mass;                                     // 1/(largest eigenvalue of K_tt)
  Lanes twist_mass;                                    // 1/K about the normal
  Lanes tangent_impulse[k_tangents], twist_impulse;
  Lanes total_tangent_impulse[k_tangents];
  Lanes sticks;             // 1 or 0
  Lanes rolling, spinning;  // lever arms
  Lanes rolling_mass, spinning_mass;
  Lanes turning_impulse[D::k_angular];  // of both
  Point points[k_most_points];
  std::uint32_t a[k_width], b[k_width];
  std::uint32_t block[k_width];  // which contact is in the lane; k_nobody: none
  int count = 0;                 // of points, the most of any lane
  bool resists = false;          // does any lane resist rolling or spinning?
  bool bounces = false;          // does any lane have restitution?
};
inline constexpr std::uint32_t k_nobody = ~0u;

// Of one substep.
struct SweepSettings {
  double h = 0;              // [s]
  bool draws_in = false;     // does overlap go away in this sweep?
  double frequency = 0;      // [rad/s] of contacts
  double damping_ratio = 0;  // likewise
  double push_speed = 0;     // [m/s]
  double resting_speed = 0;  // [m/s]
};

}  // namespace cairn
