// Forces that stay in the world until they are destroyed.
#pragma once

#include <cairn/field.h>

namespace cairn {

// A straight linear spring and damper between a point of `a` and a point of `b`:
// tension = stiffness·(length − rest_length) + damping·(rate of length). Either body may be
// world.background().
template <class D>
struct SpringDef {
  BodyId a{}, b{};
  typename D::Vec anchor_a{}, anchor_b{};  // [m] in the frames of a and b
  double stiffness = 0;                    // [N/m]
  double damping = 0;                      // [N·s/m]
  double rest_length = 0;                  // [m]
};
using SpringDef2 = SpringDef<Dim2>;
using SpringDef3 = SpringDef<Dim3>;

template <class D>
struct Fields<SpringDef<D>> {
  using T = SpringDef<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "SpringDef2" : "SpringDef3";
  static constexpr auto table() {
    return std::tuple{
        field("a", &T::a, "", k_any, "one body"),
        field("b", &T::b, "", k_any, "the other body"),
        field("anchor_a", &T::anchor_a, "m", k_any, "the end on a, in a's frame"),
        field("anchor_b", &T::anchor_b, "m", k_any, "the end on b, in b's frame"),
        field("stiffness", &T::stiffness, "N/m", k_non_negative, "tension per elongation"),
        field("damping", &T::damping, "N·s/m", k_non_negative, "tension per rate of length"),
        field("rest_length", &T::rest_length, "m", k_non_negative, "length without tension"),
    };
  }
};

}  // namespace cairn
