#include "narrowphase/pair_contact.h"

#include <limits>

#include "narrowphase/collide.h"

namespace cairn {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

// How far any point within `radius` of the origin moves when a frame goes from `before` to `after`.
template <class D>
double furthest_motion(const Pose<D>& before, const Pose<D>& after, double radius) {
  const Pose<D> change = after * inverse(before);
  return length(change.position) + turned_by(change.rotation) * radius;
}

template <class D>
double separation_of(const PairPatch<D>& patch, const PairPoint<D>& point, const Pose<D>& body_b_in_a) {
  return dot(patch.normal, to_world(body_b_in_a, point.anchor_b) - point.anchor_a);
}

// What the solver remembers of old points goes to the new ones: first by features; then, for points that lie where
// an old one lay although their features differ, as when a corner slides from triangle to triangle, by place. Each
// old point is taken over once.
template <class D>
void carry_over(const PatchList<D>& before, PatchList<D>& after, double near) {
  InlineList<std::uint8_t, 16> taken;  // of each old patch: a bit for each point
  for (std::size_t i = 0; i < before.size(); ++i) taken.push_back(0);
  const auto for_pairs = [&](auto&& matches) {
    for (PairPatch<D>& patch : after)
      for (int k = 0; k < patch.count; ++k) {
        PairPoint<D>& fresh = patch.points[k];
        for (std::size_t i = 0; i < before.size(); ++i)
          for (int l = 0; l < before[i].count && !fresh.age; ++l) {
            const PairPatch<D>& old_patch = before[i];
            const PairPoint<D>& old = old_patch.points[l];
            if ((taken[i] >> l & 1) || !matches(old_patch, old, patch, fresh)) continue;
            fresh.impulse = old.impulse;
            fresh.load = old.load;
            patch.friction = old_patch.friction;
            patch.twist = old_patch.twist;
            patch.torque = old_patch.torque;
            patch.stuck = old_patch.stuck;
            fresh.age = old.age + 1;
            taken[i] = std::uint8_t(taken[i] | 1 << l);
          }
      }
  };
  for_pairs([](const PairPatch<D>& old_patch, const PairPoint<D>& old, const PairPatch<D>& patch,
               const PairPoint<D>& fresh) {
    return old_patch.element == patch.element && old.features == fresh.features;
  });
  for_pairs(
      [&](const PairPatch<D>&, const PairPoint<D>& old, const PairPatch<D>&, const PairPoint<D>& fresh) {
        return length(old.anchor_a - fresh.anchor_a) <= near && length(old.anchor_b - fresh.anchor_b) <= near;
      });
}

template <class D>
PairPatch<D> on_bodies(const Manifold<D>& manifold, const PieceOnBody<D>& a, const Pose<D>& body_a_in_b) {
  PairPatch<D> patch;
  patch.normal = a.pose.rotation * manifold.normal;
  patch.element = manifold.element;
  patch.count = manifold.count;
  for (int k = 0; k < manifold.count; ++k) {
    const ManifoldPoint<D>& p = manifold.points[k];
    const auto on_a = to_world(a.pose, p.point), on_b = on_a + p.separation * patch.normal;
    patch.points[k] = {.anchor_a = on_a,
                       .anchor_b = to_world(body_a_in_b, on_b),
                       .separation = p.separation,
                       .features = p.features};
  }
  return patch;
}

template <class D, class List>
void add_patches(const ManifoldList<D>& manifolds, const PieceOnBody<D>& a, const Pose<D>& body_b_in_a,
                 List& patches) {
  const Pose<D> body_a_in_b = inverse(body_b_in_a);
  for (const Manifold<D>& manifold : manifolds) patches.push_back(on_bodies(manifold, a, body_a_in_b));
}

template <class D>
Pose<D> piece_in_piece(const PieceOnBody<D>& a, const PieceOnBody<D>& b, const Pose<D>& body_b_in_a) {
  return inverse(a.pose) * body_b_in_a * b.pose;
}

}  // namespace

