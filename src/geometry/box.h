// Arithmetic of axis-aligned boxes.
#pragma once

#include <cairn/shape.h>

namespace cairn {

inline Vec2 on_every_axis(double x, const Vec2&) { return {x, x}; }
inline Vec3 on_every_axis(double x, const Vec3&) { return {x, x, x}; }

template <class D>
Bounds<D> grown(const Bounds<D>& box, double by) {
  const auto step = on_every_axis(by, box.lo);
  return {box.lo - step, box.hi + step};
}
template <class D>
Bounds<D> united(const Bounds<D>& a, const Bounds<D>& b) {
  return {smaller(a.lo, b.lo), larger(a.hi, b.hi)};
}
inline bool overlap(const Bounds2& a, const Bounds2& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y;
}
inline bool overlap(const Bounds3& a, const Bounds3& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y && a.lo.z <= b.hi.z &&
         b.lo.z <= a.hi.z;
}

}  // namespace cairn
