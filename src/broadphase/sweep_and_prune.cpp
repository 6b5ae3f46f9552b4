#include "broadphase/sweep_and_prune.h"

#include <algorithm>

namespace cairn {
namespace {

// Insertion sort may move each start by this many places, on average, before it gives up. Measured: about where
// a radix sort costs the same.
constexpr std::size_t k_moves = 8;

// The order of floats as the order of unsigned integers.
std::uint32_t sortable(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x + 0.0f);  // −0 becomes 0
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

}  // namespace

template <class D>
void SweepAndPrune<D>::insert(std::uint32_t proxy, const Bounds<D>& box, bool mobile) {
  table_.insert(proxy, rounded_outwards(box), mobile);
  if (position_.size() < table_.numbers()) position_.resize(table_.numbers(), k_nowhere);
  if (!table_.bounded(proxy)) return;
  position_[proxy] = std::uint32_t(starts_.size());
  starts_.push_back({table_.box(proxy).lo[axis_], proxy});
  in_order_ = false;
}

template <class D>
void SweepAndPrune<D>::remove(std::uint32_t proxy) {
  position_[proxy] = k_nowhere;
  table_.remove(proxy);
  in_order_ = false;
}

template <class D>
void SweepAndPrune<D>::update(Team& team, std::span<const std::uint32_t> proxies,
                              std::span<const Bounds<D>> boxes) {
  const auto moved =
      table_.set_boxes(team, proxies, boxes, [](std::uint32_t, const Bounds<D>& box, FloatBox<D>& made) {
        made = rounded_outwards(box);
        return true;
      });
  for (const std::uint32_t i : table_.odd()) {
    const std::uint32_t p = proxies[i];
    table_.set_box(p, rounded_outwards(boxes[i]));
    if (table_.bounded(p) == (position_[p] != k_nowhere)) continue;
    position_[p] = table_.bounded(p) ? std::uint32_t(starts_.size()) : k_nowhere;
    if (table_.bounded(p)) starts_.push_back({0, p});
  }
  if (in_order_ && moved.empty() && table_.odd().empty()) return;
  sort();
}

// ----------------------------------------------------------------------------------------------- the order

// Closes the gaps, reads the boxes anew and puts the starts in order.
template <class D>
void SweepAndPrune<D>::sort() {
  std::size_t n = 0;
  widest_ = 0;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    if (!is_live(i)) continue;
    const std::uint32_t p = starts_[i].proxy;
    const FloatBox<D>& box = table_.box(p);
    widest_ = std::max(widest_, rounded_up(double(box.hi[axis_]) - double(box.lo[axis_])));
    position_[p] = std::uint32_t(n);
    starts_[n++] = {box.lo[axis_], p};
  }
  starts_.resize(n);
  if (!sort_by_insertion()) sort_afresh();
  for (std::size_t i = 0; i < n; ++i) position_[starts_[i].proxy] = std::uint32_t(i);
  sorted_ = n;
  in_order_ = true;
}

// False if there is too much to do; the starts are then in some other order.
template <class D>
bool SweepAndPrune<D>::sort_by_insertion() {
  std::size_t moves_left = k_moves * starts_.size();
  for (std::size_t i = 1; i < starts_.size(); ++i) {
    const Start start = starts_[i];
    std::size_t j = i;
    for (; j > 0 && start.at < starts_[j - 1].at; --j) starts_[j] = starts_[j - 1];
    starts_[j] = start;
    if (i - j > moves_left) return false;
    moves_left -= i - j;
  }
  return true;
}

// Radix sort, eleven bits at a time from the lowest. Also the occasion to take another axis.
template <class D>
void SweepAndPrune<D>::sort_afresh() {
  ++fresh_sorts_;
  choose_axis();
  constexpr std::uint32_t k_digits = 1 << 11;
  scratch_.resize(starts_.size());
  for (std::uint32_t shift = 0; shift < 32; shift += 11) {
    std::uint32_t ends[k_digits + 1] = {};
    for (const Start& start : starts_) ++ends[(sortable(start.at) >> shift & (k_digits - 1)) + 1];
    for (std::uint32_t d = 0; d < k_digits; ++d) ends[d + 1] += ends[d];
    for (const Start& start : starts_) scratch_[ends[sortable(start.at) >> shift & (k_digits - 1)]++] = start;
    starts_.swap(scratch_);
  }
}

// The axis along which the boxes are spread most, by the variance of their middles; the next best cuts the strips.
template <class D>
void SweepAndPrune<D>::choose_axis() {
  constexpr std::size_t k_axes = FloatBox<D>::k_axes;
  std::array<double, k_axes> sum{}, squares{};
  const double n = double(starts_.size());
  for (const Start& start : starts_) {
    const FloatBox<D>& box = table_.box(start.proxy);
    for (std::size_t i = 0; i < k_axes; ++i) sum[i] += double(box.lo[i]) + double(box.hi[i]);
  }
  for (const Start& start : starts_) {
    const FloatBox<D>& box = table_.box(start.proxy);
    for (std::size_t i = 0; i < k_axes; ++i) {
      const double off = double(box.lo[i]) + double(box.hi[i]) - sum[i] / n;
      squares[i] += off * off;
    }
  }
  std::size_t best = axis_;
  for (std::size_t i = 0; i < k_axes; ++i)
    if (squares[i] > 1.5 * squares[best]) best = i;  // not for a little
  second_axis_ = best == 0;
  for (std::size_t i = 0; i < k_axes; ++i)
    if (i != best && squares[i] > squares[second_axis_]) second_axis_ = i;
  if (best == axis_) return;
  axis_ = best;
  widest_ = 0;
  for (Start& start : starts_) {
    const FloatBox<D>& box = table_.box(start.proxy);
    start.at = box.lo[axis_];
    widest_ = std::max(widest_, rounded_up(double(box.hi[axis_]) - double(box.lo[axis_])));
  }
}

