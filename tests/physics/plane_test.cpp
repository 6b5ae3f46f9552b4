// What happens in a plane is the same in 2D and in a 3D world locked to that plane.
#include <cairn/cairn.h>
#include <gtest/gtest.h>

namespace cairn {
namespace {

Vec3 lifted(const Vec2& v) { return {v.x, v.y, 0}; }

// Three bodies of different shapes, tied by springs at off-centre anchors, falling; one is kinematic.
struct Planar {
  World2 flat;
  World3 locked;
  std::vector<BodyId> in_2d, in_3d;

  explicit Planar(const Integrator& integrator)
      : flat({.method = {.integrator = integrator}}),
        locked({.gravity = {0, -9.81, 0}, .method = {.integrator = integrator}}) {
    add(Motion::dynamic, {0, 0}, 0.3, {1, 2}, 3, {Box2{.half = {0.5, 0.2}}}, {Box3{.half = {0.5, 0.2, 0.5}}});
    // off-centre, so that the centre of mass is not the origin; and a 3D inertia with products about x and y
    add(Motion::dynamic, {2, 1}, -1, {0, 0}, -2, {{Circle{.radius = 0.4}, {.position = {0.3, 0.1}}}},
        {{Sphere{.radius = 0.4}, {.position = {0.3, 0.1, 0.2}}}});
    add(Motion::kinematic, {1, 3}, 0, {0.2, 0}, 0.5, {}, {});
    spring(0, 1, {0.4, 0.1}, {-0.2, 0.3}, 30, 0.5, 0.8);
    spring(1, 2, {0.3, 0.1}, {0.5, 0}, 60, 1, 1);
  }
  void add(Motion motion, Vec2 position, double angle, Vec2 velocity, double spin,
           std::vector<ShapeDef2> shapes_2d, std::vector<ShapeDef3> shapes_3d) {
    const bool dynamic = motion == Motion::dynamic;
    for (ShapeDef2& shape : shapes_2d) shape.filter.mask = 0;  // springs alone
    for (ShapeDef3& shape : shapes_3d) shape.filter.mask = 0;
    const BodyDef2 def{.motion = motion,
                       .position = position,
                       .rotation = Rot2::from_angle(angle),
                       .velocity = velocity,
                       .angular_velocity = spin,
                       .shapes = std::move(shapes_2d),
                       .mass = dynamic ? std::optional(2.0) : std::nullopt,
                       .inertia = dynamic ? std::optional(0.5) : std::nullopt};
    in_2d.push_back(flat.create(def));
    in_3d.push_back(locked.create(
        {.motion = motion,
         .position = lifted(position),
         .rotation = Rot3::from_axis_angle({0, 0, 1}, angle),
         .velocity = lifted(velocity),
         .angular_velocity = {0, 0, spin},
         .shapes = std::move(shapes_3d),
         .mass = def.mass,
         .inertia = dynamic ? std::optional(Sym3{0.6, 0.7, 0.5, 0.05, 0.04, -0.03}) : std::nullopt,
         .locks = k_planar}));
  }
  void spring(std::size_t a, std::size_t b, Vec2 anchor_a, Vec2 anchor_b, double k, double c, double rest) {
    flat.create(SpringDef2{.a = in_2d[a],
                           .b = in_2d[b],
                           .anchor_a = anchor_a,
                           .anchor_b = anchor_b,
                           .stiffness = k,
                           .damping = c,
                           .rest_length = rest});
    locked.create(SpringDef3{.a = in_3d[a],
                             .b = in_3d[b],
                             .anchor_a = lifted(anchor_a),
                             .anchor_b = lifted(anchor_b),
                             .stiffness = k,
                             .damping = c,
                             .rest_length = rest});
  }
};

TEST(Plane, motion_in_2d_and_in_locked_3d_is_the_same) {
  for (const Integrator& integrator :
       {Integrator{SemiImplicitEuler{}}, Integrator{ExplicitEuler{}}, Integrator{ImplicitEuler{}},
        Integrator{VelocityVerlet{}}, Integrator{Newmark{}}, Integrator{RungeKutta4{}},
        Integrator{Conserving{}}}) {
    Planar planar(integrator);
    for (int i = 0; i < 300; ++i) {
      planar.flat.step(0.01);
      planar.locked.step(0.01);
    }
    for (std::size_t i = 0; i < planar.in_2d.size(); ++i) {
      const Pose2 a = planar.flat.pose(planar.in_2d[i]);
      const Pose3 b = planar.locked.pose(planar.in_3d[i]);
      EXPECT_LE(length(lifted(a.position) - b.position), 1e-12) << i << " " << integrator.index();
      EXPECT_LE(length(lifted(a.rotation * Vec2{1, 0}) - b.rotation * Vec3{1, 0, 0}), 1e-12);
      const Twist2 u = planar.flat.velocity(planar.in_2d[i]);
      const Twist3 v = planar.locked.velocity(planar.in_3d[i]);
      EXPECT_LE(length(lifted(u.linear) - v.linear), 1e-12);
      EXPECT_LE(length(Vec3{0, 0, u.angular} - v.angular), 1e-12);
    }
  }
}

}  // namespace
}  // namespace cairn
