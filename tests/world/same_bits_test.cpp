// A crowd large enough that every stage of a step is cut into several blocks: the same bits on any number of threads, with every
// instruction set and in any company.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <bit>

namespace cairn {
namespace {

struct Company {
  int threads = 1;
  InstructionSet set = best_instruction_set();
  int strangers = 0;
};

template <class D>
struct Crowd;
template <>
struct Crowd<Dim2> {
  static constexpr int k_columns = 400;
  static Shape2 slab() { return Box2{.half = {400, 0.5}}; }
  static Shape2 shape(int i) {
    if (i % 3 == 0) return Circle{.radius = 0.5};
    return Box2{.half = {0.5, 0.45}};
  }
  static Vec2 place(int column, double height) { return {1.5 * column - 300, height}; }
  static double spin(double x) { return x; }
  static JointDef2 pin(BodyId a, BodyId b, const Vec2& at) {
    return HingeDef2{.a = a, .b = b, .frame = {.origin = at}};
  }
};
template <>
struct Crowd<Dim3> {
  static constexpr int k_columns = 400;
  static Shape3 slab() { return Box3{.half = {40, 40, 0.5}}; }
  static Shape3 shape(int i) {
    if (i % 3 == 0) return Sphere{.radius = 0.5};
    return Box3{.half = {0.5, 0.4, 0.45}};
  }
  static Vec3 place(int column, double height) {
    return {1.2 * (column % 20) - 12, 1.2 * (column / 20) - 12, height};  // NOLINT: rows and columns
  }
  static Vec3 spin(double x) { return {0, 0, x}; }
  static JointDef3 pin(BodyId a, BodyId b, const Vec3& at) {
    return BallDef3{.a = a, .b = b, .frame = {.origin = at}};
  }
};

// A net that hangs from all of its upper edge, too large to be solved at once.
template <class D>
void add_net(World<D>& world, double height, std::vector<BodyId>& knots) {
  constexpr std::size_t n = 20;
  const auto place = [&](double x, double y) {
    typename D::Vec at = Crowd<D>::place(0, height - y);
    at.x += x;
    return at;
  };
  const std::size_t first = knots.size();
  for (std::size_t i = 0; i < n * n; ++i) {
    const double x = double(i % n), y = double(i / n);
    knots.push_back(world.create({.position = place(x, y), .shapes = {Crowd<D>::shape(0)}}));
    const auto tie = [&](BodyId other, double left, double up) {
      world.create(Crowd<D>::pin(other, knots.back(), place(x - left, y - up)));
    };
    if (i % n > 0) tie(knots[first + i - 1], 0.5, 0);
    tie(i < n ? world.background() : knots[first + i - n], 0, 0.5);
  }
}

// Columns of three on ground that is fixed or turns, hinged here and there, with a blow now and then. What becomes of the crowd.
template <class D>
std::uint64_t print_of(const Company& company, Precision precision) {
  using C = Crowd<D>;
  WorldDef<D> def{.method = {.solver = SoftStep{.precision = precision}}};
  def.accounting = Accounting::full;
  def.threads = company.threads;
  def.instruction_set = company.set;
  World<D> world(def);
  for (const Motion motion : {Motion::fixed, Motion::kinematic})
    world.create({.motion = motion,
                  .position = C::place(210, motion == Motion::fixed ? -0.5 : -0.49),
                  .angular_velocity = C::spin(motion == Motion::fixed ? 0 : 0.01),
                  .shapes = {{C::slab(), {.material = {.rolling_resistance = 0.01}}}}});
  std::vector<BodyId> bodies;
  for (int column = 0; column < C::k_columns; ++column)
    for (int layer = 0; layer < 3; ++layer) {
      BodyDef<D> body{.position = C::place(column, 0.46 + 1.0 * layer),
                      .shapes = {{C::shape(column + layer), {.material = {.restitution = 0.1 * layer}}}}};
      if (column % 50 == 7) body.velocity = C::place(210, -3) - C::place(210, 0);
      bodies.push_back(world.create(body));
      if (column % 20 == 5 && layer > 0)
        world.create(HingeDef<D>{.a = bodies[bodies.size() - 2],
                                 .b = bodies.back(),
                                 .frame = {.origin = world.center(bodies.back())}});
    }
  add_net(world, 100, bodies);
  std::vector<BodyId> stranger_knots;
  if (company.strangers > 0) add_net(world, 4000, stranger_knots);
  for (int i = 0; i < company.strangers; ++i)
    world.create({.position = C::place(210, 5000 + 0.9 * i), .shapes = {C::shape(i)}});
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(world.step(1.0 / 60).status, StepStatus::good) << world.report().message;
  if (company.strangers == 0) {
    const StepReport<D>& report = world.report();
    EXPECT_GT(report.solve.contacts, 1000u);
    const double largest = larger(absolute(report.energy.kinetic), absolute(report.energy.gravity));
    EXPECT_LE(absolute(report.energy.unexplained), 1e-5 * largest);
  }
  std::uint64_t print = 0;
  const auto add = [&](double x) { print = std::rotl(print, 7) * 31 + std::bit_cast<std::uint64_t>(x); };
  for (const BodyId body : bodies) {
    const Pose<D> pose = world.pose(body);
    add(pose.position.x), add(pose.position.y);
    add(length_squared(pose.position)), add(length_squared(world.velocity(body).linear));
  }
  return print;
}

template <class D>
class SameBits : public testing::Test {};
using Dimensions = testing::Types<Dim2, Dim3>;
TYPED_TEST_SUITE(SameBits, Dimensions);

TYPED_TEST(SameBits, on_any_number_of_threads) {
  for (const Precision precision : {Precision::single_lanes, Precision::double_lanes}) {
    const std::uint64_t one = print_of<TypeParam>({}, precision);
    for (const int threads : {2, 3, 8})
      EXPECT_EQ(print_of<TypeParam>({.threads = threads}, precision), one) << threads << " threads";
  }
}

TYPED_TEST(SameBits, with_every_instruction_set) {
  const std::uint64_t best = print_of<TypeParam>({}, Precision::single_lanes);
  for (const InstructionSet set :
       {InstructionSet::scalar, InstructionSet::x86_64_v2, InstructionSet::x86_64_v3}) {
    if (set >= best_instruction_set()) continue;
    EXPECT_EQ(print_of<TypeParam>({.set = set}, Precision::single_lanes), best) << int(set);
  }
}

TYPED_TEST(SameBits, beside_strangers) {
  EXPECT_EQ(print_of<TypeParam>({.threads = 2, .strangers = 100}, Precision::single_lanes),
            print_of<TypeParam>({}, Precision::single_lanes));
}

}  // namespace
}  // namespace cairn
