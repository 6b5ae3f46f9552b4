#include "narrowphase/collide_2d/chain_contact.h"

#include <limits>

#include "geometry/direction.h"
#include "narrowphase/collide_2d/axis.h"
#include "narrowphase/collide_2d/patch.h"

namespace cairn::planar {
namespace {

constexpr double k_preference = 1e-12;  // relative: axes closer than this are equally good
constexpr double k_slack = 1e-9;        // relative: a point this far beside a face is still above it
constexpr double k_same_way = 1e-6;     // [rad] normals closer than this are one
constexpr double k_end_on = 1e-3;  // a face whose normal has less than this along the contact's is end-on

// One end of a face, in the frame of the piece. The allowed normals turn from the face's own to `border`.
struct Corner {
  Vec2 at{};
  bool has_arc = false;  // convex, or free
  bool is_free = false;
  double way = 0;  // +1: counter-clockwise (at the start), −1: clockwise (at the end)
  Vec2 border{};
};
struct FaceView {
  Vec2 a{}, b{}, normal{};
  Corner corners[2];
  const ChainFace* face = nullptr;
  double length = 0;
};

FaceView view_of(const PolyLine& chain, std::size_t index, const Pose2& piece_in_chain) {
  const std::size_t n = chain.faces.size();
  const ChainFace& face = chain.faces[index];
  const Rot2 turn = inverse(piece_in_chain.rotation);
  FaceView view{
      to_local(piece_in_chain, face.a), to_local(piece_in_chain, face.b), turn * face.normal, {}, &face,
      length(face.b - face.a)};
  const Vec2 along = -perpendicular(face.normal);
  const auto corner = [&](const Vec2& at, bool is_free, const ChainFace& other, double way) {
    if (is_free) return Corner{at, true, true, way, turn * (-way * along)};
    const double bend = way * cross(face.normal, other.normal);
    const bool folds = bend == 0 && dot(face.normal, other.normal) < 0;
    return Corner{at, bend > 0 || folds, false, way, turn * other.normal};
  };
  view.corners[0] = corner(view.a, !chain.loop && index == 0, chain.faces[(index + n - 1) % n], 1);
  view.corners[1] = corner(view.b, !chain.loop && index + 1 == n, chain.faces[(index + 1) % n], -1);
  return view;
}

enum class Hold { none, face, corner };  // by nothing that is this face's, by its own normal, or on an arc

struct Best {
  Vec2 normal{};
  double separation = -std::numeric_limits<double>::infinity();  // [m] of the piece's core, along the normal
  Hold hold = Hold::none;
  int corner = 0;         // of the face, if it holds: 0 at its start, 1 at its end
  int piece_corner = -1;  // if the axis goes from corner to corner
};

// The lowest height of the core over `base` along n.
double height_over(const Outline& piece, const Vec2& base, const Vec2& n) {
  return dot(n, piece.points[furthest_corner(piece, -n)] - base);
}

// The best of the allowed directions. As in axis.h: the face's normal, the ends of the arcs and the piece's edge
// normals on them; and, if these show a gap, the directions from the corner to the piece's nearest corners.
class AllowedAxes {
 public:
  AllowedAxes(const FaceView& face, const Outline& piece) : face_(face), piece_(piece) {}

  Best best() {
    best_ = {face_.normal, height_over(piece_, face_.a, face_.normal), Hold::face, 0, -1};
    for (int end = 0; end < 2; ++end)
      if (face_.corners[end].has_arc) try_edges(end);
    if (best_.separation < -k_slack * face_.length) return best_;
    const int nearest = furthest_corner(piece_, -best_.normal);
    const Best edges = best_;
    for (int end = 0; end < 2; ++end)
      if (face_.corners[end].has_arc) try_corners(end, nearest, edges.separation);
    return best_;
  }

 private:
  void offer(const Vec2& n, double separation, Hold hold, int end) {
    if (separation > best_.separation + k_preference * face_.length) best_ = {n, separation, hold, end, -1};
  }
  // Between the face's normal and the arc's other end, which it may pass by `slack`.
  bool is_on_arc(const Corner& corner, const Vec2& n, double slack) const {
    return corner.way * cross(face_.normal, n) > 0 && corner.way * cross(n, corner.border) > -slack &&
           (slack == 0 || dot(n, corner.border) > 0 || corner.way * cross(n, corner.border) > 0);
  }
  void try_edges(int end) {
    const Corner& corner = face_.corners[end];
    Hold at_border = corner.is_free ? Hold::corner : Hold::none;
    for (int j = 0; j < piece_.count && piece_.count > 1; ++j) {
      const Vec2 n = -piece_.normals[j];
      if (!is_on_arc(corner, n, k_same_way)) continue;
      if (corner.way * cross(n, corner.border) > 0)
        offer(n, dot(n, piece_.points[j] - corner.at), Hold::corner, end);
      else
        at_border = Hold::corner;  // an edge that would rest on the neighbour rests here too
    }
    offer(corner.border, height_over(piece_, corner.at, corner.border), at_border, end);
  }
  // The axis to the nearest corner, as in axis.cpp.
  void try_corners(int end, int nearest, double edge_separation) {
    const Corner& corner = face_.corners[end];
    double least = std::numeric_limits<double>::infinity();
    Best between;
    for (const int j : {nearest, piece_.next(nearest), piece_.previous(nearest)}) {
      const auto [n, distance] = direction_of(piece_.points[j] - corner.at);
      if (distance >= least) continue;
      least = distance;
      between = {n, 0, Hold::corner, end, j};
    }
    if (!is_on_arc(corner, between.normal, 0)) return;
    between.separation = height_over(piece_, corner.at, between.normal);
    const double reach = face_.length + largest_component(corner.at) + least;
    const double to_beat = best_.separation - corner_allowance(edge_separation, reach);
    if (between.separation > to_beat) best_ = between;
  }

