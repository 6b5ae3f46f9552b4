#include "benchmarks/evaluate.h"

#include <algorithm>

#include "geometry/core.h"
#include "geometry/epa.h"
#include "geometry/gjk.h"

namespace cairn::bench {
namespace {

// [m] of the shapes: above 0 where they overlap, below where they are apart.
template <class D>
double depth(const Core<D>& a, const Core<D>& b, const Pose<D>& b_in_a) {
  const Nearest<D> found = nearest(a, b, b_in_a, b_in_a.position);
  const double of_cores = found.overlap ? penetration(a, b, b_in_a, found).depth : -found.distance;
  return of_cores + a.radius + b.radius;
}

double horizontal(const Vec2& shift) { return length(shift); }
double horizontal(const Vec3& shift) { return length(Vec2{shift.x, shift.y}); }
double height(const Vec2& point) { return point.y; }
double height(const Vec3& point) { return point.z; }

Bounds2 grown(const Bounds2& box, double by) { return {box.lo - Vec2{by, by}, box.hi + Vec2{by, by}}; }
Bounds3 grown(const Bounds3& box, double by) {
  return {box.lo - Vec3{by, by, by}, box.hi + Vec3{by, by, by}};
}

bool overlap(const Bounds2& a, const Bounds2& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y;
}
bool overlap(const Bounds3& a, const Bounds3& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y && a.lo.z <= b.hi.z &&
         b.lo.z <= a.hi.z;
}

template <class D>
bool is_good(const BodyState<D>& state) {
  return is_finite(state.pose.position) && is_finite(state.pose.rotation) &&
         is_finite(state.velocity.linear) && is_finite(state.velocity.angular);
}

// A convex part of a body.
template <class D>
struct Solid {
  std::size_t body;
  Pose<D> pose;  // in the body's frame
  Piece<D> piece;
  Core<D> core;
};

}  // namespace

template <class D>
std::vector<BodyState<D>> start_of(const Scene<D>& scene) {
  std::vector<BodyState<D>> states;
  for (const Body<D>& body : scene.bodies) states.push_back({body.pose, body.velocity});
  return states;
}

template <class D>
struct Evaluator<D>::Data {
  using Vec = typename D::Vec;

  // Of the scene.
  const Scene<D>& scene;
  std::vector<MassProperties<D>> mass;
  std::vector<Geometry<D>> geometry;  // of its shapes
  std::vector<Solid<D>> solids;
  std::vector<std::pair<std::size_t, std::size_t>> exempt;
  std::vector<std::pair<Vec, Vec>> anchors;  // of its joints, in the frames of a and b
  std::vector<double> heights;  // [m] from the lowest to the highest point of a body, at the start
  std::vector<std::pair<std::size_t, std::size_t>> touching;  // bodies, at the start; where `stands` is asked
  double start_energy = 0, energy_scale = 0;

  // Of the steps so far.
  int steps = 0;
  bool finite = true;
  std::vector<BodyState<D>> last;
  double joint_error_max = 0, energy_max = 0;
  std::size_t pairs = 0;
  double deepest = 0, depth_sum = 0;

  explicit Data(const Scene<D>& s) : scene(s), mass(masses(s)), exempt(exempt_pairs(s)) {}

  bool may_meet(std::size_t a, std::size_t b) const {
    const Body<D>&p = scene.bodies[a], &q = scene.bodies[b];
    if (a == b || (p.group != 0 && p.group == q.group)) return false;
    if (p.motion == Motion::fixed && q.motion == Motion::fixed) return false;
    return !std::binary_search(exempt.begin(), exempt.end(), std::pair(std::min(a, b), std::max(a, b)));
  }
};

template <class D>
Evaluator<D>::Evaluator(const Scene<D>& scene) : data_(std::make_unique<Data>(scene)) {
  Data& d = *data_;
  for (const Shape<D>& shape : scene.shapes) d.geometry.push_back(build(shape));
  d.last = start_of(scene);
  Bounds<D> all{};
  bool any = false;
  double total_mass = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<D>& body = scene.bodies[i];
    Bounds<D> own{body.pose.position, body.pose.position};
    for (const Part<D>& part : body.parts) {
      for (const PlacedPiece<D>& placed : pieces_of(d.geometry[part.shape])) {
        const Pose<D> pose = part.pose * placed.pose;
        const Bounds<D> box = bounds(placed.piece, body.pose * pose);
        own = {smaller(own.lo, box.lo), larger(own.hi, box.hi)};
        if (is_convex(placed.piece)) d.solids.push_back({i, pose, placed.piece, core_of(placed.piece)});
      }
    }
    d.heights.push_back(height(own.hi) - height(own.lo));
    if (body.motion != Motion::dynamic) continue;
    all = any ? Bounds<D>{smaller(all.lo, own.lo), larger(all.hi, own.hi)} : own;
    any = true;
    total_mass += d.mass[i].mass;
  }
  for (const Joint<D>& joint : scene.joints)
    d.anchors.emplace_back(to_local(scene.bodies[joint.a].pose, joint.anchor),
                           to_local(scene.bodies[joint.b].pose, joint.anchor));
  if (scene.yardsticks.stands) {
    constexpr double k_touch = 1e-6;  // [m]
    for_each_near(d.last, k_touch, [&](std::size_t a, std::size_t b, double by) {
      if (by > -k_touch) d.touching.emplace_back(a, b);
    });
  }
  d.start_energy = d.energy_max = energy(d.last);
  std::vector<BodyState<D>> still = d.last;
  for (BodyState<D>& state : still) state.velocity = {};
  d.energy_scale =
      d.start_energy - energy(still) + total_mass * length(scene.gravity) * length(all.hi - all.lo);
}
template <class D>
Evaluator<D>::~Evaluator() = default;

