#include "bench.h"

#include <unistd.h>

#include <cstdio>

#include "benchmarks/report.h"
#include "benchmarks/run.h"

namespace cairn {
namespace {

void list_scenes() {
  for (const bench::SceneInfo& info : bench::scenes())
    std::printf("%-16s %s\n%-16s   size %d (%s), %d steps\n", std::string(info.name).c_str(),
                std::string(info.description).c_str(), "", info.size, std::string(info.unit).c_str(),
                info.steps);
}

// One line on stderr, if that is a terminal.
class StepCounter {
 public:
  explicit StepCounter(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO)) {}
  ~StepCounter() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }
  void operator()(const std::string& scene, int step, int steps) const {
    if (shown_) std::fprintf(stderr, "\r\x1b[K%s  step %d of %d", scene.c_str(), step + 1, steps);
  }

 private:
  bool shown_;
};

}  // namespace

std::vector<std::string> bench_scenes() {
  std::vector<std::string> names;
  for (const bench::SceneInfo& info : bench::scenes()) names.emplace_back(info.name);
  return names;
}
std::vector<std::string> bench_peers() {
  std::vector<std::string> names;
  for (const bench::EngineInfo& info : bench::engines())
    if (info.name != "cairn") names.emplace_back(info.name);
  return names;
}

int run_bench(const BenchOptions& options) {
  if (options.scenes.empty()) {
    list_scenes();
    return 0;
  }
  bench::RunOptions run{.threads = options.threads,
                        .scene = {.size = options.size, .steps = options.steps},
                        .memory = options.memory};
  run.engines.insert(run.engines.end(), options.peers.begin(), options.peers.end());
  std::vector<bench::Result> results;
  {
    const StepCounter counter(options.quiet);
    for (const std::string& scene : options.scenes)
      for (bench::Result& result : bench::run(scene, run, std::cref(counter)))
        results.push_back(std::move(result));
  }
  std::fputs((options.json ? bench::json_of(results) : bench::table_of(results)).c_str(), stdout);
  return 0;
}

}  // namespace cairn
