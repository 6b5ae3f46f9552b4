// Contacts against closed formulas: friction, restitution, resistances, conveyors, and the forces they tell.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

constexpr double k_g = 9.81;      // [m/s²]
constexpr double k_h = 1.0 / 60;  // [s]

// What differs between the plane and space: which way is up, and what a floor and a ball are.
template <class D>
struct Space;
template <>
struct Space<Dim2> {
  static constexpr Vec2 k_along{1, 0}, k_up{0, 1};
  static constexpr double k_roll = -1;      // [rad/s] that rolls along
  static constexpr double k_rolling = 1.5;  // inertia of a ball about the point it rolls on, per mr²
  static Shape2 floor() { return Box2{.half = {500, 1}}; }
  static Shape2 ball(double radius) { return Circle{.radius = radius}; }
  static Shape2 block(double half) { return Box2{.half = {2 * half, half}}; }
};
template <>
struct Space<Dim3> {
  static constexpr Vec3 k_along{1, 0, 0}, k_up{0, 0, 1};
  static constexpr Vec3 k_roll{0, 1, 0};
  static constexpr double k_rolling = 1.4;
  static Shape3 floor() { return Box3{.half = {500, 500, 1}}; }
  static Shape3 ball(double radius) { return Sphere{.radius = radius}; }
  static Shape3 block(double half) { return Box3{.half = {2 * half, 2 * half, half}}; }
};

template <class D>
BodyId add_floor(World<D>& world, const Material& material, const typename D::Vec& surface_velocity = {}) {
  return world.create(
      {.motion = Motion::fixed,
       .position = -1.0 * Space<D>::k_up,
       .shapes = {{Space<D>::floor(), {.material = material, .surface_velocity = surface_velocity}}}});
}
template <class D>
void play(World<D>& world, double seconds) {
  for (int i = 0; i < int(seconds / k_h + 0.5); ++i) world.step(k_h);
}
template <class D>
double speed_along(const World<D>& world, BodyId body) {
  return dot(world.velocity(body).linear, Space<D>::k_along);
}

Material rubbing(double kinetic, double fixed) {
  return {.static_friction = fixed, .kinetic_friction = kinetic};
}
Material rubbing(double friction) { return rubbing(friction, friction); }

// ------------------------------------------------------------------------------------------------ friction

// The steepest slope on which a body at rest stays so, found by halving. Not the floor is turned but gravity, which is
// the same; `along` is the way down.
template <class D>
double slip_angle(const std::vector<ShapeDef<D>>& shapes, double friction, double height,
                  const typename D::Vec& along = Space<D>::k_along) {
  double stays = 0.1, slips = 1;  // [rad]
  while (slips - stays > 1e-5) {
    const double angle = 0.5 * (stays + slips);
    World<D> world({.gravity = k_g * (portable::sin(angle) * along - portable::cos(angle) * Space<D>::k_up)});
    add_floor(world, rubbing(friction));
    BodyDef<D> def{.position = height * Space<D>::k_up, .shapes = shapes};
    for (ShapeDef<D>& shape : def.shapes) shape.material = rubbing(friction);
    const BodyId body = world.create(def);
    play(world, 1);
    // A slope steeper by δ than the true one brings g δ √(1 + μ²) in a second: this finds 1e-4.
    const bool slipped = dot(world.velocity(body).linear, along) > 1e-3;
    (slipped ? slips : stays) = angle;
  }
  return stays;
}

Hull prism(int sides, double radius, double half_height) {
  Hull hull;
  for (int i = 0; i < sides; ++i)
    for (const double z : {-half_height, half_height})
      hull.points.push_back(
          {radius * portable::cos(2 * k_pi * i / sides), radius * portable::sin(2 * k_pi * i / sides), z});
  return hull;
}

