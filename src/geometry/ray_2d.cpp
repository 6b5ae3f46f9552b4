// Ray casts in the plane.
#include "geometry/line.h"
#include "geometry/piece.h"
#include "geometry/ray.h"

namespace cairn {
namespace {

using Line2 = Line<Dim2>;
using Stretch2 = Stretch<Dim2>;
using Hit = std::optional<RayHit2>;

// Between two walls, at ±half along one axis.
Stretch2 stretch_between(double p, double d, double half, const Vec2& axis) {
  if (d == 0) return absolute(p) <= half ? Stretch2{} : Stretch2::none();
  const double s0 = (-half - p) / d, s1 = (half - p) / d;
  return d > 0 ? Stretch2{s0, s1, -axis} : Stretch2{s1, s0, axis};
}

Stretch2 stretch_in(const Box2& b, const Line2& line) {
  return common(stretch_between(line.origin.x, line.direction.x, b.half.x, {1, 0}),
                stretch_between(line.origin.y, line.direction.y, b.half.y, {0, 1}));
}

Hit cast(const Circle& c, const Ray2& ray) {
  const Line2 line = line_of(ray, {});
  const auto [enter, exit] = chord(line.origin, line.direction, c.radius);
  return hit_solid(line, enter, exit, [](const Vec2& point) { return direction_of(point).unit; });
}

Hit cast(const Box2& b, const Ray2& ray) {
  const Line2 line = line_of(ray, {});
  return hit_solid(line, stretch_in(b, line));
}

// A box and two discs.
Hit cast(const Capsule2& c, const Ray2& ray) {
  const Line2 line = line_of(ray, {});
  const Vec2 end{0, c.half_length};
  const Stretch2 shaft = stretch_in(Box2{{c.radius, c.half_length}}, line);
  Chord inside = united(Chord::none(), {shaft.enter, shaft.exit});
  inside = united(inside, chord(line.origin - end, line.direction, c.radius));
  inside = united(inside, chord(line.origin + end, line.direction, c.radius));
  return hit_solid(line, inside.enter, inside.exit, [&](const Vec2& point) {
    return direction_of(point - Vec2{0, clamp(point.y, -c.half_length, c.half_length)}).unit;
  });
}

Hit cast(const ConvexPolygon& polygon, const Ray2& ray) {
  const Line2 line = line_of(ray, polygon.points[0]);
  Stretch2 inside;
  for (std::size_t i = 0; i < polygon.points.size() && !inside.is_empty(); ++i) {
    const Vec2 normal = polygon.normals[i];
    inside = common(inside, stretch_below(line, normal, dot(normal, polygon.points[i] - line.origin)));
  }
  return hit_solid(line, inside);
}

// The value of s where the line meets the segment, if the ray reaches it. Each end's side of the line is
// computed from that end alone, so that two segments with a common end leave no gap there.
struct SegmentMeeting {
  double s;
  bool end_on;  // the segment lies on the line
};
std::optional<SegmentMeeting> meet(const Line2& line, const Vec2& a, const Vec2& b) {
  const Vec2 to_a = a - line.origin, to_b = b - line.origin;
  const double side_a = cross(line.direction, to_a), side_b = cross(line.direction, to_b);
  if ((side_a > 0 && side_b > 0) || (side_a < 0 && side_b < 0)) return std::nullopt;
  const double along_a = dot(line.direction, to_a), along_b = dot(line.direction, to_b);
  if (side_a == 0 && side_b == 0) {
    const double s = larger(line.begin, smaller(along_a, along_b));
    if (s > line.end || s > larger(along_a, along_b)) return std::nullopt;
    return SegmentMeeting{s, true};
  }
  const double s = along_a + side_a / (side_a - side_b) * (along_b - along_a);
  if (s < line.begin || s > line.end) return std::nullopt;
  return SegmentMeeting{s, false};
}

RayHit2 hit_of(const Line2& line, const SegmentMeeting& meeting, const Vec2& a, const Vec2& b) {
  return meeting.end_on ? hit_at(line, meeting.s, -line.direction)
                        : hit_surface(line, meeting.s, perpendicular(b - a));
}

Hit cast(const Segment& segment, const Ray2& ray) {
  const Line2 line = line_of(ray, segment.a);
  const auto meeting = meet(line, segment.a, segment.b);
  if (!meeting) return std::nullopt;
  return hit_of(line, *meeting, segment.a, segment.b);
}

// May the line meet something in the box on the way from its begin to its end? Yes in doubt.
bool may_meet(const Line2& line, const Bounds2& box) {
  const Vec2 middle = 0.5 * (box.lo + box.hi) - line.origin, half = 0.5 * (box.hi - box.lo);
  const double along = dot(line.direction, middle), aside = cross(line.direction, middle);
  const double slack = 1e-12 * (largest_component(middle) + largest_component(line.origin)) + half.x + half.y;
  return absolute(aside) <= slack && along >= line.begin - slack && along <= line.end + slack;
}

Hit cast(const PolyLine& chain, const Ray2& ray) {
  const Line2 line = line_of(ray, chain.points[0]);
  const std::size_t n = chain.points.size();
  std::optional<SegmentMeeting> first;
  std::size_t at = 0;
  const auto try_segment = [&](std::size_t i) {
    const auto meeting = meet(line, chain.points[i], chain.points[(i + 1) % n]);
    if (!meeting || (first && (meeting->s > first->s || (meeting->s == first->s && at < i)))) return;
    first = meeting;
    at = i;
  };
  chain.tree.query_if([&](const Bounds2& box) { return may_meet(line, box); },
                      [&](std::size_t index) {
                        const ChainFace& face = chain.faces[index];
                        for (std::size_t k = 0; k < face.count; ++k) try_segment((face.first + k) % n);
                      });
  if (!first) return std::nullopt;
  return hit_of(line, *first, chain.points[at], chain.points[(at + 1) % n]);
}

Hit cast(const PartList2& list, const Ray2& ray) {
  return first_hit(list.parts, ray, [](const auto& shape, const Ray2& local) { return cast(shape, local); });
}

}  // namespace

std::optional<RayHit2> ray_cast(const Geometry2& shape, const Ray2& ray) {
  return std::visit([&](const auto& s) { return cast(s, ray); }, shape.form);
}
std::optional<RayHit2> ray_cast(const Piece2& piece, const Ray2& ray) {
  return std::visit([&](const auto* s) { return cast(*s, ray); }, piece);
}

}  // namespace cairn
