#include "constraints/joints.h"

#include <gtest/gtest.h>

#include "constraints/all_joints.h"
#include "constraints/joint_store.h"

namespace cairn {
namespace {

// Rows of a slot that exists.
template <class D>
const JointRow<D>& at_slot(const JointRows<D>& rows, int slot) {
  for (const JointRow<D>& row : rows)
    if (row.slot == slot) return row;
  ADD_FAILURE() << "no row has slot " << slot;
  return rows[0];
}
template <class D>
JointRows<D> rows_now(TwoBodies<D>& two, const JointRecord<D>& joint, double t = 0) {
  JointRows<D> rows;
  rows_of(joint, two.pose(joint), t, rows);
  return rows;
}

// Turns b about a point of the world.
template <class D>
void turn_about(BodyState<D>& s, const typename D::Vec& point, const typename D::Rot& turn) {
  s.position = point + turn * (s.position - point);
  s.rotation = normalized(turn * s.rotation);
}

template <class D>
void check_rest() {
  Dice dice(1);
  for (int round = 0; round < 20; ++round) {
    TwoBodies<D> two(dice);
    for (const JointDef<D>& def : all_joints(D{}, two.a, two.b, dice)) {
      const JointRecord<D> joint = build_joint(def, two.bodies);
      for (const JointRow<D>& row : rows_now(two, joint)) {
        const bool spring = row.role == RowRole::servo && row.frequency == 2;
        if (row.role != RowRole::hold && !spring) continue;
        EXPECT_NEAR(row.position, 0, 1e-14) << name_of_joint<D>(def);
      }
    }
  }
}
TEST(Joints, are_at_rest_where_they_were_created) {
  check_rest<Dim2>();
  check_rest<Dim3>();
}

// The whole joint may be carried about: only the relative pose counts. (A gear counts against the world.)
template <class D>
void check_carried() {
  Dice dice(2);
  TwoBodies<D> two(dice);
  for (const JointDef<D>& def : all_joints(D{}, two.a, two.b, dice)) {
    const JointRecord<D> joint = build_joint(def, two.bodies);
    if (joint.kind == JointKind::gear) continue;
    BodyState<D>&a = two.state(two.a), &b = two.state(two.b);
    const BodyState<D> old_a = a, old_b = b;
    b.position += dice.vector<typename D::Vec>(0.3);
    b.rotation = rotation_of(dice.vector<typename D::Ang>(0.4)) * b.rotation;
    const JointRows<D> before = rows_now(two, joint);
    const auto turn = rotation_of(dice.vector<typename D::Ang>(1.5));
    const auto shift = dice.vector<typename D::Vec>(3);
    for (BodyState<D>* s : {&a, &b}) {
      turn_about<D>(*s, {}, turn);
      s->position += shift;
    }
    const JointRows<D> after = rows_now(two, joint);
    // Points are kept together along world axes: there the length of the gap counts.
    double gap_before = 0, gap_after = 0;
    for (int i = 0; i < before.size(); ++i) {
      const bool in_world = before[i].slot < D::k_linear && joint.kind != JointKind::distance &&
                            joint.kind != JointKind::slider && joint.kind != JointKind::point_on_line &&
                            joint.kind != JointKind::cylindrical && joint.kind != JointKind::planar &&
                            joint.kind != JointKind::rack && joint.kind != JointKind::hydraulic;
      if (in_world) {
        gap_before += before[i].position * before[i].position;
        gap_after += after[i].position * after[i].position;
      } else {
        EXPECT_NEAR(before[i].position, after[i].position, 1e-13) << name_of_joint<D>(def) << " row " << i;
      }
    }
    EXPECT_NEAR(gap_before, gap_after, 1e-13) << name_of_joint<D>(def);
    a = old_a, b = old_b;
  }
}
TEST(Joints, know_only_the_relative_pose) {
  check_carried<Dim2>();
  check_carried<Dim3>();
}

// ------------------------------------------------------------------------------- coordinates by closed formula

TEST(Joints, hinge_counts_its_turn_over_many_turns) {
  Dice dice(3);
  TwoBodies<Dim3> two(dice);
  const Vec3 origin{0.3, -0.2, 0.5}, axis{1, 2, -2};
  JointRecord<Dim3> joint = build_joint<Dim3>(
      HingeDef3{.a = two.a, .b = two.b, .frame = {.origin = origin, .axis = axis}, .limits = Limits{-30, 40}},
      two.bodies);
  TwoBodies<Dim2> flat(dice);
  JointRecord<Dim2> flat_joint = build_joint<Dim2>(
      HingeDef2{.a = flat.a, .b = flat.b, .frame = {.origin = {1, 2}}, .limits = Limits{-30, 40}},
      flat.bodies);
  double turned = 0;
  for (int i = 0; i < 60; ++i) {
    const double step = i < 25 ? 1.3 : -1.7;  // 32.5 rad and back beyond the start
    turned += step;
    turn_about<Dim3>(two.state(two.b), origin, Rot3::from_axis_angle(axis, step));
    turn_about<Dim2>(flat.state(flat.b), {1, 2}, Rot2::from_angle(step));
    const JointRows<Dim3> rows = rows_now(two, joint);
    EXPECT_NEAR(at_slot(rows, slot_of(0, AxisSlot::lower)).position, turned + 30, 1e-12) << i;
    EXPECT_NEAR(at_slot(rows, slot_of(0, AxisSlot::upper)).position, 40 - turned, 1e-12) << i;
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(rows[k].position, 0, 1e-13);
    const JointRows<Dim2> flat_rows = rows_now(flat, flat_joint);
    EXPECT_NEAR(at_slot(flat_rows, slot_of(0, AxisSlot::lower)).position, turned + 30, 1e-12) << i;
    track(joint, two.pose(joint));
    track(flat_joint, flat.pose(flat_joint));
  }
}

TEST(Joints, slider_counts_how_far_b_has_gone_along_the_axis_of_a) {
  Dice dice(4);
  TwoBodies<Dim3> two(dice);
  const Vec3 axis = normalized(Vec3{2, -1, 2});
  const JointRecord<Dim3> joint = build_joint<Dim3>(
      SliderDef3{
          .a = two.a, .b = two.b, .frame = {.origin = {1, 0, 0}, .axis = 7 * axis}, .limits = Limits{0, 1}},
      two.bodies);
  two.state(two.b).position += 0.6 * axis;
  turn_about<Dim3>(two.state(two.a), {}, Rot3::from_axis_angle({1, 1, 0}, 2));  // a takes the axis with it
  turn_about<Dim3>(two.state(two.b), {}, Rot3::from_axis_angle({1, 1, 0}, 2));
  const JointRows<Dim3> rows = rows_now(two, joint);
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(rows[k].position, 0, 1e-14);
  EXPECT_NEAR(at_slot(rows, slot_of(0, AxisSlot::lower)).position, 0.6, 1e-14);
  EXPECT_NEAR(at_slot(rows, slot_of(0, AxisSlot::upper)).position, 0.4, 1e-14);
}

// With frame axes x, y, z: a twist about x, then a swing by the rotation vector (0, y, z).
TEST(Joints, ball_tells_twist_swing_and_cone) {
  Dice dice(5);
  TwoBodies<Dim3> two(dice);
  const Vec3 origin{0, 1, 0}, x = normalized(Vec3{1, 1, 0}), y{0, 0, 1}, z = cross(x, y);
  const AxisDef axis{.limits = Limits{-5, 5}};
  const JointRecord<Dim3> joint =
      build_joint<Dim3>(BallDef3{.a = two.a,
                                 .b = two.b,
                                 .frame = {.origin = origin, .axis = x, .second = y},
                                 .twist = axis,
                                 .swing_y = axis,
                                 .swing_z = axis,
                                 .cone = 1.5},
                        two.bodies);
  const BodyState<Dim3> rest = two.state(two.b);
  for (const auto& [twist, about_y, about_z] : {Vec3{0.5, 0.3, -0.4}, Vec3{-3, 1e-3, 2e-3}, Vec3{1, 1e-9, 0},
                                                Vec3{0, 2, 1}, Vec3{3, 0, -3}, Vec3{}}) {
    two.state(two.b) = rest;
    turn_about<Dim3>(two.state(two.b), origin,
                     rotation_of(about_y * y + about_z * z) * rotation_of(twist * x));
    const JointRows<Dim3> rows = rows_now(two, joint);
    const Vec3 found{at_slot(rows, slot_of(0, AxisSlot::lower)).position - 5,
                     at_slot(rows, slot_of(1, AxisSlot::lower)).position - 5,
                     at_slot(rows, slot_of(2, AxisSlot::lower)).position - 5};
    EXPECT_LE(length(found - Vec3{twist, about_y, about_z}), 1e-14 * 10) << twist << about_y << about_z;
    const double cone = square_root(about_y * about_y + about_z * about_z);
    EXPECT_NEAR(at_slot(rows, k_cone_slot).position, 1.5 - cone, 1e-13);
    EXPECT_EQ(at_slot(rows, k_cone_slot).active, cone > 1e-5);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(rows[k].position, 0, 1e-14);
  }
}

TEST(Joints, universal_tells_the_turns_of_its_two_arms) {
  Dice dice(6);
  TwoBodies<Dim3> two(dice);
  const Vec3 x{0, 0, 1}, y{1, 0, 0};
  const AxisDef axis{.limits = Limits{-5, 5}};
  const JointRecord<Dim3> joint = build_joint<Dim3>(
      UniversalDef3{.a = two.a,
                    .b = two.b,
                    .frame = {.axis = x, .second = Vec3{1, 0, 3}},  // made normal to the axis
                    .turn_a = axis,
                    .turn_b = axis},
      two.bodies);
  const BodyState<Dim3> rest = two.state(two.b);
  for (const auto& [alpha, beta] : {Vec2{0.3, 1.1}, Vec2{-3, 2}, Vec2{2, -3}, Vec2{0, 0}}) {
    two.state(two.b) = rest;
    turn_about<Dim3>(two.state(two.b), {}, rotation_of(alpha * x) * rotation_of(beta * y));
    const JointRows<Dim3> rows = rows_now(two, joint);
    EXPECT_NEAR(at_slot(rows, slot_of(0, AxisSlot::lower)).position - 5, alpha, 1e-14 * 10);
    EXPECT_NEAR(at_slot(rows, slot_of(1, AxisSlot::lower)).position - 5, beta, 1e-14 * 10);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(rows[k].position, 0, 1e-14);
  }
}

// A hinge forced past a quarter turn still wants back the short way: its error grows with the angle.
TEST(Joints, axis_error_grows_up_to_half_a_turn) {
  Dice dice(7);
  TwoBodies<Dim3> two(dice);
  const JointRecord<Dim3> joint = build_joint<Dim3>(
      HingeDef3{.a = two.a, .b = two.b, .frame = {.axis = {0, 0, 1}, .second = Vec3{1, 0, 0}}}, two.bodies);
  for (int i = 1; i < 31; ++i) {
    turn_about<Dim3>(two.state(two.b), {}, Rot3::from_axis_angle({1, 0, 0}, 0.1));  // second is the frame's y
    const JointRows<Dim3> rows = rows_now(two, joint);
    EXPECT_NEAR(rows[3].position, 2 * portable::sin(0.05 * i), 1e-13);
    EXPECT_NEAR(rows[4].position, 0, 1e-13);
    EXPECT_GT(dot(rows[3].jacobian.angular_b, Vec3{1, 0, 0}), 0) << i;
  }
}

TEST(Joints, gear_counts_turns_of_both_bodies) {
  Dice dice(8);
  TwoBodies<Dim3> two(dice);
  const Vec3 axis_a{0, 0, 2}, axis_b{0, 3, 0};
  JointRecord<Dim3> joint = build_joint<Dim3>(
      GearDef3{.a = two.a, .b = two.b, .ratio = 2.5, .axis_a = axis_a, .axis_b = axis_b}, two.bodies);
  for (int i = 1; i <= 30; ++i) {
    BodyState<Dim3>&a = two.state(two.a), &b = two.state(two.b);
    turn_about<Dim3>(a, a.position, Rot3::from_axis_angle(axis_a, 2));
    turn_about<Dim3>(b, b.position, Rot3::from_axis_angle(axis_b, -0.7));
    const JointRows<Dim3> rows = rows_now(two, joint);
    ASSERT_EQ(rows.size(), 1);
    EXPECT_NEAR(rows[0].position, 2 * i + 2.5 * (-0.7 * i), 1e-12);
    track(joint, two.pose(joint));
  }
}

TEST(Joints, rack_moves_by_the_radius_times_the_turn_of_the_pinion) {
  Dice dice(9);
  TwoBodies<Dim3> two(dice);
  const Vec3 axis{0, 0, 1}, along{1, 0, 0}, origin{0.1, 0.2, 0.3};
  JointRecord<Dim3> joint = build_joint<Dim3>(
      RackDef3{
          .a = two.a, .b = two.b, .frame = {.origin = origin, .axis = axis, .second = along}, .radius = 0.2},
      two.bodies);
  for (int i = 1; i <= 20; ++i) {
    turn_about<Dim3>(two.state(two.a), origin, Rot3::from_axis_angle(axis, 1.1));
    two.state(two.b).position += 1.1 * 0.2 * along;
    EXPECT_NEAR(rows_now(two, joint)[0].position, 0, 1e-13) << i;
    track(joint, two.pose(joint));
  }
}

TEST(Joints, distance_is_a_rod_a_rope_or_a_spring) {
  Dice dice(10);
  TwoBodies<Dim2> two(dice);
  const DistanceDef2 rod{.a = two.a, .b = two.b, .anchor_a = {0, 0}, .anchor_b = {3, 4}};
  DistanceDef2 rope = rod, spring = rod;
  rope.limits = Limits{.max = 6};
  spring.spring = Softness{.frequency = 3, .damping_ratio = 0.1};
  spring.length = 4;
  const JointRows<Dim2> of_rod = rows_now(two, build_joint<Dim2>(rod, two.bodies));
  ASSERT_EQ(of_rod.size(), 1);
  EXPECT_EQ(of_rod[0].role, RowRole::hold);
  const JointRows<Dim2> of_rope = rows_now(two, build_joint<Dim2>(rope, two.bodies));
  ASSERT_EQ(of_rope.size(), 1);
  EXPECT_EQ(of_rope[0].role, RowRole::limit);
  EXPECT_NEAR(of_rope[0].position, 1, 1e-14);
  EXPECT_EQ(of_rope[0].min_effort, 0);
  EXPECT_LE(length(of_rope[0].jacobian.linear_b - Vec2{-0.6, -0.8}), 1e-14);  // a pull: λ ≥ 0 draws b to a
  const JointRows<Dim2> of_spring = rows_now(two, build_joint<Dim2>(spring, two.bodies));
  ASSERT_EQ(of_spring.size(), 1);
  EXPECT_EQ(of_spring[0].role, RowRole::servo);
  EXPECT_NEAR(of_spring[0].position, 1, 1e-14);
  EXPECT_EQ(of_spring[0].frequency, 3);
}

TEST(Joints, targets_move_with_time) {
  Dice dice(11);
  TwoBodies<Dim2> two(dice);
  HingeDef2 def{
      .a = two.a, .b = two.b, .drive = RheonomicDrive{.target = RampTerm{.rate = 3}, .max_effort = 7}};
  const JointRows<Dim2> rigid = rows_now(two, build_joint<Dim2>(def, two.bodies), 2);
  EXPECT_EQ(rigid[2].role, RowRole::servo);
  EXPECT_EQ(rigid[2].frequency, 0);
  EXPECT_NEAR(rigid[2].position, -6, 1e-14);
  EXPECT_EQ(rigid[2].speed, 3);
  EXPECT_EQ(rigid[2].max_effort, 7);
  EXPECT_EQ(rigid[2].min_effort, -7);
}

// ------------------------------------------------------------------------------------------------- hydraulic

TEST(Hydraulic, extends_contracts_and_holds_as_in_lunds_table) {
  Dice dice(12);
  TwoBodies<Dim2> two(dice);
  JointRecord<Dim2> joint = build_joint<Dim2>(HydraulicDef2{.a = two.a,
                                                            .b = two.b,
                                                            .anchor_a = {0, 0},
                                                            .anchor_b = {2, 0},
                                                            .max_force = 200,
                                                            .max_speed = 0.5,
                                                            .min_length = 1,
                                                            .max_length = 3},
                                              two.bodies);
  enum { hold, lower, upper, pump };
  const auto move = [&](double by) {
    two.state(two.b).position.x += by;
    track(joint, two.pose(joint));
  };
  JointRows<Dim2> rows = rows_now(two, joint);
  ASSERT_EQ(rows.size(), 4);
  EXPECT_TRUE(rows[hold].active && !rows[lower].active && !rows[upper].active && !rows[pump].active);
  move(0.1);  // held: it wants back to 2 m
  EXPECT_NEAR(rows_now(two, joint)[hold].position, 0.1, 1e-14);

  set_state(joint, two.pose(joint), Hydraulic::extend);  // from 2.1 m
  rows = rows_now(two, joint);
  EXPECT_TRUE(!rows[hold].active && rows[lower].active && rows[upper].active && rows[pump].active);
  EXPECT_NEAR(rows[lower].position, 0, 1e-14);
  EXPECT_NEAR(rows[upper].position, 0.9, 1e-14);
  EXPECT_EQ(rows[pump].speed, 0.5);
  EXPECT_EQ(rows[pump].max_effort, 200);
  EXPECT_EQ(rows[pump].min_effort, -k_unlimited);
  move(0.3);
  move(-0.1);  // what it has gained it does not give back
  EXPECT_NEAR(rows_now(two, joint)[lower].position, -0.1, 1e-14);
  move(1);  // beyond its end
  rows = rows_now(two, joint);
  EXPECT_NEAR(rows[upper].position, -0.3, 1e-14);
  EXPECT_FALSE(rows[pump].active);

  move(-0.5);
  set_state(joint, two.pose(joint), Hydraulic::contract);  // from 2.8 m
  rows = rows_now(two, joint);
  EXPECT_NEAR(rows[lower].position, 1.8, 1e-14);
  EXPECT_NEAR(rows[upper].position, 0, 1e-14);
  EXPECT_EQ(rows[pump].speed, -0.5);
  EXPECT_EQ(rows[pump].min_effort, -200);
  EXPECT_EQ(rows[pump].max_effort, k_unlimited);
  move(-0.4);
  move(0.1);
  EXPECT_NEAR(rows_now(two, joint)[upper].position, -0.1, 1e-14);

  set_state(joint, two.pose(joint), Hydraulic::hold);
  EXPECT_NEAR(rows_now(two, joint)[hold].position, 0, 1e-14);
}

// ------------------------------------------------------------------------------------------------------ rows

// A slot means the same for a joint whatever else is on its axes, and rows come in the order of slots.
TEST(Joints, rows_keep_their_slots) {
  Dice dice(13);
  TwoBodies<Dim3> two(dice);
  for (const JointDef3& def : all_joints(Dim3{}, two.a, two.b, dice)) {
    const JointRows<Dim3> rows = rows_now(two, build_joint(def, two.bodies));
    EXPECT_LT(rows[rows.size() - 1].slot, k_joint_slots);
    for (int i = 1; i < rows.size(); ++i)
      EXPECT_GT(rows[i].slot, rows[i - 1].slot) << name_of_joint<Dim3>(def);
  }
  HingeDef3 hinge{.a = two.a, .b = two.b, .friction = 3};
  const JointRows<Dim3> rows = rows_now(two, build_joint<Dim3>(hinge, two.bodies));
  ASSERT_EQ(rows.size(), 6);
  EXPECT_EQ(rows[5].slot, slot_of(0, AxisSlot::friction));
}

TEST(Joints, axes_can_be_changed_and_read) {
  Dice dice(17);
  TwoBodies<Dim2> two(dice);
  JointRecord<Dim2> joint = build_joint<Dim2>(HingeDef2{.a = two.a, .b = two.b}, two.bodies);
  EXPECT_EQ(rows_now(two, joint).size(), 2);
  set_axis(joint, 0, AxisDef{.friction = 2, .drive = VelocityDrive{.speed = 3, .max_effort = 4}});
  const JointRows<Dim2> rows = rows_now(two, joint);
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(at_slot(rows, slot_of(0, AxisSlot::drive)).speed, 3);
  EXPECT_THROW(set_axis(joint, 1, AxisDef{}), Error);
  EXPECT_THROW(set_axis(joint, 0, AxisDef{.friction = -1}), Error);
  EXPECT_EQ(joint.axes[0].friction, 2);
  turn_about<Dim2>(two.state(two.b), {}, Rot2::from_angle(0.3));
  EXPECT_NEAR(coordinate(joint, two.pose(joint), 0).position, 0.3, 1e-14);
  EXPECT_THROW(coordinate(joint, two.pose(joint), 1), Error);
  JointRecord<Dim2> rod = build_joint<Dim2>(
      DistanceDef2{.a = two.a, .b = two.b, .anchor_a = {0, 0}, .anchor_b = {1, 0}}, two.bodies);
  set_axis(rod, 0, AxisDef{.limits = Limits{.max = 2}});
  ASSERT_EQ(rows_now(two, rod).size(), 1);
  EXPECT_EQ(rows_now(two, rod)[0].role, RowRole::limit);
  set_axis(rod, 0, AxisDef{});
  EXPECT_EQ(rows_now(two, rod)[0].role, RowRole::hold);
  JointRecord<Dim2> gear = build_joint<Dim2>(GearDef2{.a = two.a, .b = two.b}, two.bodies);
  EXPECT_THROW(set_axis(gear, 0, AxisDef{.friction = 1}), Error);
}

TEST(Joints, a_moved_centre_of_mass_leaves_the_joint_where_it_is) {
  Dice dice(14);
  TwoBodies<Dim3> two(dice);
  JointRecord<Dim3> joint =
      build_joint<Dim3>(HingeDef3{.a = two.a, .b = two.b, .frame = {.origin = {1, 2, 3}}}, two.bodies);
  const Vec3 shift{0.1, -0.2, 0.3};
  two.state(two.b).position += two.state(two.b).rotation * shift;
  shift_center<Dim3>(joint, two.b, shift);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(rows_now(two, joint)[k].position, 0, 1e-14);
}

// ----------------------------------------------------------------------------------------------------- store

TEST(JointStore, keeps_ids_rows_and_the_joints_of_bodies) {
  Dice dice(15);
  TwoBodies<Dim2> two(dice);
  JointStore<Dim2> store(1);
  const BodyId ground = two.bodies.background();
  const auto hinge = [&](BodyId a, BodyId b, double x) {
    return store.create(HingeDef2{.a = a, .b = b, .frame = {.origin = {x, 0}}}, two.bodies);
  };
  const JointId first = hinge(ground, two.a, 1), second = hinge(two.a, two.b, 2),
                third = hinge(ground, two.b, 3);
  const auto joints = [&](BodyId body) {
    const auto span = store.joints_of(body);
    return std::vector<JointId>(span.begin(), span.end());
  };
  EXPECT_EQ(joints(two.a), (std::vector{first, second}));
  EXPECT_EQ(joints(ground), (std::vector{first, third}));
  store.destroy(first);
  EXPECT_FALSE(store.contains(first));
  EXPECT_THROW(store.record(first), Error);
  EXPECT_EQ(joints(ground), (std::vector{third}));
  EXPECT_EQ(store.row_count(), 2u);
  for (const JointId id : {second, third}) EXPECT_EQ(store.id_of_row[store.row(id)], id);
  EXPECT_EQ(std::get<HingeDef2>(store.defs[store.row(third)]).frame.origin.x, 3);
  const JointId again = hinge(ground, two.a, 4);
  EXPECT_EQ(again.index(), first.index());
  EXPECT_NE(again, first);
  EXPECT_EQ(store.in_slot_order(), (std::vector{again, second, third}));
  store.destroy_joints_of(two.a);
  EXPECT_EQ(store.in_slot_order(), (std::vector{third}));
  EXPECT_TRUE(joints(two.a).empty());
}

// Whoever keeps what was found from joints and bodies is told of every change.
TEST(JointStore, and_bodies_know_when_they_have_changed) {
  Dice dice(17);
  TwoBodies<Dim2> two(dice);
  BodyStore<Dim2>& bodies = two.bodies;
  JointStore<Dim2> store(1);
  const auto changes = [&](auto&& change) {
    const std::uint64_t joints_before = store.revision(), bodies_before = bodies.revision();
    change();
    return std::pair{store.revision() != joints_before, bodies.revision() != bodies_before};
  };
  const std::pair joints{true, false}, both_not{false, false}, of_bodies{false, true};
  JointId joint;
  EXPECT_EQ(changes([&] { joint = store.create(HingeDef2{.a = two.a, .b = two.b}, bodies); }), joints);
  EXPECT_EQ(changes([&] { set_axis(store.own(joint), 0, {.friction = 1}); }), joints);
  EXPECT_EQ(changes([&] { EXPECT_FALSE(store.record(joint).bare); }), both_not);
  EXPECT_EQ(changes([&] { store = JointStore<Dim2>(store); }), joints);
  EXPECT_EQ(changes([&] { store.destroy(joint); }), joints);
  Notes notes;
  BodyId body;
  EXPECT_EQ(changes([&] { body = bodies.create({.mass = 1, .inertia = 1}, notes); }), of_bodies);
  EXPECT_EQ(changes([&] { bodies.lay_down(body); }), of_bodies);
  EXPECT_EQ(changes([&] { bodies.raise(body); }), of_bodies);
  EXPECT_EQ(changes([&] { bodies.change(body, bodies.build({.mass = 2, .inertia = 1}, Path{}, notes)); }),
            of_bodies);
  EXPECT_EQ(changes([&] { bodies.set_aside(bodies.row(body)); }), of_bodies);
  bodies.lay_down(body);
  EXPECT_EQ(changes([&] { bodies.destroy(body); }), of_bodies);
  EXPECT_EQ(changes([&] { bodies = BodyStore<Dim2>(bodies); }), of_bodies);
}

// Efforts that were not found are none.
TEST(JointMemory, takes_what_was_found) {
  JointMemory<Dim2> memory, found;
  for (int i = 0; i < k_joint_slots; ++i) memory.effort[i] = 1, found.effort[i] = 2;
  found.efforts = 2;
  found.reaction.force = {3, 4};
  found.swept = true;
  memory.take(found);
  EXPECT_TRUE(memory.swept);
  EXPECT_EQ(memory.reaction, found.reaction);
  for (int i = 0; i < k_joint_slots; ++i) EXPECT_EQ(memory.effort[i], i < 2 ? 2 : 0) << i;
  found.efforts = k_joint_slots;
  memory.take(found);
  for (int i = 0; i < k_joint_slots; ++i) EXPECT_EQ(memory.effort[i], 2) << i;
}

// A refused joint changes nothing.
TEST(JointStore, refuses_without_a_trace) {
  Dice dice(16);
  TwoBodies<Dim2> two(dice);
  JointStore<Dim2> store(1);
  EXPECT_THROW(store.create(HingeDef2{.a = two.a, .b = two.a}, two.bodies), Error);
  EXPECT_EQ(store.row_count(), 0u);
  EXPECT_TRUE(store.joints_of(two.a).empty());
  EXPECT_EQ(store.create(HingeDef2{.a = two.a, .b = two.b}, two.bodies).index(), 0u);
}

}  // namespace
}  // namespace cairn
