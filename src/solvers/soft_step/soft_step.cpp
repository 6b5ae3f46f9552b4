#include "solvers/soft_step/soft_step.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "bodies/damping.h"
#include "bodies/drift.h"

namespace cairn {
namespace {

// Frequency of a swept contact, as a part of the substeps' own. With stiffer ones, walls tremble.
constexpr double k_fastest = 1. / 6;
// Likewise of joints that are swept, but of the usual substeps: if springs got stiffer where an island takes more of them, what
// they hold would be more energy.
constexpr double k_fastest_joint = 1. / 3;
constexpr double k_joint_damping_ratio = 2;
constexpr double k_joint_rate = 0.3;  // part of a joint's error that goes away in a substep
// A rod that falls flat turns by what its first end is given; with each sweep a quarter of that is left. One sweep gave
// back 44 % of the energy instead of all.
constexpr int k_bounce_sweeps = 8;
constexpr double k_contact_rate = 0.2;  // part of an overlap that does, where it is solved directly

template <class Real>
void store(Real (&to)[2], const Vec2& v) {
  to[0] = Real(v.x), to[1] = Real(v.y);
}
template <class Real>
void store(Real (&to)[3], const Vec3& v) {
  to[0] = Real(v.x), to[1] = Real(v.y), to[2] = Real(v.z);
}
template <class Real>
void store(Real& to, double v) {
  to = Real(v);
}
template <class Real>
void store(Real (&to)[6], const Sym3& m) {
  to[0] = Real(m.xx), to[1] = Real(m.yy), to[2] = Real(m.zz);
  to[3] = Real(m.xy), to[4] = Real(m.xz), to[5] = Real(m.yz);
}
// A spring and damper carried through a substep by implicit Euler (contact_rows.h).
SweptSoftness softness_of(const SweepSettings& settings) {
  const double omega = settings.frequency, a1 = 2 * settings.damping_ratio + settings.h * omega,
               a2 = settings.h * omega * a1;
  return {omega / a1, a2 / (1 + a2), 1 / (1 + a2)};
}

template <class Group>
void take_masses(const Group& from, int lane, Group& to) {
  const auto take = [&](const auto& x, auto& y) { y[lane] = x[lane]; };
  for (int k = 0; k < to.count; ++k) {
    const auto& point = from.points[k];
    take(point.normal_mass, to.points[k].normal_mass);
    for (int t = 0; t < Group::k_tangents; ++t) take(point.slips[t], to.points[k].slips[t]);
    take(point.spins, to.points[k].spins);
  }
  for (std::size_t k = 0; k < std::size(to.coupling); ++k) take(from.coupling[k], to.coupling[k]);
  for (std::size_t k = 0; k < std::size(to.tangent_mass); ++k) take(from.tangent_mass[k], to.tangent_mass[k]);
  take(from.slip_mass, to.slip_mass);
  take(from.twist_mass, to.twist_mass);
  take(from.rolling_mass, to.rolling_mass);
}

// Can lanes move it?
bool is_free(const BodyMass<Dim2>&) { return true; }
bool is_free(const BodyMass<Dim3>& mass) {
  return mass.motion == Motion::dynamic && !any(mass.locked_rotation);
}

// What stays the same through a step: in space, the inertia does not.
template <class Real>
void store(InertBody<Dim2, Real>& to, const BodyMass<Dim2>& mass) {
  store(to.inverse_mass, mass.inverse_mass);
  store(to.inverse_inertia, inverse_inertia(mass, {}));
}
template <class Real>
void store(InertBody<Dim3, Real>& to, const BodyMass<Dim3>& mass) {
  store(to.inverse_mass, mass.inverse_mass);
}
template <class Real>
void store_turned(InertBody<Dim2, Real>&, const BodyMass<Dim2>&, const Rot2&) {}
template <class Real>
void store_turned(InertBody<Dim3, Real>& to, const BodyMass<Dim3>& mass, const Rot3& rotation) {
  store(to.inverse_inertia, inverse_inertia(mass, rotation));
}

// How far a rotation is from none.
template <class Real>
void store_turn(Real (&to)[2], const Rot2& r) {
  to[0] = Real(r.c - 1), to[1] = Real(r.s);
}
template <class Real>
void store_turn(Real (&to)[4], const Rot3& r) {
  to[0] = Real(r.w - 1), to[1] = Real(r.x), to[2] = Real(r.y), to[3] = Real(r.z);
}
// A lane of packed vectors.
template <class Real>
Vec2 vector(const Real (&from)[2][k_width], int lane) {
  return {from[0][lane], from[1][lane]};
}
template <class Real>
Vec3 vector(const Real (&from)[3][k_width], int lane) {
  return {from[0][lane], from[1][lane], from[2][lane]};
}
template <class Real>
double vector(const Real (&from)[1][k_width], int lane) {
  return from[0][lane];
}

template <class Real>
Vec2 tangential(const Real (&from)[1][k_width], int lane, const Vec2&, const Vec2& t) {
  return double(from[0][lane]) * t;
}
template <class Real>
Vec3 tangential(const Real (&from)[2][k_width], int lane, const Vec3& n, const Vec3& t) {
  return double(from[0][lane]) * t + double(from[1][lane]) * cross(n, t);
}

// What is not put into lanes but added up there, or set only in some groups.
template <class Group>
void clear_sums(Group& group) {
  const auto clear = [](auto& lanes) { std::memset(&lanes, 0, sizeof(lanes)); };
  for (auto& rest : group.rest) clear(rest.total_normal_impulse);
  clear(group.total_tangent_impulse);
  clear(group.sticks);
  clear(group.taken);
  group.lanes = group.count = 0;
  group.resists = group.bounces = group.conveys = false;
}

// For lanes without a contact, as far as kernels look at them.
template <class D>
PairPatch<D> nothing() {
  PairPatch<D> patch{};
  patch.normal.x = patch.count = 1;
  return patch;
}

}  // namespace

template <class D, class Real>
void SoftStepLanes<D, Real>::solve(const SoftStep& settings, StepProblem<D>& problem, SolveReport& report) {
  Team& team = problem.team;
  const double h = h_ = problem.h / problem.substeps;
  const SweepSettings draw_in{.h = h,
                              .draws_in = true,
                              .frequency = 2 * k_pi * smaller(settings.contact_frequency, k_fastest / h),
                              .damping_ratio = settings.contact_damping_ratio,
                              .push_speed = settings.push_speed,
                              .resting_speed = settings.resting_speed};
  SweepSettings relax = draw_in;
  relax.draws_in = false;
  SweepSettings relax_first = relax;
  relax_first.has_moved = true;
  report.bodies += problem.rows.size();
  report.contacts += problem.contacts.size();
  report.joints += problem.bonds.which.size();
  report.substeps = std::max(report.substeps, problem.substeps);

  moving_.assign(problem.states.size(), {});
  copies_.clear();
  sort_rows(problem);
  taken_ = true;
  if (!problem.contacts.empty()) {
    inert_.assign(problem.states.size(), {});
    turned_far_.assign(problem.states.size(), 0);
    some_turned_far_ = false;
    for (const std::uint32_t row : problem.rows) store(inert_[row], problem.masses[row]);
    move(problem, 0);
  }
  pack(problem, h, report);
  if constexpr (k_validates) {
    Faults faults;
    find_faults(faults, problem.contacts, problem.masses);
    stop_at(faults, "when it colored contacts");
  }
  for_groups(team, {0, groups_.size()},
             [&](Group* groups, std::size_t count) { kernels_.prepare(groups, count, inert_.data()); });

  const double joint_rate = k_joint_rate / h;
  SweepSettings draw_in_joints = draw_in;
  draw_in_joints.frequency = 2 * k_pi * k_fastest_joint * settings.substeps / problem.h;
  draw_in_joints.damping_ratio = k_joint_damping_ratio;
  const SweptSoftness swept = softness_of(draw_in_joints);
  problem.bonds.contacts = problem.contacts;
  problem.bonds.patches = &problem.patches;
  problem.bonds.gravity = length(problem.forces.gravity);
  problem.bonds.resting_speed = settings.resting_speed;
  problem.bonds.push_speed = settings.push_speed;
  problem.bonds.precision = settings.precision;
  const ContactTimes<D> times{problem.start,      problem.states,      h,
                              k_contact_rate / h, settings.push_speed, problem.touch};
  bonds_.begin_step(problem.bonds, problem.masses, problem.states, h, problem.h);
  bonds_.prepare(problem.states, problem.masses, problem.t + h, h, joint_rate, swept, false);
  Ledger<D>* const ledger = problem.ledger;
  Ledger<D>* const works = ledger && ledger->keeps_works() ? ledger : nullptr;
  if (ledger)
    ledger->begin(team, problem.forces, problem.rows, problem.states, problem.contacts, problem.patches, h);
  begin_rebounds(problem, settings.resting_speed);
  const bool is_watched = works || !rebounds_.contacts().empty();  // between passes over bodies
  MovingBody<D, Real>* const moving = moving_.data();
  for (int substep = 0; substep < problem.substeps; ++substep) {
    const double t = problem.t + substep * h;
    const bool judged = works || (ledger && substep + 1 == problem.substeps);
    if (works) works->before_kick(t);
    begin(problem, t, substep == 0);
    if (works) works->after_kick(flying_);
    if (judged) ledger->note_free_speed();
    rebounds_.before(problem.states, true);
    bonds_.warm_start(moving);
    for_colors(team, [&](Group* groups, std::size_t count) {
      kernels_.warm_start(groups, count, moving, inert_.data(), substep > 0);
    });
    bonds_.temper(moving, std::span<const ContactPlace<D, Real>>(places_));
    for_colors(team, [&](Group* groups, std::size_t count) {
      kernels_.solve(groups, count, moving, inert_.data(), draw_in);
    });
    bonds_.sweep(moving, true);
    bonds_.solve(moving, true, true, std::span<const ContactPlace<D, Real>>(places_), times);
    bonds_.add_up(false);
    if (is_watched) take_velocities(problem);
    follow_rebounds(problem);
    if (works) works->after_drawing_in(read_impulses(problem), bonds_);

    move(problem, h);
    if (works) works->after_motion(bonds_);
    for (const std::uint32_t row : flying_) fall(problem, row, 0.5 * h);
    if (works) works->after_late_kick(flying_);
    prepare_turned(problem);
    bonds_.prepare(problem.states, problem.masses, t + 2 * h, h, joint_rate, swept, true);
    if (works) works->before_relaxing(bonds_);
    rebounds_.before(problem.states, false);
    for (int sweep = 0; sweep < settings.relaxing_sweeps; ++sweep) {
      for_colors(team, [&](Group* groups, std::size_t count) {
        kernels_.solve(groups, count, moving, inert_.data(), sweep == 0 ? relax_first : relax);
      });
      bonds_.sweep(moving, false);
      bonds_.solve(moving, false, sweep + 1 == settings.relaxing_sweeps,
                   std::span<const ContactPlace<D, Real>>(places_), times);
    }
    bonds_.add_up(true);
    if (is_watched || substep + 1 == problem.substeps) take_velocities(problem);
    follow_rebounds(problem);
    if (judged) ledger->judge(read_impulses(problem), bonds_);
    if (works) works->after_relaxing(patch_impulses_, bonds_);
  }
  for_groups(team, {0, groups_.size()},
             [&](Group* groups, std::size_t count) { kernels_.add_up(groups, count); });
  if (!rebounds_.contacts().empty()) bounce(problem, relax);
  if (works) works->after_bounce(read_impulses(problem));
  if (ledger) ledger->end();
  bonds_.hand_back(problem.h, h);
}

// Masses belong to the rotation for which they were found. Where a body has turned far since the step began, a sweep with the
// old ones overshoots, and spinning rods gain energy without bound. (A rod whose inertias differ by a factor q moves up to
// 1 + qθ² times as far as its masses tell, and twice as far is too far: at the bound, that is q = 100.)
template <class D, class Real>
void SoftStepLanes<D, Real>::prepare_turned(const StepProblem<D>& problem) {
  if (groups_.empty() || !some_turned_far_) return;
  for_groups(problem.team, {0, groups_.size()}, [&](Group* groups, std::size_t count) {
    for (Group& group : std::span(groups, count)) {
      bool turned[k_width], some = false;
      for (int lane = 0; lane < k_width; ++lane)
        some |= turned[lane] = turned_far_[group.a[lane]] || turned_far_[group.b[lane]];
      if (!some) continue;
      Group fresh = group;
      kernels_.prepare(&fresh, 1, inert_.data());
      for (int lane = 0; lane < k_width; ++lane)  // the others have nothing to do with it
        if (turned[lane]) take_masses(fresh, lane, group);
    }
  });
}

template <class D, class Real>
void SoftStepLanes<D, Real>::copy_kinematic() {
  for (const Copy& copy : copies_) moving_[copy.record] = moving_[copy.row];
}

// ------------------------------------------------------------------------------------------- passes over bodies

template <class D, class Real>
void SoftStepLanes<D, Real>::sort_rows(const StepProblem<D>& problem) {
  free_rows_.clear();
  other_rows_.clear();
  for (const std::uint32_t row : problem.rows)
    (is_free(problem.masses[row]) ? free_rows_ : other_rows_).push_back(row);
}

template <class D, class Real>
MotionPass<D, Real> SoftStepLanes<D, Real>::pass_over(StepProblem<D>& problem, double h) {
  return {.states = problem.states.data(),
          .masses = problem.masses.data(),
          .start = problem.contacts.empty() ? nullptr : problem.start.data(),
          .kicks = kicks_.data(),
          .corrections = h > 0 && bonds_.corrects() ? bonds_.correction(0).data() : nullptr,
          .moving = moving_.data(),
          .inert = inert_.data(),
          .turned_far = turned_far_.data(),
          .h = h,
          .takes = !taken_};
}

template <class D, class Real>
void SoftStepLanes<D, Real>::take_velocities(StepProblem<D>& problem) {
  if (std::exchange(taken_, true)) return;
  const MotionPass<D, Real> pass = pass_over(problem, 0);
  for_rows(problem.team, problem.rows,
           [&](std::span<const std::uint32_t> rows) { motion_.take(pass, rows.data(), rows.size()); });
}

template <class D, class Real>
void SoftStepLanes<D, Real>::begin(StepProblem<D>& problem, double t, bool first) {
  const bool springs = !problem.forces.springs.empty();  // all other forces stay the same
  if (springs) take_velocities(problem);
  if (first || springs) find_kicks(problem, t);
  const MotionPass<D, Real> pass = pass_over(problem, 0);
  for_rows(problem.team, problem.rows,
           [&](std::span<const std::uint32_t> rows) { motion_.kick(pass, rows.data(), rows.size()); });
  taken_ = false;
  for_rows(problem.team, kicked_alone_, [&](std::span<const std::uint32_t> rows) {
    for (const std::uint32_t row : rows) {
      kick(problem.states[row], problem.masses[row], wrenches_[row], h_);
      load_velocity(problem.states[row], row);
    }
  });
  flying_.clear();
  for (const std::uint32_t row : problem.rows)
    if (bonds_.flies(row)) flying_.push_back(row);
  for (const std::uint32_t row : flying_) fall(problem, row, -0.5 * h_);
  copy_kinematic();
}

template <class D, class Real>
void SoftStepLanes<D, Real>::find_kicks(const StepProblem<D>& problem, double t) {
  wrenches_.assign(problem.states.size(), {});
  problem.forces.add_wrenches(problem.states, t, wrenches_);
  kicks_.resize(problem.states.size());
  kicked_alone_.clear();
  for (const std::uint32_t row : problem.rows) {
    const BodyMass<D>& mass = problem.masses[row];
    const bool alone = is_damped(mass) || !(wrenches_[row].torque == typename D::Ang{});
    if (alone) kicked_alone_.push_back(row);
    kicks_[row] = alone ? -typename D::Vec{}  // −0 changes nothing, not even −0
                        : h_ * scaled(mass.inverse_mass, wrenches_[row].force);
  }
}

// For a time h, or where they are; and hands them to the lanes.
template <class D, class Real>
void SoftStepLanes<D, Real>::move(StepProblem<D>& problem, double h) {
  const MotionPass<D, Real> pass = pass_over(problem, h);
  std::atomic<bool> some = false;
  const auto finish = [&](std::uint32_t row) {
    BodyState<D>& state = problem.states[row];
    if (h > 0) drift(state, problem.masses[row], h);
    if (pass.corrections) correct(state, row, -1);
    load_velocity(state, row);
    if (pass.start && load_turned(problem, row)) some.store(true, std::memory_order_relaxed);
  };
  for_rows(problem.team, free_rows_, [&](std::span<const std::uint32_t> rows) {
    std::uint32_t left[k_rows_a_block];
    const Moved moved = motion_.move(pass, rows.data(), rows.size(), left);
    if (moved.turned_far) some.store(true, std::memory_order_relaxed);
    for (const std::uint32_t row : std::span(left, moved.left)) finish(row);
  });
  for_rows(problem.team, other_rows_, [&](std::span<const std::uint32_t> rows) {
    if (pass.takes) motion_.take(pass, rows.data(), rows.size());
    for (const std::uint32_t row : rows) {
      if (pass.corrections) correct(problem.states[row], row, 1);
      finish(row);
    }
  });
  some_turned_far_ = some_turned_far_ || some;
  taken_ = h == 0;
  copy_kinematic();
}

template <class D, class Real>
void SoftStepLanes<D, Real>::correct(BodyState<D>& state, std::uint32_t row, double sign) const {
  const Twist<D> v = twist_of(bonds_.correction(row));
  state.velocity += sign * v.linear;
  state.angular_velocity += sign * v.angular;
}

template <class D, class Real>
void SoftStepLanes<D, Real>::load_velocity(const BodyState<D>& state, std::uint32_t row) {
  const auto v = column(state.velocity, state.angular_velocity);
  for (int i = 0; i < D::k_dof; ++i) moving_[row].velocity[i] = Real(v[i]);
}

// How far the body is from where the step began, and its inertia at its present rotation. True if it has turned far.
template <class D, class Real>
bool SoftStepLanes<D, Real>::load_turned(const StepProblem<D>& problem, std::uint32_t row) {
  const BodyState<D>&s = problem.start[row], &n = problem.states[row];
  MovingBody<D, Real>& moving = moving_[row];
  store(moving.moved, n.position - s.position);
  store_turn(moving.turned, n.rotation * inverse(s.rotation));
  store_turned(inert_[row], problem.masses[row], n.rotation);
  double sine = 0;  // of half the angle, in space
  for (int i = 1; i < D::k_angular + 1; ++i) sine += double(moving.turned[i]) * double(moving.turned[i]);
  if (!(sine > k_turned_far * k_turned_far)) return false;
  turned_far_[row] = 1;
  return true;
}

// Bodies that fly get half of their weight before they move and half after: parabolas are exact, and what swings keeps its
// energy to second order. Where impulses are swept, they must start from about what they will be, and the whole weight comes first.
template <class D, class Real>
void SoftStepLanes<D, Real>::fall(StepProblem<D>& problem, std::uint32_t row, double time) {
  const BodyMass<D>& mass = problem.masses[row];
  problem.states[row].velocity +=
      time * scaled(mass.inverse_mass, (mass.mass * mass.gravity_scale) * problem.forces.gravity);
  load_velocity(problem.states[row], row);
}

// ------------------------------------------------------------------------------------------------- packing

template <class D, class Real>
void SoftStepLanes<D, Real>::pack(const StepProblem<D>& problem, double h, SolveReport& report) {
  coloring_.reset(std::uint32_t(problem.states.size()));
  colors_.fill({});
  color_of_.resize(problem.contacts.size());
  places_.resize(problem.contacts.size());
  const auto moves = [&](std::uint32_t row) { return problem.masses[row].motion == Motion::dynamic; };
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const PatchRef& patch = problem.contacts[i];
    const int color = coloring_.color(patch.a, moves(patch.a), patch.b, moves(patch.b));
    color_of_[i] = std::uint8_t(color);
    ++colors_[color].count;
  }

