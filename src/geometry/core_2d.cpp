#include "base/assert.h"
#include "geometry/core.h"

namespace cairn {
namespace {

Core2 make(const Circle& c) { return {.kind = CoreKind::point, .radius = c.radius}; }
Core2 make(const Box2& b) { return {.kind = CoreKind::box, .extent = b.half}; }
Core2 make(const Capsule2& c) {
  return {.kind = CoreKind::segment,
          .radius = c.radius,
          .middle = {0, -c.half_length},
          .extent = {0, 2 * c.half_length}};
}
Core2 make(const ConvexPolygon& p) {
  return {.kind = CoreKind::vertices, .middle = p.points[0], .vertices = p.points, .hull = &p};
}
Core2 make(const Segment& s) { return core_of_segment(s.a, s.b); }
template <class S>
Core2 make(const S&) {
  CAIRN_ASSERT(false);
  return {};
}

}  // namespace

Core2 core_of(const Piece2& piece) {
  return std::visit([](const auto* s) { return make(*s); }, piece);
}
Core2 core_of_segment(const Vec2& a, const Vec2& b) {
  return {.kind = CoreKind::segment, .middle = a, .extent = b - a};
}

CorePoint<Dim2> furthest(const Core2& core, const Vec2& d, std::uint32_t) {
  switch (core.kind) {
    case CoreKind::segment:
      if (dot(core.extent, d) > 0) return {core.extent, 1};
      return {};
    case CoreKind::box: {
      const bool x = d.x >= 0, y = d.y >= 0;
      return {{x ? core.extent.x : -core.extent.x, y ? core.extent.y : -core.extent.y},
              std::uint32_t(x) | std::uint32_t(y) << 1};
    }
    case CoreKind::vertices: {
      CorePoint<Dim2> best;
      double best_along = 0;
      for (std::uint32_t k = 1; k < core.vertices.size(); ++k) {
        const Vec2 p = core.vertices[k] - core.middle;
        if (const double along = dot(p, d); along > best_along) {
          best_along = along;
          best = {p, k};
        }
      }
      return best;
    }
    default:
      return {};
  }
}

}  // namespace cairn
