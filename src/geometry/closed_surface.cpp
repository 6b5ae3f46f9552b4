#include "geometry/closed_surface.h"

#include <algorithm>
#include <tuple>

namespace cairn {
namespace {

// One side of one triangle.
struct EdgeUse {
  std::uint32_t lo, hi;  // its ends, the smaller index first
  bool forward;          // from lo to hi?
};

// An edge whose two directions do not balance.
struct LooseEdge {
  std::uint32_t from, to;   // in the direction that is used more
  std::size_t there, back;  // uses in this direction, in the other one
  bool is_rim() const { return there == 1 && back == 0; }
};

std::vector<LooseEdge> loose_edges(const TriangleMesh& mesh) {
  std::vector<EdgeUse> uses;
  uses.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      uses.push_back({std::min(a, b), std::max(a, b), a < b});
    }
  std::sort(uses.begin(), uses.end(),
            [](const EdgeUse& a, const EdgeUse& b) { return std::tie(a.lo, a.hi) < std::tie(b.lo, b.hi); });
  std::vector<LooseEdge> loose;
  for (std::size_t first = 0, next; first < uses.size(); first = next) {
    std::size_t forward = 0;
    for (next = first;
         next < uses.size() && uses[next].lo == uses[first].lo && uses[next].hi == uses[first].hi; ++next)
      forward += uses[next].forward;
    const std::size_t backward = next - first - forward;
    if (forward > backward) loose.push_back({uses[first].lo, uses[first].hi, forward, backward});
    if (forward < backward) loose.push_back({uses[first].hi, uses[first].lo, backward, forward});
  }
  return loose;
}

std::string edge_text(const TriangleMesh& mesh, const LooseEdge& edge) {
  return "from " + to_text(mesh.vertices[edge.from]) + " to " + to_text(mesh.vertices[edge.to]);
}
std::string edges_text(std::size_t n) { return n == 1 ? "1 edge" : std::to_string(n) + " edges"; }

}  // namespace

bool is_closed(const TriangleMesh& mesh) { return mesh.closed; }

void check_closed(const TriangleMesh& mesh, const Path& path) {
  const Path list = path / "triangles";
  const std::string count = std::to_string(mesh.triangles.size() + mesh.repeats.count) + " triangles";
  const std::vector<LooseEdge> loose = loose_edges(mesh);
  const auto rims =
      std::size_t(std::count_if(loose.begin(), loose.end(), [](const auto& e) { return e.is_rim(); }));
  if (rims > 0) {
    const auto edge = std::find_if(loose.begin(), loose.end(), [](const auto& e) { return e.is_rim(); });
    detail::refuse(list, count,
                   "leave the surface open at " + edges_text(rims) +
                       " with only one triangle, such as the one " + edge_text(mesh, *edge) +
                       "; close the surface to give it a volume, or give it no density");
  }
  if (!loose.empty()) {
    const LooseEdge& edge = loose.front();
    detail::refuse(
        list, count,
        "use " + edges_text(loose.size()) + " more often one way than the other, such as the one " +
            edge_text(mesh, edge) + ", " + std::to_string(edge.there) + " times and " +
            std::to_string(edge.back) +
            " times back; list the corners of every triangle counter-clockwise seen from outside, and "
            "let two triangles meet at an edge");
  }
  if (mesh.repeats.count > 0) {
    const auto& [a, b, c] = mesh.repeats.corners;
    detail::refuse(list, count,
                   "have the one with the corners " + to_text(a) + ", " + to_text(b) + ", " + to_text(c) +
                       " more than once; remove the copies");
  }
}

}  // namespace cairn
