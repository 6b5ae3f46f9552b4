#include "world/validate.h"

#include <algorithm>

#include "geometry/box.h"

namespace cairn {
namespace {

// How many elements a surface has; convex pieces have none.
std::size_t element_count(const Piece2& piece) {
  const auto* const chain = std::get_if<const PolyLine*>(&piece);
  return chain ? (*chain)->points.size() : 1;
}
std::size_t element_count(const Piece3& piece) {
  if (const auto* const mesh = std::get_if<const TriangleMesh*>(&piece)) return (*mesh)->triangles.size();
  if (const auto* const grid = std::get_if<const HeightGrid*>(&piece))
    return 2 * std::size_t((*grid)->field.columns - 1) * ((*grid)->field.rows - 1);
  return 1;
}

template <class V>
bool is_unit(const V& v) {
  return absolute(length(v) - 1) < 1e-9;
}

template <class D>
void find_faults_of_contact(Faults& faults, const PairContact<D>& contact, const Proxy<D>& a,
                            const Proxy<D>& b, double margin) {
  const auto fault = [&](const auto&... parts) {
    faults.add("contact of bodies ", a.body, " and ", b.body, " (proxies ", contact.pair.a, ", ",
               contact.pair.b, "): ", parts...);
  };
  if (!(contact.cache.axis == typename D::Vec{}) && !is_unit(contact.cache.axis))
    fault("its cached axis has length ", length(contact.cache.axis));
  const std::size_t elements = std::max(element_count(a.on_body.piece), element_count(b.on_body.piece));
  double nearest = std::numeric_limits<double>::infinity();
  for (const PairPatch<D>& patch : contact.patches) {
    if (patch.count < 1 || patch.count > Manifold<D>::k_most_points) {
      fault("a patch of ", patch.count, " points");
      continue;
    }
    if (!is_unit(patch.normal)) fault("a normal of length ", length(patch.normal));
    if (patch.element >= elements) fault("element ", patch.element, " of ", elements);
    for (int k = 0; k < patch.count; ++k) {
      const PairPoint<D>& point = patch.points[k];
      nearest = smaller(nearest, point.separation);
      if (!(length(point.anchor_a) <= a.reach + margin))
        fault("point ", k, " is ", length(point.anchor_a), " m from a's centre, which reaches ", a.reach,
              " m");
      if (!(length(point.anchor_b) <= b.reach + margin))
        fault("point ", k, " is ", length(point.anchor_b), " m from b's centre, which reaches ", b.reach,
              " m");
      if (!(point.load >= 0) || !is_finite(point.impulse)) fault("point ", k, " bears ", point.load, " N");
    }
  }
  if (!(contact.separation == nearest))
    fault("separation ", contact.separation, " m, its nearest point ", nearest, " m");
}

}  // namespace

template <class D>
void Collisions<D>::find_faults(Faults& faults) const {
  std::vector<std::uint32_t> times(proxies_.size());
  std::size_t listed = 0;
  for (std::uint32_t slot = 0; slot < proxies_of_slot_.size(); ++slot)
    for (const std::uint32_t index : proxies_of_slot_[slot]) {
      ++listed;
      if (index >= proxies_.size() || ++times[index] > 1 || !bodies_->contains(proxies_[index].body) ||
          proxies_[index].body.index() != slot)
        faults.add("proxy ", index, " of ", proxies_.size(), ": listed with the body in slot ", slot,
                   ", which is not its own");
    }
  for (const std::uint32_t index : free_proxies_)
    if (index >= proxies_.size() || ++times[index] > 1 || proxies_[index].body)
      faults.add("proxy ", index, " of ", proxies_.size(), ": free, and used");
  if (listed + free_proxies_.size() != proxies_.size() || broad_phase_.size() != listed)
    faults.add("proxies: ", listed, " of bodies, ", free_proxies_.size(), " free, ", broad_phase_.size(),
               " in the broad phase, of ", proxies_.size());
  if (free_proxies_.capacity() < proxies_.size())
    faults.add("proxies: room for ", free_proxies_.capacity(), " free ones of ", proxies_.size());
  if (!broad_phase_.validate()) faults.add("broad phase: its trees or lists are not what their boxes say");
  contacts_.find_faults(faults);
  if (!faults.empty()) return;  // what follows relies on it

  find_faults_of_proxies(faults);
  find_faults_of_pairs(faults);
}

template <class D>
void Collisions<D>::find_faults_of_proxies(Faults& faults) const {
  for (const BodyId body : bodies_->id_of_row) {
    const BodyRecord<D>& record = bodies_->record(body);
    std::size_t k = 0;
    const std::span<const std::uint32_t> own = proxies_of(body);
    for (std::uint32_t shape = 0; shape < record.geometry->size() && !record.set_aside; ++shape) {
      const ShapeDef<D>& def = record.def->shapes[shape];
      for (const PlacedPiece<D>& placed : pieces_of((*record.geometry)[shape])) {
        const Proxy<D>* const p = k < own.size() ? &proxies_[own[k]] : nullptr;
        if (!p || p->body != body || p->shape != shape || p->on_body.piece != placed.piece ||
            !(p->filter == def.filter) || !(p->material == def.material) || p->sensor != def.sensor)
          faults.add("body ", body, ": proxy ", k, " is not that of shape ", shape);
        ++k;
      }
    }
    if (k != own.size()) faults.add("body ", body, ": ", own.size(), " proxies for ", k, " pieces");
    if (ahead_) continue;  // the step was refused, and the next one will mend it
    for (const std::uint32_t index : own)
      if (!contains(broad_phase_.stored(index),
                    box_of(proxies_[index], foresight_[index], state_of(proxies_[index]))))
        faults.add("body ", body, ": proxy ", index, " sticks out of its box");
  }
}

// What overlaps and may meet is a contact, unless its boxes are new and the next step will find it.
template <class D>
void Collisions<D>::find_faults_of_pairs(Faults& faults) const {
  std::vector<ProxyPair> known;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const PairContact<D>& contact = contacts_[i];
    known.push_back(contact.pair);
    if (contact.pair.b >= proxies_.size() || !proxies_[contact.pair.a].body ||
        !proxies_[contact.pair.b].body) {
      faults.add("contact of proxies ", contact.pair.a, " and ", contact.pair.b, ": they do not exist");
      continue;
    }
    const Proxy<D>&a = proxies_[contact.pair.a], &b = proxies_[contact.pair.b];
    if (!a.refilter && !b.refilter && !may_meet(a, b))
      faults.add("contact of bodies ", a.body, " and ", b.body, ": they may not meet");
    find_faults_of_contact(faults, contact, a, b, k_margin * length_scale_);
    if (contact.knows_surfaces && !a.resurfaced && !b.resurfaced)
      for (const PairPatch<D>& patch : contact.patches)
        if (!(patch.material == combine(a.material, b.material)) || patch.rounding_a != a.rounding ||
            patch.rounding_b != b.rounding)
          faults.add("contact of bodies ", a.body, " and ", b.body, ": its surfaces are not theirs");
    if (a.leapt || b.leapt) continue;
    const BodyState<D>&s = state_of(a), &t = state_of(b);
    const typename D::Rot to_a = inverse(s.rotation);
    const Pose<D> b_in_a{to_a * (t.position - s.position), to_a * t.rotation};
    if (!contact.patches.empty() && is_surely_still(contact) &&
        !can_recycle(contact, a.on_body, b.on_body, b_in_a, k_recycle * length_scale_))
      faults.add("contact of bodies ", a.body, " and ", b.body, ": held to be still, and has moved");
    if (is_surely_apart(i) &&
        (!contact.patches.empty() ||
         !patches_between(a.on_body, b.on_body, b_in_a, k_margin * length_scale_).empty()))
      faults.add("contact of bodies ", a.body, " and ", b.body, ": held to be apart, and near");
  }
  Team alone(1);
  AnyBroadPhase<D> copy = broad_phase_;
  std::vector<ProxyPair> found;
  copy.find_pairs(alone, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i > 0 && !(found[i - 1] < found[i])) faults.add("broad phase: pairs are not in order, or twice");
    if (!broad_phase_.overlaps(found[i].a, found[i].b))
      faults.add("broad phase: boxes ", found[i].a, " and ", found[i].b, " do not overlap");
  }
  if (pair_filter) return;  // who knows what the user lets meet
  known.insert(known.end(), found.begin(), found.end());
  known.insert(known.end(), new_pairs_.begin(), new_pairs_.end());
  std::sort(known.begin(), known.end());
  for (std::uint32_t b = 0; b < proxies_.size(); ++b)
    for (std::uint32_t a = 0; a < b; ++a) {
      const Proxy<D>&p = proxies_[a], &q = proxies_[b];
      if (!p.body || !q.body || p.find_anew || q.find_anew || !broad_phase_.overlaps(a, b) || !may_meet(p, q))
        continue;
      if (!std::binary_search(known.begin(), known.end(), ProxyPair{a, b}))
        faults.add("bodies ", p.body, " and ", q.body, ": the boxes of proxies ", a, " and ", b,
                   " overlap, and nothing knows of it");
    }
}

