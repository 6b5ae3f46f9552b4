#include "allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace allocations {
namespace {

std::atomic<long> left{-1};
std::atomic<bool> has_run_out{false};
std::atomic<std::size_t> bytes{0};

bool may_take(std::size_t size) {
  if (left.load(std::memory_order_relaxed) < 0) return true;
  if (left.load() > 0 && left.fetch_sub(1) > 0) {
    bytes += size;
    return true;
  }
  has_run_out = true;
  left = 0;
  return false;
}
void* take(std::size_t size) { return may_take(size) ? std::malloc(size ? size : 1) : nullptr; }
void* or_throw(void* p) {
  if (!p) throw std::bad_alloc();
  return p;
}

}  // namespace

void allow(long count) {
  has_run_out = false;
  bytes = 0;
  left = count;
}
bool ran_out() { return has_run_out; }
std::size_t bytes_taken() { return bytes; }

}  // namespace allocations

// Not inlined, or g++ takes the mismatch of new and free for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return allocations::or_throw(allocations::take(size));
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {  // std::stable_sort
  return allocations::take(size);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  const std::size_t step = std::size_t(alignment);
  return allocations::or_throw(
      allocations::may_take(size) ? std::aligned_alloc(step, (size + step - 1) / step * step) : nullptr);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
