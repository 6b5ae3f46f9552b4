#include "geometry/core_points.h"
#include "geometry/direction.h"
#include "geometry/spin.h"

namespace cairn {

// A curved core with the axis z moves as if its turning were only ω − (ω·z) z, a vector of the constant length ω sin θ that
// itself goes round ω: the points at the distance r from its middle have at most the speed r ω sin θ and the second derivative
// r ((ω sin θ)² + ω cos θ · ω sin θ).
Spin3::Spin3(const Core3& core, const Pose3& pose, const Sweep<Dim3>& sweep) {
  const Direction<Vec3> turn = direction_of(sweep.turn);
  turn_ = turn.length;
  if (turn_ > 0) axis_ = turn.unit;
  const Vec3 axis = inverse(sweep.rotation) * axis_;  // the body's axes
  bool is_first = true;
  const auto add = [&](const Vec3& point, double size) {  // of a ball around the point
    const double along = dot(point, axis), circle = length(point - along * axis);
    circle_ = larger(circle_, circle);
    widest_ = larger(widest_, circle + size);
    ball_ = larger(ball_, length(point) + size);
    top_ = is_first ? along + size : larger(top_, along + size);
    bottom_ = is_first ? along - size : smaller(bottom_, along - size);
    is_first = false;
  };
  if (!core.is_curved()) {
    for_each_corner(core, [&](const Vec3& p) { add(to_world(pose, p), 0); });
    return;
  }
  const double size = length(Vec2{core.extent.x, core.extent.z});
  add(pose.position, size);
  const Vec3 z = pose.rotation * Vec3{0, 0, 1};
  const double across = turn_ * length(cross(z, axis)), along = turn_ * absolute(dot(z, axis));
  own_speed_ = size * across;
  own_bend_ = size * across * (across + along);
}

}  // namespace cairn
