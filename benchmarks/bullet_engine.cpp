// Bullet, as Debian packages it: btDiscreteDynamicsWorld with a sequential-impulse solver of 10 iterations,
// single precision, one thread. Shapes keep Bullet's default margins: inside of boxes, outside of hulls.
#include <cairn/error.h>

#include <btBulletDynamicsCommon.h>

#include "benchmarks/engine.h"

namespace cairn::bench {
namespace {

btVector3 converted(const Vec3& v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }
btTransform converted(const Pose3& p) {
  return btTransform(btQuaternion(btScalar(p.rotation.x), btScalar(p.rotation.y), btScalar(p.rotation.z),
                                  btScalar(p.rotation.w)),
                     converted(p.position));
}
Vec3 converted(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
Rot3 converted(const btQuaternion& q) { return normalized(Rot3{q.w(), q.x(), q.y(), q.z()}); }

std::unique_ptr<btCollisionShape> converted(const Shape3& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape))
    return std::make_unique<btSphereShape>(btScalar(s->radius));
  if (const auto* s = std::get_if<Box3>(&shape)) return std::make_unique<btBoxShape>(converted(s->half));
  if (const auto* s = std::get_if<Capsule3>(&shape))  // the height is that of the cylinder between the caps
    return std::make_unique<btCapsuleShapeZ>(btScalar(s->radius), btScalar(2 * s->half_length));
  if (const auto* s = std::get_if<Hull>(&shape)) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3& point : s->points) hull->addPoint(converted(point), false);
    hull->recalcLocalAabb();
    return hull;
  }
  throw Error("scene", "", "has a shape that is not made for Bullet here");
}

// A frame whose x axis (or z axis) is `axis`, in the world.
Rot3 frame_with_x(const Vec3& axis) {
  const Vec3 y = perpendicular(axis);
  return rotation_of(Mat3{axis, y, cross(axis, y)});
}
Rot3 frame_with_z(const Vec3& axis) {
  const Vec3 x = perpendicular(axis);
  return rotation_of(Mat3{x, cross(axis, x), axis});
}

// Bodies of one group do not meet; otherwise as Bullet's own.
class GroupFilter : public btOverlapFilterCallback {
 public:
  bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override {
    const int group = group_of(a);
    return (group == 0 || group != group_of(b)) &&
           (a->m_collisionFilterGroup & b->m_collisionFilterMask) != 0 &&
           (b->m_collisionFilterGroup & a->m_collisionFilterMask) != 0;
  }

 private:
  static int group_of(const btBroadphaseProxy* proxy) {
    return static_cast<const btCollisionObject*>(proxy->m_clientObject)->getUserIndex();
  }
};

class BulletEngine : public Engine<Dim3> {
 public:
  ~BulletEngine() override { clear(); }
  std::string name() const override { return "bullet"; }
  int threads() const override { return 1; }

