#include "narrowphase/manifold_check.h"

#include <algorithm>

namespace cairn::test {
namespace {

std::string text(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}
std::string text(const Vec2& v) { return "(" + text(v.x) + ", " + text(v.y) + ")"; }
std::string text(const Vec3& v) { return "(" + text(v.x) + ", " + text(v.y) + ", " + text(v.z) + ")"; }

template <class D>
std::string text(const Manifold<D>& manifold) {
  std::string result = "\n  got normal " + text(manifold.normal);
  for (int i = 0; i < manifold.count; ++i) {
    const ManifoldPoint<D>& point = manifold.points[std::size_t(i)];
    result += "\n      point " + text(point.point) + " separation " + text(point.separation);
  }
  return result + "\n";
}

// For a unit normal to 1e-12; f is for the direction itself.
template <class Body, class V>
Real along(const Body& a, const Body& b, const V& normal) {
  return separation_along(a, b, unit(real(normal)));
}

template <class D, class Pair>
std::string judge(const Pair& pair, const Manifold<D>& manifold) {
  const Allowed limit = allowed(pair);
  const double expected = double(pair.separation.value), first = manifold.points[0].separation;
  if (const std::string defect = defect_of(manifold, pair.margin, limit.rounding); !defect.empty())
    return defect;
  if (expected > pair.margin + limit.optimum) return "reported, though beyond the margin";
  const Real f = along(pair.a->body, pair.placed_b, manifold.normal);
  if (f > pair.separation.value + 1e-10L * pair.size)
    return "the reference is wrong: " + text(double(f)) + " is better";
  if (!(std::abs(first - expected) <= limit.optimum)) return "separation is off by " + text(first - expected);
  if (!(f >= pair.separation.value - limit.optimum))
    return "separation along the normal is " + text(double(f)) + ", short by " +
           text(double(pair.separation.value - f));
  for (int i = 0; i < manifold.count; ++i) {
    const auto& point = manifold.points[std::size_t(i)];
    const auto on_b = real(point.point) + Real(point.separation) * real(manifold.normal);
    const double from_a = double(signed_distance(pair.a->body, real(point.point)));
    const double from_b = double(signed_distance(pair.placed_b, on_b));
    if (!(std::abs(from_a) <= limit.surface))
      return "point " + std::to_string(i) + " is off a by " + text(from_a);
    if (!(std::abs(from_b) <= limit.surface))
      return "point " + std::to_string(i) + " is off b by " + text(from_b);
  }
  return {};
}

template <class D, class Pair>
std::string judge(const Pair& pair, const ManifoldList<D>& list) {
  if (list.size() > 1) return "a convex pair has " + std::to_string(list.size()) + " manifolds";
  if (list.empty()) {
    if (double(pair.separation.value) > pair.margin - allowed(pair).optimum) return {};
    return "nothing reported";
  }
  const std::string defect = judge(pair, list[0]);
  return defect.empty() ? defect : defect + text(list[0]);
}

}  // namespace

Allowed allowed(const Pair2& pair) {
  const double rounding = 1e-15 * length(pair.b_in_a.position), limit = 1e-9 * pair.size + rounding;
  return {1e-12 * pair.size + rounding, limit, limit};
}

Allowed allowed(const Pair3& pair) {
  const Body3 &a = pair.a->body, &b = pair.b->body;
  const bool round = a.round() || b.round();
  const bool planes = a.form == Form::half_space || b.form == Form::half_space;
  const double part = round && !planes && pair.separation.value < 0 ? 1e-5 : 1e-9;
  const double offset = planes ? std::abs(double(a.half)) + std::abs(double(b.half)) : 0;
  const double rounding = 1e-15 * (length(pair.b_in_a.position) + offset);
  const double limit = part * pair.size + 2 * double(a.blur + b.blur) + rounding;
  return {1e-12 * pair.size + rounding, limit, limit};
}

std::string defect_of(const Pair2& pair, const ManifoldList<Dim2>& list) { return judge(pair, list); }
std::string defect_of(const Pair3& pair, const ManifoldList<Dim3>& list) { return judge(pair, list); }

}  // namespace cairn::test
