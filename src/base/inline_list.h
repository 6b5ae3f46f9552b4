// A list whose first N elements need no memory of their own.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace cairn {

// For small trivially copyable values. Grows like std::vector and keeps its memory when cleared. Elements that are not there yet
// are not made either: clearing the room for one manifold was 3 % of a step of `tumbler`.
template <class T, std::size_t N>
class InlineList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  InlineList() = default;
  // Only what is in use is copied: of an empty list next to nothing.
  InlineList(const InlineList& other) : size_(other.size_), more_(other.more_) { copy_first(other); }
  InlineList(InlineList&& other) noexcept : size_(other.size_), more_(std::move(other.more_)) {
    copy_first(other);
    other.size_ = 0;
  }
  InlineList& operator=(const InlineList& other) {
    if (this == &other) return *this;
    more_ = other.more_;
    size_ = other.size_;
    copy_first(other);
    return *this;
  }
  InlineList& operator=(InlineList&& other) noexcept {
    if (this == &other) return *this;
    more_ = std::move(other.more_);
    size_ = other.size_;
    copy_first(other);
    other.more_.clear();
    other.size_ = 0;
    return *this;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return more_.empty() ? first_.values : more_.data(); }
  const T* data() const { return more_.empty() ? first_.values : more_.data(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }

  void push_back(const T& value) {
    if (more_.empty() && size_ == N) more_.assign(first_.values, first_.values + N);
    if (more_.empty())
      std::construct_at(first_.values + size_, value);
    else if (size_ < more_.size())
      more_[size_] = value;
    else
      more_.push_back(value);
    ++size_;
  }
  void clear() { size_ = 0; }
  void resize_down(std::size_t n) { size_ = n < size_ ? n : size_; }

 private:
  union Room {
    Room() {}  // nothing in it
    T values[N];
  };

  void copy_first(const InlineList& other) {
    if (more_.empty())
      for (std::size_t i = 0; i < size_; ++i) std::construct_at(first_.values + i, other.first_.values[i]);
  }

  std::size_t size_ = 0;
  std::vector<T> more_;  // all elements, once there were more than N; then never shrinks
  Room first_;
};

}  // namespace cairn
