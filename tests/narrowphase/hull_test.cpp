// Hulls against hulls, boxes and capsules.
#include <gtest/gtest.h>

#include "narrowphase/solid_pairs.h"

namespace cairn {
namespace {

using namespace pairs;

// Two boxes, two hulls of their corners, and one of each: the same separation and as many points.
TEST(HullHull, of_the_corners_of_boxes_touch_as_boxes_do) {
  Random random(1);
  for (int t = 0; t < 2000; ++t) {
    const Vec3 half_a = Vec3{0.2, 0.2, 0.2} + absolute(samples::vector3(random, 1)),
               half_b = Vec3{0.2, 0.2, 0.2} + absolute(samples::vector3(random, 1));
    const Box3 a{half_a}, b{half_b};
    const Built hull_a(box_hull(half_a)), hull_b(box_hull(half_b));
    const Rot3 turn = t % 3 ? samples::rotation3(random) : Rot3::from_axis_angle({0, 0, 1}, 1e-3 * t);
    const Vec3 way = t % 3 ? samples::unit3(random) : Vec3{0, 0, 1};
    const Pose3 pose = placed_along(&a, &b, turn, way, samples::uniform(random, -0.3, 0));
    const auto boxes = collide_fresh(&a, &b, pose, 0.1);
    for (const auto& other :
         {collide_fresh(&a, hull_b.piece, pose, 0.1), collide_fresh(hull_a.piece, &b, pose, 0.1),
          collide_fresh(hull_a.piece, hull_b.piece, pose, 0.1)}) {
      ASSERT_EQ(other.size(), boxes.size());
      if (boxes.empty()) continue;
      ASSERT_NEAR(other[0].points[0].separation, boxes[0].points[0].separation, 1e-13);
      if (length(other[0].normal - boxes[0].normal) < 1e-9) {
        ASSERT_EQ(other[0].count, boxes[0].count);
      }
    }
  }
}

// Large hulls leave most of their edges out before looking at pairs: the result is that of all pairs.
TEST(HullHull, of_many_corners_are_as_deep_as_all_axes_say) {
  Random random(2);
  int contacts = 0;
  for (int t = 0; t < 60; ++t) {
    const Built a(random_hull(random, 40, 1)), b(random_hull(random, 40, samples::uniform(random, 0.3, 1)));
    const double size = a.size + b.size;
    const Rot3 turn = samples::rotation3(random);
    const Vec3 way = samples::unit3(random);
    const Pose3 pose = placed_along(a.piece, b.piece, turn, way, samples::uniform(random, -0.6, 0));
    const auto found = collide_fresh(a.piece, b.piece, pose, 0.2);
    // They overlap along `way`; flat ones may be far apart along another direction.
    const double greatest = greatest_separation(a.piece, b.piece, pose);
    if (greatest > 0.2) {
      ASSERT_TRUE(found.empty());
      continue;
    }
    ++contacts;
    ASSERT_EQ(defect_of(a.piece, b.piece, pose, 0.2, size, found), "");
    ASSERT_NEAR(found[0].points[0].separation, greatest, 1e-9 * size);
  }
  EXPECT_GE(contacts, 50);
}

TEST(HullHull, of_five_hundred_corners_find_no_better_normal) {
  Random random(3);
  Hull round_a, round_b;
  for (int k = 0; k < 500; ++k) {
    round_a.points.push_back(samples::unit3(random));
    round_b.points.push_back(scaled(samples::unit3(random), {1, 0.8, 0.3}));
  }
  const Built a(round_a), b(round_b);
  ASSERT_GT(std::get<const Polyhedron*>(a.piece)->vertices.size(), 490u);
  for (int t = 0; t < 30; ++t) {
    const double size = a.size + b.size;
    const Rot3 turn = samples::rotation3(random);
    const Vec3 way = samples::unit3(random);
    const Pose3 pose = placed_along(a.piece, b.piece, turn, way, samples::uniform(random, -0.3, 0.02));
    const auto found = collide_fresh(a.piece, b.piece, pose, 0.2);
    ASSERT_EQ(defect_of(a.piece, b.piece, pose, 0.2, size, found), "");
    for (int k = 0; k < 3; ++k)
      ASSERT_LT(climb_from(a.piece, b.piece, pose, found[0].normal, random), 1e-9 * size);
  }
}

// A capsule's axis inside a hull leaves by a face, or across an edge.
TEST(HullHull, and_capsules_are_as_deep_as_all_axes_say) {
  Random random(4);
  for (int t = 0; t < 500; ++t) {
    const Built hull(random_hull(random, 8, 1));
    const Capsule3 capsule{0.1, samples::uniform(random, 0.1, 2)};
    const Pose3 pose{samples::vector3(random, 0.5), samples::rotation3(random)};
    const auto found = collide_fresh(hull.piece, &capsule, pose, 0.2);
    if (found.empty()) continue;
    double best = -1e300;
    const Polyhedron& p = *std::get<const Polyhedron*>(hull.piece);
    const Vec3 along = pose.rotation * Vec3{0, 0, 1};
    for (const FacePlane& plane : p.planes)
      best = std::max(best, separation_along(hull.piece, &capsule, pose, plane.normal));
    for (const Polyhedron::Edge& e : p.edges) {
      const Vec3 n = normalized(cross(p.vertices[e.vertices[1]] - p.vertices[e.vertices[0]], along));
      best = std::max({best, separation_along(hull.piece, &capsule, pose, n),
                       separation_along(hull.piece, &capsule, pose, -n)});
    }
    if (best > -0.1) continue;  // the axis is outside: other directions count as well
    ASSERT_NEAR(found[0].points[0].separation, best, 1e-9) << text(pose);
  }
}

// Far from its frame's origin a hull is the same hull.
TEST(HullHull, far_from_the_origin_of_their_frames_touch_as_near_it) {
  Random random(5);
  for (int t = 0; t < 100; ++t) {
    Hull near_a = random_hull(random, 12, 1), near_b = random_hull(random, 12, 1), far_a = near_a,
         far_b = near_b;
    for (Hull* h : {&near_a, &near_b, &far_a, &far_b})  // coordinates that are exact in both places
      for (Vec3& p : h->points)
        p = {std::round(p.x * 1e4) / 1024 / 16, std::round(p.y * 1e4) / 1024 / 16,
             std::round(p.z * 1e4) / 1024 / 16};
    const Vec3 shift_a{65536, -32768, 16384}, shift_b{-16384, 65536, 32768};
    for (Vec3& p : far_a.points) p += shift_a;
    for (Vec3& p : far_b.points) p += shift_b;
    const Built a(near_a), b(near_b), c(far_a), d(far_b);
    const Vec3 way = samples::unit3(random);
    Pose3 pose = placed_along(a.piece, b.piece, {}, way, samples::uniform(random, -0.3, 0.05));
    pose.position = {std::round(pose.position.x * 1e4) / 16384, std::round(pose.position.y * 1e4) / 16384,
                     std::round(pose.position.z * 1e4) / 16384};
    const auto near = collide_fresh(a.piece, b.piece, pose, 0.2);
    const auto far = collide_fresh(c.piece, d.piece, {pose.position + shift_a - shift_b, {}}, 0.2);
    ASSERT_EQ(near.size(), far.size());
    if (near.empty()) continue;
    ASSERT_EQ(near[0].count, far[0].count);
    ASSERT_NEAR(near[0].points[0].separation, far[0].points[0].separation, 1e-10);
    if (length(near[0].normal - far[0].normal) > 1e-6) continue;  // a tie
    ASSERT_NEAR(length(near[0].points[0].point + shift_a - far[0].points[0].point), 0, 1e-9);
  }
}

}  // namespace
}  // namespace cairn
