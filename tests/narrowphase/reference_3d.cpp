#include "narrowphase/reference_3d.h"

#include <algorithm>
#include <limits>

namespace cairn::test {
namespace {

constexpr Real k_huge = std::numeric_limits<Real>::infinity();

void measure(Body3& body) {
  for (const Real3& p : body.corners)
    for (const Real3& q : body.corners) body.extent = std::max(body.extent, size_of(p - q));
  body.extent += 2 * body.radius;
}

// The normal of a polygon is the sum of the cross products of its edges from one corner: exact for a planar one.
void add_face(Body3& body, std::vector<std::size_t> loop) {
  Real3 area{};
  for (std::size_t i = 2; i < loop.size(); ++i)
    area += cross(body.corners[loop[i - 1]] - body.corners[loop[0]],
                  body.corners[loop[i]] - body.corners[loop[0]]);
  Body3::Face face{unit(area), -k_huge, std::move(loop)};
  for (const Real3& p : body.corners) face.offset = std::max(face.offset, dot(face.normal, p));
  body.faces.push_back(std::move(face));
}

struct BodyMaker {
  Body3 operator()(const Sphere* s) const {
    Body3 body;
    body.corners = {{0, 0, 0}};
    body.radius = s->radius;
    return body;
  }
  Body3 operator()(const Capsule3* s) const {
    Body3 body;
    body.corners = {{0, 0, -Real(s->half_length)}, {0, 0, Real(s->half_length)}};
    body.edges = {{0, 1}};
    body.directions = {{0, 0, 1}};
    body.radius = s->radius;
    return body;
  }
  Body3 operator()(const Box3* s) const {
    Body3 body;
    for (std::size_t i = 0; i < 8; ++i)
      body.corners.push_back({i & 1 ? Real(s->half.x) : -Real(s->half.x),
                              i & 2 ? Real(s->half.y) : -Real(s->half.y),
                              i & 4 ? Real(s->half.z) : -Real(s->half.z)});
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t bit : {1, 2, 4})
        if (!(i & bit)) body.edges.push_back({i, i | bit});
    for (const auto& loop : {std::array<std::size_t, 4>{0, 4, 6, 2},
                             {1, 3, 7, 5},
                             {0, 1, 5, 4},
                             {2, 6, 7, 3},
                             {0, 2, 3, 1},
                             {4, 5, 7, 6}})
      add_face(body, {loop.begin(), loop.end()});
    body.directions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return body;
  }
  Body3 operator()(const Polyhedron* s) const {
    Body3 body;
    for (const Vec3& p : s->vertices) body.corners.push_back(real(p));
    for (const auto& edge : s->edges) {
      body.edges.push_back({edge.vertices[0], edge.vertices[1]});
      body.directions.push_back(unit(body.corners[edge.vertices[1]] - body.corners[edge.vertices[0]]));
    }
    for (std::size_t f = 0; f < s->face_count(); ++f) add_face(body, {s->face(f).begin(), s->face(f).end()});
    body.blur = s->merge_distance;
    return body;
  }
  Body3 operator()(const Cylinder* s) const { return round(Form::cylinder, s->radius, s->half_height); }
  Body3 operator()(const Cone* s) const { return round(Form::cone, s->radius, s->half_height); }
  Body3 operator()(const Plane* s) const {
    Body3 body;
    body.form = Form::half_space;
    body.axis = unit(real(s->normal));
    body.half = s->offset;
    return body;
  }
  template <class Other>
  Body3 operator()(const Other*) const {
    return {};
  }

  static Body3 round(Form form, Real radius, Real half) {
    Body3 body;
    body.form = form;
    body.radius = radius;
    body.half = half;
    body.extent = 2 * std::sqrt(radius * radius + half * half);
    return body;
  }
};

// A point beside the axis of a cylinder or cone: its height along it, its distance from it and which way.
struct Beside {
  Real z = 0, rho = 0;
  Real3 outward{};  // unit
};
Beside beside(const Body3& body, const Real3& x) {
  const Real3 d = x - body.centre;
  const Real z = dot(d, body.axis);
  const Real3 radial = d - z * body.axis;
  const Real rho = size_of(radial);
  return {z, rho, rho > 0 ? radial * (1 / rho) : across(body.axis)};
}

// Half the section of a cylinder or cone through its axis, from the middle of the base to the top, in (rho, z).
std::array<Real2, 4> section(const Body3& body) {
  const Real r = body.radius, h = body.half;
  if (body.form == Form::cone) return {{{0, -h}, {r, -h}, {0, h}, {0, h}}};
  return {{{0, -h}, {r, -h}, {r, h}, {0, h}}};
}

// Of a point in the half plane of the section: the closest on its outline, and the distance, < 0 inside.
struct OnSection {
  Real2 closest{};
  Real distance = 0;
};
OnSection on_section(const Body3& body, const Real2& x) {
  const std::array<Real2, 4> corners = section(body);
  OnSection result{{}, k_huge};
  bool inside = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const Real2 from = corners[i], to = corners[i + 1], d = to - from;
    if (from == to) continue;
    inside = inside && cross(d, x - from) > 0;
    const Real2 p = point_at(from, to, fraction_closest(from, to, x));
    if (size_of(x - p) < result.distance) result = {p, size_of(x - p)};
  }
  if (inside) result.distance = -result.distance;
  return result;
}

