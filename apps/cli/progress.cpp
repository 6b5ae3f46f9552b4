#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace cairn {

Progress::Progress(double end, bool quiet)
    : end_(end), shown_(!quiet && isatty(STDERR_FILENO)), colour_(std::getenv("NO_COLOR") == nullptr) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

bool Progress::is_due() {
  const Clock::time_point now = Clock::now();
  if (now < next_) return false;
  next_ = now + std::chrono::milliseconds(100);
  return true;
}

void Progress::draw(double time, const std::string& note) {
  constexpr int k_width = 30;
  const int filled = int(std::lround(k_width * std::clamp(time / end_, 0.0, 1.0)));
  std::string done, rest;
  for (int i = 0; i < k_width; ++i) (i < filled ? done : rest) += i < filled ? "━" : "─";
  const char* on = colour_ ? "\x1b[36m" : "";
  const char* dim = colour_ ? "\x1b[2m" : "";
  const char* off = colour_ ? "\x1b[0m" : "";
  std::fprintf(stderr, "\r\x1b[K%s%s%s%s%s%s %6.2f of %g s  %.0f× real time  %s", on, done.c_str(), off, dim,
               rest.c_str(), off, time, end_, time / std::max(seconds(), 1e-9), note.c_str());
  std::fflush(stderr);
}

}  // namespace cairn
