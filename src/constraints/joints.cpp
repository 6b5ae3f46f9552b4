// From definitions to joints, and from joints to rows; the geometry is in joints_2d.cpp and joints_3d.cpp.
#include "constraints/joints.h"

#include <algorithm>

#include "constraints/parts/swing.h"

namespace cairn {

// The axes of a frame given in world coordinates: joints_2d.cpp, joints_3d.cpp.
Rot2 axes_of(const JointFrame2& frame);
Rot3 axes_of(const JointFrame3& frame);
void set_gear_axes(JointRecord<Dim2>& joint, const GearDef2& def);
void set_gear_axes(JointRecord<Dim3>& joint, const GearDef3& def);

namespace {

// ----------------------------------------------------------------------------------------------- build_joint

// What is being built, in world coordinates; brought to body axes at the end.
template <class D>
struct Site {
  JointRecord<D> joint{};
  typename D::Vec anchor_a{}, anchor_b{};
  const BodyState<D>& a;
  const BodyState<D>& b;

  Site(const BodyState<D>& state_a, const BodyState<D>& state_b) : a(state_a), b(state_b) {}
  void stand(const JointFrame<D>& frame) {
    anchor_a = anchor_b = frame.origin;
    joint.parameters.rest_a = joint.parameters.rest_b = axes_of(frame);
  }
  void add_axis(const AxisDef& axis, bool angular) {
    joint.axes[joint.axis_count] = axis;
    joint.angular[joint.axis_count++] = angular;
  }
};

// Does nothing act on the axis of a distance? Then it is a rod.
bool is_rigid(const AxisDef& axis) {
  return !axis.limits && !axis.spring && axis.friction == 0 && std::holds_alternative<NoDrive>(axis.drive);
}

template <class D>
void describe(Site<D>& site, const DistanceDef<D>& def) {
  site.joint.kind = JointKind::distance;
  site.joint.rod = is_rigid(def.axis());
  site.anchor_a = def.anchor_a, site.anchor_b = def.anchor_b;
  site.joint.parameters.length = def.length ? *def.length : length(def.anchor_b - def.anchor_a);
  site.add_axis(def.axis(), false);
}
template <class D>
void describe(Site<D>& site, const HingeDef<D>& def) {
  site.joint.kind = JointKind::hinge;
  site.stand(def.frame);
  site.add_axis(def.axis(), true);
}
template <class D>
void describe(Site<D>& site, const SliderDef<D>& def) {
  site.joint.kind = JointKind::slider;
  site.stand(def.frame);
  site.add_axis(def.axis(), false);
}
template <class D>
void describe(Site<D>& site, const FixedDef<D>& def) {
  site.joint.kind = JointKind::fixed;
  site.joint.softness = def.softness;
  site.stand(def.frame);
}
template <class D>
void describe(Site<D>& site, const PointOnLineDef<D>& def) {
  site.joint.kind = JointKind::point_on_line;
  site.stand(def.frame);
  site.add_axis(def.axis(), false);
}
template <class D>
void describe(Site<D>& site, const GearDef<D>& def) {
  site.joint.kind = JointKind::gear;
  site.anchor_a = site.a.position, site.anchor_b = site.b.position;
  set_gear_axes(site.joint, def);
  site.joint.parameters.ratio = def.ratio;
  site.add_axis({}, true);
  site.add_axis({}, true);
}
template <class D>
void describe(Site<D>& site, const RackDef<D>& def) {
  site.joint.kind = JointKind::rack;
  site.stand(def.frame);
  site.joint.parameters.ratio = def.radius;
  site.add_axis({}, true);
}
template <class D>
void describe(Site<D>& site, const HydraulicDef<D>& def) {
  JointRecord<D>& joint = site.joint;
  joint.kind = JointKind::hydraulic;
  site.anchor_a = def.anchor_a, site.anchor_b = def.anchor_b;
  joint.parameters.length = length(def.anchor_b - def.anchor_a);
  joint.state = def.state;
  joint.max_force = def.max_force, joint.max_speed = def.max_speed;
  joint.min_length = def.min_length, joint.max_length = def.max_length;
  site.add_axis({}, false);
}
void describe(Site<Dim3>& site, const BallDef3& def) {
  site.joint.kind = JointKind::ball;
  site.stand(def.frame);
  if (def.cone) site.joint.cone = *def.cone;
  site.joint.cone_softness = def.cone_softness;
  for (const AxisDef* axis : {&def.twist, &def.swing_y, &def.swing_z}) site.add_axis(*axis, true);
}
void describe(Site<Dim3>& site, const CylindricalDef3& def) {
  site.joint.kind = JointKind::cylindrical;
  site.stand(def.frame);
  site.add_axis(def.slide, false);
  site.add_axis(def.turn, true);
}
void describe(Site<Dim3>& site, const UniversalDef3& def) {
  site.joint.kind = JointKind::universal;
  site.stand(def.frame);
  site.add_axis(def.turn_a, true);
  site.add_axis(def.turn_b, true);
}
void describe(Site<Dim3>& site, const PlanarDef3& def) {
  site.joint.kind = JointKind::planar;
  site.stand(def.frame);
  site.add_axis(def.slide_y, false);
  site.add_axis(def.slide_z, false);
  site.add_axis(def.turn, true);
}

template <class D, class Def>
JointRecord<D> build(const Def& def, const BodyStore<D>& bodies) {
  check(def);
  const std::uint32_t row_a = bodies.row(def.a), row_b = bodies.row(def.b);
  if (bodies.masses[row_a].motion != Motion::dynamic && bodies.masses[row_b].motion != Motion::dynamic)
    throw Error(std::string(Fields<Def>::name), "a joint between two bodies that are not dynamic",
                "has nothing to move; make a or b dynamic");
  Site<D> site(bodies.states[row_a], bodies.states[row_b]);
  describe(site, def);
  JointRecord<D>& joint = site.joint;
  joint.a = def.a, joint.b = def.b;
  const auto to_a = inverse(site.a.rotation), to_b = inverse(site.b.rotation);
  joint.anchor_a = to_a * (site.anchor_a - site.a.position);
  joint.anchor_b = to_b * (site.anchor_b - site.b.position);
  joint.frame_a = normalized(to_a * joint.parameters.rest_a);
  joint.frame_b = normalized(to_b * joint.parameters.rest_b);
  joint.break_force = def.break_force, joint.break_torque = def.break_torque;
  joint.collide_connected = def.collide_connected;
  return joint;
}

// --------------------------------------------------------------------------------------------------- rows_of

template <class D>
JointRow<D> row_at(const PartRow<D, double>& part, int slot, RowRole role, double position,
                   const Softness& softness = {}) {
  JointRow<D> row;
  row.jacobian = part.jacobian;
  row.role = role;
  row.slot = std::uint8_t(slot);
  row.position = position;
  row.frequency = softness.frequency;
  row.damping_ratio = softness.damping_ratio;
  return row;
}
template <class D>
JointRow<D> bounded(JointRow<D> row, double effort) {
  row.max_effort = effort;
  row.min_effort = -effort;
  return row;
}
// C ≥ 0 with C = part − min.
template <class D>
JointRow<D> lower_limit(const PartRow<D, double>& part, int slot, double min, const Softness& softness) {
  JointRow<D> row = row_at(part, slot, RowRole::limit, part.position - min, softness);
  row.min_effort = 0;
  return row;
}
// C ≥ 0 with C = max − part.
template <class D>
JointRow<D> upper_limit(const PartRow<D, double>& part, int slot, double max, const Softness& softness) {
  const JacobianT<D, double>& j = part.jacobian;
  return lower_limit<D>({{-j.linear_a, -j.angular_a, -j.linear_b, -j.angular_b}, -part.position}, slot, -max,
                        softness);
}

// The row of a drive, at a time.
template <class D>
struct DriveRow {
  const PartRow<D, double>& part;
  int slot;
  double t;
  JointRows<D>& out;

