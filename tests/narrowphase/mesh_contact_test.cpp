// Convex pieces on triangle meshes: flat floors hold like planes, and edges and corners that stick out hold too.
#include <gtest/gtest.h>

#include <cmath>

#include "geometry/gjk.h"
#include "narrowphase/solid_pairs.h"
#include "narrowphase/surface_samples.h"

namespace cairn {
namespace {

using namespace surfaces;
using pairs::Built;

TriangleMesh built_mesh(const Mesh& mesh) { return std::get<TriangleMesh>(build(mesh).form); }
Mesh moved(Mesh mesh, const Pose3& pose) {
  for (Vec3& v : mesh.vertices) v = to_world(pose, v);
  return mesh;
}

// ---------------------------------------------------------------------------------------------- no ghosts

struct Counts {
  int contacts = 0, full = 0;  // with a manifold; with a patch of four points
};

// Places the shape all over a floor that was z = 0 before the pose, from just above the margin to `deepest` below.
void expect_no_ghosts(const TriangleMesh& floor, const Pose3& pose, double half, const Shape3& shape,
                      double deepest, int placements, Random& random, Counts& counts) {
  const Built solid(shape);
  const Vec3 up = pose.rotation * Vec3{0, 0, 1};
  const Plane plane{up, dot(up, pose.position)};
  const double margin = 0.05 * solid.size, spread = half - 2.5 * solid.size;
  ASSERT_GT(spread, 0);
  for (int i = 0; i < placements; ++i) {
    const double height = i % 4 == 0   ? uniform(random, 0, 1.2) * margin
                          : i % 4 == 1 ? -solid.size * power_of_ten(random, -12, -2)
                          : i % 4 == 2 ? 0
                                       : -uniform(random, 0, deepest) * solid.size;
    const Pose3 on_floor = pose * placed_on_floor(solid.piece, height, spread, i % 3 != 0, random);
    const ManifoldList<Dim3> expected = collided(&plane, solid.piece, on_floor, margin);
    const ManifoldList<Dim3> found = collided(&floor, solid.piece, on_floor, margin);
    SCOPED_TRACE("placement " + std::to_string(i) + ", height " + std::to_string(height));
    expect_like_plane(found, expected, solid.size + 1e-6 * length(pose.position));
    if (testing::Test::HasFatalFailure()) return;
    counts.contacts += !found.empty();
    counts.full += !found.empty() && found[0].count == 4;
  }
}

// 10⁴ triangles, even or rough or with slivers, in any plane; sheets and solids.
void expect_no_ghosts_on_floors(int placements) {
  Random random(1);
  Counts counts;
  constexpr int k_cells = 71;
  for (int kind = 0; kind < 6; ++kind) {
    const double half = kind == 5 ? 500 : 10;
    Mesh mesh = flat_floor(k_cells, half, kind % 3 == 0 ? 0 : 0.2, random);
    if (kind % 3 == 2) add_slivers(mesh, k_cells, power_of_ten(random, -6, -3), random);
    const bool solid = kind >= 3;
    if (solid) close_below(mesh, k_cells, 4 * half);
    const Pose3 pose = kind == 0 ? Pose3{} : Pose3{vector3(random, half), rotation3(random)};
    const TriangleMesh floor = built_mesh(moved(mesh, pose));
    ASSERT_GE(floor.triangles.size(), 10000u);
    ASSERT_EQ(floor.closed, solid);
    // On a solid also with the middle below the surface. A sheet would push that down.
    const double deepest = solid ? 0.4 : 0.15;
    for (const double size : {0.05, 0.4, 1.5})
      for (const Shape3& shape : {Shape3(Sphere{size}), Shape3(Box3{{size, 0.7 * size, 0.5 * size}}),
                                  Shape3(Capsule3{0.5 * size, 0.8 * size})}) {
        SCOPED_TRACE("floor " + std::to_string(kind) + ", size " + std::to_string(size) + ", shape " +
                     std::to_string(shape.index()));
        expect_no_ghosts(floor, pose, half, shape, deepest, placements, random, counts);
        if (testing::Test::HasFatalFailure()) return;
      }
  }
  EXPECT_GE(counts.contacts, 6 * 9 * placements * 9 / 10);
  EXPECT_GE(counts.full, 6 * 3 * placements / 10);
}
TEST(MeshContact, on_a_flat_floor_is_like_on_a_plane) { expect_no_ghosts_on_floors(24); }
TEST(MeshContact, on_a_flat_floor_is_like_on_a_plane_long) { expect_no_ghosts_on_floors(600); }

TEST(MeshContact, other_solids_on_a_flat_floor_are_like_on_a_plane) {
  Random random(2);
  const Mesh mesh = flat_floor(40, 10, 0.2, random);
  const Pose3 pose{vector3(random, 5), rotation3(random)};
  const TriangleMesh floor = built_mesh(moved(mesh, pose));
  for (const Shape3& shape :
       {Shape3(Cylinder{0.5, 0.7}), Shape3(Cone{0.5, 0.7}), Shape3(pairs::box_hull({1, 0.7, 0.5})),
        Shape3(pairs::tetrahedron(random, 1))}) {
    SCOPED_TRACE(shape.index());
    const Built solid(shape);
    for (int i = 0; i < 200; ++i) {
      const double height = uniform(random, -0.1, 0.04);
      const Pose3 on_floor = pose * placed_on_floor(solid.piece, height, 7, i % 3 != 0, random);
      const Vec3 up = pose.rotation * Vec3{0, 0, 1};
      const Plane plane{up, dot(up, pose.position)};
      const auto expected = collided(&plane, solid.piece, on_floor, 0.05),
                 found = collided(&floor, solid.piece, on_floor, 0.05);
      ASSERT_EQ(found.size(), 1u);
      ASSERT_EQ(expected.size(), 1u);
      EXPECT_LE(length(found[0].normal - up), 1e-6);
      EXPECT_NEAR(found[0].points[0].separation, expected[0].points[0].separation, 1e-9);
      EXPECT_EQ(found[0].count, expected[0].count);
      EXPECT_NEAR(area_of(found[0]), area_of(expected[0]), 0.15 * area_of(expected[0]) + 1e-9);
    }
  }
}

// Names stay while a box slides over a flat region.
TEST(MeshContact, keeps_the_names_of_points_across_flat_edges) {
  Random random(3);
  const TriangleMesh floor = built_mesh(flat_floor(30, 10, 0.2, random));
  const Built box(Box3{{1, 0.7, 0.5}});
  const auto at = [&](double x) { return collided(&floor, box.piece, {{x, 0.3 * x, 0.499}, {}}, 0.02); };
  const auto first = at(0);
  ASSERT_EQ(first.size(), 1u);
  for (int i = 1; i < 100; ++i) {
    const auto next = at(0.05 * i);
    ASSERT_EQ(next.size(), 1u);
    EXPECT_EQ(next[0].element, first[0].element);
    ASSERT_EQ(next[0].count, 4);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(next[0].points[k].features, first[0].points[k].features);
  }
}

// --------------------------------------------------------------------------------- edges and corners that hold

// A roof along y of two slopes that fall at this angle from the ridge at z = 0; a valley if the angle is negative.
Mesh roof(double angle, double half = 10) {
  const double c = half * std::cos(angle), s = half * std::sin(angle);
  return {{{0, -half, 0}, {0, half, 0}, {-c, -half, -s}, {-c, half, -s}, {c, -half, -s}, {c, half, -s}},
          {{0, 1, 3}, {0, 3, 2}, {1, 0, 4}, {1, 4, 5}}};
}

TEST(MeshContact, the_normal_of_a_ball_turns_smoothly_over_a_ridge) {
  const double angle = 0.6, r = 0.5, gap = 0.01;
  const TriangleMesh mesh = built_mesh(roof(angle));
  const Built ball(Sphere{r});
  for (int i = 0; i <= 100; ++i) {
    const double turn = -0.9 + 0.018 * i;  // of the direction from the ridge to the ball's middle
    // Around the ridge where the ball is nearest to it, along the slopes where it is not.
    const double on_arc = clamp(turn, -angle, angle), slide = 3 * (turn - on_arc);
    const Vec3 n{std::sin(on_arc), 0, std::cos(on_arc)}, down{std::cos(on_arc), 0, -std::sin(on_arc)};
    const auto found =
        collided(&mesh, ball.piece, {(r + gap) * n + slide * down + Vec3{0, 1.234, 0}, {}}, 0.02);
    ASSERT_EQ(found.size(), 1u) << turn;
    EXPECT_LE(length(found[0].normal - n), 1e-9) << turn;
    EXPECT_EQ(found[0].count, 1);
    EXPECT_NEAR(found[0].points[0].separation, gap, 1e-12);
    EXPECT_LE(length(found[0].points[0].point - (slide * down + Vec3{0, 1.234, 0})), 1e-9);
  }
}

TEST(MeshContact, a_ball_in_a_valley_is_held_by_both_sides) {
  const double angle = 0.6, r = 0.5, depth = 0.01;
  for (const bool tiny : {false, true}) {
    Mesh mesh = roof(-angle);
    if (tiny) {  // two strips of narrow triangles beside the bottom
      mesh = {{}, {}};
      for (int j = 0; j <= 200; ++j)
        for (int i = -40; i <= 40; ++i) {
          const double x = 0.05 * i;
          mesh.vertices.push_back({x * std::cos(angle), 0.05 * (j - 100), std::abs(x) * std::sin(angle)});
        }
      for (std::uint32_t j = 0; j < 200; ++j)
        for (std::uint32_t i = 0; i < 80; ++i) {
          const std::uint32_t p = j * 81 + i;
          mesh.triangles.push_back({p, p + 1, p + 82});
          mesh.triangles.push_back({p, p + 82, p + 81});
        }
    }
    const TriangleMesh built = built_mesh(mesh);
    const Built ball(Sphere{r});
    const auto found = collided(&built, ball.piece, {{0, 0.77, (r - depth) / std::cos(angle)}, {}}, 0.02);
    ASSERT_EQ(found.size(), 2u);
    for (const Manifold<Dim3>& m : found) {
      EXPECT_NEAR(absolute(m.normal.x), std::sin(angle), 1e-9);
      EXPECT_NEAR(m.normal.z, std::cos(angle), 1e-9);
      EXPECT_EQ(m.count, 1);
      EXPECT_NEAR(m.points[0].separation, -depth, 1e-9);
    }
    EXPECT_LT(found[0].normal.x * found[1].normal.x, 0);
  }
}

TEST(MeshContact, a_box_lies_on_a_ridge) {
  const TriangleMesh mesh = built_mesh(roof(0.4));
  const Built box(Box3{{1, 0.8, 0.5}});
  for (const double depth : {-0.01, 0.0, 0.003}) {
    const Rot3 yaw = Rot3::from_axis_angle({0, 0, 1}, 0.3);
    const auto found = collided(&mesh, box.piece, {{0.1, 0.2, 0.5 - depth}, yaw}, 0.02);
    ASSERT_EQ(found.size(), 1u) << depth;
    EXPECT_LE(length(found[0].normal - Vec3{0, 0, 1}), 1e-9);
    ASSERT_EQ(found[0].count, 2);
    EXPECT_NEAR(found[0].points[0].separation, -depth, 1e-12);
    EXPECT_NEAR(found[0].points[1].separation, -depth, 1e-12);
    const Vec3 ends = found[0].points[1].point - found[0].points[0].point;
    EXPECT_NEAR(absolute(ends.y), 1.6 / std::cos(0.3), 1e-9);
    EXPECT_NEAR(ends.x, 0, 1e-12);
  }
}

// A four-sided spike, its tip at z = 0.
Mesh spike() {
  return {{{0, 0, 0}, {1, 0, -3}, {0, 1, -3}, {-1, 0, -3}, {0, -1, -3}, {0, 0, -4}},
          {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}, {5, 2, 1}, {5, 3, 2}, {5, 4, 3}, {5, 1, 4}}};
}
TEST(MeshContact, every_solid_is_held_on_a_spike) {
  Random random(4);
  const TriangleMesh mesh = built_mesh(spike());
  ASSERT_TRUE(mesh.closed);
  for (int kind = 0; kind < pairs::k_kinds; ++kind)
    for (int i = 0; i < 20; ++i) {
      const Built solid(kind == 5   ? Shape3(pairs::box_hull({0.9, 0.7, 0.5}))
                        : kind == 1 ? Shape3(Box3{{0.9, 0.7, 0.5}})
                        : kind == 0 ? Shape3(Sphere{0.5})
                        : kind == 2 ? Shape3(Capsule3{0.5, 0.4})
                        : kind == 3 ? Shape3(Cylinder{0.8, 0.5})
                                    : Shape3(Cone{0.8, 0.5}));
      const double depth = uniform(random, -0.01, 0.02);
      const Vec3 about{uniform(random, -1, 1), uniform(random, -1, 1), 0};
      const Rot3 tilt = Rot3::from_axis_angle(about, uniform(random, 0, 0.2));
      const Vec3 n = tilt * Vec3{0, 0, 1};  // the tip points at the middle of the piece's lower side
      const double below = kind == 2 ? 0.9 : 0.5;
      const auto found = collided(&mesh, solid.piece, {(below - depth) * n, tilt}, 0.02);
      SCOPED_TRACE(kind);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_LE(length(found[0].normal - n), 1e-8);
      ASSERT_EQ(found[0].count, 1);
      EXPECT_NEAR(found[0].points[0].separation, -depth, 1e-9);
      EXPECT_LE(length(found[0].points[0].point), 1e-8);
    }
}

TEST(MeshContact, holds_at_the_rim_of_a_sheet) {
  Random random(5);
  const TriangleMesh sheet = built_mesh(flat_floor(10, 1, 0.2, random));
  const Built ball(Sphere{0.5});
  // All round the rim at x = 1, from above over the side to below.
  for (int i = 0; i <= 40; ++i) {
    const double turn = k_pi * i / 40;
    const Vec3 n{std::sin(turn), 0, std::cos(turn)};
    const auto found = collided(&sheet, ball.piece, {Vec3{1, 0.3, 0} + 0.51 * n, {}}, 0.02);
    ASSERT_EQ(found.size(), 1u) << i;
    EXPECT_LE(length(found[0].normal - n), 1e-8) << i;
    EXPECT_NEAR(found[0].points[0].separation, 0.01, 1e-12);
  }
  // A box that is pushed against the rim from the side, and overlaps it.
  const Built box(Box3{{0.5, 0.3, 0.4}});
  const auto found = collided(&sheet, box.piece, {{1.499, 0.1, 0.05}, {}}, 0.01);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LE(length(found[0].normal - Vec3{1, 0, 0}), 1e-9);
  double lowest = 1, highest = -1;
  for (std::size_t k = 0; k < std::size_t(found[0].count); ++k) {
    const auto& p = found[0].points[k];
    EXPECT_NEAR(p.separation, -0.001, 1e-12);
    EXPECT_LE(length(p.point - Vec3{1, p.point.y, 0}), 1e-12);
    lowest = std::min(lowest, p.point.y);
    highest = std::max(highest, p.point.y);
  }
  EXPECT_NEAR(lowest, -0.2, 1e-12);
  EXPECT_NEAR(highest, 0.4, 1e-12);
}

TEST(MeshContact, a_sheet_has_two_sides) {
  Random random(6);
  const TriangleMesh sheet = built_mesh(flat_floor(10, 1, 0.2, random));
  const Built box(Box3{{0.3, 0.2, 0.1}});
  for (const double side : {1.0, -1.0}) {
    const auto found = collided(&sheet, box.piece, {{0.1, 0.2, side * 0.095}, {}}, 0.01);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LE(length(found[0].normal - Vec3{0, 0, side}), 1e-9);
    EXPECT_NEAR(found[0].points[0].separation, -0.005, 1e-12);
    EXPECT_EQ(found[0].count, 4);
  }
}

// ---------------------------------------------------------------------------------------------- solids

// A box of triangles, each side cut into cells².
Mesh box_of(const Vec3& half, int cells) {
  Mesh mesh;
  const auto add_side = [&](const Vec3& corner, const Vec3& u, const Vec3& v) {
    const auto base = std::uint32_t(mesh.vertices.size());
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i)
        mesh.vertices.push_back(corner + u * (double(i) / cells) + v * (double(j) / cells));
    const auto at = [&](int i, int j) { return base + std::uint32_t(j * (cells + 1) + i); };
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i) {
        mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      }
  };
  const Vec3 x{2 * half.x, 0, 0}, y{0, 2 * half.y, 0}, z{0, 0, 2 * half.z};
  add_side(half - x - y, x, y);
  add_side(-half, y, x);
  add_side(half - y - z, y, z);
  add_side(-half, z, y);
  add_side(half - z - x, z, x);
  add_side(-half, x, z);
  return mesh;
}

