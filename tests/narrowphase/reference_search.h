// Parts of the reference in space: the best direction so far, and the least distance so far.
#pragma once

#include "narrowphase/reference_3d.h"

namespace cairn::test {

// The best of the directions considered, with both signs: S of reference_3d.h.
class DirectionSearch {
 public:
  DirectionSearch(const Body3& a, const Body3& b);

  // max(f(n), f(−n)) for an n of any length; −∞ for one too short to have a direction.
  Real consider(const Real3& n);
  Real consider_one(const Real3& n);  // f(n) only
  // The maximum over the circle n = rise·w + run·(cos θ·u + sin θ·v), with unit w and rise² + run² = 1. Looks
  // between the angles where the supports of a or b change from one corner, edge or rim to another.
  void circle(const Real3& w, Real rise, Real run);
  // The maximum over n = t_a × t_b, with t tangents of two rims of a and b.
  void two_rims(const Real3& centre_a, const Real3& centre_b, bool far);
  // Steps from the best so far to better ones nearby, shorter and shorter. For rims that all but touch, whose crossings
  // are too close to each other to be told apart.
  void climb();

  Real best() const { return best_; }
  const Real3& normal() const { return normal_; }

 private:
  std::vector<double> nodes_on_circle(const Real3& w, Real rise, Real run, const Real3& u,
                                      const Real3& v) const;

  const Body3& a_;
  const Body3& b_;
  Real reach_;  // no f changes by more than this times the change of n
  Real best_;
  Real3 normal_{};
};

// The closest pair of points so far: U of reference_3d.h.
struct ClosestPair {
  Real distance;
  Real3 way{};  // from a's point to b's

  ClosestPair();
  void consider(const Real3& in_a, const Real3& in_b);
};

// Directions of reference_3d.h that involve a cylinder or cone.
void consider_round_directions(const Body3& a, const Body3& b, DirectionSearch& search);
// Pairs of features of which one belongs to a cylinder or cone; `n` is the best direction.
void consider_round_features(const Body3& a, const Body3& b, const Real3& n, ClosestPair& pair);

}  // namespace cairn::test
