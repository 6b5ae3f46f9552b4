// What collide() says of pieces that are not near: PairCache::gap, on which others rely to leave them alone.
#include <gtest/gtest.h>

#include "narrowphase/collide.h"
#include "narrowphase/random_pairs.h"

namespace cairn::test {
namespace {

Vec2 as_vector(const Real2& v) { return {double(v.x), double(v.y)}; }
Vec3 as_vector(const Real3& v) { return {double(v.x), double(v.y), double(v.z)}; }

// Pairs are taken apart along their axis, so that their separation is known: by the reference, and how far they were
// moved. The gap is above the margin and at most that, when seen for the first time and from a pose nearby.
template <class D, class Kind>
void check(Kind kind_a, Kind kind_b) {
  Dice dice(std::uint64_t(kind_a) * 100 + std::uint64_t(kind_b));
  const auto as = samples_of(kind_a, 20, dice), bs = samples_of(kind_b, 20, dice);
  int close = 0, counted = 0;
  for (int i = 0; i < 300; ++i) {
    auto pair = random_pair(as, bs, dice);
    const double separation = double(pair.separation.value), size = pair.size;
    const double wanted = pair.margin + size * dice.power_of_ten(-4, 0);
    pair.b_in_a.position += (wanted - separation) * as_vector(pair.separation.normal);
    PairCache<D> cache;
    ManifoldList<D> out;
    for (int again = 0; again < 3; ++again) {
      collide(pair.a->piece, pair.b->piece, pair.b_in_a, pair.margin, cache, out);
      if (!out.empty()) break;  // where overlapping pieces touch, the reference's normal need not be the best
      ++counted;
      EXPECT_GT(cache.gap, pair.margin) << text_of(pair);
      EXPECT_LE(cache.gap, wanted + 1e-6 * size) << text_of(pair);
      close += cache.gap > 0.9 * wanted;
    }
  }
  EXPECT_GT(counted, 300);
  EXPECT_GT(close, counted / 10) << "gaps far below what they are help nobody";
}

TEST(Gap, is_no_more_than_pieces_of_the_plane_are_apart) {
  for (int i = 0; i < k_kinds2; ++i)
    for (int j = i; j < k_kinds2; ++j) check<Dim2>(Kind2(i), Kind2(j));
}

TEST(Gap, is_no_more_than_solids_are_apart) {
  for (int i = 0; i < k_kinds3; ++i)
    for (int j = i; j < k_kinds3; ++j)
      if (Kind3(i) != Kind3::plane) check<Dim3>(Kind3(i), Kind3(j));
}

// Who is near leaves nothing behind that others could take for a gap.
TEST(Gap, is_at_most_the_margin_of_those_who_are_near) {
  const Box3 box{.half = {0.5, 0.5, 0.5}};
  PairCache<Dim3> cache;
  ManifoldList<Dim3> out;
  for (const double x : {1.5, 1.01, 0.9, 1.015}) {
    collide(Piece3(&box), Piece3(&box), Pose3{{x, 0.1, 0.2}, {}}, 0.02, cache, out);
    EXPECT_EQ(out.empty(), cache.gap > 0.02) << x;
  }
}

}  // namespace
}  // namespace cairn::test
