// Joints come and go in any order, with their bodies or alone; whatever is refused changes nothing.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "constraints/all_joints.h"

namespace cairn {
namespace {

constexpr double k_h = 1.0 / 60;

BodyDef2 point_body(Dim2) { return {.mass = 2, .inertia = 1.0}; }
BodyDef3 point_body(Dim3) { return {.mass = 2, .inertia = Sym3{1, 1, 1}}; }
BodyDef2 ball(Dim2) { return {.shapes = {Circle{.radius = 0.5}}}; }
BodyDef3 ball(Dim3) { return {.shapes = {Sphere{.radius = 0.5}}}; }
template <class D>
typename D::Vec along_x(double x) {
  typename D::Vec v{};
  v.x = x;
  return v;
}

// ---------------------------------------------------------------------------------------------- by a model

// The same world in lists that are searched from end to end.
template <class D>
struct Model {
  struct Joint {
    JointId id;
    BodyId a, b;
    bool parts;
    std::string name;
    std::uint64_t data;
  };
  World<D> world{WorldDef<D>{.gravity = {}}};
  std::vector<BodyId> bodies;                      // and the background
  std::vector<Joint> joints;                       // in the order of their creation
  std::vector<JointId> gone;                       // for ever
  std::vector<std::pair<BodyId, BodyId>> exempts;  // by the user; either way round
  Dice dice;
  int created = 0;

  explicit Model(std::uint64_t seed) : bodies{world.background()}, dice(seed) {}

  std::size_t any(std::size_t count) { return std::min(count - 1, std::size_t(dice.from(0, double(count)))); }
  bool is_dynamic(BodyId body) const { return world.motion(body) == Motion::dynamic; }

  void create_body() {
    BodyDef<D> def = point_body(D{});
    def.motion = dice.from(0, 1) < 0.2 ? Motion::fixed : Motion::dynamic;
    def.position = dice.vector<typename D::Vec>(2);
    def.rotation = rotation_of(dice.vector<typename D::Ang>(1.5));
    bodies.push_back(world.create(def));
  }
  void destroy_body() {
    if (bodies.size() == 1) return;
    const std::size_t k = 1 + any(bodies.size() - 1);
    const BodyId body = bodies[k];
    world.destroy(body);
    bodies.erase(bodies.begin() + std::ptrdiff_t(k));
    for (const Joint& j : joints)
      if (j.a == body || j.b == body) gone.push_back(j.id);
    std::erase_if(joints, [&](const Joint& j) { return j.a == body || j.b == body; });
    std::erase_if(exempts, [&](const auto& e) { return e.first == body || e.second == body; });
  }
  void create_joint() {
    const BodyId a = bodies[any(bodies.size())], b = bodies[any(bodies.size())];
    if (a == b) return;
    const std::vector<JointDef<D>> kinds = all_joints(D{}, a, b, dice);
    JointDef<D> def = kinds[any(kinds.size())];
    Joint joint{{}, a, b, dice.from(0, 1) < 0.7, "joint " + std::to_string(created), std::uint64_t(created)};
    ++created;
    std::visit(
        [&](auto& d) {
          d.collide_connected = !joint.parts;
          d.name = joint.name;
          d.user_data = joint.data;
        },
        def);
    if (!is_dynamic(a) && !is_dynamic(b)) {
      EXPECT_THROW(world.create(def), Error);
      return;
    }
    joint.id = world.create(def);
    joints.push_back(joint);
  }
  void destroy_joint() {
    if (joints.empty()) return;
    const std::size_t k = any(joints.size());
    world.destroy(joints[k].id);
    gone.push_back(joints[k].id);
    joints.erase(joints.begin() + std::ptrdiff_t(k));
  }
  bool exempt_by_user(BodyId a, BodyId b) const {
    return std::any_of(exempts.begin(), exempts.end(), [&](const auto& e) {
      return e == std::pair{a, b} || e == std::pair{b, a};
    });
  }
  void set_exempt() {
    const BodyId a = bodies[any(bodies.size())], b = bodies[any(bodies.size())];
    const bool exempt = dice.from(0, 1) < 0.5;
    if (a == b) return;
    world.set_exempt(a, b, exempt);
    std::erase_if(exempts, [&](const auto& e) { return e == std::pair{a, b} || e == std::pair{b, a}; });
    if (exempt) exempts.emplace_back(a, b);
  }
  void act(bool grow) {
    const double what = dice.from(0, 1);
    if (what < (grow ? 0.15 : 0.05)) return create_body();
    if (what < 0.2) return destroy_body();
    if (what < (grow ? 0.7 : 0.4)) return create_joint();
    if (what < 0.9) return destroy_joint();
    set_exempt();
  }

