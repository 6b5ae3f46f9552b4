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

}  // namespace cairn
