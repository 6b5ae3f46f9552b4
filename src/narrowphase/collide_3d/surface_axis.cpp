#include "narrowphase/collide_3d/surface_axis.h"

#include <limits>

#include "geometry/direction.h"
#include "narrowphase/collide_3d/witness.h"

namespace cairn {
namespace {

// Sines below this are rounding: directions at the rim of an arc or cone.
constexpr double k_rim = 1e-9;

Vec3 middle_of(const Cone& c) { return {0, 0, -0.5 * c.half_height}; }
Vec3 middle_of(const Polyhedron& hull) {
  Vec3 total;
  for (const Vec3& v : hull.vertices) total += v - hull.vertices[0];
  return hull.vertices[0] + total / double(hull.vertices.size());
}
template <class S>
Vec3 middle_of(const S&) {
  return {};
}

// ----------------------------------------------------------------------------------------------- arcs of edges

// The directions of an edge's arc: cos θ n + sin θ outward, from 0 to `end`.
struct Arc {
  Vec3 normal, outward;
  double end;  // [rad]
  Vec3 at(double angle) const {
    const portable::SinCos turn = portable::sin_cos(angle);
    return turn.cos * normal + turn.sin * outward;
  }
};
Arc arc_of(const SurfaceTriangle& t, std::size_t k, bool one_sided) {
  const Vec3 outward = t.outward(k);
  if (t.edges[k].kind == EdgeKind::open) return {t.normal, outward, one_sided ? 0.5 * k_pi : k_pi};
  const double turn = portable::atan2(dot(t.edges[k].across, outward), dot(t.edges[k].across, t.normal));
  return {t.normal, outward,
          turn > 0 ? turn : k_pi};  // an edge folded by 180° may seem to turn the other way
}

struct EdgeSearch {
  const SurfaceTriangle& t;
  std::size_t edge;
  const Probe& probe;
  bool one_sided;
  double better_by;
  SurfaceAxis& best;

  void take(const Vec3& n, double separation) {
    if (separation <= best.separation + better_by) return;
    const SurfaceAxis axis{Bearing::edge, edge, n, separation};
    if (meet_along(t, axis, probe)) best = axis;
  }

  // Across the edge and an edge of the piece.
  void try_edge(const Vec3& along) {
    const Vec3 axis = cross(t.edges[edge].along, along);
    const double sine = length(axis);
    if (sine < 1e-6) return;
    Vec3 n = axis / sine;
    n = normalized(n - dot(n, t.edges[edge].along) * t.edges[edge].along);
    for (const Vec3& way : {n, -n})
      if (is_in_arc(way, t, edge, one_sided)) take(way, probe.lowest_above(way, t.corners[edge]));
  }
  // Of a large hull only those edges that are lowest along the axis: −n is between the normals of their two faces.
  void try_edges(const Polyhedron& hull) {
    const Vec3 along = probe.place.turned_in(t.edges[edge].along), p = probe.place.in(t.corners[edge]);
    for (const Polyhedron::Edge& e : hull.edges) {
      const Vec3 &from = hull.vertices[e.vertices[0]], side = hull.vertices[e.vertices[1]] - from;
      const Vec3 &left = hull.planes[e.faces[0]].normal, &right = hull.planes[e.faces[1]].normal;
      // The edge's own direction must separate the two normals, or no perpendicular of both lies between them.
      if (dot(left, along) * dot(right, along) > 0) continue;
      const Vec3 axis = cross(along, side);
      const double size = length(axis);
      if (size <= 1e-6 * length(side)) continue;
      Vec3 n = axis / size;
      if (dot(n, left + right) > 0) n = -n;  // towards the inside of the hull
      const double separation = dot(n, from - p);
      if (separation <= best.separation + better_by) continue;
      Vec3 out = probe.place.turned_out(n);
      out = normalized(out - dot(out, t.edges[edge].along) * t.edges[edge].along);
      if (is_in_arc(out, t, edge, one_sided)) take(out, probe.lowest_above(out, t.corners[edge]));
    }
  }
  // Round sides: samples of the arc, and around the best of them the place where the separation stops to rise. Its
  // slope is that of the lowest point x of the piece alone: n'·(x − p), as n'·x' is 0 at a lowest point.
  void sample() {
    constexpr int k_samples = 12, k_halvings = 60;
    const Arc arc = arc_of(t, edge, one_sided);
    const Vec3& p = t.corners[edge];
    int top = 0;
    double highest = -std::numeric_limits<double>::infinity();
    for (int k = 0; k <= k_samples; ++k) {
      const double s = probe.lowest_above(arc.at(arc.end * k / k_samples), p);
      if (s > highest) highest = s, top = k;
    }
    const auto rises = [&](double angle) {
      return dot(arc.at(angle + 0.5 * k_pi), probe.lowest_point(arc.at(angle)) - p) > 0;
    };
    double lo = arc.end * (top > 0 ? top - 1 : 0) / k_samples,
           hi = arc.end * (top < k_samples ? top + 1 : top) / k_samples;
    if (!rises(lo) || rises(hi)) return;  // best at an end of the arc: a face's
    for (int step = 0; step < k_halvings; ++step) {
      const double middle = 0.5 * (lo + hi);
      (rises(middle) ? lo : hi) = middle;
    }
    const Vec3 n = normalized(arc.at(0.5 * (lo + hi)));
    if (is_in_arc(n, t, edge, one_sided)) take(n, probe.lowest_above(n, p));
  }

