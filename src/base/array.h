// std::vector whose memory starts on a cache line, for arrays that kernels stream through.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace cairn {

inline constexpr std::size_t k_cache_line = 64;

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) noexcept {}
  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(k_cache_line)));
  }
  void deallocate(T* p, std::size_t) noexcept {  // clang 14 has no sized delete
    ::operator delete(p, std::align_val_t(k_cache_line));
  }
  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

template <class T>
using Array = std::vector<T, CacheLineAllocator<T>>;

// Room for so many elements in all, so that push_back cannot fail; grows in proportion, unlike reserve.
template <class Vector>
void make_room(Vector& v, std::size_t count) {
  if (count > v.capacity()) v.reserve(2 * count + 6);
}
// Room for one more.
template <class Vector>
void make_room(Vector& v) {
  make_room(v, v.size() + 1);
}

}  // namespace cairn
