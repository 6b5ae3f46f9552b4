// How the triangles of a mesh hang together: what lies beyond each edge, and what sticks out.
//
// Contacts need it: a body that slides over a floor of triangles must not feel the edges between them, and one
// that rests on a ridge must. See narrowphase/collide_3d/surface.cpp.
#pragma once

#include "geometry/geometry_3d.h"

namespace cairn {

// Two faces that meet at less than this lie in one plane [rad].
inline constexpr double k_flat_angle = 1e-6;
// A flat region holds triangles whose normals differ from its first one's by no more than this [rad].
inline constexpr double k_region_angle = 1e-5;

// Fills the mesh's normals, neighbours, rims, regions and `closed` from its vertices and triangles, which must be
// clean (mesh_clean.h). Notes where the surface is open, and where its edges have more than two triangles or
// two that face opposite ways.
void connect(TriangleMesh& mesh, const Path& path, Notes& notes);

// The normal of the triangle beyond an edge, turned to the side that the triangle's own normal points to.
Vec3 normal_across(const TriangleMesh& mesh, std::uint32_t triangle, int edge);

// Which corner of the triangle is the vertex? 3 if none.
inline int corner_of(const Triangle& t, std::uint32_t vertex) {
  return t[0] == vertex ? 0 : t[1] == vertex ? 1 : t[2] == vertex ? 2 : 3;
}

// visit(triangle, corner) for the triangles around a vertex, from `triangle`, of which it is the corner, first to
// the one side and then, if that ended at an open or crowded edge, to the other.
template <class Visit>
void visit_fan(const TriangleMesh& mesh, std::uint32_t triangle, int corner, Visit visit) {
  const std::uint32_t vertex = mesh.triangles[triangle][corner];
  visit(triangle, corner);
  for (const int way : {0, 1}) {
    // The edge that was crossed last names the next one: the other edge of the new triangle at the vertex.
    std::uint32_t t = triangle, other_end = mesh.triangles[t][(corner + (way == 0 ? 2 : 1)) % 3];
    for (;;) {
      const int c = corner_of(mesh.triangles[t], vertex);
      const int edge = mesh.triangles[t][(c + 1) % 3] == other_end ? c : (c + 2) % 3;
      const std::uint32_t next = mesh.neighbours[t][edge];
      if (next == TriangleMesh::k_no_triangle || mesh.rims[t].is_crowded(edge)) break;
      if (next == triangle) return;
      const int at = corner_of(mesh.triangles[next], vertex);
      visit(next, at);
      const std::uint32_t one = mesh.triangles[next][(at + 1) % 3], two = mesh.triangles[next][(at + 2) % 3];
      other_end = one == other_end ? two : one;
      t = next;
    }
  }
}

}  // namespace cairn
