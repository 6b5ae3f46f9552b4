// From the definition of a 3D shape to its built form.
#include <algorithm>
#include <numeric>

#include "geometry/direction.h"
#include "geometry/geometry_3d.h"
#include "geometry/hull_3d.h"

namespace cairn {
namespace {

// For each vertex the first one at the same place.
std::vector<std::uint32_t> first_at_same_place(const std::vector<Vec3>& vertices) {
  std::vector<std::uint32_t> order(vertices.size()), first(vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Vec3 &p = vertices[a], &q = vertices[b];
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.z != q.z ? p.z < q.z : a < b;
  });
  for (std::size_t k = 0; k < order.size(); ++k)
    first[order[k]] = k > 0 && vertices[order[k]] == vertices[order[k - 1]] ? first[order[k - 1]] : order[k];
  return first;
}

template <class S>
const S& built(const S& shape, const Path&) {
  return shape;
}
Plane built(const Plane& shape, const Path&) { return {direction_of(shape.normal).unit, shape.offset}; }

// Files of loose triangles repeat a corner for each triangle: welding makes their surface one. A triangle
// with two corners at one place has no area, and the edges it leaves behind still fit each other.
TriangleMesh built(const Mesh& shape, const Path& path) {
  constexpr std::uint32_t k_unused = ~0u;
  const std::vector<std::uint32_t> first = first_at_same_place(shape.vertices);
  std::vector<std::uint32_t> place(shape.vertices.size(), k_unused);
  TriangleMesh mesh;
  for (const Triangle& t : shape.triangles) {
    const Triangle welded{first[t[0]], first[t[1]], first[t[2]]};
    if (welded[0] == welded[1] || welded[1] == welded[2] || welded[2] == welded[0]) continue;
    Triangle& out = mesh.triangles.emplace_back();
    for (int k = 0; k < 3; ++k) {
      std::uint32_t& p = place[welded[k]];
      if (p == k_unused) {
        p = std::uint32_t(mesh.vertices.size());
        mesh.vertices.push_back(shape.vertices[welded[k]]);
      }
      out[k] = p;
    }
  }
  if (mesh.triangles.empty())
    detail::refuse(path / "triangles", std::to_string(shape.triangles.size()) + " triangles",
                   "must have one with three corners at different places");
  mesh.box = {mesh.vertices[0], mesh.vertices[0]};
  for (const Vec3& v : mesh.vertices) mesh.box = {smaller(mesh.box.lo, v), larger(mesh.box.hi, v)};
  return mesh;
}

HeightGrid built(const HeightField& shape, const Path&) {
  const auto [lowest, highest] = std::minmax_element(shape.heights.begin(), shape.heights.end());
  return {shape, *lowest, *highest};
}

Polyhedron built(const Hull& shape, const Path& path) {
  try {
    return build_hull(shape.points, {.merge_tolerance = shape.merge_tolerance});
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
  std::size_t root_length;  // of the text of the whole compound's path

  template <class S>
  void append(const S& shape, const Pose3& pose, const Path& path) {
    list.parts.push_back({pose, built(shape, path), path.text().substr(root_length + 1)});
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

PartList3 built(const Compound3& shape, const Path& path) {
  PartList3 list;
  Flattener{list, path.text().size()}.append(shape, {}, path);
  return list;
}

}  // namespace

Geometry3 build(const Shape3& shape, const Path& path) {
  check_value(shape, path, "", k_any);
  return std::visit([&](const auto& s) { return Geometry3{built(s, path)}; }, shape);
}
Geometry3 build(const Shape3& shape) { return build(shape, root_path(shape)); }

Path root_path(const Shape3& shape) {
  return std::visit([]<class S>(const S&) { return Path{nullptr, Fields<S>::name, -1}; }, shape);
}

}  // namespace cairn
