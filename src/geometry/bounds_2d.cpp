#include "geometry/bounds.h"
#include "geometry/piece.h"

namespace cairn {
namespace {

Bounds2 around(const Vec2& center, const Vec2& extent) { return {center - extent, center + extent}; }
Bounds2 united(const Bounds2& a, const Bounds2& b) { return {smaller(a.lo, b.lo), larger(a.hi, b.hi)}; }

Bounds2 around_points(const std::vector<Vec2>& points, const Pose2& pose) {
  const Vec2 first = to_world(pose, points[0]);
  Bounds2 box{first, first};
  for (const Vec2& p : points) {
    const Vec2 q = to_world(pose, p);
    box = united(box, {q, q});
  }
  return box;
}

Bounds2 box_of(const Circle& c, const Pose2& pose) { return around(pose.position, {c.radius, c.radius}); }
Bounds2 box_of(const Box2& b, const Pose2& pose) {
  return around(pose.position,
                absolute(pose.rotation * Vec2{b.half.x, 0}) + absolute(pose.rotation * Vec2{0, b.half.y}));
}
Bounds2 box_of(const Capsule2& c, const Pose2& pose) {
  return around(pose.position, absolute(pose.rotation * Vec2{0, c.half_length}) + Vec2{c.radius, c.radius});
}
Bounds2 box_of(const ConvexPolygon& p, const Pose2& pose) { return around_points(p.points, pose); }
Bounds2 box_of(const Segment& s, const Pose2& pose) {
  const Vec2 a = to_world(pose, s.a), b = to_world(pose, s.b);
  return {smaller(a, b), larger(a, b)};
}
Bounds2 box_of(const Chain& c, const Pose2& pose) { return around_points(c.points, pose); }

Bounds2 box_of(const PartList2& list, const Pose2& pose) {
  const auto part_box = [&](const Part2& part) {
    return std::visit([&](const auto& shape) { return box_of(shape, pose * part.pose); }, part.shape);
  };
  Bounds2 box = part_box(list.parts[0]);
  for (const Part2& part : list.parts) box = united(box, part_box(part));
  return box;
}

}  // namespace

Bounds2 bounds(const Geometry2& shape, const Pose2& pose) {
  return std::visit([&](const auto& s) { return box_of(s, pose); }, shape.form);
}
Bounds2 bounds(const Piece2& piece, const Pose2& pose) {
  return std::visit([&](const auto* s) { return box_of(*s, pose); }, piece);
}

}  // namespace cairn
