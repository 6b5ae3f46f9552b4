#include "narrowphase/collide_3d/surface_patch.h"

#include <algorithm>

namespace cairn {
namespace {

using Points = std::vector<ManifoldPoint<Dim3>>;

constexpr double k_straight = 1e-6;  // of the width
constexpr std::size_t k_many = 48, k_directions = 24;

struct Corner {
  double x, y;  // [m] seen along the normal
  std::uint32_t index;
};

double turn(const Corner& a, const Corner& b, const Corner& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Andrew's monotone chain (1979): the lower side from left to right, then the upper one back. Corners in order of x.
std::vector<Corner> outline_of(const std::vector<Corner>& corners, double tolerance) {
  std::vector<Corner> chain;
  const auto extend = [&](const Corner& c, std::size_t first) {
    while (chain.size() >= first + 2 && turn(chain[chain.size() - 2], chain.back(), c) <= tolerance)
      chain.pop_back();
    chain.push_back(c);
  };
  for (const Corner& c : corners) extend(c, 0);
  const std::size_t lower = chain.size() - 1;
  for (std::size_t k = corners.size() - 1; k-- > 0;) extend(corners[k], lower);
  chain.pop_back();  // the first one again
  return chain;
}

void keep_furthest(std::vector<Corner>& corners) {
  std::vector<Corner> kept;
  for (std::size_t d = 0; d < k_directions; ++d) {
    const portable::SinCos way = portable::sin_cos(2 * k_pi * double(d) / k_directions);
    std::size_t best = 0;
    for (std::size_t k = 1; k < corners.size(); ++k)
      if (way.cos * (corners[k].x - corners[best].x) + way.sin * (corners[k].y - corners[best].y) > 0)
        best = k;
    kept.push_back(corners[best]);
  }
  corners = std::move(kept);
}

}  // namespace

void keep_outline(Points& points, const Vec3& n) {
  if (points.size() <= Manifold<Dim3>::k_most_points) return;
  const Vec3 u = perpendicular(n), v = cross(n, u), origin = points[0].point;
  std::vector<Corner> corners;
  double width = 0;
  std::uint32_t deepest = 0;
  for (std::uint32_t k = 0; k < points.size(); ++k) {
    const Vec3 d = points[k].point - origin;
    corners.push_back({dot(u, d), dot(v, d), k});
    width = larger(width, larger(absolute(corners.back().x), absolute(corners.back().y)));
    if (points[k].separation < points[deepest].separation) deepest = k;
  }
  std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.index < b.index;
  });
  corners = outline_of(corners, k_straight * width * width);
  if (corners.size() > k_many) keep_furthest(corners);

  std::vector<std::uint32_t> kept{deepest};
  for (const Corner& c : corners) kept.push_back(c.index);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (std::size_t k = 0; k < kept.size(); ++k) points[k] = points[kept[k]];
  points.resize(kept.size());
}

}  // namespace cairn
