#include "narrowphase/surface_samples.h"

#include <algorithm>

#include "geometry/core.h"
#include "geometry/gjk.h"

namespace cairn::surfaces {

// A square of side 2·half in the plane z = 0, of 2·cells² triangles. `roughness` shifts the inner vertices by up to this
// part of a cell within the plane and cuts cells along either diagonal; at most 0.2, lest triangles turn over.
Mesh flat_floor(int cells, double half, double roughness, Random& random) {
  Mesh mesh;
  const double cell = 2 * half / cells;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      Vec3 at{-half + i * cell, -half + j * cell, 0};
      const bool is_inner = i > 0 && j > 0 && i < cells && j < cells;
      if (is_inner) at += roughness * cell * Vec3{uniform(random, -1, 1), uniform(random, -1, 1), 0};
      mesh.vertices.push_back(at);
    }
  const auto at = [&](int i, int j) { return std::uint32_t(j * (cells + 1) + i); };
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const std::uint32_t p = at(i, j), q = at(i + 1, j), r = at(i + 1, j + 1), s = at(i, j + 1);
      if (roughness > 0 && random() % 2) {
        mesh.triangles.push_back({p, q, s});
        mesh.triangles.push_back({q, r, s});
      } else {
        mesh.triangles.push_back({p, q, r});
        mesh.triangles.push_back({p, r, s});
      }
    }
  return mesh;
}

// Squeezes the strips between some columns to this part of their width.
void add_slivers(Mesh& mesh, int cells, double thin, Random& random) {
  for (int i = 2; i < cells; i += 3) {
    const bool to_left = random() % 2;
    for (int j = 0; j <= cells; ++j) {
      Vec3 &here = mesh.vertices[std::size_t(j * (cells + 1) + i)],
           &left = mesh.vertices[std::size_t(j * (cells + 1) + i - 1)];
      if (to_left)
        left = here + thin * (left - here);
      else
        here = left + thin * (here - left);
    }
  }
}

// Closes a floor below, with a pyramid upside down: then it is a solid.
void close_below(Mesh& mesh, int cells, double depth) {
  const auto apex = std::uint32_t(mesh.vertices.size());
  mesh.vertices.push_back({0, 0, -depth});
  const auto at = [&](int i, int j) { return std::uint32_t(j * (cells + 1) + i); };
  for (int k = 0; k < cells; ++k) {
    mesh.triangles.push_back({at(k + 1, 0), at(k, 0), apex});
    mesh.triangles.push_back({at(cells, k + 1), at(cells, k), apex});
    mesh.triangles.push_back({at(k, cells), at(k + 1, cells), apex});
    mesh.triangles.push_back({at(0, k), at(0, k + 1), apex});
  }
}

