// Separating axes of polyhedra (Gottschalk, Lin and Manocha 1996; Gregorius, GDC 2013).
//
// Where two polyhedra overlap, the direction of the shortest shift that parts them is normal to a face of
// one, or to an edge of each. Faces: the other's support point against the normal. Edges: only pairs that
// make a face of the Minkowski difference count, which is where the arcs that the edges make on the sphere of
// normals cross. With N₀, N₁ the normals of the faces left and right of an edge e of a, and M₀, M₁, f of one
// of b,
//
//   (M₀·e)(M₁·e) < 0,  (N₀·f)(N₁·f) < 0  and  (M₀·e)(N₁·f) < 0
//
// Of large hulls most edges are left out before that. For c a point of b, every n has min over b of n·x ≤
// n·c, so that an edge of a can beat a depth d so far only with normals n that have a's support less than d
// above c: it takes a face beside the edge whose plane is less than d above c. Likewise for b's edges if c is
// a point of a too, or nearly.
//
// A segment has no face, and its edge's arc is the whole circle around it.
//
// Where they are apart no list of axes is complete: two corners may be nearest. Then the best face is only a
// candidate, which make_patch confirms or not.
#include "narrowphase/collide_3d/polyhedra.h"

#include "geometry/gjk.h"
#include "geometry/line.h"

namespace cairn {
namespace {

using Edge = Polyhedron::Edge;

// ---------------------------------------------------------------------------------- views

// Corners as facing.cpp numbers them.
struct BoxAsPolyhedron {
  std::array<Vec3, 8> vertices;
  std::array<FacePlane, 6> planes;
  static constexpr std::array<Edge, 12> k_edges = [] {
    std::array<Edge, 12> edges{};
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::uint32_t i = (axis + 1) % 3, j = (axis + 2) % 3;
      for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t si = k & 1, sj = k >> 1, from = si << i | sj << j;
        // With both signs positive the face of i has the edge upwards, seen from outside, and that of j has
        // it downwards.
        const std::uint32_t face_i = 2 * i + si, face_j = 2 * j + sj;
        const bool i_first = si == sj;
        edges[4 * axis + k] = {{from, from | 1u << axis},
                               {i_first ? face_i : face_j, i_first ? face_j : face_i}};
      }
    }
    return edges;
  }();

  explicit BoxAsPolyhedron(const Box3& box) {
    const Vec3& h = box.half;
    for (std::size_t k = 0; k < 8; ++k)
      vertices[k] = {k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z};
    planes = {FacePlane{{-1, 0, 0}, h.x}, {{1, 0, 0}, h.x},  {{0, -1, 0}, h.y},
              {{0, 1, 0}, h.y},           {{0, 0, -1}, h.z}, {{0, 0, 1}, h.z}};
  }
  PolyhedronView view(const Box3& box) const { return {core_of(Piece3(&box)), vertices, planes, k_edges}; }
};
struct SegmentAsPolyhedron {
  std::array<Vec3, 2> vertices;
  static constexpr std::array<Edge, 1> k_edges = {Edge{{0, 1}, {0, 0}}};

  explicit SegmentAsPolyhedron(const Capsule3& c)
      : vertices{Vec3{0, 0, -c.half_length}, {0, 0, c.half_length}} {}
  PolyhedronView view(const Capsule3& c) const { return {core_of(Piece3(&c)), vertices, {}, k_edges}; }
};
PolyhedronView view_of(const Polyhedron& hull) {
  return {core_of(Piece3(&hull)), hull.vertices, hull.planes, hull.edges};
}

// ---------------------------------------------------------------------------------- search

class AxisSearch {
 public:
  AxisSearch(const PolyhedronView& a, const PolyhedronView& b, const AxisQuery& query, ContactAxis& out)
      : a_(a), b_(b), query_(query), place_(query.place), out_(out), radius_(a.core.radius + b.core.radius) {
    between_ = (place_.position - a.core.middle) + place_.turned_out(b.core.middle);
  }

  bool run() {
    best_ = -k_infinity;
    out_.has_witness = false;
    if (!faces_of_a() || !faces_of_b()) return false;
    if (best_ <= query_.size * k_apart) edges();
    // Once more, exactly, of the cores.
    best_ = separation_along(a_.core, b_.core, query_.pose, normal_);
    out_.normal = normal_;
    out_.separation = best_ - radius_;
    return out_.separation <= query_.margin;
  }

