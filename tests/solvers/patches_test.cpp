// Patches in the lanes are what they are as blocks, in every instruction set.
#include <gtest/gtest.h>

#include "constraints/all_joints.h"
#include "instruction_sets.h"
#include "solvers/soft_step/kernels.h"

namespace cairn {
namespace {

constexpr double k_h = 1. / 480;

// Some patches, each of two bodies of its own.
template <class D>
struct SomeBodies {
  std::array<BodyState<D>, 2 * k_width> bodies{};
};
template <class D>
struct SomePatches final : SomeBodies<D>, PatchSource<D> {
  std::array<PairPatch<D>, k_width> patches{};
  std::array<PatchView<D>, k_width> views{};

  SomePatches() : PatchSource<D>(this->bodies.data()) {}
  typename D::Vec surface_velocity(const PatchRef& ref) const override {
    return views[ref.contact].surface_velocity;
  }
  PatchRef ref(std::uint32_t lane) {
    return {&patches[lane], lane, 2 * lane, 2 * lane + 1, std::uint8_t(patches[lane].count), true};
  }
};

template <class D>
BodyState<D> some_state(Dice& dice) {
  using Vec = typename D::Vec;
  using Ang = typename D::Ang;
  return {dice.vector<Vec>(1), rotation_of(dice.vector<Ang>(2)), dice.vector<Vec>(3), dice.vector<Ang>(3)};
}

template <class D>
void set_patch(SomePatches<D>& all, Dice& dice, std::uint32_t lane, int points, bool loaded) {
  using Vec = typename D::Vec;
  const std::uint32_t a = 2 * lane, b = 2 * lane + 1;
  all.bodies[a] = some_state<D>(dice), all.bodies[b] = some_state<D>(dice);
  PairPatch<D>& patch = all.patches[lane];
  patch.normal = normalized(dice.vector<Vec>(1));
  patch.friction = dice.vector<Vec>(5);
  patch.torque = dice.vector<typename D::Ang>(5);
  patch.twist = dice.from(-2, 2);
  patch.stuck = lane % 2 == 0;
  patch.rounding_a = dice.from(0, 1), patch.rounding_b = dice.from(0, 1);
  patch.material = {dice.from(0, 1), dice.from(0, 1), dice.from(0, 1), dice.from(0, 1), dice.from(0, 1)};
  patch.count = points;
  for (PairPoint<D>& point : patch.points) {  // behind the last, too: nobody may look at these
    point = {dice.vector<Vec>(1), dice.vector<Vec>(1), dice.from(-0.1, 0.1), loaded ? dice.from(0, 9) : 0};
    if (&point - patch.points.data() < points) continue;
    point.separation = point.load = point.anchor_a.x = std::numeric_limits<double>::quiet_NaN();
  }
  all.views[lane] = {&patch, a, b, dice.vector<Vec>(1)};
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
  for (const int lanes : {1, 5, 11, k_width}) {
    SomePatches<D> source;
    Group group{};
    group.lanes = lanes;
    group.conveys = true;
    for (int lane = 0; lane < k_width; ++lane) {
      const int points = 1 + lane % Group::k_most_points;
      set_patch(source, dice, std::uint32_t(lane), points, lane % 3 > 0);
      if (lane < lanes) group.count = std::max(group.count, points);
    }
    const Group before = group;
    kernels.fill(group, source.views.data(), nullptr, source.bodies.data(), k_h);
    EXPECT_TRUE(group.bounces && group.resists);
    for (int lane = 0; lane < lanes; ++lane) {
      SCOPED_TRACE(lane);
      const ContactBlock<D> block = source.block_of(source.ref(std::uint32_t(lane)));
      const auto expect_near = [&](const auto& x, const auto& y) {
        EXPECT_LE(length(x - y), tolerance * (1 + length(y)));
      };
      const auto n = lane_of(group.normal, lane), t = lane_of(group.tangent, lane);
      expect_near(n, block.normal);
      expect_near(t, perpendicular(block.normal));  // by which direct solves read the impulses
      expect_near(along(lane_of(group.tangent_impulse, lane), n, t), k_h * in_surface(block.friction, n));
      expect_near(along(lane_of(group.conveyor, lane), n, t), in_surface(block.surface.velocity, n));
      expect_near(lane_of(group.turning_impulse, lane), k_h * block.torque);
      EXPECT_NEAR(group.twist_impulse[lane], k_h * block.twist, tolerance);
      const auto center = center_of_friction(block);
      expect_near(lane_of(group.center_a, lane), center);
      expect_near(lane_of(group.center_b, lane),
                  center - (source.bodies[block.b].position - source.bodies[block.a].position));
      const double plain[][2] = {{group.restitution[lane], block.surface.restitution},
                                 {group.friction[lane], block.surface.friction_coefficient},
                                 {group.rolling[lane], block.surface.rolling},
                                 {group.spinning[lane], block.surface.spinning},
                                 {group.rounding_a[lane], block.surface.rounding_a},
                                 {group.rounding_b[lane], block.surface.rounding_b}};
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
    patch_kernels<D, Real>(InstructionSet::scalar)
        .fill(plain, source.views.data(), source.views.data(), source.bodies.data(), k_h);
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

// A group whose lanes hold what a solver may have found.
template <class D, class Real>
void set_impulses(ContactGroup<D, Real>& group, const SomePatches<D>& source, Dice& dice) {
  const auto set = [](auto& lanes, int lane, const auto& x) { lanes[lane] = Real(x); };
  for (int lane = 0; lane < group.lanes; ++lane) {
    for (auto& lanes : group.tangent_impulse) set(lanes, lane, dice.from(-1, 1));
    for (auto& lanes : group.total_tangent_impulse) set(lanes, lane, dice.from(-8, 8));
    for (auto& lanes : group.turning_impulse) set(lanes, lane, dice.from(-1, 1));
    set(group.twist_impulse, lane, dice.from(-1, 1));
    set(group.sticks, lane, lane % 2);
    for (int k = 0; k < source.patches[std::size_t(lane)].count; ++k) {
      set(group.points[k].normal_impulse, lane, lane % 3 ? dice.from(0, 1) : 0);
      set(group.rest[k].total_normal_impulse, lane, lane % 3 ? dice.from(0, 8) : 0);
    }
  }
}

template <class D, class Real>
void check_hand_back(InstructionSet set) {
  using Vec = typename D::Vec;
  using Group = ContactGroup<D, Real>;
  Dice dice(11);
  for (const int lanes : {1, 5, 11, k_width}) {
    SomePatches<D> source;
    std::array<BodyState<D>, 2 * k_width> after;
    std::array<std::uint32_t, k_width> rows_a{};
    Group group{};
    group.lanes = lanes;
    for (int lane = 0; lane < k_width; ++lane) {
      const int points = 1 + lane % Group::k_most_points;
      set_patch(source, dice, std::uint32_t(lane), points, true);
      after[std::size_t(2 * lane)] = some_state<D>(dice);
      rows_a[std::size_t(lane)] = std::uint32_t(2 * lane);
      if (lane < lanes) group.count = std::max(group.count, points);
    }
    patch_kernels<D, Real>(set).fill(group, source.views.data(), nullptr, source.bodies.data(), k_h);
    set_impulses(group, source, dice);
    std::array<PairPatch<D>, k_width> found = source.patches;
    std::array<PairPatch<D>*, k_width> to;
    for (std::size_t lane = 0; lane < k_width; ++lane) to[lane] = &found[lane];
    patch_kernels<D, Real>(set).hand_back(group, to.data(), to.data(), rows_a.data(), source.bodies.data(),
                                          after.data(), k_h);
    for (int lane = 0; lane < lanes; ++lane) {
      SCOPED_TRACE(lane);
      const PairPatch<D>&was = source.patches[std::size_t(lane)], &is = found[std::size_t(lane)];
      const auto& rotation = source.bodies[std::size_t(2 * lane)].rotation;
      const auto told = inverse(after[std::size_t(2 * lane)].rotation);
      const auto n = lane_of(group.normal, lane), t = lane_of(group.tangent, lane);
      const auto friction = along(lane_of(group.tangent_impulse, lane), n, t);
      // By the same operations in another place: the same bits.
      EXPECT_EQ(is.friction, inverse(rotation) * ((1 / k_h) * friction));
      EXPECT_EQ(is.torque, inverse(rotation) * ((1 / k_h) * lane_of(group.turning_impulse, lane)));
      EXPECT_EQ(is.twist, group.twist_impulse[lane] / k_h);
      EXPECT_EQ(is.stuck, lane % 2 == 1);
      EXPECT_EQ(is.normal, was.normal);
      EXPECT_EQ(is.count, was.count);
      double sum = 0;
      for (int k = 0; k < was.count; ++k) sum += group.rest[k].total_normal_impulse[lane];
      for (int k = 0; k < was.count; ++k) {
        const double impulse = group.rest[k].total_normal_impulse[lane];
        const double share = sum > 0 ? impulse / sum : 1. / was.count;
        const Vec slid = told * along(lane_of(group.total_tangent_impulse, lane), n, t);
        EXPECT_EQ(is.points[k].load, group.points[k].normal_impulse[lane] / k_h);
        EXPECT_EQ(is.points[k].impulse, impulse * (told * (rotation * was.normal)) + share * slid);
        EXPECT_EQ(is.points[k].anchor_a, was.points[k].anchor_a);
        EXPECT_EQ(is.points[k].anchor_b, was.points[k].anchor_b);
        EXPECT_EQ(is.points[k].separation, was.points[k].separation);
        EXPECT_EQ(is.points[k].features, was.points[k].features);
      }
    }
    for (std::size_t lane = std::size_t(lanes) + k_most_patches_at_once; lane < k_width; ++lane)
      EXPECT_EQ(found[lane].twist, source.patches[lane].twist);
  }
}

class Patches : public EverySet {};
TEST_P(Patches, in_lanes_are_what_they_are_as_blocks) {
  check_patches<Dim2, double>(GetParam(), 1e-13);
  check_patches<Dim3, double>(GetParam(), 1e-13);
  check_patches<Dim2, float>(GetParam(), 2e-6);
  check_patches<Dim3, float>(GetParam(), 2e-6);
}
TEST_P(Patches, get_back_what_was_found_for_them) {
  check_hand_back<Dim2, double>(GetParam());
  check_hand_back<Dim3, double>(GetParam());
  check_hand_back<Dim2, float>(GetParam());
  check_hand_back<Dim3, float>(GetParam());
}
CAIRN_TEST_EVERY_SET(Patches);

}  // namespace
}  // namespace cairn
