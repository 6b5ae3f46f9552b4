// Boxes as the broad phase stores them: single precision, never smaller than the box they stand for.
//
// A box of doubles is rounded outwards, so that nothing is ever missed, at 10⁶ m and at 10³⁰ m too. Far from
// the origin the boxes grow by what a float cannot say: 0.06 m at 10⁶ m.
//
// A question in doubles is rounded *inwards* instead: for a float f, f ≤ x in doubles is f ≤ (x rounded down)
// in floats. So comparing costs floats only and the answer is the exact one.
#pragma once

#include <cairn/shape.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace cairn {

template <class D>
struct FloatBox {
  static constexpr std::size_t k_axes = D::k_linear;
  std::array<float, k_axes> lo{}, hi{};  // [m]
  friend bool operator==(const FloatBox&, const FloatBox&) = default;
};

CAIRN_INLINE std::array<double, 2> coordinates(const Vec2& v) { return {v.x, v.y}; }
CAIRN_INLINE std::array<double, 3> coordinates(const Vec3& v) { return {v.x, v.y, v.z}; }

// The smallest float that is not below x. What is no number becomes infinity: a box that holds too much. (The step
// to the next float is without a branch, which would go wrong every other time.)
inline float rounded_up(double x) {
  constexpr double k_most = std::numeric_limits<float>::max();
  if (!(absolute(x) <= k_most)) {
    if (x < 0) return x == -std::numeric_limits<double>::infinity() ? float(x) : float(-k_most);
    return std::numeric_limits<float>::infinity();
  }
  const float nearest = float(x);
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest), step = double(nearest) < x;
  return std::bit_cast<float>(bits + step -
                              2 * (step & bits >> 31));  // bits of negative floats count downwards
}
// The largest float that is not above x.
inline float rounded_down(double x) { return -rounded_up(-x); }

template <class D>
FloatBox<D> rounded_outwards(const Bounds<D>& box) {
  const auto lo = coordinates(box.lo), hi = coordinates(box.hi);
  FloatBox<D> out;
  for (std::size_t i = 0; i < out.k_axes; ++i) out.lo[i] = rounded_down(lo[i]), out.hi[i] = rounded_up(hi[i]);
  return out;
}
// For questions; a box smaller than a float can say may turn inside out, and the answers are still right.
template <class D>
FloatBox<D> rounded_inwards(const Bounds<D>& box) {
  const auto lo = coordinates(box.lo), hi = coordinates(box.hi);
  FloatBox<D> out;
  for (std::size_t i = 0; i < out.k_axes; ++i) out.lo[i] = rounded_up(lo[i]), out.hi[i] = rounded_down(hi[i]);
  return out;
}

// Do they have a point in common? Touching counts. (`&=` and not `&&`: a branch per side costs more.)
template <class D>
CAIRN_INLINE bool overlap(const FloatBox<D>& a, const FloatBox<D>& b) {
  bool yes = true;
  for (std::size_t i = 0; i < a.k_axes; ++i) {
    yes &= a.lo[i] <= b.hi[i];
    yes &= b.lo[i] <= a.hi[i];
  }
  return yes;
}
template <class D>
CAIRN_INLINE bool contains(const FloatBox<D>& outer, const Bounds<D>& inner) {
  const auto lo = coordinates(inner.lo), hi = coordinates(inner.hi);
  bool yes = true;
  for (std::size_t i = 0; i < outer.k_axes; ++i) {
    yes &= double(outer.lo[i]) <= lo[i];
    yes &= hi[i] <= double(outer.hi[i]);
  }
  return yes;
}
template <class D>
CAIRN_INLINE FloatBox<D> merged(const FloatBox<D>& a, const FloatBox<D>& b) {
  FloatBox<D> out;
  for (std::size_t i = 0; i < a.k_axes; ++i) {
    out.lo[i] = a.lo[i] < b.lo[i] ? a.lo[i] : b.lo[i];
    out.hi[i] = a.hi[i] < b.hi[i] ? b.hi[i] : a.hi[i];
  }
  return out;
}

// Half of what surrounds a box of these extents: the chance that something small meets it goes with it.
CAIRN_INLINE float half_surface(const std::array<float, 2>& e) { return e[0] + e[1]; }
CAIRN_INLINE float half_surface(const std::array<float, 3>& e) {
  return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
}
template <class D>
CAIRN_INLINE float half_surface(const FloatBox<D>& box) {
  std::array<float, FloatBox<D>::k_axes> extents;
  for (std::size_t i = 0; i < box.k_axes; ++i) extents[i] = box.hi[i] - box.lo[i];
  return half_surface(extents);
}

// May the box be in a sorted structure? Infinite ones may not, nor those beyond a tenth of a light year: the sums
// of products of their extents would overflow.
template <class D>
bool is_bounded(const FloatBox<D>& box) {
  constexpr float k_far = 1e15f;  // [m]
  bool yes = true;
  for (std::size_t i = 0; i < box.k_axes; ++i) {
    yes &= box.lo[i] >= -k_far;
    yes &= box.hi[i] <= k_far;
  }
  return yes;
}

// A ray prepared for many boxes. The slab test (Kay and Kajiya 1986) with its rounding bounded as by Ize (2013):
// each fraction has three roundings, so the far one is made larger by four units in the last place, and a box
// is never missed.
template <class D>
class BoxRay {
 public:
  BoxRay(const Ray<D>& ray, const typename D::Vec& half)
      : origin_(coordinates(ray.origin)),
        translation_(coordinates(ray.translation)),
        half_(coordinates(half)) {}

  // Where the ray enters the box, made larger by `half` on each side; above `most` if it does not before that.
  double enters(const FloatBox<D>& box, double most) const {
    constexpr double k_inf = std::numeric_limits<double>::infinity();
    double enter = 0, leave = most;
    for (std::size_t i = 0; i < box.k_axes; ++i) {
      const double lo = double(box.lo[i]) - half_[i] - origin_[i];
      const double hi = double(box.hi[i]) + half_[i] - origin_[i];
      const double slack = k_slack * (absolute(origin_[i]) + half_[i]);
      if (translation_[i] == 0) {
        if (lo > slack || hi < -slack) return k_inf;
        continue;
      }
      const double a = (lo - slack) / translation_[i], b = (hi + slack) / translation_[i];
      enter = larger(enter, smaller(a, b));
      leave = smaller(leave, larger(a, b) * (1 + k_slack));
    }
    return enter <= leave ? enter : k_inf;
  }

 private:
  static constexpr double k_slack = 4 * std::numeric_limits<double>::epsilon();
  std::array<double, D::k_linear> origin_, translation_, half_;
};

}  // namespace cairn
