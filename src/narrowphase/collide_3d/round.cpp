// Spheres against everything, and capsules against each other.
#include "geometry/line.h"
#include "narrowphase/collide_3d/axis.h"

namespace cairn {
namespace {

// The better of two directions, for segments along z in a's frame and `along` in b's, of these half lengths.
double separation_of_segments(const Vec3& n, const Vec3& between, double half_a, const Vec3& along,
                              double half_b) {
  return dot(n, between) - half_a * absolute(n.z) - half_b * absolute(dot(n, along));
}

}  // namespace

// The direction from centre to centre; any where they coincide.
bool find_axis(const Sphere& a, const Sphere& b, const AxisQuery& query, ContactAxis& out) {
  const Direction<Vec3> between = direction_of(query.pose.position);
  out.normal = between.length > 0 ? between.unit : Vec3{0, 0, 1};
  out.separation = between.length - a.radius - b.radius;
  out.on_a = a.radius * out.normal;
  out.has_witness = true;
  return out.separation <= query.margin;
}

// Voronoi regions of a box: each coordinate is beyond the box or not, and the difference to the clamped point
// is the way out (Ericson 2005, §5.1.3). Inside, the nearest face's normal.
PointAxis point_axis(const Box3& box, const Vec3& p) {
  const Vec3 q = absolute(p) - box.half;  // how far beyond each pair of faces
  const Vec3 sign{p.x < 0 ? -1.0 : 1.0, p.y < 0 ? -1.0 : 1.0, p.z < 0 ? -1.0 : 1.0};
  const Direction<Vec3> beyond = direction_of(larger(q, Vec3{}));
  if (beyond.length > 0) return {scaled(sign, beyond.unit), beyond.length};
  if (q.x >= q.y && q.x >= q.z) return {{sign.x, 0, 0}, q.x};
  if (q.y >= q.z) return {{0, sign.y, 0}, q.y};
  return {{0, 0, sign.z}, q.z};
}

// The nearest point of the segment (Ericson 2005, §5.1.2); on the segment itself, any direction at right
// angles to it.
PointAxis point_axis(const Capsule3& c, const Vec3& p) {
  const Direction<Vec3> way = direction_of(p - Vec3{0, 0, clamp(p.z, -c.half_length, c.half_length)});
  return {way.length > 0 ? way.unit : Vec3{1, 0, 0}, way.length - c.radius};
}

// In the half-plane of the point and the axis a cylinder is the rectangle [0, radius] × [−half, half].
PointAxis point_axis(const Cylinder& c, const Vec3& p) {
  const Direction<Vec2> radial = direction_of(Vec2{p.x, p.y});
  const Vec2 out = radial.length > 0 ? radial.unit : Vec2{1, 0};
  const double up = p.z < 0 ? -1.0 : 1.0;
  const Vec2 q{radial.length - c.radius, absolute(p.z) - c.half_height};
  const Direction<Vec2> beyond = direction_of(larger(q, Vec2{}));
  if (beyond.length > 0)
    return {{beyond.unit.x * out.x, beyond.unit.x * out.y, beyond.unit.y * up}, beyond.length};
  if (q.x >= q.y) return {{out.x, out.y, 0}, q.x};
  return {{0, 0, up}, q.y};
}

// In the half-plane of the point and the axis a cone is the triangle of axis, base and slanted side.
PointAxis point_axis(const Cone& c, const Vec3& p) {
  const Direction<Vec2> radial = direction_of(Vec2{p.x, p.y});
  const Vec2 out = radial.length > 0 ? radial.unit : Vec2{1, 0};
  const Vec2 x{radial.length, p.z}, rim{c.radius, -c.half_height}, apex{0, c.half_height};
  const auto axis = [&](const Vec2& n, double d) { return PointAxis{{n.x * out.x, n.x * out.y, n.y}, d}; };
  const Direction<Vec2> up_side = direction_of(apex - rim);
  const Vec2 side_normal{up_side.unit.y, -up_side.unit.x}, down{0, -1};
  const double to_side = dot(side_normal, x - rim), to_base = -c.half_height - x.y;
  if (to_side <= 0 && to_base <= 0)
    return to_side >= to_base ? axis(side_normal, to_side) : axis(down, to_base);
  if (to_base > 0 && x.x <= c.radius) return axis(down, to_base);
  // Beyond which end of the slanted side, if any; each end judged from itself, for there rounding matters.
  const bool past_apex = dot(up_side.unit, x - apex) > 0, past_rim = dot(up_side.unit, x - rim) < 0;
  if (!past_apex && !past_rim) return axis(side_normal, to_side);
  const Direction<Vec2> way = direction_of(x - (past_apex ? apex : rim));
  return axis(way.unit, way.length);
}

namespace {

// From an edge of a hull that p is beside: from its inside or from one of its ends. Rounding could turn the
// difference of two points out of the arc between the normals of the edge's faces, which costs up to the
// edge's length times the angle. So the direction is taken from the heights above the two faces, d₀ and d₁,
// whose errors only move it along the arc: n ∝ (d₀ − c d₁) N₀ + (d₁ − c d₀) N₁ with c = N₀·N₁.
PointAxis edge_axis(const Polyhedron& hull, const Polyhedron::Edge& edge, const Vec3& p) {
  const Vec3 &from = hull.vertices[edge.vertices[0]], &to = hull.vertices[edge.vertices[1]];
  const Vec3 along = normalized(to - from);
  if (dot(p - from, along) <= 0 || dot(p - to, along) >= 0) {
    const Direction<Vec3> way = direction_of(p - (dot(p - from, along) <= 0 ? from : to));
    return {way.unit, way.length};
  }
  const Vec3 &n0 = hull.planes[edge.faces[0]].normal, &n1 = hull.planes[edge.faces[1]].normal;
  const Vec3& near = length_squared(p - from) < length_squared(p - to) ? from : to;
  const double d0 = dot(n0, p - near), d1 = dot(n1, p - near), c = dot(n0, n1);
  Vec3 arc = direction_of(larger(0, d0 - c * d1) * n0 + larger(0, d1 - c * d0) * n1).unit;
  arc -= dot(arc, along) * along;
  arc = direction_of(arc).unit;
  return {arc, dot(arc, p - near)};
}

// Of all directions at p the separation of p from the hull.
double separation_of_point(const Polyhedron& hull, const Vec3& n, const Vec3& p) {
  double least = k_infinity;
  for (const Vec3& v : hull.vertices) least = smaller(least, dot(n, p - v));
  return least;
}

}  // namespace

// Voronoi regions of a hull, as of the box above. The nearest point lies on a face whose outer side the point
// sees. If the point is straight above the highest such face, its normal is the way; otherwise the nearest of
// all edges of such faces decides. Beside a corner several edges may be equally near to rounding: then the
// best of their directions.
PointAxis point_axis(const Polyhedron& hull, const Vec3& p) {
  std::size_t best_face = 0;
  double highest = -k_infinity;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const double d = hull.planes[f].distance(p);
    if (d <= highest) continue;
    highest = d;
    best_face = f;
  }
  const std::span<const Polyhedron::Index> corners = hull.face(best_face);
  PointAxis above{hull.planes[best_face].normal, k_infinity};
  for (const Polyhedron::Index v : corners)  // more exact than the plane's offset, far from the origin
    above.distance = smaller(above.distance, dot(above.normal, p - hull.vertices[v]));
  if (above.distance <= 0) return above;