// Against boxes of the same kind, whose own routine knows nothing of triangles.
TEST(MeshContact, a_solid_of_triangles_holds_like_a_box) {
  Random random(7);
  int near = 0;
  for (const int cells : {1, 3, 40}) {
    const Vec3 half{1, 0.8, 0.6};
    const TriangleMesh mesh = built_mesh(box_of(half, cells));
    ASSERT_TRUE(mesh.closed);
    const Built box(Box3{half});
    const Core3 box_core = core_of(box.piece);
    for (int i = 0; i < 120; ++i) {
      const int kind = i % pairs::k_kinds;
      const Built solid(pairs::random_solid(random, kind, 0.5));
      Pose3 pose{{}, rotation3(random)};
      // Pushed in from far away until it overlaps by a little, or not quite.
      const Vec3 way = unit3(random);
      double out = 5, in = 0;
      for (int step = 0; step < 30; ++step) {
        const double middle = 0.5 * (in + out);
        pose.position = middle * way;
        (collided(box.piece, solid.piece, pose, 0).empty() ? out : in) = middle;
      }
      pose.position = (out - uniform(random, -0.005, 0.01)) * way;
      const auto expected = collided(box.piece, solid.piece, pose, 0.02),
                 found = collided(&mesh, solid.piece, pose, 0.02);
      SCOPED_TRACE("cells " + std::to_string(cells) + ", kind " + std::to_string(kind) + ", try " +
                   std::to_string(i));
      ASSERT_EQ(expected.empty(), found.empty());
      if (found.empty()) continue;
      ++near;
      // The shallowest of the manifolds is the box's; others may stand beside it.
      std::size_t best = 0;
      for (std::size_t k = 1; k < found.size(); ++k)
        if (found[k].points[0].separation > found[best].points[0].separation) best = k;
      const double separation = found[best].points[0].separation;
      EXPECT_NEAR(separation,
                  separation_along(box_core, core_of(solid.piece), pose, found[best].normal) -
                      core_of(solid.piece).radius,
                  1e-6);
      EXPECT_GE(separation, expected[0].points[0].separation - (pairs::is_curved(solid.piece) ? 1e-5 : 1e-9));
      const double turned = length(found[best].normal - expected[0].normal);
      EXPECT_TRUE(turned <= 1e-6 || pairs::is_curved(solid.piece)) << turned;
      for (const Manifold<Dim3>& m : found)
        EXPECT_GE(m.points[0].separation, expected[0].points[0].separation - 0.02);
    }
  }
  EXPECT_GE(near, 300);
}

