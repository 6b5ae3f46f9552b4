#include "narrowphase/collide_2d/axis.h"

#include <limits>

#include "geometry/direction.h"

namespace cairn::planar {
namespace {

// Axes this close, relative to an edge, count as equally good: the first one found stays.
constexpr double k_preference = 1e-12;
// Overlaps shallower than this part of an edge may be gaps that round-off hides: look at the corners too.
constexpr double k_shallow = 1e-9;
// Above so many pairs of corner and edge, supporting corners are found by walking round.
constexpr int k_many_pairs = 256;

struct EdgeAxis {
  double separation = -std::numeric_limits<double>::infinity();  // [m]
  int edge = 0;                                                  // of the reference outline
  int corner = 0;                                                // of the other one, the nearest
};

// The supporting corner on `other` as the direction turns counter-clockwise from edge normal to edge normal.
class Calipers {
 public:
  Calipers(const Outline& reference, const Outline& other)
      : reference_(reference), other_(other), walk_(reference.count * other.count > k_many_pairs) {}

  // The corner furthest along `direction`, which belongs to the edge `edge`: call it in the order of the edges.
  // Walking compares directions of edges and not heights of corners, so edges too short for their ends to differ
  // in height do not stop it. After a sharp turn it starts afresh.
  int corner(int edge, const Vec2& direction) {
    const bool sharp =
        edge == 0 || dot(reference_.normals[edge], reference_.normals[reference_.previous(edge)]) < 0;
    if (!walk_ || sharp) return corner_ = furthest_corner(other_, direction);
    for (int steps = 0; steps < other_.count && cross(other_.normals[corner_], direction) > 0; ++steps)
      corner_ = other_.next(corner_);
    return corner_;
  }

