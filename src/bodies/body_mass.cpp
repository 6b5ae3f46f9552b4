#include "bodies/body_mass.h"

#include "geometry/bounds.h"
#include "geometry/mass.h"

namespace cairn {
namespace {

bool all_locked(bool locked) { return locked; }
bool all_locked(const Axes3& locked) { return locked.x && locked.y && locked.z; }
bool is_zero(double inertia) { return inertia == 0; }
bool is_zero(const Sym3& inertia) { return inertia == Sym3{}; }
Vec2 on_every_axis(double x, const Axes2& locked) { return unlocked(Vec2{x, x}, locked); }
Vec3 on_every_axis(double x, const Axes3& locked) { return unlocked(Vec3{x, x, x}, locked); }
void set_to_one(double& inertia) { inertia = 1; }
void set_to_one(Sym3& inertia) { inertia = {1, 1, 1}; }

template <class Built>
bool is_bounded(const Built& shape) {
  const auto box = bounds(shape, {});
  return is_finite(box.lo) && is_finite(box.hi);
}

template <class D>
MassProperties<D> mass_of_shapes(const BodyDef<D>& def, std::span<const Geometry<D>> shapes,
                                 const Path& path) {
  const Path list = path / "shapes";
  std::vector<MassProperties<D>> parts;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ShapeDef<D>& s = def.shapes[i];
    if (!has_volume(shapes[i]) || s.density == 0) continue;
    const Path item = list[i];
    parts.push_back(transformed(Pose<D>{s.position, normalized(s.rotation)},
                                mass_properties(shapes[i], s.density, item / "shape")));
  }
  return parts.empty() ? MassProperties<D>{} : combined(std::span<const MassProperties<D>>(parts));
}

}  // namespace

template <class D>
std::vector<Geometry<D>> build_shapes(const BodyDef<D>& def, const Path& path, Notes& notes) {
  const Path list = path / "shapes";
  std::vector<Geometry<D>> built;
  built.reserve(def.shapes.size());
  for (std::size_t i = 0; i < def.shapes.size(); ++i) {
    const Path item = list[i], shape = item / "shape";
    built.push_back(build(def.shapes[i].shape, shape, notes));
    if (def.motion != Motion::fixed && !is_bounded(built.back()))
      throw Error(shape.text(), "an infinite shape", "is only for fixed bodies; use a large box");
  }
  return built;
}

template <class D>
MassProperties<D> mass_of(const BodyDef<D>& def, std::span<const Geometry<D>> shapes, const Path& path) {
  MassProperties<D> mass;
  if (def.motion != Motion::dynamic) {
    mass.center = def.center.value_or(typename D::Vec{});
    return mass;
  }
  const bool all_given = def.mass && def.center && def.inertia;
  if (!all_given) mass = mass_of_shapes<D>(def, shapes, path);
  if (def.mass) {
    if (mass.mass > 0) mass.inertia = (*def.mass / mass.mass) * mass.inertia;
    mass.mass = *def.mass;
  }
  if (def.center) mass.center = *def.center;
  if (def.inertia) mass.inertia = *def.inertia;
  if (!(mass.mass > 0))
    throw Error((path / "mass").text(), "",
                "a dynamic body needs mass: give it a mass, or a solid shape with a density");
  if (is_zero(mass.inertia)) {
    if (!all_locked(def.locks.rotation))
      throw Error((path / "inertia").text(), "",
                  "must be given for a body without solid shapes of some density, unless all its rotations "
                  "are locked");
    set_to_one(mass.inertia);  // never felt: nothing can turn the body
  }
  mass.inertia = def.inertia_scale * mass.inertia;
  check_mass_properties(mass, path);
  if (!is_finite(1 / mass.mass) || !is_finite(inverse(mass.inertia)))
    throw Error((path / "mass").text(), to_text(mass.mass) + " kg",
                "is too small to be inverted, or its inertia is");
  return mass;
}

template <class D>
BodyMass<D> body_mass(const BodyDef<D>& def, const MassProperties<D>& mass) {
  BodyMass<D> result;
  result.motion = def.motion;
  result.gravity_scale = def.gravity_scale;
  if (def.motion != Motion::dynamic) return result;
  result.mass = mass.mass;
  result.inverse_mass = on_every_axis(1 / mass.mass, def.locks.translation);
  result.inertia = mass.inertia;
  result.inverse_inertia = inverse(mass.inertia);
  result.locked_rotation = def.locks.rotation;
  result.linear_damping = def.linear_damping;
  result.angular_damping = def.angular_damping;
  return result;
}

template std::vector<Geometry2> build_shapes(const BodyDef2&, const Path&, Notes&);
template std::vector<Geometry3> build_shapes(const BodyDef3&, const Path&, Notes&);
template MassProperties2 mass_of(const BodyDef2&, std::span<const Geometry2>, const Path&);
template MassProperties3 mass_of(const BodyDef3&, std::span<const Geometry3>, const Path&);
template BodyMass<Dim2> body_mass(const BodyDef2&, const MassProperties2&);
template BodyMass<Dim3> body_mass(const BodyDef3&, const MassProperties3&);

}  // namespace cairn