// As many points as there may be, and however many shapes share the load: friction is μ times the load.
TEST(Friction, slip_angle_does_not_depend_on_the_number_of_points) {
  const Box3 box{.half = {0.5, 0.5, 0.25}}, quarter{.half = {0.25, 0.25, 0.25}};
  const auto at = [](const Box3& shape, double x, double y) {
    return ShapeDef3{shape, {.position = {x, y, 0}}};
  };
  const std::vector<std::pair<std::string, std::vector<ShapeDef3>>> bodies{
      {"box", {box}},
      {"prism of 8", {prism(8, 0.5, 0.25)}},
      {"prism of 16", {prism(16, 0.5, 0.25)}},
      {"the same box twice", {box, box}},
      {"four boxes",
       {at(quarter, -0.25, -0.25), at(quarter, 0.25, -0.25), at(quarter, -0.25, 0.25),
        at(quarter, 0.25, 0.25)}}};
  for (const auto& [name, shapes] : bodies)
    for (const double friction : {0.3, 0.6})
      EXPECT_NEAR(slip_angle<Dim3>(shapes, friction, 0.25), portable::atan2(friction, 1), 1e-3)
          << name << ", μ = " << friction;
}
TEST(Friction, slip_angle_does_not_depend_on_the_number_of_points_in_the_plane) {
  const Polygon octagon{.points = {{0.5, 0.25},
                                   {0.25, 0.4},
                                   {-0.25, 0.4},
                                   {-0.5, 0.25},
                                   {-0.5, -0.2},
                                   {-0.4, -0.25},
                                   {0.4, -0.25},
                                   {0.5, -0.2}}};
  const Box2 box{.half = {0.5, 0.25}}, half{.half = {0.25, 0.25}};
  const std::vector<std::pair<std::string, std::vector<ShapeDef2>>> bodies{
      {"box", {box}},
      {"polygon", {octagon}},
      {"the same box twice", {box, box}},
      {"two boxes", {{half, {.position = {-0.25, 0}}}, {half, {.position = {0.25, 0}}}}}};
  for (const auto& [name, shapes] : bodies)
    for (const double friction : {0.3, 0.6})
      EXPECT_NEAR(slip_angle<Dim2>(shapes, friction, 0.25), portable::atan2(friction, 1), 1e-3)
          << name << ", μ = " << friction;
}
// A disc, not a square of friction: every way down is as steep.
TEST(Friction, slip_angle_does_not_depend_on_the_direction) {
  for (const double way : {0.2, 0.25 * k_pi, 1.9})
    EXPECT_NEAR(slip_angle<Dim3>({Box3{.half = {0.5, 0.5, 0.25}}}, 0.5, 0.25,
                                 {portable::cos(way), portable::sin(way), 0}),
                portable::atan2(0.5, 1), 1e-3)
        << way;
}

template <class D>
void check_deceleration() {
  for (const Precision precision : {Precision::single_lanes, Precision::double_lanes})
    for (const Material& material : {rubbing(0.3), rubbing(0.3, 0.9)}) {
      World<D> world({.method = {.solver = SoftStep{.precision = precision}}});
      add_floor(world, material);
      const BodyId block = world.create({.position = 0.25 * Space<D>::k_up,
                                         .velocity = 5.0 * Space<D>::k_along,
                                         .shapes = {{Space<D>::block(0.25), {.material = material}}}});
      play(world, 0.5);
      const double before = speed_along(world, block);
      play(world, 1);
      EXPECT_NEAR(before - speed_along(world, block), 0.3 * k_g, 1e-3 * 0.3 * k_g);
      play(world, 1);
      EXPECT_NEAR(length(world.velocity(block).linear), 0, 1e-5);  // it stops after 5/(μ g) = 1.7 s
    }
}
TEST(Friction, slows_what_slides_by_its_kinetic_coefficient) {
  check_deceleration<Dim2>();
  check_deceleration<Dim3>();
}

// Sticks up to μs, slides with μk, also below μs once it slides, and sticks again after it has stopped.
template <class D>
void check_static_and_kinetic() {
  World<D> world;
  const Material material = rubbing(0.3, 0.6);
  add_floor(world, material);
  const BodyId block = world.create(
      {.position = 0.25 * Space<D>::k_up, .shapes = {{Space<D>::block(0.25), {.material = material}}}});
  const double weight = world.mass(block).mass * k_g;
  const auto pulled = [&](double share, double seconds) {  // by that share of its weight; returns Δv
    const double before = speed_along(world, block);
    for (int i = 0; i < int(seconds / k_h + 0.5); ++i) {
      world.apply_force(block, share * weight * Space<D>::k_along);
      world.step(k_h);
    }
    return speed_along(world, block) - before;
  };
  pulled(0, 0.5);
  EXPECT_NEAR(pulled(0.59, 1), 0, 1e-4);
  pulled(0.61, 0.1);  // may take a step to notice
  EXPECT_GT(speed_along(world, block), 0.1);
  EXPECT_NEAR(pulled(0.61, 1), 0.31 * k_g, 1e-3 * k_g);
  EXPECT_NEAR(pulled(0.45, 1), 0.15 * k_g, 1e-3 * k_g);
  pulled(0, 3);
  EXPECT_NEAR(pulled(0.45, 1), 0, 1e-4);
}
TEST(Friction, holds_up_to_its_static_coefficient) {
  check_static_and_kinetic<Dim2>();
  check_static_and_kinetic<Dim3>();
}

