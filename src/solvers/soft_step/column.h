// A velocity, a row of J or a change of velocity as numbers: linear, then angular.
#pragma once

#include <cairn/math.h>

#include <array>

#include "math/dim.h"

namespace cairn {

inline std::array<double, 3> column(const Vec2& linear, double angular) {
  return {linear.x, linear.y, angular};
}
inline std::array<double, 6> column(const Vec3& linear, const Vec3& angular) {
  return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}
inline Vec2 vector_of(Dim2, const double (&v)[3]) { return {v[0], v[1]}; }
inline Vec3 vector_of(Dim3, const double (&v)[3]) { return {v[0], v[1], v[2]}; }
inline Twist2 twist_of(const std::array<double, 3>& v) { return {{v[0], v[1]}, v[2]}; }
inline Twist3 twist_of(const std::array<double, 6>& v) { return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}; }

template <int N>
double dot(const std::array<double, N>& a, const std::array<double, N>& b) {
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace cairn
