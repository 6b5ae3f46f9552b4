// Continuous collision.
//
//   fast bodies ──► what their swept boxes meet ──► times of impact ──► in order of time: hold back
//
// Fast are those that move far in the world, and far against what they meet: what flies along with others is slow to them.
//
// A body that is held back stays for the rest of the step where it met the other at the time of impact, and goes with
// that if it moves on: a kinematic body, or a slow one. That changes what others run into: the pairs of its fast neighbours are looked at again, from that time on,
// against the body at rest. Bodies that hang together by joints, an articulation, stop together, at the same fraction of
// the step: stopping one alone would tear it from the others. They stop only at what does not give way, fixed or kinematic.
//
// A pair that touches at the start of the step is the contact solver's business, as far as it goes: a rod that stands on
// one end may swing the other through the wall. So its inner piece (geometry/inner_piece.h) is swept, which has room to
// move; the body stops where that meets the other, with half its thickness in it and no doubt which way out is right.
// Where that touches at the start too, the body goes on only as long as it gets no deeper into the other than it is, and
// as a ball in its middle does not meet it. If it gets deeper it turns too fast for its contacts to follow, and could stand
// there for ever: it loses half its spin.
//
// Fast bodies of articulations foresee what they come to (find_fast_articulations): their contacts are found ahead, by as
// much as they will move in the next step, and the solver stops each of them by itself. Holding them back is for what was
// not foreseen.
#include "world/continuous.h"

#include <algorithm>
#include <functional>

#include "geometry/advancement.h"
#include "geometry/box.h"
#include "geometry/inner_piece.h"
#include "geometry/time_of_impact.h"
#include "graph/islands.h"

namespace cairn {
namespace {

// The turn from one rotation to another that is nearest to `expected`, which may be many whole turns.
double turn_between(const Rot2& from, const Rot2& to, double expected) {
  const double shortest = rotation_vector(to * inverse(from));
  return shortest + 2 * k_pi * __builtin_round((expected - shortest) / (2 * k_pi));
}
Vec3 turn_between(const Rot3& from, const Rot3& to, const Vec3& expected) {
  const Vec3 shortest = rotation_vector(to * inverse(from));
  const double angle = length(shortest);
  if (length(expected) < k_pi || angle < 1e-9) return shortest;
  const Vec3 axis = shortest / angle;
  return axis * (angle + 2 * k_pi * __builtin_round((dot(expected, axis) - angle) / (2 * k_pi)));
}

constexpr double k_fast = 0.5;                     // way in a step, in half widths of its thinnest piece
constexpr double k_going_in = 0.5, k_passing = 2;  // ways within a step, in half widths of the thinner one

// A spin seen from the body as before, when it stands elsewhere: its energy stays.
double turned_along(const Rot2&, const Rot2&, double spin) { return spin; }
Vec3 turned_along(const Rot3& before, const Rot3& after, const Vec3& spin) {
  return after * (inverse(before) * spin);
}

template <class D>
class FastBodies {
  using Vec = typename D::Vec;

 public:
  FastBodies(Team& team, const Collisions<D>& collisions, const BodyStore<D>& bodies,
             const JointStore<D>& joints, double h, std::span<BodyState<D>> next,
             FastBodiesScratch<D>& scratch, CollisionReport& report)
      : team_(team),
        collisions_(collisions),
        bodies_(bodies),
        joints_(joints),
        h_(h),
        next_(next),
        scratch_(scratch),
        report_(report) {}

  void hold_back() {
    find_fast();
    for (const std::uint32_t row : swept_) report_.fast += may_stop(row);
    if (report_.fast == 0) return;
    find_articulations();
    find_candidates();
    find_impacts();
    resolve_in_order();
    report_.held_back = held_back_;
  }

 private:
  using Scratch = FastBodiesScratch<D>;
  using Meeting = typename Scratch::Meeting;
  using SweptBox = typename Scratch::SweptBox;
  using Stops = typename Scratch::Stops;

