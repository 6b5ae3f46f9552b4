#include "narrowphase/slow_planar.h"

#include <algorithm>
#include <cmath>

namespace cairn::planar_test {
namespace {

std::vector<Vec2> corners_of(const Shape2& shape, double& radius) {
  radius = 0;
  if (const auto* c = std::get_if<Circle>(&shape)) {
    radius = c->radius;
    return {{0, 0}};
  }
  if (const auto* c = std::get_if<Capsule2>(&shape)) {
    radius = c->radius;
    return {{0, -c->half_length}, {0, c->half_length}};
  }
  if (const auto* s = std::get_if<Segment>(&shape)) return {s->a, s->b};
  if (const auto* b = std::get_if<Box2>(&shape)) {
    const Vec2 h = b->half;
    return {-h, {h.x, -h.y}, h, {-h.x, h.y}};
  }
  return std::get<ConvexPolygon>(build(shape).form).points;
}

Real distance_to_segment(const Point& p, const Point& a, const Point& b) {
  const Point u = b - a;
  const Real whole = dot(u, u);
  if (whole == 0) return norm(p - a);
  const Real t = std::clamp<Real>(dot(p - a, u) / whole, 0, 1);
  return norm(p - (a + t * u));
}

Real distance_to_outline(const std::vector<Point>& corners, const Point& p) {
  Real least = norm(p - corners[0]);
  for (std::size_t i = 0; i < corners.size(); ++i)
    least = std::min(least, distance_to_segment(p, corners[i], corners[(i + 1) % corners.size()]));
  return least;
}

}  // namespace

Real norm(const Point& p) { return std::hypot(p.x, p.y); }

Body body_of(const Shape2& shape, const Pose2& pose) {
  Body body;
  double radius;
  const Real c = pose.rotation.c, s = pose.rotation.s;
  for (const Vec2& p : corners_of(shape, radius))
    body.corners.push_back({pose.position.x + c * p.x - s * p.y, pose.position.y + s * p.x + c * p.y});
  body.radius = radius;
  return body;
}

Real size_of(const Body& body) {
  Real size = 0;
  for (const Point& p : body.corners)
    for (const Point& q : body.corners) size = std::max(size, norm(p - q));
  return size + 2 * body.radius;
}

Real separation_along(const Body& a, const Body& b, const Point& n) {
  Real least = dot(n, b.corners[0] - a.corners[0]), most = 0;
  for (const Point& p : b.corners) least = std::min(least, dot(n, p - a.corners[0]));
  for (const Point& p : a.corners) most = std::max(most, dot(n, p - a.corners[0]));
  return least - most - a.radius - b.radius;
}

Optimum optimum(const Body& a, const Body& b) {
  Optimum best{-INFINITY, {}};
  const auto offer = [&](const Point& direction) {
    const Real length = norm(direction);
    if (length == 0) return;
    for (const Real sign : {1 / length, -1 / length}) {
      const Point n = sign * direction;
      const Real separation = separation_along(a, b, n);
      if (separation > best.separation) best = {separation, n};
    }
  };
  for (const Body* body : {&a, &b}) {
    const std::size_t n = body->corners.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Point edge = body->corners[(i + 1) % n] - body->corners[i];
      offer({-edge.y, edge.x});
    }
  }
  for (const Point& p : a.corners)
    for (const Point& q : b.corners) offer(q - p);
  if (best.normal.x == 0 && best.normal.y == 0) offer({0, 1});
  return best;
}

Real core_distance(const Body& a, const Body& b) {
  Real least = INFINITY;
  for (const Point& p : a.corners) least = std::min(least, distance_to_outline(b.corners, p));
  for (const Point& p : b.corners) least = std::min(least, distance_to_outline(a.corners, p));
  return least;
}

Real off_surface(const Body& body, const Point& point) {
  return std::abs(distance_to_outline(body.corners, point) - body.radius);
}

// ------------------------------------------------------------------------------------------ random pairs

Shape2 random_shape(Random& random, int kind, double size) {
  const auto length = [&] { return size * std::pow(10, uniform(random, -1.5, 0)); };
  switch (kind) {
    case 0:
      return Circle{length()};
    case 1: {
      const double x = length();
      return Box2{{x, length()}};
    }
    case 2: {
      const double r = length();
      return Capsule2{r, length()};
    }
    case 3: {
      const double angle = uniform(random, 0, 2 * k_pi), half = length();
      const Vec2 at{uniform(random, -size, size), uniform(random, -size, size)};
      const Vec2 along{std::cos(angle) * half, std::sin(angle) * half};
      return Segment{at - along, at + along};
    }
    default:
      break;
  }
  std::vector<Vec2> points;
  const int n = below(random, 8) == 0 ? 40 : 3 + below(random, 8);
  const double squash = below(random, 3) == 0 ? 0.02 : 1, turn = uniform(random, 0, 2 * k_pi);
  const Vec2 at{uniform(random, -size, size), uniform(random, -size, size)};
  const double radius = length();
  for (int i = 0; i < n; ++i) {
    const double angle = uniform(random, 0, 2 * k_pi);
    points.push_back(at + Rot2{std::cos(turn), std::sin(turn)} *
                              Vec2{radius * std::cos(angle), squash * radius * std::sin(angle)});
  }
  try {
    return Polygon{convex_outline(points)};
  } catch (const Error&) {
    return random_shape(random, kind, size);
  }
}

