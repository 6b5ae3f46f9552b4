// The joints in a substep: rows from constraints/joints.h, some solved at once, some swept.
//
// Joints that hang together are an articulation: a chain, a ragdoll, a machine. Its rows that hold are solved together
// and exactly, in body space,
//
//    (M + Jᵀ Γ⁻¹ J) Δv = −Jᵀ Γ⁻¹ (J v + b + Γ_soft λ),      Δλ = −Γ⁻¹ (J v + b + Γ_soft λ + J Δv)
//
// leaves first, so that a tree costs as much as a sweep and any ratio of masses is as good as another. For rigid rows Γ is a
// millionth of their K = J M⁻¹ Jᵀ, and acts on the change Δλ only: each solve divides the error by a million.
// (Baraff 1996 eliminates in the same order; body space does not mind redundant rows.) Where loops would make this
// dear, as in a net, the rows are swept instead.
//
// Without loops, that is what limbs.h does in lanes. With loops, the blocks are factorised one articulation after another.
//
// Limits, drives and friction have bounds: these rows are swept, one after another; where nothing but limits of angles acts on a
// joint of a tree, they are stops.h. Of the joints that are swept as a whole, those that only keep two points together go in
// lanes (pins.h).
//
// Contacts join in where an island with them is cheap to factorise: towers, arches, a heavy thing on light ones, a
// machine on the ground. Then those of its normals that press and its patches that stick are rows like the others;
// what turns out to pull or to slip is let go, and the rest solved again (direct_contacts.cpp).
#pragma once

#include <span>
#include <vector>

#include "graph/islands.h"
#include "solvers/block_cholesky.h"
#include "solvers/soft_step/bond_problem.h"
#include "solvers/soft_step/column.h"
#include "solvers/soft_step/lanes.h"
#include "solvers/soft_step/limbs.h"
#include "solvers/soft_step/pins.h"
#include "solvers/soft_step/stops.h"

namespace cairn {

// How rows that are swept give way while errors are drawn in: b = rate·C, and λ ← (1 − leak) λ − give·m(J v + b).
struct SweptSoftness {
  double rate = 0, give = 1, leak = 0;
};

// Where a contact is in the lanes.
template <class D, class Real>
struct ContactPlace {
  ContactGroup<D, Real>* group = nullptr;
  int lane = 0;
};
// Of a substep, for the contacts that are solved directly.
template <class D>
struct ContactTimes {
  std::span<const BodyState<D>> start;  // when the step began
  std::span<const BodyState<D>> now;
  double h = 0;           // [s]
  double rate = 0;        // [1/s] at which overlap goes away
  double push_speed = 0;  // [m/s] but never faster than this
  double touch = 0;       // [m] further apart, they only come near
};

template <class D>
class Bonds {
 public:
  explicit Bonds(InstructionSet set)
      : single_limbs_(set), double_limbs_(set), single_pins_(set), double_pins_(set) {}

  // Once a step, with substeps of h: which joints hang together.
  void begin_step(const BondProblem<D>& problem, std::span<const BodyMass<D>> masses,
                  std::span<const BodyState<D>> states, double h, double step);
  // Once a substep, with the bodies where they are: the rows, and the factors of the articulations. If the substep
  // `goes_on`, what is added up later counts only what is beyond the impulses so far.
  void prepare(std::span<const BodyState<D>> states, std::span<const BodyMass<D>> masses, double t, double h,
               double rate, const SweptSoftness& swept, bool goes_on);
  template <class Real>
  void warm_start(MovingBody<D, Real>* moving);
  // When contacts have been warm-started too.
  template <class Real>
  void temper(MovingBody<D, Real>* moving, std::span<const ContactPlace<D, Real>> places);
  // Rows with bounds, one after another; and all rows of articulations that are too dear to factorise.
  template <class Real>
  void sweep(MovingBody<D, Real>* moving, bool draws_in);
  // The rows that hold, and the contacts that are solved with them. Of the relaxing sweeps, is it the `last`?
  template <class Real>
  void solve(MovingBody<D, Real>* moving, bool draws_in, bool last,
             std::span<const ContactPlace<D, Real>> places, const ContactTimes<D>& times);
  // When impulses have been applied, before the bodies move and when that has been relaxed.
  void add_up(bool relaxed);
  // At the end of a step of this length: efforts and reactions. Those of pins stay where they are until the step stands.
  void hand_back(double step, double substep);
  // When it does: what was found, to the memory of all joints; and whether they were swept, once more for whoever asks for no more.
  void remember(std::span<JointMemory<D>> memory, std::span<std::uint8_t> swept) const noexcept;