  const FaceView& face_;
  const Outline& piece_;
  Best best_;
};

// The side of the piece above the face. Usually that at its lowest corner; where that one is beside the face, past
// a concave corner, the next edges up to the one that reaches over the face.
Side side_above(const Outline& piece, const FaceView& face) {
  const Vec2 down = -face.normal, t = perpendicular(face.normal);
  const double lo = smaller(dot(t, face.a), dot(t, face.b)), hi = larger(dot(t, face.a), dot(t, face.b));
  const int lowest = furthest_corner(piece, down);
  const double x = dot(t, piece.points[lowest]);
  if (piece.count == 1 || (x >= lo && x <= hi)) return facing_side(piece, {}, down);
  const bool ahead = x > hi;  // going counter-clockwise round the piece, x falls along its lower side
  int corner = lowest;
  for (int steps = 0; steps < piece.count; ++steps) {
    const int edge = ahead ? corner : piece.previous(corner), other = ahead ? piece.next(corner) : edge;
    if (dot(piece.normals[edge], down) < k_end_on) break;
    const double reached = dot(t, piece.points[other]);
    if (ahead ? reached <= hi : reached >= lo) return edge_side(piece, {}, edge);
    corner = other;
  }
  return corner_side(piece, {}, corner);
}

Side side_of(const FaceView& view) {
  return {view.a,
          view.b,
          view.normal,
          0,
          feature(FeatureKind::vertex, view.face->first),
          feature(FeatureKind::vertex, view.face->to),
          feature(FeatureKind::edge, view.face->first),
          true};
}
// The corner itself, for a normal along which the face is seen end-on.
Side side_of_corner(const FaceView& view, int end) {
  Side side = side_of(view);
  if (end == 0)
    side.to = side.from, side.to_name = side.from_name;
  else
    side.from = side.to, side.from_name = side.to_name;
  side.edge_name = side.from_name;
  side.is_edge = false;
  return side;
}

// Leaves out the points that an earlier manifold has already: those at a corner that two faces share.
void drop_known_points(const ManifoldList<Dim2>& known, Manifold<Dim2>& manifold) {
  int kept = 0;
  for (int i = 0; i < manifold.count; ++i) {
    bool is_known = false;
    for (const Manifold<Dim2>& m : known)
      for (int k = 0; k < m.count; ++k)
        is_known = is_known || (m.points[k].features == manifold.points[i].features &&
                                length(m.normal - manifold.normal) < k_same_way);
    if (!is_known) manifold.points[kept++] = manifold.points[i];
  }
  manifold.count = kept;
}

struct Candidate {
  std::uint32_t face = 0;
  Best best{};
};

}  // namespace

void collide_chain(const PolyLine& chain, const Bounds2& box, const Outline& piece,
                   const Pose2& piece_in_chain, double margin, ManifoldList<Dim2>& out) {
  InlineList<Candidate, 32> candidates;
  chain.tree.query(box, [&](std::size_t index) {
    const FaceView view = view_of(chain, index, piece_in_chain);
    const Best best = AllowedAxes(view, piece).best();
    if (best.hold != Hold::none && best.separation - piece.radius <= margin)
      candidates.push_back({std::uint32_t(index), best});
  });
  const Vec2 middle = middle_of(piece);
  for (const Hold hold : {Hold::face, Hold::corner}) {  // faces first: a shared corner is theirs
    for (const Candidate& candidate : candidates) {
      const Best& best = candidate.best;
      if (best.hold != hold) continue;
      const FaceView view = view_of(chain, candidate.face, piece_in_chain);
      const Vec2 base = hold == Hold::face ? view.a : view.corners[best.corner].at;
      if (dot(best.normal, middle - base) < -margin) continue;
      const bool flat = hold == Hold::face || dot(view.normal, best.normal) > k_end_on;
      const Side above = hold == Hold::face       ? side_above(piece, view)
                         : best.piece_corner >= 0 ? side_at_corner(piece, {}, best.piece_corner, -best.normal)
                                                  : facing_side(piece, {}, -best.normal);
      Patch patch =
          patch_between(flat ? side_of(view) : side_of_corner(view, best.corner), above, best.normal, margin);
      const double size = larger(view.length, length(above.to - above.from));
      if (patch.gap > k_slack * size || patch.manifold.points[0].separation > margin) continue;
      patch.manifold.element = view.face->first;
      drop_known_points(out, patch.manifold);
      if (patch.manifold.count > 0) out.push_back(patch.manifold);
    }
  }
}

}  // namespace cairn::planar
