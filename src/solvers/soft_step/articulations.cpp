// Which joints hang together, and what of it is solved at once: once a step.
#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "constraints/sway.h"
#include "solvers/soft_step/bonds.h"

namespace cairn {
namespace {

constexpr std::uint32_t k_most_bodies = 500;  // of an island that is solved with its contacts
constexpr double k_heavy = 10;                // ratio of masses from which on more is spent on that
constexpr double k_taut = 0.25;               // (ωh)² from which on swaying is not followed
constexpr double k_moderate = 30;             // ratio of masses up to which floats will do
constexpr std::uint32_t k_few_limbs = 64;     // likewise: of a tree

}  // namespace

// Islands first, with their contacts; those that are too dear, by their joints alone.
template <class D>
void Bonds<D>::begin_step(const BondProblem<D>& problem, std::span<const BodyMass<D>> masses,
                          std::span<const BodyState<D>> states, double h, double step) {
  const bool stays = std::exchange(only_swept_, false) && problem.contacts.empty() &&
                     problem.revision.is_same(revision_) && problem.precision == problem_.precision;
  problem_ = problem;
  h_ = h;
  step_ = step;
  states_ = states;
  masses_ = masses;
  if (!stays) find_articulations();
  start_efforts();
  if (!stays) for_limbs([&](auto& limbs) { limbs.pack(problem, h, step); });
  for_pins([&](auto& pins) { pins.pack(problem, masses, h); });
  only_swept_ = problem.contacts.empty() && !corrects_;
}

// Impulses of joints but for limbs and pins, which have their own.
template <class D>
void Bonds<D>::start_efforts() {
  pushes_.assign(problem_.joints.size(), 1);
  for (const std::uint32_t j : order_) {
    for (int s = 0; s < k_joint_slots; ++s) impulses_[j][s] = h_ * problem_.memory[j].effort[s];
    totals_[j] = {};
    arms_a_[j] = arms_b_[j] = {};
  }
}

template <class D>
void Bonds<D>::find_articulations() {
  const BondProblem<D>& problem = problem_;
  const std::span<const BodyMass<D>> masses = masses_;
  const std::uint32_t count = std::uint32_t(states_.size());
  const std::uint32_t joints = std::uint32_t(problem.joints.size());
  const std::uint32_t contacts = std::uint32_t(problem.contacts.size());
  const auto moves = [&](std::uint32_t row) { return masses[row].motion == Motion::dynamic; };

  impulses_.resize(joints);
  totals_.resize(joints);
  arms_a_.resize(joints);
  arms_b_.resize(joints);
  slots_.resize(joints);
  articulations_.clear();
  bodies_.clear();
  order_.clear();
  block_order_.clear();
  blocks_.clear();
  block_slots_.clear();
  analysis_count_ = 0;
  node_of_.assign(count, k_nobody);
  corrections_.assign(count, Column{});
  inverse_inertias_.assign(count, {});
  done_.assign(joints, 0);
  for_limbs([&](auto& limbs) { limbs.begin_step(count, joints); });
  stops_.begin_step();
  for_pins([](auto& pins) { pins.begin_step(); });
  if (!problem.revision.is_same(revision_)) {
    revision_ = {};  // until it is done, should memory run out
    pinnable_.assign(joints, Pinnable::unknown);
    articulated_.reset(count);
    for (const std::uint32_t j : problem.which)
      if (moves(problem.rows_a[j]) && moves(problem.rows_b[j]))
        articulated_.join(problem.rows_a[j], problem.rows_b[j]);
    revision_ = problem.revision;
  }

  // Small islands with contacts.
  links_.clear();
  islands_ = articulated_;
  for (const PatchRef& patch : problem.contacts)
    if (patch.a_moves && patch.b_moves) islands_.join(patch.a, patch.b);
  sizes_.assign(count, 0);
  untouched_.assign(count, 0);
  for (std::uint32_t row = 0; row < count; ++row)
    if (moves(row)) ++sizes_[islands_.root(row)], untouched_[islands_.root(row)] = 1;
  blows_.assign(count, Blow::none);
  bool some_small = false;  // with contacts
  for (const PatchRef& patch : problem.contacts) {
    const std::uint32_t root = islands_.root(patch.mover());
    untouched_[root] = 0;
    if (sizes_[root] > k_most_bodies) continue;
    blows_[root] = std::max(blows_[root], blow_of(problem.patches->block_of(patch)));
    some_small = true;
  }
  for (std::uint32_t row = 0; row < count; ++row)
    if (moves(row)) untouched_[row] = untouched_[islands_.root(row)];
  const auto root_of = [&](Islands& islands, std::uint32_t a, std::uint32_t b) {
    return islands.root(moves(a) ? a : b);
  };
  // Where something strikes it changes too fast which contacts hold, and tries would take most of the time. A hard blow turns
  // bodies further than sweeps can follow.
  const auto tries = [&](std::uint32_t root) {
    return sizes_[root] <= k_most_bodies && blows_[root] != Blow::light;
  };
  for (std::uint32_t i = 0; some_small && i < contacts; ++i) {
    const std::uint32_t root = islands_.root(problem.contacts[i].mover());
    if (sizes_[root] > 1 && tries(root)) links_.push_back({root, i, false});
  }
  for (const std::uint32_t j : problem.which) {
    const std::uint32_t root = root_of(islands_, problem.rows_a[j], problem.rows_b[j]);
    if (tries(root)) links_.push_back({root, j, true});
  }
  add_articulations(masses, true);

  // The joints that are left.
  links_.clear();
  for (const std::uint32_t j : problem.which)
    if (!done_[j]) links_.push_back({root_of(articulated_, problem.rows_a[j], problem.rows_b[j]), j, true});
  add_articulations(masses, false);
  corrects_ = std::any_of(articulations_.begin(), articulations_.end(),
                          [](const Articulation& x) { return x.is_tree || x.factor >= 0; });
  for (const Articulation& articulation : articulations_)  // what is swept flies in no substep
    for (std::uint32_t i = 0; !articulation.is_tree && articulation.factor < 0 && i < articulation.node_count;
         ++i)
      untouched_[bodies_[articulation.first_node + i]] = 0;
}

// How the two come down on each other in this step.
template <class D>
typename Bonds<D>::Blow Bonds<D>::blow_of(const ContactBlock<D>& block) const {
  Blow blow = Blow::none;
  for (int k = 0; k < block.count; ++k) {
    const typename ContactBlock<D>::Point& point = block.points[k];
    if (point.approach > -problem_.resting_speed || point.separation + step_ * point.approach > 0) continue;
    const double way = h_ * h_ * point.approach * point.approach;
    const auto turns = [&](std::uint32_t row, const typename D::Vec& arm) {
      return masses_[row].motion == Motion::dynamic && way > length_squared(arm);
    };
    blow =
        std::max(blow, turns(block.a, point.arm_a) || turns(block.b, point.arm_b) ? Blow::hard : Blow::light);
  }
  return blow;
}

// One for each root among the links. If that is too dear: with contacts none, without one that is swept.
template <class D>
void Bonds<D>::add_articulations(std::span<const BodyMass<D>> masses, bool with_contacts) {
  const auto comes_first = [](const Link& a, const Link& b) {  // no ties
    return std::tie(a.root, a.joint, a.index) < std::tie(b.root, b.joint, b.index);
  };
  if (!std::is_sorted(links_.begin(), links_.end(), comes_first))  // as they are in one large net
    std::sort(links_.begin(), links_.end(), comes_first);
  const std::span<const Link> links = links_;
  const auto moves = [&](std::uint32_t row) { return masses[row].motion == Motion::dynamic; };
  for (std::size_t first = 0, last; first < links.size(); first = last) {
    for (last = first; last < links.size() && links[last].root == links[first].root;) ++last;
    Articulation articulation{.first_joint = std::uint32_t(order_.size()),
                              .first_node = std::uint32_t(bodies_.size()),
                              .first_block = std::uint32_t(block_order_.size())};
    edges_.clear();
    double lightest = std::numeric_limits<double>::infinity(), heaviest = 0;
    bool has_contacts = false;
    const auto ends = [&](const Link& link) {
      return link.joint ? std::pair{problem_.rows_a[link.index], problem_.rows_b[link.index]}
                        : std::pair{problem_.contacts[link.index].a, problem_.contacts[link.index].b};
    };
    const auto node = [&](std::uint32_t row) {
      if (node_of_[row] == k_nobody) {
        node_of_[row] = articulation.node_count++;
        bodies_.push_back(row);
        lightest = smaller(lightest, masses[row].mass), heaviest = larger(heaviest, masses[row].mass);
      }
      return int(node_of_[row]);
    };
    for (std::size_t l = first; l < last; ++l) {
      const auto [a, b] = ends(links[l]);
      has_contacts = has_contacts || !links[l].joint;
      if (moves(a)) node(a);
      if (moves(b)) node(b);
      if (moves(a) && moves(b)) edges_.push_back({node(a), node(b)});
    }
    // What is swept need not know whether it is taut.
    const std::span<const Link> its_links = links.subspan(first, last - first);
    const bool may_be_tree = !has_contacts && edges_.size() + 1 == articulation.node_count;
    if (may_be_tree) articulation.taut = is_taut(its_links, articulation, masses);
    if (may_be_tree && add_limbs(its_links, articulation, heaviest / lightest)) {
      articulation.is_tree = true;
      for (std::size_t l = first; l < last; ++l) {
        order_.push_back(links[l].index);
        done_[links[l].index] = 1;
        ++articulation.joint_count;
      }
      articulations_.push_back(articulation);
      continue;
    }
    const std::int64_t a_node = heaviest > k_heavy * lightest ? 100 : with_contacts && has_contacts ? 6 : 12;
    const int analysis =
        analyse(articulation.node_count, a_node * std::int64_t(articulation.node_count) + 50);
    const bool complete = analyses_[std::size_t(analysis)].complete;
    if (!complete && with_contacts) {
      for (std::uint32_t i = 0; i < articulation.node_count; ++i)
        node_of_[bodies_[articulation.first_node + i]] = k_nobody;
      bodies_.resize(articulation.first_node);
      continue;
    }
    if (complete) {
      articulation.factor = analysis;
      articulation.taut = is_taut(its_links, articulation, masses);
    }
    int edge = 0;
    for (std::size_t l = first; l < last; ++l) {
      const auto [a, b] = ends(links[l]);
      const BlockSlot slot = moves(a) && moves(b) && complete
                                 ? factor_of(articulation).structure().slot_of_edge(edge++)
                                 : BlockSlot{};
      if (links[l].joint) {
        done_[links[l].index] = 1;
        if (!complete && pin(links[l].index)) continue;
        order_.push_back(links[l].index);
        slots_[links[l].index] = slot;
        ++articulation.joint_count;
      } else {
        block_order_.push_back(links[l].index);
        blocks_.push_back(problem_.patches->block_of(problem_.contacts[links[l].index]));
        block_slots_.push_back(slot);
        ++articulation.block_count;
      }
    }
    articulations_.push_back(articulation);
  }
}

// Of a joint that is swept: is it swept in lanes?
template <class D>
bool Bonds<D>::pin(std::uint32_t joint) {
  Pinnable& pinnable = pinnable_[joint];
  if (pinnable == Pinnable::unknown)
    pinnable = Pins<D, double>::takes(problem_.joints[joint], masses_[problem_.rows_a[joint]],
                                      masses_[problem_.rows_b[joint]])
                   ? Pinnable::yes
                   : Pinnable::no;
  if (pinnable == Pinnable::no) return false;
  if (problem_.precision == Precision::single_lanes)
    single_pins_.add(joint);
  else
    double_pins_.add(joint);
  return true;
}

// One after another, as in the step before: then there is nothing left to do.
template <class D>
int Bonds<D>::analyse(std::uint32_t nodes, std::int64_t most_products) {
  if (analysis_count_ == analyses_.size()) analyses_.emplace_back();
  Analysis& analysis = analyses_[analysis_count_];
  if (analysis.nodes != int(nodes) || analysis.most_products != most_products || analysis.edges != edges_) {
    analysis.nodes = -1;  // until it is complete, should memory run out
    BlockStructure structure = BlockStructure::analyse(int(nodes), edges_, most_products);
    analysis.complete = structure.complete();
    analysis.factor = analysis.complete ? BlockCholesky<N>(std::move(structure)) : BlockCholesky<N>();
    analysis.edges = edges_;
    analysis.most_products = most_products;
    analysis.nodes = int(nodes);
  }
  return int(analysis_count_++);
}

// Light links that carry a heavy thing sway faster than substeps can follow. The force is at least the weight of all that may
// hang there some time.
template <class D>
bool Bonds<D>::is_taut(std::span<const Link> links, const Articulation& articulation,
                       std::span<const BodyMass<D>> masses) const {
  double weight = 0;
  for (std::uint32_t i = 0; i < articulation.node_count; ++i)
    weight += problem_.gravity * masses[bodies_[articulation.first_node + i]].mass;
  for (const Link& link : links) {
    if (!link.joint) continue;
    const JointRecord<D>& joint = problem_.joints[link.index];
    if (!joint.rod && !holds_point(joint.kind)) continue;
    double force = weight;
    for (int i = 0; i < D::k_linear; ++i)
      force = larger(force, absolute(problem_.memory[link.index].effort[i]));
    const BodyMass<D>&a = masses[problem_.rows_a[link.index]], &b = masses[problem_.rows_b[link.index]];
    double yield = sway(a, joint.anchor_a) + sway(b, joint.anchor_b);
    if (joint.rod)
      yield += ((a.mass > 0 ? 1 / a.mass : 0) + (b.mass > 0 ? 1 / b.mass : 0)) / joint.parameters.length;
    if (h_ * h_ * force * yield > k_taut) return true;
  }
  return false;
}

// If the links, which make a tree of the nodes, hang on something that does not move by one joint at most.
template <class D>
bool Bonds<D>::add_limbs(std::span<const Link> links, Articulation& articulation, double mass_ratio) {
  const std::uint32_t nodes = articulation.node_count;
  std::uint32_t hung = 0, root = nodes / 2;
  for (const Link& link : links) {
    if (!Limbs<D>::takes(problem_.joints[link.index])) return false;
    const std::uint32_t a = node_of_[problem_.rows_a[link.index]], b = node_of_[problem_.rows_b[link.index]];
    if (a != k_nobody && b != k_nobody) continue;
    ++hung;
    root = a != k_nobody ? a : b;
  }
  if (hung > 1) return false;
  tree_.assign(nodes, {});
  for (std::uint32_t i = 0; i < nodes; ++i) tree_[i].row = bodies_[articulation.first_node + i];
  // From the root outwards; each node's joints one after another.
  first_link_.assign(nodes + 1, 0);
  const auto for_ends = [&](const Link& link, auto&& f) {
    const std::uint32_t a = node_of_[problem_.rows_a[link.index]], b = node_of_[problem_.rows_b[link.index]];
    if (a != k_nobody) f(a, b);
    if (b != k_nobody) f(b, a);
  };
  for (const Link& link : links) for_ends(link, [&](std::uint32_t i, std::uint32_t) { ++first_link_[i]; });
  for (std::uint32_t i = 0, sum = 0; i <= nodes; ++i) sum += std::exchange(first_link_[i], sum);
  node_links_.resize(first_link_[nodes]);
  for (const Link& link : links)
    for_ends(link, [&](std::uint32_t i, std::uint32_t other) {
      node_links_[first_link_[i]++] = {other, link.index};
    });
  from_root_.assign(1, root);
  for (std::uint32_t k = 0; k < from_root_.size(); ++k) {
    const std::uint32_t i = from_root_[k];
    for (std::uint32_t l = i == 0 ? 0 : first_link_[i - 1]; l < first_link_[i]; ++l) {
      const auto [other, joint] = node_links_[l];
      if (other == k_nobody) {
        tree_[i].joint = joint;
      } else if (tree_[i].joint != joint) {
        tree_[other].joint = joint;
        from_root_.push_back(other);
      }
    }
  }
  for (std::size_t k = from_root_.size(); k-- > 1;) {
    const TreeLimb& limb = tree_[from_root_[k]];
    const std::uint32_t a = problem_.rows_a[limb.joint], b = problem_.rows_b[limb.joint];
    int& height = tree_[node_of_[a == limb.row ? b : a]].height;
    height = std::max(height, limb.height + 1);
  }
  const auto is_still = [&](std::uint32_t row) {
    const auto& spin = states_[row].angular_velocity;
    return step_ * step_ * dot(spin, spin) < k_still * k_still;
  };
  // Mechanisms that touch nothing are followed as exactly as can be, and springs need to be asked again. Rows of rods and sliders
  // change when bodies move past each other, even if none turns.
  bool still = !articulation.taut && !untouched_[bodies_[articulation.first_node]];
  for (const Link& link : links)
    still = still && is_still(problem_.rows_a[link.index]) && is_still(problem_.rows_b[link.index]) &&
            holds_point(problem_.joints[link.index].kind) &&
            !(problem_.joints[link.index].softness.frequency > 0);
  // Still trees only, and to the end of the step also those of them that turn out to be torn or are roused in it. With all that touch something, limbs that were let go gained 3e-4 of their energy in one step, and a humanoid on
  // stairs lay so that an arm still swung at 28 mm/s after 40 s; whether that is floats or chance is not known.
  articulation.single = problem_.precision == Precision::single_lanes && still && mass_ratio <= k_moderate &&
                        nodes <= k_few_limbs &&
                        std::all_of(tree_.begin(), tree_.end(), [&](const TreeLimb& limb) {
                          return Limbs<D>::is_for_floats(masses_[limb.row]);
                        });
  articulation.tree = articulation.single ? single_limbs_.add_tree(tree_, articulation.taut, still)
                                          : double_limbs_.add_tree(tree_, articulation.taut, still);
  return true;
}

#define CAIRN_ARTICULATIONS_OF(D)                                                         \
  template void Bonds<D>::begin_step(const BondProblem<D>&, std::span<const BodyMass<D>>, \
                                     std::span<const BodyState<D>>, double, double);
CAIRN_ARTICULATIONS_OF(Dim2)
CAIRN_ARTICULATIONS_OF(Dim3)
#undef CAIRN_ARTICULATIONS_OF

}  // namespace cairn
