// edges (sorted sides of triangles) → neighbours → trustworthy normals → kinds of edges → flat regions
#include "geometry/mesh_topology.h"

#include <algorithm>
#include <limits>

#include "geometry/buckets.h"
#include "geometry/direction.h"

namespace cairn {
namespace {

constexpr std::uint32_t k_none = TriangleMesh::k_no_triangle;
// Normals that rounding of the coordinates may turn further than this are taken from a neighbour [rad].
constexpr double k_sure_normal = 1e-7;

// One side of one triangle.
struct Side {
  std::uint32_t lo, hi;  // its ends, the smaller index first
  std::uint32_t triangle;
  std::uint8_t edge;  // of the triangle
  bool forward;       // from lo to hi?
};

// Sorted by their ends; those of one edge stand together, in the order of the triangles.
std::vector<Side> sorted_sides(const TriangleMesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), t, std::uint8_t(k), a < b});
    }
  sort_by_buckets(
      sides, mesh.vertices.size(), [](const Side& s) { return s.lo; },
      [](const Side& a, const Side& b) { return a.hi != b.hi ? a.hi < b.hi : a.triangle < b.triangle; });
  return sides;
}

struct EdgeCount {
  std::size_t count = 0;
  std::uint32_t lo = 0, hi = 0;  // the ends of the first one

  void add(const Side& side) {
    if (count++ == 0) lo = side.lo, hi = side.hi;
  }
};
struct Faults {
  EdgeCount open, crowded, twisted;
  bool balanced = true;  // is every edge used as often one way as the other?
};

class Connector {
 public:
  explicit Connector(TriangleMesh& mesh) : mesh_(mesh), doubt_(mesh.triangles.size()) {}

  Faults run() {
    const std::size_t n = mesh_.triangles.size();
    mesh_.neighbours.assign(n, {k_none, k_none, k_none});
    mesh_.rims.assign(n, {});
    set_normals();
    const std::vector<Side> sides = sorted_sides(mesh_);
    Faults faults;
    for (std::size_t first = 0, next; first < sides.size(); first = next) {
      for (next = first + 1;
           next < sides.size() && sides[next].lo == sides[first].lo && sides[next].hi == sides[first].hi;)
        ++next;
      join(std::span(sides).subspan(first, next - first), faults);
    }
    mesh_.closed = faults.balanced;
    borrow_normals();
    set_kinds();
    set_bearing();
    set_regions();
    return faults;
  }

