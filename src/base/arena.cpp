#include "base/arena.h"

#include <algorithm>

namespace cairn {

void* Arena::allocate(std::size_t bytes) {
  bytes = (bytes + k_cache_line - 1) / k_cache_line * k_cache_line;
  if (blocks_.empty() || used_ + bytes > blocks_.back().size()) {
    const std::size_t size = std::max(bytes, next_block_bytes_);
    blocks_.emplace_back(size);
    used_before_ += used_;
    used_ = 0;
    reserved_ += size;
    next_block_bytes_ = 2 * size;
  }
  void* p = blocks_.back().data() + used_;
  used_ += bytes;
  return p;
}

void Arena::reset() {
  if (blocks_.size() > 1) {  // next time one block of the whole size will do
    const std::size_t size = reserved_;
    blocks_.clear();
    reserved_ = 0;
    blocks_.emplace_back(size);
    reserved_ = size;
  }
  used_ = used_before_ = 0;
}

}  // namespace cairn
