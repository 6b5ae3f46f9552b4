#include "solvers/soft_step/limbs.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstring>

#include "constraints/all_joints.h"
#include "instruction_sets.h"

namespace cairn {
namespace {

constexpr double k_h = 1. / 480, k_rate = 100;

double inertia_of(Dim2, double size) { return size; }
Sym3 inertia_of(Dim3, double size) { return {size, 1.5 * size, 0.7 * size, 0.1 * size, 0.05 * size, 0}; }
void lock(BodyDef2& def) { def.locks.translation.x = true; }
void lock(BodyDef3& def) { def.locks.translation.x = def.locks.rotation.y = true; }

// Trees of bodies with every kind of joint that limbs take; some hang on a body that stands or moves.
template <class D>
struct Forest {
  using Vec = typename D::Vec;
  using Ang = typename D::Ang;
  Dice dice;
  BodyStore<D> bodies{1};
  std::vector<BodyId> ids;
  std::vector<JointRecord<D>> joints;
  std::vector<JointMemory<D>> memory;
  std::vector<std::uint32_t> rows_a, rows_b, which;
  std::vector<std::vector<typename Limbs<D>::Limb>> trees;
  std::vector<MovingBody<D, double>> moving;
  std::vector<typename D::Inertia> inverse_inertias;

  double heaviest = 500;  // [kg]; the lightest has 0.5
  double locked = 0.2;    // how many of them

  explicit Forest(int seed) : dice(std::uint64_t(seed)) {}

