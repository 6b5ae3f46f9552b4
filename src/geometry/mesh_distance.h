// How far a point lies from a closed mesh, and whether it lies inside: through a tree of boxes over the triangles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/geometry_3d.h"

namespace cairn {

class MeshDistance {
 public:
  explicit MeshDistance(const TriangleMesh& mesh);  // which must outlive it

  double to_surface(const Vec3& point) const;  // [m]
  // Is the surface wound around the point, counter-clockwise seen from outside? Right also where shells overlap.
  // Exact, but for points of the surface itself.
  bool is_inside(const Vec3& point) const;

 private:
  struct Node {
    Bounds3 box;
    std::uint32_t begin, end;  // of its triangles in order_
    std::uint32_t second;      // its second child; the first one follows the node; 0 for a leaf
  };

  void build();
  std::array<Vec3, 3> corners(std::uint32_t triangle) const;

  const TriangleMesh& mesh_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace cairn