// By a search in breadth: who is reached first from the smallest row.
template <class D>
void Dynamics<D>::find_faults(Faults& faults, const BodyStore<D>& bodies, const ForceSet<D>& forces) const {
  if (patches_.empty() && joints_.empty()) return;  // nothing was solved
  const std::uint32_t count = bodies.awake_rows();
  const auto moves = [&](std::uint32_t row) { return bodies.masses[row].motion == Motion::dynamic; };
  std::vector<std::vector<std::uint32_t>> neighbours(count);
  std::vector<std::uint8_t> is_held(count);
  const auto connect = [&](std::uint32_t a, std::uint32_t b, bool holds) {
    if (holds) is_held[a] = is_held[b] = 1;
    if (moves(a) && moves(b)) neighbours[a].push_back(b), neighbours[b].push_back(a);
  };
  for (const PatchRef& patch : patches_) connect(patch.a, patch.b, true);
  for (const std::uint32_t j : joints_) connect(joint_rows_a_[j], joint_rows_b_[j], true);
  for (const Spring<D>& spring : forces.springs) connect(spring.a, spring.b, false);

  Islands islands = islands_;
  std::vector<std::uint8_t> seen(count);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t first = 0; first < count; ++first) {
    if (seen[first] || !moves(first)) continue;
    queue.assign(1, first);
    seen[first] = 1;
    bool bound = false;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      bound = bound || is_held[queue[i]];
      for (const std::uint32_t next : neighbours[queue[i]])
        if (!seen[next]) seen[next] = 1, queue.push_back(next);
    }
    for (const std::uint32_t row : queue) {
      if (islands.root(row) != first)
        faults.add("body ", bodies.id_of_row[row], ": its island is that of row ", islands.root(row),
                   ", but it hangs together with row ", first);
      if (bool(is_bound_[row]) != bound)
        faults.add("body ", bodies.id_of_row[row], bound ? ": is bound and does not know" : ": is not bound");
      if (bound && class_of_row_[row] != class_of_row_[first])
        faults.add("body ", bodies.id_of_row[row], ": of class ", class_of_row_[row],
                   " in an island of class ", class_of_row_[first]);
    }
  }
}

