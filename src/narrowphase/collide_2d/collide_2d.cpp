// Any two pieces of the plane: which routine.
//
//   circle – circle                          the line of centres (Lund §3.1.3)
//   circle – capsule, segment, box, polygon  Voronoi regions, the centre inside too (Lund §3.1.2)
//   all other convex pairs                   separating axes and closest corners, then clipping (Lund §3.1.1): axis.h,
//                                            patch.h. A capsule is a polygon of two corners with a radius: eight dot
//                                            products for a pair of them, 32 for a pair of boxes
//   convex – chain                           chain_contact.h
#include "narrowphase/collide.h"

#include "geometry/direction.h"
#include "narrowphase/collide_2d/axis.h"
#include "narrowphase/collide_2d/chain_contact.h"
#include "narrowphase/collide_2d/patch.h"

namespace cairn {
namespace {

using namespace planar;
using Manifold2 = Manifold<Dim2>;
using Cache2 = PairCache<Dim2>;
using Out = ManifoldList<Dim2>;

constexpr std::uint32_t k_separated =
    1;  // Cache2::kind: the axis separated the pieces by more than the margin

void remember_separated(Cache2& cache, const Vec2& n, double gap) { cache = {n, k_separated, 0, 0, gap}; }
void remember_touching(Cache2& cache, const Vec2& n, double gap = 0) { cache = {n, 0, 0, 0, gap}; }

void report(const Vec2& n, const ManifoldPoint<Dim2>& point, Out& out) {
  Manifold2 manifold;
  manifold.normal = n;
  manifold.count = 1;
  manifold.points[0] = point;
  out.push_back(manifold);
}

// n = (c_b − c_a)/|c_b − c_a| and separation |c_b − c_a| − r_a − r_b. Concentric: any direction is as good.
void collide_circles(double radius_a, double radius_b, const Vec2& b_center, double margin, Cache2& cache,
                     Out& out) {
  const auto [unit, distance] = direction_of(b_center);
  const Vec2 n = distance > 0 ? unit : Vec2{0, 1};
  const double separation = distance - radius_a - radius_b;
  remember_touching(cache, n, separation);
  if (separation <= margin) report(n, {radius_a * n, separation, {}}, out);
}

std::uint32_t name_of_nearest(const PointAxis& axis) {
  return axis.corner >= 0 ? feature(FeatureKind::vertex, std::size_t(axis.corner))
                          : feature(FeatureKind::edge, std::size_t(axis.edge));
}

// Worked out in the frame of the outline; a or b is the circle.
void collide_circle_with(const Outline& outline, bool circle_is_b, double radius, const Pose2& b_in_a,
                         double margin, Cache2& cache, Out& out) {
  // The circle's centre in the outline's frame: a circle looks the same from every side.
  const Vec2 center = circle_is_b ? b_in_a.position : inverse(b_in_a).position;
  const PointAxis axis = best_axis(outline, center);
  const double separation = axis.separation - outline.radius - radius;
  const std::uint32_t round = feature(FeatureKind::surface, 0), nearest = name_of_nearest(axis);
  if (circle_is_b) {
    remember_touching(cache, axis.normal, separation);
    if (!(separation <= margin)) return;
    report(axis.normal,
           {center - (axis.separation - outline.radius) * axis.normal, separation, {nearest, round}}, out);
  } else {
    const Vec2 n = -(b_in_a.rotation * axis.normal);
    remember_touching(cache, n, separation);
    if (!(separation <= margin)) return;
    report(n, {radius * n, separation, {round, nearest}}, out);
  }
}

// The side of a piece that faces the other one, by what is known of it from the axis.
Side side_of(const Outline& outline, const Pose2& pose, int edge, int corner, const Vec2& outward) {
  if (edge >= 0) return edge_side(outline, pose, edge);
  return corner >= 0 ? side_at_corner(outline, pose, corner, outward) : facing_side(outline, pose, outward);
}

void collide_outlines(const Outline& a, const Outline& b, const Pose2& b_in_a, double margin, Cache2& cache,
                      Out& out) {
  const OutlinePair pair(a, b, b_in_a);
  const double limit = margin + a.radius + b.radius;
  const double radius = a.radius + b.radius;
  if (cache.kind == k_separated) {
    const double separation = separation_of_cores(pair, cache.axis);
    cache.gap = separation - radius;
    if (separation > limit) return;
  }
  const Axis axis = best_axis(pair, limit);
  if (!(axis.separation <= limit)) return remember_separated(cache, axis.normal, axis.separation - radius);
  remember_touching(cache, axis.normal);
  Manifold2 manifold =
      patch_between(side_of(a, {}, axis.a_edge, axis.a_corner, axis.normal),
                    side_of(b, b_in_a, axis.b_edge, axis.b_corner, -axis.normal), axis.normal, margin)
          .manifold;
  manifold.points[0].separation =
      smaller(manifold.points[0].separation, margin);  // but for round-off it is less
  out.push_back(manifold);
}

// From the frame of the piece, with the normal from the chain: into the frame of a, with the normal from a.
void turn_chain_manifold(Manifold2& manifold, bool chain_is_a, const Pose2& piece_in_chain) {
  for (int i = 0; i < manifold.count; ++i) {
    ManifoldPoint<Dim2>& p = manifold.points[i];
    if (chain_is_a)
      p.point = to_world(piece_in_chain, p.point);
    else
      p = {p.point + p.separation * manifold.normal, p.separation, {p.features.b, p.features.a}};
  }
  manifold.normal = chain_is_a ? piece_in_chain.rotation * manifold.normal : -manifold.normal;
}

void collide_with_chain(const PolyLine& chain, const Piece2& piece, bool chain_is_a,
                        const Pose2& piece_in_chain, double margin, Cache2& cache, Out& out) {
  OutlineStore store;
  const Outline outline = outline_of(piece, store);
  if (outline.count == 0) return;  // two chains
  Bounds2 box = bounds(piece, piece_in_chain);
  const double reach = margin + 1e-9 * largest_component(box.hi - box.lo);
  box = {box.lo - Vec2{reach, reach}, box.hi + Vec2{reach, reach}};
  collide_chain(chain, box, outline, piece_in_chain, margin, out);
  for (Manifold2& manifold : out) turn_chain_manifold(manifold, chain_is_a, piece_in_chain);
  if (!out.empty()) remember_touching(cache, out[0].normal);
}

}  // namespace

void collide(const Piece2& a, const Piece2& b, const Pose2& b_in_a, double margin, PairCache<Dim2>& cache,
             ManifoldList<Dim2>& out) {
  out.clear();
  if (const auto* chain = std::get_if<const PolyLine*>(&a))
    return collide_with_chain(**chain, b, true, b_in_a, margin, cache, out);
  if (const auto* chain = std::get_if<const PolyLine*>(&b))
    return collide_with_chain(**chain, a, false, inverse(b_in_a), margin, cache, out);
  OutlineStore a_store, b_store;
  const Outline outline_a = outline_of(a, a_store), outline_b = outline_of(b, b_store);
  if (outline_a.count == 1 && outline_b.count == 1)
    collide_circles(outline_a.radius, outline_b.radius, b_in_a.position, margin, cache, out);
  else if (outline_b.count == 1)
    collide_circle_with(outline_a, true, outline_b.radius, b_in_a, margin, cache, out);
  else if (outline_a.count == 1)
    collide_circle_with(outline_b, false, outline_a.radius, b_in_a, margin, cache, out);
  else
    collide_outlines(outline_a, outline_b, b_in_a, margin, cache, out);
}

}  // namespace cairn
