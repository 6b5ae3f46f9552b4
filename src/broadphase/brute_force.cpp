#include "broadphase/brute_force.h"

namespace cairn {

template <class D>
void BruteForce<D>::insert(std::uint32_t proxy, const Bounds<D>& box, bool mobile) {
  table_.insert(proxy, rounded_outwards(box), mobile);
}

template <class D>
void BruteForce<D>::update(Team& team, std::span<const std::uint32_t> proxies,
                           std::span<const Bounds<D>> boxes) {
  table_.set_boxes(team, proxies, boxes, [](std::uint32_t, const Bounds<D>& box, FloatBox<D>& made) {
    made = rounded_outwards(box);
    return true;
  });
  for (const std::uint32_t i : table_.odd()) table_.set_box(proxies[i], rounded_outwards(boxes[i]));
}

template <class D>
void BruteForce<D>::find_pairs(Team& team, std::vector<ProxyPair>& out) {
  constexpr std::size_t k_block = 16;
  present_.clear();
  for (std::uint32_t p = 0; p < table_.numbers(); ++p)
    if (table_.present(p)) present_.push_back(p);
  const std::span<const std::uint32_t> changes = table_.changes();
  pairs_.begin();
  team.for_blocks(changes.size(), k_block, [&](const Block& block) {
    PairList::Writer found(pairs_);
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const std::uint32_t p = changes[i];
      if (!table_.present(p)) continue;
      const FloatBox<D> box = table_.box(p);
      for (const std::uint32_t q : present_)
        if (overlap(box, table_.box(q)) && table_.reports(p, q)) found.add(p, q);
    }
  });
  pairs_.finish(out);
  table_.forget_changes();
}

template class BruteForce<Dim2>;
template class BruteForce<Dim3>;

}  // namespace cairn
