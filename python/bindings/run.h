#pragma once
/// Runs long work so that Python stays awake: other threads go on, Ctrl-C works, progress is shown.

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "geodome/base/execution.h"

namespace geodome::python {

namespace nb = nanobind;

/// How a call is to run, as the Python side says it.
struct Run {
  int threads = 0;
  nb::object progress;  ///< called with a stage and a fraction; False cancels; or None
};

/// What happens where work is cancelled but does not end within half a second.
enum class AfterCancel {
  leave,  ///< the call raises, and the work ends in the background
  wait,   ///< the call waits for it: for work that calls Python
};

/// Work for `run_call`: the work itself, and what drops its result without the GIL.
struct Work {
  std::function<void(const Execution&)> run;
  std::function<void()> drop_result;
};

/// Does the work on a thread of its own while this one waits, without the GIL, and now and then looks for
/// signals and tells `progress`. Throws what the work throws; after Ctrl-C, or an error in `progress`, that
/// error. Work that goes on after the call is kept, with all it refers to, until it has ended.
void run_call(const Run& run, Work work, AfterCancel after_cancel);

/// The same with the result of `work`, which may outlive the call: it captures all it refers to by value.
/// The result must not hold any of Python's objects.
template <typename Function>
auto run_watched(const Run& run, Function work, AfterCancel after_cancel = AfterCancel::leave) {
  using Result = std::invoke_result_t<Function, const Execution&>;
  if constexpr (std::is_void_v<Result>) {
    run_call(run, {std::move(work), [] {}}, after_cancel);
  } else {
    const auto result = std::make_shared<std::optional<Result>>();
    run_call(
        run,
        {[work = std::move(work), result](const Execution& execution) { result->emplace(work(execution)); },
         [result] { result->reset(); }},
        after_cancel);
    return std::move(**result);
  }
}

/// For what takes no time worth showing: without the GIL, in this thread.
template <typename Function>
auto run_quickly(int threads, const Function& work) {
  const nb::gil_scoped_release released;
  return work(Execution{threads, {}});
}

/// Called when Python ends: removes the temporary files of work that still goes on.
void clean_up_work();

}  // namespace geodome::python