  void run(const Sphere&) {}
  void run(const Box3&) {
    try_edge(probe.place.axes.c0);
    try_edge(probe.place.axes.c1);
    try_edge(probe.place.axes.c2);
  }
  void run(const Capsule3&) { try_edge(probe.place.axes.c2); }
  void run(const Cylinder&) { sample(); }
  void run(const Cone&) { sample(); }
  void run(const Polyhedron& hull) { try_edges(hull); }
  template <class S>
  void run(const S&) {}
};

// --------------------------------------------------------------------------------------------- sides of pieces

// f(n, separation) for the directions out of the piece's sides, both in the piece's frame: n points into the piece.
template <class F>
void for_each_side(const Box3& box, const Vec3& p, F f) {
  const Vec3 q = absolute(p) - box.half;
  if (q.x >= 0 || q.y >= 0 || q.z >= 0) return;
  f(Vec3{-1, 0, 0}, p.x - box.half.x);
  f(Vec3{1, 0, 0}, -p.x - box.half.x);
  f(Vec3{0, -1, 0}, p.y - box.half.y);
  f(Vec3{0, 1, 0}, -p.y - box.half.y);
  f(Vec3{0, 0, -1}, p.z - box.half.z);
  f(Vec3{0, 0, 1}, -p.z - box.half.z);
}
template <class F>
void for_each_side(const Polyhedron& hull, const Vec3& p, F f) {
  for (const FacePlane& plane : hull.planes)
    if (plane.distance(p) >= 0) return;
  for (const FacePlane& plane : hull.planes) f(-plane.normal, plane.distance(p));
}
template <class F>
void for_each_side(const Cylinder& c, const Vec3& p, F f) {
  const double rho = square_root(p.x * p.x + p.y * p.y);
  if (rho >= c.radius || absolute(p.z) >= c.half_height) return;
  f(Vec3{0, 0, -1}, p.z - c.half_height);
  f(Vec3{0, 0, 1}, -p.z - c.half_height);
  if (rho > 0) f(Vec3{-p.x / rho, -p.y / rho, 0}, rho - c.radius);
}
template <class F>
void for_each_side(const Cone& c, const Vec3& p, F f) {
  const double rho = square_root(p.x * p.x + p.y * p.y), height = 2 * c.half_height;
  const double slant = square_root(height * height + c.radius * c.radius);
  const double beyond = (height * rho - c.radius * (c.half_height - p.z)) / slant;
  if (beyond >= 0 || p.z <= -c.half_height) return;
  f(Vec3{0, 0, 1}, -p.z - c.half_height);
  if (rho > 0) f(Vec3{-height * p.x / rho, -height * p.y / rho, -c.radius} / slant, beyond);
}
template <class S, class F>
void for_each_side(const S&, const Vec3&, F) {}  // round all over: the nearest points say it

}  // namespace

Probe::Probe(const Piece3& p, const Pose3& q)
    : piece(p),
      pose(q),
      place(q),
      core(core_of(p)),
      size(size_of(p)),
      reach(2 * size),
      clip_size(size + 1e-3 * largest_component(q.position)),
      middle(place.out(std::visit([](const auto* shape) { return middle_of(*shape); }, p))) {}

// A corner is in a direction's cone if no side of a triangle around it rises along n. On a solid the same holds at the
// bottom of a pit, for the direction into the ground; there the corners of a small cut across n go round the other
// way. With the cut at a distance of 1 below the corner, the side s meets it at s/(−n·s).
bool is_in_cone(const Vec3& n, const std::vector<Spoke>& spokes, bool one_sided) {
  double area = 0;
  for (const auto& [a, b] : spokes) {
    const double rise_a = dot(n, a), rise_b = dot(n, b);
    if (rise_a > k_rim || rise_b > k_rim) return false;
    area += dot(n, cross(a, b)) / (larger(k_rim, -rise_a) * larger(k_rim, -rise_b));
  }
  return !one_sided || area > 0;
}

bool is_in_arc(const Vec3& n, const SurfaceTriangle& t, std::size_t edge, bool one_sided) {
  const EdgeKind kind = t.edges[edge].kind;
  if (kind == EdgeKind::flat || (kind == EdgeKind::concave && one_sided)) return false;
  if (dot(n, t.outward(edge)) <= k_rim) return false;
  if (kind == EdgeKind::open) return !one_sided || dot(n, t.normal) >= 0;
  return dot(n, t.outward_across(edge)) > k_rim;
}

TopPart top_part(const SurfaceTriangle& t, const Vec3& n, double tolerance) {
  double heights[3];
  std::size_t top = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    heights[k] = dot(n, t.corners[k] - t.corners[0]);
    if (heights[k] > heights[top]) top = k;
  }
  const std::size_t next = (top + 1) % 3, last = (top + 2) % 3;
  const bool with_next = heights[next] >= heights[top] - tolerance,
             with_last = heights[last] >= heights[top] - tolerance;
  if (with_next && with_last) return {Bearing::face, 0};
  if (with_next) return {Bearing::edge, top};
  if (with_last) return {Bearing::edge, last};
  return {Bearing::corner, top};
}

