// Convex pieces on triangle meshes and height fields.
//
// Sides. A closed mesh and a height field bound a solid: contacts push out of the front, however deep the piece has
// sunk, as long as it still reaches the surface. An open mesh is a sheet with two sides: a triangle pushes to the
// side on which the middle of the piece lies.
//
// No ghost edges. Each triangle near the piece holds it in the one direction that surface_axis.h finds; on a flat
// floor of any number of triangles that is the floor's normal, everywhere. Triangles that hold it in the same
// direction share a manifold, whose points are those of the whole patch. Names of points and elements do not change
// while a piece slides over a flat region of a mesh.
#pragma once

#include "geometry/piece.h"
#include "narrowphase/manifold.h"

namespace cairn {

// The manifolds between a surface and a convex piece, in the surface's frame, with normals from the surface to the piece,
// in the order of their elements.
void collide_mesh(const TriangleMesh& mesh, const Piece3& convex, const Pose3& convex_in_mesh, double margin,
                  PairCache<Dim3>& cache, ManifoldList<Dim3>& out);
void collide_height(const HeightGrid& grid, const Piece3& convex, const Pose3& convex_in_grid, double margin,
                    PairCache<Dim3>& cache, ManifoldList<Dim3>& out);

}  // namespace cairn
