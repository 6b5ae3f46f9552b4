// The distance of two convex cores, after Gilbert, Johnson and Keerthi (1988).
#pragma once

#include "geometry/difference.h"

namespace cairn {

// Up to D::k_linear + 1 points of the difference of two cores, of which none is superfluous, and the weights with
// which they make its point nearest to 0.
template <class D>
struct Simplex {
  std::array<DifferencePoint<D>, D::k_linear + 1> points{};
  std::array<double, D::k_linear + 1> weights{};  // not negative, of sum 1
  int count = 0;
};

template <class D>
struct Nearest {
  bool overlap = false;    // the cores have a point in common
  double distance = 0;     // [m] of the cores, 0 where they overlap: the separation along `normal`
  typename D::Vec on_a{};  // [m] the nearest points of the cores, a's frame; one common point if they overlap
  typename D::Vec on_b{};
  typename D::Vec normal{};  // unit, from a to b; where the cores overlap only a guess
  Simplex<D> simplex;        // the last one; where they overlap, one that contains 0 or nearly does
  int iterations = 0;        // how many support points were asked for
};

// `b_in_a` is the pose of b's frame in a's; `guess` a direction from a to b to begin with, of any length, zero where
// nothing is known. It changes the result by no more than round-off.
//
// The separation along `normal` is within 1e-12 of the size of the cores of the true distance or better (curved cores:
// 1e-10), at any distance.
Nearest<Dim2> nearest(const Core2& a, const Core2& b, const Pose2& b_in_a, const Vec2& guess);
Nearest<Dim3> nearest(const Core3& a, const Core3& b, const Pose3& b_in_a, const Vec3& guess);

// [m] min over b of n·x − max over a of n·x, for the unit vector n from a to b in a's frame: how far n separates the
// cores, less than 0 where it does not. The largest value over all n is their distance, or −depth where they overlap.
template <class D>
double separation_along(const Core<D>& a, const Core<D>& b, const Pose<D>& b_in_a, const typename D::Vec& n) {
  return dot(Difference<D>(a, b, b_in_a).lowest(n).w, n);
}

}  // namespace cairn