  std::uint32_t row_of(std::uint32_t proxy) const {
    return bodies_.row_of_slot[collisions_.proxy(proxy).body.index()];
  }
  bool may_stop(std::uint32_t row) const { return bodies_.masses[row].motion == Motion::dynamic; }
  bool is_fast(std::uint32_t row) const { return sweep_index_[row] < fast_count_; }
  bool has_joints(std::uint32_t row) const { return !joints_.joints_of(bodies_.id_of_row[row]).empty(); }
  // Does a body stop where it meets the other? An articulation only at what does not give way: a driven arm that stopped
  // at everything it pushes would hardly move.
  bool stops_at(std::uint32_t row, std::uint32_t other) const {
    return is_fast(row) && may_stop(row) && !(has_joints(row) && may_stop(other));
  }
  // [m] half the width of the thinner one; surfaces do not count.
  static double thinner(const auto& a, const auto& b) {
    return smaller(a.inner > 0 ? a.inner : b.inner, b.inner > 0 ? b.inner : a.inner);
  }
  // Are they slow to each other? If so, need_no_look says so, too; in a heap that moves, this is nearly all pairs, and
  // neither of them has to be looked up.
  static bool move_along(const SweptBox& a, const SweptBox& b) {
    return length(b.way - a.way) + a.turning + b.turning < k_fast * thinner(a, b);
  }
  std::uint32_t row_of(const Proxy<D>& proxy) const { return bodies_.row_of_slot[proxy.body.index()]; }

  // [m] The centre of b moves no further than this seen from a: its speed there, v_b − v_a − ω_a × (x_b − x_a), changes
  // evenly, so that it is greatest at one of the ends.
  static double motion_of_center(const Sweep<D>& a, const Sweep<D>& b) {
    const Vec between = b.from - a.from, way = b.translation - a.translation;
    return square_root(larger(length_squared(way - cross(a.turn, between)),
                              length_squared(way - cross(a.turn, between + way))));
  }
  // [m] No point of the one moves further than this against the other: as seen in axes that do not turn, or from one of them.
  // (What lies in a drum that turns moves along with it.)
  static double motion_between(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                               const Sweep<D>& sweep_b) {
    const double in_world = length(sweep_b.translation - sweep_a.translation) +
                            length(sweep_a.turn) * a.reach + length(sweep_b.turn) * b.reach;
    const double turn = length(sweep_b.turn - sweep_a.turn);
    return smaller(in_world, smaller(motion_of_center(sweep_a, sweep_b) + turn * b.reach,
                                     motion_of_center(sweep_b, sweep_a) + turn * a.reach));
  }

  Sweep<D> sweep_of(std::uint32_t row) const {
    return sweep_index_[row] != k_none ? sweeps_[sweep_index_[row]] : sweep_to_next(row);
  }
  Sweep<D> sweep_to_next(std::uint32_t row) const {
    const BodyState<D>& s = bodies_.states[row];
    if (row >= next_.size()) return {s.position, s.rotation, {}, {}};  // it sleeps
    const BodyState<D>& n = next_[row];
    return {s.position, s.rotation, n.position - s.position,
            turn_between(s.rotation, n.rotation, h_ * n.angular_velocity)};
  }
  // From the time `from` on; held back from `stop` on.
  Sweep<D> sweep_after(std::uint32_t row, double from, double stop) const {
    const bool has_stopped = stop <= from && stop < 1;
    const Sweep<D> sweep = has_stopped ? rests_[sweep_index_[row]] : sweep_of(row);
    const double begun = has_stopped ? (from - stop) / (1 - stop) : from;
    const Pose<D> start = sweep.at(begun);
    return {start.position, start.rotation, (1 - begun) * sweep.translation, (1 - begun) * sweep.turn};
  }

  void find_fast();
  void find_articulations();
  void add_sweep(std::uint32_t row);
  void find_candidates();
  void find_fast_pairs();
  void find_impacts();
  void resolve_in_order();
  void consider(std::uint32_t a, std::uint32_t b);
  bool may_hold_back(const ProxyPair& pair) const;
  Bounds<D> swept_box(std::uint32_t proxy) const;
  bool stay_away(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                 const Sweep<D>& sweep_b) const;
  bool stays_outside(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                     const Sweep<D>& sweep_b) const;
  bool need_no_look(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                    const Sweep<D>& sweep_b) const;
  void look_at(Meeting& meeting) const;
  Impact<D> inner_impact(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                         const Sweep<D>& sweep_b, bool& deeper) const;
  Impact<D> inside_meets(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                         const Sweep<D>& sweep_b, bool& deeper) const;
  Impact<D> goes_deeper(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                        const Sweep<D>& sweep_b) const;
  InlineList<PairPatch<D>, 1> patches_at(const Pose<D>& at_a, const Proxy<D>& a, const Pose<D>& at_b,
                                         const Proxy<D>& b) const;
  bool counts(const Impact<D>& impact, const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
              const Sweep<D>& sweep_b) const;
  bool goes_in(double time, const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
               const Sweep<D>& sweep_b, double depth) const;
  void stop(std::uint32_t row, double time, std::uint32_t at);
  bool tears(std::uint32_t articulation, double time) const;
  bool hook_keeps(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                  const Impact<D>& found) const;

