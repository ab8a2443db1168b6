#include "geodome/evaluation/certificate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "evaluation/table_distances.h"
#include "geodome/geodesic/factory.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/matrix/query.h"
#include "geodome/pipeline/build.h"
#include "geodome/pipeline/plan.h"
#include "geodome/pipeline/prepared.h"
#include "geodome/shape/builtin/creature.h"

namespace geodome::internal {
namespace {

RowMatrix<double> all_distances(const Shape& shape) {
  const auto solver = make_solver(shape, {.method = exact_method(shape)});
  std::vector<Index> every(static_cast<std::size_t>(solver->size()));
  std::iota(every.begin(), every.end(), 0);
  RowMatrix<double> K(solver->size(), solver->size());
  solver->distances(every, K);
  return K;
}

TEST(Certificate, ItsIntervalCoversTheErrorOfTheFullMatrix) {
  const Shape shape = make_creature(700).stretched;
  const TableSolver truth(all_distances(shape));
  for (const Method method : {Method::sbha, Method::cell}) {
    BuildOptions options;
    options.method = method;
    options.landmarks = 50;
    options.certificate_rows = 0;
    const auto matrix = build_matrix(shape, options).matrix;
    const auto queries = query_matrix(matrix, lower_bound(shape));
    const ErrorReport full = measure_error(*queries, truth);
    for (const Index rows : {4, 12, 40}) {
      int covered = 0, mean_covered = 0;
      for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const ErrorReport some = measure_error(*queries, truth, {rows, seed, {}, rows_to_leave_out(*matrix)});
        covered += some.interval.low <= full.relative_error && full.relative_error <= some.interval.high;
        mean_covered += some.mean_interval.low <= full.mean_relative_error &&
                        full.mean_relative_error <= some.mean_interval.high;
      }
      EXPECT_GE(covered, 90) << rows << " rows";
      EXPECT_GE(mean_covered, 90) << rows << " rows";
    }
  }
}

TEST(Certificate, IsMeasuredOnRowsThatNothingWasFittedTo) {
  const Shape shape = make_creature(600).stretched;
  for (const Method method : {Method::sbha, Method::cell}) {
    BuildOptions options;
    options.method = method;
    options.landmarks = 60;
    options.certificate_rows = 600;
    const Build built = build_matrix(shape, options);
    ASSERT_TRUE(built.certificate);
    const std::vector<Index>& rows = built.certificate->error.rows;
    // 60 landmarks; cell also learns from 100 other vertices.
    EXPECT_EQ(rows.size(), method == Method::cell ? 440u : 540u);
    for (const Index landmark : built.matrix->landmark_matrix()->landmarks())
      EXPECT_FALSE(std::binary_search(rows.begin(), rows.end(), landmark));
  }
}

TEST(Certificate, IsTheSameForAnyNumberOfThreadsAndUnit) {
  const TriangleMesh mesh = make_creature(600).stretched;
  const Build one = build_matrix(mesh, {}, Execution{1, {}}),
              three = build_matrix(mesh, {}, Execution{3, {}});
  EXPECT_EQ(one.recipe, three.recipe);
  ASSERT_TRUE(one.certificate);
  TriangleMesh large = mesh;
  large.points *= 0x1p70;
  const Build scaled = build_matrix(large);
  ASSERT_TRUE(scaled.certificate);
  EXPECT_EQ(scaled.certificate->error.relative_error, one.certificate->error.relative_error);
  EXPECT_EQ(scaled.certificate->bands.unit, 0x1p70 * one.certificate->bands.unit);
}

TEST(Certificate, HasANumberOfRowsByTheSizeOfTheBuild) {
  BuildOptions options;
  EXPECT_GE(certificate_rows(options, 1000, 200, "exact", 1), 20);
  EXPECT_LE(certificate_rows(options, 1000, 200, "exact", 1), 200);
  EXPECT_EQ(certificate_rows(options, 3, 3, "exact", 1), 3);
  EXPECT_EQ(certificate_rows(options, 1000000, 200, "marching", 1), 4);
  EXPECT_EQ(certificate_rows(options, 1000, 200, "given", 1), 20);
  options.certificate_rows = 7;
  EXPECT_EQ(certificate_rows(options, 1000, 200, "exact", 1), 7);
  options.certificate_rows = -1;
  options.method = Method::nystrom;
  EXPECT_EQ(certificate_rows(options, 1000, 200, "exact", 1), 0);
}

TEST(Certificate, HasFewerRowsWhereExactOnesTakeLong) {
  BuildOptions options;
  constexpr double usual = 50, slow = 400;  // windows per vertex
  EXPECT_EQ(affordable_rows(options, 7, usual), 7);
  EXPECT_EQ(affordable_rows(options, 7, 0), 7);
  EXPECT_EQ(affordable_rows(options, 7, slow), 4);
  EXPECT_EQ(affordable_rows(options, 3, slow), 3);
  EXPECT_EQ(affordable_rows(options, 200, slow), 16);
  options.certificate_rows = 7;
  EXPECT_EQ(affordable_rows(options, 7, slow), 7);
}

TEST(Certificate, KnowsWhatExactRowsTookForTheBias) {
  const Shape shape = make_creature(2000).stretched;
  PrepareOptions prepare;
  prepare.geodesic.method = GeodesicMethod::fast_marching;
  PreparedShape prepared(shape, prepare);
  EXPECT_EQ(prepared.exact_windows(), 0);
  prepared.solver();
  EXPECT_GT(prepared.exact_windows(), 1);
  EXPECT_LT(prepared.exact_windows(), 200);
}

TEST(Certificate, ComparesWithWhatTheMatrixWasBuiltFrom) {
  const Shape shape = make_creature(300).stretched;
  BuildOptions options;
  options.landmarks = 60;
  options.geodesic.method = GeodesicMethod::graph;
  EXPECT_EQ(build_matrix(shape, options).certificate->geodesic, "edges");
  options.geodesic.method = GeodesicMethod::heat;
  EXPECT_EQ(build_matrix(shape, options).certificate->geodesic, "exact");
  BuildOptions given;
  given.landmarks = 60;
  given.solver = std::make_shared<TableSolver>(2 * all_distances(shape));
  const Build twice = build_matrix(shape, given);
  EXPECT_EQ(twice.certificate->geodesic, "given");
  EXPECT_LT(twice.certificate->error.mean_relative_error, 0.1);
}

TEST(Certificate, IsOneSentence) {
  using Json = nlohmann::ordered_json;
  EXPECT_EQ(certificate_sentence(Json{{"rows", 12},
                                      {"mean_relative_error", 0.0031},
                                      {"p99_relative_error", 0.019},
                                      {"geodesic", "exact"}}),
            "mean error 0.31 %, 99 % of distances within 1.9 %, measured on 12 rows of exact distances");
  EXPECT_EQ(certificate_sentence(Json()), "");
  EXPECT_EQ(certificate_sentence(Json{{"rows", "many"}}),
            "mean error 0 %, 99 % of distances within 0 %, measured on 0 rows of exact distances");
}

}  // namespace
}  // namespace geodome::internal
