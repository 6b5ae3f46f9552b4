// Everything a world knows about its shapes touching.
//
//   bodies ──► proxies ──► broad phase ──► new pairs ──► filters ──► contacts ──► narrow phase ──► events
//
// A proxy is one piece of one shape of one body: what the broad phase stores a box of. A contact is a pair of proxies
// whose boxes overlap and that may meet. Boxes are brought up to date when bodies move, at the end of a step or by
// the user's hand, so that questions between steps find everything where it is.
#pragma once

#include <cairn/contact.h>
#include <cairn/world.h>

#include "base/copies.h"
#include "base/team.h"
#include "bodies/store.h"
#include "broadphase/any_broad_phase.h"
#include "narrowphase/contacts_before.h"
#include "world/exemptions.h"

namespace cairn {

// Lengths as fractions of the world's length scale.
inline constexpr double k_slop = 0.005;             // overlap that nobody minds
inline constexpr double k_margin = 4 * k_slop;      // contacts are found this long before they touch
inline constexpr double k_touch = 0.1 * k_slop;     // closer than this counts as touching
inline constexpr double k_recycle = 0.04 * k_slop;  // moved less than this against each other: contact kept

// What is asked in every step about each contact stands first, in a line of the cache.
template <class D>
struct Proxy {
  BodyId body{};  // null: a free slot
  std::uint32_t shape = 0;
  bool sensor = false;
  bool conveys = false;  // does its surface move?
  bool convex = false;
  bool refilter = false;    // may its contacts have become unwanted?
  bool find_anew = false;   // may it meet what it did not before?
  bool stirred = false;     // was its body, which is not dynamic, moved or changed since the last step?
  bool leapt = false;       // was its body moved by hand since the last step?
  bool resurfaced = false;  // has its material changed since?
  double reach = 0;         // [m] the greatest distance of its points from the body's centre of mass
  PieceOnBody<D> on_body{};
  Bounds<D> box{};      // [m] around the piece, in its own frame
  double rounding = 0;  // [m] of balls and capsules: their radius
  double inner = 0;     // [m] half the piece's smallest width
  Filter filter{};
  Material material{};
  typename D::Vec surface_velocity{};  // [m/s] body axes

  ShapeRef ref() const { return {body, shape}; }
};

// Of the solid pieces of a body together.
struct BodyExtent {
  double thickness =
      std::numeric_limits<double>::infinity();  // [m] half the smallest width of its thinnest piece
  double reach = 0;  // [m] the greatest distance of its points from the centre of mass
};

// Pairs of shapes that touch in a step, one record each, sorted by shapes.
template <class D>
struct Touching {
  Touching() = default;
  Touching(const Touching& other) : pairs(other.pairs), knows_pairs(other.knows_pairs) {
    reserve(other.size());  // only those that touch
    for (std::size_t k = 0; k < other.size(); ++k) push_back(other[k]);
  }
  Touching(Touching&&) noexcept = default;
  Touching& operator=(Touching other) noexcept {
    swap(other);
    return *this;
  }

  std::size_t size() const { return order.size(); }
  ContactEvent<D>& operator[](std::size_t k) { return records[order[k]]; }
  const ContactEvent<D>& operator[](std::size_t k) const { return records[order[k]]; }
  const ContactEvent<D>& back() const { return records[order.back()]; }
  void reserve(std::size_t count) {
    records.reserve(count);
    order.reserve(count);
  }
  void push_back(const ContactEvent<D>& e) {  // there must be room, and no other records
    records[order.size()] = e;
    order.push_back(std::uint32_t(order.size()));
  }
  void swap(Touching& other) noexcept {
    std::swap(records, other.records);
    order.swap(other.order);
    pairs.swap(other.pairs);
    std::swap(knows_pairs, other.knows_pairs);
  }

  Chunked<ContactEvent<D>> records;  // each written when its contact is found, at a place of its own
  std::vector<std::uint32_t> order;  // the places of those that touch
  // Where each is of one contact, in the order of contacts, and no proxy was made since: their pairs. Two that are the
  // same are of the same shapes.
  std::vector<ProxyPair> pairs;
  bool knows_pairs = false;
};

template <class D>
class Collisions {
 public:
  Collisions(const WorldDef<D>& def, const BodyStore<D>& bodies);

  // --- what the user changes

  void add(BodyId body);                // makes its proxies
  void remove(BodyId body);             // with its contacts
  void moved(Team& team, BodyId body);  // by hand
  void set_filter(ShapeRef shape, const Filter& filter);
  void set_material(ShapeRef shape, const Material& material);
  void set_exempt(BodyId a, BodyId b, bool exempt);  // the user's word
  void join(BodyId a, BodyId b);                     // a joint parts them, until separate
  void separate(BodyId a, BodyId b) noexcept;
  void stir(BodyId body) noexcept;  // not dynamic: wakes whom it touches in the next step
  // Bodies fell asleep or woke, or one that is not dynamic began to move: the next step sees which contacts sleep.
  void sleepers_changed() noexcept { sleepers_changed_ = true; }

