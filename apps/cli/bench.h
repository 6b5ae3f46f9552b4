// Scenes on Cairn and on other engines: speed and quality side by side.
#pragma once

#include <string>
#include <vector>

namespace cairn {

struct BenchOptions {
  std::vector<std::string> scenes;  // none: lists them
  std::vector<std::string> peers;
  int threads = 1;
  int size = 0, steps = 0;  // 0: the scene's own
  bool memory = true, json = false, quiet = false;
};

std::vector<std::string> bench_scenes();
std::vector<std::string> bench_peers();
int run_bench(const BenchOptions& options);  // the program's exit code

}  // namespace cairn