namespace {

template <class D>
void find_faults_of_exemptions(Faults& faults, const WorldData<D>& world) {
  using Entry = Exemptions::Entry;
  const auto check_list = [&](const std::vector<Entry>& list, const char* whose) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto& [a, b, count] = list[i];
      if (!(a < b) || (i > 0 && !(std::pair{list[i - 1].a, list[i - 1].b} < std::pair{a, b})))
        faults.add("exemptions by ", whose, ": bodies ", a, " and ", b, " are not in order");
      if (!world.bodies.contains(a) || !world.bodies.contains(b))
        faults.add("exemptions by ", whose, ": bodies ", a, " and ", b, " do not both exist");
      if (count == 0) faults.add("exemptions by ", whose, ": bodies ", a, " and ", b, " none");
    }
  };
  check_list(world.collisions.exemptions.entries(), "the user");
  check_list(world.collisions.joined.entries(), "joints");
  Exemptions counted;
  for (const JointRecord<D>& joint : world.joints.records)
    if (!joint.collide_connected) counted.add(joint.a, joint.b);
  const auto covered = [&](const Exemptions& list, const Exemptions& by, const char* text) {
    for (const Entry& e : list.entries())
      if (std::none_of(by.entries().begin(), by.entries().end(),
                       [&](const Entry& o) { return o.a == e.a && o.b == e.b && o.count == e.count; }))
        faults.add("bodies ", e.a, " and ", e.b, text, e.count);
  };
  covered(counted, world.collisions.joined, ": not known to be parted by so many joints, ");
  covered(world.collisions.joined, counted, ": there are no such joints, which part them ");
}

