// Is this polyhedron what build_hull() promises? Tests and fuzzers ask; no test framework is needed.
#pragma once

#include <cairn/math.h>

#include <span>
#include <string>

#include "geometry/polyhedron.h"

namespace cairn::test {

// The first defect found, or nothing. `points` are those the hull was built from.
std::string defect_of(const Polyhedron& hull, std::span<const Vec3> points);

double volume(const ExactHull& mesh);  // [m³]
double area(const ExactHull& mesh);    // [m²]

}  // namespace cairn::test
