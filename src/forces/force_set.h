// All forces of a world, as integrators see them: gravity, springs, and what the user applied for this step.
#pragma once

#include "bodies/force_model.h"
#include "forces/spring.h"

namespace cairn {

// Which forces: each is accounted for in its own column.
enum class ForceClass { gravity, elastic, damper, applied };

template <class D>
struct ForceSet {
  typename D::Vec gravity{};  // [m/s²]
  std::span<const BodyMass<D>> masses;
  std::span<const Spring<D>> springs;
  std::span<const Wrench<D>> applied;  // on each body, constant over the step

  void add_wrenches(std::span<const BodyState<D>> states, double t, std::span<Wrench<D>> wrenches) const {
    add_wrenches(ForceClass::gravity, states, t, wrenches);
    for (const Spring<D>& spring : springs) spring.add_wrench(states, wrenches, 1, 1);
    add_wrenches(ForceClass::applied, states, t, wrenches);
  }

  void add_wrenches(ForceClass which, std::span<const BodyState<D>> states, double,
                    std::span<Wrench<D>> wrenches) const {
    switch (which) {
      case ForceClass::gravity:
        for (std::size_t i = 0; i < masses.size(); ++i)
          wrenches[i].force += (masses[i].mass * masses[i].gravity_scale) * gravity;
        break;
      case ForceClass::elastic:
        for (const Spring<D>& spring : springs) spring.add_wrench(states, wrenches, 1, 0);
        break;
      case ForceClass::damper:
        for (const Spring<D>& spring : springs) spring.add_wrench(states, wrenches, 0, 1);
        break;
      case ForceClass::applied:
        for (std::size_t i = 0; i < applied.size(); ++i) wrenches[i] += applied[i];
        break;
    }
  }

  void add_derivatives(std::span<const BodyState<D>> states, double,
                       std::vector<ForceDerivative<D>>& derivatives) const {
    for (const Spring<D>& spring : springs) spring.add_derivatives(states, derivatives);
  }

  double gravity_energy(std::span<const BodyState<D>> states) const {  // [J] 0 at the origin
    double sum = 0;
    for (std::size_t i = 0; i < masses.size(); ++i)
      sum -= masses[i].mass * masses[i].gravity_scale * dot(gravity, states[i].position);
    return sum;
  }
  double spring_energy(std::span<const BodyState<D>> states) const {  // [J]
    double sum = 0;
    for (const Spring<D>& spring : springs) sum += spring.energy(states);
    return sum;
  }
};
static_assert(DifferentiableForceModel<ForceSet<Dim2>, Dim2> &&
              DifferentiableForceModel<ForceSet<Dim3>, Dim3>);

}  // namespace cairn
