#include "geometry/mesh_clean.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "geometry/buckets.h"
#include "geometry/direction.h"

namespace cairn {
namespace {

constexpr double k_round_off = 16 * std::numeric_limits<double>::epsilon();  // of the largest coordinate

// ------------------------------------------------------------------------------------------------- vertices

// A cell of a lattice some thousand times wider than the distance of what is to be welded: so hardly any vertex
// is near to the wall of its cell.
struct Cell {
  std::int64_t x, y, z;
  friend constexpr auto operator<=>(const Cell&, const Cell&) = default;
};

class Welder {
 public:
  Welder(const std::vector<Vec3>& vertices, double distance)
      : vertices_(vertices),
        distance_(distance),
        width_(4096 * distance),
        buckets_(vertices.size() / 2 + 1),
        first_(vertices.size()) {}

  // For each vertex the first one at its place.
  std::vector<std::uint32_t> run() {
    std::iota(first_.begin(), first_.end(), 0u);
    if (distance_ == 0) return std::vector<std::uint32_t>(first_.size(), 0);  // all are at the origin
    for (std::uint32_t v = 0; v < vertices_.size(); ++v) order_.push_back({cell_of(vertices_[v]), v});
    const auto bucket = [&](const Entry& e) { return bucket_of(e.cell); };
    sort_by_buckets(order_, buckets_, bucket, [](const Entry& a, const Entry& b) {
      return a.cell != b.cell ? a.cell < b.cell : a.vertex < b.vertex;
    });
    begin_.assign(buckets_ + 1, 0);
    for (const Entry& e : order_) ++begin_[bucket_of(e.cell) + 1];
    for (std::size_t k = 0; k < buckets_; ++k) begin_[k + 1] += begin_[k];

    for (std::size_t begin = 0, end; begin < order_.size(); begin = end) {
      for (end = begin + 1; end < order_.size() && order_[end].cell == order_[begin].cell;) ++end;
      for (std::size_t k = begin; k < end; ++k) weld(order_[k].vertex, begin, k);
    }
    for (std::uint32_t v = 0; v < first_.size(); ++v) weld_across_walls(v);
    for (std::uint32_t v = 0; v < first_.size(); ++v) first_[v] = root(v);
    return std::move(first_);
  }

 private:
  struct Entry {
    Cell cell;
    std::uint32_t vertex;
  };

  Cell cell_of(const Vec3& v) const {
    constexpr double k_far = 4e18;  // of vertices far away, which no triangle uses
    const auto number = [&](double x) { return std::int64_t(clamp(std::floor(x / width_), -k_far, k_far)); };
    return {number(v.x), number(v.y), number(v.z)};
  }
  std::size_t bucket_of(
      const Cell& c) const {  // spreads by the odd multipliers of a common hash (Steele 2014)
    std::uint64_t h = std::uint64_t(c.x) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29) + std::uint64_t(c.y) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 32) + std::uint64_t(c.z) * 0x94d049bb133111ebu;
    return std::size_t((h ^ h >> 31) % buckets_);
  }
  std::uint32_t root(std::uint32_t v) const {
    while (first_[v] != v) v = first_[v];
    return v;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t p = root(a), q = root(b);
    first_[std::max(p, q)] = std::min(p, q);
  }
  bool is_near(std::uint32_t a, std::uint32_t b) const {
    return largest_component(vertices_[a] - vertices_[b]) <= distance_;
  }
  // To the places found before it in its cell.
  void weld(std::uint32_t v, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t other = order_[k].vertex;
      if (first_[other] == other && is_near(v, other)) return join(v, other);
    }
  }
  void weld_across_walls(std::uint32_t v) {
    const Vec3 p = vertices_[v], d{distance_, distance_, distance_};
    const Cell own = cell_of(p);
    if (cell_of(p - d) == own && cell_of(p + d) == own) return;
    for (int corner = 0; corner < 8; ++corner) {
      const Cell cell =
          cell_of(p + Vec3{corner & 1 ? distance_ : -distance_, corner & 2 ? distance_ : -distance_,
                           corner & 4 ? distance_ : -distance_});
      if (cell == own) continue;
      const std::size_t bucket = bucket_of(cell);
      for (std::size_t k = begin_[bucket]; k < begin_[bucket + 1]; ++k)
        if (order_[k].cell == cell && is_near(v, order_[k].vertex)) join(v, order_[k].vertex);
    }
  }

  const std::vector<Vec3>& vertices_;
  double distance_, width_;  // [m]
  std::size_t buckets_;
  std::vector<Entry> order_;        // by bucket, cell and vertex
  std::vector<std::size_t> begin_;  // of each bucket in the order
  std::vector<std::uint32_t> first_;
};

