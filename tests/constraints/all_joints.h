// One joint of every kind, with everything on its axes, between two bodies that stand anyhow.
#pragma once

#include <random>

#include "constraints/joints.h"

namespace cairn {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double from(double lo, double hi) { return lo + (hi - lo) * double(engine_() >> 11) * 0x1p-53; }
  void fill(double& x, double size) { x = from(-size, size); }
  void fill(Vec2& v, double size) { v = {from(-size, size), from(-size, size)}; }
  void fill(Vec3& v, double size) { v = {from(-size, size), from(-size, size), from(-size, size)}; }
  template <class V>
  V vector(double size) {
    V v{};
    fill(v, size);
    return v;
  }

 private:
  std::mt19937_64 engine_;
};

inline AxisDef full_axis(double from = -0.4, double to = 0.7) {
  return {.limits = Limits{from, to},
          .limit_softness = {.frequency = 30, .damping_ratio = 0.7},
          .spring = Softness{.frequency = 2, .damping_ratio = 0.3},
          .friction = 0.2,
          .drive = ServoDrive{.target = SineTerm{.amplitude = 0.3, .period = 2}, .max_effort = 50}};
}
template <class Def>
Def with_axis(Def def, const AxisDef& axis) {
  def.limits = axis.limits, def.limit_softness = axis.limit_softness, def.spring = axis.spring;
  def.friction = axis.friction, def.drive = axis.drive;
  return def;
}

// Two dynamic bodies whose centres of mass are not their origins.
template <class D>
struct TwoBodies {
  BodyStore<D> bodies{1};
  BodyId a, b;
  explicit TwoBodies(Dice& dice) : a(one(dice)), b(one(dice)) {}

  BodyState<D>& state(BodyId body) { return bodies.states[bodies.row(body)]; }
  JointPose<D, double> pose(const JointRecord<D>& joint) {
    return pose_of(joint, state(joint.a), state(joint.b));
  }

 private:
  BodyId one(Dice& dice) {
    Notes notes;
    BodyDef<D> def{.mass = 2, .center = dice.vector<typename D::Vec>(0.3), .inertia = unit_inertia(D{})};
    def.position = dice.vector<typename D::Vec>(2);
    def.rotation = rotation_of(dice.vector<typename D::Ang>(1.5));
    return bodies.create(def, notes);
  }
  static double unit_inertia(Dim2) { return 1; }
  static Sym3 unit_inertia(Dim3) { return {1, 1, 1, 0, 0, 0}; }
};

template <class D>
void add_joints_of_both(std::vector<JointDef<D>>& all, BodyId a, BodyId b, Dice& dice) {
  using Vec = typename D::Vec;
  JointFrame<D> frame;
  frame.origin = dice.vector<Vec>(2);
  frame.axis = dice.vector<Vec>(1);
  const Vec p = dice.vector<Vec>(2), q = dice.vector<Vec>(2);
  all.push_back(DistanceDef<D>{.a = a, .b = b, .anchor_a = p, .anchor_b = q});
  all.push_back(with_axis(DistanceDef<D>{.a = a, .b = b, .anchor_a = p, .anchor_b = q}, full_axis(0.1, 9)));
  all.push_back(with_axis(HingeDef<D>{.a = a, .b = b, .frame = frame}, full_axis()));
  all.push_back(with_axis(SliderDef<D>{.a = a, .b = b, .frame = frame}, full_axis()));
  all.push_back(FixedDef<D>{.a = a, .b = b, .frame = frame});
  all.push_back(with_axis(PointOnLineDef<D>{.a = a, .b = b, .frame = frame}, full_axis()));
  for (const Hydraulic state : {Hydraulic::extend, Hydraulic::contract, Hydraulic::hold})
    all.push_back(HydraulicDef<D>{
        .a = a, .b = b, .anchor_a = p, .anchor_b = q, .state = state, .min_length = 1e-3, .max_length = 9});
}
inline std::vector<JointDef2> all_joints(Dim2, BodyId a, BodyId b, Dice& dice) {
  std::vector<JointDef2> all;
  add_joints_of_both<Dim2>(all, a, b, dice);
  all.push_back(GearDef2{.a = a, .b = b, .ratio = 1.7});
  all.push_back(RackDef2{.a = a,
                         .b = b,
                         .frame = {.origin = dice.vector<Vec2>(2), .axis = dice.vector<Vec2>(1)},
                         .radius = 0.3});
  return all;
}
inline std::vector<JointDef3> all_joints(Dim3, BodyId a, BodyId b, Dice& dice) {
  std::vector<JointDef3> all;
  add_joints_of_both<Dim3>(all, a, b, dice);
  const JointFrame3 frame{
      .origin = dice.vector<Vec3>(2), .axis = dice.vector<Vec3>(1), .second = dice.vector<Vec3>(1)};
  const AxisDef axis = full_axis();
  all.push_back(
      BallDef3{.a = a, .b = b, .frame = frame, .twist = axis, .swing_y = axis, .swing_z = axis, .cone = 0.6});
  all.push_back(CylindricalDef3{.a = a, .b = b, .frame = frame, .slide = axis, .turn = axis});
  all.push_back(UniversalDef3{.a = a, .b = b, .frame = frame, .turn_a = axis, .turn_b = axis});
  all.push_back(PlanarDef3{.a = a, .b = b, .frame = frame, .slide_y = axis, .slide_z = axis, .turn = axis});
  all.push_back(GearDef3{
      .a = a, .b = b, .ratio = -1.7, .axis_a = dice.vector<Vec3>(1), .axis_b = dice.vector<Vec3>(1)});
  all.push_back(RackDef3{.a = a, .b = b, .frame = frame, .radius = 0.3});
  return all;
}

template <class D>
std::string_view name_of_joint(const JointDef<D>& def) {
  return std::visit([](const auto& d) { return Fields<std::remove_cvref_t<decltype(d)>>::name; }, def);
}

}  // namespace cairn
