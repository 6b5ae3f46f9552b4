// Patches in the lanes are what they are as blocks, in every instruction set.
#include <gtest/gtest.h>

#include "constraints/all_joints.h"
#include "instruction_sets.h"
#include "solvers/soft_step/kernels.h"

namespace cairn {
namespace {

constexpr double k_h = 1. / 480;

// Some parts, whichever patch is asked for.
template <class D>
struct SomeParts final : PatchSource<D> {
  std::vector<PatchParts<D>> all;
  void take_parts(std::span<const PatchRef> patches, std::span<const std::uint32_t> which,
                  PatchParts<D>* parts) const override {
    for (const std::uint32_t i : which) *parts++ = all[patches[i].contact];
  }
  void prefetch(std::span<const PatchRef>, std::span<const std::uint32_t>) const override {}
};

template <class D>
PatchParts<D> some_parts(Dice& dice, int points, bool loaded) {
  using Vec = typename D::Vec;
  using Ang = typename D::Ang;
  PatchParts<D> parts{};
  parts.bodies = {dice.vector<Vec>(1),
                  rotation_of(dice.vector<Ang>(2)),
                  rotation_of(dice.vector<Ang>(2)),
                  dice.vector<Vec>(3),
                  dice.vector<Vec>(3),
                  dice.vector<Ang>(3),
                  dice.vector<Ang>(3)};
  parts.normal = normalized(dice.vector<Vec>(1));
  parts.friction = dice.vector<Vec>(5);
  parts.torque = dice.vector<Ang>(5);
  parts.twist = dice.from(-2, 2);
  parts.count = points;
  for (auto& point : parts.points) {  // behind the last, too: nobody may look at these
    point = {dice.vector<Vec>(1), dice.vector<Vec>(1), dice.from(-0.1, 0.1), loaded ? dice.from(0, 9) : 0};
    if (&point - parts.points.data() < points) continue;
    point.separation = point.load = point.anchor_a.x = std::numeric_limits<double>::quiet_NaN();
  }
  parts.surface_velocity = dice.vector<Vec>(1);
  parts.restitution = dice.from(0, 1), parts.friction_coefficient = dice.from(0, 1);
  parts.rolling = dice.from(0, 1), parts.spinning = dice.from(0, 1);
  parts.rounding_a = dice.from(0, 1), parts.rounding_b = dice.from(0, 1);
  return parts;
}

template <class Real>
Vec2 lane_of(const Real (&from)[2][k_width], int lane) {
  return {from[0][lane], from[1][lane]};
}
template <class Real>
Vec3 lane_of(const Real (&from)[3][k_width], int lane) {
  return {from[0][lane], from[1][lane], from[2][lane]};
}
template <class Real>
double lane_of(const Real (&from)[1][k_width], int lane) {
  return from[0][lane];
}
Vec2 along(double v, const Vec2&, const Vec2& t) { return v * t; }
Vec3 along(const Vec2& v, const Vec3& n, const Vec3& t) { return v.x * t + v.y * cross(n, t); }
Vec2 in_surface(const Vec2& v, const Vec2& n) { return v - dot(v, n) * n; }
Vec3 in_surface(const Vec3& v, const Vec3& n) { return v - dot(v, n) * n; }
// The place in the surface whose r×n it is.
double place_in(double tilt) { return -tilt; }
Vec2 place_in(const Vec2& tilt) { return {-tilt.y, tilt.x}; }

template <class D, class Real>
void check_patches(InstructionSet set, double tolerance) {
  using Group = ContactGroup<D, Real>;
  const PatchKernels<D, Real>& kernels = patch_kernels<D, Real>(set);
  Dice dice(7);
  for (const int lanes : {1, 5, 16, k_width}) {
    SomeParts<D> source;
    Group group{};
    group.lanes = lanes;
    for (int lane = 0; lane < k_width; ++lane) {
      const int points = 1 + lane % Group::k_most_points;
      source.all.push_back(some_parts<D>(dice, points, lane % 3 > 0));
      if (lane < lanes) group.count = std::max(group.count, points);
    }
    const Group before = group;
    kernels.fill(group, source.all.data(), k_h);
    for (int lane = 0; lane < lanes; ++lane) {
      SCOPED_TRACE(lane);
      const PatchParts<D>& parts = source.all[std::size_t(lane)];
      const ContactBlock<D> block =
          source.block_of({.contact = std::uint32_t(lane), .points = std::uint16_t(parts.count)});
      const auto expect_near = [&](const auto& x, const auto& y) {
        EXPECT_LE(length(x - y), tolerance * (1 + length(y)));
      };
      const auto n = lane_of(group.normal, lane), t = lane_of(group.tangent, lane);
      expect_near(n, block.normal);
      expect_near(t, perpendicular(block.normal));  // by which direct solves read the impulses
      expect_near(along(lane_of(group.tangent_impulse, lane), n, t), k_h * in_surface(block.friction, n));
      expect_near(along(lane_of(group.conveyor, lane), n, t), in_surface(block.surface_velocity, n));
      expect_near(lane_of(group.turning_impulse, lane), k_h * block.torque);
      EXPECT_NEAR(group.twist_impulse[lane], k_h * block.twist, tolerance);
      const auto center = center_of_friction(block);
      expect_near(lane_of(group.center_a, lane), center);
      expect_near(lane_of(group.center_b, lane), center - parts.bodies.a_to_b);
      const double plain[][2] = {
          {group.restitution[lane], block.restitution}, {group.friction[lane], block.friction_coefficient},
          {group.rolling[lane], block.rolling},         {group.spinning[lane], block.spinning},
          {group.rounding_a[lane], block.rounding_a},   {group.rounding_b[lane], block.rounding_b}};
      for (const auto& [in_lane, in_block] : plain) EXPECT_NEAR(in_lane, in_block, tolerance);
      for (int k = 0; k < group.count; ++k) {
        const auto& point = group.points[k];
        if (k >= block.count) {
          EXPECT_EQ(point.normal_mass[lane], 0);
          EXPECT_EQ(point.normal_impulse[lane], 0);
          EXPECT_EQ(point.separation[lane], 0);
          EXPECT_EQ(point.lever[lane], 0);
          continue;
        }
        const auto place = along(place_in(lane_of(point.tilt, lane)), n, t) + double(point.height[lane]) * n;
        expect_near(place + center, block.points[k].arm_a);
        EXPECT_NEAR(point.lever[lane], length(place), tolerance);
        EXPECT_EQ(point.normal_mass[lane], 1);
        EXPECT_EQ(point.separation[lane], Real(block.points[k].separation));
        EXPECT_EQ(group.rest[k].first_separation[lane], Real(block.points[k].separation));
        EXPECT_NEAR(group.rest[k].approach[lane], block.points[k].approach, 10 * tolerance);
        EXPECT_NEAR(point.normal_impulse[lane], k_h * block.points[k].load, tolerance);
      }
    }
    // Lanes far behind the last are as they were; and every set finds the same bits.
    for (int lane = lanes + 8; lane < k_width; ++lane)
      EXPECT_EQ(group.points[0].normal_mass[lane], before.points[0].normal_mass[lane]);
    Group plain = before;
    patch_kernels<D, Real>(InstructionSet::scalar).fill(plain, source.all.data(), k_h);
    for (int lane = 0; lane < lanes; ++lane)
      for (int k = 0; k < group.count; ++k) {
        EXPECT_EQ(group.points[k].height[lane], plain.points[k].height[lane]);
        EXPECT_EQ(group.rest[k].approach[lane], plain.rest[k].approach[lane]);
        EXPECT_EQ(group.points[k].lever[lane], plain.points[k].lever[lane]);
        EXPECT_EQ(lane_of(group.points[k].tilt, lane), lane_of(plain.points[k].tilt, lane));
        EXPECT_EQ(lane_of(group.normal, lane), lane_of(plain.normal, lane));
        EXPECT_EQ(lane_of(group.tangent, lane), lane_of(plain.tangent, lane));
        EXPECT_EQ(lane_of(group.center_b, lane), lane_of(plain.center_b, lane));
        EXPECT_EQ(lane_of(group.tangent_impulse, lane), lane_of(plain.tangent_impulse, lane));
      }
  }
}

class Patches : public EverySet {};
TEST_P(Patches, in_lanes_are_what_they_are_as_blocks) {
  check_patches<Dim2, double>(GetParam(), 1e-13);
  check_patches<Dim3, double>(GetParam(), 1e-13);
  check_patches<Dim2, float>(GetParam(), 2e-6);
  check_patches<Dim3, float>(GetParam(), 2e-6);
}
CAIRN_TEST_EVERY_SET(Patches);

}  // namespace
}  // namespace cairn
