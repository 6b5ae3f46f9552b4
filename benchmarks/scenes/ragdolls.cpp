// ragdolls: humanoids with stretched arms, 1.75 m high, dropped into a pit of 5 m.
//
//            head
//             │ neck
//   ═══ ════ torso ════ ═══      shoulders (cone and twist) and elbows (hinge)
//             │ spine
//           pelvis
//           ║    ║               hips (cone and twist)
//           ║    ║               knees (hinge)
//
// Each looks along its +x; its left is +y. Connected parts do not meet each other, all others do.
#include "benchmarks/random.h"
#include "benchmarks/scenes/catalogue.h"

namespace cairn::bench {
namespace {

enum PartName {
  k_pelvis,
  k_torso,
  k_head,
  k_arm,
  k_forearm = k_arm + 2,
  k_thigh = k_forearm + 2,
  k_shin = k_thigh + 2
};
constexpr int k_parts = k_shin + 2;

struct Limb {
  Vec3 middle, axis;  // [m] of the capsule, above the soles; unit
  double radius, half_length;
};
struct Bone {
  JointKind kind;
  int a, b;
  Vec3 anchor, axis;
  double lo_or_cone, hi_or_twist;  // [rad]
};

constexpr Vec3 k_x{1, 0, 0}, k_y{0, 1, 0}, k_z{0, 0, 1};

std::vector<Limb> limbs() {
  std::vector<Limb> all(k_parts);
  all[k_pelvis] = {{0, 0, 0.95}, k_y, 0.11, 0.06};
  all[k_torso] = {{0, 0, 1.28}, k_z, 0.14, 0.07};
  all[k_head] = {{0, 0, 1.63}, k_z, 0.10, 0.02};
  for (const int left : {0, 1}) {
    const double y = left ? 1 : -1;
    all[std::size_t(k_arm + left)] = {{0, y * 0.35, 1.40}, k_y, 0.05, 0.12};
    all[std::size_t(k_forearm + left)] = {{0, y * 0.67, 1.40}, k_y, 0.045, 0.12};
    all[std::size_t(k_thigh + left)] = {{0, y * 0.12, 0.67}, k_z, 0.075, 0.16};
    all[std::size_t(k_shin + left)] = {{0, y * 0.12, 0.22}, k_z, 0.06, 0.16};
  }
  return all;
}

std::vector<Bone> bones() {
  std::vector<Bone> all{{JointKind::cone_twist, k_pelvis, k_torso, {0, 0, 1.07}, k_z, 0.5, 0.4},
                        {JointKind::cone_twist, k_torso, k_head, {0, 0, 1.51}, k_z, 0.6, 0.6}};
  for (const int left : {0, 1}) {
    const double y = left ? 1 : -1;
    all.push_back({JointKind::cone_twist, k_torso, k_arm + left, {0, y * 0.18, 1.40}, y * k_y, 1.3, 0.8});
    all.push_back({JointKind::cone_twist, k_pelvis, k_thigh + left, {0, y * 0.12, 0.90}, -k_z, 0.9, 0.4});
    // Forearms swing forwards, shins backwards.
    all.push_back({JointKind::hinge, k_arm + left, k_forearm + left, {0, y * 0.51, 1.40}, -y * k_z, 0, 2.4});
    all.push_back({JointKind::hinge, k_thigh + left, k_shin + left, {0, y * 0.12, 0.44}, k_y, 0, 2.4});
  }
  return all;
}

}  // namespace

std::size_t add_humanoid_shapes(Scene3& scene) {
  const std::size_t first = scene.shapes.size();
  for (const Limb& limb : limbs())
    scene.add(Capsule3{.radius = limb.radius, .half_length = limb.half_length});
  return first;
}

void add_humanoid(Scene3& scene, std::size_t first_shape, const Pose3& pose) {
  const std::vector<Limb> parts = limbs();
  const std::size_t first = scene.bodies.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // Capsules lie along z.
    const Rot3 turn = parts[i].axis == k_y ? Rot3::from_axis_angle(k_x, -0.5 * k_pi) : Rot3{};
    scene.add(Body<Dim3>{.pose = pose * Pose3{parts[i].middle, turn}, .parts = {{first_shape + i}}});
  }
  for (const Bone& bone : bones()) {
    Joint<Dim3> joint{.kind = bone.kind,
                      .a = first + std::size_t(bone.a),
                      .b = first + std::size_t(bone.b),
                      .anchor = to_world(pose, bone.anchor),
                      .axis = pose.rotation * bone.axis};
    if (bone.kind == JointKind::hinge)
      joint.limits = {bone.lo_or_cone, bone.hi_or_twist};
    else
      joint.cone = bone.lo_or_cone, joint.twist = bone.hi_or_twist;
    scene.joints.push_back(joint);
  }
}

Scene3 ragdolls(int humanoids) {
  constexpr int k_columns = 2, k_rows = 5;                        // of a layer
  constexpr double k_across = 2.3, k_along = 0.9, k_layer = 2.1;  // [m]
  Scene3 scene{.friction = 0.5, .yardsticks = {.penetration = true, .energy = true}};
  const int layers = (humanoids + k_columns * k_rows - 1) / (k_columns * k_rows);
  add_pit(scene, 5, layers * k_layer + 5);
  const std::size_t first_shape = add_humanoid_shapes(scene);
  Random random;
  for (int i = 0; i < humanoids; ++i) {
    const int row = i % k_rows, column = i / k_rows % k_columns, layer = i / (k_rows * k_columns);
    const Rot3 tilt = rotation_of(random.vector(-0.1, 0.1));
    const Vec3 soles{(row - 0.5 * (k_rows - 1)) * k_along, (column - 0.5 * (k_columns - 1)) * k_across,
                     0.3 + layer * k_layer};
    const Vec3 middle{0, 0, 0.9};  // tilted about
    add_humanoid(scene, first_shape, {soles + middle - tilt * middle, tilt});
  }
  return scene;
}

}  // namespace cairn::bench