// ------------------------------------------------------------------------------------------------ triangles

struct Heights {
  double least;   // [m] the height over the longest side
  int long_side;  // from this corner to the next one
};
Heights heights_of(const std::vector<Vec3>& vertices, const Triangle& t) {
  double lengths[3];
  for (int k = 0; k < 3; ++k) lengths[k] = direction_of(vertices[t[(k + 1) % 3]] - vertices[t[k]]).length;
  const int k = lengths[0] >= lengths[1] && lengths[0] >= lengths[2] ? 0 : lengths[1] >= lengths[2] ? 1 : 2;
  const Vec3 base = direction_of(vertices[t[(k + 1) % 3]] - vertices[t[k]]).unit,
             side = vertices[t[(k + 2) % 3]] - vertices[t[k]];
  return {direction_of(cross(base, side)).length, k};
}
bool has_two_corners_at_one_place(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

// Takes triangles without a height out of a surface without tearing it. Triangle abc has b on the side ac:
//
//          d                    d
//        /   \                / | \        the neighbour a c d and the flat a b c
//      a───b───c            a───b───c      become a b d and b c d
//
// A neighbour that is flat itself may get an area by another one's help: hence some rounds.
class Flattener {
 public:
  Flattener(const std::vector<Vec3>& vertices, std::vector<Triangle>& triangles, double round_off)
      : vertices_(vertices), triangles_(triangles), round_off_(round_off) {}

  // Returns how many triangles were flat.
  std::size_t run() {
    std::vector<std::uint32_t> flat;
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      if (is_flat(t)) flat.push_back(t);
    const std::size_t count = flat.size();
    for (int round = 0; round < k_rounds && !flat.empty(); ++round) flat = mend(flat);
    std::erase_if(triangles_, has_two_corners_at_one_place);
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      if (is_flat(t)) triangles_[t][1] = triangles_[t][0];
    std::erase_if(triangles_, has_two_corners_at_one_place);
    return count;
  }

 private:
  static constexpr int k_rounds = 16;
  struct Side {
    std::uint32_t from, to, triangle;
  };

  bool is_flat(std::uint32_t t) const {
    return !has_two_corners_at_one_place(triangles_[t]) &&
           heights_of(vertices_, triangles_[t]).least <= round_off_;
  }

  // Mends what it can in one round, each triangle once; returns what is still flat.
  std::vector<std::uint32_t> mend(const std::vector<std::uint32_t>& flat) {
    std::vector<Side> sides;
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      for (int k = 0; k < 3; ++k) sides.push_back({triangles_[t][k], triangles_[t][(k + 1) % 3], t});
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
      return std::tie(a.from, a.to, a.triangle) < std::tie(b.from, b.to, b.triangle);
    });
    std::vector<bool> is_changed(triangles_.size());
    std::vector<std::uint32_t> touched;
    for (const std::uint32_t t : flat) {
      if (is_changed[t]) continue;
      const int k = heights_of(vertices_, triangles_[t]).long_side;
      const std::uint32_t c = triangles_[t][k], a = triangles_[t][(k + 1) % 3],
                          b = triangles_[t][(k + 2) % 3];
      touched.push_back(t);
      const auto at = std::lower_bound(
          sides.begin(), sides.end(), Side{a, c, 0},
          [](const Side& p, const Side& q) { return std::tie(p.from, p.to) < std::tie(q.from, q.to); });
      const bool has_neighbour = at != sides.end() && at->from == a && at->to == c;
      if (!has_neighbour) {  // at a rim, which now goes a b c
        triangles_[t] = {a, a, a};
        is_changed[t] = true;
        continue;
      }
      const std::uint32_t other = at->triangle;
      if (is_changed[other] || is_flat(other)) continue;
      const Triangle& o = triangles_[other];
      const std::uint32_t d = o[0] != a && o[0] != c ? o[0] : o[1] != a && o[1] != c ? o[1] : o[2];
      triangles_[t] = {b, c, d};
      triangles_[other] = {a, b, d};
      is_changed[t] = is_changed[other] = true;
      touched.push_back(other);
    }
    std::erase_if(touched, [&](std::uint32_t t) { return !is_flat(t); });
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    return touched;
  }

  const std::vector<Vec3>& vertices_;
  std::vector<Triangle>& triangles_;
  double round_off_;  // [m]
};