  BodyId add_body(Motion motion, double mass) {
    Notes notes;
    BodyDef<D> def{.motion = motion};
    if (motion == Motion::dynamic) {
      def.mass = mass, def.inertia = inertia_of(D{}, 0.1 * mass);
      if (dice.from(0, 1) < locked) lock(def);
    }
    def.position = dice.vector<Vec>(2);
    def.rotation = rotation_of(dice.vector<Ang>(1.5));
    ids.push_back(bodies.create(def, notes));
    return ids.back();
  }
  // A joint of some kind that holds, either way round.
  std::uint32_t join(BodyId a, BodyId b, int kind) {
    if (dice.from(0, 1) < 0.5) std::swap(a, b);
    std::vector<JointRecord<D>> fit;
    for (const JointDef<D>& def : all_joints(D{}, a, b, dice))
      if (const JointRecord<D> joint = build_joint(def, bodies); Limbs<D>::takes(joint)) fit.push_back(joint);
    JointRecord<D> joint = fit[std::size_t(kind) % fit.size()];
    if (joint.kind == JointKind::fixed && dice.from(0, 1) < 0.5) joint.softness = {.frequency = 5};
    if (dice.from(0, 1) < 0.5)  // limits only
      for (AxisDef& axis : joint.axes) {
        axis.spring = {}, axis.drive = {}, axis.friction = 0;
        if (axis.limits) axis.limits = Limits{-0.02, 0.3};
      }
    joints.push_back(joint);
    JointMemory<D> start{};
    for (double& effort : start.effort) effort = dice.from(-5, 5);
    memory.push_back(start);
    which.push_back(std::uint32_t(which.size()));
    return which.back();
  }
  // `parents` by limb, each before its limbs; a root is −1, or −2 if it hangs on something.
  void add_tree(const std::vector<int>& parents, Motion support = Motion::fixed) {
    std::vector<BodyId> own;
    std::vector<typename Limbs<D>::Limb> tree(parents.size());
    for (std::size_t i = 0; i < parents.size(); ++i) {
      own.push_back(add_body(Motion::dynamic, dice.from(0, 1) < 0.3 ? heaviest : 0.5));
      const int kind = int(dice.from(0, 100));
      if (parents[i] >= 0) tree[i].joint = join(own[i], own[std::size_t(parents[i])], kind);
      if (parents[i] == -2) tree[i].joint = join(own[i], add_body(support, 1), kind);
    }
    for (std::size_t i = parents.size(); i-- > 0;) {
      tree[i].row = bodies.row(own[i]);
      if (parents[i] < 0) continue;
      int& height = tree[std::size_t(parents[i])].height;
      height = std::max(height, tree[i].height + 1);
    }
    trees.push_back(tree);
  }
  // Everything a little off, and moving.
  void disturb() {
    moving.assign(bodies.states.size(), {});
    for (std::size_t row = 0; row < bodies.states.size(); ++row) {
      BodyState<D>& state = bodies.states[row];
      if (bodies.masses[row].motion == Motion::fixed) continue;
      state.position += dice.vector<Vec>(0.05);
      state.rotation = rotation_of(dice.vector<Ang>(0.1)) * state.rotation;
      state.velocity = dice.vector<Vec>(2);
      state.angular_velocity = dice.vector<Ang>(2);
      const auto v = column(state.velocity, state.angular_velocity);
      std::copy(v.begin(), v.end(), moving[row].velocity);
    }
  }
  static bool is_taut(const std::vector<typename Limbs<D>::Limb>& tree) { return tree.front().row % 3 == 1; }
  template <class T>
  void begin(Limbs<D, T>& limbs, bool still = false) {
    rows_a.clear(), rows_b.clear();
    for (const JointRecord<D>& joint : joints) {
      rows_a.push_back(bodies.row(joint.a));
      rows_b.push_back(bodies.row(joint.b));
    }
    limbs.begin_step(std::uint32_t(bodies.states.size()), std::uint32_t(joints.size()));
    for (const auto& tree : trees) limbs.add_tree(tree, !still && is_taut(tree), still);
    limbs.pack({joints, memory, memory, rows_a, rows_b, which}, k_h, 8 * k_h);
    inverse_inertias.resize(bodies.states.size());
    limbs.prepare(bodies.states, bodies.masses, k_h, k_rate, false, inverse_inertias);
  }
};
template <class D>
Forest<D> some_forest(int seed, double heaviest = 500, double locked = 0.2) {
  Forest<D> forest(seed);
  forest.heaviest = heaviest, forest.locked = locked;
  forest.add_tree({-1, 0, 0, 0, 1, 2, 2, 6, 3});
  forest.add_tree({-2, 0, 1, 2, 3, 4});
  forest.add_tree({-2, 0, 0}, Motion::kinematic);
  for (int i = 0; i < 12; ++i) forest.add_tree({-1, 0});
  forest.disturb();
  return forest;
}

template <class D>
class LimbsTest : public testing::Test {};
using Dimensions = testing::Types<Dim2, Dim3>;
TYPED_TEST_SUITE(LimbsTest, Dimensions);

// What it must be: with all rows in one matrix, Δλ = −(Γ + J M⁻¹ Jᵀ)⁻¹ (J v + b + Γ_soft λ) and Δv = M⁻¹ Jᵀ Δλ.
template <class D>
struct Whole {
  static constexpr int N = D::k_dof;
  Eigen::MatrixXd j, inverse_mass;
  Eigen::VectorXd gamma, hold, bias, softness, impulse, v;
  std::vector<std::pair<std::size_t, int>> places;  // of the rows: joint and slot

