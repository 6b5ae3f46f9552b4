// Vectors, rotations, poses and inertia, in two and three dimensions.
//
// Everything users see is double precision. The structs are templates on their scalar only so that the
// solver's SIMD lanes run the same text: with T = double it is the reference, with T = Wide<float, 8> it is
// the kernel.
//
// Every function here is forced inline: kernels are compiled for several instruction sets, and an out-of-line
// copy built for a newer machine could otherwise be picked by the linker for everyone (a test checks with
// nm).
//
// Conventions: right-handed axes, z up in 3D and y up in 2D, SI units, radians. A rotation takes body
// coordinates to world coordinates. Angular quantities (`Ang`) are a Vec3 in 3D and a double in 2D.
#pragma once

#include <cstdint>

#define CAIRN_INLINE [[gnu::always_inline]] inline

namespace cairn {

// Elementary functions with the same bits on every processor: the C library's choose their code by processor,
// which would break identical results. At most 1 ulp or so from the true value; tested against the C library.
namespace portable {
struct SinCos {
  double sin, cos;
};
double sin(double x) noexcept;
double cos(double x) noexcept;
SinCos sin_cos(double x) noexcept;
double tan(double x) noexcept;
double asin(double x) noexcept;
double acos(double x) noexcept;
double atan(double x) noexcept;
double atan2(double y, double x) noexcept;
double exp(double x) noexcept;
double log(double x) noexcept;
}  // namespace portable

inline constexpr double k_pi = 3.14159265358979323846;

CAIRN_INLINE double square_root(double x) { return __builtin_sqrt(x); }  // correctly rounded everywhere
CAIRN_INLINE constexpr double absolute(double x) { return __builtin_fabs(x); }
CAIRN_INLINE constexpr bool is_finite(double x) { return __builtin_isfinite(x); }
CAIRN_INLINE constexpr double smaller(double a, double b) { return b < a ? b : a; }
CAIRN_INLINE constexpr double larger(double a, double b) { return a < b ? b : a; }
CAIRN_INLINE constexpr double clamp(double x, double lo, double hi) { return smaller(larger(x, lo), hi); }

// ------------------------------------------------------------------------------------------------- vectors

template <class T>
struct Vec2T {
  T x{}, y{};

  CAIRN_INLINE constexpr Vec2T& operator+=(const Vec2T& b) { return x += b.x, y += b.y, *this; }
  CAIRN_INLINE constexpr Vec2T& operator-=(const Vec2T& b) { return x -= b.x, y -= b.y, *this; }
  CAIRN_INLINE constexpr Vec2T& operator*=(const T& s) { return x *= s, y *= s, *this; }
  CAIRN_INLINE constexpr bool operator==(const Vec2T& b) const { return x == b.x && y == b.y; }
  CAIRN_INLINE friend constexpr Vec2T operator+(const Vec2T& a, const Vec2T& b) {
    return {a.x + b.x, a.y + b.y};
  }
  CAIRN_INLINE friend constexpr Vec2T operator-(const Vec2T& a, const Vec2T& b) {
    return {a.x - b.x, a.y - b.y};
  }
  CAIRN_INLINE friend constexpr Vec2T operator-(const Vec2T& a) { return {-a.x, -a.y}; }
  CAIRN_INLINE friend constexpr Vec2T operator*(const T& s, const Vec2T& a) { return {s * a.x, s * a.y}; }
  CAIRN_INLINE friend constexpr Vec2T operator*(const Vec2T& a, const T& s) { return {a.x * s, a.y * s}; }
  CAIRN_INLINE friend constexpr Vec2T operator/(const Vec2T& a, const T& s) { return {a.x / s, a.y / s}; }
};

template <class T>
struct Vec3T {
  T x{}, y{}, z{};

