#include "narrowphase/collide_3d/surface_side.h"

#include "geometry/mesh_topology.h"

namespace cairn {
namespace {

constexpr std::uint32_t k_none = TriangleMesh::k_no_triangle;
constexpr int k_most_steps = 64;

// Where in a triangle its point nearest to another is: inside, on edge k, or at corner k.
struct NearestPart {
  enum Kind { inside, edge, corner } kind;
  std::size_t part;
  Vec3 point;
  double distance_squared;  // [m²]
};
NearestPart nearest_part(const TriangleMesh& mesh, std::uint32_t triangle, const Vec3& p) {
  const Triangle& t = mesh.triangles[triangle];
  const Vec3 c[3] = {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]},
             &normal = mesh.normals[triangle];
  const auto found = [&](NearestPart::Kind kind, std::size_t part, const Vec3& at) {
    return NearestPart{kind, part, at, length_squared(p - at)};
  };
  bool is_inside = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 along = c[(k + 1) % 3] - c[k];
    if (dot(cross(normal, along), p - c[k]) >= 0) continue;
    is_inside = false;
    const double share = dot(along, p - c[k]) / dot(along, along);
    if (share > 0 && share < 1) return found(NearestPart::edge, k, c[k] + share * along);
  }
  if (is_inside) return found(NearestPart::inside, 0, p - dot(normal, p - c[0]) * normal);
  std::size_t best = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (length_squared(p - c[k]) < length_squared(p - c[best])) best = k;
  return found(NearestPart::corner, best, c[best]);
}

}  // namespace

bool is_behind(const TriangleMesh& mesh, std::uint32_t triangle, const Vec3& point) {
  NearestPart at = nearest_part(mesh, triangle, point);
  bool reversed = false;  // does the triangle that the search has come to face the other way?
  for (int step = 0; step < k_most_steps && at.kind != NearestPart::inside; ++step) {
    const std::size_t edges[2] = {at.part, at.kind == NearestPart::edge ? at.part : (at.part + 2) % 3};
    bool has_moved = false;
    for (const std::size_t edge : edges) {
      const std::uint32_t next = mesh.neighbours[triangle][edge];
      if (next == k_none || has_moved) continue;
      const NearestPart there = nearest_part(mesh, next, point);
      if (!(there.distance_squared < at.distance_squared)) continue;
      reversed ^= dot(normal_across(mesh, triangle, int(edge)), mesh.normals[next]) < 0;
      at = there;
      triangle = next;
      has_moved = true;
    }
    if (!has_moved) break;
  }
  Vec3 normal = mesh.normals[triangle];
  const auto add_across = [&](std::size_t edge) {
    normal += mesh.neighbours[triangle][edge] == k_none ? mesh.normals[triangle]
                                                        : normal_across(mesh, triangle, int(edge));
  };
  if (at.kind != NearestPart::inside) add_across(at.part);
  if (at.kind == NearestPart::corner) add_across((at.part + 2) % 3);
  return (dot(normal, point - at.point) < 0) != reversed;
}

}  // namespace cairn
