#include "broadphase/pair_list.h"

#include <algorithm>

namespace cairn {
namespace {

// Sorts by b the pairs of one a, usually a handful.
void sort_bucket(ProxyPair* begin, ProxyPair* end) {
  constexpr std::ptrdiff_t k_few = 24;
  if (end - begin > k_few) return std::sort(begin, end);  // no ties: no pair occurs twice
  for (ProxyPair* i = begin; i < end; ++i) {
    const ProxyPair pair = *i;
    ProxyPair* j = i;
    for (; j > begin && pair.b < j[-1].b; --j) *j = j[-1];
    *j = pair;
  }
}

}  // namespace

PairList::Chunk* PairList::take() {
  const std::lock_guard lock(mutex_);
  if (!open_.empty()) {
    Chunk* const chunk = open_.back();
    open_.pop_back();
    return chunk;
  }
  if (used_ == chunks_.size()) {
    const std::size_t more = std::max<std::size_t>(8, chunks_.size() / 4);
    chunks_.reserve(chunks_.size() + more);
    open_.reserve(chunks_.size() + more);  // so that giving back cannot fail
    slabs_.push_back(std::make_unique<Chunk[]>(more));
    for (std::size_t i = 0; i < more; ++i) chunks_.push_back(&slabs_.back()[i]);
  }
  return chunks_[used_++];
}

void PairList::give_back(Chunk* chunk) noexcept {
  if (chunk->count == Chunk::k_most) return;
  const std::lock_guard lock(mutex_);
  open_.push_back(chunk);
}

// Counting sort by a, then each bucket by b. Where there are few pairs for the numbers that a can have, comparing
// costs less than the counters.
void PairList::finish(std::vector<ProxyPair>& out) {
  std::size_t count = 0;
  std::uint32_t most = 0;
  const auto for_each = [&](const auto& f) {
    for (std::size_t c = 0; c < used_; ++c)
      for (std::uint32_t i = 0; i < chunks_[c]->count; ++i) f(chunks_[c]->pairs[i]);
  };
  for_each([&](const ProxyPair& pair) { ++count, most = std::max(most, pair.a); });
  out.clear();
  if (out.capacity() < count) out.reserve(count + count / 4);
  if (count < 64 || count < most / 16) {
    for_each([&](const ProxyPair& pair) { out.push_back(pair); });
    std::sort(out.begin(), out.end());
  } else {
    if (ends_.capacity() < std::size_t(most) + 2) ends_.reserve(2 * (std::size_t(most) + 2));
    ends_.assign(std::size_t(most) + 2, 0);
    for_each([&](const ProxyPair& pair) { ++ends_[std::size_t(pair.a) + 1]; });
    for (std::size_t a = 1; a < ends_.size(); ++a) ends_[a] += ends_[a - 1];
    out.resize(count);
    for_each(
        [&](const ProxyPair& pair) { out[ends_[pair.a]++] = pair; });  // from where a begins to where it ends
    std::size_t begin = 0;
    for (std::size_t a = 0; a <= most; ++a) {
      sort_bucket(out.data() + begin, out.data() + ends_[a]);
      begin = ends_[a];
    }
  }
  begin();
}

void PairList::begin() noexcept {
  for (std::size_t c = 0; c < used_; ++c) chunks_[c]->count = 0;
  used_ = 0;
  open_.clear();
}

}  // namespace cairn
