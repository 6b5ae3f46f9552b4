// Where two pieces touch, or are about to: a normal and a few points.
//
//        b
//    ────●──────●────      point + separation·normal, on b's surface
//        ↑ n    ↑ n        separation > 0: a gap, < 0: overlap, measured along the normal
//    ────●──────●────      point, on a's surface
//        a
//
// Everything is in the frame of piece a, so that nothing depends on how far from the origin the pair is.
// The normal is the direction along which the pieces are furthest apart or, where they overlap, along which
// the shortest shift would part them. The first point has the smallest separation, which is that of the pieces.
#pragma once

#include <cairn/math.h>

#include <array>
#include <cstdint>

#include "base/inline_list.h"

namespace cairn {

// Which corner, edge or face of each piece a point lies on. Points of two successive steps with equal features
// are the same point and share their warm-start data.
//
// A clipped point is named by what made it: a corner of one piece on the face of the other, or two edges that
// cross. So its name does not change when a and b swap the roles of reference and incident face.
enum class FeatureKind : std::uint32_t { vertex = 0, edge = 1, face = 2, surface = 3 };  // surface: round
inline constexpr std::uint32_t feature(FeatureKind kind, std::size_t index) {
  return std::uint32_t(kind) << 30 | (std::uint32_t(index) & 0x3fffffffu);
}
struct Features {
  std::uint32_t a = feature(FeatureKind::surface, 0);
  std::uint32_t b = feature(FeatureKind::surface, 0);
  friend constexpr auto operator<=>(const Features&, const Features&) = default;
};

template <class D>
struct ManifoldPoint {
  typename D::Vec point{};  // [m] on a's surface
  double separation = 0;    // [m] to b's surface, at point + separation·normal
  Features features{};
};

template <class D>
struct Manifold {
  static constexpr int k_most_points = 2 * (D::k_linear - 1);  // 2 in the plane, 4 in space

  typename D::Vec normal{};  // unit, from a to b
  int count = 0;             // of points, at least 1
  // Which triangle, cell or segment of a mesh, height field or chain the manifold belongs to; 0 otherwise.
  std::uint32_t element = 0;
  std::array<ManifoldPoint<D>, k_most_points> points{};
};

// Convex pieces have at most one manifold; a piece on a mesh, height field or chain one for each direction in
// which it is held.
template <class D>
using ManifoldList = InlineList<Manifold<D>, 1>;

// What is remembered of a pair from one step to the next: where to look first. Never changes a result beyond
// round-off, nor at all after a call in which the pair was not near.
template <class D>
struct PairCache {
  typename D::Vec axis{};      // [unit, a's frame, from a to b] of the last call; zero: unknown
  std::uint32_t kind = 0;      // what made the axis, and
  std::uint32_t a = 0, b = 0;  // which features of a and b; meaning is the routine's own
  double gap = 0;              // [m] at least so far apart were the pieces, if above the margin; else unknown
};

}  // namespace cairn
