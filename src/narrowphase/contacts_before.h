// Contacts as they were before a step, so that the step can be undone.
//
//   recycled                64 bytes of what changes
//   found afresh, was near  all of it, which is also where the new points look for the old ones
//   ... was apart           64 bytes: it has no patches
//   ... for the first time  nothing
//
// Copying every contact cost 5 % of a step in which 10⁴ boxes rest on each other; having room for it, 700 bytes a pair.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "base/assert.h"
#include "narrowphase/contact_list.h"

namespace cairn {

template <class D>
class ContactsBefore {
 public:
  // For a list of that many contacts, none of them kept.
  void begin(std::size_t count) {
    kept_.assign(count, {});
    reserve_chunks(count / k_chunk + 1);
    give_back_spare();
    next_.store(0, std::memory_order_relaxed);
  }
  // So many of them, in all, will be kept, each at a place of its own below that.
  void expect(std::size_t places) { little_.reserve(places); }

  // Of contact i, before it is recycled; once in a step. Different ones may be kept by different threads.
  void keep(std::size_t i, std::uint32_t place, const PairContact<D>& contact) {
    CAIRN_ASSERT(kept_[i].what == Kept::nothing);
    if (has_recycled_state(contact)) {
      ::new (&little_[place].recycled) RecycledState<D>(recycled_state(contact));  // there at once, no copy
      kept_[i] = {Kept::recycled, place};
    } else {
      keep_all(i, contact);
    }
  }
  // Likewise before it is found afresh. Says where its patches are kept. (To move them here, and not to copy them, in exchange for the
  // memory of older ones, lost: what lay side by side was soon strewn about.)
  const PatchList<D>& keep_patches(std::size_t i, std::uint32_t place, const PairContact<D>& contact) {
    CAIRN_ASSERT(kept_[i].what == Kept::nothing);
    if (!contact.found) {
      kept_[i].what = Kept::unfound;
      return k_no_patches;
    }
    if (contact.patches.empty()) {
      std::construct_at(&little_[place].apart,
                        ApartState<D>{contact.cache, contact.sensor, contact.touching, contact.kept});
      kept_[i] = {Kept::apart, place};
      return k_no_patches;
    }
    return keep_all(i, contact).patches;
  }

  void put_all_back(ContactList<D>& contacts) noexcept {
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      PairContact<D>& contact = contacts[i];
      const auto [what, place] = kept_[i];
      if (what == Kept::recycled) put_back(contact, little_[place].recycled);
      if (what == Kept::apart) put_back(contact, little_[place].apart);
      if (what == Kept::all) std::swap(contact, at(place));
      if (what == Kept::unfound) contact = {.pair = contact.pair};
      if (what != Kept::nothing && what != Kept::recycled) contacts.forget_apart(i);  // it may have been near
    }
    forget();
  }
  void forget() noexcept { kept_.clear(); }
  std::size_t places_with_memory() const { return std::max(filled_, next_.load()); }

 private:
  enum class Kept : std::uint8_t { nothing, recycled, apart, all, unfound };
  struct Note {
    Kept what = Kept::nothing;
    std::uint32_t place = 0;
  };
  union Little {
    Little() {}  // nothing in it
    RecycledState<D> recycled;
    ApartState<D> apart;
  };
  static constexpr std::size_t k_chunk = 64;
  using Chunk = std::array<PairContact<D>, k_chunk>;
  static inline const PatchList<D> k_no_patches{};

  void reserve_chunks(std::size_t count) {
    if (count <= chunks_.size()) return;
    memory_.reserve(2 * count);
    std::vector<std::atomic<Chunk*>> more(2 * count);
    for (std::size_t c = 0; c < chunks_.size(); ++c) more[c].store(chunks_[c].load());
    chunks_.swap(more);
  }
  // Patches of this step are memory for those of later ones. What is a quarter more than any of the last hundred steps or so took
  // is given back.
  void give_back_spare() noexcept {
    const std::uint32_t used = next_.load(std::memory_order_relaxed);
    most_used_ = std::max(used, most_used_ - most_used_ / 256);  // fewer than 256 are kept for good
    filled_ = std::max(filled_, used);
    for (const std::uint32_t most = most_used_ + most_used_ / 4; filled_ > most; --filled_) {
      Chunk* const chunk = chunks_[(filled_ - 1) / k_chunk].load(std::memory_order_relaxed);
      if (chunk) (*chunk)[(filled_ - 1) % k_chunk].patches = {};  // not if there was no memory for it
    }
  }
  const PairContact<D>& keep_all(std::size_t i, const PairContact<D>& contact) {
    const std::uint32_t place = next_.fetch_add(1, std::memory_order_relaxed);
    PairContact<D>& copy = at(place);
    copy = contact;
    kept_[i] = {Kept::all, place};
    return copy;
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

  std::vector<Note> kept_;
  Chunked<Little> little_;
  // Contacts of which all is kept.
  std::atomic<std::uint32_t> next_{0};
  std::uint32_t most_used_ = 0;  // places, in one of the last steps
  std::uint32_t filled_ = 0;     // at most so many places have patches
  std::vector<std::atomic<Chunk*>> chunks_;
  std::vector<std::unique_ptr<Chunk>> memory_;
  std::mutex mutex_;
};

}  // namespace cairn
