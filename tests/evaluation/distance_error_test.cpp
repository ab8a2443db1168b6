#include "geodome/evaluation/distance_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "evaluation/table_distances.h"
#include "geodome/base/error.h"
#include "geodome/matrix/near_field.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

/// The slow, obvious way: every pair at once, quantiles by sorting.
struct Reference {
  double epsilon = 0, mean = 0, median = 0, p99 = 0, largest = 0;
  std::int64_t pairs = 0, infinite = 0;
};

Reference reference(const RowMatrix<double>& approximate, const RowMatrix<double>& K,
                    std::span<const Index> rows, double from = 0, double to = infinity) {
  Reference result;
  double error = 0, truth = 0;
  std::vector<double> relative;
  for (const Index i : rows)
    for (Index j = 0; j < K.cols(); ++j) {
      const double k = K(i, j), off = std::abs(approximate(i, j) - k);
      if (std::isinf(k)) {
        ++result.infinite;
        continue;
      }
      if (from > 0 || to < infinity) {
        if (i == j || k < from || k >= to) continue;
      }
      error += off * off;
      truth += k * k;
      if (i != j) relative.push_back(off / k);
    }
  std::sort(relative.begin(), relative.end());
  result.pairs = static_cast<std::int64_t>(relative.size());
  if (relative.empty()) return result;
  const auto quantile = [&](double share) {
    return relative[static_cast<std::size_t>(std::ceil(share * static_cast<double>(relative.size()))) - 1];
  };
  result.epsilon = error / truth;
  result.mean = std::accumulate(relative.begin(), relative.end(), 0.0) / static_cast<double>(result.pairs);
  result.median = quantile(0.5);
  result.p99 = quantile(0.99);
  result.largest = relative.back();
  return result;
}

void expect_equal(const PairErrors& errors, const Reference& expected, const std::string& name) {
  EXPECT_EQ(errors.pairs, expected.pairs) << name;
  EXPECT_NEAR(errors.relative_error, expected.epsilon, 1e-10 * expected.epsilon) << name;
  EXPECT_NEAR(errors.mean_relative_error, expected.mean, 1e-10 * expected.mean) << name;
  EXPECT_NEAR(errors.median_relative_error, expected.median, 4e-3 * expected.median) << name;
  EXPECT_NEAR(errors.p99_relative_error, expected.p99, 4e-3 * expected.p99) << name;
  EXPECT_EQ(errors.max_relative_error, expected.largest) << name;
}

const DistanceBands five_bands{"tenths", 0.1, {0, 0.5, 2, 5, 7.5, infinity}};

TEST(MeasureError, EqualsTheSlowWay) {
  for (const bool two : {false, true})
    for (const Index count : {0, 41}) {
      const RowMatrix<double> K = random_distances(150, two), approximate = perturbed(K);
      const ErrorReport report =
          measure_error(TableMatrix(approximate), TableSolver(K), {count, 7, five_bands});
      ASSERT_EQ(report.rows.size(), count == 0 ? 150u : 41u);
      const Reference expected = reference(approximate, K, report.rows);
      expect_equal(report, expected, text(two, " ", count));
      EXPECT_EQ(report.infinite_pairs, expected.infinite);
      ASSERT_EQ(report.by_band.size(), 5u);
      for (std::size_t b = 0; b < 5; ++b)
        expect_equal(report.by_band[b],
                     reference(approximate, K, report.rows, 0.1 * five_bands.edges[b],
                               std::min(1e9, 0.1 * five_bands.edges[b + 1])),
                     text("band ", b));
    }
}

TEST(MeasureError, IsZeroOnExactInput) {
  for (const bool two : {false, true}) {
    const RowMatrix<double> K = random_distances(70, two);
    for (const Index count : {0, 10}) {
      const ErrorReport report = measure_error(TableMatrix(K), TableSolver(K), {.rows = count});
      EXPECT_EQ(report.relative_error, 0);
      EXPECT_EQ(report.max_relative_error, 0);
      EXPECT_EQ(report.p99_relative_error, 0);
      EXPECT_EQ(report.interval.high, 0);
    }
    const TableMatrix squares(K.cwiseProduct(K), DistanceKind::squared);
    EXPECT_EQ(measure_error(squares, TableSolver(K)).relative_error, 0);
  }
}

