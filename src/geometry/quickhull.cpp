#include "geometry/quickhull.h"

#include <utility>
#include <vector>

#include "base/assert.h"
#include "geometry/predicates.h"

namespace cairn {
namespace {

// Triangle t has half-edges 3t, 3t + 1, 3t + 2 and is counter-clockwise seen from outside. A point strictly
// outside the hull so far waits in the list of one triangle that it sees, that is, whose plane has it
// strictly outside.
//
// Why this cannot go wrong. Seen from a point outside, the triangles it strictly sees project one-to-one onto
// the convex outline of the hull: they form a disc, and their border, the horizon, is a simple cycle. The new
// triangles join the point to the horizon. None is degenerate: a horizon edge belongs to a triangle whose
// plane the point lies strictly outside of, so the point is not on the edge's line. And a waiting point that
// sees none of the new triangles is inside: it is in the apex's cone over the hull, and beyond the hull it
// would be below the triangle it was waiting for. So every point is either taken once or dropped for good,
// and each step ends.
class Quickhull {
 public:
  explicit Quickhull(std::span<const Vec3> points) : points_(points), next_waiting_(points.size(), -1) {}

  FacetMesh build() {
    start(find_simplex(points_).vertices);
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t)  // grows as it runs
      if (triangles_[t].alive && triangles_[t].furthest >= 0) add_furthest_of(t);
    return surface();
  }

 private:
  struct Triangle {
    Vec3 normal;  // not unit, and rounded: only to find the furthest point
    double height = 0;
    int first_waiting = -1;
    int furthest = -1;     // of the waiting points, or −1
    int judged_from = -1;  // the last point that asked whether it sees this triangle …
    bool visible = false;  // … and the answer
    bool alive = true;
  };

  bool sees(int point, int t) const {
    return orient3d(points_[origin_[3 * t]], points_[origin_[3 * t + 1]], points_[origin_[3 * t + 2]],
                    points_[point]) > 0;
  }

  int add_triangle(int a, int b, int c) {
    const Vec3 u = points_[b] - points_[a], v = points_[c] - points_[a];
    triangles_.push_back({.normal = cross(u, v)});
    for (int vertex : {a, b, c}) {
      origin_.push_back(vertex);
      twin_.push_back(-1);
    }
    return static_cast<int>(triangles_.size()) - 1;
  }
  void join(int h, int g) {
    twin_[h] = g;
    twin_[g] = h;
  }

  // Puts the point on the list of the first triangle from `first` on that it sees; otherwise it is inside.
  void place(int point, int first) {
    for (int t = first; t < static_cast<int>(triangles_.size()); ++t) {
      if (!sees(point, t)) continue;
      Triangle& triangle = triangles_[t];
      next_waiting_[point] = std::exchange(triangle.first_waiting, point);
      const double height = dot(triangle.normal, points_[point] - points_[origin_[3 * t]]);
      const bool is_furthest = triangle.furthest < 0 || height > triangle.height ||
                               (height == triangle.height && point < triangle.furthest);
      if (is_furthest) {
        triangle.furthest = point;
        triangle.height = height;
      }
      return;
    }
  }

  void start(std::array<int, 4> v) {
    const int side = orient3d(points_[v[0]], points_[v[1]], points_[v[2]], points_[v[3]]);
    CAIRN_ASSERT(side != 0);
    if (side > 0) std::swap(v[1], v[2]);  // now the fourth is below the first three
    add_triangle(v[0], v[1], v[2]);
    add_triangle(v[1], v[0], v[3]);
    add_triangle(v[2], v[1], v[3]);
    add_triangle(v[0], v[2], v[3]);
    for (int i = 0; i < 3; ++i) {
      join(i, 3 * (i + 1));                              // the base and the three others
      join(3 * (i + 1) + 1, 3 * ((i + 2) % 3 + 1) + 2);  // these among themselves
    }
    for (int p = 0; p < static_cast<int>(points_.size()); ++p)
      if (p != v[0] && p != v[1] && p != v[2] && p != v[3]) place(p, 0);
  }

  void add_furthest_of(int t) {
    const int apex = triangles_[t].furthest;
    find_visible(t, apex);
    const int first_new = static_cast<int>(triangles_.size());
    build_cone(apex);
    for (int dead : visible_) {
      triangles_[dead].alive = false;
      for (int p = triangles_[dead].first_waiting; p >= 0;) {
        const int next = next_waiting_[p];
        if (p != apex) place(p, first_new);
        p = next;
      }
    }
  }

  // All that the apex sees, from one triangle outward: they are connected.
  void find_visible(int seed, int apex) {
    triangles_[seed].judged_from = apex;
    triangles_[seed].visible = true;
    visible_.assign(1, seed);
    for (std::size_t i = 0; i < visible_.size(); ++i) {
      for (int h = 3 * visible_[i]; h < 3 * visible_[i] + 3; ++h) {
        const int across = twin_[h] / 3;
        Triangle& triangle = triangles_[across];
        if (triangle.judged_from == apex) continue;
        triangle.judged_from = apex;
        triangle.visible = sees(apex, across);
        if (triangle.visible) visible_.push_back(across);
      }
    }
  }