// A stack of two blocks on a slope between μk and μs, with which contacts are solved directly: it stands, slides
// with both blocks as one once it is pushed, and stands again after it has stopped.
template <class D>
void check_stack_on_slope(Precision precision) {
  SCOPED_TRACE(name_of(precision));
  const double slope = portable::atan(0.45), mu = 0.3, half = 0.25;
  const Material material = rubbing(mu, 0.6);
  const auto gravity = [&](double angle) {
    return k_g * (portable::sin(angle) * Space<D>::k_along - portable::cos(angle) * Space<D>::k_up);
  };
  World<D> world({.gravity = gravity(0), .method = {.solver = SoftStep{.precision = precision}}});
  add_floor(world, material);
  BodyId blocks[2];
  for (const int k : {0, 1})
    blocks[k] = world.create({.position = (2 * k + 1) * half * Space<D>::k_up,
                              .shapes = {{Space<D>::block(half), {.material = material}}}});
  const auto speed = [&](int k) { return speed_along(world, blocks[k]); };
  play(world, 0.5);
  world.set_gravity(gravity(slope));
  play(world, 2);
  for (const int k : {0, 1}) EXPECT_NEAR(speed(k), 0, 1e-4) << k;

  const double gain = k_g * (portable::sin(slope) - mu * portable::cos(slope));  // [m/s²]
  for (const BodyId block : blocks) world.apply_impulse(block, world.mass(block).mass * Space<D>::k_along);
  play(world, 0.1);  // may take a step to notice
  const double before[2] = {speed(0), speed(1)};
  play(world, 1);
  for (const int k : {0, 1}) EXPECT_NEAR(speed(k) - before[k], gain, 0.005 * gain) << k;

  world.set_gravity(gravity(0));
  play(world, 2);
  world.set_gravity(gravity(slope));
  play(world, 1);
  for (const int k : {0, 1}) EXPECT_NEAR(speed(k), 0, 1e-4) << k;
}
TEST(Friction, of_a_stack_holds_on_a_slope_until_it_is_pushed) {
  for (const Precision precision : {Precision::single_lanes, Precision::double_lanes}) {
    check_stack_on_slope<Dim2>(precision);
    check_stack_on_slope<Dim3>(precision);
  }
}

// -------------------------------------------------------------------------------------------- restitution

// A ball that falls on the floor from `drop` and bounces three times, with steps of h seconds. Each time it leaves with
// e times the speed it came with, and does not get higher than e² of the height; how near to that is told by
// `tolerance`.
template <class D>
void check_bounces(double e, double drop, double h, double tolerance) {
  World<D> world;
  const Material material{.restitution = e};
  add_floor(world, material);
  const double radius = 0.25;
  const BodyId ball = world.create({.position = (radius + drop) * Space<D>::k_up,
                                    .shapes = {{Space<D>::ball(radius), {.material = material}}}});
  const auto height = [&] { return dot(world.center(ball), Space<D>::k_up) - radius; };
  const auto speed = [&] { return dot(world.velocity(ball).linear, Space<D>::k_up); };
  double apex = drop;
  for (int bounce = 0; bounce < 3; ++bounce) {
    SCOPED_TRACE(testing::Message() << "e " << e << ", drop " << drop << ", bounce " << bounce);
    double before = 0, top = 0;
    while (speed() <= 0) {
      before = speed();
      world.step(h);
    }
    EXPECT_NEAR(speed(), -e * before, 1e-4 * -before);
    while (speed() > 0) {
      world.step(h);
      top = std::max(top, height());
    }
    EXPECT_NEAR(top, e * e * apex, tolerance * e * e * apex);
    EXPECT_LE(top, e * e * apex * (1 + 1e-6));
    apex = top;
  }
}
// With small steps, since a free fall in semi-implicit steps loses v h/2 of its height on the way down and again on
// the way up.
TEST(Restitution, bounces_to_e_squared_of_the_height) {
  for (const double e : {0.5, 0.8})
    for (const double drop : {0.7, 1.0, 2.0, 5.0}) {
      check_bounces<Dim2>(e, drop, 1e-4, 0.02);
      check_bounces<Dim3>(e, drop, 1e-4, 0.02);
    }
}
TEST(Restitution, never_brings_a_ball_higher_than_it_was) {
  for (const double e : {0.5, 0.8, 1.0})
    for (const double drop : {0.7, 1.0, 2.0, 5.0}) {
      check_bounces<Dim2>(e, drop, k_h, 1);
      check_bounces<Dim3>(e, drop, k_h, 1);
    }
}

