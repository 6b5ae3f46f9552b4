// Mass properties of built shapes, and the check of those that a user gives.
#pragma once

#include "geometry/geometry_2d.h"
#include "geometry/geometry_3d.h"

namespace cairn {

// Throws cairn::Error, with `path` to name the shape, where there is no volume to integrate over.
MassProperties2 mass_properties(const Geometry2& shape, double density, const Path& path);
MassProperties3 mass_properties(const Geometry3& shape, double density, const Path& path);

// Is it of a kind that has a volume? For compounds: is every part? A mesh is, even where it is open: its
// author meant a solid, and mass_properties says what is missing.
bool has_volume(const Geometry2& shape);
bool has_volume(const Geometry3& shape);

// Mass above zero; inertia that some body could have: positive, and in 3D no principal value above the sum of
// the other two. Throws cairn::Error otherwise.
void check_mass_properties(const MassProperties2& mass, const Path& path);
void check_mass_properties(const MassProperties3& mass, const Path& path);

}  // namespace cairn
