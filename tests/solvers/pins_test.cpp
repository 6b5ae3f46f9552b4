// Pins in lanes against the rows of their joints, solved one pin after another in doubles.
#include "solvers/soft_step/pins.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "constraints/all_joints.h"
#include "instruction_sets.h"

namespace cairn {
namespace {

constexpr double k_h = 1. / 480, k_rate = 100;

JointDef2 pin(BodyId a, BodyId b, const Vec2& at) {
  return HingeDef2{.a = a, .b = b, .frame = {.origin = at}};
}
JointDef3 pin(BodyId a, BodyId b, const Vec3& at) {
  return BallDef3{.a = a, .b = b, .frame = {.origin = at}};
}
double inertia_of(Dim2, double size) { return size; }
Sym3 inertia_of(Dim3, double size) { return {size, 1.5 * size, 0.7 * size, 0.1 * size, 0.05 * size, 0}; }

// A tangle: 80 bodies, of which one stands and one is moved, each pinned to some of those before it, and to the third, which has
// more pins than there are colors.
template <class D>
struct Tangle {
  using Vec = typename D::Vec;
  using Ang = typename D::Ang;
  static constexpr int N = D::k_dof, L = D::k_linear;
  Dice dice{7};
  BodyStore<D> bodies{1};
  std::vector<JointRecord<D>> joints;
  std::vector<JointMemory<D>> memory;
  std::vector<std::uint32_t> rows_a, rows_b, which;
  std::vector<typename D::Inertia> inverse_inertias;

  Tangle() {
    std::vector<BodyId> ids;
    for (int i = 0; i < 80; ++i) {
      BodyDef<D> def{.motion = i == 0 ? Motion::fixed : i == 1 ? Motion::kinematic : Motion::dynamic};
      const double mass = dice.from(0.5, 5);
      if (i > 1) def.mass = mass, def.inertia = inertia_of(D{}, 0.1 * mass);
      def.position = dice.vector<Vec>(2);
      def.rotation = rotation_of(dice.vector<Ang>(1.5));
      Notes notes;
      ids.push_back(bodies.create(def, notes));
      for (int k = 0; k < i && i > 1; ++k) {
        if (k != 2 && k % (1 + i / 3) > 0) continue;
        joints.push_back(build_joint(JointDef<D>(pin(ids[k], ids[i], dice.vector<Vec>(2))), bodies));
        JointMemory<D> start{};
        for (double& effort : start.effort) effort = dice.from(-50, 50);
        memory.push_back(start);
        which.push_back(std::uint32_t(which.size()));
        rows_a.push_back(bodies.row(ids[k])), rows_b.push_back(bodies.row(ids[i]));
      }
    }
    for (std::size_t row = 0; row < bodies.states.size(); ++row) {
      BodyState<D>& state = bodies.states[row];
      const BodyMass<D>& mass = bodies.masses[row];
      if (mass.motion != Motion::fixed) {
        state.position += dice.vector<Vec>(0.05);
        state.rotation = rotation_of(dice.vector<Ang>(0.1)) * state.rotation;
        state.velocity = dice.vector<Vec>(2);
        state.angular_velocity = dice.vector<Ang>(2);
      }
      inverse_inertias.push_back(mass.motion == Motion::dynamic ? inverse_inertia(mass, state.rotation)
                                                                : typename D::Inertia{});
    }
  }
  std::uint32_t joint_of(std::uint32_t a, std::uint32_t b) const {
    for (const std::uint32_t j : which)
      if (rows_a[j] == a && rows_b[j] == b) return j;
    return k_nobody;
  }

