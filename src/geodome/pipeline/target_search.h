#pragma once
/// The search for the number of landmarks that reaches an error: builds it asks for, one after the other.
///
///   TargetSearch search(options, target, vertices);
///   while (const auto next = search.next()) best = search.add(built.summary, *built.certificate) ? built :
///   best;

#include <optional>
#include <string>

#include "geodome/evaluation/distance_error.h"
#include "geodome/pipeline/options.h"
#include "geodome/pipeline/summary.h"
#include "geodome/pipeline/target.h"

namespace geodome::internal {

/// ε falls as l⁻² and mean errors as l⁻¹, where l is the number of landmarks (docs/methods/evaluation.md).
/// The number is brought to the target by that rule, at most by a factor of 4 at a time, until one build
/// meets the target and one does not; then between the two, linearly in the logarithms of l and error, until
/// they are 5 % apart or one just meets the target.
class TargetSearch {
 public:
  /// Throws InputError as build_to_target does.
  TargetSearch(const BuildOptions& options, const ErrorTarget& target, Index vertices);

  /// What to build next; nothing when the search has ended.
  std::optional<BuildOptions> next() const;
  /// The result of it. Whether it is the best so far: the smallest that meets the target, else the most
  /// accurate.
  bool add(const BuildSummary& summary, const Evaluation& error);

  const TargetReport& report() const { return report_; }

 private:
  double miss(const Evaluation& error) const;
  bool solver_too_coarse(const BuildSummary& summary) const;
  void end(std::string reason);
  void choose_next(double missed);

  BuildOptions options_;  // of the next build
  ErrorTarget target_;
  Index most_ = 0;  // landmarks
  bool ended_ = false, automatic_ = false;
  struct Tried {
    Index landmarks;
    double miss;  // of the error over the target, in powers of l: above one where the target is not met
  };
  std::optional<Tried> failed_, met_, previous_;
  double best_miss_ = infinity;
  TargetReport report_;
};

/// The recipe with the target that its number of landmarks was chosen for.
std::string with_target(const std::string& recipe, const ErrorTarget& target, bool met);

}  // namespace geodome::internal
