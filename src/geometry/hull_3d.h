// The convex hull of points in space, as a polyhedron with polygons for faces.
#pragma once

#include <cairn/math.h>

#include <span>

#include "geometry/polyhedron.h"

namespace cairn {

inline constexpr double k_most_of_thickness = 1e-3;  // that merging faces may use

struct HullSettings {
  // Facets whose corners lie within this part of the cloud's extent (the longest side of its bounding box) of
  // one plane become one face. Coordinates that went through single precision lie up to 1e-7 of the extent
  // off their planes, on either side: 1e-6 takes that with room to spare and moves the surface of a
  // metre-sized body by at most a micrometre. Coordinates printed with six digits need 1e-5.
  //
  // At least a few ulps of the coordinates are used, also for 0: facets folded less than that are an accident
  // of rounding, and climbing to a support vertex would be stuck on them. At most a thousandth of the hull's
  // thickness is used, so that plates and needles keep their shape.
  double merge_tolerance = 1e-6;
};

// Depends on the set of points only: neither on their order nor on how often one is given. Throws Error where
// there is no hull with a volume: see point_cloud.h for the limits.
//
// Merging never fails. Where a merged face would not be a strictly convex polygon between convex edges, its
// facets are merged within a smaller distance, at last not at all.
//
// Planes are most accurate near the origin: an offset has the rounding error of the coordinates it is made
// of. 10⁴ points in a ball take 4 ms, on a sphere 50 ms.
Polyhedron build_hull(std::span<const Vec3> points, const HullSettings& settings = {});

}  // namespace cairn