Real distance_to_polyhedron(const Body3& body, const Real3& x) {
  Real deepest = -k_huge;
  for (const Body3::Face& face : body.faces) deepest = std::max(deepest, dot(face.normal, x) - face.offset);
  if (deepest <= 0) return deepest;
  Real least = k_huge;
  for (const Body3::Edge& edge : body.edges) {
    const Real3 from = body.corners[edge.from], to = body.corners[edge.to];
    least = std::min(least, size_of(x - point_at(from, to, fraction_closest(from, to, x))));
  }
  for (const Body3::Face& face : body.faces) {
    bool over = true;
    for (std::size_t i = 0; i < face.loop.size() && over; ++i) {
      const Real3 from = body.corners[face.loop[i]], to = body.corners[face.loop[(i + 1) % face.loop.size()]];
      over = dot(cross(face.normal, to - from), x - from) >= 0;
    }
    if (over) least = std::min(least, std::abs(dot(face.normal, x) - face.offset));
  }
  return least;
}

}  // namespace

Body3 body_of(const Piece3& piece) {
  Body3 body = std::visit(BodyMaker{}, piece);
  if (body.form == Form::core) measure(body);
  return body;
}

Real3 rotated(const Rot3& rotation, const Real3& v) {
  const Real w = rotation.w;
  const Real3 u{rotation.x, rotation.y, rotation.z};
  const Real scale = 2 / (w * w + dot(u, u));
  return v + scale * (w * cross(u, v) + cross(u, cross(u, v)));
}

Body3 placed(const Body3& body, const Pose3& pose) {
  Body3 moved = body;
  const auto turned = [&](const Real3& v) { return rotated(pose.rotation, v); };
  for (Real3& p : moved.corners) p = real(pose.position) + turned(p);
  for (Real3& d : moved.directions) d = turned(d);
  for (Body3::Face& face : moved.faces) {
    face.normal = turned(face.normal);
    face.offset += dot(face.normal, real(pose.position));
  }
  moved.axis = turned(moved.axis);
  moved.centre = real(pose.position) + turned(moved.centre);
  if (body.form == Form::half_space) moved.half += dot(moved.axis, real(pose.position));
  return moved;
}

Real support(const Body3& body, const Real3& n) {
  if (body.form == Form::core) {
    Real most = -k_huge;
    for (const Real3& p : body.corners) most = std::max(most, dot(n, p));
    return most + (body.radius > 0 ? body.radius * size_of(n) : 0);
  }
  if (body.form == Form::half_space) return size_of(n - body.axis) < 1e-9L ? body.half : k_huge;
  const Real middle = dot(n, body.centre), along = dot(n, body.axis);
  const Real rim = body.radius * size_of(n - along * body.axis);
  if (body.form == Form::cylinder) return middle + std::abs(along) * body.half + rim;
  return middle + std::max(along * body.half, rim - along * body.half);
}

Real signed_distance(const Body3& body, const Real3& x) {
  if (body.form == Form::half_space) return dot(body.axis, x) - body.half;
  if (body.round()) {
    const Beside at = beside(body, x);
    return on_section(body, {at.rho, at.z}).distance;
  }
  if (!body.faces.empty()) return distance_to_polyhedron(body, x);
  const Real3 from = body.corners.front(), to = body.corners.back();
  return size_of(x - point_at(from, to, fraction_closest(from, to, x))) - body.radius;
}

Real3 closest_in(const Body3& body, const Real3& x) {
  const Beside at = beside(body, x);
  const OnSection found = on_section(body, {at.rho, at.z});
  if (found.distance <= 0) return x;
  return body.centre + found.closest.y * body.axis + found.closest.x * at.outward;
}

Real separation_along(const Body3& a, const Body3& b, const Real3& n) {
  return -support(b, -n) - support(a, n);
}

}  // namespace cairn::test