  void build(const Scene3& scene) override {
    clear();
    dt_ = btScalar(scene.dt);
    configuration_ = std::make_unique<btDefaultCollisionConfiguration>();
    dispatcher_ = std::make_unique<btCollisionDispatcher>(configuration_.get());
    broadphase_ = std::make_unique<btDbvtBroadphase>();
    solver_ = std::make_unique<btSequentialImpulseConstraintSolver>();
    world_ = std::make_unique<btDiscreteDynamicsWorld>(dispatcher_.get(), broadphase_.get(), solver_.get(),
                                                       configuration_.get());
    world_->setGravity(converted(scene.gravity));
    for (const Body<Dim3>& body : scene.bodies)
      if (body.group != 0) world_->getPairCache()->setOverlapFilterCallback(&filter_);
    for (const Shape3& shape : scene.shapes) shapes_.push_back(converted(shape));
    shapes_.push_back(std::make_unique<btEmptyShape>());
    const std::vector<MassProperties3> mass = masses(scene);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) add(scene, scene.bodies[i], mass[i]);
    for (const Joint<Dim3>& joint : scene.joints) add(scene, joint);
  }

  // With no substeps of Bullet's own, a step is exactly dt.
  void step() override { world_->stepSimulation(dt_, 0); }

  void read(std::span<BodyState<Dim3>> states) const override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto& [body, start] = made_[i];
      if (body->isStaticObject()) {
        states[i] = {start, {}};
        continue;
      }
      // Not the interpolated transform of a motion state, which is one that is drawn.
      const btTransform& transform = body->getWorldTransform();
      states[i] = {{converted(transform.getOrigin()), converted(transform.getRotation())},
                   {converted(body->getLinearVelocity()), converted(body->getAngularVelocity())}};
    }
  }

 private:
  struct Made {
    btRigidBody* body;  // the first, of a fixed body with many parts
    Pose3 start;
  };

  void clear() {
    if (world_) {
      for (const auto& constraint : constraints_) world_->removeConstraint(constraint.get());
      for (const auto& body : bodies_) world_->removeRigidBody(body.get());
    }
    constraints_.clear(), bodies_.clear(), made_.clear();
    world_.reset(), solver_.reset(), broadphase_.reset(), dispatcher_.reset(), configuration_.reset();
    compounds_.clear(), shapes_.clear();
  }

  btRigidBody* add_object(const Scene3& scene, const Body<Dim3>& body, const MassProperties3& mass,
                          const Pose3& pose, btCollisionShape* shape) {
    // The frame of a dynamic body is along its principal axes; the inertia is the true one, not Bullet's
    // estimate.
    const btVector3 inertia = converted(Vec3{mass.inertia.xx, mass.inertia.yy, mass.inertia.zz});
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass.mass), nullptr, shape, inertia);
    info.m_startWorldTransform = converted(pose);
    info.m_angularDamping =
        btScalar(1 - portable::exp(-body.angular_damping));  // the part that goes in a second
    // Bullet multiplies the values of two bodies.
    info.m_friction = btScalar(square_root(scene.friction));
    info.m_restitution = btScalar(square_root(scene.restitution));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody* made = bodies_.back().get();
    made->setUserIndex(body.group);
    if (body.motion != Motion::fixed) made->setActivationState(DISABLE_DEACTIVATION);
    made->setLinearVelocity(converted(body.velocity.linear));
    made->setAngularVelocity(converted(body.velocity.angular));
    world_->addRigidBody(made);
    return made;
  }

  void add(const Scene3& scene, const Body<Dim3>& body, const MassProperties3& mass) {
    if (body.motion == Motion::kinematic) throw Error("scene", scene.name, "has a kinematic body");
    const std::size_t first = bodies_.size();
    if (body.parts.empty()) {
      add_object(scene, body, mass, body.pose, shapes_.back().get());
    } else if (body.motion == Motion::fixed) {  // an object for each part, so that each has a tight box
      for (const Part<Dim3>& part : body.parts)
        add_object(scene, body, mass, body.pose * part.pose, shapes_[part.shape].get());
    } else if (body.parts.size() == 1 && body.parts[0].pose == Pose3{}) {
      add_object(scene, body, mass, body.pose, shapes_[body.parts[0].shape].get());
    } else {
      compounds_.push_back(std::make_unique<btCompoundShape>());
      for (const Part<Dim3>& part : body.parts)
        compounds_.back()->addChildShape(converted(part.pose), shapes_[part.shape].get());
      add_object(scene, body, mass, body.pose, compounds_.back().get());
    }
    made_.push_back({bodies_[first].get(), body.pose});
  }

  void add(const Scene3& scene, const Joint<Dim3>& joint) {
    btRigidBody &a = *made_[joint.a].body, &b = *made_[joint.b].body;
    // The joint's frame, given in the world, as each object sees it.
    const auto seen_from = [](const btRigidBody& body, const Pose3& frame) {
      return body.getWorldTransform().inverse() * converted(frame);
    };
    std::unique_ptr<btTypedConstraint> made;
    if (joint.kind == JointKind::ball) {
      const Pose3 frame{joint.anchor, {}};
      made = std::make_unique<btPoint2PointConstraint>(a, b, seen_from(a, frame).getOrigin(),
                                                       seen_from(b, frame).getOrigin());
    } else if (joint.kind == JointKind::hinge) {
      // The axis is z of the frames. Bullet measures the angle of a against b unless useReferenceFrameA is
      // set; tests/benchmarks/engine_test.cpp holds this.
      const Pose3 frame{joint.anchor, frame_with_z(joint.axis)};
      auto hinge = std::make_unique<btHingeConstraint>(a, b, seen_from(a, frame), seen_from(b, frame), true);
      if (joint.limits)
        hinge->setLimit(btScalar(joint.limits->lo), btScalar(joint.limits->hi));
      else
        hinge->setLimit(1, -1);  // none
      if (joint.motor)
        hinge->enableAngularMotor(true, btScalar(joint.motor->speed),
                                  btScalar(joint.motor->max_torque * dt_));  // as an impulse
      made = std::move(hinge);
    } else {
      // x is the axis of twist; the spans of swing are about z and y.
      const Pose3 frame{joint.anchor, frame_with_x(joint.axis)};
      auto cone = std::make_unique<btConeTwistConstraint>(a, b, seen_from(a, frame), seen_from(b, frame));
      cone->setLimit(btScalar(joint.cone), btScalar(joint.cone), btScalar(joint.twist));
      made = std::move(cone);
    }
    world_->addConstraint(made.get(), !scene.collide_connected);
    constraints_.push_back(std::move(made));
  }

  btScalar dt_ = 0;
  GroupFilter filter_;
  std::unique_ptr<btDefaultCollisionConfiguration> configuration_;
  std::unique_ptr<btCollisionDispatcher> dispatcher_;
  std::unique_ptr<btDbvtBroadphase> broadphase_;
  std::unique_ptr<btSequentialImpulseConstraintSolver> solver_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;  // those of the scene and, last, the empty one
  std::vector<std::unique_ptr<btCompoundShape>> compounds_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<Made> made_;  // one for each body of the scene
  std::vector<std::unique_ptr<btTypedConstraint>> constraints_;
};

}  // namespace

std::unique_ptr<Engine<Dim3>> make_bullet() { return std::make_unique<BulletEngine>(); }

}  // namespace cairn::bench
