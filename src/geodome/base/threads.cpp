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

/// Holds BLAS to one thread: its own threads would fight ours for the same cores.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas() {
    if (!openblas_set_num_threads || !openblas_get_num_threads) return;
    const std::lock_guard lock(mutex());
    if (depth()++ == 0) {
      before() = openblas_get_num_threads();
      openblas_set_num_threads(1);
    }
  }
  ~SingleThreadedBlas() {
    if (!openblas_set_num_threads || !openblas_get_num_threads) return;
    const std::lock_guard lock(mutex());
    if (--depth() == 0) openblas_set_num_threads(before());
  }
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  static int& depth() {
    static int instance = 0;
    return instance;
  }
  static int& before() {
    static int instance = 1;
    return instance;
  }
};

}  // namespace

int thread_count(const Execution& execution) {
  if (execution.threads > 0) return execution.threads;
  return std::max(1u, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t items, const Execution& execution, std::string_view stage,
                  const std::function<void(std::size_t, int)>& work) {
  if (items == 0) return;
  const SingleThreadedBlas blas;
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
