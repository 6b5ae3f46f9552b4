// What a formula may ask of its scalar besides arithmetic, for T = double.
//
// A formula written once, as a template on its scalar T, runs on doubles (the reference) and on the lanes of
// math/wide.h (the kernel). A comparison of lanes is a mask of them, of doubles a bool: so such a formula has
// no `if`; it combines conditions with & | !, chooses by select(), and leaves a loop when no lane needs it
// any more.
#pragma once

#include <cairn/math.h>

namespace cairn {

template <class T>
using MaskOf = decltype(T{} < T{});

CAIRN_INLINE constexpr double select(bool condition, double a, double b) { return condition ? a : b; }
CAIRN_INLINE constexpr bool any(bool condition) { return condition; }
CAIRN_INLINE constexpr bool all(bool condition) { return condition; }

template <class Condition, class T>
CAIRN_INLINE constexpr Vec3T<T> select(const Condition& condition, const Vec3T<T>& a, const Vec3T<T>& b) {
  return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z)};
}
template <class Condition, class T>
CAIRN_INLINE constexpr Rot3T<T> select(const Condition& condition, const Rot3T<T>& a, const Rot3T<T>& b) {
  return {select(condition, a.w, b.w), select(condition, a.x, b.x), select(condition, a.y, b.y),
          select(condition, a.z, b.z)};
}

}  // namespace cairn