 private:
  // The doubt is how far rounding of the coordinates may turn the normal [rad]: 4 ulp over the height.
  void set_normals() {
    double largest = 0;
    for (const Vec3& v : mesh_.vertices) largest = larger(largest, largest_component(v));
    mesh_.normals.reserve(mesh_.triangles.size());
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      const auto [i, j, k] = mesh_.triangles[t];
      const Vec3 ab = mesh_.vertices[j] - mesh_.vertices[i], ac = mesh_.vertices[k] - mesh_.vertices[i];
      const double scale = larger(largest_component(ab), largest_component(ac));
      const Vec3 area = cross(ab / scale, ac / scale);
      const double longest =
          larger(length(ab / scale), larger(length(ac / scale), length((ac - ab) / scale)));
      const auto [normal, size] = direction_of(area);
      mesh_.normals.push_back(normal);
      doubt_[t] = 4 * std::numeric_limits<double>::epsilon() * (largest / scale) * longest / size;
    }
  }

  // Of an edge with more than two triangles, each has as its neighbour the first that is met on the way round the
  // edge from its front.
  void join(std::span<const Side> sides, Faults& faults) {
    std::ptrdiff_t balance = 0;
    for (const Side& s : sides) balance += s.forward ? 1 : -1;
    if (balance != 0) faults.balanced = false;
    if (sides.size() == 1) return faults.open.add(sides[0]);
    if (sides.size() == 2) {
      for (int k : {0, 1}) mesh_.neighbours[sides[k].triangle][sides[k].edge] = sides[1 - k].triangle;
      if (balance != 0) faults.twisted.add(sides[0]);
      return;
    }
    faults.crowded.add(sides[0]);
    const Vec3 axis = direction_of(mesh_.vertices[sides[0].hi] - mesh_.vertices[sides[0].lo]).unit;
    const auto inward = [&](const Side& s) {  // in the triangle's plane, across the edge
      const Vec3& n = mesh_.normals[s.triangle];
      return s.forward ? cross(n, axis) : cross(axis, n);
    };
    for (const Side& s : sides) {
      double least = k_infinite_turn;
      for (const Side& other : sides) {
        if (&other == &s) continue;
        const Vec3 way = inward(other);
        double turn = portable::atan2(dot(way, mesh_.normals[s.triangle]), dot(way, inward(s)));
        if (turn <= k_flat_angle) turn += 2 * k_pi;
        if (turn >= least) continue;
        least = turn;
        mesh_.neighbours[s.triangle][s.edge] = other.triangle;
      }
      mesh_.rims[s.triangle].bits |= std::uint16_t(1 << (6 + s.edge));
    }
  }
  static constexpr double k_infinite_turn = 100;

  // A sliver's direction is mostly rounding. If the surest neighbour's lies within the doubt, take that. The
  // surest slivers come first, so that one behind the other gets its normal handed on.
  void borrow_normals() {
    std::vector<std::uint32_t> unsure;
    for (std::uint32_t t = 0; t < doubt_.size(); ++t)
      if (doubt_[t] > k_sure_normal) unsure.push_back(t);
    std::sort(unsure.begin(), unsure.end(), [&](std::uint32_t a, std::uint32_t b) {
      return doubt_[a] != doubt_[b] ? doubt_[a] < doubt_[b] : a < b;
    });
    for (const std::uint32_t t : unsure) {
      int best = -1;
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t other = mesh_.neighbours[t][k];
        if (other == k_none || doubt_[other] >= doubt_[t]) continue;
        if (best < 0 || doubt_[other] < doubt_[mesh_.neighbours[t][best]]) best = k;
      }
      if (best < 0) continue;
      const Vec3 normal = normal_across(mesh_, t, best);
      if (length(normal - mesh_.normals[t]) > 2 * doubt_[t]) continue;
      mesh_.normals[t] = normal;
      doubt_[t] = doubt_[mesh_.neighbours[t][best]];
    }
  }

  // For an edge along e, with the triangle on its left, (n × n') · e > 0 where the surface turns away.
  EdgeKind kind_of(std::uint32_t t, int k) const {
    const std::uint32_t other = mesh_.neighbours[t][k];
    if (other == k_none) return EdgeKind::open;
    const Triangle& corners = mesh_.triangles[t];
    const Vec3 along = direction_of(mesh_.vertices[corners[(k + 1) % 3]] - mesh_.vertices[corners[k]]).unit;
    const Vec3 &n = mesh_.normals[t], beyond = normal_across(mesh_, t, k);
    const double turn = dot(cross(n, beyond), along), flat = k_flat_angle + doubt_[t] + doubt_[other];
    const bool is_folded = dot(n, beyond) < 0;
    if (absolute(turn) <= flat) return is_folded ? EdgeKind::convex : EdgeKind::flat;
    return turn > 0 ? EdgeKind::convex : EdgeKind::concave;
  }
  void set_kinds() {
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) mesh_.rims[t].bits |= std::uint16_t(int(kind_of(t, k)) << 2 * k);
  }

  // On a sheet, what is sunk on one side sticks out on the other.
  void set_bearing() {
    std::vector<bool> bears(mesh_.vertices.size());
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) {
        const EdgeKind kind = mesh_.rims[t].kind(k);
        if (kind == EdgeKind::flat || (kind == EdgeKind::concave && mesh_.closed)) continue;
        bears[mesh_.triangles[t][k]] = bears[mesh_.triangles[t][(k + 1) % 3]] = true;
      }
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k)
        if (bears[mesh_.triangles[t][k]]) mesh_.rims[t].bits |= std::uint16_t(1 << (9 + k));
  }

  void set_regions() {
    mesh_.regions.assign(mesh_.triangles.size(), k_none);
    std::vector<std::uint32_t> todo;
    for (std::uint32_t first = 0; first < mesh_.triangles.size(); ++first) {
      if (mesh_.regions[first] != k_none) continue;
      mesh_.regions[first] = first;
      todo.assign(1, first);
      while (!todo.empty()) {
        const std::uint32_t t = todo.back();
        todo.pop_back();
        for (int k = 0; k < 3; ++k) {
          const std::uint32_t next = mesh_.neighbours[t][k];
          if (next == k_none || mesh_.regions[next] != k_none || mesh_.rims[t].kind(k) != EdgeKind::flat)
            continue;
          if (length(mesh_.normals[next] - mesh_.normals[first]) > k_region_angle) continue;
          mesh_.regions[next] = first;
          todo.push_back(next);
        }
      }
    }
  }

  TriangleMesh& mesh_;
  std::vector<double> doubt_;  // [rad] of each normal
};

std::string text_of(const TriangleMesh& mesh, const EdgeCount& edges) {
  return (edges.count == 1 ? "1 edge" : std::to_string(edges.count) + " edges") + ", such as the one from " +
         to_text(mesh.vertices[edges.lo]) + " to " + to_text(mesh.vertices[edges.hi]);
}

}  // namespace

Vec3 normal_across(const TriangleMesh& mesh, std::uint32_t triangle, int edge) {
  const Triangle &t = mesh.triangles[triangle], &other = mesh.triangles[mesh.neighbours[triangle][edge]];
  const int from = corner_of(other, t[edge]);
  const bool same_way = other[(from + 1) % 3] == t[(edge + 1) % 3];
  const Vec3& normal = mesh.normals[mesh.neighbours[triangle][edge]];
  return same_way ? -normal : normal;
}

void connect(TriangleMesh& mesh, const Path& path, Notes& notes) {
  const Faults faults = Connector(mesh).run();
  const Path list = path / "triangles";
  if (faults.open.count > 0)
    notes.add(list, "the surface is open at " + text_of(mesh, faults.open) +
                        "; it counts as a sheet with two sides");
  if (faults.crowded.count > 0)
    notes.add(list, "more than two triangles meet at " + text_of(mesh, faults.crowded));
  if (faults.twisted.count > 0)
    notes.add(list, "two triangles face opposite ways at " + text_of(mesh, faults.twisted) +
                        "; it counts as a sheet with two sides");
}

}  // namespace cairn
