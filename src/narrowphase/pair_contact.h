// A contact between two pieces of two bodies, kept from step to step.
//
// Points are stored as anchors: fixed to each body, from its centre of mass, in its axes. So the contact stays
// meaningful while the bodies move a little, and nothing depends on how far from the origin they are. While the
// pieces hardly move against each other the anchors are kept, and only the separations are worked out anew; when
// they are found afresh, each point takes over what the solver remembers of the old point with the same features.
#pragma once

#include <limits>

#include "base/headed_list.h"
#include "base/prefetch.h"
#include "broadphase/broad_phase.h"
#include "geometry/piece.h"
#include "narrowphase/pair_patch.h"

namespace cairn {

// What there is only of a contact with patches, beside them.
template <class D>
struct PatchesHead {
  Pose<D> found_at{};  // of b's piece in a's, when the patches were found
  // [m] They can be kept until the two bodies have travelled this far together, by whoever counts it.
  double still_until = -std::numeric_limits<double>::infinity();
};
template <class D>
using PatchList = HeadedList<PatchesHead<D>, PairPatch<D>>;

// Two of three contacts have no patches: these stand apart, and only where there are points.
template <class D>
struct PairContact {
  ProxyPair pair{};

  // written by the world
  bool sensor = false;
  bool touching = false;          // closer than the world's touching distance, and kept
  bool kept = true;               // did the contact hook keep it?
  bool has_own_material = false;  // did the hook put a material in place of the pair's?
  // Have the patches the pair's own surfaces, as they are now? No step that is undone changes what that says.
  bool knows_surfaces = false;

  // written by the narrow phase
  bool found = false;     // have the patches been?
  bool recycled = false;  // were they kept in the last step?
  double separation = 0;  // [m] the smallest of all points; infinite without points
  PatchList<D> patches{};
  PairCache<D> cache{};
};
static_assert(sizeof(PairContact<Dim3>) == 88);

// Its bodies were put elsewhere: who knows whether the patches can be kept.
template <class D>
void forget_stillness(PairContact<D>& contact) {
  if (!contact.patches.empty()) contact.patches.head().still_until = -std::numeric_limits<double>::infinity();
}

// Asks for the patches of a contact that is at hand. (Few have more than one.)
template <class D>
void prefetch_patches(const PairContact<D>& contact) {
  if (contact.patches.empty()) return;
  prefetch(contact.patches.head());
  prefetch(contact.patches[0]);
}

// What `recycle` and the world change of a contact with one patch and no material of its own.
template <class D>
struct RecycledState {
  std::array<double, Manifold<D>::k_most_points> separations;
  double separation;
  std::array<std::uint32_t, Manifold<D>::k_most_points> ages;
  bool sensor, touching, kept, recycled;
};
static_assert(sizeof(RecycledState<Dim3>) == 64);  // of 704: what a step that may be undone keeps of most

// What `find_afresh` and the world change of a contact that had been found, without patches.
template <class D>
struct ApartState {
  PairCache<D> cache;
  bool sensor, touching, kept;
};

template <class D>
bool has_recycled_state(const PairContact<D>& contact) {
  return contact.patches.size() == 1 && !contact.has_own_material;
}
template <class D>
RecycledState<D> recycled_state(const PairContact<D>& contact);
template <class D>
void put_back(PairContact<D>& contact, const RecycledState<D>& state) noexcept;
template <class D>
void put_back(PairContact<D>& contact, const ApartState<D>& state) noexcept;

// A piece and where it sits on its body.
template <class D>
struct PieceOnBody {
  Piece<D> piece;
  Pose<D> pose;       // from the body's centre of mass, in its axes
  double radius = 0;  // [m] of the ball around the origin of the piece's frame that holds it; may be infinite
};

struct ContactTolerances {
  double margin = 0;  // [m] points with a separation of at most this are kept
  double recycle =
      0;  // [m] while no point near the contact moved further than this against the other piece, the
          // patches are kept
};

// Brings the contact up to date: `b_in_a` is the pose of body b's centre and axes in those of a.
template <class D>
void update(PairContact<D>& contact, const PieceOnBody<D>& a, const PieceOnBody<D>& b, const Pose<D>& b_in_a,
            const ContactTolerances& tolerances);
// The same in its parts: if the patches can be kept, `recycle`, else `find_afresh`, with a copy of the patches `before`,
// as they were in the last step. Points that may be met later are found `ahead` as far
// as that beyond the margin; but which old point a new one is goes by the margin alone.
template <class D>
bool can_recycle(const PairContact<D>& contact, const PieceOnBody<D>& a, const PieceOnBody<D>& b,
                 const Pose<D>& b_in_a, double tolerance);
template <class D>
void recycle(PairContact<D>& contact, const Pose<D>& b_in_a);
// [m] How far points near the contact, which has patches, have moved against the other piece since these were found.
template <class D>
double moved_since_found(const PairContact<D>& contact, const PieceOnBody<D>& a, const PieceOnBody<D>& b,
                         const Pose<D>& b_in_a);
// [m] So far may two bodies travel together until `moved_since_found` can have grown by `more`, whatever its round-off. A body
// travels by as much as its centre moves, plus its `reach` times how far it turns.
template <class D>
double way_to_move(const PieceOnBody<D>& a, double reach_a, const PieceOnBody<D>& b, double reach_b,
                   const Pose<D>& b_in_a, double more);
template <class D>
void find_afresh(PairContact<D>& contact, const PatchList<D>& before, const PieceOnBody<D>& a,
                 const PieceOnBody<D>& b, const Pose<D>& b_in_a, double margin, double ahead = 0);
// Patches of two that are looked at once: nothing is kept of them.
template <class D>
InlineList<PairPatch<D>, 1> patches_between(const PieceOnBody<D>& a, const PieceOnBody<D>& b,
                                            const Pose<D>& b_in_a, double margin);

// How far a point at distance 1 from the axis moves, along the chord.
double turned_by(const Rot2& r);
double turned_by(const Rot3& r);

// The deepest point of all, and its patch; the contact must have one.
template <class D>
struct DeepestPoint {
  const PairPatch<D>* patch = nullptr;
  const PairPoint<D>* point = nullptr;
};
template <class D>
DeepestPoint<D> deepest(const PairContact<D>& contact) {
  DeepestPoint<D> best;
  for (const PairPatch<D>& patch : contact.patches)
    for (int k = 0; k < patch.count; ++k)
      if (!best.point || patch.points[k].separation < best.point->separation)
        best = {&patch, &patch.points[k]};
  return best;
}

}  // namespace cairn
