// A closed surface of polygons while a hull is being built: half-edges, numbered so that those of one facet
// are consecutive and in order.
//
//   facet f:      half-edges begin[f] … begin[f + 1] − 1, counter-clockwise seen from outside
//   half-edge h:  from origin[h] to target(h) in facet[h]; twin[h] runs back in the facet across
//
// Vertices are numbers of points that the caller keeps.
#pragma once

#include <vector>

namespace cairn {

struct FacetMesh {
  std::vector<int> begin{0};  // one more than facets
  std::vector<int> origin, twin, facet;

  int facet_count() const { return static_cast<int>(begin.size()) - 1; }
  int half_edge_count() const { return static_cast<int>(origin.size()); }
  int next(int h) const { return h + 1 == begin[facet[h] + 1] ? begin[facet[h]] : h + 1; }
  int target(int h) const { return origin[next(h)]; }
};

// A division of the facets into regions 0 … count − 1, each to become one facet.
struct Regions {
  std::vector<int> of_facet;
  int count = 0;
};

// Half-edges whose facet is in a region and whose twin's is not form its boundary. This is the one after h.
int next_on_boundary(const FacetMesh& mesh, const Regions& regions, int h);

// How many regions meet at each vertex, or 0 inside of one. From three on the vertex is a corner of all of
// them.
std::vector<int> boundaries_at_vertices(const FacetMesh& mesh, const Regions& regions, int vertex_count);

// The mesh whose facets are the regions. Each region must be a disc with at least three corners.
FacetMesh coarsened(const FacetMesh& mesh, const Regions& regions, int vertex_count);

}  // namespace cairn
