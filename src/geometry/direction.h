// The unit vector along a vector of any magnitude: 1e-200 and 1e200 have squares that no double holds.
#pragma once

#include <cairn/math.h>

namespace cairn {

CAIRN_INLINE double largest_component(const Vec2& v) { return larger(absolute(v.x), absolute(v.y)); }
CAIRN_INLINE double largest_component(const Vec3& v) {
  return larger(absolute(v.x), larger(absolute(v.y), absolute(v.z)));
}

template <class V>
struct Direction {
  V unit{};           // zero for the zero vector
  double length = 0;  // of the vector
};
template <class V>
Direction<V> direction_of(const V& v) {
  const double scale = largest_component(v);
  if (scale == 0) return {};
  const V scaled = v / scale;
  const double n = length(scaled);
  return {scaled / n, scale * n};
}

}  // namespace cairn
