// collide() for two shapes of any kind, judged by what needs no slow reference: promises of the manifolds, and for
// convex pieces that the first separation is the one along the normal, by the test's own support functions.
#pragma once

#include "fuzz/bytes.h"
#include "geometry/bounds.h"
#include "narrowphase/collide.h"
#include "narrowphase/manifold_check.h"

namespace cairn::fuzz {

template <class D>
double extent(const Piece<D>& piece) {  // of what is finite
  const Bounds<D> box = bounds(piece, Pose<D>{});
  const auto sides = box.hi - box.lo;
  return is_finite(sides) ? length(sides) : 0;
}

template <class D>
void check(const Piece<D>& a, const Piece<D>& b, const Pose<D>& b_in_a, double margin,
           const ManifoldList<D>& list) {
  const double size = extent<D>(a) + extent<D>(b) + length(b_in_a.position);
  for (const Manifold<D>& manifold : list)
    if (const std::string defect = test::defect_of(manifold, margin, 1e-9 * size); !defect.empty())
      fail(defect);
  const bool convex_a = is_convex(a), convex_b = is_convex(b);
  if (!convex_a && !convex_b && !list.empty()) fail("surfaces do not meet each other");
  if (!convex_a || !convex_b || list.empty()) return;
  if (list.size() > 1) fail("more than one manifold of convex pieces");
  const auto body_a = test::body_of(a), body_b = test::placed(test::body_of(b), b_in_a);
  const double along = double(test::separation_along(body_a, body_b, test::unit(test::real(list[0].normal))));
  if (!(std::abs(along - list[0].points[0].separation) <= 1e-5 * size))
    fail("the separation along the normal is " + std::to_string(along) + ", not " +
         std::to_string(list[0].points[0].separation));
}

// Every piece of a against every piece of b, with a cold and with a warm cache, and exchanged.
template <class D>
void collide_all(const Geometry<D>& a, const Geometry<D>& b, const Pose<D>& b_in_a, double margin) {
  for (const PlacedPiece<D>& part_a : pieces_of(a))
    for (const PlacedPiece<D>& part_b : pieces_of(b)) {
      const typename D::Rot back = inverse(part_a.pose.rotation);
      const Pose<D> world = b_in_a * part_b.pose;
      const Pose<D> pose{back * (world.position - part_a.pose.position), normalized(back * world.rotation)};
      PairCache<D> cache, other;
      ManifoldList<D> list;
      for (int i = 0; i < 2; ++i) {
        list.clear();
        collide(part_a.piece, part_b.piece, pose, margin, cache, list);
        check<D>(part_a.piece, part_b.piece, pose, margin, list);
      }
      const Pose<D> exchanged{-(inverse(pose.rotation) * pose.position), inverse(pose.rotation)};
      list.clear();
      collide(part_b.piece, part_a.piece, exchanged, margin, other, list);
      check<D>(part_b.piece, part_a.piece, exchanged, margin, list);
    }
}

}  // namespace cairn::fuzz
