// Bodies: how they move, what they are made of, what they may not do.
#pragma once

#include <cairn/field.h>
#include <cairn/filter.h>
#include <cairn/material.h>
#include <cairn/shape.h>
#include <cairn/sleep.h>

namespace cairn {

enum class Motion {
  fixed,      // never moves
  kinematic,  // moves as its velocity says, whatever pushes it
  dynamic,    // moves as forces say
};

// World axes along and about which a body may not move: as if it had infinite mass there.
template <class D>
struct Locks {
  typename D::LinearAxes translation{};
  typename D::AngularAxes rotation{};
  bool operator==(const Locks&) const = default;
};
using Locks2 = Locks<Dim2>;
using Locks3 = Locks<Dim3>;
// Motion in the xy plane only, as in 2D.
inline constexpr Locks3 k_planar{.translation = {.z = true}, .rotation = {.x = true, .y = true}};

// How a shape sits on its body, and what it is made of.
template <class D>
struct ShapeOptions {
  typename D::Vec position{};  // [m] of the shape's frame in the body's
  typename D::Rot rotation{};
  double density = 1000;  // [kg/m³], in 2D [kg/m²]
  Material material{};
  typename D::Vec surface_velocity{};  // [m/s] of the surface along itself, body axes: a conveyor
  Filter filter{};                     // which other shapes it meets
  bool sensor = false;                 // tells what overlaps it, and lets it pass
};
using ShapeOptions2 = ShapeOptions<Dim2>;
using ShapeOptions3 = ShapeOptions<Dim3>;

// A shape of a body. Any shape value converts to one: .shapes = {Box3{.half = {1, 1, 1}}}; with options:
// .shapes = {{Box3{}, {.position = {0, 0, 1}, .density = 500}}}.
template <class D>
struct ShapeDef : ShapeOptions<D> {
  template <class S>
  requires(std::constructible_from<Shape<D>, S&&> && !std::same_as<std::remove_cvref_t<S>, ShapeDef>)
      ShapeDef(S&& value, ShapeOptions<D> options = {})
      : ShapeOptions<D>(std::move(options)), shape(std::forward<S>(value)) {}
  ShapeDef() = default;
  Shape<D> shape{};
};
using ShapeDef2 = ShapeDef<Dim2>;
using ShapeDef3 = ShapeDef<Dim3>;

template <class D>
struct BodyDef {
  std::string name{};  // for reports; need not be unique
  Motion motion = Motion::dynamic;
  typename D::Vec position{};          // [m] of the body's frame
  typename D::Rot rotation{};          // of the body's frame
  typename D::Vec velocity{};          // [m/s] of the centre of mass
  typename D::Ang angular_velocity{};  // [rad/s] in world axes
  std::vector<ShapeDef<D>> shapes{};
  std::optional<double> mass{};             // [kg] instead of the shapes' own
  std::optional<typename D::Vec> center{};  // [m] of mass, in the body's frame, instead of the shapes' own,
                                            // whose inertia then holds about this centre
  std::optional<typename D::Inertia> inertia{};  // [kg·m²] about the centre of mass, in the body's axes
  double inertia_scale = 1;                      // multiplies the inertia: mass further out or further in
  Locks<D> locks{};
  double gravity_scale = 1;
  double linear_damping = 0;   // [1/s] c of v̇ = … − c v: alone, the velocity falls as exp(−ct)
  double angular_damping = 0;  // [1/s] likewise of the angular momentum, about the centre of mass
  BodySleep sleep{};
  std::uint64_t user_data = 0;  // yours; Cairn never reads it
};
using BodyDef2 = BodyDef<Dim2>;
using BodyDef3 = BodyDef<Dim3>;

// -------------------------------------------------------------------------------------------------- fields

template <>
struct EnumNames<Motion> {
  static constexpr std::array<std::pair<Motion, std::string_view>, 3> table{
      {{Motion::fixed, "fixed"}, {Motion::kinematic, "kinematic"}, {Motion::dynamic, "dynamic"}}};
};

template <class D>
struct Fields<Locks<D>> {
  using T = Locks<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "Locks2" : "Locks3";
  static constexpr auto table() {
    return std::tuple{
        field("translation", &T::translation, "", k_any, "world axes along which the body may not move"),
        field("rotation", &T::rotation, "", k_any, "world axes about which the body may not turn"),
    };
  }
};

template <class D>
struct Fields<ShapeDef<D>> {
  using T = ShapeDef<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "ShapeDef2" : "ShapeDef3";
  static constexpr auto table() {
    return std::tuple{
        field("shape", &T::shape, "", k_any, "what it is"),
        field("position", &T::position, "m", k_any, "of the shape's frame in the body's"),
        field("rotation", &T::rotation, "", k_any, "of the shape's frame in the body's"),
        field("density", &T::density, D::k_dof == 3 ? "kg/m²" : "kg/m³", k_non_negative,
              "mass per volume, in 2D per area"),
        field("material", &T::material, "", k_any, "friction, restitution and resistances"),
        field("surface_velocity", &T::surface_velocity, "m/s", k_any,
              "of the surface along itself, in the body's axes: a conveyor"),
        field("filter", &T::filter, "", k_any, "which other shapes it meets"),
        field("sensor", &T::sensor, "", k_any, "tells what overlaps it, and lets it pass"),
    };
  }
};

template <class D>
struct Fields<BodyDef<D>> {
  using T = BodyDef<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "BodyDef2" : "BodyDef3";
  static constexpr auto table() {
    return std::tuple{
        field("name", &T::name, "", k_any, "for reports; need not be unique"),
        field("motion", &T::motion, "", k_any, "fixed, kinematic or dynamic"),
        field("position", &T::position, "m", k_any, "of the body's frame"),
        field("rotation", &T::rotation, "", k_any, "of the body's frame"),
        field("velocity", &T::velocity, "m/s", k_any, "of the centre of mass"),
        field("angular_velocity", &T::angular_velocity, "rad/s", k_any, "in world axes"),
        field("shapes", &T::shapes, "", k_any, "what collides and, unless given below, what has mass"),
        field("mass", &T::mass, "kg", k_positive, "total mass, instead of the shapes' own"),
        field("center", &T::center, "m", k_any,
              "centre of mass in the body's frame, instead of the shapes' own"),
        field("inertia", &T::inertia, "kg·m²", k_positive,
              "about the centre of mass, in the body's axes, instead of the shapes' own"),
        field("inertia_scale", &T::inertia_scale, "", k_positive, "multiplies the inertia"),
        field("locks", &T::locks, "", k_any, "world axes along or about which the body may not move"),
        field("gravity_scale", &T::gravity_scale, "", k_any, "multiplies the world's gravity"),
        field("linear_damping", &T::linear_damping, "1/s", k_non_negative,
              "rate at which the velocity of the centre of mass falls"),
        field("angular_damping", &T::angular_damping, "1/s", k_non_negative,
              "rate at which the angular momentum about it falls"),
        field("sleep", &T::sleep, "", k_any, "when it falls asleep, if its world sleeps"),
        field("user_data", &T::user_data, "", k_any, "yours; never read"),
    };
  }
  static void check(const T& def, const Path& path) {
    if (def.sleep.asleep && !(def.velocity == typename D::Vec{} && def.angular_velocity == typename D::Ang{}))
      detail::refuse(path / "sleep" / "asleep", "true",
                     "a body that has a velocity is awake: leave out one of them");
  }
};

}  // namespace cairn
