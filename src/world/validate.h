// Proves again, after every step of a build with CAIRN_VALIDATE, what the rest of the library takes for granted. In
// other builds it is never called by the step, and costs nothing.
//
//   after solve    islands are what hangs together, by a search in breadth; colors share no moving body
//                  (solvers/soft_step/validate.cpp)
//   after commit   ids, rows and lists name each other; masses are those of the shapes; boxes hold what they stand
//                  for, trees bound their children; brute force finds no pair that is neither a contact nor about to be
//                  found; contacts are in order and in range; exemptions are those of the joints; who sleeps is in a ring
//                  of sleepers, with all that joints and springs tie to it
//
// Each part checks itself, by its `find_faults` (base/faults.h).
#pragma once

#include "base/faults.h"
#include "world/data.h"

namespace cairn {

// Of a world between steps; empty if nothing is wrong.
template <class D>
Faults faults_of(const WorldData<D>& world);

// For the step: stop at faults.
template <class D>
void validate(const WorldData<D>& world) noexcept;
template <class D>
void validate_solve(const WorldData<D>& world, const ForceSet<D>& forces) noexcept;

}  // namespace cairn