// ------------------------------------------------------------------------------------------------- forces

// [N·s] that contacts gave a body in the last step
template <class D>
typename D::Vec contact_impulse(const World<D>& world, BodyId body) {
  typename D::Vec sum{};
  for (const Contact<D>& contact : world.contacts(body))
    for (const ContactPatch<D>& patch : contact.patches)
      for (const ContactPoint<D>& point : patch.points)
        sum += (contact.b.body == body ? 1.0 : -1.0) * point.impulse;
  return sum;
}

template <class D>
struct Stack {
  World<D> world;
  BodyId floor;
  std::vector<BodyId> bodies{};
  double weight = 0;  // [N]

  explicit Stack(Precision precision) : world({.method = {.solver = SoftStep{.precision = precision}}}) {
    floor = add_floor(world, rubbing(0.5));
    for (int i = 0; i < 5; ++i) {  // dropped, a little askew
      bodies.push_back(world.create(
          {.position = (0.25 + 0.52 * i) * Space<D>::k_up + (i % 2 ? 0.05 : 0.0) * Space<D>::k_along,
           .shapes = {{Space<D>::block(0.25), {.material = rubbing(0.5)}}}}));
      weight += world.mass(bodies.back()).mass * k_g;
    }
  }
  // Newton's law for a step: what the contacts told is m Δv less gravity's impulse. Returns the largest difference,
  // as a part of the stack's weight.
  double step() {
    std::vector<typename D::Vec> before;
    for (const BodyId body : bodies) before.push_back(world.velocity(body).linear);
    world.step(k_h);
    double worst = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto change = world.velocity(bodies[i]).linear - before[i] + k_g * k_h * Space<D>::k_up;
      const auto rest = world.mass(bodies[i]).mass * change - contact_impulse(world, bodies[i]);
      worst = std::max(worst, length(rest) / (weight * k_h));
    }
    return worst;
  }
};
template <class D>
void check_weight(Precision precision, double tolerance) {
  Stack<D> stack(precision);
  play(stack.world, 4);
  const auto carried = (-1 / k_h) * contact_impulse(stack.world, stack.floor);
  EXPECT_NEAR(dot(carried, Space<D>::k_up) / stack.weight, 1, tolerance);
  EXPECT_NEAR(dot(carried, Space<D>::k_along) / stack.weight, 0, tolerance);
}
template <class D>
void check_newton(Precision precision, double tolerance) {
  Stack<D> stack(precision);
  double worst = 0;
  for (int i = 0; i < 240; ++i) worst = std::max(worst, stack.step());
  EXPECT_LE(worst, tolerance) << "of the weight";
}
TEST(ContactForces, of_a_stack_at_rest_sum_to_its_weight) {
  check_weight<Dim2>(Precision::single_lanes, 1e-4);
  check_weight<Dim3>(Precision::single_lanes, 1e-4);
}
TEST(ContactForces, of_a_stack_at_rest_sum_to_its_weight_with_double_lanes) {
  check_weight<Dim2>(Precision::double_lanes, 1e-9);
  check_weight<Dim3>(Precision::double_lanes, 1e-9);
}
TEST(ContactForces, are_mass_times_acceleration_less_gravity) {
  check_newton<Dim2>(Precision::single_lanes, 1e-4);
  check_newton<Dim3>(Precision::single_lanes, 1e-4);
  check_newton<Dim2>(Precision::double_lanes, 1e-9);
  check_newton<Dim3>(Precision::double_lanes, 1e-9);
}

// A smooth ball spins on the spot, as a of its contact and as b: the floor pushes straight up.
TEST(ContactForces, are_told_in_world_axes_for_bodies_that_turn) {
  for (const bool ball_is_a : {true, false}) {
    World3 world;
    const auto add_ball = [&] {
      return world.create({.position = {0, 0, 0.5},
                           .angular_velocity = {0, 10, 0},
                           .shapes = {{Sphere{.radius = 0.5}, {.material = rubbing(0)}}}});
    };
    BodyId ball;
    if (ball_is_a) ball = add_ball();
    add_floor(world, rubbing(0));
    if (!ball_is_a) ball = add_ball();
    play(world, 1);
    EXPECT_NEAR(contact_impulse(world, ball).x / (world.mass(ball).mass * k_g * k_h), 0, 1e-4) << ball_is_a;
  }
}