  static constexpr std::uint32_t k_none = ~0u;

  Team& team_;
  const Collisions<D>& collisions_;
  const BodyStore<D>& bodies_;
  const JointStore<D>& joints_;
  double h_;
  std::span<BodyState<D>> next_;
  Scratch& scratch_;
  CollisionReport& report_;

  std::vector<std::uint32_t>& swept_ = scratch_.swept;
  std::size_t fast_count_ = 0;  // of swept_
  std::vector<Sweep<D>>&sweeps_ = scratch_.sweeps, &rests_ = scratch_.rests;
  std::vector<std::uint32_t>& sweep_index_ = scratch_.sweep_index;
  double slow_motion_ = 0;  // [m] the furthest that any point of a slow body moves
  Islands& articulations_ = scratch_.articulations;
  std::vector<std::uint32_t>&first_of_ = scratch_.first_of, &following_ = scratch_.following;
  std::vector<std::uint32_t>&first_joint_ = scratch_.first_joint,
  &following_joint_ = scratch_.following_joint;
  std::vector<Meeting>&meetings_ = scratch_.meetings, &queue_ = scratch_.queue;
  std::vector<double>& stop_ = scratch_.stop;
  std::size_t held_back_ = 0;
};

template <class D>
void FastBodies<D>::find_fast() {
  swept_.clear();
  sweeps_.clear();
  sweep_index_.assign(bodies_.row_count(), k_none);
  stop_.assign(bodies_.row_count(), 1);
  for (std::uint32_t row = 1; row < next_.size(); ++row) {
    if (bodies_.masses[row].motion == Motion::fixed) continue;
    const BodyState<D>&s = bodies_.states[row], &n = next_[row];
    const BodyExtent extent = collisions_.extent_of(bodies_.id_of_row[row]);
    const double motion = length(n.position - s.position) + h_ * length(n.angular_velocity) * extent.reach;
    if (motion > k_fast * extent.thickness) {
      add_sweep(row);
    } else {
      slow_motion_ = larger(slow_motion_, motion);
    }
  }
  fast_count_ = swept_.size();
}

template <class D>
void FastBodies<D>::add_sweep(std::uint32_t row) {
  sweeps_.push_back(sweep_to_next(row));
  sweep_index_[row] = std::uint32_t(swept_.size());
  swept_.push_back(row);
}

// What hangs on a fast body may have to stop with it, slow as it is.
template <class D>
void FastBodies<D>::find_articulations() {
  const std::uint32_t count = bodies_.row_count();
  articulations_.reset(count);
  for (const JointRecord<D>& joint : joints_.records) {
    const std::uint32_t a = bodies_.row(joint.a), b = bodies_.row(joint.b);
    if (may_stop(a) && may_stop(b)) articulations_.join(a, b);
  }
  std::vector<std::uint8_t>& has_fast = scratch_.has_fast;
  has_fast.assign(count, 0);
  for (const std::uint32_t row : swept_) has_fast[articulations_.root(row)] = 1;
  for (std::uint32_t row = 1; row < next_.size(); ++row)
    if (may_stop(row) && !is_fast(row) && has_fast[articulations_.root(row)]) add_sweep(row);
  rests_.resize(swept_.size());
  first_of_.assign(count, k_none);
  following_.assign(count, k_none);
  for (const std::uint32_t row : swept_) {
    std::uint32_t& first = first_of_[articulations_.root(row)];
    following_[row] = first;
    first = row;
  }
  first_joint_.assign(count, k_none);
  following_joint_.assign(joints_.records.size(), k_none);
  for (std::uint32_t j = 0; j < joints_.records.size(); ++j) {
    const std::uint32_t a = bodies_.row(joints_.records[j].a), b = bodies_.row(joints_.records[j].b);
    std::uint32_t& first = first_joint_[articulations_.root(may_stop(a) ? a : b)];
    following_joint_[j] = first;
    first = j;
  }
}

// Around the piece wherever it is on its way. (Boxes around the boxes at both ends meet an eighth less, and cost more.)
template <class D>
Bounds<D> FastBodies<D>::swept_box(std::uint32_t index) const {
  const Proxy<D>& proxy = collisions_.proxy(index);
  const Sweep<D>& sweep = sweeps_[sweep_index_[row_of(proxy)]];
  const Vec to = sweep.from + sweep.translation;
  const Bounds<D> path{smaller(sweep.from, to), larger(sweep.from, to)};
  return grown(path, proxy.reach);
}

template <class D>
bool FastBodies<D>::may_hold_back(const ProxyPair& pair) const {
  const Proxy<D>&a = collisions_.proxy(pair.a), &b = collisions_.proxy(pair.b);
  return !a.sensor && !b.sensor && collisions_.may_meet(a, b) &&
         (stops_at(row_of(a), row_of(b)) || stops_at(row_of(b), row_of(a)));
}

template <class D>
void FastBodies<D>::consider(std::uint32_t a, std::uint32_t b) {
  if (b < a) std::swap(a, b);
  if (!may_hold_back({a, b})) return;
  for (const std::uint32_t index : {a, b})
    if (const std::uint32_t row = row_of(index); sweep_index_[row] == k_none) add_sweep(row);
  meetings_.push_back({.pair = {a, b}});
}

template <class D>
void FastBodies<D>::find_candidates() {
  meetings_.clear();
  std::vector<SweptBox>& swept = scratch_.boxes;
  swept.clear();
  scratch_.questions.clear();
  scratch_.asking.clear();
  for (const std::uint32_t row : std::span(swept_).first(fast_count_)) {
    const Stops stops = !may_stop(row) ? Stops::never : has_joints(row) ? Stops::at_others : Stops::at_all;
    for (const std::uint32_t index : collisions_.proxies_of(bodies_.id_of_row[row])) {
      const Proxy<D>& proxy = collisions_.proxy(index);
      const Sweep<D>& sweep = sweeps_[sweep_index_[row]];
      swept.push_back({swept_box(index), sweep.translation, length(sweep.turn) * proxy.reach, proxy.inner,
                       index, sweep_index_[row], stops});
      if (stops == Stops::never) continue;
      scratch_.questions.push_back(grown(swept.back().box, slow_motion_));
      scratch_.asking.push_back(index);
    }
  }
  collisions_.broad_phase().query_all(scratch_.questions, scratch_.query_room,
                                      [&](std::uint32_t i, std::uint32_t other) {
                                        if (!is_fast(row_of(other))) consider(scratch_.asking[i], other);
                                      });
  find_fast_pairs();
}

// Among the fast ones: along x, each against those that begin before it ends.
template <class D>
void FastBodies<D>::find_fast_pairs() {
  const std::vector<SweptBox>& swept = scratch_.boxes;
  scratch_.calm.clear();
  const auto ignore = [](const SweptBox& s, const SweptBox& t) {
    return s.stops == t.stops && s.stops != Stops::at_all;
  };
  // A heap of ragdolls and nothing else
  if (std::all_of(swept.begin(), swept.end(), [&](const SweptBox& s) { return ignore(s, swept[0]); })) return;
  auto& places = scratch_.places;
  places.clear();
  for (std::uint32_t i = 0; i < swept.size(); ++i) places.push_back({swept[i].box.lo.x, swept[i].proxy, i});
  std::sort(places.begin(), places.end(),
            [](const auto& s, const auto& t) { return s.x != t.x ? s.x < t.x : s.proxy < t.proxy; });
  std::vector<SweptBox>& sorted = scratch_.sorted;
  sorted.clear();
  for (const auto& place : places) sorted.push_back(swept[place.box]);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = i + 1; j < sorted.size() && sorted[j].box.lo.x <= sorted[i].box.hi.x; ++j) {
      if (ignore(sorted[i], sorted[j]) || !overlap(sorted[i].box, sorted[j].box)) continue;
      const bool in_order = sorted[i].proxy < sorted[j].proxy;
      const SweptBox &a = sorted[in_order ? i : j], &b = sorted[in_order ? j : i];
      if (move_along(a, b))
        scratch_.calm.push_back({{a.proxy, b.proxy}, a.body, b.body});
      else
        consider(a.proxy, b.proxy);
    }
}

// Do the two pass each other so far away that they cannot meet, however they turn? Each stays within its reach of the
// centre of its body, which goes along a line. Bodies that fall together are done with here, without a distance.
template <class D>
bool FastBodies<D>::stay_away(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                              const Sweep<D>& sweep_b) const {
  const Vec between = sweep_b.from - sweep_a.from, way = sweep_b.translation - sweep_a.translation;
  const double squared = length_squared(way);
  const double nearest_at = squared > 0 ? clamp(-dot(between, way) / squared, 0, 1) : 0;
  const double near = a.reach + b.reach + 2 * collisions_.impact_distance();
  return length(between + nearest_at * way) > 1.000001 * near;
}

// Does b, as a ball around the centre of its body, stay away from the box around a, seen from a, as a sweeps it along? This
// is for what is long: a wall of a drum reaches as far as the drum, and moves at its ends only.
template <class D>
bool FastBodies<D>::stays_outside(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                                  const Sweep<D>& sweep_b) const {
  const Vec center = to_local(a.on_body.pose, inverse(sweep_a.rotation) * (sweep_b.from - sweep_a.from));
  const Vec nearest = smaller(larger(center, a.box.lo), a.box.hi);
  const double near = motion_of_center(sweep_a, sweep_b) + b.reach + 2 * collisions_.impact_distance();
  return length(center - nearest) > 1.000001 * near;
}

// From the start of the step on: what most pairs are done with, without a distance and without a rotation. Those that move
// along together are slow to each other.
template <class D>
bool FastBodies<D>::need_no_look(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                                 const Sweep<D>& sweep_b) const {
  return stay_away(a, sweep_a, b, sweep_b) ||
         motion_between(a, sweep_a, b, sweep_b) < k_fast * thinner(a, b) ||
         stays_outside(a, sweep_a, b, sweep_b) || stays_outside(b, sweep_b, a, sweep_a);
}

// Fills in when the pair meets, from the earliest time at which one of its bodies stopped.
template <class D>
void FastBodies<D>::look_at(Meeting& meeting) const {
  const auto [a, b] = meeting.pair;
  const std::uint32_t row_a = row_of(a), row_b = row_of(b);
  meeting.stop_a = stop_[row_a];
  meeting.stop_b = stop_[row_b];
  meeting.hit = meeting.deeper = false;
  const double from =
      smaller(meeting.stop_a, meeting.stop_b) < 1 ? smaller(meeting.stop_a, meeting.stop_b) : 0;
  const Proxy<D>&pa = collisions_.proxy(a), &pb = collisions_.proxy(b);
  meeting.time = 1;
  if (from == 0 && need_no_look(pa, sweeps_[sweep_index_[row_a]], pb, sweeps_[sweep_index_[row_b]])) return;
  const Sweep<D> sweep_a = sweep_after(row_a, from, meeting.stop_a),
                 sweep_b = sweep_after(row_b, from, meeting.stop_b);
  if (from != 0 && stay_away(pa, sweep_a, pb, sweep_b)) return;
  bool touches = false;
  Impact<D> found =
      time_of_impact(pa.on_body.piece, pa.on_body.pose, sweep_a, pb.on_body.piece, pb.on_body.pose, sweep_b,
                     collisions_.impact_distance(), [&](const Impact<D>& impact) {
                       const bool at_start = impact.status == ImpactStatus::touching_at_start;
                       touches |= at_start;
                       return !at_start && counts(impact, pa, sweep_a, pb, sweep_b) &&
                              (!collisions_.contact_hook || hook_keeps(pa, sweep_a, pb, impact));
                     });
  if (touches) {
    bool deeper = false;
    const Impact<D> inner = inner_impact(pa, sweep_a, pb, sweep_b, deeper);
    const bool is_first = inner.status != ImpactStatus::separated && inner.time < found.time;
    if (is_first && (!collisions_.contact_hook || hook_keeps(pa, sweep_a, pb, inner))) {
      found = inner;
      meeting.deeper = deeper;
    }
  }
  meeting.hit = found.status != ImpactStatus::separated;
  meeting.time = from + (1 - from) * found.time;
}

// Of two that touch at the start: when the inside of the fast one meets the other, and that of the thicker one if both
// are fast. On surfaces only from the side that they push to.
template <class D>
Impact<D> FastBodies<D>::inner_impact(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                                      const Sweep<D>& sweep_b, bool& deeper) const {
  const std::uint32_t row_a = row_of(a), row_b = row_of(b);
  // Two that both give way are soon parted again by their contacts, unless they pass through each other in this step.
  const double most = may_stop(row_a) && may_stop(row_b) ? k_passing : k_going_in;
  if (motion_between(a, sweep_a, b, sweep_b) < most * thinner(a, b)) return {};
  const bool may_a = a.convex && stops_at(row_a, row_b), may_b = b.convex && stops_at(row_b, row_a);
  if (!may_a && !may_b) return {};
  if (!may_a || (may_b && b.inner > a.inner))
    return swapped(inside_meets(b, sweep_b, a, sweep_a, deeper), sweep_a, sweep_b);
  return inside_meets(a, sweep_a, b, sweep_b, deeper);
}
template <class D>
Impact<D> FastBodies<D>::inside_meets(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                                      const Sweep<D>& sweep_b, bool& deeper) const {
  Impact<D> first;
  for (const Inside which : {Inside::inset, Inside::middle}) {
    const typename InnerPieceOf<D>::type inner(a.on_body.piece, which);
    if (!inner.has()) break;
    bool touches = false;
    const auto judge = [&](const Impact<D>& impact) {
      const bool at_start = impact.status == ImpactStatus::touching_at_start;
      touches |= at_start;
      return !at_start && (b.convex || goes_in(impact.time, a, sweep_a, b, sweep_b, 0));
    };
    const Impact<D> found =
        time_of_impact(inner.piece(), a.on_body.pose * inner.pose, sweep_a, b.on_body.piece, b.on_body.pose,
                       sweep_b, collisions_.impact_distance(), judge);
    if (found.time < first.time) first = found, deeper = false;
    if (!touches) break;
    if (which == Inside::middle) break;
    const Impact<D> blocked = goes_deeper(a, sweep_a, b, sweep_b);
    if (blocked.time < first.time) first = blocked, deeper = true;
  }
  return first;
}

// When a, which is convex, begins to get deeper into b than it is at the start, if it will by more than half the
// thickness of the thinner one. Judged by the planes of contact on b, which move with it, at many times on the way.
// (Without a threshold bodies that fall together, pressed into each other, would hang in the air.)
template <class D>
Impact<D> FastBodies<D>::goes_deeper(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                                     const Sweep<D>& sweep_b) const {
  constexpr int k_halvings = 10;
  constexpr double k_turn = 0.05;  // [rad] between two looks, if that are not too many
  const Pose<D> start_a = sweep_a.at(0), start_b = sweep_b.at(0);
  const InlineList<PairPatch<D>, 1> patches = patches_at(start_a, a, start_b, b);
  const Core<D> core = core_of(a.on_body.piece);
  const double looks = clamp((length(sweep_a.turn) + length(sweep_b.turn)) / k_turn, 8, 128);
  Impact<D> first;
  for (const PairPatch<D>& patch : patches) {
    const Vec normal =
        inverse(start_b.rotation) * (start_a.rotation * patch.normal);  // from a to b, in b's axes
    const auto gap_at = [&](double t) {
      const Pose<D> body_a = sweep_a.at(t), body_b = sweep_b.at(t);
      const Pose<D> piece = body_a * a.on_body.pose;
      const Vec n = body_b.rotation * normal;
      std::uint32_t id = 0;
      const Vec tip = to_world(piece, support(core, inverse(piece.rotation) * n, id));
      return dot(n, body_b.position - tip + body_b.rotation * patch.points[0].anchor_b) - core.radius;
    };
    const double least = smaller(gap_at(0), 0) - 0.01 * collisions_.impact_distance();
    double begins = 0;  // the last time at which it was no deeper
    for (int k = 1; k <= int(looks) && begins < first.time; ++k) {
      const double gap = gap_at(k / looks);
      if (gap >= least) begins = k / looks;
      if (gap >= least - 0.5 * thinner(a, b)) continue;
      double after = smaller(begins + 1 / looks, 1);
      for (int i = 0; i < k_halvings; ++i) {
        const double middle = 0.5 * (begins + after);
        (gap_at(middle) < least ? after : begins) = middle;
      }
      if (begins < first.time)
        first = {.status = ImpactStatus::hit, .time = begins, .normal = sweep_b.at(begins).rotation * normal};
      break;
    }
  }
  return first;
}

// Does it matter that the two meet? Not of surfaces of many elements, if the narrow phase says so, which knows the sides of
// surfaces and stumbles over no seams; and not of articulations that soon come to rest, as they are torn a little each
// time they stop.
template <class D>
bool FastBodies<D>::counts(const Impact<D>& impact, const Proxy<D>& a, const Sweep<D>& sweep_a,
                           const Proxy<D>& b, const Sweep<D>& sweep_b) const {
  const std::uint32_t row_a = row_of(a), row_b = row_of(b);
  const bool one_is_free =
      (stops_at(row_a, row_b) && !has_joints(row_a)) || (stops_at(row_b, row_a) && !has_joints(row_b));
  if (a.convex && b.convex && one_is_free) return true;
  return goes_in(impact.time, a, sweep_a, b, sweep_b, 0.5 * thinner(a, b));
}

// Would the two, which touch at this time, go into each other by more than `depth` in the rest of the step, at the speed
// with which they close in then or as far as can be seen at the end?
template <class D>
bool FastBodies<D>::goes_in(double time, const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                            const Sweep<D>& sweep_b, double depth) const {
  const Pose<D> now_a = sweep_a.at(time), now_b = sweep_b.at(time);
  const InlineList<PairPatch<D>, 1> patches = patches_at(now_a, a, now_b, b);
  const double rest = 1 - time;
  const auto end_a = sweep_a.at(1).rotation, end_b = sweep_b.at(1).rotation;
  for (const PairPatch<D>& patch : patches) {
    const Vec normal = now_a.rotation * patch.normal;
    const Vec shift = rest * (sweep_b.translation - sweep_a.translation);
    for (int k = 0; k < patch.count; ++k) {
      const Vec &p = patch.points[k].anchor_a, &q = patch.points[k].anchor_b;
      const Vec on_a = now_a.rotation * p, on_b = now_b.rotation * q;
      const Vec at_this_speed = shift + rest * (cross(sweep_b.turn, on_b) - cross(sweep_a.turn, on_a));
      const Vec at_the_end = shift + (end_b * q - on_b) - (end_a * p - on_a);
      if (smaller(dot(normal, at_this_speed), dot(normal, at_the_end)) < -depth) return true;
    }
  }
  return false;
}

template <class D>
InlineList<PairPatch<D>, 1> FastBodies<D>::patches_at(const Pose<D>& at_a, const Proxy<D>& a,
                                                      const Pose<D>& at_b, const Proxy<D>& b) const {
  const auto to_a = inverse(at_a.rotation);
  return patches_between(a.on_body, b.on_body,
                         Pose<D>{to_a * (at_b.position - at_a.position), to_a * at_b.rotation},
                         2 * collisions_.impact_distance());
}

template <class D>
bool FastBodies<D>::hook_keeps(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                               const Impact<D>& found) const {
  Contact<D> contact{a.ref(), b.ref(), true, combine(a.material, b.material), {}};
  const ContactPoint<D> point{
      .point = sweep_a.at(found.time).position + found.point + 0.5 * found.distance * found.normal,
      .separation = found.distance};
  contact.patches.push_back({found.normal, {point}});
  return collisions_.decision(contact, report_).keep;
}

template <class D>
void FastBodies<D>::find_impacts() {
  if (collisions_.contact_hook) {  // which is asked on this thread only
    for (Meeting& meeting : meetings_) look_at(meeting);
    return;
  }
  team_.for_blocks(meetings_.size(), 4, [&](const Block& block) {
    for (std::size_t i = block.begin; i < block.end; ++i) look_at(meetings_[i]);
  });
}

template <class D>
void FastBodies<D>::resolve_in_order() {
  queue_.clear();
  const auto push = [&](const Meeting& meeting) {
    if (!meeting.hit) return;
    queue_.push_back(meeting);
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  };
  for (const Meeting& meeting : meetings_) push(meeting);
  if (queue_.empty()) return;
  // Pairs of fast bodies that pass each other may meet after all once one of them has stopped.
  auto& pairs = scratch_.fast_pairs;
  pairs.clear();
  scratch_.first_pair.assign(fast_count_, k_none);
  const auto note = [&](const ProxyPair& pair, std::uint32_t body) {
    pairs.push_back({pair, scratch_.first_pair[body]});
    scratch_.first_pair[body] = std::uint32_t(pairs.size() - 1);
  };
  for (const Meeting& meeting : meetings_) {
    const std::uint32_t rows[2] = {row_of(meeting.pair.a), row_of(meeting.pair.b)};
    if (!is_fast(rows[0]) || !is_fast(rows[1])) continue;
    for (const std::uint32_t row : rows) note(meeting.pair, sweep_index_[row]);
  }
  for (const auto& calm : scratch_.calm) note(calm.pair, calm.body_a), note(calm.pair, calm.body_b);
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const Meeting meeting = queue_.back();
    queue_.pop_back();
    const std::uint32_t rows[2] = {row_of(meeting.pair.a), row_of(meeting.pair.b)};
    if (stop_[rows[0]] != meeting.stop_a || stop_[rows[1]] != meeting.stop_b)
      continue;  // was looked at again
    for (const int k : {0, 1}) {
      const std::uint32_t row = rows[k];
      if (!stops_at(row, rows[1 - k]) || stop_[row] <= meeting.time) continue;
      stop(row, meeting.time, rows[1 - k]);
      if (meeting.deeper) next_[row].angular_velocity = 0.5 * next_[row].angular_velocity;
      ++held_back_;
      for (std::uint32_t m = first_of_[articulations_.root(row)]; m != k_none; m = following_[m]) {
        if (!is_fast(m)) continue;
        for (std::uint32_t p = scratch_.first_pair[sweep_index_[m]]; p != k_none; p = pairs[p].following) {
          if (!may_hold_back(pairs[p].pair)) continue;
          Meeting again{.pair = pairs[p].pair};
          look_at(again);
          push(again);
        }
      }
    }
  }
}

