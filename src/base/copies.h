// Members that say how they are copied, so that whole structures can be: by the copy the compiler writes, which forgets
// nothing. What a class declares is its state, and goes along, unless it is one of these.
//
//   Uncopied<T>   scratch, hooks, ties to a neighbour: a copy starts without, an assignment leaves what is there
//   Roomy<V>      a vector whose room somebody relies on (V::push_back that must not fail): a copy has as much
//   Shared<T>     in base/shared.h: large and seldom changed; a copy is a reader of the same
#pragma once

#include <utility>

namespace cairn {

template <class T>
struct Uncopied : T {
  using T::T;
  using T::operator=;
  Uncopied() = default;
  Uncopied(const Uncopied&) noexcept : T() {}
  Uncopied(Uncopied&&) noexcept : T() {}
  Uncopied& operator=(const Uncopied&) noexcept { return *this; }
  Uncopied& operator=(Uncopied&&) noexcept { return *this; }
};
// A copy points at nothing.
template <class T>
class Uncopied<T*> {
 public:
  explicit Uncopied(T* pointer) : pointer_(pointer) {}
  Uncopied(const Uncopied&) noexcept {}
  Uncopied& operator=(const Uncopied&) noexcept { return *this; }
  T* operator->() const { return pointer_; }
  T& operator*() const { return *pointer_; }

 private:
  T* pointer_ = nullptr;
};

template <class V>
struct Roomy : V {
  using V::V;
  Roomy() = default;
  Roomy(const Roomy& other) : V() {
    V::reserve(other.capacity());
    V::insert(V::end(), other.begin(), other.end());
  }
  Roomy(Roomy&&) noexcept = default;
  Roomy& operator=(const Roomy&) = delete;  // might end up with less room than there was
  Roomy& operator=(Roomy&&) noexcept = default;
};

}  // namespace cairn
