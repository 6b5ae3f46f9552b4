// A large value that seldom changes, held by several: copying counts, changing copies.
//
// Ownership is still plain, as nobody sees what another one changes. It is for what is built once and then only read,
// and would otherwise be copied with every saved state of a world: a mesh and its definition.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

#include "base/assert.h"

namespace cairn {

template <class T>
class Shared {
 public:
  Shared() = default;  // holds nothing
  Shared(T value) : cell_(new Cell{std::move(value)}) {}
  Shared(const Shared& other) noexcept : cell_(other.cell_) {
    if (cell_) cell_->holders.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& other) noexcept : cell_(std::exchange(other.cell_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(cell_, other.cell_);
    return *this;
  }
  ~Shared() {
    if (cell_ && cell_->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) delete cell_;
  }

  explicit operator bool() const { return cell_; }
  const T& operator*() const {
    CAIRN_ASSERT(cell_);
    return cell_->value;
  }
  const T* operator->() const { return &**this; }
  operator const T&() const { return **this; }

  // To be changed: the others keep what they have, at the cost of a copy. May run out of memory, and then has not
  // changed anything.
  T& own() {
    CAIRN_ASSERT(cell_);
    if (cell_->holders.load(std::memory_order_acquire) != 1) *this = Shared(cell_->value);
    return cell_->value;
  }

 private:
  struct Cell {
    T value;
    std::atomic<std::size_t> holders{1};  // states may be let go of by other threads
  };
  Cell* cell_ = nullptr;
};

}  // namespace cairn
