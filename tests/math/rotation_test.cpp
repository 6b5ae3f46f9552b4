#include <cairn/math.h>
#include <gtest/gtest.h>

#include <random>

namespace cairn {
namespace {

Vec3 random_vector(std::mt19937_64& random, double scale) {
  std::uniform_real_distribution<double> u(-scale, scale);
  return {u(random), u(random), u(random)};
}

TEST(Rotation, exponential_and_logarithm_are_inverse) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 v = random_vector(random, i % 2 ? 1.8 : 1e-5);
    const Vec3 back = rotation_vector(rotation_of(v));
    EXPECT_LE(length(back - v), 1e-15 + 4e-15 * length(v));
  }
}

TEST(Rotation, quaternion_and_matrix_agree) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const Rot3 r = rotation_of(random_vector(random, 3));
    const Vec3 v = random_vector(random, 1);
    EXPECT_LE(length(matrix(r) * v - r * v), 1e-15);
    const Rot3 back = rotation_of(matrix(r));
    EXPECT_LE(length(back * v - r * v), 2e-15);
    EXPECT_LE(length(inverse(r) * (r * v) - v), 4e-15);
  }
}

TEST(Rotation, cayley_turns_by_twice_the_arc_tangent) {
  const Vec3 u{0.3, -0.2, 0.5};
  const Vec3 v = rotation_vector(cayley(u));
  EXPECT_NEAR(length(v), 2 * portable::atan(length(u) / 2), 1e-15);
  EXPECT_LE(length(cross(v, u)), 1e-16);
  EXPECT_NEAR(cayley(0.7).angle(), 2 * portable::atan(0.35), 1e-15);
}

TEST(Rotation, principal_axes_diagonalise) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const Rot3 r = rotation_of(random_vector(random, 3));
    Sym3 diagonal{1, 2, 3};
    if (i % 4 == 1) diagonal = {1, 1, 3};
    if (i % 4 == 2) diagonal = {1, 1 + 1e-13, 1};
    if (i % 4 == 3) diagonal = {1e-9, 1e9, 1e9};
    const Sym3 a = rotated(r, diagonal);
    const Principal3 p = principal(a);
    const Sym3 back = rotated(p.axes, Sym3{p.values.x, p.values.y, p.values.z});
    const double scale = p.values.z * 4e-15;
    for (double d :
         {back.xx - a.xx, back.yy - a.yy, back.zz - a.zz, back.xy - a.xy, back.xz - a.xz, back.yz - a.yz})
      EXPECT_LE(absolute(d), scale);
    EXPECT_LE(p.values.x, p.values.y);
    EXPECT_LE(p.values.y, p.values.z);
  }
}

TEST(Rotation, of_a_tensor_turns_what_the_tensor_maps) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 100; ++i) {
    const Rot3 r = rotation_of(random_vector(random, 3));
    const Sym3 a{1, 2, 3, 0.1, -0.2, 0.3};
    const Vec3 v = random_vector(random, 1);
    EXPECT_LE(length(rotated(r, a) * (r * v) - r * (a * v)), 1e-14);
    EXPECT_LE(length(inverse(a) * (a * v) - v), 1e-14);
    EXPECT_LE(length(solve(matrix(a), v) - inverse(a) * v), 1e-14);
  }
}

}  // namespace
}  // namespace cairn
