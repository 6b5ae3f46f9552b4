// Numbers worlds, so that an id of one world is not mistaken for one of another.
//
// The numbers in use are the one thing that worlds of a process share. They are handed out in turn, so that a
// number comes back only after all others have been used, and never show in results or state hashes.
#pragma once

#include <cstdint>

namespace cairn {

class WorldNumber {
 public:
  WorldNumber();  // throws cairn::Error when 4095 worlds exist already
  ~WorldNumber();
  WorldNumber(const WorldNumber&) = delete;
  WorldNumber& operator=(const WorldNumber&) = delete;
  std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_;
};

}  // namespace cairn
