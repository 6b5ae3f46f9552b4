// Articulations that are trees, solved exactly from the leaves to the root and back, eight bodies at a time.
//
// A limb is a body and the joint that holds it to its parent p; J its rows, of which J_k acts on the body and J_p on the
// parent. Of the system in body space (bonds.h), (M + Jᵀ Γ⁻¹ J) Δv = …, the leaves are eliminated first:
//
//    A = M + Σ P of the limbs that it is the parent of
//    Y = A⁻¹ J_kᵀ,   S = Γ + J_k Y,   P = J_pᵀ S⁻¹ J_p
//
// Then, with e = J v + b + Γ_soft λ what is wrong with the rows,
//
//    inwards     y = S⁻¹ (e + Yᵀ f),           f of the parent −= J_pᵀ y
//    outwards    Δλ = −y − S⁻¹ J_p Δv_p,       Δv = A⁻¹ (f + J_kᵀ Δλ)
//
// (Featherstone's articulated bodies, with Γ, in terms of the rows that hold instead of the axes that are free.) As far as
// this goes 1/Γ is nowhere: no digits are lost to stiffness. Limbs of equal height, with joints of one kind, are eliminated
// together in lanes, whichever tree they belong to; each lane computes what it would alone.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "base/array.h"
#include "constraints/parts/swing.h"
#include "solvers/soft_step/bond_problem.h"
#include "solvers/soft_step/column.h"
#include "solvers/soft_step/lanes.h"
#include "solvers/soft_step/limb_lanes.h"
#include "solvers/soft_step/stops.h"

namespace cairn {

inline double turn_of(const double (&from)[1][k_limbs], int lane) { return from[0][lane]; }
inline Vec3 turn_of(const double (&from)[3][k_limbs], int lane) {
  return {from[0][lane], from[1][lane], from[2][lane]};
}

struct TreeLimb {
  std::uint32_t row = k_nobody;    // of its body
  std::uint32_t joint = k_nobody;  // a root may have none
  int height = 0;                  // above its furthest leaf
};

// In lanes of T: floats are for trees of moderate ratios of mass, and nothing else.
template <class D, class T = double>
class Limbs {
 public:
  using Column = std::array<double, D::k_dof>;
  using Limb = TreeLimb;
  // One that holds: as for_each_row shows it.
  struct Row {
    Column j_a{}, j_b{};
    double hold = 0, softness = 0, mass = 0, impulse = 0;
    double lo = -std::numeric_limits<double>::infinity(), hi = std::numeric_limits<double>::infinity();
    int slot = 0;
  };

  explicit Limbs(InstructionSet set) : kernels_(limb_kernels<D, T>(set)) {}

  // Can it hold a limb? Not what holds nothing, or only at times.
  static bool takes(const JointRecord<D>& joint);

  // Locked axes are heavier than floats can tell.
  static bool is_for_floats(const BodyMass<D>& mass);

  // --- once a step

  void begin_step(std::uint32_t bodies, std::uint32_t joints);
  // Still trees turn by less than k_still in this step: they are prepared once, unless something rouses them, or they turn out
  // to be torn open.
  // Its number is returned.
  std::uint32_t add_tree(std::span<const Limb> limbs, bool taut, bool still);
  void pack(const BondProblem<D>& problem, double h, double step);
  void hand_back(double step, double substep);

  // --- once a substep; if it `goes_on`, what is added up later counts only what is beyond the impulses so far

  // Finds the bodies' inverse inertias too, by row.
  void prepare(std::span<const BodyState<D>> states, std::span<const BodyMass<D>> masses, double h,
               double rate, bool goes_on, std::span<typename D::Inertia> inverse_inertias);
  // What acts on the axes of a joint is left to the sweeps. If that is limits of angles only, here are those that are near or
  // have an impulse; the others are too far to be met in this substep.
  bool only_limits(std::uint32_t joint) const { return only_limits_[joint]; }
  bool is_near_limit(std::uint32_t joint) const {
    return groups_[places_[joint].group].near >> places_[joint].lane & 1;
  }
  template <class F>
  void for_limits(std::uint32_t joint, std::span<const double> impulses, F&& f) const;  // f(angle limit)

  // --- as often as needed

  template <class Real>
  void warm_start(MovingBody<D, Real>* moving);
  // Of the relaxing sweeps, still trees need but the `last`.
  template <class Real>
  void solve(MovingBody<D, Real>* moving, bool last);
  // Likewise, but so that errors are drawn in when the bodies move by a substep, none faster than `most`. [m/s], [rad/s]
  // Taut trees, those of which a body turns too far, and those that are so far open that they ask for more, get that not as
  // velocities and impulses, but as `corrections`, by row.
  template <class Real>
  void solve_and_draw_in(MovingBody<D, Real>* moving, double most, std::span<Column> corrections);
  void add_up(bool relaxed) { add_up(1, relaxed); }
  // Is it, and has nothing roused it? By the order in which trees were added.
  bool is_still(std::uint32_t tree) const { return trees_[tree].still && !trees_[tree].roused; }
  // Is the body in a tree that is? Then its mass is that of the step's start.
  bool keeps_mass(std::uint32_t row) const {
    const std::uint32_t body = body_of_[row];
    return body != k_nobody && body <= limbs_.size() && is_still(tree_of_[body - 1]);
  }

