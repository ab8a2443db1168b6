#include "geodome/base/threads.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace geodome {
namespace {

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

}  // namespace
}  // namespace geodome