  // Within a color their order is free: those with many points come first, so that lanes have as many as their neighbours.
  // Contacts of the last color may share bodies: each is alone in its group, in the order given.
  std::array<std::array<std::size_t, Group::k_most_points + 1>, Coloring::k_overflow + 1> next{};
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) ++next[color_of_[i]][problem.contacts[i].points];
  std::size_t total = 0;
  int colors = 0;
  for (int c = 0; c <= Coloring::k_overflow; ++c) {
    Color& color = colors_[c];
    colors += color.count > 0;
    color.first = total;
    std::size_t place = 0;
    for (int points = Group::k_most_points; points >= 0; --points)
      place += std::exchange(next[c][points], place);
    if (c < Coloring::k_overflow) color.count = (color.count + k_width - 1) / k_width;
    total += color.count;
  }
  report.colors = std::max(report.colors, colors);
  if (total > groups_.capacity()) {  // never room for old ones and new ones at once
    groups_ = {};
    groups_.reserve(total + total / 4);
  }
  groups_.resize(total);
  contact_of_.assign(total * k_width, k_nobody);
  std::size_t last = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const int c = color_of_[i];
    const bool alone = c == Coloring::k_overflow;
    const std::size_t place = alone ? last++ : next[c][problem.contacts[i].points]++;
    const std::size_t group = colors_[c].first + (alone ? place : place / k_width);
    const int lane = alone ? 0 : int(place % k_width);
    places_[i] = {&groups_[group], lane};
    contact_of_[group * k_width + std::size_t(lane)] = std::uint32_t(i);
  }
  find_records(problem);
  for_groups(problem.team, {0, total}, [&](Group* groups, std::size_t count) {
    for (Group* group = groups; group != groups + count; ++group) {
      if (group + 1 != groups + count) problem.patches.prefetch(problem.contacts, contacts_of(group[1]));
      fill(*group, problem, h);
    }
  });
}