// ----------------------------------------------------------------------------------------------- the sweep

// Lists every box in each strip that it touches, in the order of the sweep. Strips are two mean widths wide; fewer and
// wider where large boxes would be listed too often.
template <class D>
void SweepAndPrune<D>::make_strips() {
  const std::size_t n = starts_.size();
  double width = 0, lo = double(table_.box(starts_[0].proxy).lo[second_axis_]), hi = lo;
  for (const Start& start : starts_) {
    const FloatBox<D>& box = table_.box(start.proxy);
    const double from = double(box.lo[second_axis_]), to = double(box.hi[second_axis_]);
    width += (to - from) / double(n);
    lo = smaller(lo, from);
    hi = larger(hi, to);
  }
  double strips = clamp((hi - lo) / (2 * width + 1e-30), 1, double(n / 8 + 1));
  first_.resize(n);
  last_.resize(n);
  for (std::size_t listed = ~std::size_t{0}; listed > 4 * n; strips = larger(1, strips / 4)) {
    listed = 0;
    const std::uint32_t last_strip = std::uint32_t(strips) - 1;
    const double scale = hi > lo ? strips / (hi - lo) : 0;
    strip_ends_.reserve(n + 3);  // more than there can be strips
    strip_ends_.assign(std::size_t(last_strip) + 2, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const FloatBox<D>& box = table_.box(starts_[i].proxy);
      first_[i] = std::min(last_strip, std::uint32_t((double(box.lo[second_axis_]) - lo) * scale));
      last_[i] = std::min(last_strip, std::uint32_t((double(box.hi[second_axis_]) - lo) * scale));
      for (std::uint32_t s = first_[i]; s <= last_[i]; ++s) ++strip_ends_[s + 1];
      listed += last_[i] - first_[i] + 1;
    }
  }
  for (std::size_t s = 1; s < strip_ends_.size(); ++s) strip_ends_[s] += strip_ends_[s - 1];
  entries_.resize(strip_ends_.back());
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t p = starts_[i].proxy;
    for (std::uint32_t s = first_[i]; s <= last_[i]; ++s)
      entries_[strip_ends_[s]++] = {table_.box(p), p, first_[i], table_.mobile(p), table_.changed(p)};
  }
  strip_ends_.pop_back();  // each is now where its strip ends
}

// The pairs of entry i with those that begin after it.
template <class D>
void SweepAndPrune<D>::sweep_from(std::size_t i, std::size_t end, std::uint32_t strip,
                                  PairList::Writer& found) const {
  const Entry a = entries_[i];
  for (std::size_t j = i + 1; j < end && entries_[j].box.lo[axis_] <= a.box.hi[axis_]; ++j) {
    const Entry& b = entries_[j];
    if (overlap(a.box, b.box) && (a.mobile || b.mobile) && (a.changed || b.changed) &&
        std::max<std::uint32_t>(a.first_strip, b.first_strip) == strip)
      found.add(a.proxy, b.proxy);
  }
}

template <class D>
void SweepAndPrune<D>::sweep(Team& team) {
  constexpr std::size_t k_block = 512;
  make_strips();
  team.for_blocks(entries_.size(), k_block, [&](const Block& block) {
    PairList::Writer found(pairs_);
    auto strip = std::upper_bound(strip_ends_.begin(), strip_ends_.end(), block.begin);
    for (std::size_t i = block.begin; i < block.end; ++i) {
      while (i >= *strip) ++strip;
      sweep_from(i, *strip, std::uint32_t(strip - strip_ends_.begin()), found);
    }
  });
}

// Where few have changed, each looks for its pairs alone.
template <class D>
void SweepAndPrune<D>::search_each(Team& team) {
  constexpr std::size_t k_block = 16;
  const std::span<const std::uint32_t> changes = table_.changes();
  team.for_blocks(changes.size(), k_block, [&](const Block& block) {
    PairList::Writer found(pairs_);
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const std::uint32_t p = changes[i];
      if (!table_.present(p) || !table_.bounded(p)) continue;
      const FloatBox<D> box = table_.box(p);
      for_each_between(box.lo[axis_], box.hi[axis_], [&](std::uint32_t q) {
        if (overlap(box, table_.box(q)) && table_.reports(p, q)) found.add(p, q);
        return true;
      });
    }
  });
}

template <class D>
void SweepAndPrune<D>::find_pairs(Team& team, std::vector<ProxyPair>& out) {
  if (!in_order_) sort();
  pairs_.begin();
  if (64 * table_.changes().size() < starts_.size() || starts_.empty())
    search_each(team);
  else
    sweep(team);
  table_.find_unbounded_pairs(pairs_);
  pairs_.finish(out);
  table_.forget_changes();
}

template <class D>
bool SweepAndPrune<D>::validate() const {
  std::size_t live = 0;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    if (!is_live(i)) continue;
    const std::uint32_t p = starts_[i].proxy;
    const FloatBox<D>& box = table_.box(p);
    ++live;
    if (!table_.present(p) || !table_.bounded(p)) return false;
    if (i > 0 && i < sorted_ && starts_[i].at < starts_[i - 1].at) return false;
    if (i < sorted_ && (starts_[i].at != box.lo[axis_] || box.hi[axis_] - box.lo[axis_] > widest_))
      return false;
  }
  return live + table_.unbounded().size() == table_.size();
}

template class SweepAndPrune<Dim2>;
template class SweepAndPrune<Dim3>;

}  // namespace cairn
