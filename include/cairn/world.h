// A world of bodies that moves in steps.
#pragma once

#include <cairn/body.h>
#include <cairn/broad_phase.h>
#include <cairn/contact.h>
#include <cairn/force.h>
#include <cairn/instruction_set.h>
#include <cairn/joint.h>
#include <cairn/method.h>
#include <cairn/query.h>
#include <cairn/sleep.h>

#include <memory>

namespace cairn {

// How much each step accounts for, from free to thorough.
enum class Accounting {
  none,   // nothing
  cheap,  // energies and momenta at the end of the step, and the residual of the last substep
  full,   // the residual of every substep, and where every joule and newton second came from
};

template <class D>
struct WorldDef {
  typename D::Vec gravity = D::k_gravity;  // [m/s²]
  Method method{};
  double length_scale = 1;  // [m] the size of typical bodies; every tolerance of length is a fraction of it
  BroadPhase broad_phase = BroadPhase::tree;  // results do not depend on it
  bool continuous = true;                     // are fast bodies kept from passing through others?
  SleepSettings sleep{};
  EventSettings events{};
  int threads = 1;  // results do not depend on it
  Accounting accounting = Accounting::cheap;
  std::optional<InstructionSet>
      instruction_set{};  // the machine's best if not given; results do not depend on it
};
using WorldDef2 = WorldDef<Dim2>;
using WorldDef3 = WorldDef<Dim3>;

enum class StepStatus {
  good,
  not_converged,  // an iteration stopped short of its tolerance, or a body turns too far; see integration
  hook_failed,    // a hook threw: for that pair the step went on as if there were none; see collision
  set_aside,      // bodies became non-finite; they are named in set_aside, and the rest of the world went on
  refused,  // the step made no sense or memory ran out: nothing moved, nor did the energy and momentum in
            // the report; bodies that it found touched may have woken and stay awake; see message
};

// Energies now, and what each cause brought into the world during this step. [J]
// kinetic + gravity + spring has changed by interventions + causes() + continuous + sleep + unexplained. Each is computed
// for itself, so that `unexplained` is a check: round-off, or a bug.
struct Energy {
  double kinetic = 0;
  double gravity = 0;         // potential; 0 at the origin
  double spring = 0;          // elastic
  double interventions = 0;   // between the steps: impulses, edits, bodies created and destroyed
  double applied = 0;         // work of applied forces and torques
  double drive = 0;           // work of the drives of joints, of kinematic bodies, and of surfaces that move
  double damping = 0;         // work of dampers and of the bodies' own damping: negative
  double contact = 0;         // work of what keeps bodies apart, until they move
  double friction = 0;        // work of friction and of resistance to rolling: what sliding surfaces lose
  double impact = 0;          // work of restitution: what a bounce gives back
  double joint = 0;           // work of joints, their limits and the springs on their axes
  double joint_friction = 0;  // work of friction in joints
  double relaxation = 0;  // work of all constraints, after the bodies moved: takes back what drew errors in
  double stabilisation = 0;   // what drawing in errors of position did to gravity, springs and turning bodies
  double discretisation = 0;  // what the integrator's finite step gained or lost
  double continuous = 0;      // fast bodies held back where they meet another: what gravity and springs
                              // did not do, and spin lost where contacts could not follow it
  double sleep = 0;           // what bodies had that fell asleep; of frozen ones, what they did not move
  double unexplained = 0;

