#include "narrowphase/solid_pairs.h"

#include <algorithm>
#include <cstdio>

namespace cairn::pairs {
namespace {

using samples::uniform;

Piece3 only_piece(const Geometry3& geometry) { return pieces_of(geometry).at(0).piece; }

struct Sizes {
  double operator()(const Sphere* s) const { return s->radius; }
  double operator()(const Box3* b) const { return length(b->half); }
  double operator()(const Capsule3* c) const { return c->radius + c->half_length; }
  double operator()(const Cylinder* c) const { return c->radius + c->half_height; }
  double operator()(const Cone* c) const { return c->radius + c->half_height; }
  double operator()(const Polyhedron* h) const {
    double most = 0;
    for (const Vec3& v : h->vertices) most = std::max(most, length(v - h->vertices[0]));
    return most;
  }
  template <class S>
  double operator()(const S*) const {
    return 0;
  }
};

struct Outside {
  Vec3 p;
  double operator()(const Sphere* s) const { return length(p) - s->radius; }
  double operator()(const Box3* b) const {
    const Vec3 q = absolute(p) - b->half;
    return std::max({q.x, q.y, q.z});
  }
  double operator()(const Capsule3* c) const {
    return length(p - Vec3{0, 0, std::clamp(p.z, -c->half_length, c->half_length)}) - c->radius;
  }
  double operator()(const Cylinder* c) const {
    return std::max(std::hypot(p.x, p.y) - c->radius, std::abs(p.z) - c->half_height);
  }
  double operator()(const Cone* c) const {
    const double height = 2 * c->half_height, slant = std::hypot(height, c->radius);
    const double side =
        (height * (std::hypot(p.x, p.y) - c->radius) + c->radius * (p.z + c->half_height)) / slant;
    return std::max(side, -c->half_height - p.z);
  }
  double operator()(const Polyhedron* h) const {
    double most = -1e300;
    for (std::size_t f = 0; f < h->face_count(); ++f)
      most = std::max(most, dot(h->planes[f].normal, p - h->vertices[h->face(f)[0]]));
    return most;
  }
  double operator()(const Plane* plane) const { return dot(plane->normal, p) - plane->offset; }
  template <class S>
  double operator()(const S*) const {
    return 1e300;
  }
};

struct Highest {  // max over the piece of d·x, for unit d
  Vec3 d;
  double operator()(const Sphere* s) const { return s->radius; }
  double operator()(const Box3* b) const { return dot(absolute(d), b->half); }
  double operator()(const Capsule3* c) const { return c->radius + c->half_length * std::abs(d.z); }
  double operator()(const Cylinder* c) const {
    return c->radius * std::hypot(d.x, d.y) + c->half_height * std::abs(d.z);
  }
  double operator()(const Cone* c) const {
    return std::max(c->half_height * d.z, c->radius * std::hypot(d.x, d.y) - c->half_height * d.z);
  }
  double operator()(const Polyhedron* h) const {
    double most = -1e300;
    for (const Vec3& v : h->vertices) most = std::max(most, dot(d, v));
    return most;
  }
  double operator()(const Plane* plane) const {
    return dot(d, plane->normal) > 1 - 1e-14 ? plane->offset : 1e300;
  }
  template <class S>
  double operator()(const S*) const {
    return 1e300;
  }
};
// [m] How far corners are from the planes of their faces: hulls may merge faces that are nearly in a plane.
double unevenness(const Piece3& piece) {
  const auto* hull = std::get_if<const Polyhedron*>(&piece);
  if (!hull) return 0;
  double most = 0;
  for (std::size_t f = 0; f < (*hull)->face_count(); ++f)
    for (const auto v : (*hull)->face(f))
      most = std::max(most, std::abs((*hull)->planes[f].distance((*hull)->vertices[v])));
  return most;
}
double highest(const Piece3& piece, const Vec3& d) { return std::visit(Highest{d}, piece); }

std::vector<std::pair<Vec3, Vec3>> edges_of(const Piece3& piece) {
  std::vector<std::pair<Vec3, Vec3>> edges;
  const std::vector<Vec3> corners = corners_of(piece);
  if (const auto* hull = std::get_if<const Polyhedron*>(&piece)) {
    for (const Polyhedron::Edge& e : (*hull)->edges)
      edges.push_back({corners[e.vertices[0]], corners[e.vertices[1]]});
    return edges;
  }
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t bit = 1; bit < 8; bit *= 2)
      if (!(i & bit)) edges.push_back({corners[i], corners[i | bit]});
  return edges;
}
std::vector<FacePlane> planes_of(const Piece3& piece) {
  if (const auto* hull = std::get_if<const Polyhedron*>(&piece)) return (*hull)->planes;
  const Vec3 h = std::get<const Box3*>(piece)->half;
  return {{{1, 0, 0}, h.x},  {{-1, 0, 0}, h.x}, {{0, 1, 0}, h.y},
          {{0, -1, 0}, h.y}, {{0, 0, 1}, h.z},  {{0, 0, -1}, h.z}};
}

double segment_distance(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
  const auto to_segment = [](const Vec3& x, const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    return length(x - a - std::clamp(dot(x - a, d) / dot(d, d), 0.0, 1.0) * d);
  };
  double least = std::min(
      {to_segment(p0, q0, q1), to_segment(p1, q0, q1), to_segment(q0, p0, p1), to_segment(q1, p0, p1)});
  const Vec3 d = p1 - p0, e = q1 - q0, c = cross(d, e), r = q0 - p0;
  const double cc = dot(c, c);
  if (cc < 1e-24 * dot(d, d) * dot(e, e)) return least;
  const double s = dot(cross(r, e), c) / cc, t = dot(cross(r, d), c) / cc;
  if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = std::min(least, std::abs(dot(r, c)) / std::sqrt(cc));
  return least;
}

}  // namespace