TEST(MeshContact, a_box_sunk_half_in_a_floor_is_pushed_up) {
  for (const int cells : {1, 20}) {
    const TriangleMesh slab = built_mesh(box_of({5, 5, 1}, cells));
    const Built box(Box3{{0.5, 0.5, 0.5}});
    for (const double height : {0.2, 0.0, -0.2}) {  // of its middle over the floor
      const auto found = collided(&slab, box.piece, {{0.33, 0.21, 1 + height}, {}}, 0.02);
      ASSERT_EQ(found.size(), 1u) << height;
      EXPECT_LE(length(found[0].normal - Vec3{0, 0, 1}), 1e-9);
      EXPECT_NEAR(found[0].points[0].separation, height - 0.5, 1e-12);
      EXPECT_EQ(found[0].count, 4);
    }
  }
  // A plate much thinner than the box: the lower side must not pull it through.
  const TriangleMesh plate = built_mesh(box_of({5, 5, 0.01}, 20));
  const Built box(Box3{{0.5, 0.5, 0.5}});
  for (const double height : {0.49, 0.3, 0.05}) {
    const auto found = collided(&plate, box.piece, {{0.33, 0.21, 0.01 + height}, {}}, 0.05);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LE(length(found[0].normal - Vec3{0, 0, 1}), 1e-9);
    EXPECT_NEAR(found[0].points[0].separation, height - 0.5, 1e-12);
    EXPECT_EQ(found[0].count, 4);
  }
}

