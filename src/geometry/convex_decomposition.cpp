// A concave outline as convex parts.
//
//   1. triangles by ear clipping,
//   2. flipped until no diagonal has a better one (constrained Delaunay: Lawson 1977), for parts that are not
//      slivers,
//   3. diagonals taken out, the longest first, wherever both corners stay convex without them (Hertel and
//      Mehlhorn 1983).
//
// Each reflex corner keeps at most two diagonals, so r reflex corners give at most 2r + 1 parts, no more than four
// times the fewest possible. Where corners lie, and which way they turn, is decided exactly; but a corner straight to
// the round-off of the coordinates (4 ulp of the largest, as in Polygon) counts as straight, and what is
// thinner than round-off is no part.
#include <algorithm>
#include <limits>

#include "geometry/direction.h"
#include "geometry/geometry_2d.h"
#include "geometry/predicates.h"
#include "geometry/simple_outline.h"

namespace cairn {
namespace {

double round_off(std::span<const Vec2> points) {
  double largest = 0;
  for (const Vec2& p : points) largest = larger(largest, largest_component(p));
  return 4 * std::numeric_limits<double>::epsilon() * largest;
}

// Is b on the way from a to c, to the tolerance?
bool is_straight(const Vec2& a, const Vec2& b, const Vec2& c, double tolerance) {
  const Vec2 chord = c - a, side = b - a;
  const double along = dot(side, chord), whole = length_squared(chord);
  return along > 0 && along < whole && absolute(cross(chord, side)) <= tolerance * square_root(whole);
}

// Counter-clockwise and without straight corners, unless that would make the outline cross itself.
std::vector<Vec2> cleaned(std::span<const Vec2> outline, double tolerance) {
  std::vector<Vec2> all(outline.begin(), outline.end());
  if (!is_counter_clockwise(all)) std::reverse(all.begin(), all.end());
  const std::size_t n = all.size();
  std::vector<Vec2> kept;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 before = kept.empty() ? all[n - 1] : kept.back();
    const Vec2 after = i + 1 < n || kept.empty() ? all[(i + 1) % n] : kept.front();
    if (!is_straight(before, all[i], after, tolerance)) kept.push_back(all[i]);
  }
  return is_simple(kept) && is_counter_clockwise(kept) ? kept : all;
}

// Faces bounded by half-edges, counter-clockwise. At first they are triangles.
class Faces {
 public:
  Faces(std::span<const Vec2> points, const std::vector<Triangle>& triangles, double tolerance)
      : points_(points), tolerance_(tolerance) {
    for (const Triangle& t : triangles) {
      const int first = int(edges_.size());
      for (int k = 0; k < 3; ++k)
        edges_.push_back({t[std::size_t(k)], first + (k + 1) % 3, first + (k + 2) % 3, -1});
    }
    join_twins();
  }

  void make_delaunay() {
    std::vector<int> work;
    for (int e = 0; e < int(edges_.size()); ++e)
      if (is_diagonal(e)) work.push_back(e);
    std::size_t flips = points_.size() * points_.size() + 100;  // never reached but by round-off in circles
    while (!work.empty() && flips > 0) {
      const int e = work.back();
      work.pop_back();
      if (!should_flip(e)) continue;
      flip(e);
      --flips;
      const int t = edge(e).twin;
      for (const int outer : {edge(e).next, edge(e).previous, edge(t).next, edge(t).previous})
        if (edge(outer).twin >= 0) work.push_back(outer);
    }
  }

  void merge() {
    std::vector<int> diagonals;
    for (int e = 0; e < int(edges_.size()); ++e)
      if (is_diagonal(e)) diagonals.push_back(e);
    std::sort(diagonals.begin(), diagonals.end(), [&](int e, int f) {
      const double e_length = length_squared(to(e) - from(e)), f_length = length_squared(to(f) - from(f));
      return e_length > f_length || (e_length == f_length && e < f);
    });
    for (const int e : diagonals) {
      const int t = edge(e).twin;
      if (is_convex(edge(e).previous, edge(t).next) && is_convex(edge(t).previous, edge(e).next)) remove(e);
    }
  }

  std::vector<std::vector<Vec2>> outlines() const {
    std::vector<std::vector<Vec2>> list;
    std::vector<char> seen(edges_.size());
    for (int e = 0; e < int(edges_.size()); ++e) {
      if (seen[std::size_t(e)] || edge(e).gone) continue;
      list.emplace_back();
      for (int f = e; !seen[std::size_t(f)]; f = edge(f).next) {
        seen[std::size_t(f)] = true;
        list.back().push_back(from(f));
      }
    }
    return list;
  }