Built::Built(const Shape3& shape)
    : geometry(build(shape)), piece(only_piece(geometry)), size(std::visit(Sizes{}, piece)) {}

Hull box_hull(const Vec3& h) {
  Hull hull;
  for (int k = 0; k < 8; ++k)
    hull.points.push_back({k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z});
  return hull;
}
Hull random_hull(Random& random, std::size_t points, double size) {
  Hull hull;
  const double squeeze = uniform(random, 0.2, 1);
  for (std::size_t k = 0; k < points; ++k) {
    const Vec3 way = samples::unit3(random), u = way * (size * uniform(random, 0.8, 1));
    hull.points.push_back({u.x, u.y, u.z * squeeze});
  }
  return hull;
}
Hull tetrahedron(Random& random, double size) {
  Hull hull;
  const Vec3 at[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  for (const Vec3& p : at) hull.points.push_back(size * (p + samples::vector3(random, 0.3)));
  return hull;
}

Shape3 random_solid(Random& random, int kind, double size) {
  const auto length = [&] { return size * uniform(random, 0.2, 1); };
  switch (kind) {
    case 0:
      return Sphere{length()};
    case 1:
      return Box3{{length(), length(), length()}};
    case 2:
      return Capsule3{length(), length()};
    case 3:
      return Cylinder{length(), length()};
    case 4:
      return Cone{length(), length()};
    default:
      return random_hull(random, 5 + random() % 12, size);
  }
}
bool is_curved(const Piece3& piece) {
  return std::holds_alternative<const Cylinder*>(piece) || std::holds_alternative<const Cone*>(piece);
}
double outside_by(const Piece3& piece, const Vec3& p) { return std::visit(Outside{p}, piece); }

std::vector<Vec3> corners_of(const Piece3& piece) {
  if (const auto* hull = std::get_if<const Polyhedron*>(&piece)) return (*hull)->vertices;
  return box_hull(std::get<const Box3*>(piece)->half).points;
}

double separation_along(const Piece3& a, const Piece3& b, const Pose3& b_in_a, const Vec3& n) {
  return dot(n, b_in_a.position) - highest(b, inverse(b_in_a.rotation) * -n) - highest(a, n);
}

double greatest_separation(const Piece3& a, const Piece3& b, const Pose3& b_in_a) {
  const auto try_axis = [&, best = -1e300](const Vec3& n) mutable {
    const double l = length(n);
    if (l > 1e-9)
      best = std::max({best, separation_along(a, b, b_in_a, n / l), separation_along(a, b, b_in_a, -n / l)});
    return best;
  };
  auto tried = try_axis;
  double best = -1e300;
  for (const FacePlane& plane : planes_of(a)) best = tried(plane.normal);
  for (const FacePlane& plane : planes_of(b)) best = tried(b_in_a.rotation * plane.normal);
  auto edges_b = edges_of(b);
  for (auto& [p, q] : edges_b) p = to_world(b_in_a, p), q = to_world(b_in_a, q);
  for (const auto& [p, q] : edges_of(a))
    for (const auto& [r, s] : edges_b) best = tried(cross(normalized(q - p), normalized(s - r)));
  const double size = std::visit(Sizes{}, a) + std::visit(Sizes{}, b);
  if (best <= 1e-11 * size) return best;
  double least =
      1e300;  // apart: the least distance of all pairs of edges, and of corners straight above faces
  for (const auto& [p, q] : edges_of(a))
    for (const auto& [r, s] : edges_b) least = std::min(least, segment_distance(p, q, r, s));
  const auto corners_above_faces = [&](const Piece3& of, const Piece3& over, const Pose3& pose) {
    for (const Vec3& corner : corners_of(of)) {
      const Vec3 p = to_world(pose, corner);
      for (const FacePlane& plane : planes_of(over)) {
        const double d = plane.distance(p);
        if (d > 0 && outside_by(over, p - d * plane.normal) < 1e-11 * size) least = std::min(least, d);
      }
    }
  };
  corners_above_faces(a, b, inverse(b_in_a));
  corners_above_faces(b, a, b_in_a);
  return std::max(best,
                  least);  // `best` is a lower bound; `least` too large only by the rounding of the last test
}

double climb_from(const Piece3& a, const Piece3& b, const Pose3& b_in_a, const Vec3& n, Random& random) {
  const double before = separation_along(a, b, b_in_a, n);
  double best = before;
  Vec3 at = n;
  for (double step = 0.3; step > 1e-9; step *= 0.8)
    for (int k = 0; k < 6; ++k) {
      const Vec3 m = normalized(at + samples::vector3(random, step));
      const double s = separation_along(a, b, b_in_a, m);
      if (s > best) best = s, at = m;
    }
  return best - before;
}

Pose3 placed_along(const Piece3& a, const Piece3& b, const Rot3& rotation, const Vec3& n, double separation) {
  Pose3 pose{{}, rotation};
  pose.position = (separation + highest(a, n) + highest(b, inverse(rotation) * -n)) * n;
  return pose;
}

std::string defect_of(const Piece3& a, const Piece3& b, const Pose3& b_in_a, double margin, double size,
                      const ManifoldList<Dim3>& manifolds, double tolerance) {
  char text[400];
  const double slack = tolerance * size + 2 * (unevenness(a) + unevenness(b));
  if (manifolds.empty()) return "nothing found";
  if (manifolds.size() > 1) return "more than one manifold";
  const Manifold<Dim3>& m = manifolds[0];
  if (m.count < 1 || m.count > 4) return "the number of points";
  if (std::abs(length(m.normal) - 1) > 1e-12) return "the normal's length";
  const double along = separation_along(a, b, b_in_a, m.normal);
  if (!(std::abs(along - m.points[0].separation) <= slack)) {
    std::snprintf(text, sizeof text, "separation %.15g, along the normal %.15g", m.points[0].separation,
                  along);
    return text;
  }
  for (std::size_t k = 0; k < std::size_t(m.count); ++k) {
    const ManifoldPoint<Dim3>& p = m.points[k];
    if (p.separation < m.points[0].separation) return "the first is not the deepest";
    if (p.separation > margin) return "a point beyond the margin";
    const Vec3 q = to_local(b_in_a, p.point + p.separation * m.normal);
    const double off_a = outside_by(a, p.point), off_b = outside_by(b, q);
    if (!(std::abs(off_a) <= slack && std::abs(off_b) <= slack)) {
      std::snprintf(text, sizeof text,
                    "point %zu of %d (features %08x %08x, separation %g) is %g off a, %g off b; size %g", k,
                    m.count, p.features.a, p.features.b, p.separation, off_a, off_b, size);
      return text;
    }
    for (std::size_t i = 0; i < k; ++i)
      if (m.points[i].features == p.features) return "two points of the same features";
  }
  return {};
}

ManifoldList<Dim3> collide_fresh(const Piece3& a, const Piece3& b, const Pose3& b_in_a, double margin) {
  PairCache<Dim3> cache;
  ManifoldList<Dim3> out;
  collide(a, b, b_in_a, margin, cache, out);
  return out;
}

std::string text(const Pose3& pose) {
  char buffer[300];
  std::snprintf(buffer, sizeof buffer, "{{%.17g, %.17g, %.17g}, {%.17g, %.17g, %.17g, %.17g}}",
                pose.position.x, pose.position.y, pose.position.z, pose.rotation.w, pose.rotation.x,
                pose.rotation.y, pose.rotation.z);
  return buffer;
}

}  // namespace cairn::pairs
