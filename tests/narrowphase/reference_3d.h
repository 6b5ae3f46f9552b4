// How far apart two convex pieces of space are, found slowly: what the narrow phase is measured against.
//
// With the separation along a unit n, f(n) = min{n·x : x in b} − max{n·x : x in a}, the separation s of the pieces
// is the maximum of f over n: their distance where they are apart, less than zero where they overlap. A sphere is
// a point with a radius and a capsule a segment with one; such radii only subtract.
//
// Overlapping, −s is the radius of the largest ball around 0 inside the set of differences M = {y − x}. The ball
// touches M's surface where that has a single tangent plane, so where M is the sum of
//   - a face (or the disc of a cylinder or cone) and anything: n is the face's normal;
//   - two edges that are not parallel: n = t_a × t_b, with the tangents t of straight edges or of rims;
//   - the round side of a cylinder or cone and anything: n is one of that side's normals, which form a circle.
// These directions are all tried. Where they form a circle (a side; a straight edge with a rim, at right angles to
// the edge) or two circles (two rims), a fine net of them is taken and refined. The best is S = max f ≤ s.
//
// S > 0 exactly where the pieces are apart: bring b to a until they touch; the n with f(n) = 0 then form a cone
// whose extreme rays are directions as above, and at least one of them points along the way b was moved.
// Apart, s is the least distance U of pairs of points, over all pairs of features. Any n has f(n) ≤ s ≤ U, so that
// max(S, f(n_U)) and U prove each other, whatever was wrong with the searches: `lower` and `upper`.
//
// No code is shared with the engine.
#pragma once

#include <array>
#include <vector>

#include "geometry/piece.h"
#include "narrowphase/real.h"

namespace cairn::test {

enum class Form { core, cylinder, cone, half_space };

struct Body3 {
  struct Edge {
    std::size_t from = 0, to = 0;
  };
  struct Face {
    Real3 normal{};  // unit, outward
    Real offset = 0;
    std::vector<std::size_t> loop;  // corners, counter-clockwise seen from outside
  };

  Form form = Form::core;
  // core: the hull of the corners, with a radius around it.
  std::vector<Real3> corners;
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<Real3> directions;  // unit, of the edges; parallel ones of a box once
  // cylinder, cone: with radius; the apex at centre + half·axis. half_space: axis·x ≤ half.
  Real3 centre{}, axis{0, 0, 1};
  Real half = 0;

  Real radius = 0;
  Real extent = 0;  // no two points are further apart; 0 for a half-space
  Real blur = 0;    // how far the surface may be from the hull of the corners

  bool round() const { return form == Form::cylinder || form == Form::cone; }
  bool flat() const { return form == Form::core && faces.empty(); }  // a point or a segment
};

Body3 body_of(const Piece3& piece);  // convex or a plane, in its own frame
Body3 placed(const Body3& body, const Pose3& pose);
Real3 rotated(const Rot3& rotation, const Real3& v);  // by the quaternion made unit

Real support(const Body3& body, const Real3& n);                        // max n·x
Real signed_distance(const Body3& body, const Real3& x);                // to the surface, < 0 inside
Real3 closest_in(const Body3& body, const Real3& x);                    // to x, of a cylinder or cone
Real separation_along(const Body3& a, const Body3& b, const Real3& n);  // f, of a unit n

struct Separation3 {
  Real value = 0;
  Real lower = 0, upper = 0;  // proven where the pieces are apart; equal where they overlap
  Real3 normal{};             // f(normal) is `lower`
};
// Not both half-spaces.
Separation3 separation(const Body3& a, const Body3& b);

}  // namespace cairn::test
