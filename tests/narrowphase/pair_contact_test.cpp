#include "narrowphase/pair_contact.h"

#include <gtest/gtest.h>

#include <random>

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

// Two bricks somewhere on their bodies, which go and turn in many small steps: as long as they have travelled no further than they
// were said to, they have hardly moved; and they get far enough for it to be worth while.
TEST(PairContact, is_still_as_long_as_its_bodies_have_hardly_travelled) {
  constexpr double k_tolerance = 2e-4;
  std::mt19937 random(7);
  const auto number = [&](double size) { return size * (2. * double(random()) / double(random.max()) - 1); };
  const auto vector = [&](double size) { return Vec3{number(size), number(size), number(size)}; };
  double furthest = 0;
  for (int round = 0; round < 300; ++round) {
    const Box3 box_a{.half = {0.5, 0.4, 0.3}}, box_b{.half = {0.2, 0.1, 0.3 + 2. * (round % 2)}};
    const auto placed = [&](const Box3& box) {
      const Pose3 pose{vector(round % 3), rotation_of(vector(1))};
      return PieceOnBody<Dim3>{Piece3(&box), pose, outer_radius(Piece3(&box), {})};
    };
    const PieceOnBody<Dim3> a = placed(box_a), b = placed(box_b);
    const double reach_a = outer_radius(a.piece, to_local(a.pose, Vec3{})),
                 reach_b = outer_radius(b.piece, to_local(b.pose, Vec3{}));
    Pose3 body_a{vector(5), rotation_of(vector(3))}, body_b{vector(5), rotation_of(vector(3))};
    const auto b_in_a = [&] { return inverse(body_a) * body_b; };
    PairContact<Dim3> contact;
    update(contact, a, b, b_in_a(), {.margin = 100, .recycle = k_tolerance});
    ASSERT_EQ(contact.patches.size(), 1u);

    double travelled = 0, still_until = way_to_move(a, reach_a, b, reach_b, b_in_a(), k_tolerance);
    const double go = round % 5 ? 1e-6 : 0, turn = round % 7 ? 1e-6 : 0;
    const Vec3 along_a = vector(go), along_b = vector(go), about_a = vector(turn), about_b = vector(turn);
    for (int step = 0; step < 600; ++step) {
      const auto move = [&](Pose3& body, const Vec3& along, const Vec3& about, double reach) {
        const Pose3 before = body;
        body = {body.position + along, normalized(rotation_of(about) * body.rotation)};
        travelled += length(body.position - before.position) +
                     turned_by(body.rotation * inverse(before.rotation)) * reach;
      };
      move(body_a, along_a, about_a, reach_a);
      move(body_b, along_b, about_b, reach_b);
      const double moved = moved_since_found(contact, a, b, b_in_a());
      if (travelled <= still_until) {
        ASSERT_LE(moved, k_tolerance) << round;
        furthest = larger(furthest, moved);
      } else if (moved <= k_tolerance) {
        still_until = travelled + way_to_move(a, reach_a, b, reach_b, b_in_a(), k_tolerance - moved);
      }
    }
  }
  EXPECT_GT(furthest, 0.95 * k_tolerance);
}

}  // namespace
}  // namespace cairn