  double total() const { return kinetic + gravity + spring; }
  double causes() const {  // of this step's own change
    return applied + drive + damping + contact + friction + impact + joint + joint_friction + relaxation +
           stabilisation + discretisation;
  }
};

// Momenta of all dynamic bodies now, and what this step's forces, and falling asleep, should have added. Angular about
// the origin.
template <class D>
struct Momentum {
  typename D::Vec linear{};           // [N·s]
  typename D::Ang angular{};          // [N·m·s]
  typename D::Vec linear_impulse{};   // [N·s] of all forces, contacts and joints on them in this step
  typename D::Ang angular_impulse{};  // [N·m·s]
};

// Wall time of the step. [s]
struct StepSeconds {
  double collide = 0;
  double integrate = 0;
  double solve = 0;
  double continuous = 0;
  double account = 0;
  double total = 0;
};

// What the step looked at to find contacts.
struct CollisionReport {
  std::size_t pairs = 0;      // of parts whose boxes overlap, and whose filters let them meet
  std::size_t touching = 0;   // pairs that touch
  std::size_t points = 0;     // of contact, touching or about to
  std::size_t recycled = 0;   // pairs whose contact was kept as it was: they hardly moved against each other
  std::size_t fast = 0;       // bodies that moved far enough to be swept
  std::size_t held_back = 0;  // of these, bodies that would have passed through another
  std::size_t hook_failures = 0;  // how many times a pair filter or contact hook threw, or answered nonsense
  std::string hook_message{};     // what the first of them said
};

// Who sleeps, of the dynamic bodies; nothing is told while the world's mode of sleeping is off.
struct SleepReport {
  std::size_t awake = 0, asleep = 0;
  std::size_t islands = 0;            // of awake bodies that hang together; single ones count
  std::vector<BodyId> fell_asleep{};  // in this step, in the order of slots
  std::vector<BodyId> woke{};         // in this step or since the one before, likewise
};

template <class D>
struct StepReport {
  StepStatus status = StepStatus::good;
  std::string message{};  // empty when good
  std::int64_t step = 0;  // how many steps the world has made
  double time = 0;        // [s] at the end of the step
  double h = 0;           // [s] length of the step
  CollisionReport collision{};
  SleepReport sleep{};
  IntegrationReport integration{};
  SolveReport solve{};
  Residual residual{};              // with accounting at least cheap
  Energy energy{};                  // with accounting at least cheap; causes only with full
  Momentum<D> momentum{};           // likewise
  std::vector<BodyId> set_aside{};  // in this step
  StepSeconds seconds{};
};
using StepReport2 = StepReport<Dim2>;
using StepReport3 = StepReport<Dim3>;

// How far an axis of a joint has gone from the rest pose, and how fast it goes on: b as seen from a.
struct JointCoordinate {
  double position = 0;  // [m] or [rad]; of distances and cylinders the length itself
  double speed = 0;     // [m/s] or [rad/s]
};
// Where the two bodies have the ends of a joint, in world coordinates. [m]
template <class D>
struct JointAnchors {
  typename D::Vec a{}, b{};
};
// A joint that gave way. It is gone, and its bodies may be by the time you read this.
template <class D>
struct JointBreak {
  double time = 0;  // [s] at the end of the step
  JointId joint{};
  BodyId a{}, b{};
  Wrench<D> load{};  // its last reaction
};
using JointAnchors2 = JointAnchors<Dim2>;
using JointAnchors3 = JointAnchors<Dim3>;
using JointBreak2 = JointBreak<Dim2>;
using JointBreak3 = JointBreak<Dim3>;

template <class D>
struct WorldData;  // src/world/data.h
template <class D>
struct WorldContents;  // likewise
template <class D>
class World;

// All that the future of a world depends on, at the moment of World::save: a value to be kept, copied and restored as
// often as you like, in that world and in others. It does not need the world to stay. Shapes are shared with it.
template <class D>
class WorldState {
 public:
  WorldState() noexcept;  // of no world: not to be restored
  ~WorldState();
  WorldState(const WorldState&);
  WorldState& operator=(const WorldState&);
  WorldState(WorldState&&) noexcept;
  WorldState& operator=(WorldState&&) noexcept;

  bool empty() const { return !contents_; }
  double time() const;  // [s] of the world when it was saved

 private:
  friend class World<D>;
  std::unique_ptr<const WorldContents<D>> contents_;
};
using WorldState2 = WorldState<Dim2>;
using WorldState3 = WorldState<Dim3>;
extern template class WorldState<Dim2>;
extern template class WorldState<Dim3>;

template <class D>
class World {
 public:
  using Vec = typename D::Vec;
  using Ang = typename D::Ang;

  explicit World(const WorldDef<D>& def = {});
  ~World();
  World(World&&) noexcept;  // what was moved from may only be destroyed or assigned to
  World& operator=(World&&) noexcept;

  // Every function that takes an id throws cairn::Error for one that is null, foreign or stale; every
  // function that takes a definition or a number throws for what cannot be right. Then nothing has changed.

