#include "geometry/core_points.h"
#include "geometry/spin.h"

namespace cairn {

Spin2::Spin2(const Core2& core, const Pose2& pose, const Sweep<Dim2>& sweep) : turn_(absolute(sweep.turn)) {
  for_each_corner(core, [&](const Vec2& p) { reach_ = larger(reach_, length(to_world(pose, p))); });
  speed_ = turn_ * reach_;
  bend_ = turn_ * turn_ * reach_;
}

}  // namespace cairn
