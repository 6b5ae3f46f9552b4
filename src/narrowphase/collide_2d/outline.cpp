#include "narrowphase/collide_2d/outline.h"

#include "geometry/direction.h"

namespace cairn::planar {
namespace {

constexpr Vec2 k_box_normals[4] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

Outline segment_outline(const Vec2& from, const Vec2& to, const Vec2& right, double radius,
                        OutlineStore& store) {
  store.points[0] = from;
  store.points[1] = to;
  store.normals[0] = right;
  store.normals[1] = -right;
  return {store.points.data(), store.normals.data(), 2, radius, nullptr};
}

Outline outline_of(const Circle& c, OutlineStore& store) {
  store.points[0] = {};
  return {store.points.data(), store.normals.data(), 1, c.radius, nullptr};
}
Outline outline_of(const Box2& b, OutlineStore& store) {
  const Vec2 h = b.half;
  store.points = {{-h, {h.x, -h.y}, h, {-h.x, h.y}}};
  return {store.points.data(), k_box_normals, 4, 0, &b.half};
}
Outline outline_of(const Capsule2& c, OutlineStore& store) {
  return segment_outline({0, -c.half_length}, {0, c.half_length}, {1, 0}, c.radius, store);
}
Outline outline_of(const Segment& s, OutlineStore& store) {
  return segment_outline(s.a, s.b, -perpendicular(direction_of(s.b - s.a).unit), 0, store);
}
Outline outline_of(const ConvexPolygon& p, OutlineStore&) {
  return {p.points.data(), p.normals.data(), int(p.points.size()), 0, nullptr};
}
Outline outline_of(const PolyLine&, OutlineStore&) { return {}; }

}  // namespace

Outline outline_of(const Piece2& piece, OutlineStore& store) {
  if (const auto* box = std::get_if<const Box2*>(&piece)) return outline_of(**box, store);  // most are
  return std::visit([&](const auto* shape) { return outline_of(*shape, store); }, piece);
}

Vec2 middle_of(const Outline& outline) {
  Vec2 sum;
  for (int i = 1; i < outline.count; ++i) sum += outline.points[i] - outline.points[0];
  return outline.points[0] + sum / double(outline.count);
}

}  // namespace cairn::planar