 private:
  // Is this the best so far? False if it separates by more than the margin.
  bool consider(double separation, const Vec3& n) {
    if (separation <= best_ + (best_ > -k_infinity ? query_.size * k_no_better : 0)) return true;
    best_ = separation;
    normal_ = n;
    if (separation - radius_ <= query_.margin) return true;
    out_.normal = n;
    out_.separation = separation - radius_;
    return false;
  }

  bool faces_of_a() {
    std::uint32_t hint = 0;
    for (const FacePlane& plane : a_.planes) {
      const Vec3 against = -place_.turned_in(plane.normal);
      const CorePoint<Dim3> p = furthest(b_.core, against, hint);
      hint = p.id;
      const double reach = plane.offset - dot(plane.normal, a_.core.middle);
      const double before = best_;
      if (!consider(dot(plane.normal, between_) - dot(against, p.from_middle) - reach, plane.normal))
        return false;
      if (best_ != before) inner_ = b_.core.middle + p.from_middle, inner_of_b_ = true;
    }
    return true;
  }
  bool faces_of_b() {
    std::uint32_t hint = 0;
    for (const FacePlane& plane : b_.planes) {
      const Vec3 n = -place_.turned_out(plane.normal);  // from a to b
      const CorePoint<Dim3> p = furthest(a_.core, n, hint);
      hint = p.id;
      const double reach = plane.offset - dot(plane.normal, b_.core.middle);
      const double before = best_;
      if (!consider(dot(n, between_) - dot(n, p.from_middle) - reach, n)) return false;
      if (best_ != before) inner_ = a_.core.middle + p.from_middle, inner_of_b_ = false;
    }
    return true;
  }

  // An edge of b, in a's frame and axes.
  struct PlacedEdge {
    Vec3 from, along, left, right;  // left and right: the normals of its faces
  };

  void edges() {
    choose_edges_of_a();
    const double reach_b = larger(0, -best_) + outside_a_;
    for (std::size_t e = 0; e < b_.edges.size(); ++e) {
      if (prune_ && !is_near(b_, e, inner_in_b_, reach_b)) continue;
      const Edge& edge = b_.edges[e];
      PlacedEdge f{place_.out(b_.vertices[edge.vertices[0]]),
                   place_.turned_out(b_.vertices[edge.vertices[1]] - b_.vertices[edge.vertices[0]]),
                   {},
                   {}};
      if (!b_.planes.empty()) {
        f.left = place_.turned_out(b_.planes[edge.faces[0]].normal);
        f.right = place_.turned_out(b_.planes[edge.faces[1]].normal);
      }
      if (chosen_all_)
        for (std::size_t k = 0; k < a_.edges.size(); ++k) edge_pair(k, f);
      else
        for (std::size_t k = 0; k < chosen_count_; ++k) edge_pair(chosen_[k], f);
    }
  }

  // Could the edge's axis beat a depth, seen from the point c? Its two planes' heights above c bound it.
  static bool is_near(const PolyhedronView& view, std::size_t e, const Vec3& c, double reach) {
    if (view.planes.empty()) return true;
    const Edge& edge = view.edges[e];
    const Vec3& v = view.vertices[edge.vertices[0]];
    return dot(view.planes[edge.faces[0]].normal, v - c) < reach ||
           dot(view.planes[edge.faces[1]].normal, v - c) < reach;
  }
  void choose_edges_of_a() {
    constexpr std::size_t k_few = 400;  // pairs that are not worth it
    prune_ = a_.edges.size() * b_.edges.size() > k_few;
    chosen_all_ = true;
    if (!prune_) return;
    const Vec3 inner_in_a = inner_of_b_ ? place_.out(inner_) : inner_;
    inner_in_b_ = inner_of_b_ ? inner_ : place_.in(inner_);
    const double outside_b = inner_of_b_ ? 0 : outside(b_, inner_in_b_);
    outside_a_ = inner_of_b_ ? outside(a_, inner_in_a) : 0;
    chosen_count_ = 0;
    for (std::size_t e = 0; e < a_.edges.size(); ++e) {
      if (!is_near(a_, e, inner_in_a, larger(0, -best_) + outside_b)) continue;
      if (chosen_count_ == chosen_.size()) return;  // too many to list: all of them
      chosen_[chosen_count_++] = std::uint32_t(e);
    }
    chosen_all_ = false;
  }
  // [m] An upper bound of how far c is from the solid.
  static double outside(const PolyhedronView& view, const Vec3& c) {
    bool inside = !view.planes.empty();
    for (const FacePlane& plane : view.planes) inside = inside && plane.distance(c) <= 0;
    if (inside) return 0;
    double nearest = k_infinity;
    for (const Vec3& v : view.vertices) nearest = smaller(nearest, length_squared(c - v));
    if (view.core.hull != nullptr) return larger(0, point_axis(*view.core.hull, c).distance);
    return square_root(nearest);
  }

