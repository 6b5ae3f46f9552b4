#include "base/assert.h"
#include "geometry/closed_surface.h"
#include "geometry/closest_cores.h"
#include "geometry/line.h"
#include "geometry/triangles.h"

namespace cairn {
namespace {

using Found = ClosestPoints<Dim3>;

// From a plane, a mesh or a height field to a convex piece, in the frame of the former.

Found from(const Plane& plane, const Piece3& piece, const Pose3& pose) {
  const Core3 core = core_of(piece);
  std::uint32_t id = 0;
  const Vec3 lowest = to_world(pose, support(core, inverse(pose.rotation) * -plane.normal, id));
  const Vec3 on_b = lowest - core.radius * plane.normal;
  const double gap = dot(plane.normal, on_b) - plane.offset;
  if (gap <= 0) return {0, on_b, on_b, plane.normal};
  return {gap, on_b - gap * plane.normal, on_b, plane.normal};
}

Bounds3 box_of(const TriangleMesh& mesh) { return mesh.box; }
Bounds3 box_of(const HeightGrid& grid) {
  const HeightField& f = grid.field;
  return {{0, 0, grid.lowest}, {(f.columns - 1) * f.spacing.x, (f.rows - 1) * f.spacing.y, grid.highest}};
}
Bounds3 grown(const Bounds3& box, double by) {
  return {box.lo - Vec3{by, by, by}, box.hi + Vec3{by, by, by}};
}
Vec3 apart(const Bounds3& a, const Bounds3& b) { return larger(larger(a.lo - b.hi, b.lo - a.hi), Vec3{}); }

// All triangles within a distance r of the piece are among those within r of its box. So: look at those, and if the
// nearest is further than r, look again with its distance, or further out if there was none.
template <class Surface>
Found from(const Surface& surface, const Piece3& piece, const Pose3& pose) {
  const Core3 core = core_of(piece);
  const Bounds3 box = bounds(piece, pose), whole = box_of(surface);
  const double size = largest_component(box.hi - box.lo);
  const double everything = length(apart(box, whole)) + size + length(whole.hi - whole.lo);
  double reach = length(apart(box, whole)) + 0.25 * size;
  std::vector<PlacedTriangle> triangles;
  Found best;
  for (;;) {
    best.distance = k_infinity;
    triangles_in(surface, grown(box, reach), triangles);
    for (const PlacedTriangle& t : triangles) {
      const Core3 triangle = core_of_triangle(&t.corners);
      if (best.distance < k_infinity &&
          separation_along(triangle, core, pose, best.normal) - core.radius >= best.distance)
        continue;
      const Found found = closest_points<Dim3>(triangle, core, pose, best.normal);
      if (found.distance < best.distance) best = found;
      if (best.distance == 0) return best;
    }
    if (best.distance <= reach || reach > everything) return best;
    reach = best.distance < k_infinity ? best.distance : 4 * reach;
  }
}

Found from_surface(const Piece3& surface, const Piece3& piece, const Pose3& pose) {
  if (const auto* plane = std::get_if<const Plane*>(&surface)) return from(**plane, piece, pose);
  if (const auto* mesh = std::get_if<const TriangleMesh*>(&surface)) return from(**mesh, piece, pose);
  return from(*std::get<const HeightGrid*>(surface), piece, pose);
}

bool inside(const Sphere& s, const Vec3& p) { return length(p) <= s.radius; }
bool inside(const Box3& b, const Vec3& p) {
  return absolute(p.x) <= b.half.x && absolute(p.y) <= b.half.y && absolute(p.z) <= b.half.z;
}
bool inside(const Capsule3& c, const Vec3& p) {
  return length(p - Vec3{0, 0, clamp(p.z, -c.half_length, c.half_length)}) <= c.radius;
}
bool inside(const Cylinder& c, const Vec3& p) {
  return length(Vec2{p.x, p.y}) <= c.radius && absolute(p.z) <= c.half_height;
}
bool inside(const Cone& c, const Vec3& p) {
  return p.z >= -c.half_height &&
         2 * c.half_height * length(Vec2{p.x, p.y}) <= c.radius * (c.half_height - p.z);
}
bool inside(const Polyhedron& hull, const Vec3& p) {
  for (const FacePlane& plane : hull.planes)
    if (plane.distance(p) > 0) return false;
  return true;
}
bool inside(const Plane& plane, const Vec3& p) { return dot(plane.normal, p) <= plane.offset; }
bool inside(const HeightGrid&, const Vec3&) { return false; }

// How often the surface goes round the point, from the solid angles of its triangles (van Oosterom and Strackee, "The
// solid angle of a plane triangle", 1983): tan(Ω/2) = a·(b × c)/(abc + a (b·c) + b (c·a) + c (a·b)).
bool inside(const TriangleMesh& mesh, const Vec3& p) {
  if (!is_closed(mesh)) return false;
  double half_angles = 0;  // [rad]
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 a = mesh.vertices[i] - p, b = mesh.vertices[j] - p, c = mesh.vertices[k] - p;
    const double la = length(a), lb = length(b), lc = length(c);
    const double below = la * lb * lc + la * dot(b, c) + lb * dot(c, a) + lc * dot(a, b);
    const double above = dot(a, cross(b, c));
    if (above != 0 || below != 0) half_angles += portable::atan2(above, below);
  }
  return absolute(half_angles) > k_pi;  // 0 outside, 2π inside
}

}  // namespace

ClosestPoints<Dim3> closest_points(const Piece3& a, const Piece3& b, const Pose3& b_in_a) {
  if (!is_convex(a)) {
    CAIRN_ASSERT(is_convex(b));
    return from_surface(a, b, b_in_a);
  }
  if (!is_convex(b)) return swapped(from_surface(b, a, inverse(b_in_a)), b_in_a);
  return closest_points<Dim3>(core_of(a), core_of(b), b_in_a, {});
}

bool contains(const Piece3& piece, const Vec3& point) {
  return std::visit([&](const auto* s) { return inside(*s, point); }, piece);
}

}  // namespace cairn
