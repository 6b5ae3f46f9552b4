// Where energy and momentum are, and where they came from.
#pragma once

#include <cairn/world.h>

#include "bodies/integration.h"
#include "forces/force_set.h"
#include "solvers/soft_step/ledger.h"

namespace cairn {

template <class D>
Energy energy_of(const ForceSet<D>& forces, std::span<const BodyState<D>> states);

template <class D>
Momentum<D> momentum_of(std::span<const BodyMass<D>> masses, std::span<const BodyState<D>> states);

// The causes of a step's change of energy, into all members of `energy` that name one but `interventions`;
// and the impulses, into `momentum`. Needs the stages of the integration; of the bodies that the solver moved, its
// ledger.
template <class D>
void account_for_causes(const ForceSet<D>& forces, const Integration<D>& done, const Ledger<D>& ledger,
                        Energy& energy, Momentum<D>& momentum);

}  // namespace cairn