  // By body: the velocity that draws errors in, linear and angular, for the way of the substep only; where contacts are solved
  // with the joints, and in taut articulations.
  const std::array<double, D::k_dof>& correction(std::uint32_t row) const { return corrections_[row]; }
  bool corrects() const { return corrects_; }  // any of them?
  // Does it move in this substep with nothing that is swept, neither contacts nor bounds, and is it not taut? Then what is
  // solved is solved exactly, whatever it starts from.
  bool flies(std::uint32_t row) const { return flies_[row]; }
  // For the accounts: what an angular impulse of a joint does is that of another one, where the body's inertia is still the one of
  // the step's start. Which?
  typename D::Ang felt(std::uint32_t row, const typename D::Ang& angular) const {
    if (!single_limbs_.keeps_mass(row) && !double_limbs_.keeps_mass(row)) return angular;
    BodyState<D> turning = states_[row];
    turning.angular_velocity = inverse_inertias_[row] * angular;
    return angular_momentum(masses_[row], turning);
  }
  // For the accounts: f(body a, body b, row), with the rows as they stand, always in the same order within a substep.
  template <class F>
  void for_each_row(F&& f) const {
    for (const Row& row : rows_) f(problem_.rows_a[row.joint], problem_.rows_b[row.joint], row);
    for (const Stop<D>& stop : stops_.now()) f(stop.a, stop.b, row_of(stop));
    for_limbs([&](const auto& limbs) { limbs.for_each_row(f); });
    for_pins([&](const auto& pins) { pins.for_each_row(f); });
  }

 private:
  static constexpr int N = D::k_dof;
  using Column = std::array<double, N>;  // linear, then angular

  struct Row {
    Column j_a{}, j_b{};           // of J
    Column v_a{}, v_b{};           // M⁻¹ Jᵀ: what a unit impulse does to the velocities
    double draw_in = 0, hold = 0;  // b, with and without drawing in errors of position
    double softness = 0;           // Γ_soft
    double gamma = 0;              // Γ
    double mass = 0;               // 1/(K + Γ_soft)
    double lo = 0, hi = 0;         // [N·s] bounds of the impulse
    double give = 1, leak = 0;     // if it is swept
    double impulse = 0;
    double error = 0;  // scratch: J v + b + Γ_soft λ
    std::uint32_t joint = 0;
    std::uint8_t slot = 0;
    bool direct = false;
  };
  struct Articulation {
    std::uint32_t first_joint = 0, joint_count = 0;  // in order_; but for pins
    std::uint32_t first_node = 0, node_count = 0;    // in bodies_
    std::uint32_t first_block = 0, block_count = 0;  // in block_order_
    bool is_tree = false;                            // then its rows that hold are those of limbs
    bool single = false;                             // of single_limbs_, or of double_limbs_?
    std::uint32_t tree = 0;                          // of them
    std::uint32_t first_stop = 0, stop_count = 0;    // in stops_
    bool keeps_rows = false;       // from substep to substep: it is still, and has but rigid limits
    bool taut = false;             // do its loads make a body sway faster than substeps can follow?
    int factor = -1;               // in analyses_; none: swept
    std::uint32_t first_free = 0;  // in free_velocities_
    double energy = 0;             // [J] kinetic, before the impulses of this substep
  };
  // A row of a contact.
  struct ContactRow {
    Column j_a{}, j_b{}, v_a{}, v_b{};
    double hold = 0, bias = 0, gamma = 0, error = 0, impulse = 0;
    std::uint32_t a = 0, b = 0, block = 0;
    BlockSlot slot{};
    int point = 0;  // or −1, −2: tangents; −3: twist
    bool active = true;
    bool let_go = false;  // in this solve
  };
  // A joint or a contact of an island.
  struct Link {
    std::uint32_t root, index;
    bool joint;
  };
  using Links = std::vector<Link>;
  // What was found about a system with these edges. As a rule, the next step has the same.
  struct Analysis {
    int nodes = -1;  // −1: none
    std::int64_t most_products = 0;
    std::vector<std::pair<int, int>> edges;
    bool complete = false;  // is it cheap enough to be factorised?
    BlockCholesky<N> factor;
  };
  // Hard: in a substep it goes further than the arms are long that it turns.
  enum class Blow : std::uint8_t { none, light, hard };

