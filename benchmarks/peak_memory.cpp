#include "benchmarks/peak_memory.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace cairn::bench {
namespace {

double highest() {  // [B] that were ever resident, of this process
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * double(usage.ru_maxrss);
}

// The child starts with the parent's resident pages as its highest, so what it adds shows, once the heap that
// the parent has freed is given back and cannot be used again unseen.
void give_back_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

[[noreturn]] void measure_and_exit(const std::function<void()>& work, int out) {
  bool good = true;
  const double before = highest();
  try {
    work();
  } catch (...) {
    good = false;
  }
  const double grown = highest() - before;
  good = good && write(out, &grown, sizeof grown) == ssize_t(sizeof grown);
  _exit(good ? 0 : 1);
}

}  // namespace

std::optional<double> peak_memory(const std::function<void()>& work) {
  give_back_freed_memory();
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) measure_and_exit(work, ends[1]);
  close(ends[1]);
  double grown = 0;
  const bool told = child > 0 && read(ends[0], &grown, sizeof grown) == ssize_t(sizeof grown);
  close(ends[0]);
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  if (!told || status != 0) return std::nullopt;
  return 1e-6 * std::max(grown, 0.0);
}

}  // namespace cairn::bench