TEST(MeasureError, GivesTheNumberComputedByHand) {
  const RowMatrix<double> K = random_distances(50, false);
  const TableSolver solver(K);
  const ErrorReport longer = measure_error(TableMatrix(1.01 * K), solver);
  EXPECT_NEAR(longer.relative_error, 1e-4, 1e-12);
  for (const double each : {longer.mean_relative_error, longer.max_relative_error})
    EXPECT_NEAR(each, 0.01, 1e-12);
  for (const double each : {longer.median_relative_error, longer.p99_relative_error})
    EXPECT_NEAR(each, 0.01, 4e-5);

  RowMatrix<double> with_diagonal = K;  // counts in ε alone
  with_diagonal.diagonal().setConstant(0.3);
  const ErrorReport diagonal = measure_error(TableMatrix(with_diagonal), solver);
  EXPECT_NEAR(diagonal.relative_error, 50 * 0.09 / K.squaredNorm(), 1e-12);
  EXPECT_EQ(diagonal.max_relative_error, 0);

  const TableMatrix squares(1.02 * K.cwiseProduct(K), DistanceKind::squared);
  EXPECT_NEAR(measure_error(squares, solver).relative_error, 4e-4, 1e-12);
}

TEST(MeasureError, ScalesWithTheShape) {
  const RowMatrix<double> K = random_distances(60, true), approximate = perturbed(K);
  const ErrorReport plain = measure_error(TableMatrix(approximate), TableSolver(K));
  for (const double scale : {0x1p-100, 0x1p100}) {
    const ErrorReport report = measure_error(TableMatrix(scale * approximate), TableSolver(scale * K));
    EXPECT_EQ(report.relative_error, plain.relative_error);
    EXPECT_EQ(report.median_relative_error, plain.median_relative_error);
    EXPECT_EQ(report.interval.low, plain.interval.low);
  }
}

TEST(MeasureError, DoesNotDependOnThreads) {
  const RowMatrix<double> K = random_distances(200, true), approximate = perturbed(K);
  const auto run = [&](int threads) {
    return measure_error(TableMatrix(approximate), TableSolver(K), {90, 1, five_bands}, {threads, {}});
  };
  const ErrorReport one = run(1);
  for (const int threads : {2, 3, 7}) {
    const ErrorReport other = run(threads);
    EXPECT_EQ(other.relative_error, one.relative_error);
    EXPECT_EQ(other.mean_relative_error, one.mean_relative_error);
    EXPECT_EQ(other.median_relative_error, one.median_relative_error);
    EXPECT_EQ(other.p99_relative_error, one.p99_relative_error);
    EXPECT_EQ(other.interval.high, one.interval.high);
    for (std::size_t b = 0; b < one.by_band.size(); ++b)
      EXPECT_EQ(other.by_band[b].mean_relative_error, one.by_band[b].mean_relative_error);
  }
}

void expect_intervals_cover(const DistanceMatrix& matrix, const GeodesicSolver& solver,
                            const std::string& name) {
  const ErrorReport whole = measure_error(matrix, solver);
  EXPECT_EQ(whole.interval.low, whole.relative_error);
  EXPECT_EQ(whole.interval.high, whole.relative_error);
  double width_before = infinity;
  for (const Index rows : {10, 40, 150}) {
    int covered = 0;
    double width = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const ErrorReport some = measure_error(matrix, solver, {rows, seed});
      EXPECT_GT(some.interval.low, 0);
      EXPECT_LT(some.interval.low, some.relative_error);
      EXPECT_GT(some.interval.high, some.relative_error);
      covered += some.interval.low <= whole.relative_error && whole.relative_error <= some.interval.high;
      width += std::log(some.interval.high / some.interval.low);
    }
    // 95 are promised, chance may take seven; ten rows of unlike components are few for the theory.
    EXPECT_GE(covered, rows < 30 ? 80 : 88) << name << ", " << rows << " rows";
    EXPECT_LT(width, 0.8 * width_before) << name << ", " << rows << " rows";
    width_before = width;
  }
}

TEST(MeasureError, TheIntervalCoversTheWhole) {
  const RowMatrix<double> K = random_distances(300, false);
  expect_intervals_cover(TableMatrix(perturbed(K)), TableSolver(K), "random");
  for (const MatrixCase& one : matrix_cases()) {
    if (one.size() < 200) continue;
    const auto all = everything(one.size());
    RowMatrix<double> exact(one.size(), one.size());
    one.solver->distances(all, exact);
    expect_intervals_cover(TableMatrix(one.compact().rows(all)), TableSolver(exact), one.name);
  }
}

