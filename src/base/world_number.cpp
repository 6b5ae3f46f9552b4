#include "base/world_number.h"

#include <cairn/error.h>
#include <cairn/id.h>

#include <bitset>
#include <mutex>

namespace cairn {
namespace {

constexpr std::uint32_t k_numbers = 1u << BodyId::k_world_bits;

struct Register {
  std::mutex mutex;
  std::bitset<k_numbers> used;
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
    if (r.used[n]) continue;
    r.used[n] = true;
    value_ = n;
    return;
  }
  throw Error("World", std::to_string(k_numbers - 1) + " worlds",
              "is the most that a process can have at once");
}

WorldNumber::~WorldNumber() {
  Register& r = the_register();
  const std::lock_guard lock(r.mutex);
  r.used[value_] = false;
}

}  // namespace cairn
