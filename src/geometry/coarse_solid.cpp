#include "geometry/coarse_solid.h"

#include <algorithm>

#include "geometry/direction.h"

namespace cairn {
namespace {

// For each vertex the first one in its cell.
std::vector<std::uint32_t> representatives(const std::vector<Vec3>& vertices, int cells) {
  Bounds3 box{vertices[0], vertices[0]};
  for (const Vec3& v : vertices) box = {smaller(box.lo, v), larger(box.hi, v)};
  const double extent = largest_component(box.hi - box.lo);
  const double per_length = extent > 0 ? cells / extent : 0;
  struct Key {
    std::uint64_t cell;
    std::uint32_t vertex;
  };
  std::vector<Key> keys;
  keys.reserve(vertices.size());
  const auto side = std::uint64_t(cells) + 1;
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    const Vec3 p = per_length * (vertices[v] - box.lo);
    keys.push_back({(std::uint64_t(p.z) * side + std::uint64_t(p.y)) * side + std::uint64_t(p.x), v});
  }
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return a.cell != b.cell ? a.cell < b.cell : a.vertex < b.vertex;
  });
  std::vector<std::uint32_t> first(vertices.size());
  for (std::size_t k = 0; k < keys.size(); ++k)
    first[keys[k].vertex] =
        k > 0 && keys[k].cell == keys[k - 1].cell ? first[keys[k - 1].vertex] : keys[k].vertex;
  return first;
}

}  // namespace

CutSolid coarsened(const CutSolid& solid, int cells) {
  constexpr std::uint32_t k_unused = ~std::uint32_t(0);
  const std::vector<std::uint32_t> first = representatives(solid.vertices, cells);
  std::vector<std::uint32_t> place(solid.vertices.size(), k_unused);
  CutSolid out;
  const auto kept = [&](std::uint32_t v) {
    if (place[v] == k_unused) {
      place[v] = std::uint32_t(out.vertices.size());
      out.vertices.push_back(solid.vertices[v]);
    }
    return place[v];
  };
  std::vector<CutSolid::Edge> edges;
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    edges.clear();
    for (std::size_t e = solid.faces[f].begin; e < solid.end_of(f); ++e) {
      const std::uint32_t from = first[solid.edges[e].from], to = first[solid.edges[e].to];
      if (from != to) edges.push_back({from, to});
    }
    if (edges.size() < 3) continue;  // nothing, or one edge there and back
    out.faces.push_back({solid.faces[f].normal, std::uint32_t(out.edges.size()), solid.faces[f].is_cut});
    for (const auto& [from, to] : edges) {
      const std::uint32_t a = kept(from);
      out.edges.push_back({a, kept(to)});
    }
  }
  return out;
}

}  // namespace cairn