  BodyId create(const BodyDef<D>& def);
  void destroy(BodyId body);  // with the springs and joints that hold it
  bool contains(BodyId body) const;
  BodyId background() const;           // a fixed body without shape, at the origin: attach anything to it
  std::vector<BodyId> bodies() const;  // all but the background, in the order of their slots

  ForceId create(const SpringDef<D>& def);
  void destroy(ForceId force);
  bool contains(ForceId force) const;

  // Any joint: world.create(HingeDef3{...}). It starts from the bodies as they stand, which is its rest pose. Bodies
  // that it connects do not meet, unless it says collide_connected. A joint stays but does nothing while one of its
  // bodies is set aside, or neither is dynamic after set_motion.
  JointId create(const JointDef<D>& def);
  void destroy(JointId joint);
  bool contains(JointId joint) const;
  std::vector<JointId> joints() const;             // all, in the order of their slots
  std::vector<JointId> joints(BodyId body) const;  // that hold this body, in the order of their creation
  // As it was created, whatever happened since. Valid until a joint is created or destroyed, or a step is made.
  const JointDef<D>& definition(JointId joint) const;
  const std::string& name(JointId joint) const;
  std::uint64_t user_data(JointId joint) const;

  // Moves the world on by h > 0 seconds. Never throws; the report says how it went, and stays until the next
  // step.
  const StepReport<D>& step(double h) noexcept;
  const StepReport<D>& report() const;

  Pose<D> pose(BodyId body) const;       // of the body's frame
  Vec center(BodyId body) const;         // [m] of mass, in world coordinates
  Twist<D> velocity(BodyId body) const;  // of the centre of mass
  Vec velocity_at(BodyId body, const Vec& point) const;
  MassProperties<D> mass(BodyId body) const;  // in the body's frame; 0 unless dynamic
  Motion motion(BodyId body) const;
  const std::string& name(BodyId body) const;
  const std::vector<ShapeDef<D>>& shapes(BodyId body) const;
  std::uint64_t user_data(BodyId body) const;
  const Locks<D>& locks(BodyId body) const;
  double gravity_scale(BodyId body) const;
  double linear_damping(BodyId body) const;   // [1/s]
  double angular_damping(BodyId body) const;  // [1/s]
  bool is_set_aside(BodyId body) const;       // it became non-finite and rests where it was last seen
  bool is_asleep(BodyId body) const;          // or frozen; never, while the world's mode of sleeping is off

  // The load of a joint: what it did to b at b's anchor, to a the opposite, as a mean over the last step. In world
  // axes. It has the effort of limits, springs, drives and friction in it.
  Wrench<D> reaction(JointId joint) const;
  // Axes are counted from 0, in the order in which the definition has them; see axis_count. Turns are counted beyond
  // ±π; a jump by set_pose counts as the shortest turn.
  JointCoordinate coordinate(JointId joint, int axis = 0) const;
  int axis_count(JointId joint) const;                  // of axes that have a coordinate
  const AxisDef& axis(JointId joint, int index) const;  // what acts on it now
  JointAnchors<D> anchors(JointId joint) const;         // their distance is the error of a ball or hinge
  Hydraulic hydraulic(JointId joint) const;             // what a cylinder does now
  // Joints that broke in the last step that was not refused, in the order of their slots.
  const std::vector<JointBreak<D>>& broken() const;

  // Shapes that touch or are about to, as the last step found them.
  std::vector<Contact<D>> contacts() const;
  std::vector<Contact<D>> contacts(BodyId body) const;
  // What happened in the last step, and to bodies destroyed or changed since the one before, in the order of ids.
  const std::vector<ContactEvent<D>>& events() const;
  // What was mended in the definitions of bodies since the world began.
  const std::vector<std::string>& warnings() const;

  void set_pose(BodyId body, const Pose<D>& pose);           // a jump: velocities stay
  void set_velocity(BodyId body, const Twist<D>& velocity);  // of the centre of mass; none along locked axes

