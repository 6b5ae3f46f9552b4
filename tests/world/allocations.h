// Memory of this program that runs out when a test says so.
#pragma once

#include <cstddef>

namespace allocations {

void allow(long count);     // so many more, then none; negative: as many as you like
bool ran_out();             // since the last `allow`
std::size_t bytes_taken();  // since then, while they are counted

}  // namespace allocations
