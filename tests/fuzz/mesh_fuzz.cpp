// Any triangles, and any heights: refused, or good for rays and for a convex shape on them.
#include "fuzz/collide_check.h"
#include "fuzz/shapes.h"
#include "geometry/ray.h"

using namespace cairn;

namespace {

void cast_rays(const Geometry3& surface, fuzz::Bytes& bytes) {
  for (int i = 0; i < 4; ++i) {
    const Vec3 origin = bytes.vector3();
    const Ray3 ray{origin, bytes.vector3()};
    if (length_squared(ray.translation) == 0) continue;
    const std::optional<RayHit3> hit = ray_cast(surface, ray);
    if (!hit) continue;
    if (!(hit->fraction >= 0 && hit->fraction <= 1))
      fuzz::fail("a ray's fraction is " + std::to_string(hit->fraction));
    if (!is_finite(hit->point)) fuzz::fail("a ray's point is not finite");
    if (!(absolute(length(hit->normal) - 1) < 1e-12)) fuzz::fail("a ray's normal has not unit length");
    if (!(dot(hit->normal, ray.translation) <= 1e-12 * length(ray.translation)))
      fuzz::fail("a ray's normal points away from its origin");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  Shape3 surface;
  if (bytes.below(4) == 0)
    surface = fuzz::height_field(bytes);
  else
    surface = fuzz::mesh(bytes);
  if (bytes.below(16) == 0)
    if (Mesh* mesh = std::get_if<Mesh>(&surface)) mesh->vertices[0].x = bytes.any_number();
  const Shape3 solids[] = {Sphere{bytes.length()}, Box3{{bytes.length(), bytes.length(), bytes.length()}},
                           Capsule3{bytes.length(), bytes.length()},
                           Cylinder{bytes.length(), bytes.length()}};
  const Shape3& solid = solids[bytes.below(4)];
  const Vec3 position = bytes.vector3();
  const Pose3 pose{position, bytes.rotation3()};
  const double margin = bytes.below(2) == 0 ? 0 : 0.05;
  try {
    const Geometry3 a = build(surface), b = build(solid);
    cast_rays(a, bytes);
    fuzz::collide_all<Dim3>(a, b, pose, margin);
  } catch (const Error&) {
  }
  return 0;
}