  void edge_pair(std::size_t k, const PlacedEdge& f) {
    const Edge& edge = a_.edges[k];
    const Vec3& from = a_.vertices[edge.vertices[0]];
    const Vec3 along = a_.vertices[edge.vertices[1]] - from;
    Vec3 outward;  // some direction out of a at its edge or, if a is a segment, into b at its edge
    if (a_.planes.empty()) {
      if (dot(f.left, along) * dot(f.right, along) >= 0) return;
      outward = -(f.left + f.right);
    } else {
      const Vec3 &left = a_.planes[edge.faces[0]].normal, &right = a_.planes[edge.faces[1]].normal;
      const double right_f = dot(right, f.along);
      if (dot(left, f.along) * right_f >= 0) return;
      if (!b_.planes.empty()) {
        const double left_e = dot(f.left, along);
        if (left_e * dot(f.right, along) >= 0 || left_e * right_f >= 0) return;
      }
      outward = left + right;
    }
    const Vec3 e = normalized(along), g = normalized(f.along);
    const double sine_squared = length_squared(cross(e, g));
    if (sine_squared < 1e-20) return;  // of parallel edges the faces beside them decide
    Vec3 n = common_perpendicular(e, g);
    if (dot(n, outward) < 0) n = -n;
    double separation = dot(n, f.from - from);
    if (separation <= best_ + query_.size * k_no_better) return;
    // Of nearly parallel edges n may lie beside the arcs.
    if (sine_squared < 1e-8) separation = separation_along(a_.core, b_.core, query_.pose, n);
    if (separation <= best_ + query_.size * k_no_better) return;
    best_ = separation;
    normal_ = n;
    keep_crossing(from, e, length(along), f.from, g, length(f.along));
  }

  // The point of a's edge that b's edge crosses, seen along the normal.
  void keep_crossing(const Vec3& p, const Vec3& e, double length_e, const Vec3& q, const Vec3& g,
                     double length_g) {
    const Vec3 c = cross(e, g), d = q - p;
    const double s = dot(cross(d, g), c) / dot(c, c), t = dot(cross(d, e), c) / dot(c, c);
    const double slack = query_.size * k_apart;
    out_.has_witness = s >= -slack && s <= length_e + slack && t >= -slack && t <= length_g + slack;
    out_.on_a = p + clamp(s, 0, length_e) * e + a_.core.radius * normal_;
  }

  const PolyhedronView &a_, &b_;
  const AxisQuery& query_;
  const Placement& place_;
  ContactAxis& out_;
  const double radius_;
  Vec3 between_;  // [m] from the middle of a's core to that of b's

  double best_ = 0;  // [m] the greatest separation of the cores so far, and its direction
  Vec3 normal_{};
  Vec3 inner_{};  // the deepest corner along the best face's normal, in the frame of its own piece
  bool inner_of_b_ = false;

  bool prune_ = false, chosen_all_ = true;
  Vec3 inner_in_b_{};
  double outside_a_ = 0;
  std::size_t chosen_count_ = 0;
  std::array<std::uint32_t, 1024> chosen_;
};

}  // namespace

bool find_axis(const PolyhedronView& a, const PolyhedronView& b, const AxisQuery& query, ContactAxis& out) {
  return AxisSearch(a, b, query, out).run();
}
bool find_axis(const Box3& a, const Polyhedron& b, const AxisQuery& query, ContactAxis& out) {
  const BoxAsPolyhedron box(a);
  return find_axis(box.view(a), view_of(b), query, out);
}
bool find_axis(const Polyhedron& a, const Polyhedron& b, const AxisQuery& query, ContactAxis& out) {
  return find_axis(view_of(a), view_of(b), query, out);
}
bool find_axis(const Box3& a, const Capsule3& b, const AxisQuery& query, ContactAxis& out) {
  const BoxAsPolyhedron box(a);
  const SegmentAsPolyhedron segment(b);
  return find_axis(box.view(a), segment.view(b), query, out);
}
bool find_axis(const Capsule3& a, const Polyhedron& b, const AxisQuery& query, ContactAxis& out) {
  const SegmentAsPolyhedron segment(a);
  return find_axis(segment.view(a), view_of(b), query, out);
}

}  // namespace cairn
