// Asks for memory that is needed soon. What lies in another order than it is visited in is waited for otherwise: half of the time of
// a stage, where contacts are large.
#pragma once

#include <cstddef>

#include "base/array.h"

namespace cairn {

// Always inlined, for kernels (base/kernel.h).
template <class T>
[[gnu::always_inline]] inline void prefetch(const T& object) {
  const char* const begin = reinterpret_cast<const char*>(&object);
  for (std::size_t i = 0; i < sizeof object; i += k_cache_line) __builtin_prefetch(begin + i);
}

}  // namespace cairn
