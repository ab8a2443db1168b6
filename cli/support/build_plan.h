#pragma once
/// What a build will take on each of the ranks, before it is begun.

#include <nlohmann/json.hpp>
#include <optional>

#include "geodome/pipeline/plan.h"

namespace geodome::cli {

struct RankPlan {
  BuildPlan plan;                    ///< memory of a rank by itself; time as all of them together take
  std::int64_t landmark_memory = 0;  ///< for BuildOptions
  Index most_landmarks = 0;  ///< how many fit into the memory, about; 0: none do, or the system does not tell
};

/// `landmark_memory`: gigabytes that were asked for. Called by all ranks, and the same on all of them: the
/// one with the least memory decides.
RankPlan plan_ranks(const Shape& shape, const BuildOptions& options, std::optional<double> landmark_memory,
                    const Execution& execution);

nlohmann::ordered_json plan_facts(const RankPlan& planned);
void print_plan(const RankPlan& planned);

}  // namespace geodome::cli