Facing facing_of(const SurfaceTriangle& t, const SurfaceAxis& axis) {
  const auto corner_name = [&](std::size_t k) { return feature(FeatureKind::vertex, t.vertices[k]); };
  const std::size_t k = axis.part, next = (k + 1) % 3;
  if (axis.bearing == Bearing::face) {
    Facing face =
        facing_triangle(t.corners, {corner_name(0), corner_name(1), corner_name(2)},
                        {t.edges[0].name, t.edges[1].name, t.edges[2].name}, feature(FeatureKind::face, 0));
    face.normal = t.normal;
    return face;
  }
  Facing part;
  part.name = axis.bearing == Bearing::edge ? t.edges[k].name : corner_name(k);
  part.add(t.corners[k], corner_name(k), part.name);
  if (axis.bearing == Bearing::edge) part.add(t.corners[next], corner_name(next), part.name);
  return part;
}

bool meet_along(const SurfaceTriangle& t, const SurfaceAxis& axis, const Probe& probe) {
  Facing tight;
  face_towards(probe.piece, probe.pose, -axis.normal, k_tight, tight);
  return common_point(facing_of(t, axis), tight, ClipFrame(probe.middle, axis.normal, probe.clip_size))
      .has_value();
}

void improve_by_edge(const SurfaceTriangle& t, std::size_t edge, const Probe& probe, bool one_sided,
                     double better_by, SurfaceAxis& best) {
  const SurfaceTriangle::Edge& e = t.edges[edge];
  if (e.kind == EdgeKind::flat || e.kind == EdgeKind::concave) return;
  // Out of the piece's reach, the edge has nothing to do with it.
  const Vec3 &from = t.corners[edge], to = t.corners[(edge + 1) % 3] - from;
  const double share = clamp(dot(e.along, probe.middle - from), 0, length(to));
  if (length_squared(probe.middle - (from + share * e.along)) > probe.reach * probe.reach) return;
  EdgeSearch search{t, edge, probe, one_sided, better_by, best};
  std::visit([&](const auto* shape) { search.run(*shape); }, probe.piece);
}

void list_corner_axes(const Vec3& corner, const Probe& probe, std::vector<CornerAxis>& out) {
  const Vec3 p = probe.place.in(corner);
  std::visit(
      [&](const auto* shape) {
        for_each_side(*shape, p, [&](const Vec3& n, double separation) {
          out.push_back({probe.place.turned_out(n), separation});
        });
      },
      probe.piece);
}

}  // namespace cairn