TEST(MeasureError, OneRowAloneProvesNothing) {
  const RowMatrix<double> K = random_distances(30, false);
  const ErrorReport report = measure_error(TableMatrix(perturbed(K)), TableSolver(K), {.rows = 1});
  EXPECT_EQ(report.interval.low, 0);
  EXPECT_EQ(report.interval.high, infinity);
}

TEST(MeasureError, MeasuresRealMatricesAndTheNearField) {
  for (const MatrixCase& one : matrix_cases()) {
    const auto all = everything(one.size());
    RowMatrix<double> K(one.size(), one.size());
    one.solver->distances(all, K);
    const SparseLandmarkMatrix matrix = one.compact();
    const DistanceBands bands = spacing_bands(matrix);
    expect_equal(measure_error(matrix, *one.solver, {.bands = bands}), reference(matrix.rows(all), K, all),
                 one.name);
    const NearField field(matrix, one.mesh.points);
    const ErrorReport corrected = measure_error(field, *one.solver, {.bands = bands});
    expect_equal(corrected, reference(field.rows(all), K, all), one.name);
    const NearField raw(matrix, {}, QueryMode::raw);
    EXPECT_LT(corrected.relative_error, measure_error(raw, *one.solver).relative_error) << one.name;
    std::int64_t pairs = 0;
    for (const PairErrors& band : corrected.by_band) pairs += band.pairs;
    EXPECT_EQ(pairs, corrected.pairs);
  }
}

TEST(MeasureError, RefusesWhatDoesNotFit) {
  const RowMatrix<double> one = random_distances(30, false), two = random_distances(30, true);
  EXPECT_THROW(measure_error(TableMatrix(one), TableSolver(two)), InputError);
  EXPECT_THROW(measure_error(TableMatrix(two), TableSolver(one)), InputError);
  EXPECT_THROW(measure_error(TableMatrix(one), TableSolver(random_distances(29, false))), InputError);
  EXPECT_THROW(measure_error(TableMatrix(one), TableSolver(one), {.rows = -1}), InputError);
  for (const DistanceBands& bad : {DistanceBands{"", 0, {0, infinity}}, DistanceBands{"", 1, {0, 2}},
                                   DistanceBands{"", 1, {1, infinity}}, DistanceBands{"", 1, {}},
                                   DistanceBands{"", 1, {0, 3, 2, infinity}}})
    EXPECT_THROW(measure_error(TableMatrix(one), TableSolver(one), {.bands = bad}), InputError);
  RowMatrix<double> hole = one;
  hole(3, 4) = std::nan("");
  EXPECT_THROW(measure_error(TableMatrix(hole), TableSolver(one)), NumericalError);
  EXPECT_THROW(measure_error(TableMatrix(one), TableSolver(hole)), NumericalError);
}

TEST(MeasureError, ReportsProgressAndCanBeCancelled) {
  const RowMatrix<double> K = random_distances(200, false);
  double last = 0;
  const Execution told{1, [&](std::string_view stage, double fraction) {
                         EXPECT_EQ(stage, "evaluation");
                         EXPECT_GE(fraction, last);
                         last = fraction;
                         return true;
                       }};
  measure_error(TableMatrix(K), TableSolver(K), {}, told);
  EXPECT_EQ(last, 1);
  const Execution stopped{1, [](std::string_view, double) { return false; }};
  EXPECT_THROW(measure_error(TableMatrix(K), TableSolver(K), {}, stopped), Cancelled);
}

TEST(SampleRows, AreDistinctSeededAndEvenlySpread) {
  std::vector<int> hits(20, 0);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const std::vector<Index> rows = sample_rows(20, 5, seed);
    ASSERT_EQ(rows.size(), 5u);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      EXPECT_TRUE(k == 0 || rows[k - 1] < rows[k]);
      ++hits[rows[k]];
    }
    EXPECT_EQ(rows, sample_rows(20, 5, seed));
  }
  for (const int count : hits) EXPECT_NEAR(count, 500, 100);  // five deviations
  EXPECT_EQ(sample_rows(6, 0, 1), everything(6));
  EXPECT_EQ(sample_rows(6, 60, 1), everything(6));
}

}  // namespace
}  // namespace geodome::internal
