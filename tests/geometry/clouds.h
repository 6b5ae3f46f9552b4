// Clouds of points that hulls find easy and hard.
#pragma once

#include <cairn/math.h>

#include <cmath>
#include <random>
#include <vector>

namespace cairn::test {

class CloudMaker {
 public:
  explicit CloudMaker(unsigned seed) : engine_(seed) {}

  double uniform(double low = -1, double high = 1) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double gaussian() { return std::normal_distribution<double>()(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  Vec3 direction() {
    Vec3 v;
    while (length_squared(v) < 1e-3) v = {gaussian(), gaussian(), gaussian()};
    return normalized(v);
  }
  Rot3 rotation() { return normalized(Rot3{gaussian(), gaussian(), gaussian(), gaussian()}); }

  std::vector<Vec3> ball(int n) {
    return make(n, [&] {
      const double radius =
          std::cbrt(uniform(0, 1));  // first: compilers differ in the order within a product
      return radius * direction();
    });
  }
  std::vector<Vec3> sphere(int n) {
    return make(n, [&] { return direction(); });
  }
  std::vector<Vec3> gaussian_cloud(int n) {
    return make(n, [&] { return Vec3{gaussian(), gaussian(), gaussian()}; });
  }
  std::vector<Vec3> box(int n) {
    return make(n, [&] { return Vec3{uniform(), uniform(), uniform()}; });
  }
  // On the six faces of the cube [−1, 1]³, one in four on an edge; and its corners.
  std::vector<Vec3> on_cube(int n) {
    std::vector<Vec3> points = make(n, [&] {
      double p[3] = {uniform(), uniform(), uniform()};
      p[integer(0, 2)] = integer(0, 1) * 2 - 1;
      if (integer(0, 3) == 0) p[integer(0, 2)] = integer(0, 1) * 2 - 1;
      return Vec3{p[0], p[1], p[2]};
    });
    for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? 1. : -1., i & 2 ? 1. : -1., i & 4 ? 1. : -1.});
    return points;
  }

  std::vector<Vec3> rotated(std::vector<Vec3> points) {
    const Rot3 r = rotation();
    for (Vec3& p : points) p = r * p;
    return points;
  }
  // Each coordinate moved by up to `size`, either way.
  std::vector<Vec3> disturbed(std::vector<Vec3> points, double size) {
    for (Vec3& p : points) p += size * Vec3{uniform(), uniform(), uniform()};
    return points;
  }
  std::vector<Vec3> shuffled(std::vector<Vec3> points) {
    for (std::size_t i = points.size(); i > 1; --i) std::swap(points[i - 1], points[engine_() % i]);
    return points;
  }

  template <class Make>
  static std::vector<Vec3> make(int n, Make&& point) {
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) points.push_back(point());
    return points;
  }

 private:
  std::mt19937_64 engine_;
};

inline std::vector<Vec3> transformed(std::vector<Vec3> points, const Vec3& scale, const Vec3& offset) {
  for (Vec3& p : points) p = Vec3{p.x * scale.x, p.y * scale.y, p.z * scale.z} + offset;
  return points;
}

inline std::vector<Vec3> grid(int nx, int ny, int nz) {
  std::vector<Vec3> points;
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y)
      for (int z = 0; z < nz; ++z) points.push_back({1. * x, 1. * y, 1. * z});
  return points;
}

// Two regular polygons of n corners and radius 1, at z = ±1.
inline std::vector<Vec3> prism(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * k_pi * i / n;
    for (double z : {-1., 1.}) points.push_back({std::cos(angle), std::sin(angle), z});
  }
  return points;
}

}  // namespace cairn::test