 private:
  struct HalfEdge {
    std::uint32_t from;
    int next, previous;
    int twin;  // −1: an edge of the outline
    bool gone = false;
  };

  HalfEdge& edge(int e) { return edges_[std::size_t(e)]; }
  const HalfEdge& edge(int e) const { return edges_[std::size_t(e)]; }
  Vec2 from(int e) const { return points_[edge(e).from]; }
  Vec2 to(int e) const { return from(edge(e).next); }
  bool is_diagonal(int e) const { return edge(e).twin > e; }  // each pair once

  void join_twins() {
    std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, int>> ends;
    for (int e = 0; e < int(edges_.size()); ++e) {
      const std::uint32_t u = edge(e).from, v = edge(edge(e).next).from;
      ends.push_back({{std::min(u, v), std::max(u, v)}, e});
    }
    std::sort(ends.begin(), ends.end());
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      if (ends[k].first != ends[k + 1].first) continue;
      edge(ends[k].second).twin = ends[k + 1].second;
      edge(ends[k + 1].second).twin = ends[k].second;
    }
  }

  // Does the circle through the triangle of e hold the corner opposite, and is the other diagonal inside?
  bool should_flip(int e) const {
    const int t = edge(e).twin;
    const Vec2 a = from(e), b = to(e), c = from(edge(e).previous), d = from(edge(t).previous);
    if (orient2d(c, d, b) <= 0 || orient2d(d, c, a) <= 0) return false;
    const Vec2 u = a - d, v = b - d, w = c - d;
    const double uu = dot(u, u), vv = dot(v, v), ww = dot(w, w);
    const double circle = uu * cross(v, w) + vv * cross(w, u) + ww * cross(u, v);
    const double scale = larger(uu, larger(vv, ww));
    return circle > 1e-9 * scale * scale;
  }

  // The triangles a b c and b a d become c d b and d c a.
  void flip(int e) {
    const int t = edge(e).twin;
    const int bc = edge(e).next, ca = edge(e).previous, ad = edge(t).next, db = edge(t).previous;
    edge(e).from = edge(ca).from;
    edge(t).from = edge(db).from;
    const auto link = [&](int x, int y, int z) {
      edge(x).next = y, edge(y).next = z, edge(z).next = x;
      edge(y).previous = x, edge(z).previous = y, edge(x).previous = z;
    };
    link(e, db, bc);
    link(t, ca, ad);
  }

  // Would the corner between these two edges be convex, or straight?
  bool is_convex(int in, int out) const {
    const Vec2 a = from(in), b = from(out), c = to(out);
    return orient2d(a, b, c) >= 0 || is_straight(a, b, c, tolerance_);
  }

  void remove(int e) {
    const int t = edge(e).twin;
    const auto join = [&](int in, int out) {
      edge(in).next = out;
      edge(out).previous = in;
    };
    join(edge(e).previous, edge(t).next);
    join(edge(t).previous, edge(e).next);
    edge(e).gone = edge(t).gone = true;
  }

  std::span<const Vec2> points_;
  std::vector<HalfEdge> edges_;
  double tolerance_;
};

// Twice the area, from the first corner, over the longest distance from it.
double width(const std::vector<Vec2>& outline) {
  double area = 0, reach = 0;
  for (std::size_t i = 1; i < outline.size(); ++i) {
    reach = larger(reach, length(outline[i] - outline[0]));
    if (i + 1 < outline.size()) area += cross(outline[i] - outline[0], outline[i + 1] - outline[0]);
  }
  return area / reach;
}

}  // namespace

Compound2 convex_decomposition(std::span<const Vec2> outline) {
  const Path path{nullptr, "outline", -1};
  check_simple(outline, path);
  const double tolerance = round_off(outline);
  const std::vector<Vec2> points = cleaned(outline, tolerance);
  Faces faces(points, ear_clipping(points), tolerance);
  faces.make_delaunay();
  faces.merge();
  Compound2 compound;
  for (const std::vector<Vec2>& part : faces.outlines()) {
    if (width(part) <= 4 * tolerance) continue;
    Polygon polygon;
    for (const std::size_t i : convex_corners(part, path)) polygon.points.push_back(part[i]);
    compound.parts.push_back({polygon, {}, {}});
  }
  if (compound.parts.empty())
    detail::refuse(path, std::to_string(outline.size()) + " corners",
                   "lie on one line to the round-off of the coordinates; the outline must enclose an area");
  return compound;
}

}  // namespace cairn
