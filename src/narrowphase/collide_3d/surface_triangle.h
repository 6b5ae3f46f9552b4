// One triangle of a mesh or height field, with what contacts need to know of its surroundings.
//
//            2
//          ╱   ╲            edge k goes from corner k to the next one;
//      e2 ╱  n  ╲ e1        `across` is the normal beyond the edge, `outward` points out of the triangle
//        ╱       ╲          across the edge, in its plane
//       0 ─────── 1
//           e0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/geometry_3d.h"
#include "geometry/triangles.h"

namespace cairn {

struct SurfaceTriangle {
  struct Edge {
    EdgeKind kind = EdgeKind::flat;
    std::uint32_t name = 0;                                 // the same from both sides
    std::uint32_t neighbour = TriangleMesh::k_no_triangle;  // beyond it
    Vec3 along{}, across{};  // unit; not set where the edge is flat, nor `across` where it is open
  };
  std::uint32_t index = 0;                  // of the triangle in its surface
  std::uint32_t element = 0;                // what its manifold is called by
  std::array<Vec3, 3> corners{};            // [m] counter-clockwise seen from the side that counts
  std::array<std::uint32_t, 3> vertices{};  // their numbers in the surface
  Vec3 normal{};                            // unit, to the side that counts
  std::array<Edge, 3> edges;
  std::array<bool, 3> bears{};  // may the corner stick out?
  bool flipped = false;         // is the side that counts the back?

  // May anything but its face bear a contact?
  bool has_only_a_face(bool one_sided) const {
    for (std::size_t k = 0; k < 3; ++k) {
      const EdgeKind kind = edges[k].kind;
      if (bears[k] || kind == EdgeKind::convex || kind == EdgeKind::open) return false;
      if (kind == EdgeKind::concave && !one_sided) return false;
    }
    return true;
  }
  // In the plane of the triangle, and of the one beyond, at right angles to the edge and away from them.
  Vec3 outward(std::size_t k) const { return cross(edges[k].along, normal); }
  Vec3 outward_across(std::size_t k) const { return cross(edges[k].across, edges[k].along); }
};

// Two unit vectors from a vertex along the sides of one of the triangles around it, counter-clockwise from the front.
struct Spoke {
  Vec3 first, second;
};

class MeshSurface {
 public:
  explicit MeshSurface(const TriangleMesh& mesh) : mesh_(mesh) {}
  bool is_one_sided() const { return mesh_.closed; }
  // The triangles whose boxes overlap `box`, in ascending order, seen from the front.
  void gather(const Bounds3& box, std::vector<PlacedTriangle>& scratch,
              std::vector<SurfaceTriangle>& out) const;
  // Turns the triangles of a sheet to the side on which the point is.
  void turn_to(const Vec3& point, std::vector<SurfaceTriangle>& triangles) const;
  // The triangles around a corner.
  void spokes(const SurfaceTriangle& t, std::size_t corner, std::vector<Spoke>& out) const;

 private:
  const TriangleMesh& mesh_;
};

// The ground is below: the front is up. The surface ends at its border like a step down.
class GridSurface {
 public:
  explicit GridSurface(const HeightGrid& grid) : grid_(grid) {}
  bool is_one_sided() const { return true; }
  void turn_to(const Vec3&, std::vector<SurfaceTriangle>&) const {}
  void gather(const Bounds3& box, std::vector<PlacedTriangle>& scratch,
              std::vector<SurfaceTriangle>& out) const;
  void spokes(const SurfaceTriangle& t, std::size_t corner, std::vector<Spoke>& out) const;

 private:
  const HeightGrid& grid_;
};

}  // namespace cairn
