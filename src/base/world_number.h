// Numbers worlds, so that an id of one world is not mistaken for one of another.
//
// The numbers in use are the one thing that worlds of a process share. They are handed out in turn, so that a
// number comes back only after all others have been used, and never show in results or state hashes.
//
// A copy is the same number: it goes with a saved state, and with the worlds that this is restored in, and is in use
// until the last of them is gone.
#pragma once

#include <cstdint>
#include <utility>

namespace cairn {

class WorldNumber {
 public:
  WorldNumber();  // throws cairn::Error when 4095 worlds exist already
  ~WorldNumber();
  WorldNumber(const WorldNumber& other) noexcept;
  WorldNumber& operator=(WorldNumber other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_;
};

}  // namespace cairn
