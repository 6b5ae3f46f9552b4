// The contacts of a world, visited in the order of their pairs.
//
//   entries   (0,3) (0,7) (2,3) …      sorted by pair, 24 bytes each: cheap to merge new pairs into, and to pass by
//               │     │     └─► pool slot 0
//               │     └───────► pool slot 5     contacts stay where they are
//               └─────────────► pool slot 1
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "base/chunked.h"
#include "base/copies.h"
#include "base/faults.h"
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
  // [m] The two proxies are apart until they have travelled this far together, by whoever counts it; −∞: who knows.
  double apart_until(std::size_t i) const { return entries_[i].apart_until; }
  void set_apart_until(std::size_t i, double travelled) { entries_[i].apart_until = travelled; }
  void forget_apart(std::size_t i) { entries_[i].apart_until = k_unknown; }

  // Adds a contact for each of the pairs, which are sorted, each once, and not there yet.
  void add(std::span<const ProxyPair> pairs) {
    if (pairs.empty()) return;
    const std::size_t fresh = pairs.size() > free_.size() ? pairs.size() - free_.size() : 0;
    pool_.reserve(pool_.size() + fresh);
    if (free_.capacity() < pool_.size() + fresh) free_.reserve(2 * pool_.size() + fresh);
    merged_.clear();
    merged_.reserve(entries_.size() + pairs.size());
    auto next = entries_.begin();
    for (const ProxyPair& pair : pairs) {
      while (next != entries_.end() && next->pair < pair) merged_.push_back(*next++);
      merged_.push_back({pair, take_slot(), false, k_unknown});
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

  // Likewise of those that are awake, by `unwanted(pair)`, and they can be put back until it is settled that they stay
  // away.
  template <class F>
  void set_aside_awake_if(F&& unwanted) {
    removed_.reserve(removed_.size() + entries_.size());
    std::erase_if(entries_, [&](const Entry& entry) {
      if (entry.asleep || !unwanted(entry.pair)) return false;
      removed_.push_back(entry);
      return true;
    });
  }
  void settle() noexcept {
    for (const Entry& entry : removed_) {
      pool_[entry.slot] = {};
      free_.push_back(entry.slot);
    }
    removed_.clear();
  }
  void put_back() noexcept {  // there is room: they were there before
    for (const Entry& entry : removed_)
      entries_.insert(std::lower_bound(entries_.begin(), entries_.end(), entry,
                                       [](const Entry& x, const Entry& y) { return x.pair < y.pair; }),
                      entry);
    removed_.clear();
  }

  // Leaves in `pairs`, which are sorted, only those that have no contact yet.
  void leave_new(std::vector<ProxyPair>& pairs) const {
    auto next = entries_.begin();
    std::erase_if(pairs, [&](const ProxyPair& pair) {
      while (next != entries_.end() && next->pair < pair) ++next;
      return next != entries_.end() && next->pair == pair;
    });
  }

  // The list itself; what a contact should be is the world's to know.
  void find_faults(Faults& faults) const {
    std::vector<std::uint8_t> used(pool_.size());
    const auto take = [&](std::uint32_t slot) { return slot < pool_.size() && !used[slot]++; };
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const ProxyPair pair = entries_[i].pair;
      const std::uint32_t slot = entries_[i].slot;
      if (!(pair.a < pair.b)) faults.add("contacts: proxies ", pair.a, " and ", pair.b, " are not in order");
      if (i > 0 && !(entries_[i - 1].pair < pair))
        faults.add("contacts: pair (", pair.a, ", ", pair.b, ") comes after (", entries_[i - 1].pair.a, ", ",
                   entries_[i - 1].pair.b, ")");
      if (!take(slot))
        faults.add("contacts: slot ", slot, " of ", pool_.size(), " is not there or used twice");
      else if (pool_[slot].pair != pair)
        faults.add("contacts: pair (", pair.a, ", ", pair.b, ") has the contact of (", pool_[slot].pair.a,
                   ", ", pool_[slot].pair.b, ")");
    }
    for (const std::uint32_t slot : free_)
      if (!take(slot))
        faults.add("contacts: free slot ", slot, " of ", pool_.size(), " is not there or used");
    if (entries_.size() + free_.size() != pool_.size())
      faults.add("contacts: ", entries_.size(), " used and ", free_.size(), " free slots of ", pool_.size());
    if (free_.capacity() < pool_.size())
      faults.add("contacts: room for ", free_.capacity(), " free slots of ", pool_.size(),
                 ": removing might fail");
  }

 private:
  struct Entry {
    ProxyPair pair;
    std::uint32_t slot;
    bool asleep;
    double apart_until;
  };
  static constexpr double k_unknown = -std::numeric_limits<double>::infinity();
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
  Uncopied<std::vector<Entry>> merged_;   // scratch
  Uncopied<std::vector<Entry>> removed_;  // but not yet for good; none between steps
  Chunked<PairContact<D>> pool_;
  Roomy<std::vector<std::uint32_t>> free_;  // has room for every slot, so that removing cannot fail
};

}  // namespace cairn
