// How far impulses and velocities are from solving the problem of contact, by the same measure for every solver.
//
// For each point of contact, with the velocity u = J v⁺ + b of b's material against a's after the solve, the impulse λ of
// the point, and w = tr(W)/d of its own W = J M⁻¹ Jᵀ:
//
//   s = μ‖u_T‖ n                                   makes Coulomb's law a projection (De Saxcé)
//   R = w ‖λ − Π_K(λ − (u + s)/w)‖   [m/s]          K: the true cone ‖λ_T‖ ≤ μ λ_N
//
// R = 0 where, and only where, the point neither overlaps faster nor pulls, sticks within the cone or slides on it with
// the friction against the sliding. b lets a gap close, b_N = gap/h, and has the motion of surfaces.
//
// The solvers have one friction for a whole patch (contact_block.h). Here it is shared among the points in proportion
// to their loads λ_i: the force as λ_T λ_i/Σλ, the twist τ about the normal as forces around the centre of friction,
// τ λ_i/Σ(λ_j r_j), which is how it is bounded. So a patch that slides or sticks as a whole is judged exactly; one that
// slides and spins at once shows what the patch's ellipsoid is from friction at each point. Resistance to rolling has
// no part in it.
#pragma once

#include <span>

#include "bodies/state.h"
#include "constraints/contact_block.h"

namespace cairn {

// What a patch gives to b in a time.
template <class D>
struct PatchImpulse {
  std::array<double, ContactBlock<D>::k_most_points> normal{};  // [N·s]
  typename D::Vec friction{};                                   // [N·s] at the centre of friction
  double twist = 0;                                             // [N·m·s] about the normal
  typename D::Ang turning{};  // [N·m·s] resistance to rolling and spinning
};

// Of some contacts, at one moment.
struct ContactResidual {
  double max = 0;          // [m/s] of R
  double sum_squares = 0;  // [m²/s²] of R
  std::size_t points = 0;  // that can move at all
  double signorini = 0;    // [m/s] the largest w |λ_N − max(0, λ_N − u_N/w)|
  double cone = 0;         // [m/s] the largest w max(0, ‖λ_T‖ − μ λ_N)
};

// Adds the points of a patch. `gaps` are their separations now [m], which may close within h [s].
template <class D>
void add_residual(const ContactBlock<D>& block, const PatchImpulse<D>& impulse,
                  std::span<const BodyState<D>> states, std::span<const BodyMass<D>> masses,
                  std::span<const double> gaps, double h, ContactResidual& sum);

// [m/s] of the fastest point of a patch, its surface included.
template <class D>
double contact_speed(const ContactBlock<D>& block, std::span<const BodyState<D>> states);

// [m/s] or [rad/s] of a row J v + b = 0 with bounds on λ: |J v + b| where it is within them. `speed` is J v + b.
inline double row_residual(double speed, double lambda, double lo, double hi, double mass) {
  return absolute(lambda - clamp(lambda - mass * speed, lo, hi)) / mass;
}

}  // namespace cairn
