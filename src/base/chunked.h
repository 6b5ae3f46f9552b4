// A list that grows in chunks: elements stay where they are, growing copies nothing, and less than a chunk is left unused. A vector
// that doubles has room for up to twice as many, and for three times while it grows.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace cairn {

template <class T, std::size_t N = 128>
class Chunked {
 public:
  Chunked() = default;
  Chunked(const Chunked& other) : size_(other.size_) {
    chunks_.reserve(other.chunks_.size());
    for (const auto& chunk : other.chunks_) chunks_.push_back(std::make_unique<Chunk>(*chunk));
  }
  Chunked(Chunked&& other) noexcept
      : size_(std::exchange(other.size_, 0)), chunks_(std::move(other.chunks_)) {}
  Chunked& operator=(Chunked other) noexcept {
    size_ = other.size_;
    chunks_.swap(other.chunks_);
    return *this;
  }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return chunks_.size() * N; }
  T& operator[](std::size_t i) { return (*chunks_[i / N])[i % N]; }
  const T& operator[](std::size_t i) const { return (*chunks_[i / N])[i % N]; }

  void reserve(std::size_t count) {
    while (capacity() < count) chunks_.push_back(std::make_unique<Chunk>());
  }
  // One more, as it is by default.
  T& emplace_back() {
    reserve(size_ + 1);
    return (*this)[size_++];
  }

 private:
  using Chunk = std::array<T, N>;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace cairn
