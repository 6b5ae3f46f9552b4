// From the segments of a chain to its faces: straight runs of segments.
//
// A run grows while all its joints stay within the round-off of the coordinates (4 ulp of the largest, as for the
// corners of polygons) of the line from its first point to its last. Each joint p allows the directions from
// the first point that pass it within that distance: a narrow fan; the next point belongs to the run if it lies
// in the intersection of all fans so far, ahead of the points before it (the "cone" method of Sklansky and
// Gonzalez 1980).
#include <limits>

#include "geometry/direction.h"
#include "geometry/geometry_2d.h"

namespace cairn {
namespace {

double round_off(const std::vector<Vec2>& points) {
  double largest = 0;
  for (const Vec2& p : points) largest = larger(largest, largest_component(p));
  return 4 * std::numeric_limits<double>::epsilon() * largest;
}

class StraightRun {
 public:
  StraightRun(const Vec2& from, const Vec2& first, double tolerance) : from_(from), tolerance_(tolerance) {
    narrow(first);
  }
  // Adds the next point if the run stays straight.
  bool extend(const Vec2& next) {
    const Vec2 way = next - from_;
    if (cross(right_, way) < 0 || cross(way, left_) < 0 || !(dot(middle_, way) > reach_)) return false;
    narrow(next);
    return true;
  }

 private:
  void narrow(const Vec2& point) {
    const auto [along, distance] = direction_of(point - from_);
    const double ratio = smaller(tolerance_ / distance, 1);
    const Vec2 right = along - ratio * perpendicular(along), left = along + ratio * perpendicular(along);
    if (middle_ == Vec2{} || cross(right_, right) > 0) right_ = right;
    if (middle_ == Vec2{} || cross(left_, left) < 0) left_ = left;
    middle_ = along;
    reach_ = distance;
  }

  Vec2 from_, right_{}, left_{}, middle_{};
  double tolerance_, reach_ = 0;
};

// A point of a loop that is not inside a straight run; 0 for a chain that is no loop, or bends nowhere.
std::size_t first_bend(const Chain& chain, double tolerance) {
  const std::size_t n = chain.points.size();
  if (!chain.loop) return 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 p = chain.points[(i + n - 1) % n];
    if (!StraightRun(p, chain.points[i], tolerance).extend(chain.points[(i + 1) % n])) return i;
  }
  return 0;
}

}  // namespace

PolyLine poly_line(const Chain& chain) {
  PolyLine line{chain, {}, {}};
  const double tolerance = round_off(chain.points);
  const std::size_t n = chain.points.size(), segments = chain.loop ? n : n - 1;
  const std::size_t offset = first_bend(chain, tolerance);
  const auto point = [&](std::size_t i) { return chain.points[(offset + i) % n]; };
  std::vector<Bounds2> boxes;
  for (std::size_t i = 0; i < segments;) {
    const std::size_t begin = i;
    StraightRun run(point(begin), point(++i), tolerance);
    while (i < segments && run.extend(point(i + 1))) ++i;
    const Vec2 a = point(begin), b = point(i);
    line.faces.push_back({a, b, perpendicular(direction_of(b - a).unit), std::uint32_t((offset + begin) % n),
                          std::uint32_t(i - begin), std::uint32_t((offset + i) % n)});
    Bounds2 box{a, a};
    for (std::size_t k = begin + 1; k <= i; ++k) box = {smaller(box.lo, point(k)), larger(box.hi, point(k))};
    boxes.push_back(box);
  }
  line.tree = RunTree2(boxes);
  return line;
}

}  // namespace cairn
