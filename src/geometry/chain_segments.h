// The segments of a chain near a place.
#pragma once

#include "geometry/geometry_2d.h"

namespace cairn {

inline std::size_t segment_count(const Chain& chain) { return chain.points.size() - (chain.loop ? 0 : 1); }
inline Segment segment_of(const Chain& chain, std::size_t k) {
  return {chain.points[k], chain.points[k + 1 < chain.points.size() ? k + 1 : 0]};
}

// Calls `visit(number, segment)` for the segments whose boxes overlap `box`, in ascending order.
template <class Visit>
void for_each_segment_in(const Chain& chain, const Bounds2& box, Visit visit) {
  for (std::size_t k = 0; k < segment_count(chain); ++k) {
    const Segment s = segment_of(chain, k);
    const Vec2 lo = smaller(s.a, s.b), hi = larger(s.a, s.b);
    if (lo.x <= box.hi.x && lo.y <= box.hi.y && hi.x >= box.lo.x && hi.y >= box.lo.y) visit(k, s);
  }
}

}  // namespace cairn
