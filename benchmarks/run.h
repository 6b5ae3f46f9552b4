// Plays scenes on several engines and measures both: how long a step takes, and how good what came of it is.
//
// All engines of a scene run in one process and take turns step by step, so that whatever else the machine
// does disturbs all of them. Only the step is timed: in the time of the thread for one thread, which others
// on the machine disturb less, by the clock on the wall for more.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "benchmarks/engine.h"
#include "benchmarks/scenes/catalogue.h"

namespace cairn::bench {

struct RunOptions {
  std::vector<std::string> engines{"cairn"};
  int threads = 1;
  SceneOptions scene{};
  bool memory =
      false;  // measure peak_mb too: plays the scene once more for each engine, in a process of its own
};

// A row of the table.
struct Result {
  std::string engine, scene;
  int threads = 1;
  std::size_t bodies = 0;  // with those that are fixed
  int steps = 0;
  std::optional<double> median_ms{}, p99_ms{};  // of a step
  Quality quality{};
  std::optional<double> peak_mb{};  // [10⁶ B] that playing the scene added to a process
  std::string note{};               // why something is missing; empty where all is well
};

// Of the step that is being played, and all of them.
using Watch = std::function<void(const std::string& scene, int step, int steps)>;

// A row for each engine that plays scenes of this dimension, in the order of the options. Throws cairn::Error
// for a scene or an engine that is not known.
std::vector<Result> run(std::string_view scene, const RunOptions& options, const Watch& watch = {});

}  // namespace cairn::bench
