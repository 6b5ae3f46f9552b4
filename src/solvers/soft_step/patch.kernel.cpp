// Patches of contact into lanes: gathered as they are, placed where their bodies are, in doubles; then rounded.
#include "math/wide.h"
#include "solvers/soft_step/contact_rows.h"
#include "solvers/soft_step/kernels.h"

namespace cairn::CAIRN_SET {

namespace {

using T = Wide<double, k_lanes<double>>;
using Lanes = Indices<T::k_count>;
static_assert(k_most_patches_at_once % T::k_count == 0);

CAIRN_INLINE void put(float (&to)[k_width], int at, const T& value) { to_float(value).store(to + at); }
CAIRN_INLINE void put(double (&to)[k_width], int at, const T& value) { value.store(to + at); }
template <class Real>
CAIRN_INLINE void put(Real (&to)[1][k_width], int at, const T& value) {
  put(to[0], at, value);
}
template <class Real>
CAIRN_INLINE void put(Real (&to)[2][k_width], int at, const Vec2T<T>& value) {
  put(to[0], at, value.x), put(to[1], at, value.y);
}
template <class Real>
CAIRN_INLINE void put(Real (&to)[3][k_width], int at, const Vec3T<T>& value) {
  put(to[0], at, value.x), put(to[1], at, value.y), put(to[2], at, value.z);
}

// The directions of tangents: those of cairn::perpendicular, by which direct_contacts.cpp reads the impulses.
CAIRN_INLINE Tangents2<T> tangents_of(const Vec2T<T>& normal) { return tangents(normal, normal); }
CAIRN_INLINE Tangents3<T> tangents_of(const Vec3T<T>& n) {
  const auto flat = absolute(n.x) < T(0.6);
  return tangents(n, normalized(choose(flat, Vec3T<T>{T(0), n.z, -n.y}, Vec3T<T>{n.y, -n.x, T(0)})));
}

// K numbers of each of the parts, from `from` on, which is in the first of them.
template <int K, class D>
CAIRN_INLINE Records<double, T::k_count, K> fields(const double& from, const Lanes& lanes) {
  static_assert(sizeof(PatchParts<D>) % sizeof(double) == 0);
  return gather_records<K, int(sizeof(PatchParts<D>) / sizeof(double))>(&from, lanes);
}

template <class D>
struct Taken;
template <>
struct Taken<Dim2> {
  CAIRN_INLINE static Vec2T<T> vector(const Vec2& from, const Lanes& lanes) {
    const auto f = fields<2, Dim2>(from.x, lanes);
    return {f[0], f[1]};
  }
  // In world axes, like those of the rotation.
  CAIRN_INLINE static T turned(const Rot2T<T>&, const double& from, const Lanes& lanes) {
    return fields<1, Dim2>(from, lanes)[0];
  }
  CAIRN_INLINE static PatchBodies<Dim2, T> bodies(const PatchParts<Dim2>& from, const Lanes& lanes) {
    const auto f = fields<12, Dim2>(from.bodies.a_to_b.x, lanes);
    return {{f[0], f[1]}, {f[2], f[3]}, {f[4], f[5]}, {f[6], f[7]}, {f[8], f[9]}, f[10], f[11]};
  }
};
template <>
struct Taken<Dim3> {
  CAIRN_INLINE static Vec3T<T> vector(const Vec3& from, const Lanes& lanes) {
    const auto f = fields<3, Dim3>(from.x, lanes);
    return {f[0], f[1], f[2]};
  }
  CAIRN_INLINE static Vec3T<T> turned(const Rot3T<T>& rotation, const Vec3& from, const Lanes& lanes) {
    return rotation * vector(from, lanes);
  }
  CAIRN_INLINE static PatchBodies<Dim3, T> bodies(const PatchParts<Dim3>& from, const Lanes& lanes) {
    const auto f = fields<23, Dim3>(from.bodies.a_to_b.x, lanes);
    return {{f[0], f[1], f[2]},    {f[3], f[4], f[5], f[6]}, {f[7], f[8], f[9], f[10]}, {f[11], f[12], f[13]},
            {f[14], f[15], f[16]}, {f[17], f[18], f[19]},    {f[20], f[21], f[22]}};
  }
};
static_assert(sizeof(PatchBodies<Dim2, double>) == 12 * sizeof(double));
static_assert(sizeof(PatchBodies<Dim3, double>) == 23 * sizeof(double));

template <class D, class Real>
struct Patch {
  using Vec = VecOf<D, T>;
  using Group = ContactGroup<D, Real>;
  static constexpr int k_most_points = Group::k_most_points;

