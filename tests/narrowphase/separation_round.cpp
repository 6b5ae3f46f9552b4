// What cylinders and cones add to the reference: sides, discs and rims.
#include <algorithm>
#include <array>

#include "narrowphase/reference_search.h"

namespace cairn::test {
namespace {

constexpr double k_golden = 0.6180339887498949;

// The normals of the side of a cylinder or cone: rise along its axis, run away from it.
struct Slope {
  Real rise, run;
};
Slope slope_of(const Body3& body) {
  if (body.form == Form::cylinder) return {0, 1};
  const Real length = std::sqrt(body.radius * body.radius + 4 * body.half * body.half);
  return {body.radius / length, 2 * body.half / length};
}

std::vector<Real3> rim_centres(const Body3& body) {
  std::vector<Real3> centres{body.centre - body.half * body.axis};
  if (body.form == Form::cylinder) centres.push_back(body.centre + body.half * body.axis);
  return centres;
}

// The least distance of a segment to a cylinder or cone. The distance d(x) is convex and ∇(d²/2) = x − closest(x),
// so that its least value along the segment is where that turns across it: found by halving.
template <class Consider>
void segment_to_round(const Real3& p, const Real3& q, const Body3& round, Consider&& consider) {
  const Real3 d = q - p;
  Real lo = 0, hi = 1;
  const auto slope = [&](Real t) {
    const Real3 x = point_at(p, q, t);
    return dot(d, x - closest_in(round, x));
  };
  if (slope(0) >= 0)
    hi = 0;
  else if (slope(1) <= 0)
    lo = 1;
  else
    for (int i = 0; i < 70; ++i) {
      const Real mid = (lo + hi) / 2;
      (slope(mid) < 0 ? lo : hi) = mid;
    }
  for (const Real t : {lo, hi}) {
    const Real3 x = point_at(p, q, t);
    consider(x, closest_in(round, x));
  }
}

// The same along a rim, where there can be several least values: halving between samples where the slope turns.
template <class Consider>
void rim_to_round(const Body3& body, const Real3& rim_centre, const Body3& round, Consider&& consider) {
  constexpr int k_samples = 64;
  const Real3 u = across(body.axis), v = cross(body.axis, u);
  const auto point = [&](double angle) {
    return rim_centre + body.radius * (Real(std::cos(angle)) * u + Real(std::sin(angle)) * v);
  };
  const auto slope = [&](double angle) {
    const Real3 x = point(angle);
    return dot(Real(std::cos(angle)) * v - Real(std::sin(angle)) * u, x - closest_in(round, x));
  };
  double from = 0;
  Real slope_from = slope(from);
  for (int i = 1; i <= k_samples; ++i) {
    const double to = 2 * k_pi * i / k_samples;
    const Real slope_to = slope(to);
    if (slope_from <= 0 && slope_to >= 0) {
      double lo = from, hi = to;
      for (int k = 0; k < 52; ++k) {
        const double mid = (lo + hi) / 2;
        (slope(mid) < 0 ? lo : hi) = mid;
      }
      for (const double angle : {lo, hi}) consider(point(angle), closest_in(round, point(angle)));
    }
    from = to;
    slope_from = slope_to;
  }
}

// The line on the side of a cylinder or cone whose normal is nearest to n, from the base to the top.
std::array<Real3, 2> line_towards(const Body3& body, const Real3& n) {
  const Real3 radial = n - dot(n, body.axis) * body.axis;
  const Real size = size_of(radial);
  const Real3 out = body.radius * (size > 1e-9L ? radial * (1 / size) : across(body.axis));
  const Real3 base = body.centre - body.half * body.axis, top = body.centre + body.half * body.axis;
  return {base + out, body.form == Form::cylinder ? top + out : top};
}

// The least distance of the edges of a core to a round body, and of the round body's points that lie furthest
// towards a face to that face.
template <class Consider>
void core_to_round(const Body3& core, const Body3& round, Consider&& consider) {
  if (core.edges.empty()) consider(core.corners[0], closest_in(round, core.corners[0]));
  for (const Body3::Edge& edge : core.edges)
    segment_to_round(core.corners[edge.from], core.corners[edge.to], round, consider);
  for (const Body3::Face& face : core.faces)
    for (const Real3& y : line_towards(round, -face.normal)) {
      bool over = true;
      for (std::size_t i = 0; i < face.loop.size() && over; ++i) {
        const Real3 p = core.corners[face.loop[i]], q = core.corners[face.loop[(i + 1) % face.loop.size()]];
        over = dot(cross(face.normal, q - p), y - p) >= 0;
      }
      if (over) consider(y - (dot(face.normal, y) - face.offset) * face.normal, y);
    }
}

// What rims, apex and one line of a's side are from b.
template <class Consider>
void round_to_round(const Body3& body, const Real3& n, const Body3& other, Consider&& consider) {
  for (const Real3& centre : rim_centres(body)) rim_to_round(body, centre, other, consider);
  const std::array<Real3, 2> line = line_towards(body, n);
  segment_to_round(line[0], line[1], other, consider);
}

}  // namespace

// Between two nodes f is smooth, and it changes by at most its reach times the angle: intervals that cannot hold the
// best are left out, the others halved until they are short. Where f then rises behind the one end and falls before
// the other, golden section finds the top between them.
void DirectionSearch::circle(const Real3& w, Real rise, Real run) {
  const Real3 u = across(w), v = cross(w, u);
  const auto at = [&](double angle) {
    return consider_one(rise * w + run * (Real(std::cos(angle)) * u + Real(std::sin(angle)) * v));
  };
  const auto climb = [&](double lo, double hi) {
    const double aside = 1e-6 * (hi - lo);
    if (at(lo + aside) <= at(lo) || at(hi - aside) <= at(hi)) return;
    double x = hi - k_golden * (hi - lo), y = lo + k_golden * (hi - lo);
    Real fx = at(x), fy = at(y);
    for (int k = 0; k < 46; ++k)
      if (fx > fy)
        hi = y, y = x, fy = fx, x = hi - k_golden * (hi - lo), fx = at(x);
      else
        lo = x, x = y, fx = fy, y = lo + k_golden * (hi - lo), fy = at(y);
  };
  const auto look = [&](auto&& self, double lo, Real at_lo, double hi, Real at_hi) -> void {
    if ((at_lo + at_hi + reach_ * run * Real(hi - lo)) / 2 <= best_ || !(hi - lo > 1e-9)) return;
    if (hi - lo < 0.03) return climb(lo, hi);
    const double middle = (lo + hi) / 2;
    const Real at_middle = at(middle);
    self(self, lo, at_lo, middle, at_middle);
    self(self, middle, at_middle, hi, at_hi);
  };
  std::vector<double> nodes = nodes_on_circle(w, rise, run, u, v);
  nodes.push_back(nodes[0] + 2 * k_pi);
  Real before = at(nodes[0]);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Real here = at(nodes[i]);
    look(look, nodes[i - 1], before, nodes[i], here);
    before = here;
  }
}

