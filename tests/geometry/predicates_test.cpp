#include "geometry/predicates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "geometry/big_integer.h"

namespace cairn {
namespace {

using test::BigInteger;

BigInteger big(double x) { return BigInteger::from_double(x); }

int oracle2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  return ((big(b.x) - big(a.x)) * (big(c.y) - big(a.y)) - (big(b.y) - big(a.y)) * (big(c.x) - big(a.x)))
      .sign();
}
int oracle3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const BigInteger ux = big(b.x) - big(a.x), uy = big(b.y) - big(a.y), uz = big(b.z) - big(a.z);
  const BigInteger vx = big(c.x) - big(a.x), vy = big(c.y) - big(a.y), vz = big(c.z) - big(a.z);
  const BigInteger wx = big(d.x) - big(a.x), wy = big(d.y) - big(a.y), wz = big(d.z) - big(a.z);
  return ((uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz).sign();
}

// The predicate against the oracle, and its signs under every exchange of two points.
int checked2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  const int sign = orient2d(a, b, c);
  EXPECT_EQ(sign, oracle2d(a, b, c)) << a.x << ' ' << a.y << ' ' << b.x << ' ' << b.y << ' ' << c.x << ' '
                                     << c.y;
  EXPECT_EQ(sign, orient2d(b, c, a));
  EXPECT_EQ(sign, -orient2d(b, a, c));
  return sign;
}
int checked3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const int sign = orient3d(a, b, c, d);
  EXPECT_EQ(sign, oracle3d(a, b, c, d));
  EXPECT_EQ(sign, -orient3d(b, a, c, d));
  EXPECT_EQ(sign, -orient3d(d, b, c, a));
  EXPECT_EQ(sign, -orient3d(a, b, d, c));
  return sign;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double scale = 1) { return scale * std::uniform_real_distribution<double>(-1, 1)(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  Vec2 vec2() { return {uniform(), uniform()}; }
  Vec3 vec3() { return {uniform(), uniform(), uniform()}; }
  // x moved by up to `ulps` units in the last place.
  double nudged(double x, int ulps) {
    for (int k = integer(-ulps, ulps); k != 0; k -= k > 0 ? 1 : -1)
      x = std::nextafter(x, k > 0 ? 1e308 : -1e308);
    return x;
  }

 private:
  std::mt19937_64 engine_;
};

TEST(BigInteger, is_right_where_128_bits_are) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const int a = random.integer(-1000000000, 1000000000), b = random.integer(-1000000000, 1000000000);
    const int c = i % 3 ? random.integer(-1000000000, 1000000000) : a;
    const __int128 value = static_cast<__int128>(a) * b - static_cast<__int128>(b) * c;
    EXPECT_EQ((big(a) * big(b) - big(b) * big(c)).sign(), value > 0 ? 1 : value < 0 ? -1 : 0);
  }
  EXPECT_EQ((big(0x1p-1074) + big(-0x1p-1074)).sign(), 0);
  EXPECT_EQ((big(0x1p1000) + big(-0x1p-1074) - big(0x1p1000)).sign(), -1);
}

TEST(Predicates, follow_their_convention) {
  EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, 1}), 1);
  EXPECT_EQ(orient2d({0, 0}, {0, 1}, {1, 0}), -1);
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 1);
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}), -1);
}

TEST(Predicates, agree_with_integers_on_random_points) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const Vec2 p[] = {random.vec2(), random.vec2(), random.vec2()};
    checked2d(p[0], p[1], p[2]);
    const Vec3 q[] = {random.vec3(), random.vec3(), random.vec3(), random.vec3()};
    checked3d(q[0], q[1], q[2], q[3]);
  }
}

