// Eigen is header-only templates: under its own name its functions would be weak symbols here and in a user's
// program that has Eigen too, compiled with other flags, and the linker would keep one set for both. So here
// it is compiled under another name.
#define Eigen CairnEigen
#define EIGEN_MPL2_ONLY
#include <Eigen/Sparse>
#include <Eigen/SparseLU>

#include "base/assert.h"
#include "math/block_system.h"

namespace cairn {

struct BlockSystem::Impl {
  std::size_t block_size, blocks = 0;
  std::vector<CairnEigen::Triplet<double>> entries;
};

BlockSystem::BlockSystem(std::size_t block_size) : impl_(new Impl{block_size, 0, {}}) {}
BlockSystem::~BlockSystem() = default;

void BlockSystem::reset(std::size_t blocks) {
  impl_->blocks = blocks;
  impl_->entries.clear();
}

void BlockSystem::add(std::size_t row, std::size_t column, std::span<const double> block) {
  const std::size_t n = impl_->block_size;
  CAIRN_ASSERT(block.size() == n * n && row < impl_->blocks && column < impl_->blocks);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c)
      if (const double v = block[n * r + c]; v != 0 || r == c)
        impl_->entries.emplace_back(int(n * row + r), int(n * column + c), v);
}

bool BlockSystem::solve(std::span<const double> right_hand_side, std::span<double> x) {
  const auto n = CairnEigen::Index(impl_->blocks * impl_->block_size);
  CAIRN_ASSERT(std::size_t(n) == right_hand_side.size() && x.size() == right_hand_side.size());
  CairnEigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(impl_->entries.begin(), impl_->entries.end());
  CairnEigen::SparseLU<CairnEigen::SparseMatrix<double>> lu(matrix);
  if (lu.info() != CairnEigen::Success) return false;
  CairnEigen::Map<CairnEigen::VectorXd>(x.data(), n) =
      lu.solve(CairnEigen::Map<const CairnEigen::VectorXd>(right_hand_side.data(), n));
  return lu.info() == CairnEigen::Success;
}

}  // namespace cairn
