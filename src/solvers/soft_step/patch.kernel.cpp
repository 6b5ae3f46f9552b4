// Patches of contact into lanes: gathered where they are kept, placed where their bodies are, in doubles; then rounded. And back.
#include <cstddef>

#include "base/prefetch.h"
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

CAIRN_INLINE T get(const float (&from)[k_width], int at) {
  return to_double(Wide<float, T::k_count>::load(from + at));
}
CAIRN_INLINE T get(const double (&from)[k_width], int at) { return T::load(from + at); }
template <class Real>
CAIRN_INLINE T get(const Real (&from)[1][k_width], int at) {
  return get(from[0], at);
}
template <class Real>
CAIRN_INLINE Vec2T<T> get(const Real (&from)[2][k_width], int at) {
  return {get(from[0], at), get(from[1], at)};
}
template <class Real>
CAIRN_INLINE Vec3T<T> get(const Real (&from)[3][k_width], int at) {
  return {get(from[0], at), get(from[1], at), get(from[2], at)};
}

// The directions of tangents: those of cairn::perpendicular, by which direct_contacts.cpp reads the impulses.
CAIRN_INLINE Tangents2<T> tangents_of(const Vec2T<T>& normal) { return tangents(normal, normal); }
CAIRN_INLINE Tangents3<T> tangents_of(const Vec3T<T>& n) {
  const auto flat = absolute(n.x) < T(0.6);
  return tangents(n, normalized(choose(flat, Vec3T<T>{T(0), n.z, -n.y}, Vec3T<T>{n.y, -n.x, T(0)})));
}

// Doubles as they stand in states, patches and points, in lanes.
template <class D>
struct Taken;
template <>
struct Taken<Dim2> {
  template <class R>
  CAIRN_INLINE static Vec2T<T> vector(const R& f, int k) {
    return {f[k], f[k + 1]};
  }
  template <class R>
  CAIRN_INLINE static T turning(const R& f, int k) {
    return f[k];
  }
  template <class R>
  CAIRN_INLINE static Rot2T<T> rotation(const R& f, int k) {
    return {f[k], f[k + 1]};
  }
  CAIRN_INLINE static T turned(const Rot2T<T>&, const T& x) { return x; }  // about the same axis
  CAIRN_INLINE static Vec2T<T> friction(const T& impulse, const Vec2T<T>&, const Vec2T<T>& t) {
    return impulse * t;
  }
  CAIRN_INLINE static void put(T* to, const Vec2T<T>& v) { to[0] = v.x, to[1] = v.y; }
  CAIRN_INLINE static void put(T* to, const T& x) { to[0] = x; }
};
template <>
struct Taken<Dim3> {
  template <class R>
  CAIRN_INLINE static Vec3T<T> vector(const R& f, int k) {
    return {f[k], f[k + 1], f[k + 2]};
  }
  template <class R>
  CAIRN_INLINE static Vec3T<T> turning(const R& f, int k) {
    return vector(f, k);
  }
  template <class R>
  CAIRN_INLINE static Rot3T<T> rotation(const R& f, int k) {
    return {f[k], f[k + 1], f[k + 2], f[k + 3]};
  }
  CAIRN_INLINE static Vec3T<T> turned(const Rot3T<T>& rotation, const Vec3T<T>& v) { return rotation * v; }
  CAIRN_INLINE static Vec3T<T> friction(const Vec2T<T>& impulse, const Vec3T<T>& n, const Vec3T<T>& t) {
    return impulse.x * t + impulse.y * cross(n, t);
  }
  CAIRN_INLINE static void put(T* to, const Vec3T<T>& v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
};

template <class D, class Real>
struct Patch {
  using Take = Taken<D>;
  using Vec = VecOf<D, T>;
  using Group = ContactGroup<D, Real>;
  static constexpr int k_most_points = Group::k_most_points;

