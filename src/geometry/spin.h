// How far turning moves a core along a direction, while its body turns at a constant rate about a fixed axis through its
// centre. Each point goes round a circle about that axis.
//
// Spinning about its own axis leaves a cylinder or cone where it is, so only the turning of that axis counts for them.
#pragma once

#include "geometry/core.h"
#include "geometry/sweep.h"

namespace cairn {

// Bounds that hold at every time, for directions n that do not turn, in world axes, and times in units of the sweep.
class Spin2 {
 public:
  Spin2() = default;
  Spin2(const Core2& core, const Pose2& pose, const Sweep<Dim2>& sweep);

  double speed(const Vec2&) const { return speed_; }  // [m] of any point along n
  double bend(const Vec2&) const { return bend_; }    // [m] its second derivative
  double reach(const Vec2&) const {
    return reach_;
  }                                      // [m] the furthest along n from the centre, at any angle
  double turn() const { return turn_; }  // [rad] in all

 private:
  double turn_ = 0, speed_ = 0, bend_ = 0, reach_ = 0;
};

class Spin3 {
 public:
  Spin3() = default;
  Spin3(const Core3& core, const Pose3& pose, const Sweep<Dim3>& sweep);

  double speed(const Vec3& n) const { return turn_ * across(n) * circle_ + own_speed_; }
  double bend(const Vec3& n) const { return turn_ * turn_ * across(n) * circle_ + own_bend_; }
  double reach(const Vec3& n) const {
    const double along = dot(n, axis_);
    return smaller(along * (along > 0 ? top_ : bottom_) + across(n) * widest_, ball_);
  }
  double turn() const { return turn_; }

 private:
  double across(const Vec3& n) const { return length(n - axis_ * dot(n, axis_)); }

  Vec3 axis_{0, 0, 1};  // unit, world axes
  double turn_ = 0;     // [rad]
  double circle_ = 0;   // [m] the largest radius of the circles: of all points, or of a curved core's middle
  double own_speed_ = 0, own_bend_ = 0;  // [m] of a curved core about its middle
  double widest_ = 0;                    // [m] from the axis, of all points
  double bottom_ = 0, top_ = 0;          // [m] along the axis
  double ball_ = 0;                      // [m] from the centre, of all points
};

template <class D>
struct SpinOf;
template <>
struct SpinOf<Dim2> {
  using type = Spin2;
};
template <>
struct SpinOf<Dim3> {
  using type = Spin3;
};

}  // namespace cairn
