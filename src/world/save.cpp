// Saving a world and going back. WorldContents knows how it is copied; here is only what does not come back.
#include "world/data.h"

namespace cairn {

template <class D>
WorldState<D>::WorldState() noexcept = default;
template <class D>
WorldState<D>::~WorldState() = default;
template <class D>
WorldState<D>::WorldState(WorldState&&) noexcept = default;
template <class D>
WorldState<D>& WorldState<D>::operator=(WorldState&&) noexcept = default;
template <class D>
WorldState<D>::WorldState(const WorldState& other)
    : contents_(other.contents_ ? std::make_unique<const WorldContents<D>>(*other.contents_) : nullptr) {}
template <class D>
WorldState<D>& WorldState<D>::operator=(const WorldState& other) {
  return *this = WorldState(other);
}

template <class D>
double WorldState<D>::time() const {
  return contents_ ? contents_->time : 0;
}

template <class D>
WorldState<D> World<D>::save() const {
  WorldState<D> state;
  state.contents_ = std::make_unique<const WorldContents<D>>(*data_);
  return state;
}

template <class D>
void World<D>::restore(const WorldState<D>& state) {
  if (state.empty()) throw Error("WorldState", "an empty one", "must come from save()");
  WorldContents<D> next(*state.contents_);
  next.def.threads = data_->def.threads;
  next.def.instruction_set = data_->def.instruction_set;
  static_cast<WorldContents<D>&>(*data_) = std::move(next);  // from here on nothing can fail
}

template class WorldState<Dim2>;
template class WorldState<Dim3>;
template WorldState<Dim2> World<Dim2>::save() const;
template WorldState<Dim3> World<Dim3>::save() const;
template void World<Dim2>::restore(const WorldState<Dim2>&);
template void World<Dim3>::restore(const WorldState<Dim3>&);

}  // namespace cairn
