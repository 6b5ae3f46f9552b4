// A 64-bit fingerprint of simulation state, to compare runs bit for bit.
//
// Values are added one by one, never raw structs, whose padding is arbitrary. The order matters. Not
// cryptographic: each word is mixed in by a multiply and a rotation, and the finish spreads every bit.
#pragma once

#include <bit>
#include <cstdint>

namespace cairn {

class StateHash {
 public:
  StateHash& add(std::uint64_t word) {
    state_ = (std::rotl(state_, 29) ^ word) * 0x9e3779b97f4a7c15u;  // 2⁶⁴ divided by the golden ratio, odd
    return *this;
  }
  StateHash& add(double value) { return add(std::bit_cast<std::uint64_t>(value)); }  // −0 differs from 0

  std::uint64_t value() const {
    std::uint64_t x = state_;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
  }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3u;  // the first digits of π
};

}  // namespace cairn
