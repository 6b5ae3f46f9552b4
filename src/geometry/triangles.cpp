#include "geometry/triangles.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

bool overlap(const Bounds3& a, const std::array<Vec3, 3>& t) {
  const Vec3 lo = smaller(t[0], smaller(t[1], t[2])), hi = larger(t[0], larger(t[1], t[2]));
  return lo.x <= a.hi.x && lo.y <= a.hi.y && lo.z <= a.hi.z && hi.x >= a.lo.x && hi.y >= a.lo.y &&
         hi.z >= a.lo.z;
}

// The cells along one axis that may reach into [lo, hi]: one more at either end than rounding could need.
struct CellRange {
  std::uint32_t begin, end;
};
CellRange cells_between(double lo, double hi, double spacing, std::uint32_t samples) {
  const double cells = double(samples) - 1;
  const double begin = clamp(std::floor(lo / spacing) - 1, 0, cells),
               end = clamp(std::floor(hi / spacing) + 2, 0, cells);
  return {std::uint32_t(begin), std::uint32_t(end)};
}

}  // namespace

void triangles_in(const TriangleMesh& mesh, const Bounds3& box, std::vector<PlacedTriangle>& out) {
  out.clear();
  mesh.tree.query(box, [&](std::uint32_t k) {
    const auto [i, j, l] = mesh.triangles[k];
    const std::array<Vec3, 3> corners{mesh.vertices[i], mesh.vertices[j], mesh.vertices[l]};
    if (overlap(box, corners)) out.push_back({k, corners});
  });
  std::sort(out.begin(), out.end(), [](const PlacedTriangle& a, const PlacedTriangle& b) {
    return a.index < b.index;
  });  // all differ
}

void triangles_in(const HeightGrid& grid, const Bounds3& box, std::vector<PlacedTriangle>& out) {
  out.clear();
  if (box.lo.z > grid.highest || box.hi.z < grid.lowest) return;
  const HeightField& field = grid.field;
  const CellRange columns = cells_between(box.lo.x, box.hi.x, field.spacing.x, field.columns),
                  rows = cells_between(box.lo.y, box.hi.y, field.spacing.y, field.rows);
  const std::uint32_t cells = field.columns - 1;
  for (std::uint32_t j = rows.begin; j < rows.end; ++j)
    for (std::uint32_t i = columns.begin; i < columns.end; ++i) {
      const Vec3 p = grid.sample(i, j), q = grid.sample(i + 1, j), r = grid.sample(i + 1, j + 1),
                 s = grid.sample(i, j + 1);
      const std::array<Vec3, 3> corners[2] = {{p, q, r}, {p, r, s}};
      for (std::uint32_t half = 0; half < 2; ++half)
        if (overlap(box, corners[half])) out.push_back({2 * (j * cells + i) + half, corners[half]});
    }
}

}  // namespace cairn
