// Joints as the step sees them: built from their definitions, and the rows they ask for.
//
//    definition (world coordinates) ──build_joint──► JointRecord ──pose_of──► JointPose ──rows_of──► JointRows
//                                    (body axes)         ▲         two bodies'                 what the solver takes
//                                                        └── track, after each step: turns and pistons
//
// A joint's rows come in a fixed order: those that hold, the cone, then for each axis what acts on it. A row exists
// if its joint was told to have it, wherever the bodies are; so the order changes only when the settings do, and a
// row has the same slot even then:
//
//    slot   0 … 5            6 + 5·axis + 0       1           2        3        4
//           hold (cone: 3)   lower limit          upper       spring   drive    friction
#pragma once

#include <cairn/joint.h>

#include "base/assert.h"
#include "bodies/store.h"
#include "constraints/joint_parts.h"

namespace cairn {

inline constexpr int k_first_axis_slot = 6, k_slots_an_axis = 5;
inline constexpr int k_cone_slot = 3;  // a ball joint holds three rows
inline constexpr int k_joint_slots = k_first_axis_slot + k_most_axes * k_slots_an_axis;
enum class AxisSlot : std::uint8_t { lower, upper, spring, drive, friction };
constexpr int slot_of(int axis, AxisSlot what) {
  return k_first_axis_slot + axis * k_slots_an_axis + int(what);
}

template <class D>
struct JointRecord {
  using Vec = typename D::Vec;
  using Rot = typename D::Rot;

  // What a step reads of every joint comes first.
  BodyId a{}, b{};
  JointKind kind = JointKind::fixed;
  bool rod = false;                   // of distances: rigid, so that the length is no axis
  std::uint8_t axis_count = 0;        // free axes, or coordinates to be read
  bool bare = false;                  // does nothing act on its axes, and is nothing of it soft?
  bool angular[k_most_axes]{};        // is it a turn?
  Hydraulic state = Hydraulic::hold;  // the user's command to a cylinder
  Vec anchor_a{}, anchor_b{};         // [m] from the centres of mass, body axes
  Rot frame_a{}, frame_b{};           // joint axes to body axes
  // Changed by track, and with the command to a cylinder, of which `length` is what it does not give back.
  JointParameters<D, double> parameters{};

  AxisDef axes[k_most_axes]{};                                   // what acts on them
  Softness softness{};                                           // of the rows that hold
  double cone = k_unlimited;                                     // [rad] of a ball joint
  Softness cone_softness{};                                      // likewise
  double max_force = 0;                                          // [N] of a hydraulic cylinder
  double max_speed = 0;                                          // [m/s] likewise
  double min_length = 0;                                         // [m] likewise
  double max_length = 0;                                         // [m] likewise
  double break_force = k_unlimited, break_torque = k_unlimited;  // [N], [N·m]
  bool collide_connected = false;
};

// The rows of one joint: a list with a fixed room, on the stack.
template <class D>
class JointRows {
 public:
  static constexpr int k_most = 19;  // of a ball joint with everything
  int size() const { return size_; }
  JointRow<D>& operator[](int i) { return row_[i]; }
  const JointRow<D>& operator[](int i) const { return row_[i]; }
  const JointRow<D>* begin() const { return row_; }
  const JointRow<D>* end() const { return row_ + size_; }
  void clear() { size_ = 0; }
  void add(const JointRow<D>& row) {
    CAIRN_ASSERT(size_ < k_most);
    row_[size_++] = row;
  }

 private:
  JointRow<D> row_[k_most]{};
  int size_ = 0;
};

// A joint between two bodies as they stand. Throws if the definition makes no sense, if a body does not exist, or if
// neither is dynamic.
template <class D>
JointRecord<D> build_joint(const JointDef<D>& def, const BodyStore<D>& bodies);
// What JointRecord::bare should be.
template <class D>
bool is_bare(const JointRecord<D>& joint);

// Positions are subtracted first, so that nothing is lost far from the origin.
template <class D>
JointPose<D, double> pose_of(const JointRecord<D>& joint, const BodyState<D>& a, const BodyState<D>& b) {
  JointPose<D, double> pose;
  pose.arm_a = a.rotation * joint.anchor_a;
  pose.arm_b = b.rotation * joint.anchor_b;
  pose.gap = (b.position - a.position) + (pose.arm_b - pose.arm_a);
  pose.frame_a = a.rotation * joint.frame_a;
  pose.frame_b = b.rotation * joint.frame_b;
  return pose;
}

// What the joint is made of, at a pose: joints_2d.cpp, joints_3d.cpp.
JointParts<Dim2, double> parts_of(const JointRecord<Dim2>& joint, const JointPose<Dim2, double>& pose);
JointParts<Dim3, double> parts_of(const JointRecord<Dim3>& joint, const JointPose<Dim3, double>& pose);

// The rows at a pose and a time [s]; replaces what is in `out`.
template <class D>
void rows_of(const JointRecord<D>& joint, const JointPose<D, double>& pose, double t, JointRows<D>& out);

// After a step: counts turns, and lets a cylinder keep what it has gained. Between two calls no angle may turn by
// more than π; as long as it does not, turns need not be counted in every step.
template <class D>
void track(JointRecord<D>& joint, const JointPose<D, double>& pose);

// A command to a hydraulic cylinder, which starts from the length it has.
template <class D>
void set_state(JointRecord<D>& joint, const JointPose<D, double>& pose, Hydraulic state);

// How far an axis has gone, [m] or [rad] from the rest pose (of distances and cylinders the length), and how that
// changes. A gear has the turns of a and b, a rack the turn of b about the pinion.
template <class D>
PartRow<D, double> coordinate(const JointRecord<D>& joint, const JointPose<D, double>& pose, int axis);

// Gives an axis other limits, spring, friction or drive. Throws, and changes nothing, if there is no such axis or
// the settings make no sense. The joint's rows may be others afterwards, with the same slots.
template <class D>
void set_axis(JointRecord<D>& joint, int axis, const AxisDef& def);

// The centre of mass of one of its bodies has moved by `shift` [m], in body axes.
template <class D>
void shift_center(JointRecord<D>& joint, BodyId body, const typename D::Vec& shift) {
  if (body == joint.a) joint.anchor_a -= shift;
  if (body == joint.b) joint.anchor_b -= shift;
}

}  // namespace cairn