  // --- the step

  // What the step tells of a contact, noted when it is at hand: another look at all contacts costs more than to find them.
  struct Finding {
    std::uint32_t contact;         // its place in the list
    std::uint32_t place;           // of its record, if it touches, and of what is kept of it
    std::uint32_t slot_a, slot_b;  // of the bodies
    std::uint32_t patches, points;
    PairPatch<D>* patch;  // the first, if there are any: where it stays in this step
    bool touching, recycled;
    bool binds;   // the two bodies to each other: not if it is far or a sensor, or the hook did not keep it
    bool plain;   // has it one patch, of surfaces that do not move?
    bool is_met;  // likewise: did the patch push in the last step, or may its points meet in this one?
  };
  // From the bodies as they stand to contacts, for a step of h [s] in which things fall with `gravity` [m/s²].
  void find(Team& team, double h, double gravity, CollisionReport& report);
  // Contacts of bodies that woke since. Says if there were any.
  bool find_of_woken(Team& team, CollisionReport& report);
  // Events, when all contacts have been found.
  void tell(const WorldDef<D>& def, double time, CollisionReport& report);
  // Boxes for states that are about to become the bodies' own, and the word that they have. Of bodies that `foresee`, by row,
  // contacts are found that they may come to in a step of h after that.
  void follow(Team& team, std::span<const BodyState<D>> before, std::span<const BodyState<D>> after, double h,
              std::span<const std::uint8_t> foresees);
  // The step is made: what it found stands. Or it is refused: contacts and events are as they were before `find`. Who
  // woke since stays awake; the next step finds its contacts again.
  void settle(double h) noexcept;  // after a step of h
  void undo() noexcept;

  // --- looking

