// From a contact patch of any number of points to the four that hold it best.
#pragma once

#include <span>

#include "narrowphase/manifold.h"

namespace cairn {

// Orders and thins the points in place and returns how many are left: at most four, the first with the
// smallest separation. Points with equal features, or closer together than `tolerance` [m] seen along the
// normal n, count once.
//
// Of more than four are kept
//   1. a deepest one;
//   2. the one furthest from it;
//   3. the one that makes the largest triangle with them;
//   4. the one that adds the largest triangle outside of that;
// where a point counts less the less deep it is: distances and areas are weighed by 1/(1 + 8 δ/L), with δ its
// separation beyond the smallest and L the width of the patch. The four span 0.48 of the area of all points
// at worst and 0.69 on average, which is 0.68 and 0.94 of what the best four span (random patches of up to 12
// points whose depths differ by up to 0.01 L; 0.64 is all that four points can span of a circle).
//
// Points that are equally good to within 1 % are chosen by the order of their features, and so is the point
// to begin with among those equally deep to within 0.1 % of L: a symmetric patch keeps its four points while
// round-off or the solver's noise comes and goes. Should the deepest of all not be among them then, it takes
// the place of the one that costs the least area.
int reduce(std::span<ManifoldPoint<Dim3>> points, const Vec3& n, double tolerance);

}  // namespace cairn