TEST(Predicates, agree_with_128_bits_on_grids) {
  Random random(3);
  int zeros = 0;
  for (int i = 0; i < 20000; ++i) {
    const int n = i % 2 ? 2 : 1000000;
    long long p[12];
    for (long long& x : p) x = random.integer(-n, n);
    const __int128 u[3] = {p[3] - p[0], p[4] - p[1], p[5] - p[2]},
                   v[3] = {p[6] - p[0], p[7] - p[1], p[8] - p[2]},
                   w[3] = {p[9] - p[0], p[10] - p[1], p[11] - p[2]};
    const __int128 value = (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
                           (u[0] * v[1] - u[1] * v[0]) * w[2];
    const auto point = [&](int k) {
      return Vec3{static_cast<double>(p[3 * k]), static_cast<double>(p[3 * k + 1]),
                  static_cast<double>(p[3 * k + 2])};
    };
    EXPECT_EQ(orient3d(point(0), point(1), point(2), point(3)), value > 0 ? 1 : value < 0 ? -1 : 0);
    zeros += value == 0;
  }
  EXPECT_GT(zeros, 1000);
}

TEST(Predicates, agree_with_integers_an_ulp_off_a_line) {
  Random random(4);
  int count[3] = {};
  for (int i = 0; i < 6000; ++i) {
    const double scale = i % 3 == 0 ? 1e6 : 1, offset = i % 3 == 1 ? 1e6 : 0;
    const Vec2 a = random.vec2() * scale + Vec2{offset, offset},
               b = random.vec2() * scale + Vec2{offset, offset};
    const Vec2 on = a + (b - a) * random.uniform(2);
    ++count[1 + checked2d(a, b, {random.nudged(on.x, 1), random.nudged(on.y, 1)})];
  }
  EXPECT_GT(count[0], 1000);
  EXPECT_GT(count[2], 1000);
}

TEST(Predicates, agree_with_integers_an_ulp_off_a_plane) {
  Random random(5);
  int count[3] = {};
  for (int i = 0; i < 6000; ++i) {
    const Vec3 offset = i % 3 == 1 ? Vec3{1e6, 1e6, 1e6} : Vec3{};
    const Vec3 a = random.vec3() + offset, b = random.vec3() + offset, c = random.vec3() + offset;
    const double s = random.uniform(2), t = random.uniform(2);
    const Vec3 on = a + (b - a) * s + (c - a) * t;
    const int sign =
        checked3d(a, b, c, {random.nudged(on.x, 1), random.nudged(on.y, 1), random.nudged(on.z, 1)});
    ++count[1 + sign];
  }
  EXPECT_GT(count[0], 1000);
  EXPECT_GT(count[2], 1000);
}

TEST(Predicates, find_exact_degeneracy) {
  Random random(6);
  for (int i = 0; i < 2000; ++i) {
    // Short mantissas, so that combinations of them are exact.
    const auto dyadic = [&] { return random.integer(-4096, 4096) * 0x1p-7; };
    const Vec3 a{dyadic(), dyadic(), dyadic()}, b{dyadic(), dyadic(), dyadic()},
        c{dyadic(), dyadic(), dyadic()};
    const double s = dyadic(), t = dyadic();
    EXPECT_EQ(checked3d(a, b, c, a + (b - a) * s + (c - a) * t), 0);
    EXPECT_EQ(checked3d(a, b, a, c), 0);
    const Vec2 p{a.x, a.y}, q{b.x, b.y};
    EXPECT_EQ(checked2d(p, q, p + (q - p) * s), 0);
    EXPECT_EQ(checked2d(p, q, p), 0);
  }
  // The doubles nearest to 0.1, 0.3 and 0.9 are not in proportion, and that is found as well.
  EXPECT_EQ(checked2d({0, 0}, {0.1, 0.1}, {0.3, 0.3}), 0);
  EXPECT_NE(checked2d({0, 0}, {0.1, 0.3}, {0.3, 0.9}), 0);
}

TEST(Predicates, have_no_smallest_and_no_largest_size) {
  Random random(7);
  for (int i = 0; i < 4000; ++i) {
    // Each axis has its own magnitude, from the smallest subnormal numbers to the largest doubles.
    const int ex = random.integer(-1070, 1020), ey = random.integer(-1070, 1020),
              ez = random.integer(-1070, 1020);
    const auto coordinate = [&](int e) { return std::ldexp(random.uniform(), e); };
    const Vec3 a{coordinate(ex), coordinate(ey), coordinate(ez)},
        b{coordinate(ex), coordinate(ey), coordinate(ez)};
    const Vec3 c{coordinate(ex), coordinate(ey), coordinate(ez)};
    const double s = 0.25 * random.uniform(), t = 0.25 * random.uniform();
    const Vec3 near{a.x + (b.x - a.x) * s + (c.x - a.x) * t, a.y + (b.y - a.y) * s + (c.y - a.y) * t,
                    a.z + (b.z - a.z) * s + (c.z - a.z) * t};
    ASSERT_TRUE(is_finite(near));
    checked3d(a, b, c, near);
    checked2d({a.x, a.y}, {b.x, b.y}, {near.x, near.y});
  }
  const double m = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(checked2d({-m, -m}, {m, m}, {m, -m}), -1);
  EXPECT_EQ(checked2d({-m, -m}, {m, m}, {0, 0}), 0);
  EXPECT_EQ(checked2d({0, 0}, {tiny, 0}, {0, tiny}), 1);
  EXPECT_EQ(checked3d({-m, -m, 0}, {m, -m, 0}, {0, m, 0}, {0, 0, tiny}), 1);
  EXPECT_EQ(checked3d({-m, -m, m}, {m, -m, m}, {0, m, m}, {0, 0, -m}), -1);
}

TEST(Predicates, span_sixhundred_bits_within_an_axis) {
  Random random(8);
  for (int i = 0; i < 2000; ++i) {
    const auto coordinate = [&] {
      const double mantissa = 1 + 0.5 * random.uniform();
      return mantissa * std::ldexp(1, random.integer(-590, 0));
    };
    const Vec3 a{coordinate(), coordinate(), coordinate()}, b{coordinate(), coordinate(), coordinate()};
    const Vec3 c{coordinate(), coordinate(), coordinate()}, d{coordinate(), coordinate(), coordinate()};
    checked3d(a, b, c, d);
    checked2d({a.x, a.y}, {b.x, b.y}, {c.x, c.y});
  }
}

TEST(Predicates, volumes_of_needles_are_right) {
  Random random(10);
  for (int i = 0; i < 2000; ++i) {
    // The volume that integers have, in a tetrahedron squeezed onto a line at an angle to all axes.
    const auto small = [&] { return static_cast<double>(random.integer(-8, 8)); };
    const Vec3 u{small(), small(), small()}, v{small(), small(), small()}, w{small(), small(), small()};
    const double thin = i % 2 ? 0x1p-30 : 0.25, size = i % 4 < 2 ? 1 : 0x1p-300;
    const Vec3 a{size, 0, -size};
    const double found =
        triple_product(a, a + size * u, a + size * (u + thin * v), a + size * (2 * u + thin * w));
    EXPECT_NEAR(found / (size * size * size) / (thin * thin), dot(cross(u, v), w), 1e-12);
  }
}

TEST(Predicates, normals_of_needles_are_right) {
  Random random(9);
  for (int i = 0; i < 2000; ++i) {
    // A triangle of the plane of two integer vectors, so that its normal is known; as thin as 1e-15.
    const auto small = [&] { return static_cast<double>(random.integer(-8, 8)); };
    const Vec3 u{small(), small(), small()}, v{small(), small(), small()};
    if (length(cross(u, v)) == 0) continue;
    const Vec3 a{random.integer(-8, 8) * 0x1p-3, 0, 1};
    const double thin = i % 2 ? 0x1p-44 : 0x1p-3;
    const Vec3 n = unit_normal(a, a + u, a + u * 0.5 + v * thin);
    EXPECT_LE(length(n - normalized(cross(u, v))), 1e-15);
  }
  EXPECT_EQ(unit_normal({0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}, {1, 2, 3}), Vec3{});
}

}  // namespace
}  // namespace cairn
