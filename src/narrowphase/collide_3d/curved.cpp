// Apart, the nearest points by GJK give the direction; overlapping, EPA does. Both come close to directions
// in which a flat end or a face lies flat on the other piece, but seldom hit them; so the flat directions are
// tried as well, and those close by win unless they are worse. A cylinder that stands on a box then has
// exactly the box's normal. Should nothing lie flat along it after all, the caller asks again without them.
//
// EPA may also end in a direction that is best only in its neighbourhood, or fail where axes coincide. So
// where the pieces overlap all directions are tried in which such pieces typically part: along their axes,
// across them towards each other, across both of them, normal to faces and slanted sides, across an axis and
// an edge. The best one is refined in turn.
#include "narrowphase/collide_3d/curved.h"

#include "geometry/epa.h"
#include "geometry/gjk.h"
#include "geometry/line.h"
#include "geometry/refinement.h"
#include "narrowphase/collide_3d/polyhedra.h"

namespace cairn {
namespace {

class CurvedAxis {
 public:
  CurvedAxis(const Piece3& a, const Piece3& b, const AxisQuery& query, ContactAxis& out)
      : a_(a), b_(b), core_a_(core_of(a)), core_b_(core_of(b)), query_(query), out_(out) {}

  bool run(bool flat) {
    out_.has_witness = out_.is_final = true;
    const Vec3 guess =
        flat ? query_.guess : Vec3{};  // asked again, for exact points, from a start of its own
    Nearest<Dim3> found = nearest(core_a_, core_b_, query_.pose, guess);
    if (found.overlap && !(guess == Vec3{})) {  // touching pieces may seem to overlap from a bad start
      const Nearest<Dim3> again = nearest(core_a_, core_b_, query_.pose, {});
      if (!again.overlap) found = again;
    }
    if (!found.overlap) take_nearest(found);
    // Where axes coincide GJK may take an overlap for a touch; the separation tells.
    if (found.overlap || out_.separation + core_a_.radius + core_b_.radius < -k_apart * query_.size) {
      const Penetration<Dim3> deep = penetration(core_a_, core_b_, query_.pose, found);
      take(deep.normal, deep.on_a);
      try_typical_directions(found.normal);
    }
    if (out_.separation > query_.margin) return false;
    if (flat) try_flat_directions();
    if (!flat) out_.is_final = true;
    return out_.separation <= query_.margin;
  }

 private:
  double separation(const Vec3& n) const {
    return separation_along(core_a_, core_b_, query_.pose, n) - core_a_.radius - core_b_.radius;
  }
  void take(const Vec3& normal, const Vec3& on_core_a) {
    out_.normal = normal;
    out_.separation = separation(normal);
    out_.on_a = on_core_a + core_a_.radius * normal;
  }
  // The nearest points are exact only to second order, and so is the direction: where the one that joins the
  // points is as good as the other, it is the one they are opposite to each other along.
  void take_nearest(const Nearest<Dim3>& found) {
    take(found.normal, found.on_a);
    const Direction<Vec3> joining = direction_of(found.on_b - found.on_a);
    if (joining.length < 1e-6 * query_.size) return;
    if (separation(joining.unit) >= out_.separation - 1e-11 * query_.size) take(joining.unit, found.on_a);
  }
  // Takes n, of which only the direction is known, if it is better than what there is by `by`.
  void try_direction(const Vec3& n, double by) {
    const double s = separation(n);
    if (s < out_.separation + by) return;
    out_.normal = n;
    out_.separation = s;
    out_.has_witness = out_.is_final = false;
  }

  // ------------------------------------------------------------------------------- flat directions close by

  void try_flat(const Vec3& n) {
    constexpr double k_close = 0.99;  // cosine of 8°
    if (dot(n, out_.normal) > k_close) try_direction(n, -k_no_better * query_.size);
  }
  void try_flat_directions() {
    for_each_flat(a_, [&](const Vec3& n) { try_flat(n); });
    for_each_flat(b_, [&](const Vec3& n) { try_flat(-query_.place.turned_out(n)); });
  }
  // f(normal) for all flat faces of a piece, in its own frame.
  template <class F>
  static void for_each_flat(const Piece3& piece, F f) {
    if (std::holds_alternative<const Box3*>(piece)) {
      for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) f(n), f(-n);
    } else if (const auto* hull = std::get_if<const Polyhedron*>(&piece)) {
      for (const FacePlane& plane : (*hull)->planes) f(plane.normal);
    } else if (std::holds_alternative<const Cylinder*>(piece)) {
      f({0, 0, 1});
      f({0, 0, -1});
    } else if (std::holds_alternative<const Cone*>(piece)) {
      f({0, 0, -1});
    }
  }

  // ---------------------------------------------------------------------------------- anywhere else

