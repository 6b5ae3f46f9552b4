// From a definition to the mass, centre and inertia of a body.
#pragma once

#include <cairn/body.h>

#include "bodies/state.h"
#include "geometry/piece.h"

namespace cairn {

// The body's shapes, checked and built. Notes what was mended in them.
template <class D>
std::vector<Geometry<D>> build_shapes(const BodyDef<D>& def, const Path& path, Notes& notes);

// What the shapes and the user's own figures come to. Throws if a dynamic body has no mass, no inertia, or
// figures that no real body can have.
template <class D>
MassProperties<D> mass_of(const BodyDef<D>& def, std::span<const Geometry<D>> shapes, const Path& path);

// What the step needs of it.
template <class D>
BodyMass<D> body_mass(const BodyDef<D>& def, const MassProperties<D>& mass);

}  // namespace cairn
