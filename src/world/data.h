// What a world is made of. step.cpp reads and writes it; world.cpp is the door to it.
//
//   WorldData ──┬─ WorldContents   all that the future depends on: copied as a whole by save, put back by restore
//               └─ threads, and scratch of the step
#pragma once

#include <cairn/world.h>

#include "base/team.h"
#include "base/world_number.h"
#include "bodies/integration.h"
#include "bodies/store.h"
#include "constraints/joint_store.h"
#include "forces/force_set.h"
#include "world/collisions.h"
#include "world/continuous.h"
#include "world/dynamics.h"
#include "world/sleep.h"

namespace cairn {

enum class SpringSet { all, awake, asleep };

// Everything here is saved, unless its type says otherwise (base/copies.h).
template <class D>
struct WorldContents {
  explicit WorldContents(const WorldDef<D>& definition)
      : def(definition),
        bodies(number.value()),
        force_ids(number.value()),
        joints(number.value()),
        collisions(def, bodies) {}

  // settings
  WorldDef<D> def;
  WorldNumber number;

  // contents, changed by the user
  BodyStore<D> bodies;
  IdPool<ForceTag> force_ids;
  std::vector<SpringDef<D>> springs;  // by slot of force_ids
  JointStore<D> joints;
  Collisions<D> collisions;
  SleepState sleep;
  std::vector<std::string> warnings;

  // written by the step
  double time = 0;  // [s]
  std::int64_t steps = 0;
  double energy_after_step = 0;  // [J] total, to notice what happened between two steps
  StepReport<D> report;
  Roomy<std::vector<JointBreak<D>>> broken;  // in the last step; has room for every joint
};
static_assert(
    std::is_nothrow_move_assignable_v<WorldContents<Dim2>> &&  // so that restore does all or nothing
    std::is_nothrow_move_assignable_v<WorldContents<Dim3>>);

template <class D>
struct WorldData : WorldContents<D> {
  explicit WorldData(const WorldDef<D>& definition)
      : WorldContents<D>(definition),
        team(definition.threads),
        dynamics(instruction_set()),
        motion{.team = team, .kernels = body_kernels(instruction_set())} {
    add_sleeper(*this, bodies.background());
  }
  using WorldContents<D>::def, WorldContents<D>::bodies, WorldContents<D>::force_ids,
      WorldContents<D>::springs, WorldContents<D>::joints, WorldContents<D>::collisions,
      WorldContents<D>::sleep, WorldContents<D>::warnings, WorldContents<D>::broken;

  Team team;

  // scratch of the step, kept so that it need not be allocated again: no step depends on what the one before left
  Dynamics<D> dynamics;
  std::vector<Spring<D>> spring_rows;
  FastBodiesScratch<D> fast_bodies;
  std::vector<std::uint8_t> foresees;  // scratch: by row, is it fast and a part of an articulation?
  Integration<D> motion;

  InstructionSet instruction_set() const { return def.instruction_set.value_or(best_instruction_set()); }
  // Lengths below this are too short to have a direction: round-off of coordinates some length scales away.
  double shortest_length() const { return 1e-12 * def.length_scale; }
  ShapeDef<D>& shape(ShapeRef ref);  // throws if there is none
  void change(BodyId body, const BodyDef<D>& next, const Path& path);
  void change_mass(BodyId body, const BodyDef<D>& next, const Path& path);  // if its shapes and motion stay
  JointId create(const JointDef<D>& def);
  void destroy(JointId joint);                             // its bodies may meet again
  void follow_joints(BodyId body);                         // was moved by hand: counts their turns
  void warn(const std::string& name, const Notes& notes);  // of the body with this name
  void push(std::uint32_t row, const Wrench<D>& impulse);  // at the centre of mass; checks the result
  void locate_springs(std::vector<Spring<D>>& rows, SpringSet which) const;  // at the bodies' present rows
  ForceSet<D> forces(std::span<const Spring<D>> rows) const {
    return {def.gravity, bodies.masses, rows, bodies.applied};
  }

  // src/world/sleep.cpp
  bool is_asleep(BodyId body) const { return bodies.is_asleep(body) || sleep.of_slot[body.index()].frozen; }
  void wake(BodyId body) noexcept;  // with its island; what is frozen stays so
  void unfreeze(BodyId body) noexcept;
  void disturb(BodyId body) noexcept;  // likewise, and what touches it or hangs on it
  void wake_all() noexcept;
  bool put_to_sleep(BodyId body);
  void set_sleep_settings(const SleepSettings& settings);
};

// src/world/step.cpp
template <class D>
void step(WorldData<D>& world, double h) noexcept;
extern template void step(WorldData<Dim2>&, double) noexcept;
extern template void step(WorldData<Dim3>&, double) noexcept;

// src/world/joint_breaks.cpp: destroys the joints whose reaction in this step was more than they bear, and says so in
// world.broken. For the end of a step, when bodies have moved and reactions are known.
template <class D>
void break_overloaded(WorldData<D>& world) noexcept;
extern template void break_overloaded(WorldData<Dim2>&) noexcept;
extern template void break_overloaded(WorldData<Dim3>&) noexcept;

}  // namespace cairn
