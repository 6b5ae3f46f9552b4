// Pairs found by several threads, put into one order.
//
//   writers on any thread ──► chunks ──► one list ──► sorted by (a, b)
//
// Since no pair occurs twice, the sorted list depends on the set of pairs only, not on who found them when. So the
// chunks need no order, and a writer may go on where another stopped. They are kept from search to search: after a
// while no search allocates.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "broadphase/broad_phase.h"

namespace cairn {

class PairList {
  struct Chunk {
    static constexpr std::uint32_t k_most = 255;
    std::uint32_t count = 0;
    ProxyPair pairs[k_most];
  };

 public:
  // For the time of a block. Making one and filling a chunk takes a lock, nothing else does.
  class Writer {
   public:
    explicit Writer(PairList& list) : list_(list), chunk_(list.take()) {}
    ~Writer() { list_.give_back(chunk_); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    void add(std::uint32_t p, std::uint32_t q) {
      if (chunk_->count == Chunk::k_most) chunk_ = list_.take();
      chunk_->pairs[chunk_->count++] = p < q ? ProxyPair{p, q} : ProxyPair{q, p};
    }

   private:
    PairList& list_;
    Chunk* chunk_;
  };

  // A search begins: what one that ran out of memory has left is forgotten.
  void begin() noexcept;
  // All pairs written since, sorted; what `out` held before is gone.
  void finish(std::vector<ProxyPair>& out);

 private:
  Chunk* take();
  void give_back(Chunk* chunk) noexcept;

  std::mutex mutex_;
  std::vector<std::unique_ptr<Chunk[]>> slabs_;  // own the chunks
  std::vector<Chunk*> chunks_;                   // the first used_ are in use or were
  std::vector<Chunk*> open_;                     // given back with room left
  std::size_t used_ = 0;
  std::vector<std::uint32_t> ends_;
};

}  // namespace cairn