  std::span<const std::uint32_t> proxies_of(BodyId body) const;
  BodyExtent extent_of(BodyId body) const {
    return body.index() < extents_of_slot_.size() ? extents_of_slot_[body.index()] : BodyExtent{};
  }
  Pose<D> pose_of(const Proxy<D>& proxy, const BodyState<D>& state) const {
    return Pose<D>{state.position, state.rotation} * proxy.on_body.pose;
  }
  const Proxy<D>& proxy(std::uint32_t index) const { return proxies_[index]; }
  const BodyState<D>& state_of(const Proxy<D>& proxy) const {
    return bodies_->states[bodies_->row(proxy.body)];
  }
  bool may_meet(const Proxy<D>& a, const Proxy<D>& b) const;  // but for the user's pair filter
  // Have the pieces of the contact at this place been so far apart that they still are? Then it is as it was.
  bool is_surely_apart(std::size_t i) const {
    const auto [a, b] = contacts_.pair(i);
    return travelled_[a] + travelled_[b] + foresight_[a] + foresight_[b] < contacts_.apart_until(i);
  }
  // Have the bodies of a contact with patches hardly travelled since these were found? Then they can be kept.
  bool is_surely_still(const PairContact<D>& contact) const {
    return travelled_[contact.pair.a] + travelled_[contact.pair.b] <= contact.patches.head().still_until;
  }
  // Did the patch push in the last step, or may its points meet in this one?
  bool is_met(const PairPatch<D>& patch, const BodyState<D>& s, const BodyState<D>& t) const;
  // Does it bind the two bodies? Sensors do not, nor does what is far.
  static bool binds(const PairContact<D>& contact) {
    return !contact.sensor && contact.kept && !contact.patches.empty();
  }
  // Can the body wake others? It is awake, or moves without being dynamic, or was stirred.
  bool is_lively(BodyId body) const;
  bool are_exempt(BodyId a, BodyId b) const { return exemptions.contains(a, b) || joined.contains(a, b); }
  // What the contact hook says, if there is one. If it throws, what it would have been without, and the report tells.
  ContactDecision decision(const Contact<D>& contact, CollisionReport& report) const;
  Contact<D> view(const PairContact<D>& contact) const;
  Material material_of(const PairContact<D>& contact) const;
  // During a step: what has been found, without contacts that sleep, in order.
  std::span<const Finding> findings() const { return findings_; }
  // Those in which the body is bound to another, asleep or not: f(the other).
  template <class F>
  void for_bound_to(BodyId body, F&& f) const {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const BodyId a = proxies_[contacts_.pair(i).a].body, b = proxies_[contacts_.pair(i).b].body;
      if ((a == body || b == body) && binds(contacts_[i])) f(a == body ? b : a);
    }
  }
  // Contacts with points, but for sensors, of which `wanted(view)` holds.
  template <class F>
  std::vector<Contact<D>> views(F&& wanted) const {
    std::vector<Contact<D>> list;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (contacts_[i].sensor || contacts_[i].patches.empty() || !contacts_[i].kept) continue;
      Contact<D> shown = view(contacts_[i]);
      if (wanted(shown)) list.push_back(std::move(shown));
    }
    return list;
  }

  void find_faults(Faults& faults) const;  // world/validate.cpp

  double margin() const { return k_margin * length_scale_; }  // [m] nearer, two are bound
  double near() const { return 2 * slop(); }  // [m] further apart, two matter only if they come nearer
  double slop() const { return k_slop * length_scale_; }                    // [m]
  double impact_distance() const { return 0.5 * k_touch * length_scale_; }  // [m] where fast bodies stop
  const AnyBroadPhase<D>& broad_phase() const { return broad_phase_; }
  const ContactList<D>& contacts() const { return contacts_; }
  ContactList<D>& contacts() { return contacts_; }
  const std::vector<ContactEvent<D>>& events() const { return events_; }

  Exemptions exemptions;  // by the user
  Exemptions joined;      // by joints
  // The program's, not the state's: whoever saves and restores keeps its own.
  Uncopied<PairFilter> pair_filter;
  Uncopied<ContactHook<D>> contact_hook;

 private:
  void keep_foresight();                                                // of moved_proxies_
  void update_boxes(Team& team, std::span<const BodyState<D>> states);  // likewise
  bool passes(const Proxy<D>& a, const Proxy<D>& b, CollisionReport& report) const;
  void take_in_new_pairs(Team& team, CollisionReport& report);
  void drop_old_pairs();
  void forget_leapt();
  void forget_resurfaced();
  void choose_near();
  void find_contacts(Team& team);                        // of chosen_
  void find_contact(std::uint32_t i, Finding& finding);  // at this place
  bool keeps_patches(PairContact<D>& contact, const Pose<D>& b_in_a) const;
  void note_stillness(PairContact<D>& contact, const Pose<D>& b_in_a, double moved) const;
  void write_surfaces(PairContact<D>& contact) const;
  void ask_hook(CollisionReport& report);  // of chosen_
  bool choose_woken(bool between_steps);
  bool is_asleep(BodyId body) const { return bodies_->row_of_slot[body.index()] >= bodies_->awake_rows(); }
  bool sleeps(BodyId a, BodyId b) const;  // a contact of the two
  void refilter(std::uint32_t index);
  void drop_contacts_later(BodyId body) noexcept;
  void find_pairs_later(BodyId body) noexcept;
  Bounds<D> box_of(const Proxy<D>& proxy, double foresight, const BodyState<D>& state) const;

  // world/validate.cpp
  void find_faults_of_proxies(Faults& faults) const;
  void find_faults_of_pairs(Faults& faults) const;

  // world/events.cpp
  void record_events(const EventSettings& settings, double time);
  void find_touching_shapes();
  void part_sleeping_records();
  void record_event(const PairContact<D>& contact, const BodyState<D>& s, const BodyState<D>& t,
                    ContactEvent<D>& e) const;

  Uncopied<const BodyStore<D>*> bodies_;
  double length_scale_;
  AnyBroadPhase<D> broad_phase_;
  std::vector<Proxy<D>> proxies_;
  Roomy<std::vector<std::uint32_t>> free_proxies_;           // has room for all, so that removing cannot fail
  std::vector<std::vector<std::uint32_t>> proxies_of_slot_;  // by slot of the body
  std::vector<BodyExtent> extents_of_slot_;
  // [m] By proxy: how far a point of it may have travelled in all steps; but for leaps by hand.
  std::vector<double> travelled_;
  std::vector<double>
      foresight_;        // [m] by proxy: how far it may go in the coming step; 0 where that does not matter
  double foreseen_ = 0;  // [s] that step

  bool find_anew_ = false;   // is there a proxy that says so?
  bool refilter_ = false;    // likewise
  bool stirred_ = false;     // likewise
  bool leapt_ = false;       // likewise
  bool resurfaced_ = false;  // likewise
  bool sleepers_changed_ = false;
  bool ahead_ = false;  // are boxes those of states that never came to be, because the step failed?

  ContactList<D> contacts_;
  std::vector<ProxyPair> new_pairs_;              // found, but not yet taken in
  std::vector<ContactEvent<D>> events_;           // of the last step
  Touching<D> touching_;                          // in the last step: what the next step compares with
  std::vector<ContactEvent<D>> touching_asleep_;  // of contacts that sleep: nothing happens to them

  // scratch
  double h_ = 0, gravity_ = 0;                   // of this step
  Uncopied<std::vector<std::uint32_t>> chosen_;  // contacts to be found, by their place in the list
  Uncopied<std::vector<ProxyPair>> found_, wanted_;
  Uncopied<Touching<D>> touching_now_;                 // of this step, until it is settled
  Uncopied<std::vector<ContactEvent<D>>> events_now_;  // likewise
  Uncopied<std::vector<ContactEvent<D>>> touching_all_;
  Uncopied<ContactsBefore<D>> before_;       // contacts before this step
  Uncopied<std::vector<Finding>> findings_;  // of this step, in the order of contacts
  Uncopied<std::vector<std::uint32_t>> moved_proxies_;
  Uncopied<std::vector<double>> moved_foresight_;  // of them: becomes foresight_ when the step is settled
  Uncopied<std::vector<Bounds<D>>> moved_boxes_;
};

extern template class Collisions<Dim2>;
extern template class Collisions<Dim3>;

}  // namespace cairn
