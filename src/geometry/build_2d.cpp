// From the definition of a 2D shape to its built form.
#include "geometry/geometry_2d.h"

namespace cairn {
namespace {

template <class S>
const S& built(const S& shape, const Path&, Notes&) {
  return shape;
}
ConvexPolygon built(const Polygon& shape, const Path& path, Notes& notes) {
  ConvexPolygon polygon;
  for (const std::size_t i : convex_corners(shape.points, path / "points"))
    polygon.points.push_back(shape.points[i]);
  const std::size_t n = polygon.points.size(), given = shape.points.size();
  if (n < given)
    notes.add(path / "points",
              std::to_string(given - n) + " of " + std::to_string(given) +
                  " repeat a corner or lie on the line of their neighbours and were left out");
  for (std::size_t i = 0; i < n; ++i)
    polygon.normals.push_back(normalized(-perpendicular(polygon.points[(i + 1) % n] - polygon.points[i])));
  return polygon;
}
PolyLine built(const Chain& shape, const Path&, Notes&) { return poly_line(shape); }

// Takes a compound apart into the list, the compounds inside it too.
struct Flattener {
  PartList2& list;
  Notes& notes;
  std::size_t root_length;  // of the text of the whole compound's path

  template <class S>
  void append(const S& shape, const Pose2& pose, const Path& path) {
    list.parts.push_back({pose, built(shape, path, notes), path.text().substr(root_length + 1)});
  }
  void append(const Compound2& compound, const Pose2& pose, const Path& path) {
    const Path parts = path / "parts";
    for (std::size_t i = 0; i < compound.parts.size(); ++i) {
      const CompoundPart2& part = compound.parts[i];
      const Pose2 inner = pose * Pose2{part.position, normalized(part.rotation)};
      const Path item = parts[i], place = item / "shape";
      std::visit([&](const auto& shape) { append(shape, inner, place); }, part.shape);
    }
  }
};

PartList2 built(const Compound2& shape, const Path& path, Notes& notes) {
  PartList2 list;
  Flattener{list, notes, path.text().size()}.append(shape, {}, path);
  return list;
}

}  // namespace

Geometry2 build(const Shape2& shape, const Path& path, Notes& notes) {
  check_value(shape, path, "", k_any);
  return std::visit([&](const auto& s) { return Geometry2{built(s, path, notes)}; }, shape);
}
Geometry2 build(const Shape2& shape, const Path& path) {
  Notes unread;
  return build(shape, path, unread);
}
Geometry2 build(const Shape2& shape) { return build(shape, root_path(shape)); }

Path root_path(const Shape2& shape) {
  return std::visit([]<class S>(const S&) { return Path{nullptr, Fields<S>::name, -1}; }, shape);
}

}  // namespace cairn
