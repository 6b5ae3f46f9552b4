// What the real-time solver keeps in lanes.
//
// Bodies are small records of Real (float or double), gathered into lanes and scattered back; contacts of one
// color, which share no moving body, are packed k_width to a group. Everything is relative: velocities, and how far
// the bodies have moved since the step began.
#pragma once

#include <cstdint>

#include "bodies/state.h"

namespace cairn {

// Contacts to a group, in every instruction set: a register of floats of the widest, and a line of the cache. (With 32, sweeps skip
// every other line and come back for it: pyramid3d and wall3d took 6 % longer with AVX2.)
inline constexpr int k_width = 16;

// What the sweeps read and write.
template <class D, class Real>
struct MovingBody;
template <class Real>
struct MovingBody<Dim2, Real> {
  Real velocity[3];  // linear, then angular
  Real unused;       // so that velocities are gathered and scattered four by four, which three are not
  Real moved[2], turned[2];  // since the step began: a way, and a rotation (cos − 1, sin)
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

// What is read in every sweep comes first; what is not stands behind the points, where it is in nobody's way.
template <class D, class Real>
struct alignas(64) ContactGroup {
  using Lanes = Real[k_width];
  static constexpr int k_most_points = 2 * (D::k_linear - 1);
  static constexpr int k_tangents = D::k_linear - 1;

  // Places are from the centre of friction, in the frame of the patch.
  struct Point {
    Lanes tilt[k_tangents];   // r×n: how fast it closes as the patch tilts
    Lanes height;             // along the normal
    Lanes lever;              // distance from the centre of friction
    Lanes separation;         // as the bodies are
    Lanes normal_mass;        // 1/K of the normal; 0 in lanes without this point
    Lanes slips[k_tangents];  // what a unit impulse along the normal does to the sliding at the centre,
    Lanes spins;              // and to the spinning
    Lanes normal_impulse;     // of this substep
  };
  // Once or twice a substep.
  struct PointRest {
    Lanes first_separation;  // when the step begins
    Lanes approach;
    Lanes total_normal_impulse;  // of all substeps so far
  };

  // Lanes first: they need their alignment.
  Lanes normal[D::k_linear], tangent[D::k_linear];
  Lanes center_a[D::k_linear], center_b[D::k_linear];  // arms to the centre of friction
  Lanes friction;                                      // μ
  Lanes tangent_mass[2 * k_tangents - 1];              // (K_tt)⁻¹ there: in 3D xx, yy, xy
  Lanes slip_mass;                                     // 1/(largest eigenvalue of K_tt)
  Lanes twist_mass;                                    // 1/K about the normal
  Lanes tangent_impulse[k_tangents], twist_impulse;
  Lanes sticks;                                               // 1 or 0
  Lanes coupling[(k_most_points * (k_most_points - 1)) / 2];  // K of two normals: 10, 20, 21, 30, 31, 32
  std::uint32_t a[k_width], b[k_width];                       // records of the bodies
  int lanes = 0;                                              // that have a contact: the first
  int count = 0;                                              // of points, the most of any lane
  bool resists = false;                                       // does any lane resist rolling or spinning?
  bool bounces = false;                                       // does any lane have restitution?
  bool conveys = false;                                       // does any lane have a moving surface?
  alignas(64) Point points[k_most_points];

  PointRest rest[k_most_points];  // of the points
  Lanes total_tangent_impulse[k_tangents];
  Lanes rounding_a, rounding_b;  // radii that do not turn with the bodies
  Lanes conveyor[k_tangents];    // velocity of the surfaces
  Lanes restitution;
  Lanes taken;              // [J] by the impact: what a bounce may give back
  Lanes rolling, spinning;  // lever arms
  Lanes rolling_mass;
  Lanes turning_impulse[D::k_angular];  // of both
};
inline constexpr std::uint32_t k_nobody = ~0u;

// Of one substep.
struct SweepSettings {
  double h = 0;              // [s]
  bool draws_in = false;     // does overlap go away in this sweep?
  bool has_moved = false;    // have the bodies moved since the last one?
  double frequency = 0;      // [rad/s] of contacts
  double damping_ratio = 0;  // likewise
  double push_speed = 0;     // [m/s]
  double resting_speed = 0;  // [m/s]
};

}  // namespace cairn
