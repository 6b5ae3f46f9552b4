#include "geometry/shape_samples.h"

#include <algorithm>
#include <map>

namespace cairn::samples {

Mesh box_mesh(const Vec3& half) {
  Mesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
  const std::uint32_t sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& s : sides) {
    mesh.triangles.push_back({s[0], s[1], s[2]});
    mesh.triangles.push_back({s[0], s[2], s[3]});
  }
  return mesh;
}
Mesh tetrahedron_mesh() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}
Mesh octahedron_mesh() {
  return {{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
          {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
}

Mesh ico_sphere(int subdivisions) {
  const double g = (1 + std::sqrt(5)) / 2;
  Mesh mesh{{{-1, g, 0},
             {1, g, 0},
             {-1, -g, 0},
             {1, -g, 0},
             {0, -1, g},
             {0, 1, g},
             {0, -1, -g},
             {0, 1, -g},
             {g, 0, -1},
             {g, 0, 1},
             {-g, 0, -1},
             {-g, 0, 1}},
            {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
             {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
             {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
  for (Vec3& v : mesh.vertices) v = normalized(v);
  for (int level = 0; level < subdivisions; ++level) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [place, is_new] =
          middles.try_emplace({std::min(a, b), std::max(a, b)}, std::uint32_t(mesh.vertices.size()));
      if (is_new) mesh.vertices.push_back(normalized(mesh.vertices[a] + mesh.vertices[b]));
      return place->second;
    };
    std::vector<Triangle> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    mesh.triangles = finer;
  }
  return mesh;
}

Mesh uv_sphere(int rings) {
  const int sectors = 2 * rings;
  Mesh mesh;
  mesh.vertices = {{0, 0, 1}, {0, 0, -1}};
  const auto at = [&](int ring, int sector) {
    return std::uint32_t(2 + (ring - 1) * sectors + sector % sectors);
  };
  for (int i = 1; i < rings; ++i)
    for (int j = 0; j < sectors; ++j) {
      const double theta = k_pi * i / rings, phi = 2 * k_pi * j / sectors;
      mesh.vertices.push_back(
          {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)});
    }
  for (int j = 0; j < sectors; ++j) {
    mesh.triangles.push_back({0, at(1, j), at(1, j + 1)});
    mesh.triangles.push_back({1, at(rings - 1, j + 1), at(rings - 1, j)});
    for (int i = 1; i + 1 < rings; ++i) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

Mesh prism_mesh(int sides, double radius, double half) {
  Mesh mesh;
  mesh.vertices = {{0, 0, -half}, {0, 0, half}};
  const auto at = [&](int side, int level) { return std::uint32_t(2 + 2 * (side % sides) + level); };
  for (int j = 0; j < sides; ++j) {
    const double phi = 2 * k_pi * j / sides;
    for (const double z : {-half, half})
      mesh.vertices.push_back({radius * std::cos(phi), radius * std::sin(phi), z});
  }
  for (int j = 0; j < sides; ++j) {
    mesh.triangles.push_back({0, at(j + 1, 0), at(j, 0)});
    mesh.triangles.push_back({1, at(j, 1), at(j + 1, 1)});
    mesh.triangles.push_back({at(j, 0), at(j + 1, 0), at(j + 1, 1)});
    mesh.triangles.push_back({at(j, 0), at(j + 1, 1), at(j, 1)});
  }
  return mesh;
}

Mesh star_mesh(int subdivisions) {
  Mesh mesh = ico_sphere(subdivisions);
  for (Vec3& v : mesh.vertices)
    v *= 1 + 0.3 * std::sin(5 * v.x + 1) * std::sin(6 * v.y) + 0.2 * std::cos(7 * v.z);
  return mesh;
}

Mesh transformed(const Pose3& pose, Mesh mesh) {
  for (Vec3& v : mesh.vertices) v = to_world(pose, v);
  return mesh;
}
Mesh joined(const Mesh& a, const Mesh& b) {
  Mesh both = a;
  const auto shift = std::uint32_t(a.vertices.size());
  both.vertices.insert(both.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const auto& [i, j, k] : b.triangles) both.triangles.push_back({i + shift, j + shift, k + shift});
  return both;
}

HeightField hills(std::uint32_t columns, std::uint32_t rows, const Vec2& spacing, double height) {
  HeightField field{columns, rows, spacing, {}};
  for (std::uint32_t j = 0; j < rows; ++j)
    for (std::uint32_t i = 0; i < columns; ++i)
      field.heights.push_back(height *
                              (std::sin(0.7 * i) * std::cos(0.9 * j) + 0.3 * std::sin(2.1 * i + 1.3 * j)));
  return field;
}
Mesh mesh_of(const HeightField& field) {
  Mesh mesh;
  for (std::uint32_t j = 0; j < field.rows; ++j)
    for (std::uint32_t i = 0; i < field.columns; ++i)
      mesh.vertices.push_back(
          {i * field.spacing.x, j * field.spacing.y, field.heights[j * field.columns + i]});
  for (std::uint32_t j = 0; j + 1 < field.rows; ++j)
    for (std::uint32_t i = 0; i + 1 < field.columns; ++i) {
      const std::uint32_t a = j * field.columns + i, b = a + 1, c = b + field.columns, d = a + field.columns;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

// -------------------------------------------------------------------------------------------------- solids

namespace {

// The faces of a convex hull by trying all triples of points: slow, and nothing like the hull builder.
struct HalfSpace {
  Vec3 normal, point;
};
std::vector<HalfSpace> half_spaces(const std::vector<Vec3>& points) {
  std::vector<HalfSpace> result;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j)
      for (std::size_t k = j + 1; k < points.size(); ++k) {
        Vec3 n = normalized(cross(points[j] - points[i], points[k] - points[i]));
        double lo = 0, hi = 0;
        for (const Vec3& p : points) {
          lo = std::min(lo, dot(n, p - points[i]));
          hi = std::max(hi, dot(n, p - points[i]));
        }
        const double flat = 1e-9 * (hi - lo);
        if (hi <= flat) result.push_back({n, points[i]});
        if (lo >= -flat) result.push_back({-n, points[i]});
      }
  return result;
}

template <class V>
V mean(const std::vector<V>& points) {
  V sum;
  for (const V& p : points) sum += (p - points[0]) / double(points.size());
  return points[0] + sum;
}
template <class V>
double radius_of(const std::vector<V>& points) {
  double radius = 0;
  for (const V& p : points) radius = std::max(radius, length(p - mean(points)));
  return radius;
}

struct SolidOf3 {
  Solid<Vec3> operator()(const Sphere& s) const {
    return {"Sphere", s.radius, {}, [=](const Vec3& p) { return length(p) - s.radius; }};
  }
  Solid<Vec3> operator()(const Box3& b) const {
    return {"Box3", length(b.half), {}, [=](const Vec3& p) {
              const Vec3 q = absolute(p) - b.half;
              return std::max({q.x, q.y, q.z});
            }};
  }
  Solid<Vec3> operator()(const Capsule3& c) const {
    return {"Capsule3", c.radius + c.half_length, {}, [=](const Vec3& p) {
              return length(p - Vec3{0, 0, clamp(p.z, -c.half_length, c.half_length)}) - c.radius;
            }};
  }
  Solid<Vec3> operator()(const Cylinder& c) const {
    return {"Cylinder", std::hypot(c.radius, c.half_height), {}, [=](const Vec3& p) {
              return std::max(std::hypot(p.x, p.y) - c.radius, absolute(p.z) - c.half_height);
            }};
  }
  Solid<Vec3> operator()(const Cone& c) const {
    const double slant = std::hypot(c.radius, 2 * c.half_height);
    return {"Cone", slant, {0, 0, -c.half_height / 2}, [=](const Vec3& p) {
              const double side = 2 * c.half_height * std::hypot(p.x, p.y) - c.radius * (c.half_height - p.z);
              return std::max(side / slant, -c.half_height - p.z);
            }};
  }
  Solid<Vec3> operator()(const Hull& h) const {
    return {"Hull", radius_of(h.points), mean(h.points), [faces = half_spaces(h.points)](const Vec3& p) {
              double most = -1e300;
              for (const HalfSpace& f : faces) most = std::max(most, dot(f.normal, p - f.point));
              return most;
            }};
  }
  template <class S>
  Solid<Vec3> operator()(const S&) const {
    return {};
  }
};

struct SolidOf2 {
  Solid<Vec2> operator()(const Circle& c) const {
    return {"Circle", c.radius, {}, [=](const Vec2& p) { return length(p) - c.radius; }};
  }
  Solid<Vec2> operator()(const Box2& b) const {
    return {"Box2", length(b.half), {}, [=](const Vec2& p) {
              const Vec2 q = absolute(p) - b.half;
              return std::max(q.x, q.y);
            }};
  }
  Solid<Vec2> operator()(const Capsule2& c) const {
    return {"Capsule2", c.radius + c.half_length, {}, [=](const Vec2& p) {
              return length(p - Vec2{0, clamp(p.y, -c.half_length, c.half_length)}) - c.radius;
            }};
  }
  Solid<Vec2> operator()(const Polygon& polygon) const {  // counter-clockwise
    return {"Polygon", radius_of(polygon.points), mean(polygon.points), [=](const Vec2& p) {
              double most = -1e300;
              for (std::size_t i = 0; i < polygon.points.size(); ++i) {
                const Vec2 a = polygon.points[i], b = polygon.points[(i + 1) % polygon.points.size()];
                most = std::max(most, -cross(b - a, p - a) / length(b - a));
              }
              return most;
            }};
  }
  template <class S>
  Solid<Vec2> operator()(const S&) const {
    return {};
  }
};

}  // namespace

Solid<Vec3> solid_of(const Shape3& shape) { return std::visit(SolidOf3{}, shape); }
Solid<Vec2> solid_of(const Shape2& shape) { return std::visit(SolidOf2{}, shape); }

std::vector<Shape3> convex_solids3(Random& random, double size) {
  const auto some = [&] { return size * uniform(random, 0.2, 1); };
  Hull hull{{}, 0};
  for (int i = 0; i < 12; ++i) {
    const double radius = uniform(random, 0.7, 1);
    hull.points.push_back(size * (Vec3{0.3, 0, 0.1} + radius * unit3(random)));
  }
  return {Sphere{some()},           Box3{{some(), some(), some()}}, Capsule3{some(), some()},
          Cylinder{some(), some()}, Cone{some(), some()},           hull};
}
std::vector<Shape2> convex_solids2(Random& random, double size) {
  const auto some = [&] { return size * uniform(random, 0.2, 1); };
  Polygon polygon;
  const double rx = some(), ry = some();
  for (int i = 0; i < 7; ++i) {
    const double angle = (i + uniform(random, 0.1, 0.9)) * 2 * k_pi / 7;
    polygon.points.push_back({0.3 * size + rx * std::cos(angle), ry * std::sin(angle)});
  }
  return {Circle{some()}, Box2{{some(), some()}}, Capsule2{some(), some()}, polygon};
}

}  // namespace cairn::samples
