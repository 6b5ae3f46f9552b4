// How much memory something needs at most, measured in a process of its own.
#pragma once

#include <functional>
#include <optional>

namespace cairn::bench {

// [10⁶ B] by which the resident memory of a forked process grows while it runs `work`, at its highest;
// nothing if that process fails. The caller must have no other threads that hold locks.
std::optional<double> peak_memory(const std::function<void()>& work);

}  // namespace cairn::bench
