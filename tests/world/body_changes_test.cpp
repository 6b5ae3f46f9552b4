// Mass, locks, gravity and user data of bodies, changed while the world runs.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <limits>

namespace cairn {
namespace {

constexpr double k_h = 1.0 / 60;
constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

BodyDef2 box(Dim2) { return {.shapes = {Box2{.half = {0.5, 0.25}}}}; }
BodyDef3 box(Dim3) { return {.shapes = {Box3{.half = {0.5, 0.25, 1}}}}; }
double ratio(double now, double before) { return now / before; }
double ratio(const Sym3& now, const Sym3& before) { return now.xx / before.xx; }

template <class D>
void check_mass() {
  World<D> world{WorldDef<D>{.gravity = {}}};
  BodyDef<D> def = box(D{});
  def.velocity.x = 2;
  const BodyId body = world.create(def);
  const MassProperties<D> before = world.mass(body);
  world.set_mass(body, 3 * before.mass);
  const MassProperties<D> now = world.mass(body);
  EXPECT_DOUBLE_EQ(now.mass, 3 * before.mass);
  EXPECT_DOUBLE_EQ(ratio(now.inertia, before.inertia), 3);
  EXPECT_EQ(now.center, before.center);
  EXPECT_EQ(world.velocity(body).linear.x, 2);
  typename D::Vec impulse{};
  impulse.x = now.mass;
  world.apply_impulse(body, impulse);
  EXPECT_DOUBLE_EQ(world.velocity(body).linear.x, 3);
}
TEST(SetMass, scales_the_inertia_and_keeps_the_motion) {
  check_mass<Dim2>();
  check_mass<Dim3>();
}

TEST(SetMass, keeps_an_inertia_that_was_given) {
  World3 world;
  BodyDef3 def = box(Dim3{});
  def.inertia = Sym3{3, 4, 5};
  const BodyId body = world.create(def);
  world.set_mass(body, 12);
  EXPECT_EQ(world.mass(body).mass, 12);
  EXPECT_EQ(world.mass(body).inertia, (Sym3{3, 4, 5}));
}

// A box on the ground: the points of its contact grow older, and nothing begins or ends.
TEST(SetMass, leaves_contacts_as_they_are) {
  World3 world;
  world.create({.motion = Motion::fixed, .shapes = {Plane{}}});
  BodyDef3 def = box(Dim3{});
  def.position.z = 1;
  const BodyId body = world.create(def);
  for (int i = 0; i < 5; ++i) world.step(k_h);
  ASSERT_EQ(world.contacts(body).size(), 1u);
  const std::uint32_t age = world.contacts(body)[0].patches[0].points[0].age;
  world.set_mass(body, 10);
  world.set_gravity_scale(body, 0.5);
  world.set_locks(body, {.rotation = {.x = true, .y = true}});
  world.step(k_h);
  EXPECT_TRUE(world.events().empty());
  ASSERT_EQ(world.contacts(body).size(), 1u);
  EXPECT_EQ(world.contacts(body)[0].patches[0].points[0].age, age + 1);
  EXPECT_EQ(world.shapes(body).size(), 1u);
  EXPECT_TRUE(world.closest({0, 0, 3}, 5).has_value());
}

template <class D>
void check_gravity() {
  World<D> world;
  const BodyId body = world.create(box(D{}));
  for (const double scale : {0.0, 2.5, -1.0}) {
    world.set_velocity(body, {});
    world.set_gravity_scale(body, scale);
    EXPECT_EQ(world.gravity_scale(body), scale);
    world.step(k_h);
    const typename D::Vec expected = k_h * scale * world.gravity();
    EXPECT_NEAR(length(world.velocity(body).linear - expected), 0, 8e-15);
  }
}
TEST(SetGravityScale, holds_from_the_next_step_on) {
  check_gravity<Dim2>();
  check_gravity<Dim3>();
}

TEST(SetLocks, stops_what_they_lock_and_lets_it_go_again) {
  World3 world;
  BodyDef3 def = box(Dim3{});
  def.velocity = {1, 2, 3};
  def.angular_velocity = {4, 5, 6};
  const BodyId body = world.create(def);
  world.set_locks(body, k_planar);
  EXPECT_EQ(world.locks(body), k_planar);
  EXPECT_EQ(world.velocity(body).linear, (Vec3{1, 2, 0}));
  EXPECT_EQ(world.velocity(body).angular, (Vec3{0, 0, 6}));
  world.step(k_h);
  EXPECT_EQ(world.velocity(body).linear.z, 0);
  world.set_locks(body, {});
  world.step(k_h);
  EXPECT_LT(world.velocity(body).linear.z, 0);
}

TEST(SetUserData, is_read_back) {
  World2 world;
  const BodyId body = world.create(box(Dim2{}));
  world.set_user_data(body, 42);
  EXPECT_EQ(world.user_data(body), 42u);
}

// A body that was set aside comes back with its shapes, as from set_shapes and set_motion.
TEST(SetMass, brings_back_a_body_that_was_set_aside) {
  World3 world{WorldDef3{.gravity = {}}};
  const BodyId body = world.create(box(Dim3{}));
  world.apply_force(body, {1e308, 0, 0});
  world.apply_force(body, {1e308, 0, 0});
  ASSERT_EQ(world.step(k_h).status, StepStatus::set_aside);
  EXPECT_FALSE(world.closest({0, 0, 3}, 5).has_value());
  world.set_mass(body, 2);
  EXPECT_FALSE(world.is_set_aside(body));
  EXPECT_EQ(world.mass(body).mass, 2);
  EXPECT_TRUE(world.closest({0, 0, 3}, 5).has_value());
}

template <class F>
void expect_error(F&& act, std::initializer_list<const char*> words) {
  try {
    act();
    FAIL() << "not refused: " << *words.begin();
  } catch (const Error& e) {
    for (const char* word : words)
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what() << "\nlacks: " << word;
  }
}

TEST(BodyChanges, that_make_no_sense_change_nothing) {
  World3 world;
  BodyDef3 def = box(Dim3{});
  def.velocity = {1, 2, 3};
  const BodyId body = world.create(def);
  // A mass without extent, which nothing may turn.
  const BodyId bead = world.create({.mass = 1, .locks = {.rotation = {true, true, true}}});
  const MassProperties3 before = world.mass(body);
  const std::uint64_t hash = world.state_hash();
  for (const double mass : {0.0, -1.0, k_nan}) {
    expect_error([&] { world.set_mass(body, mass); }, {"set_mass.mass", "kg"});
    EXPECT_EQ(world.mass(body).mass, before.mass);
  }
  expect_error([&] { world.set_gravity_scale(body, k_nan); }, {"set_gravity_scale.gravity_scale", "nan"});
  EXPECT_EQ(world.gravity_scale(body), 1);
  expect_error([&] { world.set_locks(bead, {}); }, {"set_locks.inertia"});
  EXPECT_TRUE(world.locks(bead).rotation.x);
  expect_error([&] { world.set_mass(BodyId{}, 1); }, {"BodyId", "null"});
  expect_error([&] { world.set_user_data(BodyId{}, 1); }, {"BodyId", "null"});
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(world.shapes(body).size(), 1u);
  EXPECT_TRUE(world.closest({0, 0, 3}, 5).has_value());  // its shapes are there, and asked
}

}  // namespace
}  // namespace cairn
