// What every integrator works on, and the moves that several share.
//
// An integrator reads `states` at time t and writes `next` at t + h; nothing else changes, so a step that
// fails leaves the world as it was. Bodies do not depend on each other except through forces: loops over
// bodies run in blocks on the team.
#pragma once

#include <cairn/integrator.h>

#include <span>
#include <vector>

#include "base/team.h"
#include "bodies/damping.h"
#include "bodies/drift.h"
#include "bodies/force_model.h"

namespace cairn {

// States at which forces were taken, and with which weight: v⁺ = v + h Σ weight·a(stage). For the accounts.
// What the bodies' own damping did is kept beside, because over a kick it is more than a function of the state.
template <class D>
struct Stage {
  double weight;
  double time;
  std::vector<BodyState<D>> states;
  std::vector<Wrench<D>> damping;
};

template <class D>
struct Integration {
  // given
  Team& team;
  const BodyKernels& kernels;
  std::span<const BodyMass<D>> masses{};
  std::span<const BodyState<D>> states{};
  double t = 0, h = 0;
  bool keep_stages = false;  // for the accounts
  // found
  std::vector<BodyState<D>> next{};
  std::vector<Stage<D>> stages{};
  bool keeps_angular_momentum = false;  // does it change by nothing but the torques at the stages?
  IntegrationReport report{};
  // scratch
  std::vector<Wrench<D>> wrenches{};
  std::vector<BodyState<D>> trial{};

  std::size_t size() const { return states.size(); }

  template <class F>
  void for_each_body(F&& f) {
    team.for_blocks(size(), k_bodies_a_block, [&](const Block& block) {
      for (std::size_t i = block.begin; i < block.end; ++i) f(i);
    });
  }
  template <ForceModel<D> F>
  void evaluate(const F& forces, std::span<const BodyState<D>> at, double time, std::vector<Wrench<D>>& out) {
    out.assign(size(), {});
    forces.add_wrenches(at, time, out);
  }
  void drift_all(double time) {
    report.unresolved = int(drift(std::span(next), masses, time, team, kernels));
  }
  void keep_stage(double weight, double time, std::span<const BodyState<D>> at) {
    if (!keep_stages) return;
    stages.push_back({weight, time, {at.begin(), at.end()}, std::vector<Wrench<D>>(size())});
  }
  // The wrench on body i with its own damping at the state s, or its mean over a kick of `over` from there. Belongs to
  // the stage kept last.
  Wrench<D> damped(std::size_t i, const BodyState<D>& s, double over) {
    if (!is_damped(masses[i])) return wrenches[i];
    const Wrench<D> own = damping(masses[i], s, wrenches[i], over);
    if (keep_stages) stages.back().damping[i] = own;
    Wrench<D> all = wrenches[i];
    all += own;
    return all;
  }
  void kick(std::size_t i, double time) { push(next[i], masses[i], damped(i, next[i], time), time); }
};

}  // namespace cairn