// Rings of slots: whom each sleeper names as its next sleeps as well and is named by nobody else. Joints and springs tie
// no sleeper to a dynamic body outside its ring.
template <class D>
void find_faults_of_sleepers(Faults& faults, const WorldData<D>& world) {
  const BodyStore<D>& bodies = world.bodies;
  const std::vector<Sleeper>& sleepers = world.sleep.of_slot;
  for (const BodyId body : bodies.id_of_row)
    if (body.index() >= sleepers.size())
      return faults.add("body ", body, ": there are only ", sleepers.size(), " sleepers");
  if (world.sleep.woke.capacity() < sleepers.size())
    faults.add("sleep: room for ", world.sleep.woke.capacity(), " that woke, of ", sleepers.size(), " slots");
  std::vector<std::uint32_t> times_woken(sleepers.size());
  for (const BodyId body : world.sleep.woke) ++times_woken[body.index()];
  for (std::uint32_t slot = 0; slot < sleepers.size(); ++slot)
    if (times_woken[slot] != sleepers[slot].woken)
      faults.add("slot ", slot, ": is listed ", times_woken[slot], " times among those that woke");

  const std::uint32_t nobody = std::uint32_t(sleepers.size());
  std::vector<std::uint32_t> ring(sleepers.size(), nobody);  // by slot: the first found of its ring
  for (std::uint32_t row = bodies.awake_rows(); row < bodies.row_count(); ++row) {
    const BodyId body = bodies.id_of_row[row];
    if (bodies.masses[row].motion != Motion::dynamic || !is_at_rest(bodies.states[row]))
      faults.add("body ", body, ": sleeps, and moves or is not dynamic");
    const std::uint32_t first = body.index();
    for (std::uint32_t slot = first; ring[slot] == nobody;) {
      ring[slot] = first;
      const std::uint32_t next = sleepers[slot].next;
      const bool sleeps = next < sleepers.size() && bodies.row_of_slot[next] < bodies.row_count() &&
                          bodies.id_of_row[bodies.row_of_slot[next]].index() == next &&
                          bodies.row_of_slot[next] >= bodies.awake_rows();
      if (!sleeps || (ring[next] != nobody && next != first)) {
        faults.add("body in slot ", slot, ": sleeps, and the next of its ring is slot ", next,
                   sleeps ? ", which has come before" : ", which does not sleep");
        break;
      }
      slot = next;
    }
  }
  const auto check_tie = [&](const char* what, auto id, BodyId a, BodyId b) {
    const auto moves = [&](BodyId body) { return bodies.masses[bodies.row(body)].motion == Motion::dynamic; };
    if (moves(a) && moves(b) && ring[a.index()] != ring[b.index()])
      faults.add(what, " ", id, ": its bodies ", a, " and ", b, " do not sleep together");
  };
  for (std::uint32_t row = 0; row < world.joints.row_count(); ++row)
    check_tie("joint", world.joints.id_of_row[row], world.joints.records[row].a, world.joints.records[row].b);
  for (std::uint32_t slot = 0; slot < world.force_ids.slot_count(); ++slot)
    if (const ForceId id = world.force_ids.at(slot))
      check_tie("spring", id, world.springs[slot].a, world.springs[slot].b);
}

template <class F>
void stop_at_faults(const char* when, F&& find) noexcept {
  try {
    stop_at(find(), when);
  } catch (const std::bad_alloc&) {
    // There is no memory to look; the step itself says so, if it minds.
  }
}

}  // namespace

template <class D>
Faults faults_of(const WorldData<D>& world) {
  Faults faults;
  world.bodies.find_faults(faults);
  if (!faults.empty()) return faults;  // what follows relies on it
  world.joints.find_faults(faults, world.bodies);
  world.force_ids.find_faults(faults, "springs");
  for (std::uint32_t slot = 0; slot < world.force_ids.slot_count(); ++slot) {
    const ForceId id = world.force_ids.at(slot);
    if (!id) continue;
    if (slot >= world.springs.size()) {
      faults.add("spring ", id, ": there are only ", world.springs.size());
      continue;
    }
    for (const BodyId body : {world.springs[slot].a, world.springs[slot].b})
      if (!world.bodies.contains(body))
        faults.add("spring ", id, ": holds body ", body, ", which does not exist");
  }
  if (world.broken.capacity() < world.joints.row_count())
    faults.add("joints: room for ", world.broken.capacity(), " breaks of ", world.joints.row_count());
  if (!faults.empty()) return faults;
  find_faults_of_sleepers(faults, world);
  find_faults_of_exemptions(faults, world);
  world.collisions.find_faults(faults);
  return faults;
}

template <class D>
void validate(const WorldData<D>& world) noexcept {
  stop_at_faults("after a step", [&] { return faults_of(world); });
}

template <class D>
void validate_solve(const WorldData<D>& world, const ForceSet<D>& forces) noexcept {
  stop_at_faults("after a solve", [&] {
    Faults faults;
    world.dynamics.find_faults(faults, world.bodies, forces);
    return faults;
  });
}

#define CAIRN_MEMBERS(D)                                                                          \
  template void Collisions<D>::find_faults(Faults&) const;                                        \
  template void Collisions<D>::find_faults_of_proxies(Faults&) const;                             \
  template void Collisions<D>::find_faults_of_pairs(Faults&) const;                               \
  template void Dynamics<D>::find_faults(Faults&, const BodyStore<D>&, const ForceSet<D>&) const; \
  template Faults faults_of(const WorldData<D>&);                                                 \
  template void validate(const WorldData<D>&) noexcept;                                           \
  template void validate_solve(const WorldData<D>&, const ForceSet<D>&) noexcept;
CAIRN_MEMBERS(Dim2)
CAIRN_MEMBERS(Dim3)
#undef CAIRN_MEMBERS

}  // namespace cairn
