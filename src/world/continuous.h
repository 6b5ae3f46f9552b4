// Keeps fast bodies from passing through others.
#pragma once

#include "constraints/joint_store.h"
#include "world/collisions.h"

namespace cairn {

// Holds bodies back, in `next`, where on their way from their states in the store they first meet another. Bodies
// that move by less than half their thickness are not looked at: what they meet, the narrow phase notices. Velocities
// stay as they are, seen from the body. Bodies that hang together by joints are held back together, at what is
// fixed or kinematic. Says in the
// report how many were swept and held back.
template <class D>
void hold_back_fast_bodies(Team& team, const Collisions<D>& collisions, const BodyStore<D>& bodies,
                           const JointStore<D>& joints, double h, std::span<BodyState<D>> next,
                           CollisionReport& report);

// By row: is it a part of an articulation, and will it be fast in a step of h?
template <class D>
void find_fast_articulations(const Collisions<D>& collisions, const BodyStore<D>& bodies,
                             const JointStore<D>& joints, double h, bool continuous,
                             std::span<const BodyState<D>> next, std::vector<std::uint8_t>& fast);

extern template void hold_back_fast_bodies(Team&, const Collisions<Dim2>&, const BodyStore<Dim2>&,
                                           const JointStore<Dim2>&, double, std::span<BodyState<Dim2>>,
                                           CollisionReport&);
extern template void hold_back_fast_bodies(Team&, const Collisions<Dim3>&, const BodyStore<Dim3>&,
                                           const JointStore<Dim3>&, double, std::span<BodyState<Dim3>>,
                                           CollisionReport&);

extern template void find_fast_articulations(const Collisions<Dim2>&, const BodyStore<Dim2>&,
                                             const JointStore<Dim2>&, double, bool,
                                             std::span<const BodyState<Dim2>>, std::vector<std::uint8_t>&);
extern template void find_fast_articulations(const Collisions<Dim3>&, const BodyStore<Dim3>&,
                                             const JointStore<Dim3>&, double, bool,
                                             std::span<const BodyState<Dim3>>, std::vector<std::uint8_t>&);

}  // namespace cairn
