// The hull by qhull, an independent implementation, to compare with.
#pragma once

#include <cairn/math.h>

#include <span>
#include <vector>

namespace cairn::test {

struct QhullResult {
  double volume, area;         // [m³], [m²]
  std::vector<Vec3> vertices;  // in lexicographic order
};
QhullResult qhull(std::span<const Vec3> points);

}  // namespace cairn::test
