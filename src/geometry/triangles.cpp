#include "geometry/triangles.h"

namespace cairn {
namespace {

bool overlap(const Bounds3& a, const std::array<Vec3, 3>& t) {
  const Vec3 lo = smaller(t[0], smaller(t[1], t[2])), hi = larger(t[0], larger(t[1], t[2]));
  return lo.x <= a.hi.x && lo.y <= a.hi.y && lo.z <= a.hi.z && hi.x >= a.lo.x && hi.y >= a.lo.y &&
         hi.z >= a.lo.z;
}

}  // namespace

void triangles_in(const TriangleMesh& mesh, const Bounds3& box, std::vector<PlacedTriangle>& out) {
  out.clear();
  for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
    const auto [i, j, l] = mesh.triangles[k];
    const std::array<Vec3, 3> corners{mesh.vertices[i], mesh.vertices[j], mesh.vertices[l]};
    if (overlap(box, corners)) out.push_back({k, corners});
  }
}

void triangles_in(const HeightGrid& grid, const Bounds3& box, std::vector<PlacedTriangle>& out) {
  out.clear();
  const std::uint32_t cells = grid.field.columns - 1;
  for (std::uint32_t j = 0; j + 1 < grid.field.rows; ++j)
    for (std::uint32_t i = 0; i + 1 < grid.field.columns; ++i) {
      const Vec3 p = grid.sample(i, j), q = grid.sample(i + 1, j), r = grid.sample(i + 1, j + 1),
                 s = grid.sample(i, j + 1);
      const std::array<Vec3, 3> corners[2] = {{p, q, r}, {p, r, s}};
      for (std::uint32_t half = 0; half < 2; ++half)
        if (overlap(box, corners[half])) out.push_back({2 * (j * cells + i) + half, corners[half]});
    }
}

}  // namespace cairn
