#include "run.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

namespace geodome::python {
namespace {

/// Often enough for Ctrl-C to feel immediate, seldom enough to cost nothing.
constexpr std::chrono::milliseconds pause{50};

/// What the working thread tells the waiting one, and the other way round.
struct Board {
  std::mutex mutex;
  std::condition_variable done_changed;
  std::string stage;
  double fraction = 0;
  bool news = false;
  bool done = false;
  bool cancelled = false;
};

Execution make_execution(Board& board, int threads) {
  return {threads, [&board](std::string_view stage, double fraction) {
            const std::lock_guard lock(board.mutex);
            board.stage = stage;
            board.fraction = fraction;
            board.news = true;
            return !board.cancelled;
          }};
}

/// True when the work is done.
bool wait(Board& board) {
  const nb::gil_scoped_release released;
  std::unique_lock lock(board.mutex);
  return board.done_changed.wait_for(lock, pause, [&] { return board.done; });
}

/// True when the work is to stop. Throws what Python raises.
bool tell_python(Board& board, const nb::object& progress) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (progress.is_none()) return false;
  std::string stage;
  double fraction = 0;
  {
    const std::lock_guard lock(board.mutex);
    if (!board.news) return false;
    board.news = false;
    stage = board.stage;
    fraction = board.fraction;
  }
  return progress(nb::str(stage.data(), stage.size()), fraction).is(Py_False);
}

}  // namespace

void run_watched(const Run& run, const std::function<void(const Execution&)>& work) {
  Board board;
  const Execution execution = make_execution(board, run.threads);
  std::exception_ptr failure, python_failure;
  std::thread worker([&] {
    try {
      work(execution);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(board.mutex);
    board.done = true;
    board.done_changed.notify_all();
  });
  while (!wait(board)) {
    bool stop = false;
    try {
      stop = tell_python(board, run.progress);
    } catch (...) {
      python_failure = std::current_exception();
      stop = true;
    }
    if (!stop) continue;
    const std::lock_guard lock(board.mutex);
    board.cancelled = true;
    break;
  }
  {
    const nb::gil_scoped_release released;
    worker.join();
  }
  if (python_failure) std::rethrow_exception(python_failure);
  if (failure) std::rethrow_exception(failure);
  tell_python(board, run.progress);  // the last news, and the only news of quick work
}

}  // namespace geodome::python
