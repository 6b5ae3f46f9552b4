#include "geometry/simple_outline.h"

#include <algorithm>
#include <optional>

#include "geometry/predicates.h"

namespace cairn {
namespace {

using detail::refuse;

bool lower(const Vec2& p, const Vec2& q) { return p.x < q.x || (p.x == q.x && p.y < q.y); }

struct Clash {
  enum Kind { repeated, fold, crossing } kind;
  std::size_t first, second;  // corners, or edges named by their first corner
};

std::optional<Clash> repeated_corner(std::span<const Vec2> outline) {
  std::vector<std::size_t> order(outline.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return lower(outline[i], outline[j]) || (outline[i] == outline[j] && i < j);
  });
  for (std::size_t k = 0; k + 1 < order.size(); ++k)
    if (outline[order[k]] == outline[order[k + 1]]) return Clash{Clash::repeated, order[k], order[k + 1]};
  return std::nullopt;
}

// Do the closed segments have a common point?
bool meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const Vec2 lo = larger(smaller(a, b), smaller(c, d)), hi = smaller(larger(a, b), larger(c, d));
  if (lo.x > hi.x || lo.y > hi.y) return false;
  const int side_c = orient2d(a, b, c), side_d = orient2d(a, b, d);
  if (side_c * side_d > 0) return false;
  if (side_c == 0 && side_d == 0) return true;  // on one line, and their boxes overlap
  return orient2d(c, d, a) * orient2d(c, d, b) <= 0;
}

// Edges in the order of their left ends, each against those that begin before it ends.
std::optional<Clash> crossing_edges(std::span<const Vec2> outline) {
  const std::size_t n = outline.size();
  const auto next = [&](std::size_t i) { return i + 1 < n ? i + 1 : 0; };
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 a = outline[i], b = outline[next(i)], c = outline[next(next(i))];
    if (orient2d(a, b, c) == 0 && dot(b - a, c - b) < 0) return Clash{Clash::fold, i, next(i)};
  }
  const auto left = [&](std::size_t i) { return smaller(outline[i].x, outline[next(i)].x); };
  const auto right = [&](std::size_t i) { return larger(outline[i].x, outline[next(i)].x); };
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return left(i) < left(j) || (left(i) == left(j) && i < j); });
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = order[k];
    for (std::size_t m = k + 1; m < n && left(order[m]) <= right(i); ++m) {
      const std::size_t j = order[m];
      if (j == next(i) || i == next(j)) continue;
      if (meet(outline[i], outline[next(i)], outline[j], outline[next(j)]))
        return Clash{Clash::crossing, std::min(i, j), std::max(i, j)};
    }
  }
  return std::nullopt;
}

std::optional<Clash> clash(std::span<const Vec2> outline) {
  const auto repeated = repeated_corner(outline);
  return repeated ? repeated : crossing_edges(outline);
}

std::string edge_text(std::span<const Vec2> outline, std::size_t i) {
  return "the edge from " + to_text(outline[i]) + " to " + to_text(outline[(i + 1) % outline.size()]) + " m";
}

}  // namespace

void check_simple(std::span<const Vec2> outline, const Path& path) {
  for (std::size_t i = 0; i < outline.size(); ++i) check_value(outline[i], path[i], "m", k_any);
  if (outline.size() < 3)
    refuse(path, std::to_string(outline.size()) + (outline.size() == 1 ? " corner" : " corners"),
           "must be at least 3 corners");
  const auto found = clash(outline);
  if (!found) return;
  const auto [kind, first, second] = *found;
  const std::string other = std::to_string(second);
  if (kind == Clash::repeated)
    refuse(
        path[first], to_text(outline[first]) + " m",
        "is also corner " + other + "; each corner must be listed once, the first one not again at the end");
  if (kind == Clash::fold)
    refuse(path[second], to_text(outline[second]) + " m",
           "is the tip of a spike without width: the edges before and after it lie on each other");
  refuse(path[first], edge_text(outline, first),
         "crosses or touches edge " + other + ", " + edge_text(outline, second) +
             "; list the corners in order around the outline");
}

bool is_simple(std::span<const Vec2> outline) { return outline.size() >= 3 && !clash(outline); }

bool is_counter_clockwise(std::span<const Vec2> outline) {
  const std::size_t n = outline.size();
  std::size_t lowest = 0;  // an extreme corner is convex
  for (std::size_t i = 1; i < n; ++i)
    if (lower(outline[i], outline[lowest])) lowest = i;
  return orient2d(outline[(lowest + n - 1) % n], outline[lowest], outline[(lowest + 1) % n]) > 0;
}

}  // namespace cairn
