// Closed meshes that are not convex.
#pragma once

#include <cairn/shape.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace cairn::samples {

// A ring of sections around z, each the same closed outline of points (distance from the axis, height), counter-clockwise
// seen along the way round. Where the outline touches the axis its triangles have no area and are left out.
inline Mesh lathe(const std::vector<Vec2>& outline, int sides) {
  Mesh mesh;
  const auto n = std::uint32_t(outline.size());
  for (int i = 0; i < sides; ++i) {
    const portable::SinCos a = portable::sin_cos(2 * k_pi * i / sides);
    for (const Vec2& p : outline) mesh.vertices.push_back({p.x * a.cos, p.x * a.sin, p.y});
  }
  for (std::uint32_t i = 0; i < std::uint32_t(sides); ++i)
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t j = (i + 1) % std::uint32_t(sides), l = (k + 1) % n;
      const Triangle first{i * n + k, j * n + k, j * n + l}, second{i * n + k, j * n + l, i * n + l};
      if (outline[k].x > 0) mesh.triangles.push_back(first);
      if (outline[l].x > 0) mesh.triangles.push_back(second);
    }
  return mesh;
}

// A hollow cylinder with a bottom of thickness `bottom`, from z = 0 to z = height. The polygons have their corners on
// the radii.
inline Mesh cup(double outer, double inner, double height, double bottom, int sides = 24) {
  return lathe({{0, 0}, {outer, 0}, {outer, height}, {inner, height}, {inner, bottom}, {0, bottom}}, sides);
}

inline Mesh torus(double radius, double tube, int sides, int around) {
  std::vector<Vec2> outline;
  for (int k = 0; k < around; ++k) {
    const portable::SinCos a = portable::sin_cos(2 * k_pi * k / around);
    outline.push_back({radius + tube * a.cos, tube * a.sin});
  }
  return lathe(outline, sides);
}

// The unit cubes (x, y, z) of a grid for which `is_solid` holds.
inline Mesh cubes(int nx, int ny, int nz, const std::function<bool(int, int, int)>& is_solid) {
  Mesh mesh;
  const auto at = [&](int x, int y, int z) { return std::uint32_t((z * (ny + 1) + y) * (nx + 1) + x); };
  for (int z = 0; z <= nz; ++z)
    for (int y = 0; y <= ny; ++y)
      for (int x = 0; x <= nx; ++x) mesh.vertices.push_back({double(x), double(y), double(z)});
  const auto solid = [&](int x, int y, int z) {
    return x >= 0 && y >= 0 && z >= 0 && x < nx && y < ny && z < nz && is_solid(x, y, z);
  };
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        if (!solid(x, y, z)) continue;
        const int X = x + 1, Y = y + 1, Z = z + 1;
        if (!solid(x - 1, y, z)) quad(at(x, y, z), at(x, y, Z), at(x, Y, Z), at(x, Y, z));
        if (!solid(X, y, z)) quad(at(X, y, z), at(X, Y, z), at(X, Y, Z), at(X, y, Z));
        if (!solid(x, y - 1, z)) quad(at(x, y, z), at(X, y, z), at(X, y, Z), at(x, y, Z));
        if (!solid(x, Y, z)) quad(at(x, Y, z), at(x, Y, Z), at(X, Y, Z), at(X, Y, z));
        if (!solid(x, y, z - 1)) quad(at(x, y, z), at(x, Y, z), at(X, Y, z), at(X, y, z));
        if (!solid(x, y, Z)) quad(at(x, y, Z), at(X, y, Z), at(X, Y, Z), at(x, Y, Z));
      }
  return mesh;
}

// Over all triangles: the distance from the surface, and the solid angle that it covers, seen from the point.
struct SlowDistance {
  double to_surface;
  bool is_inside;
};
inline SlowDistance slow_distance(const Mesh& mesh, const Vec3& p) {
  double nearest = std::numeric_limits<double>::infinity(), angle = 0;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 t[3] = {mesh.vertices[i] - p, mesh.vertices[j] - p, mesh.vertices[k] - p};
    const double l[3] = {length(t[0]), length(t[1]), length(t[2])};
    angle +=
        2 * std::atan2(dot(t[0], cross(t[1], t[2])), l[0] * l[1] * l[2] + dot(t[0], t[1]) * l[2] +
                                                         dot(t[1], t[2]) * l[0] + dot(t[2], t[0]) * l[1]);
    const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
    bool is_over = true;
    for (int e = 0; e < 3; ++e) {
      const Vec3 &a = t[e], d = t[(e + 1) % 3] - a;
      is_over = is_over && dot(cross(d, -a), normal) >= 0;
      nearest = std::min(nearest, length(a + clamp(-dot(a, d) / dot(d, d), 0, 1) * d));
    }
    if (is_over) nearest = std::min(nearest, std::abs(dot(t[0], normal)) / length(normal));
  }
  return {nearest, angle > 2 * k_pi};
}

}  // namespace cairn::samples
