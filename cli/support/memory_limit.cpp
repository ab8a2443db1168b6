#include "support/memory_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "geodome/base/error.h"
#include "geodome/base/platform.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

/// The smallest limit, RLIM_INFINITY where there is none.
rlim_t memory_limit() {
  rlim_t smallest = RLIM_INFINITY;
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(resource, &limit) == 0) smallest = std::min(smallest, limit.rlim_cur);
  }
  return smallest;
}

}  // namespace

void restart_under_memory_limit(char** arguments) {
  constexpr const char* variable = "OPENBLAS_NUM_THREADS";
  if (openblas().get_num_threads == nullptr || memory_limit() == RLIM_INFINITY) return;
  const char* threads = std::getenv(variable);
  if (threads != nullptr && std::string_view(threads) == "1") return;
  if (setenv(variable, "1", 1) != 0) return;
  restart_program(arguments);  // where it fails, the program goes on as it is
}

std::string out_of_memory_message() {
  const rlim_t limit = memory_limit();
  if (limit == RLIM_INFINITY) return "out of memory: free memory, or use a smaller shape or fewer landmarks";
  return text("out of memory: the limit is ", byte_count(static_cast<std::int64_t>(limit)),
              " (ulimit -v); raise it, or use a smaller shape, fewer landmarks or fewer threads");
}

}  // namespace geodome::cli
