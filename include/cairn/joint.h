// Joints: what two bodies may not do to each other, and what drives them.
//
// A joint is described in *world* coordinates, as the two bodies stand when it is created: that is its rest
// pose, from which turns and slides are counted. Positive is how b moves as seen from a, by the right-hand rule
// about `axis` and along it. Either body may be world.background(), but one of them must be dynamic.
//
//   joint           keeps from 2D / 3D   leaves free, each with an AxisDef
//   distance             1 / 1           the length, if it has limits, spring, friction or drive; else a rod
//   ball                   / 3           twist about axis, and two swings of it; a cone
//   hinge                2 / 5           turn about axis
//   slider               2 / 5           slide along axis
//   cylindrical            / 4           slide along axis, turn about it
//   universal              / 4           turn about axis (fixed in a), turn about second (fixed in b)
//   fixed                3 / 6           nothing
//   planar                 / 3           slides along two directions at right angles to axis, turn about axis
//   point on line        1 / 2           slide along axis; may turn as it likes
//   gear                 1 / 1           turns of a and b about their own axes have a fixed ratio
//   rack                 1 / 1           b slides along a rack as the pinion a turns
//   hydraulic            1 / 1           a cylinder that extends, contracts or holds its length
#pragma once

#include <cairn/time_function.h>

