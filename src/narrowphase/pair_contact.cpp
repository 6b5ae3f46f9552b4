#include "narrowphase/pair_contact.h"

#include <limits>

#include "narrowphase/collide.h"

namespace cairn {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

double turned_by(const Rot2& r) {  // the length of the chord that a point at distance 1 moves along
  return length(Vec2{r.c - 1, r.s});
}
double turned_by(const Rot3& r) { return 2 * length(Vec3{r.x, r.y, r.z}); }

// How far any point within `radius` of the origin moves when a frame goes from `before` to `after`.
template <class D>
double furthest_motion(const Pose<D>& before, const Pose<D>& after, double radius) {
  const Pose<D> change = after * inverse(before);
  return length(change.position) + turned_by(change.rotation) * radius;
}

// The smaller of the two pieces holds the whole contact: measure in its frame.
template <class D>
bool hardly_moved(const PairContact<D>& contact, const PieceOnBody<D>& a, const PieceOnBody<D>& b,
                  const Pose<D>& b_in_a, double tolerance) {
  if (a.radius <= b.radius) return furthest_motion(contact.found_at, b_in_a, a.radius) <= tolerance;
  return furthest_motion(inverse(contact.found_at), inverse(b_in_a), b.radius) <= tolerance;
}

template <class D>
double separation_of(const PairPatch<D>& patch, const PairPoint<D>& point, const Pose<D>& body_b_in_a) {
  return dot(patch.normal, to_world(body_b_in_a, point.anchor_b) - point.anchor_a);
}

// What the solver remembers of old points goes to the new ones: first by features; then, for points that lie where
// an old one lay although their features differ, as when a corner slides from triangle to triangle, by place. Each
// old point is taken over once: then its age in `before` says so.
template <class D>
void carry_over(InlineList<PairPatch<D>, 1>& before, InlineList<PairPatch<D>, 1>& after, double near) {
  constexpr std::uint32_t k_taken = ~0u;
  const auto for_pairs = [&](auto&& matches) {
    for (PairPatch<D>& patch : after)
      for (int k = 0; k < patch.count; ++k) {
        PairPoint<D>& fresh = patch.points[k];
        for (PairPatch<D>& old_patch : before)
          for (int l = 0; l < old_patch.count && !fresh.age; ++l) {
            PairPoint<D>& old = old_patch.points[l];
            if (old.age == k_taken || !matches(old_patch, old, patch, fresh)) continue;
            fresh.impulse = old.impulse;
            fresh.load = old.load;
            patch.friction = old_patch.friction;
            patch.twist = old_patch.twist;
            patch.torque = old_patch.torque;
            patch.stuck = old_patch.stuck;
            fresh.age = old.age + 1;
            old.age = k_taken;
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

}  // namespace

template <class D>
void update(PairContact<D>& contact, const PieceOnBody<D>& a, const PieceOnBody<D>& b,
            const Pose<D>& body_b_in_a, const ContactTolerances& tolerances) {
  const Pose<D> b_in_a = inverse(a.pose) * body_b_in_a * b.pose;
  contact.recycled =
      contact.found && !contact.patches.empty() && hardly_moved(contact, a, b, b_in_a, tolerances.recycle);
  if (contact.recycled) {
    for (PairPatch<D>& patch : contact.patches)
      for (int k = 0; k < patch.count; ++k) {
        patch.points[k].separation = separation_of(patch, patch.points[k], body_b_in_a);
        ++patch.points[k].age;
      }
  } else {
    contact.found = false;
    ManifoldList<D> manifolds;
    collide(a.piece, b.piece, b_in_a, tolerances.margin, contact.cache, manifolds);
    InlineList<PairPatch<D>, 1> before = contact.patches;
    const Pose<D> body_a_in_b = inverse(body_b_in_a);
    contact.patches.clear();
    for (const Manifold<D>& manifold : manifolds)
      contact.patches.push_back(on_bodies(manifold, a, body_a_in_b));
    if (!before.empty()) carry_over(before, contact.patches, tolerances.margin);
    contact.found_at = b_in_a;
    contact.found = true;
  }
  contact.separation = contact.patches.empty() ? k_infinity : deepest(contact).point->separation;
}

template void update(PairContact<Dim2>&, const PieceOnBody<Dim2>&, const PieceOnBody<Dim2>&, const Pose2&,
                     const ContactTolerances&);
template void update(PairContact<Dim3>&, const PieceOnBody<Dim3>&, const PieceOnBody<Dim3>&, const Pose3&,
                     const ContactTolerances&);

}  // namespace cairn
