#include "geometry/advancement.h"

#include "geometry/epa.h"
#include "geometry/line.h"

namespace cairn {
namespace {

// Of the target: what ends the search, what a step aims at, and what it must leave.
constexpr double k_close = 1.25, k_aim = 0.75, k_leave = 0.5;

}  // namespace

template <class D>
typename Advancement<D>::Closest Advancement<D>::closest(const Frames& frames, const Vec& guess) const {
  const Pose<D> b_in_a = frames.b_in_a();
  const auto to_a = inverse(frames.a.rotation);
  if (is_plane_) {
    std::uint32_t id = 0;
    const Vec on_a = to_world(frames.a, support(a_.core, to_a * plane_, id));
    const double distance =
        dot(plane_, frames.b.position + frames.b.rotation * b_.core.middle - on_a) - radii_;
    return {larger(distance, 0), plane_, on_a, on_a + (distance + radii_) * plane_};
  }
  const Nearest<D> found = nearest(a_.core, b_.core, b_in_a, to_a * guess);
  const Vec local = found.overlap ? penetration(a_.core, b_.core, b_in_a, found).normal : found.normal;
  return {found.overlap ? 0 : larger(found.distance - radii_, 0), frames.a.rotation * local,
          to_world(frames.a, found.on_a), to_world(frames.a, found.on_b)};
}

template <class D>
Impact<D> Advancement<D>::run(double t, double end) {
  Vec guess{};
  for (int iteration = 1;; ++iteration) {
    const Closest c = closest(frames_at(t), guess);
    const Impact<D> impact{t == 0 ? ImpactStatus::touching_at_start : ImpactStatus::hit,
                           t,
                           c.normal,
                           c.on_a + a_.core.radius * c.normal,
                           c.distance,
                           iteration};
    if (!(c.distance > k_close * target_)) return impact;
    const double step = safe_step(t, end, c);
    if (t + step >= end) return {.iterations = iteration};
    if (!(t + step > t) || iteration == k_most_iterations) {
      Impact<D> unsure = impact;
      unsure.status = ImpactStatus::hit;
      return unsure;
    }
    t += step;
    guess = c.normal;
  }
}

template <class D>
double Advancement<D>::safe_step(double t, double end, const Closest& c) const {
  const Vec& n = c.normal;
  const double closing = -dot(n, velocity_), speed_a = a_.spin.speed(n), speed_b = b_.spin.speed(n);
  // How much further than now the cores may reach while they turn.
  const double lathe_a = a_.spin.reach(n) - dot(n, c.on_a);
  const double lathe_b = b_.spin.reach(-n) + dot(n, c.on_b - center_b(t));
  double step = 0;
  for (int way = 0; way < 4; ++way) {
    const bool rate_a = way & 1, rate_b = way & 2;
    const double gap = c.distance - k_aim * target_ - (rate_a ? 0 : lathe_a) - (rate_b ? 0 : lathe_b);
    const double rate = closing + (rate_a ? speed_a : 0) + (rate_b ? speed_b : 0);
    if (gap > 0) step = larger(step, rate > 0 ? gap / rate : k_infinity);
  }
  return t + step >= end ? step : chord_step(t, end, c, step);
}

template <class D>
double Advancement<D>::chord_step(double t, double end, const Closest& c, double least) const {
  const double bend = (a_.spin.bend(c.normal) + b_.spin.bend(c.normal)) / 8;
  const double leave = k_leave * target_;
  if (!(bend > 0)) return least;
  double step = smaller(end - t, 0.95 * square_root((c.distance - leave) / bend));
  for (int attempt = 0; attempt < 6 && step > least; ++attempt) {
    const double then = separation(t + step, c.normal);
    if (smaller(c.distance, then) - bend * step * step >= leave) return step;
    const double aim = k_aim * target_ + bend * step * step;
    const double linear = then < aim && c.distance > aim ? (c.distance - aim) / (c.distance - then) : 0.7;
    step *= clamp(linear, 0.1, 0.9);
  }
  return least;
}

template class Advancement<Dim2>;
template class Advancement<Dim3>;

}  // namespace cairn