  struct Outcome {
    std::vector<std::array<double, N>> velocities;  // by row
    std::vector<double> impulses;                   // by row of the pins
    std::vector<std::array<std::uint32_t, 2>> order;
  };
  // Warm start, a sweep that draws in and one that does not.
  template <class Real>
  Outcome sweep(InstructionSet set) {
    std::vector<MovingBody<D, Real>> moving(bodies.states.size());
    for (std::size_t row = 0; row < moving.size(); ++row) {
      const auto v = column(bodies.states[row].velocity, bodies.states[row].angular_velocity);
      for (int i = 0; i < N; ++i) moving[row].velocity[i] = Real(v[i]);
    }
    Pins<D, Real> pins(set);
    pins.begin_step();
    for (const std::uint32_t j : which) pins.add(j);
    pins.pack({joints, memory, memory, rows_a, rows_b, which}, bodies.masses, k_h);
    pins.prepare(bodies.states, k_rate);
    pins.warm_start(moving.data());
    pins.sweep(moving.data(), {0.8, 0.1, true});
    pins.sweep(moving.data(), {});
    Outcome out;
    for (const MovingBody<D, Real>& body : moving)
      std::copy(body.velocity, body.velocity + N, out.velocities.emplace_back().begin());
    pins.for_each_row([&](std::uint32_t a, std::uint32_t b, const auto& row) {
      out.impulses.push_back(row.impulse);
      if (row.slot == 0) out.order.push_back({a, b});
    });
    return out;
  }

