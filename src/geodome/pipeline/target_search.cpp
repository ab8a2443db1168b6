#include "geodome/pipeline/target_search.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "geodome/base/error.h"
#include "geodome/base/format.h"

namespace geodome::internal {
namespace {

constexpr Index first_landmarks = 100;
constexpr Index fewest_rows = 40,
                most_rows = 200;  // fewer rows have wide intervals, which need more landmarks
constexpr std::size_t most_builds = 12;
constexpr double largest_step = 4, close_enough = 1.05;
constexpr double aim = 0.97, just_met = 0.94;  // of the target, in powers of l

void require_target(double value, const char* name) {
  if (!(value >= 0 && value < 1))
    throw InputError(text("the wanted ", name, " must be between 0 and 1, got ", value));
}

}  // namespace

TargetSearch::TargetSearch(const BuildOptions& options, const ErrorTarget& target, Index vertices)
    : options_(options), target_(target), most_(vertices) {
  require_target(target.relative_error, "relative error");
  require_target(target.mean_relative_error, "mean relative error");
  if (!target.asked()) throw InputError("no error is asked for: the wanted error must be above 0");
  if (!traits(options.method).factors)
    throw InputError(text("the number of landmarks is chosen by error for cell, sbha and bha only, not for ",
                          name_of(methods(), options.method)));
  if (options.landmarks.method != LandmarkMethod::farthest)
    throw InputError("the number of landmarks can only be chosen by error for farthest points");
  if (!options.log.empty()) throw InputError("a build to a wanted error cannot be resumed");
  if (options.certificate_rows == 0)
    throw InputError("a wanted error must be measured: it needs a certificate");
  automatic_ =
      options.geodesic.method == GeodesicMethod::automatic && options.measures() && options.coarsen < 2;
  if (options_.coarsen == 0) options_.coarsen = 1;  // its error might be most of what is asked for
  if (options_.landmarks.count == 0) options_.landmarks.count = first_landmarks;
  options_.landmarks.count = std::min(options_.landmarks.count, most_);
  options_.landmarks.or_all = true;
  if (options_.certificate_rows < 0)
    options_.certificate_rows = std::clamp(vertices / 50, fewest_rows, most_rows);
}

std::optional<BuildOptions> TargetSearch::next() const {
  if (ended_) return {};
  return options_;
}

double TargetSearch::miss(const Evaluation& error) const {
  double worst = 0;
  if (target_.relative_error > 0) worst = std::sqrt(error.error.interval.high / target_.relative_error);
  if (target_.mean_relative_error > 0)
    worst = std::max(worst, error.error.mean_interval.high / target_.mean_relative_error);
  return worst;
}

/// More than a third of what is asked for is left to the solver.
bool TargetSearch::solver_too_coarse(const BuildSummary& summary) const {
  if (!automatic_ || summary.tried_solvers.empty() || summary.geodesic == "exact") return false;
  const double own = summary.tried_solvers.back().mean_relative_error;
  return (target_.mean_relative_error > 0 && own > target_.mean_relative_error / 3) ||
         (target_.relative_error > 0 && own > std::sqrt(target_.relative_error) / 3);
}

void TargetSearch::end(std::string reason) {
  ended_ = true;
  report_.met = met_.has_value();
  if (!report_.met) report_.reason = std::move(reason);
}

void TargetSearch::choose_next(double missed) {
  const double l = options_.landmarks.count;
  double next = l;
  if (met_ && failed_) {
    if (met_->landmarks <= close_enough * failed_->landmarks + 1 || met_->miss > just_met) return end({});
    const double low = std::log(failed_->miss), high = std::log(std::max(met_->miss, 1e-3));
    const double part = std::clamp((low - std::log(aim)) / std::max(low - high, 1e-9), 0.1, 0.9);
    next = failed_->landmarks * std::pow(static_cast<double>(met_->landmarks) / failed_->landmarks, part);
    next = std::clamp(next, failed_->landmarks + 1.0, met_->landmarks - 1.0);
  } else {
    if (missed <= 1 && missed > just_met) return end({});
    // Above, a little beyond; below, so far that the target is just met.
    const double by = missed > 1 ? 1.05 * missed : missed / aim;
    next = std::round(l * std::clamp(by, 1 / largest_step, largest_step));
    if (missed <= 1 && next < 2) return end({});
  }
  options_.landmarks.count = std::clamp(static_cast<Index>(std::lround(next)), Index{1}, most_);
}

bool TargetSearch::add(const BuildSummary& summary, const Evaluation& error) {
  const Tried tried{options_.landmarks.count, miss(error)};
  report_.steps.push_back(
      {summary.landmarks, summary.geodesic, error.error.interval.high, error.error.mean_interval.high});
  const bool better =
      tried.miss <= 1 ? !met_ || tried.landmarks < met_->landmarks : !met_ && tried.miss < best_miss_;
  if (better) report_.reached = static_cast<Index>(report_.steps.size()) - 1;
  best_miss_ = std::min(best_miss_, tried.miss);
  report_.needed = static_cast<Index>(std::min(2e9, std::ceil(tried.landmarks * tried.miss)));
  if (tried.miss <= 1) {
    if (!met_ || tried.landmarks < met_->landmarks) met_ = tried;
  } else if (!failed_ || tried.landmarks > failed_->landmarks) {
    failed_ = tried;
  }
  if (met_ && failed_ && failed_->landmarks >= met_->landmarks) failed_.reset();  // noise of the rows
  // Errors of fewer landmarks than the first ones do not yet fall evenly.
  const bool stalled = previous_ && previous_->landmarks >= first_landmarks && tried.miss > 1 &&
                       tried.landmarks >= 2 * previous_->landmarks && tried.miss > 0.9 * previous_->miss;
  previous_ = tried;
  if (tried.miss > 1 &&
      (solver_too_coarse(summary) || (stalled && automatic_ && summary.geodesic != "exact"))) {
    options_.geodesic.method = GeodesicMethod::exact;  // the same number again
    automatic_ = false;
    failed_.reset(), previous_.reset();
    return better;
  }
  if (report_.steps.size() >= most_builds)
    end(text("it was not reached in ", most_builds, " builds"));
  else if (tried.miss > 1 && tried.landmarks >= most_)
    end(text("all vertices are landmarks; the geodesic method '", summary.geodesic, "' limits the error"));
  else if (stalled)
    end(text("twice as many landmarks did not lower the error: the geodesic method '", summary.geodesic,
             "' or the near field limits it"));
  else
    choose_next(tried.miss);
  return better;
}

std::string with_target(const std::string& recipe, const ErrorTarget& target, bool met) {
  auto noted = nlohmann::ordered_json::parse(recipe);
  auto& wanted = noted["target"];
  if (target.relative_error > 0) wanted["relative_error"] = target.relative_error;
  if (target.mean_relative_error > 0) wanted["mean_relative_error"] = target.mean_relative_error;
  wanted["met"] = met;
  return noted.dump(2);
}

}  // namespace geodome::internal
