// The public questions to a shape: check it, build it, ask the built form.
#include <cairn/shape.h>

#include "geometry/bounds.h"
#include "geometry/direction.h"
#include "geometry/mass.h"
#include "geometry/ray.h"
#include "geometry/support.h"

namespace cairn {
namespace {

const Path k_density{nullptr, "density", -1};
const Path k_pose{nullptr, "pose", -1};
const Path k_direction{nullptr, "direction", -1};
const Path k_ray{nullptr, "Ray", -1};

template <class D>
void check_pose(const Pose<D>& pose) {
  check_value(pose.position, k_pose / "position", "m", k_any);
  check_value(pose.rotation, k_pose / "rotation", "", k_any);
}

template <class D>
void check_ray(const Ray<D>& ray) {
  check_value(ray.origin, k_ray / "origin", "m", k_any);
  check_value(ray.translation, k_ray / "translation", "m", k_any);
  if (largest_component(ray.translation) == 0)
    detail::refuse(k_ray / "translation", to_text(ray.translation) + " m", "must not be zero");
}

template <class S, class V>
V support_of(const S& shape, const V& direction) {
  const auto geometry = build(shape);
  check_value(direction, k_direction, "", k_any);
  if (!has_support(geometry))
    detail::refuse(root_path(shape), "", "is not convex and bounded, so it has no support points");
  return support(geometry, direction_of(direction).unit);
}

}  // namespace

bool has_volume(const Shape2& shape) { return has_volume(build(shape)); }
bool has_volume(const Shape3& shape) { return has_volume(build(shape)); }

MassProperties2 mass_properties(const Shape2& shape, double density) {
  check_value(density, k_density, "kg/m²", k_non_negative);
  return mass_properties(build(shape), density, root_path(shape));
}
MassProperties3 mass_properties(const Shape3& shape, double density) {
  check_value(density, k_density, "kg/m³", k_non_negative);
  return mass_properties(build(shape), density, root_path(shape));
}

Bounds2 bounds(const Shape2& shape, const Pose2& pose) {
  check_pose(pose);
  return bounds(build(shape), pose);
}
Bounds3 bounds(const Shape3& shape, const Pose3& pose) {
  check_pose(pose);
  return bounds(build(shape), pose);
}

Vec2 support(const Shape2& shape, const Vec2& direction) { return support_of(shape, direction); }
Vec3 support(const Shape3& shape, const Vec3& direction) { return support_of(shape, direction); }

std::optional<RayHit2> ray_cast(const Shape2& shape, const Ray2& ray) {
  check_ray(ray);
  return ray_cast(build(shape), ray);
}
std::optional<RayHit3> ray_cast(const Shape3& shape, const Ray3& ray) {
  check_ray(ray);
  return ray_cast(build(shape), ray);
}

}  // namespace cairn
