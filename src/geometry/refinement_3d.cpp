// In space a generator may be a disc about the z axis of its core, of radius r around a centre c. Along a unit vector d it
// reaches c·d + r |d⊥|, d⊥ the part of d across the axis, at the point c + r d⊥/|d⊥|, and the second derivative of that is
// (r/|d⊥|) τ τᵀ with τ the unit vector across both the axis and d⊥.
#include "geometry/refinement.h"

namespace cairn {
namespace {

using Point = DifferencePoint<Dim3>;

constexpr int k_most_steps = 12;
constexpr double k_largest_step = 0.5;  // [rad]
constexpr double k_no_step = 1e-16;     // [rad]

// −½ d²g of a generator: Σ stiffness (τ·δ)², of at most two discs.
struct Bend {
  Vec3 tangent;
  double stiffness = 0;  // [m]
};
struct Lowest {
  Point point;
  Bend bends[2];
};

struct Reach {
  Vec3 from_middle;
  Bend bend;
};
Reach reach(const Core3& core, std::uint32_t id, const Vec3& d) {
  const double r = core.extent.x, h = core.extent.z;
  if (core.kind == CoreKind::cone && id == 1) return {{0, 0, h}, {}};
  const Direction<Vec2> across = direction_of(Vec2{d.x, d.y});
  const Vec2 u = across.unit;
  const double stiffness = across.length > 0 ? r / across.length : 0;
  return {{r * u.x, r * u.y, id == 0 ? -h : h}, {{-u.y, u.x, 0}, stiffness}};
}

Lowest lowest_with_bends(const Difference<Dim3>& difference, const Point& generators, const Vec3& n) {
  Lowest result{generators, {}};
  Point& p = result.point;
  if (difference.a().is_curved()) {
    const Reach on_a = reach(difference.a(), p.id_a, n);
    p.a = on_a.from_middle;
    result.bends[0] = on_a.bend;
  }
  if (difference.b().is_curved()) {
    const Reach on_b = reach(difference.b(), p.id_b, -difference.turn().back(n));
    p.b = difference.turn()(on_b.from_middle);
    result.bends[1] = {difference.turn()(on_b.bend.tangent), on_b.bend.stiffness};
  }
  if (difference.is_curved()) p.w = difference.offset() + (p.b - p.a);
  return result;
}

// uᵀ (d²g) v
double second_derivative(const Lowest& p, const Vec3& u, const Vec3& v) {
  double sum = 0;
  for (const Bend& bend : p.bends) sum -= bend.stiffness * dot(bend.tangent, u) * dot(bend.tangent, v);
  return sum;
}

struct Step {
  bool exists = false;
  Vec3 along{};  // at right angles to n
  std::array<double, 3> weights{};
};

// Newton's step to a maximum where the first and second derivatives are these; uphill also where no maximum is near.
// A first derivative that is round-off of lengths of the size `scale` is none.
double uphill(double first, double second, double scale) {
  constexpr double k_round_off = 1e-15;
  const double slope = absolute(first), bend = absolute(second);
  if (slope <= k_round_off * scale) return 0;
  const double step = slope < k_largest_step * bend ? slope / bend : k_largest_step;
  return first > 0 ? step : -step;
}

// One generator: its lowest point must lie in the direction n. Newton's step for (1 − n nᵀ) w = 0 on the sphere, whose
// derivative is the second derivative of g less n·w. Of a distance, n·w is |w| at the end, which is positive for any n.
Step step_one(const Lowest& p, const Vec3& n, Goal goal) {
  const Vec3 u = perpendicular(n), v = cross(n, u);
  const Vec3& w = p.point.w;
  const double g = goal == Goal::distance ? length(w) : dot(n, w);
  const double uu = second_derivative(p, u, u) - g, uv = second_derivative(p, u, v),
               vv = second_derivative(p, v, v) - g;
  const double gu = dot(u, w), gv = dot(v, w);
  // In the axes of the second derivative: its matrix is (mean + half·cos 2φ, half·sin 2φ; …), φ the angle from u.
  const double mean = 0.5 * (uu + vv), half = length(Vec2{0.5 * (uu - vv), uv});
  const Vec2 double_angle = half > 0 ? Vec2{0.5 * (uu - vv), uv} / half : Vec2{1, 0};
  const Vec2 first = direction_of(Vec2{1 + double_angle.x, double_angle.y}).unit;
  const Vec2 axis = first == Vec2{} ? Vec2{0, 1} : first;
  const double along = uphill(gu * axis.x + gv * axis.y, mean + half, length(w));
  const double across = uphill(gv * axis.x - gu * axis.y, mean - half, length(w));
  return {true, u * (along * axis.x - across * axis.y) + v * (along * axis.y + across * axis.x), {1}};
}

// Two: both equally low, and between their lowest points one in the direction n.
Step step_two(const Lowest& p, const Lowest& q, const Vec3& n, Goal goal) {
  Vec3 u = q.point.w - p.point.w;
  u -= n * dot(n, u);
  const double size = length(u);
  if (!(size > 0)) return {};
  u = u / size;
  const Vec3 v = cross(n, u);
  const double weight = -dot(u, p.point.w) / size;
  const double along_u = -dot(n, q.point.w - p.point.w) / size;
  const Vec3 w = p.point.w + weight * (q.point.w - p.point.w);
  const auto second = [&](const Vec3& x, const Vec3& y) {
    return (1 - weight) * second_derivative(p, x, y) + weight * second_derivative(q, x, y);
  };
  const double vv = second(v, v) - (goal == Goal::distance ? length(w) : dot(n, w));
  const double along_v =
      uphill(dot(v, w) + second(v, u) * along_u, vv, larger(length(p.point.w), length(q.point.w)));
  return {true, along_u * u + along_v * v, {1 - weight, weight}};
}

// Three: all equally low.
Step step_three(const Lowest& p, const Lowest& q, const Lowest& r, const Vec3& n) {
  const Vec3 pq = q.point.w - p.point.w, pr = r.point.w - p.point.w;
  const Vec3 u = perpendicular(n), v = cross(n, u);
  const double qu = dot(u, pq), qv = dot(v, pq), ru = dot(u, pr), rv = dot(v, pr);
  const double det = qu * rv - qv * ru;
  if (det == 0) return {};
  const double q_low = -dot(n, pq), r_low = -dot(n, pr);
  const double pu = -dot(u, p.point.w), pv = -dot(v, p.point.w);
  const double second = (pu * rv - pv * ru) / det, third = (qu * pv - qv * pu) / det;
  return {true,
          u * ((q_low * rv - r_low * qv) / det) + v * ((qu * r_low - ru * q_low) / det),
          {1 - second - third, second, third}};
}

}  // namespace

Point lowest_of(const Difference<Dim3>& difference, const Point& generators, const Vec3& n) {
  return difference.is_curved() ? lowest_with_bends(difference, generators, n).point : generators;
}

std::span<const Vec3> disc_axes(const Difference<Dim3>& difference, std::array<Vec3, 4>& space) {
  std::size_t count = 0;
  const auto add = [&](const Vec3& z) {
    space[count++] = z;
    space[count++] = -z;
  };
  if (difference.a().is_curved()) add({0, 0, 1});
  if (difference.b().is_curved()) add(difference.turn().z_axis());
  return {space.data(), count};
}

Flat<Dim3> best_axis(const Difference<Dim3>& difference, std::span<const Point* const> subset,
                     const Vec3& start, Goal goal) {
  if (!difference.is_curved() && goal == Goal::distance) return flat_through(subset);
  Vec3 n = start;
  std::array<Lowest, 3> lowest;
  const auto look = [&] {
    for (std::size_t k = 0; k < subset.size(); ++k) lowest[k] = lowest_with_bends(difference, *subset[k], n);
  };
  Step step;
  for (int i = 0; i < k_most_steps; ++i) {
    look();
    step = subset.size() == 1   ? step_one(lowest[0], n, goal)
           : subset.size() == 2 ? step_two(lowest[0], lowest[1], n, goal)
                                : step_three(lowest[0], lowest[1], lowest[2], n);
    if (!step.exists) return {};
    const double size = length(step.along);
    if (!is_finite(size)) return {};
    n = normalized(n + step.along * (size > k_largest_step ? k_largest_step / size : 1));
    if (size < k_no_step) break;
  }
  look();
  double height = dot(n, lowest[0].point.w);
  for (std::size_t k = 1; k < subset.size(); ++k) height = smaller(height, dot(n, lowest[k].point.w));
  return {true, n, height, step.weights};
}

}  // namespace cairn
