// A patch of contact as a constraint between two bodies.
//
//   normal     C_i = separation of point i ≥ 0,  λ_i ≥ 0,  C_i λ_i = 0       J = [−n, −r_a×n, n, r_b×n]
//   friction   (λ_T, τ/r): |λ_T|² + (τ/r)² ≤ (μ Σλ_i)², against the sliding u_T and the twisting ω_n at the centre of
//              friction c = Σλ_i p_i/Σλ_i; r = Σλ_i |p_i − c|/Σλ_i             J = the same with t instead of n, arms to c
//   rolling    |τ_T| ≤ ρ Σλ_i, against the turning about directions in the surface; spinning about n likewise
//
// u_i is the velocity of b's material at the point against a's, in which a moving surface (a conveyor) counts.
// The arms go to the middle between both surfaces, for both bodies the same point: so a contact passes on
// angular momentum as it should. K = J M⁻¹ Jᵀ.
//
// Friction is that of the patch as a whole: Coulomb's disc for the force, and the ellipsoid through its extremes where it
// slides and spins at once. (Friction at each of four points is exact there, but its eight rows fight each other
// and the normals over three degrees of freedom: a stack of five cubes then never comes to rest with one sweep a
// substep, docs/decisions/0008.) So it does not depend on the number of points.
#pragma once

#include <array>
#include <cstdint>

#include "narrowphase/manifold.h"

namespace cairn {

template <class D>
struct ContactBlock {
  using Vec = typename D::Vec;
  static constexpr int k_most_points = Manifold<D>::k_most_points;

  struct Point {
    Vec arm_a{}, arm_b{};    // [m] from the centres of mass, world axes
    Vec core_a{}, core_b{};  // [m] of these arms, what turns with the bodies: without the radius of a ball
    double separation = 0;   // [m]
    double approach = 0;     // [m/s] of b against a along the normal when the step begins; negative: closing
    double load = 0;         // [N] along the normal: at the end of the last step; then at the end of this
    double impulse = 0;      // [N·s] along the normal in this whole step
  };

  std::uint32_t a = 0, b = 0;  // rows of the bodies
  int count = 0;
  Vec normal{};            // unit, from a to b
  Vec surface_velocity{};  // [m/s] of b's surface against its body minus a's
  double restitution = 0;
  double friction_coefficient = 0;   // μ: static where the patch stuck, else kinetic
  Vec friction{};                    // [N] on b at the centre of friction: as with load
  double twist = 0;                  // [N·m] about the normal
  Vec friction_impulse{};            // [N·s] on b in this whole step
  bool stuck = false;                // at the end of the step
  double rolling = 0, spinning = 0;  // [m] lever arms
  typename D::Ang torque{};          // [N·m] of both on b: as with force
  std::array<Point, k_most_points> points{};
};

// [m] By how much two points may come nearer in a step of h, if b's moves against a's like this along the normal: twice as far
// as they would alone, and as they fall.
inline double closes_by(double approach, double h, double gravity) {
  return h * (2 * larger(-approach, 0) + h * gravity);
}

// Where the load acts, from a's centre of mass; before there is any, the middle of the points.
template <class D>
typename D::Vec center_of_friction(const ContactBlock<D>& block) {
  typename D::Vec center{}, middle{};
  double load = 0;
  for (int k = 0; k < block.count; ++k) {
    center += block.points[k].load * block.points[k].arm_a;
    middle += (1. / block.count) * block.points[k].arm_a;
    load += block.points[k].load;
  }
  return load > 0 ? (1 / load) * center : middle;
}

}  // namespace cairn
