#include "benchmarks/scenes/scene.h"

#include <algorithm>

namespace cairn::bench {

template <class D>
std::vector<MassProperties<D>> masses(const Scene<D>& scene) {
  std::vector<MassProperties<D>> of_shape(scene.shapes.size());  // for a density of 1
  for (std::size_t i = 0; i < scene.shapes.size(); ++i)
    if (has_volume(scene.shapes[i])) of_shape[i] = mass_properties(scene.shapes[i], 1);
  std::vector<MassProperties<D>> all;
  std::vector<MassProperties<D>> parts;
  for (const Body<D>& body : scene.bodies) {
    all.emplace_back();
    if (body.motion != Motion::dynamic) continue;
    parts.clear();
    for (const Part<D>& part : body.parts) {
      MassProperties<D> mass = of_shape[part.shape];
      mass.mass *= body.density;
      mass.inertia = body.density * mass.inertia;
      parts.push_back(transformed(part.pose, mass));
    }
    all.back() = combined(parts);
  }
  return all;
}

template <class D>
std::vector<std::pair<std::size_t, std::size_t>> exempt_pairs(const Scene<D>& scene) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  if (scene.collide_connected) return pairs;
  for (const Joint<D>& joint : scene.joints) pairs.push_back(std::minmax(joint.a, joint.b));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

template std::vector<MassProperties2> masses(const Scene2&);
template std::vector<MassProperties3> masses(const Scene3&);
template std::vector<std::pair<std::size_t, std::size_t>> exempt_pairs(const Scene2&);
template std::vector<std::pair<std::size_t, std::size_t>> exempt_pairs(const Scene3&);

}  // namespace cairn::bench
