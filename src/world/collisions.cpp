// Proxies, pairs and contacts. What they tell the user is in events.cpp.
#include "world/collisions.h"

#include <algorithm>

#include "base/prefetch.h"
#include "constraints/contact_block.h"
#include "geometry/box.h"
#include "geometry/extent.h"

namespace cairn {
namespace {

constexpr std::size_t k_proxies_a_block = 256, k_contacts_a_block = 32;

// What the user's function `ask` says, or `otherwise` if it throws. Only when memory runs out, the step ends.
template <class Answer, class F>
Answer answer_of(F&& ask, Answer otherwise, CollisionReport& report) {
  const char* why = "an unknown exception";
  try {
    return ask();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    if (report.hook_failures == 0) report.hook_message = e.what();
  } catch (...) {
    if (report.hook_failures == 0) report.hook_message = why;
  }
  ++report.hook_failures;
  return otherwise;
}

}  // namespace

template <class D>
Collisions<D>::Collisions(const WorldDef<D>& def, const BodyStore<D>& bodies)
    : bodies_(&bodies), length_scale_(def.length_scale), broad_phase_(def.broad_phase) {}

// ------------------------------------------------------------------------------------------------- proxies

template <class D>
std::span<const std::uint32_t> Collisions<D>::proxies_of(BodyId body) const {
  if (body.index() >= proxies_of_slot_.size()) return {};
  return proxies_of_slot_[body.index()];
}

template <class D>
Bounds<D> Collisions<D>::box_of(const Proxy<D>& proxy, double foresight, const BodyState<D>& state) const {
  return grown(bounds(proxy.on_body.piece, pose_of(proxy, state)),
               0.5 * k_margin * length_scale_ + foresight);
}

template <class D>
void Collisions<D>::add(BodyId body) {
  const BodyRecord<D>& record = bodies_->record(body);
  const std::uint32_t row = bodies_->row(body);
  if (body.index() >= proxies_of_slot_.size()) proxies_of_slot_.resize(body.index() + 1);
  if (body.index() >= extents_of_slot_.size()) extents_of_slot_.resize(body.index() + 1);
  BodyExtent& extent = extents_of_slot_[body.index()] = {};
  touching_.knows_pairs = false;  // proxies may be others under an old number
  std::vector<std::uint32_t>& list = proxies_of_slot_[body.index()];
  const bool mobile = bodies_->masses[row].motion != Motion::fixed;
  for (std::uint32_t shape = 0; shape < record.geometry->size(); ++shape) {
    const ShapeDef<D>& def = record.def->shapes[shape];
    const Pose<D> on_body{def.position - record.mass.center, normalized(def.rotation)};
    for (const PlacedPiece<D>& placed : pieces_of((*record.geometry)[shape])) {
      Proxy<D> proxy;
      proxy.body = body;
      proxy.shape = shape;
      proxy.on_body = {placed.piece, on_body * placed.pose, outer_radius(placed.piece, {})};
      proxy.box = bounds(placed.piece, Pose<D>{});
      proxy.inner = inner_radius(placed.piece);
      proxy.rounding = rounding(placed.piece);
      proxy.reach = outer_radius(placed.piece, to_local(proxy.on_body.pose, typename D::Vec{}));
      proxy.filter = def.filter;
      proxy.material = def.material;
      proxy.surface_velocity = def.surface_velocity;
      proxy.conveys = def.surface_velocity != typename D::Vec{};
      proxy.sensor = def.sensor;
      proxy.convex = is_convex(placed.piece);

      if (!proxy.sensor) extent = {smaller(extent.thickness, proxy.inner), larger(extent.reach, proxy.reach)};

      make_room(list);
      make_room(proxies_);
      if (free_proxies_.capacity() < proxies_.capacity()) free_proxies_.reserve(proxies_.capacity());
      if (free_proxies_.empty()) {
        travelled_.resize(proxies_.size() + 1);
        foresight_.resize(proxies_.size() + 1);
        free_proxies_.push_back(std::uint32_t(proxies_.size()));
        proxies_.emplace_back();
      }
      const std::uint32_t index = free_proxies_.back();
      broad_phase_.insert(index, box_of(proxy, 0, bodies_->states[row]), mobile);
      free_proxies_.pop_back();
      proxies_[index] = proxy;
      foresight_[index] = 0;
      list.push_back(index);
    }
  }
}

template <class D>
void Collisions<D>::remove(BodyId body) {
  if (proxies_of(body).empty()) return;
  contacts_.remove_if([&](const PairContact<D>& contact) {
    return proxies_[contact.pair.a].body == body || proxies_[contact.pair.b].body == body;
  });
  std::erase_if(new_pairs_, [&](const ProxyPair& pair) {
    return proxies_[pair.a].body == body || proxies_[pair.b].body == body;
  });
  for (const std::uint32_t index : proxies_of(body)) {
    broad_phase_.remove(index);
    proxies_[index] = {};
    free_proxies_.push_back(index);
  }
  proxies_of_slot_[body.index()].clear();
}

template <class D>
void Collisions<D>::moved(Team& team, BodyId body) {
  const std::span<const std::uint32_t> own = proxies_of(body);
  for (const std::uint32_t index : own) proxies_[index].leapt = leapt_ = true;
  moved_proxies_.assign(own.begin(), own.end());
  keep_foresight();
  update_boxes(team, bodies_->states);
}

template <class D>
void Collisions<D>::follow(Team& team, std::span<const BodyState<D>> before,
                           std::span<const BodyState<D>> after, double h,
                           std::span<const std::uint8_t> foresees) {
  moved_proxies_.clear();
  moved_foresight_.clear();
  for (std::uint32_t row = 0; row < after.size(); ++row) {
    const BodyState<D>&s = before[row], &t = after[row];
    if (s.position == t.position && s.rotation == t.rotation) continue;
    for (const std::uint32_t index : proxies_of(bodies_->id_of_row[row])) {
      moved_proxies_.push_back(index);
      moved_foresight_.push_back(
          foresees[row] ? h * (length(t.velocity) + length(t.angular_velocity) * proxies_[index].reach) : 0);
    }
  }
  ahead_ = true;
  // Each sum is made larger by more than its round-off. Of a plane that moves it is no number, and never below anything.
  constexpr double k_round_off = 4 * std::numeric_limits<double>::epsilon();
  team.for_blocks(moved_proxies_.size(), k_proxies_a_block, [&](const Block& block) {
    for (std::size_t k = block.begin; k < block.end; ++k) {
      const std::uint32_t index = moved_proxies_[k];
      const std::uint32_t row = bodies_->row_of_slot[proxies_[index].body.index()];
      const BodyState<D>&s = before[row], &t = after[row];
      const double way = length(t.position - s.position) +
                         turned_by(t.rotation * inverse(s.rotation)) * proxies_[index].reach;
      travelled_[index] += way + k_round_off * (travelled_[index] + way);
    }
  });
  update_boxes(team, after);
}

// Boxes reach as far as before.
template <class D>
void Collisions<D>::keep_foresight() {
  moved_foresight_.clear();
  for (const std::uint32_t index : moved_proxies_) moved_foresight_.push_back(foresight_[index]);
}

template <class D>
void Collisions<D>::update_boxes(Team& team, std::span<const BodyState<D>> states) {
  moved_boxes_.resize(moved_proxies_.size());
  team.for_blocks(moved_proxies_.size(), k_proxies_a_block, [&](const Block& block) {
    for (std::size_t k = block.begin; k < block.end; ++k) {
      const std::uint32_t index = moved_proxies_[k];
      const Proxy<D>& proxy = proxies_[index];
      moved_boxes_[k] = box_of(proxy, moved_foresight_[k], states[bodies_->row_of_slot[proxy.body.index()]]);
    }
  });
  broad_phase_.update(team, moved_proxies_, moved_boxes_);
}

// ------------------------------------------------------------------------------------------------- who meets

template <class D>
bool Collisions<D>::may_meet(const Proxy<D>& a, const Proxy<D>& b) const {
  if (a.body == b.body || (a.sensor && b.sensor) || (!a.convex && !b.convex)) return false;
  const Motion motion_a = bodies_->masses[bodies_->row_of_slot[a.body.index()]].motion;
  const Motion motion_b = bodies_->masses[bodies_->row_of_slot[b.body.index()]].motion;
  const bool pushes = motion_a == Motion::dynamic || motion_b == Motion::dynamic;
  const bool moves = motion_a != Motion::fixed || motion_b != Motion::fixed;
  if (!pushes && !(moves && (a.sensor || b.sensor))) return false;
  return meets(a.filter, b.filter) && !are_exempt(a.body, b.body);
}

// The proxy is stored anew, so that the pairs it may now form are found again; those it has are checked again.
template <class D>
void Collisions<D>::refilter(std::uint32_t index) {
  Proxy<D>& proxy = proxies_[index];
  const std::uint32_t row = bodies_->row(proxy.body);
  broad_phase_.remove(index);
  broad_phase_.insert(index, box_of(proxy, foresight_[index], bodies_->states[row]),
                      bodies_->masses[row].motion != Motion::fixed);
  proxy.refilter = refilter_ = true;
}

template <class D>
void Collisions<D>::set_filter(ShapeRef shape, const Filter& filter) {
  for (const std::uint32_t index : proxies_of(shape.body)) {
    if (proxies_[index].shape != shape.shape) continue;
    proxies_[index].filter = filter;
    refilter(index);
  }
}
template <class D>
void Collisions<D>::set_material(ShapeRef shape, const Material& material) {
  for (const std::uint32_t index : proxies_of(shape.body))
    if (proxies_[index].shape == shape.shape) {
      proxies_[index].material = material;
      proxies_[index].resurfaced = resurfaced_ = true;
    }
}
template <class D>
void Collisions<D>::set_exempt(BodyId a, BodyId b, bool exempt) {
  if (exemptions.contains(a, b) == exempt) return;
  if (exempt) {
    exemptions.add(a, b);
    drop_contacts_later(a);
  } else {
    exemptions.remove(a, b);
    find_pairs_later(a);
  }
}
template <class D>
void Collisions<D>::join(BodyId a, BodyId b) {
  joined.add(a, b);
  drop_contacts_later(a);
}
template <class D>
void Collisions<D>::separate(BodyId a, BodyId b) noexcept {
  joined.remove(a, b);
  find_pairs_later(a);
}

// The next step does it, which may run out of memory and be made again; a joint that breaks may not.
template <class D>
void Collisions<D>::drop_contacts_later(BodyId body) noexcept {
  for (const std::uint32_t index : proxies_of(body)) proxies_[index].refilter = refilter_ = true;
}
template <class D>
void Collisions<D>::find_pairs_later(BodyId body) noexcept {
  for (const std::uint32_t index : proxies_of(body)) proxies_[index].find_anew = find_anew_ = true;
}

template <class D>
void Collisions<D>::stir(BodyId body) noexcept {
  for (const std::uint32_t index : proxies_of(body)) proxies_[index].stirred = stirred_ = true;
  sleepers_changed_ = true;
}

// ------------------------------------------------------------------------------------------------- the step

template <class D>
void Collisions<D>::find(Team& team, double h, double gravity, CollisionReport& report) {
  h_ = h;
  gravity_ = gravity;
  choose_woken(true);
  if (ahead_) {
    moved_proxies_.clear();
    for (std::uint32_t index = 0; index < proxies_.size(); ++index)
      if (proxies_[index].body) moved_proxies_.push_back(index);
    keep_foresight();
    update_boxes(team, bodies_->states);
    ahead_ = false;
  }
  if (find_anew_) {
    for (std::uint32_t index = 0; index < proxies_.size(); ++index) {
      if (!proxies_[index].find_anew) continue;
      refilter(index);
      proxies_[index].find_anew = false;
    }
    find_anew_ = false;
  }
  take_in_new_pairs(team, report);
  forget_leapt();
  forget_resurfaced();
  drop_old_pairs();
  choose_near();
  before_.begin(contacts_.size());
  findings_.clear();
  find_contacts(team);
  ask_hook(report);
}

template <class D>
bool Collisions<D>::find_of_woken(Team& team, CollisionReport& report) {
  if (!choose_woken(false)) return false;
  find_contacts(team);
  ask_hook(report);
  std::sort(findings_.begin(), findings_.end(),  // no ties: each contact is found once
            [](const Finding& x, const Finding& y) { return x.contact < y.contact; });
  return true;
}

template <class D>
void Collisions<D>::tell(const WorldDef<D>& def, double time, CollisionReport& report) {
  if (stirred_) {  // whoever had to wake has woken
    for (Proxy<D>& proxy : proxies_) proxy.stirred = false;
    stirred_ = false;
    sleepers_changed_ = true;
  }
  record_events(def.events, time);
  for (std::size_t i = 0; i < contacts_.size(); ++i) report.pairs += !contacts_.is_asleep(i);
  for (const Finding& finding : findings_) {
    report.touching += finding.touching;
    report.recycled += finding.recycled;
    report.points += finding.points;
  }
}

// What the user's pair filter says, if there is one.
template <class D>
bool Collisions<D>::passes(const Proxy<D>& a, const Proxy<D>& b, CollisionReport& report) const {
  return !pair_filter || answer_of([&] { return pair_filter(a.ref(), b.ref()); }, true, report);
}

// New pairs wait in new_pairs_ until they are contacts: if memory runs out, none is lost.
template <class D>
void Collisions<D>::take_in_new_pairs(Team& team, CollisionReport& report) {
  broad_phase_.find_pairs(team, found_);
  if (new_pairs_.empty()) {
    new_pairs_.swap(found_);
  } else {
    new_pairs_.insert(new_pairs_.end(), found_.begin(), found_.end());
    std::sort(new_pairs_.begin(), new_pairs_.end());
    new_pairs_.erase(std::unique(new_pairs_.begin(), new_pairs_.end()), new_pairs_.end());
  }
  contacts_.leave_new(new_pairs_);
  wanted_.clear();
  for (const ProxyPair& pair : new_pairs_) {
    const Proxy<D>&a = proxies_[pair.a], &b = proxies_[pair.b];
    if (may_meet(a, b) && passes(a, b, report)) wanted_.push_back(pair);
  }
  contacts_.add(wanted_);
  // They are found once, even if both bodies sleep.
  if (!wanted_.empty() && bodies_->awake_rows() < bodies_->row_count()) sleepers_changed_ = true;
  new_pairs_.clear();
}

template <class D>
void Collisions<D>::drop_old_pairs() {
  contacts_.set_aside_awake_if([&](const ProxyPair& pair) {
    if (!broad_phase_.overlaps(pair.a, pair.b)) return true;
    if (!refilter_) return false;
    const Proxy<D>&a = proxies_[pair.a], &b = proxies_[pair.b];
    return (a.refilter || b.refilter) && !may_meet(a, b);
  });
}

// Of who was moved by hand nothing is known. Those that are set aside may be put back: they are asked too.
template <class D>
void Collisions<D>::forget_leapt() {
  if (!leapt_) return;
  for (std::uint32_t i = 0; i < contacts_.size(); ++i) {
    const auto [a, b] = contacts_.pair(i);
    if (!proxies_[a].leapt && !proxies_[b].leapt) continue;
    contacts_.forget_apart(i);
    forget_stillness(contacts_[i]);
  }
  for (Proxy<D>& proxy : proxies_) proxy.leapt = false;
  leapt_ = false;
}

// Likewise of whose material has changed.
template <class D>
void Collisions<D>::forget_resurfaced() {
  if (!resurfaced_) return;
  for (std::uint32_t i = 0; i < contacts_.size(); ++i) {
    const auto [a, b] = contacts_.pair(i);
    if (proxies_[a].resurfaced || proxies_[b].resurfaced) contacts_[i].knows_surfaces = false;
  }
  for (Proxy<D>& proxy : proxies_) proxy.resurfaced = false;
  resurfaced_ = false;
}

// Who was apart and has not travelled as far as that since is still apart: there is nothing to be found, nor anything to
// be changed of the contact.
template <class D>
void Collisions<D>::choose_near() {
  chosen_.clear();
  for (std::uint32_t i = 0; i < contacts_.size(); ++i)
    if (!contacts_.is_asleep(i) && !is_surely_apart(i)) chosen_.push_back(i);
}

template <class D>
void Collisions<D>::settle(double h) noexcept {
  ahead_ = false;
  for (std::size_t k = 0; k < moved_proxies_.size(); ++k) foresight_[moved_proxies_[k]] = moved_foresight_[k];
  foreseen_ = h;
  if (refilter_)
    for (Proxy<D>& proxy : proxies_) proxy.refilter = false;
  refilter_ = false;
  contacts_.settle();
  events_.swap(events_now_);
  touching_.swap(touching_now_);
  before_.forget();
}

template <class D>
void Collisions<D>::undo() noexcept {
  before_.put_all_back(contacts_);
  contacts_.put_back();
}

template <class D>
void Collisions<D>::find_contacts(Team& team) {
  constexpr std::size_t k_ahead = 3;
  const std::size_t first = findings_.size();
  findings_.resize(first + chosen_.size());
  touching_now_.records.reserve(findings_.size());
  before_.expect(findings_.size());
  team.for_blocks(chosen_.size(), k_contacts_a_block, [&](const Block& block) {
    for (std::size_t i = block.begin; i < block.end; ++i) {
      if (i + 2 * k_ahead < chosen_.size()) prefetch(contacts_[chosen_[i + 2 * k_ahead]]);
      if (i + k_ahead < block.end)  // others write to those behind
        prefetch_patches(contacts_[chosen_[i + k_ahead]]);
      findings_[first + i].place = std::uint32_t(first + i);
      find_contact(chosen_[i], findings_[first + i]);
    }
  });
}

template <class D>
void Collisions<D>::find_contact(std::uint32_t i, Finding& finding) {
  constexpr double k_sure = 0.999;  // of the way until two may be near: the rest is for round-off
  PairContact<D>& contact = contacts_[i];
  const Proxy<D>&a = proxies_[contact.pair.a], &b = proxies_[contact.pair.b];
  const BodyState<D>&s = bodies_->states[bodies_->row_of_slot[a.body.index()]],
        &t = bodies_->states[bodies_->row_of_slot[b.body.index()]];
  const typename D::Rot to_a = inverse(s.rotation);
  const Pose<D> b_in_a{to_a * (t.position - s.position), to_a * t.rotation};
  double way = foresight_[contact.pair.a] + foresight_[contact.pair.b];
  if (way > 0)
    way = smaller(way, foreseen_ * (length(t.velocity - s.velocity) + length(s.angular_velocity) * a.reach +
                                    length(t.angular_velocity) * b.reach));
  const double margin = k_margin * length_scale_;
  if (way == 0 && keeps_patches(contact, b_in_a)) {
    before_.keep(i, finding.place, contact);
    recycle(contact, b_in_a);
  } else {
    find_afresh(contact, before_.keep_patches(i, finding.place, contact), a.on_body, b.on_body, b_in_a,
                margin, way);
    contacts_.forget_apart(i);
    if (contact.patches.empty() && contact.cache.gap > margin + way)
      contacts_.set_apart_until(
          i, travelled_[contact.pair.a] + travelled_[contact.pair.b] + k_sure * (contact.cache.gap - margin));
    if (!contact.patches.empty()) note_stillness(contact, b_in_a, 0);
  }
  contact.sensor = a.sensor || b.sensor;
  contact.kept = true;
  contact.has_own_material = false;
  if (!contact.knows_surfaces) write_surfaces(contact);
  contact.touching = contact.separation <= (contact.sensor ? 0 : k_touch * length_scale_);

  finding.contact = i;
  finding.slot_a = a.body.index();
  finding.slot_b = b.body.index();
  finding.touching = contact.touching;
  finding.recycled = contact.recycled;
  finding.patches = std::uint32_t(contact.patches.size());
  finding.patch = contact.patches.data();
  finding.points = 0;
  for (const PairPatch<D>& patch : contact.patches) finding.points += std::uint32_t(patch.count);
  finding.binds = binds(contact);
  finding.plain = contact.patches.size() == 1 && !a.conveys && !b.conveys;
  finding.is_met = finding.plain && is_met(contact.patches[0], s, t);
  if (contact.touching) record_event(contact, s, t, touching_now_.records[finding.place]);
}

template <class D>
void Collisions<D>::write_surfaces(PairContact<D>& contact) const {
  const Proxy<D>&a = proxies_[contact.pair.a], &b = proxies_[contact.pair.b];
  contact.knows_surfaces = true;
  if (contact.patches.empty()) return;
  const Material material = combine(a.material, b.material);
  for (PairPatch<D>& patch : contact.patches) {
    patch.material = material;
    patch.rounding_a = a.rounding;
    patch.rounding_b = b.rounding;
  }
}

// Can the patches of the contact be kept? Most are of bodies that have hardly travelled since that was last asked: then it need not
// be worked out where the pieces are.
template <class D>
bool Collisions<D>::keeps_patches(PairContact<D>& contact, const Pose<D>& b_in_a) const {
  if (contact.patches.empty()) return false;
  if (is_surely_still(contact)) return true;
  const double moved =
      moved_since_found(contact, proxies_[contact.pair.a].on_body, proxies_[contact.pair.b].on_body, b_in_a);
  if (!(moved <= k_recycle * length_scale_)) return false;
  note_stillness(contact, b_in_a, moved);
  return true;
}
template <class D>
void Collisions<D>::note_stillness(PairContact<D>& contact, const Pose<D>& b_in_a, double moved) const {
  constexpr double k_round_off = 4 * std::numeric_limits<double>::epsilon();
  const Proxy<D>&a = proxies_[contact.pair.a], &b = proxies_[contact.pair.b];
  const double travelled = travelled_[contact.pair.a] + travelled_[contact.pair.b];
  contact.patches.head().still_until =
      travelled - k_round_off * travelled +
      way_to_move(a.on_body, a.reach, b.on_body, b.reach, b_in_a, k_recycle * length_scale_ - moved);
}

template <class D>
bool Collisions<D>::is_met(const PairPatch<D>& patch, const BodyState<D>& s, const BodyState<D>& t) const {
  if (was_loaded(patch)) return true;
  const PatchBodies<D, double> bodies = patch_bodies(s, t);
  const typename D::Vec normal = s.rotation * patch.normal;
  for (int k = 0; k < patch.count; ++k) {
    const PairPoint<D>& point = patch.points[k];
    const double approach = placed(bodies, normal, point.anchor_a, point.anchor_b).approach;
    if (point.separation < near() + closes_by(approach, h_, gravity_)) return true;
  }
  return false;
}

template <class D>
ContactDecision Collisions<D>::decision(const Contact<D>& contact, CollisionReport& report) const {
  if (!contact_hook) return {};
  const auto ask = [&] {
    const ContactDecision answer = contact_hook(contact);
    if (answer.material) check(*answer.material, Path{nullptr, "ContactDecision.material", -1});
    return answer;
  };
  return answer_of(ask, ContactDecision{}, report);
}

template <class D>
void Collisions<D>::ask_hook(CollisionReport& report) {
  if (!contact_hook) return;
  for (Finding& finding : std::span(findings_).last(chosen_.size())) {
    PairContact<D>& contact = contacts_[finding.contact];
    if (contact.sensor || contact.patches.empty()) continue;
    const ContactDecision answer = decision(view(contact), report);
    contact.kept = answer.keep;
    contact.has_own_material = answer.material.has_value();
    if (answer.material) {
      for (PairPatch<D>& patch : contact.patches) patch.material = *answer.material;
      contact.knows_surfaces = false;
    }
    contact.touching = contact.touching && answer.keep;
    finding.touching = contact.touching;
    finding.binds = binds(contact);
  }
}

// ------------------------------------------------------------------------------------------------- who sleeps

template <class D>
bool Collisions<D>::is_lively(BodyId body) const {
  const std::uint32_t row = bodies_->row_of_slot[body.index()];
  if (row >= bodies_->awake_rows()) return false;
  if (const std::span<const std::uint32_t> own = proxies_of(body); !own.empty() && proxies_[own[0]].stirred)
    return true;
  const Motion motion = bodies_->masses[row].motion;
  if (motion != Motion::kinematic) return motion == Motion::dynamic;
  return !is_at_rest(bodies_->states[row]);
}

template <class D>
bool Collisions<D>::sleeps(BodyId a, BodyId b) const {
  return (is_asleep(a) || is_asleep(b)) && !is_lively(a) && !is_lively(b);
}

// Sees which contacts sleep, and chooses those that no longer do. They fall asleep between steps only, and not before they
// have been found once: what a step does and tells does not depend on whether someone wakes in it, nor on whether the
// one before was refused.
template <class D>
bool Collisions<D>::choose_woken(bool between_steps) {
  chosen_.clear();
  if (!sleepers_changed_) return false;
  part_sleeping_records();
  chosen_.reserve(contacts_.size());
  bool later = false;
  for (std::uint32_t i = 0; i < contacts_.size(); ++i) {
    const auto [a, b] = contacts_.pair(i);
    const bool slept = contacts_.is_asleep(i), sleep = sleeps(proxies_[a].body, proxies_[b].body);
    const bool waits = sleep && !slept && !(between_steps && contacts_[i].found);
    if (slept && !sleep) chosen_.push_back(i);
    contacts_.set_asleep(i, sleep && !waits);
    later |= waits;
  }
  sleepers_changed_ = later;
  return !chosen_.empty();
}

template class Collisions<Dim2>;
template class Collisions<Dim3>;

}  // namespace cairn