// ------------------------------------------------------------------------------- conveyors and resistances

template <class D>
void check_conveyor() {
  World<D> world;
  add_floor(world, rubbing(0.5), 2.0 * Space<D>::k_along);
  const BodyId box = world.create(
      {.position = 0.25 * Space<D>::k_up, .shapes = {{Space<D>::block(0.25), {.material = rubbing(0.5)}}}});
  play(world, 0.1);
  const double before = speed_along(world, box);
  play(world, 0.2);
  EXPECT_NEAR(speed_along(world, box) - before, 0.5 * k_g * 0.2, 1e-3 * 0.5 * k_g * 0.2);
  play(world, 2);
  EXPECT_NEAR(length(world.velocity(box).linear - 2.0 * Space<D>::k_along), 0, 1e-3);
}
// A box that stands, lifts off, and falls back: what it is too far away from to meet in a step is not solved, tells no force,
// and stops it as softly as before.
TEST(ContactForces, are_none_where_bodies_only_pass) {
  World3 world({.gravity = {0, 0, -k_g}});
  add_floor(world, Material{});
  const BodyId box = world.create({.position = {0, 0, 0.5}, .shapes = {Space<Dim3>::block(0.5)}});
  const BodyId neighbour = world.create({.position = {0, 2.015, 0.5}, .shapes = {Space<Dim3>::block(0.5)}});
  for (int i = 0; i < 30; ++i) world.step(k_h);
  EXPECT_EQ(world.report().solve.contacts, 2u);
  EXPECT_EQ(world.contacts().size(), 3u);
  world.set_velocity(box, {{0, 0, 0.6}, {}});
  std::size_t passing = 0;
  double lowest = 1, fastest = 0;
  for (int i = 0; i < 60; ++i) {
    const StepReport3& report = world.step(k_h);
    const double height = world.center(box).z - 0.5;
    lowest = smaller(lowest, height);
    fastest = larger(fastest, -world.velocity(box).linear.z);
    Vec3 sum{};
    for (const Contact3& contact : world.contacts(box))
      for (const ContactPatch<Dim3>& patch : contact.patches)
        for (const ContactPoint<Dim3>& point : patch.points) sum += point.impulse;
    if (height > 2e-3 && i > 1) {
      EXPECT_EQ(length(sum), 0) << i;
    }
    passing += height > 0.01 && report.solve.contacts == 1;
  }
  EXPECT_GT(passing, 2u);
  EXPECT_GT(lowest, -2e-3);
  EXPECT_LT(fastest, 0.65);
  // Struck, it meets its neighbour however far that was.
  world.set_velocity(box, {{0, 5, 0}, {}});
  for (int i = 0; i < 3; ++i) world.step(k_h);
  EXPECT_GT(world.center(neighbour).y - world.center(box).y, 1.98);
  EXPECT_GT(world.velocity(neighbour).linear.y, 1);
}

TEST(Conveyor, carries_a_box_at_its_speed) {
  check_conveyor<Dim2>();
  check_conveyor<Dim3>();
}

// A rolling ball: the torque ρ N about the point it rolls on slows it by ρ g/(c r), c m r² its inertia there.
template <class D>
void check_rolling(double resistance) {
  World<D> world;
  const Material material{.rolling_resistance = resistance};
  add_floor(world, material);
  const double radius = 0.5, speed = 2;
  const BodyId ball = world.create({.position = radius * Space<D>::k_up,
                                    .velocity = speed * Space<D>::k_along,
                                    .angular_velocity = (speed / radius) * Space<D>::k_roll,
                                    .shapes = {{Space<D>::ball(radius), {.material = material}}}});
  play(world, 0.5);
  const double before = speed_along(world, ball);
  play(world, 1);
  const double slower = resistance * k_g / (Space<D>::k_rolling * radius);  // [m/s] in a second
  EXPECT_NEAR(before - speed_along(world, ball), slower, 0.01 * slower + 1e-4);
  if (resistance == 0) return;
  play(world, speed / slower);
  EXPECT_NEAR(speed_along(world, ball), 0, 1e-4);
}
TEST(RollingResistance, slows_a_ball_until_it_stops) {
  for (const double resistance : {0.0, 0.05}) {
    check_rolling<Dim2>(resistance);
    check_rolling<Dim3>(resistance);
  }
}

