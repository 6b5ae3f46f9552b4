#include "narrowphase/collide_2d/patch.h"

#include <utility>

namespace cairn::planar {
namespace {

constexpr double k_end_on = 1e-3;  // an edge whose normal has less than this along n is seen end-on
constexpr double k_same_spot =
    1e-6;  // two corners, or two points, closer than this part of the edges are one

// A side seen along the normal: x along the tangent, heights outward.
struct Profile {
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;  // the core's ends, x0 ≤ x1
  double radius = 0, sine = 0,
         cosine = 1;  // of the angle between the side's normal and the outward direction
  std::uint32_t name0 = 0, name1 = 0, edge_name = 0;
  bool is_edge = false;

  double width() const { return x1 - x0; }

  // The corner at x, to within `same`, or the edge.
  std::uint32_t name_at(double x, double same) const {
    const double from_x0 = x - x0, to_x1 = x1 - x;
    if (!is_edge || smaller(from_x0, to_x1) > same) return is_edge ? edge_name : name0;
    return from_x0 <= to_x1 ? name0 : name1;
  }

  // Of the core's edge, from its nearer end: exact at both.
  double line(double x) const {
    const double slope = (y1 - y0) / (x1 - x0);
    return x - x0 <= x1 - x ? y0 + (x - x0) * slope : y1 + (x - x1) * slope;
  }
  // How far out the surface is at x: on the flat between r sin φ past each end, on round ends beyond.
  double height(double x) const {
    x = clamp(x, x0, x1);
    if (!is_edge) return y0 + radius;
    if (radius == 0) return line(x);
    const double shift = radius * sine;
    if (x < x0 + shift) return y0 + square_root(larger(0, radius * radius - (x - x0) * (x - x0)));
    if (x > x1 + shift) return y1 + square_root(larger(0, radius * radius - (x - x1) * (x - x1)));
    return line(x) + radius / cosine;
  }
};

Profile profile_of(const Side& side, const Vec2& origin, const Vec2& tangent, const Vec2& outward) {
  Profile p{dot(tangent, side.from - origin),
            dot(tangent, side.to - origin),
            dot(outward, side.from - origin),
            dot(outward, side.to - origin),
            side.radius,
            dot(side.normal, tangent),
            dot(side.normal, outward),
            side.from_name,
            side.to_name,
            side.edge_name,
            side.is_edge};
  if (p.x0 > p.x1) {
    std::swap(p.x0, p.x1);
    std::swap(p.y0, p.y1);
    std::swap(p.name0, p.name1);
  }
  p.is_edge = p.is_edge && p.x0 < p.x1;  // a short edge far away may have been rounded to a point
  return p;
}

}  // namespace

Side corner_side(const Outline& outline, const Pose2& pose, int corner) {
  const Vec2 at = to_world(pose, outline.points[corner]);
  const std::uint32_t name = outline.count == 1 ? feature(FeatureKind::surface, 0)
                                                : feature(FeatureKind::vertex, std::size_t(corner));
  return {at, at, {}, outline.radius, name, name, name, false};
}

Side edge_side(const Outline& outline, const Pose2& pose, int edge) {
  const int next = outline.next(edge);
  return {to_world(pose, outline.points[edge]),
          to_world(pose, outline.points[next]),
          pose.rotation * outline.normals[edge],
          outline.radius,
          feature(FeatureKind::vertex, std::size_t(edge)),
          feature(FeatureKind::vertex, std::size_t(next)),
          feature(FeatureKind::edge, std::size_t(edge)),
          true};
}

Side facing_side(const Outline& outline, const Pose2& pose, const Vec2& outward) {
  const Vec2 local = inverse(pose.rotation) * outward;
  return side_at_corner(outline, pose, furthest_corner(outline, local), outward);
}

Side side_at_corner(const Outline& outline, const Pose2& pose, int corner, const Vec2& outward) {
  const Vec2 local = inverse(pose.rotation) * outward;
  if (outline.count == 1) return corner_side(outline, pose, corner);
  const int before = outline.previous(corner);
  const double facing_before = dot(outline.normals[before], local),
               facing = dot(outline.normals[corner], local);
  if (larger(facing, facing_before) < k_end_on) return corner_side(outline, pose, corner);
  return edge_side(outline, pose, facing_before > facing ? before : corner);
}

Patch patch_between(const Side& a_side, const Side& b_side, const Vec2& n, double margin) {
  const Vec2 origin = a_side.from, tangent = perpendicular(n);
  const Profile a = profile_of(a_side, origin, tangent, n), b = profile_of(b_side, origin, tangent, -n);
  double lo = larger(a.x0, b.x0), hi = smaller(a.x1, b.x1);
  Patch patch;
  Manifold<Dim2>& manifold = patch.manifold;
  manifold.normal = n;
  const double widest = larger(a.width(), b.width());
  const double narrowest = a.is_edge && b.is_edge ? smaller(a.width(), b.width()) : widest;
  const double same = k_same_spot * narrowest;
  const auto point_at = [&](double x) {
    const double height = a.height(x);
    return ManifoldPoint<Dim2>{
        origin + x * tangent + height * n, -b.height(x) - height, {a.name_at(x, same), b.name_at(x, same)}};
  };
  patch.gap = larger(0, lo - hi);
  if (lo > hi) lo = hi = (lo + hi) / 2;
  const bool two = a.is_edge && b.is_edge && hi - lo > same;
  const ManifoldPoint<Dim2> low = point_at(lo), high = point_at(hi);
  const bool low_first = low.separation <= high.separation;
  manifold.points[0] = low_first ? low : high;
  manifold.points[1] = low_first ? high : low;
  manifold.count = two && manifold.points[1].separation <= margin ? 2 : 1;
  return patch;
}

}  // namespace cairn::planar
