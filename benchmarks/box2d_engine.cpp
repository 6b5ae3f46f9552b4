// Box2D 2.4.1, as Debian packages it: 8 iterations for velocities and 3 for positions, as its manual has
// them, single precision, one thread.
//
// It has no capsules: here they are a box and two discs. Its polygons keep their skin of 1 cm.
#include <box2d/box2d.h>
#include <cairn/error.h>

#include <algorithm>

#include "benchmarks/engine.h"

namespace cairn::bench {
namespace {

b2Vec2 converted(const Vec2& v) { return {float(v.x), float(v.y)}; }
Vec2 converted(const b2Vec2& v) { return {v.x, v.y}; }

class Box2dEngine : public Engine<Dim2> {
 public:
  std::string name() const override { return "box2d"; }
  int threads() const override { return 1; }

  void build(const Scene2& scene) override {
    bodies_.clear();
    dt_ = float(scene.dt);
    world_ = std::make_unique<b2World>(converted(scene.gravity));
    world_->SetAllowSleeping(false);
    const std::vector<MassProperties2> mass = masses(scene);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) add(scene, scene.bodies[i], mass[i]);
    for (const Joint<Dim2>& joint : scene.joints) add(scene, joint);
  }

  void step() override {
    constexpr int k_velocity_iterations = 8, k_position_iterations = 3;
    world_->Step(dt_, k_velocity_iterations, k_position_iterations);
  }

  void read(std::span<BodyState<Dim2>> states) const override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const b2Body& body = *bodies_[i];
      const b2Rot& rotation = body.GetTransform().q;
      states[i] = {{converted(body.GetPosition()), normalized(Rot2{rotation.c, rotation.s})},
                   {converted(body.GetLinearVelocity()), body.GetAngularVelocity()}};
    }
  }

 private:
  void add(const Scene2& scene, const Body<Dim2>& body, const MassProperties2& mass) {
    b2BodyDef def;
    def.type = body.motion == Motion::fixed       ? b2_staticBody
               : body.motion == Motion::kinematic ? b2_kinematicBody
                                                  : b2_dynamicBody;
    def.position = converted(body.pose.position);
    def.angle = float(body.pose.rotation.angle());
    def.linearVelocity = converted(body.velocity.linear);
    def.angularVelocity = float(body.velocity.angular);
    def.angularDamping = float(body.angular_damping);
    b2Body* made = world_->CreateBody(&def);
    for (const Part<Dim2>& part : body.parts) add(scene, body, part, *made);
    if (body.motion == Motion::dynamic) {
      // Not the fixtures' own: those of a capsule overlap. The centre is the body's origin.
      const b2MassData data{float(mass.mass), {0, 0}, float(mass.inertia)};
      made->SetMassData(&data);
    }
    bodies_.push_back(made);
  }

  static void add(const Scene2& scene, const Body<Dim2>& body, const Part<Dim2>& part, b2Body& made) {
    b2FixtureDef fixture;
    fixture.density = float(body.density);
    fixture.friction = float(scene.friction);  // Box2D takes the geometric mean
    fixture.restitution = float(scene.restitution);
    fixture.filter.groupIndex = std::int16_t(-body.group);
    const auto attach = [&](const b2Shape& shape) {
      fixture.shape = &shape;
      made.CreateFixture(&fixture);
    };
    const auto disc = [&](double radius, const Vec2& middle) {
      b2CircleShape shape;
      shape.m_radius = float(radius);
      shape.m_p = converted(to_world(part.pose, middle));
      attach(shape);
    };
    const auto box = [&](const Vec2& half) {
      b2PolygonShape shape;
      shape.SetAsBox(float(half.x), float(half.y), converted(part.pose.position),
                     float(part.pose.rotation.angle()));
      attach(shape);
    };
    const Shape2& shape = scene.shapes[part.shape];
    if (const auto* s = std::get_if<Circle>(&shape)) {
      disc(s->radius, {0, 0});
    } else if (const auto* b = std::get_if<Box2>(&shape)) {
      box(b->half);
    } else if (const auto* c = std::get_if<Capsule2>(&shape)) {
      box({c->radius, c->half_length});
      disc(c->radius, {0, -c->half_length});
      disc(c->radius, {0, c->half_length});
    } else if (const auto* chain = std::get_if<Chain>(&shape)) {
      // Cairn's push to the left of the way they are drawn, Box2D's to the right.
      std::vector<b2Vec2> points;
      for (const Vec2& point : chain->points) points.push_back(converted(to_world(part.pose, point)));
      std::reverse(points.begin(), points.end());
      if (!chain->loop) throw Error("scene", scene.name, "has an open chain");
      b2ChainShape loop;
      loop.CreateLoop(points.data(), int(points.size()));
      attach(loop);
    } else {
      throw Error("scene", scene.name, "has a shape that is not made for Box2D here");
    }
  }

  void add(const Scene2& scene, const Joint<Dim2>& joint) {
    b2RevoluteJointDef def;
    def.Initialize(bodies_[joint.a], bodies_[joint.b], converted(joint.anchor));
    def.collideConnected = scene.collide_connected;
    if (joint.limits) {
      def.enableLimit = true;
      def.lowerAngle = float(joint.limits->lo), def.upperAngle = float(joint.limits->hi);
    }
    if (joint.motor) {
      def.enableMotor = true;
      def.motorSpeed = float(joint.motor->speed), def.maxMotorTorque = float(joint.motor->max_torque);
    }
    world_->CreateJoint(&def);
  }

  float dt_ = 0;
  std::unique_ptr<b2World> world_;
  std::vector<b2Body*> bodies_;  // the world's
};

}  // namespace

std::unique_ptr<Engine<Dim2>> make_box2d() { return std::make_unique<Box2dEngine>(); }

}  // namespace cairn::bench