  // The same by the rows of the joints, in this order.
  Outcome reference(const std::vector<std::array<std::uint32_t, 2>>& order) {
    using Rows = Eigen::Matrix<double, L, 2 * N>;
    using Point = Eigen::Matrix<double, L, 1>;
    Outcome out;
    for (const BodyState<D>& s : bodies.states)
      out.velocities.push_back(column(s.velocity, s.angular_velocity));
    std::vector<Rows> jacobians, yields;  // J, J M⁻¹
    std::vector<Point> gaps, impulses;
    for (const auto& [a, b] : order) {
      const std::uint32_t j = joint_of(a, b);
      JointRows<D> rows;
      rows_of(joints[j], pose_of(joints[j], bodies.states[a], bodies.states[b]), 0, rows);
      Rows jacobian = Rows::Zero(), yield = Rows::Zero();
      Point gap, impulse;
      for (int r = 0; r < L; ++r) {
        const JacobianT<D, double>& from = rows[r].jacobian;
        const auto put = [&](Rows& to, int at, const std::array<double, N>& values) {
          for (int i = 0; i < N; ++i) to(r, at + i) = values[std::size_t(i)];
        };
        const auto moved = [&](std::uint32_t row, const Vec& linear, const Ang& angular) {
          return column(scaled(bodies.masses[row].inverse_mass, linear), inverse_inertias[row] * angular);
        };
        put(jacobian, 0, column(from.linear_a, from.angular_a));
        put(jacobian, N, column(from.linear_b, from.angular_b));
        put(yield, 0, moved(a, from.linear_a, from.angular_a));
        put(yield, N, moved(b, from.linear_b, from.angular_b));
        gap(r) = rows[r].position;
        impulse(r) = k_h * memory[j].effort[r];
      }
      jacobians.push_back(jacobian), yields.push_back(yield);
      gaps.push_back(gap), impulses.push_back(impulse);
    }
    const auto push = [&](std::size_t k, const Point& impulse) {
      const Eigen::Matrix<double, 2 * N, 1> change = yields[k].transpose() * impulse;
      for (int i = 0; i < N; ++i) {
        out.velocities[order[k][0]][std::size_t(i)] += change(i);
        out.velocities[order[k][1]][std::size_t(i)] += change(N + i);
      }
    };
    for (std::size_t k = 0; k < order.size(); ++k) push(k, impulses[k]);
    for (const PinSweep sweep : {PinSweep{0.8, 0.1, true}, PinSweep{}})
      for (std::size_t k = 0; k < order.size(); ++k) {
        Eigen::Matrix<double, 2 * N, 1> v;
        for (int i = 0; i < N; ++i) {
          v(i) = out.velocities[order[k][0]][std::size_t(i)];
          v(N + i) = out.velocities[order[k][1]][std::size_t(i)];
        }
        const Eigen::Matrix<double, L, L> mass = (jacobians[k] * yields[k].transpose()).inverse();
        const Point wanted = jacobians[k] * v + (sweep.draws_in ? k_rate : 0) * gaps[k];
        const Point change = -sweep.give * (mass * wanted) - sweep.leak * impulses[k];
        impulses[k] += change;
        push(k, change);
      }
    for (const Point& impulse : impulses)
      out.impulses.insert(out.impulses.end(), impulse.begin(), impulse.end());
    return out;
  }
};

template <class D, class Real>
void check(InstructionSet set, double tolerance) {
  Tangle<D> tangle;
  const auto got = tangle.template sweep<Real>(set);
  ASSERT_EQ(got.order.size(), tangle.joints.size());
  const auto expected = tangle.reference(got.order);
  double moved = 0;
  for (std::size_t row = 0; row < got.velocities.size(); ++row)
    for (std::size_t i = 0; i < got.velocities[row].size(); ++i) {
      EXPECT_NEAR(got.velocities[row][i], expected.velocities[row][i], tolerance) << row << ", " << i;
      moved = larger(moved, absolute(got.velocities[row][i]));
    }
  EXPECT_GT(moved, 2);
  for (std::size_t i = 0; i < got.impulses.size(); ++i)
    EXPECT_NEAR(got.impulses[i], expected.impulses[i], tolerance) << i;
  // Whatever the set, the same to the last bit.
  const auto scalar = tangle.template sweep<Real>(InstructionSet::scalar);
  EXPECT_EQ(got.velocities, scalar.velocities);
  EXPECT_EQ(got.impulses, scalar.impulses);
}

using PinsOn = EverySet;
TEST_P(PinsOn, lanes_do_what_their_rows_ask) {
  check<Dim2, double>(GetParam(), 1e-10);
  check<Dim3, double>(GetParam(), 1e-10);
  check<Dim2, float>(GetParam(), 2e-3);
  check<Dim3, float>(GetParam(), 2e-3);
}
CAIRN_TEST_EVERY_SET(PinsOn);

// A body whose velocity is beyond floats takes along what hangs on it, but not the ground that others are pinned to.
template <class D>
void check_ground() {
  Tangle<D> tangle;
  tangle.bodies.states.back().velocity.x = 1e300;
  const auto got = tangle.template sweep<float>(best_instruction_set());
  int still = 0;
  for (std::size_t row = 0; row < got.velocities.size(); ++row) {
    if (tangle.bodies.masses[row].motion == Motion::dynamic) continue;
    const BodyState<D>& state = tangle.bodies.states[row];
    const auto expected = column(state.velocity, state.angular_velocity);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(got.velocities[row][i], double(float(expected[i]))) << row << ", " << i;
    ++still;
  }
  EXPECT_GE(still, 2);
  EXPECT_FALSE(is_finite(got.velocities.back()[0]));
}
TEST(Pins, do_not_spoil_what_does_not_move) {
  check_ground<Dim2>();
  check_ground<Dim3>();
}

// Of the same revision they are as they were packed, but for what they start from; of any other they are packed anew.
template <class D>
void check_kept() {
  Tangle<D> tangle;
  Pins<D, double> kept(best_instruction_set());
  const auto outcome = [&](Pins<D, double>& pins, const BondRevision& revision) {
    BondProblem<D> problem{tangle.joints, tangle.memory, tangle.memory,
                           tangle.rows_a, tangle.rows_b, tangle.which};
    problem.revision = revision;
    pins.begin_step();
    for (const std::uint32_t j : tangle.which) pins.add(j);
    pins.pack(problem, tangle.bodies.masses, k_h);
    pins.prepare(tangle.bodies.states, k_rate);
    std::vector<MovingBody<D, double>> moving(tangle.bodies.states.size());
    pins.warm_start(moving.data());
    pins.sweep(moving.data(), {0.8, 0.1, true});
    pins.add_up();
    std::vector<double> velocities;
    for (const MovingBody<D, double>& body : moving)
      velocities.insert(velocities.end(), body.velocity, body.velocity + D::k_dof);
    return velocities;
  };
  const auto fresh = [&] {
    Pins<D, double> pins(best_instruction_set());
    return outcome(pins, {});
  };
  EXPECT_EQ(outcome(kept, {1, 1}), fresh());
  const auto expected = fresh();
  EXPECT_EQ(outcome(kept, {1, 1}), expected);  // totals and impulses begin anew
  for (JointMemory<D>& memory : tangle.memory) memory.effort[0] += 10;
  EXPECT_EQ(outcome(kept, {1, 1}), fresh());
  EXPECT_NE(fresh(), expected);

  const auto before = fresh();
  tangle.joints[3].anchor_a.x += 0.1;
  EXPECT_EQ(outcome(kept, {1, 1}), before);  // it believes what it is told
  EXPECT_EQ(outcome(kept, {2, 1}), fresh());
  tangle.joints[4].anchor_a.x += 0.1;
  EXPECT_EQ(outcome(kept, {2, 2}), fresh());
  tangle.joints[5].anchor_a.x += 0.1;
  EXPECT_EQ(outcome(kept, {}), fresh());
  tangle.joints[6].anchor_a.x += 0.1;
  EXPECT_EQ(outcome(kept, {}), fresh());  // not known is never the same
  tangle.which.erase(tangle.which.begin() + 7);
  EXPECT_EQ(outcome(kept, {3, 3}), fresh());
  tangle.which.erase(tangle.which.begin() + 7);
  EXPECT_EQ(outcome(kept, {3, 3}), fresh());  // others are swept in lanes
}
TEST(Pins, stay_packed) {
  check_kept<Dim2>();
  check_kept<Dim3>();
}

// Those that lanes cannot hold, or not well enough, are rows.
template <class D>
void check_takes() {
  using Vec = typename D::Vec;
  BodyStore<D> bodies{1};
  const auto add = [&](double inertia, bool locked) {
    BodyDef<D> def{.mass = 1, .inertia = inertia_of(D{}, inertia)};
    def.locks.translation.x = locked;
    Notes notes;
    return bodies.create(def, notes);
  };
  const BodyId a = add(0.1, false), light = add(1e-6, false), locked = add(0.1, true);
  const auto takes = [&](BodyId b, auto&& change) {
    Vec at{};
    at.x = 0.5;
    JointRecord<D> joint = build_joint(JointDef<D>(pin(a, b, at)), bodies);
    change(joint);
    joint.bare = is_bare(joint);
    return Pins<D, float>::takes(joint, bodies.masses[bodies.row(a)], bodies.masses[bodies.row(b)]);
  };
  const BodyId b = add(0.1, false);
  EXPECT_TRUE(takes(b, [](auto&) {}));
  EXPECT_FALSE(takes(light, [](auto&) {}));
  EXPECT_FALSE(takes(locked, [](auto&) {}));
  EXPECT_FALSE(takes(b, [](auto& joint) { joint.softness.frequency = 5; }));
  EXPECT_FALSE(takes(b, [](auto& joint) { joint.axes[0].limits = Limits{-1, 1}; }));
  EXPECT_FALSE(takes(b, [](auto& joint) { joint.axes[0].drive = VelocityDrive{}; }));
  EXPECT_FALSE(takes(b, [](auto& joint) { joint.kind = JointKind::fixed; }));
  // As the user gives it limits, and takes them back.
  Vec at{};
  at.x = 0.5;
  JointRecord<D> joint = build_joint(JointDef<D>(pin(a, b, at)), bodies);
  EXPECT_TRUE(joint.bare);
  set_axis(joint, 0, {.limits = Limits{-1, 1}});
  EXPECT_FALSE(joint.bare);
  set_axis(joint, 0, {});
  EXPECT_TRUE(joint.bare);
}
TEST(Pins, are_what_lanes_can_hold) {
  check_takes<Dim2>();
  check_takes<Dim3>();
}

}  // namespace
}  // namespace cairn
