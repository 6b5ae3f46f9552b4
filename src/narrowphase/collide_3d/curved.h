// Cylinders and cones against everything that has no routine of its own.
#pragma once

#include "narrowphase/collide_3d/axis.h"

namespace cairn {

// As axis.h says, for any two convex pieces. `flat`: prefer directions normal to a flat end or face.
bool find_curved_axis(const Piece3& a, const Piece3& b, const AxisQuery& query, bool flat, ContactAxis& out);

}  // namespace cairn
