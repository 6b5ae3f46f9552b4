// Does a convex hull stand away from a mesh by no more than a tolerance anywhere?
//
// Asked for every point of the hull, not only for those of its surface: the hull of a bottle with a narrow neck fills
// the bottle, though its surface passes only over the neck. Answered with certainty rather than by samples, by dividing
// space into eight again and again: with q the point of the hull nearest to the middle c of a cube of half-diagonal ρ,
//
//   s(x) ≤ s(q) + ρ   for every point x of the hull in the cube,     s the signed distance from the mesh
//
// because s changes by no more than the way, and x is no further from q than from c. So a cube is done where the bound
// is within the tolerance, and the answer is no where s(q) is not. Cubes get no smaller than an eighth of the tolerance:
// a hull that stands off by more than 7/8 of it may be refused.
//
// The distances at the middles belong to the mesh alone, so they are kept for the next hull.
#pragma once

#include <vector>

#include "geometry/mesh_distance.h"
#include "geometry/polyhedron.h"

namespace cairn {

class HullFit {
 public:
  HullFit(const TriangleMesh& mesh, double tolerance);  // [m]; the mesh must outlive it

  bool is_within(const Polyhedron& hull);

 private:
  struct Cube {
    double distance = -1;        // [m] of its middle from the surface; less than 0 where not asked yet
    signed char inside = -1;     // its middle; −1 where not asked yet
    std::uint32_t children = 0;  // the first of eight; 0 where there are none yet
  };
  struct Query;

  bool is_within(Query& query, std::uint32_t cube, const Vec3& middle, double half, std::size_t planes);
  double distance_of(std::uint32_t cube, const Vec3& middle);
  bool is_inside(std::uint32_t cube, const Vec3& middle);

  MeshDistance mesh_;
  double tolerance_;
  Vec3 middle_;
  double half_;
  std::vector<Cube> cubes_;
};

}  // namespace cairn