  // Gives a kinematic body the velocity that takes it to `pose` in a step of `h` seconds. It keeps that velocity.
  void move_to(BodyId body, const Pose<D>& pose, double h);
  // Mass, centre and inertia follow, unless the definition gave them.
  void set_shapes(BodyId body, const std::vector<ShapeDef<D>>& shapes);
  void set_motion(BodyId body, Motion motion);
  // The inertia grows in proportion, unless the definition gave it. Contacts stay as they are.
  void set_mass(BodyId body, double mass);             // [kg]
  void set_locks(BodyId body, const Locks<D>& locks);  // velocities along them are lost
  void set_gravity_scale(BodyId body, double scale);
  void set_linear_damping(BodyId body, double rate);   // [1/s]
  void set_angular_damping(BodyId body, double rate);  // [1/s]
  void set_user_data(BodyId body, std::uint64_t data);
  void set_filter(ShapeRef shape, const Filter& filter);
  void set_material(ShapeRef shape, const Material& material);
  // May these two bodies meet at all? All may, to begin with. Joints part the bodies they connect as well: the two
  // do not undo each other, and is_exempt tells of both.
  void set_exempt(BodyId a, BodyId b, bool exempt);
  bool is_exempt(BodyId a, BodyId b) const;
  void set_pair_filter(PairFilter filter);  // empty: none
  void set_contact_hook(ContactHook<D> hook);

  // Other limits, spring, friction or drive for an axis that the joint leaves free.
  void set_axis(JointId joint, int axis, const AxisDef& def);
  void set_hydraulic(JointId joint, Hydraulic state);  // starts from the length that the cylinder has

  // Forces and torques act during the next step; impulses change the velocity now. In world axes, at a world
  // point or at the centre of mass. Without effect on bodies that are not dynamic.
  void apply_force(BodyId body, const Vec& force, const Vec& point);
  void apply_force(BodyId body, const Vec& force);
  void apply_torque(BodyId body, const Ang& torque);
  void apply_impulse(BodyId body, const Vec& impulse, const Vec& point);
  void apply_impulse(BodyId body, const Vec& impulse);
  void apply_angular_impulse(BodyId body, const Ang& impulse);

  // Bodies wake, with everything that hung together with them when they fell asleep, when they or their joints and
  // springs are changed or pushed, when what they touch is moved, changed or destroyed, and in the step in which an awake
  // body or a kinematic one that moves comes into contact with them. A body that is pushed or changed in every step stays
  // awake. Frozen ones are free again when they are faster than a threshold, and not before unless you wake them.
  void wake(BodyId body);
  // With everything that hangs together with it, however fast; frozen it is for itself, until a step finds it fast. False, and nothing happens, if something keeps it awake:
  // the world's mode, BodySleep::allowed, a kinematic body or surface that moves, or a drive that does not hold still.
  bool put_to_sleep(BodyId body);
  const SleepSettings& sleep_settings() const;
  void set_sleep_settings(const SleepSettings& settings);  // all wake

  double time() const;  // [s] since the beginning
  Vec gravity() const;
  void set_gravity(const Vec& gravity);
  const Method& method() const;
  void set_method(const Method& method);
  double length_scale() const;

  // Questions about the bodies where they are now. Any number may be asked at once from several threads, but for
  // the one that takes a list, which uses the world's own.

  std::optional<CastHit<D>> ray_cast(const Ray<D>& ray, const QueryFilter& filter = {}) const;
  std::vector<std::optional<CastHit<D>>> ray_cast(std::span<const Ray<D>> rays,
                                                  const QueryFilter& filter = {}) const;
  // The first point on each shape that the ray meets, nearest first.
  std::vector<CastHit<D>> ray_cast_all(const Ray<D>& ray, const QueryFilter& filter = {}) const;
  // `shape`, at `pose`, moved along `translation` without turning. It must be convex, or of convex parts.
  std::optional<CastHit<D>> shape_cast(const Shape<D>& shape, const Pose<D>& pose, const Vec& translation,
                                       const QueryFilter& filter = {}) const;
  std::vector<ShapeRef> overlapping(const Shape<D>& shape, const Pose<D>& pose,
                                    const QueryFilter& filter = {}) const;
  std::vector<ShapeRef> overlapping(const Bounds<D>& box,
                                    const QueryFilter& filter = {}) const;  // their boxes
  // Shapes that contain the point. Segments, chains, height fields and open meshes contain nothing.
  std::vector<ShapeRef> containing(const Vec& point, const QueryFilter& filter = {}) const;
  std::optional<Closest<D>> closest(const Vec& point, double max_distance,
                                    const QueryFilter& filter = {}) const;
  std::optional<Closest<D>> closest(BodyId a, BodyId b) const;  // none if either has no shape

