// Rays against surfaces of triangles, without leaks.
//
// After Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection" (JCGT 2013): look along the ray. Each
// vertex is projected once, by itself, to where it appears in the plane across the ray, with the ray at zero:
//
//   x = a_x − (d_x/d_z) a_z,   y = a_y − (d_y/d_z) a_z,   s = a_z/d_z,    a = vertex − origin, |d_z| the
//   largest
//
// and a triangle is hit where zero lies inside or on the rim of its projection, which the signs of three
// cross products of projected corners say. Two triangles with a common edge see the same two projected
// corners in the opposite order. As the signs here are exact (the paper's are, but for its fallback to
// double), all triangles agree on one true picture in the plane, and a point inside the picture of a closed
// surface is covered.
#pragma once

#include <cmath>

#include "geometry/geometry_3d.h"
#include "geometry/line.h"

namespace cairn {

using Line3 = Line<Dim3>;
using Stretch3 = Stretch<Dim3>;

std::optional<RayHit3> cast_surface(const TriangleMesh& mesh, const Ray3& ray);
std::optional<RayHit3> cast_surface(const HeightGrid& grid, const Ray3& ray);

// The box around a surface, taken larger by this part of its size, saves asking its triangles. Far more than
// round-off: the box may not cost a hit on the surface.
inline constexpr double k_box_slack = 1e-9;

inline Chord chord_in_box(const Line3& line, const Vec3& middle, const Vec3& half) {
  Chord chord;
  for (const auto axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    const double p = (line.origin - middle).*axis, d = line.direction.*axis, h = half.*axis;
    if (d == 0) {
      if (absolute(p) > h) return Chord::none();
      continue;
    }
    const double s0 = (-h - p) / d, s1 = (h - p) / d;
    chord = {larger(chord.enter, smaller(s0, s1)), smaller(chord.exit, larger(s0, s1))};
  }
  return chord;
}

// A vertex seen along the ray.
struct Seen {
  double x, y;  // [m] across
  double s;     // [m] along
};

// b × c, with the exact sign. Rounding keeps the order of two products unless it makes them equal; then their
// rounding errors, which a fused multiply-add yields exactly, decide.
inline double exact_cross(const Seen& b, const Seen& c) {
  const double left = b.x * c.y, right = b.y * c.x;
  if (left != right) return left - right;
  return std::fma(b.x, c.y, -left) - std::fma(b.y, c.x, -right);
}

// A line to look along.
class View {
 public:
  explicit View(const Line3& line) : line_(line) {
    const Vec3 d = line.direction, size = absolute(d);
    along_ = size.x >= size.y && size.x >= size.z ? &Vec3::x : size.y >= size.z ? &Vec3::y : &Vec3::z;
    first_ = along_ == &Vec3::x ? &Vec3::y : &Vec3::x;
    second_ = along_ == &Vec3::z ? &Vec3::y : &Vec3::z;
    first_slope_ = d.*first_ / d.*along_;
    second_slope_ = d.*second_ / d.*along_;
    scale_ = d.*along_;
  }

  Seen look(const Vec3& vertex) const {
    const Vec3 a = vertex - line_.origin;
    const double z = a.*along_;
    return {a.*first_ - first_slope_ * z, a.*second_ - second_slope_ * z, z / scale_};
  }

  // Between which values of s the corners of triangles inside a box may lie.
  Chord span_of(const Vec3& middle, const Vec3& half) const {
    const double s = (middle - line_.origin).*along_ / scale_, reach = half.*along_ / absolute(scale_);
    return {s - reach, s + reach};
  }

  // The value of s where the line meets the triangle, if the ray reaches it. A triangle seen edge-on is not
  // met; where it belongs to a closed surface, its neighbours are.
  std::optional<double> meet(const Seen& a, const Seen& b, const Seen& c) const {
    const double u = exact_cross(b, c), v = exact_cross(c, a), w = exact_cross(a, b);
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return std::nullopt;
    const double sum = u + v + w;
    if (sum == 0) return std::nullopt;
    const double s = (u / sum) * a.s + (v / sum) * b.s + (w / sum) * c.s;
    if (s < line_.begin || s > line_.end) return std::nullopt;
    return s;
  }

 private:
  Line3 line_;
  double Vec3::*along_, Vec3::*first_, Vec3::*second_;
  double first_slope_, second_slope_, scale_;
};

}  // namespace cairn
