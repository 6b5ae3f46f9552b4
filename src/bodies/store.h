// Where a world keeps its bodies.
//
//   id.index()  ──► slot: cold record (definition, built shapes)  stable, may have holes
//                    └─ row ──► hot state, warm mass, wrench      dense, in no particular order
//
// The step streams through rows. Removing a body moves the last row into its place. Row 0 is the background. Rows of
// bodies that sleep come after all others, so that the step need not even look at them:
//
//   0 … awake_rows() … row_count()
//   fixed, kinematic, awake │ asleep
#pragma once

#include <cairn/body.h>

#include "base/array.h"
#include "base/id_pool.h"
#include "base/revision.h"
#include "base/shared.h"
#include "bodies/body_mass.h"
#include "bodies/state.h"

namespace cairn {

template <class D>
struct BodyRecord {
  Shared<BodyDef<D>> def;  // as created and changed since, but for pose and velocity, which move on
  Shared<std::vector<Geometry<D>>> geometry;  // the shapes, built
  MassProperties<D> mass;
  bool set_aside = false;
};

template <class D>
class BodyStore {
 public:
  explicit BodyStore(std::uint32_t world);

  BodyId create(const BodyDef<D>& def, Notes& notes);  // checks everything, then changes something
  // The record of a body with this definition, which is checked.
  BodyRecord<D> build(const BodyDef<D>& def, const Path& path, Notes& notes) const;
  // Takes over what was built from a new definition. The body stays where it is and moves as it did.
  void change(BodyId body, BodyRecord<D>&& record) noexcept;
  void destroy(BodyId body);

  bool contains(BodyId body) const { return ids_.contains(body); }
  BodyId background() const { return id_of_row[0]; }
  BodyRecord<D>& record(BodyId body) { return records_[ids_.index_of(body, "BodyId")]; }
  const BodyRecord<D>& record(BodyId body) const { return records_[ids_.index_of(body, "BodyId")]; }
  std::uint32_t row(BodyId body) const { return row_of_slot[ids_.index_of(body, "BodyId")]; }
  std::uint32_t row_count() const { return std::uint32_t(states.size()); }
  std::uint32_t awake_rows() const { return awake_rows_; }
  // Of who is in which row, who is awake, and of the masses.
  std::uint64_t revision() const { return revision_.value(); }
  bool is_asleep(BodyId body) const { return row(body) >= awake_rows_; }
  std::vector<BodyId> in_slot_order() const;  // without the background

  // The body's frame, whose origin need not be the centre of mass.
  Pose<D> pose(BodyId body) const;
  BodyState<D> state_at(const BodyRecord<D>& record, const Pose<D>& pose, const Twist<D>& velocity) const;
  // Takes a body out of the motion; it stays where it is.
  void set_aside(std::uint32_t row);
  void find_faults(Faults& faults) const;
  // Moves a row to the other side, and another into its place.
  void lay_down(BodyId body) noexcept;
  void raise(BodyId body) noexcept;

  // By row.
  Array<BodyState<D>> states;
  Array<BodyMass<D>> masses;
  Array<Wrench<D>> applied;  // at the centre of mass, until the end of the next step
  std::vector<BodyId> id_of_row;

  // By slot; of live bodies only.
  std::vector<std::uint32_t> row_of_slot;

 private:
  void swap_rows(std::uint32_t i, std::uint32_t k) noexcept;

  std::uint32_t awake_rows_ = 0;
  Revision revision_;
  IdPool<BodyTag> ids_;
  std::vector<BodyRecord<D>> records_;  // by slot
};

extern template class BodyStore<Dim2>;
extern template class BodyStore<Dim3>;

}  // namespace cairn