  CAIRN_INLINE static void fill_part(Group& group, int at, const PatchParts<D>& parts, const Lanes& lanes,
                                     const T& h) {
    using Take = Taken<D>;
    const PatchBodies<D, T> bodies = Take::bodies(parts, lanes);
    const Vec normal = bodies.rotation_a * Take::vector(parts.normal, lanes);
    const auto t = tangents_of(normal);
    put(group.normal, at, normal);
    put(group.tangent, at, t.t);
    put(group.tangent_impulse, at, t.along(h * (bodies.rotation_a * Take::vector(parts.friction, lanes))));
    put(group.turning_impulse, at, h * Take::turned(bodies.rotation_a, parts.torque, lanes));
    put(group.conveyor, at, t.along(Take::vector(parts.surface_velocity, lanes)));
    const auto twist = fields<2, D>(parts.twist, lanes);  // and the number of points
    put(group.twist_impulse, at, h * twist[0]);
    const auto rest = fields<6, D>(parts.restitution, lanes);
    put(group.restitution, at, rest[0]);
    put(group.friction, at, rest[1]);
    put(group.rolling, at, rest[2]);
    put(group.spinning, at, rest[3]);
    put(group.rounding_a, at, rest[4]);
    put(group.rounding_b, at, rest[5]);

    // The centre of friction: where the load acts; before there is any, the middle of the points.
    Vec arms[k_most_points];
    T loads[k_most_points], load(0);
    Vec loaded{}, middle{};
    const T share = T(1) / twist[1];
    for (int k = 0; k < group.count; ++k) {
      constexpr int k_point = sizeof(typename PatchParts<D>::Point) / sizeof(double);
      const auto there = T(k) < twist[1];
      const typename PatchParts<D>::Point& from = parts.points[std::size_t(k)];
      const PlacedPoint<D, T> point =
          placed(bodies, normal, Take::vector(from.anchor_a, lanes), Take::vector(from.anchor_b, lanes));
      const auto own = fields<2, D>(from.separation, lanes);
      static_assert(k_point == 2 * D::k_linear + 2);
      const auto if_there = [&](const T& x) CAIRN_INLINE_LAMBDA { return select(there, x, T(0)); };
      arms[k] = choose(there, point.arm_a, Vec{});
      loads[k] = if_there(own[1]);
      loaded += loads[k] * arms[k];
      middle += share * arms[k];
      load += loads[k];
      put(group.points[k].separation, at, if_there(own[0]));
      put(group.rest[k].first_separation, at, if_there(own[0]));
      put(group.rest[k].approach, at, if_there(point.approach));
      put(group.points[k].normal_impulse, at, h * loads[k]);
      put(group.points[k].normal_mass, at,
          if_there(T(1)));  // there is such a point: `prepare` puts its mass here
    }
    const auto is_loaded = load > T(0);
    const Vec center = choose(is_loaded, (T(1) / select(is_loaded, load, T(1))) * loaded, middle);
    put(group.center_a, at, center);
    put(group.center_b, at, center - bodies.a_to_b);
    for (int k = 0; k < group.count; ++k) {
      const auto there = T(k) < twist[1];
      const Vec place = choose(there, arms[k] - center, Vec{});
      put(group.points[k].tilt, at, tilt_at(t.along(place)));
      put(group.points[k].height, at, dot(normal, place));
      put(group.points[k].lever, at, length(place));
    }
  }

  static void fill(Group& group, const PatchParts<D>* parts, double h) {
    for (int at = 0; at < group.lanes; at += T::k_count) {
      Lanes lanes;
      for (int i = 0; i < T::k_count; ++i) lanes.at[i] = uint32_t(at + i);
      fill_part(group, at, *parts, lanes, T(h));
    }
  }
};

template <class D, class Real>
constexpr PatchKernels<D, Real> k_kernels{.fill = Patch<D, Real>::fill};

}  // namespace

extern const PatchKernels<Dim2, float> k_patches_2f;
extern const PatchKernels<Dim2, double> k_patches_2d;
extern const PatchKernels<Dim3, float> k_patches_3f;
extern const PatchKernels<Dim3, double> k_patches_3d;
constinit const PatchKernels<Dim2, float> k_patches_2f = k_kernels<Dim2, float>;
constinit const PatchKernels<Dim2, double> k_patches_2d = k_kernels<Dim2, double>;
constinit const PatchKernels<Dim3, float> k_patches_3f = k_kernels<Dim3, float>;
constinit const PatchKernels<Dim3, double> k_patches_3d = k_kernels<Dim3, double>;

}  // namespace cairn::CAIRN_SET