  void try_both(const Vec3& n) {
    try_direction(n, k_no_better * query_.size);
    try_direction(-n, k_no_better * query_.size);
  }
  static bool is_round(const Piece3& piece) {
    return std::holds_alternative<const Cylinder*>(piece) || std::holds_alternative<const Cone*>(piece) ||
           std::holds_alternative<const Capsule3*>(piece);
  }
  // Across the axis z, towards the other piece; any direction across if that is on the axis.
  static Vec3 across(const Vec3& z, const Vec3& offset) {
    const Direction<Vec3> side = direction_of(offset - dot(offset, z) * z);
    return side.length > 1e-12 * length(offset) ? side.unit : perpendicular(z);
  }
  // Normals of the slanted side of a cone with this axis, towards u and away from it.
  void try_slant(const Piece3& piece, const Vec3& z, const Vec3& u) {
    const auto* cone = std::get_if<const Cone*>(&piece);
    if (!cone) return;
    const double height = 2 * (*cone)->half_height, radius = (*cone)->radius;
    try_both(normalized(height * u + radius * z));
    try_both(normalized(height * -u + radius * z));
  }
  // Normals of the slanted side that are at right angles to an edge: u·e = −(radius/height) z·e, u across z.
  void try_slant_across(const Piece3& piece, const Vec3& z, const Vec3& e) {
    const auto* cone = std::get_if<const Cone*>(&piece);
    if (!cone) return;
    const double height = 2 * (*cone)->half_height, radius = (*cone)->radius, rise = dot(e, z);
    const Vec3 flat = e - rise * z;
    const double run = length_squared(flat), wanted = -radius / height * rise;
    if (!(run > wanted * wanted)) return;
    const Vec3 along = (wanted / run) * flat,
               beside = (square_root(run - wanted * wanted) / run) * cross(z, flat);
    try_both(normalized(height * (along + beside) + radius * z));
    try_both(normalized(height * (along - beside) + radius * z));
  }
  // Across the axis z of a round piece, or its slanted side, and each edge of the other.
  void try_edges(const Piece3& piece, const Vec3& z, const Piece3& other, const Placement& place) {
    constexpr std::size_t k_many = 64;
    const auto try_edge = [&](const Vec3& along) {
      const Vec3 e = place.turned_out(along), n = cross(z, e);
      try_slant_across(piece, z, e);
      if (length_squared(n) > 1e-20 * length_squared(along)) try_both(normalized(n));
    };
    if (std::holds_alternative<const Box3*>(other))
      for (const Vec3& e : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) try_edge(e);
    if (const auto* hull = std::get_if<const Polyhedron*>(&other); hull && (*hull)->edges.size() <= k_many)
      for (const Polyhedron::Edge& e : (*hull)->edges)
        try_edge((*hull)->vertices[e.vertices[1]] - (*hull)->vertices[e.vertices[0]]);
  }

  void try_typical_directions(const Vec3& guess) {
    const Placement here{Pose3{}};
    const Vec3 z_a{0, 0, 1}, z_b = query_.place.axes.c2;
    const Vec3 offset = query_.place.out(core_b_.middle) - core_a_.middle;
    const double before = out_.separation;
    try_refined(guess);
    if (length_squared(offset) > 0) try_refined(normalized(offset));
    if (is_round(a_)) {
      const Vec3 u = across(z_a, offset);
      try_both(z_a);
      try_both(u);
      try_slant(a_, z_a, u);
      try_edges(a_, z_a, b_, query_.place);
    }
    if (is_round(b_)) {
      const Vec3 u = across(z_b, offset);
      try_both(z_b);
      try_both(u);
      try_slant(b_, z_b, u);
      try_edges(b_, z_b, a_, here);
    }
    if (is_round(a_) && is_round(b_)) {
      const Vec3 both = cross(z_a, z_b);
      if (length_squared(both) > 1e-20) try_both(normalized(both));
      try_both(across(z_a, z_b));
      try_both(across(z_b, z_a));
      try_slant_across(a_, z_a, z_b);
      try_slant_across(b_, z_b, z_a);
    }
    for_each_flat(a_, [&](const Vec3& n) { try_both(n); });
    for_each_flat(b_, [&](const Vec3& n) { try_both(query_.place.turned_out(n)); });
    if (out_.separation > before) try_refined(out_.normal);
  }
  // The best direction that Newton steps from n lead to.
  void try_refined(const Vec3& n) {
    const Difference<Dim3> difference(core_a_, core_b_, query_.pose);
    const Simplex<Dim3> known{{difference.lowest(n)}, {1}, 1};
    const Refined<Dim3> refined = refine<Dim3>(difference, known, n, Goal::depth);
    try_direction(refined.normal, k_no_better * query_.size);
  }

  const Piece3 &a_, &b_;
  const Core3 core_a_, core_b_;
  const AxisQuery& query_;
  ContactAxis& out_;
};

}  // namespace

bool find_curved_axis(const Piece3& a, const Piece3& b, const AxisQuery& query, bool flat, ContactAxis& out) {
  return CurvedAxis(a, b, query, out).run(flat);
}

}  // namespace cairn
