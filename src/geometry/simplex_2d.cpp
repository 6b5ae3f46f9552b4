#include "geometry/simplex.h"

namespace cairn {

Flat<Dim2> flat_through(std::span<const DifferencePoint<Dim2>* const> points) {
  const Vec2 p = points[0]->w;
  if (points.size() == 1) {
    const Direction<Vec2> d = direction_of(p);
    return {d.length > 0, d.unit, d.length, {1}};
  }
  const Vec2 q = points[1]->w, edge = q - p;
  const double square = length_squared(edge);
  if (!(square > 0)) return {};
  Vec2 n = perpendicular(edge) / square_root(square);
  if (dot(n, p) < 0) n = -n;
  const double weight = -dot(p, edge) / square;
  return {true, n, smaller(dot(n, p), dot(n, q)), {1 - weight, weight}};
}

// 0 = Σ λᵢ wᵢ with λᵢ proportional to the area opposite to point i.
Enclosed enclose_zero(Simplex<Dim2>& s) {
  constexpr double k_doubt = 1e-13;  // of the product of the lengths; rounding is 1e-16 of it
  const Vec2 &p = s.points[0].w, &q = s.points[1].w, &r = s.points[2].w;
  const double sign = cross(q - p, r - p) < 0 ? -1 : 1;
  const double areas[3] = {sign * cross(q, r), sign * cross(r, p), sign * cross(p, q)};
  double scale = 0, sum = 0;
  for (int i = 0; i < 3; ++i) scale = larger(scale, length_squared(s.points[i].w));
  Enclosed answer = Enclosed::yes;
  for (const double area : areas) {
    if (area < -k_doubt * scale) return Enclosed::no;
    if (area < k_doubt * scale) answer = Enclosed::barely;
    sum += area;
  }
  if (answer == Enclosed::yes)
    for (int i = 0; i < 3; ++i) s.weights[i] = areas[i] / sum;
  return answer;
}

}  // namespace cairn