// Keeps the first of triangles with the same corners in the same sense.
TriangleMesh::Repeats drop_repeated(const std::vector<Vec3>& vertices, std::vector<Triangle>& triangles) {
  struct Key {
    Triangle corners;  // turned so that the smallest comes first
    std::uint32_t index;
  };
  std::vector<Key> keys;
  keys.reserve(triangles.size());
  for (Triangle t : triangles) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    keys.push_back({t, std::uint32_t(keys.size())});
  }
  sort_by_buckets(
      keys, vertices.size(), [](const Key& k) { return k.corners[0]; },
      [](const Key& a, const Key& b) { return std::tie(a.corners, a.index) < std::tie(b.corners, b.index); });
  TriangleMesh::Repeats repeats;
  std::uint32_t lowest = ~0u;
  for (std::size_t k = 1; k < keys.size(); ++k) {
    if (keys[k].corners != keys[k - 1].corners) continue;
    ++repeats.count;
    Triangle& t = triangles[keys[k].index];
    if (keys[k].index < lowest) {
      lowest = keys[k].index;
      repeats.corners = {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
    }
    t = {};
  }
  if (repeats.count > 0) std::erase_if(triangles, has_two_corners_at_one_place);
  return repeats;
}

// Numbers the vertices anew, in the order in which the triangles name them.
void set_used_vertices(TriangleMesh& mesh, const std::vector<Vec3>& given) {
  constexpr std::uint32_t k_unused = ~0u;
  std::vector<std::uint32_t> place(given.size(), k_unused);
  for (Triangle& t : mesh.triangles)
    for (std::uint32_t& corner : t) {
      std::uint32_t& p = place[corner];
      if (p == k_unused) {
        p = std::uint32_t(mesh.vertices.size());
        mesh.vertices.push_back(given[corner]);
      }
      corner = p;
    }
  mesh.box = {mesh.vertices[0], mesh.vertices[0]};
  for (const Vec3& v : mesh.vertices) mesh.box = {smaller(mesh.box.lo, v), larger(mesh.box.hi, v)};
}

std::string part_text(std::size_t some, std::size_t all, std::string_view rest) {
  return std::to_string(some) + " of " + std::to_string(all) + " " + std::string(rest);
}

}  // namespace

TriangleMesh cleaned(const Mesh& shape, const Path& path, Notes& notes) {
  const std::size_t all = shape.triangles.size();
  const Path list = path / "triangles";
  double largest = 0;
  std::vector<bool> is_used(shape.vertices.size());
  for (const Triangle& t : shape.triangles)
    for (const std::uint32_t v : t) {
      is_used[v] = true;
      largest = larger(largest, largest_component(shape.vertices[v]));
    }
  const double round_off = k_round_off * largest;
  const std::vector<std::uint32_t> first = Welder(shape.vertices, round_off).run();
  TriangleMesh mesh;
  for (const Triangle& t : shape.triangles) {
    const Triangle welded{first[t[0]], first[t[1]], first[t[2]]};
    if (!has_two_corners_at_one_place(welded)) mesh.triangles.push_back(welded);
  }
  if (mesh.triangles.empty())
    detail::refuse(list, std::to_string(all) + " triangles",
                   "must have one with three corners at different places");
  const std::size_t collapsed = all - mesh.triangles.size();
  const std::size_t flat = Flattener(shape.vertices, mesh.triangles, round_off).run();
  if (mesh.triangles.empty())
    detail::refuse(list, std::to_string(all) + " triangles",
                   "must have one with an area: the corners of each lie on a line");
  mesh.repeats = drop_repeated(shape.vertices, mesh.triangles);
  set_used_vertices(mesh, shape.vertices);

  std::size_t unused = 0, welded = 0;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
    unused += !is_used[v];
    welded += is_used[v] && first[v] != v;
  }
  const std::size_t vertices = shape.vertices.size();
  if (welded > 0)
    notes.add(path / "vertices",
              part_text(welded, vertices, "are at the place of others and were welded to them"));
  if (unused > 0)
    notes.add(path / "vertices", part_text(unused, vertices, "belong to no triangle and were left out"));
  if (flat + collapsed > 0)
    notes.add(list, part_text(flat + collapsed, all, "have no area and were left out"));
  if (mesh.repeats.count > 0)
    notes.add(list, part_text(mesh.repeats.count, all, "repeat others and were left out"));
  return mesh;
}

}  // namespace cairn
