// A symmetric positive definite system of N × N blocks, one row of blocks a body, solved directly:
//
//     A = M + Jᵀ Γ⁻¹ J
//
// M holds the masses, J the rows of the constraints, Γ their softness. Node by node in the order of
// elimination (block_structure.h), A is overwritten by its factor; for each node k, and i ≤ j of its later
// nodes:
//
//     A_kk = U_kᵀ D_k U_k,    X_ki = U_k⁻ᵀ A_ki,    A_ij ← A_ij − X_kiᵀ D_k⁻¹ X_kj
//
// U_k is upper triangular with ones, D_k diagonal: LDLᵀ of the whole matrix, number by number, which is
// backward stable; inverting A_kk instead (Baraff 1996) is less so when A_kk is ill-conditioned. A ratio of
// masses costs digits of x, hardly any of the residual. Roots instead of D (LLᵀ) took 1.5 times as long to
// factorise a chain, waiting for them.
//
// Blocks are rows of rows, and the kernels combine whole rows: N numbers side by side, which compilers turn
// into lanes without changing a bit. Nothing after the constructor allocates.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "base/array.h"
#include "solvers/block_structure.h"

namespace cairn {

template <int N>
class BlockCholesky {
 public:
  using Block = std::array<std::array<double, N>, N>;  // [row][column]

  BlockCholesky() = default;
  explicit BlockCholesky(BlockStructure structure);  // a complete one; all zeros

  const BlockStructure& structure() const { return structure_; }

  // 1. The matrix: add into the blocks. Of the diagonal ones only the columns from the row's own on are read.
  void clear() noexcept;
  Block& diagonal(int node) { return diagonal_[std::size_t(node)]; }
  Block& off_diagonal(int slot) { return upper_[std::size_t(slot)]; }
  void add(BlockSlot slot,
           const Block& block) noexcept;  // block: rows of a, columns of b, for an edge (a, b)

  // 2. Its factor, in its place. False if it is not positive definite, or not finite.
  bool factorise() noexcept;
  int failed_node() const { return failed_node_; }  // whose pivot was not positive; −1: none

  // 3. A x = b, as often as needed: b goes in, x comes out. Node i has x[N i] … x[N i + N − 1].
  void solve(std::span<double> x) const noexcept;

 private:
  BlockStructure structure_;
  Array<Block> diagonal_;  // by node; factorised: D⁻¹ on the diagonal, U above it
  Array<Block> upper_;     // by slot; factorised: X
  int failed_node_ = -1;
};

extern template class BlockCholesky<3>;
extern template class BlockCholesky<6>;

}  // namespace cairn
