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
  record.mass = mass_of(def, std::span<const Geometry<D>>(record.geometry), path);
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
  if (next.def.motion == Motion::fixed) s.velocity = {}, s.angular_velocity = {};
  s.velocity = unlocked(s.velocity, next.def.locks.translation);
  s.angular_velocity = unlocked(s.angular_velocity, next.def.locks.rotation);
  masses[at] = body_mass(next.def, next.mass);
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
  make_room(records_);
  make_room(row_of_slot);
  const BodyId id = ids_.create();
  if (id.index() == row_of_slot.size()) row_of_slot.emplace_back();
  row_of_slot[id.index()] = row_count();
  if (id.index() == records_.size())
    records_.push_back(std::move(record));
  else
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
  swap_rows(row(body), --awake_rows_);
}
template <class D>
void BodyStore<D>::raise(BodyId body) noexcept {
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
          unlocked(velocity.linear, record.def.locks.translation),
          unlocked(velocity.angular, record.def.locks.rotation)};
}

template <class D>
void BodyStore<D>::set_aside(std::uint32_t row) {
  states[row].velocity = {};
  states[row].angular_velocity = {};
  masses[row] = {};
  BodyRecord<D>& r = record(id_of_row[row]);
  r.mass = {.center = r.mass.center};
  r.set_aside = true;
}

template class BodyStore<Dim2>;
template class BodyStore<Dim3>;

}  // namespace cairn
