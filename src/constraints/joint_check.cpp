// What the field tables of joints cannot say by a range: members that depend on each other.
//
// Called after every number has been found finite and inside its range.
#include <cairn/joint.h>

namespace cairn {

using detail::refuse;

namespace detail {

void check_bodies(BodyId a, BodyId b, const Path& path) {
  if (a && a == b)
    refuse(path / "b", "the same body as a",
           "must be another body: a joint between a body and itself holds nothing");
}
void check_direction(double length, std::string value, const Path& path) {
  if (!(length > 0)) refuse(path, std::move(value), "must have a direction: any length but zero");
}

}  // namespace detail

namespace {

using detail::check_bodies;
using detail::check_direction;

constexpr double k_least_angle = 1e-6;  // [rad] between the two directions of a frame

void check_not_zero(double value, std::string_view unit, std::string_view remedy, const Path& path) {
  if (value == 0) refuse(path, "0" + std::string(unit), std::string(remedy));
}
void check_rack_direction(const JointFrame2&, const Path&) {}
void check_rack_direction(const JointFrame3& frame, const Path& path) {
  if (!frame.second)
    refuse(path / "frame" / "second", "not given",
           "must be the direction of the rack; frame.axis is the pinion's");
}

}  // namespace

void Fields<Limits>::check(const Limits& limits, const Path& path) {
  if (!(limits.min <= limits.max))
    refuse(path / "min", to_text(limits.min), "must be at most max, which is " + to_text(limits.max));
  if (limits.min == k_unlimited) refuse(path / "min", to_text(limits.min), "must be finite or -inf");
  if (limits.max == -k_unlimited) refuse(path / "max", to_text(limits.max), "must be finite or inf");
}

void Fields<JointFrame2>::check(const JointFrame2& frame, const Path& path) {
  check_direction(length(frame.axis), to_text(frame.axis), path / "axis");
}
void Fields<JointFrame3>::check(const JointFrame3& frame, const Path& path) {
  check_direction(length(frame.axis), to_text(frame.axis), path / "axis");
  if (!frame.second) return;
  check_direction(length(*frame.second), to_text(*frame.second), path / "second");
  if (length(cross(normalized(frame.axis), normalized(*frame.second))) < k_least_angle)
    refuse(path / "second", to_text(*frame.second),
           "must not be parallel to axis, which is " + to_text(frame.axis));
}

template <class D>
void Fields<DistanceDef<D>>::check(const DistanceDef<D>& def, const Path& path) {
  check_bodies(def.a, def.b, path);
  if (def.limits) {
    if (def.limits->min < 0 && is_finite(def.limits->min))
      refuse(path / "limits" / "min", to_text(def.limits->min) + " m", "is a length and must be at least 0");
    if (!(def.limits->max > 0))
      refuse(path / "limits" / "max", to_text(def.limits->max) + " m",
             "must be greater than 0; to keep two points together use a hinge or ball");
  }
  const bool needs_length = def.spring || (!def.limits && std::holds_alternative<NoDrive>(def.drive));
  if (needs_length && !def.length && length(def.anchor_b - def.anchor_a) == 0)
    refuse(path / "length", "0 m", "must be greater than 0; to keep two points together use a hinge or ball");
}
void Fields<GearDef2>::check(const GearDef2& def, const Path& path) {
  check_bodies(def.a, def.b, path);
  check_not_zero(def.ratio, "", "must not be 0: teeth of b over teeth of a", path / "ratio");
}
void Fields<GearDef3>::check(const GearDef3& def, const Path& path) {
  check_bodies(def.a, def.b, path);
  check_not_zero(def.ratio, "", "must not be 0: teeth of b over teeth of a", path / "ratio");
  check_direction(length(def.axis_a), to_text(def.axis_a), path / "axis_a");
  check_direction(length(def.axis_b), to_text(def.axis_b), path / "axis_b");
}
template <class D>
void Fields<RackDef<D>>::check(const RackDef<D>& def, const Path& path) {
  check_bodies(def.a, def.b, path);
  check_not_zero(def.radius, " m", "must not be 0: the radius of the pinion", path / "radius");
  check_rack_direction(def.frame, path);
}
template <class D>
void Fields<HydraulicDef<D>>::check(const HydraulicDef<D>& def, const Path& path) {
  check_bodies(def.a, def.b, path);
  if (!(def.min_length <= def.max_length))
    refuse(path / "min_length", to_text(def.min_length) + " m",
           "must be at most max_length, which is " + to_text(def.max_length) + " m");
  const double now = length(def.anchor_b - def.anchor_a);
  if (now == 0) refuse(path / "anchor_b", to_text(def.anchor_b) + " m", "must not be where anchor_a is");
  const double slack = 1e-9 * now;  // the round-off of a user's own subtraction
  if (now < def.min_length - slack || now > def.max_length + slack)
    refuse(path / "anchor_b", "at a distance of " + to_text(now) + " m from anchor_a",
           "must be from min_length, " + to_text(def.min_length) + " m, to max_length, " +
               to_text(def.max_length) + " m");
}

template struct Fields<DistanceDef2>;
template struct Fields<DistanceDef3>;
template struct Fields<RackDef2>;
template struct Fields<RackDef3>;
template struct Fields<HydraulicDef2>;
template struct Fields<HydraulicDef3>;

}  // namespace cairn