// Steps of 0.4 × 0.2 along x, each cut into cells across: a sheet.
Mesh stairs(int steps, int cells) {
  std::vector<Vec2> outline;
  for (int i = 0; i < steps; ++i) {
    for (int k = 0; k < cells; ++k) outline.push_back({0.4 * i + 0.4 * k / cells, 0.2 * i});
    for (int k = 0; k < cells; ++k) outline.push_back({0.4 * (i + 1), 0.2 * i + 0.2 * k / cells});
  }
  outline.push_back({0.4 * steps, 0.2 * steps});
  Mesh mesh;
  for (const Vec2& p : outline)
    for (int j = 0; j <= cells; ++j) mesh.vertices.push_back({p.x, -1 + 2.0 * j / cells, p.y});
  const auto at = [&](std::size_t i, int j) {
    return std::uint32_t(i * std::size_t(cells + 1)) + std::uint32_t(j);
  };
  for (std::size_t i = 0; i + 1 < outline.size(); ++i)
    for (int j = 0; j < cells; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}
TEST(MeshContact, stairs_hold_by_treads_and_risers) {
  for (const int cells : {1, 4, 25}) {
    const TriangleMesh mesh = built_mesh(stairs(5, cells));
    const Built box(Box3{{0.1, 0.3, 0.1}});
    // In the corner of the third tread and the riser after it, sunk a little into both.
    const auto corner = collided(&mesh, box.piece, {{1.2 - 0.099, 0, 0.4 + 0.098}, {}}, 0.01);
    ASSERT_EQ(corner.size(), 2u) << cells;
    bool up = false, back = false;
    for (const Manifold<Dim3>& m : corner) {
      up |= length(m.normal - Vec3{0, 0, 1}) < 1e-9 && m.count == 4;
      back |= length(m.normal - Vec3{-1, 0, 0}) < 1e-9 && m.count == 4;
    }
    EXPECT_TRUE(up && back) << cells;
    // Over the nose of the third step, half of it in the air.
    const auto nose = collided(&mesh, box.piece, {{0.8, 0, 0.4 + 0.098}, {}}, 0.01);
    ASSERT_EQ(nose.size(), 1u) << cells;
    EXPECT_LE(length(nose[0].normal - Vec3{0, 0, 1}), 1e-9);
    EXPECT_NEAR(nose[0].points[0].separation, -0.002, 1e-12);
    ASSERT_EQ(nose[0].count, 4);
    EXPECT_NEAR(area_of(nose[0]), 0.1 * 0.6, 1e-9);
  }
}

void expect_right_on_rough_meshes(int tries) {
  Random random(9);
  GroundCounts counts;
  for (int ground = 0; ground < 6; ++ground) {
    const HeightField field = bumps(9, 9, {0.5, 0.5},
                                    ground % 3 == 0   ? 0.05
                                    : ground % 3 == 1 ? 0.3
                                                      : 1,
                                    random);
    Mesh mesh = mesh_like(field);
    if (ground >= 3) close_below(mesh, field, 60);
    const TriangleMesh built = built_mesh(mesh);
    SCOPED_TRACE("ground " + std::to_string(ground));
    expect_right_on_ground(&built, mesh, tries, random, counts);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GE(counts.apart, tries);
  EXPECT_GE(counts.overlapping, tries);
}
TEST(MeshContact, is_right_on_rough_ground) { expect_right_on_rough_meshes(18); }
TEST(MeshContact, is_right_on_rough_ground_long) { expect_right_on_rough_meshes(500); }

// Triangles thrown together: crowded and twisted edges, slivers, triangles through each other. Whatever comes out must be
// sound: unit normals, and points on both surfaces.
TEST(MeshContact, is_sound_on_tangled_meshes) {
  Random random(10);
  int contacts = 0;
  for (int i = 0; i < 120; ++i) {
    Mesh mesh;
    for (int k = 0; k < 25; ++k) mesh.vertices.push_back(vector3(random, 1));
    if (i % 3 == 0)
      for (Vec3& v : mesh.vertices) v = {std::round(2 * v.x), std::round(2 * v.y), std::round(v.z)};
    while (mesh.triangles.size() < 40) {
      const auto a = std::uint32_t(random() % 25), b = std::uint32_t(random() % 25),
                 c = std::uint32_t(random() % 25);
      if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
    }
    const TriangleMesh built = built_mesh(mesh);
    for (int k = 0; k < 12; ++k) {
      const Built solid(pairs::random_solid(random, k % pairs::k_kinds, power_of_ten(random, -2, 0)));
      const Pose3 pose{vector3(random, 1), rotation3(random)};
      const auto found = collided(&built, solid.piece, pose, 0.1 * solid.size);
      SCOPED_TRACE("mesh " + std::to_string(i) + ", solid " + std::to_string(k));
      contacts += !found.empty();
      expect_on_both_surfaces(found, mesh, solid.piece, pose, 0.1 * solid.size, 1e-6);
      if (testing::Test::HasNonfatalFailure()) return;
    }
  }
  EXPECT_GE(contacts, 300);
}

TEST(MeshContact, gives_the_same_wherever_the_mesh_lies) {
  Random random(8);
  const Mesh mesh = box_of({1, 0.8, 0.6}, 7);
  const TriangleMesh here = built_mesh(mesh);
  for (int i = 0; i < 240; ++i) {
    const Pose3 shift{vector3(random, 100), rotation3(random)};
    const TriangleMesh there = built_mesh(moved(mesh, shift));
    const Built solid(pairs::random_solid(random, i % pairs::k_kinds, 0.5));
    const Pose3 pose{vector3(random, 1.3), rotation3(random)};
    const auto a = collided(&here, solid.piece, pose, 0.02),
               b = collided(&there, solid.piece, shift * pose, 0.02);
    ASSERT_EQ(a.size(), b.size()) << i;
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_LE(length(shift.rotation * a[k].normal - b[k].normal), 1e-6) << i;
      EXPECT_NEAR(a[k].points[0].separation, b[k].points[0].separation, 1e-8) << i;
    }
  }
}

}  // namespace
}  // namespace cairn
