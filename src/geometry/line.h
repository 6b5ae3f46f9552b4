// The two ideas all ray casts share: a ray is a stretch of a line, and so is what a convex solid cuts from
// it.
//
//        begin            enter       exit        end          s, the arc length [m]
//   ───────●────────────────┼──●───────┼───────────●──────▶
//        start           surface  origin: the point of the line nearest to the shape's middle
//
// With the zero of s near the shape, nothing in its equations is larger than the shape itself: a ray from far
// away loses no more digits than its own direction has. The fraction, (s − begin)/(end − begin), comes last.
#pragma once

#include <cairn/shape.h>

#include <limits>
#include <optional>

#include "geometry/direction.h"

namespace cairn {

inline constexpr double k_infinity = std::numeric_limits<double>::infinity();

template <class D>
struct Line {
  typename D::Vec origin{};     // [m] s = 0
  typename D::Vec direction{};  // unit
  double begin = 0, end = 0;    // [m] the values of s where the ray begins and ends
  typename D::Vec start{};      // [m] the ray's own origin, s = begin

  typename D::Vec at(double s) const { return origin + s * direction; }
};

template <class D>
Line<D> line_of(const Ray<D>& ray, const typename D::Vec& middle) {
  const auto [unit, length] = direction_of(ray.translation);
  const double along = dot(middle - ray.origin, unit);
  return {ray.origin + along * unit, unit, -along, length - along, ray.origin};
}

// Where a line is inside a convex solid. Empty where enter > exit.
template <class D>
struct Stretch {
  double enter = -k_infinity, exit = k_infinity;
  typename D::Vec normal{};  // unit, out of the solid where the line enters

  static Stretch none() { return {k_infinity, -k_infinity, {}}; }
  bool is_empty() const { return !(enter <= exit); }
};

// Where it is inside both.
template <class D>
Stretch<D> common(const Stretch<D>& a, const Stretch<D>& b) {
  const Stretch<D>& later = b.enter > a.enter ? b : a;
  return {later.enter, smaller(a.exit, b.exit), later.normal};
}

// Inside the half-space whose surface lies `depth` [m] along its unit normal from the line's origin.
template <class D>
Stretch<D> stretch_below(const Line<D>& line, const typename D::Vec& normal, double depth) {
  const double rate = dot(normal, line.direction);
  if (rate == 0) return depth >= 0 ? Stretch<D>{} : Stretch<D>::none();
  const double s = depth / rate;
  if (rate > 0) return {-k_infinity, s, {}};
  return {s, k_infinity, normal};
}

// The values of s with |p + s d| ≤ radius; d need not have unit length, and may be zero.
struct Chord {
  double enter = -k_infinity, exit = k_infinity;  // empty where enter > exit

  static Chord none() { return {k_infinity, -k_infinity}; }
};
template <class V>
Chord chord(const V& p, const V& d, double radius) {
  constexpr double k_no_drift = 1e-280;  // |d|² below which the line does not move against a unit vector
  const double dd = dot(d, d);
  if (dd < k_no_drift) return length(p) <= radius ? Chord{} : Chord::none();
  const double middle = -dot(p, d) / dd;
  const double nearest = length(p + middle * d);
  if (nearest > radius) return Chord::none();
  const double half = square_root((radius - nearest) * (radius + nearest) / dd);
  return {middle - half, middle + half};
}

// From the first enter to the last exit: where the line is inside one or the other, if their union is convex.
inline Chord united(const Chord& a, const Chord& b) {
  if (!(b.enter <= b.exit)) return a;
  return {smaller(a.enter, b.enter), larger(a.exit, b.exit)};
}

template <class D>
RayHit<D> hit_at(const Line<D>& line, double s, const typename D::Vec& normal) {
  return {clamp((s - line.begin) / (line.end - line.begin), 0, 1), line.at(s), normal};
}
// `normal_at(point)` is the normal out of the solid where the line enters it.
template <class D, class NormalAt>
std::optional<RayHit<D>> hit_solid(const Line<D>& line, double enter, double exit, NormalAt normal_at) {
  if (!(enter <= exit) || exit < line.begin || enter > line.end) return std::nullopt;
  if (enter < line.begin) return RayHit<D>{0, line.start, -line.direction};
  return hit_at(line, enter, normal_at(line.at(enter)));
}
template <class D>
std::optional<RayHit<D>> hit_solid(const Line<D>& line, const Stretch<D>& solid) {
  return hit_solid(line, solid.enter, solid.exit, [&](const auto&) { return solid.normal; });
}
// A surface whose normal may point either way.
template <class D>
RayHit<D> hit_surface(const Line<D>& line, double s, const typename D::Vec& normal) {
  const auto n = direction_of(normal).unit;
  return hit_at(line, s, dot(n, line.direction) > 0 ? -n : n);
}

// The first hit of a compound's parts; `cast(shape, ray)` asks one part, in its own frame.
template <class D, class Parts, class Cast>
std::optional<RayHit<D>> first_hit(const Parts& parts, const Ray<D>& ray, Cast cast) {
  std::optional<RayHit<D>> first;
  for (const auto& part : parts) {
    const auto to_part = inverse(part.pose.rotation);
    const Ray<D> local{to_part * (ray.origin - part.pose.position), to_part * ray.translation};
    std::optional<RayHit<D>> hit =
        std::visit([&](const auto& shape) { return cast(shape, local); }, part.shape);
    if (!hit || (first && hit->fraction >= first->fraction)) continue;
    first = RayHit<D>{hit->fraction, to_world(part.pose, hit->point), part.pose.rotation * hit->normal};
  }
  return first;
}

}  // namespace cairn
