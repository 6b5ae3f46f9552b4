// A million random pairs of pieces, touching, deep, grazing, parallel, of 1 mm and of 1 km: what collide() reports is
// measured against the reference, with a cold cache, with a and b exchanged, and with a cache of a step ago.
#include <gtest/gtest.h>

#include <cstdlib>

#include "narrowphase/collide.h"
#include "narrowphase/manifold_check.h"

namespace cairn::test {
namespace {

template <class D>
struct Of;
template <>
struct Of<Dim2> {
  using Kind = Kind2;
  using Pair = Pair2;
};
template <>
struct Of<Dim3> {
  using Kind = Kind3;
  using Pair = Pair3;
};

template <class D>
bool same(const ManifoldList<D>& x, const ManifoldList<D>& y) {
  if (x.size() != y.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i].normal == y[i].normal) || x[i].count != y[i].count) return false;
    for (std::size_t k = 0; k < std::size_t(x[i].count); ++k)
      if (!(x[i].points[k].point == y[i].points[k].point) ||
          x[i].points[k].separation != y[i].points[k].separation ||
          x[i].points[k].features != y[i].points[k].features)
        return false;
  }
  return true;
}

// The first thing wrong with what collide() says of this pair, or nothing.
template <class D>
std::string verdict(const typename Of<D>::Pair& pair, Dice& dice) {
  ManifoldList<D> cold, again, back, warm;
  PairCache<D> cache, other, spare;
  collide(pair.a->piece, pair.b->piece, pair.b_in_a, pair.margin, cache, cold);
  if (const std::string defect = defect_of(pair, cold); !defect.empty()) return defect;
  collide(pair.a->piece, pair.b->piece, pair.b_in_a, pair.margin, spare, again);
  if (!same(cold, again)) return "not the same twice";

  // The same pose, seen from b.
  const Pose<D> a_in_b{-(inverse(pair.b_in_a.rotation) * pair.b_in_a.position),
                       inverse(pair.b_in_a.rotation)};
  collide(pair.b->piece, pair.a->piece, a_in_b, pair.margin, other, back);
  for (Manifold<D>& manifold : back) manifold = exchanged(manifold, pair.b_in_a);
  if (const std::string defect = defect_of(pair, back); !defect.empty()) return "exchanged: " + defect;

  collide(pair.a->piece, pair.b->piece, nudged(pair, dice), pair.margin, cache, warm);
  warm.clear();
  collide(pair.a->piece, pair.b->piece, pair.b_in_a, pair.margin, cache, warm);
  if (const std::string defect = defect_of(pair, warm); !defect.empty()) return "warm: " + defect;
  return {};
}

// Runs `count` pairs of these kinds and reports the first few failures in full, and how many there were.
template <class D>
void check(typename Of<D>::Kind kind_a, typename Of<D>::Kind kind_b, int count) {
  Dice dice(std::uint64_t(kind_a) * 100 + std::uint64_t(kind_b));
  const auto as = samples_of(kind_a, 80, dice), bs = samples_of(kind_b, 80, dice);
  int failures = 0, overlapping = 0;
  for (int i = 0; i < count; ++i) {
    const auto pair = random_pair(as, kind_a == kind_b ? as : bs, dice);
    const std::string defect = verdict<D>(pair, dice);
    if (defect.empty()) continue;
    overlapping += pair.separation.value < 0;
    if (++failures <= 3)
      ADD_FAILURE() << name_of(kind_a) << " and " << name_of(kind_b) << ", " << text_of(pair) << "  "
                    << defect;
  }
  EXPECT_EQ(failures, 0) << overlapping << " of them overlap; of " << count << " pairs of " << name_of(kind_a)
                         << " and " << name_of(kind_b);
}

bool round(Kind3 kind) { return kind == Kind3::cylinder || kind == Kind3::cone; }

TEST(CollideRandom, pairs_of_the_plane_long) {
  for (int i = 0; i < k_kinds2; ++i)
    for (int j = i; j < k_kinds2; ++j) check<Dim2>(Kind2(i), Kind2(j), 30'000);
}

// 15 kinds of pairs of spheres, boxes, capsules, hulls and planes.
TEST(CollideRandom, pairs_of_polyhedra_and_rounded_shapes_long) {
  for (int i = 0; i < k_kinds3; ++i)
    for (int j = i; j < k_kinds3; ++j)
      if (!round(Kind3(i)) && !round(Kind3(j)) && Kind3(i) != Kind3::plane)
        check<Dim3>(Kind3(i), Kind3(j), Kind3(j) == Kind3::hull ? 20'000 : 40'000);
}

TEST(CollideRandom, pairs_with_cylinders_long) {
  for (int i = 0; i < k_kinds3; ++i)
    if (Kind3(i) != Kind3::cone) check<Dim3>(Kind3::cylinder, Kind3(i), 10'000);
}

TEST(CollideRandom, pairs_with_cones_long) {
  for (int i = 0; i < k_kinds3; ++i) check<Dim3>(Kind3::cone, Kind3(i), 10'000);
}

}  // namespace
}  // namespace cairn::test
