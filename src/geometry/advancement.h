// Conservative advancement of two moving convex cores: Mirtich, "Impulse-based dynamic simulation of rigid body systems"
// (1996); Zhang, Lee and Kim, "Interactive continuous collision detection for non-convex polyhedra" (2006); with a test
// at the end of longer steps, in the spirit of Catto, "Continuous collision" (GDC 2013).
//
// With n the direction in which the cores are nearest, their separation along the fixed n is a lower bound of the distance
// at any other time. Three ways to know how long it stays safe; the longest step counts:
//
//   rate    along n no point closes in faster than n·(v_a − v_b) plus the speeds of turning (spin.h)
//   lathe   no point of a turning core reaches further than the body it would cut on a lathe, at any angle
//   chord   a point's place along n is never below the straight line between two times, Δ apart, by more than bend·Δ²/8; so
//           neither is the separation, the lowest of all. If it is large at both ends it is large in between.
//
// Each step leaves half the target, so there is always a step to take, and round-off cannot let the cores touch.
#pragma once

#include "geometry/gjk.h"
#include "geometry/spin.h"
#include "geometry/time_of_impact.h"

namespace cairn {

template <class D>
struct MovingCore {
  Core<D> core;
  Pose<D> pose;  // in the body's frame
  Sweep<D> sweep;
  typename SpinOf<D>::type spin;

  MovingCore(const Core<D>& c, const Pose<D>& p, const Sweep<D>& s)
      : core(c), pose(p), sweep(s), spin(core, pose, sweep) {}

  // In world axes, from the centre of the body.
  Pose<D> at(double t) const {
    const auto rotation = sweep.at(t).rotation;
    return {rotation * pose.position, rotation * pose.rotation};
  }
};

template <class D>
class Advancement {
 public:
  using Vec = typename D::Vec;

  Advancement(const MovingCore<D>& a, const MovingCore<D>& b, double target)
      : a_(a),
        b_(b),
        offset_(b.sweep.from - a.sweep.from),
        velocity_(b.sweep.translation - a.sweep.translation),
        radii_(a.core.radius + b.core.radius),
        target_(target) {}

  // The same with b a half-space whose surface has this normal, in world axes, and goes through b's core, a point.
  void set_plane(const Vec& outward) {
    plane_ = -outward;
    is_plane_ = true;
  }

  // From time t on, until `end`.
  Impact<D> run(double t, double end);

 private:
  static constexpr int k_most_iterations = 2000;

  struct Frames {
    Pose<D> a, b;  // of the pieces, in world axes, from the centre of a
    Pose<D> b_in_a() const { return inverse(a) * b; }
  };
  Vec center_b(double t) const { return offset_ + t * velocity_; }  // from that of a
  Frames frames_at(double t) const {
    Frames f{a_.at(t), b_.at(t)};
    f.b.position += center_b(t);
    return f;
  }

  struct Closest {
    double distance;  // [m] of the surfaces, 0 where they overlap
    Vec normal;       // world axes
    Vec on_a, on_b;   // [m] of the cores, in world axes, from the centre of a
  };
  Closest closest(const Frames& frames, const Vec& guess) const;
  double separation(double t, const Vec& n) const {
    const Frames f = frames_at(t);
    return separation_along(a_.core, b_.core, f.b_in_a(), inverse(f.a.rotation) * n) - radii_;
  }
  double safe_step(double t, double end, const Closest& c) const;
  double chord_step(double t, double end, const Closest& c, double least) const;

  const MovingCore<D>& a_;
  const MovingCore<D>& b_;
  Vec offset_, velocity_;  // [m] of b's centre from a's, and its change
  double radii_, target_;
  Vec plane_{};
  bool is_plane_ = false;
};
extern template class Advancement<Dim2>;
extern template class Advancement<Dim3>;

// What was found with a and b the other way round.
template <class D>
Impact<D> swapped(const Impact<D>& found, const Sweep<D>& sweep_a, const Sweep<D>& sweep_b) {
  const auto b_from_a =
      (sweep_b.from - sweep_a.from) + found.time * (sweep_b.translation - sweep_a.translation);
  return {found.status,   found.time,
          -found.normal,  b_from_a + found.point + found.distance * found.normal,
          found.distance, found.iterations};
}

// A judge for the search with a and b the other way round.
template <class D>
ImpactJudge<D> swapped(const ImpactJudge<D>& counts, const Sweep<D>& sweep_a, const Sweep<D>& sweep_b) {
  if (!counts) return {};
  return [&](const Impact<D>& found) { return counts(swapped(found, sweep_a, sweep_b)); };
}

// `found` if it counts.
template <class D>
Impact<D> judged(const Impact<D>& found, const ImpactJudge<D>& counts) {
  if (found.status == ImpactStatus::separated || !counts || counts(found)) return found;
  return {.iterations = found.iterations};
}

}  // namespace cairn
