// Solids cut by planes: nothing is lost, nothing tears, what falls apart is told apart.
#include "geometry/cut_solid.h"

#include <gtest/gtest.h>

#include <map>

#include "geometry/coarse_solid.h"
#include "geometry/concave_meshes.h"
#include "geometry/shape_samples.h"

namespace cairn {
namespace {

using namespace samples;

constexpr double k_on = 1e-9;

CutSolid solid(const Mesh& mesh) { return solid_of(std::get<TriangleMesh>(build(Shape3{mesh}).form)); }

// Every edge is used as often one way as the other.
bool is_closed(const CutSolid& s) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
  for (const auto [a, b] : s.edges) a < b ? ++uses[{a, b}] : --uses[{b, a}];
  for (const auto& [edge, count] : uses)
    if (count != 0) return false;
  return true;
}

double volume_of(const Mesh& mesh) { return mass_properties(Shape3{mesh}, 1).mass; }

TEST(CutSolid, has_the_volume_of_its_mesh) {
  for (const Mesh& mesh : {box_mesh({1, 2, 3}), star_mesh(2), torus(1, 0.3, 16, 8), cup(1, 0.8, 2, 0.2)})
    EXPECT_NEAR(volume(solid(mesh)), volume_of(mesh), 1e-13 * volume_of(mesh));
}

TEST(CutSolid, halves_add_up_and_stay_closed) {
  Random random(1);
  for (const Mesh& mesh : {star_mesh(3), torus(1, 0.3, 24, 12), cup(1, 0.8, 2, 0.2), box_mesh({1, 1, 1})}) {
    std::vector<CutSolid> pieces{solid(mesh)};
    const double whole = volume(pieces[0]);
    for (int cut = 0; cut < 6; ++cut) {  // up to 64 pieces: later planes cut the faces of earlier ones
      const CutPlane plane{unit3(random), vector3(random, 0.4)};
      std::vector<CutSolid> next;
      for (const CutSolid& piece : pieces) {
        CutSolid front = above(piece, plane, k_on), back = above(piece, plane.reversed(), k_on);
        ASSERT_NEAR(volume(front) + volume(back), volume(piece), 1e-8 * whole);
        ASSERT_TRUE(is_closed(front) && is_closed(back));
        for (const Vec3& v : front.vertices) ASSERT_GE(plane.distance(v), -2 * k_on);
        for (const Vec3& v : back.vertices) ASSERT_LE(plane.distance(v), 2 * k_on);
        for (CutSolid* half : {&front, &back})
          if (!half->faces.empty()) next.push_back(std::move(*half));
      }
      pieces = std::move(next);
      double sum = 0;
      for (const CutSolid& piece : pieces) sum += volume(piece);
      ASSERT_NEAR(sum, whole, 1e-8 * whole);
    }
    EXPECT_GT(pieces.size(), 16u);
  }
}

// A plane along a face, through edges and corners: neither side gets a flap without thickness.
TEST(CutSolid, takes_a_plane_along_faces) {
  const CutSolid stairs = solid(cubes(4, 2, 4, [](int x, int, int z) { return z <= x; }));
  for (const double z : {1., 2., 3.}) {
    const CutPlane plane{{0, 0, 1}, {0.3, 0.2, z}};
    const CutSolid upper = above(stairs, plane, k_on), lower = above(stairs, plane.reversed(), k_on);
    EXPECT_DOUBLE_EQ(volume(upper), (4 - z) * (5 - z));  // 2 × 1 × the cubes on each step above
    EXPECT_DOUBLE_EQ(volume(upper) + volume(lower), 20);
    EXPECT_TRUE(is_closed(upper) && is_closed(lower));
    for (const Vec3& v : upper.vertices) EXPECT_GE(v.x, z) << "a corner of the step below";
    for (const Vec3& v : lower.vertices) EXPECT_LE(v.z, z);
  }
  // Along the top and the bottom there is nothing on one side.
  EXPECT_TRUE(above(stairs, {{0, 0, 1}, {0, 0, 4}}, k_on).faces.empty());
  EXPECT_DOUBLE_EQ(volume(above(stairs, {{0, 0, 1}, {0, 0, 0}}, k_on)), 20);
}

TEST(CutSolid, cuts_rings) {
  // Across its axis a torus leaves rings as new faces, along it two discs.
  const CutSolid ring = solid(torus(1, 0.3, 24, 12));
  const auto cut_faces = [](const CutSolid& s) {
    return std::count_if(s.faces.begin(), s.faces.end(), [](const auto& f) { return f.is_cut; });
  };
  EXPECT_EQ(cut_faces(above(ring, {{0, 0, 1}, {0, 0, 0.05}}, k_on)), 1);
  EXPECT_EQ(cut_faces(above(ring, {{1, 0, 0}, {0.05, 0, 0}}, k_on)), 2);
  // Half a ring, cut across the ring face: two ends, each with its own part of it.
  const CutSolid upper = above(ring, {{0, 0, 1}, {0, 0, 0.05}}, k_on);
  const CutSolid ends = above(upper, {{0, 1, 0}, {0, 0.05, 0}}, k_on);
  EXPECT_EQ(cut_faces(ends), 3);
  EXPECT_EQ(connected_pieces(CutSolid(ends)).size(), 1u);
  EXPECT_EQ(connected_pieces(above(ends, {{0, -1, 0}, {0, 0.5, 0}}, k_on)).size(), 2u);
}

TEST(CutSolid, tells_pieces_apart) {
  const CutSolid legs = solid(cubes(3, 1, 2, [](int x, int, int z) { return x != 1 || z == 1; }));
  EXPECT_EQ(connected_pieces(CutSolid(legs)).size(), 1u);
  const auto pieces = connected_pieces(above(legs, {{0, 0, -1}, {0, 0, 1}}, k_on));
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_DOUBLE_EQ(volume(pieces[0]), 1);
  EXPECT_DOUBLE_EQ(volume(pieces[1]), 1);
  EXPECT_EQ(
      connected_pieces(solid(joined(box_mesh({1, 1, 1}), transformed({{5, 0, 0}, {}}, star_mesh(1))))).size(),
      2u);
}

// A void belongs to the piece around it, the smaller one where one stands in the void of another.
TEST(CutSolid, keeps_voids_in_their_pieces) {
  const auto shell = [](int n, int from) {  // a hollow cube of n³, a void from `from` on all sides
    return cubes(n, n, n, [=](int x, int y, int z) {
      return std::min({x, y, z, n - 1 - x, n - 1 - y, n - 1 - z}) < from;
    });
  };
  const Mesh nested = joined(shell(9, 1), transformed({{3, 3, 3}, {}}, shell(3, 1)));
  const auto pieces = connected_pieces(solid(nested));
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_NEAR(volume(pieces[0]), 729 - 343, 1e-9);
  EXPECT_NEAR(volume(pieces[1]), 26, 1e-9);
  EXPECT_NEAR(winding(pieces[0], {0.5, 0.5, 0.5}), 1, 1e-12);
  EXPECT_NEAR(winding(pieces[0], {4.5, 4.5, 4.5}), 0, 1e-12);
  EXPECT_NEAR(winding(pieces[1], {4.5, 4.5, 3.5}), 1, 1e-12);
}

TEST(CutSolid, coarsened_stays_closed_and_nearly_as_large) {
  for (const Mesh& mesh : {star_mesh(4), torus(1, 0.3, 64, 32)}) {
    const CutSolid fine = above(solid(mesh), {normalized(Vec3{1, 2, 3}), {0.05, 0, 0}}, k_on);
    const CutSolid coarse = coarsened(fine, 24);
    EXPECT_TRUE(is_closed(coarse));
    EXPECT_LT(coarse.vertices.size(), fine.vertices.size());
    EXPECT_NEAR(volume(coarse), volume(fine), 0.05 * volume(fine));
  }
}

}  // namespace
}  // namespace cairn
