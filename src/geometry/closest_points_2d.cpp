#include "base/assert.h"
#include "geometry/chain_segments.h"
#include "geometry/closest_cores.h"
#include "geometry/line.h"

namespace cairn {
namespace {

// From the chain to the convex core, in the chain's frame: every segment that may be nearer than the nearest so far.
ClosestPoints<Dim2> from_chain(const Chain& chain, const Core2& core, const Pose2& pose, const Bounds2& box) {
  ClosestPoints<Dim2> best;
  best.distance = k_infinity;
  for (std::size_t k = 0; k < segment_count(chain); ++k) {
    const Segment s = segment_of(chain, k);
    const Vec2 apart = larger(larger(smaller(s.a, s.b) - box.hi, box.lo - larger(s.a, s.b)), Vec2{});
    if (length(apart) >= best.distance)
      continue;  // the distance of the boxes is less than that of what is in them
    const auto found = closest_points<Dim2>(core_of_segment(s.a, s.b), core, pose, {});
    if (found.distance < best.distance) best = found;
  }
  return best;
}

bool inside(const Circle& c, const Vec2& p) { return length(p) <= c.radius; }
bool inside(const Box2& b, const Vec2& p) { return absolute(p.x) <= b.half.x && absolute(p.y) <= b.half.y; }
bool inside(const Capsule2& c, const Vec2& p) {
  return length(p - Vec2{0, clamp(p.y, -c.half_length, c.half_length)}) <= c.radius;
}
bool inside(const ConvexPolygon& polygon, const Vec2& p) {
  for (std::size_t k = 0; k < polygon.points.size(); ++k)
    if (dot(polygon.normals[k], p - polygon.points[k]) > 0) return false;
  return true;
}
bool inside(const Segment&, const Vec2&) { return false; }
bool inside(const Chain&, const Vec2&) { return false; }

}  // namespace

ClosestPoints<Dim2> closest_points(const Piece2& a, const Piece2& b, const Pose2& b_in_a) {
  if (!is_convex(a)) {
    CAIRN_ASSERT(is_convex(b));
    return from_chain(*std::get<const PolyLine*>(a), core_of(b), b_in_a, bounds(b, b_in_a));
  }
  if (!is_convex(b)) return swapped(closest_points(b, a, inverse(b_in_a)), b_in_a);
  return closest_points<Dim2>(core_of(a), core_of(b), b_in_a, {});
}

bool contains(const Piece2& piece, const Vec2& point) {
  return std::visit([&](const auto* s) { return inside(*s, point); }, piece);
}

}  // namespace cairn
