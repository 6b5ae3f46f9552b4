// Contacts do not depend on where in the world they are, nor on how they were found.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace cairn {
namespace {

// What the contacts of a world look like, to the last bit: shapes, features' ages, separations and normals.
struct Print {
  std::vector<std::uint64_t> words;
  void add(double x) { words.push_back(std::bit_cast<std::uint64_t>(x)); }
  void add(const Vec3& v) { add(v.x), add(v.y), add(v.z); }
  void add(const Vec2& v) { add(v.x), add(v.y); }
  bool operator==(const Print&) const = default;
};
template <class D>
Print print_of(const World<D>& world) {
  Print print;
  for (const Contact<D>& contact : world.contacts()) {
    print.words.insert(print.words.end(), {contact.a.body.index(), contact.a.shape, contact.b.body.index(),
                                           contact.b.shape, contact.touching});
    for (const auto& patch : contact.patches) {
      print.add(patch.normal);
      for (const auto& p : patch.points) {
        print.add(p.separation);
        print.words.push_back(p.age);
      }
    }
  }
  return print;
}

// Coordinates that stay exact when a power of two up to 2²⁰ is added.
double exact(double x) { return std::ldexp(std::round(std::ldexp(x, 30)), -30); }

Print contacts_of_a_heap(const Vec3& origin, BroadPhase method, int threads,
                         std::size_t* touching = nullptr) {
  World3 world({.gravity = {}, .broad_phase = method, .continuous = false, .threads = threads});
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::normal_distribution<double> normal;
  Mesh bowl;
  for (int j = 0; j < 13; ++j)
    for (int i = 0; i < 13; ++i) {
      const double x = exact(0.5 * (i - 6)), y = exact(0.5 * (j - 6));
      bowl.vertices.push_back({x, y, exact(0.1 * (x * x + y * y) - 2)});
    }
  for (std::uint32_t j = 0; j < 12; ++j)
    for (std::uint32_t i = 0; i < 12; ++i) {
      const std::uint32_t k = 13 * j + i;
      bowl.triangles.push_back({k, k + 1, k + 14});
      bowl.triangles.push_back({k, k + 14, k + 13});
    }
  world.create({.motion = Motion::fixed, .position = origin, .shapes = {bowl}});
  world.create({.motion = Motion::fixed, .position = origin, .shapes = {Plane{.offset = -1.9}}});
  const Hull rock{.points = {{0.3, 0, 0}, {-0.2, 0.3, 0}, {-0.2, -0.3, 0.1}, {0, 0, 0.4}, {0.1, 0.2, -0.3}}};
  const Shape3 shapes[] = {Sphere{.radius = 0.3},
                           Box3{.half = {0.3, 0.2, 0.25}},
                           Capsule3{.radius = 0.15, .half_length = 0.2},
                           Cylinder{.radius = 0.25, .half_height = 0.2},
                           Cone{.radius = 0.3, .half_height = 0.2},
                           rock};
  for (int i = 0; i < 150; ++i) {
    const Vec3 place{exact(1.5 * unit(random)), exact(1.5 * unit(random)), exact(1.5 * unit(random))};
    world.create(
        {.position = origin + place,
         .rotation = normalized(Rot3{normal(random), normal(random), normal(random), normal(random)}),
         .shapes = {shapes[i % 6]},
         .center = Vec3{},  // as exact anywhere as the position
         .locks = {.translation = {true, true, true}, .rotation = {true, true, true}}});  // and stays so
  }
  world.step(1.0 / 64);
  world.step(1.0 / 64);
  if (touching) *touching = world.report().collision.touching;
  return print_of(world);
}

TEST(LargeWorld, has_the_same_contacts_anywhere) {
  std::size_t touching = 0;
  const Print here = contacts_of_a_heap({}, BroadPhase::tree, 1, &touching);
  EXPECT_GT(touching, 200u);
  const Print there = contacts_of_a_heap({1048576, -1048576, 1048576}, BroadPhase::tree, 1);
  ASSERT_EQ(there.words.size(), here.words.size());
  for (std::size_t i = 0; i < here.words.size(); ++i)
    ASSERT_EQ(there.words[i], here.words[i]) << i << ": " << std::bit_cast<double>(there.words[i]) << " and "
                                             << std::bit_cast<double>(here.words[i]);
}

TEST(LargeWorld, has_the_same_contacts_with_any_broad_phase_and_team) {
  const Print one = contacts_of_a_heap({}, BroadPhase::tree, 1);
  for (const BroadPhase method : {BroadPhase::tree, BroadPhase::sweep_and_prune, BroadPhase::brute_force})
    for (const int threads : {1, 2, 3, 8})
      EXPECT_EQ(contacts_of_a_heap({}, method, threads), one) << name_of(method);
}

}  // namespace
}  // namespace cairn
