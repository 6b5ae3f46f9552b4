// Spheres and capsules against everything, and everything against planes: closed forms.
#include <gtest/gtest.h>

#include "narrowphase/solid_pairs.h"

namespace cairn {
namespace {

using namespace pairs;

// The one manifold of two pieces, which must be right in itself.
Manifold<Dim3> touch(const Piece3& a, const Piece3& b, const Pose3& pose, double size, double margin = 0.1) {
  const auto found = collide_fresh(a, b, pose, margin);
  EXPECT_EQ(defect_of(a, b, pose, margin, size, found), "");
  return found.empty() ? Manifold<Dim3>{} : found[0];
}
Rot3 lying() { return Rot3::from_axis_angle({0, 1, 0}, k_pi / 2); }  // z becomes x

TEST(Round, spheres_touch_between_their_centres) {
  const Sphere a{1}, b{0.5};
  const Vec3 n = normalized(Vec3{1, 2, 3});
  for (const double gap : {0.05, 0.0, -0.3, -1.4}) {
    const Manifold<Dim3> m = touch(&a, &b, {(1.5 + gap) * n, {}}, 1.5);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(length(m.normal - n), 0, 1e-14);
    EXPECT_NEAR(m.points[0].separation, gap, 1e-14);
  }
  EXPECT_NEAR(touch(&a, &b, {}, 1.5).points[0].separation, -1.5, 1e-15);  // in the same place
  EXPECT_TRUE(collide_fresh(&a, &b, {1.61 * n, {}}, 0.1).empty());
}

TEST(Round, a_sphere_meets_the_regions_of_a_box) {
  const Sphere ball{0.5};
  const Box3 box{{1, 2, 3}};
  struct Case {
    Vec3 at, normal;  // of the ball in the box's frame; from the box to the ball
    double separation;
  };
  const Case cases[] = {
      {{1.4, 0.3, 0.2}, {1, 0, 0}, -0.1},                      // above a face
      {{1.3, 2.4, 0.2}, {0.6, 0.8, 0}, 0},                     // beside an edge
      {{1.1, 2.2, -3.2}, {1.0 / 3, 2.0 / 3, -2.0 / 3}, -0.2},  // beyond a corner
      {{0.9, 0.3, 0.2}, {1, 0, 0}, -0.6},                      // centre inside
      {{0.1, -1.9, 0.2}, {0, -1, 0}, -0.6},                    // nearer to another face
      {{1, 0.3, 0.2}, {1, 0, 0}, -0.5},                        // centre on a face
  };
  for (const Case& c : cases) {
    const Manifold<Dim3> m = touch(&box, &ball, {c.at, {}}, 4);
    EXPECT_NEAR(length(m.normal - c.normal), 0, 1e-14);
    EXPECT_NEAR(m.points[0].separation, c.separation, 1e-14);
  }
}

// A hull of the same corners gives what the box gives, from centres anywhere, very near edges and corners
// too.
TEST(Round, a_sphere_meets_a_hull_as_it_meets_a_box) {
  Random random(1);
  const Box3 box{{1, 2, 3}};
  const Built hull(box_hull(box.half));
  const Sphere ball{0.5};
  for (int t = 0; t < 20000; ++t) {
    Vec3 at = samples::vector3(random, 4);
    if (t % 2) {  // near a corner, an edge or a face
      const double small = samples::power_of_ten(random, -16, 0);
      at = {random() % 3 ? 1 + small * samples::uniform(random, -1, 1) : at.x,
            random() % 3 ? 2 + small * samples::uniform(random, -1, 1) : at.y,
            random() % 3 ? 3 + small * samples::uniform(random, -1, 1) : at.z};
    }
    const auto by_box = collide_fresh(&box, &ball, {at, {}}, 0.2),
               by_hull = collide_fresh(hull.piece, &ball, {at, {}}, 0.2);
    ASSERT_EQ(by_box.size(), by_hull.size());
    if (by_box.empty()) continue;
    ASSERT_NEAR(by_box[0].points[0].separation, by_hull[0].points[0].separation, 1e-14);
    ASSERT_NEAR(separation_along(hull.piece, &ball, {at, {}}, by_hull[0].normal),
                by_box[0].points[0].separation, 1e-12);
  }
}

// A centre on the surface itself has the direction of a face there.
TEST(Round, a_sphere_with_its_centre_on_a_hull_is_half_in) {
  Random random(9);
  const Built hull(random_hull(random, 12, 1));
  const Polyhedron& p = *std::get<const Polyhedron*>(hull.piece);
  const Sphere ball{0.5};
  for (const Polyhedron::Edge& e : p.edges)
    for (const double share : {0.0, 0.5, 1.0}) {
      const Vec3 at = (1 - share) * p.vertices[e.vertices[0]] + share * p.vertices[e.vertices[1]];
      const Manifold<Dim3> m = touch(hull.piece, &ball, {at, {}}, 2.5);
      EXPECT_NEAR(m.points[0].separation, -0.5, 1e-12);
    }
}

TEST(Round, parallel_capsules_touch_in_two_points) {
  const Capsule3 a{0.2, 1}, b{0.3, 0.5};
  const Manifold<Dim3> m = touch(&a, &b, {{0.45, 0, 0.8}, {}}, 2);
  ASSERT_EQ(m.count, 2);
  EXPECT_NEAR(length(m.normal - Vec3{1, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(std::min(m.points[0].point.z, m.points[1].point.z), 0.3, 1e-15);
  EXPECT_NEAR(std::max(m.points[0].point.z, m.points[1].point.z), 1, 1e-15);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(m.points[std::size_t(k)].separation, -0.05, 1e-15);
}

// Logs that are not quite parallel, or not quite level, keep a point at both ends.
TEST(Round, nearly_parallel_capsules_keep_both_ends) {
  Random random(2);
  const Capsule3 a{0.2, 1}, b{0.3, 0.8};
  for (int t = 0; t < 500; ++t) {
    const Vec3 axis = samples::unit3(random);
    const Rot3 turn = Rot3::from_axis_angle(axis, samples::power_of_ten(random, -16, -1.5));
    const Pose3 pose{{0.49, 0.02, 0.1}, turn};
    const auto found = collide_fresh(&a, &b, pose, 0.1);
    ASSERT_EQ(defect_of(&a, &b, pose, 0.1, 2, found), "") << text(pose);
    ASSERT_GE(found[0].count, 2);
    double low = 9, high = -9;
    for (std::size_t k = 0; k < std::size_t(found[0].count); ++k) {
      low = std::min(low, found[0].points[k].point.z);
      high = std::max(high, found[0].points[k].point.z);
    }
    ASSERT_NEAR(low, -0.7, 0.05);
    ASSERT_NEAR(high, 0.9, 0.05);
  }
}

TEST(Round, crossed_capsules_touch_in_one_point) {
  const Capsule3 a{0.2, 1}, b{0.3, 1};
  const Manifold<Dim3> m = touch(&a, &b, {{0.3, -0.45, 0.4}, lying()}, 2);
  ASSERT_EQ(m.count, 1);
  EXPECT_NEAR(length(m.normal - Vec3{0, -1, 0}), 0, 1e-15);
  EXPECT_NEAR(length(m.points[0].point - Vec3{0, -0.2, 0.4}), 0, 1e-15);
  // The axes meet: the way out is at right angles to both.
  const Manifold<Dim3> deep = touch(&a, &b, {{0.3, 0, 0.4}, lying()}, 2);
  EXPECT_NEAR(deep.points[0].separation, -0.5, 1e-15);
  EXPECT_NEAR(std::abs(deep.normal.y), 1, 1e-15);
  // On one line, end in end.
  EXPECT_NEAR(touch(&a, &b, {{0, 0, 1.9}, {}}, 2).points[0].separation, -0.5, 1e-15);
}

TEST(Round, a_capsule_without_length_is_a_sphere) {
  Random random(3);
  for (int kind = 0; kind < k_kinds; ++kind)
    for (int t = 0; t < 50; ++t) {
      const Built other(random_solid(random, kind, 1));
      const Capsule3 capsule{0.5, 1e-300};
      const Sphere sphere{0.5};
      const Rot3 turn = samples::rotation3(random);
      const Vec3 way = samples::unit3(random);
      const Pose3 pose = placed_along(&sphere, other.piece, turn, way, samples::uniform(random, -0.4, 0));
      const auto one = collide_fresh(&capsule, other.piece, pose, 0.1),
                 two = collide_fresh(&sphere, other.piece, pose, 0.1);
      ASSERT_EQ(one.size(), two.size());
      if (one.empty()) continue;
      const bool deep = is_curved(other.piece) && two[0].points[0].separation < -0.5;
      ASSERT_NEAR(one[0].points[0].separation, two[0].points[0].separation, deep ? 1e-5 : 1e-9)
          << kind << " " << text(pose);
      ASSERT_EQ(defect_of(&capsule, other.piece, pose, 0.1, 1.5, one, deep ? 1e-5 : 1e-9), "")
          << kind << text(pose);
    }
}

TEST(Round, a_capsule_on_a_box_lies_stands_or_leans) {
  const Box3 floor{{2, 2, 1}};
  const Capsule3 capsule{0.25, 0.75};
  const Manifold<Dim3> lies = touch(&floor, &capsule, {{0.5, 0.5, 1.24}, lying()}, 3);
  ASSERT_EQ(lies.count, 2);
  EXPECT_EQ(lies.normal, (Vec3{0, 0, 1}));
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(lies.points[k].separation, -0.01, 1e-14);
    EXPECT_NEAR(std::abs(lies.points[k].point.x - 0.5), 0.75, 1e-14);
  }
  // Half over the edge: the second point is on the edge.
  const Manifold<Dim3> over = touch(&floor, &capsule, {{1.9, 0, 1.24}, lying()}, 3);
  ASSERT_EQ(over.count, 2);
  EXPECT_NEAR(std::max(over.points[0].point.x, over.points[1].point.x), 2, 1e-14);
  const Manifold<Dim3> stands = touch(&floor, &capsule, {{0.5, 0.5, 1.99}, {}}, 3);
  ASSERT_EQ(stands.count, 1);
  EXPECT_NEAR(length(stands.points[0].point - Vec3{0.5, 0.5, 1}), 0, 1e-14);
  const Manifold<Dim3> leans =
      touch(&floor, &capsule,
            placed_along(&floor, &capsule, Rot3::from_axis_angle({0, 1, 0}, 0.7), {0, 0, 1}, -0.01), 3);
  ASSERT_EQ(leans.count, 1);
  EXPECT_NEAR(leans.points[0].separation, -0.01, 1e-14);
  // Its axis inside the box: the shortest way out.
  const Manifold<Dim3> deep = touch(&floor, &capsule, {{0, 0, 0.5}, lying()}, 3);
  EXPECT_NEAR(deep.points[0].separation, -0.75, 1e-14);
  EXPECT_EQ(deep.normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(deep.count, 2);
}

TEST(Round, everything_rests_on_a_plane) {
  const Plane ground{{0, 0, 1}, 0.5};
  struct Case {
    Shape3 shape;
    Rot3 rotation;
    int points;
  };
  Random random(4);
  const Case cases[] = {{Sphere{0.5}, {}, 1},
                        {Box3{}, {}, 4},
                        {Box3{}, Rot3::from_axis_angle({0, 1, 0}, 0.6), 2},
                        {Capsule3{}, {}, 1},
                        {Capsule3{}, lying(), 2},
                        {Cylinder{}, {}, 4},
                        {Cylinder{}, lying(), 2},
                        {Cylinder{}, Rot3::from_axis_angle({0, 1, 0}, 0.6), 1},
                        {Cone{}, {}, 4},
                        {Cone{}, Rot3::from_axis_angle({0, 1, 0}, k_pi), 1},
                        {Cone{}, Rot3::from_axis_angle({0, 1, 0}, k_pi / 2 + std::atan(0.5)), 2},
                        {box_hull({1, 1, 1}), {}, 4},
                        {tetrahedron(random, 1), samples::rotation3(random), 1}};
  for (const Case& c : cases) {
    const Built built(c.shape);
    for (const double gap : {0.01, 0.0, -0.02}) {
      Pose3 pose{{3, -2, 0}, c.rotation};
      pose.position.z -= separation_along(&ground, built.piece, pose, {0, 0, 1}) - gap;
      const Manifold<Dim3> m = touch(&ground, built.piece, pose, built.size, 0.05);
      EXPECT_EQ(m.count, c.points) << c.shape.index();
      EXPECT_EQ(m.normal, (Vec3{0, 0, 1}));
      EXPECT_NEAR(m.points[0].separation, gap, 1e-14);
      const Manifold<Dim3> back = touch(built.piece, &ground, inverse(pose), built.size, 0.05);
      EXPECT_EQ(back.count, c.points);
      EXPECT_NEAR(length(pose.rotation * back.normal - Vec3{0, 0, -1}), 0, 1e-14);
    }
  }
}

TEST(Round, planes_meet_no_planes) {
  const Plane a{{0, 0, 1}, 0}, b{{1, 0, 0}, 0};
  EXPECT_TRUE(collide_fresh(&a, &b, {}, 1).empty());
}

}  // namespace
}  // namespace cairn
