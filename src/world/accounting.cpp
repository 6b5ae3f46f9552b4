// A body's kinetic energy changes over a step, whatever the scheme, by exactly
//
//   Δ(½mv²)   = v̄·mΔv                               v̄ = ½(v + v⁺)
//   Δ(½ω·L)   = ω̄·ΔL + ½(ω⁺·L − ω·L⁺)               ω̄ = ½(ω + ω⁺)
//
// so an impulse P that a force gave it during the step has done the work v̄·P (and ω̄·angular impulse). The
// integrators say at which states, and with which weights, they took their forces; that gives each force's
// impulse, class by class. Conservative forces should do the work by which their potential fell: what they
// did more or less is the discretisation's doing, and so is the second term of the rotation, the turning of the
// inertia. Angular momentum that comes from no torque is the doing of schemes that integrate ω instead of L; in
// the others there must be none, and its work ω̄·(ΔL − Σ torque·h) stays unexplained.
//
// This is the account of the bodies that the integrator moved. Those that touch or are joined are the solver's, and in its
// ledger; a spring belongs to the dynamic bodies at its ends.
#include "world/accounting.h"

namespace cairn {

template <class D>
Energy energy_of(const ForceSet<D>& forces, std::span<const BodyState<D>> states) {
  Energy energy;
  for (std::size_t i = 0; i < states.size(); ++i)
    energy.kinetic += kinetic_energy(forces.masses[i], states[i]);
  energy.gravity = forces.gravity_energy(states);
  energy.spring = forces.spring_energy(states);
  return energy;
}

template <class D>
Momentum<D> momentum_of(std::span<const BodyMass<D>> masses, std::span<const BodyState<D>> states) {
  Momentum<D> sum;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const typename D::Vec linear = masses[i].mass * states[i].velocity;
    sum.linear += linear;
    sum.angular += cross(states[i].position, linear) + angular_momentum(masses[i], states[i]);
  }
  return sum;
}

namespace {

// What the forces of one class gave to every body during the step.
template <class D>
class Impulses {
 public:
  Impulses(const ForceSet<D>& forces, ForceClass which, const Integration<D>& done, const Ledger<D>& ledger)
      : sum_(done.size()) {
    std::vector<Wrench<D>> wrenches;
    for (const Stage<D>& stage : done.stages) {
      wrenches.assign(done.size(), {});
      forces.add_wrenches(which, stage.states, stage.time, wrenches);
      if (which == ForceClass::damper)
        for (std::size_t i = 0; i < done.size(); ++i) wrenches[i] += stage.damping[i];
      for (std::size_t i = 0; i < done.size(); ++i) {
        const BodyMass<D>& mass = done.masses[i];
        const double k = done.h * stage.weight;
        const Wrench<D> impulse{k * wrenches[i].force,
                                k * unlocked(wrenches[i].torque, mass.locked_rotation)};
        sum_[i] += impulse;
        if (mass.motion != Motion::dynamic || ledger.has_moved(i)) continue;
        const typename D::Vec felt = mass.mass * scaled(mass.inverse_mass, impulse.force);
        linear += felt;
        angular += cross(stage.states[i].position, felt) + impulse.torque;
      }
    }
  }
  const Wrench<D>& on(std::size_t i) const { return sum_[i]; }
  double work_on(std::size_t i, const Integration<D>& done) const {
    const BodyState<D>&s = done.states[i], &n = done.next[i];
    return 0.5 * (dot(s.velocity + n.velocity, sum_[i].force) +
                  dot(s.angular_velocity + n.angular_velocity, sum_[i].torque));
  }
  typename D::Vec linear{};   // of all dynamic bodies
  typename D::Ang angular{};  // about the origin

 private:
  std::vector<Wrench<D>> sum_;
};

template <class D>
void add(const Works<D>& works, Energy& energy) {
  energy.applied += works.applied;
  energy.drive += works.drive;
  energy.damping += works.damping;
  energy.contact += works.contact;
  energy.friction += works.friction;
  energy.impact += works.impact;
  energy.joint += works.joint;
  energy.joint_friction += works.joint_friction;
  energy.relaxation += works.relaxation;
  energy.stabilisation += works.stabilisation;
  energy.discretisation += works.discretisation;
}

}  // namespace