  static void set_row(Row& row, const JointRow<D>& from, std::uint32_t joint, double h, double rate);
  static typename Limbs<D>::Row row_of(const Stop<D>& stop);
  bool keep_rows(Articulation& articulation, double h, double rate);
  Column yield(std::uint32_t row, const typename D::Vec& linear, const typename D::Ang& angular) const;
  void count(const Row& row, double sign);
  void note(const Row& row);
  void count(const Stop<D>& stop, double sign);
  void note(const Stop<D>& stop);
  bool is_taut(std::span<const Link> links, const Articulation& articulation,
               std::span<const BodyMass<D>> masses) const;
  Blow blow_of(const ContactBlock<D>& block) const;
  void find_articulations();
  void start_efforts();
  bool add_limbs(std::span<const Link> links, Articulation& articulation, double mass_ratio);
  bool is_still(const Articulation& tree) const {
    return tree.single ? single_limbs_.is_still(tree.tree) : double_limbs_.is_still(tree.tree);
  }
  bool add_stops(Articulation& articulation, std::uint32_t joint, double h, double rate, bool goes_on);
  template <class Set>
  bool add_stops_of(const Set& limbs, Articulation& articulation, std::uint32_t joint, double h, double rate,
                    bool goes_on);
  void add_articulations(std::span<const BodyMass<D>> masses, bool with_contacts);  // of links_
  bool pin(std::uint32_t joint);
  int analyse(std::uint32_t nodes, std::int64_t most_products);  // edges_; in analyses_
  BlockCholesky<N>& factor_of(const Articulation& articulation) {
    return analyses_[std::size_t(articulation.factor)].factor;
  }
  void assemble(const Articulation& articulation);
  void add_row(BlockCholesky<N>& factor, const Column& j_a, const Column& j_b, double gamma, std::uint32_t a,
               std::uint32_t b, BlockSlot slot);
  template <class Real>
  void draw_in(const Articulation& articulation, MovingBody<D, Real>* moving, const ContactTimes<D>& times);
  template <class Real>
  double turning(const Row& row, const MovingBody<D, Real>* moving, double h) const;
  bool factorise(const Articulation& articulation);
  void give_up(Articulation& articulation);
  template <class Real>
  void solve_once(const Articulation& articulation, MovingBody<D, Real>* moving);
  template <class Real>
  void add_contact(const Articulation& articulation, std::uint32_t k, const ContactPlace<D, Real>& place,
                   const ContactTimes<D>& times, const MovingBody<D, Real>* moving, double slow);
  template <class Real>
  bool settles(MovingBody<D, Real>* moving, std::span<const ContactPlace<D, Real>> places, double slow);
  template <class Real>
  bool gains_energy(const Articulation& articulation, const MovingBody<D, Real>* moving) const;
  template <class Real>
  bool is_driven(const Articulation& articulation, const MovingBody<D, Real>* moving) const;
  template <class Real>
  double kinetic(const Articulation& articulation, const MovingBody<D, Real>* moving) const;
  template <class Real>
  void put_in_lanes(std::span<const ContactPlace<D, Real>> places) const;
  template <class Real>
  void save(const Articulation& articulation, const MovingBody<D, Real>* moving);
  template <class Real>
  void restore(const Articulation& articulation, MovingBody<D, Real>* moving);
  template <class Real>
  static void set_velocity(MovingBody<D, Real>& body, const double* v);
  template <class Real>
  static double speed(const MovingBody<D, Real>* moving, const Column& j_a, const Column& j_b,
                      std::uint32_t a, std::uint32_t b);
  double change_of_speed(const Column& j_a, const Column& j_b, std::uint32_t a, std::uint32_t b) const;
  void add_push(const Column& j_a, const Column& j_b, std::uint32_t a, std::uint32_t b, double push);
  template <class Real>
  static Column velocity(const MovingBody<D, Real>& body);
  template <class Real>
  static void add(MovingBody<D, Real>& body, const Column& change, double factor);

  template <class F>
  void for_limbs(F&& f) const {
    f(single_limbs_), f(double_limbs_);
  }
  template <class F>
  void for_limbs(F&& f) {
    f(single_limbs_), f(double_limbs_);
  }
  // Both, of which one is empty.
  template <class F>
  void for_pins(F&& f) const {
    f(single_pins_), f(double_pins_);
  }
  template <class F>
  void for_pins(F&& f) {
    f(single_pins_), f(double_pins_);
  }
  Pins<D, float>& pins_of(const MovingBody<D, float>*) { return single_pins_; }
  Pins<D, double>& pins_of(const MovingBody<D, double>*) { return double_pins_; }

