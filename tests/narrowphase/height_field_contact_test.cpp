// Convex pieces on height fields.
#include <gtest/gtest.h>

#include <cmath>

#include "narrowphase/surface_samples.h"

namespace cairn {
namespace {

using namespace surfaces;
using pairs::Built;

HeightGrid built_grid(const HeightField& field) { return std::get<HeightGrid>(build(field).form); }
HeightField slope(std::uint32_t columns, std::uint32_t rows, const Vec2& spacing, const Vec2& rise) {
  HeightField field{columns, rows, spacing, {}};
  for (std::uint32_t j = 0; j < rows; ++j)
    for (std::uint32_t i = 0; i < columns; ++i)
      field.heights.push_back(rise.x * spacing.x * i + rise.y * spacing.y * j);
  return field;
}

// Flat or sloping, anywhere and at any depth: held as by a plane.
void expect_no_ghosts_on_slopes(int placements) {
  Random random(1);
  int contacts = 0, full = 0;
  for (const Vec2 rise : {Vec2{0, 0}, Vec2{0.3, -0.2}, Vec2{-0.7, 0.5}})
    for (const Vec2 spacing : {Vec2{0.3, 0.3}, Vec2{0.05, 2}}) {
      const HeightGrid grid = built_grid(slope(71, 71, spacing, rise));  // about 10⁴ triangles
      const Vec3 up = normalized(Vec3{-rise.x, -rise.y, 1});
      const Plane plane{up, 0};
      const Vec2 end{70 * spacing.x, 70 * spacing.y};
      for (const double size : {0.05, 0.4})
        for (const Shape3& shape : {Shape3(Sphere{size}), Shape3(Box3{{size, 0.7 * size, 0.5 * size}}),
                                    Shape3(Capsule3{0.5 * size, 0.8 * size})}) {
          const Built solid(shape);
          const double margin = 0.05 * solid.size;
          for (int i = 0; i < placements; ++i) {
            const Vec2 over{uniform(random, 0.3, 0.7) * end.x, uniform(random, 0.3, 0.7) * end.y};
            const double height = i % 3 == 0   ? uniform(random, 0, 1.2) * margin
                                  : i % 3 == 1 ? 0
                                               : -uniform(random, 0, 0.4) * solid.size;
            // The plane's frame has z along its normal.
            const Vec3 x = normalized(Vec3{1, 0, rise.x});
            const Pose3 frame{{over.x, over.y, rise.x * over.x + rise.y * over.y},
                              rotation_of(Mat3{x, cross(up, x), up})};
            const Pose3 pose = frame * placed_on_floor(solid.piece, height, 0, i % 2 != 0, random);
            const auto expected = collided(&plane, solid.piece, pose, margin),
                       found = collided(&grid, solid.piece, pose, margin);
            SCOPED_TRACE("rise " + std::to_string(rise.x) + ", shape " + std::to_string(shape.index()) +
                         ", size " + std::to_string(size) + ", placement " + std::to_string(i));
            expect_like_plane(found, expected, solid.size);
            if (testing::Test::HasFatalFailure()) return;
            contacts += !found.empty();
            full += !found.empty() && found[0].count == 4;
          }
        }
    }
  EXPECT_GE(contacts, 3 * 2 * 2 * 3 * placements * 8 / 10);
  EXPECT_GE(full, 3 * 2 * 2 * placements / 10);
}
TEST(HeightFieldContact, on_a_slope_is_like_on_a_plane) { expect_no_ghosts_on_slopes(30); }
TEST(HeightFieldContact, on_a_slope_is_like_on_a_plane_long) { expect_no_ghosts_on_slopes(600); }

void expect_right_on_rough_fields(int tries) {
  Random random(2);
  GroundCounts counts;
  for (const double height : {0.05, 0.3, 1.0}) {
    const HeightField field = bumps(9, 9, {0.5, 0.7}, height, random);
    const HeightGrid grid = built_grid(field);
    SCOPED_TRACE("height " + std::to_string(height));
    expect_right_on_ground(&grid, mesh_like(field), tries, random, counts);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GE(counts.apart, tries / 2);
  EXPECT_GE(counts.overlapping, tries / 2);
}
TEST(HeightFieldContact, is_right_on_rough_ground) { expect_right_on_rough_fields(40); }
TEST(HeightFieldContact, is_right_on_rough_ground_long) { expect_right_on_rough_fields(500); }

// The same triangles as a closed mesh: the same manifolds, wherever the rest of the mesh is far.
TEST(HeightFieldContact, is_like_that_of_the_same_mesh) {
  Random random(3);
  const HeightField field = bumps(8, 9, {0.5, 0.4}, 0.2, random);
  const HeightGrid grid = built_grid(field);
  Mesh mesh = mesh_like(field);
  close_below(mesh, field, 60);
  const Geometry3 built = build(mesh);
  const TriangleMesh& solid_ground = std::get<TriangleMesh>(built.form);
  ASSERT_TRUE(solid_ground.closed);
  int contacts = 0;
  for (int i = 0; i < 400; ++i) {
    const Built solid(pairs::random_solid(random, i % pairs::k_kinds, 0.3));
    const Pose3 pose{{uniform(random, 1, 2.5), uniform(random, 1, 2.2), uniform(random, 0, 0.5)},
                     rotation3(random)};
    const auto a = collided(&grid, solid.piece, pose, 0.02),
               b = collided(&solid_ground, solid.piece, pose, 0.02);
    ASSERT_EQ(a.size(), b.size()) << i;
    contacts += int(a.size());
    for (const Manifold<Dim3>& m : a) {
      bool is_there = false;
      for (const Manifold<Dim3>& n : b)
        is_there |= length(m.normal - n.normal) < 1e-9 && m.count == n.count &&
                    absolute(m.points[0].separation - n.points[0].separation) < 1e-9;
      EXPECT_TRUE(is_there) << i;
    }
  }
  EXPECT_GE(contacts, 300);
}

TEST(HeightFieldContact, pushes_up_whatever_the_depth) {
  const HeightGrid grid = built_grid(slope(21, 21, {0.25, 0.25}, {0, 0}));
  const Built box(Box3{{0.5, 0.5, 0.5}}), ball(Sphere{0.5});
  for (const double height : {0.3, 0.0, -0.3, -0.49}) {
    for (const Built* solid : {&box, &ball}) {
      const auto found = collided(&grid, solid->piece, {{2.52, 2.47, height}, {}}, 0.02);
      ASSERT_EQ(found.size(), 1u) << height;
      EXPECT_LE(length(found[0].normal - Vec3{0, 0, 1}), 1e-9);
      EXPECT_NEAR(found[0].points[0].separation, height - 0.5, 1e-12);
    }
  }
}

// The field ends like a step down: over its border a ball is held by the edge, and none hangs below it.
TEST(HeightFieldContact, ends_at_its_border) {
  const HeightGrid grid = built_grid(slope(5, 5, {1, 1}, {0, 0}));
  const Built ball(Sphere{0.5});
  for (int i = 0; i <= 20; ++i) {
    const double turn = 0.5 * k_pi * i / 20;
    const Vec3 n{-std::sin(turn), 0, std::cos(turn)};
    const auto found = collided(&grid, ball.piece, {Vec3{0, 1.7, 0} + 0.51 * n, {}}, 0.02);
    ASSERT_EQ(found.size(), 1u) << i;
    EXPECT_LE(length(found[0].normal - n), 1e-8) << i;
    EXPECT_NEAR(found[0].points[0].separation, 0.01, 1e-12);
  }
  EXPECT_TRUE(collided(&grid, ball.piece, {{-0.2, 1.7, -0.51}, {}}, 0.02).empty());
  EXPECT_TRUE(collided(&grid, ball.piece, {{1.3, 1.7, -0.51}, {}}, 0.02).empty());
  const Built box(Box3{{0.5, 0.3, 0.2}});  // lies over the border, half in the air
  const auto found = collided(&grid, box.piece, {{0, 1.7, 0.199}, {}}, 0.02);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LE(length(found[0].normal - Vec3{0, 0, 1}), 1e-9);
  EXPECT_EQ(found[0].count, 4);
  EXPECT_NEAR(area_of(found[0]), 0.5 * 0.6, 1e-9);
}

TEST(HeightFieldContact, a_ball_on_a_peak_is_held_by_the_peak) {
  HeightField field = slope(5, 5, {1, 1}, {0, 0});
  field.heights[2 * 5 + 2] = 1;
  const HeightGrid grid = built_grid(field);
  const Built ball(Sphere{0.5});
  for (const Vec3 lean : {Vec3{0, 0, 1}, Vec3{0.2, 0.1, 1}, Vec3{-0.3, 0, 1}}) {
    const Vec3 n = normalized(lean);
    const auto found = collided(&grid, ball.piece, {Vec3{2, 2, 1} + 0.49 * n, {}}, 0.02);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LE(length(found[0].normal - n), 1e-9);
    EXPECT_NEAR(found[0].points[0].separation, -0.01, 1e-12);
    EXPECT_LE(length(found[0].points[0].point - Vec3{2, 2, 1}), 1e-9);
  }
}

}  // namespace
}  // namespace cairn
