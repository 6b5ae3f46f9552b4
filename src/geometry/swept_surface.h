// The first impact of a moving convex piece on a surface of many elements, which may move too.
//
// The way is cut into spans of time. In each, the elements near the way are those in the box around it, in the surface's
// frame: the boxes around the piece at both ends, grown by how much its points can stray from straight lines between. Of a
// span with many elements each half is looked at by itself. The first span with an impact has the first impact.
#pragma once

#include <cmath>

#include "geometry/advancement.h"
#include "geometry/bounds.h"
#include "geometry/line.h"

namespace cairn {

// `Elements` has find(box), which collects the elements in a box and returns how many there are, and core(k), of the
// k-th of them; both in the frame of the surface's piece.
template <class D, class Elements>
class SweptSurface {
 public:
  using Vec = typename D::Vec;

  SweptSurface(const Piece<D>& a, const MovingCore<D>& moving, const Pose<D>& b_in_body,
               const Sweep<D>& sweep_b, double target, Elements& elements, const ImpactJudge<D>& counts)
      : a_(a),
        moving_(moving),
        b_in_body_(b_in_body),
        sweep_b_(sweep_b),
        target_(target),
        elements_(elements),
        counts_(counts) {
    const Bounds<D> box = bounds(a, moving.pose);  // in a's body
    size_ = largest_component(box.hi - box.lo);
    const double ball = length(larger(absolute(box.lo), absolute(box.hi)));
    const Vec offset = sweep_b.from - moving.sweep.from,
              change = sweep_b.translation - moving.sweep.translation;
    const double turn_a = length(moving.sweep.turn), turn_b = length(sweep_b.turn);
    const double furthest = larger(length(offset), length(offset + change)) + ball;
    const double speed = length(change) + turn_a * ball;
    // The second derivative of a point of a in b's frame: its own, Coriolis's and the centrifugal one.
    bend_ = turn_a * turn_a * ball + 2 * turn_b * speed + turn_b * turn_b * furthest;
    most_stray_ = turn_b > 0 ? 2 * furthest : 2 * ball;
    way_ = length(change) + turn_b * furthest;
    spans_ = clamp(way_ / (8 * size_), 1, 64);
  }

  Impact<D> run() {
    const int count = int(std::ceil(spans_));
    for (int k = 0; k < count; ++k) {
      const double t0 = double(k) / count, t1 = k + 1 < count ? double(k + 1) / count : 1;
      if (look(t0, t1, 0)) break;
    }
    first_.iterations = iterations_;
    return first_;
  }

 private:
  static constexpr std::size_t k_many = 32;
  static constexpr int k_most_halvings = 16;

  Bounds<D> box_at(double t) const {
    const Vec from_a =
        (sweep_b_.from - moving_.sweep.from) + t * (sweep_b_.translation - moving_.sweep.translation);
    const auto rotation = sweep_b_.at(t).rotation;
    const Pose<D> b{from_a + rotation * b_in_body_.position, rotation * b_in_body_.rotation};
    return bounds(a_, inverse(b) * moving_.at(t));
  }

  bool look(double t0, double t1, int halvings) {
    const Bounds<D> from = box_at(t0), to = box_at(t1);
    const double span = t1 - t0, by = smaller(bend_ * span * span / 8, most_stray_) + 2 * target_;
    const Vec margin = by * ones(Vec{});
    const std::size_t count =
        elements_.find({smaller(from.lo, to.lo) - margin, larger(from.hi, to.hi) + margin});
    if (count > k_many && way_ * span > 2 * size_ && halvings < k_most_halvings) {
      const double middle = t0 + 0.5 * span;
      return look(t0, middle, halvings + 1) || look(middle, t1, halvings + 1);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const double end = smaller(t1, first_.time);
      const Impact<D> impact =
          Advancement<D>(moving_, {elements_.core(k), b_in_body_, sweep_b_}, target_).run(t0, end);
      iterations_ += impact.iterations;
      if (is_before(impact, first_) && (!counts_ || counts_(impact))) first_ = impact;
    }
    return first_.status != ImpactStatus::separated;
  }
  // Of those at one time the nearest: at the start a piece may touch many elements.
  static bool is_before(const Impact<D>& p, const Impact<D>& q) {
    if (p.status == ImpactStatus::separated) return false;
    if (q.status == ImpactStatus::separated || p.time < q.time) return true;
    return p.time == q.time && p.distance < q.distance;
  }
  static Vec2 ones(const Vec2&) { return {1, 1}; }
  static Vec3 ones(const Vec3&) { return {1, 1, 1}; }

  const Piece<D>& a_;
  const MovingCore<D>& moving_;
  Pose<D> b_in_body_;
  Sweep<D> sweep_b_;
  double target_;
  Elements& elements_;
  const ImpactJudge<D>& counts_;
  double size_ = 0, way_ = 0, bend_ = 0, most_stray_ = 0;  // [m]
  double spans_ = 1;
  Impact<D> first_;
  int iterations_ = 0;
};

}  // namespace cairn
