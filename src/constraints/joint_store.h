// Where a world keeps its joints.
//
//   id.index()  ──► slot ──► row ──► record (warm: the step), definition (cold)    dense, in no particular order
//   body.index() ─► the joints of a body, in the order in which they were created
//
// The step streams through rows. Removing a joint moves the last row into its place.
#pragma once

#include <algorithm>
#include <span>

#include "base/id_pool.h"
#include "base/revision.h"
#include "constraints/joints.h"

namespace cairn {

// What the solver remembers of a joint, and what it tells of it. What a step needs of most joints comes first.
template <class D>
struct JointMemory {
  Wrench<D> reaction{};                  // [N, N·m] mean over the last step, on b at its anchor, world axes
  bool swept = false;                    // were its rows that hold swept? Then it gives way
  std::uint8_t efforts = k_joint_slots;  // that were found in the last step: the first; the others are none
  double effort
      [k_joint_slots]{};  // [N] or [N·m] of each row at the end of the last step: where the solver starts

  // What a step has found of a joint: of most, it is a few efforts.
  void take(const JointMemory& found) {
    reaction = found.reaction;
    swept = found.swept;
    std::copy(found.effort, found.effort + found.efforts, effort);
    if (efforts > found.efforts) std::fill(effort + found.efforts, effort + efforts, 0.);
    efforts = found.efforts;
  }
};

template <class D>
class JointStore {
 public:
  explicit JointStore(std::uint32_t world) : ids_(world) {}

  JointId create(const JointDef<D>& def,
                 const BodyStore<D>& bodies);  // checks everything, then changes something
  void destroy(JointId joint);
  void destroy_joints_of(BodyId body);

  bool contains(JointId joint) const { return ids_.contains(joint); }
  std::uint32_t row(JointId joint) const { return row_of_slot_[ids_.index_of(joint, "JointId")]; }
  const JointRecord<D>& record(JointId joint) const { return records[row(joint)]; }
  // To be changed.
  JointRecord<D>& own(JointId joint) {
    revision_.change();
    return records[row(joint)];
  }
  // Of which joints there are, in which row, and of all of their records but what track changes.
  std::uint64_t revision() const { return revision_.value(); }
  std::uint32_t row_count() const { return std::uint32_t(records.size()); }
  std::vector<JointId> in_slot_order() const;
  // Valid until a joint is created or destroyed.
  std::span<const JointId> joints_of(BodyId body) const {
    return body.index() < of_body_.size() ? std::span<const JointId>(of_body_[body.index()])
                                          : std::span<const JointId>();
  }
  void find_faults(Faults& faults, const BodyStore<D>& bodies) const;

  // By row.
  std::vector<JointRecord<D>> records;
  std::vector<JointDef<D>> defs;  // as created
  std::vector<JointMemory<D>> memory;
  std::vector<JointId> id_of_row;
  std::vector<std::uint8_t> may_break;  // is there anything that it does not bear?

 private:
  Revision revision_;
  IdPool<JointTag> ids_;
  std::vector<std::uint32_t> row_of_slot_;     // of live joints only
  std::vector<std::vector<JointId>> of_body_;  // by the body's slot
};

extern template class JointStore<Dim2>;
extern template class JointStore<Dim3>;

}  // namespace cairn