double turned_by(const Rot2& r) { return length(Vec2{r.c - 1, r.s}); }
double turned_by(const Rot3& r) { return 2 * length(Vec3{r.x, r.y, r.z}); }

// The smaller of the two pieces holds the whole contact: measure in its frame.
template <class D>
double moved_since_found(const PairContact<D>& contact, const PieceOnBody<D>& a, const PieceOnBody<D>& b,
                         const Pose<D>& body_b_in_a) {
  const Pose<D> b_in_a = piece_in_piece(a, b, body_b_in_a);
  const Pose<D>& found_at = contact.patches.head().found_at;
  if (a.radius <= b.radius) return furthest_motion(found_at, b_in_a, a.radius);
  return furthest_motion(inverse(found_at), inverse(b_in_a), b.radius);
}

// Let o be the origin of the smaller piece, r its radius, and its own body move by p and turn by t (as a chord at distance 1), the
// other by q and u. What is measured then grows by at most
//
//   p + t |o − its own centre|  +  q + u |o − the other centre|  +  (t + u) r
//
// where the second distance grows by no more than the bodies travel. Compare with p + t·reach + q + u·reach of the other. Turns
// and ways of several steps add up to no less than those of all of them together. Reaches may be infinite: who has
// one has travelled no number of metres as soon as it moves.
template <class D>
double way_to_move(const PieceOnBody<D>& a, double reach_a, const PieceOnBody<D>& b, double reach_b,
                   const Pose<D>& body_b_in_a, double more) {
  constexpr double k_sure = 0.999, k_round_off = 256 * std::numeric_limits<double>::epsilon();
  const bool a_is_smaller = a.radius <= b.radius;
  const double r = a_is_smaller ? a.radius : b.radius;
  const double from_a =
      a_is_smaller ? length(a.pose.position) : length(to_world(body_b_in_a, b.pose.position));
  const double from_b =
      a_is_smaller ? length(body_b_in_a.position - a.pose.position) : length(b.pose.position);
  const double apart = length((a_is_smaller ? b : a).pose.position);  // poses are composed by way of it
  const double spare = more - k_round_off * (from_a + from_b + apart + r);
  const double as_much = larger(1, larger((from_a + r + more) / reach_a, (from_b + r + more) / reach_b));
  return k_sure * spare / as_much;
}

template <class D>
bool can_recycle(const PairContact<D>& contact, const PieceOnBody<D>& a, const PieceOnBody<D>& b,
                 const Pose<D>& body_b_in_a, double tolerance) {
  return contact.found && !contact.patches.empty() &&
         moved_since_found(contact, a, b, body_b_in_a) <= tolerance;
}

template <class D>
void recycle(PairContact<D>& contact, const Pose<D>& body_b_in_a) {
  contact.recycled = true;
  contact.separation = k_infinity;
  for (PairPatch<D>& patch : contact.patches)
    for (int k = 0; k < patch.count; ++k) {
      PairPoint<D>& point = patch.points[k];
      point.separation = separation_of(patch, point, body_b_in_a);
      contact.separation = smaller(contact.separation, point.separation);
      ++point.age;
    }
}

template <class D>
void find_afresh(PairContact<D>& contact, const PatchList<D>& before, const PieceOnBody<D>& a,
                 const PieceOnBody<D>& b, const Pose<D>& body_b_in_a, double margin, double ahead) {
  const Pose<D> b_in_a = piece_in_piece(a, b, body_b_in_a);
  contact.found = contact.recycled = false;
  ManifoldList<D> manifolds;
  collide(a.piece, b.piece, b_in_a, margin + ahead, contact.cache, manifolds);
  contact.patches.clear();
  contact.knows_surfaces = false;
  add_patches(manifolds, a, body_b_in_a, contact.patches);
  if (contact.patches.empty()) {
    contact.patches = {};  // with its memory
    contact.separation = k_infinity;
  } else {
    if (!before.empty()) carry_over(before, contact.patches, margin);
    contact.patches.head().found_at = b_in_a;
    contact.separation = deepest(contact).point->separation;
  }
  contact.found = true;
}

