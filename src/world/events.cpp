// What contacts tell the user.
//
// A record is kept for each pair of shapes that touch. Comparing those of this step with those of the step before,
// both sorted, gives every event: in both, the contact persists; only in one, it begins or ends. Whatever made a
// contact go away, be it motion, a filter or the end of a body, it is noticed here. The records of contacts that sleep
// are put by: nothing happens to them, and none of them persists.
#include <algorithm>

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
  if (contact.has_own_material) return contact.patches[0].material;
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
  if (e.b < e.a) flip(e);
}

// One record for each pair of touching shapes, that of its deepest point, sorted.
template <class D>
void Collisions<D>::find_touching_shapes() {
  Chunked<ContactEvent<D>>& records = touching_now_.records;
  std::vector<std::uint32_t>& order = touching_now_.order;
  std::vector<ProxyPair>& pairs = touching_now_.pairs;
  order.clear();
  pairs.clear();
  // Are they sorted, each pair once? Nearly always; and two that touched in the step before need no look at their records.
  bool is_done = true, was_old = false;
  std::size_t old = 0;
  const std::size_t olds = touching_.knows_pairs ? touching_.pairs.size() : 0;
  for (const Finding& finding : findings_) {
    if (!finding.touching) continue;
    const ProxyPair pair = contacts_.pair(finding.contact);
    while (old < olds && touching_.pairs[old] < pair) ++old;
    const bool is_old = old < olds && touching_.pairs[old] == pair;
    if (is_done && !order.empty() && !(is_old && was_old))
      is_done = key_of(records[order.back()]) < key_of(records[finding.place]);
    was_old = is_old;
    order.push_back(finding.place);
    pairs.push_back(pair);
  }
  touching_now_.knows_pairs = is_done;
  if (is_done) return;
  // Parts of compounds may stand in another order than their shapes. Equal keys stay in the order of contacts.
  const auto less = [&](std::uint32_t x, std::uint32_t y) { return key_of(records[x]) < key_of(records[y]); };
  if (!std::is_sorted(order.begin(), order.end(), less))  // sorting takes memory
    std::stable_sort(order.begin(), order.end(), less);
  std::size_t kept = 0;
  for (const std::uint32_t place : order) {
    const ContactEvent<D>& e = records[place];
    if (kept > 0 && key_of(touching_now_[kept - 1]) == key_of(e)) {
      ContactEvent<D>& first = touching_now_[kept - 1];
      const double impulse = first.impulse + e.impulse;
      if (e.depth > first.depth) first = e;
      first.impulse = impulse;
    } else {
      order[kept++] = place;
    }
  }
  order.resize(kept);
}

// Puts every record where its contact is now. Those of bodies that are gone are awake: they end.
template <class D>
void Collisions<D>::part_sleeping_records() {
  touching_all_.clear();
  auto asleep = touching_asleep_.begin();
  for (std::size_t k = 0; k < touching_.size(); ++k) {
    while (asleep != touching_asleep_.end() && key_of(*asleep) < key_of(touching_[k]))
      touching_all_.push_back(*asleep++);
    touching_all_.push_back(touching_[k]);
  }
  touching_all_.insert(touching_all_.end(), asleep, touching_asleep_.end());
  touching_.reserve(touching_all_.size());
  touching_asleep_.reserve(touching_all_.size());
  touching_.order.clear();
  touching_.knows_pairs = false;
  touching_asleep_.clear();
  const auto add = [](auto& list, const ContactEvent<D>& e) {
    if (list.size() == 0 || key_of(list.back()) != key_of(e)) list.push_back(e);
  };
  for (const ContactEvent<D>& e : touching_all_) {
    const bool gone = !bodies_->contains(e.a.body) || !bodies_->contains(e.b.body);
    if (!gone && sleeps(e.a.body, e.b.body))
      add(touching_asleep_, e);
    else
      add(touching_, e);
  }
}

template <class D>
void Collisions<D>::record_events(const EventSettings& settings, double time) {
  find_touching_shapes();
  events_now_.clear();
  const auto record = [&](ContactEvent<D> e, EventKind kind) {
    e.kind = kind;
    e.time = time;
    events_now_.push_back(e);
  };
  const auto is_sensor = [](const ContactEvent<D>& e) { return e.kind == EventKind::sensor_begin; };
  std::size_t old = 0;
  const auto end_old = [&] {
    const ContactEvent<D>& e = touching_[old++];
    record(e, is_sensor(e) ? EventKind::sensor_end : EventKind::end);
  };
  const bool know_pairs = touching_.knows_pairs && touching_now_.knows_pairs;
  const bool tells_what_lasts =
      settings.persist || settings.hit_impulse < std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < touching_now_.size(); ++k) {
    // Most touch as they did: of these, nobody looks at the records.
    if (know_pairs && old < touching_.size() && touching_.pairs[old] == touching_now_.pairs[k] &&
        !tells_what_lasts) {
      ++old;
      continue;
    }
    const ContactEvent<D>& e = touching_now_[k];
    const auto is_old = [&] { return old < touching_.size() && key_of(touching_[old]) == key_of(e); };
    bool begins = !is_old();  // hardly any
    if (begins) {
      while (old < touching_.size() && key_of(touching_[old]) < key_of(e)) end_old();
      begins = !is_old();
    }
    if (!begins) ++old;
    if (begins) record(e, e.kind);
    if (is_sensor(e)) continue;
    if (!begins && settings.persist) record(e, EventKind::persist);
    if ((begins && approach_speed(e) > settings.hit_speed) || e.impulse > settings.hit_impulse)
      record(e, EventKind::hit);
  }
  while (old < touching_.size()) end_old();
}

#define CAIRN_MEMBERS(D)                                                                                     \
  template Contact<D> Collisions<D>::view(const PairContact<D>&) const;                                      \
  template Material Collisions<D>::material_of(const PairContact<D>&) const;                                 \
  template void Collisions<D>::record_event(const PairContact<D>&, const BodyState<D>&, const BodyState<D>&, \
                                            ContactEvent<D>&) const;                                         \
  template void Collisions<D>::find_touching_shapes();                                                       \
  template void Collisions<D>::part_sleeping_records();                                                      \
  template void Collisions<D>::record_events(const EventSettings&, double);
CAIRN_MEMBERS(Dim2)
CAIRN_MEMBERS(Dim3)
#undef CAIRN_MEMBERS

}  // namespace cairn
