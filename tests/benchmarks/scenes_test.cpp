#include "benchmarks/scenes/catalogue.h"

#include <cairn/error.h>
#include <gtest/gtest.h>

#include <numeric>

#include "benchmarks/evaluate.h"

namespace cairn::bench {
namespace {

template <class F>
void visit_scene(std::string_view name, const SceneOptions& options, F&& f) {
  std::visit(f, make_scene(name, options));
}

TEST(Scenes, have_the_documented_numbers_of_bodies_and_joints) {
  struct Numbers {
    const char* scene;
    std::size_t dynamic, fixed, joints;
  };
  const Numbers expected[] = {
      {"pyramid3d", 20 * 21 * 41 / 6, 1, 0},
      {"wall3d", 44 * 45 / 2, 1, 0},
      {"pile3d", 3000, 1, 0},
      {"ragdolls", 1100, 1, 1000},
      {"chain", 21, 1, 21},
      {"chain_vert", 21, 1, 21},
      {"stack20", 20, 1, 0},
      {"stack_mass", 10, 1, 0},
      {"stack_mass_1000", 10, 1, 0},
      {"large_pyramid", 5050, 1, 0},
      {"many_pyramids", 22000, 1, 0},
      {"joint_grid", 10000 - 7, 7, 19800},
      {"tumbler", 45 * 45 + 1, 1, 1},
      {"spinner", 6076 + 1, 1, 1},
      {"smash", 9601, 0, 0},
  };
  EXPECT_EQ(std::size(expected), scenes().size());
  for (const Numbers& numbers : expected)
    visit_scene(numbers.scene, {}, [&](const auto& scene) {
      std::size_t dynamic = 0, fixed = 0;
      for (const auto& body : scene.bodies) {
        dynamic += body.motion == Motion::dynamic;
        fixed += body.motion == Motion::fixed;
      }
      EXPECT_EQ(dynamic, numbers.dynamic) << numbers.scene;
      EXPECT_EQ(fixed, numbers.fixed) << numbers.scene;
      EXPECT_EQ(scene.bodies.size(), dynamic + fixed) << numbers.scene;
      EXPECT_EQ(scene.joints.size(), numbers.joints) << numbers.scene;
      EXPECT_EQ(scene.name, numbers.scene);
    });
}

TEST(Scenes, start_without_overlaps) {
  for (const SceneInfo& info : scenes())
    visit_scene(info.name, {}, [&]<class D>(const Scene<D>& scene) {
      const Overlaps<D> found = Evaluator<D>(scene).overlaps(start_of(scene));
      EXPECT_LE(found.deepest, 1e-9) << info.name << ": bodies " << found.a << " and " << found.b;
    });
}

// The evaluator does not judge chains.
TEST(Scenes, the_spinner_starts_inside_its_circle) {
  const Scene2 scene = make_scene_2d("spinner");
  const double apothem = 40 * portable::cos(k_pi / 360);  // [m] the nearest the edges come to the middle
  for (const Body<Dim2>& body : scene.bodies) {
    if (body.motion != Motion::dynamic) continue;
    const Shape2& shape = scene.shapes[body.parts[0].shape];
    for (int i = 0; i < 64; ++i) {
      const Vec2 out = Rot2::from_angle(i * k_pi / 32) * Vec2{1, 0};
      const Vec2 point = to_world(body.pose, support(shape, inverse(body.pose.rotation) * out));
      EXPECT_LT(dot(point, out), apothem);
    }
  }
}

void expect_principal(double, double, std::string_view) {}
void expect_principal(const Sym3& inertia, double tolerance, std::string_view scene) {
  EXPECT_NEAR(inertia.xy, 0, tolerance) << scene;
  EXPECT_NEAR(inertia.xz, 0, tolerance) << scene;
  EXPECT_NEAR(inertia.yz, 0, tolerance) << scene;
}

TEST(Scenes, frames_are_at_the_centre_of_mass_and_along_principal_axes) {
  for (const SceneInfo& info : scenes())
    visit_scene(info.name, {}, [&](const auto& scene) {
      for (const auto& mass : masses(scene)) {
        EXPECT_NEAR(length(mass.center), 0, 1e-12) << info.name;
        expect_principal(mass.inertia, 1e-12 * (mass.mass + 1), info.name);
      }
    });
}

TEST(Scenes, bodies_weigh_what_they_should) {
  const auto mass = [](const char* scene, std::size_t body) {
    return masses(make_scene_3d(scene, {}))[body].mass;
  };
  EXPECT_NEAR(mass("pyramid3d", 1), 1000, 1e-9);
  EXPECT_NEAR(mass("stack20", 20), 125, 1e-9);
  EXPECT_NEAR(mass("stack_mass", 9), 10, 1e-9);
  EXPECT_NEAR(mass("stack_mass", 10), 1000, 1e-9);
  EXPECT_NEAR(mass("stack_mass_1000", 10), 10000, 1e-8);
  EXPECT_NEAR(mass("chain", 1), 1, 1e-12);
  EXPECT_NEAR(mass("chain", 21), 1000, 1e-9);
}

TEST(Scenes, the_pile_has_a_quarter_of_each_kind) {
  const Scene3 scene = make_scene_3d("pile3d");
  int spheres = 0, boxes = 0, capsules = 0, hulls = 0;
  for (const Body<Dim3>& body : scene.bodies) {
    if (body.motion != Motion::dynamic) continue;
    const Shape3& shape = scene.shapes[body.parts[0].shape];
    spheres += std::holds_alternative<Sphere>(shape);
    boxes += std::holds_alternative<Box3>(shape);
    capsules += std::holds_alternative<Capsule3>(shape);
    hulls += std::holds_alternative<Hull>(shape);
  }
  EXPECT_EQ(spheres, 750);
  EXPECT_EQ(boxes, 750);
  EXPECT_EQ(capsules, 750);
  EXPECT_EQ(hulls, 750);
}

TEST(Scenes, joints_of_a_humanoid_hold_all_of_it_together) {
  const Scene3 scene = make_scene_3d("ragdolls", {.size = 3});
  std::vector<std::size_t> root(scene.bodies.size());
  std::iota(root.begin(), root.end(), 0u);
  int hinges = 0, cones = 0;
  for (const Joint<Dim3>& joint : scene.joints) {
    hinges += joint.kind == JointKind::hinge && joint.limits.has_value();
    cones += joint.kind == JointKind::cone_twist && joint.cone > 0 && joint.twist > 0;
    EXPECT_NEAR(length(joint.axis), 1, 1e-12);
    std::replace(root.begin(), root.end(), root[joint.b], root[joint.a]);
    // Between the two parts, so that they can turn about it.
    for (const std::size_t body : {joint.a, joint.b})
      EXPECT_LT(length(joint.anchor - scene.bodies[body].pose.position), 0.25);
  }
  EXPECT_EQ(hinges, 12);
  EXPECT_EQ(cones, 18);
  for (std::size_t i = 0; i < 33; ++i) EXPECT_EQ(root[1 + i], root[1 + i / 11 * 11]);
  EXPECT_NE(root[1], root[12]);
}

TEST(Scenes, come_in_other_sizes_and_lengths) {
  EXPECT_EQ(make_scene_3d("pyramid3d", {.size = 8}).bodies.size(), 1u + 8 * 9 * 17 / 6);
  EXPECT_EQ(make_scene_2d("large_pyramid", {.size = 20}).bodies.size(), 1u + 210);
  EXPECT_EQ(make_scene_2d("large_pyramid", {.steps = 7}).steps, 7);
  EXPECT_EQ(make_scene_2d("large_pyramid").steps, 500);
  for (const SceneInfo& info : scenes())  // the smallest of each can still be made
    visit_scene(info.name, {.size = 1}, [&](const auto& scene) { EXPECT_FALSE(scene.bodies.empty()); });
}

TEST(Scenes, refuse_what_is_not_there) {
  EXPECT_THROW(make_scene("wall4d"), Error);
  EXPECT_THROW(make_scene("wall3d", {.size = -1}), Error);
  EXPECT_THROW(make_scene("wall3d", {.steps = -1}), Error);
}

}  // namespace
}  // namespace cairn::bench