template <class D>
InlineList<PairPatch<D>, 1> patches_between(const PieceOnBody<D>& a, const PieceOnBody<D>& b,
                                            const Pose<D>& body_b_in_a, double margin) {
  PairCache<D> cache;
  ManifoldList<D> manifolds;
  collide(a.piece, b.piece, piece_in_piece(a, b, body_b_in_a), margin, cache, manifolds);
  InlineList<PairPatch<D>, 1> patches;
  add_patches(manifolds, a, body_b_in_a, patches);
  return patches;
}

template <class D>
void update(PairContact<D>& contact, const PieceOnBody<D>& a, const PieceOnBody<D>& b,
            const Pose<D>& body_b_in_a, const ContactTolerances& tolerances) {
  if (can_recycle(contact, a, b, body_b_in_a, tolerances.recycle)) return recycle(contact, body_b_in_a);
  const PatchList<D> before = std::move(contact.patches);
  find_afresh(contact, before, a, b, body_b_in_a, tolerances.margin);
}

// ------------------------------------------------------------------------------------------------- to undo it

template <class D>
RecycledState<D> recycled_state(const PairContact<D>& contact) {
  RecycledState<D> state{.separations = {},
                         .separation = contact.separation,
                         .ages = {},
                         .sensor = contact.sensor,
                         .touching = contact.touching,
                         .kept = contact.kept,
                         .recycled = contact.recycled};
  const PairPatch<D>& patch = contact.patches[0];
  for (std::size_t k = 0; k < std::size_t(patch.count); ++k) {
    state.separations[k] = patch.points[k].separation;
    state.ages[k] = patch.points[k].age;
  }
  return state;
}

template <class D>
void put_back(PairContact<D>& contact, const RecycledState<D>& state) noexcept {
  contact.separation = state.separation;
  contact.sensor = state.sensor;
  contact.touching = state.touching;
  contact.kept = state.kept;
  contact.recycled = state.recycled;
  contact.has_own_material = false;
  PairPatch<D>& patch = contact.patches[0];
  for (std::size_t k = 0; k < std::size_t(patch.count); ++k) {
    patch.points[k].separation = state.separations[k];
    patch.points[k].age = state.ages[k];
  }
}

template <class D>
void put_back(PairContact<D>& contact, const ApartState<D>& state) noexcept {
  contact = {.pair = contact.pair,
             .sensor = state.sensor,
             .touching = state.touching,
             .kept = state.kept,
             .found = true,
             .separation = k_infinity,
             .cache = state.cache};
}

#define CAIRN_FUNCTIONS(D)                                                                                  \
  template bool can_recycle(const PairContact<D>&, const PieceOnBody<D>&, const PieceOnBody<D>&,            \
                            const Pose<D>&, double);                                                        \
  template void recycle(PairContact<D>&, const Pose<D>&);                                                   \
  template double moved_since_found(const PairContact<D>&, const PieceOnBody<D>&, const PieceOnBody<D>&,    \
                                    const Pose<D>&);                                                        \
  template double way_to_move(const PieceOnBody<D>&, double, const PieceOnBody<D>&, double, const Pose<D>&, \
                              double);                                                                      \
  template void find_afresh(PairContact<D>&, const PatchList<D>&, const PieceOnBody<D>&,                    \
                            const PieceOnBody<D>&, const Pose<D>&, double, double);                         \
  template InlineList<PairPatch<D>, 1> patches_between(const PieceOnBody<D>&, const PieceOnBody<D>&,        \
                                                       const Pose<D>&, double);                             \
  template void update(PairContact<D>&, const PieceOnBody<D>&, const PieceOnBody<D>&, const Pose<D>&,       \
                       const ContactTolerances&);                                                           \
  template RecycledState<D> recycled_state(const PairContact<D>&);                                          \
  template void put_back(PairContact<D>&, const RecycledState<D>&) noexcept;                                \
  template void put_back(PairContact<D>&, const ApartState<D>&) noexcept;
CAIRN_FUNCTIONS(Dim2)
CAIRN_FUNCTIONS(Dim3)
#undef CAIRN_FUNCTIONS

}  // namespace cairn
