// Rays against triangle meshes: every triangle is asked, if the ray comes near the mesh's box.
#include "geometry/ray_surface.h"

namespace cairn {

std::optional<RayHit3> cast_surface(const TriangleMesh& mesh, const Ray3& ray) {
  const Vec3 half = 0.5 * (mesh.box.hi - mesh.box.lo), middle = mesh.box.lo + half;
  const Line3 line = line_of(ray, middle);
  const double slack = k_box_slack * (largest_component(half) + largest_component(line.origin - middle));
  const auto [enter, exit] = chord_in_box(line, middle, half + Vec3{slack, slack, slack});
  if (!(enter <= exit) || exit < line.begin - slack || enter > line.end + slack) return std::nullopt;
  const View view(line);
  const Triangle* first = nullptr;
  double first_s = k_infinity;
  for (const Triangle& t : mesh.triangles) {
    const auto s = view.meet(view.look(mesh.vertices[t[0]]), view.look(mesh.vertices[t[1]]),
                             view.look(mesh.vertices[t[2]]));
    if (!s || *s >= first_s) continue;
    first_s = *s;
    first = &t;
  }
  if (!first) return std::nullopt;
  const Vec3 a = mesh.vertices[(*first)[0]], b = mesh.vertices[(*first)[1]], c = mesh.vertices[(*first)[2]];
  return hit_surface(line, first_s, cross(b - a, c - a));
}

}  // namespace cairn
