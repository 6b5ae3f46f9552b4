// From the definition of a 3D shape to its built form.
#include <algorithm>

#include "geometry/direction.h"
#include "geometry/geometry_3d.h"
#include "geometry/hull_3d.h"
#include "geometry/mesh_clean.h"
#include "geometry/mesh_topology.h"
#include "geometry/point_cloud.h"

namespace cairn {
namespace {

template <class S>
const S& built(const S& shape, const Path&, Notes&) {
  return shape;
}
Plane built(const Plane& shape, const Path&, Notes&) {
  return {direction_of(shape.normal).unit, shape.offset};
}

TriangleMesh built(const Mesh& shape, const Path& path, Notes& notes) {
  TriangleMesh mesh = cleaned(shape, path, notes);
  connect(mesh, path, notes);
  std::vector<Bounds3> boxes;
  boxes.reserve(mesh.triangles.size());
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 &a = mesh.vertices[i], &b = mesh.vertices[j], &c = mesh.vertices[k];
    boxes.push_back({smaller(a, smaller(b, c)), larger(a, larger(b, c))});
  }
  mesh.tree = StaticTree(boxes);
  return mesh;
}

HeightGrid built(const HeightField& shape, const Path&, Notes&) {
  const auto [lowest, highest] = std::minmax_element(shape.heights.begin(), shape.heights.end());
  return {shape, *lowest, *highest};
}

// Points inside and points given twice are no matter: a hull is of a set of points. But corners that were merged
// into others, and a hull that is thinner than its own tolerance, may surprise its author.
void note_merging(const Hull& shape, const Polyhedron& hull, const Path& path, Notes& notes) {
  const std::size_t given = hull.exact.vertices.size(), kept = hull.vertices.size();
  if (kept < given)
    notes.add(path / "points", std::to_string(given - kept) + " of " + std::to_string(given) +
                                   " corners stand out by less than " + number_text(hull.merge_distance) +
                                   " m and were left out");
  Bounds3 box{hull.vertices[0], hull.vertices[0]};
  for (const Vec3& v : hull.vertices) box = {smaller(box.lo, v), larger(box.hi, v)};
  const double wanted = shape.merge_tolerance * largest_component(box.hi - box.lo);
  if (hull.merge_distance < k_most_of_thickness * wanted)
    notes.add(path / "merge_tolerance", "of " + number_text(wanted) +
                                            " m is more than the hull is thick; faces within " +
                                            number_text(hull.merge_distance) + " m became one");
}

Polyhedron built(const Hull& shape, const Path& path, Notes& notes) {
  try {
    Polyhedron hull = build_hull(shape.points, {.merge_tolerance = shape.merge_tolerance});
    note_merging(shape, hull, path, notes);
    return hull;
  } catch (const Error& error) {  // names its input "Hull.points": say where that stands
    constexpr std::string_view k_root = Fields<Hull>::name;
    const bool is_ours = error.field().starts_with(k_root);
    throw Error(is_ours ? path.text() + error.field().substr(k_root.size()) : error.field(), error.value(),
                error.remedy());
  }
}

// Takes a compound apart into the list, the compounds inside it too.
struct Flattener {
  PartList3& list;
  Notes& notes;
  std::size_t root_length;  // of the text of the whole compound's path

  template <class S>
  void append(const S& shape, const Pose3& pose, const Path& path) {
    list.parts.push_back({pose, built(shape, path, notes), path.text().substr(root_length + 1)});
  }
  void append(const Compound3& compound, const Pose3& pose, const Path& path) {
    const Path parts = path / "parts";
    for (std::size_t i = 0; i < compound.parts.size(); ++i) {
      const CompoundPart3& part = compound.parts[i];
      const Pose3 inner = pose * Pose3{part.position, normalized(part.rotation)};
      const Path item = parts[i], place = item / "shape";
      std::visit([&](const auto& shape) { append(shape, inner, place); }, part.shape);
    }
  }
};

PartList3 built(const Compound3& shape, const Path& path, Notes& notes) {
  PartList3 list;
  Flattener{list, notes, path.text().size()}.append(shape, {}, path);
  return list;
}

}  // namespace

Geometry3 build(const Shape3& shape, const Path& path, Notes& notes) {
  check_value(shape, path, "", k_any);
  return std::visit([&](const auto& s) { return Geometry3{built(s, path, notes)}; }, shape);
}
Geometry3 build(const Shape3& shape, const Path& path) {
  Notes unread;
  return build(shape, path, unread);
}
Geometry3 build(const Shape3& shape) { return build(shape, root_path(shape)); }

Path root_path(const Shape3& shape) {
  return std::visit([]<class S>(const S&) { return Path{nullptr, Fields<S>::name, -1}; }, shape);
}

}  // namespace cairn
