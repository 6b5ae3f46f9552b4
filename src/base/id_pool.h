// Hands out typed ids and recognises those it did not, or no longer, stand for anything.
//
// The pool manages slots only; what a slot holds lives in arrays beside it, indexed by id.index().
//
//   slot        0     1     2     3
//   generation  1     2                   of the current tenant
//   newest      1     4     2     2²⁴−1   generation ever handed out
//   live        yes   yes   no    no      3 has spent its generations: it is retired, never handed out again
//
// Freed slots are reused last-in first-out, so that slots depend only on the order of calls.
//
// A pool can be copied and later put back (world.save): all ids that were live then are live again. The newest
// generations are not put back, they only grow; so an id handed out since then, as that of generation 4 of slot 1, is
// stale and never comes back for something else.
#pragma once

#include <cairn/error.h>
#include <cairn/id.h>

#include <string>
#include <vector>

#include "base/array.h"
#include "base/assert.h"
#include "base/copies.h"
#include "base/faults.h"

namespace cairn {

template <class Tag>
class IdPool {
 public:
  // `last_generation` is smaller than its default only in tests, which cannot wait for 2²⁴ generations.
  explicit IdPool(std::uint32_t world, std::uint32_t last_generation = (1u << Id<Tag>::k_generation_bits) - 1)
      : world_(world), last_generation_(last_generation) {}
  IdPool(const IdPool&) = default;
  IdPool& operator=(const IdPool&) = delete;
  IdPool& operator=(IdPool&& other) noexcept {
    slots_ = std::move(other.slots_);
    free_ = std::move(other.free_);
    live_count_ = other.live_count_;
    world_ = other.world_;
    if (newest_.size() < other.newest_.size()) newest_.swap(other.newest_);
    for (std::size_t i = 0; i < other.newest_.size(); ++i)
      if (newest_[i] < other.newest_[i]) newest_[i] = other.newest_[i];
    return *this;
  }

  // Sees to it that the next create cannot fail and takes a slot below slot_count(). It may add several slots: those
  // that were spent before what is now was put back are passed over. Arrays beside the pool grow after it.
  void make_free_slot() {
    while (free_.empty() || newest_[free_.back()] == last_generation_) {
      if (free_.empty())
        add_slot();
      else
        free_.pop_back();
    }
  }
  Id<Tag> create() {
    make_free_slot();
    const std::uint32_t index = free_.back();
    free_.pop_back();
    slots_[index] = {++newest_[index], true};
    ++live_count_;
    return {index, newest_[index], world_};
  }

  void destroy(Id<Tag> id) noexcept {
    CAIRN_ASSERT(contains(id));
    Slot& slot = slots_[id.index()];
    slot.live = false;
    --live_count_;
    if (newest_[id.index()] < last_generation_) free_.push_back(id.index());  // else it is retired
  }

  bool contains(Id<Tag> id) const {
    return id.world() == world_ && id.index() < slots_.size() && slots_[id.index()].live &&
           slots_[id.index()].generation == id.generation();
  }

  // The index of a live id. Anything else is an Error that tells null, foreign and stale apart.
  std::uint32_t index_of(Id<Tag> id, const char* what) const {
    if (contains(id)) [[likely]]
      return id.index();
    const std::string text =
        "#" + std::to_string(id.index()) + " (generation " + std::to_string(id.generation()) + ")";
    if (!id) throw Error(what, "the null id", "must name something that was created in this world");
    if (id.world() != world_) throw Error(what, text, "belongs to another world");
    throw Error(what, text, "no longer exists: it was destroyed");
  }

  // The live id of a slot, or the null id.
  Id<Tag> at(std::uint32_t index) const {
    if (index >= slots_.size() || !slots_[index].live) return {};
    return {index, slots_[index].generation, world_};
  }
  std::uint32_t slot_count() const { return std::uint32_t(slots_.size()); }  // live or not
  std::uint32_t live_count() const { return live_count_; }

  void find_faults(Faults& faults, const char* what) const {
    const auto fault = [&](const auto&... parts) { faults.add("ids of ", what, ": ", parts...); };
    if (newest_.size() < slots_.size())
      return fault(slots_.size(), " slots, but newest generations of ", newest_.size());
    if (free_.capacity() < slots_.size())
      fault("room for ", free_.capacity(), " free slots of ", slots_.size(), ": destroy might fail");
    std::vector<std::uint32_t> times_free(slots_.size());
    for (const std::uint32_t index : free_) {
      if (index >= slots_.size())
        fault("slot ", index, " is free, of ", slots_.size());
      else if (++times_free[index] == 2)
        fault("slot ", index, " is free twice");
    }
    std::uint32_t live = 0;
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
      const std::uint32_t generation = slots_[i].generation;
      live += slots_[i].live;
      if (slots_[i].live && times_free[i] > 0) fault("slot ", i, " is live and free");
      if (slots_[i].live && (generation == 0 || generation > newest_[i]))
        fault("slot ", i, " has generation ", generation, ", newer than the newest, ", newest_[i]);
      if (!slots_[i].live && times_free[i] == 0 && newest_[i] < last_generation_)
        fault("slot ", i, " is neither live, nor free, nor spent");
    }
    if (live != live_count_) fault(live, " are live, counted as ", live_count_);
  }

 private:
  struct Slot {
    std::uint32_t generation : 31 = 0;
    std::uint32_t live : 1 = 0;
  };
  static_assert(sizeof(Slot) == 4);

  void add_slot() {
    if (slots_.size() >> Id<Tag>::k_index_bits)
      throw Error("World", std::to_string(slots_.size()) + " things of one kind", "has no room for more");
    make_room(slots_);
    if (free_.capacity() < slots_.capacity()) free_.reserve(slots_.capacity());
    if (newest_.size() == slots_.size()) newest_.push_back(0);
    free_.push_back(std::uint32_t(slots_.size()));
    slots_.push_back({});
  }

  std::vector<Slot> slots_;
  Roomy<std::vector<std::uint32_t>> free_;  // has room for every slot, so that destroy cannot fail
  std::vector<std::uint32_t> newest_;       // by slot, of those that were ever there
  std::uint32_t live_count_ = 0;
  std::uint32_t world_;
  std::uint32_t last_generation_;
};

}  // namespace cairn
