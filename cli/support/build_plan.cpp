#include "support/build_plan.h"

#include <algorithm>
#include <iostream>
#include <limits>

#include "geodome/base/platform.h"
#include "geodome/base/threads.h"
#include "support/bounds.h"
#include "support/ranks.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

/// Bytes for each rank of the machine where that is least; 0 where it is not known.
std::int64_t memory_of_a_rank() {
  std::int64_t bytes = available_memory() / ranks().on_machine;
  if (ranks().team != nullptr)
    reduce(*ranks().team, std::span(&bytes, 1), [](auto a, auto b) { return std::min(a, b); });
  return bytes;
}

/// Beyond how many bytes landmark distances go to a file, where nobody has said.
std::int64_t usual_landmark_memory(const Shape& shape, BuildOptions options, std::int64_t available,
                                   const Execution& execution) {
  options.landmark_memory = std::numeric_limits<std::int64_t>::max();
  if (available == 0) return options.landmark_memory;
  // The rest of the build takes memory too, of which the plan is an estimate.
  return plan_build(shape, options, execution).peak_bytes <= available ? available / 2 : 0;
}

/// The plan with that many bytes, and its memory.
RankPlan planned_with(const Shape& shape, BuildOptions options, std::optional<double> landmark_memory,
                      std::int64_t available, const Execution& execution) {
  constexpr double gigabyte = 1e9;
  if (options.scratch.empty() && (options.method == Method::sbha || options.method == Method::bha))
    options.scratch = "output";  // of a plan alone
  options.landmark_memory = landmark_memory ? static_cast<std::int64_t>(*landmark_memory * gigabyte)
                                            : usual_landmark_memory(shape, options, available, execution);
  RankPlan result{plan_build(shape, options, execution), options.landmark_memory};
  result.plan.memory_available = available;
  return result;
}

Index most_landmarks(const Shape& shape, BuildOptions options, std::optional<double> landmark_memory,
                     std::int64_t available, const Execution& execution) {
  constexpr double step = 1.02;
  options.landmarks.method = LandmarkMethod::farthest;
  for (double count = vertex_count(shape); available > 0 && count >= 1; count /= step) {
    options.landmarks.count = static_cast<Index>(count);
    if (planned_with(shape, options, landmark_memory, available, execution).plan.peak_bytes <= available)
      return options.landmarks.count;
  }
  return 0;
}

}  // namespace

RankPlan plan_ranks(const Shape& shape, const BuildOptions& options, std::optional<double> landmark_memory,
                    const Execution& execution) {
  const std::int64_t available = memory_of_a_rank();
  RankPlan result = planned_with(shape, options, landmark_memory, available, execution);
  if (ranks().team == nullptr) return result;
  result.most_landmarks = most_landmarks(shape, options, landmark_memory, available, execution);
  Execution together = execution;
  together.threads = std::min(most_threads, thread_count(execution) * ranks().team->size());
  result.plan.stages = plan_build(shape, options, together).stages;
  return result;
}

nlohmann::ordered_json plan_facts(const RankPlan& planned) {
  const BuildPlan& plan = planned.plan;
  nlohmann::ordered_json facts;
  facts["vertices"] = plan.vertices;
  facts["landmarks"] = plan.landmarks;
  facts["nonzeros"] = plan.nonzeros;
  facts["geodesic"] = plan.geodesic;
  facts["coarsen"] = plan.coarsen;
  facts["bytes"] = plan.bytes;
  facts["file_bytes"] = plan.file_bytes;
  facts["full_matrix_bytes"] = plan.full_matrix_bytes;
  facts["peak_bytes"] = plan.peak_bytes;
  facts["scratch_bytes"] = plan.scratch_bytes;
  facts["memory_available"] = plan.memory_available;
  if (ranks().team != nullptr) {
    facts["ranks"] = ranks().team->size();
    facts["most_landmarks"] = planned.most_landmarks;
  }
  facts["seconds"] = {{"total", plan.seconds()}};
  for (const auto& [stage, seconds] : plan.stages) facts["seconds"][stage] = seconds;
  return facts;
}

void print_plan(const RankPlan& planned) {
  const BuildPlan& plan = planned.plan;
  const bool shared = ranks().team != nullptr;
  std::cout << "plan for " << grouped(plan.vertices) << " vertices, " << grouped(plan.landmarks)
            << " landmarks, geodesic method '" << plan.geodesic << "'";
  if (plan.coarsen > 1) std::cout << ", landmarks on a mesh of one in " << plan.coarsen << " vertices";
  std::cout << " (estimates; nothing was built)\n"
            << "  time        about " << duration(plan.seconds()) << '\n';
  for (const auto& [stage, seconds] : plan.stages)
    std::cout << "    " << stage << std::string(16 - stage.size(), ' ') << duration(seconds) << '\n';
  std::cout << "  memory      about " << byte_count(plan.peak_bytes) << " at most";
  if (shared)
    std::cout << " for each of " << counted(ranks().team->size(), "rank", "ranks") << ", "
              << grouped(ranks().on_machine) << " on this machine";
  if (plan.memory_available > 0)
    std::cout << ", " << byte_count(plan.memory_available) << " available" << (shared ? " for each" : "");
  if (shared && plan.memory_available > 0)
    std::cout << "\n  fits        "
              << (planned.most_landmarks > 0
                      ? "up to about " + counted(planned.most_landmarks, "landmark", "landmarks")
                      : std::string("with no number of landmarks: the shape alone takes more"));
  if (plan.scratch_bytes > 0)
    std::cout << "\n  disk        about " << byte_count(plan.scratch_bytes)
              << " for landmark distances, in the folder of the output, during the build";
  std::cout << "\n  file        about " << byte_count(plan.file_bytes)
            << " (full matrix: " << byte_count(plan.full_matrix_bytes) << " in 32-bit floats)\n";
}

}  // namespace geodome::cli
