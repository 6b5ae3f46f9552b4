// A world in which everything happens: a pile of all shapes on uneven ground, machines, joints that break, springs,
// shots, a sensor, and a user who makes, moves and destroys things between the steps. And all that can be seen of it.
//
// What the user does depends only on the number of the step and on what stands in which slot. So a run that starts from
// a saved state is treated as the one it was saved in.
#pragma once

#include <cairn/cairn.h>

#include <bit>
#include <cstdint>
#include <ostream>
#include <vector>

namespace cairn::busy {

class Random {  // SplitMix64
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  std::size_t below(std::size_t n) { return std::size_t(bits() % n); }
  double uniform(double lo, double hi) { return lo + (hi - lo) * double(bits() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

// Places over the ground: across in [−1, 1], height in [m].
inline Vec2 place(Dim2, Random& random, double height) { return {random.uniform(-1.6, 1.6), height}; }
inline Vec3 place(Dim3, Random& random, double height) {
  const double x = random.uniform(-1.2, 1.2), y = random.uniform(-1.2, 1.2);
  return {x, y, height};
}
inline Rot2 turned(Dim2, Random& random) { return rotation_of(random.uniform(-3, 3)); }
inline Rot3 turned(Dim3, Random& random) {
  const double x = random.uniform(-2, 2), y = random.uniform(-2, 2), z = random.uniform(-2, 2);
  return rotation_of(Vec3{x, y, z});
}
inline Vec2 along(Dim2, double x, double up) { return {x, up}; }
inline Vec3 along(Dim3, double x, double up) { return {x, 0, up}; }

inline Shape2 ground(Dim2) {
  Chain bowl;
  for (int i = 0; i <= 16; ++i) {
    const double x = -4 + 0.5 * i;
    bowl.points.push_back({x, 0.12 * x * x});
  }
  return bowl;
}
inline Shape3 ground(Dim3) {
  Mesh bowl;
  for (int j = 0; j < 11; ++j)
    for (int i = 0; i < 11; ++i) {
      const double x = 0.8 * (i - 5), y = 0.8 * (j - 5);
      bowl.vertices.push_back({x, y, 0.12 * (x * x + y * y)});
    }
  for (std::uint32_t j = 0; j < 10; ++j)
    for (std::uint32_t i = 0; i < 10; ++i) {
      const std::uint32_t k = 11 * j + i;
      bowl.triangles.push_back({k, k + 1, k + 12});
      bowl.triangles.push_back({k, k + 12, k + 11});
    }
  return bowl;
}
inline Shape2 some_shape(Dim2, std::size_t i) {
  const Compound2 dumbbell{
      .parts = {{Circle{.radius = 0.12}, {-0.2, 0}}, {Circle{.radius = 0.15}, {0.2, 0}}}};
  const Shape2 all[] = {Circle{.radius = 0.2}, Box2{.half = {0.25, 0.15}},
                        Capsule2{.radius = 0.12, .half_length = 0.15},
                        Polygon{.points = {{0.25, 0}, {0, 0.2}, {-0.2, 0.05}, {-0.1, -0.2}}}, dumbbell};
  return all[i % 5];
}
inline Shape3 some_shape(Dim3, std::size_t i) {
  const Hull rock{.points = {{0.25, 0, 0}, {-0.2, 0.2, 0}, {-0.2, -0.2, 0.1}, {0, 0, 0.3}, {0.1, 0.2, -0.2}}};
  const Compound3 dumbbell{
      .parts = {{Sphere{.radius = 0.12}, {-0.2, 0, 0}}, {Box3{.half = {0.1, 0.1, 0.15}}, {0.2, 0, 0}}}};
  const Shape3 all[] = {Sphere{.radius = 0.2},
                        Box3{.half = {0.25, 0.15, 0.2}},
                        Capsule3{.radius = 0.12, .half_length = 0.15},
                        Cylinder{.radius = 0.2, .half_height = 0.12},
                        Cone{.radius = 0.2, .half_height = 0.15},
                        rock,
                        dumbbell};
  return all[i % 7];
}

template <class D>
BodyId drop(World<D>& world, Random& random, std::size_t i, double height) {
  const auto where = place(D{}, random, height);
  return world.create({.name = "thing " + std::to_string(i),
                       .position = where,
                       .rotation = turned(D{}, random),
                       .shapes = {{some_shape(D{}, i), {.material = {.restitution = i % 3 == 0 ? 0.4 : 0.}}}},
                       .user_data = i});
}

// A chain that hangs, a driven arm, a servo on rails, a cylinder and a plank that breaks; springs to the pile.
template <class D>
void add_machines(World<D>& world) {
  const auto box = [&](double x, double up, double half) {
    return world.create({.position = along(D{}, x, up), .shapes = {some_shape(D{}, 0)}, .mass = 100 * half});
  };
  const auto at = [](double x, double up) {
    JointFrame<D> frame;
    frame.origin = along(D{}, x, up);
    return frame;
  };
  BodyId above = world.background();
  for (int i = 0; i < 4; ++i) {
    const BodyId link = box(-2 + 0.5 * (i + 1), 3, 0.1);
    world.create(
        HingeDef<D>{.a = above, .b = link, .frame = at(-2 + 0.5 * i, 3), .friction = i == 2 ? 1. : 0.});
    above = link;
  }
  const BodyId arm = box(0.6, 1.2, 0.3);
  world.create(HingeDef<D>{
      .a = world.background(),
      .b = arm,
      .frame = at(0, 1.2),
      .drive = VelocityDrive{.speed = SineTerm{.amplitude = 6, .period = 0.7}, .max_effort = 800}});
  const BodyId sled = box(0, 2.2, 0.2);
  world.create(
      SliderDef<D>{.a = world.background(),
                   .b = sled,
                   .frame = at(0, 2.2),
                   .limits = Limits{-1, 1},
                   .drive = ServoDrive{.target = TableTerm{.times = {0, 0.5, 1}, .values = {0, 0.8, -0.8}}}});
  const BodyId piston = box(2, 2.5, 0.2);
  world.create(HydraulicDef<D>{.a = sled,
                               .b = piston,
                               .anchor_a = along(D{}, 0, 2.2),
                               .anchor_b = along(D{}, 2, 2.5),
                               .state = Hydraulic::extend,
                               .max_force = 3000,
                               .min_length = 0.5,
                               .max_length = 3});
  BodyId held = world.background();
  for (int i = 0; i < 3; ++i) {
    const BodyId plank = box(1.5 + 0.4 * i, 1.7, 0.2);
    world.create(FixedDef<D>{
        .a = held, .b = plank, .frame = at(1.3 + 0.4 * i, 1.7), .break_force = 600, .break_torque = 260});
    held = plank;
  }
  world.create(SpringDef<D>{.a = arm, .b = held, .stiffness = 200, .damping = 2, .rest_length = 0.5});
  world.create(SpringDef<D>{
      .a = world.background(), .b = held, .anchor_a = along(D{}, 2, 4), .stiffness = 100, .rest_length = 1});
}

template <class D>
void build(World<D>& world, std::size_t things = 50) {
  Random random(5);
  world.create({.name = "ground", .motion = Motion::fixed, .shapes = {ground(D{})}});
  world.create({.name = "gate",
                .motion = Motion::fixed,
                .position = along(D{}, 0, 0.3),
                .shapes = {{some_shape(D{}, 1), {.sensor = true}}}});
  const auto turn = turned(D{}, random);
  world.create({.name = "stirrer",
                .motion = Motion::kinematic,
                .position = along(D{}, 0.3, 0.4),
                .rotation = turn,
                .velocity = along(D{}, -0.3, 0),
                .shapes = {some_shape(D{}, 1)}});
  add_machines(world);
  for (std::size_t i = 0; i < things; ++i) drop(world, random, i, 0.6 + 0.12 * double(i));
}

// What the user does before step `k`.
template <class D>
void act(World<D>& world, int k) {
  Random random(1000 + std::uint64_t(k));
  const std::vector<BodyId> bodies = world.bodies();
  const auto dynamic_one = [&] {
    for (;;)
      if (const BodyId body = bodies[random.below(bodies.size())];
          world.contains(body) && world.motion(body) == Motion::dynamic)
        return body;
  };
  if (k % 3 == 0) world.apply_force(dynamic_one(), along(D{}, 200, 300));
  if (k % 7 == 3) world.apply_impulse(dynamic_one(), along(D{}, -20, 30));
  if (k % 10 == 4) {  // a shot, through the pile
    const auto from = along(D{}, -3.9, 0.4 + 0.01 * (k % 50));
    world.create(
        {.name = "shot", .position = from, .velocity = along(D{}, 250, 0), .shapes = {some_shape(D{}, 0)}});
  }
  if (k % 8 == 5) drop(world, random, std::size_t(k), 2.5);
  if (k % 6 == 2) world.destroy(dynamic_one());
  if (k % 9 == 1) {
    const BodyId a = dynamic_one(), b = dynamic_one();
    if (a != b)
      world.create(DistanceDef<D>{.a = a,
                                  .b = b,
                                  .anchor_a = world.center(a),
                                  .anchor_b = world.center(b),
                                  .limits = Limits{0.1, 3}});
  }
  if (k % 14 == 6 && !world.joints().empty())
    world.destroy(world.joints()[random.below(world.joints().size())]);
  if (k % 11 == 7) world.set_exempt(dynamic_one(), bodies[0], k % 2 == 0);
  if (k % 13 == 8) world.set_material({dynamic_one(), 0}, {.static_friction = 0.1, .kinetic_friction = 0.05});
  if (k % 17 == 9) world.set_gravity(along(D{}, 0.5, -9 - 0.1 * (k % 5)));
  if (k % 15 == 10) world.set_shapes(dynamic_one(), {some_shape(D{}, std::size_t(k))});
  if (k % 19 == 11) world.set_pose(dynamic_one(), {place(D{}, random, 2), turned(D{}, random)});
}

// All that can be seen of a world, to the last bit; things are named by their slots.
struct Print {
  std::vector<std::uint64_t> words;
  bool operator==(const Print&) const = default;
  friend void PrintTo(const Print& print, std::ostream* out) {  // for GoogleTest
    *out << print.words.size() << " words, hash " << print.words[0];
  }
  void add(std::uint64_t x) { words.push_back(x); }
  void add(double x) { words.push_back(std::bit_cast<std::uint64_t>(x)); }
  void add(const Vec2& v) { add(v.x), add(v.y); }
  void add(const Vec3& v) { add(v.x), add(v.y), add(v.z); }
  void add(const ShapeRef& s) { add(std::uint64_t{s.body.index()} << 32 | s.shape); }
  template <class D>
  void add_load(const Wrench<D>& w) {
    add(w.force), add(w.torque);
  }
};

template <class D>
Print print_of(const World<D>& world) {
  Print print;
  print.add(world.state_hash());
  print.add(world.time());
  print.add(world.gravity());
  for (const Contact<D>& contact : world.contacts()) {
    print.add(contact.a), print.add(contact.b), print.add(std::uint64_t{contact.touching});
    print.add(contact.material.static_friction);
    for (const auto& patch : contact.patches) {
      print.add(patch.normal);
      for (const auto& p : patch.points)
        print.add(p.point), print.add(p.separation), print.add(p.impulse), print.add(std::uint64_t{p.age});
    }
  }
  for (const ContactEvent<D>& e : world.events()) {
    print.add(std::uint64_t(e.kind)), print.add(e.a), print.add(e.b), print.add(e.time), print.add(e.point);
    print.add(e.normal), print.add(e.impulse), print.add(e.velocity_a), print.add(e.velocity_b);
  }
  for (const JointId joint : world.joints()) {
    print.add(std::uint64_t{joint.index()});
    print.template add_load<D>(world.reaction(joint));
    for (int i = 0; i < world.axis_count(joint); ++i)
      print.add(world.coordinate(joint, i).position), print.add(world.coordinate(joint, i).speed);
    print.add(world.anchors(joint).a), print.add(world.anchors(joint).b);
  }
  for (const JointBreak<D>& gone : world.broken()) {
    print.add(std::uint64_t{gone.joint.index()}), print.add(gone.time);
    print.template add_load<D>(gone.load);
  }
  for (const BodyId body : world.bodies()) {
    print.add(world.mass(body).mass), print.add(world.user_data(body));
    print.add(std::uint64_t{world.name(body).size()}),
        print.add(std::uint64_t(world.shapes(body)[0].shape.index()));
  }
  const StepReport<D>& r = world.report();
  print.add(std::uint64_t(r.status)), print.add(std::uint64_t(r.step)), print.add(r.h);
  print.add(std::uint64_t{r.collision.pairs}), print.add(std::uint64_t{r.collision.recycled});
  print.add(std::uint64_t{r.collision.fast}), print.add(std::uint64_t{r.collision.held_back});
  print.add(r.energy.total()), print.add(r.energy.interventions), print.add(r.energy.causes());
  print.add(r.energy.friction), print.add(r.momentum.linear), print.add(r.residual.rms);
  return print;
}

}  // namespace cairn::busy