  void operator()(const NoDrive&) const {}
  void operator()(const VelocityDrive& drive) const {
    JointRow<D> row = bounded(row_at(part, slot, RowRole::drive, 0), drive.max_effort);
    row.speed = drive.speed.value(t);
    out.add(row);
  }
  void operator()(const ServoDrive& drive) const {
    follow(drive.target, {drive.frequency, drive.damping_ratio}, drive.max_effort);
  }
  void operator()(const RheonomicDrive& drive) const { follow(drive.target, {}, drive.max_effort); }

 private:
  void follow(const TimeFunction& target, const Softness& softness, double max_effort) const {
    const double position = part.position - target.value(t);
    JointRow<D> row = bounded(row_at(part, slot, RowRole::servo, position, softness), max_effort);
    row.speed = target.rate(t);
    out.add(row);
  }
};

// What acts on a free axis, whose spring rests at `rest` and which cannot go below `floor` anyway.
template <class D>
void add_axis(const AxisDef& def, const PartRow<D, double>& part, int axis, double rest, double floor,
              double t, JointRows<D>& out) {
  if (def.limits && def.limits->min > floor)
    out.add(lower_limit(part, slot_of(axis, AxisSlot::lower), def.limits->min, def.limit_softness));
  if (def.limits && def.limits->max < k_unlimited)
    out.add(upper_limit(part, slot_of(axis, AxisSlot::upper), def.limits->max, def.limit_softness));
  if (def.spring)
    out.add(row_at(part, slot_of(axis, AxisSlot::spring), RowRole::servo, part.position - rest, *def.spring));
  std::visit(DriveRow<D>{part, slot_of(axis, AxisSlot::drive), t, out}, def.drive);
  if (def.friction > 0)
    out.add(bounded(row_at(part, slot_of(axis, AxisSlot::friction), RowRole::friction, 0), def.friction));
}

// Lund §5.2, with the table's two constraints as four rows: the length is held, or kept between the end of the
// cylinder and what it has gained; the pump moves it, and is not overrun by a load that helps.
template <class D>
void add_hydraulic(const JointRecord<D>& joint, const JointParts<D, double>& parts, JointRows<D>& out) {
  const PartRow<D, double>& part = parts.axis[0];
  const double now = part.position, gained = joint.parameters.length;
  const bool extends = joint.state == Hydraulic::extend, contracts = joint.state == Hydraulic::contract;

  JointRow<D> hold = row_at(parts.hold[0], 0, RowRole::hold, parts.hold[0].position);
  hold.active = !extends && !contracts;
  out.add(hold);

  JointRow<D> lower = lower_limit(part, slot_of(0, AxisSlot::lower), extends ? gained : joint.min_length, {});
  lower.active = extends || (contracts && joint.min_length > 0);
  out.add(lower);

  const double longest =
      contracts ? gained : smaller(joint.max_length, 1e300);  // finite, though it may not count
  JointRow<D> upper = upper_limit(part, slot_of(0, AxisSlot::upper), longest, {});
  upper.active = contracts || (extends && joint.max_length < k_unlimited);
  out.add(upper);

  JointRow<D> pump = row_at(part, slot_of(0, AxisSlot::drive), RowRole::drive, 0);
  if (extends) {
    pump.speed = joint.max_speed;
    pump.max_effort = joint.max_force;
    pump.active = now < joint.max_length;
  } else if (contracts) {
    pump.speed = -joint.max_speed;
    pump.min_effort = -joint.max_force;
    pump.active = now > joint.min_length;
  } else {
    pump.active = false;
  }
  out.add(pump);
}

}  // namespace

template <class D>
bool is_bare(const JointRecord<D>& joint) {
  const auto is_free = [](const AxisDef& axis) {
    return !axis.limits && !axis.spring && !(axis.friction > 0) &&
           std::holds_alternative<NoDrive>(axis.drive);
  };
  return !(joint.softness.frequency > 0) && !(joint.cone < k_unlimited) &&
         std::all_of(joint.axes, joint.axes + joint.axis_count, is_free);
}

template <class D>
JointRecord<D> build_joint(const JointDef<D>& def, const BodyStore<D>& bodies) {
  JointRecord<D> joint = std::visit([&](const auto& d) { return build<D>(d, bodies); }, def);
  joint.bare = is_bare(joint);
  return joint;
}

template <class D>
void rows_of(const JointRecord<D>& joint, const JointPose<D, double>& pose, double t, JointRows<D>& out) {
  out.clear();
  const JointParts<D, double> parts = parts_of(joint, pose);
  if (joint.kind == JointKind::hydraulic) return add_hydraulic(joint, parts, out);
  if (joint.kind != JointKind::distance || joint.rod)
    for (int i = 0; i < parts.hold_count; ++i)
      out.add(row_at(parts.hold[i], i, RowRole::hold, parts.hold[i].position, joint.softness));
  if (joint.cone < k_unlimited) {
    JointRow<D> cone = upper_limit(parts.cone, k_cone_slot, joint.cone, joint.cone_softness);
    cone.active = parts.cone.position > k_least_swing;
    out.add(cone);
  }
  const bool is_length = joint.kind == JointKind::distance;
  const double rest = is_length ? joint.parameters.length : 0, floor = is_length ? 0 : -k_unlimited;
  for (int i = 0; i < parts.axis_count; ++i) add_axis(joint.axes[i], parts.axis[i], i, rest, floor, t, out);
}

template <class D>
void track(JointRecord<D>& joint, const JointPose<D, double>& pose) {
  const JointParts<D, double> parts = parts_of(joint, pose);
  for (int i = 0; i < parts.axis_count; ++i)
    if (joint.angular[i]) {
      Turns<double>& turns = joint.parameters.turns[i];
      turns.base = 2 * k_pi * __builtin_floor((parts.axis[i].position + k_pi) / (2 * k_pi));
      turns.last = parts.axis[i].position - turns.base;
    }
  double& gained = joint.parameters.length;
  if (joint.kind != JointKind::hydraulic || joint.state == Hydraulic::hold) return;
  const double now = parts.axis[0].position;
  gained = joint.state == Hydraulic::extend ? larger(gained, smaller(now, joint.max_length))
                                            : smaller(gained, larger(now, joint.min_length));
}

template <class D>
void set_state(JointRecord<D>& joint, const JointPose<D, double>& pose, Hydraulic state) {
  if (joint.kind != JointKind::hydraulic)
    throw Error("JointId", "a joint that is not hydraulic",
                "only hydraulic joints extend, contract and hold");
  if (name_of(state).empty())
    throw Error("state", std::to_string(int(state)), "must be extend, contract or hold");
  joint.state = state;
  joint.parameters.length = clamp(length(pose.gap), joint.min_length, joint.max_length);
}

template <class D>
PartRow<D, double> coordinate(const JointRecord<D>& joint, const JointPose<D, double>& pose, int axis) {
  if (axis < 0 || axis >= joint.axis_count)
    throw Error(
        "axis", std::to_string(axis),
        "must be one of the " + std::to_string(joint.axis_count) + " axes of the joint, counted from 0");
  return parts_of(joint, pose).axis[axis];
}

template <class D>
void set_axis(JointRecord<D>& joint, int axis, const AxisDef& def) {
  const bool has_axes =
      joint.kind != JointKind::gear && joint.kind != JointKind::rack && joint.kind != JointKind::hydraulic;
  if (axis < 0 || axis >= joint.axis_count || !has_axes)
    throw Error("axis", std::to_string(axis),
                "must be one of the " + std::to_string(has_axes ? joint.axis_count : 0) +
                    " axes of the joint, counted from 0");
  check(def);
  const bool is_length = joint.kind == JointKind::distance;
  if (is_length && def.limits && !(def.limits->max > 0))
    throw Error("AxisDef.limits.max", to_text(def.limits->max) + " m",
                "must be greater than 0: it is a length");
  const bool needs_length = is_length && (def.spring || is_rigid(def));
  if (needs_length && !(joint.parameters.length > 0))
    throw Error("AxisDef", "a rod or spring of no length", "has no direction; give the rope limits instead");
  joint.axes[axis] = def;
  joint.rod = is_length && is_rigid(def);
  joint.bare = is_bare(joint);
}

template bool is_bare(const JointRecord<Dim2>&);
template bool is_bare(const JointRecord<Dim3>&);
template JointRecord<Dim2> build_joint(const JointDef2&, const BodyStore<Dim2>&);
template JointRecord<Dim3> build_joint(const JointDef3&, const BodyStore<Dim3>&);
template void rows_of(const JointRecord<Dim2>&, const JointPose<Dim2, double>&, double, JointRows<Dim2>&);
template void rows_of(const JointRecord<Dim3>&, const JointPose<Dim3, double>&, double, JointRows<Dim3>&);
template void track(JointRecord<Dim2>&, const JointPose<Dim2, double>&);
template void track(JointRecord<Dim3>&, const JointPose<Dim3, double>&);
template PartRow<Dim2, double> coordinate(const JointRecord<Dim2>&, const JointPose<Dim2, double>&, int);
template PartRow<Dim3, double> coordinate(const JointRecord<Dim3>&, const JointPose<Dim3, double>&, int);
template void set_axis(JointRecord<Dim2>&, int, const AxisDef&);
template void set_axis(JointRecord<Dim3>&, int, const AxisDef&);
template void set_state(JointRecord<Dim2>&, const JointPose<Dim2, double>&, Hydraulic);
template void set_state(JointRecord<Dim3>&, const JointPose<Dim3, double>&, Hydraulic);

}  // namespace cairn