namespace cairn {

using JointId = Id<struct JointTag>;

inline constexpr double k_unlimited = std::numeric_limits<double>::infinity();

// A spring and damper, described so that it does not depend on the masses: how fast they swing, and how far they
// overshoot (0: for ever, 1: not at all). Frequency 0: rigid.
struct Softness {
  double frequency = 0;      // [Hz]
  double damping_ratio = 1;  // of the critical damping
  bool operator==(const Softness&) const = default;
};

// How far an axis may go. [m] or [rad] from the rest pose; turns may go on beyond ±π.
struct Limits {
  double min = -k_unlimited, max = k_unlimited;
  bool operator==(const Limits&) const = default;
};

struct NoDrive {
  bool operator==(const NoDrive&) const = default;
};
// Moves at a speed, as far as the effort suffices.
struct VelocityDrive {
  TimeFunction speed{};             // [m/s] or [rad/s]
  double max_effort = k_unlimited;  // [N] or [N·m]
  bool operator==(const VelocityDrive&) const = default;
};
// A spring and damper between the axis and a target that may move.
struct ServoDrive {
  TimeFunction target{};            // [m] or [rad]
  double frequency = 5;             // [Hz]
  double damping_ratio = 1;         // of the critical damping
  double max_effort = k_unlimited;  // [N] or [N·m]
  bool operator==(const ServoDrive&) const = default;
};
// Is where the target says, as far as the effort suffices: a constraint that depends on time.
struct RheonomicDrive {
  TimeFunction target{};            // [m] or [rad]
  double max_effort = k_unlimited;  // [N] or [N·m]
  bool operator==(const RheonomicDrive&) const = default;
};
using Drive = std::variant<NoDrive, VelocityDrive, ServoDrive, RheonomicDrive>;

// What holds and moves a free axis. Joints of one axis have these members themselves.
struct AxisDef {
  std::optional<Limits> limits{};    // [m] or [rad] from the rest pose
  Softness limit_softness{};         // of the stops
  std::optional<Softness> spring{};  // draws the axis to its rest pose
  double friction = 0;               // [N] or [N·m] that resist any motion
  Drive drive{};
  bool operator==(const AxisDef&) const = default;
};

// Where a joint stands when it is created, in world coordinates.
template <class D>
struct JointFrame;
template <>
struct JointFrame<Dim2> {
  Vec2 origin{};    // [m]
  Vec2 axis{1, 0};  // of sliding; any length but zero
};
template <>
struct JointFrame<Dim3> {
  Vec3 origin{};       // [m]
  Vec3 axis{0, 0, 1};  // of turning or sliding; any length but zero
  std::optional<Vec3>
      second{};  // another direction, where the joint has one; only its part normal to axis counts
};
using JointFrame2 = JointFrame<Dim2>;
using JointFrame3 = JointFrame<Dim3>;

// The last five members are common to all joints:
//
//   collide_connected   may the two bodies meet?
//   break_force         [N] of the joint's reaction at which it breaks
//   break_torque        [N·m] likewise
//   name, user_data     for reports, need not be unique; and yours, Cairn never reads it

// A rod between two points; with limits a rope or a telescope, with a spring a soft rod. The lengths are those
// between the points, not changes of it. A rod of no length has no direction and is refused.
template <class D>
struct DistanceDef {
  BodyId a{}, b{};
  typename D::Vec anchor_a{}, anchor_b{};  // [m] in world coordinates
  std::optional<double> length{};  // [m] of the rod, or of the spring at rest; as it is now if not given
  std::optional<Limits> limits{};  // [m] shortest and longest
  Softness limit_softness{};
  std::optional<Softness> spring{};  // draws the distance to `length`
  double friction = 0;               // [N]
  Drive drive{};                     // its target is a length
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
  AxisDef axis() const { return {limits, limit_softness, spring, friction, drive}; }
};

// One point of each body stays together, and nothing else. The turn between the bodies is a twist about `axis`
// followed by a swing of that axis, whose rotation vector has components along frame.second and axis × second.
struct BallDef3 {
  BodyId a{}, b{};
  JointFrame3 frame{};
  AxisDef twist{};               // [rad]
  AxisDef swing_y{}, swing_z{};  // [rad]
  std::optional<double> cone{};  // [rad] how far the axis may swing, in any direction; less than π
  Softness cone_softness{};
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
};

// A common point, and a common axis of turning (in 2D normal to the plane).
template <class D>
struct HingeDef {
  BodyId a{}, b{};
  JointFrame<D> frame{};
  std::optional<Limits> limits{};  // [rad]
  Softness limit_softness{};
  std::optional<Softness> spring{};
  double friction = 0;  // [N·m]
  Drive drive{};
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
  AxisDef axis() const { return {limits, limit_softness, spring, friction, drive}; }
};

// Slides along an axis fixed in a, without turning.
template <class D>
struct SliderDef {
  BodyId a{}, b{};
  JointFrame<D> frame{};
  std::optional<Limits> limits{};  // [m]
  Softness limit_softness{};
  std::optional<Softness> spring{};
  double friction = 0;  // [N]
  Drive drive{};
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
  AxisDef axis() const { return {limits, limit_softness, spring, friction, drive}; }
};

// Slides along an axis and turns about it.
struct CylindricalDef3 {
  BodyId a{}, b{};
  JointFrame3 frame{};
  AxisDef slide{};  // [m]
  AxisDef turn{};   // [rad]
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
};

// A Cardan joint: the arms of its cross stay at right angles. One lies along frame.axis in a, the other along
// frame.second in b.
struct UniversalDef3 {
  BodyId a{}, b{};
  JointFrame3 frame{};
  AxisDef turn_a{};  // [rad] about axis
  AxisDef turn_b{};  // [rad] about second
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
};

// Welded together.
template <class D>
struct FixedDef {
  BodyId a{}, b{};
  JointFrame<D> frame{};  // where its reaction is told
  Softness softness{};    // of the weld; rigid unless given
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
};

// Slides on a plane of a, normal to frame.axis, and turns about that axis.
struct PlanarDef3 {
  BodyId a{}, b{};
  JointFrame3 frame{};
  AxisDef slide_y{};  // [m] along frame.second
  AxisDef slide_z{};  // [m] along axis × second
  AxisDef turn{};     // [rad]
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
};

// A point of b stays on a line of a; the bodies turn freely.
template <class D>
struct PointOnLineDef {
  BodyId a{}, b{};
  JointFrame<D> frame{};
  std::optional<Limits> limits{};  // [m]
  Softness limit_softness{};
  std::optional<Softness> spring{};
  double friction = 0;  // [N]
  Drive drive{};
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
  AxisDef axis() const { return {limits, limit_softness, spring, friction, drive}; }
};

// turn of a + ratio · turn of b = 0, counted over any number of turns. For wheels that touch from outside the ratio
// is teeth of b over teeth of a; for inner wheels and belts minus that. Each body turns about its own axis, which
// something else must hold (a hinge) and which does not move in the world.
template <class D>
struct GearDef;
template <>
struct GearDef<Dim2> {
  BodyId a{}, b{};
  double ratio = 1;
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
};
template <>
struct GearDef<Dim3> {
  BodyId a{}, b{};
  double ratio = 1;
  Vec3 axis_a{0, 0, 1}, axis_b{0, 0, 1};  // in world coordinates; any length but zero
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
};

// Pinion a and rack b: a positive turn of a moves b by radius · turn along the rack. In 2D the rack lies along
// frame.axis; in 3D the pinion turns about frame.axis and the rack lies along frame.second. All is measured between
// the two bodies: both may ride on a third.
template <class D>
struct RackDef {
  BodyId a{}, b{};
  JointFrame<D> frame{};
  double radius = 1;  // [m] of the pinion; negative: the rack runs on its other side
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
};

// What a hydraulic cylinder does now.
enum class Hydraulic : std::uint8_t {
  extend,    // grows at max_speed; pushes with max_force at most, holds back what pulls it, never gives way
  contract,  // shrinks likewise
  hold,      // keeps the length at which it was told to
};

// A cylinder and piston between two points (Lund §5.2). The oil is not compressible, so what the pump has gained is
// not given back.
template <class D>
struct HydraulicDef {
  BodyId a{}, b{};
  typename D::Vec anchor_a{}, anchor_b{};  // [m] in world coordinates
  Hydraulic state = Hydraulic::hold;       // to begin with
  double max_force = 1e5;                  // [N] of the pump
  double max_speed = 1;                    // [m/s] of the piston
  double min_length = 0;                   // [m] between the points
  double max_length = k_unlimited;         // [m]
  bool collide_connected = false;
  double break_force = k_unlimited, break_torque = k_unlimited;
  std::string name{};
  std::uint64_t user_data = 0;
};

using DistanceDef2 = DistanceDef<Dim2>;
using DistanceDef3 = DistanceDef<Dim3>;
using HingeDef2 = HingeDef<Dim2>;
using HingeDef3 = HingeDef<Dim3>;
using SliderDef2 = SliderDef<Dim2>;
using SliderDef3 = SliderDef<Dim3>;
using FixedDef2 = FixedDef<Dim2>;
using FixedDef3 = FixedDef<Dim3>;
using PointOnLineDef2 = PointOnLineDef<Dim2>;
using PointOnLineDef3 = PointOnLineDef<Dim3>;
using GearDef2 = GearDef<Dim2>;
using GearDef3 = GearDef<Dim3>;
using RackDef2 = RackDef<Dim2>;
using RackDef3 = RackDef<Dim3>;
using HydraulicDef2 = HydraulicDef<Dim2>;
using HydraulicDef3 = HydraulicDef<Dim3>;

using JointDef2 = std::variant<DistanceDef2, HingeDef2, SliderDef2, FixedDef2, PointOnLineDef2, GearDef2,
                               RackDef2, HydraulicDef2>;
using JointDef3 = std::variant<DistanceDef3, BallDef3, HingeDef3, SliderDef3, CylindricalDef3, UniversalDef3,
                               FixedDef3, PlanarDef3, PointOnLineDef3, GearDef3, RackDef3, HydraulicDef3>;

namespace detail {
template <class D>
struct JointDefOf;
template <>
struct JointDefOf<Dim2> {
  using type = JointDef2;
};
template <>
struct JointDefOf<Dim3> {
  using type = JointDef3;
};
}  // namespace detail
template <class D>
using JointDef = typename detail::JointDefOf<D>::type;

}  // namespace cairn

#include <cairn/joint_fields.h>
