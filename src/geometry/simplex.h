// The nearest point to 0 of the plane, line or point through some points of a difference, and of their simplex.
//
// A direction is never the difference of two nearly equal points, which has no digits left where cores almost touch:
// it comes from the edges between the points, whose length does not shrink with the distance.
#pragma once

#include <span>

#include "geometry/gjk.h"

namespace cairn {

// The flat through 1 … D::k_linear points, seen from 0.
template <class D>
struct Flat {
  bool exists = false;       // the points are independent
  typename D::Vec normal{};  // unit, from 0 towards the flat
  double height = 0;  // [m] of the lowest of the points along it, about the distance of the flat from 0
  std::array<double, D::k_linear> weights{};  // of the points in the nearest point of the flat; of sum 1
};
Flat<Dim2> flat_through(std::span<const DifferencePoint<Dim2>* const> points);
Flat<Dim3> flat_through(std::span<const DifferencePoint<Dim3>* const> points);

template <class D>
typename D::Vec nearest_point(const Simplex<D>& simplex) {
  typename D::Vec sum{};
  for (int k = 0; k < simplex.count; ++k) sum += simplex.weights[k] * simplex.points[k].w;
  return sum;
}

// Does the simplex of D::k_linear + 1 points contain 0? If so, sets the weights with which its points make 0.
enum class Enclosed { no, barely, yes };  // barely: or not, rounding decides
Enclosed enclose_zero(Simplex<Dim2>& simplex);
Enclosed enclose_zero(Simplex<Dim3>& simplex);

}  // namespace cairn
