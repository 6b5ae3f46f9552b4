#include "geometry/core.h"
#include "geometry/direction.h"
#include "geometry/support.h"

namespace cairn {
namespace {

Vec2 furthest(const PartList2&, const Vec2&) { return {}; }
template <class S>
Vec2 furthest(const S& shape, const Vec2& d) {
  const Core2 core = core_of(Piece2(&shape));
  std::uint32_t id = 0;
  return support(core, d, id) + core.radius * direction_of(d).unit;
}

}  // namespace

bool has_support(const Geometry2& shape) {
  return !std::holds_alternative<PolyLine>(shape.form) && !std::holds_alternative<PartList2>(shape.form);
}

Vec2 support(const Geometry2& shape, const Vec2& direction) {
  return std::visit([&](const auto& s) { return furthest(s, direction); }, shape.form);
}

}  // namespace cairn
