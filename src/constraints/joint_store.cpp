#include "constraints/joint_store.h"

#include <algorithm>

namespace cairn {

template <class D>
JointId JointStore<D>::create(const JointDef<D>& def, const BodyStore<D>& bodies) {
  JointRecord<D> record = build_joint(def, bodies);
  JointDef<D> copy = def;
  const std::size_t last_body = std::max(record.a.index(), record.b.index());
  if (of_body_.size() <= last_body) of_body_.resize(last_body + 1);
  auto &of_a = of_body_[record.a.index()], &of_b = of_body_[record.b.index()];
  make_room(of_a);
  make_room(of_b);
  make_room(records);
  make_room(defs);
  make_room(memory);
  make_room(id_of_row);
  make_room(may_break);
  ids_.make_free_slot();
  if (row_of_slot_.size() < ids_.slot_count()) row_of_slot_.resize(ids_.slot_count());
  // From here on nothing can fail.
  const JointId id = ids_.create();
  row_of_slot_[id.index()] = row_count();
  of_a.push_back(id);
  of_b.push_back(id);
  may_break.push_back(record.break_force < k_unlimited || record.break_torque < k_unlimited);
  records.push_back(std::move(record));
  defs.push_back(std::move(copy));
  memory.emplace_back();
  id_of_row.push_back(id);
  revision_.change();
  return id;
}

template <class D>
void JointStore<D>::destroy(JointId joint) {
  const std::uint32_t hole = row(joint), last = row_count() - 1;
  for (const BodyId body : {records[hole].a, records[hole].b}) std::erase(of_body_[body.index()], joint);
  if (hole != last) {
    records[hole] = std::move(records[last]);
    memory[hole] = memory[last];
    defs[hole] = std::move(defs[last]);
    id_of_row[hole] = id_of_row[last];
    may_break[hole] = may_break[last];
    row_of_slot_[id_of_row[hole].index()] = hole;
  }
  records.pop_back();
  memory.pop_back();
  defs.pop_back();
  id_of_row.pop_back();
  may_break.pop_back();
  ids_.destroy(joint);
  revision_.change();
}

template <class D>
void JointStore<D>::destroy_joints_of(BodyId body) {
  while (!joints_of(body).empty()) destroy(joints_of(body).back());
}

template <class D>
std::vector<JointId> JointStore<D>::in_slot_order() const {
  std::vector<JointId> all;
  all.reserve(ids_.live_count());
  for (std::uint32_t slot = 0; slot < ids_.slot_count(); ++slot)
    if (const JointId id = ids_.at(slot)) all.push_back(id);
  return all;
}

template <class D>
void JointStore<D>::find_faults(Faults& faults, const BodyStore<D>& bodies) const {
  ids_.find_faults(faults, "joints");
  const std::size_t rows = records.size();
  if (defs.size() != rows || memory.size() != rows || id_of_row.size() != rows || may_break.size() != rows ||
      ids_.live_count() != rows)
    return faults.add("joints: ", rows, " records, ", defs.size(), " definitions, ", memory.size(),
                      " memories, ", id_of_row.size(), " ids, ", ids_.live_count(), " of them live, ",
                      may_break.size(), " of which it is known whether they break");
  for (std::uint32_t row = 0; row < rows; ++row) {
    const JointId id = id_of_row[row];
    const JointRecord<D>& joint = records[row];
    const auto fault = [&](const auto&... parts) {
      faults.add("joint ", id, " in row ", row, ": ", parts...);
    };
    if (!ids_.contains(id)) {
      fault("does not exist");
      continue;
    }
    if (id.index() >= row_of_slot_.size()) {
      fault("is in slot ", id.index(), " of ", row_of_slot_.size(), " rows of slots");
      continue;
    }
    if (row_of_slot_[id.index()] != row) fault("its slot says row ", row_of_slot_[id.index()]);
    if (joint.a == joint.b) fault("holds body ", joint.a, " twice");
    if (bool(may_break[row]) != (joint.break_force < k_unlimited || joint.break_torque < k_unlimited))
      fault(may_break[row] ? "bears anything, and is said to break" : "may break, and is said not to");
    for (const BodyId body : {joint.a, joint.b}) {
      const std::span<const JointId> list = joints_of(body);
      if (!bodies.contains(body)) fault("holds body ", body, ", which does not exist");
      if (std::count(list.begin(), list.end(), id) != 1)
        fault("is listed ", std::count(list.begin(), list.end(), id), " times with body ", body);
    }
  }
  for (std::size_t slot = 0; slot < of_body_.size(); ++slot)
    for (const JointId id : of_body_[slot])
      if (!ids_.contains(id) || (record(id).a.index() != slot && record(id).b.index() != slot))
        faults.add("body in slot ", slot, ": joint ", id, " is listed with it and does not hold it");
}

template class JointStore<Dim2>;
template class JointStore<Dim3>;

}  // namespace cairn