// A ball that rolls on a flat floor neither sinks nor moves up or down.
// The floor is where it is although the contact's point on the ball is carried round with it in the substeps.
template <class D>
void check_rolls_level(double radius, double speed) {
  World<D> world;
  add_floor(world, rubbing(0.6));
  const BodyId ball = world.create({.position = radius * Space<D>::k_up,
                                    .velocity = speed * Space<D>::k_along,
                                    .angular_velocity = (speed / radius) * Space<D>::k_roll,
                                    .shapes = {{Space<D>::ball(radius), {.material = rubbing(0.6)}}}});
  play(world, 2);
  EXPECT_NEAR(dot(world.velocity(ball).linear, Space<D>::k_up), 0, 1e-3)
      << radius << " m, " << speed << " m/s";
  EXPECT_NEAR(dot(world.center(ball), Space<D>::k_up), radius, 2e-4) << radius << " m, " << speed << " m/s";
  EXPECT_NEAR(speed_along(world, ball), speed, 1e-3 * speed) << radius << " m, " << speed << " m/s";
}
TEST(Rolling, is_level) {
  for (const double radius : {0.05, 0.25, 0.5})
    for (const double speed : {1.0, 5.0}) {
      check_rolls_level<Dim2>(radius, speed);
      check_rolls_level<Dim3>(radius, speed);
    }
}

// The torque σ N about the normal, of a ball on its point and of a disc that lies without friction.
TEST(SpinningResistance, slows_a_spinning_body_until_it_stops) {
  const Material material{.static_friction = 0, .kinetic_friction = 0, .spinning_resistance = 0.02};
  const double spin = 10;
  const std::vector<std::pair<Shape3, double>> shapes{{Sphere{.radius = 0.5}, 0.5},
                                                      {Cylinder{.radius = 0.5, .half_height = 0.1}, 0.1}};
  for (const auto& [shape, height] : shapes) {
    World3 world;
    add_floor(world, material);
    const BodyId top = world.create({.position = {0, 0, height},
                                     .angular_velocity = {0, 0, spin},
                                     .shapes = {{shape, {.material = material}}}});
    const MassProperties3 mass = world.mass(top);
    const double slower = 0.02 * mass.mass * k_g / mass.inertia.zz;  // [rad/s] in a second
    play(world, 0.5);
    const double before = world.velocity(top).angular.z;
    play(world, 1);
    EXPECT_NEAR(before - world.velocity(top).angular.z, slower, 0.01 * slower) << height;
    play(world, spin / slower);
    EXPECT_NEAR(world.velocity(top).angular.z, 0, 1e-4) << height;
  }
}

// Bodies of which one may not move along y nor turn about x: wedges that disagree about the way out must not throw it.
TEST(Contact, of_locked_bodies_creates_no_energy) {
  for (const int locked : {2, 4, 7, 8, 12, 17})
    for (const Precision precision : {Precision::single_lanes, Precision::double_lanes}) {
      World3 world({.method = {.solver = SoftStep{.precision = precision}}});
      world.create({.motion = Motion::fixed, .position = {0, 0, -1}, .shapes = {Box3{.half = {20, 20, 1}}}});
      for (int i = 0; i < 20; ++i) {
        const double density = i % 4 == 3 ? 4000 : 500;
        BodyDef3 body{.position = {0.15 * std::sin(1.7 * i), 0.15 * std::cos(2.3 * i), 0.6 + 0.55 * i}};
        if (i % 3 == 0)
          body.shapes = {{Sphere{.radius = 0.25}, {.density = density}}};
        else if (i % 3 == 1)
          body.shapes = {{Box3{.half = {0.4, 0.3, 0.2}}, {.density = density}}};
        else
          body.shapes = {{Capsule3{.radius = 0.2, .half_length = 0.2}, {.density = density}}};
        if (i == locked) body.locks = {.translation = {.y = true}, .rotation = {.x = true}};
        world.create(body);
      }
      const double start = world.energy().total();
      for (int i = 0; i < 200; ++i) {
        world.step(k_h);
        ASSERT_LE(world.energy().total(), start) << "body " << locked << ", step " << i;
      }
    }
}

}  // namespace
}  // namespace cairn
