#include "geometry/extent.h"

#include <limits>
#include <span>

namespace cairn {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

template <class V>
double furthest(std::span<const V> points, const V& center) {
  double most = 0;
  for (const V& p : points) most = larger(most, length_squared(p - center));
  return square_root(most);
}
// A circle of radius r around the z axis at height z: |c.xy| + r across, |z − c.z| along.
double furthest_on_rim(double r, double z, const Vec3& c) {
  const double across = length(Vec2{c.x, c.y}) + r, along = z - c.z;
  return length(Vec2{across, along});
}

double outer(const Circle& s, const Vec2& c) { return length(c) + s.radius; }
double outer(const Box2& s, const Vec2& c) { return length(absolute(c) + s.half); }
double outer(const Capsule2& s, const Vec2& c) {
  return length(Vec2{c.x, absolute(c.y) + s.half_length}) + s.radius;
}
double outer(const ConvexPolygon& s, const Vec2& c) { return furthest<Vec2>(s.points, c); }
double outer(const Segment& s, const Vec2& c) { return larger(length(s.a - c), length(s.b - c)); }
double outer(const Chain& s, const Vec2& c) { return furthest<Vec2>(s.points, c); }

double outer(const Sphere& s, const Vec3& c) { return length(c) + s.radius; }
double outer(const Box3& s, const Vec3& c) { return length(absolute(c) + s.half); }
double outer(const Capsule3& s, const Vec3& c) {
  return length(Vec3{c.x, c.y, absolute(c.z) + s.half_length}) + s.radius;
}
double outer(const Cylinder& s, const Vec3& c) {
  return larger(furthest_on_rim(s.radius, s.half_height, c), furthest_on_rim(s.radius, -s.half_height, c));
}
double outer(const Cone& s, const Vec3& c) {
  return larger(length(Vec3{0, 0, s.half_height} - c), furthest_on_rim(s.radius, -s.half_height, c));
}
double outer(const Polyhedron& s, const Vec3& c) { return furthest<Vec3>(s.vertices, c); }
double outer(const Plane&, const Vec3&) { return k_infinity; }
double outer(const TriangleMesh& s, const Vec3& c) { return furthest<Vec3>(s.vertices, c); }
double outer(const HeightGrid& s, const Vec3& c) {
  const Vec3 lo{0, 0, s.lowest};
  const Vec3 hi{(s.field.columns - 1) * s.field.spacing.x, (s.field.rows - 1) * s.field.spacing.y, s.highest};
  return length(larger(absolute(lo - c), absolute(hi - c)));
}

double inner(const Circle& s) { return s.radius; }
double inner(const Box2& s) { return smaller(s.half.x, s.half.y); }
double inner(const Capsule2& s) { return s.radius; }
double inner(const ConvexPolygon& s) {  // the smallest width of a polygon is that across one of its edges
  double least = k_infinity;
  for (std::size_t i = 0; i < s.points.size(); ++i) {
    double width = 0;
    for (const Vec2& p : s.points) width = larger(width, dot(s.normals[i], s.points[i] - p));
    least = smaller(least, width);
  }
  return 0.5 * least;
}
double inner(const Segment&) { return 0; }
double inner(const Chain&) { return 0; }

double inner(const Sphere& s) { return s.radius; }
double inner(const Box3& s) { return smaller(s.half.x, smaller(s.half.y, s.half.z)); }
double inner(const Capsule3& s) { return s.radius; }
double inner(const Cylinder& s) { return smaller(s.radius, s.half_height); }
double inner(const Cone& s) {  // the ball inside: r h / (r + slant), h the whole height
  const double height = 2 * s.half_height;
  return s.radius * height / (s.radius + length(Vec2{s.radius, height}));
}
// Across the faces; where the width between two edges is smaller, by at most a factor √3 (a regular tetrahedron has
// 0.816 between faces and corners, 0.707 between edges).
double inner(const Polyhedron& s) {
  double least = k_infinity;
  for (const FacePlane& plane : s.planes) {
    double width = 0;
    for (const Vec3& p : s.vertices) width = larger(width, -plane.distance(p));
    least = smaller(least, width);
  }
  return 0.5 * least;
}
double inner(const Plane&) { return k_infinity; }
double inner(const TriangleMesh&) { return 0; }
double inner(const HeightGrid&) { return 0; }

}  // namespace

double outer_radius(const Piece2& piece, const Vec2& center) {
  return std::visit([&](const auto* s) { return outer(*s, center); }, piece);
}
double outer_radius(const Piece3& piece, const Vec3& center) {
  return std::visit([&](const auto* s) { return outer(*s, center); }, piece);
}
double inner_radius(const Piece2& piece) {
  return std::visit([](const auto* s) { return inner(*s); }, piece);
}
double inner_radius(const Piece3& piece) {
  return std::visit([](const auto* s) { return inner(*s); }, piece);
}

namespace {

double grown_by(const Circle& s) { return s.radius; }
double grown_by(const Capsule2& s) { return s.radius; }
double grown_by(const Sphere& s) { return s.radius; }
double grown_by(const Capsule3& s) { return s.radius; }
template <class S>
double grown_by(const S&) {
  return 0;
}

}  // namespace

double rounding(const Piece2& piece) {
  return std::visit([](const auto* s) { return grown_by(*s); }, piece);
}
double rounding(const Piece3& piece) {
  return std::visit([](const auto* s) { return grown_by(*s); }, piece);
}

}  // namespace cairn
