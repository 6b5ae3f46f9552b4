// In the plane every generator is a point.
#include "geometry/refinement.h"

namespace cairn {

Flat<Dim2> best_axis(const Difference<Dim2>&, std::span<const DifferencePoint<Dim2>* const> subset,
                     const Vec2&, Goal) {
  return flat_through(subset);
}
DifferencePoint<Dim2> lowest_of(const Difference<Dim2>&, const DifferencePoint<Dim2>& generators,
                                const Vec2&) {
  return generators;
}
std::span<const Vec2> disc_axes(const Difference<Dim2>&, std::array<Vec2, 4>&) { return {}; }

}  // namespace cairn
