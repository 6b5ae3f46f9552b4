// What contacts tell the user.
//
// A record is kept for each pair of shapes that touch. Comparing those of this step with those of the step before,
// both sorted, gives every event: in both, the contact persists; only in one, it begins or ends. Whatever made a
// contact go away, be it motion, a filter or the end of a body, it is noticed here. The records of contacts that sleep
// are put by: nothing happens to them, and none of them persists.
#include <algorithm>
#include <iterator>

#include "world/collisions.h"

namespace cairn {
namespace {

template <class D>
auto key_of(const ContactEvent<D>& e) {
  return std::tuple{e.a, e.b, e.kind};
}

template <class D>
void flip(ContactEvent<D>& e) {
  std::swap(e.a, e.b);
  std::swap(e.velocity_a, e.velocity_b);
  e.normal = -e.normal;
}

template <class D>
double approach_speed(const ContactEvent<D>& e) {
  return dot(e.normal, e.velocity_a - e.velocity_b);
}

}  // namespace

template <class D>
Contact<D> Collisions<D>::view(const PairContact<D>& contact) const {
  const Proxy<D>&a = proxies_[contact.pair.a], &b = proxies_[contact.pair.b];
  const BodyState<D>& s = state_of(a);
  Contact<D> result{a.ref(), b.ref(), contact.touching, material_of(contact), {}};
  for (const PairPatch<D>& patch : contact.patches) {
    ContactPatch<D>& shown = result.patches.emplace_back();
    shown.normal = s.rotation * patch.normal;
    for (int k = 0; k < patch.count; ++k) {
      const PairPoint<D>& p = patch.points[k];
      const auto half_way = p.anchor_a + 0.5 * p.separation * patch.normal;
      shown.points.push_back(
          {s.position + s.rotation * half_way, p.separation, s.rotation * p.impulse, p.age});
    }
  }
  return result;
}

template <class D>
Material Collisions<D>::material_of(const PairContact<D>& contact) const {
  if (contact.has_own_material) return contact.patches.head().own_material;
  return combine(proxies_[contact.pair.a].material, proxies_[contact.pair.b].material);
}

template <class D>
void Collisions<D>::record_event(const PairContact<D>& contact, const BodyState<D>& s, const BodyState<D>& t,
                                 ContactEvent<D>& e) const {
  const Proxy<D>&a = proxies_[contact.pair.a], &b = proxies_[contact.pair.b];
  const auto [patch, point] = deepest(contact);
  const auto on_a = s.rotation * (point->anchor_a + 0.5 * point->separation * patch->normal);
  e.kind = contact.sensor ? EventKind::sensor_begin : EventKind::begin;
  e.a = a.ref();
  e.b = b.ref();
  e.point = s.position + on_a;
  e.normal = s.rotation * patch->normal;
  e.depth = -point->separation;
  e.velocity_a = s.velocity + cross(s.angular_velocity, on_a);
  e.velocity_b = t.velocity + cross(t.angular_velocity, on_a + (s.position - t.position));
  e.impulse = 0;
  for (const PairPatch<D>& each : contact.patches)
    for (int k = 0; k < each.count; ++k) e.impulse += dot(each.points[k].impulse, each.normal);
}

// One record for each pair of touching shapes, that of its deepest point, sorted.
template <class D>
void Collisions<D>::find_touching_shapes(double time) {
  touching_now_.clear();
  bool is_done = true;  // sorted, each pair once: nearly always, and known while the records are at hand
  for (const Finding& finding : findings_) {
    if (!finding.touching) continue;
    ContactEvent<D>& e = touching_now_.emplace_back(records_[finding.record]);
    e.time = time;
    if (e.b < e.a) flip(e);
    is_done = is_done && (touching_now_.size() == 1 || key_of(*(&e - 1)) < key_of(e));
  }
  if (is_done) return;
  const auto less = [](const ContactEvent<D>& x, const ContactEvent<D>& y) { return key_of(x) < key_of(y); };
  // Parts of compounds may stand in another order than their shapes. Equal keys stay in the order of contacts.
  if (!std::is_sorted(touching_now_.begin(), touching_now_.end(), less))  // sorting takes memory
    std::stable_sort(touching_now_.begin(), touching_now_.end(), less);
  std::size_t kept = 0;
  for (const ContactEvent<D>& e : touching_now_) {
    if (kept > 0 && key_of(touching_now_[kept - 1]) == key_of(e)) {
      ContactEvent<D>& first = touching_now_[kept - 1];
      const double impulse = first.impulse + e.impulse;
      if (e.depth > first.depth) first = e;
      first.impulse = impulse;
    } else {
      if (&touching_now_[kept] != &e) touching_now_[kept] = e;
      ++kept;
    }
  }
  touching_now_.resize(kept);
}

// Puts every record where its contact is now. Those of bodies that are gone are awake: they end.
template <class D>
void Collisions<D>::part_sleeping_records() {
  const auto less = [](const ContactEvent<D>& x, const ContactEvent<D>& y) { return key_of(x) < key_of(y); };
  touching_all_.clear();
  std::merge(touching_.begin(), touching_.end(), touching_asleep_.begin(), touching_asleep_.end(),
             std::back_inserter(touching_all_), less);
  touching_.reserve(touching_all_.size());
  touching_asleep_.reserve(touching_all_.size());
  touching_.clear();
  touching_asleep_.clear();
  for (const ContactEvent<D>& e : touching_all_) {
    const bool gone = !bodies_->contains(e.a.body) || !bodies_->contains(e.b.body);
    std::vector<ContactEvent<D>>& list = !gone && sleeps(e.a.body, e.b.body) ? touching_asleep_ : touching_;
    if (list.empty() || key_of(list.back()) != key_of(e)) list.push_back(e);
  }
}

template <class D>
void Collisions<D>::record_events(const EventSettings& settings, double time) {
  find_touching_shapes(time);
  events_now_.clear();
  const auto record = [&](ContactEvent<D> e, EventKind kind) {
    e.kind = kind;
    e.time = time;
    events_now_.push_back(e);
  };
  const auto is_sensor = [](const ContactEvent<D>& e) { return e.kind == EventKind::sensor_begin; };
  auto old = touching_.begin();
  const auto end_until = [&](auto&& before) {
    for (; old != touching_.end() && before(*old); ++old)
      record(*old, is_sensor(*old) ? EventKind::sensor_end : EventKind::end);
  };
  for (const ContactEvent<D>& e : touching_now_) {
    end_until([&](const ContactEvent<D>& o) { return key_of(o) < key_of(e); });
    const bool begins = old == touching_.end() || key_of(*old) != key_of(e);
    if (!begins) ++old;
    if (begins) record(e, e.kind);
    if (is_sensor(e)) continue;
    if (!begins && settings.persist) record(e, EventKind::persist);
    if ((begins && approach_speed(e) > settings.hit_speed) || e.impulse > settings.hit_impulse)
      record(e, EventKind::hit);
  }
  end_until([](const ContactEvent<D>&) { return true; });
}

#define CAIRN_MEMBERS(D)                                                                                     \
  template Contact<D> Collisions<D>::view(const PairContact<D>&) const;                                      \
  template Material Collisions<D>::material_of(const PairContact<D>&) const;                                 \
  template void Collisions<D>::record_event(const PairContact<D>&, const BodyState<D>&, const BodyState<D>&, \
                                            ContactEvent<D>&) const;                                         \
  template void Collisions<D>::find_touching_shapes(double);                                                 \
  template void Collisions<D>::part_sleeping_records();                                                      \
  template void Collisions<D>::record_events(const EventSettings&, double);
CAIRN_MEMBERS(Dim2)
CAIRN_MEMBERS(Dim3)
#undef CAIRN_MEMBERS

}  // namespace cairn
