// The outline of a Polygon: is it convex, and which of its corners matter?
//
// A closed outline is strictly convex exactly when every corner turns the same way and the edges' directions
// go round once. (A five-pointed star turns left at every corner too, but goes round twice.)
//
// Corners on the line of their neighbours are dropped. "On the line" means to the round-off of the
// coordinates, 4 ulp of the largest: a test with exact arithmetic would refuse (0, 0), (0.1, 0.3), (0.3, 0.9)
// as concave, for no reason its author could see.
#include <algorithm>
#include <limits>

#include "geometry/geometry_2d.h"

namespace cairn {
namespace {

using detail::refuse;
using Corners = std::vector<std::size_t>;  // indices into the points

double round_off(const std::vector<Vec2>& points) {
  double largest = 0;
  for (const Vec2& p : points) largest = larger(largest, larger(absolute(p.x), absolute(p.y)));
  return 4 * std::numeric_limits<double>::epsilon() * largest;
}

// Does b lie between a and c, on their line?
bool is_between(const Vec2& a, const Vec2& b, const Vec2& c, double tolerance) {
  const Vec2 chord = c - a, side = b - a;
  const double along = dot(side, chord), chord_squared = length_squared(chord);
  return along >= 0 && along <= chord_squared &&
         absolute(cross(chord, side)) <= tolerance * square_root(chord_squared);
}

Corners without_repetitions(const std::vector<Vec2>& points, double tolerance) {
  Corners kept;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (kept.empty() || length(points[i] - points[kept.back()]) > tolerance) kept.push_back(i);
  while (kept.size() > 1 && length(points[kept.back()] - points[kept.front()]) <= tolerance) kept.pop_back();
  return kept;
}

Corners without_straight_corners(const std::vector<Vec2>& points, const Corners& all, double tolerance) {
  Corners kept;
  const auto drop_last_if_straight = [&](std::size_t next) {
    while (kept.size() >= 2 &&
           is_between(points[kept[kept.size() - 2]], points[kept.back()], points[next], tolerance))
      kept.pop_back();
  };
  for (const std::size_t i : all) {
    drop_last_if_straight(i);
    kept.push_back(i);
  }
  if (kept.size() >= 3) drop_last_if_straight(kept.front());  // across the seam, both ways
  while (kept.size() >= 3 && is_between(points[kept.back()], points[kept[0]], points[kept[1]], tolerance))
    kept.erase(kept.begin());
  return kept;
}

double twice_area(const std::vector<Vec2>& points, const Corners& corners) {
  double sum = 0;
  const Vec2 o = points[corners[0]];
  for (std::size_t k = 1; k + 1 < corners.size(); ++k)
    sum += cross(points[corners[k]] - o, points[corners[k + 1]] - o);
  return sum;
}

// How often the directions of the edges of an outline that only turns left go round.
int rounds(const std::vector<Vec2>& points, const Corners& corners) {
  const std::size_t n = corners.size();
  const auto points_up = [&](std::size_t k) {
    const Vec2 edge = points[corners[(k + 1) % n]] - points[corners[k % n]];
    return edge.y > 0 || (edge.y == 0 && edge.x > 0);
  };
  int count = 0;
  for (std::size_t k = 0; k < n; ++k) count += !points_up(k) && points_up(k + 1);
  return count;
}

}  // namespace

std::vector<std::size_t> convex_corners(const std::vector<Vec2>& points, const Path& path) {
  const double tolerance = round_off(points);
  Corners corners = without_straight_corners(points, without_repetitions(points, tolerance), tolerance);
  const std::size_t n = corners.size();
  if (n < 3)
    refuse(path, std::to_string(points.size()) + " points",
           "lie on one line; the outline must enclose an area");
  if (twice_area(points, corners) < 0) std::reverse(corners.begin(), corners.end());
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 a = points[corners[(k + n - 1) % n]], b = points[corners[k]], c = points[corners[(k + 1) % n]];
    if (!(cross(b - a, c - b) > 0))
      refuse(path[corners[k]], to_text(b) + " m",
             "makes the outline concave; make it a compound with convex_decomposition(points), or list the "
             "corners in "
             "order if it crosses itself");
  }
  if (const int count = rounds(points, corners); count != 1)
    refuse(path, std::to_string(points.size()) + " points",
           "cross themselves: the outline goes round " + std::to_string(count) +
               " times; list the corners in order around it");
  return corners;
}

}  // namespace cairn