namespace {

// Turns b so that an edge of it runs along one of a.
void make_parallel(Random& random, const Pair& pair, Pose2& pose) {
  const Body a = body_of(pair.a, {}), b = body_of(pair.b, {});
  if (a.corners.size() < 2 || b.corners.size() < 2) return;
  const auto edge = [&](const Body& body) {
    const std::size_t n = body.corners.size(), i = std::size_t(below(random, int(n)));
    const Point e = body.corners[(i + 1) % n] - body.corners[i];
    return normalized(Vec2{double(e.x), double(e.y)});
  };
  const Vec2 u = edge(a), v = edge(b);
  const double sign = below(random, 2) ? 1 : -1;
  pose.rotation = normalized(Rot2{sign * dot(u, v), sign * cross(v, u)});
}

// Moves b along the best normal until the separation is `wanted`.
void make_separation(const Pair& pair, Pose2& pose, double wanted) {
  const Optimum best = optimum(body_of(pair.a, {}), body_of(pair.b, pose));
  const Real shift = wanted - best.separation;
  pose.position += Vec2{double(shift * best.normal.x), double(shift * best.normal.y)};
}

void put_corner_on_corner(Random& random, const Pair& pair, Pose2& pose, double apart) {
  const Body a = body_of(pair.a, {}), b = body_of(pair.b, pose);
  const Point p = a.corners[std::size_t(below(random, int(a.corners.size())))];
  const Point q = b.corners[std::size_t(below(random, int(b.corners.size())))];
  const double angle = uniform(random, 0, 2 * k_pi);
  pose.position +=
      Vec2{double(p.x - q.x) + apart * std::cos(angle), double(p.y - q.y) + apart * std::sin(angle)};
}

}  // namespace

Pair random_pair(Random& random, int kind_a, int kind_b) {
  const double size = std::pow(10, below(random, 3) * 3 - 3);  // 1 mm, 1 m, 1 km
  const double ratio = below(random, 3) == 0 ? std::pow(10, uniform(random, -3, 0)) : 1;
  Pair pair{random_shape(random, kind_a, size), random_shape(random, kind_b, size * ratio), {}};
  Pose2& pose = pair.b_in_a;
  const double angle = uniform(random, 0, 2 * k_pi);
  pose.rotation = {std::cos(angle), std::sin(angle)};
  pose.position = {uniform(random, -2 * size, 2 * size), uniform(random, -2 * size, 2 * size)};
  constexpr double k_apart[] = {0, 1e-14, -1e-14, 1e-12, -1e-12, 1e-10, 1e-8, 1e-6, -1e-6, 1e-3, -1e-3, 0.1};
  const double apart = k_apart[below(random, 12)] * size;
  switch (below(random, 9)) {
    case 0:
      break;
    case 1:
      make_separation(pair, pose, apart);
      break;
    case 2:
      make_parallel(random, pair, pose);
      make_separation(pair, pose, apart);
      break;
    case 3:
      make_parallel(random, pair, pose);
      break;
    case 4:
      pose.position = {};
      if (below(random, 2)) pair.b = kind_a == kind_b ? pair.a : pair.b;
      if (below(random, 2)) pose.rotation = {};
      break;
    case 5:
      put_corner_on_corner(random, pair, pose, apart);
      break;
    case 6:
      make_parallel(random, pair, pose);
      put_corner_on_corner(random, pair, pose, apart);
      break;
    case 7: {  // quarter turns, whole steps
      constexpr Rot2 k_quarters[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
      pose.rotation = k_quarters[below(random, 4)];
      const double step = size / 4;
      pose.position = {step * (below(random, 9) - 4), step * (below(random, 9) - 4)};
      if (kind_a == 1) pair.a = Box2{{step * (1 + below(random, 4)), step * (1 + below(random, 4))}};
      if (kind_b == 1) pair.b = Box2{{step * (1 + below(random, 4)), step * (1 + below(random, 4))}};
      if (kind_b == 3) pair.b = Segment{{-step, 0}, {step * (1 + below(random, 4)), 0}};
      if (kind_a == 3) pair.a = Segment{{-step, 0}, {step * (1 + below(random, 4)), 0}};
      break;
    }
    case 8:  // near
      make_separation(pair, pose, uniform(random, -0.1, 0.1) * size * ratio);
      break;
  }
  return pair;
}

ManifoldList<Dim2> manifolds(const Shape2& a, const Shape2& b, const Pose2& b_in_a, double margin) {
  const Built built_a(a), built_b(b);
  PairCache<Dim2> cache;
  ManifoldList<Dim2> out;
  collide(built_a.piece(), built_b.piece(), b_in_a, margin, cache, out);
  return out;
}

}  // namespace cairn::planar_test
