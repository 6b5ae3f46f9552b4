// A list with a head, both in one block of memory, which one that is empty does without: it is a pointer and two numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace cairn {

// For trivially copyable values. Clearing it, or assigning an empty one by copy, keeps its memory; moving an empty one in gives it
// back. The head is there as long as the memory is.
template <class Head, class T>
class HeadedList {
  static_assert(std::is_trivially_copyable_v<Head> && std::is_trivially_copyable_v<T>);
  static_assert(sizeof(Head) % alignof(T) == 0 && alignof(Head) >= alignof(T) &&
                alignof(Head) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

 public:
  HeadedList() = default;
  HeadedList(const HeadedList& other) { *this = other; }
  HeadedList(HeadedList&& other) noexcept { swap(other); }
  ~HeadedList() { ::operator delete(head_); }
  HeadedList& operator=(const HeadedList& other) {
    if (this == &other) return *this;
    size_ = 0;
    if (other.empty()) return *this;
    reserve(other.size_);
    *head_ = *other.head_;
    std::uninitialized_copy_n(other.data(), other.size_, data());
    size_ = other.size_;
    return *this;
  }
  HeadedList& operator=(HeadedList&& other) noexcept {
    HeadedList(std::move(other)).swap(*this);
    return *this;
  }
  void swap(HeadedList& other) noexcept {
    std::swap(head_, other.head_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  Head& head() { return *head_; }
  const Head& head() const { return *head_; }
  T* data() { return head_ ? reinterpret_cast<T*>(head_ + 1) : nullptr; }
  const T* data() const { return head_ ? reinterpret_cast<const T*>(head_ + 1) : nullptr; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return reinterpret_cast<T*>(head_ + 1)[i]; }
  const T& operator[](std::size_t i) const { return reinterpret_cast<const T*>(head_ + 1)[i]; }

  void push_back(const T& value) {
    if (size_ == capacity_) {
      const T copy = value;  // it may be one of the list's own
      reserve(capacity_ == 0 ? 1 : 2 * capacity_);
      std::construct_at(data() + size_++, copy);
    } else {
      std::construct_at(data() + size_++, value);
    }
  }
  void clear() { size_ = 0; }

 private:
  void reserve(std::uint32_t count) {
    if (count <= capacity_) return;
    Head* const head = static_cast<Head*>(::operator new(sizeof(Head) + count * sizeof(T)));
    std::construct_at(head, head_ ? *head_ : Head{});
    std::uninitialized_copy_n(data(), size_, reinterpret_cast<T*>(head + 1));
    ::operator delete(head_);
    head_ = head;
    capacity_ = count;
  }

  Head* head_ = nullptr;
  std::uint32_t size_ = 0, capacity_ = 0;
};

}  // namespace cairn