  CAIRN_INLINE constexpr Vec3T& operator+=(const Vec3T& b) { return x += b.x, y += b.y, z += b.z, *this; }
  CAIRN_INLINE constexpr Vec3T& operator-=(const Vec3T& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  CAIRN_INLINE constexpr Vec3T& operator*=(const T& s) { return x *= s, y *= s, z *= s, *this; }
  CAIRN_INLINE constexpr bool operator==(const Vec3T& b) const { return x == b.x && y == b.y && z == b.z; }
  CAIRN_INLINE friend constexpr Vec3T operator+(const Vec3T& a, const Vec3T& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  CAIRN_INLINE friend constexpr Vec3T operator-(const Vec3T& a, const Vec3T& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  CAIRN_INLINE friend constexpr Vec3T operator-(const Vec3T& a) { return {-a.x, -a.y, -a.z}; }
  CAIRN_INLINE friend constexpr Vec3T operator*(const T& s, const Vec3T& a) {
    return {s * a.x, s * a.y, s * a.z};
  }
  CAIRN_INLINE friend constexpr Vec3T operator*(const Vec3T& a, const T& s) {
    return {a.x * s, a.y * s, a.z * s};
  }
  CAIRN_INLINE friend constexpr Vec3T operator/(const Vec3T& a, const T& s) {
    return {a.x / s, a.y / s, a.z / s};
  }
};

using Vec2 = Vec2T<double>;
using Vec3 = Vec3T<double>;

template <class T>
CAIRN_INLINE constexpr T dot(const Vec2T<T>& a, const Vec2T<T>& b) {
  return a.x * b.x + a.y * b.y;
}
template <class T>
CAIRN_INLINE constexpr T dot(const Vec3T<T>& a, const Vec3T<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
CAIRN_INLINE constexpr double dot(double a, double b) { return a * b; }  // of angular quantities in 2D

// The cross products of each dimension: position × force is a torque, turning × position is a velocity.
template <class T>
CAIRN_INLINE constexpr T cross(const Vec2T<T>& a, const Vec2T<T>& b) {
  return a.x * b.y - a.y * b.x;
}
template <class T>
CAIRN_INLINE constexpr Vec2T<T> cross(const T& w, const Vec2T<T>& r) {
  return {-w * r.y, w * r.x};
}
template <class T>
CAIRN_INLINE constexpr Vec3T<T> cross(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
CAIRN_INLINE constexpr double cross(double, double) { return 0; }  // of angular quantities in 2D

template <class V>
CAIRN_INLINE auto length(const V& a) {
  return square_root(dot(a, a));
}
template <class V>
CAIRN_INLINE constexpr auto length_squared(const V& a) {
  return dot(a, a);
}
// The unit vector along `a`, which must not be zero.
template <class V>
CAIRN_INLINE V normalized(const V& a) {
  return a / length(a);
}
CAIRN_INLINE constexpr Vec2 absolute(const Vec2& a) { return {absolute(a.x), absolute(a.y)}; }
CAIRN_INLINE constexpr Vec3 absolute(const Vec3& a) { return {absolute(a.x), absolute(a.y), absolute(a.z)}; }
CAIRN_INLINE constexpr Vec2 smaller(const Vec2& a, const Vec2& b) {
  return {smaller(a.x, b.x), smaller(a.y, b.y)};
}
CAIRN_INLINE constexpr Vec2 larger(const Vec2& a, const Vec2& b) {
  return {larger(a.x, b.x), larger(a.y, b.y)};
}
CAIRN_INLINE constexpr Vec3 smaller(const Vec3& a, const Vec3& b) {
  return {smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.z, b.z)};
}
CAIRN_INLINE constexpr Vec3 larger(const Vec3& a, const Vec3& b) {
  return {larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)};
}
CAIRN_INLINE constexpr bool is_finite(const Vec2& a) { return is_finite(a.x) && is_finite(a.y); }
CAIRN_INLINE constexpr bool is_finite(const Vec3& a) {
  return is_finite(a.x) && is_finite(a.y) && is_finite(a.z);
}

// Component by component.
CAIRN_INLINE constexpr Vec2 scaled(const Vec2& a, const Vec2& b) { return {a.x * b.x, a.y * b.y}; }
CAIRN_INLINE constexpr Vec3 scaled(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

// A vector at right angles to `a`, of the same length.
CAIRN_INLINE constexpr Vec2 perpendicular(const Vec2& a) { return {-a.y, a.x}; }
// Some unit vector at right angles to the unit vector `n`.
CAIRN_INLINE Vec3 perpendicular(const Vec3& n) {
  return absolute(n.x) < 0.6 ? normalized(Vec3{0, n.z, -n.y}) : normalized(Vec3{n.y, -n.x, 0});
}

// ------------------------------------------------------------------------------------------------ matrices

// A 3 × 3 matrix of columns.
template <class T>
struct Mat3T {
  Vec3T<T> c0, c1, c2;
};
using Mat3 = Mat3T<double>;

template <class T>
CAIRN_INLINE constexpr Vec3T<T> operator*(const Mat3T<T>& m, const Vec3T<T>& v) {
  return m.c0 * v.x + m.c1 * v.y + m.c2 * v.z;
}
template <class T>
CAIRN_INLINE constexpr Mat3T<T> operator*(const Mat3T<T>& a, const Mat3T<T>& b) {
  return {a * b.c0, a * b.c1, a * b.c2};
}
template <class T>
CAIRN_INLINE constexpr Mat3T<T> operator+(const Mat3T<T>& a, const Mat3T<T>& b) {
  return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
}
template <class T>
CAIRN_INLINE constexpr Mat3T<T> operator-(const Mat3T<T>& a, const Mat3T<T>& b) {
  return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
}
template <class T>
CAIRN_INLINE constexpr Mat3T<T> operator*(const T& s, const Mat3T<T>& a) {
  return {s * a.c0, s * a.c1, s * a.c2};
}
template <class T>
CAIRN_INLINE constexpr Mat3T<T> transpose(const Mat3T<T>& m) {
  return {{m.c0.x, m.c1.x, m.c2.x}, {m.c0.y, m.c1.y, m.c2.y}, {m.c0.z, m.c1.z, m.c2.z}};
}
// [v]×, the matrix with [v]× r = v × r.
template <class T>
CAIRN_INLINE constexpr Mat3T<T> cross_matrix(const Vec3T<T>& v) {
  return {{T{}, v.z, -v.y}, {-v.z, T{}, v.x}, {v.y, -v.x, T{}}};
}
// x with m x = v, by Cramer's rule; m must not be singular.
template <class T>
CAIRN_INLINE constexpr Vec3T<T> solve(const Mat3T<T>& m, const Vec3T<T>& v) {
  const Vec3T<T> c12 = cross(m.c1, m.c2);
  const T det = dot(m.c0, c12);
  return {dot(v, c12) / det, dot(m.c0, cross(v, m.c2)) / det, dot(m.c0, cross(m.c1, v)) / det};
}

// A symmetric 3 × 3 matrix: inertia tensors and their inverses.
template <class T>
struct Sym3T {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
  CAIRN_INLINE constexpr bool operator==(const Sym3T& b) const {
    return xx == b.xx && yy == b.yy && zz == b.zz && xy == b.xy && xz == b.xz && yz == b.yz;
  }
};
using Sym3 = Sym3T<double>;

template <class T>
CAIRN_INLINE constexpr Vec3T<T> operator*(const Sym3T<T>& m, const Vec3T<T>& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
template <class T>
CAIRN_INLINE constexpr Sym3T<T> operator+(const Sym3T<T>& a, const Sym3T<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class T>
CAIRN_INLINE constexpr Sym3T<T> operator-(const Sym3T<T>& a, const Sym3T<T>& b) {
  return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}
template <class T>
CAIRN_INLINE constexpr Sym3T<T> operator*(const T& s, const Sym3T<T>& a) {
  return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
}
template <class T>
CAIRN_INLINE constexpr Mat3T<T> matrix(const Sym3T<T>& a) {
  return {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
}
// The inverse; `a` must be positive definite.
template <class T>
CAIRN_INLINE constexpr Sym3T<T> inverse(const Sym3T<T>& a) {
  const T xx = a.yy * a.zz - a.yz * a.yz;
  const T xy = a.xz * a.yz - a.xy * a.zz;
  const T xz = a.xy * a.yz - a.xz * a.yy;
  const T det = a.xx * xx + a.xy * xy + a.xz * xz;
  return {xx / det, (a.xx * a.zz - a.xz * a.xz) / det, (a.xx * a.yy - a.xy * a.xy) / det, xy / det,
          xz / det, (a.xy * a.xz - a.xx * a.yz) / det};
}
CAIRN_INLINE constexpr double inverse(double inertia) { return 1 / inertia; }  // of the inertia in 2D
CAIRN_INLINE constexpr bool is_finite(const Sym3& a) {
  return is_finite(Vec3{a.xx, a.yy, a.zz}) && is_finite(Vec3{a.xy, a.xz, a.yz});
}

// ----------------------------------------------------------------------------------------------- rotations

// A rotation of the plane, as the cosine and sine of its angle.
template <class T>
struct Rot2T {
  T c{1}, s{};
  CAIRN_INLINE constexpr bool operator==(const Rot2T& b) const { return c == b.c && s == b.s; }
  static Rot2T from_angle(double angle) {  // [rad]
    const portable::SinCos sc = portable::sin_cos(angle);
    return {sc.cos, sc.sin};
  }
  double angle() const { return portable::atan2(s, c); }  // [rad], in (−π, π]
};

// A rotation of space, as a unit quaternion w + xi + yj + zk.
template <class T>
struct Rot3T {
  T w{1}, x{}, y{}, z{};
  CAIRN_INLINE constexpr bool operator==(const Rot3T& b) const {
    return w == b.w && x == b.x && y == b.y && z == b.z;
  }
  // A turn by `angle` [rad] about `axis`, which need not have unit length but must not be zero.
  static Rot3T from_axis_angle(const Vec3T<T>& axis, double angle) {
    const portable::SinCos half = portable::sin_cos(0.5 * angle);
    const Vec3T<T> v = normalized(axis) * half.sin;
    return {half.cos, v.x, v.y, v.z};
  }
};
using Rot2 = Rot2T<double>;
using Rot3 = Rot3T<double>;

template <class T>
CAIRN_INLINE constexpr Rot2T<T> operator*(const Rot2T<T>& a, const Rot2T<T>& b) {
  return {a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
}
template <class T>
CAIRN_INLINE constexpr Rot3T<T> operator*(const Rot3T<T>& a, const Rot3T<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
CAIRN_INLINE constexpr Rot2T<T> inverse(const Rot2T<T>& r) {
  return {r.c, -r.s};
}
template <class T>
CAIRN_INLINE constexpr Rot3T<T> inverse(const Rot3T<T>& r) {
  return {r.w, -r.x, -r.y, -r.z};
}
template <class T>
CAIRN_INLINE constexpr Vec2T<T> operator*(const Rot2T<T>& r, const Vec2T<T>& v) {
  return {r.c * v.x - r.s * v.y, r.s * v.x + r.c * v.y};
}
template <class T>
CAIRN_INLINE constexpr Vec3T<T> operator*(const Rot3T<T>& r, const Vec3T<T>& v) {
  const Vec3T<T> u{r.x, r.y, r.z};
  const Vec3T<T> t = cross(u, v) + cross(u, v);
  return v + r.w * t + cross(u, t);
}
template <class T>
CAIRN_INLINE T norm(const Rot2T<T>& r) {
  return square_root(r.c * r.c + r.s * r.s);
}
template <class T>
CAIRN_INLINE T norm(const Rot3T<T>& r) {
  return square_root(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
}
template <class T>
CAIRN_INLINE Rot2T<T> normalized(const Rot2T<T>& r) {
  const T n = norm(r);
  return {r.c / n, r.s / n};
}
template <class T>
CAIRN_INLINE Rot3T<T> normalized(const Rot3T<T>& r) {
  const T n = norm(r);
  return {r.w / n, r.x / n, r.y / n, r.z / n};
}
CAIRN_INLINE constexpr bool is_finite(const Rot2& r) { return is_finite(r.c) && is_finite(r.s); }
CAIRN_INLINE constexpr bool is_finite(const Rot3& r) {
  return is_finite(r.w) && is_finite(Vec3{r.x, r.y, r.z});
}

// An angular quantity between the frames. In the plane there is only one.
CAIRN_INLINE constexpr double operator*(const Rot2&, double angular) { return angular; }

// The rotation of a rotation vector (axis times angle): the exponential map.
Rot2 rotation_of(double rotation_vector);
Rot3 rotation_of(const Vec3& rotation_vector);
// The rotation vector of a rotation, of angle at most π: the logarithm.
double rotation_vector(const Rot2& r);
Vec3 rotation_vector(const Rot3& r);

// The Cayley map: the rotation about `u` by 2·atan(|u|/2), which is |u| to second order and needs no sine.
template <class T>
CAIRN_INLINE Rot3T<T> cayley(const Vec3T<T>& u) {
  return normalized(Rot3T<T>{T(1), T(0.5) * u.x, T(0.5) * u.y, T(0.5) * u.z});
}
CAIRN_INLINE Rot2 cayley(double u) {  // the half-angle formulas of the same map
  const double half = 0.5 * u, n = 1 + half * half;
  return normalized(Rot2{(1 - half * half) / n, u / n});
}

template <class T>
CAIRN_INLINE constexpr Mat3T<T> matrix(const Rot3T<T>& r) {
  const T xx = r.x * r.x, yy = r.y * r.y, zz = r.z * r.z;
  const T xy = r.x * r.y, xz = r.x * r.z, yz = r.y * r.z;
  const T wx = r.w * r.x, wy = r.w * r.y, wz = r.w * r.z;
  const T one(1), two(2);
  return {{one - two * (yy + zz), two * (xy + wz), two * (xz - wy)},
          {two * (xy - wz), one - two * (xx + zz), two * (yz + wx)},
          {two * (xz + wy), two * (yz - wx), one - two * (xx + yy)}};
}
// The rotation of an orthonormal right-handed matrix.
Rot3 rotation_of(const Mat3& m);

// R A Rᵀ: a symmetric tensor of the body's frame seen in the world's.
template <class T>
CAIRN_INLINE constexpr Sym3T<T> rotated(const Rot3T<T>& r, const Sym3T<T>& a) {
  const Mat3T<T> m = matrix(r);
  const Mat3T<T> t = {a * Vec3T<T>{m.c0.x, m.c1.x, m.c2.x}, a * Vec3T<T>{m.c0.y, m.c1.y, m.c2.y},
                      a * Vec3T<T>{m.c0.z, m.c1.z, m.c2.z}};  // A Rᵀ
  const Vec3T<T> row0{m.c0.x, m.c1.x, m.c2.x}, row1{m.c0.y, m.c1.y, m.c2.y}, row2{m.c0.z, m.c1.z, m.c2.z};
  return {dot(row0, t.c0), dot(row1, t.c1), dot(row2, t.c2),
          dot(row0, t.c1), dot(row0, t.c2), dot(row1, t.c2)};
}
CAIRN_INLINE constexpr double rotated(const Rot2&, double inertia) { return inertia; }

// Principal values (ascending) of a symmetric tensor and the right-handed rotation whose columns are its
// axes: a = R diag(values) Rᵀ.
struct Principal3 {
  Vec3 values;
  Rot3 axes;
};
Principal3 principal(const Sym3& a);

// ---------------------------------------------------------------------------------------------- dimensions

// Which of the coordinate axes; used for locks.
struct Axes2 {
  bool x = false, y = false;
  constexpr bool operator==(const Axes2&) const = default;
};
struct Axes3 {
  bool x = false, y = false, z = false;
  constexpr bool operator==(const Axes3&) const = default;
};

struct Dim2 {
  static constexpr int k_linear = 2, k_angular = 1, k_dof = 3;
  using Vec = Vec2;
  using Ang = double;
  using Rot = Rot2;
  using Inertia = double;
  using LinearAxes = Axes2;
  using AngularAxes = bool;
  static constexpr Vec2 k_gravity{0, -9.81};  // [m/s²] y is up
};
struct Dim3 {
  static constexpr int k_linear = 3, k_angular = 3, k_dof = 6;
  using Vec = Vec3;
  using Ang = Vec3;
  using Rot = Rot3;
  using Inertia = Sym3;
  using LinearAxes = Axes3;
  using AngularAxes = Axes3;
  static constexpr Vec3 k_gravity{0, 0, -9.81};  // [m/s²] z is up
};

// Where a frame stands: world point = position + rotation · local point.
template <class D>
struct Pose {
  typename D::Vec position{};  // [m]
  typename D::Rot rotation{};
  constexpr bool operator==(const Pose&) const = default;
};
// How a frame moves, at its origin, in world axes.
template <class D>
struct Twist {
  typename D::Vec linear{};   // [m/s]
  typename D::Ang angular{};  // [rad/s]
  constexpr bool operator==(const Twist&) const = default;
};
// What acts on a frame, at its origin, in world axes.
template <class D>
struct Wrench {
  typename D::Vec force{};   // [N]
  typename D::Ang torque{};  // [N·m]
  constexpr bool operator==(const Wrench&) const = default;
  CAIRN_INLINE constexpr Wrench& operator+=(const Wrench& b) {
    return force += b.force, torque += b.torque, *this;
  }
};

using Pose2 = Pose<Dim2>;
using Pose3 = Pose<Dim3>;
using Twist2 = Twist<Dim2>;
using Twist3 = Twist<Dim3>;
using Wrench2 = Wrench<Dim2>;
using Wrench3 = Wrench<Dim3>;

template <class D, class V>
CAIRN_INLINE constexpr V to_world(const Pose<D>& pose, const V& local) {
  return pose.position + pose.rotation * local;
}
template <class D, class V>
CAIRN_INLINE constexpr V to_local(const Pose<D>& pose, const V& point) {
  return inverse(pose.rotation) * (point - pose.position);
}
// The pose of `child`, given in the frame of `parent`, in the frame that `parent` is given in.
template <class D>
CAIRN_INLINE constexpr Pose<D> operator*(const Pose<D>& parent, const Pose<D>& child) {
  return {to_world(parent, child.position), parent.rotation * child.rotation};
}
template <class D>
CAIRN_INLINE constexpr Pose<D> inverse(const Pose<D>& p) {
  const auto r = inverse(p.rotation);
  return {-(r * p.position), r};
}

}  // namespace cairn
