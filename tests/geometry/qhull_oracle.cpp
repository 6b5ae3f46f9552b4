#include "geometry/qhull_oracle.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace cairn::test {

QhullResult qhull(std::span<const Vec3> points) {
  std::vector<coordT> coordinates;
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
  qhT state;
  qhT* qh = &state;
  qh_zero(qh, stderr);
  char options[] = "qhull Qt";
  if (qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False, options, nullptr,
                   stderr) != 0)
    throw std::runtime_error("qhull failed");
  qh_getarea(qh, qh->facet_list);
  QhullResult result{qh->totvol, qh->totarea, {}};
  vertexT* vertex;
  FORALLvertices {
    result.vertices.push_back(points[static_cast<std::size_t>(qh_pointid(qh, vertex->point))]);
  }
  qh_freeqhull(qh, !qh_ALL);
  int remaining, total;
  qh_memfreeshort(qh, &remaining, &total);
  std::sort(result.vertices.begin(), result.vertices.end(), [](const Vec3& a, const Vec3& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
  });
  return result;
}

}  // namespace cairn::test