template <class D, class Real>
void SoftStepLanes<D, Real>::find_records(const StepProblem<D>& problem) {
  const std::size_t bodies = problem.states.size(), groups = groups_.size();
  record_a_.resize(problem.contacts.size());
  record_b_.resize(problem.contacts.size());
  const auto record_of = [&](std::uint32_t row, std::size_t contact) {
    const Motion motion = problem.masses[row].motion;
    if (motion == Motion::dynamic) return row;
    if (motion == Motion::fixed) return std::uint32_t(bodies + (places_[contact].group - groups_.data()));
    copies_.push_back({row, std::uint32_t(bodies + groups + copies_.size())});
    return copies_.back().record;
  };
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    record_a_[i] = record_of(problem.contacts[i].a, i);
    record_b_[i] = record_of(problem.contacts[i].b, i);
  }
  moving_.resize(bodies + groups + copies_.size());
  inert_.resize(moving_.size());
  turned_far_.resize(moving_.size());
  copy_kinematic();
}

template <class D, class Real>
void SoftStepLanes<D, Real>::fill(Group& group, const StepProblem<D>& problem, double h) {
  const std::span<const std::uint32_t> contacts = contacts_of(group);
  const std::uint32_t rests = std::uint32_t(problem.states.size() + (&group - groups_.data()));
  PatchView<D> views[k_width];
  problem.patches.view(problem.contacts, contacts, views);
  if (contacts.back() == k_nobody)
    group = {};
  else
    clear_sums(group);  // the rest is put into every lane
  for (int lane = 0; lane < k_width; ++lane) {
    const std::uint32_t i = contacts[std::size_t(lane)];
    if (i == k_nobody) {
      group.a[lane] = group.b[lane] = rests;
      continue;
    }
    const PatchRef& patch = problem.contacts[i];
    const PatchSurface<D>& surface = views[lane].surface;
    group.a[lane] = record_a_[i];
    group.b[lane] = record_b_[i];
    group.lanes = lane + 1;
    group.count = std::max(group.count, int(patch.points));
    group.resists = group.resists || surface.rolling > 0 || surface.spinning > 0;
    group.bounces = group.bounces || surface.restitution > 0;
    group.conveys = group.conveys || patch.conveys;
  }
  const PairPatch<D> none = nothing<D>();
  for (int lane = group.lanes; lane % k_most_patches_at_once != 0; ++lane) views[lane] = {.patch = &none};
  patch_kernels_.fill(group, views, problem.patches.states(), h);
}