template <class D>
double Evaluator<D>::joint_error(std::span<const BodyState<D>> states) const {
  double largest = 0;
  for (std::size_t i = 0; i < data_->anchors.size(); ++i) {
    const Joint<D>& joint = data_->scene.joints[i];
    const auto& [on_a, on_b] = data_->anchors[i];
    largest = std::max(largest,
                       length(to_world(states[joint.b].pose, on_b) - to_world(states[joint.a].pose, on_a)));
  }
  return largest;
}

template <class D>
double Evaluator<D>::energy(std::span<const BodyState<D>> states) const {
  double sum = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const MassProperties<D>& mass = data_->mass[i];
    const auto& [pose, velocity] = states[i];
    const auto spin = inverse(pose.rotation) * velocity.angular;  // in the body's axes
    sum += 0.5 * (mass.mass * dot(velocity.linear, velocity.linear) + dot(spin, mass.inertia * spin)) -
           mass.mass * dot(data_->scene.gravity, pose.position);
  }
  return sum;
}

// Candidates by a sweep along x, then each pair for itself.
template <class D>
template <class F>
void Evaluator<D>::for_each_near(std::span<const BodyState<D>> states, double margin, F&& f) const {
  const Data& d = *data_;
  std::vector<Bounds<D>> boxes;
  std::vector<std::size_t> order;
  for (const Solid<D>& solid : d.solids) {
    boxes.push_back(grown(bounds(solid.piece, states[solid.body].pose * solid.pose), 0.5 * margin));
    order.push_back(order.size());
  }
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return boxes[i].lo.x < boxes[j].lo.x || (boxes[i].lo.x == boxes[j].lo.x && i < j);
  });
  std::vector<std::size_t> open;  // those that reach the present x
  for (const std::size_t i : order) {
    std::erase_if(open, [&](std::size_t j) { return boxes[j].hi.x < boxes[i].lo.x; });
    for (const std::size_t j : open) {
      const Solid<D>&a = d.solids[i], &b = d.solids[j];
      if (!overlap(boxes[i], boxes[j]) || !d.may_meet(a.body, b.body)) continue;
      // In the frame of one of the bodies, so that nothing is lost far from the origin.
      const Pose<D> b_in_a = inverse(a.pose) * (inverse(states[a.body].pose) * states[b.body].pose) * b.pose;
      f(a.body, b.body, depth(a.core, b.core, b_in_a));
    }
    open.push_back(i);
  }
}

template <class D>
Overlaps<D> Evaluator<D>::overlaps(std::span<const BodyState<D>> states) const {
  Overlaps<D> found;
  for_each_near(states, 0, [&](std::size_t a, std::size_t b, double by) {
    if (by <= 0) return;
    ++found.pairs;
    found.sum += by;
    if (by > found.deepest) found.deepest = by, found.a = a, found.b = b;
  });
  return found;
}

template <class D>
void Evaluator<D>::observe(std::span<const BodyState<D>> states) {
  Data& d = *data_;
  ++d.steps;
  d.finite = d.finite && std::all_of(states.begin(), states.end(), [](const auto& s) { return is_good(s); });
  if (!d.finite) return;
  d.last.assign(states.begin(), states.end());
  d.joint_error_max = std::max(d.joint_error_max, joint_error(states));
  d.energy_max = std::max(d.energy_max, energy(states));
  const Yardsticks& asked = d.scene.yardsticks;
  if (asked.penetration && d.steps > d.scene.steps - asked.penetration_steps) {
    const Overlaps<D> found = overlaps(states);
    d.pairs += found.pairs;
    d.depth_sum += found.sum;
    d.deepest = std::max(d.deepest, found.deepest);
  }
}

template <class D>
Quality Evaluator<D>::quality() const {
  const Data& d = *data_;
  const Yardsticks& asked = d.scene.yardsticks;
  Quality q;
  q.finite = d.finite;
  if (asked.stands) q.stands = d.finite;
  if (!d.finite) return q;
  if (asked.penetration) {
    q.penetration_max = d.deepest;
    q.penetration_mean = d.pairs > 0 ? d.depth_sum / double(d.pairs) : 0;
  }
  if (!d.scene.joints.empty()) {
    q.joint_error_max = d.joint_error_max;
    q.joint_error_end = joint_error(d.last);
  }
  double drift = 0, squares = 0;
  std::size_t moving = 0;
  for (std::size_t i = 0; i < d.last.size(); ++i) {
    const Body<D>& body = d.scene.bodies[i];
    if (body.motion != Motion::dynamic) continue;
    const auto shift = d.last[i].pose.position - body.pose.position;
    drift = std::max(drift, horizontal(shift));
    squares += dot(d.last[i].velocity.linear, d.last[i].velocity.linear);
    ++moving;
  }
  if (moving > 0) q.v_rms = square_root(squares / double(moving));
  if (asked.drift) q.drift_max = drift;
  for (const auto& [a, b] : d.touching) {
    const double before = height(d.scene.bodies[b].pose.position) - height(d.scene.bodies[a].pose.position);
    const double now = height(d.last[b].pose.position) - height(d.last[a].pose.position);
    if (absolute(now - before) > 0.5 * std::min(d.heights[a], d.heights[b])) q.stands = false;
  }
  if (asked.energy) {
    q.energy_gain = d.energy_max - d.start_energy;
    if (d.energy_scale > 0) q.energy_gain_relative = *q.energy_gain / d.energy_scale;
  }
  return q;
}

template class Evaluator<Dim2>;
template class Evaluator<Dim3>;
template std::vector<BodyState<Dim2>> start_of(const Scene2&);
template std::vector<BodyState<Dim3>> start_of(const Scene3&);

}  // namespace cairn::bench
