// The door to a world's joints: what users create, ask and change.
#include "base/float_control.h"
#include "world/data.h"

namespace cairn {
namespace {

// The null id and ids that are stale or foreign, named by the member that has them.
template <class D, class Def>
void check_bodies(const Def& def, const BodyStore<D>& bodies) {
  const Path path{nullptr, Fields<Def>::name, -1};
  for (const auto& [body, name] : {std::pair{def.a, "a"}, std::pair{def.b, "b"}})
    if (!bodies.contains(body))
      throw Error((path / name).text(), body ? "#" + std::to_string(body.index()) : "the null id",
                  "must be a body of this world");
}

template <class D>
JointPose<D, double> pose_now(const JointRecord<D>& joint, const BodyStore<D>& bodies) {
  return pose_of(joint, bodies.states[bodies.row(joint.a)], bodies.states[bodies.row(joint.b)]);
}

}  // namespace

// ---------------------------------------------------------------------------------------- coming and going

template <class D>
JointId WorldData<D>::create(const JointDef<D>& def) {
  const FloatControl control;
  std::visit([&](const auto& d) { check_bodies<D>(d, bodies); }, def);
  const JointId id = joints.create(def, bodies);
  const JointRecord<D>& record = joints.record(id);
  try {
    broken.reserve(joints.records.capacity());  // so that breaking cannot fail
    if (!record.collide_connected) collisions.join(record.a, record.b);
  } catch (...) {  // out of memory
    joints.destroy(id);
    throw;
  }
  wake(record.a), wake(record.b);
  return id;
}
template <class D>
JointId World<D>::create(const JointDef<D>& def) {
  return data_->create(def);
}

template <class D>
void WorldData<D>::destroy(JointId joint) {
  const JointRecord<D>& record = joints.record(joint);
  wake(record.a), wake(record.b);
  if (!record.collide_connected) collisions.separate(record.a, record.b);
  joints.destroy(joint);
}
template <class D>
void World<D>::destroy(JointId joint) {
  data_->destroy(joint);
}

template <class D>
bool World<D>::contains(JointId joint) const {
  return data_->joints.contains(joint);
}
template <class D>
std::vector<JointId> World<D>::joints() const {
  return data_->joints.in_slot_order();
}
template <class D>
std::vector<JointId> World<D>::joints(BodyId body) const {
  data_->bodies.row(body);  // is there such a body?
  const std::span<const JointId> list = data_->joints.joints_of(body);
  return {list.begin(), list.end()};
}

// ------------------------------------------------------------------------------------------------- looking

template <class D>
const JointDef<D>& World<D>::definition(JointId joint) const {
  return data_->joints.defs[data_->joints.row(joint)];
}
template <class D>
const std::string& World<D>::name(JointId joint) const {
  return std::visit([](const auto& def) -> const std::string& { return def.name; }, definition(joint));
}
template <class D>
std::uint64_t World<D>::user_data(JointId joint) const {
  return std::visit([](const auto& def) { return def.user_data; }, definition(joint));
}

template <class D>
Wrench<D> World<D>::reaction(JointId joint) const {
  return data_->joints.memory[data_->joints.row(joint)].reaction;
}

template <class D>
JointCoordinate World<D>::coordinate(JointId joint, int axis) const {
  const FloatControl control;
  const BodyStore<D>& bodies = data_->bodies;
  const JointRecord<D>& record = data_->joints.record(joint);
  const BodyState<D>&a = bodies.states[bodies.row(record.a)], &b = bodies.states[bodies.row(record.b)];
  const PartRow<D, double> row = cairn::coordinate(record, pose_of(record, a, b), axis);
  return {row.position, row.jacobian.speed(a.velocity, a.angular_velocity, b.velocity, b.angular_velocity)};
}
template <class D>
int World<D>::axis_count(JointId joint) const {
  return data_->joints.record(joint).axis_count;
}
template <class D>
const AxisDef& World<D>::axis(JointId joint, int index) const {
  const JointRecord<D>& record = data_->joints.record(joint);
  if (index < 0 || index >= record.axis_count)
    throw Error(
        "axis", std::to_string(index),
        "must be one of the " + std::to_string(record.axis_count) + " axes of the joint, counted from 0");
  return record.axes[index];
}

template <class D>
JointAnchors<D> World<D>::anchors(JointId joint) const {
  const FloatControl control;
  const BodyStore<D>& bodies = data_->bodies;
  const JointRecord<D>& record = data_->joints.record(joint);
  const BodyState<D>&a = bodies.states[bodies.row(record.a)], &b = bodies.states[bodies.row(record.b)];
  return {a.position + a.rotation * record.anchor_a, b.position + b.rotation * record.anchor_b};
}

template <class D>
Hydraulic World<D>::hydraulic(JointId joint) const {
  const JointRecord<D>& record = data_->joints.record(joint);
  if (record.kind != JointKind::hydraulic)
    throw Error("JointId", "a joint that is not hydraulic",
                "only hydraulic joints extend, contract and hold");
  return record.state;
}

template <class D>
const std::vector<JointBreak<D>>& World<D>::broken() const {
  return data_->broken;
}

// ------------------------------------------------------------------------------------------------ changing

template <class D>
void World<D>::set_axis(JointId joint, int axis, const AxisDef& def) {
  JointRecord<D>& record = data_->joints.own(joint);
  cairn::set_axis(record, axis, def);
  data_->wake(record.a), data_->wake(record.b);
}
template <class D>
void World<D>::set_hydraulic(JointId joint, Hydraulic state) {
  const FloatControl control;
  JointRecord<D>& record = data_->joints.own(joint);
  set_state(record, pose_now(record, data_->bodies), state);
  data_->wake(record.a), data_->wake(record.b);
}

template <class D>
void WorldData<D>::follow_joints(BodyId body) {
  for (const JointId joint : joints.joints_of(body)) {
    JointRecord<D>& record = joints.own(joint);
    track(record, pose_now(record, bodies));
  }
}

#define CAIRN_MEMBERS(D)                                               \
  template JointId World<D>::create(const JointDef<D>&);               \
  template void World<D>::destroy(JointId);                            \
  template bool World<D>::contains(JointId) const;                     \
  template std::vector<JointId> World<D>::joints() const;              \
  template std::vector<JointId> World<D>::joints(BodyId) const;        \
  template const JointDef<D>& World<D>::definition(JointId) const;     \
  template const std::string& World<D>::name(JointId) const;           \
  template std::uint64_t World<D>::user_data(JointId) const;           \
  template Wrench<D> World<D>::reaction(JointId) const;                \
  template JointCoordinate World<D>::coordinate(JointId, int) const;   \
  template int World<D>::axis_count(JointId) const;                    \
  template const AxisDef& World<D>::axis(JointId, int) const;          \
  template JointAnchors<D> World<D>::anchors(JointId) const;           \
  template Hydraulic World<D>::hydraulic(JointId) const;               \
  template const std::vector<JointBreak<D>>& World<D>::broken() const; \
  template void World<D>::set_axis(JointId, int, const AxisDef&);      \
  template void World<D>::set_hydraulic(JointId, Hydraulic);           \
  template JointId WorldData<D>::create(const JointDef<D>&);           \
  template void WorldData<D>::destroy(JointId);                        \
  template void WorldData<D>::follow_joints(BodyId);
CAIRN_MEMBERS(Dim2)
CAIRN_MEMBERS(Dim3)
#undef CAIRN_MEMBERS

}  // namespace cairn