  explicit Whole(Forest<D>& forest) {
    const auto dof = Eigen::Index(N * forest.bodies.states.size());
    inverse_mass = Eigen::MatrixXd::Zero(dof, dof);
    v.resize(dof);
    for (std::size_t row = 0; row < forest.bodies.states.size(); ++row) {
      const BodyMass<D>& mass = forest.bodies.masses[row];
      const BodyState<D>& state = forest.bodies.states[row];
      for (int i = 0; i < N; ++i) {
        std::array<double, N> unit{};
        unit[std::size_t(i)] = 1;
        const Twist<D> force = twist_of(unit);
        const auto yield = column(scaled(mass.inverse_mass, force.linear),
                                  inverse_inertia(mass, state.rotation) * force.angular);
        for (int k = 0; k < N; ++k)
          inverse_mass(Eigen::Index(N * row) + k, Eigen::Index(N * row) + i) = yield[std::size_t(k)];
        v[Eigen::Index(N * row) + i] = forest.moving[row].velocity[i];
      }
    }
    std::vector<Eigen::RowVectorXd> rows;
    std::vector<double> g, b, c, s, l;
    for (std::size_t k = 0; k < forest.joints.size(); ++k) {
      const JointRecord<D>& joint = forest.joints[k];
      const std::uint32_t row_a = forest.rows_a[k], row_b = forest.rows_b[k];
      JointRows<D> list;
      rows_of(joint, pose_of(joint, forest.bodies.states[row_a], forest.bodies.states[row_b]), 0, list);
      for (const JointRow<D>& from : list) {
        if (from.role != RowRole::hold) continue;
        Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(dof);
        const auto j_a = column(from.jacobian.linear_a, from.jacobian.angular_a);
        const auto j_b = column(from.jacobian.linear_b, from.jacobian.angular_b);
        for (int i = 0; i < N; ++i) {
          row[Eigen::Index(N * row_a) + i] = j_a[std::size_t(i)];
          row[Eigen::Index(N * row_b) + i] = j_b[std::size_t(i)];
        }
        const double yield = (row * inverse_mass * row.transpose())(0, 0);
        if (!(yield > 0)) continue;
        const double omega = 2 * k_pi * from.frequency,
                     push = k_h * omega * omega + 2 * from.damping_ratio * omega;
        rows.push_back(row);
        places.push_back({k, int(from.slot)});
        s.push_back(omega > 0 ? yield / (k_h * push) : 0);
        g.push_back(omega > 0 ? s.back() : 1e-6 * yield);
        b.push_back(omega > 0 ? omega * omega * from.position / push : 0);
        c.push_back(omega > 0 ? 0 : k_rate * from.position);
        l.push_back(k_h * forest.memory[k].effort[from.slot]);
      }
    }
    j.resize(Eigen::Index(rows.size()), dof);
    for (std::size_t r = 0; r < rows.size(); ++r) j.row(Eigen::Index(r)) = rows[r];
    const auto as_vector = [](const std::vector<double>& x) {
      return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size())));
    };
    gamma = as_vector(g), hold = as_vector(b), bias = as_vector(c), softness = as_vector(s);
    impulse = as_vector(l);
  }
  // What rows of the tree ask for to draw errors in.
  double widest(const std::vector<typename Limbs<D>::Limb>& tree) const {
    double widest = 0;
    for (std::size_t r = 0; r < places.size(); ++r)
      for (const auto& limb : tree)
        if (limb.joint == places[r].first) widest = larger(widest, absolute(bias[Eigen::Index(r)]));
    return widest;
  }
  Eigen::VectorXd answer(const Eigen::VectorXd& error) const {  // Δλ
    const Eigen::MatrixXd s = j * inverse_mass * j.transpose() + Eigen::MatrixXd(gamma.asDiagonal());
    return -s.ldlt().solve(error);
  }
  // How much faster than J v the gaps of rows will open that keep two points together, or apart by a rod, for arms that turn.
  Eigen::VectorXd turning(const Forest<D>& forest, const Eigen::VectorXd& at) const {
    using Vec = typename D::Vec;
    Eigen::VectorXd away = Eigen::VectorXd::Zero(j.rows());
    for (Eigen::Index r = 0; r < j.rows(); ++r) {
      const auto [k, slot] = places[std::size_t(r)];
      const JointRecord<D>& joint = forest.joints[k];
      if (!joint.rod && (slot >= D::k_linear || !holds_point(joint.kind) || softness[r] > 0)) continue;
      struct End {
        Vec place, speed, off;
      };
      const auto end = [&](std::uint32_t row, const Vec& anchor) {
        std::array<double, N> v;
        std::copy_n(at.data() + N * row, N, v.begin());
        const BodyState<D>& state = forest.bodies.states[row];
        const Twist<D> twist = twist_of(v);
        const Vec arm = state.rotation * anchor, along = cross(twist.angular, arm);
        return End{state.position + arm, twist.linear + along,
                   0.5 * k_h * cross(twist.angular, along) -
                       k_h * k_h / 6 * dot(twist.angular, twist.angular) * along};
      };
      const End a = end(forest.rows_a[k], joint.anchor_a), b = end(forest.rows_b[k], joint.anchor_b);
      const Vec off = b.off - a.off, n = normalized(b.place - a.place), speed = b.speed - a.speed;
      const Vec across = speed - dot(n, speed) * n;
      away[r] = joint.rod ? dot(n, off) + 0.5 * k_h * dot(across, across) / joint.parameters.length
                          : column(off, typename D::Ang{})[std::size_t(slot)];
    }
    return away;
  }
  Eigen::VectorXd error() const { return j * v + hold + softness.cwiseProduct(impulse); }
};

