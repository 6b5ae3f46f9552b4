// The geometry of joints in the plane.
#include "constraints/joint_parts_2d.h"
#include "constraints/joints.h"

namespace cairn {

Rot2 axes_of(const JointFrame2& frame);
void set_gear_axes(JointRecord<Dim2>& joint, const GearDef2& def);

Rot2 axes_of(const JointFrame2& frame) {
  const Vec2 x = normalized(frame.axis);
  return {x.x, x.y};
}
void set_gear_axes(JointRecord<Dim2>&, const GearDef2&) {}  // normal to the plane

JointParts<Dim2, double> parts_of(const JointRecord<Dim2>& joint, const JointPose<Dim2, double>& pose) {
  const JointParameters<Dim2, double>& p = joint.parameters;
  switch (joint.kind) {
    case JointKind::distance:
    case JointKind::hydraulic:
      return distance_parts(pose, p);
    case JointKind::hinge:
      return hinge_parts(pose, p);
    case JointKind::slider:
      return slider_parts(pose, p);
    case JointKind::fixed:
      return fixed_parts(pose, p);
    case JointKind::point_on_line:
      return point_on_line_parts(pose, p);
    case JointKind::gear:
      return gear_parts(pose, p);
    case JointKind::rack:
      return rack_parts(pose, p);
    case JointKind::ball:
    case JointKind::cylindrical:
    case JointKind::universal:
    case JointKind::planar:
      break;
  }
  CAIRN_ASSERT(false);  // there is no such joint in the plane
  return {};
}

}  // namespace cairn
