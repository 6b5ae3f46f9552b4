// On which side of a line or plane does a point lie? Answered exactly, for any finite doubles.
//
// Hulls are built on the signs of these determinants alone, so a hull can neither loop nor tear: all
// decisions agree with one true arrangement of the points. A floating-point evaluation with a proven error
// bound decides nearly every call; the rest is computed exactly (expansion.h).
//
// Range: the exact path first multiplies each axis by a power of two of its own, which changes no sign, so no
// coordinate is too large or too small by itself. What remains is the span within one axis of one call: a
// coordinate below 2⁻⁶⁰⁰ (about 1e-180) times the largest one of its axis counts as zero. Hulls keep their
// input within that span (point_cloud.h).
#pragma once

#include <cairn/math.h>

namespace cairn {

// The sign of (b − a) × (c − a): +1 where a, b, c turn counter-clockwise, −1 clockwise, 0 on one line.
int orient2d(const Vec2& a, const Vec2& b, const Vec2& c);

// The sign of ((b − a) × (c − a)) · (d − a): +1 where d lies on the side of the plane from which a, b, c are
// seen counter-clockwise, −1 on the other side, 0 in the plane. (Shewchuk's orient3d has the opposite sign.)
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// ((b − a) × (c − a)) · (d − a), six times the volume of the tetrahedron, right to some 1e-15 of itself
// however flat it is. In plain floating point the volume of a needle as thin as 1e-8 has no correct digit.
double triple_product(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// The unit vector along (b − a) × (c − a), right to a few 1e-16 however thin the triangle; zero only where a,
// b and c lie on one line exactly.
Vec3 unit_normal(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace cairn
