// In which order to eliminate the bodies of a symmetric system, and which blocks its factor then has.
//
// A node is a body; an edge joins two bodies that share a constraint. Eliminating a node joins all the later
// nodes that it is joined with to each other: what is new is *fill*. The node with the fewest joints always
// goes next (minimum degree, Tinney and Walker 1967; of equals the first). So leaves go first, and a tree has
// no fill.
//
//     1 ─ 2 ─ 5       order  later nodes, one block of the factor each: a slot
//     │   │             5    2              a leaf
//     4 ─ 3             1    2 4            joins 2 and 4: fill
//                       2    3 4            (2, 4) is the target of 1's product
//                       3    4
//                       4
//
// Nothing here knows what a block is: the numbers are in block_cholesky.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cairn {

// Where the block of an edge (a, b) is: rows of a and columns of b, or the other way round if transposed.
struct BlockSlot {
  int slot = -1;
  bool transposed = false;
};

class BlockStructure {
 public:
  // Edges join different nodes below `nodes`; they may be given twice and either way round. Gives up as soon
  // as it is certain that the factor takes more than `most_products`. Takes time in proportion to edges and
  // block products, but for a logarithm.
  static BlockStructure analyse(int nodes, std::span<const std::pair<int, int>> edges,
                                std::int64_t most_products);

  bool complete() const { return complete_; }  // false: given up, and only block_products() is of use
  // What a factorisation does: a node with m later ones takes a small factor, m triangular solves and
  // m (m + 1) / 2 products, (m + 1)(m + 2) / 2 in all; a tree of n nodes 3 n − 2. If given up: a number above
  // the bound that it would have reached.
  std::int64_t block_products() const { return block_products_; }

  int nodes() const { return int(order_.size()); }
  int slots() const { return int(columns_.size()); }     // blocks beside the diagonal, with fill
  std::span<const int> order() const { return order_; }  // the nodes as they are eliminated
  BlockSlot slot_of_edge(int edge) const { return edges_[std::size_t(edge)]; }

  // By place in the order: the slots of a row are first_slot(place) … first_slot(place + 1) − 1.
  int first_slot(int place) const { return first_slots_[std::size_t(place)]; }
  int column(int slot) const { return columns_[std::size_t(slot)]; }  // the later node
  // The elimination tree: the first node that the one at this place changes, or −1 for a root.
  int parent(int place) const {
    return first_slot(place) < first_slot(place + 1) ? column(first_slot(place)) : -1;
  }
  // Row after row, for each two slots s < t of a row, s first: the slot of (column(s), column(t)).
  std::span<const int> targets() const { return targets_; }

 private:
  bool complete_ = false;
  std::int64_t block_products_ = 0;
  std::vector<int> order_, first_slots_, columns_, targets_;
  std::vector<BlockSlot> edges_;
};

}  // namespace cairn
