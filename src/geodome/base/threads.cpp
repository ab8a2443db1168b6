#include "geodome/base/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

// Present when OpenBLAS is the BLAS that was linked; absent otherwise.
extern "C" void openblas_set_num_threads(int threads) __attribute__((weak));
extern "C" int openblas_get_num_threads() __attribute__((weak));

namespace geodome {
namespace {

bool blas_listens() {
  return openblas_set_num_threads && openblas_get_num_threads;
}

/// Shared by all who set the number of threads of BLAS.
struct BlasState {
  std::mutex mutex;
  int depth = 0;
  int before = 1;
};

BlasState& blas_state() {
  static BlasState instance;
  return instance;
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  if (!blas_listens()) return;
  BlasState& state = blas_state();
  const std::lock_guard lock(state.mutex);
  if (state.depth++ > 0) return;
  state.before = openblas_get_num_threads();
  openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (!blas_listens()) return;
  BlasState& state = blas_state();
  const std::lock_guard lock(state.mutex);
  if (--state.depth == 0) openblas_set_num_threads(state.before);
}

int thread_count(const Execution& execution) {
  if (execution.threads > 0) return execution.threads;
  return std::max(1u, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t items, const Execution& execution, std::string_view stage,
                  const std::function<void(std::size_t, int)>& work) {
  if (items == 0) return;
  const SingleThreadedBlas blas;  // its own threads would fight ours for the same cores
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::mutex mutex;  // guards the callback, `done` and `failure`
  std::size_t done = 0;
  std::exception_ptr failure;

  const auto run = [&](int thread) {
    for (std::size_t item = next++; item < items && !stop; item = next++) {
      try {
        work(item, thread);
        const std::lock_guard lock(mutex);
        ++done;
        if (!stage.empty()) execution.report(stage, static_cast<double>(done) / static_cast<double>(items));
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        stop = true;
      }
    }
  };

  const int threads = static_cast<int>(std::min<std::size_t>(thread_count(execution), items));
  std::vector<std::jthread> helpers;
  for (int thread = 1; thread < threads; ++thread) helpers.emplace_back(run, thread);
  run(0);
  helpers.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace geodome
