// Questions to a world: what is along a line, in a region, near a point?
#pragma once

#include <cairn/contact.h>

namespace cairn {

// Which shapes a question is about: those whose category has a bit in `mask`, and whose own mask has a bit of
// `category`.
struct QueryFilter {
  std::uint64_t category = ~std::uint64_t{0};
  std::uint64_t mask = ~std::uint64_t{0};
  bool sensors = false;  // are sensors asked too?
  BodyId ignore{};       // a body that is not asked, such as the one that asks
};

// Where a ray or a moving shape first meets a shape.
template <class D>
struct CastHit {
  ShapeRef shape{};
  double fraction = 0;       // of the translation, in [0, 1]; 0 where they overlap at the start
  typename D::Vec point{};   // [m] world, on the shape
  typename D::Vec normal{};  // unit, out of the shape
};
using CastHit2 = CastHit<Dim2>;
using CastHit3 = CastHit<Dim3>;

// The shape nearest to a point or shape.
template <class D>
struct Closest {
  ShapeRef a{}, b{};          // a is null when the question came from a point
  double distance = 0;        // [m]; 0 where they overlap
  typename D::Vec point_a{};  // [m] world, on a, or the point asked about
  typename D::Vec point_b{};  // on b; where they overlap, a common point
};
using Closest2 = Closest<Dim2>;
using Closest3 = Closest<Dim3>;

}  // namespace cairn