TYPED_TEST(LimbsTest, are_solved_like_the_whole_matrix) {
  using D = TypeParam;
  constexpr int N = D::k_dof;
  int cut = 0;
  for (int seed = 1; seed < 20; ++seed) {
    Forest<D> forest = some_forest<D>(seed);
    Limbs<D> limbs(best_instruction_set());
    forest.begin(limbs);
    const Whole<D> whole(forest);
    const auto solved = [&](const Eigen::VectorXd& v, const Eigen::VectorXd& error) {
      return Eigen::VectorXd(v + whole.inverse_mass * whole.j.transpose() * whole.answer(error));
    };
    const auto differs_from = [&](const Forest<D>& from, const Eigen::VectorXd& v) {
      double largest = 0;
      for (std::size_t row = 0; row < from.moving.size(); ++row)
        for (int i = 0; i < N; ++i)
          largest = larger(largest, absolute(from.moving[row].velocity[i] - v[Eigen::Index(N * row) + i]));
      return largest;
    };
    const Eigen::VectorXd v = solved(whole.v, whole.error());
    Forest<D> still = forest;
    limbs.solve(still.moving.data(), true);
    EXPECT_LT(differs_from(still, v), 1e-8);  // Γ and masses of 1000 : 1 make both ill-conditioned, by 1e9

    const double most = seed % 2 ? 1e9 : 0.5;
    forest.begin(limbs);
    std::vector<typename Limbs<D>::Column> corrections(forest.moving.size());
    limbs.solve_and_draw_in(forest.moving.data(), most, corrections);
    const Eigen::VectorXd bias = whole.bias.cwiseMin(most).cwiseMax(-most);
    const Eigen::VectorXd drawn = solved(v, bias + whole.turning(forest, v));
    Eigen::VectorXd wanted = drawn, corrected = Eigen::VectorXd::Zero(v.size());
    for (const auto& tree : forest.trees) {
      if (!forest.is_taut(tree) && whole.widest(tree) <= most) continue;
      double fastest = 0;
      for (const auto& limb : tree)
        fastest = larger(fastest, (drawn - v).segment(N * limb.row, D::k_linear).cwiseAbs().maxCoeff());
      for (const auto& limb : tree) {
        wanted.segment(N * limb.row, N) = v.segment(N * limb.row, N);
        corrected.segment(N * limb.row, N) =
            smaller(1., most / fastest) * (drawn - v).segment(N * limb.row, N);
      }
    }
    EXPECT_LT(differs_from(forest, wanted), 1e-8);
    for (std::size_t row = 0; row < corrections.size(); ++row)
      for (int i = 0; i < N; ++i)
        EXPECT_NEAR(corrections[row][std::size_t(i)], corrected[Eigen::Index(N * row) + i], 1e-8);
    cut += bias != whole.bias;
  }
  EXPECT_GT(cut, 5);
}

