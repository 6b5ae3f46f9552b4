// The separation of two convex bodies; polyhedra, segments and points are done here.
#include <algorithm>
#include <limits>

#include "narrowphase/reference_search.h"

namespace cairn::test {
namespace {

constexpr Real k_huge = std::numeric_limits<Real>::infinity();

struct Span {
  Real lo, hi;
};
Span span_of(const Body3& body, const Real3& n) {
  if (body.form != Form::core) return {-support(body, -n), support(body, n)};
  Span span{k_huge, -k_huge};
  for (const Real3& p : body.corners) {
    const Real d = dot(n, p);
    span.lo = std::min(span.lo, d);
    span.hi = std::max(span.hi, d);
  }
  return {span.lo - body.radius, span.hi + body.radius};
}

// The closest points of two segments: the feet of their common perpendicular where these lie within, or else an
// end of one and its foot on the other. The perpendicular's own formula is followed by one projection each way, so
// that segments that are nearly parallel lose nothing.
void segments(const Real3& p, const Real3& q, const Real3& r, const Real3& s, ClosestPair& pair) {
  const Real3 d = q - p, e = s - r, m = cross(d, e);
  const Real mm = dot(m, m);
  if (mm > 0) {
    Real t = dot(cross(r - p, e), m) / mm;
    if (t > 0 && t < 1) {
      const Real3 y = point_at(r, s, fraction_closest(r, s, point_at(p, q, t)));
      t = fraction_closest(p, q, y);
      pair.consider(point_at(p, q, t), y);
    }
  }
  for (const Real3& x : {p, q}) pair.consider(x, point_at(r, s, fraction_closest(r, s, x)));
  for (const Real3& y : {r, s}) pair.consider(point_at(p, q, fraction_closest(p, q, y)), y);
}

// From every corner of `from` that lies over a face of `faces` straight down to it.
template <class Consider>
void corners_over_faces(const Body3& from, const Body3& faces, Consider&& consider) {
  for (const Body3::Face& face : faces.faces)
    for (const Real3& x : from.corners) {
      bool over = true;
      for (std::size_t i = 0; i < face.loop.size() && over; ++i) {
        const Real3 p = faces.corners[face.loop[i]], q = faces.corners[face.loop[(i + 1) % face.loop.size()]];
        over = dot(cross(face.normal, q - p), x - p) >= 0;
      }
      if (over) consider(x, x - (dot(face.normal, x) - face.offset) * face.normal);
    }
}

void consider_core_features(const Body3& a, const Body3& b, ClosestPair& pair) {
  // A point is an edge from itself to itself.
  const auto edge_count = [](const Body3& body) { return std::max<std::size_t>(body.edges.size(), 1); };
  const auto end = [](const Body3& body, std::size_t i, bool to) -> const Real3& {
    if (body.edges.empty()) return body.corners[0];
    return body.corners[to ? body.edges[i].to : body.edges[i].from];
  };
  for (std::size_t i = 0; i < edge_count(a); ++i)
    for (std::size_t j = 0; j < edge_count(b); ++j)
      segments(end(a, i, false), end(a, i, true), end(b, j, false), end(b, j, true), pair);
  corners_over_faces(b, a, [&](const Real3& x, const Real3& foot) { pair.consider(foot, x); });
  corners_over_faces(a, b, [&](const Real3& x, const Real3& foot) { pair.consider(x, foot); });
}

Separation3 from_half_space(const Body3& a, const Body3& b) {
  const Real3 n = a.form == Form::half_space ? a.axis : -b.axis;
  const Real f = separation_along(a, b, n);
  return {f, f, f, n};
}

}  // namespace

DirectionSearch::DirectionSearch(const Body3& a, const Body3& b) : a_(a), b_(b), reach_(0), best_(-k_huge) {
  const auto middle = [](const Body3& body) {
    return body.form == Form::core ? body.corners[0] : body.centre;
  };
  reach_ = size_of(middle(b) - middle(a)) + a.extent + b.extent;
}

Real DirectionSearch::consider(const Real3& n) {
  const Real size = size_of(n);
  if (!(size > 1e-17L)) return -k_huge;
  const Real3 u = n * (1 / size);
  const Span a = span_of(a_, u), b = span_of(b_, u);
  const Real forth = b.lo - a.hi, back = a.lo - b.hi;
  if (forth > best_) best_ = forth, normal_ = u;
  if (back > best_) best_ = back, normal_ = -u;
  return std::max(forth, back);
}

Real DirectionSearch::consider_one(const Real3& n) {
  const Real3 u = unit(n);
  const Real f = -support(b_, -u) - support(a_, u);
  if (f > best_) best_ = f, normal_ = u;
  return f;
}

ClosestPair::ClosestPair() : distance(k_huge) {}

void ClosestPair::consider(const Real3& in_a, const Real3& in_b) {
  const Real3 d = in_b - in_a;
  const Real size = size_of(d);
  if (size < distance) distance = size, way = d;
}

Separation3 separation(const Body3& a, const Body3& b) {
  if (a.form == Form::half_space || b.form == Form::half_space) return from_half_space(a, b);
  const Real radii = (a.round() ? 0 : a.radius) + (b.round() ? 0 : b.radius);

  DirectionSearch search(a, b);
  for (const Body3* body : {&a, &b})
    for (const Body3::Face& face : body->faces) search.consider(face.normal);
  for (const Real3& d : a.directions)
    for (const Real3& e : b.directions) search.consider(cross(d, e));
  consider_round_directions(a, b, search);
  // Two flat cores are apart or, but for round-off, have a distance of 0 and no inside.
  const bool both_flat = a.flat() && b.flat();
  if (!both_flat && search.best() + radii <= 0)
    return {search.best(), search.best(), search.best(), search.normal()};

  ClosestPair pair;
  if (a.form == Form::core && b.form == Form::core)
    consider_core_features(a, b, pair);
  else
    consider_round_features(a, b, search.normal(), pair);
  if (pair.distance > 0) search.consider(pair.way);
  return {pair.distance - radii, search.best(), pair.distance - radii, search.normal()};
}

}  // namespace cairn::test
