// A progress bar on stderr, if that is a terminal; otherwise nothing.
#pragma once

#include <chrono>
#include <string>

namespace cairn {

class Progress {
 public:
  Progress(double end, bool quiet);
  ~Progress();  // wipes the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Draws at most ten times a second; cheap otherwise. `note` stands behind the bar.
  template <class Note>
  void update(double time, Note&& note) {
    if (shown_ && is_due()) draw(time, note());
  }
  double seconds() const;  // of wall time since the start

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due();
  void draw(double time, const std::string& note);

  double end_;  // [s] of simulated time
  bool shown_, colour_;
  Clock::time_point start_ = Clock::now(), next_ = start_;
};

}  // namespace cairn
