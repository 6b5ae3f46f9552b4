// Hands out typed ids and recognises those it did not, or no longer, stand for anything.
//
// The pool manages slots only; what a slot holds lives in arrays beside it, indexed by id.index().
//
//   slot        0     1     2     3
//   generation  1     4     2     2²⁴−1   generation of the current or next tenant
//   live        yes   yes   no    no      3 has spent its generations: it is retired, never handed out again
//
// Freed slots are reused last-in first-out, so that ids depend only on the order of calls.
#pragma once

#include <cairn/error.h>
#include <cairn/id.h>

#include <string>
#include <vector>

#include "base/array.h"
#include "base/assert.h"

namespace cairn {

template <class Tag>
class IdPool {
 public:
  // `last_generation` is smaller than its default only in tests, which cannot wait for 2²⁴ generations.
  explicit IdPool(std::uint32_t world, std::uint32_t last_generation = (1u << Id<Tag>::k_generation_bits) - 1)
      : world_(world), last_generation_(last_generation) {}

  Id<Tag> create() {
    std::uint32_t index;
    if (!free_.empty()) {
      index = free_.back();
      free_.pop_back();
    } else {
      if (slots_.size() >> Id<Tag>::k_index_bits)
        throw Error("World", std::to_string(slots_.size()) + " things of one kind", "has no room for more");
      index = std::uint32_t(slots_.size());
      make_room(slots_);
      if (free_.capacity() < slots_.capacity())
        free_.reserve(slots_.capacity());  // so that destroy cannot fail
      slots_.push_back({});
    }
    slots_[index].live = true;
    ++live_count_;
    return {index, slots_[index].generation, world_};
  }

  void destroy(Id<Tag> id) noexcept {
    CAIRN_ASSERT(contains(id));
    Slot& slot = slots_[id.index()];
    slot.live = false;
    --live_count_;
    if (slot.generation == last_generation_) return;  // retired
    ++slot.generation;
    free_.push_back(id.index());
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

 private:
  struct Slot {
    std::uint32_t generation : 31 = 1;
    std::uint32_t live : 1 = 0;
  };
  static_assert(sizeof(Slot) == 4);

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::uint32_t live_count_ = 0;
  std::uint32_t world_;
  std::uint32_t last_generation_;
};

}  // namespace cairn
