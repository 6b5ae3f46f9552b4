// The mathematics of a world: every part is a choice.
#pragma once

#include <cairn/integrator.h>
#include <cairn/solver.h>

namespace cairn {

struct Method {
  Solver solver = SoftStep{};
  Integrator integrator = SemiImplicitEuler{};
};

template <>
struct Fields<Method> {
  static constexpr std::string_view name = "Method";
  static constexpr auto table() {
    return std::tuple{
        field("solver", &Method::solver, "", k_any, "how the impulses of contacts and joints are found"),
        field("integrator", &Method::integrator, "", k_any, "how smooth motion is carried through time"),
    };
  }
};

}  // namespace cairn
