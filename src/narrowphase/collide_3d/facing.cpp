#include "narrowphase/collide_3d/facing.h"

#include "base/assert.h"
#include "narrowphase/collide_3d/placement.h"

namespace cairn {
namespace {

constexpr std::size_t k_rim = 12;  // points that stand for the rim of a cylinder or cone

constexpr std::uint32_t vertex_name(std::size_t i) { return feature(FeatureKind::vertex, i); }
constexpr std::uint32_t edge_name(std::size_t i) { return feature(FeatureKind::edge, i); }
constexpr std::uint32_t face_name(std::size_t i) { return feature(FeatureKind::face, i); }
constexpr std::uint32_t surface_name(std::size_t i) { return feature(FeatureKind::surface, i); }

double least_cosine(double lean) { return square_root((1 - lean) * (1 + lean)); }

void facing_of(const Sphere& s, const Vec3& n, double, Facing& out) {
  out.name = surface_name(0);
  out.add(s.radius * n, out.name, 0);
}

// Corner k has the signs of its bits: bit 0 for x, 1 for y, 2 for z, set where positive.
Vec3 box_corner(const Box3& box, std::size_t k) {
  return {k & 1 ? box.half.x : -box.half.x, k & 2 ? box.half.y : -box.half.y,
          k & 4 ? box.half.z : -box.half.z};
}
// The edges along axis k are 4k + 0…3, by the signs of the next two axes in cyclic order.
std::uint32_t box_edge_name(std::size_t corner, std::size_t axis) {
  const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
  return edge_name(4 * axis + (corner >> i & 1) + 2 * (corner >> j & 1));
}
void facing_of(const Box3& box, const Vec3& n, double lean, Facing& out) {
  const double along[3] = {n.x, n.y, n.z};
  std::size_t most = 0, least = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (absolute(along[k]) > absolute(along[most])) most = k;
    if (absolute(along[k]) < absolute(along[least])) least = k;
  }
  const std::size_t top =
      std::size_t(n.x >= 0) | std::size_t(n.y >= 0) << 1 | std::size_t(n.z >= 0) << 2;  // support
  const std::size_t bit = std::size_t(1) << most, i = (most + 1) % 3, j = (most + 2) % 3;
  if (absolute(along[most]) >= least_cosine(lean)) {
    const bool positive = along[most] > 0;
    const std::size_t bi = std::size_t(1) << i, bj = std::size_t(1) << j, base = positive ? bit : 0;
    const std::size_t ring[4] = {base, base | bi, base | bi | bj, base | bj};  // about +axis
    out.normal = {most == 0 ? 1.0 : 0.0, most == 1 ? 1.0 : 0.0, most == 2 ? 1.0 : 0.0};
    if (!positive) out.normal = -out.normal;
    out.name = face_name(2 * most + std::size_t(positive));
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t here = positive ? k : 3 - k;
      const std::size_t along_side = (here % 2 == 0) == positive ? i : j;
      out.add(box_corner(box, ring[here]), vertex_name(ring[here]), box_edge_name(ring[here], along_side));
    }
  } else if (absolute(along[least]) <= lean) {
    const std::size_t low = top & ~(std::size_t(1) << least), high = top | std::size_t(1) << least;
    out.name = box_edge_name(low, least);
    out.add(box_corner(box, low), vertex_name(low), out.name);
    out.add(box_corner(box, high), vertex_name(high), out.name);
  } else {
    out.name = vertex_name(top);
    out.add(box_corner(box, top), out.name, 0);
  }
}

// The line on the side of a round solid about z, from bottom to top.
void add_side_line(double radius, double half, const Vec2& radial, std::uint32_t bottom, std::uint32_t top,
                   Facing& out) {
  out.name = edge_name(0);
  out.radius = radius;
  out.from_axis = {radial.x, radial.y, 0};
  out.add({radius * radial.x, radius * radial.y, -half}, bottom, out.name);
  out.add({radius * radial.x, radius * radial.y, half}, top, out.name);
}

void facing_of(const Capsule3& c, const Vec3& n, double lean, Facing& out) {
  if (absolute(n.z) <= lean) {
    const double rho = square_root(n.x * n.x + n.y * n.y);
    add_side_line(c.radius, c.half_length, Vec2{n.x, n.y} / rho, vertex_name(0), vertex_name(1), out);
    return;
  }
  out.name = vertex_name(n.z > 0);
  out.add(Vec3{0, 0, n.z > 0 ? c.half_length : -c.half_length} + c.radius * n, out.name, 0);
}

