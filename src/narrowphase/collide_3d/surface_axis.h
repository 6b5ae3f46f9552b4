// In which direction does a triangle of a surface hold a convex piece?
//
// Not every direction will do. A triangle is no body of its own but part of a surface, and only directions that
// point out of that surface count:
//
//   its face     the normal, always
//   an edge      the arc between the normals on both sides, if the surface turns away there: not at flat and
//                sunken edges, which no body can feel from outside. At an open edge the arc goes round to the
//                back; at the border of a height field, to the horizontal
//   a corner     the directions along which it is higher than all its neighbours
//
// Of these, the direction of greatest separation is the triangle's: a separating axis test whose axes are
// restricted to the Gauss image of the surface. It is the one idea against ghost collisions (compare the Voronoi regions
// of Gregorius, "Robust contact creation for physics simulations", GDC 2015, and Terdiman's active edges).
#pragma once

#include <optional>
#include <vector>

#include "geometry/core.h"
#include "geometry/gjk.h"
#include "narrowphase/collide_3d/facing.h"
#include "narrowphase/collide_3d/placement.h"
#include "narrowphase/collide_3d/surface_triangle.h"

namespace cairn {

// The convex piece, in the surface's frame.
class Probe {
 public:
  Probe(const Piece3& piece, const Pose3& pose);

  // A point of the piece that lies lowest along the unit vector n.
  Vec3 lowest_point(const Vec3& n) const {
    const CorePoint<Dim3> low = furthest(core, place.turned_in(-n), hint_);
    hint_ = low.id;
    return place.out(point_of(core, low)) - core.radius * n;
  }
  // [m] min n·(x − p) over the piece.
  double lowest_above(const Vec3& n, const Vec3& p) const { return dot(n, lowest_point(n) - p); }

  const Piece3& piece;
  Pose3 pose;
  Placement place;
  Core3 core;
  double size;       // [m]
  double reach;      // [m] that no point of it is further from its middle than
  double clip_size;  // [m] that the tolerance of clipping is a part of: the coordinates are rounded too
  Vec3 middle;       // [m] a point well inside

 private:
  mutable std::uint32_t hint_ = 0;  // where on a large hull the last search ended
};

enum class Bearing : std::uint8_t { face, edge, corner };

struct SurfaceAxis {
  Bearing bearing = Bearing::face;
  std::size_t part = 0;   // which edge or corner
  Vec3 normal{};          // unit, from the surface to the piece
  double separation = 0;  // [m] of the piece from that part along the normal
  // The place of deepest contact, if known.
  bool has_witness = false;
  Vec3 on_surface{};
};

// The axis of the triangle; nothing if the piece is further away than the margin, or behind the triangle and
// apart from it. (Of a triangle with only a face, further away from its plane will do, if the piece is not deep in it.) `spokes_of(corner)` lists the triangles around a corner.
template <class SpokesOf>
std::optional<SurfaceAxis> find_surface_axis(const SurfaceTriangle& t, const Probe& probe, bool one_sided,
                                             double margin, SpokesOf spokes_of);

// ------------------------------------------------------------------------------------------------- its parts

// Does n point out of the surface at a corner with these triangles around it?
bool is_in_cone(const Vec3& n, const std::vector<Spoke>& spokes, bool one_sided);
// Is n inside the arc of an edge? It must be at right angles to the edge.
bool is_in_arc(const Vec3& n, const SurfaceTriangle& t, std::size_t edge, bool one_sided);

// The best direction inside the arc of the edge for a piece that overlaps the triangle, if better than `best`.
void improve_by_edge(const SurfaceTriangle& t, std::size_t edge, const Probe& probe, bool one_sided,
                     double better_by, SurfaceAxis& best);
// The part of the triangle that bears the contact, as a feature to clip.
Facing facing_of(const SurfaceTriangle& t, const SurfaceAxis& axis);
// Is a point of that part opposite to one of the piece along the axis? The lines of two edges cross in every view, the edges
// themselves do not. (Of the best of all axes they always do; of the best of some, they may not.)
bool meet_along(const SurfaceTriangle& t, const SurfaceAxis& axis, const Probe& probe);
// Directions out of the piece's flat and round sides, for a corner inside it: appends them, with their separations.
struct CornerAxis {
  Vec3 normal;
  double separation;
};
void list_corner_axes(const Vec3& corner, const Probe& probe, std::vector<CornerAxis>& out);

struct TopPart {
  Bearing bearing;
  std::size_t part;
};
// Which part of the triangle lies furthest along n.
TopPart top_part(const SurfaceTriangle& t, const Vec3& n, double tolerance);

inline constexpr double k_better = 1e-9;  // of the size: by how much an edge or corner must beat a face

template <class SpokesOf>
std::optional<SurfaceAxis> find_surface_axis(const SurfaceTriangle& t, const Probe& probe, bool one_sided,
                                             double margin, SpokesOf spokes_of) {
  SurfaceAxis best{Bearing::face, 0, t.normal, probe.lowest_above(t.normal, t.corners[0])};
  if (best.separation > margin) return std::nullopt;
  if (probe.lowest_above(-t.normal, t.corners[0]) > 0) return std::nullopt;
  if (t.has_only_a_face(one_sided) && best.separation >= -margin) return best;

  // Apart, the nearest points give the direction.
  const Nearest<Dim3> gap = nearest(core_of_triangle(&t.corners), probe.core, probe.pose, t.normal);
  const double separation = gap.overlap ? 0 : gap.distance - probe.core.radius,
               better = k_better * probe.size;
  if (!gap.overlap && separation > margin) return std::nullopt;
  if (t.has_only_a_face(one_sided)) return best;
  if (!gap.overlap && gap.distance > better) {
    if (best.separation >= separation - better) return best;
    const auto [bearing, part] = top_part(t, gap.normal, better);
    if (bearing == Bearing::face) return best;
    const bool counts = bearing == Bearing::edge
                            ? is_in_arc(gap.normal, t, part, one_sided)
                            : t.bears[part] && is_in_cone(gap.normal, spokes_of(part), one_sided);
    if (counts) return SurfaceAxis{bearing, part, gap.normal, separation, true, gap.on_a};
    if (separation > 0 && dot(gap.normal, t.normal) <= 0) return std::nullopt;
  }

  for (std::size_t k = 0; k < 3; ++k) improve_by_edge(t, k, probe, one_sided, better, best);
  thread_local std::vector<CornerAxis> axes;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!t.bears[k]) continue;
    axes.clear();
    list_corner_axes(t.corners[k], probe, axes);
    for (const auto& [normal, separation] : axes) {
      if (separation <= best.separation + better) continue;
      const SurfaceAxis axis{Bearing::corner, k, normal, separation};
      if (is_in_cone(normal, spokes_of(k), one_sided) && meet_along(t, axis, probe)) best = axis;
    }
  }
  return best;
}

}  // namespace cairn
