// Continuous collision.
//
//   fast bodies ──► what their swept boxes meet ──► times of impact ──► in order of time: hold back
//
// A body that is held back stays at its time of impact for the rest of the step. That changes what others run into:
// the pairs of its fast neighbours are looked at again, from that time on, against the body at rest.
//
// A pair that touches at the start of the step is the contact solver's business. Only where the motion would drive
// the two deep into each other, so that next time it would be unclear which way out is right, the fast body does not
// move at all.
#include "world/continuous.h"

#include <algorithm>
#include <queue>

#include "geometry/box.h"
#include "geometry/time_of_impact.h"

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

template <class D>
class FastBodies {
  using Vec = typename D::Vec;

 public:
  FastBodies(Team& team, const Collisions<D>& collisions, const BodyStore<D>& bodies,
             const JointStore<D>& joints, double h, std::span<BodyState<D>> next, CollisionReport& report)
      : team_(team),
        collisions_(collisions),
        bodies_(bodies),
        joints_(joints),
        h_(h),
        next_(next),
        report_(report) {}

  void hold_back() {
    find_fast();
    for (const std::uint32_t row : fast_) report_.fast += may_stop(row);
    if (report_.fast == 0) return;
    find_candidates();
    find_impacts();
    resolve_in_order();
    report_.held_back = held_back_;
  }

 private:
  // A pair of proxies, one of a fast dynamic body at least, and when they meet.
  struct Meeting {
    double time = 1;  // of the step, in [0, 1]
    ProxyPair pair{};
    double stop_a = 1, stop_b = 1;  // when its bodies stopped, as far as known when the meeting was computed
    bool hit = false;
    bool operator>(const Meeting& other) const {
      return time != other.time ? time > other.time : pair > other.pair;
    }
  };

  std::uint32_t row_of(std::uint32_t proxy) const {
    return bodies_.row_of_slot[collisions_.proxy(proxy).body.index()];
  }
  // A body that hangs on joints goes its way: stopping it alone would tear it from the others.
  bool may_stop(std::uint32_t row) const {
    return bodies_.masses[row].motion == Motion::dynamic && joints_.joints_of(bodies_.id_of_row[row]).empty();
  }
  bool is_fast(std::uint32_t row) const { return fast_index_[row] != k_slow; }

  Sweep<D> sweep_of(std::uint32_t row) const {
    return is_fast(row) ? sweeps_[fast_index_[row]] : sweep_to_next(row);
  }
  Sweep<D> sweep_to_next(std::uint32_t row) const {
    const BodyState<D>& s = bodies_.states[row];
    if (row >= next_.size()) return {s.position, s.rotation, {}, {}};  // it sleeps
    const BodyState<D>& n = next_[row];
    return {s.position, s.rotation, n.position - s.position,
            turn_between(s.rotation, n.rotation, h_ * n.angular_velocity)};
  }
  // From the time `from` on; at rest from `stop` on.
  Sweep<D> sweep_after(std::uint32_t row, double from, double stop) const {
    Sweep<D> sweep = sweep_of(row);
    const Pose<D> start = sweep.at(smaller(from, stop));
    const double rest = stop <= from ? 0 : 1 - from;
    return {start.position, start.rotation, rest * sweep.translation, rest * sweep.turn};
  }

  void find_fast();
  void find_candidates();
  void find_impacts();
  void resolve_in_order();
  void consider(std::uint32_t a, std::uint32_t b);
  Bounds<D> swept_box(std::uint32_t proxy) const;
  void look_at(Meeting& meeting) const;
  bool counts(const Impact<D>& impact, const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
              const Sweep<D>& sweep_b) const;
  bool hook_keeps(const Proxy<D>& a, const Sweep<D>& sweep_a, const Proxy<D>& b,
                  const Impact<D>& found) const;

  static constexpr std::uint32_t k_slow = ~0u;

  Team& team_;
  const Collisions<D>& collisions_;
  const BodyStore<D>& bodies_;
  const JointStore<D>& joints_;
  double h_;
  std::span<BodyState<D>> next_;
  CollisionReport& report_;

  std::vector<std::uint32_t> fast_;        // rows
  std::vector<Sweep<D>> sweeps_;           // of the fast ones, as if nothing held them back
  std::vector<std::uint32_t> fast_index_;  // by row
  double slow_motion_ = 0;                 // [m] the furthest that any point of a slow body moves
  std::vector<Meeting> meetings_;
  std::vector<double> stop_;  // by row
  std::size_t held_back_ = 0;
};

