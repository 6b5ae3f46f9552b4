#include "geometry/inner_piece.h"

#include "base/assert.h"
#include "geometry/extent.h"

namespace cairn {
namespace {

constexpr double k_inset = 0.5;    // of the inner radius
constexpr double k_shrunk = 0.75;  // of hulls

template <class V>
V mean(const std::vector<V>& points) {
  V sum{};
  for (const V& p : points) sum += p;
  return sum / double(points.size());
}
template <class V>
std::vector<V> shrunk(const std::vector<V>& points) {
  const V middle = mean(points);
  std::vector<V> inner;
  for (const V& p : points) inner.push_back(middle + k_shrunk * (p - middle));
  return inner;
}

using Inner2 = std::variant<std::monostate, Circle, Box2, Capsule2, ConvexPolygon>;
Inner2 inside(const Circle& s, double by, Pose2&) { return Circle{.radius = s.radius - by}; }
Inner2 inside(const Box2& s, double by, Pose2&) { return Box2{.half = s.half - Vec2{by, by}}; }
Inner2 inside(const Capsule2& s, double by, Pose2&) {
  return Capsule2{.radius = s.radius - by, .half_length = s.half_length};
}
Inner2 inside(const ConvexPolygon& s, double, Pose2&) { return ConvexPolygon{shrunk(s.points), s.normals}; }
template <class S>
Inner2 inside(const S&, double, Pose2&) {
  return {};
}

using Inner3 = std::variant<std::monostate, Sphere, Box3, Capsule3, Cylinder, Cone, Polyhedron>;
Inner3 inside(const Sphere& s, double by, Pose3&) { return Sphere{.radius = s.radius - by}; }
Inner3 inside(const Box3& s, double by, Pose3&) { return Box3{.half = s.half - Vec3{by, by, by}}; }
Inner3 inside(const Capsule3& s, double by, Pose3&) {
  return Capsule3{.radius = s.radius - by, .half_length = s.half_length};
}
Inner3 inside(const Cylinder& s, double by, Pose3&) {
  return Cylinder{.radius = s.radius - by, .half_height = s.half_height - by};
}
Inner3 inside(const Cone& s, double by,
              Pose3& pose) {  // towards the middle of the ball inside, which touches the base
  pose.position = (1 - k_shrunk) * Vec3{0, 0, by / k_inset - s.half_height};
  return Cone{.radius = k_shrunk * s.radius, .half_height = k_shrunk * s.half_height};
}
Inner3 inside(const Polyhedron& s, double, Pose3&) {  // as much of it as distances and bounds read
  Polyhedron inner;
  inner.vertices = shrunk(s.vertices);
  inner.neighbour_begin = s.neighbour_begin;
  inner.neighbours = s.neighbours;
  return inner;
}
template <class S>
Inner3 inside(const S&, double, Pose3&) {
  return {};
}

// The ball in the middle; `by` as above.
double middle_of(const ConvexPolygon& s, double, Vec2& middle) {
  middle = mean(s.points);
  double room = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < s.points.size(); ++i)
    room = smaller(room, dot(s.normals[i], s.points[i] - middle));
  return (1 - k_inset) * room;
}
double middle_of(const Cone& s, double by, Vec3& middle) {
  middle = {0, 0, by / k_inset - s.half_height};
  return by;
}
double middle_of(const Polyhedron& s, double, Vec3& middle) {
  middle = mean(s.vertices);
  double room = std::numeric_limits<double>::infinity();
  for (const FacePlane& plane : s.planes) room = smaller(room, -plane.distance(middle));
  return (1 - k_inset) * room;
}
template <class S, class V>
double middle_of(const S&, double by, V&) {
  return by;
}

template <class P, class Inner>
P piece_of(const Inner& shape) {
  return std::visit(
      [](const auto& s) -> P {
        if constexpr (std::is_same_v<std::decay_t<decltype(s)>, std::monostate>) {
          CAIRN_ASSERT(false);
          return {};
        } else {
          return &s;
        }
      },
      shape);
}

// Into `shape` and `pose`: the piece made smaller, or a ball in the middle of that; nothing if it has no inside.
template <class Ball, class Piece, class Inner, class Pose>
void fill(const Piece& piece, Inside which, Inner& shape, Pose& pose) {
  const double by = k_inset * inner_radius(piece);
  std::visit(
      [&](const auto* s) {
        shape = inside(*s, by, pose);
        if (which == Inside::inset || std::holds_alternative<std::monostate>(shape)) return;
        pose = {};
        shape = Ball{.radius = middle_of(*s, by, pose.position)};
      },
      piece);
}

}  // namespace

InnerPiece2::InnerPiece2(const Piece2& piece, Inside which) { fill<Circle>(piece, which, shape_, pose); }
Piece2 InnerPiece2::piece() const { return piece_of<Piece2>(shape_); }

InnerPiece3::InnerPiece3(const Piece3& piece, Inside which) { fill<Sphere>(piece, which, shape_, pose); }
Piece3 InnerPiece3::piece() const { return piece_of<Piece3>(shape_); }

}  // namespace cairn