  template <class F>
  void for_each_row(F&& f) const;  // f(body a, body b, row)

 private:
  static constexpr int N = D::k_dof;
  using Group = LimbGroup<D, T>;
  using Body = LimbBody<D, T>;

  struct Tree {
    std::uint32_t first = 0, count = 0;  // in bodies_
    bool taut = false, still = false;
    bool roused = false;  // since the step began, if it was still
    double widest = 0;    // [m/s] or [rad/s] what its rows ask for to draw errors in
  };

  void group();  // limbs_, as trees_ say
  void prepare_groups(std::span<const BodyState<D>> states, std::span<const BodyMass<D>> masses, double h,
                      double rate, bool goes_on, std::span<typename D::Inertia> inverse_inertias);
  bool rouse_torn();
  void add_up(double sign, bool still_too);
  void prepare_again(Group& group, std::span<const BodyState<D>> states, double h, double rate);
  void put_in_lane(Group& group, int lane, const Limb& limb);
  std::uint32_t body_of(std::uint32_t row);
  std::span<Body> bodies_of(const Tree& tree) { return std::span(bodies_).subspan(tree.first, tree.count); }
  template <class Real>
  void load(const MovingBody<D, Real>* moving, std::size_t first, std::size_t count);
  template <class Real>
  void hand_over(const Tree& tree, MovingBody<D, Real>* moving);
  template <class Real>
  void solve(MovingBody<D, Real>* moving, const LimbPass& pass);

  const LimbKernels<D, T>& kernels_;
  BondProblem<D> problem_;
  double h_ = 0, step_ = 0;
  std::vector<Limb> limbs_;
  std::vector<Tree> trees_;
  bool any_still_ = false, any_moving_ = false;  // of trees_
  bool knows_starts_ = false;                    // what impulses did to still trees, in this step
  std::vector<std::uint32_t> order_;             // limbs, as they are packed
  std::vector<std::uint32_t> tree_of_;           // by limb
  Array<Group> groups_;
  std::vector<Body> bodies_;  // the first is nobody's; then those of limbs_, then those that do not move
  std::vector<std::uint32_t> rows_;     // of bodies_
  std::vector<std::uint32_t> body_of_;  // by row
  struct Place {
    std::uint32_t group = 0, lane = 0;
  };
  std::vector<Place> places_;              // by joint
  std::vector<std::uint8_t> only_limits_;  // by joint
};

template <class D, class T>
template <class F>
void Limbs<D, T>::for_limits(std::uint32_t joint, std::span<const double> impulses, F&& f) const {
  const Group& group = groups_[places_[joint].group];
  const int lane = int(places_[joint].lane);
  const JointRecord<D>& record = problem_.joints[joint];
  const auto look = [&](int i, int lower, int upper, const Softness& softness) {
    const double now = group.coordinate[i][lane];
    const auto tell = [&](std::uint32_t near, int slot, double sign, double position) {
      if (near >> lane & 1 || impulses[std::size_t(slot)] > 0)
        f(AngleLimit<D>{sign * turn_of(group.turn[i], lane), position, softness.frequency,
                        softness.damping_ratio, slot});
    };
    if (lower >= 0) tell(group.near_min[i], lower, 1, now - group.min[i][lane]);
    tell(group.near_max[i], upper, -1, group.max[i][lane] - now);
  };
  if (!group.limited) return;
  if (record.cone < k_unlimited && group.coordinate[k_most_axes][lane] > k_least_swing)
    look(k_most_axes, -1, k_cone_slot, record.cone_softness);
  for (int i = 0; i < record.axis_count; ++i)
    if (record.axes[i].limits)
      look(i, slot_of(i, AxisSlot::lower), slot_of(i, AxisSlot::upper), record.axes[i].limit_softness);
}

template <class D, class T>
template <class F>
void Limbs<D, T>::for_each_row(F&& f) const {
  for (const Group& group : groups_)
    for (int lane = 0; lane < group.count; ++lane)
      for (int r = 0; r < group.row_count; ++r) {
        const typename Group::Row& from = group.rows[r];
        Row row;
        const bool own_is_b = group.own_is_b[lane] > 0;
        for (int i = 0; i < N; ++i) {
          row.j_a[i] = double(own_is_b ? from.parent[i][lane] : from.own[i][lane]);
          row.j_b[i] = double(own_is_b ? from.own[i][lane] : from.parent[i][lane]);
        }
        row.hold = double(from.hold[lane]), row.softness = double(from.softness[lane]);
        row.mass = double(from.mass[lane]), row.impulse = double(from.impulse[lane]);
        row.slot = r;
        f(group.row_a[lane], group.row_b[lane], row);
      }
}

extern template class Limbs<Dim2, float>;
extern template class Limbs<Dim2, double>;
extern template class Limbs<Dim3, float>;
extern template class Limbs<Dim3, double>;

}  // namespace cairn