template <class D>
void FastBodies<D>::find_fast() {
  fast_index_.assign(bodies_.row_count(), k_slow);
  stop_.assign(bodies_.row_count(), 1);
  for (std::uint32_t row = 1; row < next_.size(); ++row) {
    if (bodies_.masses[row].motion == Motion::fixed) continue;
    const BodyState<D>&s = bodies_.states[row], &n = next_[row];
    const BodyExtent extent = collisions_.extent_of(bodies_.id_of_row[row]);
    const double motion = length(n.position - s.position) + h_ * length(n.angular_velocity) * extent.reach;
    if (motion > 0.5 * extent.thickness) {
      sweeps_.push_back(sweep_to_next(row));
      fast_index_[row] = std::uint32_t(fast_.size());
      fast_.push_back(row);
    } else {
      slow_motion_ = larger(slow_motion_, motion);
    }
  }
}

// Around the piece wherever it is on its way.
template <class D>
Bounds<D> FastBodies<D>::swept_box(std::uint32_t index) const {
  const Proxy<D>& proxy = collisions_.proxy(index);
  const std::uint32_t row = row_of(index);
  const Sweep<D> sweep = sweep_of(row);
  const Vec to = sweep.from + sweep.translation;
  const Bounds<D> path{smaller(sweep.from, to), larger(sweep.from, to)};
  return grown(path, proxy.reach);
}

template <class D>
void FastBodies<D>::consider(std::uint32_t a, std::uint32_t b) {
  if (b < a) std::swap(a, b);
  const Proxy<D>&pa = collisions_.proxy(a), &pb = collisions_.proxy(b);
  if (pa.sensor || pb.sensor || !collisions_.may_meet(pa, pb)) return;
  meetings_.push_back({.pair = {a, b}});
}

template <class D>
void FastBodies<D>::find_candidates() {
  struct Swept {
    Bounds<D> box;
    std::uint32_t proxy;
  };
  std::vector<Swept> swept;
  for (const std::uint32_t row : fast_)
    for (const std::uint32_t index : collisions_.proxies_of(bodies_.id_of_row[row]))
      swept.push_back({swept_box(index), index});
  for (const Swept& s : swept)
    if (may_stop(row_of(s.proxy)))
      collisions_.broad_phase().query(grown(s.box, slow_motion_), [&](std::uint32_t other) {
        if (!is_fast(row_of(other))) consider(s.proxy, other);
        return true;
      });
  // Among the fast ones: along x, each against those that begin before it ends.
  std::sort(swept.begin(), swept.end(), [](const Swept& s, const Swept& t) {
    return s.box.lo.x != t.box.lo.x ? s.box.lo.x < t.box.lo.x : s.proxy < t.proxy;
  });
  for (std::size_t i = 0; i < swept.size(); ++i)
    for (std::size_t j = i + 1; j < swept.size() && swept[j].box.lo.x <= swept[i].box.hi.x; ++j)
      if (overlap(swept[i].box, swept[j].box)) consider(swept[i].proxy, swept[j].proxy);
}

// Fills in when the pair meets, from the latest time at which one of its bodies stopped.
template <class D>
void FastBodies<D>::look_at(Meeting& meeting) const {
  const auto [a, b] = meeting.pair;
  const std::uint32_t row_a = row_of(a), row_b = row_of(b);
  meeting.stop_a = stop_[row_a];
  meeting.stop_b = stop_[row_b];
  meeting.hit = false;
  const double from =
      smaller(meeting.stop_a, meeting.stop_b) < 1 ? smaller(meeting.stop_a, meeting.stop_b) : 0;
  const Sweep<D> sweep_a = sweep_after(row_a, from, meeting.stop_a),
                 sweep_b = sweep_after(row_b, from, meeting.stop_b);
  const Proxy<D>&pa = collisions_.proxy(a), &pb = collisions_.proxy(b);
  const Impact<D> found =
      time_of_impact(pa.on_body.piece, pa.on_body.pose, sweep_a, pb.on_body.piece, pb.on_body.pose, sweep_b,
                     collisions_.impact_distance(), [&](const Impact<D>& impact) {
                       return counts(impact, pa, sweep_a, pb, sweep_b) &&
                              (!collisions_.contact_hook || hook_keeps(pa, sweep_a, pb, impact));
                     });
  meeting.hit = found.status != ImpactStatus::separated;
  meeting.time = from + (1 - from) * found.time;
}

