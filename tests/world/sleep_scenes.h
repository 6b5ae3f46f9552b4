// Scenes of bodies that come to rest, in the plane and in space.
#pragma once

#include <cairn/cairn.h>

namespace cairn {

inline constexpr double k_h = 0.01, k_g = 9.81;

template <class D>
WorldDef<D> sleeping_world(SleepMode mode = SleepMode::on) {
  WorldDef<D> def;
  def.sleep.mode = mode;
  def.accounting = Accounting::full;
  return def;
}
inline Vec2 up(Dim2, double y) { return {0, y}; }
inline Vec3 up(Dim3, double z) { return {0, 0, z}; }
inline Vec2 sideways(Dim2, double x) { return {x, 0}; }
inline Vec3 sideways(Dim3, double x) { return {x, 0, 0}; }
inline double height(const Vec2& v) { return v.y; }
inline double height(const Vec3& v) { return v.z; }
inline double spin(Dim2, double w) { return w; }
inline Vec3 spin(Dim3, double w) { return {0, w, 0}; }
inline Shape2 cube(Dim2) { return Box2{.half = {0.5, 0.5}}; }
inline Shape3 cube(Dim3) { return Box3{.half = {0.5, 0.5, 0.5}}; }
inline Shape2 ball(Dim2) { return Circle{.radius = 0.5}; }
inline Shape3 ball(Dim3) { return Sphere{.radius = 0.5}; }
inline Shape2 slab(Dim2) { return Box2{.half = {20, 0.5}}; }
inline Shape3 slab(Dim3) { return Box3{.half = {20, 20, 0.5}}; }

// Boxes of 1 m and 10 kg on each other on a floor whose top is at 0.
template <class D>
struct Tower {
  explicit Tower(int count, WorldDef<D> def = sleeping_world<D>(), Motion floor_motion = Motion::fixed)
      : world(def) {
    floor = world.create({.motion = floor_motion, .position = up(D{}, -0.5), .shapes = {slab(D{})}});
    for (int i = 0; i < count; ++i)
      boxes.push_back(world.create({.position = up(D{}, 0.5 + i), .shapes = {cube(D{})}, .mass = 10}));
  }
  // Until the whole tower sleeps; says if it did.
  bool fall_asleep(double within = 5) {
    for (double t = 0; t < within; t += k_h) {
      world.step(k_h);
      if (asleep() == boxes.size()) return true;
    }
    return false;
  }
  std::size_t asleep() const {
    std::size_t count = 0;
    for (const BodyId box : boxes) count += world.contains(box) && world.is_asleep(box);
    return count;
  }
  World<D> world;
  BodyId floor;
  std::vector<BodyId> boxes;
};

}  // namespace cairn
