// Shapes and random numbers for the tests of geometry, with slow but independent answers to compare with.
#pragma once

#include <cairn/shape.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>

namespace cairn::samples {

using Random = std::mt19937_64;

inline double uniform(Random& random, double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(random);
}
inline Vec2 vector2(Random& random, double scale) {
  return {uniform(random, -scale, scale), uniform(random, -scale, scale)};
}
inline Vec3 vector3(Random& random, double scale) {
  return {uniform(random, -scale, scale), uniform(random, -scale, scale), uniform(random, -scale, scale)};
}
inline Vec2 unit2(Random& random) {
  const double angle = uniform(random, -k_pi, k_pi);
  return {std::cos(angle), std::sin(angle)};
}
inline Vec3 unit3(Random& random) {
  const Vec2 around = unit2(random);
  const double z = uniform(random, -1, 1), r = std::sqrt(1 - z * z);
  return {r * around.x, r * around.y, z};
}
inline Rot2 rotation2(Random& random) {
  const Vec2 u = unit2(random);
  return {u.x, u.y};
}
inline Rot3 rotation3(Random& random) {
  std::normal_distribution<double> normal;
  return normalized(Rot3{normal(random), normal(random), normal(random), normal(random)});
}
inline double power_of_ten(Random& random, double lo, double hi) {  // between 10^lo and 10^hi
  return std::pow(10, uniform(random, lo, hi));
}

// ∫ f from a to b: Gauss's five points in each of some panels, exact for polynomials of degree 9.
inline double integral(double a, double b, int panels, const std::function<double(double)>& f) {
  constexpr double k_nodes[] = {0, 0.5384693101056831, 0.9061798459386640};
  constexpr double k_weights[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  const double half = (b - a) / panels / 2;
  double sum = 0;
  for (int k = 0; k < panels; ++k) {
    const double middle = a + (2 * k + 1) * half;
    sum += k_weights[0] * f(middle);
    for (int node = 1; node <= 2; ++node)
      sum += k_weights[node] * (f(middle - k_nodes[node] * half) + f(middle + k_nodes[node] * half));
  }
  return half * sum;
}

// ---------------------------------------------------------------------- surfaces of triangles

Mesh box_mesh(const Vec3& half);
Mesh tetrahedron_mesh();                                 // of the corners 0, x, y, z
Mesh octahedron_mesh();                                  // of the corners ±x, ±y, ±z
Mesh ico_sphere(int subdivisions);                       // of radius 1
Mesh uv_sphere(int rings);                               // of radius 1, with twice as many sectors
Mesh prism_mesh(int sides, double radius, double half);  // about z, corners on the radius
Mesh star_mesh(int subdivisions);                        // closed, star-shaped about 0, not convex
Mesh transformed(const Pose3& pose, Mesh mesh);
Mesh joined(const Mesh& a, const Mesh& b);
HeightField hills(std::uint32_t columns, std::uint32_t rows, const Vec2& spacing, double height);
Mesh mesh_of(const HeightField& field);

// ---------------------------------------------------------------------- what is inside

// A convex solid as a convex function, negative inside, whose gradient has unit length: the distance from the
// surface, but for outside points near edges and corners, where it is less.
template <class V>
struct Solid {
  std::string name;
  double size;  // about its radius
  V middle;     // a point inside
  std::function<double(const V&)> outside_by;
};

Solid<Vec3> solid_of(const Shape3& shape);
Solid<Vec2> solid_of(const Shape2& shape);

std::vector<Shape3> convex_solids3(Random& random, double size);  // one of each kind, of about this size
std::vector<Shape2> convex_solids2(Random& random, double size);

// The text of the cairn::Error that `f` throws; empty if it throws none.
inline std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace cairn::samples