// Unit directions around z, every 30°: the first quadrant's cosines and sines, turned.
Vec2 rim_direction(std::size_t k) {
  constexpr double k_half_root_three = 0.86602540378443864676;
  constexpr Vec2 k_first[3] = {{1, 0}, {k_half_root_three, 0.5}, {0.5, k_half_root_three}};
  Vec2 d = k_first[k % 3];
  for (std::size_t turns = k / 3; turns > 0; --turns) d = perpendicular(d);
  return d;
}
// The flat end at height z, as seen from outside; names from `first` on.
void add_rim(double radius, double z, bool up, std::size_t first, Facing& out) {
  out.normal = {0, 0, up ? 1.0 : -1.0};
  out.radius = radius;
  out.middle = {0, 0, z};
  for (std::size_t k = 0; k < k_rim; ++k) {
    const std::size_t here =
        up ? k : (k_rim - k) % k_rim;  // both from the same corner on, for the names' sake
    const std::size_t side = up ? k : k_rim - 1 - k;
    const Vec2 d = radius * rim_direction(here);
    out.add({d.x, d.y, z}, vertex_name(first + here), edge_name(1 + first + side));
  }
}

void facing_of(const Cylinder& c, const Vec3& n, double lean, Facing& out) {
  const double rho = square_root(n.x * n.x + n.y * n.y);
  const bool up = n.z > 0;
  if (rho <= lean) {
    out.name = face_name(up);
    add_rim(c.radius, up ? c.half_height : -c.half_height, up, up ? k_rim : 0, out);
    return;
  }
  const Vec2 radial = Vec2{n.x, n.y} / rho;
  if (absolute(n.z) <= lean) {
    add_side_line(c.radius, c.half_height, radial, surface_name(1), surface_name(2), out);
    return;
  }
  out.name = surface_name(up ? 2 : 1);
  out.add({c.radius * radial.x, c.radius * radial.y, up ? c.half_height : -c.half_height}, out.name, 0);
}

void facing_of(const Cone& c, const Vec3& n, double lean, Facing& out) {
  const double rho = square_root(n.x * n.x + n.y * n.y), height = 2 * c.half_height;
  const double slant = square_root(height * height + c.radius * c.radius);
  const Vec2 radial = rho > 0 ? Vec2{n.x, n.y} / rho : Vec2{1, 0};
  const Vec3 rim{c.radius * radial.x, c.radius * radial.y, -c.half_height}, apex{0, 0, c.half_height};
  const std::uint32_t rim_name = surface_name(1), apex_name = vertex_name(k_rim);
  const double toward_rim = rho * c.radius - n.z * height;  // × slant⁻¹: the sine of the lean from the side
  if (-n.z >= least_cosine(lean)) {
    out.name = face_name(0);
    add_rim(c.radius, -c.half_height, false, 0, out);
  } else if (absolute(toward_rim) <= lean * slant && rho * height + n.z * c.radius > 0) {
    out.name = edge_name(0);
    out.add(rim, rim_name, out.name);
    out.add(apex, apex_name, out.name);
  } else {
    out.name = toward_rim > 0 ? rim_name : apex_name;
    out.add(toward_rim > 0 ? rim : apex, out.name, 0);
  }
}

void add_face(const Polyhedron& hull, std::size_t f, Facing& out) {
  const std::span<const Polyhedron::Index> corners = hull.face(f);
  const auto add = [&](std::size_t k) {
    out.add(hull.vertices[corners[k]], vertex_name(corners[k]),
            edge_name(hull.face_edges[hull.face_begin[f] + k]));
  };
  out.name = face_name(f);
  out.normal = hull.planes[f].normal;
  if (corners.size() <= std::size_t(Facing::k_most_corners)) {
    for (std::size_t k = 0; k < corners.size(); ++k) add(k);
    return;
  }
  // The furthest corners in 32 directions, which turn as the corners do, from outward of the first side on.
  const Vec3 u = normalized(hull.vertices[corners[1]] - hull.vertices[corners[0]]), v = cross(out.normal, u);
  std::size_t last = 0;
  add(0);
  for (int d = 1; d < Facing::k_most_corners; ++d) {
    const portable::SinCos turn = portable::sin_cos(2 * k_pi * d / Facing::k_most_corners);
    const Vec3 along = turn.sin * u - turn.cos * v;
    std::size_t best = 0;
    for (std::size_t k = 1; k < corners.size(); ++k)
      if (dot(hull.vertices[corners[k]] - hull.vertices[corners[best]], along) > 0) best = k;
    if (best > last) add(last = best);
  }
}

