// Joints of nets: those that keep two points together, and nothing else, and are swept (bonds.h).
//
//    C = (x_b + r_b) − (x_a + r_a),    J = [−1, [r_a]×, 1, −[r_b]×],    K = J M⁻¹ Jᵀ = Σ 1/m − [r]× I⁻¹ [r]×
//
//    λ ← (1 − leak) λ − give K⁻¹ (J v + rate·C)        while errors are drawn in
//    λ ← λ − K⁻¹ J v                                   when that is relaxed
//
// λ acts on b. C and J are those of constraints/parts/slide.h along the world's axes, all at once instead of row by row: in a net of
// 100 × 100 hinges a sweep takes a tenth of the time, and leaves less. Pins of one color share no moving body and are
// packed k_width to a group, and stay so as long as they are the same. Hinges of the plane and ball joints of space without limits, springs, friction or drives are pins.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "base/array.h"
#include "graph/coloring.h"
#include "solvers/soft_step/bond_problem.h"
#include "solvers/soft_step/column.h"
#include "solvers/soft_step/pin_lanes.h"

namespace cairn {

template <class D, class Real>
class Pins {
 public:
  using Column = std::array<double, D::k_dof>;
  // As for_each_row shows it.
  struct Row {
    Column j_a{}, j_b{};
    double hold = 0, softness = 0, mass = 0, impulse = 0;
    double lo = -std::numeric_limits<double>::infinity(), hi = std::numeric_limits<double>::infinity();
    int slot = 0;
  };

  explicit Pins(InstructionSet set) : kernels_(pin_kernels<D, Real>(set)) {}

  // Is the joint one, between these bodies? Those of locked ones are not: along the lock, K has no inverse. Nor are those whose arms
  // are too long for the bodies' inertia.
  static bool takes(const JointRecord<D>& joint, const BodyMass<D>& a, const BodyMass<D>& b);

  // --- once a step

  void begin_step() { joints_.clear(); }
  void add(std::uint32_t joint) { joints_.push_back(joint); }
  void pack(const BondProblem<D>& problem, std::span<const BodyMass<D>> masses, double h);
  // Once the step stands: to the memory of joints, which is all over the place, and is written but once.
  void remember(std::span<JointMemory<D>> memory, std::span<std::uint8_t> swept, double step,
                double substep) const noexcept;

  // --- once a substep

  void prepare(std::span<const BodyState<D>> states, double rate) {
    kernels_.prepare(groups_.data(), groups_.size(), states.data(), bodies_.data(), rate);
  }
  void add_up() { kernels_.add_up(groups_.data(), groups_.size()); }

  // --- as often as needed

  void warm_start(MovingBody<D, Real>* moving) const {
    kernels_.warm_start(groups_.data(), groups_.size(), moving);
  }
  void sweep(MovingBody<D, Real>* moving, const PinSweep& sweep) {
    kernels_.solve(groups_.data(), groups_.size(), moving, sweep);
  }

  template <class F>
  void for_each_row(F&& f) const;  // f(body a, body b, row)

 private:
  using Group = PinGroup<D, Real>;
  void pack_anew(std::span<const BodyMass<D>> masses);
  void put_in_lane(Group& group, int lane, std::uint32_t joint) const;
  void load(Group& group, double h) const;

  const PinKernels<D, Real>& kernels_;
  BondProblem<D> problem_;
  std::vector<std::uint32_t> joints_;
  Coloring coloring_;
  std::vector<std::uint8_t> colors_;                          // of joints_
  std::array<std::size_t, Coloring::k_overflow + 1> next_{};  // scratch: by color, the next place
  Array<Group> groups_;                                       // color by color
  std::vector<PinBody<D>> bodies_;                            // by row
  std::vector<std::uint32_t> packed_;                         // what joints_ were when groups_ were packed
  BondRevision revision_;                                     // and of what
};

template <class D, class Real>
template <class F>
void Pins<D, Real>::for_each_row(F&& f) const {
  using Vec = typename D::Vec;
  const auto read = [](const auto& from, int lane) {
    double v[3]{};
    for (int i = 0; i < D::k_linear; ++i) v[i] = double(from[i][lane]);
    return vector_of(D{}, v);
  };
  for (const Group& group : groups_)
    for (int lane = 0; lane < group.lanes; ++lane)
      for (int r = 0; r < D::k_linear; ++r) {
        double unit[3]{};
        unit[r] = 1;
        const Vec axis = vector_of(D{}, unit);
        Row row;
        row.j_a = column(-axis, -cross(read(group.arm_a, lane), axis));
        row.j_b = column(axis, cross(read(group.arm_b, lane), axis));
        row.mass = double(group.mass[r][lane]);
        row.impulse = double(group.impulse[r][lane]);
        row.slot = r;
        f(group.a[lane], group.b[lane], row);
      }
}

extern template class Pins<Dim2, float>;
extern template class Pins<Dim2, double>;
extern template class Pins<Dim3, float>;
extern template class Pins<Dim3, double>;

}  // namespace cairn
