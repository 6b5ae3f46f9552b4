#include "geometry/facet_mesh.h"

namespace cairn {
namespace {

bool on_boundary(const FacetMesh& mesh, const Regions& regions, int h) {
  return regions.of_facet[mesh.facet[h]] != regions.of_facet[mesh.facet[mesh.twin[h]]];
}

}  // namespace

int next_on_boundary(const FacetMesh& mesh, const Regions& regions, int h) {
  int candidate = mesh.next(h);
  while (!on_boundary(mesh, regions, candidate)) candidate = mesh.next(mesh.twin[candidate]);
  return candidate;
}

std::vector<int> boundaries_at_vertices(const FacetMesh& mesh, const Regions& regions, int vertex_count) {
  std::vector<int> count(vertex_count, 0);
  for (int h = 0; h < mesh.half_edge_count(); ++h)
    if (on_boundary(mesh, regions, h)) ++count[mesh.origin[h]];
  return count;
}

FacetMesh coarsened(const FacetMesh& mesh, const Regions& regions, int vertex_count) {
  const std::vector<int> boundaries = boundaries_at_vertices(mesh, regions, vertex_count);
  const auto is_kept = [&](int h) {
    return on_boundary(mesh, regions, h) && boundaries[mesh.origin[h]] >= 3;
  };

  std::vector<int> first(regions.count, -1);  // of each region, a half-edge that leaves a corner
  for (int h = 0; h < mesh.half_edge_count(); ++h) {
    int& f = first[regions.of_facet[mesh.facet[h]]];
    if (f < 0 && is_kept(h)) f = h;
  }

  // A side of the coarse facet starts with a kept half-edge and runs on to the next corner. The half-edge
  // before that corner has a twin which leaves it, and starts the same side of the region across.
  FacetMesh coarse;
  std::vector<int> coarse_of(mesh.half_edge_count(), -1);  // the side that starts with this half-edge
  std::vector<int> last_of;                                // the half-edge that ends this side
  for (int r = 0; r < regions.count; ++r) {
    int h = first[r];
    do {
      if (is_kept(h)) {
        coarse_of[h] = coarse.half_edge_count();
        coarse.origin.push_back(mesh.origin[h]);
        coarse.facet.push_back(r);
        last_of.push_back(h);
      }
      last_of.back() = h;
      h = next_on_boundary(mesh, regions, h);
    } while (h != first[r]);
    coarse.begin.push_back(coarse.half_edge_count());
  }
  for (int last : last_of) coarse.twin.push_back(coarse_of[mesh.twin[last]]);
  return coarse;
}

}  // namespace cairn
