#include "geodome/base/threads.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "geodome/base/platform.h"

namespace geodome::internal {
namespace {

bool blas_listens() {
  return openblas().set_num_threads && openblas().get_num_threads;
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

/// Of the threads that pieces of work side by side have together, how many are free to join a loop of either;
/// none where this thread works for nobody else.
thread_local std::atomic<int>* spare_threads = nullptr;

bool take_spare_thread() {
  if (spare_threads == nullptr) return true;
  int free = *spare_threads;
  while (free > 0)
    if (spare_threads->compare_exchange_weak(free, free - 1)) return true;
  return false;
}

void leave_spare_thread() {
  if (spare_threads != nullptr) ++*spare_threads;
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  if (!blas_listens()) return;
  BlasState& state = blas_state();
  const std::lock_guard lock(state.mutex);
  if (state.depth++ > 0) return;
  state.before = openblas().get_num_threads();
  openblas().set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (!blas_listens()) return;
  BlasState& state = blas_state();
  const std::lock_guard lock(state.mutex);
  if (--state.depth == 0) openblas().set_num_threads(state.before);
}

int thread_count(const Execution& execution) {
  if (execution.threads < 0 || execution.threads > most_threads)
    throw InputError(text(execution.threads, " threads are out of range [0, ", most_threads,
                          "]: use 1 or more, or 0 for all cores"));
  if (execution.threads > 0) return execution.threads;
  return std::max(1u, std::thread::hardware_concurrency());
}

namespace {

class Loop;

/// The loop whose item this thread works on.
thread_local Loop* current_loop = nullptr;

/// The threads of one loop: the caller's, and helpers that join as long as there are items and free threads.
class Loop {
 public:
  Loop(std::size_t items, const Execution& execution, std::string_view stage,
       const std::function<void(std::size_t, int)>& work)
      : items_(items),
        execution_(execution),
        stage_(stage),
        work_(work),
        most_(std::min<std::size_t>(static_cast<std::size_t>(thread_count(execution)), items)) {}

  void run() {
    take_items(0);
    // Only those who take items call helpers, so nobody joins any more once all items are taken.
    for (std::size_t k = 0; std::thread* const helper = called(k); ++k) helper->join();
    if (failure_) std::rethrow_exception(failure_);
  }

  void stop_if_cancelled() {
    if (stop_) throw Cancelled();
    if (around_ != nullptr) around_->stop_if_cancelled();
    if (!execution_.progress || stage_.empty()) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    const auto now = std::chrono::steady_clock::now();
    if (!lock || now - asked_ < std::chrono::milliseconds(100)) return;
    asked_ = now;
    execution_.report(stage_, static_cast<double>(done_) / static_cast<double>(items_));
  }

 private:
  void take_items(int thread) {
    Loop* const before = std::exchange(current_loop, this);
    take_items_of_this(thread);
    current_loop = before;
  }

  void take_items_of_this(int thread) {
    for (std::size_t item = next_++; item < items_ && !stop_; item = next_++) {
      try {
        call_helpers();  // before every item: one may have become free meanwhile
        work_(item, thread);
        const std::lock_guard lock(mutex_);
        ++done_;
        if (!stage_.empty())
          execution_.report(stage_, static_cast<double>(done_) / static_cast<double>(items_));
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stop_ = true;
      }
    }
  }

  void call_helpers() {
    const std::lock_guard lock(mutex_);
    while (next_ < items_ && !stop_ && helpers_.size() + 1 < most_ && take_spare_thread())
      if (!call_helper()) leave_spare_thread();
  }

  /// False where the system has no thread left; no more are requested then.
  bool call_helper() {
    const int thread = static_cast<int>(helpers_.size()) + 1;
    try {
      helpers_.emplace_back([this, thread, shared = spare_threads] {
        spare_threads = shared;
        take_items(thread);
        leave_spare_thread();
      });
    } catch (const std::system_error&) {
      most_ = helpers_.size() + 1;
      return false;
    }
    return true;
  }

  std::thread* called(std::size_t helper) {
    const std::lock_guard lock(mutex_);
    return helper < helpers_.size() ? &helpers_[helper] : nullptr;
  }

  const std::size_t items_;
  const Execution& execution_;
  const std::string_view stage_;
  const std::function<void(std::size_t, int)>& work_;
  Loop* const around_ = current_loop;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // guards the callback and all below
  std::size_t most_;  // threads, the caller's included
  std::size_t done_ = 0;
  std::chrono::steady_clock::time_point asked_;
  std::exception_ptr failure_;
  std::deque<std::thread> helpers_;  // stay where they are when more are called
};

}  // namespace

void parallel_for(std::size_t items, const Execution& execution, std::string_view stage,
                  const std::function<void(std::size_t, int)>& work) {
  if (items == 0) return;
  const SingleThreadedBlas blas;  // its own threads would fight ours for the same cores
  Loop(items, execution, stage, work).run();
}

void parallel_pieces(std::int64_t count, std::int64_t piece, const Execution& execution,
                     const std::function<void(std::int64_t begin, std::int64_t end)>& work) {
  const std::int64_t pieces = (count + piece - 1) / piece;
  parallel_for(static_cast<std::size_t>(pieces), {execution.threads, {}}, {}, [&](std::size_t item, int) {
    const std::int64_t begin = static_cast<std::int64_t>(item) * piece;
    work(begin, std::min(count, begin + piece));
  });
}

void stop_if_cancelled() {
  if (current_loop != nullptr) current_loop->stop_if_cancelled();
}

void side_by_side(const Execution& execution, const std::function<void(const Execution&)>& first,
                  const std::function<void(const Execution&)>& second) {
  const int threads = thread_count(execution);
  if (threads == 1 || spare_threads != nullptr) {
    first(execution);
    second({threads, {}});
    return;
  }
  std::atomic<int> spare = threads - 2;
  std::atomic<bool> failed = false;
  std::exception_ptr failure;  // the first
  const auto attempt = [&](const std::function<void(const Execution&)>& work, const ProgressCallback& report,
                           const Team* team) {
    spare_threads = &spare;
    try {
      work({threads,
            [&](std::string_view stage, double fraction) {
              return !failed && (!report || report(stage, fraction));
            },
            team});
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
    leave_spare_thread();
    spare_threads = nullptr;
  };
  std::thread other;
  try {
    other = std::thread([&] { attempt(second, {}, nullptr); });
  } catch (const std::system_error&) {
    // The system has no thread left: one after the other then.
  }
  attempt(first, execution.progress, execution.team);
  if (other.joinable())
    other.join();
  else if (!failed)
    attempt(second, {}, nullptr);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace geodome::internal
