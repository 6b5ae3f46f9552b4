#include "world/sleep.h"

#include <algorithm>

#include "world/accounting.h"
#include "world/data.h"

namespace cairn {
namespace {

bool by_slot(BodyId a, BodyId b) { return a.index() < b.index(); }

// ---------------------------------------------------------------------------------------------------- islands

bool is_constant(const TimeFunction& function) {
  return std::all_of(function.terms.begin(), function.terms.end(),
                     [](const TimeTerm& term) { return std::holds_alternative<ConstantTerm>(term); });
}
bool holds_still(const NoDrive&) { return true; }
bool holds_still(const VelocityDrive& drive) { return is_constant(drive.speed) && drive.speed.value(0) == 0; }
bool holds_still(const ServoDrive& drive) { return is_constant(drive.target); }
bool holds_still(const RheonomicDrive& drive) { return is_constant(drive.target); }

template <class D>
bool holds_still(const JointRecord<D>& joint) {
  if (joint.kind == JointKind::hydraulic && joint.state != Hydraulic::hold) return false;
  return std::all_of(joint.axes, joint.axes + joint.axis_count, [](const AxisDef& axis) {
    return std::visit([](const auto& drive) { return holds_still(drive); }, axis.drive);
  });
}

// Which of the awake bodies hang together, and who of them cannot sleep: `sleep.islands` and, by root, `restless`.
template <class D>
class IslandSearch {
 public:
  explicit IslandSearch(WorldData<D>& world)
      : bodies_(world.bodies), islands_(world.sleep.islands), restless_(world.sleep.restless) {
    islands_.reset(bodies_.awake_rows());
    restless_.assign(bodies_.awake_rows(), 0);
  }
  void link(std::uint32_t a, std::uint32_t b, bool restless) {
    if (moves(a) && moves(b)) islands_.join(a, b);
    const auto restless_beside = [&](std::uint32_t other) {
      return restless ||
             (bodies_.masses[other].motion == Motion::kinematic && !is_at_rest(bodies_.states[other]));
    };
    if (restless_beside(b)) restless_[a] = 1;
    if (restless_beside(a)) restless_[b] = 1;
  }
  void add(const JointStore<D>& joints, std::span<const Spring<D>> springs) {
    for (const JointRecord<D>& joint : joints.records) {
      const std::uint32_t a = bodies_.row(joint.a), b = bodies_.row(joint.b);
      if (a < bodies_.awake_rows() && b < bodies_.awake_rows()) link(a, b, !holds_still(joint));
    }
    for (const Spring<D>& spring : springs) link(spring.a, spring.b, false);
  }
  template <class F>
  void finish(F&& is_restless) {
    for (std::uint32_t row = 0; row < bodies_.awake_rows(); ++row)
      if (moves(row) && (restless_[row] || is_restless(row))) restless_[islands_.root(row)] = 1;
  }
  bool moves(std::uint32_t row) const { return bodies_.masses[row].motion == Motion::dynamic; }
  bool may_sleep(std::uint32_t row) const { return moves(row) && !restless_[islands_.root(row)]; }

