#include <gtest/gtest.h>

#include <cmath>

#include "geodome/base/error.h"
#include "geodome/pipeline/build.h"
#include "geodome/pipeline/target_search.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

BuildOptions options_of(Method method) {
  BuildOptions options;
  options.method = method;
  return options;
}

/// A build whose errors follow the rule ε = (scale / l)², of which `part` does not fall.
Evaluation error_of(Index landmarks, double scale, double part = 0) {
  Evaluation found;
  const double mean = scale / landmarks + part;
  found.error.interval = {0.8 * mean * mean, mean * mean};
  found.error.mean_interval = {0.9 * mean, mean};
  return found;
}

/// Runs a search on such builds.
TargetReport searched(TargetSearch& search, double scale, double part = 0, const char* geodesic = "exact") {
  while (const auto next = search.next()) {
    BuildSummary summary;
    summary.landmarks = next->landmarks.count;
    summary.geodesic = next->geodesic.method == GeodesicMethod::exact ? "exact" : geodesic;
    const bool exact = summary.geodesic == "exact";
    search.add(summary,
               error_of(summary.landmarks, scale, exact && std::string(geodesic) != "exact" ? 0 : part));
  }
  return search.report();
}

TEST(TargetSearch, FindsTheSmallestNumberOfLandmarks) {
  for (const double needed : {3.0, 77.0, 100.0, 640.0, 5000.0}) {
    TargetSearch search(options_of(Method::sbha), {.relative_error = 1e-6}, 100000);
    const TargetReport report = searched(search, 1e-3 * needed);
    ASSERT_TRUE(report.met) << needed;
    const Index found = report.steps[static_cast<std::size_t>(report.reached)].landmarks;
    EXPECT_GE(found, needed - 1e-6);
    EXPECT_LE(found, 1.12 * needed + 1);
    EXPECT_LE(report.steps.size(), 8u);
  }
  TargetSearch both(options_of(Method::cell), {.relative_error = 1e-6, .mean_relative_error = 5e-4}, 100000);
  const TargetReport report = searched(both, 0.5);
  EXPECT_GE(report.steps[static_cast<std::size_t>(report.reached)].landmarks, 1000);
}

TEST(TargetSearch, SaysWhatWouldBeNeeded) {
  TargetSearch few(options_of(Method::sbha), {.relative_error = 1e-6}, 300);
  const TargetReport report = searched(few, 2);
  EXPECT_FALSE(report.met);
  EXPECT_EQ(report.steps.back().landmarks, 300);
  EXPECT_NEAR(report.needed, 2000, 1);
  EXPECT_NE(report.reason.find("all vertices"), std::string::npos);
  TargetSearch limited(options_of(Method::sbha), {.mean_relative_error = 1e-3}, 100000);
  const TargetReport stalled = searched(limited, 0.1, 0.1);
  EXPECT_FALSE(stalled.met);
  EXPECT_LE(stalled.steps.size(), 3u);
  EXPECT_NE(stalled.reason.find("did not lower the error"), std::string::npos);
}

TEST(TargetSearch, TakesExactDistancesWhereTheSolverLimitsTheError) {
  TargetSearch search(options_of(Method::sbha), {.mean_relative_error = 1e-3}, 100000);
  const TargetReport report = searched(search, 0.2, 0.01, "marching");
  EXPECT_TRUE(report.met);
  EXPECT_EQ(report.steps.back().geodesic, "exact");
  BuildOptions named = options_of(Method::sbha);
  named.geodesic.method = GeodesicMethod::fast_marching;
  TargetSearch fixed(named, {.mean_relative_error = 1e-3}, 100000);
  EXPECT_FALSE(searched(fixed, 0.2, 0.01, "marching").met);
}

TEST(TargetSearch, RefusesWhatCannotBe) {
  const BuildOptions options = options_of(Method::sbha);
  EXPECT_THROW(TargetSearch(options, {}, 100), InputError);
  EXPECT_THROW(TargetSearch(options, {.relative_error = 1}, 100), InputError);
  EXPECT_THROW(TargetSearch(options, {.relative_error = -1e-3}, 100), InputError);
  EXPECT_THROW(TargetSearch(options_of(Method::ctg), {.relative_error = 1e-5}, 100), InputError);
  BuildOptions bare = options;
  bare.certificate_rows = 0;
  EXPECT_THROW(TargetSearch(bare, {.relative_error = 1e-5}, 100), InputError);
  BuildOptions given = options;
  given.landmarks = LandmarkOptions(LandmarkMethod::user, 0, 0, {1, 2});
  EXPECT_THROW(TargetSearch(given, {.relative_error = 1e-5}, 100), InputError);
}

TEST(SolverChoice, KeepsTheErrorNearThatOfExactDistances) {
  const Shape shape = make_drilled_plate(6, 6, 40);
  BuildOptions options;
  options.landmarks = 600;
  options.geodesic.exact_up_to = 0;
  options.certificate_rows = 20;
  const Build chosen = build_matrix(shape, options);
  EXPECT_NE(chosen.summary.geodesic, "marching");
  ASSERT_FALSE(chosen.summary.tried_solvers.empty());
  EXPECT_EQ(chosen.summary.tried_solvers[0].method, "marching");
  EXPECT_GT(chosen.summary.tried_solvers[0].mean_relative_error, 0.003);
  EXPECT_NE(chosen.recipe.find("\"marching\""), std::string::npos);
  options.geodesic.method = GeodesicMethod::exact;
  const Build exact = build_matrix(shape, options);
  EXPECT_LE(chosen.certificate->error.mean_relative_error,
            1.3 * exact.certificate->error.mean_relative_error);
}

}  // namespace
}  // namespace geodome::internal
