// Who sleeps, and who wakes.
//
//   slow for long enough, and with it all that hangs together ──► its rows lie behind those of the awake (BodyStore)
//        ▲                                                             │
//        └──────────── wakes together ◄── touched, pushed, changed ◄───┘
//
// A body that sleeps has no velocity; its contacts, impulses and joints stay as they were. Nothing in the step looks at
// it but the search for pairs, and whatever may change its rest wakes it. Islands that fell asleep together are rings of
// slots. Who is touched by an awake body in a step takes part in that step.
#pragma once

#include <cairn/world.h>

#include "base/copies.h"
#include "forces/force_set.h"
#include "graph/islands.h"

namespace cairn {

// Of each body, by its slot.
struct Sleeper {
  double linear_speed = 0, angular_speed = 0,
         time = 0;         // [m/s], [rad/s], [s] what counts as rest; infinite: nothing
  double slow_for = 0;     // [s]
  std::uint32_t next = 0;  // the slot of the next one in its ring, while it sleeps
  bool frozen = false;     // is its position?
  bool woken = false;      // is it in the list of those that woke?
};

struct SleepState {
  std::vector<Sleeper> of_slot;
  Roomy<std::vector<BodyId>> woke;  // since the last step; has room for every body
  Energy resting;                   // of bodies that sleep
  bool resting_changed = false;     // it must be found anew

  // scratch of the step, by row
  Islands islands;
  std::vector<std::uint8_t> restless;  // at roots: is anyone of the island?
  std::vector<double> slow_for;        // [s] at the end of the step
  std::vector<std::uint8_t> rested;    // for long enough?
};

// A body has come: makes room, and puts it to sleep if its definition says so.
template <class D>
void add_sleeper(WorldData<D>& world, BodyId body);

// In the step, when contacts are known: wakes who is bound to someone awake. Says if there was anyone.
template <class D>
bool wake_touched(WorldData<D>& world);
// What bodies that sleep have of energy, added.
template <class D>
void add_resting(WorldData<D>& world, Energy& energy);
// At the end of the step: who falls asleep has no velocity in the next states, who is frozen no motion. Energy and
// momentum in the report follow.
template <class D>
void settle(WorldData<D>& world, const ForceSet<D>& forces);
// When the next states have become the present ones.
template <class D>
void lie_down(WorldData<D>& world) noexcept;

}  // namespace cairn
