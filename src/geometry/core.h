// A convex piece as a sharp core and a radius around it: what distances, penetrations and times of impact work on.
//
//   Sphere, Circle             a point            radius r
//   Capsule, Segment           a segment          radius r, 0
//   Box                        a box              0
//   hulls, polygons, triangle  their vertices     0
//   Cylinder                   two discs          0
//   Cone                       a disc and a point 0
//
// Every core is the convex hull of numbered generators: points, and discs about the z axis of a cylinder or cone.
// The distance of two pieces is that of their cores less both radii, and the direction of the shortest way to part
// them is that of their cores: a radius never enters the search.
//
// A core points at its piece, which must outlive it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "geometry/piece.h"

namespace cairn {

enum class CoreKind : std::uint8_t { point, segment, box, vertices, cylinder, cone };

template <class D>
struct HullOf;
template <>
struct HullOf<Dim2> {
  using type = ConvexPolygon;
};
template <>
struct HullOf<Dim3> {
  using type = Polyhedron;
};

template <class D>
struct Core {
  using Vec = typename D::Vec;

  CoreKind kind = CoreKind::point;
  double radius = 0;  // [m] around the core
  // A point of the core, in the piece's frame. All others are computed relative to it, which keeps their digits
  // where the piece is far from the origin of its frame.
  Vec middle{};
  Vec extent{};  // [m] of a segment, from middle to its other end; of a box, half its edges;
                 // of a cylinder or cone {radius, radius, half height}
  std::span<const Vec> vertices{};                 // of the kind `vertices`
  const typename HullOf<D>::type* hull = nullptr;  // whose vertices they are; none for a triangle

  bool is_curved() const { return kind == CoreKind::cylinder || kind == CoreKind::cone; }
};
using Core2 = Core<Dim2>;
using Core3 = Core<Dim3>;

// Of a piece that is_convex().
Core2 core_of(const Piece2& piece);
Core3 core_of(const Piece3& piece);
Core3 core_of_triangle(const std::array<Vec3, 3>* corners);
Core2 core_of_segment(const Vec2& a, const Vec2& b);

// A point of a core and the number of the generator it lies on:
//   segment    0 at its middle, 1 at its other end
//   box        bit k is set where coordinate k is positive
//   vertices   the index
//   cylinder   0 the lower disc, 1 the upper one
//   cone       0 the base, 1 the apex
template <class D>
struct CorePoint {
  typename D::Vec from_middle{};  // [m] the point less core.middle
  std::uint32_t id = 0;
};

// A point of the core that lies furthest along `direction`, which may have any length; any point for the zero
// vector. `hint` is the number of a vertex to climb from on large hulls, such as the last answer; it costs nothing
// where it is wrong.
CorePoint<Dim2> furthest(const Core2& core, const Vec2& direction, std::uint32_t hint = 0);
CorePoint<Dim3> furthest(const Core3& core, const Vec3& direction, std::uint32_t hint = 0);

// The same in the piece's frame.
template <class D>
typename D::Vec point_of(const Core<D>& core, const CorePoint<D>& p) {
  return core.kind == CoreKind::vertices ? core.vertices[p.id] : core.middle + p.from_middle;
}
template <class D>
typename D::Vec support(const Core<D>& core, const typename D::Vec& direction, std::uint32_t& id) {
  const CorePoint<D> p = furthest(core, direction, id);
  id = p.id;
  return point_of(core, p);
}

}  // namespace cairn