  bool beside = false;
  for (std::size_t k = 0; k < corners.size() && !beside; ++k) {
    const Vec3 &from = hull.vertices[corners[k]],
               &to = hull.vertices[corners[k + 1 == corners.size() ? 0 : k + 1]];
    beside = dot(cross(to - from, above.normal), p - from) > 0;
  }
  if (!beside) return above;

  const auto distance_squared = [&](const Polyhedron::Edge& edge) {
    const Vec3 &from = hull.vertices[edge.vertices[0]], &to = hull.vertices[edge.vertices[1]];
    if (dot(hull.planes[edge.faces[0]].normal, p - from) <= 0 &&
        dot(hull.planes[edge.faces[1]].normal, p - from) <= 0)
      return k_infinity;  // both faces look away
    const Vec3 along = to - from;
    return length_squared(p - from - clamp(dot(p - from, along) / dot(along, along), 0, 1) * along);
  };
  double nearest = k_infinity;
  const Polyhedron::Edge* nearest_edge = hull.edges.data();
  for (const Polyhedron::Edge& edge : hull.edges) {
    const double d = distance_squared(edge);
    if (d >= nearest) continue;
    nearest = d;
    nearest_edge = &edge;
  }
  PointAxis best = edge_axis(hull, *nearest_edge, p);
  double best_separation = separation_of_point(hull, best.normal, p);
  if (best_separation >= best.distance * (1 - 1e-14) && !(best.normal == Vec3{})) return best;
  if (best.normal == Vec3{}) best = above, best_separation = -k_infinity;  // on the edge itself
  const auto consider = [&](const PointAxis& candidate) {
    const double separation = separation_of_point(hull, candidate.normal, p);
    if (separation <= best_separation) return;
    best_separation = separation;
    best = {candidate.normal, separation};
  };
  consider(above);
  const double reach = nearest + 1e-9 * length_squared(p - hull.vertices[nearest_edge->vertices[0]]);
  for (const Polyhedron::Edge& edge : hull.edges)
    if (distance_squared(edge) <= reach) consider(edge_axis(hull, edge, p));
  return best;
}

