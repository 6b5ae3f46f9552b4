// The geometry of joints in space.
#include "constraints/joint_parts_3d.h"
#include "constraints/joints.h"

namespace cairn {

Rot3 axes_of(const JointFrame3& frame);
void set_gear_axes(JointRecord<Dim3>& joint, const GearDef3& def);

// x along the axis, y along the part of the second direction that is normal to it, or any normal.
Rot3 axes_of(const JointFrame3& frame) {
  const Vec3 x = normalized(frame.axis);
  Vec3 y = perpendicular(x);
  if (frame.second) {
    const Vec3 s = normalized(*frame.second);
    y = normalized(s - dot(s, x) * x);
  }
  return normalized(rotation_of(Mat3{x, y, cross(x, y)}));
}
void set_gear_axes(JointRecord<Dim3>& joint, const GearDef3& def) {
  joint.parameters.rest_a = axes_of({.axis = def.axis_a});
  joint.parameters.rest_b = axes_of({.axis = def.axis_b});
}

JointParts<Dim3, double> parts_of(const JointRecord<Dim3>& joint, const JointPose<Dim3, double>& pose) {
  const JointParameters<Dim3, double>& p = joint.parameters;
  switch (joint.kind) {
    case JointKind::distance:
    case JointKind::hydraulic:
      return distance_parts(pose, p);
    case JointKind::ball:
      return ball_parts(pose, p);
    case JointKind::hinge:
      return hinge_parts(pose, p);
    case JointKind::slider:
      return slider_parts(pose, p);
    case JointKind::cylindrical:
      return cylindrical_parts(pose, p);
    case JointKind::universal:
      return universal_parts(pose, p);
    case JointKind::fixed:
      return fixed_parts(pose, p);
    case JointKind::planar:
      return planar_parts(pose, p);
    case JointKind::point_on_line:
      return point_on_line_parts(pose, p);
    case JointKind::gear:
      return gear_parts(pose, p);
    case JointKind::rack:
      return rack_parts(pose, p);
  }
  CAIRN_ASSERT(false);
  return {};
}

}  // namespace cairn
