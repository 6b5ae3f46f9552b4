// Where two facing features cover each other, seen along the normal: the points of a contact patch.
#pragma once

#include <array>

#include "narrowphase/collide_3d/facing.h"

namespace cairn {

struct PatchPoints {
  // Two faces cover each other in a polygon with at most one corner for each of theirs.
  static constexpr int k_most = 2 * Facing::k_most_corners + 4;

  int count = 0;
  std::array<ManifoldPoint<Dim3>, k_most> points;

  void add(const ManifoldPoint<Dim3>& point) {
    if (count < k_most) points[std::size_t(count++)] = point;
  }
  PatchPoints() {}  // leaves the points as they are
};

// What a clip needs to know beside the two features.
struct ClipFrame {
  Vec3 origin;       // [m] a point near the contact: coordinates count from it
  Vec3 u, v, n;      // right-handed, unit; n from a to b
  double tolerance;  // [m] within which lines seen along n are one
  ClipFrame(const Vec3& near, const Vec3& normal, double size)
      : origin(near), u(perpendicular(normal)), v(cross(normal, u)), n(normal), tolerance(1e-10 * size) {}
};

// Appends the points with a separation of at most `margin`: the corners of what a and b have in common in the
// projection along n. `a` faces n and `b` faces −n. Every point is a pair, on a's feature and on b's, one
// above the other. Appends nothing where the projections have nothing in common (to within the tolerance),
// nor where one is a vertex: then the patch is no more than the place of deepest contact, which the caller
// knows.
void clip(const Facing& a, const Facing& b, const ClipFrame& frame, double margin, PatchPoints& out);

}  // namespace cairn
