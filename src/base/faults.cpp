#include "base/faults.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace cairn {

void Faults::append(std::string& text, double part) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, part).ptr);
}

void stop_at(const Faults& faults, std::string_view when) noexcept {
  if (faults.empty()) return;
  std::fprintf(stderr, "cairn: a fault of the library, found by its validation build %.*s:\n",
               int(when.size()), when.data());
  constexpr std::size_t k_shown = 20;
  for (std::size_t i = 0; i < faults.texts().size() && i < k_shown; ++i)
    std::fprintf(stderr, "  %s\n", faults.texts()[i].c_str());
  if (faults.texts().size() > k_shown)
    std::fprintf(stderr, "  and %zu more\n", faults.texts().size() - k_shown);
  std::abort();
}

}  // namespace cairn