  // Everything: bodies, joints, springs and their definitions, contacts and what the solver remembers of them,
  // settings, pending forces, time, report and events. From a restored state the world goes on as it did then, bit by
  // bit, as long as it is treated the same.
  //
  // Threads, instruction set, pair filter and contact hook are the program's: they stay those of the world that
  // restores.
  //
  // Ids of what was there are valid again. Ids that the world has given since then are stale and stay so: what is
  // created next may get the same slots again, but never the same ids. In another world the ids of the state are valid
  // after restore, as in a copy of the world that saved it, and those that it gave before are foreign. What two such
  // copies create later is to be kept apart by you: they may give the same id to different things.
  //
  // References that the world has given out (report, events, names …) are not valid after restore. If memory runs out
  // nothing has changed.
  WorldState<D> save() const;
  void restore(const WorldState<D>& state);

  Energy energy() const;         // now; without causes
  Momentum<D> momentum() const;  // now; without impulses
  // A fingerprint of all poses and velocities, equal only for runs that are equal bit for bit.
  std::uint64_t state_hash() const;

 private:
  std::unique_ptr<WorldData<D>> data_;
};

using World2 = World<Dim2>;
using World3 = World<Dim3>;
extern template class World<Dim2>;
extern template class World<Dim3>;

// -------------------------------------------------------------------------------------------------- fields

template <>
struct EnumNames<Accounting> {
  static constexpr std::array<std::pair<Accounting, std::string_view>, 3> table{
      {{Accounting::none, "none"}, {Accounting::cheap, "cheap"}, {Accounting::full, "full"}}};
};
template <>
struct EnumNames<InstructionSet> {
  static constexpr std::array<std::pair<InstructionSet, std::string_view>, 4> table{
      {{InstructionSet::scalar, "scalar"},
       {InstructionSet::x86_64_v2, "x86_64_v2"},
       {InstructionSet::x86_64_v3, "x86_64_v3"},
       {InstructionSet::x86_64_v4, "x86_64_v4"}}};
};
template <>
struct EnumNames<StepStatus> {
  static constexpr std::array<std::pair<StepStatus, std::string_view>, 5> table{
      {{StepStatus::good, "good"},
       {StepStatus::not_converged, "not_converged"},
       {StepStatus::hook_failed, "hook_failed"},
       {StepStatus::set_aside, "set_aside"},
       {StepStatus::refused, "refused"}}};
};
template <class D>
struct Fields<WorldDef<D>> {
  using T = WorldDef<D>;
  static constexpr std::string_view name = D::k_dof == 3 ? "WorldDef2" : "WorldDef3";
  static constexpr auto table() {
    return std::tuple{
        field("gravity", &T::gravity, "m/s²", k_any, "acceleration of free fall"),
        field("method", &T::method, "", k_any, "the mathematics of the world"),
        field("length_scale", &T::length_scale, "m", k_positive,
              "size of typical bodies; tolerances of length are fractions of it"),
        field("broad_phase", &T::broad_phase, "", k_any,
              "how shapes that may touch are found; results do not depend on it"),
        field("continuous", &T::continuous, "", k_any, "keep fast bodies from passing through others"),
        field("sleep", &T::sleep, "", k_any, "what becomes of bodies at rest"),
        field("events", &T::events, "", k_any, "which contact events are recorded"),
        field("threads", &T::threads, "", Range{.lo = 1, .hi = 1024}, "results do not depend on it"),
        field("accounting", &T::accounting, "", k_any, "how much each step accounts for"),
        field("instruction_set", &T::instruction_set, "", k_any,
              "the machine's best if not given; results do not depend on it"),
    };
  }
  static void check(const T& def, const Path& path) {
    if (def.instruction_set && *def.instruction_set > best_instruction_set())
      detail::refuse(path / "instruction_set", std::string(name_of(*def.instruction_set)),
                     "this machine has at most " + std::string(name_of(best_instruction_set())));
  }
};

}  // namespace cairn
