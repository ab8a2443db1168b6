#include "geodome/base/blas_memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace geodome::internal {
namespace {

TEST(BlasMemory, IsThereForSeveralThreadsAtOnceAndAgain) {
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> inside = 0;
    std::vector<std::thread> threads;
    for (int k = 0; k < 3; ++k)
      threads.emplace_back([&] {
        const BlasMemory memory;
        ++inside;
      });
    for (std::thread& one : threads) one.join();
    EXPECT_EQ(inside, 3);
  }
}

}  // namespace
}  // namespace geodome::internal
