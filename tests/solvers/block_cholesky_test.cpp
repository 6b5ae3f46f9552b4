#include "solvers/block_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <random>

namespace cairn {
namespace {

using Edges = std::vector<std::pair<int, int>>;
constexpr std::int64_t k_no_bound = std::numeric_limits<std::int64_t>::max();
constexpr double k_epsilon = std::numeric_limits<double>::epsilon();

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double lo, double hi) { return lo + (hi - lo) * double(engine_() >> 11) * 0x1p-53; }
  int below(int n) { return int(engine_() % std::uint64_t(n)); }

 private:
  std::mt19937_64 engine_;
};

struct Graph {
  const char* name;
  int nodes;
  Edges edges;
};

Graph chain(int n) {
  Graph g{"chain", n, {}};
  for (int i = 0; i + 1 < n; ++i) g.edges.emplace_back(i, i + 1);
  return g;
}
Graph star(int n) {  // the hub is in the middle of the numbers
  Graph g{"star", n, {}};
  for (int i = 0; i < n; ++i)
    if (i != n / 2) g.edges.emplace_back(i, n / 2);
  return g;
}
Graph loop(int n) {
  Graph g = chain(n);
  g.name = "loop";
  g.edges.emplace_back(n - 1, 0);
  return g;
}
Graph grid(int n) {
  Graph g{"grid", n * n, {}};
  for (int i = 0; i < n * n; ++i) {
    if (i % n + 1 < n) g.edges.emplace_back(i, i + 1);
    if (i + n < n * n) g.edges.emplace_back(i + n, i);
  }
  return g;
}
Graph complete(int n) {
  Graph g{"complete", n, {}};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) g.edges.emplace_back(i, j);
  return g;
}
// Numbers in any order, edges either way round, some of them twice.
Graph random_tree(int n, Random& random) {
  std::vector<int> number(std::size_t(n), 0);
  for (int i = 0; i < n; ++i) {
    const int j = random.below(i + 1);
    number[std::size_t(i)] = number[std::size_t(j)];
    number[std::size_t(j)] = i;
  }
  Graph g{"tree", n, {}};
  for (int i = 1; i < n; ++i) {
    std::pair<int, int> edge(number[std::size_t(i)], number[std::size_t(random.below(i))]);
    if (random.below(2) == 1) std::swap(edge.first, edge.second);
    g.edges.push_back(edge);
    if (random.below(4) == 0) g.edges.emplace_back(edge.second, edge.first);
  }
  return g;
}
Graph with_loops(Graph g, int more, Random& random) {
  g.name = "tree with loops";
  while (more > 0) {
    const int a = random.below(g.nodes), b = random.below(g.nodes);
    if (a == b) continue;
    g.edges.emplace_back(a, b);
    --more;
  }
  return g;
}
std::vector<Graph> graphs() {
  Random random(5);
  std::vector<Graph> all{{"nothing", 0, {}}, {"one", 1, {}}, {"apart", 3, {}}, chain(2),
                         chain(21),          star(9),        loop(3)};
  all.insert(all.end(), {loop(12), grid(10), complete(7)});
  for (int i = 0; i < 8; ++i) {
    all.push_back(random_tree(11 + 7 * i, random));
    all.push_back(with_loops(random_tree(11 + 7 * i, random), 1 + 2 * i, random));
  }
  return all;
}

