// How smooth motion is carried through time. Orders are of the global error in the step h.
#pragma once

#include <cairn/field.h>

namespace cairn {

// v⁺ = v + h·a(x, v), x⁺ = x + h·v⁺. First order, symplectic: errors of energy stay bounded while h·ω < 2.
// The default, because impulses of contacts and joints fit into its velocity step.
struct SemiImplicitEuler {};

// v⁺ = v + h·a(x, v), x⁺ = x + h·v. First order; oscillations grow. For comparison.
struct ExplicitEuler {};

// v⁺ = v + h·a(x⁺, v⁺), x⁺ = x + h·v⁺. First order, stable for any h; oscillations die away.
struct ImplicitEuler {
  double tolerance = 1e-12;  // of the velocities, relative
  int iterations = 50;       // of Newton's method, at most
};

// Half a kick, a drift, half a kick. Second order, symplectic, explicit: h·ω < 2.
struct VelocityVerlet {};

// Positions and velocities from weighted old and new accelerations. With the default weights, the trapezoidal
// rule: second order, stable for any h, oscillations keep their amplitude.
struct Newmark {
  double beta = 0.25;
  double gamma = 0.5;        // above ½ damps, and is of first order
  double tolerance = 1e-12;  // of the velocities, relative
  int iterations = 50;       // of Newton's method, at most
};

// The classical Runge–Kutta method on the rotation group. Fourth order, explicit: h·ω < 2.8.
struct RungeKutta4 {};

// The midpoint rule in momentum form. Second order, stable for any h; a free body keeps its momentum, angular
// momentum and energy to round-off. It resolves turns of up to 2 rad a step, and says not_converged beyond.
struct Conserving {
  double tolerance = 1e-14;  // of the velocities, relative
  int iterations = 50;       // of Newton's method, at most
};

using Integrator = std::variant<SemiImplicitEuler, ExplicitEuler, ImplicitEuler, VelocityVerlet, Newmark,
                                RungeKutta4, Conserving>;

// How an integrator got on in one step.
struct IntegrationReport {
  int iterations = 0;     // of Newton's method; 0 for explicit integrators
  double residual = 0;    // [m/s, rad/s] largest velocity error left by the iteration
  bool converged = true;  // to the tolerance asked for
  int unresolved =
      0;  // bodies that turn too far in one step for it (more than 64 rad): only their energy is kept
};

// -------------------------------------------------------------------------------------------------- fields

inline constexpr Range k_tolerance_range{.lo = 0, .hi = 1, .lo_open = true, .hi_open = true};
inline constexpr Range k_iteration_range{.lo = 1, .hi = 1e6};

#define CAIRN_NO_FIELDS(type)                              \
  template <>                                              \
  struct Fields<type> {                                    \
    static constexpr std::string_view name = #type;        \
    static constexpr auto table() { return std::tuple{}; } \
  }
CAIRN_NO_FIELDS(SemiImplicitEuler);
CAIRN_NO_FIELDS(ExplicitEuler);
CAIRN_NO_FIELDS(VelocityVerlet);
CAIRN_NO_FIELDS(RungeKutta4);
#undef CAIRN_NO_FIELDS

template <>
struct Fields<ImplicitEuler> {
  using T = ImplicitEuler;
  static constexpr std::string_view name = "ImplicitEuler";
  static constexpr auto table() {
    return std::tuple{
        field("tolerance", &T::tolerance, "", k_tolerance_range, "of the velocities, relative"),
        field("iterations", &T::iterations, "", k_iteration_range, "of Newton's method, at most"),
    };
  }
};
template <>
struct Fields<Newmark> {
  using T = Newmark;
  static constexpr std::string_view name = "Newmark";
  static constexpr auto table() {
    return std::tuple{
        field("beta", &T::beta, "", Range{.lo = 0, .hi = 0.5, .lo_open = true},
              "weight of the new acceleration in positions"),
        field("gamma", &T::gamma, "", Range{.lo = 0.5, .hi = 1},
              "weight of the new acceleration in velocities"),
        field("tolerance", &T::tolerance, "", k_tolerance_range, "of the velocities, relative"),
        field("iterations", &T::iterations, "", k_iteration_range, "of Newton's method, at most"),
    };
  }
};
template <>
struct Fields<Conserving> {
  using T = Conserving;
  static constexpr std::string_view name = "Conserving";
  static constexpr auto table() {
    return std::tuple{
        field("tolerance", &T::tolerance, "", k_tolerance_range, "of the velocities, relative"),
        field("iterations", &T::iterations, "", k_iteration_range, "of Newton's method, at most"),
    };
  }
};

}  // namespace cairn
