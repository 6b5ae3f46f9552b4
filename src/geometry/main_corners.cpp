// Like quickhull, but it stops early: from a few points spread far apart, each round adds the point furthest outside of
// each face, until no point is out by more than allowed.
#include "geometry/main_corners.h"

#include <algorithm>
#include <tuple>

#include "geometry/gjk.h"
#include "geometry/hull_3d.h"

namespace cairn {
namespace {

constexpr int k_most_rounds = 64;

template <class Measure>
std::size_t largest(std::span<const Vec3> points, Measure measure) {
  std::size_t best = 0;
  double most = measure(points[0]);
  for (std::size_t k = 1; k < points.size(); ++k)
    if (const double m = measure(points[k]); m > most) {
      most = m;
      best = k;
    }
  return best;
}

// The furthest along the axes; and from one of them the furthest, from their line, from the plane of these three.
std::vector<std::size_t> first_corners(std::span<const Vec3> points) {
  std::vector<std::size_t> chosen;
  for (const auto axis : {&Vec3::x, &Vec3::y, &Vec3::z})
    for (const double sign : {-1., 1.})
      chosen.push_back(largest(points, [&](const Vec3& p) { return sign * p.*axis; }));
  const Vec3 a = points[chosen[0]];
  chosen.push_back(largest(points, [&](const Vec3& p) { return length_squared(p - a); }));
  const Vec3 b = points[chosen.back()];
  chosen.push_back(largest(points, [&](const Vec3& p) { return length_squared(cross(b - a, p - a)); }));
  const Vec3 normal = cross(b - a, points[chosen.back()] - a);
  chosen.push_back(largest(points, [&](const Vec3& p) { return absolute(dot(normal, p - a)); }));
  return chosen;
}

// Adds the furthest point outside of each face; says whether there was any. `exactly`: how far it is from the hull,
// rather than from the plane of the face, which is less where it lies beyond a sharp edge.
bool grow(std::vector<std::size_t>& chosen, std::span<const Vec3> points, const Polyhedron& hull,
          double within, bool exactly) {
  const Core3 core = core_of(Piece3{&hull});
  std::vector<double> furthest(hull.face_count(), within);
  std::vector<std::size_t> who(hull.face_count(), points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    std::size_t face = 0;
    double out = hull.planes[0].distance(points[k]);
    for (std::size_t f = 1; f < hull.face_count(); ++f)
      if (const double height = hull.planes[f].distance(points[k]); height > out) {
        out = height;
        face = f;
      }
    if (exactly && out > hull.merge_distance)
      out = nearest(core, {.kind = CoreKind::point, .middle = points[k]}, {}, hull.planes[face].normal)
                .distance;
    if (out <= furthest[face]) continue;
    furthest[face] = out;
    who[face] = k;
  }
  const std::size_t before = chosen.size();
  for (const std::size_t k : who)
    if (k < points.size()) chosen.push_back(k);
  return chosen.size() > before;
}

}  // namespace

std::vector<Vec3> main_corners(std::span<const Vec3> points, double within) {
  std::vector<Vec3> distinct(points.begin(), points.end());
  std::sort(distinct.begin(), distinct.end(),
            [](const Vec3& a, const Vec3& b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); });
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::size_t> chosen = first_corners(distinct);
  for (int round = 0; round < k_most_rounds; ++round) {
    std::vector<Vec3> corners;
    for (const std::size_t k : chosen) corners.push_back(distinct[k]);
    const Polyhedron hull = build_hull(corners);
    const double limit = larger(within, 2 * hull.merge_distance);
    if (!grow(chosen, distinct, hull, limit, false) && !grow(chosen, distinct, hull, limit, true))
      return hull.exact.vertices;
  }
  return build_hull(distinct).exact.vertices;
}

}  // namespace cairn
