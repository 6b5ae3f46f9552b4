// The filters are Shewchuk's stage A with an added term for underflow; the exact paths are one stage, because
// expansions without zeros already adapt to exact differences (the common degenerate case: grids).
#include "geometry/predicates.h"

#include <array>
#include <cmath>

#include "geometry/expansion.h"

namespace cairn {
namespace {

using exact::difference;
using exact::Expansion;

constexpr double k_half_ulp = 0x1p-53;                             // Shewchuk's ε
constexpr double k_bound_2d = (3 + 16 * k_half_ulp) * k_half_ulp;  // his bound A of ORIENT2D, 3ε + 16ε²
constexpr double k_bound_3d = (7 + 56 * k_half_ulp) * k_half_ulp;  // and of ORIENT3D, 7ε + 56ε²
// Shewchuk assumes that nothing underflows. Where a product below does, it is wrong by 2⁻¹⁰⁷⁵ more at most,
// and that is multiplied by at most one further coordinate: k_underflow times that coordinate is ample.
// Overflow makes the bound infinite or the determinant NaN, and then no comparison with the bound holds, as
// it should be.
constexpr double k_underflow = 0x1p-1000;

// Multiplies by the power of two that brings the largest magnitude into [2³¹⁹, 2³²⁰), and drops what is then
// below 2⁻²⁸⁰. Differences stay below 2³²¹, products of three below 2⁹⁶⁶; every coordinate is a multiple of
// 2⁻³³², so products of three are multiples of 2⁻⁹⁹⁶: nothing overflows, nothing underflows.
// Returns the exponent of that power.
template <std::size_t N>
int bring_to_range(std::array<double, N>& x) {
  double largest = 0;
  for (double value : x) largest = larger(largest, absolute(value));
  if (largest == 0) return 0;
  int exponent;
  std::frexp(largest, &exponent);
  for (double& value : x) {
    value = std::ldexp(value, 320 - exponent);
    if (absolute(value) < 0x1p-280) value = 0;
  }
  return 320 - exponent;
}

// a b − c d.
Expansion<16> minor_of(const Expansion<2>& a, const Expansion<2>& b, const Expansion<2>& c,
                       const Expansion<2>& d) {
  return a * b - c * d;
}

struct Bounded {
  double value, bound;  // a determinant and how wrong it may be
};
CAIRN_INLINE Bounded rounded_triple_product(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x;
  const double xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
  const double determinant = w.x * (yz - zy) + w.y * (zx - xz) + w.z * (xy - yx);
  const Vec3 reach = absolute(w);
  const double permanent = reach.x * (absolute(yz) + absolute(zy)) + reach.y * (absolute(zx) + absolute(xz)) +
                           reach.z * (absolute(xy) + absolute(yx));
  return {determinant, k_bound_3d * permanent + k_underflow * (reach.x + reach.y + reach.z + 1)};
}

int orient2d_exact(const Vec2& a, const Vec2& b, const Vec2& c) {
  std::array<double, 3> x{a.x, b.x, c.x}, y{a.y, b.y, c.y};
  bring_to_range(x);
  bring_to_range(y);
  return minor_of(difference(x[1], x[0]), difference(y[2], y[0]),  //
                  difference(y[1], y[0]), difference(x[2], x[0]))
      .sign();
}

struct ExactTripleProduct {
  Expansion<192> value;  // times 2^shift
  int shift;
};
ExactTripleProduct triple_product_exact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::array<double, 4> x{a.x, b.x, c.x, d.x}, y{a.y, b.y, c.y, d.y}, z{a.z, b.z, c.z, d.z};
  const int shift = bring_to_range(x) + bring_to_range(y) + bring_to_range(z);
  const Expansion<2> ux = difference(x[1], x[0]), uy = difference(y[1], y[0]), uz = difference(z[1], z[0]);
  const Expansion<2> vx = difference(x[2], x[0]), vy = difference(y[2], y[0]), vz = difference(z[2], z[0]);
  const Expansion<2> wx = difference(x[3], x[0]), wy = difference(y[3], y[0]), wz = difference(z[3], z[0]);
  return {minor_of(uy, vz, uz, vy) * wx + minor_of(uz, vx, ux, vz) * wy + minor_of(ux, vy, uy, vx) * wz,
          shift};
}

Vec3 cross_exact(const Vec3& a, const Vec3& b, const Vec3& c) {
  std::array<double, 9> p{a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z};
  bring_to_range(p);  // one factor for all axes: here the direction matters
  const Expansion<2> ux = difference(p[1], p[0]), uy = difference(p[4], p[3]), uz = difference(p[7], p[6]);
  const Expansion<2> vx = difference(p[2], p[0]), vy = difference(p[5], p[3]), vz = difference(p[8], p[6]);
  return {minor_of(uy, vz, uz, vy).rounded(), minor_of(uz, vx, ux, vz).rounded(),
          minor_of(ux, vy, uy, vx).rounded()};
}

}  // namespace

int orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 u = b - a, v = c - a;
  const double left = u.x * v.y, right = u.y * v.x;
  const double determinant = left - right;
  const double bound = k_bound_2d * (absolute(left) + absolute(right)) + k_underflow;
  if (determinant > bound) return 1;
  if (-determinant > bound) return -1;
  return orient2d_exact(a, b, c);
}

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto [value, bound] = rounded_triple_product(a, b, c, d);
  if (value > bound) return 1;
  if (-value > bound) return -1;
  return triple_product_exact(a, b, c, d).value.sign();
}

double triple_product(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto [value, bound] = rounded_triple_product(a, b, c, d);
  if (bound <= 2e-15 * absolute(value)) return value;
  const ExactTripleProduct product = triple_product_exact(a, b, c, d);
  return std::ldexp(product.value.rounded(), -product.shift);
}

Vec3 unit_normal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a;
  Vec3 n = cross(u, v);
  // n is wrong by a few ε|u||v|: where the angle at a is between 30° and 150° it is good as it is.
  const double size = length_squared(u) * length_squared(v);
  const bool in_range = size > 1e-200 && size < 1e200;
  if (!in_range || !(length_squared(n) > 0.25 * size)) n = cross_exact(a, b, c);
  const double largest = larger(larger(absolute(n.x), absolute(n.y)), absolute(n.z));
  return largest == 0 ? Vec3{} : normalized(n / largest);
}

}  // namespace cairn
