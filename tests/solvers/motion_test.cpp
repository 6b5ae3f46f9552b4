// Passes over bodies do in lanes what they would do to one body after another, bit for bit, in every instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "bodies/drift.h"
#include "constraints/all_joints.h"
#include "instruction_sets.h"
#include "solvers/soft_step/column.h"
#include "solvers/soft_step/kernels.h"

namespace cairn {
namespace {

constexpr double k_h = 1. / 480;

double some_inertia(Dice& dice, Dim2) { return dice.from(0.1, 1); }
Sym3 some_inertia(Dice& dice, Dim3) {
  return rotated(rotation_of(dice.vector<Vec3>(2)),
                 Sym3{dice.from(1, 1.2), dice.from(1, 1.2), dice.from(1, 1.2)});
}
bool turns_too_far(double speed) { return std::abs(k_h * speed) > k_pi / 4; }
bool turns_too_far(const Vec3&) { return false; }

std::array<double, 2> turn(const Rot2& r) { return {r.c - 1, r.s}; }
std::array<double, 4> turn(const Rot3& r) { return {r.w - 1, r.x, r.y, r.z}; }
std::array<double, 2> numbers(const Vec2& v) { return {v.x, v.y}; }
std::array<double, 3> numbers(const Vec3& v) { return {v.x, v.y, v.z}; }
template <class Real, std::size_t N>
void expect_rounded(const Real (&lanes)[N], const std::array<double, N>& of) {
  for (std::size_t k = 0; k < N; ++k) EXPECT_EQ(lanes[k], Real(of[k]));
}
template <class Real>
void expect_inertia(const InertBody<Dim2, Real>& body, const BodyMass<Dim2>&, const Rot2&) {
  EXPECT_EQ(body.inverse_inertia, 0);  // does not turn: nobody's business
}
template <class Real>
void expect_inertia(const InertBody<Dim3, Real>& body, const BodyMass<Dim3>& mass, const Rot3& rotation) {
  const Sym3 m = inverse_inertia(mass, rotation);
  expect_rounded(body.inverse_inertia, std::array{m.xx, m.yy, m.zz, m.xy, m.xz, m.yz});
}

template <class D, class Real>
struct Bodies {
  using Columns = std::vector<std::array<double, D::k_dof>>;
  std::vector<BodyState<D>> start, states;
  std::vector<BodyMass<D>> masses;
  std::vector<typename D::Vec> kicks;
  Columns corrections;
  std::vector<MovingBody<D, Real>> moving;
  std::vector<InertBody<D, Real>> inert;
  std::vector<std::uint8_t> turned_far;
  std::vector<std::uint32_t> rows;

