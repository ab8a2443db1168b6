#pragma once
/// Elapsed wall-clock time.

#include <chrono>

namespace geodome::internal {

class Stopwatch {
 public:
  /// Since construction.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace geodome::internal
