// Monotone chain (A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", Information
// Processing Letters 9, 1979) on exact signs.
#include "geometry/hull_2d.h"

#include "geometry/point_cloud.h"
#include "geometry/predicates.h"

namespace cairn {
namespace {

// The furthest distance of a corner from the line through the corner furthest from the first one: no less
// than a third or so of the outline's least width, and 0 for two corners.
double thickness(const std::vector<Vec2>& outline) {
  const Vec2& a = outline[0];
  Vec2 b = a;
  for (const Vec2& p : outline)
    if (length_squared(p - a) > length_squared(b - a)) b = p;
  const Vec2 normal = perpendicular(normalized(b - a));
  double low = 0, high = 0;
  for (const Vec2& p : outline) {
    low = smaller(low, dot(normal, p - a));
    high = larger(high, dot(normal, p - a));
  }
  return high - low;
}

}  // namespace

std::vector<Vec2> convex_outline(std::span<const Vec2> given) {
  const PointCloud<Vec2> cloud = checked_cloud(given, "Outline.points", 3);
  const std::vector<Vec2>& points = cloud.points;
  std::vector<Vec2> outline;
  std::size_t fixed = 1;  // corners of the chains that are finished, and the start of this one
  const auto take = [&](const Vec2& p) {
    while (outline.size() > fixed && orient2d(outline.end()[-2], outline.end()[-1], p) <= 0)
      outline.pop_back();
    outline.push_back(p);
  };
  for (std::size_t i = 0; i < points.size(); ++i) take(points[i]);  // below, from left to right
  fixed = outline.size();
  for (std::size_t i = points.size() - 1; i-- > 0;) take(points[i]);  // above, and back to the start
  outline.pop_back();

  const double found = thickness(outline);
  if (found < k_least_thickness * cloud.extent) throw too_thin(cloud, found, "line");
  return outline;
}

}  // namespace cairn