// Ground with bumps that differ from sample to sample, and the same as a mesh.
HeightField bumps(std::uint32_t columns, std::uint32_t rows, const Vec2& spacing, double height,
                  Random& random) {
  HeightField field{columns, rows, spacing, {}};
  for (std::uint32_t k = 0; k < columns * rows; ++k)
    field.heights.push_back(uniform(random, -height, height));
  return field;
}
Mesh mesh_like(const HeightField& field) {
  Mesh mesh;
  for (std::uint32_t j = 0; j < field.rows; ++j)
    for (std::uint32_t i = 0; i < field.columns; ++i)
      mesh.vertices.push_back(
          {i * field.spacing.x, j * field.spacing.y, field.heights[j * field.columns + i]});
  for (std::uint32_t j = 0; j + 1 < field.rows; ++j)
    for (std::uint32_t i = 0; i + 1 < field.columns; ++i) {
      const std::uint32_t a = j * field.columns + i, b = a + 1, c = b + field.columns, d = a + field.columns;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}
// Closes the mesh of a height field below, at z = −depth.
void close_below(Mesh& mesh, const HeightField& field, double depth) {
  const auto apex = std::uint32_t(mesh.vertices.size());
  mesh.vertices.push_back(
      {0.5 * (field.columns - 1) * field.spacing.x, 0.5 * (field.rows - 1) * field.spacing.y, -depth});
  const auto at = [&](std::uint32_t i, std::uint32_t j) { return j * field.columns + i; };
  const std::uint32_t c = field.columns - 1, r = field.rows - 1;
  for (std::uint32_t k = 0; k < c; ++k) {
    mesh.triangles.push_back({at(k + 1, 0), at(k, 0), apex});
    mesh.triangles.push_back({at(k, r), at(k + 1, r), apex});
  }
  for (std::uint32_t k = 0; k < r; ++k) {
    mesh.triangles.push_back({at(c, k + 1), at(c, k), apex});
    mesh.triangles.push_back({at(0, k), at(0, k + 1), apex});
  }
}

// A piece above, on or in the plane z = 0: its lowest point is at `height`.
Pose3 placed_on_floor(const Piece3& piece, double height, double spread, bool upright, Random& random) {
  Pose3 pose{{uniform(random, -spread, spread), uniform(random, -spread, spread), 0}, rotation3(random)};
  if (upright) {  // on a side, edge or tip, or nearly
    const Vec3 across{random() % 2 ? 1.0 : 0.0, 1, 0};
    const Rot3 quarter = Rot3::from_axis_angle(across, 0.25 * k_pi * double(random() % 8));
    const Vec3 about = unit3(random);
    const Rot3 rock = Rot3::from_axis_angle(about, random() % 2 ? 0 : power_of_ten(random, -12, -1));
    pose.rotation = normalized(rock * Rot3::from_axis_angle({0, 0, 1}, uniform(random, -3, 3)) * quarter);
  }
  pose.position.z = height - bounds(piece, pose).lo.z;
  return pose;
}

ManifoldList<Dim3> collided(const Piece3& a, const Piece3& b, const Pose3& b_in_a, double margin) {
  ManifoldList<Dim3> out;
  PairCache<Dim3> cache;
  collide(a, b, b_in_a, margin, cache, out);
  return out;
}

double area_of(const Manifold<Dim3>& m) {
  if (m.count < 3) return 0;
  double most = 0;  // of the two triangles on either diagonal, for any order of the points
  const auto area = [&](int i, int j, int k) {
    return absolute(dot(m.normal, cross(m.points[std::size_t(j)].point - m.points[std::size_t(i)].point,
                                        m.points[std::size_t(k)].point - m.points[std::size_t(i)].point)));
  };
  if (m.count == 3) return 0.5 * area(0, 1, 2);
  const int orders[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}};
  for (const auto& o : orders) most = std::max(most, 0.5 * (area(o[0], o[1], o[2]) + area(o[0], o[2], o[3])));
  return most;
}

double largest_side(const std::array<Vec3, 3>& c) {
  return std::max({length(c[1] - c[0]), length(c[2] - c[1]), length(c[0] - c[2])});
}
// What every manifold on a surface owes: its points lie on the surface and, `separation` along the normal, on the piece.
// `slow` is the surface once more, of which every triangle is asked. Returns the smallest separation.
double expect_on_both_surfaces(const ManifoldList<Dim3>& found, const Mesh& slow, const Piece3& piece,
                               const Pose3& pose, double margin, double tolerance) {
  double least = 1e300;
  const Sphere point{0};
  for (const Manifold<Dim3>& m : found) {
    EXPECT_NEAR(length(m.normal), 1, 1e-12);
    EXPECT_GE(m.count, 1);
    for (int k = 0; k < m.count; ++k) {
      const ManifoldPoint<Dim3>& p = m.points[std::size_t(k)];
      EXPECT_LE(p.separation, margin);
      EXPECT_GE(p.separation, m.points[0].separation);
      EXPECT_NEAR(pairs::outside_by(piece, to_local(pose, p.point + p.separation * m.normal)), 0, tolerance);
      double off = 1e300;
      for (const auto& [i, j, l] : slow.triangles) {
        const std::array<Vec3, 3> corners{slow.vertices[i], slow.vertices[j], slow.vertices[l]};
        if (largest_side(corners) + tolerance < length(corners[0] - p.point)) continue;
        off = std::min(off, nearest(core_of_triangle(&corners), core_of(&point), {p.point, {}}, {}).distance);
      }
      EXPECT_LE(off, tolerance);
    }
    least = std::min(least, m.points[0].separation);
  }
  return least;
}
// [m] of the piece from the mesh, if within reach; very large if not, less than 0 where it overlaps a triangle.
double slow_distance(const Mesh& mesh, const Piece3& piece, const Pose3& pose, double reach) {
  double least = 1e300;
  const Core3 core = core_of(piece);
  const Bounds3 tight = bounds(piece, pose);
  const Vec3 lo = tight.lo - Vec3{reach, reach, reach}, hi = tight.hi + Vec3{reach, reach, reach};
  for (const auto& [i, j, k] : mesh.triangles) {
    const std::array<Vec3, 3> c{mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]};
    const Vec3 from = smaller(c[0], smaller(c[1], c[2])), to = larger(c[0], larger(c[1], c[2]));
    if (from.x > hi.x || from.y > hi.y || from.z > hi.z || to.x < lo.x || to.y < lo.y || to.z < lo.z)
      continue;
    const auto gap = nearest(core_of_triangle(&c), core, pose, {});
    least = std::min(least, gap.overlap ? -1e300 : gap.distance - core.radius);
  }
  return least;
}

