// The joints in a substep: rows from constraints/joints.h, some solved at once, some swept.
//
// Joints that hang together are an articulation: a chain, a ragdoll, a machine. Its rows that hold are solved together
// and exactly, in body space,
//
//    (M + Jᵀ Γ⁻¹ J) Δv = −Jᵀ Γ⁻¹ (J v + b + Γ_soft λ),      Δλ = −Γ⁻¹ (J v + b + Γ_soft λ + J Δv)
//
// leaves first, so that a tree costs as much as a sweep and any ratio of masses is as good as another. For rigid rows Γ is a
// millionth of their K = J M⁻¹ Jᵀ, and acts on the change Δλ only: each solve divides the error by a million.
// (Baraff 1996 eliminates in the same order; body space does not mind redundant rows.) Where loops would make this
// dear, as in a net, the rows are swept instead.
//
// Limits, drives and friction have bounds: these rows are swept, one after another.
#pragma once

#include <span>
#include <vector>

#include "constraints/joint_store.h"
#include "graph/islands.h"
#include "solvers/block_cholesky.h"
#include "solvers/soft_step/lanes.h"

namespace cairn {

template <class D>
struct BondProblem {
  std::span<const JointRecord<D>> joints;
  std::span<JointMemory<D>> memory;            // of the joints
  std::span<const std::uint32_t> rows_a, rows_b;  // the joints' bodies
};

template <class D>
class Bonds {
 public:
  // Once a step: which joints hang together. `count` is the number of bodies.
  void begin_step(const BondProblem<D>& problem, std::span<const BodyMass<D>> masses, std::uint32_t count,
                  double h);
  // Once a substep, with the bodies where they are: the rows, and the factors of the articulations. If the substep
  // `goes_on`, what is added up later counts only what is beyond the impulses so far.
  void prepare(std::span<const BodyState<D>> states, std::span<const BodyMass<D>> masses, double t, double h,
               double rate, bool goes_on);
  template <class Real>
  void warm_start(MovingBody<D, Real>* moving) const;
  // Rows with bounds, one after another; and all rows of articulations that are too dear to factorise.
  template <class Real>
  void sweep(MovingBody<D, Real>* moving, bool draws_in);
  // The rows that hold.
  template <class Real>
  void solve(MovingBody<D, Real>* moving, bool draws_in);
  void add_up();  // when impulses have been applied, before the bodies move
  // At the end of a step of this length: efforts and reactions, to memory.
  void hand_back(double step, double substep);

  bool empty() const { return problem_.joints.empty(); }

 private:
  static constexpr int N = D::k_dof;
  using Column = std::array<double, N>;  // linear, then angular

  struct Row {
    Column j_a{}, j_b{};        // of J
    Column v_a{}, v_b{};        // M⁻¹ Jᵀ: what a unit impulse does to the velocities
    double draw_in = 0, hold = 0;  // b, with and without drawing in errors of position
    double softness = 0;        // Γ_soft
    double gamma = 0;           // Γ
    double mass = 0;            // 1/(K + Γ_soft)
    double lo = 0, hi = 0;      // [N·s] bounds of the impulse
    double impulse = 0;
    std::uint32_t joint = 0;
    std::uint8_t slot = 0;
    bool direct = false;
  };
  struct Articulation {
    std::uint32_t first_joint = 0, joint_count = 0;  // in order_
    std::uint32_t first_node = 0, node_count = 0;    // in bodies_
    int factor = -1;                                 // in factors_; none: swept
  };

  Row make_row(const JointRow<D>& from, std::uint32_t joint, double h, double rate) const;
  void count(const Row& row, double sign);
  void factorise(Articulation& articulation, std::span<const BodyState<D>> states,
                 std::span<const BodyMass<D>> masses);
  template <class Real>
  static Column velocity(const MovingBody<D, Real>& body);
  template <class Real>
  static void add(MovingBody<D, Real>& body, const Column& change, double factor);

  BondProblem<D> problem_;
  double step_ = 0;
  Islands islands_;
  std::vector<Articulation> articulations_;
  std::vector<std::uint32_t> order_;    // joints, articulation by articulation
  std::vector<std::uint32_t> bodies_;   // dynamic bodies, likewise
  std::vector<std::uint32_t> node_of_;  // by body: its place in its articulation; k_nobody if it does not move
  std::vector<BlockSlot> slots_;        // by joint, if both bodies move
  std::vector<BlockCholesky<N>> factors_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> first_row_;  // by place in order_, and one more
  std::vector<std::array<double, k_joint_slots>> impulses_;  // by joint and slot
  std::vector<Wrench<D>> totals_;  // by joint: impulse on b at its centre of mass, of all substeps
  std::vector<typename D::Vec> arms_b_;
  std::vector<double> x_;  // scratch: right-hand side and change of velocity
};

}  // namespace cairn
