// The step. Read this first.
//
//   collide ──► forces ──► integrate ──► solve ──► set aside ──► account ──► continuous ──► settle ──► commit
//
// It reads the world as it stands and computes the next states beside it; only the last stage moves bodies.
// Whatever goes wrong before leaves them where they were, and nothing is thrown; only who was woken by a touch stays
// awake.
#include <exception>

#include "base/float_control.h"
#include "base/timer.h"
#include "bodies/explicit_integrators.h"
#include "bodies/implicit_integrators.h"
#include "world/accounting.h"
#include "world/data.h"
#include "world/validate.h"

namespace cairn {
namespace {

// Finds contacts. Who sleeps and is touched wakes, takes part, and may touch others.
template <class D>
void collide(WorldData<D>& world) {
  world.collisions.find(world.team, world.report.h, length(world.def.gravity), world.report.collision);
  while (wake_touched(world)) world.collisions.find_of_woken(world.team, world.report.collision);
  world.collisions.tell(world.def, world.time, world.report.collision);
}

// Bodies whose next state is not finite stay where they are. Returns their rows.
template <class D>
std::vector<std::uint32_t> find_non_finite(WorldData<D>& world) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < world.motion.size(); ++row) {
    if (is_finite(world.motion.next[row])) continue;
    rows.push_back(row);
    world.report.set_aside.push_back(world.bodies.id_of_row[row]);
    world.motion.next[row] = world.bodies.states[row];
    world.motion.next[row].velocity = {};
    world.motion.next[row].angular_velocity = {};
  }
  return rows;
}

template <class D>
Energy with_sleepers(WorldData<D>& world, Energy energy) {
  add_resting(world, energy);
  return energy;
}

template <class D>
void account(WorldData<D>& world, const ForceSet<D>& forces) {
  if (world.def.accounting == Accounting::none) return;
  Energy& energy = world.report.energy;
  energy = energy_of<D>(forces, world.motion.next);
  world.report.momentum = momentum_of<D>(forces.masses, world.motion.next);
  if (world.def.accounting == Accounting::full) {
    const Energy before = energy_of<D>(forces, world.motion.states);
    energy.interventions = with_sleepers(world, before).total() - world.energy_after_step;
    if (world.report.set_aside.empty())
      account_for_causes(forces, world.motion, world.dynamics.ledger(), energy, world.report.momentum);
    else  // bodies that stop dead are an intervention, not physics
      energy.interventions += energy.total() - before.total();
  }
  energy = with_sleepers(world, energy);
}

// What the bodies set aside had is gone from the world: an intervention.
template <class D>
void leave_out_set_aside(WorldData<D>& world, const ForceSet<D>& forces) noexcept {
  if (world.def.accounting == Accounting::none) return;
  Energy& energy = world.report.energy;
  const double before = energy.total(), interventions = energy.interventions;
  energy = with_sleepers(world, energy_of<D>(forces, world.motion.states));
  if (world.def.accounting == Accounting::full)
    energy.interventions = interventions + energy.total() - before;
}

// Fast bodies stop where they meet something. What that does to the energy, as they neither fall as far nor turn as
// far as the forces would have it, has a column of its own.
template <class D>
void continuous(WorldData<D>& world, const ForceSet<D>& forces) {
  if (!world.def.continuous) return;
  StepReport<D>& report = world.report;
  hold_back_fast_bodies(world.team, world.collisions, world.bodies, world.joints, report.h,
                        std::span(world.motion.next), world.fast_bodies, report.collision);
  if (report.collision.held_back == 0 || world.def.accounting == Accounting::none) return;
  const Energy now = with_sleepers(world, energy_of<D>(forces, world.motion.next));
  if (world.def.accounting == Accounting::full)
    report.energy.continuous = now.total() - report.energy.total();
  report.energy.kinetic = now.kinetic;
  report.energy.gravity = now.gravity;
  report.energy.spring = now.spring;
  const Momentum<D> momentum = momentum_of<D>(forces.masses, world.motion.next);
  report.momentum.linear = momentum.linear;
  report.momentum.angular = momentum.angular;
}

template <class D>
void commit(WorldData<D>& world, const ForceSet<D>& forces,
            const std::vector<std::uint32_t>& non_finite) noexcept {
  BodyStore<D>& bodies = world.bodies;
  world.dynamics.remember(world.team, bodies, world.motion.next, world.steps, world.joints);
  for (std::uint32_t row : non_finite) world.collisions.remove(bodies.id_of_row[row]);
  std::copy(world.motion.next.begin(), world.motion.next.end(), bodies.states.begin());
  std::fill_n(bodies.applied.begin(), world.motion.size(), Wrench<D>{});
  for (std::uint32_t row : non_finite) bodies.set_aside(row);
  if (!non_finite.empty()) leave_out_set_aside(world, forces);
  world.collisions.settle(world.report.h);
  lie_down(world);
  world.energy_after_step = world.report.energy.total();
  world.time += world.report.h;
  world.report.time = world.time;
  world.report.step = ++world.steps;
  break_overloaded(world);
}

