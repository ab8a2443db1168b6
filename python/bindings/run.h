#pragma once
/// Runs long work so that Python stays awake: other threads go on, Ctrl-C works, progress is shown.

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>

#include "geodome/base/execution.h"

namespace geodome::python {

namespace nb = nanobind;

/// How a call is to run, as the Python side says it.
struct Run {
  int threads = 0;
  nb::object progress;  ///< called with a stage and a fraction; False cancels; or None
};

/// Does the work on a thread of its own while this one waits, without the GIL, and now and then looks for
/// signals and tells `progress`. Throws what the work throws; after Ctrl-C, or an error in `progress`, that
/// error, once the work has noticed.
void run_watched(const Run& run, const std::function<void(const Execution&)>& work);

template <typename Work>
auto run_watched(const Run& run, const Work& work) {
  std::optional<decltype(work(std::declval<const Execution&>()))> result;
  run_watched(run, std::function<void(const Execution&)>(
                       [&](const Execution& execution) { result.emplace(work(execution)); }));
  return std::move(*result);
}

/// For what takes no time worth showing: without the GIL, in this thread.
template <typename Work>
auto run_quickly(int threads, const Work& work) {
  const nb::gil_scoped_release released;
  return work(Execution{threads, {}});
}

}  // namespace geodome::python
