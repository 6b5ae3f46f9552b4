// How the impulses of contacts and joints are found.
#pragma once

#include <cairn/field.h>

namespace cairn {

// The numbers that the real-time solver computes with. States are doubles always.
enum class Precision {
  single_lanes,  // relative quantities as floats: twice as fast
  double_lanes,  // impulses and velocities to round-off of doubles
};

// The real-time solver: each step is cut into substeps; in each, one sweep over all contacts that also draws errors
// of position in, and after the bodies have moved, some that take back what velocity this brought. Joints, and contacts
// in towers and heavy piles, are solved directly between the sweeps.
struct SoftStep {
  int substeps = 8;
  int relaxing_sweeps = 2;  // in each substep
  Precision precision = Precision::single_lanes;
  double contact_frequency = 80;  // [Hz] of contacts that are swept; at most a sixth of the substeps' own
  double contact_damping_ratio = 2;
  double push_speed = 3;       // [m/s] at which overlap goes away at most
  double resting_speed = 0.5;  // [m/s] slower impacts do not bounce
};

using Solver = std::variant<SoftStep>;

// What the solver did in one step.
struct SolveReport {
  std::size_t bodies = 0;    // that it moved
  std::size_t contacts = 0;  // patches of contact
  std::size_t joints = 0;
  int colors = 0;    // sets of contacts that share no body
  int substeps = 0;  // the most of any island
};

// How far the impulses and velocities that the solver settled on are from Coulomb's law and from what joints ask,
// whatever the solver: R = w |λ − Π(λ − (u + μ|u_T| n)/w)| at each point of contact, with the true cone. 0: solved exactly.
// Of a solver with substeps, the largest of them.
struct Residual {
  std::size_t points = 0;   // of contact
  double max = 0, rms = 0;  // [m/s] over the points
  double free_speed = 0;    // [m/s] the largest at a point, before the impulses of a substep
  double relative_max = 0, relative_rms = 0;  // as parts of it; 0 if there is none
  double signorini = 0;                       // [m/s] the largest of the normals alone
  double cone = 0;   // [m/s] the largest friction beyond its bound, as the speed it brings
  double joint = 0;  // [m/s] or [rad/s] the largest of the joints' rows
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
        field("relaxing_sweeps", &T::relaxing_sweeps, "", Range{.lo = 1, .hi = 1000}, "in each substep"),
        field("precision", &T::precision, "", k_any, "the numbers it computes with"),
        field("contact_frequency", &T::contact_frequency, "Hz", k_positive,
              "of contacts that are swept; at most a sixth of the substeps' own"),
        field("contact_damping_ratio", &T::contact_damping_ratio, "", k_non_negative, "of the same"),
        field("push_speed", &T::push_speed, "m/s", k_positive, "at which overlap goes away at most"),
        field("resting_speed", &T::resting_speed, "m/s", k_non_negative, "slower impacts do not bounce"),
    };
  }
};

}  // namespace cairn