  void compare() const {
    EXPECT_EQ(world.bodies().size() + 1, bodies.size());
    std::vector<JointId> ids;
    for (const Joint& j : joints) ids.push_back(j.id);
    std::sort(ids.begin(), ids.end(), [](JointId x, JointId y) { return x.index() < y.index(); });
    EXPECT_EQ(world.joints(), ids);
    EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
    for (const Joint& j : joints) {
      EXPECT_TRUE(world.contains(j.id));
      EXPECT_EQ(world.name(j.id), j.name);
      EXPECT_EQ(world.user_data(j.id), j.data);
      std::visit([&](const auto& d) { EXPECT_TRUE(d.a == j.a && d.b == j.b); }, world.definition(j.id));
    }
    for (const JointId id : gone) EXPECT_FALSE(world.contains(id));
    for (const BodyId body : bodies) {
      std::vector<JointId> own;
      for (const Joint& j : joints)
        if (j.a == body || j.b == body) own.push_back(j.id);
      EXPECT_EQ(world.joints(body), own);
    }
    for (const BodyId a : bodies)
      for (const BodyId b : bodies) {
        const bool joined = std::any_of(joints.begin(), joints.end(), [&](const Joint& j) {
          return j.parts && ((j.a == a && j.b == b) || (j.a == b && j.b == a));
        });
        EXPECT_EQ(world.is_exempt(a, b), a != b && (joined || exempt_by_user(a, b)));
      }
  }
};

template <class D>
void check_model(std::uint64_t seed) {
  Model<D> model(seed);
  std::size_t most = 0;
  for (int i = 0; i < 4000 && !testing::Test::HasFailure(); ++i) {
    model.act(i % 1000 < 600);  // grows, then shrinks
    most = std::max(most, model.joints.size());
    if (i % 10 == 0) model.compare();
  }
  model.compare();
  EXPECT_GT(most, 20u);
  EXPECT_GT(model.gone.size(), 500u);
  for (std::size_t i = 0; i < model.gone.size(); i += 50)
    EXPECT_THROW(model.world.destroy(model.gone[i]), Error);
}
TEST(JointApi, keeps_count_of_thousands_that_come_and_go) {
  check_model<Dim2>(1);
  check_model<Dim3>(2);
}

// The same between steps: the world goes on, and no joint is lost or gained by it.
template <class D>
void check_model_that_steps(std::uint64_t seed) {
  Model<D> model(seed);
  for (int i = 0; i < 300 && !testing::Test::HasFailure(); ++i) {
    model.act(i % 100 < 60);
    EXPECT_NE(model.world.step(1e-3).status, StepStatus::refused) << model.world.report().message;
    model.compare();
  }
}
TEST(JointApi, may_come_and_go_between_steps) {
  check_model_that_steps<Dim2>(3);
  check_model_that_steps<Dim3>(4);
}

// ------------------------------------------------------------------------------------------------ refusals

// Two bodies with a hinge, and a hydraulic cylinder that holds one of them to the ground.
struct Scene {
  World3 world;
  BodyId a, b, fixed;
  JointId hinge, cylinder, weld;
  Scene() {
    BodyDef3 def = ball(Dim3{});
    a = world.create(def);
    def.position = {2, 0, 0};
    b = world.create(def);
    fixed = world.create({.motion = Motion::fixed, .position = {0, 0, -9}, .shapes = {Sphere{}}});
    hinge = world.create(HingeDef3{.a = a, .b = b, .frame = {.origin = {1, 0, 0}}, .limits = Limits{-1, 1}});
    cylinder = world.create(HydraulicDef3{.a = world.background(), .b = a, .anchor_b = {0, 0, 0.3}});
    weld = world.create(FixedDef3{.a = fixed, .b = b});
    world.step(k_h);
  }
};

// Refused with a message that has these words; then everything is as it was, and goes on like it.
void expect_refusal(const std::function<void(Scene&)>& act, std::initializer_list<const char*> words) {
  Scene scene, untouched;
  try {
    act(scene);
    FAIL() << "not refused: " << *words.begin();
  } catch (const Error& e) {
    for (const char* word : words)
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what() << "\nlacks: " << word;
  }
  const World3 &now = scene.world, &then = untouched.world;
  ASSERT_EQ(now.joints().size(), 3u);
  EXPECT_EQ(now.axis(scene.hinge, 0), then.axis(untouched.hinge, 0));
  EXPECT_EQ(now.hydraulic(scene.cylinder), then.hydraulic(untouched.cylinder));
  for (const auto& [joint, other] :
       {std::pair{scene.hinge, untouched.hinge}, std::pair{scene.weld, untouched.weld}}) {
    EXPECT_EQ(now.anchors(joint).a, then.anchors(other).a);
    EXPECT_EQ(now.anchors(joint).b, then.anchors(other).b);
  }
  EXPECT_EQ(now.mass(scene.a).mass, then.mass(untouched.a).mass);
  EXPECT_TRUE(now.is_exempt(scene.a, scene.b) && now.is_exempt(scene.b, scene.fixed));
  EXPECT_FALSE(now.is_exempt(scene.a, scene.fixed));
  for (int i = 0; i < 3; ++i) scene.world.step(k_h), untouched.world.step(k_h);
  EXPECT_EQ(now.state_hash(), then.state_hash());
}

TEST(JointApi, refuses_joints_that_cannot_be) {
  const auto refuse = [](const std::function<JointDef3(Scene&)>& def,
                         std::initializer_list<const char*> words) {
    expect_refusal([&](Scene& s) { s.world.create(def(s)); }, words);
  };
  refuse([](Scene& s) { return HingeDef3{.a = s.a, .b = s.a}; }, {"HingeDef3.b", "the same body"});
  refuse([](Scene& s) { return HingeDef3{.a = s.a}; }, {"HingeDef3.b", "the null id", "of this world"});
  refuse([](Scene& s) { return BallDef3{.b = s.a}; }, {"BallDef3.a", "the null id"});
  refuse(
      [](Scene& s) {
        World3 other;
        return SliderDef3{.a = s.a, .b = other.create(ball(Dim3{}))};
      },
      {"SliderDef3.b", "#1", "of this world"});
  refuse(
      [](Scene& s) {
        const BodyId body = s.world.create(ball(Dim3{}));
        s.world.destroy(body);
        return FixedDef3{.a = body, .b = s.a};
      },
      {"FixedDef3.a", "of this world"});
  refuse([](Scene& s) { return FixedDef3{.a = s.fixed, .b = s.world.background()}; },
         {"FixedDef3", "not dynamic"});
  refuse([](Scene& s) { return SliderDef3{.a = s.a, .b = s.fixed, .frame = {.axis = {}}}; },
         {"SliderDef3.frame.axis", "direction"});
  refuse(
      [](Scene& s) {
        return HingeDef3{.a = s.a, .b = s.fixed, .limits = Limits{2, 1}};
      },
      {"HingeDef3.limits.min", "at most max"});
  refuse(
      [](Scene& s) {
        return HingeDef3{.a = s.a, .b = s.fixed, .drive = VelocityDrive{.speed = 1, .max_effort = -1}};
      },
      {"HingeDef3.drive.max_effort", "-1", "at least 0"});
  refuse([](Scene& s) { return DistanceDef3{.a = s.a, .b = s.fixed}; }, {"DistanceDef3.length", "0 m"});
}

TEST(JointApi, refuses_stale_and_foreign_ids_everywhere) {
  using Use = std::function<void(World3&, JointId)>;
  const std::initializer_list<Use> uses{
      [](World3& w, JointId j) { w.destroy(j); },
      [](World3& w, JointId j) { w.definition(j); },
      [](World3& w, JointId j) { w.name(j); },
      [](World3& w, JointId j) { w.user_data(j); },
      [](World3& w, JointId j) { w.reaction(j); },
      [](World3& w, JointId j) { w.coordinate(j); },
      [](World3& w, JointId j) { w.axis_count(j); },
      [](World3& w, JointId j) { w.axis(j, 0); },
      [](World3& w, JointId j) { w.anchors(j); },
      [](World3& w, JointId j) { w.hydraulic(j); },
      [](World3& w, JointId j) { w.set_axis(j, 0, {}); },
      [](World3& w, JointId j) { w.set_hydraulic(j, Hydraulic::extend); },
  };
  for (const Use& use : uses) {
    expect_refusal([&](Scene& s) { use(s.world, JointId{}); }, {"JointId", "null"});
    expect_refusal([&](Scene& s) { use(s.world, Scene().hinge); }, {"JointId", "another world"});
    expect_refusal(
        [&](Scene& s) {
          const JointId gone = s.world.create(FixedDef3{.a = s.world.background(), .b = s.a});
          s.world.destroy(gone);
          use(s.world, gone);
        },
        {"JointId", "destroyed"});
  }
  expect_refusal([](Scene& s) { s.world.joints(BodyId{}); }, {"BodyId", "null"});
}

TEST(JointApi, refuses_changes_that_cannot_be) {
  expect_refusal([](Scene& s) { s.world.coordinate(s.hinge, 1); }, {"axis", "1", "one of the 1 axes"});
  expect_refusal([](Scene& s) { s.world.coordinate(s.weld); }, {"axis", "one of the 0 axes"});
  expect_refusal([](Scene& s) { s.world.axis(s.hinge, -1); }, {"axis", "-1"});
  expect_refusal([](Scene& s) { s.world.set_axis(s.hinge, 1, {}); }, {"axis", "1"});
  expect_refusal([](Scene& s) { s.world.set_axis(s.cylinder, 0, {}); }, {"axis", "0 axes"});
  expect_refusal([](Scene& s) { s.world.set_axis(s.hinge, 0, {.friction = -1}); },
                 {"AxisDef.friction", "-1"});
  expect_refusal([](Scene& s) { s.world.set_hydraulic(s.hinge, Hydraulic::hold); },
                 {"JointId", "not hydraulic"});
  expect_refusal([](Scene& s) { s.world.hydraulic(s.hinge); }, {"JointId", "not hydraulic"});
  expect_refusal([](Scene& s) { s.world.set_hydraulic(s.cylinder, Hydraulic(7)); }, {"state", "7"});
  // Its joints and exemptions are there afterwards.
  expect_refusal([](Scene& s) { s.world.destroy(s.world.background()); }, {"background"});
}

// ---------------------------------------------------------------------------------------------- who meets

template <class D>
struct Pair {
  World<D> world{WorldDef<D>{.gravity = {}}};
  BodyId a, b;
  Pair() : a(world.create(ball(D{}))), b(world.create(ball(D{}))) {}
  JointId join(bool collide_connected = false) {
    return world.create(HingeDef<D>{.a = a, .b = b, .collide_connected = collide_connected});
  }
  // How many pairs touch if they overlap by a tenth of a metre, whatever happened before.
  std::size_t touching() {
    world.set_pose(a, {});
    world.set_pose(b, {.position = along_x<D>(0.9)});
    world.set_velocity(a, {});
    world.set_velocity(b, {});
    return world.step(k_h).collision.touching;
  }
};

template <class D>
void check_meetings() {
  Pair<D> pair;
  EXPECT_EQ(pair.touching(), 1u);
  const JointId first = pair.join(), second = pair.join();
  EXPECT_TRUE(pair.world.is_exempt(pair.b, pair.a));
  EXPECT_EQ(pair.touching(), 0u);
  pair.world.destroy(first);
  EXPECT_EQ(pair.touching(), 0u);
  pair.world.destroy(second);
  EXPECT_FALSE(pair.world.is_exempt(pair.a, pair.b));
  EXPECT_EQ(pair.touching(), 1u);
  EXPECT_EQ(pair.touching(), 1u);
  pair.join(true);
  EXPECT_EQ(pair.touching(), 1u);
}
TEST(JointApi, parts_the_bodies_it_connects) {
  check_meetings<Dim2>();
  check_meetings<Dim3>();
}

TEST(JointApi, does_not_undo_what_the_user_exempted_nor_the_reverse) {
  Pair<Dim3> pair;
  const JointId joint = pair.join();
  pair.world.set_exempt(pair.a, pair.b, true);
  pair.world.destroy(joint);
  EXPECT_TRUE(pair.world.is_exempt(pair.a, pair.b));
  EXPECT_EQ(pair.touching(), 0u);
  const JointId again = pair.join();
  pair.world.set_exempt(pair.a, pair.b, false);
  EXPECT_TRUE(pair.world.is_exempt(pair.a, pair.b));
  EXPECT_EQ(pair.touching(), 0u);
  pair.world.destroy(again);
  EXPECT_EQ(pair.touching(), 1u);
}

TEST(JointApi, leaves_with_its_body) {
  Pair<Dim3> pair;
  const JointId joint = pair.join(),
                ground =
                    pair.world.create(FixedDef3{.a = pair.world.background(), .b = pair.b, .name = "stays"});
  EXPECT_EQ(pair.touching(), 0u);
  pair.world.destroy(pair.a);
  EXPECT_FALSE(pair.world.contains(joint));
  EXPECT_EQ(pair.world.joints(), std::vector{ground});
  EXPECT_EQ(pair.world.name(ground), "stays");
  pair.a = pair.world.create(ball(Dim3{}));  // in the same slot
  EXPECT_TRUE(pair.world.joints(pair.a).empty());
  EXPECT_FALSE(pair.world.is_exempt(pair.a, pair.b));
  EXPECT_EQ(pair.touching(), 1u);
}

}  // namespace
}  // namespace cairn
