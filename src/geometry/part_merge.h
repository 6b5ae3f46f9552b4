// Convex parts that can be one.
#pragma once

#include <vector>

#include "geometry/hull_fit.h"
#include "geometry/polyhedron.h"

namespace cairn {

double volume_of(const ExactHull& hull);  // [m³]

// Replaces pairs of hulls by the hull of both where that is still within the tolerance of `fit` and reaches into no
// other hull by more than `overlap` [m]; those that add the least volume first. Hulls that touch are considered, and of
// these only the ones marked in `may_merge`, which is kept in step. New hulls come last.
void merge_parts(std::vector<Polyhedron>& hulls, std::vector<char>& may_merge, HullFit& fit, double overlap);

}  // namespace cairn
