// The field tables of the joints. Included by cairn/joint.h, which has the joints themselves.
#pragma once

#include <cairn/joint.h>

namespace cairn {

template <>
struct EnumNames<Hydraulic> {
  static constexpr std::array<std::pair<Hydraulic, std::string_view>, 3> table{
      {{Hydraulic::extend, "extend"}, {Hydraulic::contract, "contract"}, {Hydraulic::hold, "hold"}}};
};

// ---------------------------------------------------------------------------------------------------- axes

inline constexpr Range k_effort{.lo = 0, .infinite = true};

template <>
struct Fields<Softness> {
  using T = Softness;
  static constexpr std::string_view name = "Softness";
  static constexpr auto table() {
    return std::tuple{
        field("frequency", &T::frequency, "Hz", k_non_negative, "of the swinging masses; 0: rigid"),
        field("damping_ratio", &T::damping_ratio, "", k_non_negative, "1: it does not overshoot"),
    };
  }
};
template <>
struct Fields<Limits> {
  using T = Limits;
  static constexpr std::string_view name = "Limits";
  static constexpr auto table() {
    return std::tuple{
        field("min", &T::min, "m or rad", Range{.infinite = true}, "least value of the axis"),
        field("max", &T::max, "m or rad", Range{.infinite = true}, "greatest value of the axis"),
    };
  }
  static void check(const Limits& limits, const Path& path);  // min is at most max
};
template <>
struct Fields<NoDrive> {
  static constexpr std::string_view name = "NoDrive";
  static constexpr auto table() { return std::tuple{}; }
};
template <>
struct Fields<VelocityDrive> {
  using T = VelocityDrive;
  static constexpr std::string_view name = "VelocityDrive";
  static constexpr auto table() {
    return std::tuple{
        field("speed", &T::speed, "m/s or rad/s", k_any, "at which it moves"),
        field("max_effort", &T::max_effort, "N or N·m", k_effort, "what it can bring up"),
    };
  }
};
template <>
struct Fields<ServoDrive> {
  using T = ServoDrive;
  static constexpr std::string_view name = "ServoDrive";
  static constexpr auto table() {
    return std::tuple{
        field("target", &T::target, "m or rad", k_any, "where it draws the axis"),
        field("frequency", &T::frequency, "Hz", k_positive, "of its spring"),
        field("damping_ratio", &T::damping_ratio, "", k_non_negative, "1: it does not overshoot"),
        field("max_effort", &T::max_effort, "N or N·m", k_effort, "what it can bring up"),
    };
  }
};
template <>
struct Fields<RheonomicDrive> {
  using T = RheonomicDrive;
  static constexpr std::string_view name = "RheonomicDrive";
  static constexpr auto table() {
    return std::tuple{
        field("target", &T::target, "m or rad", k_any, "where the axis is"),
        field("max_effort", &T::max_effort, "N or N·m", k_effort, "what it can bring up"),
    };
  }
};
namespace detail {
// The rows of what is an axis, or has the members of one.
template <class T>
constexpr auto axis_fields() {
  return std::tuple{
      field("limits", &T::limits, "m or rad", k_any, "how far it may go, from the rest pose"),
      field("limit_softness", &T::limit_softness, "", k_any, "of the stops"),
      field("spring", &T::spring, "", k_any, "draws it to its rest pose"),
      field("friction", &T::friction, "N or N·m", k_non_negative, "resists any motion"),
      field("drive", &T::drive, "", k_any, "moves it"),
  };
}
}  // namespace detail
template <>
struct Fields<AxisDef> {
  static constexpr std::string_view name = "AxisDef";
  static constexpr auto table() { return detail::axis_fields<AxisDef>(); }
};

// -------------------------------------------------------------------------------------------------- frames

template <>
struct Fields<JointFrame2> {
  using T = JointFrame2;
  static constexpr std::string_view name = "JointFrame2";
  static constexpr auto table() {
    return std::tuple{
        field("origin", &T::origin, "m", k_any, "of the joint, in world coordinates"),
        field("axis", &T::axis, "", k_any, "of sliding; any length but zero"),
    };
  }
  static void check(const JointFrame2& frame, const Path& path);  // the axis is not zero
};
template <>
struct Fields<JointFrame3> {
  using T = JointFrame3;
  static constexpr std::string_view name = "JointFrame3";
  static constexpr auto table() {
    return std::tuple{
        field("origin", &T::origin, "m", k_any, "of the joint, in world coordinates"),
        field("axis", &T::axis, "", k_any, "of turning or sliding; any length but zero"),
        field("second", &T::second, "", k_any, "another direction; only its part normal to axis counts"),
    };
  }
  static void check(const JointFrame3& frame,
                    const Path& path);  // no axis is zero, and they are not parallel
};

// -------------------------------------------------------------------------------------------------- joints

namespace detail {
template <class T>
constexpr auto bodies_fields() {
  return std::tuple{
      field("a", &T::a, "", k_any, "one body"),
      field("b", &T::b, "", k_any, "the other body, whose motion relative to a is counted"),
  };
}
template <class T>
constexpr auto anchors_fields() {
  return std::tuple{
      field("anchor_a", &T::anchor_a, "m", k_any, "the end on a, in world coordinates"),
      field("anchor_b", &T::anchor_b, "m", k_any, "the end on b, in world coordinates"),
  };
}
template <class T>
constexpr auto frame_field() {
  return std::tuple{field("frame", &T::frame, "", k_any, "where the joint stands, in world coordinates")};
}
template <class T>
constexpr auto common_fields() {
  return std::tuple{
      field("collide_connected", &T::collide_connected, "", k_any, "may the two bodies meet?"),
      field("break_force", &T::break_force, "N", k_effort, "reaction at which it breaks"),
      field("break_torque", &T::break_torque, "N·m", k_effort, "reaction at which it breaks"),
      field("name", &T::name, "", k_any, "for reports; need not be unique"),
      field("user_data", &T::user_data, "", k_any, "yours; never read"),
  };
}
void check_bodies(BodyId a, BodyId b, const Path& path);  // they differ
void check_direction(double length, std::string value, const Path& path);
}  // namespace detail

template <class D>
struct Fields<DistanceDef<D>> {
  using T = DistanceDef<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "DistanceDef2" : "DistanceDef3";
  static constexpr auto table() {
    return std::tuple_cat(detail::bodies_fields<T>(), detail::anchors_fields<T>(),
                          std::tuple{field("length", &T::length, "m", k_positive,
                                           "of the rod, or of the spring at rest; else as it is")},
                          detail::axis_fields<T>(), detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path);  // has a length
};
template <>
struct Fields<BallDef3> {
  using T = BallDef3;
  static constexpr std::string_view name = "BallDef3";
  static constexpr auto table() {
    return std::tuple_cat(
        detail::bodies_fields<T>(), detail::frame_field<T>(),
        std::tuple{
            field("twist", &T::twist, "", k_any, "turn about the axis"),
            field("swing_y", &T::swing_y, "", k_any, "swing of the axis about frame.second"),
            field("swing_z", &T::swing_z, "", k_any, "swing of the axis about axis × second"),
            field("cone", &T::cone, "rad", Range{.lo = 0, .hi = k_pi, .lo_open = true, .hi_open = true},
                  "how far the axis may swing, in any direction"),
            field("cone_softness", &T::cone_softness, "", k_any, "of that stop"),
        },
        detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path) { detail::check_bodies(def.a, def.b, path); }
};
template <class D>
struct Fields<HingeDef<D>> {
  using T = HingeDef<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "HingeDef2" : "HingeDef3";
  static constexpr auto table() {
    return std::tuple_cat(detail::bodies_fields<T>(), detail::frame_field<T>(), detail::axis_fields<T>(),
                          detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path) { detail::check_bodies(def.a, def.b, path); }
};
template <class D>
struct Fields<SliderDef<D>> {
  using T = SliderDef<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "SliderDef2" : "SliderDef3";
  static constexpr auto table() {
    return std::tuple_cat(detail::bodies_fields<T>(), detail::frame_field<T>(), detail::axis_fields<T>(),
                          detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path) { detail::check_bodies(def.a, def.b, path); }
};
template <>
struct Fields<CylindricalDef3> {
  using T = CylindricalDef3;
  static constexpr std::string_view name = "CylindricalDef3";
  static constexpr auto table() {
    return std::tuple_cat(detail::bodies_fields<T>(), detail::frame_field<T>(),
                          std::tuple{
                              field("slide", &T::slide, "", k_any, "along the axis"),
                              field("turn", &T::turn, "", k_any, "about the axis"),
                          },
                          detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path) { detail::check_bodies(def.a, def.b, path); }
};
template <>
struct Fields<UniversalDef3> {
  using T = UniversalDef3;
  static constexpr std::string_view name = "UniversalDef3";
  static constexpr auto table() {
    return std::tuple_cat(
        detail::bodies_fields<T>(), detail::frame_field<T>(),
        std::tuple{
            field("turn_a", &T::turn_a, "", k_any, "about frame.axis, which is fixed in a"),
            field("turn_b", &T::turn_b, "", k_any, "about frame.second, which is fixed in b"),
        },
        detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path) { detail::check_bodies(def.a, def.b, path); }
};
template <class D>
struct Fields<FixedDef<D>> {
  using T = FixedDef<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "FixedDef2" : "FixedDef3";
  static constexpr auto table() {
    return std::tuple_cat(detail::bodies_fields<T>(), detail::frame_field<T>(),
                          std::tuple{field("softness", &T::softness, "", k_any, "of the weld")},
                          detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path) { detail::check_bodies(def.a, def.b, path); }
};
template <>
struct Fields<PlanarDef3> {
  using T = PlanarDef3;
  static constexpr std::string_view name = "PlanarDef3";
  static constexpr auto table() {
    return std::tuple_cat(detail::bodies_fields<T>(), detail::frame_field<T>(),
                          std::tuple{
                              field("slide_y", &T::slide_y, "", k_any, "along frame.second"),
                              field("slide_z", &T::slide_z, "", k_any, "along axis × second"),
                              field("turn", &T::turn, "", k_any, "about the axis"),
                          },
                          detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path) { detail::check_bodies(def.a, def.b, path); }
};
template <class D>
struct Fields<PointOnLineDef<D>> {
  using T = PointOnLineDef<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "PointOnLineDef2" : "PointOnLineDef3";
  static constexpr auto table() {
    return std::tuple_cat(detail::bodies_fields<T>(), detail::frame_field<T>(), detail::axis_fields<T>(),
                          detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path) { detail::check_bodies(def.a, def.b, path); }
};
template <>
struct Fields<GearDef2> {
  using T = GearDef2;
  static constexpr std::string_view name = "GearDef2";
  static constexpr auto table() {
    return std::tuple_cat(detail::bodies_fields<T>(),
                          std::tuple{field("ratio", &T::ratio, "", k_any, "−turn of a / turn of b; not 0")},
                          detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path);  // the ratio is not zero
};
template <>
struct Fields<GearDef3> {
  using T = GearDef3;
  static constexpr std::string_view name = "GearDef3";
  static constexpr auto table() {
    return std::tuple_cat(
        detail::bodies_fields<T>(),
        std::tuple{
            field("ratio", &T::ratio, "", k_any, "−turn of a / turn of b; not 0"),
            field("axis_a", &T::axis_a, "", k_any, "about which a turns, in world coordinates"),
            field("axis_b", &T::axis_b, "", k_any, "about which b turns, in world coordinates"),
        },
        detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path);  // neither the ratio nor an axis is zero
};
template <class D>
struct Fields<RackDef<D>> {
  using T = RackDef<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "RackDef2" : "RackDef3";
  static constexpr auto table() {
    return std::tuple_cat(detail::bodies_fields<T>(), detail::frame_field<T>(),
                          std::tuple{field("radius", &T::radius, "m", k_any,
                                           "how far the rack moves for a radian of the pinion; not 0")},
                          detail::common_fields<T>());
  }
  static void check(const T& def,
                    const Path& path);  // the radius is not zero; in 3D the rack has a direction
};
template <class D>
struct Fields<HydraulicDef<D>> {
  using T = HydraulicDef<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "HydraulicDef2" : "HydraulicDef3";
  static constexpr auto table() {
    return std::tuple_cat(
        detail::bodies_fields<T>(), detail::anchors_fields<T>(),
        std::tuple{
            field("state", &T::state, "", k_any, "extend, contract or hold, to begin with"),
            field("max_force", &T::max_force, "N", k_effort, "of the pump"),
            field("max_speed", &T::max_speed, "m/s", k_non_negative, "of the piston"),
            field("min_length", &T::min_length, "m", k_non_negative, "shortest distance of the ends"),
            field("max_length", &T::max_length, "m", Range{.lo = 0, .lo_open = true, .infinite = true},
                  "longest distance of the ends"),
        },
        detail::common_fields<T>());
  }
  static void check(const T& def, const Path& path);  // its length is between the two
};

}  // namespace cairn
