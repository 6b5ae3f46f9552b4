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

#include "bodies/state.h"
#include "math/dim.h"
#include "narrowphase/pair_patch.h"

namespace cairn {

// What the surfaces of a patch are like.
template <class D>
struct PatchSurface {
  typename D::Vec velocity{};  // [m/s] of b's against its body minus a's, world axes
  double restitution = 0;
  double friction_coefficient = 0;   // μ: static where the patch stuck, else kinetic
  double rolling = 0, spinning = 0;  // [m] lever arms
  double rounding_a = 0,
         rounding_b = 0;  // [m] of the arms, what does not turn with the bodies: the radius of a ball
};
template <class D>
PatchSurface<D> surface_of(const PairPatch<D>& patch, const typename D::Vec& velocity) {
  const Material& material = patch.material;
  return {.velocity = velocity,
          .restitution = material.restitution,
          .friction_coefficient = patch.stuck ? material.static_friction : material.kinetic_friction,
          .rolling = material.rolling_resistance,
          .spinning = material.spinning_resistance,
          .rounding_a = patch.rounding_a,
          .rounding_b = patch.rounding_b};
}

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
  PatchSurface<D> surface{};
  Vec friction{};                           // [N] on b at the centre of friction: as with load
  double twist = 0;                         // [N·m] about the normal
  typename D::Ang torque{};                 // [N·m] against rolling and spinning on b: as with load
  std::array<Point, k_most_points> points;  // only the first `count` are anything
};

// Of two bodies that touch, all that a patch asks.
template <class D, class T>
struct PatchBodies {
  VecOf<D, T> a_to_b;  // [m]
  RotOf<D, T> rotation_a, rotation_b;
  VecOf<D, T> velocity_a, velocity_b;  // [m/s]
  AngOf<D, T> turning_a, turning_b;    // [rad/s]
};
template <class D>
PatchBodies<D, double> patch_bodies(const BodyState<D>& a, const BodyState<D>& b) {
  return {b.position - a.position, a.rotation,        b.rotation, a.velocity, b.velocity,
          a.angular_velocity,      b.angular_velocity};
}
// A patch where it is kept, and what belongs to it.
template <class D>
struct PatchView {
  const PairPatch<D>* patch = nullptr;
  std::uint32_t a = 0, b = 0;          // rows of the bodies
  typename D::Vec surface_velocity{};  // as in PatchSurface
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
  void* patch = nullptr;  // PairPatch<D>, where it is kept in this step
  std::uint32_t contact = 0;
  std::uint32_t a = 0, b = 0;  // rows of the bodies
  std::uint8_t points = 0;
  bool conveys = false;                   // do its surfaces move?
  bool a_moves = false, b_moves = false;  // which of the bodies are dynamic: one is, at least
  std::uint32_t mover() const { return a_moves ? a : b; }
};
static_assert(sizeof(PatchRef) == 24);
template <class D>
PairPatch<D>& patch_of(const PatchRef& ref) {
  return *static_cast<PairPatch<D>*>(ref.patch);
}
// What patches do not tell themselves.
template <class D>
class PatchSource {
 public:
  explicit PatchSource(const BodyState<D>* states) : states_(states) {}
  const BodyState<D>* states() const { return states_; }  // of all bodies, by row, when the step begins
  PatchView<D> view(const PatchRef& ref) const {
    return {&patch_of<D>(ref), ref.a, ref.b, ref.conveys ? surface_velocity(ref) : typename D::Vec{}};
  }
  ContactBlock<D> block_of(const PatchRef& ref) const;

 protected:
  ~PatchSource() = default;
  // Of a patch that conveys, as in PatchSurface.
  virtual typename D::Vec surface_velocity(const PatchRef& ref) const = 0;

 private:
  const BodyState<D>* states_;
};
template <class D>
ContactBlock<D> PatchSource<D>::block_of(const PatchRef& ref) const {
  const PatchView<D> view = this->view(ref);
  const PairPatch<D>& patch = *view.patch;
  const PatchBodies<D, double> bodies = patch_bodies(states_[view.a], states_[view.b]);
  const typename D::Rot& rotation = bodies.rotation_a;
  ContactBlock<D> block;
  block.a = view.a;
  block.b = view.b;
  block.count = patch.count;
  block.normal = rotation * patch.normal;
  block.surface = surface_of(patch, view.surface_velocity);
  block.friction = rotation * patch.friction;
  block.twist = patch.twist;
  block.torque = rotation * patch.torque;
  for (int k = 0; k < block.count; ++k) {
    const PairPoint<D>& from = patch.points[k];
    const PlacedPoint<D, double> to = placed(bodies, block.normal, from.anchor_a, from.anchor_b);
    block.points[k] = {to.arm_a, to.arm_b, from.separation, to.approach, from.load};
  }
  return block;
}

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
