// Ray casts in space, against the solids. Surfaces of triangles are in ray_mesh.cpp and ray_height_field.cpp.
#include <utility>

#include "geometry/piece.h"
#include "geometry/ray.h"
#include "geometry/ray_surface.h"

namespace cairn {
namespace {

using Hit = std::optional<RayHit3>;

Vec2 across(const Vec3& v) { return {v.x, v.y}; }  // what is left of v when seen along z

// Between two walls, at ±half along one axis.
Stretch3 stretch_between(double p, double d, double half, const Vec3& axis) {
  if (d == 0) return absolute(p) <= half ? Stretch3{} : Stretch3::none();
  const double s0 = (-half - p) / d, s1 = (half - p) / d;
  return d > 0 ? Stretch3{s0, s1, -axis} : Stretch3{s1, s0, axis};
}
Stretch3 stretch_in(const Cylinder& c, const Line3& line) {
  const auto [enter, exit] = chord(across(line.origin), across(line.direction), c.radius);
  Vec3 normal;
  if (is_finite(enter)) {
    const Vec2 outward = direction_of(across(line.at(enter))).unit;
    normal = {outward.x, outward.y, 0};
  }
  return common(Stretch3{enter, exit, normal},
                stretch_between(line.origin.z, line.direction.z, c.half_height, {0, 0, 1}));
}

Hit cast(const Sphere& s, const Ray3& ray) {
  const Line3 line = line_of(ray, {});
  const auto [enter, exit] = chord(line.origin, line.direction, s.radius);
  return hit_solid(line, enter, exit, [](const Vec3& point) { return direction_of(point).unit; });
}

Hit cast(const Box3& b, const Ray3& ray) {
  const Line3 line = line_of(ray, {});
  const Vec3 &p = line.origin, &d = line.direction;
  return hit_solid(line, common(stretch_between(p.x, d.x, b.half.x, {1, 0, 0}),
                                common(stretch_between(p.y, d.y, b.half.y, {0, 1, 0}),
                                       stretch_between(p.z, d.z, b.half.z, {0, 0, 1}))));
}

Hit cast(const Cylinder& c, const Ray3& ray) {
  const Line3 line = line_of(ray, {});
  return hit_solid(line, stretch_in(c, line));
}

// A cylinder and two balls.
Hit cast(const Capsule3& c, const Ray3& ray) {
  const Line3 line = line_of(ray, {});
  const Vec3 end{0, 0, c.half_length};
  const Stretch3 shaft = stretch_in(Cylinder{c.radius, c.half_length}, line);
  Chord inside = united(Chord::none(), {shaft.enter, shaft.exit});
  inside = united(inside, chord(line.origin - end, line.direction, c.radius));
  inside = united(inside, chord(line.origin + end, line.direction, c.radius));
  return hit_solid(line, inside.enter, inside.exit, [&](const Vec3& point) {
    return direction_of(point - Vec3{0, 0, clamp(point.z, -c.half_length, c.half_length)}).unit;
  });
}

// Where a line is inside the infinite cone |u| ≤ −w below its apex, u across and w along the axis, w scaled
// so that the side slopes by 45°. On the line u + s du, w + s dw the double cone is A s² + 2 B s + C ≤ 0 with
//
//   A = du² − dw²,   B = u·du − w dw,   C = u² − w²,   B² − A C = |w du − u dw|² − (u × du)²,
//
// all as differences of squares, which keep their digits where the difference is small.
Chord chord_in_cone(const Vec2& u, double w, const Vec2& du, double dw) {
  const auto difference_of_squares = [](double a, double b) { return (a - b) * (a + b); };
  const Vec2 tilt = w * du - dw * u;
  const double a = difference_of_squares(length(du), absolute(dw));
  const double b = dot(u, du) - w * dw;
  const double c = difference_of_squares(length(u), absolute(w));
  const double discriminant = difference_of_squares(length(tilt), absolute(cross(u, du)));
  if (a == 0) {  // parallel to the side: the line crosses one of the two cones, once, or lies in the side
    const double apex = -w / dw, s = -c / (2 * b);
    if (b == 0 && c > 0) return Chord::none();
    if (b == 0) return dw < 0 ? Chord{apex, k_infinity} : Chord{-k_infinity, apex};
    if (b > 0) return dw > 0 ? Chord{-k_infinity, s} : Chord::none();
    return dw < 0 ? Chord{s, k_infinity} : Chord::none();
  }
  if (a > 0 && (discriminant < 0 || dot(tilt, du) > 0)) return Chord::none();  // passes by, or above the apex
  const double root = square_root(larger(discriminant, 0));
  const double q = b > 0 ? -b - root : root - b;  // of the two sums the one that does not cancel
  double s0 = q / a, s1 = q == 0 ? 0 : c / q;
  if (s1 < s0) std::swap(s0, s1);
  if (a > 0) return {s0, s1};
  return dw < 0 ? Chord{s1, k_infinity} : Chord{-k_infinity, s0};  // steeper than the side: from cone to cone
}

Hit cast(const Cone& cone, const Ray3& ray) {
  const Line3 line = line_of(ray, {});
  const double slope = cone.radius / (2 * cone.half_height);
  const auto [enter, exit] = chord_in_cone(across(line.origin), slope * (line.origin.z - cone.half_height),
                                           across(line.direction), slope * line.direction.z);
  Vec3 normal;
  if (is_finite(enter)) {
    const Vec2 outward = direction_of(across(line.at(enter))).unit;
    normal = normalized(Vec3{outward.x, outward.y, outward == Vec2{} ? 1 : slope});
  }
  const Stretch3 above_base = stretch_below(line, {0, 0, -1}, cone.half_height + line.origin.z);
  return hit_solid(line, common(Stretch3{enter, exit, normal}, above_base));
}

Hit cast(const Polyhedron& hull, const Ray3& ray) {
  const Line3 line = line_of(ray, hull.vertices[0]);
  Stretch3 inside;
  for (std::size_t f = 0; f < hull.planes.size() && !inside.is_empty(); ++f) {
    const auto& plane = hull.planes[f];
    inside = common(inside, stretch_below(line, plane.normal, plane.offset - dot(plane.normal, line.origin)));
  }
  return hit_solid(line, inside);
}

Hit cast(const Plane& plane, const Ray3& ray) {
  const Line3 line = line_of(ray, ray.origin);
  return hit_solid(line, stretch_below(line, plane.normal, plane.offset - dot(plane.normal, line.origin)));
}

Hit cast(const TriangleMesh& mesh, const Ray3& ray) { return cast_surface(mesh, ray); }
Hit cast(const HeightGrid& grid, const Ray3& ray) { return cast_surface(grid, ray); }

Hit cast(const PartList3& list, const Ray3& ray) {
  return first_hit(list.parts, ray, [](const auto& shape, const Ray3& local) { return cast(shape, local); });
}

}  // namespace

std::optional<RayHit3> ray_cast(const Geometry3& shape, const Ray3& ray) {
  return std::visit([&](const auto& s) { return cast(s, ray); }, shape.form);
}
std::optional<RayHit3> ray_cast(const Piece3& piece, const Ray3& ray) {
  return std::visit([&](const auto* s) { return cast(*s, ray); }, piece);
}

}  // namespace cairn
