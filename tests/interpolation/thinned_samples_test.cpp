#include "geodome/interpolation/thinned_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geodome/geodesic/factory.h"

namespace geodome::internal {
namespace {

/// Uniform on a square of `dimensions` - dimensional noise.
Samples noisy_square(Index count, Index dimensions, double noise) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  Samples samples{RowMatrix<double>(count, dimensions)};
  for (Index v = 0; v < count; ++v)
    for (Index d = 0; d < dimensions; ++d) samples.values(v, d) = (d < 2 ? 1 : noise) * uniform(random);
  return samples;
}

/// Every `step`-th sample as landmark.
struct Thinned {
  Samples samples;
  Adjacency edges;
  OrderedLandmarks landmarks;
  std::vector<Index> kept;

  Thinned(Samples some, Index step) : samples(std::move(some)) {
    edges = std::get<Adjacency>(make_paths(samples, {}));
    std::vector<Index> chosen;
    for (Index v = 0; v < edges.size(); v += step) chosen.push_back(v);
    landmarks = order_landmarks(edges, chosen);
    kept = thinned_samples(edges, landmarks);
  }

  /// A matrix of rows at the kept samples with the values of f in its columns.
  template <typename Function>
  SparseRows rows_of(Index columns, Function f) const {
    SparseRows rows;
    rows.columns = columns;
    for (const Index v : kept) {
      for (Index c = 0; c < columns; ++c) {
        rows.column.push_back(c);
        rows.value.push_back(static_cast<float>(f(v, c)));
      }
      rows.begin.push_back(static_cast<std::int64_t>(rows.column.size()));
    }
    return rows;
  }
};

/// Columns that are linear in the samples and sum to one: barycentric coordinates of the unit square's
/// corners (0, 0), (1, 0), (0, 1).
double barycentric(const Samples& samples, Index v, Index column) {
  const double x = samples.values(v, 0), y = samples.values(v, 1);
  return column == 0 ? 1 - x - y : column == 1 ? x : y;
}

double largest_miss(const Thinned& thinned, double noise_free_spacing) {
  const SparseRows P =
      extend_rows(thinned.rows_of(3, [&](Index v, Index c) { return barycentric(thinned.samples, v, c); }),
                  thinned.kept, thinned.samples.values, thinned.edges, thinned.landmarks.cell, 3);
  EXPECT_EQ(P.rows(), thinned.edges.size());
  double miss = 0;
  for (Index v = 0; v < P.rows(); ++v)
    for (std::int64_t k = P.begin[v]; k < P.begin[v + 1]; ++k)
      miss = std::max(
          miss, std::abs(static_cast<double>(P.value[k]) - barycentric(thinned.samples, v, P.column[k])));
  return miss / noise_free_spacing;
}

TEST(ThinnedSamples, AreIndependentAndCoverTheRest) {
  const Thinned thinned(noisy_square(3000, 5, 0.01), 100);
  std::vector<char> kept(3000, 0), landmark(3000, 0);
  for (const Index v : thinned.kept) kept[v] = 1;
  for (const Index v : thinned.landmarks.vertices) landmark[v] = 1;
  EXPECT_TRUE(std::is_sorted(thinned.kept.begin(), thinned.kept.end()));
  for (Index v = 0; v < 3000; ++v) {
    bool beside = false;
    for (std::int64_t k = thinned.edges.offsets[v]; k < thinned.edges.offsets[v + 1]; ++k)
      beside |= kept[thinned.edges.neighbours[k]] != 0;
    EXPECT_TRUE(kept[v] || beside) << v;
    EXPECT_TRUE(kept[v] || !landmark[v]) << v;
    EXPECT_FALSE(kept[v] && beside && !landmark[v]) << v;
  }
}

TEST(ThinnedSamples, LinearFunctionsAreReproducedWithinTheSpacingOfSamples) {
  const double spacing = 1 / std::sqrt(4000.0);
  EXPECT_LT(largest_miss(Thinned(noisy_square(4000, 2, 0), 100), spacing), 1.5);
  EXPECT_LT(largest_miss(Thinned(noisy_square(4000, 20, 0.01), 100), spacing), 2);
}

TEST(ThinnedSamples, ScaleDoesNotMatter) {
  Samples tiny = noisy_square(2000, 4, 0.01);
  const double miss = largest_miss(Thinned(tiny, 100), 1);
  Thinned small(std::move(tiny), 100);
  const auto rows = small.rows_of(3, [&](Index v, Index c) { return barycentric(small.samples, v, c); });
  for (const double scale : {1e-8, 1e8}) {
    const Adjacency edges = std::get<Adjacency>(make_paths(Samples{scale * small.samples.values}, {}));
    const SparseRows P =
        extend_rows(rows, small.kept, scale * small.samples.values, edges, small.landmarks.cell, 3);
    double largest = 0;
    for (Index v = 0; v < P.rows(); ++v)
      for (std::int64_t k = P.begin[v]; k < P.begin[v + 1]; ++k)
        largest = std::max(
            largest, std::abs(static_cast<double>(P.value[k]) - barycentric(small.samples, v, P.column[k])));
    EXPECT_NEAR(largest, miss, 1e-5);
  }
}

TEST(ThinnedSamples, RowsOfKeptSamplesStayAndAllSumToOneOnAnyNumberOfThreads) {
  const Thinned thinned(noisy_square(5000, 3, 0.02), 250);
  const auto columns = static_cast<Index>(thinned.landmarks.vertices.size());
  // Normalised bumps at the landmarks.
  const auto bump = [&](Index v, Index c) {
    const Index landmark = thinned.landmarks.vertices[c];
    return std::exp(-40 *
                    (thinned.samples.values.row(v) - thinned.samples.values.row(landmark)).squaredNorm());
  };
  const SparseRows before = thinned.rows_of(columns, [&](Index v, Index c) {
    double sum = 0;
    for (Index other = 0; other < columns; ++other) sum += bump(v, other);
    return bump(v, c) / sum;
  });
  const auto extended = [&](int threads) {
    return extend_rows(before, thinned.kept, thinned.samples.values, thinned.edges, thinned.landmarks.cell,
                       10, {threads, {}});
  };
  const SparseRows one = extended(1), two = extended(2);
  EXPECT_EQ(one.begin, two.begin);
  EXPECT_EQ(one.column, two.column);
  EXPECT_EQ(one.value, two.value);
  std::vector<char> kept(5000, 0);
  for (const Index v : thinned.kept) kept[v] = 1;
  for (Index v = 0; v < one.rows(); ++v) {
    double sum = 0;
    for (std::int64_t k = one.begin[v]; k < one.begin[v + 1]; ++k) sum += static_cast<double>(one.value[k]);
    EXPECT_NEAR(sum, 1, 1e-5) << v;
    EXPECT_EQ(one.begin[v + 1] - one.begin[v], kept[v] ? columns : 10) << v;
  }
}

TEST(ThinnedSamples, DuplicatesAndLoneSamplesHaveRows) {
  Samples samples = noisy_square(2000, 3, 0);
  for (Index v = 0; v < 40; ++v) samples.values.row(1000 + v) = samples.values.row(1000);
  const Thinned thinned(std::move(samples), 100);
  const SparseRows P =
      extend_rows(thinned.rows_of(3, [&](Index v, Index c) { return barycentric(thinned.samples, v, c); }),
                  thinned.kept, thinned.samples.values, thinned.edges, thinned.landmarks.cell, 3);
  for (Index v = 0; v < P.rows(); ++v)
    for (std::int64_t k = P.begin[v]; k < P.begin[v + 1]; ++k) ASSERT_TRUE(std::isfinite(P.value[k])) << v;
}

TEST(ThinnedSamples, OnlyWhereThereAreManyPerLandmarkAndNothingElseIsRequested) {
  EXPECT_FALSE(thins_samples(1000, 100, {}));
  EXPECT_FALSE(thins_samples(6000, 100, {}));
  EXPECT_TRUE(thins_samples(10000, 100, {}));
  EXPECT_FALSE(thins_samples(10000, 100, {.sparsity = Sparsity::columns}));
  EXPECT_FALSE(thins_samples(10000, 100, {.method = InterpolationMethod::plain}));
}

TEST(ThinnedSamples, PerplexityIsHalvedButStaysAbleToAverage) {
  EXPECT_EQ(thinned_perplexity(30), 15);
  EXPECT_EQ(thinned_perplexity(6), 5);
  EXPECT_EQ(thinned_perplexity(2), 2);
}

}  // namespace
}  // namespace geodome::internal
