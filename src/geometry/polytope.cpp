#include "geometry/polytope.h"

#include <utility>

namespace cairn {

Polytope::Polytope(const std::array<Point, 4>& corners, double scale) : slack_(1e-14 * scale) {
  for (const Point& p : corners) points_[point_count_++] = p;
  const Vec3 &p = points_[0].w, &q = points_[1].w, &r = points_[2].w, &s = points_[3].w;
  if (dot(s - p, cross(q - p, r - p)) > 0)
    std::swap(points_[1], points_[2]);  // the first face looks away from s
  faces_[0] = {{0, 1, 2}, {1, 2, 3}};
  faces_[1] = {{1, 0, 3}, {0, 3, 2}};
  faces_[2] = {{2, 1, 3}, {0, 1, 3}};
  faces_[3] = {{0, 2, 3}, {0, 2, 1}};
  face_count_ = 4;
  for (std::size_t k = 0; k < 4; ++k) set_plane(faces_[k]);
}

void Polytope::set_plane(Face& face) const {
  const Vec3 &p = points_[face.corners[0]].w, &q = points_[face.corners[1]].w,
             &r = points_[face.corners[2]].w;
  const Vec3 pq = q - p, qr = r - q, rp = p - r;
  const double a = length_squared(pq), b = length_squared(qr), c = length_squared(rp);
  const Vec3 n = a >= b && a >= c ? cross(qr, rp)
                 : b >= c         ? cross(rp, pq)
                                  : cross(pq, qr);  // of the shorter two
  face.normal = direction_of(n).unit;
  face.height = dot(face.normal, p);
  face.alive = true;
  face.asked = face.normal == Vec3{};
}

Polytope::Face* Polytope::nearest_face() {
  Face* nearest = nullptr;
  for (std::size_t k = 0; k < face_count_; ++k) {
    Face& face = faces_[k];
    if (face.alive && !face.asked && (!nearest || face.height < nearest->height)) nearest = &face;
  }
  return nearest;
}

// Faces whose plane p lies in go too: with them go the triangles without area that p would make with their sides.
bool Polytope::sees(const Vec3& p, const Face& face) const {
  return dot(face.normal, p - points_[face.corners[0]].w) > -slack_;
}

// Collects the faces seen from p, from one of them on, and the sides around them.
bool Polytope::find_horizon(const Vec3& p, Index start) {
  for (std::size_t k = 0; k < face_count_; ++k) is_seen_[k] = false;
  seen_count_ = 0;
  seen_[seen_count_++] = start;
  is_seen_[start] = true;
  for (std::size_t k = 0; k < seen_count_; ++k)
    for (const Index next : faces_[seen_[k]].beyond)
      if (!is_seen_[next] && sees(p, faces_[next])) {
        is_seen_[next] = true;
        seen_[seen_count_++] = next;
      }
  side_count_ = 0;
  for (std::size_t k = 0; k < seen_count_; ++k) {
    const Face& face = faces_[seen_[k]];
    for (int i = 0; i < 3; ++i) {
      const Index outside = face.beyond[i];
      if (is_seen_[outside]) continue;
      int outside_side = 0;
      while (outside_side < 2 && faces_[outside].corners[outside_side] != face.corners[(i + 1) % 3])
        ++outside_side;
      horizon_[side_count_++] = {face.corners[i], face.corners[(i + 1) % 3], outside, outside_side};
    }
  }
  return is_ring();
}

bool Polytope::is_ring() {
  if (side_count_ < 3) return false;
  constexpr Index k_none = 0xffff;
  for (std::size_t k = 0; k < point_count_; ++k) side_from_[k] = k_none;
  for (std::size_t k = 0; k < side_count_; ++k) {
    if (side_from_[horizon_[k].from] != k_none) return false;
    side_from_[horizon_[k].from] = Index(k);
  }
  std::size_t length = 1;
  for (Index k = 0; horizon_[k].to != horizon_[0].from; ++length) {
    k = side_from_[horizon_[k].to];
    if (k == k_none || length > side_count_) return false;
  }
  return length == side_count_;
}

bool Polytope::add(const Point& p, const Face& face) {
  if (point_count_ == k_most_points) return false;
  if (!find_horizon(p.w, Index(&face - faces_.data()))) return false;
  if (face_count_ + side_count_ > k_most_faces + free_count_ + seen_count_) return false;

  const Index apex = Index(point_count_);
  points_[point_count_++] = p;
  for (std::size_t k = 0; k < seen_count_; ++k) {
    faces_[seen_[k]].alive = false;
    free_[free_count_++] = seen_[k];
  }
  for (std::size_t k = 0; k < side_count_; ++k)
    horizon_[k].inside = free_count_ > 0 ? free_[--free_count_] : Index(face_count_++);
  for (std::size_t k = 0; k < side_count_; ++k) {
    const Side& side = horizon_[k];
    Face& fresh = faces_[side.inside];
    fresh.corners = {side.from, side.to, apex};
    fresh.beyond[0] = side.outside;
    fresh.beyond[1] = horizon_[side_from_[side.to]].inside;
    faces_[side.outside].beyond[side.outside_side] = side.inside;
  }
  for (std::size_t k = 0; k < side_count_; ++k) {
    const Side& side = horizon_[k];
    faces_[horizon_[side_from_[side.to]].inside].beyond[2] = side.inside;
    set_plane(faces_[side.inside]);
  }
  return true;
}

}  // namespace cairn
