#include "geometry/core.h"
#include "geometry/direction.h"
#include "geometry/support.h"

namespace cairn {
namespace {

Vec3 furthest(const PartList3&, const Vec3&) { return {}; }
template <class S>
Vec3 furthest(const S& shape, const Vec3& d) {
  const Core3 core = core_of(Piece3(&shape));
  std::uint32_t id = 0;
  return support(core, d, id) + core.radius * direction_of(d).unit;
}

}  // namespace

bool has_support(const Geometry3& shape) {
  return !std::holds_alternative<Plane>(shape.form) && !std::holds_alternative<TriangleMesh>(shape.form) &&
         !std::holds_alternative<HeightGrid>(shape.form) && !std::holds_alternative<PartList3>(shape.form);
}

Vec3 support(const Geometry3& shape, const Vec3& direction) {
  return std::visit([&](const auto& s) { return furthest(s, direction); }, shape.form);
}

}  // namespace cairn
