// What all methods of the broad phase keep of each proxy: its stored box and a few flags, indexed by proxy.
//
// Two lists go with the table: the proxies whose boxes were stored since the last search for pairs, and those whose
// boxes are infinite. The latter (planes, mostly) would ruin every sorted structure, so they stay out of it and
// are compared with everything.
#pragma once

#include <span>
#include <vector>

#include "base/array.h"
#include "base/assert.h"
#include "base/copies.h"
#include "broadphase/broad_phase.h"
#include "broadphase/float_box.h"
#include "broadphase/pair_list.h"

namespace cairn {

template <class D>
class ProxyTable {
 public:
  std::size_t size() const { return size_; }             // proxies present
  std::size_t numbers() const { return flags_.size(); }  // proxies are below this
  bool present(std::uint32_t p) const { return p < flags_.size() && (flags_[p] & k_present); }
  bool mobile(std::uint32_t p) const { return flags_[p] & k_mobile; }
  bool bounded(std::uint32_t p) const { return !(flags_[p] & k_unbounded); }
  bool changed(std::uint32_t p) const { return flags_[p] & k_changed; }  // since forget_changes
  const FloatBox<D>& box(std::uint32_t p) const { return boxes_[p]; }

  // Every proxy that changed since forget_changes, once; and maybe some that were removed since.
  std::span<const std::uint32_t> changes() const { return changes_; }
  std::span<const std::uint32_t> unbounded() const { return unbounded_; }

  void insert(std::uint32_t p, const FloatBox<D>& box, bool mobile);
  void remove(std::uint32_t p);
  void set_mobile(std::uint32_t p, bool mobile);
  void set_box(std::uint32_t p, const FloatBox<D>& box);
  void forget_changes();

  // New boxes for some proxies, each at most once: make(proxy, box, stored) -> bool writes the box to store, on any
  // thread, or says that the old one will do. Returns the indices of those that have a new box, in order. Where a box
  // is, was or becomes infinite nothing is done yet: these are in `odd()`, for set_box.
  template <class Make>
  std::span<const std::uint32_t> set_boxes(Team& team, std::span<const std::uint32_t> proxies,
                                           std::span<const Bounds<D>> boxes, const Make& make);
  std::span<const std::uint32_t> odd() const { return odd_; }  // indices into `proxies`

  // Is this a pair that find_pairs has to report, given that it overlaps? `p` has changed: two that have both
  // changed are found twice, and reported when the smaller one finds the other.
  bool reports(std::uint32_t p, std::uint32_t q) const {
    return p != q && ((flags_[p] | flags_[q]) & k_mobile) && (!(flags_[q] & k_changed) || p < q);
  }
  // The pairs with infinite boxes.
  void find_unbounded_pairs(PairList& pairs) const;

 private:
  enum : std::uint8_t { k_present = 1, k_mobile = 2, k_changed = 4, k_unbounded = 8 };
  static constexpr std::size_t k_block = 1024;
  void note_change(std::uint32_t p) {
    if (flags_[p] & k_changed) return;
    flags_[p] |= k_changed;
    changes_.push_back(p);
  }
  void set_bounded(std::uint32_t p, bool bounded);
  void report_unbounded(std::uint32_t u, std::uint32_t p, PairList::Writer& found) const;

  Array<FloatBox<D>> boxes_;
  std::vector<std::uint8_t> flags_;  // k_changed stays when a proxy goes, for it says that changes_ has it
  Roomy<std::vector<std::uint32_t>> changes_;  // has room for every proxy
  std::vector<std::uint32_t> unbounded_;
  std::size_t size_ = 0;
  Uncopied<std::vector<std::uint32_t>> moved_, odd_, moved_in_block_, odd_in_block_;  // in set_boxes
};

// Each block leaves its indices where it begins: the stored ones in moved_, the others in odd_. Then they are pushed
// together, in the order of the blocks.
template <class D>
template <class Make>
std::span<const std::uint32_t> ProxyTable<D>::set_boxes(Team& team, std::span<const std::uint32_t> proxies,
                                                        std::span<const Bounds<D>> boxes, const Make& make) {
  CAIRN_ASSERT(proxies.size() == boxes.size());
  const std::size_t blocks = Team::block_count(proxies.size(), k_block);
  moved_.resize(proxies.size());
  odd_.resize(proxies.size());
  moved_in_block_.resize(blocks);
  odd_in_block_.resize(blocks);
  team.for_blocks(proxies.size(), k_block, [&](const Block& block) {
    std::size_t moved = block.begin, odd = block.begin;
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const std::uint32_t p = proxies[i];
      CAIRN_ASSERT(present(p));
      FloatBox<D> box;
      if (!make(p, boxes[i], box) || box == boxes_[p]) continue;
      if (bounded(p) && is_bounded(box)) {
        boxes_[p] = box;
        moved_[moved++] = std::uint32_t(i);
      } else {
        odd_[odd++] = std::uint32_t(i);
      }
    }
    moved_in_block_[block.index] = std::uint32_t(moved - block.begin);
    odd_in_block_[block.index] = std::uint32_t(odd - block.begin);
  });
  std::size_t moved = 0, odd = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t j = 0; j < moved_in_block_[block]; ++j) {
      moved_[moved++] = moved_[block * k_block + j];
      note_change(proxies[moved_[moved - 1]]);
    }
    for (std::size_t j = 0; j < odd_in_block_[block]; ++j) odd_[odd++] = odd_[block * k_block + j];
  }
  odd_.resize(odd);
  return std::span(moved_).first(moved);
}

extern template class ProxyTable<Dim2>;
extern template class ProxyTable<Dim3>;

}  // namespace cairn