  // One triangle from each horizon edge to the apex. The horizon is a simple cycle, so each of its vertices
  // starts one edge: the triangle on that edge is found by its vertex.
  void build_cone(int apex) {
    cone_at_.resize(points_.size());
    const int first_new = static_cast<int>(triangles_.size());
    for (int t : visible_) {
      for (int h = 3 * t; h < 3 * t + 3; ++h) {
        const int outer = twin_[h];
        if (triangles_[outer / 3].visible) continue;  // find_visible() has judged all around
        const int from = origin_[h], to = origin_[h % 3 == 2 ? h - 2 : h + 1];
        const int fresh = add_triangle(from, to, apex);
        join(3 * fresh, outer);
        cone_at_[from] = fresh;
      }
    }
    for (int t = first_new; t < static_cast<int>(triangles_.size()); ++t)
      join(3 * t + 1, 3 * cone_at_[origin_[3 * t + 1]] + 2);
  }

  FacetMesh surface() const {
    FacetMesh mesh;
    std::vector<int> number(triangles_.size(), -1);
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
      if (!triangles_[t].alive) continue;
      number[t] = mesh.facet_count();
      mesh.facet.insert(mesh.facet.end(), 3, number[t]);
      mesh.origin.insert(mesh.origin.end(), origin_.begin() + 3 * t, origin_.begin() + 3 * t + 3);
      mesh.begin.push_back(mesh.half_edge_count());
    }
    for (int h = 0; h < static_cast<int>(origin_.size()); ++h)
      if (triangles_[h / 3].alive) mesh.twin.push_back(3 * number[twin_[h] / 3] + twin_[h] % 3);
    return mesh;
  }

  std::span<const Vec3> points_;
  std::vector<int> next_waiting_;  // of each waiting point, the next on the same list
  std::vector<Triangle> triangles_;
  std::vector<int> origin_, twin_;  // of each half-edge
  std::vector<int> visible_;        // scratch: what the apex sees
  std::vector<int> cone_at_;        // scratch: of each horizon vertex, the new triangle on the edge it starts
};

// The triangles of one plane form one region.
Regions exactly_coplanar(const FacetMesh& mesh, std::span<const Vec3> points) {
  Regions regions{std::vector<int>(mesh.facet_count(), -1)};
  std::vector<int> grown;
  for (int seed = 0; seed < mesh.facet_count(); ++seed) {
    if (regions.of_facet[seed] >= 0) continue;
    const Vec3 &a = points[mesh.origin[3 * seed]], &b = points[mesh.origin[3 * seed + 1]],
               &c = points[mesh.origin[3 * seed + 2]];
    const int region = regions.of_facet[seed] = regions.count++;
    grown.assign(1, seed);
    for (std::size_t i = 0; i < grown.size(); ++i) {
      for (int h = 3 * grown[i]; h < 3 * grown[i] + 3; ++h) {
        const int across = mesh.twin[h];
        int& of_across = regions.of_facet[mesh.facet[across]];
        const int opposite = mesh.origin[mesh.next(mesh.next(across))];
        if (of_across >= 0 || orient3d(a, b, c, points[opposite]) != 0) continue;
        of_across = region;
        grown.push_back(mesh.facet[across]);
      }
    }
  }
  return regions;
}

}  // namespace

Simplex find_simplex(std::span<const Vec3> points) {
  const int count = static_cast<int>(points.size());
  const auto furthest = [&](auto&& distance) {
    int best = 0;
    for (int i = 1; i < count; ++i)
      if (distance(points[i]) > distance(points[best])) best = i;
    return best;
  };
  const int extremes[6] = {
      furthest([](const Vec3& p) { return p.x; }), furthest([](const Vec3& p) { return -p.x; }),
      furthest([](const Vec3& p) { return p.y; }), furthest([](const Vec3& p) { return -p.y; }),
      furthest([](const Vec3& p) { return p.z; }), furthest([](const Vec3& p) { return -p.z; })};
  Simplex simplex{{extremes[0], extremes[1], 0, 0}};
  auto& v = simplex.vertices;
  for (int i : extremes)
    for (int j : extremes)
      if (length_squared(points[i] - points[j]) > length_squared(points[v[0]] - points[v[1]]))
        v[0] = i, v[1] = j;

  const Vec3 &a = points[v[0]], &b = points[v[1]];
  if (a == b) return simplex;
  const Vec3 along = normalized(b - a);
  const auto from_line = [&](const Vec3& p) { return length(cross(along, p - a)); };
  v[2] = furthest(from_line);
  simplex.width = from_line(points[v[2]]);

  const Vec3 normal = unit_normal(a, b, points[v[2]]);
  const auto height = [&](const Vec3& p) { return dot(normal, p - a); };
  const int above = furthest(height), below = furthest([&](const Vec3&p) { return -height(p); });
  simplex.thickness = height(points[above]) - height(points[below]);
  v[3] = height(points[above]) >= -height(points[below]) ? above : below;
  return simplex;
}

FacetMesh exact_hull(std::span<const Vec3> points) {
  const FacetMesh triangles = Quickhull(points).build();
  return coarsened(triangles, exactly_coplanar(triangles, points), static_cast<int>(points.size()));
}

}  // namespace cairn
