// A small fork–join team of threads.
//
// Work is cut into fixed blocks that depend only on its size; threads claim blocks as they come free; results
// are kept per block and merged in block order. So the number of threads and the luck of scheduling never
// show.
//
//   caller   ── for_blocks ──┬─ block 0 ─ block 3 ──────────┬── goes on
//   worker 1                 ├─ block 1 ─ block 4 ─ block 5 ─┤
//   worker 2                 └─ block 2 ─────────────────────┘
//
// Workers spin for a little while after a job, because the next one usually follows within microseconds, and
// then sleep. The caller works too (a team of one has no threads at all), and when no block is left it shuts
// the gate: a worker that wakes too late finds it shut, and nobody waits for it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace cairn {

struct Block {
  std::size_t index, begin, end;
};

class Team {
 public:
  explicit Team(int threads = 1);  // including the caller; at least 1
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return int(workers_.size()) + 1; }

  static std::size_t block_count(std::size_t n, std::size_t block_size) {
    return (n + block_size - 1) / block_size;
  }

  // f(Block) for each block of [0, n), in any order and on any thread. If blocks throw, the exception of the
  // lowest block is rethrown here after all blocks have run or been skipped. Not to be nested.
  template <class F>
  void for_blocks(std::size_t n, std::size_t block_size, F&& f) {
    using Function = std::remove_reference_t<F>;
    const auto call = [](void* context, const Block& block) { (*static_cast<Function*>(context))(block); };
    run(n, block_size, call, const_cast<void*>(static_cast<const void*>(std::addressof(f))));
  }

  // merge(…merge(merge(start, map(block 0)), map(block 1))…): map on any thread, merge here, in block order.
  template <class T, class Map, class Merge>
  T reduce(std::size_t n, std::size_t block_size, T start, Map&& map, Merge&& merge) {
    std::vector<T> parts(block_count(n, block_size), start);
    for_blocks(n, block_size, [&](const Block& block) { parts[block.index] = map(block); });
    for (T& part : parts) start = merge(std::move(start), std::move(part));
    return start;
  }

 private:
  using Call = void (*)(void* context, const Block&);
  struct Job {
    std::size_t n = 0, block_size = 1, blocks = 0;
    Call call = nullptr;
    void* context = nullptr;
  };

  void run(std::size_t n, std::size_t block_size, Call call, void* context);
  void work(const Job& job) noexcept;
  void serve() noexcept;
  void fail(std::size_t block) noexcept;

  // Written by the caller while the gate is shut and nobody is inside.
  Job job_;
  alignas(64) std::atomic<std::uint32_t> round_{0};  // raised for every job, and once to stop: wakes workers
  alignas(64) std::atomic<std::uint32_t> gate_{0};   // k_open, plus the number of workers inside the job
  alignas(64) std::atomic<std::size_t> next_block_{0};  // the next block to claim
  std::atomic<bool> stop_{false};
  static constexpr std::uint32_t k_open = 1u << 31;

  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::size_t failed_block_ = 0;

  std::vector<std::thread> workers_;
};

}  // namespace cairn