// Of this substep, in doubles.
template <class D, class Real>
PatchImpulse<D> SoftStepLanes<D, Real>::impulse_of(const StepProblem<D>& problem, std::size_t contact) const {
  const Group& group = *places_[contact].group;
  const int lane = places_[contact].lane;
  PatchImpulse<D> impulse;
  for (int k = 0; k < problem.contacts[contact].points; ++k)
    impulse.normal[k] = group.points[k].normal_impulse[lane];
  impulse.friction =
      tangential(group.tangent_impulse, lane, vector(group.normal, lane), vector(group.tangent, lane));
  impulse.twist = group.twist_impulse[lane];
  impulse.turning = group.resists ? vector(group.turning_impulse, lane) : typename D::Ang{};
  return impulse;
}

template <class D, class Real>
std::span<const PatchImpulse<D>> SoftStepLanes<D, Real>::read_impulses(const StepProblem<D>& problem) {
  patch_impulses_.resize(problem.contacts.size());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) patch_impulses_[i] = impulse_of(problem, i);
  return patch_impulses_;
}

template <class D, class Real>
void SoftStepLanes<D, Real>::begin_rebounds(const StepProblem<D>& problem, double resting_speed) {
  bouncy_.clear();
  for (const Group& group : groups_)
    for (int lane = 0; group.bounces && lane < group.lanes; ++lane)
      if (group.restitution[lane] > 0) bouncy_.push_back(contacts_of(group)[std::size_t(lane)]);
  std::sort(bouncy_.begin(), bouncy_.end());  // no ties
  rebounds_.begin(bouncy_, problem.contacts, problem.patches, resting_speed);
}

