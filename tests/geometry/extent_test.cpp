#include "geometry/extent.h"

#include <gtest/gtest.h>

#include <random>

#include "geometry/shape_samples.h"
#include "geometry/support.h"

namespace cairn {
namespace {

// The outer radius is the height of the support points, over all directions, of the shape seen from the centre.
template <class D, class S>
void expect_extent(const S& shape, double inner, double tolerance) {
  const Geometry<D> geometry = build(Shape<D>{shape});
  const Piece<D> piece = pieces_of(geometry)[0].piece;
  EXPECT_NEAR(inner_radius(piece), inner, 1e-12);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 20; ++k) {
    typename D::Vec center{};
    center.x = normal(random), center.y = normal(random);
    double furthest = 0;
    for (int i = 0; i < 4000; ++i) {
      typename D::Vec d{};
      d.x = normal(random), d.y = normal(random);
      if constexpr (requires { d.z; }) d.z = normal(random);
      furthest = larger(furthest, length(support(geometry, d) - center));
    }
    const double outer = outer_radius(piece, center);
    EXPECT_GE(outer, furthest - 1e-12);
    EXPECT_LE(outer, furthest + tolerance);
  }
}

TEST(Extent, of_solids) {
  expect_extent<Dim3>(Sphere{.radius = 0.7}, 0.7, 0.01);
  expect_extent<Dim3>(Box3{.half = {1, 0.2, 0.5}}, 0.2, 1e-9);
  expect_extent<Dim3>(Capsule3{.radius = 0.2, .half_length = 1}, 0.2, 0.01);
  expect_extent<Dim3>(Cylinder{.radius = 0.4, .half_height = 1}, 0.4, 0.01);
  expect_extent<Dim3>(Cone{.radius = 3, .half_height = 2}, 1.5, 0.01);  // 3·4/(3 + 5)
  expect_extent<Dim3>(Hull{.points = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 1}}},
                      0.5 * 2 / square_root(6.0), 1e-9);
}
TEST(Extent, of_flat_shapes) {
  expect_extent<Dim2>(Circle{.radius = 0.7}, 0.7, 0.01);
  expect_extent<Dim2>(Box2{.half = {1, 0.2}}, 0.2, 1e-9);
  expect_extent<Dim2>(Capsule2{.radius = 0.2, .half_length = 1}, 0.2, 0.01);
  expect_extent<Dim2>(Polygon{.points = {{0, 0}, {3, 0}, {0, 4}}}, 1.2, 1e-9);
  expect_extent<Dim2>(Segment{.a = {0, 0}, .b = {3, 0}}, 0, 1e-9);
}

}  // namespace
}  // namespace cairn