// Is the piece held as by the plane? One manifold, the same normal, depth and patch.
void expect_like_plane(const ManifoldList<Dim3>& on_floor, const ManifoldList<Dim3>& on_plane, double size) {
  ASSERT_EQ(on_floor.size(), on_plane.size());
  if (on_plane.empty()) return;
  const Manifold<Dim3>&m = on_floor[0], &p = on_plane[0];
  ASSERT_LE(length(m.normal - p.normal), 1e-6);
  ASSERT_NEAR(m.points[0].separation, p.points[0].separation, 1e-9 * size);
  ASSERT_EQ(m.count, p.count);
  ASSERT_NEAR(area_of(m), area_of(p), 1e-6 * size * size);
  for (int k = 0; k < m.count; ++k) {
    bool is_there = false;
    for (int l = 0; l < p.count; ++l) {
      const auto &x = m.points[std::size_t(k)], &y = p.points[std::size_t(l)];
      // Along a side that leans by almost nothing, the deepest point moves far for a little depth.
      is_there |=
          length(x.point - y.point) <= 1e-4 * size && absolute(x.separation - y.separation) <= 1e-9 * size;
    }
    ASSERT_TRUE(is_there);
  }
}

void expect_right_on_ground(const Piece3& ground, const Mesh& slow, int tries, Random& random,
                            GroundCounts& counts) {
  Vec3 hi = slow.vertices[0];
  for (const Vec3& v : slow.vertices) hi = larger(hi, v);
  for (int i = 0; i < tries; ++i) {
    const int kind = i % pairs::k_kinds;
    const pairs::Built solid(pairs::random_solid(random, kind, i % 4 == 0 ? 0.1 : 0.6));
    Pose3 pose{{uniform(random, 0.1 * hi.x, 0.9 * hi.x), uniform(random, 0.1 * hi.y, 0.9 * hi.y), 0},
               rotation3(random)};
    double out = hi.z + 3 * solid.size, in = out;  // lowered until it touches
    const auto is_apart_at = [&](double z) {
      pose.position.z = z;
      return slow_distance(slow, solid.piece, pose, 0) > 0;
    };
    while (is_apart_at(in)) out = in, in -= 0.2 * solid.size;
    for (int step = 0; step < 20; ++step) (is_apart_at(0.5 * (in + out)) ? out : in) = 0.5 * (in + out);
    const double margin = 0.05 * solid.size;
    pose.position.z = out + uniform(random, -1, 1) * margin;
    if (ray_cast(ground, Ray3{pose.position, {0, 0, 1000}})) continue;  // it fell through a narrow place
    const double distance = slow_distance(slow, solid.piece, pose, margin);
    const auto found = collided(ground, solid.piece, pose, margin);
    SCOPED_TRACE("try " + std::to_string(i) + ", kind " + std::to_string(kind));
    const double least = expect_on_both_surfaces(found, slow, solid.piece, pose, margin, 1e-7);
    if (distance > margin) {
      EXPECT_TRUE(found.empty());
      continue;
    }
    ASSERT_FALSE(found.empty());
    if (distance > 0) {
      ++counts.apart;
      EXPECT_NEAR(least, distance, 1e-9);
    } else {
      ++counts.overlapping;
      EXPECT_LT(least, 0);
      EXPECT_GE(least, -3 * margin);  // it was lowered by one
    }
  }
}

}  // namespace cairn::surfaces