 private:
  const BodyStore<D>& bodies_;
  Islands& islands_;
  std::vector<std::uint8_t>& restless_;
};

// Closes the ring around one more. The root of an island, its smallest row, must come first.
template <class D>
void add_to_ring(WorldData<D>& world, std::uint32_t row) {
  const std::uint32_t slot = world.bodies.id_of_row[row].index();
  const std::uint32_t root = world.bodies.id_of_row[world.sleep.islands.root(row)].index();
  std::vector<Sleeper>& sleepers = world.sleep.of_slot;
  sleepers[slot].next = root == slot ? slot : sleepers[root].next;
  sleepers[root].next = slot;
}

void set_limits(Sleeper& sleeper, const SleepSettings& settings, const BodySleep& own) {
  sleeper.linear_speed = own.linear_speed.value_or(settings.linear_speed);
  sleeper.angular_speed = own.angular_speed.value_or(settings.angular_speed);
  sleeper.time = own.allowed ? own.time.value_or(settings.time) : std::numeric_limits<double>::infinity();
}

void note_woken(SleepState& sleep, BodyId body) noexcept {
  Sleeper& sleeper = sleep.of_slot[body.index()];
  if (sleeper.woken) return;
  sleeper.woken = true;
  sleep.woke.push_back(body);
}

}  // namespace

// --------------------------------------------------------------------------------------------- coming and going

template <class D>
void add_sleeper(WorldData<D>& world, BodyId body) {
  SleepState& sleep = world.sleep;
  if (body.index() >= sleep.of_slot.size()) {
    make_room(sleep.woke, body.index() + std::size_t{1});
    sleep.of_slot.resize(body.index() + std::size_t{1});
  }
  const BodyDef<D>& def = world.bodies.record(body).def;
  Sleeper& sleeper = sleep.of_slot[body.index()] = {};
  sleeper.next = body.index();
  set_limits(sleeper, world.def.sleep, def.sleep);
  std::erase_if(sleep.woke, [&](BodyId old) { return old.index() == body.index(); });
  if (!def.sleep.asleep || def.motion != Motion::dynamic) return;
  if (world.def.sleep.mode == SleepMode::freeze) sleeper.frozen = true, sleeper.slow_for = sleeper.time;
  if (world.def.sleep.mode != SleepMode::on) return;
  world.bodies.lay_down(body);
  sleep.resting_changed = true;
  world.collisions.sleepers_changed();
}

template <class D>
void WorldData<D>::wake(BodyId body) noexcept {
  if (def.sleep.mode == SleepMode::freeze) return;  // by speed alone
  sleep.of_slot[body.index()].slow_for = 0;
  if (!bodies.is_asleep(body)) return;
  std::uint32_t slot = body.index();
  do {
    const BodyId id = bodies.id_of_row[bodies.row_of_slot[slot]];
    Sleeper& sleeper = sleep.of_slot[slot];
    bodies.raise(id);
    note_woken(sleep, id);
    sleeper.slow_for = 0;
    slot = std::exchange(sleeper.next, slot);
  } while (slot != body.index());
  sleep.resting_changed = true;
  collisions.sleepers_changed();
}

template <class D>
void WorldData<D>::unfreeze(BodyId body) noexcept {
  Sleeper& sleeper = sleep.of_slot[body.index()];
  sleeper.slow_for = 0;
  if (sleeper.frozen) note_woken(sleep, body);
  sleeper.frozen = false;
}

template <class D>
void WorldData<D>::disturb(BodyId body) noexcept {
  wake(body);
  if (bodies.awake_rows() == bodies.row_count()) return;
  collisions.for_bound_to(body, [&](BodyId other) { wake(other); });
  for (const JointId joint : joints.joints_of(body))
    wake(joints.record(joint).a), wake(joints.record(joint).b);
  for (std::uint32_t slot = 0; slot < force_ids.slot_count(); ++slot)
    if (force_ids.at(slot) && (springs[slot].a == body || springs[slot].b == body))
      wake(springs[slot].a), wake(springs[slot].b);
  if (bodies.masses[bodies.row(body)].motion != Motion::dynamic) collisions.stir(body);
}

template <class D>
void WorldData<D>::wake_all() noexcept {
  if (def.sleep.mode != SleepMode::on) return;
  while (bodies.awake_rows() < bodies.row_count()) wake(bodies.id_of_row[bodies.awake_rows()]);
  for (const BodyId body : bodies.id_of_row) wake(body);  // no row moves now
}

template <class D>
bool WorldData<D>::put_to_sleep(BodyId body) {
  using Vec = typename D::Vec;
  Sleeper& sleeper = sleep.of_slot[body.index()];
  if (def.sleep.mode == SleepMode::off || !is_finite(sleeper.time)) return false;
  if (bodies.masses[bodies.row(body)].motion != Motion::dynamic) return false;
  if (def.sleep.mode == SleepMode::freeze) {
    sleeper.frozen = true;
    sleeper.slow_for = sleeper.time;
    return true;
  }
  if (bodies.is_asleep(body)) return true;
  IslandSearch<D> search(*this);
  const ContactList<D>& contacts = collisions.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!Collisions<D>::binds(contacts[i])) continue;
    const Proxy<D>&a = collisions.proxy(contacts.pair(i).a), &b = collisions.proxy(contacts.pair(i).b);
    const std::uint32_t row_a = bodies.row(a.body), row_b = bodies.row(b.body);
    if (row_a < bodies.awake_rows() && row_b < bodies.awake_rows())
      search.link(row_a, row_b, a.surface_velocity != Vec{} || b.surface_velocity != Vec{});
  }
  locate_springs(spring_rows, SpringSet::awake);
  search.add(joints, spring_rows);
  search.finish(
      [&](std::uint32_t row) { return !is_finite(sleep.of_slot[bodies.id_of_row[row].index()].time); });
  const std::uint32_t root = sleep.islands.root(bodies.row(body));
  if (!search.may_sleep(root)) return false;
  std::vector<BodyId> island;
  for (std::uint32_t row = root; row < bodies.awake_rows(); ++row)
    if (search.moves(row) && sleep.islands.root(row) == root) island.push_back(bodies.id_of_row[row]);
  for (const BodyId id : island) add_to_ring(*this, bodies.row(id));
  for (const BodyId id : island) {
    const std::uint32_t row = bodies.row(id);
    bodies.states[row].velocity = {};
    bodies.states[row].angular_velocity = {};
    bodies.applied[row] = {};
    bodies.lay_down(id);
  }
  sleep.resting_changed = true;
  collisions.sleepers_changed();
  return true;
}

