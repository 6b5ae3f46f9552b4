// The difference B − A of two cores: all vectors from a point of a to a point of b.
//
// The cores overlap where it contains 0; otherwise its point nearest to 0 is the shortest way from a to b. Along a
// unit vector n, its lowest point is as high as n separates the two: separation(n) = min n·b − max n·a.
//
// Everything is in a's axes. Points of a and b are kept relative to the middles of their cores, whose difference is
// taken once: how far the pieces are from the origin of their frames costs no digits.
#pragma once

#include "geometry/core.h"
#include "geometry/direction.h"

namespace cairn {

// One point of the difference, w = offset + b − a, and where it comes from.
template <class D>
struct DifferencePoint {
  typename D::Vec w{};               // [m] from the point of a to that of b
  typename D::Vec a{}, b{};          // [m] each from the middle of its core, a's axes
  std::uint32_t id_a = 0, id_b = 0;  // of the generators
  bool same_generators(const DifferencePoint& p) const { return id_a == p.id_a && id_b == p.id_b; }
};

// A rotation ready to be applied to many vectors.
class Turn2 {
 public:
  explicit Turn2(const Rot2& r) : r_(r) {}
  Vec2 operator()(const Vec2& v) const { return r_ * v; }
  Vec2 back(const Vec2& v) const { return cairn::inverse(r_) * v; }

 private:
  Rot2 r_;
};
class Turn3 {
 public:
  explicit Turn3(const Rot3& r) : m_(matrix(r)) {}
  Vec3 operator()(const Vec3& v) const { return m_ * v; }
  Vec3 back(const Vec3& v) const { return {dot(m_.c0, v), dot(m_.c1, v), dot(m_.c2, v)}; }
  const Vec3& z_axis() const { return m_.c2; }

 private:
  Mat3 m_;
};
template <class D>
struct TurnOf;
template <>
struct TurnOf<Dim2> {
  using type = Turn2;
};
template <>
struct TurnOf<Dim3> {
  using type = Turn3;
};

template <class D>
class Difference {
 public:
  using Vec = typename D::Vec;
  using Point = DifferencePoint<D>;

  Difference(const Core<D>& a, const Core<D>& b, const Pose<D>& b_in_a)
      : a_(a), b_(b), turn_(b_in_a.rotation), offset_((b_in_a.position - a.middle) + turn_(b.middle)) {}

  // The point that lies furthest against n: lowest(n).w·n = separation(n).
  Point lowest(const Vec& n) const { return lowest(n, {}); }
  Point lowest(const Vec& n, const Point& hint) const {
    const CorePoint<D> p = furthest(a_, n, hint.id_a), q = furthest(b_, -turn_.back(n), hint.id_b);
    const Vec b = turn_(q.from_middle);
    return {offset_ + (b - p.from_middle), p.from_middle, b, p.id, q.id};
  }

  // Points relative to the middles, in a's frame.
  Vec on_a(const Vec& from_middle) const { return a_.middle + from_middle; }
  Vec on_b(const Vec& from_middle) const { return a_.middle + (offset_ + from_middle); }

  const Core<D>& a() const { return a_; }
  const Core<D>& b() const { return b_; }
  const Vec& offset() const { return offset_; }  // [m] from the middle of a to that of b
  const typename TurnOf<D>::type& turn() const { return turn_; }
  bool is_curved() const { return a_.is_curved() || b_.is_curved(); }

 private:
  const Core<D>& a_;
  const Core<D>& b_;
  typename TurnOf<D>::type turn_;
  Vec offset_;
};

}  // namespace cairn
