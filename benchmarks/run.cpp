#include "benchmarks/run.h"

#include <cairn/error.h>
#include <time.h>

#include <algorithm>

#include "benchmarks/peak_memory.h"

namespace cairn::bench {
namespace {

double now(clockid_t clock) {  // [s]
  timespec t;
  clock_gettime(clock, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// The value that the given fraction of all does not exceed.
double quantile(std::vector<double> values, double fraction) {
  const auto at = std::min(std::size_t(fraction * double(values.size())), values.size() - 1);
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(at), values.end());
  return values[at];
}

template <class D>
struct Runner {
  Result& result;
  std::unique_ptr<Engine<D>> engine;
  Evaluator<D> evaluator;
  std::vector<BodyState<D>> states;
  std::vector<double> seconds;  // of each step

  Runner(const Scene<D>& scene, Result& r, std::unique_ptr<Engine<D>> e)
      : result(r), engine(std::move(e)), evaluator(scene), states(start_of(scene)) {}

  void step() {
    const clockid_t clock = engine->threads() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    const double start = now(clock);
    engine->step();
    seconds.push_back(now(clock) - start);
    engine->read(states);
    evaluator.observe(states);
  }
  void finish() {
    result.median_ms = 1e3 * quantile(seconds, 0.5);
    result.p99_ms = 1e3 * quantile(seconds, 0.99);
    result.quality = evaluator.quality();
    if (!result.quality.finite) result.note = "a body is no longer at a finite place";
  }
};

template <class D>
std::optional<double> peak_mb(const Scene<D>& scene, const std::string& engine, int threads) {
  return peak_memory([&] {
    const std::unique_ptr<Engine<D>> alone = make_engine<D>(engine, threads);
    alone->build(scene);
    for (int i = 0; i < scene.steps; ++i) alone->step();
  });
}

template <class D>
void play(const Scene<D>& scene, std::vector<Result>& results, const RunOptions& options,
          const Watch& watch) {
  std::vector<std::unique_ptr<Runner<D>>> runners;
  for (Result& result : results) {
    result.bodies = scene.bodies.size();
    result.steps = scene.steps;
    std::unique_ptr<Engine<D>> engine = make_engine<D>(result.engine, options.threads);
    if (!engine) {
      result.note = "not installed";
      continue;
    }
    result.threads = engine->threads();
    try {
      engine->build(scene);
    } catch (const Error& e) {
      result.note = e.remedy();
      continue;
    }
    runners.push_back(std::make_unique<Runner<D>>(scene, result, std::move(engine)));
  }
  for (int step = 0; step < scene.steps && !runners.empty(); ++step) {
    if (watch) watch(scene.name, step, scene.steps);
    for (std::size_t i = 0; i < runners.size(); ++i)  // another one begins each time
      runners[(i + std::size_t(step)) % runners.size()]->step();
  }
  for (const auto& runner : runners) runner->finish();
  const auto ran = [&](const Result& result) { return result.median_ms.has_value(); };
  runners.clear();
  for (Result& result : results)
    if (options.memory && ran(result)) result.peak_mb = peak_mb(scene, result.engine, options.threads);
}

template <class D>
constexpr bool EngineInfo::*k_plays = nullptr;
template <>
constexpr bool EngineInfo::*k_plays<Dim2> = &EngineInfo::in_2d;
template <>
constexpr bool EngineInfo::*k_plays<Dim3> = &EngineInfo::in_3d;

}  // namespace

std::vector<Result> run(std::string_view name, const RunOptions& options, const Watch& watch) {
  return std::visit(
      [&]<class D>(const Scene<D>& scene) {
        std::vector<Result> results;
        for (const std::string& engine : options.engines) {
          const auto known = std::find_if(engines().begin(), engines().end(),
                                          [&](const EngineInfo& info) { return info.name == engine; });
          if (known == engines().end()) throw Error("engine", engine, "must be cairn, bullet or box2d");
          if ((*known).*k_plays<D>) results.push_back({.engine = engine, .scene = scene.name});
        }
        play(scene, results, options, watch);
        return results;
      },
      make_scene(name, options.scene));
}

}  // namespace cairn::bench
