// What limbs (limbs.h) are in lanes, and what kernels do with them.
//
// A limb is a body of a tree and the joint that holds it to the body next nearer to the root, its parent. Eight limbs
// with joints of one kind make a group, whichever trees they belong to. Bodies are records, gathered into lanes and scattered
// back.
#pragma once

#include <cairn/instruction_set.h>

#include <cstddef>
#include <cstdint>

#include "bodies/state.h"
#include "constraints/joint_parts.h"

namespace cairn {

inline constexpr int k_limbs = 8;                // to a group, in every instruction set
inline constexpr double k_rigid = 1e-6;          // Γ of rigid rows, as a part of K
inline constexpr double k_still = 0.02;          // [rad] less than this in a step, turning does not matter
inline constexpr double k_roused = 2 * k_still;  // [rad] more than this, it does in the substeps to come
inline constexpr double k_far = 0.4;  // [rad] further than this in a substep, turning is not followed

// Do its first rows keep two points together, along world axes?
CAIRN_INLINE constexpr bool holds_point(JointKind kind) {
  return kind == JointKind::ball || kind == JointKind::hinge || kind == JointKind::fixed ||
         kind == JointKind::universal;
}

// An arm r that turns by θ = ω h takes its end θ × (θ × r)/2 − θ² θ × r/6 + … off the tangent, on which J v goes. At
// 100 rad/s that is 7 mm in a substep of 2 ms. Half of the impulse that turns it is given before it moves, therefore; the
// relaxing sweeps give the other half (as RATTLE does). [m/s]
template <class Vec, class Ang, class T>
CAIRN_INLINE Vec off_tangent(const Ang& spin, const Vec& arm, const T& h) {
  const Vec along = cross(spin, arm);
  return T(0.5) * h * cross(spin, along) - h * h * dot(spin, spin) / T(6) * along;
}

// Likewise of a rod along n, whose ends part at `speed`, and of which arms go off the tangents by `off`.
template <class Vec, class T>
CAIRN_INLINE T off_tangent_of_rod(const Vec& n, const T& length, const Vec& speed, const Vec& off,
                                  const T& h) {
  const T along = dot(n, speed);
  return dot(n, off) + T(0.5) * h * (dot(speed, speed) - along * along) / length;
}

// A body, whether it moves or not, of a tree that is solved in lanes of T.
template <class D, class T>
struct LimbBody {
  // Columns are gathered 16 bytes at a time: three floats would go one by one.
  static constexpr int k_column = sizeof(T) == 4 ? (D::k_dof + 3) / 4 * 4 : D::k_dof;

  T velocity[k_column];  // linear, then angular
  T force[k_column];     // f: what the limbs further out bring
  T change[k_column];    // Δv
  T start[k_column];     // M⁻¹ Jᵀ λ
  T lost;  // 1: what draws errors in is for the way of the substep only, and no impulse; 0: it is one
  T inverse_mass[D::k_linear], inverse_inertia[D::k_dof == 6 ? 6 : 1];  // of the body alone, world axes
  T mass[D::k_dof * (D::k_dof + 1) / 2];  // A: of all that hangs on it, a triangle row by row
};

// Rows and factors are T; where bodies are and what angles they make is found in doubles.
template <class D, class T>
struct alignas(64) LimbGroup {
  using Lanes = T[k_limbs];
  using Exact = double[k_limbs];
  static constexpr int N = D::k_dof;
  static constexpr int k_triangle = N * (N + 1) / 2;
  static constexpr int k_rotation = D::k_angular + 1;
  static constexpr bool has_rows(int count) {
    return N == 3 || (count != 2 && count != 4);
  }  // or one is added
  static constexpr int k_coordinates = k_most_axes + 1;

  LimbGroup() {}  // the lanes are filled where it is packed: 16 KB need not be zeros first

