// A scene that any engine can be asked to play: bodies, joints, gravity and a number of steps. Nothing in it
// belongs to an engine, so that all are given the same problem and judged by the same yardsticks
// (benchmarks/evaluate.h).
//
// z is up in 3D and y in 2D; SI units. The frame of a dynamic body is at its centre of mass and along its
// principal axes: some engines know no other.
#pragma once

#include <cairn/body.h>
#include <cairn/shape.h>

#include <optional>
#include <string>
#include <vector>

namespace cairn::bench {

template <class D>
struct Part {
  std::size_t shape = 0;  // in Scene::shapes
  Pose<D> pose{};         // of the shape's frame in the body's
};

template <class D>
struct Body {
  Motion motion = Motion::dynamic;
  Pose<D> pose{};
  Twist<D> velocity{};  // of the frame's origin, in world axes
  std::vector<Part<D>> parts{};
  double density = 1000;       // [kg/m³], in 2D [kg/m²]
  int group = 0;               // bodies of one group other than 0 do not meet
  double angular_damping = 0;  // [1/s]
};

enum class JointKind {
  ball,        // one point in common
  hinge,       // and one axis; in the plane, hinge and ball are the same
  cone_twist,  // a ball whose axis stays in a cone, and which turns about it so far
};
struct AngleLimits {
  double lo = 0, hi = 0;  // [rad]
};
struct Motor {
  double speed = 0;       // [rad/s] of b against a, about the axis
  double max_torque = 0;  // [N·m]
};

// Angles are those of b against a, counter-clockwise about the axis, and 0 at the start.
template <class D>
struct Joint {
  JointKind kind = JointKind::ball;
  std::size_t a = 0, b = 0;             // in Scene::bodies
  typename D::Vec anchor{};             // [m] in the world, at the start
  typename D::Ang axis{};               // unit, in the world, at the start; not used in 2D, nor by balls
  std::optional<AngleLimits> limits{};  // of a hinge
  std::optional<Motor> motor{};         // of a hinge
  double cone = 0, twist = 0;  // [rad] of a cone_twist: how far its axis may lean, and turn either way
};

// What is asked of a scene, beside the speed and the velocities at its end. Joint errors are asked where
// there are joints.
struct Yardsticks {
  bool penetration = false;
  int penetration_steps = 1;  // measured in so many of the last steps
  bool drift = false;
  bool stands = false;
  bool energy = false;  // does nothing drive the bodies, so that their energy cannot grow?
};

template <class D>
struct Scene {
  using Vec = typename D::Vec;

  std::string name{};
  Vec gravity = D::k_gravity;  // [m/s²]
  double dt = 1.0 / 60;        // [s]
  int steps = 0;
  double friction = 0.6;  // of every contact
  double restitution = 0;
  bool collide_connected = false;  // do bodies meet that a joint connects?
  Yardsticks yardsticks{};
  std::vector<Shape<D>> shapes{};
  std::vector<Body<D>> bodies{};
  std::vector<Joint<D>> joints{};

  std::size_t add(Shape<D> shape) {
    shapes.push_back(std::move(shape));
    return shapes.size() - 1;
  }
  std::size_t add(Body<D> body) {
    bodies.push_back(std::move(body));
    return bodies.size() - 1;
  }
};
using Scene2 = Scene<Dim2>;
using Scene3 = Scene<Dim3>;

// Of every body, in its frame; zero unless dynamic.
template <class D>
std::vector<MassProperties<D>> masses(const Scene<D>& scene);

// Pairs of bodies that never meet because a joint connects them, in order, the lower number first.
template <class D>
std::vector<std::pair<std::size_t, std::size_t>> exempt_pairs(const Scene<D>& scene);

extern template std::vector<MassProperties2> masses(const Scene2&);
extern template std::vector<MassProperties3> masses(const Scene3&);
extern template std::vector<std::pair<std::size_t, std::size_t>> exempt_pairs(const Scene2&);
extern template std::vector<std::pair<std::size_t, std::size_t>> exempt_pairs(const Scene3&);

}  // namespace cairn::bench