// Angles where the support of a or b changes, or is nearest to where it would; and some more. In order.
std::vector<double> DirectionSearch::nodes_on_circle(const Real3& w, Real rise, Real run, const Real3& u,
                                                     const Real3& v) const {
  std::vector<double> nodes;
  for (int i = 0; i < 8; ++i) nodes.push_back(2 * k_pi * i / 8);
  // n·e = level: rise·(w·e) + run·(cos θ·(u·e) + sin θ·(v·e)) = level
  const auto add = [&](const Real3& e, Real level, bool nearest) {
    const double p = double(run * dot(u, e)), q = double(run * dot(v, e)), size = std::sqrt(p * p + q * q);
    const double cosine = double(level - rise * dot(w, e)) / size;
    const double middle = std::atan2(q, p);
    if (!(size > 0)) return;
    const auto put = [&](double angle) {
      nodes.push_back(angle < 0 ? angle + 2 * k_pi : angle >= 2 * k_pi ? angle - 2 * k_pi : angle);
    };
    if (std::abs(cosine) <= 1) put(middle - std::acos(cosine)), put(middle + std::acos(cosine));
    if (!nearest) return;
    // A disc's support turns fast where n passes close to its axis: within the angle between them.
    for (const double sign : {-1., 1.}) {
      const double there = sign > 0 ? middle : middle + k_pi;
      const double close = std::min(1., std::abs(double(rise * dot(w, e)) + sign * size));
      const double angle = std::sqrt(1 - close * close) / double(run);
      for (const double part : {-4., -2., -1., -0.5, 0., 0.5, 1., 2., 4.})
        if (part == 0 || angle < 0.2) put(there + part * angle);
    }
  };
  for (const Body3* body : {&a_, &b_}) {
    for (const Real3& e : body->directions) add(e, 0, false);
    if (!body->round()) continue;
    add(body->axis, slope_of(*body).rise, true);
    if (body->form == Form::cone) add(-body->axis, slope_of(*body).rise, false);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

namespace {

// Two rims: a point x moves along the first, and its foot y on the second is the point there that is nearest to x
// or, if `far`, furthest from it.
struct TwoRims {
  struct Sample {
    double angle;
    Real slope;
  };
  Real3 centre_a, u, v, centre_b, axis_b;
  Real radius_a, radius_b;
  bool far;

  Real3 x(double angle) const {
    return centre_a + radius_a * (Real(std::cos(angle)) * u + Real(std::sin(angle)) * v);
  }
  Real3 tangent(double angle) const { return Real(std::cos(angle)) * v - Real(std::sin(angle)) * u; }
  Real3 outward(double angle) const {  // from the second rim's centre to the foot, unit
    const Real3 d = x(angle) - centre_b, radial = d - dot(d, axis_b) * axis_b;
    return unit(far ? -radial : radial);
  }
  Real slope(double angle) const {
    return dot(centre_b + radius_b * outward(angle) - x(angle), tangent(angle));
  }
  Real3 normal(double angle) const { return cross(tangent(angle), cross(axis_b, outward(angle))); }

  // Once round, closer where the foot runs ahead because x passes the second axis, and where the rims all but meet:
  // between two places where they cross there is a zero that matters.
  std::vector<Sample> samples() const {
    constexpr int k_samples = 48;
    std::vector<Sample> list{{0, slope(0)}};
    const auto halve = [&](auto&& self, double lo, double hi, int depth) -> void {
      const double mid = (lo + hi) / 2;
      const Real arc = radius_a * Real(hi - lo);
      const bool runs = depth < 12 && dot(outward(lo), outward(hi)) < 0.9L;
      const bool meets = depth < 5 && size_of(centre_b + radius_b * outward(mid) - x(mid)) < 0.5L * arc;
      if (runs || meets) {
        self(self, lo, mid, depth + 1);
        self(self, mid, hi, depth + 1);
      } else {
        list.push_back({hi, slope(hi)});
      }
    };
    for (int i = 0; i < k_samples; ++i)
      halve(halve, 2 * k_pi * i / k_samples, 2 * k_pi * (i + 1) / k_samples, 0);
    return list;
  }
  // The angle between lo and hi where the slope is nearest to zero or beyond, from the side of `sign`.
  Sample dip(double lo, double hi, Real sign) const {
    double x = hi - k_golden * (hi - lo), y = lo + k_golden * (hi - lo);
    Real fx = sign * slope(x), fy = sign * slope(y);
    for (int k = 0; k < 40 && fx > 0 && fy > 0; ++k)
      if (fx < fy)
        hi = y, y = x, fy = fx, x = hi - k_golden * (hi - lo), fx = sign * slope(x);
      else
        lo = x, x = y, fx = fy, y = lo + k_golden * (hi - lo), fy = sign * slope(y);
    return fx < fy ? Sample{x, sign * fx} : Sample{y, sign * fy};
  }
};

}  // namespace

// Where two rims hold the ball of reference_3d.h, f is stationary: y − x is parallel to n = t_a × t_b, so at right
// angles to both rims. For each x, y is one of two points; slope(x) = (y − x)·t_a is zero at most eight times.
void DirectionSearch::two_rims(const Real3& centre_a, const Real3& centre_b, bool far) {
  // x moves along the smaller rim, which may cross a short arc of the larger one.
  const bool swap = b_.radius < a_.radius;
  const Body3 &first = swap ? b_ : a_, &second = swap ? a_ : b_;
  const Real3 u = across(first.axis), v = cross(first.axis, u);
  const TwoRims rims{swap ? centre_b : centre_a,
                     u,
                     v,
                     swap ? centre_a : centre_b,
                     second.axis,
                     first.radius,
                     second.radius,
                     far};
  const auto root = [&](TwoRims::Sample lo, TwoRims::Sample hi) {
    if ((lo.slope < 0) == (hi.slope < 0)) return;
    for (int k = 0; k < 44; ++k) {
      const double mid = (lo.angle + hi.angle) / 2;
      ((rims.slope(mid) < 0) == (lo.slope < 0) ? lo : hi).angle = mid;
    }
    consider(rims.normal(lo.angle));
  };
  const std::vector<TwoRims::Sample> samples = rims.samples();
  const std::size_t count = samples.size() - 1;  // the last is the first again
  for (std::size_t i = 0; i < count; ++i) {
    const TwoRims::Sample &here = samples[i], &next = samples[i + 1];
    root(here, next);
    // Two zeros between neighbours?
    const TwoRims::Sample after =
        i + 2 <= count ? samples[i + 2] : TwoRims::Sample{samples[1].angle + 2 * k_pi, samples[1].slope};
    const Real sign = next.slope < 0 ? -1 : 1;
    if (sign * here.slope < sign * next.slope || sign * after.slope < sign * next.slope) continue;
    const TwoRims::Sample dip = rims.dip(here.angle, after.angle, sign);
    if (sign * dip.slope > 0) {
      consider(rims.normal(dip.angle));
      continue;
    }
    root(here, dip);
    root(dip, after);
  }
}

void DirectionSearch::climb() {
  constexpr int k_ways = 16;
  for (Real step = 1e-3L; step > 1e-10L; step /= 2)
    for (bool moved = true; moved;) {
      const Real3 from = normal_, u = across(from), v = cross(from, u);
      const Real before = best_;
      for (int k = 0; k < k_ways; ++k) {
        const double angle = 2 * k_pi * k / k_ways;
        consider_one(from + step * (Real(std::cos(angle)) * u + Real(std::sin(angle)) * v));
      }
      moved = best_ > before + 1e-14L * reach_;
    }
}

void consider_round_directions(const Body3& a, const Body3& b, DirectionSearch& search) {
  if (!a.round() && !b.round()) return;
  for (const Body3* body : {&a, &b}) {
    const Body3& other = body == &a ? b : a;
    if (body->round()) {
      const Slope slope = slope_of(*body);
      search.consider(body->axis);
      search.circle(body->axis, slope.rise, slope.run);
      if (slope.rise > 0) search.circle(body->axis, -slope.rise, slope.run);
    }
    if (other.round())
      for (const Real3& e : body->directions) search.circle(e, 0, 1);
  }
  if (!a.round() || !b.round()) return;
  for (const Real3& centre_a : rim_centres(a))
    for (const Real3& centre_b : rim_centres(b))
      for (const bool far : {false, true}) search.two_rims(centre_a, centre_b, far);
  if (search.best() < 0) search.climb();
}

void consider_round_features(const Body3& a, const Body3& b, const Real3& n, ClosestPair& pair) {
  const auto forth = [&](const Real3& in_a, const Real3& in_b) { pair.consider(in_a, in_b); };
  const auto back = [&](const Real3& in_b, const Real3& in_a) { pair.consider(in_a, in_b); };
  if (a.round() && b.round()) {
    round_to_round(a, n, b, forth);
    round_to_round(b, -n, a, back);
  } else if (a.round()) {
    core_to_round(b, a, back);
  } else {
    core_to_round(a, b, forth);
  }
}

}  // namespace cairn::test
