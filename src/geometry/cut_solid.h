// A solid that planes cut to pieces: what convex decomposition works on.
//
// A face is a set of directed edges in one plane, solid on their left seen from outside. It need not be one loop: where
// a plane cuts a pipe, the new face is a ring. Faces are never triangulated, so no cut can fail for want of a
// triangulation. Three facts keep the surface closed whatever rounding does:
//
//   which side     is decided for each vertex once, not for each face that uses it
//   where          an edge crosses the plane is computed once, for both faces that share it
//   how crossings  of one face are joined: sorted along the line in which the plane cuts it, the first way out to the
//                  first way in, the second to the second, …  Every face has as many of one as of the other, and for
//                  every joint edge the new face has the same edge back.
//
// So every edge is used as often one way as the other, before and after: the volume by the divergence theorem holds.
#pragma once

#include <cairn/math.h>

#include <cstdint>
#include <vector>

#include "geometry/geometry_3d.h"

namespace cairn {

struct CutPlane {
  Vec3 normal;  // unit
  Vec3 point;   // [m] any point of the plane
  double distance(const Vec3& x) const { return dot(normal, x - point); }
  CutPlane reversed() const { return {-normal, point}; }
};

struct CutSolid {
  struct Edge {
    std::uint32_t from, to;
  };
  struct Face {
    Vec3 normal;          // unit, outward; zero for a triangle without area
    std::uint32_t begin;  // its first edge; the last one stands before the next face's first
    bool is_cut;          // made by a plane, so that it may have any outline
  };
  std::vector<Vec3> vertices;  // [m] each used
  std::vector<Edge> edges;     // those of a face one after another
  std::vector<Face> faces;

  std::size_t end_of(std::size_t face) const {
    return face + 1 < faces.size() ? faces[face + 1].begin : edges.size();
  }
};

// The mesh must be closed (closed_surface.h).
CutSolid solid_of(const TriangleMesh& mesh);

// What lies above the plane, on the side of its normal. A vertex nearer to the plane than `on` [m] counts as a point of
// it, and is one of the new face's corners instead of a crossing beside it: pieces thinner than that do not arise.
CutSolid above(const CutSolid& solid, const CutPlane& plane, double on);

double volume(const CutSolid& solid);  // [m³]

// The pieces that hang together, in the order of their first faces. A void inside a piece belongs to it.
std::vector<CutSolid> connected_pieces(CutSolid&& solid);

// How often the surface winds around the point: 1 inside, 0 outside, less than 0 where it is inside out.
double winding(const CutSolid& solid, const Vec3& point);

}  // namespace cairn
