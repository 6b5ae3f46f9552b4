// Cairn itself, at its default settings.
#include <cairn/world.h>

#include <optional>

#include "benchmarks/engine.h"

namespace cairn::bench {
namespace {

template <class D>
HingeDef<D> hinge(const Joint<D>& joint, BodyId a, BodyId b, const JointFrame<D>& frame, bool collide) {
  HingeDef<D> def{.a = a, .b = b, .frame = frame, .collide_connected = collide};
  if (joint.limits) def.limits = Limits{joint.limits->lo, joint.limits->hi};
  if (joint.motor) def.drive = VelocityDrive{joint.motor->speed, joint.motor->max_torque};
  return def;
}
JointDef2 joint_definition(const Joint<Dim2>& joint, BodyId a, BodyId b, bool collide) {
  return hinge(joint, a, b, {.origin = joint.anchor}, collide);
}
JointDef3 joint_definition(const Joint<Dim3>& joint, BodyId a, BodyId b, bool collide) {
  if (joint.kind == JointKind::hinge)
    return hinge(joint, a, b, {.origin = joint.anchor, .axis = joint.axis}, collide);
  BallDef3 ball{.a = a, .b = b, .frame = {.origin = joint.anchor}, .collide_connected = collide};
  if (joint.kind == JointKind::cone_twist) {
    ball.frame.axis = joint.axis;
    ball.cone = joint.cone;
    ball.twist.limits = Limits{-joint.twist, joint.twist};
  }
  return ball;
}

template <class D>
class CairnEngine : public Engine<D> {
 public:
  explicit CairnEngine(int threads) : threads_(threads) {}
  std::string name() const override { return "cairn"; }
  int threads() const override { return threads_; }

  void build(const Scene<D>& scene) override {
    h_ = scene.dt;
    bodies_.clear();
    world_.emplace(
        WorldDef<D>{.gravity = scene.gravity, .threads = threads_, .accounting = Accounting::none});
    for (const Body<D>& body : scene.bodies) bodies_.push_back(world_->create(definition(scene, body)));
    const auto moves = [&](std::size_t body) { return scene.bodies[body].motion == Motion::dynamic; };
    for (const Joint<D>& joint : scene.joints)
      if (moves(joint.a) || moves(joint.b))  // others are refused: they hold nothing
        world_->create(joint_definition(joint, bodies_[joint.a], bodies_[joint.b], scene.collide_connected));
  }
  void step() override { world_->step(h_); }
  void read(std::span<BodyState<D>> states) const override {
    for (std::size_t i = 0; i < states.size(); ++i)
      states[i] = {world_->pose(bodies_[i]), world_->velocity(bodies_[i])};
  }

 private:
  static BodyDef<D> definition(const Scene<D>& scene, const Body<D>& body) {
    BodyDef<D> def{.motion = body.motion,
                   .position = body.pose.position,
                   .rotation = body.pose.rotation,
                   .velocity = body.velocity.linear,
                   .angular_velocity = body.velocity.angular,
                   .angular_damping = body.angular_damping};
    for (const Part<D>& part : body.parts)
      def.shapes.push_back({scene.shapes[part.shape],
                            {.position = part.pose.position,
                             .rotation = part.pose.rotation,
                             .density = body.density,
                             .material = {.static_friction = scene.friction,
                                          .kinetic_friction = scene.friction,
                                          .restitution = scene.restitution},
                             .filter = {.group = -body.group}}});
    return def;
  }

  int threads_;
  double h_ = 0;  // [s]
  std::optional<World<D>> world_;
  std::vector<BodyId> bodies_;
};

}  // namespace

std::unique_ptr<Engine<Dim2>> make_cairn_2d(int threads) {
  return std::make_unique<CairnEngine<Dim2>>(threads);
}
std::unique_ptr<Engine<Dim3>> make_cairn_3d(int threads) {
  return std::make_unique<CairnEngine<Dim3>>(threads);
}

}  // namespace cairn::bench
