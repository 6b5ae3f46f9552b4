// Separating axes of boxes, hulls and segments.
#pragma once

#include <span>

#include "geometry/core.h"
#include "narrowphase/collide_3d/axis.h"

namespace cairn {

// Pieces further apart than this part of their size are apart: of these the nearest points decide, no list of
// axes does.
inline constexpr double k_apart = 1e-10;
// By how much, as a part of the size, the axis of two edges must beat that of a face, and one piece's face
// the other's.
inline constexpr double k_no_better = 1e-12;

// What a search for separating axes needs of a polyhedron, in its own frame.
struct PolyhedronView {
  Core3 core;  // for support points
  std::span<const Vec3> vertices;
  std::span<const FacePlane> planes;        // none for a segment
  std::span<const Polyhedron::Edge> edges;  // of a segment the one, without faces
};

// A unit vector at right angles to the unit vectors a and b, which may be nearly parallel: subtracting what
// is left along them makes it so to the last digit, where the cross product alone has lost digits.
inline Vec3 common_perpendicular(const Vec3& a, const Vec3& b) {
  Vec3 n = normalized(cross(a, b));
  for (int pass = 0; pass < 2; ++pass) {
    n -= dot(n, a) * a;
    n -= dot(n, b) * b;
  }
  return normalized(n);
}

// Faces, then pairs of edges. See polyhedra.cpp.
bool find_axis(const PolyhedronView& a, const PolyhedronView& b, const AxisQuery& query, ContactAxis& out);

}  // namespace cairn
