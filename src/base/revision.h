// Whether something has changed since one looked: what was found from it may be kept as long as its revision stays the same.
//
// Assigning is a change, so that nothing that was kept outlives a state that is put back. A copy that is made has a history of its
// own, and so has whoever looks at it.
#pragma once

#include <cstdint>

namespace cairn {

class Revision {
 public:
  Revision() = default;
  Revision(const Revision&) noexcept {}
  Revision& operator=(const Revision&) noexcept {
    change();
    return *this;
  }
  void change() noexcept { ++value_; }
  std::uint64_t value() const { return value_; }  // never 0

 private:
  std::uint64_t value_ = 1;
};

}  // namespace cairn
