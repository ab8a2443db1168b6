#include "geodome/base/threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

namespace geodome::internal {
namespace {

TEST(ThreadCount, IsWithinItsBounds) {
  EXPECT_GE(thread_count({0, {}}), 1);
  EXPECT_EQ(thread_count({1, {}}), 1);
  EXPECT_EQ(thread_count({most_threads, {}}), most_threads);
  for (const int threads :
       {-1, most_threads + 1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
    EXPECT_THROW(thread_count({threads, {}}), InputError) << threads;
}

TEST(ParallelFor, VisitsEveryItemOnce) {
  for (int threads : {1, 2, 5}) {
    std::vector<int> visits(1000, 0);
    parallel_for(visits.size(), Execution{threads, {}}, "", [&](std::size_t item, int thread) {
      EXPECT_LT(thread, threads);
      ++visits[item];
    });
    EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), 0), 1000);
    for (int count : visits) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelPieces, CoverTheRangeOnce) {
  for (const int threads : {1, 2, 5})
    for (const std::int64_t count : {0, 1, 99, 100, 101, 1000}) {
      std::vector<int> visits(static_cast<std::size_t>(count), 0);
      parallel_pieces(count, 100, Execution{threads, {}}, [&](std::int64_t begin, std::int64_t end) {
        EXPECT_LT(begin, end);
        EXPECT_LE(end - begin, 100);
        for (std::int64_t k = begin; k < end; ++k) ++visits[static_cast<std::size_t>(k)];
      });
      EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), count);
    }
}

TEST(ParallelFor, PassesOnTheFirstException) {
  EXPECT_THROW(parallel_for(100, Execution{2, {}}, "",
                            [](std::size_t item, int) {
                              if (item == 40) throw InputError("forty");
                            }),
               InputError);
}

TEST(ParallelFor, ReportsProgressUpToOneAndStopsWhenTold) {
  double last = 0;
  Execution execution{2, [&](std::string_view stage, double fraction) {
                        EXPECT_EQ(stage, "work");
                        EXPECT_GT(fraction, last);
                        last = fraction;
                        return true;
                      }};
  parallel_for(50, execution, "work", [](std::size_t, int) {});
  EXPECT_DOUBLE_EQ(last, 1);
  execution.progress = [](std::string_view, double fraction) { return fraction < 0.5; };
  EXPECT_THROW(parallel_for(50, execution, "work", [](std::size_t, int) {}), Cancelled);
}

TEST(SideBySide, RunsBothWithNoMoreThreadsThanThereAre) {
  for (const int threads : {1, 2, 3}) {
    std::atomic<int> running = 0, most = 0;
    std::vector<int> visits(200, 0);
    const auto half = [&](std::size_t begin) {
      return [&, begin](const Execution& mine) {
        parallel_for(100, mine, "", [&](std::size_t item, int thread) {
          EXPECT_LT(thread, threads);
          const int now = ++running;
          for (int before = most; now > before && !most.compare_exchange_weak(before, now);) continue;
          std::this_thread::yield();
          ++visits[begin + item];
          --running;
        });
      };
    };
    side_by_side(Execution{threads, {}}, half(0), half(100));
    for (const int count : visits) EXPECT_EQ(count, 1);
    EXPECT_LE(most, threads);
  }
}

TEST(SideBySide, WhoeverEndsLeavesItsThreadToTheOther) {
  std::atomic<bool> ended = false;
  std::atomic<int> helped = 0;
  side_by_side(
      Execution{2, {}},
      [&](const Execution& mine) {
        parallel_for(1000, mine, "", [&](std::size_t, int thread) {
          while (!ended) std::this_thread::yield();
          if (thread > 0) ++helped;
          std::this_thread::sleep_for(std::chrono::microseconds(100));
        });
      },
      [&](const Execution&) { ended = true; });
  EXPECT_GT(helped, 0);
}

// One item that never ends of itself, on its own or inside an item of another loop.
TEST(ParallelFor, StopsInsideAnItem) {
  for (const bool nested : {false, true}) {
    int calls = 0;
    const Execution execution{2, [&](std::string_view stage, double fraction) {
                                EXPECT_EQ(stage, "work");
                                EXPECT_EQ(fraction, 0);
                                return ++calls < 2;
                              }};
    const auto wait = [](std::size_t, int) {
      while (true) stop_if_cancelled();
    };
    EXPECT_THROW(parallel_for(1, execution, "work",
                              [&](std::size_t item, int thread) {
                                if (nested)
                                  parallel_for(3, Execution{2, {}}, "", wait);
                                else
                                  wait(item, thread);
                              }),
                 Cancelled);
    EXPECT_EQ(calls, 2);
  }
  stop_if_cancelled();  // outside of a loop nobody can cancel
}

TEST(ParallelFor, AFailureStopsOtherItemsInside) {
  EXPECT_THROW(parallel_for(2, Execution{2, {}}, "",
                            [](std::size_t item, int) {
                              if (item == 1) throw InputError("no");
                              while (true) stop_if_cancelled();
                            }),
               InputError);
}

TEST(SideBySide, AFailureStopsTheOtherAndIsPassedOn) {
  for (const bool first : {true, false}) {
    const auto fail = [](const Execution&) { throw InputError("no"); };
    const auto go_on = [](const Execution& mine) {
      while (true) mine.report("work", 0.5);
    };
    const Execution execution{2, {}};
    if (first)
      EXPECT_THROW(side_by_side(execution, fail, go_on), InputError);
    else
      EXPECT_THROW(side_by_side(execution, go_on, fail), InputError);
  }
}

}  // namespace
}  // namespace geodome::internal
