// The contacts of a world, visited in the order of their pairs.
//
//   entries   (0,3) (0,7) (2,3) …      sorted by pair, 16 bytes each: cheap to merge new pairs into
//               │     │     └─► pool slot 0
//               │     └───────► pool slot 5     contacts stay where they are
//               └─────────────► pool slot 1
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "narrowphase/pair_contact.h"

namespace cairn {

template <class D>
class ContactList {
 public:
  std::size_t size() const { return entries_.size(); }
  PairContact<D>& operator[](std::size_t i) { return pool_[entries_[i].slot]; }
  const PairContact<D>& operator[](std::size_t i) const { return pool_[entries_[i].slot]; }
  // A contact that is asleep is left as it is. New ones are awake.
  const ProxyPair& pair(std::size_t i) const { return entries_[i].pair; }
  bool is_asleep(std::size_t i) const { return entries_[i].asleep; }
  void set_asleep(std::size_t i, bool asleep) { entries_[i].asleep = asleep; }

  // Adds a contact for each of the pairs, which are sorted, each once, and not there yet.
  void add(std::span<const ProxyPair> pairs) {
    if (pairs.empty()) return;
    const std::size_t fresh = pairs.size() > free_.size() ? pairs.size() - free_.size() : 0;
    pool_.reserve(pool_.size() + fresh > pool_.capacity() ? 2 * pool_.size() + fresh : pool_.capacity());
    free_.reserve(pool_.capacity());
    merged_.clear();
    merged_.reserve(entries_.size() + pairs.size());
    auto next = entries_.begin();
    for (const ProxyPair& pair : pairs) {
      while (next != entries_.end() && next->pair < pair) merged_.push_back(*next++);
      merged_.push_back({pair, take_slot(), false});
      pool_[merged_.back().slot].pair = pair;
    }
    merged_.insert(merged_.end(), next, entries_.end());
    entries_.swap(merged_);
  }

  // Removes the contacts for which `unwanted(contact)` holds; visits all in order.
  template <class F>
  void remove_if(F&& unwanted) {
    std::erase_if(entries_, [&](const Entry& entry) {
      if (!unwanted(pool_[entry.slot])) return false;
      pool_[entry.slot] = {};
      free_.push_back(entry.slot);
      return true;
    });
  }

  // Likewise, but looks only at those that are awake.
  template <class F>
  void remove_awake_if(F&& unwanted) {
    std::erase_if(entries_, [&](const Entry& entry) {
      if (entry.asleep || !unwanted(pool_[entry.slot])) return false;
      pool_[entry.slot] = {};
      free_.push_back(entry.slot);
      return true;
    });
  }

  // Leaves in `pairs`, which are sorted, only those that have no contact yet.
  void leave_new(std::vector<ProxyPair>& pairs) const {
    auto next = entries_.begin();
    std::erase_if(pairs, [&](const ProxyPair& pair) {
      while (next != entries_.end() && next->pair < pair) ++next;
      return next != entries_.end() && next->pair == pair;
    });
  }

 private:
  struct Entry {
    ProxyPair pair;
    std::uint32_t slot;
    bool asleep;
  };
  std::uint32_t take_slot() {
    if (free_.empty()) {
      pool_.emplace_back();
      return std::uint32_t(pool_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  std::vector<Entry> entries_;
  std::vector<Entry> merged_;  // scratch
  std::vector<PairContact<D>> pool_;
  std::vector<std::uint32_t> free_;  // has room for every slot, so that removing cannot fail
};

}  // namespace cairn
