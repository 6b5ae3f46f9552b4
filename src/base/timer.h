// Wall time, for reports only: nothing that a simulation computes may depend on it.
#pragma once

#include <chrono>

namespace cairn {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double lap() {  // seconds since the last lap, or the start
    const Clock::time_point now = Clock::now();
    const double s = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return s;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace cairn
