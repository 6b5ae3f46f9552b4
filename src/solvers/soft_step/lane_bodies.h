// How kernels load groups of k_width lanes and the records of bodies, and store them again.
#pragma once

#include "math/wide.h"
#include "solvers/soft_step/contact_rows.h"
#include "solvers/soft_step/lanes.h"

namespace cairn::CAIRN_SET {
namespace {

// A group is worked on in parts of one register for each number; `at` is the first contact of one. Two, so that the processor has
// something to do while one chain of operations waits, bring 4 to 6 % of a step where there are 32 registers (AVX-512); where there
// are 16, they do not fit: of the instructions of a sweep in space 43 % then went to the stack and back, against 31 %, and with AVX2
// pyramid3d took a third longer.
template <class Real>
inline constexpr int k_at_once = k_lanes<Real>;
static_assert(k_width % k_at_once<float> == 0 && k_width % k_at_once<double> == 0);
template <class Real>
using Lane = Wide<Real, k_at_once<Real>>;
template <class Real>
using Rows = Indices<k_at_once<Real>>;

template <class Real>
CAIRN_INLINE Lane<Real> load(const Real (&from)[k_width], int at) {
  return Lane<Real>::load_aligned(from + at);
}
template <class Real>
CAIRN_INLINE Vec2T<Lane<Real>> load(const Real (&from)[2][k_width], int at) {
  return {load(from[0], at), load(from[1], at)};
}
template <class Real>
CAIRN_INLINE Vec3T<Lane<Real>> load(const Real (&from)[3][k_width], int at) {
  return {load(from[0], at), load(from[1], at), load(from[2], at)};
}
// Of tangents and angular quantities, which in 2D are an array of one.
template <class Real>
CAIRN_INLINE Lane<Real> load(const Real (&from)[1][k_width], int at) {
  return load(from[0], at);
}
template <class Real>
CAIRN_INLINE void store(Real (&to)[k_width], int at, const Lane<Real>& value) {
  value.store_aligned(to + at);
}
template <class Real>
CAIRN_INLINE void store(Real (&to)[1][k_width], int at, const Lane<Real>& value) {
  store(to[0], at, value);
}
template <class Real>
CAIRN_INLINE void store(Real (&to)[2][k_width], int at, const Vec2T<Lane<Real>>& value) {
  store(to[0], at, value.x), store(to[1], at, value.y);
}
template <class Real>
CAIRN_INLINE void store(Real (&to)[3][k_width], int at, const Vec3T<Lane<Real>>& value) {
  store(to[0], at, value.x), store(to[1], at, value.y), store(to[2], at, value.z);
}
template <class Real>
CAIRN_INLINE void load_inert(LaneBody<Dim2, Lane<Real>>& body, const InertBody<Dim2, Real>* inert,
                             const Rows<Real>& rows) {
  const auto m = gather_records<4>(inert->inverse_mass, rows);
  body.inverse_mass = {m[0], m[1]};
  body.inverse_inertia = m[2];
}
template <class Real>
CAIRN_INLINE void load_inert(LaneBody<Dim3, Lane<Real>>& body, const InertBody<Dim3, Real>* inert,
                             const Rows<Real>& rows) {
  const auto m = gather_records<9, 12>(inert->inverse_mass, rows);
  body.inverse_mass = {m[0], m[1], m[2]};
  body.inverse_inertia = {m[3], m[4], m[5], m[6], m[7], m[8]};
}
template <class Real>
CAIRN_INLINE void load_velocity(LaneBody<Dim2, Lane<Real>>& body, const MovingBody<Dim2, Real>* moving,
                                const Rows<Real>& rows) {
  const auto v = gather_records<4, 8>(moving->velocity, rows);
  body.velocity = {v[0], v[1]};
  body.angular_velocity = v[2];
}
template <class Real>
CAIRN_INLINE void load_velocity(LaneBody<Dim3, Lane<Real>>& body, const MovingBody<Dim3, Real>* moving,
                                const Rows<Real>& rows) {
  const auto v = gather_records<6, 16>(moving->velocity, rows);
  body.velocity = {v[0], v[1], v[2]};
  body.angular_velocity = {v[3], v[4], v[5]};
}
template <class Real>
CAIRN_INLINE void store_velocity(const LaneBody<Dim2, Lane<Real>>& body, MovingBody<Dim2, Real>* moving,
                                 const Rows<Real>& rows) {
  scatter_records<4, 8>(moving->velocity, rows,
                        Records<Real, k_at_once<Real>, 4>{body.velocity.x, body.velocity.y,
                                                          body.angular_velocity, Lane<Real>(0)});
}
template <class Real>
CAIRN_INLINE void store_velocity(const LaneBody<Dim3, Lane<Real>>& body, MovingBody<Dim3, Real>* moving,
                                 const Rows<Real>& rows) {
  const auto &v = body.velocity, &w = body.angular_velocity;
  scatter_records<6, 16>(moving->velocity, rows,
                         Records<Real, k_at_once<Real>, 6>{v.x, v.y, v.z, w.x, w.y, w.z});
}

}  // namespace
}  // namespace cairn::CAIRN_SET
