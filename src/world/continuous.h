// Keeps fast bodies from passing through others.
#pragma once

#include "constraints/joint_store.h"
#include "geometry/sweep.h"
#include "graph/islands.h"
#include "world/collisions.h"

namespace cairn {

// Room that is kept from step to step.
template <class D>
struct FastBodiesScratch {
  // A pair of proxies, one of a fast dynamic body at least, and when they meet.
  struct Meeting {
    double time = 1;  // of the step, in [0, 1]
    ProxyPair pair{};
    double stop_a = 1, stop_b = 1;  // when its bodies stopped, as far as known when the meeting was computed
    bool hit = false;
    bool deeper = false;  // deep in each other at the start, and about to get deeper
    bool operator>(const Meeting& other) const {
      return time != other.time ? time > other.time : pair > other.pair;
    }
  };
  // What stops where it meets what: the free at everything, articulations at what is not dynamic.
  enum class Stops : std::uint8_t { never, at_others, at_all };
  struct SweptBox {
    Bounds<D> box;
    typename D::Vec way;  // [m] of the body
    double turning;       // [m] that a point goes at most because it turns
    double inner;         // [m] of the proxy
    std::uint32_t proxy;
    std::uint32_t body;  // place in `swept`
    Stops stops;
  };
  struct Place {  // along x
    double x;
    std::uint32_t proxy, box;
  };
  // Two fast ones that move along together.
  struct CalmPair {
    ProxyPair pair;
    std::uint32_t body_a, body_b;
  };
  // Of two fast bodies. `following`: of the same body.
  struct FastPair {
    ProxyPair pair;
    std::uint32_t following;
  };

  // Rows: of the fast ones, then of what they have to take with them, then of what they may meet.
  std::vector<std::uint32_t> swept;
  std::vector<Sweep<D>> sweeps;            // of them, as if nothing held them back
  std::vector<Sweep<D>> rests;             // of them: from where they stopped to the end of the step
  std::vector<std::uint32_t> sweep_index;  // by row
  std::vector<SweptBox> boxes, sorted;
  std::vector<Place> places;
  std::vector<CalmPair> calm;
  std::vector<Bounds<D>> questions;  // where slow ones may be met, and by which proxy
  std::vector<std::uint32_t> asking;
  QueryRoom<D> query_room;
  std::vector<std::uint8_t> has_fast;  // by articulation
  Islands articulations;
  std::vector<std::uint32_t> first_of, following;  // by row: the swept bodies of an articulation, as a list
  std::vector<std::uint32_t> first_joint, following_joint;  // by row and by joint: its joints
  std::vector<Meeting> meetings, queue;
  std::vector<std::uint32_t> first_pair;  // by place in `swept`, in fast_pairs
  std::vector<FastPair> fast_pairs;
  std::vector<double> stop;  // by row
};

// Holds bodies back, in `next`, where on their way from their states in the store they first meet another. Bodies
// that move by less than half their thickness are not looked at: what they meet, the narrow phase notices. Velocities
// stay as they are, seen from the body. Bodies that hang together by joints are held back together, at what is
// fixed or kinematic. Says in the
// report how many were swept and held back. Two that are slow against each other are left to their contacts.
template <class D>
void hold_back_fast_bodies(Team& team, const Collisions<D>& collisions, const BodyStore<D>& bodies,
                           const JointStore<D>& joints, double h, std::span<BodyState<D>> next,
                           FastBodiesScratch<D>& scratch, CollisionReport& report);

// By row: is it a part of an articulation, and will it be fast in a step of h?
template <class D>
void find_fast_articulations(const Collisions<D>& collisions, const BodyStore<D>& bodies,
                             const JointStore<D>& joints, double h, bool continuous,
                             std::span<const BodyState<D>> next, std::vector<std::uint8_t>& fast);

extern template void hold_back_fast_bodies(Team&, const Collisions<Dim2>&, const BodyStore<Dim2>&,
                                           const JointStore<Dim2>&, double, std::span<BodyState<Dim2>>,
                                           FastBodiesScratch<Dim2>&, CollisionReport&);
extern template void hold_back_fast_bodies(Team&, const Collisions<Dim3>&, const BodyStore<Dim3>&,
                                           const JointStore<Dim3>&, double, std::span<BodyState<Dim3>>,
                                           FastBodiesScratch<Dim3>&, CollisionReport&);

extern template void find_fast_articulations(const Collisions<Dim2>&, const BodyStore<Dim2>&,
                                             const JointStore<Dim2>&, double, bool,
                                             std::span<const BodyState<Dim2>>, std::vector<std::uint8_t>&);
extern template void find_fast_articulations(const Collisions<Dim3>&, const BodyStore<Dim3>&,
                                             const JointStore<Dim3>&, double, bool,
                                             std::span<const BodyState<Dim3>>, std::vector<std::uint8_t>&);

}  // namespace cairn