template <class D>
void set_status(StepReport<D>& report) {
  if (!report.set_aside.empty()) {
    report.status = StepStatus::set_aside;
    report.message =
        std::to_string(report.set_aside.size()) +
        " bodies became non-finite and were set aside: lower the step, the stiffness or the speed";
  } else if (report.integration.unresolved > 0) {
    report.status = StepStatus::not_converged;
    report.message = std::to_string(report.integration.unresolved) +
                     " bodies turn by so many radians in one step that it is not resolved: lower the step";
  } else if (!report.integration.converged) {
    report.status = StepStatus::not_converged;
    report.message = "the integrator stopped after " + std::to_string(report.integration.iterations) +
                     " iterations with velocities off by " + to_text(report.integration.residual);
  } else if (report.collision.hook_failures > 0) {
    report.status = StepStatus::hook_failed;
    report.message =
        std::to_string(report.collision.hook_failures) +
        " answers of hooks were none, and the step went on without: " + report.collision.hook_message;
  }
}

template <class D>
void try_step(WorldData<D>& world, double h) {
  const FloatControl control;
  const Stopwatch whole;
  Stopwatch watch;
  StepReport<D>& report = world.report;
  report = {.step = world.steps, .time = world.time, .energy = report.energy, .momentum = report.momentum};
  if (!(h > 0 && is_finite(h))) throw Error("step h", to_text(h) + " s", "must be greater than 0 and finite");
  report.h = h;

  collide(world);
  report.seconds.collide = watch.lap();

  const std::size_t awake = world.bodies.awake_rows();
  world.locate_springs(world.spring_rows, SpringSet::awake);
  ForceSet<D> forces = world.forces(world.spring_rows);
  forces.masses = forces.masses.first(awake);
  forces.applied = forces.applied.first(awake);

  Integration<D>& motion = world.motion;
  motion.masses = forces.masses;
  motion.states = std::span(world.bodies.states).first(awake);
  motion.t = world.time;
  motion.h = h;
  motion.keep_stages = world.def.accounting == Accounting::full;
  motion.stages.clear();
  motion.report = {};
  motion.keeps_angular_momentum = false;
  std::visit([&](const auto& integrator) { integrate(integrator, forces, motion); },
             world.def.method.integrator);
  report.integration = motion.report;
  report.seconds.integrate = watch.lap();

  world.dynamics.solve(world.def, world.team, world.collisions, world.bodies, world.joints, forces,
                       world.time, h, motion.next, report.solve);
  if constexpr (k_validates) validate_solve(world, forces);
  if (world.def.accounting != Accounting::none) report.residual = world.dynamics.ledger().residual();
  report.seconds.solve = watch.lap();

  const std::vector<std::uint32_t> non_finite = find_non_finite(world);

  account(world, forces);
  report.seconds.account = watch.lap();

  continuous(world, forces);
  settle(world, forces);
  set_status(report);
  find_fast_articulations(world.collisions, world.bodies, world.joints, h, world.def.continuous,
                          std::span<const BodyState<D>>(world.motion.next), world.foresees);
  world.collisions.follow(world.team, world.bodies.states, world.motion.next, h, world.foresees);
  report.seconds.continuous = watch.lap();

  commit(world, forces, non_finite);
  report.seconds.total = whole.seconds();
  if constexpr (k_validates) validate(world);
}

}  // namespace

template <class D>
void step(WorldData<D>& world, double h) noexcept {
  const Energy energy = world.report.energy;
  const Momentum<D> momentum = world.report.momentum;
  const auto refused = [&](const char* why) {
    world.collisions.undo();
    world.report.status = StepStatus::refused;
    world.report.energy = energy;
    world.report.momentum = momentum;
    world.report.set_aside.clear();
    world.report.sleep = {};
    try {
      world.report.message = why;
    } catch (const std::bad_alloc&) {
      world.report.message.clear();  // there is not even room to say so; the status stands
    }
  };
  try {
    try_step(world, h);
  } catch (const std::exception& e) {
    refused(e.what());
  } catch (...) {
    refused("an unknown exception");
  }
}

template void step(WorldData<Dim2>&, double) noexcept;
template void step(WorldData<Dim3>&, double) noexcept;

}  // namespace cairn