// Does it matter that the two meet? Where they touch at the start, or meet a surface of many elements, the narrow phase
// is asked, which knows the sides of surfaces and stumbles over no seams: only if the two would go into each other by
// more than half the thickness of the thinner one, at the speed with which they close in or as far as can be seen at
// the end.
template <class D>
bool FastBodies<D>::counts(const Impact<D>& impact, const Proxy<D>& a, const Sweep<D>& sweep_a,
                           const Proxy<D>& b, const Sweep<D>& sweep_b) const {
  if (impact.status == ImpactStatus::hit && a.convex && b.convex) return true;
  const Pose<D> now_a = sweep_a.at(impact.time), now_b = sweep_b.at(impact.time);
  const auto to_a = inverse(now_a.rotation);
  PairContact<D> contact;
  update(contact, a.on_body, b.on_body,
         Pose<D>{to_a * (now_b.position - now_a.position), to_a * now_b.rotation},
         {.margin = 2 * collisions_.impact_distance(), .recycle = 0});
  const double rest = 1 - impact.time;
  const double thickness = smaller(a.inner > 0 ? a.inner : b.inner, b.inner > 0 ? b.inner : a.inner);
  const auto end_a = sweep_a.at(1).rotation, end_b = sweep_b.at(1).rotation;
  for (const PairPatch<D>& patch : contact.patches) {
    const Vec normal = now_a.rotation * patch.normal;
    const Vec shift = rest * (sweep_b.translation - sweep_a.translation);
    for (int k = 0; k < patch.count; ++k) {
      const Vec &p = patch.points[k].anchor_a, &q = patch.points[k].anchor_b;
      const Vec on_a = now_a.rotation * p, on_b = now_b.rotation * q;
      const Vec at_this_speed = shift + rest * (cross(sweep_b.turn, on_b) - cross(sweep_a.turn, on_a));
      const Vec at_the_end = shift + (end_b * q - on_b) - (end_a * p - on_a);
      if (smaller(dot(normal, at_this_speed), dot(normal, at_the_end)) < -0.5 * thickness) return true;
    }
  }
  return false;
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
  std::priority_queue<Meeting, std::vector<Meeting>, std::greater<>> queue;
  for (const Meeting& meeting : meetings_)
    if (meeting.hit) queue.push(meeting);
  // Pairs of fast bodies that pass each other may meet after all once one of them has stopped.
  std::vector<std::vector<ProxyPair>> pairs_of(fast_.size());
  for (const Meeting& meeting : meetings_) {
    const std::uint32_t a = fast_index_[row_of(meeting.pair.a)], b = fast_index_[row_of(meeting.pair.b)];
    if (a == k_slow || b == k_slow) continue;
    pairs_of[a].push_back(meeting.pair);
    pairs_of[b].push_back(meeting.pair);
  }
  while (!queue.empty()) {
    const Meeting meeting = queue.top();
    queue.pop();
    const std::uint32_t rows[2] = {row_of(meeting.pair.a), row_of(meeting.pair.b)};
    if (stop_[rows[0]] != meeting.stop_a || stop_[rows[1]] != meeting.stop_b)
      continue;  // was looked at again
    for (const std::uint32_t row : rows) {
      if (!is_fast(row) || !may_stop(row) || stop_[row] <= meeting.time) continue;
      stop_[row] = meeting.time;
      const Pose<D> pose = sweep_of(row).at(meeting.time);
      next_[row].position = pose.position;
      next_[row].rotation = pose.rotation;
      ++held_back_;
      for (const ProxyPair& pair : pairs_of[fast_index_[row]]) {
        Meeting again{.pair = pair};
        look_at(again);
        if (again.hit) queue.push(again);
      }
    }
  }
}

}  // namespace

template <class D>
void hold_back_fast_bodies(Team& team, const Collisions<D>& collisions, const BodyStore<D>& bodies,
                           const JointStore<D>& joints, double h, std::span<BodyState<D>> next,
                           CollisionReport& report) {
  FastBodies<D>(team, collisions, bodies, joints, h, next, report).hold_back();
}

template void hold_back_fast_bodies(Team&, const Collisions<Dim2>&, const BodyStore<Dim2>&,
                                    const JointStore<Dim2>&, double, std::span<BodyState<Dim2>>,
                                    CollisionReport&);
template void hold_back_fast_bodies(Team&, const Collisions<Dim3>&, const BodyStore<Dim3>&,
                                    const JointStore<Dim3>&, double, std::span<BodyState<Dim3>>,
                                    CollisionReport&);

}  // namespace cairn