template <class D>
void account_for_causes(const ForceSet<D>& all, const Integration<D>& done, const Ledger<D>& ledger,
                        Energy& energy, Momentum<D>& momentum) {
  std::vector<Spring<D>> springs;
  for (const Spring<D>& spring : all.springs)
    if (!ledger.has_moved(spring.a) && !ledger.has_moved(spring.b)) springs.push_back(spring);
  ForceSet<D> forces = all;
  forces.springs = springs;
  const Impulses<D> gravity(forces, ForceClass::gravity, done, ledger),
      elastic(forces, ForceClass::elastic, done, ledger), damper(forces, ForceClass::damper, done, ledger),
      applied(forces, ForceClass::applied, done, ledger);

  double conservative = 0;  // work of gravity and springs, on whatever moves
  double turning = 0;       // of the inertia
  double potential = 0;     // how much that of gravity and springs has grown
  double from_nowhere = 0;  // work of angular momentum that no torque gave
  for (std::size_t i = 0; i < done.size(); ++i) {
    if (done.masses[i].motion == Motion::fixed || ledger.has_moved(i)) continue;
    const double by_elastic = elastic.work_on(i, done), by_damper = damper.work_on(i, done);
    conservative += by_elastic;
    energy.damping += by_damper;
    if (done.masses[i].motion == Motion::kinematic) {
      energy.drive -= by_elastic + by_damper;  // what holds the body to its path does the opposite work
      continue;
    }
    conservative += gravity.work_on(i, done);
    energy.applied += applied.work_on(i, done);

    const BodyState<D>&s = done.states[i], &n = done.next[i];
    potential -= done.masses[i].mass * done.masses[i].gravity_scale *
                 (dot(forces.gravity, n.position) - dot(forces.gravity, s.position));
    const auto before = angular_momentum(done.masses[i], s), after = angular_momentum(done.masses[i], n);
    const auto torque =
        gravity.on(i).torque + elastic.on(i).torque + damper.on(i).torque + applied.on(i).torque;
    turning += 0.5 * (dot(n.angular_velocity, before) - dot(s.angular_velocity, after));
    from_nowhere += 0.5 * dot(s.angular_velocity + n.angular_velocity, after - before - torque);
  }
  potential += forces.spring_energy(done.next) - forces.spring_energy(done.states);
  energy.discretisation =
      conservative + potential + turning + (done.keeps_angular_momentum ? 0 : from_nowhere);
  add(ledger.works(), energy);
  const Energy before = energy_of(all, done.states);
  energy.unexplained = (energy.kinetic - before.kinetic) + (energy.gravity - before.gravity) +
                       (energy.spring - before.spring) - energy.causes();
  momentum.linear_impulse =
      gravity.linear + elastic.linear + damper.linear + applied.linear + ledger.works().linear_impulse;
  momentum.angular_impulse =
      gravity.angular + elastic.angular + damper.angular + applied.angular + ledger.works().angular_impulse;
}

template Energy energy_of(const ForceSet<Dim2>&, std::span<const BodyState<Dim2>>);
template Energy energy_of(const ForceSet<Dim3>&, std::span<const BodyState<Dim3>>);
template Momentum<Dim2> momentum_of(std::span<const BodyMass<Dim2>>, std::span<const BodyState<Dim2>>);
template Momentum<Dim3> momentum_of(std::span<const BodyMass<Dim3>>, std::span<const BodyState<Dim3>>);
template void account_for_causes(const ForceSet<Dim2>&, const Integration<Dim2>&, const Ledger<Dim2>&,
                                 Energy&, Momentum<Dim2>&);
template void account_for_causes(const ForceSet<Dim3>&, const Integration<Dim3>&, const Ledger<Dim3>&,
                                 Energy&, Momentum<Dim3>&);

}  // namespace cairn