template <class D>
void WorldData<D>::set_sleep_settings(const SleepSettings& settings) {
  wake_all();
  for (const BodyId body : bodies.id_of_row) unfreeze(body);
  def.sleep = settings;
  for (const BodyId body : bodies.id_of_row)
    set_limits(sleep.of_slot[body.index()], settings, bodies.record(body).def->sleep);
}

// ----------------------------------------------------------------------------------------------------- the step

namespace {

// Can two that are near meet in this step? Contacts that were found ahead, for fast articulations, may be of bodies that pass each
// other.
template <class D>
bool can_meet(const WorldData<D>& world, const PairContact<D>& contact) {
  const Collisions<D>& collisions = world.collisions;
  if (contact.separation <= collisions.margin()) return true;
  const BodyState<D>&s = collisions.state_of(collisions.proxy(contact.pair.a)),
        &t = collisions.state_of(collisions.proxy(contact.pair.b));
  for (const PairPatch<D>& patch : contact.patches)
    for (int k = 0; k < patch.count; ++k) {
      const PairPoint<D>& point = patch.points[k];
      const auto on_a = s.velocity + cross(s.angular_velocity, s.rotation * point.anchor_a),
                 on_b = t.velocity + cross(t.angular_velocity, t.rotation * point.anchor_b);
      const double approach = dot(s.rotation * patch.normal, on_b - on_a);
      if (point.separation <
          collisions.near() + closes_by(approach, world.report.h, length(world.def.gravity)))
        return true;
    }
  return false;
}

}  // namespace

template <class D>
bool wake_touched(WorldData<D>& world) {
  const BodyStore<D>& bodies = world.bodies;
  const Collisions<D>& collisions = world.collisions;
  const ContactList<D>& contacts = collisions.contacts();
  bool any = false;
  if (bodies.awake_rows() == bodies.row_count()) return any;
  for (const typename Collisions<D>::Finding& finding : collisions.findings()) {
    if (!finding.binds) continue;
    const std::uint32_t i = finding.contact;
    const BodyId a = collisions.proxy(contacts.pair(i).a).body, b = collisions.proxy(contacts.pair(i).b).body;
    const bool wakes =
        bodies.is_asleep(a) ? collisions.is_lively(b) : bodies.is_asleep(b) && collisions.is_lively(a);
    if (!wakes || !can_meet(world, contacts[i])) continue;
    world.wake(bodies.is_asleep(a) ? a : b);
    any = true;
  }
  return any;
}

