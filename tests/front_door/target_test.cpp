/// Builds to a wanted error.

#include <gtest/gtest.h>

#include "front_door/front_door_cases.h"

namespace geodome::internal {
namespace {

TargetBuild build_to(const Shape& shape, const BuildOptions& options, double error) {
  return build_to_target(std::make_shared<const Shape>(shape), {}, options, {.relative_error = error});
}

/// Every build of a search shares solvers and rows with those before it, which must not change any.
TEST(TargetBuild, IsTheBuildWithTheNumberOfLandmarksFound) {
  const Shape shape = make_torus(36, 22);
  for (const Method method : {Method::cell, Method::sbha})
    for (const GeodesicMethod geodesic : {GeodesicMethod::exact, GeodesicMethod::fast_marching}) {
      BuildOptions options = options_of(method, 30);
      options.geodesic.method = geodesic;
      options.certificate_rows = 25;
      const TargetBuild found = build_to(shape, options, 5e-5);
      ASSERT_TRUE(found.report.met);
      ASSERT_GT(found.report.steps.size(), 1u) << "a search";
      options.landmarks.count = found.distances.landmarks();
      options.landmarks.or_all = true;
      const Distances again = build(shape, options);
      EXPECT_EQ(all_rows(again), all_rows(found.distances));
      EXPECT_EQ(again.measured_error()->error.relative_error,
                found.distances.measured_error()->error.relative_error);
      EXPECT_LE(again.measured_error()->error.interval.high, 5e-5);
    }
}

}  // namespace
}  // namespace geodome::internal
