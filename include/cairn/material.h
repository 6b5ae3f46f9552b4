// What a surface is made of, and how two surfaces meet.
#pragma once

#include <cairn/field.h>

namespace cairn {

// How the values of two touching materials become one. Where two materials ask for different rules, the one
// further down this list is taken.
enum class Combine { average, geometric_mean, minimum, product, maximum };

struct Material {
  double static_friction = 0.6;    // μs: holds up to μs·N while sticking
  double kinetic_friction = 0.6;   // μk ≤ μs: pulls with μk·N while sliding
  double restitution = 0;          // e: separation speed over approach speed (Newton)
  double rolling_resistance = 0;   // [m] lever arm of the torque that resists rolling
  double spinning_resistance = 0;  // [m] lever arm of the torque that resists spinning about the normal
  Combine friction_combine = Combine::geometric_mean;  // for both frictions and both resistances
  Combine restitution_combine = Combine::maximum;
  bool operator==(const Material&) const = default;
};

// The material of a contact between `a` and `b`; the order does not matter.
Material combine(const Material& a, const Material& b);

template <>
struct EnumNames<Combine> {
  static constexpr std::array<std::pair<Combine, std::string_view>, 5> table{{
      {Combine::average, "average"},
      {Combine::geometric_mean, "geometric_mean"},
      {Combine::minimum, "minimum"},
      {Combine::product, "product"},
      {Combine::maximum, "maximum"},
  }};
};

template <>
struct Fields<Material> {
  static constexpr std::string_view name = "Material";
  static constexpr auto table() {
    return std::tuple{
        field("static_friction", &Material::static_friction, "", k_non_negative, "friction while sticking"),
        field("kinetic_friction", &Material::kinetic_friction, "", k_non_negative,
              "friction while sliding, at most static_friction"),
        field("restitution", &Material::restitution, "", k_zero_to_one,
              "separation speed over approach speed of an impact"),
        field("rolling_resistance", &Material::rolling_resistance, "m", k_non_negative,
              "lever arm of the torque that resists rolling"),
        field("spinning_resistance", &Material::spinning_resistance, "m", k_non_negative,
              "lever arm of the torque that resists spinning about the normal"),
        field("friction_combine", &Material::friction_combine, "", k_any,
              "how the frictions and resistances of two materials become one"),
        field("restitution_combine", &Material::restitution_combine, "", k_any,
              "how the restitutions of two materials become one"),
    };
  }
  static void check(const Material& m, const Path& path);  // μk ≤ μs
};

}  // namespace cairn
