// Contacts as they were before a step, so that the step can be undone.
//
//   recycled               64 bytes of what changes
//   found afresh           all of it, which is also where the new points look for the old ones
//   ... for the first time  nothing
//
// Copying every contact cost 5 % of a step in which 10⁴ boxes rest on each other; having room for it, 728 bytes a pair.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "base/assert.h"
#include "narrowphase/contact_list.h"

namespace cairn {

template <class D>
class ContactsBefore {
 public:
  // For that many contacts, none of them kept.
  void begin(std::size_t count) {
    little_.resize(count);
    kept_.assign(count, Kept::nothing);
    place_.resize(count);
    reserve_chunks(count / k_chunk + 1);
    next_.store(0, std::memory_order_relaxed);
  }
  // Of the contact at place i, before it is recycled or else; once in a step. Different places may be written by
  // different threads.
  void keep_little(std::size_t i, const PairContact<D>& contact) {
    CAIRN_ASSERT(kept_[i] == Kept::nothing);
    if (!has_recycled_state(contact)) {
      keep_all(i, contact);
      return;
    }
    little_[i] = recycled_state(contact);
    kept_[i] = Kept::little;
  }
  const PairContact<D>& keep_all(std::size_t i, const PairContact<D>& contact) {
    CAIRN_ASSERT(kept_[i] == Kept::nothing);
    if (!contact.found) {
      kept_[i] = Kept::unfound;
      return k_unfound;
    }
    place_[i] = next_.fetch_add(1, std::memory_order_relaxed);
    PairContact<D>& copy = at(place_[i]);
    copy = contact;
    kept_[i] = Kept::all;
    return copy;
  }
  void put_all_back(ContactList<D>& contacts) noexcept {
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (kept_[i] == Kept::little) put_back(contacts[i], little_[i]);
      if (kept_[i] == Kept::unfound) contacts[i] = {.pair = contacts[i].pair};
      if (kept_[i] == Kept::all) std::swap(contacts[i], at(place_[i]));
      if (kept_[i] == Kept::all || kept_[i] == Kept::unfound)
        contacts.forget_apart(i);  // they may have been near
    }
    forget();
  }
  void forget() noexcept { kept_.clear(); }

 private:
  enum class Kept : std::uint8_t { nothing, little, all, unfound };
  static constexpr std::size_t k_chunk = 64;
  using Chunk = std::array<PairContact<D>, k_chunk>;
  static inline const PairContact<D> k_unfound{};

  void reserve_chunks(std::size_t count) {
    if (count <= chunks_.size()) return;
    memory_.reserve(2 * count);
    std::vector<std::atomic<Chunk*>> more(2 * count);
    for (std::size_t c = 0; c < chunks_.size(); ++c) more[c].store(chunks_[c].load());
    chunks_.swap(more);
  }
  // Chunks are made when they are needed, by whoever comes first.
  PairContact<D>& at(std::uint32_t place) {
    std::atomic<Chunk*>& chunk = chunks_[place / k_chunk];
    Chunk* there = chunk.load(std::memory_order_acquire);
    if (!there) {
      const std::lock_guard lock(mutex_);
      there = chunk.load(std::memory_order_relaxed);
      if (!there) {
        memory_.push_back(std::make_unique<Chunk>());
        there = memory_.back().get();
        chunk.store(there, std::memory_order_release);
      }
    }
    return (*there)[place % k_chunk];
  }

  std::vector<Kept> kept_;
  std::vector<RecycledState<D>> little_;
  std::vector<std::uint32_t> place_;  // of those of which all is kept
  std::atomic<std::uint32_t> next_{0};
  std::vector<std::atomic<Chunk*>> chunks_;
  std::vector<std::unique_ptr<Chunk>> memory_;
  std::mutex mutex_;
};

}  // namespace cairn
