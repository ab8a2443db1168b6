#include "run.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "geodome/base/atomic_file.h"

namespace geodome::python {

using namespace internal;

namespace {

using Clock = std::chrono::steady_clock;

/// Often enough for Ctrl-C to feel immediate, seldom enough to cost nothing.
constexpr std::chrono::milliseconds pause{50};
/// How long cancelled work may take to end by itself before it is left behind.
constexpr std::chrono::milliseconds patience{500};

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
  bool left = false;  ///< whether nobody waits for the result any more
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

/// One piece of work and its thread. Destroyed with the GIL held and after the thread was joined.
struct Call {
  Work work;
  Execution execution;
  Board board;
  std::exception_ptr failure;
  std::thread thread;

  Call(Work what, int threads, bool told)
      : work(std::move(what)), execution(make_execution(board, threads, told)), thread([this] { go(); }) {}

  /// True when the work is done.
  bool wait() {
    const nb::gil_scoped_release released;
    std::unique_lock lock(board.mutex);
    board.changed.wait_for(lock, pause, [&] { return board.done || board.waited_for; });
    return board.done;
  }

  void join() {
    const nb::gil_scoped_release released;
    thread.join();
  }

  bool done() {
    const std::lock_guard lock(board.mutex);
    return board.done;
  }

  void answer(bool stop) {
    const std::lock_guard lock(board.mutex);
    board.cancelled = stop;
    board.waited_for = false;
    board.told_changed.notify_all();
  }

  /// Waits for work that was cancelled. True when it is done; else it is left to itself.
  bool wait_or_leave() {
    const nb::gil_scoped_release released;
    std::unique_lock lock(board.mutex);
    board.changed.wait_for(lock, patience, [&] { return board.done; });
    board.left = !board.done;
    return board.done;
  }

 private:
  void go() {
    try {
      work.run(execution);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(board.mutex);
    if (board.left) work.drop_result();
    board.done = true;
    board.changed.notify_all();
  }
};

/// Calls that were left, until their work is done. Only used with the GIL held, and never destroyed: work may
/// outlive Python.
std::vector<std::unique_ptr<Call>>& left_calls() {
  static auto* instance = new std::vector<std::unique_ptr<Call>>;
  return *instance;
}

void forget_done_calls() {
  std::vector<std::unique_ptr<Call>>& calls = left_calls();
  // Taken out first: destroying what they hold may run Python code, which may come here again.
  std::vector<std::unique_ptr<Call>> finished;
  const auto first = std::partition(calls.begin(), calls.end(), [](const auto& one) { return !one->done(); });
  std::move(first, calls.end(), std::back_inserter(finished));
  calls.erase(first, calls.end());
  for (const auto& one : finished) one->join();
}

bool still_working() {
  return std::any_of(left_calls().begin(), left_calls().end(), [](const auto& one) { return !one->done(); });
}

/// Work that goes on must not meet static objects that are destroyed at exit: the process ends before that.
void end_while_working(int status, void*) {
  if (!still_working()) return;
  const auto lock = remove_temporary_files();
  std::fflush(nullptr);
  _exit(status);
}

void leave(std::unique_ptr<Call> call) {
  static bool first = true;
  if (std::exchange(first, false)) {
    nb::set_leak_warnings(false);  // what the work refers to is kept on purpose
#ifdef __GLIBC__
    on_exit(end_while_working, nullptr);
#else
    std::atexit([] { end_while_working(EXIT_FAILURE, nullptr); });
#endif
  }
  left_calls().push_back(std::move(call));
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

void run_call(const Run& run, Work work, AfterCancel after_cancel) {
  forget_done_calls();
  auto call = std::make_unique<Call>(std::move(work), run.threads, !run.progress.is_none());
  std::exception_ptr python_failure;
  bool stop = false;
  while (!stop && !call->wait()) {
    try {
      stop = tell_python(call->board, run.progress);
    } catch (...) {
      python_failure = std::current_exception();
      stop = true;
    }
    call->answer(stop);
  }
  if (stop && after_cancel == AfterCancel::leave && !call->wait_or_leave()) {
    leave(std::move(call));
    if (python_failure) std::rethrow_exception(python_failure);
    throw Cancelled();
  }
  call->join();
  if (python_failure) std::rethrow_exception(python_failure);
  if (call->failure) std::rethrow_exception(call->failure);
  tell_python(call->board, run.progress);  // the last news
}

void clean_up_work() {
  if (still_working()) static_cast<void>(remove_temporary_files());
}

}  // namespace geodome::python