template <class D, class Real>
void SoftStepLanes<D, Real>::follow_rebounds(const StepProblem<D>& problem) {
  for (std::size_t k = 0; k < rebounds_.contacts().size(); ++k)
    rebounds_.after(k, impulse_of(problem, rebounds_.contacts()[k]), problem.states);
}

template <class D, class Real>
void SoftStepLanes<D, Real>::bounce(StepProblem<D>& problem, const SweepSettings& settings) {
  for (std::size_t k = 0; k < rebounds_.contacts().size(); ++k) {
    const ContactPlace<D, Real>& place = places_[rebounds_.contacts()[k]];
    place.group->taken[place.lane] = Real(rebounds_.taken(k));
  }
  before_bouncing_ = moving_;
  for (int sweep = 0; sweep < k_bounce_sweeps; ++sweep)
    for_colors(problem.team, [&](Group* groups, std::size_t count) {
      kernels_.bounce(groups, count, moving_.data(), inert_.data(), settings);
    });
  for (const std::uint32_t row : problem.rows) {
    std::array<double, D::k_dof> change;
    for (int i = 0; i < D::k_dof; ++i)
      change[i] = double(moving_[row].velocity[i]) - double(before_bouncing_[row].velocity[i]);
    problem.states[row].velocity += twist_of(change).linear;
    problem.states[row].angular_velocity += twist_of(change).angular;
  }
}

template class SoftStepLanes<Dim2, float>;
template class SoftStepLanes<Dim2, double>;
template class SoftStepLanes<Dim3, float>;
template class SoftStepLanes<Dim3, double>;

}  // namespace cairn
