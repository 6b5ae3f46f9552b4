// The direction in which two convex pieces are furthest apart: of the unit vectors n the one with the
// greatest
//
//   separation(n) = min over b of n·x − max over a of n·x
//
// which is the distance of the pieces where they are apart and, where they overlap, less than 0 by the
// shortest shift that parts them. One routine for each two kinds; every one returns false as soon as it knows
// that the separation is greater than `margin`: then `out.normal` is a direction that separates the pieces by
// more than that.
//
// All is in a's frame. The separation found is within 1e-9 of the size of the pieces of the greatest, 1e-5
// for cylinders and cones that overlap something other than a sphere or plane.
#pragma once

#include "narrowphase/collide_3d/patch.h"
#include "narrowphase/collide_3d/placement.h"

namespace cairn {

// What the routines are told beside the two pieces.
struct AxisQuery {
  Pose3 pose;       // of b in a's frame
  Placement place;  // the same
  double margin;    // [m]
  double size;      // [m] of the pieces together
  Vec3 guess;       // a direction to begin with, zero for none
};

// ---------------------------------------------------------------------------------- round.cpp

// A point and the nearest place of a solid's surface.
struct PointAxis {
  Vec3 normal;      // unit, out of the solid towards the point (inside: towards the nearest surface)
  double distance;  // [m] less than 0 inside
};
PointAxis point_axis(const Box3& box, const Vec3& p);
PointAxis point_axis(const Capsule3& capsule, const Vec3& p);
PointAxis point_axis(const Cylinder& cylinder, const Vec3& p);
PointAxis point_axis(const Cone& cone, const Vec3& p);
PointAxis point_axis(const Polyhedron& hull, const Vec3& p);

template <class S>
bool find_axis(const Sphere& a, const S& b, const AxisQuery& query, ContactAxis& out) {
  const PointAxis at = point_axis(b, query.place.in(Vec3{}));
  out.normal = -query.place.turned_out(at.normal);
  out.separation = at.distance - a.radius;
  out.on_a = a.radius * out.normal;
  out.has_witness = true;
  return out.separation <= query.margin;
}
bool find_axis(const Sphere& a, const Sphere& b, const AxisQuery& query, ContactAxis& out);
bool find_axis(const Capsule3& a, const Capsule3& b, const AxisQuery& query, ContactAxis& out);

// ---------------------------------------------------------------------------------- box_box.cpp

bool find_axis(const Box3& a, const Box3& b, const AxisQuery& query, ContactAxis& out);

// ---------------------------------------------------------------------------------- polyhedra.cpp

bool find_axis(const Box3& a, const Polyhedron& b, const AxisQuery& query, ContactAxis& out);
bool find_axis(const Polyhedron& a, const Polyhedron& b, const AxisQuery& query, ContactAxis& out);
bool find_axis(const Box3& a, const Capsule3& b, const AxisQuery& query, ContactAxis& out);
bool find_axis(const Capsule3& a, const Polyhedron& b, const AxisQuery& query, ContactAxis& out);

}  // namespace cairn
