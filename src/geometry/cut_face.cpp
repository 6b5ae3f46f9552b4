#include "geometry/cut_face.h"

#include <algorithm>
#include <tuple>

#include "geometry/groups.h"

namespace cairn {
namespace {

using Edge = CutSolid::Edge;
using Edges = std::vector<Edge>;

// Twice the area, positive where the edges run counter-clockwise about the normal.
double area_of(const Edges& edges, std::span<const Vec3> vertices, const Vec3& normal) {
  const Vec3 o = vertices[edges[0].from];
  Vec3 sum;
  for (const Edge& e : edges) sum += cross(vertices[e.from] - o, vertices[e.to] - o);
  return dot(sum, normal);
}

// Does the outline, seen along the normal, run around the point? Counts the edges that cross the half-line from it.
bool surrounds(const Edges& outline, std::span<const Vec3> vertices, const Vec3& normal, const Vec3& point) {
  const Vec3 across = perpendicular(normal), up = cross(normal, across);
  int count = 0;
  for (const Edge& e : outline) {
    const Vec3 a = vertices[e.from] - point, b = vertices[e.to] - point;
    const double ay = dot(up, a), by = dot(up, b);
    if ((ay > 0) == (by > 0)) continue;
    const double side = dot(across, a) * by - ay * dot(across, b);  // where it crosses, times by − ay
    if (by > 0 ? side > 0 : side < 0) count += by > 0 ? 1 : -1;
  }
  return count != 0;
}

// Edges that share vertices, in the order of their first ones.
std::vector<Edges> loops_of(std::span<const Edge> edges) {
  // Vertex numbers are those of the whole solid: count only the ones used here.
  std::vector<std::uint32_t> used;
  for (const Edge& e : edges) used.insert(used.end(), {e.from, e.to});
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  const auto rank = [&](std::uint32_t v) {
    return std::uint32_t(std::lower_bound(used.begin(), used.end(), v) - used.begin());
  };
  Groups groups(used.size());
  for (const Edge& e : edges) groups.join(rank(e.from), rank(e.to));
  std::vector<std::size_t> number(used.size(), used.size());
  std::vector<Edges> loops;
  for (const Edge& e : edges) {
    std::size_t& n = number[groups.find(rank(e.from))];
    if (n == used.size()) {
      n = loops.size();
      loops.emplace_back();
    }
    loops[n].push_back(e);
  }
  return loops;
}

}  // namespace

void cancel_opposite(Edges& edges) {
  struct Use {
    std::uint32_t low, high;
    bool upward;
  };
  std::vector<Use> uses;
  uses.reserve(edges.size());
  for (const auto [a, b] : edges) uses.push_back({std::min(a, b), std::max(a, b), a < b});
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
    return std::tie(a.low, a.high, a.upward) < std::tie(b.low, b.high, b.upward);
  });
  edges.clear();
  for (std::size_t first = 0, next; first < uses.size(); first = next) {
    std::ptrdiff_t upward = 0;
    for (next = first;
         next < uses.size() && uses[next].low == uses[first].low && uses[next].high == uses[first].high;
         ++next)
      upward += uses[next].upward ? 1 : -1;
    for (; upward > 0; --upward) edges.push_back({uses[first].low, uses[first].high});
    for (; upward < 0; ++upward) edges.push_back({uses[first].high, uses[first].low});
  }
}

std::vector<Edges> separate_faces(std::span<const Edge> edges, std::span<const Vec3> vertices,
                                  const Vec3& normal) {
  std::vector<Edges> loops = loops_of(edges);
  if (loops.size() <= 1) return loops;
  std::vector<Edges> faces, holes;
  std::vector<double> areas;
  for (Edges& loop : loops) {
    const double area = area_of(loop, vertices, normal);
    (area < 0 ? holes : faces).push_back(std::move(loop));
    if (area >= 0) areas.push_back(area);
  }
  if (faces.empty()) return holes;
  std::vector<Edges> outlines = faces;
  for (const Edges& hole : holes) {
    // The smallest outline around it. Where rounding hides it, any will do: what matters is that nothing is lost.
    std::size_t best = faces.size(), largest = 0;
    for (std::size_t f = 0; f < faces.size(); ++f) {
      if (areas[f] > areas[largest]) largest = f;
      if ((best == faces.size() || areas[f] < areas[best]) &&
          surrounds(outlines[f], vertices, normal, vertices[hole[0].from]))
        best = f;
    }
    Edges& face = faces[best == faces.size() ? largest : best];
    face.insert(face.end(), hole.begin(), hole.end());
  }
  return faces;
}

}  // namespace cairn
