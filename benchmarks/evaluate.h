// The judge: what an engine made of a scene, from the poses and velocities of its bodies alone. No engine's
// own contacts or joint errors are believed.
//
//   penetration   of shapes as they are in the scene, without an engine's margins or skins: the shortest shift
//                 that parts two of them. Over all pairs that overlap, largest and mean, at the end or in the
//                 last steps. Pairs that may not meet do not count, nor do chains, which have no inside.
//   joint error   the distance of the two anchors of a joint: the largest of all, over all steps and at the end
//   drift         the largest displacement of a body from start to end; in 3D, its horizontal part
//   v_rms         of the linear velocities of dynamic bodies, at the end
//   energy gain   how far kinetic and potential energy were ever above those of the start; relative to the
//                 kinetic energy of the start and what falling through the size of the scene would bring
//   stands        at the end, of no two bodies that touched at the start has the height of one above the other
//                 changed by more than half the height of the smaller: a tall stack may be crushed, or lean, but
//                 no body may have left its place in it
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "benchmarks/scenes/scene.h"

namespace cairn::bench {

template <class D>
struct BodyState {
  Pose<D> pose{};
  Twist<D> velocity{};  // of the frame's origin, which is the centre of mass of a dynamic body
};

// What is not asked of a scene is absent.
struct Quality {
  bool finite = true;                                           // has every state been a number?
  std::optional<double> penetration_max{}, penetration_mean{};  // [m]; 0 where nothing overlaps
  std::optional<double> joint_error_max{}, joint_error_end{};   // [m]
  std::optional<double> drift_max{};                            // [m]
  std::optional<double> v_rms{};                                // [m/s]
  std::optional<double> energy_gain{};                          // [J]; 0 if it was never above the start
  std::optional<double> energy_gain_relative{};
  std::optional<bool> stands{};
};

template <class D>
struct Overlaps {
  std::size_t pairs = 0;        // of bodies' parts that overlap
  double deepest = 0, sum = 0;  // [m]
  std::size_t a = 0, b = 0;     // the bodies that are deepest in each other
};

// The states a scene starts from.
template <class D>
std::vector<BodyState<D>> start_of(const Scene<D>& scene);

template <class D>
class Evaluator {
 public:
  explicit Evaluator(const Scene<D>& scene);  // which must outlive it
  ~Evaluator();

  // To be called after every step, in order, with the states of all bodies. Steps that come to a state that
  // is not finite are not judged, nor are those after them.
  void observe(std::span<const BodyState<D>> states);
  Quality quality() const;  // after the steps so far, as if the last were the end

  // For single states.
  Overlaps<D> overlaps(std::span<const BodyState<D>> states) const;
  double joint_error(std::span<const BodyState<D>> states) const;  // [m]
  double energy(
      std::span<const BodyState<D>> states) const;  // [J] kinetic, and potential with 0 at the origin

 private:
  struct Data;
  // Calls f(i, j, depth) for pairs of solids that may meet and are nearer than `margin` [m] along all axes.
  template <class F>
  void for_each_near(std::span<const BodyState<D>> states, double margin, F&& f) const;

  std::unique_ptr<Data> data_;
};
extern template class Evaluator<Dim2>;
extern template class Evaluator<Dim3>;
extern template std::vector<BodyState<Dim2>> start_of(const Scene2&);
extern template std::vector<BodyState<Dim3>> start_of(const Scene3&);

}  // namespace cairn::bench
