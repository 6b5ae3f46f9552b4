// Random pairs of convex pieces, and a judge of axes that shares no code with the library: support points by looking at
// everything, in long double.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "geometry/core.h"
#include "geometry/shape_samples.h"

namespace cairn::samples {

using Real = long double;
using RealVec3 = Vec3T<Real>;

inline RealVec3 real(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Rot3T<Real> real(const Rot3& r) {
  const Real n = std::sqrt(Real(r.w) * r.w + Real(r.x) * r.x + Real(r.y) * r.y + Real(r.z) * r.z);
  return {r.w / n, r.x / n, r.y / n, r.z / n};
}

// A convex piece, whatever it points at, and its core as points and discs about the z axis.
struct ConvexThing {
  std::string name;
  double size = 0;  // [m] about its extent
  Shape3 shape;
  Geometry3 built;
  std::array<Vec3, 3> triangle{};  // where it is just that
  Piece3 piece;
  Core3 core;

  struct Disc {
    double z, radius;
  };
  std::vector<Vec3> points;
  std::vector<Disc> discs;
  double radius = 0;

  // The largest n·x of the core, n in its frame.
  Real reach(const RealVec3& n) const {
    Real most = -1e300L;
    for (const Vec3& p : points) most = std::max(most, dot(n, real(p)));
    for (const Disc& d : discs) most = std::max(most, n.z * d.z + d.radius * std::hypot(n.x, n.y));
    return most;
  }
};

enum class ThingKind { point, segment, box, hull, triangle, large_hull, cylinder, cone };
inline constexpr int k_thing_kinds = 8, k_sharp_thing_kinds = 6;

std::unique_ptr<ConvexThing> thing_of(const Shape3& shape);
// `thinnest` is the least ratio of its extents; `far` [m] how far its points are from the origin of its frame.
std::unique_ptr<ConvexThing> random_thing(Random& random, ThingKind kind, double size, double thinnest,
                                          double far);

// How far the unit vector n, in a's frame, separates the cores.
inline double judged_separation(const ConvexThing& a, const ConvexThing& b, const Pose3& b_in_a,
                                const Vec3& n) {
  const RealVec3 along = real(n);
  const Real unit = std::sqrt(dot(along, along));
  const RealVec3 in_b = inverse(real(b_in_a.rotation)) * along;
  const Real separation = dot(along, real(b_in_a.position)) - b.reach(-in_b) - a.reach(along);
  return double(separation / unit);
}

// Turned at random, or so that axes and faces are parallel, or nearly so.
Rot3 random_turn(Random& random);
Vec3 random_direction(Random& random);  // also along the axes

}  // namespace cairn::samples
