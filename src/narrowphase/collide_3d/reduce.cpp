#include "narrowphase/collide_3d/reduce.h"

#include <array>
#include <utility>

namespace cairn {
namespace {

using Point = ManifoldPoint<Dim3>;
constexpr std::size_t k_most = Manifold<Dim3>::k_most_points;
constexpr double k_better = 1.01;  // how much better a later point must be

// Insertion: patches are short, and mostly in order from the step before.
void sort_by_features(std::span<Point> points) {
  for (std::size_t i = 1; i < points.size(); ++i)
    for (std::size_t k = i; k > 0 && points[k].features < points[k - 1].features; --k)
      std::swap(points[k], points[k - 1]);
}

double distance_squared(const Point& a, const Point& b, const Vec3& n) {
  const Vec3 d = b.point - a.point;
  const double along = dot(d, n);
  return larger(0, length_squared(d) - along * along);
}
// Twice the area of the triangle seen along n, positive if counter-clockwise.
double area(const Point& a, const Point& b, const Point& c, const Vec3& n) {
  return dot(cross(b.point - a.point, c.point - a.point), n);
}

// Drops points that repeat another, the less deep of the two. Keeps the order.
std::size_t without_repeats(std::span<Point> points, const Vec3& n, double tolerance) {
  std::size_t kept = 0;
  for (const Point& p : points) {
    std::size_t twin = 0;
    while (twin < kept && points[twin].features != p.features &&
           distance_squared(points[twin], p, n) > tolerance * tolerance)
      ++twin;
    if (twin == kept)
      points[kept++] = p;
    else if (p.separation < points[twin].separation)
      points[twin] = p;
  }
  return kept;
}

std::size_t deepest(std::span<const Point> points) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < points.size(); ++k)
    if (points[k].separation < points[best].separation) best = k;
  return best;
}

// The point with the greatest score; an earlier one wins unless a later one is clearly better.
template <class Score>
std::size_t best_of(std::size_t count, Score score) {
  std::size_t best = count;
  double best_score = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double s = score(k);
    if (!(s > k_better * best_score)) continue;
    best = k;
    best_score = s;
  }
  return best;
}

// The four to keep, as indices; fewer where the points lie on a line.
struct Choice {
  std::array<std::size_t, k_most> index{};
  std::size_t count = 0;
  void add(std::size_t k) { index[count++] = k; }
};

Choice choose(std::span<const Point> points, const Vec3& n, std::size_t lowest) {
  double width = 0;
  for (const Point& p : points) width = larger(width, distance_squared(points[lowest], p, n));
  width = square_root(width);
  const double least = points[lowest].separation;
  const auto weight = [&](std::size_t k) {
    return width > 0 ? 1 / (1 + 8 * (points[k].separation - least) / width) : 1.0;
  };

  Choice chosen;
  std::size_t first = 0;
  while (points[first].separation > least + 1e-3 * width) ++first;
  chosen.add(first);
  const Point& p = points[first];
  const std::size_t second = best_of(points.size(), [&](std::size_t k) {
    return weight(k) * square_root(distance_squared(p, points[k], n));
  });
  if (second == points.size()) return chosen;
  chosen.add(second);
  const Point& q = points[second];
  const std::size_t third =
      best_of(points.size(), [&](std::size_t k) { return weight(k) * absolute(area(p, q, points[k], n)); });
  if (third == points.size()) return chosen;
  chosen.add(third);
  const Point& r = points[third];
  const double sense = area(p, q, r, n) > 0 ? 1 : -1;
  const std::size_t fourth = best_of(points.size(), [&](std::size_t k) {
    const Point& x = points[k];
    const double beyond =
        larger(-sense * area(p, q, x, n), larger(-sense * area(q, r, x, n), -sense * area(r, p, x, n)));
    return weight(k) * beyond;
  });
  if (fourth < points.size()) chosen.add(fourth);
  return chosen;
}

// Twice the area that four points span: that of the two diagonals, whichever pairs of points they are.
double spanned_area(const Point& a, const Point& b, const Point& c, const Point& d, const Vec3& n) {
  const auto diagonals = [&](const Point& p, const Point& q, const Point& r, const Point& s) {
    return absolute(dot(cross(q.point - p.point, s.point - r.point), n));
  };
  return larger(diagonals(a, b, c, d), larger(diagonals(a, c, b, d), diagonals(a, d, b, c)));
}

// Makes the deepest point one of those chosen, in place of the one whose loss costs the least area.
void include(std::size_t lowest, std::span<const Point> points, const Vec3& n, Choice& chosen) {
  for (std::size_t i = 0; i < chosen.count; ++i)
    if (chosen.index[i] == lowest) return;
  if (chosen.count < k_most) return chosen.add(lowest);
  const auto point = [&](std::size_t i) -> const Point& { return points[chosen.index[i % k_most]]; };
  std::size_t least_missed = 0;
  double most_left = -1;
  for (std::size_t i = 0; i < k_most; ++i) {
    const double left = spanned_area(points[lowest], point(i + 1), point(i + 2), point(i + 3), n);
    if (left <= most_left) continue;
    most_left = left;
    least_missed = i;
  }
  chosen.index[least_missed] = lowest;
}

}  // namespace

int reduce(std::span<Point> points, const Vec3& n, double tolerance) {
  sort_by_features(points);
  points = points.first(without_repeats(points, n, tolerance));
  if (points.empty()) return 0;
  std::size_t count = points.size();
  if (count > k_most) {
    Choice chosen = choose(points, n, deepest(points));
    include(deepest(points), points, n, chosen);
    for (std::size_t i = 1; i < chosen.count; ++i)  // back into the order of features
      for (std::size_t k = i; k > 0 && chosen.index[k] < chosen.index[k - 1]; --k)
        std::swap(chosen.index[k], chosen.index[k - 1]);
    for (std::size_t i = 0; i < chosen.count; ++i) points[i] = points[chosen.index[i]];
    count = chosen.count;
  }
  for (std::size_t k = deepest(points.first(count)); k > 0; --k) std::swap(points[k], points[k - 1]);
  return int(count);
}

}  // namespace cairn
