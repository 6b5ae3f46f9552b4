// A convex polyhedron as the rest of the engine wants it: the value that build_hull() returns.
//
// Flat arrays, indexed by number; ranges of varying length are stored one after another with an array of
// where each begins. Who reads what:
//
//   separating axes   planes; edges with their two vertices and, by their two faces, the arc of normals that
//                     prunes pairs of edges (the Gauss map)
//   face clipping     face(f): corners counter-clockwise seen from outside; face_edges for contact features
//   support, GJK      vertices, neighbours_of(v) to climb along
//   rendering         face(f) with planes[f].normal; edges for outlines
//   mass              exact: triangles that are the hull itself
//
// Edges are stored whole rather than as half-edges because the loop over pairs of edges is the hot one: 16
// consecutive bytes hold all it needs, where half-edges chase twin → origin and twin → face. What half-edges
// give beside that, the edge behind each side of a face, is face_edges.
//
// Bytes: 28 V + 36 F + 32 E + 4 N, N the entries of `neighbours` (2 E, more where faces were merged). A box
// takes 0.9 kB and its `exact` 0.3 kB; with triangles only (F = 2 V, E = 3 V) it is 220 and 48 bytes a
// vertex. Indices have 32 bits: 16 would save a third and fail above 10⁴ vertices.
#pragma once

#include <cairn/math.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

// The points x with normal · x = offset; outside is where it is greater.
struct FacePlane {
  Vec3 normal;      // unit, outward
  double offset{};  // [m]
  CAIRN_INLINE constexpr double distance(const Vec3& x) const { return dot(normal, x) - offset; }  // [m]
};
static_assert(sizeof(FacePlane) == 32);

struct ExactHull {
  std::vector<Vec3> vertices;                           // [m]
  std::vector<std::array<std::uint32_t, 3>> triangles;  // counter-clockwise seen from outside
};

struct Polyhedron {
  using Index = std::uint32_t;

  struct Edge {
    Index vertices[2];  // the lower index first
    Index faces[2];     // [0] has the edge from vertices[0] to vertices[1], [1] the other way round
  };
  static_assert(sizeof(Edge) == 16);

  // V vertices, all of them input points, in lexicographic order.
  std::vector<Vec3> vertices;  // [m]

  // F faces, strictly convex polygons. No vertex lies outside a plane (but for rounding), no input point
  // further than merge_distance, and the corners of a face lie on its plane or at most merge_distance inside.
  std::vector<FacePlane> planes;
  std::vector<Index> face_begin;     // F + 1
  std::vector<Index> face_vertices;  // 2 E, each face from its lowest vertex on
  std::vector<Index> face_edges;     // 2 E: the edge from this corner to the next one

  // E edges; every two faces share at most one.
  std::vector<Edge> edges;

  // Where to climb from a vertex: the edges of the exact hull of `vertices`, so that a vertex higher than all
  // its neighbours is highest of all. Across faces that are planar only to within merge_distance these
  // include diagonals, without which a climb can stop short by merge_distance × face size / edge length.
  // Compare heights, not signs of differences, which rounding could send round in a circle. And where
  // merge_distance is below 1e-9 of the extent, as on hulls thinner than 1e-6 of it, rather scan all
  // vertices: there may be caps so flat that rounded heights end a climb on them.
  std::vector<Index> neighbour_begin;  // V + 1
  std::vector<Index> neighbours;       // N

  double merge_distance{};  // [m] how far merging faces may have moved the surface
  ExactHull exact;          // the hull of all input points before merging; of no use once the mass is known

  std::size_t face_count() const { return planes.size(); }
  std::span<const Index> face(std::size_t f) const {
    return std::span(face_vertices).subspan(face_begin[f], face_begin[f + 1] - face_begin[f]);
  }
  std::span<const Index> neighbours_of(std::size_t v) const {
    return std::span(neighbours).subspan(neighbour_begin[v], neighbour_begin[v + 1] - neighbour_begin[v]);
  }
};

}  // namespace cairn
