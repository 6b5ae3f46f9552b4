// Extended precision for the references: slow, and eleven bits better than what it judges (on machines whose
// long double is wider than double; elsewhere as good).
#pragma once

#include <cairn/math.h>

#include <cmath>

namespace cairn::test {

using Real = long double;
using Real2 = Vec2T<Real>;
using Real3 = Vec3T<Real>;

inline Real2 real(const Vec2& v) { return {v.x, v.y}; }
inline Real3 real(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec2 rounded(const Real2& v) { return {double(v.x), double(v.y)}; }
inline Vec3 rounded(const Real3& v) { return {double(v.x), double(v.y), double(v.z)}; }

template <class V>
Real size_of(const V& v) {
  return std::sqrt(dot(v, v));
}
template <class V>
V unit(const V& v) {
  const Real n = size_of(v);
  return {v * (1 / n)};
}
// The closest to x on the segment from a to b, as a fraction of it.
template <class V>
Real fraction_closest(const V& a, const V& b, const V& x) {
  const V d = b - a;
  const Real n = dot(d, d);
  if (!(n > 0)) return 0;
  const Real t = dot(x - a, d) / n;
  return t < 0 ? 0 : t > 1 ? 1 : t;
}
template <class V>
V point_at(const V& a, const V& b, Real t) {
  return t == 1 ? b : a + t * (b - a);
}
// A unit vector at right angles to the unit vector n.
inline Real3 across(const Real3& n) {
  return std::abs(n.x) < 0.6L ? unit(Real3{0, n.z, -n.y}) : unit(Real3{n.y, -n.x, 0});
}

}  // namespace cairn::test