// Floats, with what they are for: masses of 10 : 1, and nothing locked.
TYPED_TEST(LimbsTest, in_floats_are_solved_nearly_as_well) {
  using D = TypeParam;
  constexpr int N = D::k_dof;
  for (int seed = 1; seed < 20; ++seed) {
    Forest<D> forest = some_forest<D>(seed, 5, 0);
    Limbs<D, float> limbs(best_instruction_set());
    forest.begin(limbs);
    const Whole<D> whole(forest);
    const Eigen::VectorXd change = whole.inverse_mass * whole.j.transpose() * whole.answer(whole.error());
    limbs.solve(forest.moving.data(), true);
    double largest = 0;
    for (std::size_t row = 0; row < forest.moving.size(); ++row)
      for (int i = 0; i < N; ++i) {
        const Eigen::Index at = Eigen::Index(N * row) + i;
        largest = larger(largest, absolute(forest.moving[row].velocity[i] - whole.v[at] - change[at]));
      }
    EXPECT_LT(largest, 1e-4 * change.cwiseAbs().maxCoeff()) << seed;
  }
}

// Still trees are held and drawn in at once, and have the rows that they had when the step began, until they are roused.
TYPED_TEST(LimbsTest, that_are_still_keep_their_rows_until_they_are_roused) {
  using D = TypeParam;
  constexpr int N = D::k_dof;
  for (int seed = 1; seed < 10; ++seed) {
    Forest<D> forest = some_forest<D>(seed);
    for (BodyState<D>& state : forest.bodies.states) state.angular_velocity = {};
    Limbs<D> limbs(best_instruction_set());
    forest.begin(limbs, true);
    const Whole<D> first(forest);
    const auto expect = [&](const Whole<D>& whole, double left, double tolerance) {
      Forest<D> copy = forest;
      std::vector<typename Limbs<D>::Column> corrections(forest.moving.size());
      limbs.solve_and_draw_in(copy.moving.data(), 1e9, corrections);
      const Eigen::VectorXd wanted = whole.v + whole.inverse_mass * whole.j.transpose() *
                                                   whole.answer(whole.error() + left * whole.bias);
      double largest = 0;
      for (std::size_t row = 0; row < copy.moving.size(); ++row)
        for (int i = 0; i < N; ++i)
          largest =
              larger(largest, absolute(copy.moving[row].velocity[i] - wanted[Eigen::Index(N * row) + i]));
      EXPECT_LT(largest, tolerance) << seed;
    };
    const auto go_on = [&] {
      limbs.prepare(forest.bodies.states, forest.bodies.masses, k_h, k_rate, true, forest.inverse_inertias);
    };
    for (BodyState<D>& state : forest.bodies.states)
      state.rotation = rotation_of(forest.dice.template vector<typename D::Ang>(0.01)) * state.rotation;
    go_on();
    expect(first, 1 - k_h * k_rate, 1e-7);
    forest.begin(limbs, true);  // with the impulses of the beginning
    for (std::size_t row = 0; row < forest.bodies.states.size(); ++row) {
      BodyState<D>& state = forest.bodies.states[row];
      if (forest.bodies.masses[row].motion == Motion::fixed) continue;
      state.rotation = rotation_of(forest.dice.template vector<typename D::Ang>(0.5)) * state.rotation;
      state.angular_velocity = forest.dice.template vector<typename D::Ang>(100);
    }
    go_on();
    expect(Whole<D>(forest), 1, 1e-7);
  }
}

