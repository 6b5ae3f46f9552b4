// Where shapes touch, and what is told about it.
#pragma once

#include <cairn/body.h>

#include <functional>
#include <span>

namespace cairn {

// A shape of a body, by its number in BodyDef::shapes.
struct ShapeRef {
  BodyId body{};
  std::uint32_t shape = 0;
  friend constexpr auto operator<=>(const ShapeRef&, const ShapeRef&) = default;
};

template <class D>
struct ContactPoint {
  typename D::Vec point{};    // [m] world, half way between the two surfaces
  double separation = 0;      // [m] between the surfaces along the normal; negative where they overlap
  typename D::Vec impulse{};  // [N·s] on b, world axes, in the last step
  std::uint32_t age = 0;      // how many steps in a row the point has been there
};

// Points with a common normal: up to 2 in the plane, up to 4 in space.
template <class D>
struct ContactPatch {
  typename D::Vec normal{};  // unit, from a to b, world axes
  std::vector<ContactPoint<D>> points{};
};

// Two shapes (of compounds: two parts) that touch or are about to. Flat shapes have one patch; on a mesh, height
// field or chain there is one for each direction in which the other shape is held.
template <class D>
struct Contact {
  ShapeRef a{}, b{};
  bool touching = false;  // or only close?
  Material material{};    // of the pair
  std::vector<ContactPatch<D>> patches{};
};
using Contact2 = Contact<Dim2>;
using Contact3 = Contact<Dim3>;

// What a contact hook answers.
struct ContactDecision {
  bool keep = true;                    // or let the shapes pass through each other in this step?
  std::optional<Material> material{};  // instead of the pair's own
};
// Asked in each step for each contact that touches or is about to and does not sleep, in the order of ids (those of bodies
// that wake in the step come after the others), on the thread that steps the world; also for an impact that a fast body
// would otherwise pass through. It sees the contact and may look up the bodies, but must not change the world. If it throws,
// or answers with a material that cannot be, the contact is kept as it is, and the step's report says so.
template <class D>
using ContactHook = std::function<ContactDecision(const Contact<D>&)>;
// Asked once when two shapes come near each other and their filters let them meet, in the order of ids, on the thread that
// steps the world. If it throws, they meet.
using PairFilter = std::function<bool(ShapeRef a, ShapeRef b)>;

enum class EventKind {
  begin,         // two shapes began to touch
  persist,       // they still touch
  end,           // they touch no longer, or one of them is gone
  sensor_begin,  // a shape began to overlap a sensor
  sensor_end,    // it no longer does
  hit,           // they met faster than EventSettings::hit_speed, or with more than hit_impulse
};

// Of the deepest point when there are several. The bodies of an `end` may no longer exist.
template <class D>
struct ContactEvent {
  EventKind kind = EventKind::begin;
  double time = 0;  // [s]
  ShapeRef a{}, b{};
  typename D::Vec point{};       // [m] world
  typename D::Vec normal{};      // unit, from a to b
  double depth = 0;              // [m] of overlap; negative: a gap
  typename D::Vec velocity_a{};  // [m/s] of a's material at the point, before the step
  typename D::Vec velocity_b{};
  double impulse = 0;  // [N·s] along the normal, that the contact passed on in the step before
};
using ContactEvent2 = ContactEvent<Dim2>;
using ContactEvent3 = ContactEvent<Dim3>;

// Which events a world records beside begin and end.
struct EventSettings {
  bool persist = false;
  double hit_speed = 1;                                          // [m/s]
  double hit_impulse = std::numeric_limits<double>::infinity();  // [N·s]
};

// -------------------------------------------------------------------------------------------------- fields

template <>
struct EnumNames<EventKind> {
  static constexpr std::array<std::pair<EventKind, std::string_view>, 6> table{
      {{EventKind::begin, "begin"},
       {EventKind::persist, "persist"},
       {EventKind::end, "end"},
       {EventKind::sensor_begin, "sensor_begin"},
       {EventKind::sensor_end, "sensor_end"},
       {EventKind::hit, "hit"}}};
};
template <>
struct Fields<EventSettings> {
  using T = EventSettings;
  static constexpr std::string_view name = "EventSettings";
  static constexpr auto table() {
    return std::tuple{
        field("persist", &T::persist, "", k_any, "record contacts that go on, each step"),
        field("hit_speed", &T::hit_speed, "m/s", Range{.lo = 0, .infinite = true},
              "contacts that begin with a greater approach speed are hits"),
        field("hit_impulse", &T::hit_impulse, "N·s", Range{.lo = 0, .infinite = true},
              "contacts that pass on a greater impulse in a step are hits"),
    };
  }
};

}  // namespace cairn
