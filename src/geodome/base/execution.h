#pragma once
/// How a long computation runs: on how many threads and ranks, and whom it tells. None changes its result.

#include <functional>
#include <string>
#include <string_view>

#include "geodome/base/error.h"

namespace geodome {

/// Called with the stage's name and the fraction done in [0, 1]; returning false cancels the work.
/// May be called from several threads, never from two at once.
using ProgressCallback = std::function<bool(std::string_view stage, double fraction)>;

namespace internal {
class Team;
}

struct Execution {
  int threads = 0;  ///< 0: all cores
  ProgressCallback progress = {};
  /// The processes that work together (geodome-mpi); null: this one alone. What is called with a team must be
  /// called by all its ranks, with the same arguments.
  const internal::Team* team = nullptr;

  /// Tells the callback, if there is one. Throws Cancelled when it says so.
  void report(std::string_view stage, double fraction) const {
    if (progress && !progress(stage, fraction)) throw Cancelled();
  }
};

namespace internal {

/// For one of several steps that are told of as one stage: whatever the step reports as a fraction of itself
/// becomes that part of [begin, end] of the stage. `whole` must outlive the result.
inline Execution part_of(const Execution& whole, std::string_view stage, double begin, double end) {
  if (!whole.progress) return {whole.threads, {}, whole.team};
  return {whole.threads,
          [&whole, name = std::string(stage), begin, end](std::string_view, double fraction) {
            return whole.progress(name, begin + fraction * (end - begin));
          },
          whole.team};
}

}  // namespace internal

}  // namespace geodome