TYPED_TEST(LimbsTest, are_warm_started_by_their_impulses) {
  using D = TypeParam;
  constexpr int N = D::k_dof;
  Forest<D> forest = some_forest<D>(3);
  Limbs<D> limbs(best_instruction_set());
  forest.begin(limbs);
  const Whole<D> whole(forest);
  const Eigen::VectorXd v = whole.v + whole.inverse_mass * whole.j.transpose() * whole.impulse;
  limbs.warm_start(forest.moving.data());
  for (std::size_t row = 0; row < forest.moving.size(); ++row)
    for (int i = 0; i < N; ++i)
      EXPECT_NEAR(forest.moving[row].velocity[i], v[Eigen::Index(N * row) + i], 1e-11);
}

// Still trees start a substep from what their impulses did in the one before: that is what these impulses do.
template <class D, class T>
void expect_still_start(double tolerance) {
  constexpr int N = D::k_dof;
  for (int seed = 1; seed < 10; ++seed) {
    Forest<D> forest = some_forest<D>(seed, 5, 0);
    for (BodyState<D>& state : forest.bodies.states) state.angular_velocity = {};
    Limbs<D, T> limbs(best_instruction_set());
    forest.begin(limbs, true);
    const Whole<D> whole(forest);
    const auto before = forest.moving;
    std::vector<typename Limbs<D>::Column> corrections(forest.moving.size());
    limbs.warm_start(forest.moving.data());
    limbs.solve_and_draw_in(forest.moving.data(), 1e9, corrections);
    limbs.prepare(forest.bodies.states, forest.bodies.masses, k_h, k_rate, true, forest.inverse_inertias);
    limbs.solve(forest.moving.data(), true);
    limbs.prepare(forest.bodies.states, forest.bodies.masses, k_h, k_rate, false, forest.inverse_inertias);
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(whole.v.size());
    limbs.for_each_row([&](std::uint32_t a, std::uint32_t b, const auto& row) {
      for (int i = 0; i < N; ++i) {
        impulse[N * a + i] += row.impulse * row.j_a[std::size_t(i)];
        impulse[N * b + i] += row.impulse * row.j_b[std::size_t(i)];
      }
    });
    const Eigen::VectorXd change = whole.inverse_mass * impulse;
    forest.moving = before;
    limbs.warm_start(forest.moving.data());
    double largest = 0;
    for (std::size_t row = 0; row < before.size(); ++row)
      for (int i = 0; i < N; ++i)
        largest = larger(largest, absolute(forest.moving[row].velocity[i] - before[row].velocity[i] -
                                           change[Eigen::Index(N * row) + i]));
    EXPECT_LT(largest, tolerance * change.cwiseAbs().maxCoeff()) << seed;
  }
}
TYPED_TEST(LimbsTest, that_are_still_start_from_what_they_did) {
  expect_still_start<TypeParam, double>(1e-10);
  expect_still_start<TypeParam, float>(
      2e-3);  // two solves, each to some 1e-4 (rods and soft joints among them)
}

