// A set of small integers, one bit each, visited in ascending order.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/assert.h"

namespace cairn {

class BitSet {
 public:
  explicit BitSet(std::size_t size = 0) { resize(size); }
  void resize(std::size_t size) {  // new members are absent
    words_.resize((size + 63) / 64);
    if (size < size_ && size % 64) words_.back() &= (std::uint64_t{1} << size % 64) - 1;
    size_ = size;
  }
  std::size_t size() const { return size_; }
  void insert(std::size_t i) { word(i) |= bit(i); }
  void erase(std::size_t i) { word(i) &= ~bit(i); }
  bool contains(std::size_t i) const { return i < size_ && (words_[i / 64] & bit(i)); }
  void clear() { words_.assign(words_.size(), 0); }
  std::size_t count() const {
    std::size_t n = 0;
    for (std::uint64_t w : words_) n += std::size_t(std::popcount(w));
    return n;
  }
  BitSet& operator|=(const BitSet& b) {
    CAIRN_ASSERT(size_ == b.size_);
    for (std::size_t k = 0; k < words_.size(); ++k) words_[k] |= b.words_[k];
    return *this;
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t k = 0; k < words_.size(); ++k)
      for (std::uint64_t w = words_[k]; w; w &= w - 1) f(64 * k + std::size_t(std::countr_zero(w)));
  }

 private:
  std::uint64_t& word(std::size_t i) {
    CAIRN_ASSERT(i < size_);
    return words_[i / 64];
  }
  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << i % 64; }

  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

}  // namespace cairn
