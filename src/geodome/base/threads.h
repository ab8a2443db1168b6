#pragma once
/// Parallel loops whose results do not depend on the number of threads.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "geodome/base/execution.h"

namespace geodome::internal {

/// The most threads that may be requested; more than any machine has, few enough to have workspace each.
inline constexpr int most_threads = 4096;

/// The number of threads an Execution requests: its own, or all cores. Throws InputError unless it is from 0
/// to `most_threads`.
int thread_count(const Execution& execution);

/// While one lives, BLAS has one thread (only OpenBLAS listens): with more, its sums are rounded differently,
/// and results would depend on the machine.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

/// Calls `work(item, thread)` for every item in [0, items), each once, on up to `execution.threads` threads;
/// `thread` in [0, thread_count) indexes per-thread workspace. Items are handed out in order, so large ones
/// should come first. BLAS is held to one thread inside. Progress is reported under `stage` (nothing if
/// empty). The first exception stops the loop and is thrown again here. Where the system refuses a thread,
/// the loop goes on with those it has.
void parallel_for(std::size_t items, const Execution& execution, std::string_view stage,
                  const std::function<void(std::size_t item, int thread)>& work);

/// Calls `work(begin, end)` for the pieces of [0, count), `piece` numbers each, without telling of progress:
/// for loops over vertices or faces whose turns do not depend on each other.
void parallel_pieces(std::int64_t count, std::int64_t piece, const Execution& execution,
                     const std::function<void(std::int64_t begin, std::int64_t end)>& work);

/// Pieces of loops over vertices or faces: some milliseconds of work, and few where there is little to do.
inline constexpr std::int64_t piece_size = std::int64_t{1} << 14;

/// For long items of a parallel_for: throws Cancelled if another item of the loop has failed, or if the
/// progress callback of the loop, or of a loop around it, returns false; it is called at most ten times a
/// second. Does nothing outside of loops. Cost: some 30 ns.
void stop_if_cancelled();

/// Two pieces of work that do not wait for each other, on the threads of `execution` together: each begins on
/// one of them, and loops of either take what is free, also what the other leaves when it ends. On one thread
/// the second comes after the first. Only the first reports progress and has the team; when one fails the
/// other is cancelled at its next report, and the failure is thrown again here.
void side_by_side(const Execution& execution, const std::function<void(const Execution&)>& first,
                  const std::function<void(const Execution&)>& second);

}  // namespace geodome::internal
