#include "narrowphase/reference_2d.h"

#include <algorithm>
#include <limits>

namespace cairn::test {
namespace {

constexpr Real k_huge = std::numeric_limits<Real>::infinity();

Real2 edge_normal(const Real2& from, const Real2& to) {  // outward, of a counter-clockwise polygon
  const Real2 d = to - from;
  return unit(Real2{d.y, -d.x});
}

struct CoreMaker {
  Body2 operator()(const Circle* s) const { return {{{0, 0}}, s->radius, 2 * Real(s->radius)}; }
  Body2 operator()(const Box2* s) const {
    const Real x = s->half.x, y = s->half.y;
    return {{{-x, -y}, {x, -y}, {x, y}, {-x, y}}, 0, 0};
  }
  Body2 operator()(const Capsule2* s) const {
    return {{{0, -Real(s->half_length)}, {0, Real(s->half_length)}}, s->radius, 0};
  }
  Body2 operator()(const ConvexPolygon* s) const {
    Body2 body;
    for (const Vec2& p : s->points) body.corners.push_back(real(p));
    return body;
  }
  Body2 operator()(const Segment* s) const { return {{real(s->a), real(s->b)}, 0, 0}; }
  template <class Other>
  Body2 operator()(const Other*) const {
    return {};
  }
};

// Calls f(from, to) for every edge; a point is an edge of no length, a segment has one edge.
template <class F>
void for_each_edge(const Body2& body, F&& f) {
  const std::size_t n = body.corners.size();
  if (n <= 2) return f(body.corners.front(), body.corners.back());
  for (std::size_t i = 0; i < n; ++i) f(body.corners[i], body.corners[(i + 1) % n]);
}

// The least distance of a corner of `corners` to an edge of `edges`, and the vector from edge to corner.
void corners_to_edges(const Body2& corners, const Body2& edges, Real& least, Real2& way) {
  for (const Real2& x : corners.corners)
    for_each_edge(edges, [&](const Real2& from, const Real2& to) {
      const Real2 d = x - point_at(from, to, fraction_closest(from, to, x));
      if (size_of(d) >= least) return;
      least = size_of(d);
      way = d;
    });
}

}  // namespace

Body2 body_of(const Piece2& piece) {
  Body2 body = std::visit(CoreMaker{}, piece);
  for (const Real2& p : body.corners)
    for (const Real2& q : body.corners) body.extent = std::max(body.extent, size_of(p - q) + 2 * body.radius);
  return body;
}

Body2 placed(const Body2& body, const Pose2& pose) {
  Body2 moved = body;
  const Vec2T<Real> turn = unit(Real2{pose.rotation.c, pose.rotation.s});
  for (Real2& p : moved.corners)
    p = real(pose.position) + Real2{turn.x * p.x - turn.y * p.y, turn.y * p.x + turn.x * p.y};
  return moved;
}

Real support(const Body2& body, const Real2& n) {
  Real most = -k_huge;
  for (const Real2& p : body.corners) most = std::max(most, dot(n, p));
  return most + body.radius * size_of(n);
}

Real signed_distance(const Body2& body, const Real2& x) {
  Real distance = k_huge, inside = -k_huge;
  for_each_edge(body, [&](const Real2& from, const Real2& to) {
    distance = std::min(distance, size_of(x - point_at(from, to, fraction_closest(from, to, x))));
    if (!body.flat()) inside = std::max(inside, dot(edge_normal(from, to), x - from));
  });
  return (!body.flat() && inside < 0 ? inside : distance) - body.radius;
}

Real separation_along(const Body2& a, const Body2& b, const Real2& n) {
  return -support(b, -n) - support(a, n);
}

Separation2 separation(const Body2& a, const Body2& b) {
  Separation2 best{-k_huge, {}};
  const auto consider = [&](const Real2& n) {
    const Real f = separation_along(a, b, n);
    if (f > best.value) best = {f, n};
  };
  for (const Body2* body : {&a, &b})
    for_each_edge(*body, [&](const Real2& from, const Real2& to) {
      const Real2 n = from == to ? Real2{1, 0} : edge_normal(from, to);
      consider(n);
      consider(-n);
    });

  // Cores of any kind that no edge normal parts overlap, but for two flat ones: those on one line.
  const Real radii = a.radius + b.radius;
  if (best.value + radii <= 0 && !(a.flat() && b.flat())) return best;
  Real least = k_huge;
  Real2 way{};
  corners_to_edges(b, a, least, way);
  Real2 back{};
  Real other = least;
  corners_to_edges(a, b, other, back);
  if (other < least) least = other, way = -back;
  // Flat cores that cross have no corner near the other's edge; an edge normal then says 0 or less.
  if (best.value + radii <= 0 && a.corners.size() == 2 && b.corners.size() == 2) {
    const Real2 d = a.corners[1] - a.corners[0], e = b.corners[1] - b.corners[0];
    const Real s0 = cross(d, b.corners[0] - a.corners[0]), s1 = cross(d, b.corners[1] - a.corners[0]);
    const Real t0 = cross(e, a.corners[0] - b.corners[0]), t1 = cross(e, a.corners[1] - b.corners[0]);
    if (s0 * s1 < 0 && t0 * t1 < 0) return best;
  }
  return {least - radii, least > 0 ? unit(way) : best.normal};
}

}  // namespace cairn::test
