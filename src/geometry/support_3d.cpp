#include "base/assert.h"
#include "geometry/direction.h"
#include "geometry/support.h"

namespace cairn {
namespace {

double with_sign(double magnitude, double sign) { return sign < 0 ? -magnitude : magnitude; }

Vec3 furthest(const Sphere& s, const Vec3& d) { return s.radius * direction_of(d).unit; }
Vec3 furthest(const Box3& b, const Vec3& d) {
  return {with_sign(b.half.x, d.x), with_sign(b.half.y, d.y), with_sign(b.half.z, d.z)};
}
Vec3 furthest(const Capsule3& c, const Vec3& d) {
  return Vec3{0, 0, with_sign(c.half_length, d.z)} + c.radius * direction_of(d).unit;
}
Vec3 furthest(const Cylinder& c, const Vec3& d) {
  const Vec2 rim = c.radius * direction_of(Vec2{d.x, d.y}).unit;
  return {rim.x, rim.y, with_sign(c.half_height, d.z)};
}
Vec3 furthest(const Cone& c, const Vec3& d) {
  // The apex wins where 2h d.z ≥ r |d.xy|: where d points out of the cone of normals of the side.
  const Direction<Vec2> radial = direction_of(Vec2{d.x, d.y});
  if (2 * c.half_height * d.z >= c.radius * radial.length) return {0, 0, c.half_height};
  return {c.radius * radial.unit.x, c.radius * radial.unit.y, -c.half_height};
}
Vec3 furthest(const Polyhedron& hull, const Vec3& d) {
  // Below, looking through all in a row is about as fast: at 42 vertices a climb took between half and twice the
  // time, depending on the hull and the load; at 642 a fifth. polyhedron.h warns of caps so flat that rounding ends
  // a climb on them; none was found among flat caps and blades (1.7 million climbs), and a test keeps looking.
  constexpr std::size_t k_climb_from = 40;  // vertices
  const std::vector<Vec3>& v = hull.vertices;
  const Vec3 first = v[0];  // distances from it keep a hull far from the origin exact
  std::size_t best = 0;
  double best_along = 0;
  const auto consider = [&](std::size_t k) {
    const double along = dot(v[k] - first, d);
    if (along <= best_along) return false;
    best_along = along;
    best = k;
    return true;
  };
  if (v.size() < k_climb_from) {
    for (std::size_t k = 1; k < v.size(); ++k) consider(k);
    return v[best];
  }
  for (bool higher = true; higher;) {  // to the highest neighbour, until there is none
    higher = false;
    for (const std::size_t k : hull.neighbours_of(best)) higher |= consider(k);
  }
  return v[best];
}
template <class S>
Vec3 furthest(const S&, const Vec3&) {
  CAIRN_ASSERT(false);
  return {};
}

}  // namespace

bool has_support(const Geometry3& shape) {
  return !std::holds_alternative<Plane>(shape.form) && !std::holds_alternative<TriangleMesh>(shape.form) &&
         !std::holds_alternative<HeightGrid>(shape.form) && !std::holds_alternative<PartList3>(shape.form);
}

Vec3 support(const Geometry3& shape, const Vec3& direction) {
  return std::visit([&](const auto& s) { return furthest(s, direction); }, shape.form);
}

}  // namespace cairn
