// The place of deepest contact, from its direction alone.
#pragma once

#include <optional>

#include "narrowphase/collide_3d/clip.h"

namespace cairn {

// A point of a's feature and, `separation` along n above it, one of b's; nothing if no point of one is
// opposite to a point of the other, to within twice the frame's tolerance. The features face n and −n and are
// at right angles to n but for a lean of k_tight, so that their corners' heights tell how deep the contact
// is.
std::optional<ManifoldPoint<Dim3>> common_point(const Facing& a, const Facing& b, const ClipFrame& frame);

// The point of a's feature that is closest to b's, seen along n: where rounding leaves no common point.
// Neither is a plane.
Vec3 closest_point(const Facing& a, const Facing& b, const ClipFrame& frame);

}  // namespace cairn
