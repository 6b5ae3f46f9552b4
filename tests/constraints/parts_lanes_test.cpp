// The parts of joints on lanes are those on doubles: the same bits in double lanes, float's precision in the others.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include "base/kernel.h"
#include "constraints/all_joints.h"
#include "constraints/parts_kernels.h"
#include "instruction_sets.h"

namespace cairn {

CAIRN_EACH_SET(void parts_2d(JointKind, const parts_test::Input<Dim2, double> (&)[4],
                             parts_test::Output<Dim2, double> (&)[4]);
               void parts_3d(JointKind, const parts_test::Input<Dim3, double> (&)[4],
                             parts_test::Output<Dim3, double> (&)[4]);
               void parts_2d(JointKind, const parts_test::Input<Dim2, float> (&)[8],
                             parts_test::Output<Dim2, float> (&)[8]);
               void parts_3d(JointKind, const parts_test::Input<Dim3, float> (&)[8],
                             parts_test::Output<Dim3, float> (&)[8]);
               static constexpr parts_test::Kernels k_parts_kernels{parts_2d, parts_3d, parts_2d, parts_3d};)

namespace parts_test {
namespace {

const Kernels& kernels(InstructionSet set) { return CAIRN_OF_SET(set, k_parts_kernels); }
OnDoubles<Dim2> on_doubles(Dim2, InstructionSet set) { return kernels(set).doubles_2d; }
OnDoubles<Dim3> on_doubles(Dim3, InstructionSet set) { return kernels(set).doubles_3d; }
OnFloats<Dim2> on_floats(Dim2, InstructionSet set) { return kernels(set).floats_2d; }
OnFloats<Dim3> on_floats(Dim3, InstructionSet set) { return kernels(set).floats_3d; }

// The scalars of a struct of scalars.
template <class T, class S>
auto scalars(const S& s) {
  return std::bit_cast<std::array<T, sizeof(S) / sizeof(T)>>(s);
}
template <class To, class T, class S>
To with_scalar(const S& s) {
  std::array<T, sizeof(To) / sizeof(T)> out;
  const auto in = scalars<double>(s);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = T(in[i]);
  return std::bit_cast<To>(out);
}

// A joint of each kind somewhere off its rest pose, some turns away.
template <class D>
std::vector<std::vector<std::pair<JointKind, Input<D, double>>>> inputs() {
  Dice dice(42);
  std::vector<std::vector<std::pair<JointKind, Input<D, double>>>> by_kind;
  for (int lane = 0; lane < 8; ++lane) {
    TwoBodies<D> two(dice);
    std::size_t kind = 0;
    for (const JointDef<D>& def : all_joints(D{}, two.a, two.b, dice)) {
      const JointRecord<D> joint = build_joint(def, two.bodies);
      if (joint.kind == JointKind::hydraulic) continue;  // is a distance
      BodyState<D> a = two.state(two.a), b = two.state(two.b);
      b.position += dice.vector<typename D::Vec>(0.5);
      b.rotation = rotation_of(dice.vector<typename D::Ang>(1)) * b.rotation;
      Input<D, double> in{pose_of(joint, a, b), joint.parameters};
      in.parameters.turns[0] = {2 * k_pi, lane % 2 ? 3. : -3.};  // some of them go round
      if (by_kind.size() <= kind) by_kind.emplace_back();
      by_kind[kind++].push_back({joint.kind, in});
    }
  }
  return by_kind;
}

template <class D>
void check_doubles(InstructionSet set) {
  for (const auto& lanes : inputs<D>()) {
    Input<D, double> in[4];
    Output<D, double> out[4];
    for (std::size_t i = 0; i < 4; ++i) in[i] = lanes[i].second;
    on_doubles(D{}, set)(lanes[0].first, in, out);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto expected = scalars<std::uint64_t>(outputs(lanes[0].first, in[i]));
      EXPECT_EQ(scalars<std::uint64_t>(out[i]), expected) << "kind " << int(lanes[0].first) << " lane " << i;
    }
  }
}
template <class D>
void check_floats(InstructionSet set) {
  for (const auto& lanes : inputs<D>()) {
    Input<D, float> in[8];
    Output<D, float> out[8];
    for (std::size_t i = 0; i < 8; ++i) in[i] = with_scalar<Input<D, float>, float>(lanes[i].second);
    on_floats(D{}, set)(lanes[0].first, in, out);
    for (std::size_t i = 0; i < 8; ++i) {
      const auto expected = scalars<double>(outputs(lanes[0].first, lanes[i].second));
      const auto found = scalars<float>(out[i]);
      for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_NEAR(found[k], expected[k], 1e-5 * (1 + absolute(expected[k])))
            << "kind " << int(lanes[0].first) << " lane " << i << " scalar " << k;
    }
  }
}

class JointParts : public EverySet {};
TEST_P(JointParts, on_double_lanes_have_the_same_bits) {
  check_doubles<Dim2>(GetParam());
  check_doubles<Dim3>(GetParam());
}
TEST_P(JointParts, on_float_lanes_agree_to_their_precision) {
  check_floats<Dim2>(GetParam());
  check_floats<Dim3>(GetParam());
}
CAIRN_TEST_EVERY_SET(JointParts);

// The angle of parts/arc.h against the C library's.
TEST(Arc, is_the_angle_to_four_ulp) {
  Dice dice(1);
  double worst = 0;
  const auto compare = [&](double angle, double size) {
    const double s = size * std::sin(angle), c = size * std::cos(angle), exact = std::atan2(s, c);
    worst = larger(worst, absolute(turn_of(Rot2{c, s}) - exact) / absolute(exact));
  };
  for (int i = 0; i < 100000; ++i) compare(dice.from(-k_pi, k_pi), dice.from(0.5, 2));
  for (double angle = 1e-300; angle < 3; angle *= 1.7) compare(angle, 1), compare(-angle, 1);
  EXPECT_LE(worst, 4 * 0x1p-52);
  EXPECT_NEAR(turn_of(Rot2{-1, 0}), k_pi, 4 * 0x1p-51);
  EXPECT_EQ(turn_of(Rot2{1, 0}), 0);
  EXPECT_EQ(arc(0., 0.), 0);
}

}  // namespace
}  // namespace parts_test
}  // namespace cairn
