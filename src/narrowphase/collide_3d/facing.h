// The part of a convex piece that faces a direction: what contact patches are cut from.
//
//            n                        n                     n
//       ┌────↑────┐                   ↑                     ↑
//       │  face   │            ──── edge ────            vertex
//
// A face that n leans from by little counts as facing n, so that a box that rocks on the floor keeps its four
// corners in sight; which of them touch is for their separation to say. Everything listed lies on the
// surface:
//
//   piece       face                           edge                        vertex
//   box, hull   its corners                    the edge                    the corner
//   capsule     —                              the line on its side        the point of its round end
//   cylinder    a ring of points on its rim    the line on its side        the point of its rim
//   cone        a ring of points on its rim    the line from rim to apex   apex, or the point of its rim
//   sphere      —                              —                           the point of its surface
//   plane       all of it                      —                           —
#pragma once

#include <array>
#include <cstdint>

#include "geometry/piece.h"
#include "narrowphase/manifold.h"

namespace cairn {

struct Facing {
  // Faces with more corners are represented by those that lie furthest in so many directions: between them
  // the outline recedes by at most 0.5 % of the face's size.
  static constexpr int k_most_corners = 32;

  int count = 0;           // of corners: 0 a plane without end, 1 a vertex, 2 an edge, 3 or more a face
  std::uint32_t name = 0;  // of the whole feature
  Vec3 normal{};           // [unit, outward] of a plane or face
  // Of an edge that is the line on a round side: the radius of the side, and the direction from its axis to
  // the line. Of a face that is a disc: its radius and its middle. 0 for all others.
  double radius = 0;
  Vec3 from_axis{};
  Vec3 middle{};
  // Faces counter-clockwise seen from outside. corners[0] is a point of the plane where there is no corner.
  std::array<Vec3, k_most_corners> corners;
  std::array<std::uint32_t, k_most_corners> corner_names;
  std::array<std::uint32_t, k_most_corners> side_names;  // of the side from this corner to the next

  void add(const Vec3& corner, std::uint32_t corner_name, std::uint32_t side_name) {
    corners[std::size_t(count)] = corner;
    corner_names[std::size_t(count)] = corner_name;
    side_names[std::size_t(count)] = side_name;
    ++count;
  }
  Facing() {}  // leaves the lists as they are
};

// How far n may lean from a face's normal, or from the right angle to an edge: the sine of the angle.
inline constexpr double k_wide = 0.1;    // 5.7°, for patches
inline constexpr double k_tight = 1e-6;  // for the place of deepest contact

// What of the piece, in the frame that `pose` is given in, faces the unit direction n. Convex pieces and
// planes. Of a face the support point along n is a corner; of several faces the one closest to n counts.
void face_towards(const Piece3& piece, const Pose3& pose, const Vec3& n, double lean, Facing& out);

// A triangle, counter-clockwise seen from outside, as the face that faces any direction. Names are those of
// the caller.
Facing facing_triangle(const std::array<Vec3, 3>& corners, const std::array<std::uint32_t, 3>& corner_names,
                       const std::array<std::uint32_t, 3>& side_names, std::uint32_t name);

// A length that no point of the piece is further from its middle than, to within a factor of two. 0 for a
// plane.
double size_of(const Piece3& piece);

}  // namespace cairn