  Bodies(Dice& dice, std::size_t count) : moving(count), inert(count), turned_far(count) {
    for (std::size_t i = 0; i < count; ++i) {
      const double fast[] = {0, 1e-3, 1, 30, 1000};
      start.push_back({dice.vector<typename D::Vec>(9), rotation_of(dice.vector<typename D::Ang>(2)),
                       dice.vector<typename D::Vec>(9), dice.vector<typename D::Ang>(fast[(i + count) % 5])});
      BodyMass<D> mass{.motion = Motion::dynamic};
      mass.inertia = some_inertia(dice, D{});
      mass.inverse_inertia = some_inertia(dice, D{});
      masses.push_back(mass);
      kicks.push_back(dice.vector<typename D::Vec>(1));
      corrections.push_back(column(dice.vector<typename D::Vec>(1), dice.vector<typename D::Ang>(1)));
      rows.push_back(std::uint32_t(count - 1 - i));
    }
    states = start;
  }
  MotionPass<D, Real> pass(bool corrects, bool touches, bool takes) {
    return {.states = states.data(),
            .masses = masses.data(),
            .start = touches ? start.data() : nullptr,
            .kicks = kicks.data(),
            .corrections = corrects ? corrections[0].data() : nullptr,
            .moving = moving.data(),
            .inert = inert.data(),
            .turned_far = turned_far.data(),
            .h = k_h,
            .takes = takes};
  }
};

template <class D>
void add(BodyState<D>& state, const std::array<double, D::k_dof>& v, double sign) {
  state.velocity += sign * twist_of(v).linear;
  state.angular_velocity += sign * twist_of(v).angular;
}
// What lanes did to the velocity that they were given.
template <class D, class Real>
std::array<double, D::k_dof> change(const BodyState<D>& state, const MovingBody<D, Real>& now) {
  std::array<double, D::k_dof> v = column(state.velocity, state.angular_velocity);
  for (int k = 0; k < D::k_dof; ++k) v[k] = double(now.velocity[k]) - double(Real(v[k]));
  return v;
}

class Motions : public EverySet {};
CAIRN_TEST_EVERY_SET(Motions);

template <class D, class Real>
void expect_one_after_another(InstructionSet set, std::size_t count, bool corrects, bool touches) {
  const MotionKernels<D, Real>& kernels = motion_kernels<D, Real>(set);
  Dice dice(count);
  Bodies<D, Real> bodies(dice, count);
  std::vector<BodyState<D>> expected = bodies.states;
  const auto disturb = [&] {  // as sweeps would
    for (MovingBody<D, Real>& body : bodies.moving) body.velocity[1] += Real(dice.from(-1, 1));
  };
  for (int step = 0; step < 3; ++step) {
    if (step > 0)
      for (std::size_t i = 0; i < count; ++i) add(expected[i], change(expected[i], bodies.moving[i]), 1);
    kernels.kick(bodies.pass(corrects, touches, step > 0), bodies.rows.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
      expected[i].velocity += bodies.kicks[i];
      EXPECT_EQ(std::memcmp(&bodies.states[i], &expected[i], sizeof expected[i]), 0) << "kicked, body " << i;
    }
    disturb();
    std::vector<std::uint32_t> left(count), expected_left;
    for (std::size_t i = 0; i < count; ++i) add(expected[i], change(expected[i], bodies.moving[i]), 1);
    const Moved moved =
        kernels.move(bodies.pass(corrects, touches, true), bodies.rows.data(), count, left.data());
    left.resize(moved.left);
    for (const std::uint32_t i : bodies.rows) {
      SCOPED_TRACE(i);
      BodyState<D>& s = expected[i];
      if (corrects) add(s, bodies.corrections[i], 1);
      if (turns_too_far(s.angular_velocity)) {
        expected_left.push_back(i);
        EXPECT_EQ(std::memcmp(&bodies.states[i], &s, sizeof s), 0) << "left";
        continue;
      }
      drift(s, bodies.masses[i], k_h);
      if (corrects) add(s, bodies.corrections[i], -1);
      EXPECT_EQ(std::memcmp(&bodies.states[i], &s, sizeof s), 0) << "moved";
      const MovingBody<D, Real>& lanes = bodies.moving[i];
      EXPECT_EQ(change(s, lanes), (std::array<double, D::k_dof>{}));
      if (!touches) continue;
      expect_rounded(lanes.moved, numbers(s.position - bodies.start[i].position));
      expect_rounded(lanes.turned, turn(s.rotation * inverse(bodies.start[i].rotation)));
      expect_inertia(bodies.inert[i], bodies.masses[i], s.rotation);
      double sine = 0;
      for (int k = 1; k < D::k_angular + 1; ++k) sine += double(lanes.turned[k]) * double(lanes.turned[k]);
      EXPECT_TRUE(sine <= k_turned_far * k_turned_far || (bodies.turned_far[i] && moved.turned_far));
    }
    EXPECT_EQ(left, expected_left);
    for (const std::uint32_t i : expected_left) {  // somebody else moves them
      bodies.states[i].angular_velocity = expected[i].angular_velocity = {};
      for (int k = 0; k < D::k_dof; ++k)
        bodies.moving[i].velocity[k] = Real(column(expected[i].velocity, expected[i].angular_velocity)[k]);
    }
    disturb();
  }
  for (std::size_t i = 0; i < count; ++i) add(expected[i], change(expected[i], bodies.moving[i]), 1);
  kernels.take(bodies.pass(corrects, touches, true), bodies.rows.data(), count);
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_EQ(std::memcmp(&bodies.states[i], &expected[i], sizeof expected[i]), 0) << "taken, body " << i;
}

TEST_P(Motions, in_lanes_are_those_of_one_body_after_another) {
  for (const std::size_t count : {1u, 3u, 4u, 9u, 40u})
    for (const bool corrects : {false, true})
      for (const bool touches : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << count << " bodies, corrected " << corrects << ", touching " << touches);
        expect_one_after_another<Dim2, float>(GetParam(), count, corrects, touches);
        expect_one_after_another<Dim2, double>(GetParam(), count, corrects, touches);
        expect_one_after_another<Dim3, float>(GetParam(), count, corrects, touches);
        expect_one_after_another<Dim3, double>(GetParam(), count, corrects, touches);
      }
}

}  // namespace
}  // namespace cairn
