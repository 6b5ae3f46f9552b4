#include "broadphase/proxy_table.h"

#include <algorithm>

namespace cairn {

template <class D>
void ProxyTable<D>::insert(std::uint32_t p, const FloatBox<D>& box, bool mobile) {
  CAIRN_ASSERT(!present(p));
  if (p >= flags_.size()) {
    flags_.resize(std::max(std::size_t(p) + 1, flags_.size() + flags_.size() / 2));
    boxes_.resize(flags_.size());
    changes_.reserve(flags_.size());  // so that noting a change never allocates
  }
  flags_[p] = std::uint8_t((flags_[p] & k_changed) | k_present | (mobile ? k_mobile : 0));
  ++size_;
  set_box(p, box);
}

template <class D>
void ProxyTable<D>::remove(std::uint32_t p) {
  CAIRN_ASSERT(present(p));
  set_bounded(p, true);
  flags_[p] &= k_changed;
  --size_;
}

template <class D>
void ProxyTable<D>::set_mobile(std::uint32_t p, bool mobile) {
  flags_[p] = std::uint8_t((flags_[p] & ~k_mobile) | (mobile ? k_mobile : 0));
  note_change(p);
}

template <class D>
void ProxyTable<D>::set_box(std::uint32_t p, const FloatBox<D>& box) {
  CAIRN_ASSERT(present(p));
  set_bounded(p, is_bounded(box));
  boxes_[p] = box;
  note_change(p);
}

template <class D>
void ProxyTable<D>::set_bounded(std::uint32_t p, bool is_bounded) {
  if (bounded(p) == is_bounded) return;
  flags_[p] ^= k_unbounded;
  if (is_bounded)
    unbounded_.erase(std::find(unbounded_.begin(), unbounded_.end(), p));
  else
    unbounded_.push_back(p);
}

template <class D>
void ProxyTable<D>::forget_changes() {
  for (const std::uint32_t p : changes_) flags_[p] &= std::uint8_t(~k_changed);
  changes_.clear();
}

template <class D>
void ProxyTable<D>::report_unbounded(std::uint32_t u, std::uint32_t p, PairList::Writer& found) const {
  if (p == u || !present(p) || !((flags_[p] | flags_[u]) & k_mobile)) return;
  if (!bounded(p) && p < u) return;  // found from both sides
  if (overlap(boxes_[u], boxes_[p])) found.add(u, p);
}

template <class D>
void ProxyTable<D>::find_unbounded_pairs(PairList& pairs) const {
  PairList::Writer found(pairs);
  for (const std::uint32_t u : unbounded_) {
    if (changed(u))
      for (std::uint32_t p = 0; p < flags_.size(); ++p) report_unbounded(u, p, found);
    else
      for (const std::uint32_t p : changes_) report_unbounded(u, p, found);
  }
}

template class ProxyTable<Dim2>;
template class ProxyTable<Dim3>;

}  // namespace cairn
