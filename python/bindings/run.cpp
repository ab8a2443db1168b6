#include "run.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace geodome::python {
namespace {

/// Often enough for Ctrl-C to feel immediate, seldom enough to cost nothing.
constexpr std::chrono::milliseconds pause{50};

/// What the working thread tells the waiting one, and the other way round.
struct Board {
  std::mutex mutex;
  std::condition_variable changed;
  std::condition_variable told_changed;
  std::set<std::string, std::less<>> stages;  ///< that were heard of
  std::string stage;
  double fraction = 0;
  bool news = false;
  bool waited_for = false;  ///< whether the work stands still until Python has heard the news
  bool done = false;
  bool cancelled = false;
};

/// A stage begins when Python has heard of it, however quick the work is: so every stage is told, and can be
/// refused.
Execution make_execution(Board& board, int threads, bool told) {
  return {threads, [&board, told](std::string_view stage, double fraction) {
            std::unique_lock lock(board.mutex);
            board.stage = stage;
            board.fraction = fraction;
            board.news = true;
            if (told && !board.cancelled && !board.stages.contains(stage)) {
              board.stages.emplace(stage);
              board.waited_for = true;
              board.changed.notify_all();
              board.told_changed.wait(lock, [&] { return !board.waited_for; });
            }
            return !board.cancelled;
          }};
}

/// True when the work is done.
bool wait(Board& board) {
  const nb::gil_scoped_release released;
  std::unique_lock lock(board.mutex);
  board.changed.wait_for(lock, pause, [&] { return board.done || board.waited_for; });
  return board.done;
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
  const Execution execution = make_execution(board, run.threads, !run.progress.is_none());
  std::exception_ptr failure, python_failure;
  std::thread worker([&] {
    try {
      work(execution);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(board.mutex);
    board.done = true;
    board.changed.notify_all();
  });
  while (!wait(board)) {
    bool stop = false;
    try {
      stop = tell_python(board, run.progress);
    } catch (...) {
      python_failure = std::current_exception();
      stop = true;
    }
    const std::lock_guard lock(board.mutex);
    board.cancelled = stop;
    board.waited_for = false;
    board.told_changed.notify_all();
    if (stop) break;
  }
  {
    const nb::gil_scoped_release released;
    worker.join();
  }
  if (python_failure) std::rethrow_exception(python_failure);
  if (failure) std::rethrow_exception(failure);
  tell_python(board, run.progress);  // the last news
}

}  // namespace geodome::python