// Would the joints of an articulation be torn open if it stood where its bodies' sweeps are at this time? These know
// nothing of joints: between start and end the ends of a joint part, if its bodies turn far.
template <class D>
bool FastBodies<D>::tears(std::uint32_t articulation, double time) const {
  const double most = collisions_.slop();
  for (std::uint32_t j = first_joint_[articulation]; j != k_none; j = following_joint_[j]) {
    const JointRecord<D>& joint = joints_.records[j];
    const Sweep<D> a = sweep_of(bodies_.row(joint.a)), b = sweep_of(bodies_.row(joint.b));
    const auto apart = [&](double t) {
      return to_world(b.at(t), joint.anchor_b) - to_world(a.at(t), joint.anchor_a);
    };
    const Vec expected = (1 - time) * apart(0) + time * apart(1);
    if (length_squared(apart(time) - expected) > most * most) return true;
  }
  return false;
}

// Stops the body, and what it has to take with it, at this time and at the body `at`; earlier, if that would tear joints.
template <class D>
void FastBodies<D>::stop(std::uint32_t row, double time, std::uint32_t at) {
  constexpr int k_most_halvings = 30;
  const std::uint32_t articulation = articulations_.root(row);
  const double met = time;
  for (int i = 0; i < k_most_halvings && tears(articulation, time); ++i) time *= 0.5;
  Sweep<D> carrier;  // from now to the end of the step
  if (!stops_at(at, row) && time == met) carrier = sweep_after(at, time, stop_[at]);
  const auto turn = carrier.at(1).rotation * inverse(carrier.rotation);
  for (std::uint32_t m = first_of_[articulation]; m != k_none; m = following_[m]) {
    stop_[m] = time;
    const Pose<D> held = sweep_of(m).at(time);
    const Vec from_carrier = held.position - carrier.from;
    const Vec moved = carrier.translation + (turn * from_carrier - from_carrier);
    rests_[sweep_index_[m]] = {held.position, held.rotation, moved, carrier.turn};
    BodyState<D>& next = next_[m];
    const auto before = next.rotation;
    next.position = held.position + moved;
    next.rotation = normalized(turn * held.rotation);
    if (!any(bodies_.masses[m].locked_rotation))
      next.angular_velocity = turned_along(before, next.rotation, next.angular_velocity);
  }
}

}  // namespace