void facing_of(const Polyhedron& hull, const Vec3& n, double lean, Facing& out) {
  const std::vector<Vec3>& v = hull.vertices;
  std::size_t top = 0;
  for (std::size_t k = 1; k < v.size(); ++k)
    if (dot(v[k] - v[top], n) > 0) top = k;

  double best = least_cosine(lean);
  std::size_t face = hull.face_count();
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const double cosine = dot(hull.planes[f].normal, n);
    if (cosine < best) continue;
    bool at_top = false;
    for (const Polyhedron::Index corner : hull.face(f)) {
      const Vec3 down = v[top] - v[corner];
      at_top |= dot(down, n) <= 1e-12 * length(down);  // rounding may have put another corner on top
    }
    if (!at_top) continue;
    best = cosine;
    face = f;
  }
  if (face < hull.face_count()) return add_face(hull, face, out);

  double best_sine = lean;
  std::size_t edge = hull.edges.size();
  for (std::size_t e = 0; e < hull.edges.size(); ++e) {
    const auto [from, to] = hull.edges[e].vertices;
    if (from != top && to != top) continue;
    const Vec3 along = v[to] - v[from];
    const double sine = absolute(dot(along, n)) / length(along);
    if (sine > best_sine) continue;
    best_sine = sine;
    edge = e;
  }
  if (edge < hull.edges.size()) {
    const auto [from, to] = hull.edges[edge].vertices;
    out.name = edge_name(edge);
    out.add(v[from], vertex_name(from), out.name);
    out.add(v[to], vertex_name(to), out.name);
    return;
  }
  out.name = vertex_name(top);
  out.add(v[top], out.name, 0);
}

void facing_of(const Plane& plane, const Vec3&, double, Facing& out) {
  out.name = face_name(0);
  out.normal = plane.normal;
  out.corners[0] = plane.offset * plane.normal;
}
template <class S>
void facing_of(const S&, const Vec3&, double, Facing&) {
  CAIRN_ASSERT(false);
}

double size(const Sphere& s) { return s.radius; }
double size(const Box3& b) { return length(b.half); }
double size(const Capsule3& c) { return c.radius + c.half_length; }
double size(const Cylinder& c) { return c.radius + c.half_height; }
double size(const Cone& c) { return c.radius + c.half_height; }
double size(const Polyhedron& hull) {
  Vec3 reach{};
  for (const Vec3& v : hull.vertices) reach = larger(reach, absolute(v - hull.vertices[0]));
  return length(reach);
}
template <class S>
double size(const S&) {
  return 0;
}

}  // namespace

void face_towards(const Piece3& piece, const Pose3& pose, const Vec3& n, double lean, Facing& out) {
  const Placement place(pose);
  out.count = 0;
  out.radius = 0;
  std::visit([&](const auto* shape) { facing_of(*shape, place.turned_in(n), lean, out); }, piece);
  const int stored = out.count > 0 ? out.count : 1;
  for (int k = 0; k < stored; ++k) out.corners[std::size_t(k)] = place.out(out.corners[std::size_t(k)]);
  out.normal = place.turned_out(out.normal);
  if (out.radius == 0) return;
  out.from_axis = place.turned_out(out.from_axis);
  out.middle = place.out(out.middle);
}

Facing facing_triangle(const std::array<Vec3, 3>& corners, const std::array<std::uint32_t, 3>& corner_names,
                       const std::array<std::uint32_t, 3>& side_names, std::uint32_t name) {
  Facing out;
  out.name = name;
  out.normal = normalized(cross(corners[1] - corners[0], corners[2] - corners[0]));
  for (std::size_t k = 0; k < 3; ++k) out.add(corners[k], corner_names[k], side_names[k]);
  return out;
}

double size_of(const Piece3& piece) {
  return std::visit([](const auto* shape) { return size(*shape); }, piece);
}

}  // namespace cairn
