#include "geometry/simplex.h"

namespace cairn {
namespace {

Flat<Dim3> point(const Vec3& p) {
  const Direction<Vec3> d = direction_of(p);
  return {d.length > 0, d.unit, d.length, {1}};
}

// The foot of the perpendicular from 0 to the line p + t e is p − e (p·e)/(e·e). Taking the part along e away twice
// leaves a vector at right angles to e to the last digit, however short it is.
Flat<Dim3> line(const Vec3& p, const Vec3& q) {
  const Vec3 e = q - p;
  const double square = length_squared(e);
  if (!(square > 0)) return {};
  const bool from_p = length_squared(p) <= length_squared(q);
  const Vec3 start = from_p ? p : q;
  const double t = -dot(start, e) / square;
  Vec3 foot = start + t * e;
  foot -= e * (dot(foot, e) / square);
  const Direction<Vec3> d = direction_of(foot);
  if (!(d.length > 0)) return {};
  Vec3 n = d.unit - e * (dot(d.unit, e) / square);
  n = normalized(n);
  const double weight = from_p ? t : 1 + t;
  return {true, n, smaller(dot(n, p), dot(n, q)), {1 - weight, weight}};
}

// With N = (q − p) × (r − p), from the two shorter sides, and −p = v (q − p) + w (r − p) in the plane:
// v = N·((−p) × (r − p))/N², w = N·((q − p) × (−p))/N².
Flat<Dim3> plane(const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 pq = q - p, qr = r - q, rp = p - r;
  const double a = length_squared(pq), b = length_squared(qr), c = length_squared(rp);
  const Vec3 normal = a >= b && a >= c ? cross(qr, rp) : b >= c ? cross(rp, pq) : cross(pq, qr);
  const double square = length_squared(normal);
  if (!(square > 0)) return {};
  Vec3 n = normal / square_root(square);
  if (dot(n, p) < 0) n = -n;
  const double v = dot(normal, cross(p, rp)) / square, w = dot(normal, cross(p, pq)) / square;
  return {true, n, smaller(dot(n, p), smaller(dot(n, q), dot(n, r))), {1 - v - w, v, w}};
}

}  // namespace

Flat<Dim3> flat_through(std::span<const DifferencePoint<Dim3>* const> points) {
  if (points.size() == 1) return point(points[0]->w);
  if (points.size() == 2) return line(points[0]->w, points[1]->w);
  return plane(points[0]->w, points[1]->w, points[2]->w);
}

// 0 = Σ λᵢ wᵢ with λᵢ proportional to the volume opposite to point i.
Enclosed enclose_zero(Simplex<Dim3>& s) {
  constexpr double k_doubt = 1e-13;  // of the product of the lengths; rounding is 1e-16 of it
  const Vec3 &p = s.points[0].w, &q = s.points[1].w, &r = s.points[2].w, &t = s.points[3].w;
  const double volume = dot(q - p, cross(r - p, t - p));
  const double sign = volume < 0 ? -1 : 1;
  const double parts[4] = {sign * dot(q, cross(r, t)), -sign * dot(p, cross(r, t)),
                           sign * dot(p, cross(q, t)), -sign * dot(p, cross(q, r))};
  double scale = 0, sum = 0;
  for (int i = 0; i < 4; ++i) scale = larger(scale, length_squared(s.points[i].w));
  scale *= square_root(scale);
  Enclosed answer = Enclosed::yes;
  for (const double part : parts) {
    if (part < -k_doubt * scale) return Enclosed::no;
    if (part < k_doubt * scale) answer = Enclosed::barely;
    sum += part;
  }
  if (answer == Enclosed::yes)
    for (int i = 0; i < 4; ++i) s.weights[i] = parts[i] / sum;
  return answer;
}

}  // namespace cairn
