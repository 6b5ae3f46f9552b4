// All corners of a core that is not curved.
#pragma once

#include "geometry/core.h"

namespace cairn {

// Calls `visit(point)` with each, in the piece's frame.
template <class D, class Visit>
void for_each_corner(const Core<D>& core, Visit visit) {
  switch (core.kind) {
    case CoreKind::segment:
      visit(core.middle);
      visit(core.middle + core.extent);
      return;
    case CoreKind::box:
      for (unsigned k = 0; k < 1u << D::k_linear; ++k) visit(box_corner(core.extent, k));
      return;
    case CoreKind::vertices:
      for (const typename D::Vec& v : core.vertices) visit(v);
      return;
    default:
      visit(core.middle);
  }
}

inline Vec2 box_corner(const Vec2& half, unsigned k) {
  return {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y};
}
inline Vec3 box_corner(const Vec3& half, unsigned k) {
  return {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
}

}  // namespace cairn
