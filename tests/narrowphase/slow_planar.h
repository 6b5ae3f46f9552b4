// Slow but obvious answers about convex pieces of the plane, in long double, and random pairs of them.
#pragma once

#include <cairn/shape.h>

#include <random>
#include <vector>

#include "geometry/geometry_2d.h"
#include "geometry/piece.h"
#include "narrowphase/collide.h"

namespace cairn::planar_test {

using Real = long double;
struct Point {
  Real x = 0, y = 0;
};
inline Point operator-(const Point& p, const Point& q) { return {p.x - q.x, p.y - q.y}; }
inline Point operator+(const Point& p, const Point& q) { return {p.x + q.x, p.y + q.y}; }
inline Point operator*(Real s, const Point& p) { return {s * p.x, s * p.y}; }
inline Real dot(const Point& p, const Point& q) { return p.x * q.x + p.y * q.y; }
inline Real cross(const Point& p, const Point& q) { return p.x * q.y - p.y * q.x; }
Real norm(const Point& p);

// Corners of the core in some frame, counter-clockwise, and the radius around it.
struct Body {
  std::vector<Point> corners;
  Real radius = 0;
};
Body body_of(const Shape2& shape, const Pose2& pose);
Real size_of(const Body& body);  // the largest distance between two of its points

// min over b of n·x − max over a of n·x, for a unit n.
Real separation_along(const Body& a, const Body& b, const Point& n);
// The largest of these: over the normals of all edges of both, both ways, and all directions from corner to corner.
struct Optimum {
  Real separation = 0;
  Point normal;
};
Optimum optimum(const Body& a, const Body& b);
// The smallest distance between the cores' corners and edges: their distance, if they are disjoint.
Real core_distance(const Body& a, const Body& b);
// How far the point is from the surface.
Real off_surface(const Body& body, const Point& point);

// ------------------------------------------------------------------------------------------ random pairs

using Random = std::mt19937_64;
inline double uniform(Random& random, double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(random);
}
inline int below(Random& random, int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }

constexpr int k_kinds = 5;
Shape2 random_shape(Random& random, int kind, double size);

struct Pair {
  Shape2 a, b;
  Pose2 b_in_a;
};
// Random, touching, grazing, parallel, aligned on a grid, concentric, corner to corner; sizes 1 mm … 1 km.
Pair random_pair(Random& random, int kind_a, int kind_b);

// A shape built, with the list of manifolds that a call gave.
struct Built {
  Geometry2 geometry;
  explicit Built(const Shape2& shape) : geometry(build(shape)) {}
  Piece2 piece() const { return pieces_of(geometry)[0].piece; }
};
ManifoldList<Dim2> manifolds(const Shape2& a, const Shape2& b, const Pose2& b_in_a, double margin);

inline Point wide(const Vec2& v) { return {v.x, v.y}; }

}  // namespace cairn::planar_test
