// Sleep depends on nothing that it should not, and keeps its promises whatever happens.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "world/sleep_scenes.h"

namespace cairn {
namespace {

constexpr double k_margin = 0.02;  // [m] before they touch, contacts are found

template <class D>
class SleepOf : public testing::Test {};
using Dimensions = testing::Types<Dim2, Dim3>;
TYPED_TEST_SUITE(SleepOf, Dimensions);

// A pile falls asleep in parts and is woken by balls, with springs and joints in it.
template <class D>
std::vector<std::uint64_t> hashes(int threads, int strangers, SleepMode mode) {
  WorldDef<D> def = sleeping_world<D>(mode);
  def.accounting = Accounting::cheap;
  def.threads = threads;
  World<D> world(def);
  world.create({.motion = Motion::fixed, .position = up(D{}, -0.5), .shapes = {slab(D{})}});
  std::vector<BodyId> boxes;
  for (int i = 0; i < 24; ++i) {
    typename D::Vec place = up(D{}, 0.6 + 1.2 * (i / 6));
    place.x = 2.2 * (i % 6) - 5 + 0.05 * (i / 6 % 2);
    boxes.push_back(world.create({.position = place, .shapes = {cube(D{})}, .mass = 1}));
  }
  for (std::size_t i = 0; i + 1 < boxes.size(); i += 9)
    world.create(HingeDef<D>{.a = boxes[i], .b = boxes[i + 1], .frame = {.origin = world.center(boxes[i])}});
  for (int i = 0; i < strangers; ++i) {  // far away, they fall asleep when they like
    typename D::Vec place = up(D{}, 0.5 + 0.01 * (i % 5));
    place.x = 1000 + 3 * i;
    typename D::Vec below = up(D{}, -0.5);
    below.x = place.x;
    world.create({.motion = Motion::fixed, .position = below, .shapes = {cube(D{})}});
    world.create({.position = place, .shapes = {cube(D{})}, .mass = 1});
  }
  std::vector<std::uint64_t> list;
  std::size_t most = 0, least = ~std::size_t{0};
  for (int i = 0; i < 350; ++i) {
    if (i % 150 == 149) {
      typename D::Vec place = up(D{}, 14);
      place.x = i % 4 - 1.5;
      const BodyId hammer = world.create({.position = place, .shapes = {ball(D{})}, .mass = 3});
      boxes.push_back(hammer);
    }
    if (i % 200 == 180) {
      world.destroy(boxes.front());
      boxes.erase(boxes.begin());
    }
    world.step(k_h);
    std::size_t asleep = 0;
    std::uint64_t print = 0;
    for (const BodyId box : boxes) {
      asleep += world.is_asleep(box);
      const auto p = world.center(box), v = world.velocity(box).linear;
      for (const double x : {p.x, p.y, height(p), v.x, v.y, height(v)})
        print = print * 1099511628211u + std::bit_cast<std::uint64_t>(x);
    }
    list.push_back(print + asleep);
    most = std::max(most, asleep);
    if (i > 150) least = std::min(least, asleep);
  }
  EXPECT_GT(most, 8u);
  EXPECT_LT(least, most);
  return list;
}

TYPED_TEST(SleepOf, bodies_does_not_depend_on_threads_or_strangers) {
  const std::vector<std::uint64_t> one = hashes<TypeParam>(1, 0, SleepMode::on);
  EXPECT_EQ(one, hashes<TypeParam>(2, 0, SleepMode::on));
  EXPECT_EQ(one, hashes<TypeParam>(3, 100, SleepMode::on));
  EXPECT_EQ(hashes<TypeParam>(1, 0, SleepMode::freeze), hashes<TypeParam>(3, 100, SleepMode::freeze));
}

// A world in which anything may happen at any time.
template <class D>
class Turmoil {
 public:
  explicit Turmoil(BroadPhase broad_phase, unsigned seed) : world_(definition(broad_phase)), random_(seed) {
    world_.create({.motion = Motion::fixed, .position = up(D{}, -0.5), .shapes = {slab(D{})}});
    for (int i = 0; i < 25; ++i) create();
  }
  // Says how many sleep.
  std::size_t step() {
    if (random_() % 12 == 0) act();
    std::vector<std::pair<BodyId, Pose<D>>> sleepers;
    for (const BodyId body : bodies_)
      if (world_.is_asleep(body)) sleepers.push_back({body, world_.pose(body)});
    const StepReport<D>& report = world_.step(k_h);
    EXPECT_TRUE(report.status == StepStatus::good || report.status == StepStatus::not_converged)
        << report.message;
    for (const auto& [body, pose] : sleepers) {
      const bool woke = std::count(report.sleep.woke.begin(), report.sleep.woke.end(), body) == 1;
      EXPECT_NE(woke, world_.is_asleep(body) && !fell_asleep(body));
      EXPECT_TRUE(woke || world_.pose(body) == pose);
    }
    std::size_t asleep = 0;
    for (const BodyId body : bodies_) {
      if (!world_.is_asleep(body)) continue;
      ++asleep;
      EXPECT_TRUE(world_.velocity(body) == Twist<D>{});
    }
    EXPECT_EQ(asleep, report.sleep.asleep);
    for (const Contact<D>& contact : world_.contacts()) expect_one_island(contact);
    const Energy& e = report.energy;
    const double scale = std::abs(e.gravity) + e.kinetic + e.spring + 1;
    EXPECT_NEAR(e.total(), world_.energy().total(), 1e-11 * scale);
    EXPECT_NEAR(e.unexplained, 0, 1e-8 * scale);
    return asleep;
  }
  std::uint64_t hash() const { return world_.state_hash(); }

