// The door to a world: checks what users hand in, and looks things up. The step is in step.cpp, joints are in
// joints.cpp, queries in queries.cpp.
#include <cairn/world.h>

#include "base/float_control.h"
#include "base/state_hash.h"
#include "world/accounting.h"
#include "world/data.h"

namespace cairn {
namespace {

template <class D>
WorldDef<D> checked(const WorldDef<D>& def) {
  check(def);
  return def;
}
template <class T>
void check_argument(const T& value, std::string_view what, std::string_view unit) {
  check_value(value, Path{nullptr, what, -1}, unit, k_any);
}

void add_to(StateHash& hash, double x) { hash.add(x); }
void add_to(StateHash& hash, const Vec2& v) { hash.add(v.x).add(v.y); }
void add_to(StateHash& hash, const Vec3& v) { hash.add(v.x).add(v.y).add(v.z); }
void add_to(StateHash& hash, const Rot2& r) { hash.add(r.c).add(r.s); }
void add_to(StateHash& hash, const Rot3& r) { hash.add(r.w).add(r.x).add(r.y).add(r.z); }

}  // namespace

template <class D>
World<D>::World(const WorldDef<D>& def) : data_(std::make_unique<WorldData<D>>(checked(def))) {}
template <class D>
World<D>::~World() = default;
template <class D>
World<D>::World(World&&) noexcept = default;
template <class D>
World<D>& World<D>::operator=(World&&) noexcept = default;

// --------------------------------------------------------------------------------------- bodies and forces

template <class D>
BodyId World<D>::create(const BodyDef<D>& def) {
  const FloatControl control;
  Notes notes;
  const BodyId id = data_->bodies.create(def, notes);
  const std::size_t warned = data_->warnings.size();
  try {
    data_->collisions.add(id);
    data_->warn(def.name, notes);
    add_sleeper(*data_, id);
  } catch (...) {  // out of memory
    data_->warnings.resize(warned);
    data_->collisions.remove(id);
    data_->bodies.destroy(id);
    throw;
  }
  return id;
}

template <class D>
void World<D>::destroy(BodyId body) {
  if (body != background()) data_->bodies.row(body), data_->disturb(body);
  data_->bodies.destroy(body);  // refuses, before anything has changed
  data_->collisions.remove(body);
  data_->collisions.exemptions.remove_all_of(body);
  data_->collisions.joined.remove_all_of(body);
  data_->joints.destroy_joints_of(body);
  for (std::uint32_t slot = 0; slot < data_->force_ids.slot_count(); ++slot) {
    const ForceId id = data_->force_ids.at(slot);
    if (id && (data_->springs[slot].a == body || data_->springs[slot].b == body)) destroy(id);
  }
}

template <class D>
bool World<D>::contains(BodyId body) const {
  return data_->bodies.contains(body);
}
template <class D>
BodyId World<D>::background() const {
  return data_->bodies.background();
}
template <class D>
std::vector<BodyId> World<D>::bodies() const {
  return data_->bodies.in_slot_order();
}

template <class D>
ForceId World<D>::create(const SpringDef<D>& def) {
  const Path path{nullptr, Fields<SpringDef<D>>::name, -1};
  check(def, path);
  for (const auto& [body, name] : {std::pair{def.a, "a"}, std::pair{def.b, "b"}})
    if (!contains(body))
      throw Error((path / name).text(), body ? "#" + std::to_string(body.index()) : "the null id",
                  "must be a body of this world");
  if (def.a == def.b)
    throw Error((path / "b").text(), "the same body as a", "a spring needs two different bodies");
  data_->force_ids.make_free_slot();
  if (data_->springs.size() < data_->force_ids.slot_count())
    data_->springs.resize(data_->force_ids.slot_count());
  // From here on nothing can fail.
  data_->wake(def.a), data_->wake(def.b);
  const ForceId id = data_->force_ids.create();
  data_->springs[id.index()] = def;
  return id;
}

template <class D>
void World<D>::destroy(ForceId force) {
  const SpringDef<D>& spring = data_->springs[data_->force_ids.index_of(force, "ForceId")];
  if (contains(spring.a)) data_->wake(spring.a);
  if (contains(spring.b)) data_->wake(spring.b);
  data_->force_ids.destroy(force);
}
template <class D>
bool World<D>::contains(ForceId force) const {
  return data_->force_ids.contains(force);
}

template <class D>
void WorldData<D>::locate_springs(std::vector<Spring<D>>& rows, SpringSet which) const {
  rows.clear();
  for (std::uint32_t slot = 0; slot < force_ids.slot_count(); ++slot) {
    if (!force_ids.at(slot)) continue;
    const SpringDef<D>& s = springs[slot];
    const bool asleep = bodies.is_asleep(s.a) || bodies.is_asleep(s.b);
    if (which != SpringSet::all && asleep != (which == SpringSet::asleep)) continue;
    const BodyRecord<D>&a = bodies.record(s.a), &b = bodies.record(s.b);
    rows.push_back({bodies.row(s.a), bodies.row(s.b), s.anchor_a - a.mass.center, s.anchor_b - b.mass.center,
                    s.stiffness, s.damping, s.rest_length, shortest_length()});
  }
}

// --------------------------------------------------------------------------------------------------- steps

template <class D>
const StepReport<D>& World<D>::step(double h) noexcept {
  cairn::step(*data_, h);
  return data_->report;
}
template <class D>
const StepReport<D>& World<D>::report() const {
  return data_->report;
}

// ------------------------------------------------------------------------------------------------- looking

template <class D>
Pose<D> World<D>::pose(BodyId body) const {
  return data_->bodies.pose(body);
}
template <class D>
typename D::Vec World<D>::center(BodyId body) const {
  return data_->bodies.states[data_->bodies.row(body)].position;
}
template <class D>
Twist<D> World<D>::velocity(BodyId body) const {
  const BodyState<D>& s = data_->bodies.states[data_->bodies.row(body)];
  return {s.velocity, s.angular_velocity};
}
template <class D>
typename D::Vec World<D>::velocity_at(BodyId body, const Vec& point) const {
  const BodyState<D>& s = data_->bodies.states[data_->bodies.row(body)];
  return s.velocity + cross(s.angular_velocity, point - s.position);
}
template <class D>
MassProperties<D> World<D>::mass(BodyId body) const {
  return data_->bodies.record(body).mass;
}
template <class D>
Motion World<D>::motion(BodyId body) const {
  return data_->bodies.masses[data_->bodies.row(body)].motion;
}
template <class D>
const std::string& World<D>::name(BodyId body) const {
  return data_->bodies.record(body).def->name;
}
template <class D>
const std::vector<ShapeDef<D>>& World<D>::shapes(BodyId body) const {
  return data_->bodies.record(body).def->shapes;
}
template <class D>
std::uint64_t World<D>::user_data(BodyId body) const {
  return data_->bodies.record(body).def->user_data;
}
template <class D>
const Locks<D>& World<D>::locks(BodyId body) const {
  return data_->bodies.record(body).def->locks;
}
template <class D>
double World<D>::gravity_scale(BodyId body) const {
  return data_->bodies.record(body).def->gravity_scale;
}
template <class D>
double World<D>::linear_damping(BodyId body) const {
  return data_->bodies.record(body).def->linear_damping;
}
template <class D>
double World<D>::angular_damping(BodyId body) const {
  return data_->bodies.record(body).def->angular_damping;
}
template <class D>
bool World<D>::is_set_aside(BodyId body) const {
  return data_->bodies.record(body).set_aside;
}
template <class D>
bool World<D>::is_asleep(BodyId body) const {
  return data_->is_asleep(body);
}

// ------------------------------------------------------------------------------------------------ changing

template <class D>
void World<D>::set_pose(BodyId body, const Pose<D>& pose) {
  const FloatControl control;
  const BodyRecord<D>& record = data_->bodies.record(body);
  check_argument(pose.position, "pose.position", "m");
  check_argument(pose.rotation, "pose.rotation", "");
  data_->disturb(body);
  BodyState<D>& state = data_->bodies.states[data_->bodies.row(body)];
  state = data_->bodies.state_at(record, pose, {state.velocity, state.angular_velocity});
  data_->follow_joints(body);
  data_->collisions.moved(data_->team, body);
}

template <class D>
void World<D>::set_velocity(BodyId body, const Twist<D>& velocity) {
  const BodyRecord<D>& record = data_->bodies.record(body);
  check_argument(velocity.linear, "velocity.linear", "m/s");
  check_argument(velocity.angular, "velocity.angular", "rad/s");
  if (motion(body) == Motion::fixed)
    throw Error("velocity", "of a fixed body", "a fixed body does not move: make it kinematic");
  if (motion(body) == Motion::dynamic)
    data_->wake(body);
  else if (is_at_rest(data_->bodies.states[data_->bodies.row(body)]) && velocity != Twist<D>{})
    data_->disturb(body);
  BodyState<D>& state = data_->bodies.states[data_->bodies.row(body)];
  state.velocity = unlocked(velocity.linear, record.def->locks.translation);
  state.angular_velocity = unlocked(velocity.angular, record.def->locks.rotation);
}

template <class D>
void World<D>::apply_force(BodyId body, const Vec& force, const Vec& point) {
  const FloatControl control;
  data_->bodies.row(body);  // is there such a body?
  check_argument(force, "force", "N");
  check_argument(point, "point", "m");
  data_->wake(body);
  const std::uint32_t row = data_->bodies.row(body);
  data_->bodies.applied[row] += {force, cross(point - data_->bodies.states[row].position, force)};
}
template <class D>
void World<D>::apply_force(BodyId body, const Vec& force) {
  apply_force(body, force, center(body));
}
template <class D>
void World<D>::apply_torque(BodyId body, const Ang& torque) {
  const FloatControl control;
  data_->bodies.row(body);  // is there such a body?
  check_argument(torque, "torque", "N·m");
  data_->wake(body);
  data_->bodies.applied[data_->bodies.row(body)].torque += torque;
}
template <class D>
void WorldData<D>::push(std::uint32_t row, const Wrench<D>& impulse) {
  const FloatControl control;
  BodyState<D> state = bodies.states[row];
  cairn::push(state, bodies.masses[row], impulse, 1);
  if (!is_finite(state))
    throw Error("impulse", to_text(impulse.force) + " N·s", "makes the body infinitely fast");
  const BodyId body = bodies.id_of_row[row];
  wake(body);
  bodies.states[bodies.row(body)] = state;
}

template <class D>
void World<D>::apply_impulse(BodyId body, const Vec& impulse, const Vec& point) {
  const std::uint32_t row = data_->bodies.row(body);
  check_argument(impulse, "impulse", "N·s");
  check_argument(point, "point", "m");
  const Vec arm = point - data_->bodies.states[row].position;
  data_->push(row, {impulse, cross(arm, impulse)});
}
template <class D>
void World<D>::apply_impulse(BodyId body, const Vec& impulse) {
  apply_impulse(body, impulse, center(body));
}
template <class D>
void World<D>::apply_angular_impulse(BodyId body, const Ang& impulse) {
  const std::uint32_t row = data_->bodies.row(body);
  check_argument(impulse, "angular impulse", "N·m·s");
  data_->push(row, {{}, impulse});
}

// ---------------------------------------------------------------------------------------------- collisions

template <class D>
void World<D>::move_to(BodyId body, const Pose<D>& pose, double h) {
  const FloatControl control;
  const BodyRecord<D>& record = data_->bodies.record(body);
  check_argument(pose.position, "pose.position", "m");
  check_argument(pose.rotation, "pose.rotation", "");
  check_value(h, Path{nullptr, "h", -1}, "s", k_positive);
  if (motion(body) != Motion::kinematic)
    throw Error("move_to", "a " + std::string(name_of(motion(body))) + " body",
                "is for kinematic bodies: others go where forces take them, or jump with set_pose");
  BodyState<D>& state = data_->bodies.states[data_->bodies.row(body)];
  const BodyState<D> target = data_->bodies.state_at(record, pose, {});
  const Twist<D> velocity{(target.position - state.position) / h,
                          rotation_vector(target.rotation * inverse(state.rotation)) * (1 / h)};
  if (!is_finite(velocity.linear) || !is_finite(velocity.angular))
    throw Error("move_to h", to_text(h) + " s", "is too short to get there");
  set_velocity(body, velocity);
}

template <class D>
void WorldData<D>::warn(const std::string& name, const Notes& notes) {
  for (const std::string& text : notes.texts)
    warnings.push_back(name.empty() ? text : "'" + name + "': " + text);
}

// Everything that can fail is done first; then the body changes as a whole.
template <class D>
void WorldData<D>::change(BodyId body, const BodyDef<D>& next, const Path& path) {
  const FloatControl control;
  Notes notes;
  BodyRecord<D> record = bodies.build(next, path, notes);
  warn(next.name, notes);
  const typename D::Vec shift = record.mass.center - bodies.record(body).mass.center;
  disturb(body);
  collisions.remove(body);
  bodies.change(body, std::move(record));
  for (const JointId joint : joints.joints_of(body)) shift_center(joints.own(joint), body, shift);
  collisions.add(body);
  if (next.motion != Motion::dynamic) collisions.stir(body);
}

// Shapes that stay need not be built again, nor their contacts be found again; and the centre of mass stays as well.
template <class D>
void WorldData<D>::change_mass(BodyId body, const BodyDef<D>& next, const Path& path) {
  BodyRecord<D>& record = bodies.record(body);
  if (record.set_aside) return change(body, next, path);  // it comes back, with its shapes
  const FloatControl control;
  check(next, path);
  BodyRecord<D> changed{.def = next, .geometry = record.geometry, .mass = {}};
  changed.mass = mass_of(next, std::span<const Geometry<D>>(*record.geometry), path);
  wake(body);
  bodies.change(body, std::move(changed));
}

template <class D>
void World<D>::set_shapes(BodyId body, const std::vector<ShapeDef<D>>& shapes) {
  BodyDef<D> def = data_->bodies.record(body).def;
  def.shapes = shapes;
  data_->change(body, def, Path{nullptr, "set_shapes", -1});
}
template <class D>
void World<D>::set_motion(BodyId body, Motion motion) {
  BodyDef<D> def = data_->bodies.record(body).def;
  def.motion = motion;
  data_->change(body, def, Path{nullptr, "set_motion", -1});
}
template <class D>
void World<D>::set_mass(BodyId body, double mass) {
  BodyDef<D> def = data_->bodies.record(body).def;
  def.mass = mass;
  data_->change_mass(body, def, Path{nullptr, "set_mass", -1});
}
template <class D>
void World<D>::set_locks(BodyId body, const Locks<D>& locks) {
  BodyDef<D> def = data_->bodies.record(body).def;
  def.locks = locks;
  data_->change_mass(body, def, Path{nullptr, "set_locks", -1});
}
template <class D>
void World<D>::set_gravity_scale(BodyId body, double scale) {
  BodyDef<D> def = data_->bodies.record(body).def;
  def.gravity_scale = scale;
  data_->change_mass(body, def, Path{nullptr, "set_gravity_scale", -1});
}
template <class D>
void World<D>::set_linear_damping(BodyId body, double rate) {
  BodyDef<D> def = data_->bodies.record(body).def;
  def.linear_damping = rate;
  data_->change_mass(body, def, Path{nullptr, "set_linear_damping", -1});
}
template <class D>
void World<D>::set_angular_damping(BodyId body, double rate) {
  BodyDef<D> def = data_->bodies.record(body).def;
  def.angular_damping = rate;
  data_->change_mass(body, def, Path{nullptr, "set_angular_damping", -1});
}
template <class D>
void World<D>::set_user_data(BodyId body, std::uint64_t data) {
  data_->bodies.record(body).def.own().user_data = data;
}

template <class D>
ShapeDef<D>& WorldData<D>::shape(ShapeRef ref) {
  std::vector<ShapeDef<D>>& shapes = bodies.record(ref.body).def.own().shapes;
  if (ref.shape >= shapes.size())
    throw Error("ShapeRef.shape", std::to_string(ref.shape),
                "the body has " + std::to_string(shapes.size()) + " shapes, numbered from 0");
  return shapes[ref.shape];
}
template <class D>
void World<D>::set_filter(ShapeRef shape, const Filter& filter) {
  ShapeDef<D>& def = data_->shape(shape);
  data_->disturb(shape.body);
  data_->collisions.set_filter(shape, filter);
  def.filter = filter;
}
template <class D>
void World<D>::set_material(ShapeRef shape, const Material& material) {
  ShapeDef<D>& def = data_->shape(shape);
  check(material);
  data_->disturb(shape.body);
  data_->collisions.set_material(shape, material);
  def.material = material;
}
template <class D>
void World<D>::set_exempt(BodyId a, BodyId b, bool exempt) {
  data_->bodies.row(a), data_->bodies.row(b);  // are there such bodies?
  if (a == b) throw Error("b", "the same body as a", "must be another body: none ever meets itself");
  if (data_->collisions.exemptions.contains(a, b) != exempt) data_->wake(a), data_->wake(b);
  data_->collisions.set_exempt(a, b, exempt);
}
template <class D>
bool World<D>::is_exempt(BodyId a, BodyId b) const {
  data_->bodies.row(a), data_->bodies.row(b);  // are there such bodies?
  return data_->collisions.are_exempt(a, b);
}
template <class D>
void World<D>::set_pair_filter(PairFilter filter) {
  data_->collisions.pair_filter = std::move(filter);
}
template <class D>
void World<D>::set_contact_hook(ContactHook<D> hook) {
  data_->collisions.contact_hook = std::move(hook);
  data_->wake_all();
}

template <class D>
std::vector<Contact<D>> World<D>::contacts() const {
  return data_->collisions.views([](const auto&) { return true; });
}
template <class D>
std::vector<Contact<D>> World<D>::contacts(BodyId body) const {
  data_->bodies.row(body);
  return data_->collisions.views([&](const Contact<D>& c) { return c.a.body == body || c.b.body == body; });
}
template <class D>
const std::vector<ContactEvent<D>>& World<D>::events() const {
  return data_->collisions.events();
}
template <class D>
const std::vector<std::string>& World<D>::warnings() const {
  return data_->warnings;
}

// ----------------------------------------------------------------------------------------------- the whole

template <class D>
double World<D>::time() const {
  return data_->time;
}
template <class D>
typename D::Vec World<D>::gravity() const {
  return data_->def.gravity;
}
template <class D>
void World<D>::set_gravity(const Vec& gravity) {
  check_argument(gravity, "gravity", "m/s²");
  if (gravity != data_->def.gravity) data_->wake_all();
  data_->def.gravity = gravity;
}
template <class D>
const Method& World<D>::method() const {
  return data_->def.method;
}
template <class D>
void World<D>::set_method(const Method& method) {
  check(method);
  data_->def.method = method;
}
template <class D>
void World<D>::wake(BodyId body) {
  data_->bodies.row(body);  // is there such a body?
  data_->wake(body);
  data_->unfreeze(body);
}
template <class D>
bool World<D>::put_to_sleep(BodyId body) {
  data_->bodies.row(body);  // is there such a body?
  return data_->put_to_sleep(body);
}
template <class D>
const SleepSettings& World<D>::sleep_settings() const {
  return data_->def.sleep;
}
template <class D>
void World<D>::set_sleep_settings(const SleepSettings& settings) {
  check(settings);
  data_->set_sleep_settings(settings);
}
template <class D>
double World<D>::length_scale() const {
  return data_->def.length_scale;
}

template <class D>
Energy World<D>::energy() const {
  const FloatControl control;
  std::vector<Spring<D>> springs;
  data_->locate_springs(springs, SpringSet::all);
  return energy_of<D>(data_->forces(springs), data_->bodies.states);
}
template <class D>
Momentum<D> World<D>::momentum() const {
  const FloatControl control;
  return momentum_of<D>(data_->bodies.masses, data_->bodies.states);
}

template <class D>
std::uint64_t World<D>::state_hash() const {
  StateHash hash;
  hash.add(data_->time);
  for (BodyId body : bodies()) {  // by slot: rows move when bodies are destroyed
    const BodyState<D>& s = data_->bodies.states[data_->bodies.row(body)];
    hash.add(std::uint64_t{body.index()});
    add_to(hash, s.position);
    add_to(hash, s.rotation);
    add_to(hash, s.velocity);
    add_to(hash, s.angular_velocity);
  }
  return hash.value();
}

template class World<Dim2>;
template class World<Dim3>;

}  // namespace cairn
