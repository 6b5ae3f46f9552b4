// Sparse linear systems made of small dense blocks. The only door to Eigen.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace cairn {

class BlockSystem {
 public:
  explicit BlockSystem(std::size_t block_size);
  ~BlockSystem();

  void reset(std::size_t blocks);  // an empty system of blocks × blocks
  void add(std::size_t row, std::size_t column, std::span<const double> block);  // row by row; adds up
  // Solves for x; both have blocks × block_size numbers. False if the matrix is singular to round-off.
  bool solve(std::span<const double> right_hand_side, std::span<double> x);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
