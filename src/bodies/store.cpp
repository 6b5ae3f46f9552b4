#include "bodies/store.h"

namespace cairn {

template <class D>
BodyStore<D>::BodyStore(std::uint32_t world) : ids_(world) {
  Notes none;
  create({.name = "background", .motion = Motion::fixed}, none);
}

template <class D>
BodyRecord<D> BodyStore<D>::build(const BodyDef<D>& def, const Path& path, Notes& notes) const {
  check(def, path);
  BodyRecord<D> record;
  record.def = def;
  record.geometry = build_shapes(def, path, notes);
  record.mass = mass_of(def, std::span<const Geometry<D>>(*record.geometry), path);
  return record;
}

template <class D>
void BodyStore<D>::change(BodyId body, BodyRecord<D>&& next) noexcept {
  BodyRecord<D>& r = record(body);
  const std::uint32_t at = row(body);
  BodyState<D>& s = states[at];
  const auto shift =
      s.rotation * (next.mass.center - r.mass.center);  // the body's frame stays, its centre moves
  s.position += shift;
  s.velocity += cross(s.angular_velocity, shift);
  if (next.def->motion == Motion::fixed) s.velocity = {}, s.angular_velocity = {};
  s.velocity = unlocked(s.velocity, next.def->locks.translation);
  s.angular_velocity = unlocked(s.angular_velocity, next.def->locks.rotation);
  masses[at] = body_mass(*next.def, next.mass);
  revision_.change();
  r = std::move(next);
}

template <class D>
BodyId BodyStore<D>::create(const BodyDef<D>& def, Notes& notes) {
  BodyRecord<D> record = build(def, Path{nullptr, Fields<BodyDef<D>>::name, -1}, notes);
  const BodyMass<D> mass = body_mass(def, record.mass);
  const BodyState<D> state =
      state_at(record, {def.position, def.rotation},
               def.motion == Motion::fixed ? Twist<D>{} : Twist<D>{def.velocity, def.angular_velocity});

  make_room(states);
  make_room(masses);
  make_room(applied);
  make_room(id_of_row);
  ids_.make_free_slot();
  if (records_.size() < ids_.slot_count()) records_.resize(ids_.slot_count());
  if (row_of_slot.size() < ids_.slot_count()) row_of_slot.resize(ids_.slot_count());
  // From here on nothing can fail.
  const BodyId id = ids_.create();
  row_of_slot[id.index()] = row_count();
  records_[id.index()] = std::move(record);
  states.push_back(state);
  masses.push_back(mass);
  applied.push_back({});
  id_of_row.push_back(id);
  raise(id);
  return id;
}

template <class D>
void BodyStore<D>::destroy(BodyId body) {
  if (body == background())
    throw Error("BodyId", "the background", "cannot be destroyed: it belongs to the world");
  if (!is_asleep(body)) lay_down(body);
  revision_.change();
  const std::uint32_t gone = row(body), last = row_count() - 1;
  states[gone] = states[last];
  masses[gone] = masses[last];
  applied[gone] = applied[last];
  id_of_row[gone] = id_of_row[last];
  row_of_slot[id_of_row[gone].index()] = gone;
  states.pop_back();
  masses.pop_back();
  applied.pop_back();
  id_of_row.pop_back();
  records_[body.index()] = {};
  ids_.destroy(body);
}

template <class D>
void BodyStore<D>::swap_rows(std::uint32_t i, std::uint32_t k) noexcept {
  if (i == k) return;
  std::swap(states[i], states[k]);
  std::swap(masses[i], masses[k]);
  std::swap(applied[i], applied[k]);
  std::swap(id_of_row[i], id_of_row[k]);
  row_of_slot[id_of_row[i].index()] = i;
  row_of_slot[id_of_row[k].index()] = k;
}
template <class D>
void BodyStore<D>::lay_down(BodyId body) noexcept {
  revision_.change();
  swap_rows(row(body), --awake_rows_);
}
template <class D>
void BodyStore<D>::raise(BodyId body) noexcept {
  revision_.change();
  swap_rows(row(body), awake_rows_++);
}

template <class D>
std::vector<BodyId> BodyStore<D>::in_slot_order() const {
  std::vector<BodyId> all;
  for (std::uint32_t slot = 0; slot < ids_.slot_count(); ++slot)
    if (const BodyId id = ids_.at(slot); id && id != background()) all.push_back(id);
  return all;
}

template <class D>
Pose<D> BodyStore<D>::pose(BodyId body) const {
  const BodyRecord<D>& r = record(body);
  const BodyState<D>& s = states[row(body)];
  return {s.position - s.rotation * r.mass.center, s.rotation};
}

template <class D>
BodyState<D> BodyStore<D>::state_at(const BodyRecord<D>& record, const Pose<D>& pose,
                                    const Twist<D>& velocity) const {
  const typename D::Rot rotation = normalized(pose.rotation);
  return {pose.position + rotation * record.mass.center, rotation,
          unlocked(velocity.linear, record.def->locks.translation),
          unlocked(velocity.angular, record.def->locks.rotation)};
}

template <class D>
void BodyStore<D>::set_aside(std::uint32_t row) {
  states[row].velocity = {};
  states[row].angular_velocity = {};
  masses[row] = {};
  revision_.change();
  BodyRecord<D>& r = record(id_of_row[row]);
  r.mass = {.center = r.mass.center};
  r.set_aside = true;
}

template <class D>
void BodyStore<D>::find_faults(Faults& faults) const {
  ids_.find_faults(faults, "bodies");
  const std::size_t rows = states.size();
  if (masses.size() != rows || applied.size() != rows || id_of_row.size() != rows ||
      ids_.live_count() != rows)
    return faults.add("bodies: ", rows, " states, ", masses.size(), " masses, ", applied.size(),
                      " wrenches, ", id_of_row.size(), " ids, ", ids_.live_count(), " of them live");
  if (awake_rows_ > rows) return faults.add("bodies: ", awake_rows_, " of ", rows, " rows are awake");
  for (std::uint32_t row = 0; row < rows; ++row) {
    const BodyId id = id_of_row[row];
    const auto fault = [&](const auto&... parts) {
      faults.add("body ", id, " in row ", row, ": ", parts...);
    };
    if (!ids_.contains(id)) {
      fault("does not exist");
      continue;
    }
    if (id.index() >= row_of_slot.size() || id.index() >= records_.size()) {
      fault("is in slot ", id.index(), " of ", row_of_slot.size(), " rows of slots and ", records_.size(),
            " records");
      continue;
    }
    if (row_of_slot[id.index()] != row) fault("its slot says row ", row_of_slot[id.index()]);
    const BodyRecord<D>& r = records_[id.index()];
    if (!r.def || !r.geometry || r.geometry->size() != r.def->shapes.size()) {
      fault("has not the shapes of its definition");
      continue;
    }
    if (!is_finite(states[row])) fault("its state is not finite");
    if (!(absolute(norm(states[row].rotation) - 1) < 1e-9))
      fault("its rotation has length ", norm(states[row].rotation));
    if (!(masses[row] == (r.set_aside ? BodyMass<D>{} : body_mass(*r.def, r.mass))))
      fault("its mass, ", masses[row].mass, " kg, or inertia is not that of its record, ", r.mass.mass,
            " kg");
    if (r.set_aside || r.def->motion != Motion::dynamic) continue;
    const MassProperties<D> mass = mass_of(*r.def, std::span<const Geometry<D>>(*r.geometry), Path{});
    if (!(mass.mass == r.mass.mass && mass.center == r.mass.center && mass.inertia == r.mass.inertia))
      fault("its record's mass, ", r.mass.mass, " kg, centre or inertia is not that of its shapes, ",
            mass.mass, " kg");
  }
}

template class BodyStore<Dim2>;
template class BodyStore<Dim3>;

}  // namespace cairn