// The nearest points of the two axes (Ericson 2005, §5.1.9) give the direction; where the axes all but meet,
// or do, so does their cross product. Judged by the separation of the axes, whichever is better.
bool find_axis(const Capsule3& a, const Capsule3& b, const AxisQuery& query, ContactAxis& out) {
  const Vec3 along = query.place.axes.c2, between = query.pose.position;  // b's axis; from centre to centre
  const double half_a = a.half_length, half_b = b.half_length;
  // Minimise |between + t along − s z|² over the two segments.
  const double cosine = along.z, off = dot(between, along);
  const double sine_squared = along.x * along.x + along.y * along.y;
  double s = sine_squared > 1e-16 ? clamp((between.z - cosine * off) / sine_squared, -half_a, half_a)
                                  : clamp(between.z, -half_a, half_a);
  double t = clamp(s * cosine - off, -half_b, half_b);
  s = clamp(between.z + t * cosine, -half_a, half_a);
  t = clamp(s * cosine - off, -half_b, half_b);

  out.separation = -k_infinity;
  const auto consider = [&](const Vec3& n) {
    const double separation = separation_of_segments(n, between, half_a, along, half_b);
    if (separation <= out.separation) return;
    out.separation = separation;
    out.normal = n;
  };
  Vec3 way = between + t * along - Vec3{0, 0, s};
  if (absolute(s) < half_a) way.z = 0;
  if (absolute(t) < half_b) way -= dot(way, along) * along;
  const Direction<Vec3> difference = direction_of(way);
  if (difference.length > 0) consider(difference.unit);
  const Direction<Vec2> crossed = direction_of(Vec2{along.x, along.y});
  if (crossed.length > 1e-10) {  // z × along
    const Vec3 n{-crossed.unit.y, crossed.unit.x, 0};
    consider(dot(n, between) < 0 ? -n : n);
  }
  if (crossed.length < 1e-8) {  // parallel: at right angles to both, towards b
    const Direction<Vec2> beside = direction_of(Vec2{between.x, between.y});
    consider(beside.length > 0 ? Vec3{beside.unit.x, beside.unit.y, 0} : Vec3{1, 0, 0});
  }
  out.separation -= a.radius + b.radius;
  out.has_witness = true;
  // On a's axis, below the nearest point of b's.
  out.on_a = Vec3{0, 0, s} + a.radius * out.normal;
  return out.separation <= query.margin;
}

}  // namespace cairn
