#include "base/assert.h"
#include "geometry/core.h"
#include "geometry/direction.h"

namespace cairn {
namespace {

Core3 make(const Sphere& s) { return {.kind = CoreKind::point, .radius = s.radius}; }
Core3 make(const Box3& b) { return {.kind = CoreKind::box, .extent = b.half}; }
Core3 make(const Capsule3& c) {
  return {.kind = CoreKind::segment,
          .radius = c.radius,
          .middle = {0, 0, -c.half_length},
          .extent = {0, 0, 2 * c.half_length}};
}
Core3 make(const Cylinder& c) {
  return {.kind = CoreKind::cylinder, .extent = {c.radius, c.radius, c.half_height}};
}
Core3 make(const Cone& c) { return {.kind = CoreKind::cone, .extent = {c.radius, c.radius, c.half_height}}; }
Core3 make(const Polyhedron& p) {
  return {.kind = CoreKind::vertices, .middle = p.vertices[0], .vertices = p.vertices, .hull = &p};
}
template <class S>
Core3 make(const S&) {
  CAIRN_ASSERT(false);
  return {};
}

CorePoint<Dim3> corner_of_box(const Vec3& half, const Vec3& d) {
  const bool x = d.x >= 0, y = d.y >= 0, z = d.z >= 0;
  return {{x ? half.x : -half.x, y ? half.y : -half.y, z ? half.z : -half.z},
          std::uint32_t(x) | std::uint32_t(y) << 1 | std::uint32_t(z) << 2};
}

CorePoint<Dim3> furthest_vertex(const Core3& core, const Vec3& d, std::uint32_t hint) {
  // Below, looking through all in a row is about as fast: at 42 vertices a climb took between half and twice the
  // time, depending on the hull and the load; at 642 a fifth. polyhedron.h warns of caps so flat that rounding ends
  // a climb on them; none was found among flat caps and blades (1.7 million climbs), and a test keeps looking.
  constexpr std::size_t k_climb_from = 40;  // vertices
  const std::span<const Vec3> v = core.vertices;
  const bool climbs = core.hull && v.size() >= k_climb_from;
  CorePoint<Dim3> best;
  if (climbs && hint < v.size()) best = {v[hint] - core.middle, hint};
  double best_along = dot(best.from_middle, d);
  const auto consider = [&](std::uint32_t k) {
    const Vec3 p = v[k] - core.middle;
    const double along = dot(p, d);
    if (along <= best_along) return false;
    best_along = along;
    best = {p, k};
    return true;
  };
  if (!climbs) {
    for (std::uint32_t k = 1; k < v.size(); ++k) consider(k);
    return best;
  }
  for (bool higher = true; higher;) {  // to the highest neighbour, until there is none
    higher = false;
    for (const std::uint32_t k : core.hull->neighbours_of(best.id)) higher |= consider(k);
  }
  return best;
}

}  // namespace

Core3 core_of(const Piece3& piece) {
  return std::visit([](const auto* s) { return make(*s); }, piece);
}
Core3 core_of_triangle(const std::array<Vec3, 3>* corners) {
  return {.kind = CoreKind::vertices, .middle = (*corners)[0], .vertices = *corners};
}

CorePoint<Dim3> furthest(const Core3& core, const Vec3& d, std::uint32_t hint) {
  const double r = core.extent.x, h = core.extent.z;
  switch (core.kind) {
    case CoreKind::segment:
      if (dot(core.extent, d) > 0) return {core.extent, 1};
      return {};
    case CoreKind::box:
      return corner_of_box(core.extent, d);
    case CoreKind::vertices:
      return furthest_vertex(core, d, hint);
    case CoreKind::cylinder: {
      const Vec2 radial = direction_of(Vec2{d.x, d.y}).unit;
      return {{r * radial.x, r * radial.y, d.z < 0 ? -h : h}, d.z < 0 ? 0u : 1u};
    }
    case CoreKind::cone: {
      // The apex wins where 2h d.z ≥ r |d.xy|: where d points out of the cone of normals of the side.
      const Direction<Vec2> radial = direction_of(Vec2{d.x, d.y});
      if (2 * h * d.z >= r * radial.length) return {{0, 0, h}, 1};
      return {{r * radial.unit.x, r * radial.unit.y, -h}, 0};
    }
    default:
      return {};
  }
}

}  // namespace cairn
