#include "base/assert.h"
#include "geometry/direction.h"
#include "geometry/support.h"

namespace cairn {
namespace {

double with_sign(double magnitude, double sign) { return sign < 0 ? -magnitude : magnitude; }

Vec2 furthest(const Circle& c, const Vec2& d) { return c.radius * direction_of(d).unit; }
Vec2 furthest(const Box2& b, const Vec2& d) { return {with_sign(b.half.x, d.x), with_sign(b.half.y, d.y)}; }
Vec2 furthest(const Capsule2& c, const Vec2& d) {
  return Vec2{0, with_sign(c.half_length, d.y)} + c.radius * direction_of(d).unit;
}
Vec2 furthest(const ConvexPolygon& polygon, const Vec2& d) {
  const Vec2 first = polygon.points[0];  // distances from it keep an outline far from the origin exact
  Vec2 best = first;
  double best_along = 0;
  for (const Vec2& p : polygon.points)
    if (const double along = dot(p - first, d); along > best_along) {
      best_along = along;
      best = p;
    }
  return best;
}
Vec2 furthest(const Segment& s, const Vec2& d) { return dot(s.b - s.a, d) > 0 ? s.b : s.a; }
template <class S>
Vec2 furthest(const S&, const Vec2&) {
  CAIRN_ASSERT(false);
  return {};
}

}  // namespace

bool has_support(const Geometry2& shape) {
  return !std::holds_alternative<Chain>(shape.form) && !std::holds_alternative<PartList2>(shape.form);
}

Vec2 support(const Geometry2& shape, const Vec2& direction) {
  return std::visit([&](const auto& s) { return furthest(s, direction); }, shape.form);
}

}  // namespace cairn
