#include <gtest/gtest.h>

#include "bodies/force_model.h"
#include "constraints/all_joints.h"

namespace cairn {
namespace {

constexpr double k_time = 0.3;  // [s] when the drives' targets move

// A body with degree of freedom k moved by e.
template <class D>
BodyState<D> moved(BodyState<D> s, std::size_t k, double e) {
  DofVector<D> unit{};
  unit[k] = e;
  const Twist<D> t = twist(unit);
  s.position += t.linear;
  s.rotation = normalized(rotation_of(t.angular) * s.rotation);
  return s;
}

template <class D>
JointRows<D> rows_at(const JointRecord<D>& joint, const BodyState<D>& a, const BodyState<D>& b) {
  JointRows<D> rows;
  rows_of(joint, pose_of(joint, a, b), k_time, rows);
  return rows;
}

// By the five-point formula, whose error is e⁴/30 times the fifth derivative: 1e-12 or so here.
template <class D>
void check_rows(const JointRecord<D>& joint, const BodyState<D>& a, const BodyState<D>& b,
                std::string_view name) {
  const double e = 1e-3;
  const JointRows<D> rows = rows_at(joint, a, b);
  for (const bool of_b : {false, true})
    for (std::size_t k = 0; k < D::k_dof; ++k) {
      const auto at = [&](double x) {
        return of_b ? rows_at(joint, a, moved(b, k, x)) : rows_at(joint, moved(a, k, x), b);
      };
      const JointRows<D> p1 = at(e), m1 = at(-e), p2 = at(2 * e), m2 = at(-2 * e);
      for (int i = 0; i < rows.size(); ++i) {
        const JacobianT<D, double>& j = rows[i].jacobian;
        const double exact = of_b ? dofs(j.linear_b, j.angular_b)[k] : dofs(j.linear_a, j.angular_a)[k];
        if (rows[i].role == RowRole::drive || rows[i].role == RowRole::friction) continue;  // have no C
        if (rows[i].slot == k_cone_slot && !rows[i].active) continue;  // the tip of the cone has no slope
        const double slope =
            (8 * (p1[i].position - m1[i].position) - (p2[i].position - m2[i].position)) / (12 * e);
        EXPECT_NEAR(exact, slope, 1e-8 * (1 + absolute(slope)))
            << name << ": row " << i << ", slot " << int(rows[i].slot) << ", by " << k << " of "
            << (of_b ? "b" : "a");
      }
    }
}

template <class D>
void check_all_joints() {
  Dice dice(7);
  for (int round = 0; round < 20; ++round) {
    TwoBodies<D> two(dice);
    for (const JointDef<D>& def : all_joints(D{}, two.a, two.b, dice)) {
      const JointRecord<D> joint = build_joint(def, two.bodies);
      const BodyState<D>&a = two.state(two.a), &b = two.state(two.b);
      check_rows(joint, a, b, name_of_joint<D>(def));  // at rest
      BodyState<D> far_a = a, far_b = b;               // anywhere
      far_a.position += dice.vector<typename D::Vec>(1);
      far_b.position += dice.vector<typename D::Vec>(1);
      far_a.rotation = rotation_of(dice.vector<typename D::Ang>(0.7)) * far_a.rotation;
      far_b.rotation = rotation_of(dice.vector<typename D::Ang>(0.7)) * far_b.rotation;
      check_rows(joint, far_a, far_b, name_of_joint<D>(def));
    }
  }
}

TEST(Jacobians, agree_with_finite_differences_of_every_row_in_the_plane) { check_all_joints<Dim2>(); }
TEST(Jacobians, agree_with_finite_differences_of_every_row_in_space) { check_all_joints<Dim3>(); }

// Drives of speed and friction have no C to differentiate: they act along the axis that the limits stop.
template <class D>
void check_rows_without_position() {
  Dice dice(8);
  TwoBodies<D> two(dice);
  AxisDef axis = full_axis();
  axis.drive = VelocityDrive{.speed = RampTerm{.rate = 2}, .max_effort = 5};
  const JointRecord<D> joint =
      build_joint<D>(with_axis(HingeDef<D>{.a = two.a, .b = two.b}, axis), two.bodies);
  two.state(two.b).rotation = rotation_of(dice.vector<typename D::Ang>(0.7));
  JointRows<D> rows;
  rows_of(joint, two.pose(joint), 1.5, rows);
  const int n = rows.size();
  ASSERT_EQ(rows[n - 2].role, RowRole::drive);
  ASSERT_EQ(rows[n - 1].role, RowRole::friction);
  EXPECT_EQ(rows[n - 2].speed, 3);
  EXPECT_EQ(rows[n - 2].max_effort, 5);
  EXPECT_EQ(rows[n - 2].min_effort, -5);
  EXPECT_EQ(rows[n - 1].max_effort, 0.2);
  EXPECT_EQ(rows[n - 1].min_effort, -0.2);
  ASSERT_EQ(rows[n - 5].slot, slot_of(0, AxisSlot::lower));
  for (const int i : {n - 2, n - 1}) {
    const JacobianT<D, double>&j = rows[i].jacobian, &limit = rows[n - 5].jacobian;
    EXPECT_EQ(dofs(j.linear_a, j.angular_a), dofs(limit.linear_a, limit.angular_a));
    EXPECT_EQ(dofs(j.linear_b, j.angular_b), dofs(limit.linear_b, limit.angular_b));
  }
}
TEST(Jacobians, of_rows_without_position_are_those_of_their_axis) {
  check_rows_without_position<Dim2>();
  check_rows_without_position<Dim3>();
}

// Far from the origin a joint is the same joint.
TEST(Jacobians, do_not_depend_on_where_the_world_is) {
  Dice dice(9);
  TwoBodies<Dim3> two(dice);
  const Vec3 far{0x1p20, -0x1p20, 0x1p20};
  for (const JointDef3& def : all_joints(Dim3{}, two.a, two.b, dice)) {
    const JointRecord<Dim3> joint = build_joint(def, two.bodies);
    BodyState<Dim3> a = two.state(two.a), b = two.state(two.b);
    b.position += Vec3{0.1, 0.2, 0.3};
    const JointRows<Dim3> here = rows_at(joint, a, b);
    a.position += far, b.position += far;
    const JointRows<Dim3> there = rows_at(joint, a, b);
    ASSERT_EQ(here.size(), there.size());
    for (int i = 0; i < here.size(); ++i)
      EXPECT_NEAR(here[i].position, there[i].position, 1e-9) << name_of_joint<Dim3>(def);  // 2²⁰ m has 2⁻³² m
  }
}

}  // namespace
}  // namespace cairn