// Whoever is in the other lanes, and however wide they are.
template <class D, class T>
void expect_same_bits(bool still) {
  const auto solved = [&](Forest<D> forest, InstructionSet set) {
    if (still)
      for (BodyState<D>& state : forest.bodies.states) state.angular_velocity = {};
    Limbs<D, T> limbs(set);
    forest.begin(limbs, still);
    std::vector<typename Limbs<D>::Column> corrections(forest.moving.size());
    for (int substep = 0; substep < 2; ++substep) {
      limbs.warm_start(forest.moving.data());
      limbs.solve_and_draw_in(forest.moving.data(), 3, corrections);
      limbs.prepare(forest.bodies.states, forest.bodies.masses, k_h, k_rate, true, forest.inverse_inertias);
      limbs.solve(forest.moving.data(), true);
    }
    limbs.add_up(true);
    limbs.hand_back(k_h, k_h);
    return std::pair{forest.moving, forest.memory};
  };
  const Forest<D> forest = some_forest<D>(5);
  const auto alone = solved(forest, InstructionSet::scalar);
  const auto is_same = [&](const auto& other) {
    for (std::size_t row = 0; row < alone.first.size(); ++row)
      if (std::memcmp(alone.first[row].velocity, other.first[row].velocity, sizeof alone.first[row].velocity))
        return false;
    for (std::size_t k = 0; k < alone.second.size(); ++k)
      if (std::memcmp(&alone.second[k], &other.second[k], sizeof alone.second[k])) return false;
    return true;
  };
  for (const InstructionSet set : k_instruction_sets) {
    if (set > best_instruction_set()) continue;
    EXPECT_TRUE(is_same(solved(forest, set))) << name_of(set);
  }
  Forest<D> more = forest;
  const std::size_t bodies = forest.moving.size();
  for (int i = 0; i < 5; ++i) more.add_tree({-1, 0, 1});
  std::rotate(more.trees.begin(), more.trees.begin() + 3, more.trees.end());
  more.moving.resize(more.bodies.states.size());
  ASSERT_GT(more.moving.size(), bodies);
  EXPECT_TRUE(is_same(solved(more, best_instruction_set())));
}
TYPED_TEST(LimbsTest, have_the_same_bits_in_any_company) {
  for (const bool still : {false, true}) expect_same_bits<TypeParam, double>(still);
}
TYPED_TEST(LimbsTest, in_floats_have_the_same_bits_in_any_company) {
  for (const bool still : {false, true}) expect_same_bits<TypeParam, float>(still);
}

// The rows and limits are those of constraints/joints.h.
TYPED_TEST(LimbsTest, have_the_rows_of_their_joints) {
  using D = TypeParam;
  Forest<D> forest = some_forest<D>(6);
  for (BodyState<D>& state : forest.bodies.states) state.velocity = {}, state.angular_velocity = {};
  Limbs<D> limbs(best_instruction_set());
  forest.begin(limbs);
  const Whole<D> whole(forest);
  std::size_t count = 0;
  limbs.for_each_row(
      [&](std::uint32_t, std::uint32_t, const auto& row) { count += row.j_b != decltype(row.j_b){}; });
  EXPECT_EQ(count, std::size_t(whole.j.rows()));
  int near = 0, far = 0;
  for (std::uint32_t k = 0; k < forest.joints.size(); ++k) {
    if (!limbs.only_limits(k)) continue;
    JointRows<D> all;
    std::vector<AngleLimit<D>> some;
    std::array<double, k_joint_slots> impulses{};
    const auto find = [&] {
      some.clear();
      limbs.for_limits(k, impulses, [&](const AngleLimit<D>& limit) { some.push_back(limit); });
    };
    const JointRecord<D>& joint = forest.joints[k];
    rows_of(joint,
            pose_of(joint, forest.bodies.states[forest.rows_a[k]], forest.bodies.states[forest.rows_b[k]]), 0,
            all);
    find();
    std::size_t next = 0;
    for (const JointRow<D>& row : all) {
      if (row.role != RowRole::limit || !row.active) continue;
      if (row.position > 0.05 + 1e-9) {
        ++far;
        continue;
      }
      ++near;
      ASSERT_LT(next, some.size());
      EXPECT_EQ(some[next].slot, row.slot);
      EXPECT_NEAR(some[next].position, row.position, 1e-13);
      EXPECT_EQ(some[next].frequency, row.frequency);
      EXPECT_NEAR(length(some[next].turn - row.jacobian.angular_b), 0, 1e-13);
      EXPECT_NEAR(length(some[next].turn + row.jacobian.angular_a), 0, 1e-13);
      ++next;
    }
    EXPECT_EQ(next, some.size());
    // One that has pushed is not forgotten.
    impulses.fill(1);
    find();
    std::size_t limits = 0;
    for (const JointRow<D>& row : all) limits += std::size_t(row.role == RowRole::limit && row.active);
    EXPECT_EQ(some.size(), limits);
  }
  EXPECT_GT(far, 0);
  EXPECT_GT(near, 0);
}

}  // namespace
}  // namespace cairn
