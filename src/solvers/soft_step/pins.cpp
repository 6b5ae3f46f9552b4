#include "solvers/soft_step/pins.h"

#include <algorithm>

#include "base/kernel.h"

namespace cairn {

CAIRN_EACH_SET(extern const PinKernels<Dim2, float> k_pins_2f;
               extern const PinKernels<Dim2, double> k_pins_2d;
               extern const PinKernels<Dim3, float> k_pins_3f;
               extern const PinKernels<Dim3, double> k_pins_3d;)

template <>
const PinKernels<Dim2, float>& pin_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_pins_2f);
}
template <>
const PinKernels<Dim2, double>& pin_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_pins_2d);
}
template <>
const PinKernels<Dim3, float>& pin_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_pins_3f);
}
template <>
const PinKernels<Dim3, double>& pin_kernels(InstructionSet set) noexcept {
  return CAIRN_OF_SET(set, k_pins_3d);
}

namespace {

bool is_pin(Dim2, JointKind kind) { return kind == JointKind::hinge; }
bool is_pin(Dim3, JointKind kind) { return kind == JointKind::ball; }
bool is_locked(const BodyMass<Dim2>& mass) {
  return mass.motion == Motion::dynamic &&
         (mass.locked_rotation || !(mass.inverse_mass.x > 0) || !(mass.inverse_mass.y > 0));
}
bool is_locked(const BodyMass<Dim3>& mass) {
  return mass.motion == Motion::dynamic && (any(mass.locked_rotation) || !(mass.inverse_mass.x > 0) ||
                                            !(mass.inverse_mass.y > 0) || !(mass.inverse_mass.z > 0));
}

// m r²/I: how much a push at the end of the arm turns the body rather than moving it. With floats, a sweep is off by that many
// millionths of a tenth; where that is much, rows are in doubles.
constexpr double k_most_turning = 1e5;
double turning(const BodyMass<Dim2>& mass, const Vec2& arm) {
  return mass.mass * length_squared(arm) * mass.inverse_inertia;
}
double turning(const BodyMass<Dim3>& mass, const Vec3& arm) {
  const Sym3& i = mass.inverse_inertia;
  return mass.mass * length_squared(arm) * (i.xx + i.yy + i.zz);
}

}  // namespace

template <class D, class Real>
bool Pins<D, Real>::takes(const JointRecord<D>& joint, const BodyMass<D>& a, const BodyMass<D>& b) {
  return is_pin(D{}, joint.kind) && joint.bare && !is_locked(a) && !is_locked(b) &&
         !(turning(a, joint.anchor_a) > k_most_turning) && !(turning(b, joint.anchor_b) > k_most_turning);
}

template <class D, class Real>
void Pins<D, Real>::pack(const BondProblem<D>& problem, std::span<const BodyMass<D>> masses, double h) {
  problem_ = problem;
  if (!problem.revision.is_same(revision_) || joints_ != packed_) {
    revision_ = {};  // until it is done, should memory run out
    pack_anew(masses);
    packed_ = joints_;
    revision_ = problem.revision;
  }
  for (Group& group : groups_) load(group, h);
}

template <class D, class Real>
void Pins<D, Real>::pack_anew(std::span<const BodyMass<D>> masses) {
  if (joints_.empty()) return groups_.clear();
  bodies_.clear();
  for (const BodyMass<D>& mass : masses) bodies_.push_back({mass.inverse_mass.x, mass.inverse_inertia});
  coloring_.reset(std::uint32_t(masses.size()));
  const auto moves = [&](std::uint32_t row) { return masses[row].motion == Motion::dynamic; };
  std::array<std::size_t, Coloring::k_overflow + 1> counts{};
  colors_.clear();
  for (const std::uint32_t joint : joints_) {
    const std::uint32_t a = problem_.rows_a[joint], b = problem_.rows_b[joint];
    colors_.push_back(std::uint8_t(coloring_.color(a, moves(a), b, moves(b))));
    ++counts[colors_.back()];
  }
  // Those of the last color may share bodies: each is alone in its group, in the order given.
  const auto stride = [](int color) { return color == Coloring::k_overflow ? k_width : 1; };
  std::size_t total = 0;
  for (int c = 0; c <= Coloring::k_overflow; ++c) {
    next_[c] = total * k_width;
    total += (counts[c] * std::size_t(stride(c)) + k_width - 1) / k_width;
  }
  groups_.resize(total);
  for (Group& group : groups_) group.lanes = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    std::size_t& place = next_[colors_[i]];
    Group& group = groups_[place / k_width];
    put_in_lane(group, group.lanes++, joints_[i]);
    place += std::size_t(stride(colors_[i]));
  }
  // Lanes without a pin do what the last one does, and store the same.
  for (Group& group : groups_)
    for (int lane = group.lanes; lane < k_width; ++lane)
      put_in_lane(group, lane, group.joint[group.lanes - 1]);
}

template <class D, class Real>
void Pins<D, Real>::put_in_lane(Group& group, int lane, std::uint32_t joint) const {
  const JointRecord<D>& record = problem_.joints[joint];
  group.a[lane] = problem_.rows_a[joint];
  group.b[lane] = problem_.rows_b[joint];
  group.joint[lane] = joint;
  const auto from_a = column(record.anchor_a, typename D::Ang{}),
             from_b = column(record.anchor_b, typename D::Ang{});
  for (int i = 0; i < D::k_linear; ++i) {
    group.anchor_a[i][lane] = from_a[i];
    group.anchor_b[i][lane] = from_b[i];
  }
}

// What changes from step to step.
template <class D, class Real>
void Pins<D, Real>::load(Group& group, double h) const {
  for (int lane = 0; lane < k_width; ++lane) {
    const JointMemory<D>& memory = problem_.memory[group.joint[lane]];
    for (int i = 0; i < D::k_linear; ++i) {
      group.impulse[i][lane] = Real(h * memory.effort[i]);
      group.total[i][lane] = 0;
    }
  }
}

template <class D, class Real>
void Pins<D, Real>::remember(std::span<JointMemory<D>> memory, std::span<std::uint8_t> swept, double step,
                             double substep) const noexcept {
  for (const Group& group : groups_)
    for (int lane = 0; lane < group.lanes; ++lane) {
      JointMemory<D>& its = memory[group.joint[lane]];
      double total[3]{};
      for (int i = 0; i < D::k_linear; ++i) {
        its.effort[i] = double(group.impulse[i][lane]) / substep;
        total[i] = double(group.total[i][lane]);
      }
      if (its.efforts > D::k_linear) std::fill(its.effort + D::k_linear, its.effort + its.efforts, 0.);
      its.efforts = D::k_linear;
      its.reaction = {(1 / step) * vector_of(D{}, total), {}};
      its.swept = true;
      swept[group.joint[lane]] = 1;
    }
}

template class Pins<Dim2, float>;
template class Pins<Dim2, double>;
template class Pins<Dim3, float>;
template class Pins<Dim3, double>;

}  // namespace cairn
