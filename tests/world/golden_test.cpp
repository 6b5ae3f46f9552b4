// The same bits with every compiler, optimisation level, processor and number of threads: a fingerprint of a small
// world after some steps, recorded once. If a change of the mathematics was intended, record the new one.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

namespace cairn {
namespace {

std::uint64_t fingerprint(const Integrator& integrator) {
  World3 world({.method = {.integrator = integrator}, .threads = 2});
  const BodyId crank = world.create({.motion = Motion::kinematic, .angular_velocity = {0, 2, 0}});
  BodyId last = crank;
  for (int i = 0; i < 20; ++i) {
    const double x = 0.3 * (i + 1);
    const BodyId body =
        world.create({.position = {x, 0.1 * i, 0},
                      .rotation = rotation_of(Vec3{x, 1 - x, 0.5}),
                      .angular_velocity = {1, x, -2},
                      .shapes = {{Box3{.half = {0.1, 0.05 + 0.01 * i, 0.2}}, {.filter = {.mask = 0}}},
                                 {Cone{.radius = 0.1}, {.filter = {.mask = 0}}}},
                      .locks = {.rotation = {.z = i % 5 == 0}}});
    world.create(SpringDef3{.a = last,
                            .b = body,
                            .anchor_a = {0.1, 0, 0},
                            .anchor_b = {0, 0.1, 0},
                            .stiffness = 2e3,
                            .damping = 3,
                            .rest_length = 0.2});
    last = body;
  }
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(world.step(0.002).status, StepStatus::good) << world.report().message;
  return world.state_hash();
}

TEST(Golden, every_integrator_gives_the_recorded_bits) {
  const std::pair<Integrator, std::uint64_t> recorded[] = {
      {SemiImplicitEuler{}, 0x0a155b9159fd1459}, {ExplicitEuler{}, 0xbc90669408756bed},
      {ImplicitEuler{}, 0xc1ad3adba7551242},     {VelocityVerlet{}, 0x7cdc7bae649e4780},
      {Newmark{}, 0x980dd33cb4982af8},           {RungeKutta4{}, 0x30a658105ae4ff9d},
      {Conserving{}, 0xfb6a9c3e5898ff07},
  };
  for (const auto& [integrator, hash] : recorded)
    EXPECT_EQ(fingerprint(integrator), hash) << "integrator " << integrator.index();
}

// Contacts, joints that are solved directly and joints that are swept, lanes, substeps and continuous collision.
template <class D>
struct Shapes;
template <>
struct Shapes<Dim2> {
  static Shape2 ground() { return Box2{.half = {20, 1}}; }
  static Shape2 box() { return Box2{.half = {0.3, 0.2}}; }
  static Shape2 ball() { return Circle{.radius = 0.25}; }
  static Vec2 at(double x, double z) { return {x, z}; }
};
template <>
struct Shapes<Dim3> {
  static Shape3 ground() { return Box3{.half = {20, 20, 1}}; }
  static Shape3 box() { return Box3{.half = {0.3, 0.25, 0.2}}; }
  static Shape3 ball() { return Capsule3{.radius = 0.2, .half_length = 0.2}; }
  static Vec3 at(double x, double z) { return {x, 0.3 * x, z}; }
};
template <class D, class Joint>
std::uint64_t fingerprint_of_contacts(Precision precision, InstructionSet set) {
  using S = Shapes<D>;
  World<D> world(
      {.method = {.solver = SoftStep{.precision = precision}}, .threads = 2, .instruction_set = set});
  world.create({.motion = Motion::fixed, .position = S::at(0, -1), .shapes = {S::ground()}});
  BodyId last{};
  for (int i = 0; i < 24; ++i) {
    BodyDef<D> def{.position = S::at(0.05 * (i % 5) + (i < 12 ? 0 : 3), 0.6 + 0.75 * (i % 12)),
                   .velocity = S::at(0.1 * i, -2),
                   .shapes = {i % 2 ? S::box() : S::ball()}};
    if (i == 5) def.locks.translation.x = true;
    const BodyId body = world.create(def);
    if (i > 12) {
      Joint joint;
      joint.a = last, joint.b = body;
      joint.frame.origin = S::at(0, 0.37);
      world.create(joint);
    }
    last = body;
  }
  for (int i = 0; i < 120; ++i)
    EXPECT_EQ(world.step(1. / 60).status, StepStatus::good) << world.report().message;
  return world.state_hash();
}

TEST(Golden, the_solver_gives_the_recorded_bits) {
  for (const auto& [set, name] : EnumNames<InstructionSet>::table) {
    if (set > best_instruction_set()) continue;
    SCOPED_TRACE(name);
    EXPECT_EQ((fingerprint_of_contacts<Dim2, HingeDef2>(Precision::single_lanes, set)), 0x27f3161253d3315f);
    EXPECT_EQ((fingerprint_of_contacts<Dim2, HingeDef2>(Precision::double_lanes, set)), 0x3b2980b3df7c807b);
    EXPECT_EQ((fingerprint_of_contacts<Dim3, BallDef3>(Precision::single_lanes, set)), 0x0b39803f21a2755d);
    EXPECT_EQ((fingerprint_of_contacts<Dim3, BallDef3>(Precision::double_lanes, set)), 0x381d4db411e87e99);
  }
}

}  // namespace
}  // namespace cairn
