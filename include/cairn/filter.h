// Who meets whom.
#pragma once

#include <cairn/field.h>

namespace cairn {

// Two shapes meet if each one's mask has a bit of the other's category. Shapes of one group other than 0 ignore
// their masks: they always meet if the group is positive, and never if it is negative.
struct Filter {
  std::uint64_t category = 1;              // what the shape is, one bit for each kind
  std::uint64_t mask = ~std::uint64_t{0};  // the kinds it meets
  std::int32_t group = 0;
  bool operator==(const Filter&) const = default;
};

constexpr bool meets(const Filter& a, const Filter& b) {
  if (a.group == b.group && a.group != 0) return a.group > 0;
  return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

template <>
struct Fields<Filter> {
  static constexpr std::string_view name = "Filter";
  static constexpr auto table() {
    return std::tuple{
        field("category", &Filter::category, "", k_any, "what the shape is, one bit for each kind"),
        field("mask", &Filter::mask, "", k_any, "the kinds it meets, one bit for each"),
        field("group", &Filter::group, "", k_any,
              "shapes of one group other than 0 always meet if it is positive, never if it is negative"),
    };
  }
};

}  // namespace cairn
