// Contacts as they were before a step, so that the step can be undone.
//
//   recycled      64 bytes of what changes
//   found afresh  all of it, which is also where the new points look for the old ones
//
// Copying every contact cost 5 % of a step in which 10⁴ boxes rest on each other.
#pragma once

#include <vector>

#include "base/assert.h"
#include "narrowphase/contact_list.h"

namespace cairn {

template <class D>
class ContactsBefore {
 public:
  // Room for that many, none of them kept.
  void begin(std::size_t count) {
    little_.resize(count);
    all_.resize(count);
    kept_.assign(count, Kept::nothing);
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
    all_[i] = contact;
    kept_[i] = Kept::all;
    return all_[i];
  }
  void put_all_back(ContactList<D>& contacts) noexcept {
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (kept_[i] == Kept::little) put_back(contacts[i], little_[i]);
      if (kept_[i] != Kept::all) continue;
      std::swap(contacts[i], all_[i]);
      contacts.forget_apart(i);  // they may have been near
    }
    forget();
  }
  void forget() noexcept { kept_.clear(); }

 private:
  enum class Kept : std::uint8_t { nothing, little, all };
  std::vector<Kept> kept_;
  std::vector<RecycledState<D>> little_;
  std::vector<PairContact<D>> all_;
};

}  // namespace cairn