template <class D>
void hold_back_fast_bodies(Team& team, const Collisions<D>& collisions, const BodyStore<D>& bodies,
                           const JointStore<D>& joints, double h, std::span<BodyState<D>> next,
                           FastBodiesScratch<D>& scratch, CollisionReport& report) {
  FastBodies<D>(team, collisions, bodies, joints, h, next, scratch, report).hold_back();
}

template <class D>
void find_fast_articulations(const Collisions<D>& collisions, const BodyStore<D>& bodies,
                             const JointStore<D>& joints, double h, bool continuous,
                             std::span<const BodyState<D>> next, std::vector<std::uint8_t>& fast) {
  fast.assign(next.size(), 0);
  if (!continuous || joints.records.empty()) return;
  for (std::uint32_t row = 1; row < next.size(); ++row) {
    if (bodies.masses[row].motion != Motion::dynamic) continue;
    const BodyExtent extent = collisions.extent_of(bodies.id_of_row[row]);
    const double way = h * (length(next[row].velocity) + length(next[row].angular_velocity) * extent.reach);
    fast[row] = way > k_fast * extent.thickness && !joints.joints_of(bodies.id_of_row[row]).empty();
  }
}

template void hold_back_fast_bodies(Team&, const Collisions<Dim2>&, const BodyStore<Dim2>&,
                                    const JointStore<Dim2>&, double, std::span<BodyState<Dim2>>,
                                    FastBodiesScratch<Dim2>&, CollisionReport&);
template void hold_back_fast_bodies(Team&, const Collisions<Dim3>&, const BodyStore<Dim3>&,
                                    const JointStore<Dim3>&, double, std::span<BodyState<Dim3>>,
                                    FastBodiesScratch<Dim3>&, CollisionReport&);

template void find_fast_articulations(const Collisions<Dim2>&, const BodyStore<Dim2>&,
                                      const JointStore<Dim2>&, double, bool, std::span<const BodyState<Dim2>>,
                                      std::vector<std::uint8_t>&);
template void find_fast_articulations(const Collisions<Dim3>&, const BodyStore<Dim3>&,
                                      const JointStore<Dim3>&, double, bool, std::span<const BodyState<Dim3>>,
                                      std::vector<std::uint8_t>&);

}  // namespace cairn
