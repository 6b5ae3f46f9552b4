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
    const PatchList<Dim2> before = contact.patches;
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

// Far from each other, near, far: memory for patches is there as long as they are.
TEST(PairContact, has_memory_for_patches_only_while_it_has_points) {
  const Sphere ball{.radius = 1};
  const PieceOnBody<Dim3> piece{Piece3(&ball), {}, outer_radius(Piece3(&ball), {})};
  PairContact<Dim3> contact;
  for (const double distance : {2.1, 2.0, 1.99, 2.1}) {
    const Pose3 b_in_a{{distance, 0, 0}, {}};
    update(contact, piece, piece, b_in_a, {.margin = k_margin, .recycle = 1e-4});
    const bool near = distance < 2.1;
    EXPECT_EQ(contact.patches.size(), std::size_t(near));
    EXPECT_EQ(contact.patches.capacity(), std::size_t(near));
    const InlineList<PairPatch<Dim3>, 1> once = patches_between(piece, piece, b_in_a, k_margin);
    ASSERT_EQ(once.size(), std::size_t(near));
    if (!near) continue;
    EXPECT_EQ(contact.patches.head().found_at.position, b_in_a.position);
    EXPECT_EQ(contact.patches[0].points[0].anchor_a, once[0].points[0].anchor_a);
  }
}

}  // namespace
}  // namespace cairn
