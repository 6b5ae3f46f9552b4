#include "narrowphase/collide_3d/witness.h"

#include "geometry/line.h"
#include "narrowphase/collide_3d/shadow.h"

namespace cairn {
namespace {

struct Disc {
  Flat middle;
  double radius;
};
bool is_disc(const Facing& f) { return f.count > 2 && f.radius > 0; }

// The middle of what two discs have in common along the line of their centres.
std::optional<Flat> in_both(const Disc& a, const Disc& b, double tolerance) {
  const double apart = distance(a.middle, b.middle);
  if (apart > a.radius + b.radius + tolerance) return std::nullopt;
  if (apart == 0) return a.middle;
  const double low = larger(-a.radius, apart - b.radius), high = smaller(a.radius, apart + b.radius);
  return between(a.middle, b.middle, 0.5 * (low + high) / apart);
}

}  // namespace

std::optional<ManifoldPoint<Dim3>> common_point(const Facing& a, const Facing& b, const ClipFrame& frame) {
  const Shadow on_a(a, frame), on_b(b, frame);
  const double tolerance = 2 * frame.tolerance;
  const auto flat = [&](const Vec3& p) {
    return Flat{dot(frame.u, p - frame.origin), dot(frame.v, p - frame.origin),
                dot(frame.n, p - frame.origin)};
  };
  const auto height = [](const Shadow& s, const Flat& at) {
    if (s.count == 1) return s.corners[0].height;
    return s.count == 2 ? s.side_height(0, at.x, at.y) : s.plane_height(at.x, at.y);
  };
  const auto point = [&](const Flat& at) {
    const double height_a = height(on_a, at);
    return ManifoldPoint<Dim3>{frame.origin + at.x * frame.u + at.y * frame.v + height_a * frame.n,
                               height(on_b, at) - height_a,
                               {a.name, b.name}};
  };

  if (is_disc(a) && is_disc(b)) {
    const std::optional<Flat> at = in_both({flat(a.middle), a.radius}, {flat(b.middle), b.radius}, tolerance);
    return at ? std::optional(point(*at)) : std::nullopt;
  }
  if (is_disc(a) || is_disc(b)) {
    const Facing& disc = is_disc(a) ? a : b;
    const Flat middle = flat(disc.middle);
    if ((is_disc(a) ? on_b : on_a).count > 0) {
      const Flat at = is_disc(a) ? nearest_point(on_b, -1, middle) : nearest_point(on_a, 1, middle);
      if (distance(at, middle) > disc.radius + tolerance) return std::nullopt;
      return point(at);
    }
  }
  if (on_a.count == 1 || on_b.count == 1) {
    const bool vertex_is_a = on_a.count == 1;
    const Flat& vertex = vertex_is_a ? on_a.corners[0] : on_b.corners[0];
    const Shadow& other = vertex_is_a ? on_b : on_a;
    if (other.count > 0 && distance(nearest_point(other, vertex_is_a ? -1 : 1, vertex), vertex) > tolerance)
      return std::nullopt;
    return point(vertex);
  }
  PatchPoints common;
  clip(a, b, frame, k_infinity, common);
  if (common.count == 0) return std::nullopt;
  std::size_t best = 0;
  for (std::size_t k = 1; k < std::size_t(common.count); ++k)
    if (common.points[k].separation < common.points[best].separation) best = k;
  return common.points[best];
}

Vec3 closest_point(const Facing& a, const Facing& b, const ClipFrame& frame) {
  const Shadow on_a(a, frame), on_b(b, frame);
  Flat best = on_a.corners[0];
  double least = k_infinity;
  for (std::size_t k = 0; k < on_b.count; ++k) {
    const Flat p = nearest_point(on_a, 1, on_b.corners[k]);
    const double d = distance(p, on_b.corners[k]);
    if (d < least) least = d, best = p;
  }
  for (std::size_t k = 0; k < on_a.count; ++k) {
    const double d = distance(nearest_point(on_b, -1, on_a.corners[k]), on_a.corners[k]);
    if (d < least) least = d, best = on_a.corners[k];
  }
  return frame.origin + best.x * frame.u + best.y * frame.v + best.height * frame.n;
}

}  // namespace cairn
