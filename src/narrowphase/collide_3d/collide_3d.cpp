// The narrow phase of space: axis, then patch.
//
//   pieces ──► the direction of greatest separation (axis.h) ──► the patch along it (patch.h) ──► manifold
//
// A direction remembered from the last call that still separates the pieces by more than the margin ends the
// search at once.
#include "geometry/gjk.h"
#include "narrowphase/collide.h"
#include "narrowphase/collide_3d/axis.h"
#include "narrowphase/collide_3d/curved.h"
#include "narrowphase/collide_3d/polyhedra.h"
#include "narrowphase/collide_3d/surface.h"

namespace cairn {
namespace {

template <class S>
constexpr bool k_is_bounded =
    !std::is_same_v<S, Plane> && !std::is_same_v<S, TriangleMesh> && !std::is_same_v<S, HeightGrid>;

// The same, seen from the other piece.
AxisQuery flipped(const AxisQuery& query) {
  const Pose3 pose = inverse(query.pose);
  return {pose, Placement(pose), query.margin, query.size, -query.place.turned_in(query.guess)};
}
void flip(const Placement& b_in_a, ContactAxis& axis) {  // from b's frame into a's
  axis.on_a = b_in_a.out(axis.on_a + axis.separation * axis.normal);
  axis.normal = -b_in_a.turned_out(axis.normal);
}

// By the routine of the two kinds, in the order in which there is one; by the general one for all others.
template <class A, class B>
bool find_axis_of(const A& a, const B& b, const AxisQuery& query, ContactAxis& out) {
  if constexpr (requires { find_axis(a, b, query, out); }) {
    return find_axis(a, b, query, out);
  } else if constexpr (requires { find_axis(b, a, query, out); }) {
    const bool near = find_axis(b, a, flipped(query), out);
    flip(query.place, out);
    return near;
  } else {
    return find_curved_axis(Piece3(&a), Piece3(&b), query, true, out);
  }
}
bool find_axis_of(const Piece3& a, const Piece3& b, const AxisQuery& query, ContactAxis& out) {
  return std::visit(
      [&]<class A, class B>(const A* pa, const B* pb) {
        if constexpr (k_is_bounded<A> && k_is_bounded<B>)
          return find_axis_of(*pa, *pb, query, out);
        else
          return false;
      },
      a, b);
}

bool is_sphere(const Piece3& piece) { return std::holds_alternative<const Sphere*>(piece); }

// A ball has one point of contact, which keeps its name wherever it rolls.
void add_single_point(const ContactAxis& axis, ManifoldList<Dim3>& out) {
  Manifold<Dim3> manifold;
  manifold.normal = axis.normal;
  manifold.count = 1;
  manifold.points[0] = {axis.on_a, axis.separation, {}};
  out.push_back(manifold);
}

// The axis of the nearest points, where the pieces are apart; false if by more than the margin.
bool use_nearest_points(const Core3& a, const Core3& b, const AxisQuery& query, ContactAxis& axis) {
  const Nearest<Dim3> found = nearest(a, b, query.pose, axis.normal);
  if (found.overlap) return true;
  const double separation = separation_along(a, b, query.pose, found.normal) - a.radius - b.radius;
  // As good as the other to round-off, it is the better one: the points are opposite to each other along it.
  if (separation >= axis.separation - query.size * k_apart) {
    axis.separation = separation;
    axis.normal = found.normal;
  }
  axis.on_a = found.on_a + a.radius * axis.normal;
  axis.has_witness = true;
  return axis.separation <= query.margin;
}

// Cores may overlap by so little that directions far from each other part them equally well, to round-off, and then what
// faces the axis found need not meet. But nearest points always face each other: those of a and of b shifted by h along
// the axis m. With s(n) the separation along n, their direction n is at least as good as m,
//
//   s(n) + h n·m ≥ s(m) + h   ⇒   s(n) ≥ s(m)
//
// From there once more, until it stays; the points are then opposite to each other without the shift as well. The shorter
// the shift, the further n turns, and the fewer digits it has.
void use_shifted_points(const Core3& a, const Core3& b, const AxisQuery& query, ContactAxis& axis) {
  for (const double gap : {1e-4, 1e-5, 1e-6, 1e-7, 1e-7, 1e-8, 1e-8}) {
    const double shift = gap * query.size - (axis.separation + a.radius + b.radius);
    Pose3 shifted = query.pose;
    shifted.position += shift * axis.normal;
    const Nearest<Dim3> found = nearest(a, b, shifted, axis.normal);
    if (found.overlap) return;
    const double separation = separation_along(a, b, query.pose, found.normal) - a.radius - b.radius;
    if (separation < axis.separation - query.size * k_apart) return;
    const double moved = shift * length(found.normal - axis.normal);
    axis.separation = separation;
    axis.normal = found.normal;
    axis.on_a = found.on_a + a.radius * axis.normal;
    axis.has_witness = moved <= query.size * k_apart;
    if (axis.has_witness) return;
  }
}

// Of a pair that was near in the last call; another is looked at as if for the first time, but for a plane that parts it.
// Otherwise results would depend on how long a pair is watched before it meets, which is the broad phase's affair.
constexpr std::uint32_t k_near = 1;

void collide_convex(const Piece3& a, const Piece3& b, const Pose3& b_in_a, double margin,
                    PairCache<Dim3>& cache, ManifoldList<Dim3>& out) {
  const Vec3 guess = cache.kind == k_near ? cache.axis : Vec3{};
  cache.kind = 0;
  cache.gap = 0;
  ContactAxis axis;
  if (is_sphere(a) || is_sphere(b)) {
    if (find_axis_of(a, b, {b_in_a, Placement(b_in_a), margin, 0, guess}, axis)) {
      add_single_point(axis, out);
      cache.kind = k_near;
    }
    cache.axis = axis.normal;
    cache.gap = axis.separation;
    return;
  }
  const Core3 core_a = core_of(a), core_b = core_of(b);
  const double radius = core_a.radius + core_b.radius;
  const auto gap_along = [&](const Vec3& n) { return separation_along(core_a, core_b, b_in_a, n) - radius; };
  if (!(cache.axis == Vec3{})) {
    cache.gap = gap_along(cache.axis);
    if (cache.gap > margin) return;
  }
  const AxisQuery query{b_in_a, Placement(b_in_a), margin, size_of(a) + size_of(b), guess};
  const bool near = find_axis_of(a, b, query, axis);
  cache.axis = axis.normal;
  if (!near) {
    cache.gap = gap_along(axis.normal);
    return;
  }
  Manifold<Dim3> manifold;
  if (!make_patch(a, b, b_in_a, axis, margin, query.size, manifold)) {
    bool still_near = true;
    if (core_a.is_curved() || core_b.is_curved())
      still_near = find_curved_axis(a, b, query, false, axis);
    else if (axis.separation + radius > 0)
      still_near = use_nearest_points(core_a, core_b, query, axis);
    else
      use_shifted_points(core_a, core_b, query, axis);
    cache.axis = axis.normal;
    if (!still_near) {
      cache.gap = gap_along(axis.normal);
      return;
    }
    axis.is_final = true;
    make_patch(a, b, b_in_a, axis, margin, query.size, manifold);
  }
  cache.kind = k_near;
  out.push_back(manifold);
}

// A plane and a convex piece: the plane's normal is the axis, whatever the piece.
void collide_plane(const Plane& plane, const Placement& plane_place, const Piece3& a, const Piece3& b,
                   const Pose3& b_in_a, bool plane_is_a, double margin, PairCache<Dim3>& cache,
                   ManifoldList<Dim3>& out) {
  const Vec3 up = plane_place.turned_out(plane.normal);
  const Core3 core = core_of(plane_is_a ? b : a);
  const Placement place = plane_is_a ? Placement(b_in_a) : Placement(Pose3{});
  std::uint32_t id = 0;
  const Vec3 lowest = place.out(support(core, -place.turned_in(up), id));
  const double height = dot(up, lowest - plane_place.position) - plane.offset - core.radius;
  cache.gap = height;
  if (height > margin) return;
  ContactAxis axis;
  axis.normal = plane_is_a ? up : -up;
  axis.separation = height;
  const Vec3 on_piece = lowest - core.radius * up;
  axis.on_a = plane_is_a ? on_piece - height * up : on_piece;
  axis.has_witness = axis.is_final = true;
  cache.axis = axis.normal;
  if (core.kind == CoreKind::point) return add_single_point(axis, out);
  Manifold<Dim3> manifold;
  make_patch(a, b, b_in_a, axis, margin, size_of(plane_is_a ? b : a), manifold);
  out.push_back(manifold);
}

// Into the frame of the other piece, with the normals turned round. `to_other` is the pose of the frame they
// are in.
void flip(const Pose3& to_other, ManifoldList<Dim3>& manifolds) {
  const Placement place(to_other);
  for (Manifold<Dim3>& m : manifolds) {
    for (ManifoldPoint<Dim3>& p : std::span(m.points).first(std::size_t(m.count))) {
      p.point = place.out(p.point + p.separation * m.normal);
      p.features = {p.features.b, p.features.a};
    }
    m.normal = -place.turned_out(m.normal);
  }
}

// Meshes and height fields, the surface first.
bool collide_surface(const Piece3& surface, const Piece3& convex, const Pose3& pose, double margin,
                     PairCache<Dim3>& cache, ManifoldList<Dim3>& out) {
  if (const auto* mesh = std::get_if<const TriangleMesh*>(&surface))
    return collide_mesh(**mesh, convex, pose, margin, cache, out), true;
  if (const auto* grid = std::get_if<const HeightGrid*>(&surface))
    return collide_height(**grid, convex, pose, margin, cache, out), true;
  return false;
}

}  // namespace

void collide(const Piece3& a, const Piece3& b, const Pose3& b_in_a, double margin, PairCache<Dim3>& cache,
             ManifoldList<Dim3>& out) {
  out.clear();
  const bool convex_a = is_convex(a), convex_b = is_convex(b);
  if (convex_a && convex_b) return collide_convex(a, b, b_in_a, margin, cache, out);
  if (!convex_a && !convex_b) return;
  if (const auto* plane = std::get_if<const Plane*>(convex_a ? &b : &a))
    return collide_plane(**plane, Placement(convex_a ? b_in_a : Pose3{}), a, b, b_in_a, convex_b, margin,
                         cache, out);
  if (convex_b) {
    collide_surface(a, b, b_in_a, margin, cache, out);
  } else if (collide_surface(b, a, inverse(b_in_a), margin, cache, out)) {
    flip(b_in_a, out);
  }
}

}  // namespace cairn