  struct Row {
    Lanes own[N], parent[N];  // of J
    Lanes yield[N];           // Y = A⁻¹ J_ownᵀ
    Lanes gamma, softness;    // Γ, Γ_soft
    Lanes mass;               // 1/(K + Γ_soft)
    Lanes hold, bias;         // b, and how much more of it draws errors in
    Lanes impulse;            // λ
    Lanes answer;             // y
  };
  Row rows[N];
  Lanes factor[k_triangle];      // of A: 1/D on the diagonal, U beside it
  Lanes row_factor[k_triangle];  // of S, likewise

  Lanes length;                                                // of rods
  Lanes frequency, damping_ratio;                              // of the rows that hold; 0: rigid
  Lanes own_is_b;                                              // 1 or 0
  Lanes arm_a[D::k_linear], arm_b[D::k_linear];                // [m] now
  Lanes total_force[D::k_linear], total_torque[D::k_angular];  // [N·s], [N·m·s] on b at the anchor

  // The joints.
  alignas(64) Exact anchor_a[D::k_linear];  // kernels load doubles of AVX-512 from whole lines only
  Exact anchor_b[D::k_linear];
  Exact frame_a[k_rotation], frame_b[k_rotation];
  Exact exact_length;
  Exact turn_base[k_most_axes], turn_last[k_most_axes];
  Exact min[k_coordinates],
      max[k_coordinates];           // limits of angles, infinite where there is none; the cone's is the last
  Exact coordinate[k_coordinates];  // [rad] now
  Exact turn[k_coordinates][D::k_angular];  // how they change with ω_b − ω_a

  std::uint32_t row_a[k_limbs], row_b[k_limbs];  // bodies of the joints
  std::uint32_t own[k_limbs], parent[k_limbs];   // limb bodies
  std::uint32_t joint[k_limbs], tree[k_limbs];
  int count = 0;         // of limbs; the lanes behind repeat the first, for the body 0, which is nobody's
  int row_count = 0;     // of each, as far as has_rows: joints may have one row less
  JointKind kind{};      // of all; of roots, which have no rows, none
  bool limited = false;  // has any a limit to look at?
  bool still = false;    // are all of still trees? Then they are prepared once a step
  double left = 1;       // of the errors of position, since they were prepared
  std::uint32_t near_min[k_coordinates]{},
      near_max[k_coordinates]{};  // a bit for each limb that is near its limit
  std::uint32_t near = 0;         // likewise, of any of them
  std::uint32_t roused = 0;       // a bit for each limb of a still tree that was
};

struct LimbTimes {
  double h = 0;     // [s] of the substep
  double rate = 0;  // [1/s] at which errors go away
};

// One way from the leaves to the roots and back: of which groups, and what is mended on it.
struct LimbPass {
  bool still = false;     // of still groups or of the others
  bool holds = true;      // what is wrong with velocities
  bool draws_in = false;  // what is wrong with positions, and will be in a substep of h
  double h = 0;           // [s]
  double most = 0;        // [m/s] for which a row is asked to draw in, at most
};

template <class D, class T>
struct LimbKernels {
  using Group = LimbGroup<D, T>;
  using Body = LimbBody<D, T>;

  // Masses of the dynamic bodies `rows`, of which none is locked, in world axes.
  void (*set_masses)(Body* bodies, std::size_t count, const std::uint32_t* rows, const BodyState<D>* states,
                     const BodyMass<D>* masses);
  // Rows and limits, with the bodies where they are.
  void (*prepare)(Group* groups, std::size_t count, const BodyState<D>* states, const Body* bodies,
                  const LimbTimes& times);
  // A and S. Groups follow each other from the leaves to the roots.
  void (*factorise)(Group* groups, std::size_t count, Body* bodies);
  void (*add_up)(Group* groups, std::size_t count, double sign);       // impulses to totals
  void (*push)(const Group* groups, std::size_t count, Body* bodies);  // Jᵀ λ to forces
  // From velocities to changes of them and of impulses. Forces are 0 before.
  void (*solve)(Group* groups, std::size_t count, Body* bodies, const LimbPass& pass);
};

// The set must be at most best_instruction_set().
template <class D, class T>
const LimbKernels<D, T>& limb_kernels(InstructionSet set) noexcept;

}  // namespace cairn