template <class D>
void add_resting(WorldData<D>& world, Energy& energy) {
  SleepState& sleep = world.sleep;
  if (sleep.resting_changed) {
    const BodyStore<D>& bodies = world.bodies;
    std::vector<Spring<D>> springs;
    world.locate_springs(springs, SpringSet::asleep);
    ForceSet<D> forces = world.forces(springs);
    sleep.resting = {};
    sleep.resting.spring = forces.spring_energy(bodies.states);
    forces.masses = forces.masses.subspan(bodies.awake_rows());
    sleep.resting.gravity = forces.gravity_energy(std::span(bodies.states).subspan(bodies.awake_rows()));
    sleep.resting_changed = false;
  }
  energy.gravity += sleep.resting.gravity;
  energy.spring += sleep.resting.spring;
}

namespace {

// How long every body has been slow, and whether that is long enough.
template <class D>
void count_time(WorldData<D>& world) {
  const Integration<D>& motion = world.motion;
  world.sleep.slow_for.assign(motion.size(), 0);
  world.sleep.rested.assign(motion.size(), 0);
  for (std::uint32_t row = 0; row < motion.size(); ++row) {
    if (motion.masses[row].motion != Motion::dynamic) continue;
    const BodyState<D>& s = motion.next[row];
    const Sleeper& sleeper = world.sleep.of_slot[world.bodies.id_of_row[row].index()];
    const bool slow =
        length_squared(s.velocity) < sleeper.linear_speed * sleeper.linear_speed &&
        dot(s.angular_velocity, s.angular_velocity) < sleeper.angular_speed * sleeper.angular_speed;
    if (slow) world.sleep.slow_for[row] = sleeper.slow_for + motion.h;
    world.sleep.rested[row] = slow && world.sleep.slow_for[row] >= sleeper.time;
    ++world.report.sleep.awake;
  }
}

template <class D>
void take_momentum(WorldData<D>& world, const ForceSet<D>& forces) {
  const Momentum<D> now = momentum_of<D>(forces.masses, world.motion.next);
  Momentum<D>& told = world.report.momentum;
  if (world.def.accounting == Accounting::full) {
    told.linear_impulse += now.linear - told.linear;
    told.angular_impulse += now.angular - told.angular;
  }
  told.linear = now.linear;
  told.angular = now.angular;
}

// Islands in which everyone has been at rest for long enough.
template <class D>
void fall_asleep(WorldData<D>& world, const ForceSet<D>& forces) {
  SleepReport& report = world.report.sleep;
  Integration<D>& motion = world.motion;
  const BodyStore<D>& bodies = world.bodies;
  IslandSearch<D> search(world);
  for (const auto& [a, b] : world.dynamics.passing()) search.link(a, b, false);
  for (const PatchRef& patch : world.dynamics.contacts()) search.link(patch.a, patch.b, patch.conveys);
  search.add(world.joints, forces.springs);
  search.finish([&](std::uint32_t row) { return !world.sleep.rested[row]; });
  double lost = 0;  // [J]
  double kinetic = 0;
  for (std::uint32_t row = 0; row < motion.size(); ++row) {
    BodyState<D>& s = motion.next[row];
    const double own = kinetic_energy(motion.masses[row], s);
    const bool falls = search.may_sleep(row) && world.report.set_aside.empty();
    report.islands += search.moves(row) && !falls && world.sleep.islands.root(row) == row;
    if (!falls) {
      kinetic += own;
      continue;
    }
    lost += own;
    s.velocity = {};
    s.angular_velocity = {};
    report.fell_asleep.push_back(bodies.id_of_row[row]);
    add_to_ring(world, row);
  }
  report.awake -= report.fell_asleep.size();
  report.asleep = bodies.row_count() - bodies.awake_rows() + report.fell_asleep.size();
  std::sort(report.fell_asleep.begin(), report.fell_asleep.end(), by_slot);
  if (report.fell_asleep.empty() || world.def.accounting == Accounting::none) return;
  world.report.energy.kinetic = kinetic;
  if (world.def.accounting == Accounting::full) world.report.energy.sleep = -lost;
  take_momentum(world, forces);
}

// Lund's way: each body for itself, and only where it is.
template <class D>
void freeze(WorldData<D>& world, const ForceSet<D>& forces) {
  SleepReport& report = world.report.sleep;
  Integration<D>& motion = world.motion;
  for (std::uint32_t row = 0; row < motion.size(); ++row) {
    const BodyId body = world.bodies.id_of_row[row];
    const bool was_frozen = world.sleep.of_slot[body.index()].frozen;
    if (was_frozen && !world.sleep.rested[row]) report.woke.push_back(body);
    if (!world.sleep.rested[row]) continue;
    if (!was_frozen) report.fell_asleep.push_back(body);
    motion.next[row].position = motion.states[row].position;
    motion.next[row].rotation = motion.states[row].rotation;
    ++report.asleep;
  }
  report.awake -= report.asleep;
  std::sort(report.fell_asleep.begin(), report.fell_asleep.end(), by_slot);
  if (report.asleep == 0 || world.def.accounting == Accounting::none) return;
  const Energy now = energy_of<D>(forces, motion.next);
  Energy& energy = world.report.energy;
  if (world.def.accounting == Accounting::full) energy.sleep = now.total() - energy.total();
  energy.kinetic = now.kinetic;
  energy.gravity = now.gravity;
  energy.spring = now.spring;
  take_momentum(world, forces);
}

}  // namespace

