// A pose with its rotation as a matrix: cheaper where many vectors go through it.
#pragma once

#include <cairn/math.h>

namespace cairn {

struct Placement {
  Mat3 axes;      // of the inner frame, in the outer one
  Vec3 position;  // [m] of the inner frame, in the outer one

  Placement() = default;
  explicit Placement(const Pose3& pose) : axes(matrix(pose.rotation)), position(pose.position) {}

  CAIRN_INLINE Vec3 turned_out(const Vec3& inner) const { return axes * inner; }
  CAIRN_INLINE Vec3 turned_in(const Vec3& outer) const {
    return {dot(axes.c0, outer), dot(axes.c1, outer), dot(axes.c2, outer)};
  }
  CAIRN_INLINE Vec3 out(const Vec3& inner) const { return position + axes * inner; }
  CAIRN_INLINE Vec3 in(const Vec3& outer) const { return turned_in(outer - position); }
};

}  // namespace cairn
