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
#include <span>

#include "math/dim.h"
#include "narrowphase/manifold.h"

namespace cairn {

template <class D>
struct ContactBlock {
  using Vec = typename D::Vec;
  static constexpr int k_most_points = Manifold<D>::k_most_points;

  struct Point {
    Vec arm_a, arm_b;   // [m] from the centres of mass, world axes
    double separation;  // [m]
    double approach;    // [m/s] of b against a along the normal when the step begins; negative: closing
    double load;        // [N] along the normal at the end of the last step
  };

  std::uint32_t a = 0, b = 0;  // rows of the bodies
  int count = 0;
  Vec normal{};  // unit, from a to b
  double rounding_a = 0,
         rounding_b = 0;   // [m] of the arms, what does not turn with the bodies: the radius of a ball
  Vec surface_velocity{};  // [m/s] of b's surface against its body minus a's
  double restitution = 0;
  double friction_coefficient = 0;          // μ: static where the patch stuck, else kinetic
  Vec friction{};                           // [N] on b at the centre of friction: as with load
  double twist = 0;                         // [N·m] about the normal
  double rolling = 0, spinning = 0;         // [m] lever arms
  typename D::Ang torque{};                 // [N·m] of both on b: as with force
  std::array<Point, k_most_points> points;  // only the first `count` are anything
};

// What it is made of: two bodies, and what is fixed to them. Doubles only: k_width of them are gathered into lanes.
template <class D, class T>
struct PatchBodies {
  VecOf<D, T> a_to_b;  // [m]
  RotOf<D, T> rotation_a, rotation_b;
  VecOf<D, T> velocity_a, velocity_b;  // [m/s]
  AngOf<D, T> turning_a, turning_b;    // [rad/s]
};
template <class D>
struct PatchParts {
  static constexpr int k_most_points = Manifold<D>::k_most_points;
  struct Point {
    typename D::Vec anchor_a, anchor_b;  // [m] on the surfaces, from the centres of mass, body axes
    double separation, load;             // as in the block
  };
  PatchBodies<D, double> bodies;
  typename D::Vec normal;    // in a's axes, like friction and torque
  typename D::Vec friction;  // as in the block
  typename D::Ang torque;    // likewise
  double twist;              // likewise
  double count;              // of points
  std::array<Point, k_most_points> points;
  // In world axes, and as in the block.
  typename D::Vec surface_velocity;
  double restitution, friction_coefficient, rolling, spinning, rounding_a, rounding_b;
};

// Where a point of it is, and how it moves.
template <class D, class T>
struct PlacedPoint {
  VecOf<D, T> arm_a, arm_b;
  T approach;
};
template <class D, class T>
CAIRN_INLINE PlacedPoint<D, T> placed(const PatchBodies<D, T>& bodies, const VecOf<D, T>& normal,
                                      const VecOf<D, T>& anchor_a, const VecOf<D, T>& anchor_b) {
  const VecOf<D, T> on_a = bodies.rotation_a * anchor_a, on_b = bodies.a_to_b + bodies.rotation_b * anchor_b;
  const VecOf<D, T> arm_a = T(0.5) * (on_a + on_b), arm_b = arm_a - bodies.a_to_b;
  return {arm_a, arm_b,
          dot(normal, bodies.velocity_b + cross(bodies.turning_b, arm_b) -
                          (bodies.velocity_a + cross(bodies.turning_a, arm_a)))};
}

// Which patch it is, and whom it binds: all that most ask about it. The rest is told when it is needed: a block is large.
struct PatchRef {
  std::uint32_t contact = 0, patch = 0;  // for whoever tells the rest
  std::uint32_t a = 0, b = 0;            // rows of the bodies
  std::uint16_t points = 0;
  bool conveys = false;  // do its surfaces move?
};
inline constexpr std::uint32_t k_no_patch = ~0u;
template <class D>
class PatchSource {
 public:
  // parts[k] of the patch `which[k]` of these, for each k; not where that is k_no_patch.
  virtual void take_parts(std::span<const PatchRef> patches, std::span<const std::uint32_t> which,
                          PatchParts<D>* parts) const = 0;
  // They will be taken soon.
  virtual void prefetch(std::span<const PatchRef> patches, std::span<const std::uint32_t> which) const = 0;
  ContactBlock<D> block_of(const PatchRef& patch) const;

 protected:
  ~PatchSource() = default;
};
template <class D>
ContactBlock<D> PatchSource<D>::block_of(const PatchRef& patch) const {
  PatchParts<D> parts;
  const std::uint32_t first = 0;
  take_parts({&patch, 1}, {&first, 1}, &parts);
  const typename D::Rot& rotation = parts.bodies.rotation_a;
  ContactBlock<D> block;
  block.a = patch.a;
  block.b = patch.b;
  block.count = patch.points;
  block.normal = rotation * parts.normal;
  block.rounding_a = parts.rounding_a;
  block.rounding_b = parts.rounding_b;
  block.surface_velocity = parts.surface_velocity;
  block.restitution = parts.restitution;
  block.friction_coefficient = parts.friction_coefficient;
  block.friction = rotation * parts.friction;
  block.twist = parts.twist;
  block.rolling = parts.rolling;
  block.spinning = parts.spinning;
  block.torque = rotation * parts.torque;
  for (int k = 0; k < block.count; ++k) {
    const typename PatchParts<D>::Point& from = parts.points[k];
    const PlacedPoint<D, double> to = placed(parts.bodies, block.normal, from.anchor_a, from.anchor_b);
    block.points[k] = {to.arm_a, to.arm_b, from.separation, to.approach, from.load};
  }
  return block;
}

// What the solver found for a patch; what is along the normal by point.
template <class D>
struct PatchResult {
  std::array<double, Manifold<D>::k_most_points> load{};     // [N] at the end of the step
  std::array<double, Manifold<D>::k_most_points> impulse{};  // [N·s] in this whole step
  typename D::Vec friction{};                                // [N] on b, at the end of the step
  typename D::Vec friction_impulse{};                        // [N·s] in this whole step
  double twist = 0;                                          // [N·m] about the normal, at the end
  typename D::Ang torque{};  // [N·m] against rolling and spinning, at the end
  bool stuck = false;        // at the end
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
