// The best axis of a few generators of a difference, and of all of them: the last word on a distance.
//
// Over the unit vectors n, the distance is the largest separation(n) = minₖ gₖ(n), gₖ(n) = n·wₖ(n) with wₖ(n) the lowest
// point of generator k, a pair of generators of a and b (core.h). At most D::k_linear generators hold the optimum. So:
// keep a list of generators, find the best axis of each small subset, take the one that is best for the whole list, ask for
// the lowest point along it and, if that lies lower, add its generators to the list: a cutting-plane method, which
// ends when nothing lies lower. It is slower than the simplices of GJK and has none of their troubles with rounding.
#pragma once

#include "geometry/simplex.h"

namespace cairn {

// The largest separation is sought, which is positive where the cores are apart. Where they overlap, −separation is a
// depth, and the largest separation near the starting axis is what the same steps find.
enum class Goal { distance, depth };

// The axis along which a subset of generators is furthest, near the axis `start`. For points, their flat's normal.
Flat<Dim2> best_axis(const Difference<Dim2>& difference, std::span<const DifferencePoint<Dim2>* const> subset,
                     const Vec2& start, Goal goal);
Flat<Dim3> best_axis(const Difference<Dim3>& difference, std::span<const DifferencePoint<Dim3>* const> subset,
                     const Vec3& start, Goal goal);

// The same generators' lowest point along another axis.
DifferencePoint<Dim2> lowest_of(const Difference<Dim2>& difference, const DifferencePoint<Dim2>& generators,
                                const Vec2& n);
DifferencePoint<Dim3> lowest_of(const Difference<Dim3>& difference, const DifferencePoint<Dim3>& generators,
                                const Vec3& n);

// The axes of the discs of cylinders and cones, both ways: there the lowest point of a disc jumps from one side to the
// other, and the best axis of a face is one of them exactly.
std::span<const Vec2> disc_axes(const Difference<Dim2>& difference, std::array<Vec2, 4>& space);
std::span<const Vec3> disc_axes(const Difference<Dim3>& difference, std::array<Vec3, 4>& space);

template <class D>
struct Refined {
  typename D::Vec normal{};
  double separation = 0;  // [m] along the normal
  Simplex<D> simplex;     // whose point is the nearest to 0 that was found; of a depth, the one below 0
  int iterations = 0;
};

// Starts with the points of `known`, with their weights, and the axis `start`.
template <class D>
Refined<D> refine(const Difference<D>& difference, const Simplex<D>& known, const typename D::Vec& start,
                  Goal goal);
extern template Refined<Dim2> refine(const Difference<Dim2>&, const Simplex<Dim2>&, const Vec2&, Goal);
extern template Refined<Dim3> refine(const Difference<Dim3>&, const Simplex<Dim3>&, const Vec3&, Goal);

}  // namespace cairn
