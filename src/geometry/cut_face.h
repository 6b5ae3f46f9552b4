// The flat faces that planes leave on a solid: any number of outlines, with any number of holes in them.
#pragma once

#include <span>

#include "geometry/cut_solid.h"

namespace cairn {

// Takes out pairs of edges that run there and back.
void cancel_opposite(std::vector<CutSolid::Edge>& edges);

// The edges of each face that hangs together: an outline with its holes. `normal` is the outward one.
std::vector<std::vector<CutSolid::Edge>> separate_faces(std::span<const CutSolid::Edge> edges,
                                                        std::span<const Vec3> vertices, const Vec3& normal);

}  // namespace cairn
