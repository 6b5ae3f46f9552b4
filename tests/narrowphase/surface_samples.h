// Surfaces of triangles, and how a piece's manifolds on them are judged.
#pragma once

#include <gtest/gtest.h>

#include "geometry/shape_samples.h"
#include "narrowphase/collide.h"
#include "narrowphase/solid_pairs.h"

namespace cairn::surfaces {

using namespace samples;

// ------------------------------------------------------------------------------------------------ surfaces

// A square of side 2·half in the plane z = 0, of 2·cells² triangles. `roughness` shifts the inner vertices by up to this
// part of a cell within the plane and cuts cells along either diagonal; at most 0.2, lest triangles turn over.
Mesh flat_floor(int cells, double half, double roughness, Random& random);
// Squeezes the strips between some columns of a floor to this part of their width.
void add_slivers(Mesh& floor, int cells, double thin, Random& random);
// Closes a floor below, with a pyramid upside down: then it is a solid.
void close_below(Mesh& floor, int cells, double depth);

// Ground with heights that differ at random from sample to sample, and the same as a mesh.
HeightField bumps(std::uint32_t columns, std::uint32_t rows, const Vec2& spacing, double height,
                  Random& random);
Mesh mesh_like(const HeightField& field);
void close_below(Mesh& mesh, const HeightField& field, double depth);

// ----------------------------------------------------------------------------------------------- placements

// A piece above, on or in the plane z = 0: its lowest point is at `height`. Upright: on a side, edge or tip, or nearly.
Pose3 placed_on_floor(const Piece3& piece, double height, double spread, bool upright, Random& random);

ManifoldList<Dim3> collided(const Piece3& a, const Piece3& b, const Pose3& b_in_a, double margin);

// ----------------------------------------------------------------------------------------------- judgements

double area_of(const Manifold<Dim3>& m);

// Is the piece held as by the plane? One manifold, the same normal, depth and patch.
void expect_like_plane(const ManifoldList<Dim3>& on_floor, const ManifoldList<Dim3>& on_plane, double size);

// What every manifold on a surface owes: its points lie on the surface and, `separation` along the normal, on the piece.
// `slow` is the surface once more, of which every triangle is asked. Returns the smallest separation.
double expect_on_both_surfaces(const ManifoldList<Dim3>& found, const Mesh& slow, const Piece3& piece,
                               const Pose3& pose, double margin, double tolerance);

// [m] of the piece from the mesh, if within reach; very large if not, less than 0 where it overlaps a triangle.
double slow_distance(const Mesh& mesh, const Piece3& piece, const Pose3& pose, double reach);

// Lowers pieces of every kind on rough ground: apart, the smallest separation is the distance; points are where they
// should be; nothing that overlaps goes without a contact that says so.
struct GroundCounts {
  int apart = 0, overlapping = 0;
};
void expect_right_on_ground(const Piece3& ground, const Mesh& slow, int tries, Random& random,
                            GroundCounts& counts);

}  // namespace cairn::surfaces
