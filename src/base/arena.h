// Memory for one step: taken by moving a pointer, given back all at once.
//
//   block 0 [######free]  block 1 [####......]
//                                      ^ next allocation
//
// `reset` keeps the memory. After the first few steps one block holds everything a step needs and no step
// allocates. Only for types that need no destructor.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/array.h"

namespace cairn {

class Arena {
 public:
  explicit Arena(std::size_t first_block_bytes = 64 * 1024) : next_block_bytes_(first_block_bytes) {}

  // `n` values, uninitialised, starting on a cache line.
  template <class T>
  std::span<T> take(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
    return {static_cast<T*>(allocate(n * sizeof(T))), n};
  }
  template <class T>
  std::span<T> take(std::size_t n, const T& value) {
    const std::span<T> s = take<T>(n);
    std::uninitialized_fill(s.begin(), s.end(), value);
    return s;
  }

  void reset();  // everything taken so far is given back
  std::size_t bytes_used() const { return used_before_ + used_; }
  std::size_t bytes_reserved() const { return reserved_; }

 private:
  void* allocate(std::size_t bytes);

  std::vector<Array<std::byte>> blocks_;
  std::size_t used_ = 0;         // of the last block
  std::size_t used_before_ = 0;  // of all other blocks
  std::size_t reserved_ = 0;
  std::size_t next_block_bytes_;
};

}  // namespace cairn