 private:
  static WorldDef<D> definition(BroadPhase broad_phase) {
    WorldDef<D> def = sleeping_world<D>();
    def.broad_phase = broad_phase;
    def.method.solver = SoftStep{.precision = Precision::double_lanes};
    def.sleep.time = 0.2;
    def.sleep.linear_speed = def.sleep.angular_speed = 0.1;
    return def;
  }
  bool fell_asleep(BodyId body) const {
    const std::vector<BodyId>& fell = world_.report().sleep.fell_asleep;
    return std::count(fell.begin(), fell.end(), body) == 1;
  }
  // An awake body is in contact with no body that sleeps, as the step knew it. What a fast articulation foresaw is further away.
  void expect_one_island(const Contact<D>& contact) {
    if (world_.motion(contact.a.body) != Motion::dynamic || world_.motion(contact.b.body) != Motion::dynamic)
      return;
    bool near = false;
    for (const auto& patch : contact.patches)
      for (const auto& point : patch.points) near = near || point.separation <= k_margin;
    if (!near) return;
    EXPECT_EQ(world_.is_asleep(contact.a.body), world_.is_asleep(contact.b.body));
  }
  double number(double lo, double hi) { return lo + (hi - lo) * double(random_() % 1024) / 1024; }
  BodyId any() { return bodies_[random_() % bodies_.size()]; }
  typename D::Vec place() {
    typename D::Vec p = up(D{}, number(0.6, 6));
    p.x = number(-4, 4);
    return p;
  }
  void create() {
    const unsigned kind = random_() % 8;
    bodies_.push_back(world_.create({.motion = kind == 0 ? Motion::kinematic : Motion::dynamic,
                                     .position = place(),
                                     .shapes = {kind % 2 ? cube(D{}) : ball(D{})},
                                     .mass = 2,
                                     .sleep = {.asleep = kind == 1}}));
  }
  void act() {
    const BodyId a = any(), b = any();
    switch (random_() % 14) {
      case 0:
        return create();
      case 1:
        if (bodies_.size() < 20) return;
        world_.destroy(a);
        std::erase(bodies_, a);
        return;
      case 2:
        return world_.set_pose(a, {place(), {}});
      case 3:
        return world_.set_velocity(a, {up(D{}, number(-1, 1)), {}});
      case 4:
        return world_.apply_impulse(a, up(D{}, 2));
      case 5:
        if (a != b && world_.motion(a) == Motion::dynamic && world_.joints().size() < 6)
          world_.create(
              DistanceDef<D>{.a = a, .b = b, .anchor_a = world_.center(a), .anchor_b = world_.center(b)});
        return;
      case 6:
        if (!world_.joints().empty()) world_.destroy(world_.joints().front());
        return;
      case 7:
        if (a != b)
          world_.create(SpringDef<D>{.a = a, .b = b, .stiffness = 20, .damping = 2, .rest_length = 1});
        return;
      case 8:
        return void(world_.put_to_sleep(a));
      case 9:
        return world_.wake(a);
      case 10:
        return world_.set_motion(a, random_() % 2 ? Motion::kinematic : Motion::dynamic);
      case 11:
        return world_.set_velocity(a, {});
      case 12:
        if (a != b) world_.set_exempt(a, b, random_() % 2);
        return;
      case 13:
        return world_.set_shapes(a, {random_() % 2 ? cube(D{}) : ball(D{})});
    }
  }

  World<D> world_;
  std::vector<BodyId> bodies_;
  std::mt19937 random_;
};

TYPED_TEST(SleepOf, bodies_holds_what_it_promises_whatever_happens) {
  for (unsigned seed = 1; seed <= 2 && !this->HasFailure(); ++seed) {
    Turmoil<TypeParam> tree(BroadPhase::tree, seed), brute(BroadPhase::brute_force, seed);
    std::size_t steps_with_sleepers = 0, changes = 0, before = 0;
    for (int i = 0; i < 1500 && !this->HasFailure(); ++i) {
      const std::size_t asleep = tree.step();
      EXPECT_EQ(asleep, brute.step()) << "seed " << seed << ", step " << i;
      EXPECT_EQ(tree.hash(), brute.hash()) << "seed " << seed << ", step " << i;
      steps_with_sleepers += asleep > 0;
      changes += asleep != before;
      before = asleep;
    }
    EXPECT_GT(steps_with_sleepers, 100u);
    EXPECT_GT(changes, 10u);
  }
}

}  // namespace
}  // namespace cairn
