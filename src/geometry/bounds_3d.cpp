#include <limits>

#include "geometry/bounds.h"
#include "geometry/piece.h"

namespace cairn {
namespace {

Bounds3 around(const Vec3& center, const Vec3& extent) { return {center - extent, center + extent}; }
Bounds3 united(const Bounds3& a, const Bounds3& b) { return {smaller(a.lo, b.lo), larger(a.hi, b.hi)}; }

Bounds3 around_points(const std::vector<Vec3>& points, const Pose3& pose) {
  const Mat3 r = matrix(pose.rotation);
  const Vec3 first = r * points[0];
  Bounds3 box{first, first};
  for (const Vec3& p : points) {
    const Vec3 q = r * p;
    box = united(box, {q, q});
  }
  return {pose.position + box.lo, pose.position + box.hi};
}

// How far a disc about the z axis of the frame reaches along each world axis: radius times the sine of the
// angle between the axes, taken from the other two columns because 1 − cos² would cancel.
Vec3 disc_extent(const Mat3& r, double radius) {
  const auto reach = [&](double u, double v) { return radius * square_root(u * u + v * v); };
  return {reach(r.c0.x, r.c1.x), reach(r.c0.y, r.c1.y), reach(r.c0.z, r.c1.z)};
}

Bounds3 box_of(const Sphere& s, const Pose3& pose) {
  return around(pose.position, {s.radius, s.radius, s.radius});
}
Bounds3 box_of(const Box3& b, const Pose3& pose) {
  const Mat3 r = matrix(pose.rotation);
  return around(pose.position,
                b.half.x * absolute(r.c0) + b.half.y * absolute(r.c1) + b.half.z * absolute(r.c2));
}
Bounds3 box_of(const Capsule3& c, const Pose3& pose) {
  const Vec3 axis = pose.rotation * Vec3{0, 0, c.half_length};
  return around(pose.position, absolute(axis) + Vec3{c.radius, c.radius, c.radius});
}
Bounds3 box_of(const Cylinder& c, const Pose3& pose) {
  const Mat3 r = matrix(pose.rotation);
  return around(pose.position, c.half_height * absolute(r.c2) + disc_extent(r, c.radius));
}
Bounds3 box_of(const Cone& c, const Pose3& pose) {
  const Mat3 r = matrix(pose.rotation);
  const Vec3 apex = pose.position + c.half_height * r.c2, base = pose.position - c.half_height * r.c2;
  return united({apex, apex}, around(base, disc_extent(r, c.radius)));
}
Bounds3 box_of(const Polyhedron& hull, const Pose3& pose) { return around_points(hull.vertices, pose); }
Bounds3 box_of(const TriangleMesh& mesh, const Pose3& pose) { return around_points(mesh.vertices, pose); }

Bounds3 box_of(const Plane& plane, const Pose3& pose) {
  constexpr double k_infinity = std::numeric_limits<double>::infinity();
  const Vec3 n = pose.rotation * plane.normal;
  const double offset = plane.offset + dot(n, pose.position);  // of the surface in world axes
  Bounds3 box{{-k_infinity, -k_infinity, -k_infinity}, {k_infinity, k_infinity, k_infinity}};
  if (n.y == 0 && n.z == 0) (n.x > 0 ? box.hi.x : box.lo.x) = offset / n.x;
  if (n.x == 0 && n.z == 0) (n.y > 0 ? box.hi.y : box.lo.y) = offset / n.y;
  if (n.x == 0 && n.y == 0) (n.z > 0 ? box.hi.z : box.lo.z) = offset / n.z;
  return box;
}

Bounds3 box_of(const HeightGrid& grid, const Pose3& pose) {
  const Mat3 r = matrix(pose.rotation);
  const Vec3 first = r * grid.sample(0, 0);
  Bounds3 box{first, first};
  for (std::size_t j = 0; j < grid.field.rows; ++j)
    for (std::size_t i = 0; i < grid.field.columns; ++i) {
      const Vec3 q = r * grid.sample(i, j);
      box = united(box, {q, q});
    }
  return {pose.position + box.lo, pose.position + box.hi};
}

Bounds3 box_of(const PartList3& list, const Pose3& pose) {
  const auto part_box = [&](const Part3& part) {
    return std::visit([&](const auto& shape) { return box_of(shape, pose * part.pose); }, part.shape);
  };
  Bounds3 box = part_box(list.parts[0]);
  for (const Part3& part : list.parts) box = united(box, part_box(part));
  return box;
}

}  // namespace

Bounds3 bounds(const Geometry3& shape, const Pose3& pose) {
  return std::visit([&](const auto& s) { return box_of(s, pose); }, shape.form);
}
Bounds3 bounds(const Piece3& piece, const Pose3& pose) {
  return std::visit([&](const auto* s) { return box_of(*s, pose); }, piece);
}

}  // namespace cairn
