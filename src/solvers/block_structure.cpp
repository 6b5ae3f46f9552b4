#include "solvers/block_structure.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "base/assert.h"
#include "base/state_hash.h"

namespace cairn {
namespace {

// Numbers the pairs of nodes in the order in which they come. A hash table with open addressing, never
// iterated.
class PairNumbers {
 public:
  explicit PairNumbers(std::size_t expected) : table_(std::bit_ceil(2 * expected + 16)) {}

  int count() const { return count_; }
  int find(int i, int j) const { return table_[place_of(key_of(i, j))].number; }
  int find_or_add(int i, int j) {
    if (2 * std::size_t(count_) >= table_.size()) grow();
    Entry& entry = table_[place_of(key_of(i, j))];
    if (entry.number < 0) entry = {key_of(i, j), count_++};
    return entry.number;
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    int number = -1;  // −1: free
  };

  static std::uint64_t key_of(int i, int j) {
    return std::uint64_t(std::min(i, j)) << 32 | std::uint64_t(std::max(i, j));
  }
  std::size_t place_of(std::uint64_t key) const {  // where it is or would be
    std::size_t place = StateHash().add(key).value() & (table_.size() - 1);
    while (table_[place].number >= 0 && table_[place].key != key) place = (place + 1) & (table_.size() - 1);
    return place;
  }
  void grow() {
    std::vector<Entry> old(2 * table_.size());
    old.swap(table_);
    for (const Entry& entry : old)
      if (entry.number >= 0) table_[place_of(entry.key)] = entry;
  }

  std::vector<Entry> table_;
  int count_ = 0;
};

// The graph while its nodes are eliminated. A node's list only grows, and is read once, when the node goes:
// those that went before are left out then. So a hub with many leaves costs no more than a chain.
class Elimination {
 public:
  struct Joint {
    int node, number;  // the other node, and the pair's number
  };

  Elimination(int nodes, std::size_t edges)
      : pairs(edges),
        place(std::size_t(nodes), -1),
        degree_(std::size_t(nodes)),
        last_(std::size_t(nodes), -1) {
    links_.reserve(4 * edges);
  }

  int join(int i, int j) {
    const int known = pairs.count(), number = pairs.find_or_add(i, j);
    if (number == known) {
      link(i, {j, number});
      link(j, {i, number});
    }
    return number;
  }

  // False if it would take more than `most` block products; counts them.
  bool run(std::int64_t most, std::int64_t& products) {
    const std::size_t nodes = place.size();
    for (std::size_t i = 0; i < nodes; ++i) push(int(i));
    order.reserve(nodes);
    first.reserve(nodes + 1);
    while (order.size() < nodes) {
      const int node = pop();
      place[std::size_t(node)] = int(order.size());
      order.push_back(node);
      first.push_back(int(rows.size()));
      for (int l = last_[std::size_t(node)]; l >= 0; l = links_[std::size_t(l)].before)
        if (const Joint joint = links_[std::size_t(l)].joint; place[std::size_t(joint.node)] < 0)
          rows.push_back(joint);
      // The m later nodes are now all joined with each other, and will take what a full matrix of them takes,
      // at least.
      const auto m = std::int64_t(rows.size()) - first.back();
      products += (m + 1) * (m + 2) / 2;
      if (const std::int64_t least = products + m * (m + 1) * (m + 2) / 6; least > most) {
        products = least;
        return false;
      }
      join_all(std::size_t(first.back()));
    }
    first.push_back(int(rows.size()));
    return true;
  }

  PairNumbers pairs;
  std::vector<int> place;   // of a node in the order; −1: still there
  std::vector<int> order;   // node by place
  std::vector<int> first;   // into rows, by place
  std::vector<Joint> rows;  // the later nodes of each

 private:
  struct Link {
    Joint joint;
    int before;
  };

  void link(int i, Joint joint) {
    links_.push_back({joint, last_[std::size_t(i)]});
    last_[std::size_t(i)] = int(links_.size()) - 1;
    ++degree_[std::size_t(i)];
  }
  void join_all(std::size_t begin) {
    for (std::size_t s = begin; s < rows.size(); ++s)
      for (std::size_t t = s + 1; t < rows.size(); ++t) join(rows[s].node, rows[t].node);
    for (std::size_t s = begin; s < rows.size(); ++s) {
      --degree_[std::size_t(rows[s].node)];
      push(rows[s].node);
    }
  }

  // A heap of (degree, node), the least on top. A node is pushed again when its degree changes; what it had
  // before is passed over.
  void push(int node) {
    heap_.push_back(std::uint64_t(degree_[std::size_t(node)]) << 32 | std::uint64_t(node));
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
  int pop() {
    for (;;) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const auto node = std::size_t(heap_.back() & 0xffffffffu);
      const bool valid = place[node] < 0 && std::uint64_t(degree_[node]) == heap_.back() >> 32;
      heap_.pop_back();
      if (valid) return int(node);
    }
  }

  std::vector<int> degree_;  // joints with nodes that are still there
  std::vector<int> last_;    // link of each node
  std::vector<Link> links_;
  std::vector<std::uint64_t> heap_;
};

}  // namespace

BlockStructure BlockStructure::analyse(int nodes, std::span<const std::pair<int, int>> edges,
                                       std::int64_t most_products) {
  BlockStructure out;
  Elimination graph(nodes, edges.size());
  std::vector<int> edge_numbers;
  edge_numbers.reserve(edges.size());
  for (const auto& [a, b] : edges) {
    CAIRN_ASSERT(a != b && a >= 0 && b >= 0 && a < nodes && b < nodes);
    edge_numbers.push_back(graph.join(a, b));
  }
  out.complete_ = graph.run(most_products, out.block_products_);
  if (!out.complete_) return out;

  // Now that the order is known: each row in that order, then the slot of every pair.
  const auto earlier = [&](const Elimination::Joint& a, const Elimination::Joint& b) {
    return graph.place[std::size_t(a.node)] < graph.place[std::size_t(b.node)];
  };
  std::vector<int> slots(graph.rows.size());  // by the pair's number
  for (std::size_t p = 0; p + 1 < graph.first.size(); ++p)
    std::sort(graph.rows.begin() + graph.first[p], graph.rows.begin() + graph.first[p + 1], earlier);
  out.columns_.reserve(graph.rows.size());
  for (const Elimination::Joint& joint : graph.rows) {
    slots[std::size_t(joint.number)] = int(out.columns_.size());
    out.columns_.push_back(joint.node);
  }
  for (std::size_t p = 0; p + 1 < graph.first.size(); ++p)
    for (int s = graph.first[p]; s < graph.first[p + 1]; ++s)
      for (int t = s + 1; t < graph.first[p + 1]; ++t)
        out.targets_.push_back(slots[std::size_t(graph.pairs.find(out.column(s), out.column(t)))]);
  out.edges_.reserve(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e)
    out.edges_.push_back(
        {slots[std::size_t(edge_numbers[e])],
         graph.place[std::size_t(edges[e].first)] > graph.place[std::size_t(edges[e].second)]});
  out.order_ = std::move(graph.order);
  out.first_slots_ = std::move(graph.first);
  return out;
}

}  // namespace cairn