  // Where things stand in doubles: in states,
  static constexpr int k_rotation = D::k_linear, k_velocity = k_rotation + int(sizeof(typename D::Rot) / 8),
                       k_turning = k_velocity + D::k_linear, k_state = k_turning + D::k_angular;
  static_assert(sizeof(BodyState<D>) == k_state * sizeof(double));
  // in patches,
  static constexpr int k_friction = D::k_linear, k_twist = 2 * D::k_linear, k_torque = k_twist + 1,
                       k_remembered = k_torque + D::k_angular, k_rounding = k_remembered,
                       k_material = k_rounding + 2, k_patch = k_material + 5;
  static_assert(offsetof(PairPatch<D>, normal) == 0 &&
                offsetof(PairPatch<D>, friction) == k_friction * sizeof(double) &&
                offsetof(PairPatch<D>, twist) == k_twist * sizeof(double) &&
                offsetof(PairPatch<D>, torque) == k_torque * sizeof(double) &&
                offsetof(PairPatch<D>, rounding_a) == k_rounding * sizeof(double) &&
                offsetof(PairPatch<D>, rounding_b) == (k_rounding + 1) * sizeof(double) &&
                offsetof(PairPatch<D>, material) == k_material * sizeof(double));
  // (in their materials,
  static constexpr int k_static_friction = k_material, k_kinetic_friction = k_material + 1,
                       k_restitution = k_material + 2, k_rolling = k_material + 3,
                       k_spinning = k_material + 4;
  static_assert(offsetof(Material, static_friction) == 0 &&
                offsetof(Material, kinetic_friction) == sizeof(double) &&
                offsetof(Material, restitution) == 2 * sizeof(double) &&
                offsetof(Material, rolling_resistance) == 3 * sizeof(double) &&
                offsetof(Material, spinning_resistance) == 4 * sizeof(double));
  // ) and in points of them.
  static constexpr int k_anchor_b = D::k_linear, k_separation = 2 * D::k_linear, k_load = k_separation + 1,
                       k_impulse = k_load + 1;
  static_assert(offsetof(PairPoint<D>, anchor_a) == 0 &&
                offsetof(PairPoint<D>, anchor_b) == k_anchor_b * sizeof(double) &&
                offsetof(PairPoint<D>, separation) == k_separation * sizeof(double) &&
                offsetof(PairPoint<D>, load) == k_load * sizeof(double) &&
                offsetof(PairPoint<D>, impulse) == k_impulse * sizeof(double));
  static constexpr int k_points = offsetof(PairPatch<D>, points) / sizeof(double),
                       k_point = sizeof(PairPoint<D>) / sizeof(double);
  static_assert(offsetof(PairPatch<D>, points) % sizeof(double) == 0 &&
                sizeof(PairPoint<D>) % sizeof(double) == 0);

  CAIRN_INLINE static auto state(const BodyState<D>* states, const Lanes& rows) {
    return gather_records<k_state>(&states->position.x, rows);
  }

  CAIRN_INLINE static void fill_part(Group& group, int at, const PatchView<D>* views,
                                     const BodyState<D>* states, const T& h) {
    Lanes rows_a, rows_b;
    const double* patches[T::k_count];
    double counts[T::k_count], stuck[T::k_count];
    for (int i = 0; i < T::k_count; ++i) {
      rows_a.at[i] = views[i].a, rows_b.at[i] = views[i].b;
      patches[i] = &views[i].patch->normal.x;
      counts[i] = views[i].patch->count;
      stuck[i] = views[i].patch->stuck;
    }
    const T count = T::load(counts);
    const auto a = state(states, rows_a), b = state(states, rows_b);
    const PatchBodies<D, T> bodies{Take::vector(b, 0) - Take::vector(a, 0),
                                   Take::rotation(a, k_rotation),
                                   Take::rotation(b, k_rotation),
                                   Take::vector(a, k_velocity),
                                   Take::vector(b, k_velocity),
                                   Take::turning(a, k_turning),
                                   Take::turning(b, k_turning)};
    const auto patch =
        gather_from<double, T::k_count, k_patch>([&](int i) CAIRN_INLINE_LAMBDA { return patches[i]; });
    const Vec normal = bodies.rotation_a * Take::vector(patch, 0);
    const auto t = tangents_of(normal);
    put(group.normal, at, normal);
    put(group.tangent, at, t.t);
    put(group.tangent_impulse, at, t.along(h * (bodies.rotation_a * Take::vector(patch, k_friction))));
    put(group.twist_impulse, at, h * patch[k_twist]);
    put(group.turning_impulse, at, h * Take::turned(bodies.rotation_a, Take::turning(patch, k_torque)));

    const T restitution = patch[k_restitution], rolling = patch[k_rolling], spinning = patch[k_spinning];
    put(group.friction, at,
        select(T::load(stuck) > T(0), patch[k_static_friction], patch[k_kinetic_friction]));
    put(group.restitution, at, restitution);
    put(group.rolling, at, rolling);
    put(group.spinning, at, spinning);
    put(group.rounding_a, at, patch[k_rounding]);
    put(group.rounding_b, at, patch[k_rounding + 1]);
    group.bounces = group.bounces || any(restitution > T(0));
    group.resists = group.resists || any(rolling > T(0)) || any(spinning > T(0));
    Vec velocity{};
    if (group.conveys)
      velocity = Take::vector(gather_from<double, T::k_count, D::k_linear>(
                                  [&](int i) CAIRN_INLINE_LAMBDA { return &views[i].surface_velocity.x; }),
                              0);
    put(group.conveyor, at, t.along(velocity));

    // The centre of friction: where the load acts; before there is any, the middle of the points.
    T arms[k_most_points * D::k_linear];  // not Vec: nobody need clear them, which took 7 % of this
    T load(0);
    Vec loaded{}, middle{};
    const T share = T(1) / count;
    for (int k = 0; k < group.count; ++k) {
      const auto there = T(k) < count;
      const auto point = gather_from<double, T::k_count, k_load + 1>(
          [&](int i) CAIRN_INLINE_LAMBDA { return patches[i] + (k_points + k * k_point); });
      const PlacedPoint<D, T> place =
          placed(bodies, normal, Take::vector(point, 0), Take::vector(point, k_anchor_b));
      const auto if_there = [&](const T& x) CAIRN_INLINE_LAMBDA { return select(there, x, T(0)); };
      const Vec arm = choose(there, place.arm_a, Vec{});
      const T its_load = if_there(point[k_load]);
      Take::put(arms + k * D::k_linear, arm);
      loaded += its_load * arm;
      middle += share * arm;
      load += its_load;
      put(group.points[k].separation, at, if_there(point[k_separation]));
      put(group.rest[k].first_separation, at, if_there(point[k_separation]));
      put(group.rest[k].approach, at, if_there(place.approach));
      put(group.points[k].normal_impulse, at, h * its_load);
      put(group.points[k].normal_mass, at,
          if_there(T(1)));  // there is such a point: `prepare` puts its mass here
    }
    const auto is_loaded = load > T(0);
    const Vec center = choose(is_loaded, (T(1) / select(is_loaded, load, T(1))) * loaded, middle);
    put(group.center_a, at, center);
    put(group.center_b, at, center - bodies.a_to_b);
    for (int k = 0; k < group.count; ++k) {
      const auto there = T(k) < count;
      const Vec place = choose(there, Take::vector(arms, k * D::k_linear) - center, Vec{});
      put(group.points[k].tilt, at, tilt_at(t.along(place)));
      put(group.points[k].height, at, dot(normal, place));
      put(group.points[k].lever, at, length(place));
    }
  }