template <class D>
void settle(WorldData<D>& world, const ForceSet<D>& forces) {
  if (world.def.sleep.mode == SleepMode::off) return;
  count_time(world);
  if (world.def.sleep.mode == SleepMode::on) fall_asleep(world, forces);
  if (world.def.sleep.mode == SleepMode::freeze) freeze(world, forces);
  std::vector<BodyId>& woke = world.report.sleep.woke;
  for (const BodyId body : world.sleep.woke)
    if (world.bodies.contains(body) && !world.is_asleep(body)) woke.push_back(body);
  std::sort(woke.begin(), woke.end(), by_slot);
}

template <class D>
void lie_down(WorldData<D>& world) noexcept {
  SleepState& sleep = world.sleep;
  for (const BodyId body : sleep.woke) sleep.of_slot[body.index()].woken = false;
  sleep.woke.clear();
  if (world.def.sleep.mode == SleepMode::off) return;
  for (std::uint32_t row = 0; row < world.motion.size(); ++row) {
    Sleeper& sleeper = sleep.of_slot[world.bodies.id_of_row[row].index()];
    sleeper.slow_for = sleep.slow_for[row];
    sleeper.frozen = world.def.sleep.mode == SleepMode::freeze && sleep.rested[row] &&
                     world.bodies.masses[row].motion == Motion::dynamic;  // it may have been set aside
  }
  if (world.def.sleep.mode != SleepMode::on || world.report.sleep.fell_asleep.empty()) return;
  for (const BodyId body : world.report.sleep.fell_asleep) world.bodies.lay_down(body);
  sleep.resting_changed = true;
  world.collisions.sleepers_changed();
}

#define CAIRN_MEMBERS(D)                                   \
  template void add_sleeper(WorldData<D>&, BodyId);        \
  template bool wake_touched(WorldData<D>&);               \
  template void add_resting(WorldData<D>&, Energy&);       \
  template void settle(WorldData<D>&, const ForceSet<D>&); \
  template void lie_down(WorldData<D>&) noexcept;          \
  template void WorldData<D>::wake(BodyId) noexcept;       \
  template void WorldData<D>::unfreeze(BodyId) noexcept;   \
  template void WorldData<D>::disturb(BodyId) noexcept;    \
  template void WorldData<D>::wake_all() noexcept;         \
  template bool WorldData<D>::put_to_sleep(BodyId);        \
  template void WorldData<D>::set_sleep_settings(const SleepSettings&);
CAIRN_MEMBERS(Dim2)
CAIRN_MEMBERS(Dim3)
#undef CAIRN_MEMBERS

}  // namespace cairn
