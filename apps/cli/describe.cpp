#include "describe.h"

#include <cairn/cairn.h>

#include <cstdio>
#include <vector>

namespace cairn {
namespace {

template <class T>
std::string default_text(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (requires { to_text(value); }) {
    return to_text(value);
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(value));
  } else if constexpr (detail::is_variant<T>) {
    return std::visit([]<class V>(const V&) { return std::string(Fields<V>::name); }, value);
  } else {
    return "-";  // nothing, or a definition with a table of its own
  }
}

// What the table says, apart from the meaning.
std::string range_text(const Range& range) {
  const std::string text = range.text();  // "must be …"
  return text == k_any.text() ? "" : text.substr(std::string_view("must be ").size());
}

// How wide a text looks: bytes that continue a UTF-8 character take no room.
int width(const std::string& text) {
  int n = 0;
  for (char c : text) n += (c & 0xc0) != 0x80;
  return n;
}
std::string padded(std::string text, int to) {
  text.append(std::size_t(std::max(1, to - width(text))), ' ');
  return text;
}

template <Definition T>
void print() {
  std::printf("%s\n", std::string(Fields<T>::name).c_str());
  const T defaults{};
  for_each_field<T>([&](const auto& row) {
    std::string line = "  " + padded(std::string(row.name), 20);
    line += padded(default_text(defaults.*row.member), 20) + padded(std::string(row.unit), 13);
    const std::string range = range_text(row.range);
    line += std::string(row.doc) + (range.empty() ? "" : " (" + range + ")");
    std::printf("%s\n", line.c_str());
  });
  std::printf("\n");
}

template <class... T>
bool print_if(const std::string& name) {
  bool any = false;
  ((name.empty() || name == Fields<T>::name ? (print<T>(), any = true) : false), ...);
  return any;
}

}  // namespace

int describe(const std::string& name) {
  if (print_if<WorldDef2, WorldDef3, Method, SemiImplicitEuler, ExplicitEuler, ImplicitEuler, VelocityVerlet,
               Newmark, RungeKutta4, Conserving, BodyDef2, BodyDef3, Locks2, Locks3, ShapeDef2, ShapeDef3,
               Material, Filter, EventSettings, SleepSettings, BodySleep, SpringDef2, SpringDef3,
               DistanceDef2, DistanceDef3, BallDef3, HingeDef2, HingeDef3, SliderDef2, SliderDef3,
               CylindricalDef3, UniversalDef3, FixedDef2, FixedDef3, PlanarDef3, PointOnLineDef2,
               PointOnLineDef3, GearDef2, GearDef3, RackDef2, RackDef3, HydraulicDef2, HydraulicDef3,
               JointFrame2, JointFrame3, AxisDef, Limits, Softness, NoDrive, VelocityDrive, ServoDrive,
               RheonomicDrive, TimeFunction, ConstantTerm, RampTerm, SineTerm, SmoothStepTerm, TableTerm,
               Sphere, Box3, Capsule3, Cylinder, Cone, Hull, Plane, Mesh, HeightField, Compound3,
               CompoundPart3, Circle, Box2, Capsule2, Polygon, Segment, Chain, Compound2, CompoundPart2>(
          name))
    return 0;
  std::fprintf(stderr, "cairn: '%s' is not a definition; `cairn describe` lists them all\n", name.c_str());
  return 2;
}

}  // namespace cairn