  static void fill(Group& group, const PatchView<D>* views, const PatchView<D>* soon,
                   const BodyState<D>* states, double h) {
    for (int at = 0; at < group.lanes; at += T::k_count) {
      for (int i = at; soon && i < at + T::k_count; ++i) prefetch(*soon[i].patch);
      fill_part(group, at, views + at, states, T(h));
    }
  }

  // What goes on with the bodies is kept in a's axes as they were; what is told, as they will be.
  CAIRN_INLINE static void hand_back_part(const Group& group, int at, PairPatch<D>* const* patches,
                                          const Lanes& rows, const BodyState<D>* before,
                                          const BodyState<D>* after, double h) {
    const T per_h(1 / h);
    const Vec n = get(group.normal, at), t = get(group.tangent, at);
    const auto rotation = Take::rotation(state(before, rows), k_rotation), to_a = inverse(rotation);
    const auto told = inverse(Take::rotation(state(after, rows), k_rotation));

    double* patch[T::k_count];
    double counts[T::k_count];
    for (int i = 0; i < T::k_count; ++i) {
      patch[i] = &patches[i]->normal.x;
      counts[i] = patches[i]->count;
      patches[i]->stuck = group.sticks[at + i] > 0;
    }
    const T count = T::load(counts);
    Records<double, T::k_count, k_remembered - k_friction> kept;
    Take::put(kept.field, to_a * (per_h * Take::friction(get(group.tangent_impulse, at), n, t)));
    kept.field[k_twist - k_friction] = get(group.twist_impulse, at) / T(h);
    Take::put(kept.field + (k_torque - k_friction),
              Take::turned(to_a, per_h * get(group.turning_impulse, at)));
    scatter_to([&](int i) CAIRN_INLINE_LAMBDA { return patch[i] + k_friction; }, kept);

    const Vec normal =
        told * (rotation * Take::vector(gather_from<double, T::k_count, D::k_linear>(
                                            [&](int i) CAIRN_INLINE_LAMBDA { return patch[i]; }),
                                        0));
    const Vec friction = told * Take::friction(get(group.total_tangent_impulse, at), n, t);
    T sum(0);
    for (int k = 0; k < group.count; ++k)
      sum += get(group.rest[k].total_normal_impulse, at);  // 0 where there is none
    const auto pushed = sum > T(0);
    const T even = T(1) / count, divisor = select(pushed, sum, T(1));
    for (int k = 0; k < group.count; ++k) {
      const auto there = T(k) < count;
      const T impulse = get(group.rest[k].total_normal_impulse, at);
      const T share = select(pushed, impulse / divisor, even);
      Records<double, T::k_count, 1 + D::k_linear> point;
      point.field[0] = get(group.points[k].normal_impulse, at) / T(h);
      Take::put(point.field + 1, choose(there, impulse * normal + share * friction, Vec{}));
      scatter_to([&](int i) CAIRN_INLINE_LAMBDA { return patch[i] + (k_points + k * k_point + k_load); },
                 point);
    }
  }

  static void hand_back(const Group& group, PairPatch<D>* const* patches, PairPatch<D>* const* soon,
                        const std::uint32_t* rows_a, const BodyState<D>* before, const BodyState<D>* after,
                        double h) {
    for (int at = 0; at < group.lanes; at += T::k_count) {
      for (int i = at; soon && i < at + T::k_count; ++i) prefetch(*soon[i]);
      hand_back_part(group, at, patches + at, Lanes::load(rows_a + at), before, after, h);
    }
  }
};

template <class D, class Real>
constexpr PatchKernels<D, Real> k_kernels{.fill = Patch<D, Real>::fill,
                                          .hand_back = Patch<D, Real>::hand_back};

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
