// The types of a dimension on any scalar: double for the reference, Wide lanes for the kernels.
#pragma once

#include "math/lane.h"

namespace cairn {

template <class D, class T>
struct OnScalar;
template <class T>
struct OnScalar<Dim2, T> {
  using Vec = Vec2T<T>;
  using Ang = T;
  using Rot = Rot2T<T>;
  using Inertia = T;
};
template <class T>
struct OnScalar<Dim3, T> {
  using Vec = Vec3T<T>;
  using Ang = Vec3T<T>;
  using Rot = Rot3T<T>;
  using Inertia = Sym3T<T>;
};
template <class D, class T>
using VecOf = typename OnScalar<D, T>::Vec;
template <class D, class T>
using AngOf = typename OnScalar<D, T>::Ang;
template <class D, class T>
using RotOf = typename OnScalar<D, T>::Rot;
template <class D, class T>
using InertiaOf = typename OnScalar<D, T>::Inertia;

// Of angular quantities in 2D, on lanes; on doubles it is in cairn/math.h.
template <class T>
requires(T::k_count > 0) CAIRN_INLINE T dot(const T& a, const T& b) { return a * b; }
// Component by component.
template <class T>
CAIRN_INLINE Vec2T<T> each_times(const Vec2T<T>& a, const Vec2T<T>& b) {
  return {a.x * b.x, a.y * b.y};
}
template <class T>
CAIRN_INLINE Vec3T<T> each_times(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

}  // namespace cairn