 private:
  const Outline& reference_;
  const Outline& other_;
  bool walk_;
  int corner_ = 0;
};

// Of two boxes: all four separations from two sums, as the corners of a box lie at ± its half edges, with the bits of
// best_edge.
EdgeAxis best_box_edge(const Outline& reference, const Outline& other, const Pose2& other_in_reference,
                       double limit) {
  const Vec2 h = *reference.box_half, g = *other.box_half, p = other_in_reference.position;
  const double c = other_in_reference.rotation.c, s = other_in_reference.rotation.s;
  const double along_x = absolute(g.x * c) + absolute(g.y * s);  // how far the other reaches along each axis
  const double along_y = absolute(g.x * s) + absolute(g.y * c);
  const double separations[4] = {-(p.y + h.y) - along_y, (p.x - h.x) - along_x, (p.y - h.y) - along_y,
                                 -(p.x + h.x) - along_x};
  EdgeAxis best;
  for (int i = 0; i < 4; ++i) {
    if (separations[i] > best.separation) best = {separations[i], i, 0};
    if (separations[i] > limit) return best;  // nobody asks for the corner
  }
  best.corner =
      furthest_corner(other, -(inverse(other_in_reference.rotation) * reference.normals[best.edge]));
  return best;
}

// The edge normal of `reference` along which the cores are furthest apart; stops at the first above `limit`.
EdgeAxis best_edge(const Outline& reference, const Outline& other, const Pose2& other_in_reference,
                   double limit) {
  if (reference.box_half && other.box_half) return best_box_edge(reference, other, other_in_reference, limit);
  const Rot2 to_other = inverse(other_in_reference.rotation);
  Calipers calipers(reference, other);
  EdgeAxis best;
  for (int i = 0; i < reference.count; ++i) {
    const Vec2 n = reference.normals[i], down = -(to_other * n);
    const int corner = calipers.corner(i, down);
    const double separation =
        dot(n, other_in_reference.position - reference.points[i]) - dot(down, other.points[corner]);
    if (separation > best.separation) best = {separation, i, corner};
    if (separation > limit) break;
  }
  return best;
}

double edge_length(const Outline& outline, int edge) {
  return length(outline.points[outline.next(edge)] - outline.points[edge]);
}

// The edge at the corner that faces `direction` best.
int facing_edge(const Outline& outline, int corner, const Vec2& direction) {
  const int before = outline.previous(corner);
  return dot(outline.normals[before], direction) > dot(outline.normals[corner], direction) ? before : corner;
}

// Is the nearest corner of the other piece straight above the edge? Then nothing beats the edge's normal.
bool is_above(const Outline& reference, const Outline& other, const Pose2& other_in_reference,
              const EdgeAxis& axis) {
  const Vec2 from = reference.points[axis.edge], edge = reference.points[reference.next(axis.edge)] - from;
  const double along = dot(edge, to_world(other_in_reference, other.points[axis.corner]) - from);
  return along >= 0 && along <= dot(edge, edge);
}

// The axis between the nearest corners of the edges, if it is better, judged by what it truly separates: a direction
// taken from two points that nearly touch is worth little. (The nearest, not the best of all: where a corner stands
// straight behind another, round-off cannot tell their axes apart by what they separate.)
void try_corners(const OutlinePair& pair, int a_edge, int b_edge, double size, Axis& best) {
  Axis between;
  double least = std::numeric_limits<double>::infinity();
  for (const int i : {a_edge, pair.a.next(a_edge)}) {
    for (const int j : {b_edge, pair.b.next(b_edge)}) {
      const auto [n, distance] = direction_of(to_world(pair.b_in_a, pair.b.points[j]) - pair.a.points[i]);
      if (distance >= least) continue;
      least = distance;
      between = {n, 0, -1, -1, i, j};
    }
  }
  if (!(least > 0)) return;
  between.separation = separation_of_cores(pair, between.normal);
  const double reach =
      size + largest_component(pair.b_in_a.position) + largest_component(pair.a.points[between.a_corner]);
  if (between.separation > best.separation - corner_allowance(best.separation, reach)) best = between;
}

}  // namespace

double separation_of_cores(const OutlinePair& pair, const Vec2& n) {
  const Vec2 down = -(inverse(pair.b_in_a.rotation) * n);
  const Vec2 on_a = pair.a.points[furthest_corner(pair.a, n)];
  return dot(n, pair.b_in_a.position - on_a) - dot(down, pair.b.points[furthest_corner(pair.b, down)]);
}

Axis best_axis(const OutlinePair& pair, double limit) {
  const EdgeAxis on_a = best_edge(pair.a, pair.b, pair.b_in_a, limit);
  const Axis axis_a{pair.a.normals[on_a.edge], on_a.separation, on_a.edge, -1, -1, -1};
  if (on_a.separation > limit) return axis_a;
  const EdgeAxis on_b = best_edge(pair.b, pair.a, pair.a_in_b, limit);
  const Axis axis_b{
      -(pair.b_in_a.rotation * pair.b.normals[on_b.edge]), on_b.separation, -1, on_b.edge, -1, -1};
  if (on_b.separation > limit) return axis_b;

  const double size = larger(edge_length(pair.a, on_a.edge), edge_length(pair.b, on_b.edge));
  const bool by_a = on_a.separation >= on_b.separation - k_preference * size;
  Axis best = by_a ? axis_a : axis_b;
  if (best.separation < -k_shallow * size) return best;
  if (by_a ? is_above(pair.a, pair.b, pair.b_in_a, on_a) : is_above(pair.b, pair.a, pair.a_in_b, on_b))
    return best;
  const Vec2 n = best.normal, n_in_b = inverse(pair.b_in_a.rotation) * n;
  const int a_edge = by_a ? on_a.edge : facing_edge(pair.a, on_b.corner, n);
  const int b_edge = by_a ? facing_edge(pair.b, on_a.corner, -n_in_b) : on_b.edge;
  try_corners(pair, a_edge, b_edge, size, best);
  return best;
}

PointAxis best_axis(const Outline& outline, const Vec2& point) {
  PointAxis best{{}, -std::numeric_limits<double>::infinity(), -1, 0};
  for (int i = 0; i < outline.count; ++i) {
    const double separation = dot(outline.normals[i], point - outline.points[i]);
    if (separation > best.separation) best = {outline.normals[i], separation, -1, i};
  }
  const int from = best.edge, to = outline.next(from);
  const Vec2 edge = outline.points[to] - outline.points[from];
  const double along = dot(edge, point - outline.points[from]), whole = dot(edge, edge);
  const double size = square_root(whole);
  if (best.separation < -k_shallow * size || (along >= 0 && along <= whole)) return best;
  const int corner = along < 0 ? from : to;
  const Vec2 n = direction_of(point - outline.points[corner]).unit;
  const double separation = dot(n, point - outline.points[furthest_corner(outline, n)]);
  const double reach = size + largest_component(point) + largest_component(outline.points[corner]);
  if (separation > best.separation - corner_allowance(best.separation, reach))
    best = {n, separation, corner, -1};
  return best;
}

}  // namespace cairn::planar