// The structure against the definition of elimination, on a full table of who is joined with whom.
void check_structure(const Graph& g) {
  const auto structure = BlockStructure::analyse(g.nodes, g.edges, k_no_bound);
  ASSERT_TRUE(structure.complete());
  ASSERT_EQ(structure.nodes(), g.nodes);
  const auto n = std::size_t(g.nodes);
  std::vector<std::vector<bool>> joined(n, std::vector<bool>(n, false));
  for (const auto& [a, b] : g.edges)
    joined[std::size_t(a)][std::size_t(b)] = joined[std::size_t(b)][std::size_t(a)] = true;
  std::vector<bool> gone(n, false);
  const auto later_of = [&](std::size_t i) {
    std::vector<std::size_t> later;
    for (std::size_t j = 0; j < n; ++j)
      if (joined[i][j] && !gone[j]) later.push_back(j);
    return later;
  };
  std::vector<int> place(n, -1);
  for (std::size_t p = 0; p < n; ++p) place[std::size_t(structure.order()[p])] = int(p);
  std::int64_t products = 0;
  std::size_t slot = 0, target = 0;
  std::vector<std::pair<int, int>> pair_of_slot, wanted_targets;
  for (std::size_t p = 0; p < n; ++p) {
    std::size_t least = n;
    for (std::size_t i = 0; i < n; ++i)
      if (!gone[i] && (least == n || later_of(i).size() < later_of(least).size())) least = i;
    ASSERT_EQ(structure.order()[p], int(least));
    gone[least] = true;
    auto later = later_of(least);
    std::sort(later.begin(), later.end(), [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
    const auto m = std::int64_t(later.size());
    products += 1 + m + m * (m + 1) / 2;
    ASSERT_EQ(structure.first_slot(int(p)), int(slot));
    EXPECT_EQ(structure.parent(int(p)), later.empty() ? -1 : int(later[0]));
    for (const std::size_t i : later) {
      ASSERT_EQ(structure.column(int(slot++)), int(i));
      pair_of_slot.emplace_back(int(least), int(i));
      for (const std::size_t j : later) {
        if (i != j) joined[i][j] = true;
        if (place[i] < place[j]) wanted_targets.emplace_back(int(i), int(j));
      }
    }
  }
  EXPECT_EQ(structure.block_products(), products);
  EXPECT_EQ(structure.slots(), int(slot));
  ASSERT_EQ(structure.targets().size(), wanted_targets.size());
  for (const auto& wanted : wanted_targets)
    EXPECT_EQ(pair_of_slot[std::size_t(structure.targets()[target++])], wanted);
  for (std::size_t e = 0; e < g.edges.size(); ++e) {
    const BlockSlot s = structure.slot_of_edge(int(e));
    auto [a, b] = g.edges[e];
    if (s.transposed) std::swap(a, b);
    EXPECT_EQ(pair_of_slot[std::size_t(s.slot)], std::make_pair(a, b));
  }
}

TEST(BlockStructure, FollowsTheDefinitionOfElimination) {
  for (const Graph& g : graphs()) {
    SCOPED_TRACE(testing::Message() << g.name << " of " << g.nodes);
    check_structure(g);
  }
}

TEST(BlockStructure, TreesHaveNoFill) {
  Random random(1);
  const auto check = [](const Graph& g) {
    const auto structure = BlockStructure::analyse(g.nodes, g.edges, k_no_bound);
    EXPECT_EQ(structure.slots(), g.nodes - 1) << g.name;
    EXPECT_EQ(structure.block_products(), 3 * g.nodes - 2) << g.name;
    EXPECT_TRUE(structure.targets().empty()) << g.name;
  };
  for (const int n : {1, 2, 3, 10, 10000, 100000}) {  // a method in n² would run into the time limit
    check(chain(n));
    check(star(n));
    check(random_tree(n, random));
  }
}

// Many loops through two hubs: n² if a hub's list were searched or rebuilt for each.
TEST(BlockStructure, LoopsThroughHubs) {
  const int n = 100000;
  Graph g{"hubs", n + 2, {}};
  for (int i = 0; i < n; ++i) g.edges.insert(g.edges.end(), {{i, n}, {n + 1, i}});
  const auto structure = BlockStructure::analyse(g.nodes, g.edges, k_no_bound);
  EXPECT_EQ(structure.slots(), 2 * n + 1);               // the two hubs get joined
  EXPECT_EQ(structure.block_products(), 6 * n + 3 + 1);  // 1 + 2 + 3 each, then a tree of two
}

TEST(BlockStructure, GivesUpBeyondTheBound) {
  for (const Graph& g : {chain(50), loop(12), grid(10), complete(40)}) {
    const std::int64_t count = BlockStructure::analyse(g.nodes, g.edges, k_no_bound).block_products();
    EXPECT_TRUE(BlockStructure::analyse(g.nodes, g.edges, count).complete()) << g.name;
    for (const std::int64_t bound : {count - 1, count / 2, std::int64_t(0)}) {
      const auto structure = BlockStructure::analyse(g.nodes, g.edges, bound);
      EXPECT_FALSE(structure.complete()) << g.name;
      EXPECT_GT(structure.block_products(), bound) << g.name;
      EXPECT_LE(structure.block_products(), count) << g.name;
    }
  }
  const Graph full = complete(40);
  EXPECT_EQ(BlockStructure::analyse(40, full.edges, k_no_bound).block_products(), 40 * 41 * 42 / 6);
  EXPECT_EQ(BlockStructure::analyse(40, full.edges, 1).block_products(),
            40 * 41 * 42 / 6);  // seen at the first node
}

// A = M + Σ Jᵀ Γ⁻¹ J with N − 1 rows an edge, both as blocks and as a full matrix.
template <int N>
struct System {
  using Block = typename BlockCholesky<N>::Block;
  using Dense = Eigen::MatrixXd;

  template <class Mass, class Stiffness>
  System(const Graph& g, Random& random, Mass mass_of, Stiffness stiffness_of)
      : blocks(BlockStructure::analyse(g.nodes, g.edges, k_no_bound)),
        dense(Dense::Zero(N * g.nodes, N * g.nodes)) {
    const auto uniform = [&](Eigen::Index rows, Eigen::Index columns) -> Dense {
      return Dense::NullaryExpr(rows, columns, [&](Eigen::Index) { return random.between(-1, 1); });
    };
    for (int i = 0; i < g.nodes; ++i) {
      const Dense root = uniform(N, N);
      add_diagonal(i, mass_of(i) * (Dense::Identity(N, N) + root * root.transpose()));
    }
    for (std::size_t e = 0; e < g.edges.size(); ++e) {
      const auto [a, b] = g.edges[e];
      const Dense ja = uniform(N - 1, N), jb = uniform(N - 1, N);
      const double k = stiffness_of(a, b);
      add_diagonal(a, k * ja.transpose() * ja);
      add_diagonal(b, k * jb.transpose() * jb);
      const Dense ab = k * ja.transpose() * jb;
      blocks.add(blocks.structure().slot_of_edge(int(e)), block_of(ab));
      dense.block(N * a, N * b, N, N) += ab;
      dense.block(N * b, N * a, N, N) += ab.transpose();
    }
    right_hand_side = uniform(N * g.nodes, 1);
  }

  Eigen::VectorXd solve(Eigen::VectorXd x) const {
    blocks.solve({x.data(), std::size_t(x.size())});
    return x;
  }
  Eigen::VectorXd residual(const Eigen::VectorXd& x) const {
    using Long = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
    const Long r = right_hand_side.cast<long double>() - dense.cast<long double>() * x.cast<long double>();
    return r.cast<double>();
  }
  // max |b − A x|ᵢ / (|A| |x| + |b|)ᵢ: by which part of themselves A and b would have to change to make x right.
  double backward_error(const Eigen::VectorXd& x) const {
    const Eigen::VectorXd scale = dense.cwiseAbs() * x.cwiseAbs() + right_hand_side.cwiseAbs();
    return x.size() == 0 ? 0 : residual(x).cwiseAbs().cwiseQuotient(scale).maxCoeff();
  }

  BlockCholesky<N> blocks;
  Dense dense;
  Eigen::VectorXd right_hand_side;

 private:
  static Block block_of(const Dense& m) {
    Block block;
    for (int r = 0; r < N; ++r)
      for (int c = 0; c < N; ++c) block[std::size_t(r)][std::size_t(c)] = m(r, c);
    return block;
  }
  void add_diagonal(int i, const Dense& m) {
    dense.block(N * i, N * i, N, N) += m;
    for (int r = 0; r < N; ++r)
      for (int c = 0; c < N; ++c) blocks.diagonal(i)[std::size_t(r)][std::size_t(c)] += m(r, c);
  }
};

template <class Size>
class BlockCholeskyTest : public testing::Test {};
using Sizes = testing::Types<std::integral_constant<int, 3>, std::integral_constant<int, 6>>;
TYPED_TEST_SUITE(BlockCholeskyTest, Sizes);

const auto k_any_mass = [](int) { return 1.0; };
const auto k_any_stiffness = [](int, int) { return 10.0; };

TYPED_TEST(BlockCholeskyTest, AgreesWithADenseFactor) {
  Random random(2);
  for (const Graph& g : graphs()) {
    SCOPED_TRACE(testing::Message() << g.name << " of " << g.nodes);
    System<TypeParam::value> system(g, random, k_any_mass, k_any_stiffness);
    ASSERT_TRUE(system.blocks.factorise());
    EXPECT_EQ(system.blocks.failed_node(), -1);
    if (g.nodes == 0) continue;
    const Eigen::VectorXd x = system.solve(system.right_hand_side);
    const Eigen::VectorXd wanted = system.dense.ldlt().solve(system.right_hand_side);
    EXPECT_LE((x - wanted).template lpNorm<Eigen::Infinity>(),
              1e-13 * wanted.template lpNorm<Eigen::Infinity>());
    EXPECT_LE(system.backward_error(x), 4 * k_epsilon);  // the grid: 1.7
  }
}

// Masses 1 and 10⁶ in turn, held 10⁹ times as stiffly as the lighter, or the heavier, weighs.
TYPED_TEST(BlockCholeskyTest, BadlyScaledChain) {
  const auto mass = [](int i) { return i % 2 == 0 ? 1.0 : 1e6; };
  for (const double scale : {1.0, 1e6})
    for (unsigned seed = 0; seed < 10; ++seed) {
      Random random(seed);
      System<TypeParam::value> system(chain(21), random, mass, [&](int, int) { return 1e9 * scale; });
      ASSERT_TRUE(system.blocks.factorise());
      Eigen::VectorXd x = system.solve(system.right_hand_side);
      EXPECT_LE(system.backward_error(x), 4 * k_epsilon);  // up to 1.2
      x += system.solve(system.residual(x));
      EXPECT_LE(system.backward_error(x), k_epsilon);  // up to 0.4
    }
}

TYPED_TEST(BlockCholeskyTest, RepeatsBitForBit) {
  Eigen::VectorXd first;
  for (int run = 0; run < 2; ++run) {
    Random random(3);
    System<TypeParam::value> system(grid(5), random, k_any_mass, k_any_stiffness);
    const auto matrix = system.blocks;
    for (int again = 0; again < 2; ++again) {
      system.blocks = matrix;
      ASSERT_TRUE(system.blocks.factorise());
      const Eigen::VectorXd x = system.solve(system.right_hand_side);
      if (first.size() == 0) first = x;
      EXPECT_EQ(x, first);
    }
  }
}

TYPED_TEST(BlockCholeskyTest, TellsWhichNodeIsNotPositive) {
  constexpr int n = TypeParam::value;
  const Graph g = chain(3);  // eliminated as 0, 1, 2
  BlockCholesky<n> blocks(BlockStructure::analyse(g.nodes, g.edges, k_no_bound));
  const auto factorise = [&](double coupling, double last) {
    blocks.clear();
    for (int i = 0; i < 3; ++i)
      for (std::size_t r = 0; r < n; ++r) blocks.diagonal(i)[r][r] = i == 2 ? last : 1;
    for (int e = 0; e < 2; ++e)
      for (std::size_t r = 0; r < n; ++r)
        blocks.off_diagonal(blocks.structure().slot_of_edge(e).slot)[r][r] = coupling;
    return blocks.factorise();
  };
  // Each of the n chains of numbers has the pivots 1, 1 − c², last − c² / (1 − c²).
  EXPECT_TRUE(factorise(0.5, 1));
  EXPECT_EQ(blocks.failed_node(), -1);
  EXPECT_FALSE(factorise(1.5, 1));
  EXPECT_EQ(blocks.failed_node(), 1);
  EXPECT_FALSE(factorise(0.5, 0.25));
  EXPECT_EQ(blocks.failed_node(), 2);
  EXPECT_FALSE(factorise(0.5, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(blocks.failed_node(), 2);
  EXPECT_FALSE(factorise(0, std::numeric_limits<double>::infinity()));
  EXPECT_EQ(blocks.failed_node(), 2);
  EXPECT_FALSE(factorise(0, 0));
  EXPECT_EQ(blocks.failed_node(), 2);
  EXPECT_TRUE(factorise(0.5, 0.375));  // 1/3 is all that the pivot loses
  EXPECT_EQ(blocks.failed_node(), -1);
}

// Only the upper halves of the diagonal blocks are read, as promised.
TYPED_TEST(BlockCholeskyTest, IgnoresTheLowerHalves) {
  constexpr int n = TypeParam::value;
  Random random(4);
  const Graph g = loop(5);
  System<n> system(g, random, k_any_mass, k_any_stiffness);
  System<n> other = system;
  for (int i = 0; i < g.nodes; ++i)
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < r; ++c)
        other.blocks.diagonal(i)[r][c] = std::numeric_limits<double>::quiet_NaN();
  ASSERT_TRUE(system.blocks.factorise() && other.blocks.factorise());
  EXPECT_EQ(system.solve(system.right_hand_side), other.solve(system.right_hand_side));
}

}  // namespace
}  // namespace cairn
