// In the plane the difference B − A is a polygon whose sides are those of a and of b: the side nearest to 0 is found by
// trying all of them (the separating axis test; Ericson, "Real-Time Collision Detection", 5.2.1).
#include "geometry/epa.h"

namespace cairn {
namespace {

// Calls `visit` with the outward unit normal of each side.
template <class Visit>
void for_each_normal(const Core2& core, Visit visit) {
  if (core.kind == CoreKind::segment) {
    const Vec2 n = direction_of(perpendicular(core.extent)).unit;
    if (n == Vec2{}) return;
    visit(n);
    visit(-n);
  } else if (core.kind == CoreKind::box) {
    for (const Vec2 n : {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}}) visit(n);
  } else if (core.kind == CoreKind::vertices) {
    for (const Vec2& n : core.hull->normals) visit(n);
  }
}

// What of a core faces the direction n: the side at right angles to it, or a corner twice.
struct Facing {
  Vec2 left, right;  // relative to the middle of the core, in the order of `along`
};
Facing facing(const Core2& core, const Vec2& n, const Vec2& along) {
  constexpr double k_parallel = 1e-10;  // [rad]
  return {furthest(core, n - k_parallel * along).from_middle,
          furthest(core, n + k_parallel * along).from_middle};
}
// The point of a side at the place `x` along it.
Vec2 point_at(const Facing& side, const Vec2& along, double x) {
  const double left = dot(side.left, along), right = dot(side.right, along);
  if (!(right > left)) return side.left;
  return side.left + (side.right - side.left) * clamp((x - left) / (right - left), 0, 1);
}

}  // namespace

Penetration<Dim2> penetration(const Core2& a, const Core2& b, const Pose2& b_in_a,
                              const Nearest<Dim2>& overlap) {
  const Difference<Dim2> difference(a, b, b_in_a);
  Penetration<Dim2> result;
  double best = 0;
  const auto consider = [&](const Vec2& n) {
    const double separation = dot(difference.lowest(n).w, n);
    if (++result.iterations > 1 && separation <= best) return;
    best = separation;
    result.normal = n;
  };
  for_each_normal(a, consider);
  for_each_normal(b, [&](const Vec2& n) { consider(-difference.turn()(n)); });
  if (result.iterations == 0) consider(overlap.normal);  // two points
  result.depth = -best;

  // The sides that face each other, and a place where both are.
  const Vec2 n = result.normal, along = perpendicular(n), back = difference.turn().back(n);
  const Facing on_a = facing(a, n, along);
  Facing on_b = facing(b, -back, difference.turn().back(along));
  on_b = {difference.turn()(on_b.left), difference.turn()(on_b.right)};
  const double shift = dot(difference.offset(), along);
  const double lo = larger(dot(on_a.left, along), dot(on_b.left, along) + shift);
  const double hi = smaller(dot(on_a.right, along), dot(on_b.right, along) + shift);
  const double x = 0.5 * (lo + hi);
  result.on_a = difference.on_a(point_at(on_a, along, x));
  result.on_b = difference.on_b(point_at(on_b, along, x - shift));
  return result;
}

}  // namespace cairn
