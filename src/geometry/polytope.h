// A convex polytope of triangles around 0 that grows by one point at a time.
//
//   faces   three corners, counter-clockwise seen from outside, and the face beyond each side
//   add(p)  removes the faces that p sees and closes the hole with a fan of new ones around p
//
// All memory is inside: when it is full, or rounding has made the hole something other than a ring, `add` refuses
// and the polytope stays as it was.
#pragma once

#include "geometry/difference.h"

namespace cairn {

class Polytope {
 public:
  using Point = DifferencePoint<Dim3>;
  using Index = std::uint16_t;

  struct Face {
    std::array<Index, 3> corners{};
    std::array<Index, 3> beyond{};  // the face across the side from corner i to the next one
    Vec3 normal{};                  // unit, outward; zero where the face has no area
    double height = 0;              // [m] of the face above 0 along the normal
    bool alive = false;
    bool asked = false;  // for what lies beyond it
  };

  // Four points that are not in one plane, any way round.
  Polytope(const std::array<Point, 4>& corners, double scale);

  // The living face of least height that has not been asked; nullptr if there is none.
  Face* nearest_face();
  const Point& point(Index k) const { return points_[k]; }

  // A point that lies above `face`.
  bool add(const Point& p, const Face& face);

 private:
  static constexpr std::size_t k_most_points = 160, k_most_faces = 320;

  struct Side {
    Index from, to;
    Index outside;     // the face that stays
    int outside_side;  // and which side of it this is
    Index inside = 0;  // the new face
  };

  void set_plane(Face& face) const;
  bool sees(const Vec3& p, const Face& face) const;
  bool find_horizon(const Vec3& p, Index start);
  bool is_ring();

  std::array<Point, k_most_points> points_;
  std::array<Face, k_most_faces> faces_;
  std::size_t point_count_ = 0, face_count_ = 0;  // faces: those ever alive
  double slack_;                                  // [m] round-off of heights

  std::array<Index, k_most_faces> seen_, free_;
  std::array<bool, k_most_faces> is_seen_{};
  std::size_t seen_count_ = 0, free_count_ = 0;
  std::array<Side, 2 * k_most_faces> horizon_;
  std::size_t side_count_ = 0;
  std::array<Index, k_most_points> side_from_;  // the horizon's side that begins at a point
};

}  // namespace cairn
