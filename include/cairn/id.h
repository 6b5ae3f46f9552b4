// Typed 8-byte names of the things in a world.
//
//   bit 63      52 51            24 23              0
//      [  world  ] [     index     ] [  generation   ]
//         12 bits        28 bits          24 bits
//
// An id is a value: copy it, store it, compare it. A slot's generation grows each time the slot is freed, so
// an id of a removed thing is recognised, and so is an id of another world: both are a cairn::Error, never
// undefined behaviour. The null id is all zeros; real generations and worlds start at 1.
//
// Ids of a world are in the order of their slots, whatever their generations: these differ between a run and its
// repetition from a saved state, and must not show in the order of anything.
#pragma once

#include <compare>
#include <cstdint>

namespace cairn {

template <class Tag>
class Id {
 public:
  static constexpr int k_index_bits = 28, k_generation_bits = 24, k_world_bits = 12;

  constexpr Id() = default;
  constexpr Id(std::uint32_t index, std::uint32_t generation, std::uint32_t world)
      : bits_(std::uint64_t{world} << (k_index_bits + k_generation_bits) |
              std::uint64_t{index} << k_generation_bits | generation) {}
  static constexpr Id from_bits(std::uint64_t bits) {
    Id id;
    id.bits_ = bits;
    return id;
  }

  constexpr std::uint32_t index() const { return (bits_ >> k_generation_bits) & ((1u << k_index_bits) - 1); }
  constexpr std::uint32_t generation() const { return bits_ & ((1u << k_generation_bits) - 1); }
  constexpr std::uint32_t world() const { return std::uint32_t(bits_ >> (k_index_bits + k_generation_bits)); }
  constexpr std::uint64_t bits() const { return bits_; }
  constexpr explicit operator bool() const { return bits_ != 0; }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::uint64_t bits_ = 0;
};

using BodyId = Id<struct BodyTag>;
using ForceId = Id<struct ForceTag>;
static_assert(sizeof(BodyId) == 8);

}  // namespace cairn
