// What features look like along the contact normal: flat, with a height above the plane.
#pragma once

#include "geometry/line.h"
#include "narrowphase/collide_3d/clip.h"

namespace cairn {

struct Flat {
  double x, y, height;  // [m] along u, v and n
};

CAIRN_INLINE double cross(const Flat& from, const Flat& to, const Flat& p) {
  return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
}
CAIRN_INLINE Flat between(const Flat& a, const Flat& b, double t) {
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.height + t * (b.height - a.height)};
}
inline double distance(const Flat& a, const Flat& b) {
  return square_root((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

// The point of a segment nearest to x, seen along the normal.
inline Flat nearest_on(const Flat& a, const Flat& b, const Flat& x) {
  const double dx = b.x - a.x, dy = b.y - a.y, dd = dx * dx + dy * dy;
  return between(a, b, dd > 0 ? clamp(((x.x - a.x) * dx + (x.y - a.y) * dy) / dd, 0, 1) : 0);
}

// A feature in the projection.
struct Shadow {
  const Facing& feature;
  std::size_t count;  // of corners; a segment too short to have a direction counts as a point
  std::array<Flat, Facing::k_most_corners> corners;
  Flat slope{};  // of a face: height = slope · (x, y, 1)

  Shadow(const Facing& f, const ClipFrame& frame) : feature(f), count(std::size_t(f.count)) {
    const std::size_t stored = count > 0 ? count : 1;
    for (std::size_t k = 0; k < stored; ++k) {
      const Vec3 d = f.corners[k] - frame.origin;
      corners[k] = {dot(frame.u, d), dot(frame.v, d), dot(frame.n, d)};
    }
    if (count == 2 && distance(corners[0], corners[1]) <= frame.tolerance) count = 1;
    if (count == 1 || count == 2) return;
    const double up = dot(f.normal, frame.n);
    slope.x = -dot(f.normal, frame.u) / up;
    slope.y = -dot(f.normal, frame.v) / up;
    slope.height = corners[0].height - slope.x * corners[0].x - slope.y * corners[0].y;
  }
  std::size_t next(std::size_t k) const { return k + 1 == count ? 0 : k + 1; }
  double plane_height(double x, double y) const { return slope.x * x + slope.y * y + slope.height; }
  // Of the point (x, y) on the side that begins at corner k.
  double side_height(std::size_t k, double x, double y) const {
    const Flat &from = corners[k], &to = corners[next(k)];
    const double dx = to.x - from.x, dy = to.y - from.y, dd = dx * dx + dy * dy;
    const double t = dd > 0 ? ((x - from.x) * dx + (y - from.y) * dy) / dd : 0;
    return from.height + clamp(t, 0, 1) * (to.height - from.height);
  }
};

// The point of a polygon (sense: 1 counter-clockwise, −1 clockwise), segment or point nearest to c.
inline Flat nearest_point(const Shadow& s, double sense, const Flat& c) {
  if (s.count == 1) return s.corners[0];
  Flat best{};
  double best_distance = k_infinity;
  bool inside = s.count > 2;
  const std::size_t sides = s.count == 2 ? 1 : s.count;
  for (std::size_t k = 0; k < sides; ++k) {
    const Flat &p = s.corners[k], &q = s.corners[s.next(k)];
    if (sense * cross(p, q, c) < 0) inside = false;
    const Flat x = nearest_on(p, q, c);
    const double d = distance(x, c);
    if (d >= best_distance) continue;
    best_distance = d;
    best = x;
  }
  if (inside) return {c.x, c.y, s.plane_height(c.x, c.y)};
  return best;
}

}  // namespace cairn
