#include "base/world_number.h"

#include <cairn/error.h>
#include <cairn/id.h>

#include <array>
#include <mutex>

namespace cairn {
namespace {

constexpr std::uint32_t k_numbers = 1u << BodyId::k_world_bits;

struct Register {
  std::mutex mutex;
  std::array<std::uint32_t, k_numbers> holders{};
  std::uint32_t next = 1;  // 0 is the null id's
};
Register& the_register() {
  static Register r;
  return r;
}

}  // namespace

WorldNumber::WorldNumber() {
  Register& r = the_register();
  const std::lock_guard lock(r.mutex);
  for (std::uint32_t tried = 1; tried < k_numbers; ++tried) {
    const std::uint32_t n = r.next;
    r.next = n + 1 == k_numbers ? 1 : n + 1;
    if (r.holders[n] > 0) continue;
    r.holders[n] = 1;
    value_ = n;
    return;
  }
  throw Error("World", std::to_string(k_numbers - 1) + " worlds",
              "is the most that a process can have at once");
}

WorldNumber::WorldNumber(const WorldNumber& other) noexcept : value_(other.value_) {
  Register& r = the_register();
  const std::lock_guard lock(r.mutex);
  ++r.holders[value_];
}

WorldNumber::~WorldNumber() {
  Register& r = the_register();
  const std::lock_guard lock(r.mutex);
  --r.holders[value_];
}

}  // namespace cairn
