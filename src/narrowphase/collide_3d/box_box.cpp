// Two boxes: the fifteen axes of Gottschalk, Lin and Manocha (1996), three of a's faces, three of b's and
// nine of pairs of edges. With t the centre of b in a's frame and R the axes of b as columns, the separation
// along a unit direction n is
//
//   |n·t| − Σ hₐᵢ |nᵢ| − Σ h_bⱼ |n·Rⱼ|
//
// which for n = aᵢ × bⱼ / |aᵢ × bⱼ| has only four products of half edges, and |aᵢ × bⱼ|² = 1 − Rᵢⱼ² is the
// sum of the squares of the other two entries in Rⱼ.
#include "geometry/line.h"
#include "narrowphase/collide_3d/axis.h"
#include "narrowphase/collide_3d/polyhedra.h"

namespace cairn {
namespace {

double separation_of(const Box3& a, const Box3& b, const Placement& place, const Vec3& n) {
  return dot(n, place.position) - dot(absolute(n), a.half) - dot(absolute(place.turned_in(n)), b.half);
}

}  // namespace

bool find_axis(const Box3& a, const Box3& b, const AxisQuery& query, ContactAxis& out) {
  const Mat3& axes = query.place.axes;
  const Vec3 t = query.place.position;
  const double ha[3] = {a.half.x, a.half.y, a.half.z}, hb[3] = {b.half.x, b.half.y, b.half.z};
  const double tt[3] = {t.x, t.y, t.z};
  const double r[3][3] = {{axes.c0.x, axes.c1.x, axes.c2.x},
                          {axes.c0.y, axes.c1.y, axes.c2.y},
                          {axes.c0.z, axes.c1.z, axes.c2.z}};
  const Vec3 columns[3] = {axes.c0, axes.c1, axes.c2};
  constexpr Vec3 k_axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double q[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) q[i][j] = absolute(r[i][j]);

  out.has_witness = false;
  out.separation = -k_infinity;
  const auto consider = [&](double separation, const Vec3& n, double toward) {
    if (separation <= out.separation) return;
    out.separation = separation;
    out.normal = toward < 0 ? -n : n;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const double reach = ha[i] + hb[0] * q[i][0] + hb[1] * q[i][1] + hb[2] * q[i][2];
    consider(absolute(tt[i]) - reach, k_axes[i], tt[i]);
  }
  for (std::size_t j = 0; j < 3; ++j) {
    const double toward = dot(t, columns[j]);
    const double reach = hb[j] + ha[0] * q[0][j] + ha[1] * q[1][j] + ha[2] * q[2][j];
    consider(absolute(toward) - reach, columns[j], toward);
  }
  if (out.separation > query.margin) return false;
  if (out.separation > query.size * k_apart)
    return true;  // apart: edges do not decide, the nearest points do

  constexpr double k_parallel = 1e-10;  // the sine of the angle between edges that have no cross product
  constexpr double k_nearly =
      1e-4;  // below, the formula loses digits: the sum is taken along an exact normal
  const double better = query.size * k_no_better;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (std::size_t j = 0; j < 3; ++j) {
      const double sine = square_root(r[i1][j] * r[i1][j] + r[i2][j] * r[i2][j]);
      if (sine < k_parallel) continue;
      const std::size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double toward = tt[i2] * r[i1][j] - tt[i1] * r[i2][j];
      const double reach = ha[i1] * q[i2][j] + ha[i2] * q[i1][j] + hb[j1] * q[i][j2] + hb[j2] * q[i][j1];
      if (sine >= k_nearly && (absolute(toward) - reach) / sine <= out.separation + better) continue;
      Vec3 n = common_perpendicular(k_axes[i], columns[j]);
      if (dot(n, t) < 0) n = -n;
      const double separation = separation_of(a, b, query.place, n);
      if (separation <= out.separation + better) continue;
      out.separation = separation;
      out.normal = n;
    }
  }
  return out.separation <= query.margin;
}

}  // namespace cairn
