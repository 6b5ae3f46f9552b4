#include "narrowphase/pair_contact.h"

#include <gtest/gtest.h>

#include "geometry/extent.h"

namespace cairn {
namespace {

constexpr double k_margin = 0.02;  // [m]

// A box slides over the edge of another. One of its corners is left; in place of the other, the edge comes in, 5 cm further on
// one and 15 cm on the other: another point, which bore nothing. However far ahead contacts are found.
TEST(PairContact, points_inherit_nothing_from_far_away) {
  const Box2 table{.half = {1, 0.5}}, box{.half = {0.25, 0.25}};
  const PieceOnBody<Dim2> a{Piece2(&table), {}, outer_radius(Piece2(&table), {})},
      b{Piece2(&box), {}, outer_radius(Piece2(&box), {})};
  for (const double ahead : {0., 0.2}) {
    PairContact<Dim2> contact;
    find_afresh(contact, {}, a, b, {{0.7, 0.75}, {}}, k_margin, ahead);
    ASSERT_EQ(contact.patches.size(), 1u);
    ASSERT_EQ(contact.patches[0].count, 2);
    for (int k = 0; k < 2; ++k) contact.patches[0].points[k].load = 10;
    const PairContact<Dim2> before = contact;
    find_afresh(contact, before, a, b, {{0.9, 0.75}, {}}, k_margin, ahead);
    ASSERT_EQ(contact.patches[0].count, 2);
    int edges = 0;
    for (int k = 0; k < 2; ++k) {
      const PairPoint<Dim2>& point = contact.patches[0].points[k];
      const bool edge = point.anchor_a.x > 0.99;
      edges += edge;
      EXPECT_EQ(point.load, edge ? 0 : 10) << ahead;
      EXPECT_EQ(point.age, edge ? 0u : 1u) << ahead;
    }
    EXPECT_EQ(edges, 1);
  }
}

}  // namespace
}  // namespace cairn
