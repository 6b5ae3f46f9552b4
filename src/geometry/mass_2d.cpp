// Mass properties of 2D shapes: area, centroid and polar moment, times the density.
#include "geometry/mass.h"

namespace cairn {
namespace {

using detail::refuse;

// About the centroid, for unit density; the centre is in the frame of the shape.
MassProperties2 integrate(const Circle& c, const Path&) {
  const double area = k_pi * c.radius * c.radius;
  return {area, {}, area * c.radius * c.radius / 2};
}
MassProperties2 integrate(const Box2& b, const Path&) {
  const double area = 4 * b.half.x * b.half.y;
  return {area, {}, area * length_squared(b.half) / 3};
}
MassProperties2 integrate(const Capsule2& c, const Path&) {
  // A box, and two half discs whose centroids lie 4r/3π outside its ends: together they have ½r² about their
  // own circles' centres, and moving those out by h adds h² + 2h·4r/3π.
  const double r = c.radius, h = c.half_length;
  const double box = 4 * r * h, ends = k_pi * r * r;
  return {box + ends, {}, box * (r * r + h * h) / 3 + ends * (r * r / 2 + h * h) + 8.0 / 3 * r * r * r * h};
}

// Triangles from a point inside: with positive areas only, nothing cancels. The first pass, from the corners'
// mean, finds the centroid; the second, from the centroid, the moment, so that no large term is subtracted at
// the end and an outline far from the origin loses no digits.
//
// For a triangle (0, a, b) of area A: ∫r dA = A (a + b)/3 and ∫r² dA = A (a·a + a·b + b·b)/6.
MassProperties2 integrate(const ConvexPolygon& polygon, const Path&) {
  const std::size_t n = polygon.points.size();
  const Vec2 first = polygon.points[0];
  Vec2 mean;
  for (const Vec2& p : polygon.points) mean += (p - first) / double(n);
  const Vec2 inside = first + mean;
  const auto for_each_triangle = [&](const Vec2& apex, auto f) {
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2 a = polygon.points[i] - apex, b = polygon.points[(i + 1) % n] - apex;
      f(a, b, cross(a, b) / 2);
    }
  };
  double area = 0, moment = 0;
  Vec2 first_moment;
  for_each_triangle(inside, [&](const Vec2& a, const Vec2& b, double triangle) {
    area += triangle;
    first_moment += triangle / 3 * (a + b);
  });
  const Vec2 center = inside + first_moment / area;
  for_each_triangle(center, [&](const Vec2& a, const Vec2& b, double triangle) {
    moment += triangle / 6 * (dot(a, a) + dot(a, b) + dot(b, b));
  });
  return {area, center, moment};
}

MassProperties2 integrate(const Segment&, const Path& path) {
  refuse(path, "",
         "a segment has no area, hence no mass; use a Box2 or a Capsule2, or give the body its mass");
}
MassProperties2 integrate(const Chain&, const Path& path) {
  refuse(path, "", "a chain has no area, hence no mass; use Polygons, or give the body its mass");
}

MassProperties2 integrate(const PartList2& list, const Path& path) {
  std::vector<MassProperties2> masses;
  for (const Part2& part : list.parts) {
    const Path place = path / part.place;
    masses.push_back(transformed(
        part.pose, std::visit([&](const auto& shape) { return integrate(shape, place); }, part.shape)));
  }
  return combined(masses);
}

template <class S>
constexpr bool is_solid(const S&) {
  return !std::is_same_v<S, Segment> && !std::is_same_v<S, PolyLine>;
}
bool is_solid(const PartList2& list) {
  for (const Part2& part : list.parts)
    if (!std::visit([](const auto& shape) { return is_solid(shape); }, part.shape)) return false;
  return true;
}

}  // namespace

bool has_volume(const Geometry2& shape) {
  return std::visit([](const auto& s) { return is_solid(s); }, shape.form);
}

MassProperties2 mass_properties(const Geometry2& shape, double density, const Path& path) {
  MassProperties2 mass = std::visit([&](const auto& s) { return integrate(s, path); }, shape.form);
  mass.mass *= density;
  mass.inertia *= density;
  if (!is_finite(mass.mass) || !is_finite(mass.inertia) ||
      (density > 0 && !(mass.mass > 0 && mass.inertia > 0)))
    refuse(path, "", "is too small or too large for its mass and inertia to be numbers");
  return mass;
}

MassProperties2 transformed(const Pose2& pose, const MassProperties2& mass) {
  return {mass.mass, to_world(pose, mass.center), mass.inertia};
}

MassProperties2 combined(std::span<const MassProperties2> parts) {
  if (parts.empty()) return {};
  // Lever arms are measured from the first centre, so that parts far from the origin lose no digits.
  const Vec2 origin = parts[0].center;
  MassProperties2 sum{0, origin, 0};
  Vec2 moment;
  for (const MassProperties2& p : parts) {
    sum.mass += p.mass;
    moment += p.mass * (p.center - origin);
  }
  if (sum.mass > 0) sum.center += moment / sum.mass;
  for (const MassProperties2& p : parts)
    sum.inertia += p.inertia + p.mass * length_squared(p.center - sum.center);
  return sum;
}

void check_mass_properties(const MassProperties2& mass, const Path& path) {
  check_value(mass.mass, path / "mass", "kg", k_positive);
  check_value(mass.center, path / "center", "m", k_any);
  check_value(mass.inertia, path / "inertia", "kg·m²", k_positive);
}

}  // namespace cairn