  BondProblem<D> problem_;
  BondRevision revision_;             // for which articulated_ and pinnable_ were found
  double h_ = 0, step_ = 0;           // [s] of a substep and of the step
  Islands islands_, articulated_;     // by contacts and joints, by joints alone
  std::vector<std::uint32_t> sizes_;  // of islands_, by root
  std::vector<Blow> blows_;           // likewise: the hardest; of those that are not too large
  std::vector<std::uint8_t> untouched_,
      flies_;                       // by body: is no contact in its island? And is nothing swept?
  std::vector<std::uint8_t> done_;  // by joint: is it in an articulation?
  std::vector<std::uint8_t>
      pushes_;   // by joint: has a row of rows_ or a stop that is its own an impulse, or had it one?
  Links links_;  // scratch
  std::vector<std::pair<int, int>> edges_;  // scratch
  std::size_t analysis_count_ = 0;          // of this step
  std::span<const BodyState<D>> states_;    // of this substep
  std::span<const BodyMass<D>> masses_;
  std::vector<Articulation> articulations_;
  Stops<D> stops_;
  Limbs<D, float> single_limbs_;
  Limbs<D, double> double_limbs_;
  Pins<D, float> single_pins_;
  Pins<D, double> double_pins_;
  enum class Pinnable : std::uint8_t { unknown, no, yes };
  std::vector<Pinnable> pinnable_;        // by joint: could it be one of them?
  SweptSoftness swept_{};                 // of this substep
  std::vector<TreeLimb> tree_;            // scratch: by node
  std::vector<std::uint32_t> from_root_;  // scratch: nodes
  struct NodeLink {
    std::uint32_t other, joint;
  };
  std::vector<std::uint32_t> first_link_;  // scratch: by node, in node_links_
  std::vector<NodeLink> node_links_;
  bool corrects_ = false;  // is there an articulation that is solved?
  // Did nothing but joints hang together in the last step, and all in nets that are swept? If joints and bodies are the same and
  // nothing touches, then so does it in this one: what is solved asks for states and loads, too.
  bool only_swept_ = false;
  std::vector<std::uint32_t> order_;   // joints, articulation by articulation; but for pins
  std::vector<std::uint32_t> bodies_;  // dynamic bodies, likewise
  std::vector<std::uint32_t>
      node_of_;                   // by body: its place in its articulation; k_nobody if it does not move
  std::vector<BlockSlot> slots_;  // by joint, if both bodies move
  std::vector<std::uint32_t> block_order_;  // contacts that are solved directly, articulation by articulation
  std::vector<ContactBlock<D>> blocks_;     // of block_order_
  std::vector<BlockSlot> block_slots_;      // likewise
  std::vector<ContactRow> contact_rows_;    // scratch
  std::vector<Analysis> analyses_;
  std::vector<Row> rows_;                                    // of this substep
  std::vector<std::uint32_t> first_row_;                     // of them, by place in order_, and one more
  std::vector<std::array<double, k_joint_slots>> impulses_;  // by joint and slot
  std::vector<Wrench<D>> totals_;  // by joint: impulse on b at its centre of mass, of all substeps
  std::vector<typename D::Vec> arms_a_, arms_b_;  // by joint, where they have been needed
  std::vector<Column> corrections_;
  std::vector<Column>
      free_velocities_;  // of articulations with contacts, before the impulses of this substep
  std::vector<typename D::Inertia> inverse_inertias_;  // by body, of this substep; 0 if it does not move
  std::vector<double> saved_;                          // scratch: velocities and impulses
  std::vector<double> x_;                              // scratch: right-hand side and change of velocity
};

template <class D>
template <class Real>
typename Bonds<D>::Column Bonds<D>::velocity(const MovingBody<D, Real>& body) {
  Column v;
  for (int i = 0; i < N; ++i) v[i] = body.velocity[i];
  return v;
}
template <class D>
template <class Real>
void Bonds<D>::add(MovingBody<D, Real>& body, const Column& change, double factor) {
  for (int i = 0; i < N; ++i) body.velocity[i] += Real(factor * change[i]);
}
template <class D>
template <class Real>
void Bonds<D>::set_velocity(MovingBody<D, Real>& body, const double* v) {
  for (int i = 0; i < N; ++i) body.velocity[i] = Real(v[i]);
}

template <class D>
template <class Real>
double Bonds<D>::speed(const MovingBody<D, Real>* moving, const Column& j_a, const Column& j_b,
                       std::uint32_t a, std::uint32_t b) {
  return dot<N>(j_a, velocity(moving[a])) + dot<N>(j_b, velocity(moving[b]));
}

}  // namespace cairn
