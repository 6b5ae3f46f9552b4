// How the impulses of contacts and joints are found.
#pragma once

#include <cairn/field.h>

namespace cairn {

// The numbers that the real-time solver computes with. States are doubles always.
enum class Precision {
  single_lanes,  // relative quantities as floats: twice as fast
  double_lanes,  // impulses and velocities to round-off of doubles
};

// The real-time solver: each step is cut into substeps; in each, one sweep over all constraints that also
// draws errors of position in, and after the bodies have moved, one that takes back what velocity this brought.
struct SoftStep {
  int substeps = 4;
  Precision precision = Precision::single_lanes;
  double contact_rate = 30;    // [1/s] at which overlap goes away
  double push_speed = 3;       // [m/s] but never faster than this
  double resting_speed = 0.5;  // [m/s] slower impacts do not bounce
};

using Solver = std::variant<SoftStep>;

// What the solver did in one step.
struct SolveReport {
  std::size_t bodies = 0;    // that it moved
  std::size_t contacts = 0;  // patches of contact
  std::size_t joints = 0;
  int colors = 0;    // sets of constraints that share no body
  int substeps = 0;  // the most of any island
};

// -------------------------------------------------------------------------------------------------- fields

template <>
struct EnumNames<Precision> {
  static constexpr std::array<std::pair<Precision, std::string_view>, 2> table{
      {{Precision::single_lanes, "single_lanes"}, {Precision::double_lanes, "double_lanes"}}};
};
template <>
struct Fields<SoftStep> {
  using T = SoftStep;
  static constexpr std::string_view name = "SoftStep";
  static constexpr auto table() {
    return std::tuple{
        field("substeps", &T::substeps, "", Range{.lo = 1, .hi = 1000}, "parts of a step"),
        field("precision", &T::precision, "", k_any, "the numbers it computes with"),
        field("contact_rate", &T::contact_rate, "1/s", k_positive, "at which overlap goes away"),
        field("push_speed", &T::push_speed, "m/s", k_positive, "at which overlap goes away at most"),
        field("resting_speed", &T::resting_speed, "m/s", k_non_negative, "slower impacts do not bounce"),
    };
  }
};
static_assert(covers_every_member<SoftStep>());

}  // namespace cairn
