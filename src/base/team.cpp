#include "base/team.h"

#include "base/assert.h"
#include "base/float_control.h"

namespace cairn {
namespace {

constexpr int k_spins = 2000;  // about 20 µs: longer than the gap between two stages of a step

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Waits until `value` is no longer `old`: spins first, then sleeps.
template <class T>
void wait_while(const std::atomic<T>& value, T old) {
  for (int i = 0; i < k_spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Team::Team(int threads) {
  const int workers = std::max(threads, 1) - 1;
  workers_.reserve(std::size_t(workers));
  try {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { serve(); });
  } catch (...) {
    // The system has no more threads or memory to give. Fewer are slower, and the results are the same.
  }
}

Team::~Team() {
  stop_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Team::run(std::size_t n, std::size_t block_size, Call call, void* context) {
  CAIRN_ASSERT(block_size > 0);
  const Job job{n, block_size, block_count(n, block_size), call, context};
  if (job.blocks == 0) return;
  if (job.blocks == 1 || workers_.empty()) {  // nothing to share
    for (std::size_t b = 0; b < job.blocks; ++b)
      call(context, {b, b * block_size, std::min(n, (b + 1) * block_size)});
    return;
  }
  job_ = job;
  next_block_.store(0, std::memory_order_relaxed);
  gate_.store(k_open, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  work(job);
  gate_.fetch_and(~k_open, std::memory_order_relaxed);
  for (std::uint32_t inside; (inside = gate_.load(std::memory_order_acquire)) != 0;)
    wait_while(gate_, inside);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// The caller and every worker run this until no block is left.
void Team::work(const Job& job) noexcept {
  for (std::size_t b; (b = next_block_.fetch_add(1, std::memory_order_relaxed)) < job.blocks;) {
    try {
      job.call(job.context, {b, b * job.block_size, std::min(job.n, (b + 1) * job.block_size)});
    } catch (...) {
      fail(b);
    }
  }
}

void Team::fail(std::size_t block) noexcept {
  const std::lock_guard lock(failure_mutex_);
  if (failure_ && failed_block_ < block)
    return;  // keep the exception that a single thread would have met first
  failure_ = std::current_exception();
  failed_block_ = block;
}

void Team::serve() noexcept {
  const FloatControl control;
  for (std::uint32_t seen = 0;;) {
    wait_while(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    std::uint32_t gate = gate_.load(std::memory_order_relaxed);
    while (gate & k_open)
      if (gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acquire)) {
        work(job_);
        if (gate_.fetch_sub(1, std::memory_order_release) == 1)
          gate_.notify_one();  // shut, and the last one out
        break;
      }
  }
}

}  // namespace cairn
