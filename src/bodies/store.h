// Where a world keeps its bodies.
//
//   id.index()  ──► slot: cold record (name, shapes, frames)      stable, may have holes
//                    └─ row ──► hot state, warm mass, wrench      dense, in no particular order
//
// The step streams through rows. Removing a body moves the last row into its place. Row 0 is the background.
#pragma once

#include <cairn/body.h>

#include "base/array.h"
#include "base/id_pool.h"
#include "bodies/body_mass.h"
#include "bodies/state.h"

namespace cairn {

template <class D>
struct BodyRecord {
  std::uint32_t row = 0;
  std::string name;
  std::vector<ShapeDef<D>> shapes;
  std::vector<Geometry<D>> geometry;  // the shapes, built
  MassProperties<D> mass;
  Locks<D> locks;
  std::uint64_t user_data = 0;
  bool set_aside = false;
};

template <class D>
class BodyStore {
 public:
  explicit BodyStore(std::uint32_t world);

  BodyId create(const BodyDef<D>& def);  // checks everything, then changes something
  void destroy(BodyId body);

  bool contains(BodyId body) const { return ids_.contains(body); }
  BodyId background() const { return id_of_row[0]; }
  BodyRecord<D>& record(BodyId body) { return records_[ids_.index_of(body, "BodyId")]; }
  const BodyRecord<D>& record(BodyId body) const { return records_[ids_.index_of(body, "BodyId")]; }
  std::uint32_t row(BodyId body) const { return record(body).row; }
  std::uint32_t row_count() const { return std::uint32_t(states.size()); }
  std::vector<BodyId> in_slot_order() const;  // without the background

  // The body's frame, whose origin need not be the centre of mass.
  Pose<D> pose(BodyId body) const;
  BodyState<D> state_at(const BodyRecord<D>& record, const Pose<D>& pose, const Twist<D>& velocity) const;
  // Takes a body out of the motion; it stays where it is.
  void set_aside(std::uint32_t row);

  // By row.
  Array<BodyState<D>> states;
  Array<BodyMass<D>> masses;
  Array<Wrench<D>> applied;  // at the centre of mass, until the end of the next step
  std::vector<BodyId> id_of_row;

 private:
  IdPool<BodyTag> ids_;
  std::vector<BodyRecord<D>> records_;  // by slot
};

extern template class BodyStore<Dim2>;
extern template class BodyStore<Dim3>;

}  // namespace cairn
